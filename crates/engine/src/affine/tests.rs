//! Which relations are found, of loops whose guards matter.

use super::AffineRelations;
use crate::relations::{Equations, Role, System};
use crate::rules::{PredicateId, Program};
use crate::steps::Cancellation;
use crate::steps::budget::{Budget, BudgetWatch};

/// What is found of each predicate that is reached and no error.
fn relations(source: &str) -> Vec<String> {
    of_program(crate::clp::read(source).product.expect("no mistake in it"))
}

fn of_program(mut program: Program) -> Vec<String> {
    let (budget, cancellation) = (Budget::default(), Cancellation::default());
    let watch = BudgetWatch::start(&budget, &cancellation);
    let mut terms = std::mem::take(&mut program.terms);
    let system = System::new(&program, &mut terms, Equations::Kept);
    let (parameters, implications) = (system.parameters(), system.implications());
    let found = AffineRelations::of(&mut terms, &parameters, &implications, &watch, &mut 0).expect("answers");
    let mut of_others: Vec<_> = system.nodes.iter().enumerate().collect();
    of_others.retain(|(_, node)| node.predicate != PredicateId::ERROR);
    of_others.sort_by_key(|(_, node)| (node.predicate, node.role));
    of_others
        .into_iter()
        .map(|(index, node)| {
            let formulas = found.formulas(&mut terms, index);
            let texts: Vec<String> = formulas
                .iter()
                .map(|formula| terms.display(*formula).to_string())
                .collect();
            let role = match node.role {
                Role::Reached => "",
                Role::Returned => " has returned",
            };
            format!("{}{role}: {}", program.predicate(node.predicate).name, texts.join(", "))
        })
        .collect()
}

#[test]
fn what_a_guard_makes_equal_is_seen() {
    let found = relations(
        "?- p(0, 0).
         p(A, B) :- A < 40, p(A + 1, B + 1).
         p(A, B) :- A >= 40, A =< 40, q(A, B).
         q(A, B) :- q(A + 1, B + 4).
         q(A, B) :- A = 60, B \\= 120, error.",
    );
    assert_eq!(found, ["p: A = B, A =< 40", "q: 4*A = B + 120, A >= 40"]);
}

#[test]
fn cases_are_joined() {
    let found = relations(
        "?- p(0, 0, 0).
         p(I, A, B) :- (A1 = A + 1, B1 = B + 2 ; A1 = A + 2, B1 = B + 1), p(I + 1, A1, B1).
         p(I, A, B) :- A < 0, error.",
    );
    assert_eq!(found, ["p: 3*I = A + B, A >= 0"]);
}

#[test]
fn residues_are_told_where_equations_are_not_enough() {
    let found = relations(
        "?- p(X, 6*Y + 2*X).
         p(X, Y) :- p(X + 1, Y - 4).
         p(X, Y) :- Y = 7, error.",
    );
    assert_eq!(found, ["p: Y mod 2 = 0, (X + Y) mod 3 = 0"]);
}

#[test]
fn what_is_not_reached_is_false() {
    let found = relations("?- p(0). p(X) :- X > 0, q(X). p(X) :- p(X). q(X) :- error.");
    assert_eq!(found, ["p: X = 0, X =< 0", "q: false"]);
}

#[test]
fn words_that_wrap_round_are_counted_modulo_their_size() {
    let found = relations(
        "?- N >= 0, N =< 255, p(N, N).
         p(N, X) :- (X < 255, Y = X + 1 ; X >= 255, Y = X - 255), (N < 255, M = N + 1 ; N >= 255, M = 0), p(M, Y).
         p(N, X) :- q(N, X).
         q(N, X) :- (X < 254, Y = X + 2 ; X >= 254, Y = X - 254), q(N, Y).
         q(N, X) :- X > 300, error.",
    );
    assert_eq!(
        found,
        [
            "p: N = X, X >= 0, X =< 255, N >= 0, N =< 255, X =< 300",
            "q: (N + X) mod 2 = 0, X =< 300, X >= 0, X =< 255, N >= 0, N =< 255",
        ]
    );
}

#[test]
fn equations_of_words_are_modulo_their_size() {
    let found = of_program(
        crate::horn::read(
            "(set-logic HORN)
             (declare-fun p ((_ BitVec 8) (_ BitVec 8)) Bool)
             (assert (forall ((N (_ BitVec 8))) (p N (bvmul #x03 N))))
             (assert (forall ((A (_ BitVec 8)) (B (_ BitVec 8))) (=> (p A B) (p (bvadd A #x02) (bvsub B #xfa)))))
             (assert (forall ((A (_ BitVec 8)) (B (_ BitVec 8))) (=> (and (p A B) (= A #x05) (= B #x0e)) false)))
             (check-sat)",
        )
        .product
        .expect("no mistake in it"),
    );
    assert_eq!(found, ["p: X2 = bvmul(X1, 3)"]);
}

#[test]
fn what_calls_give_back_is_related_to_what_they_get() {
    let source = "
        ?- move(5, 0, A, B), p(A, B).
        p(A, B) :- A + B \\= 5, error.
        move(X, Y, A, B) :- X > 1, move(X - 1, Y + 1, C, D), move(C - 1, D + 1, A, B).
        move(X, Y, A, B) :- A = X, B = Y.";
    let found = of_program(crate::clp::read_with_calls(source).product.expect("no mistake in it"));
    assert_eq!(found, ["move has returned: X + Y = A + B", "p: A + B = 5"]);
}
