//! Tests of small facts: what is found is derived, and an error among them is a derivation.

use super::*;
use crate::engine::{Options, Verdict};
use crate::evidence::replay;
use crate::relations::kernel::Kernel;
use crate::rules::Program;

const EXTENT: Extent = Extent {
    rounds: 8,
    of_round: 30,
    of_clause: 4_000,
    all: 60_000,
};

const LISTS: &str = "(set-logic HORN)
    (declare-datatypes ((list 0)) (((nil) (cons (head Int) (tail list)))))
    (declare-fun append (list list list) Bool)
    (assert (forall ((Y list)) (append nil Y Y)))
    (assert (forall ((H Int) (X list) (Y list) (Z list)) (=> (append X Y Z) (append (cons H X) Y (cons H Z)))))
    (declare-fun length (list Int) Bool)
    (assert (length nil 0))
    (assert (forall ((H Int) (T list) (N Int)) (=> (length T N) (length (cons H T) (+ N 1)))))\n";

fn program(question: &str) -> Program {
    let program = crate::horn::read_with_calls(&format!("{LISTS}{question}"));
    program.product.expect("a well-formed text")
}

fn facts(program: &Program) -> (Kernel, SmallFacts) {
    let kernel = Kernel::new(program, 0);
    let facts = small_facts(&kernel.terms, &kernel.system, EXTENT, &mut |_| false);
    (kernel, facts)
}

#[test]
fn what_is_found_is_derived() {
    let program = program(
        "(assert (forall ((X list) (Y list) (Z list) (A Int) (B Int) (C Int)) (=> (and (append X Y Z)
            (length X A) (length Y B) (length Z C) (not (= C (+ A B)))) false)))",
    );
    let (kernel, facts) = facts(&program);
    assert!(facts.derivation(&kernel.terms, &kernel.system).is_none());
    let nodes = kernel.system.nodes.iter().enumerate();
    let mut node = nodes.filter(|(_, node)| program.predicate(node.predicate).name == "length");
    let (index, _) = node.next_back().expect("lengths are asked for");
    let mut lengths = BTreeSet::new();
    for values in facts.facts_of(index) {
        let (mut list, length) = (&values[0], &values[1]);
        let mut counted = 0i64;
        while let Value::Datatype(cons) = list
            && let Some(tail) = cons.arguments.get(1)
        {
            counted += 1;
            list = tail;
        }
        assert_eq!(*length, Value::Number(counted.into()));
        lengths.insert(counted);
    }
    assert!(lengths.len() > 4, "{lengths:?}");
}

#[test]
fn an_error_among_them_is_a_derivation() {
    let program = program(
        "(assert (forall ((X list) (Y list) (Z list) (V list)) (=> (and (append X Y Z) (append Y X V) (length X 2)
            (not (= Z V)) (not (= X nil)) (not (= Y nil))) false)))",
    );
    let (kernel, facts) = facts(&program);
    let derivation = facts.derivation(&kernel.terms, &kernel.system);
    let derivation = derivation
        .expect("lists of two elements do not commute")
        .expect("all values are known");
    replay(&program, &derivation).expect("it is one");
    let outcome = crate::relations::verify(&program, &Options::default());
    assert!(matches!(outcome.verdict, Verdict::Unsafe(_)), "{:?}", outcome.verdict);
}

#[test]
fn limits_are_kept() {
    let program = program("(assert (forall ((X list)) (=> (append X X (cons 1 X)) false)))");
    let kernel = Kernel::new(&program, 0);
    let none = small_facts(&kernel.terms, &kernel.system, EXTENT, &mut |_| true);
    assert!(none.tried < 100);
    let (_, facts) = facts(&program);
    assert!(facts.of.iter().all(|of| of.len() <= EXTENT.rounds * EXTENT.of_round));
    assert!(facts.tried <= EXTENT.all + 2 * EXTENT.of_clause);
}

/// What is found by running, and by nothing else.
fn run(source: &str) -> Option<crate::evidence::Derivation> {
    error_of(&crate::clp::read_with_calls(source).product.expect("no mistake in it"))
}

fn error_of(program: &Program) -> Option<crate::evidence::Derivation> {
    assert!(program.has_calls());
    let (kernel, facts) = facts(program);
    assert!(
        facts.derivation(&kernel.terms, &kernel.system).is_none(),
        "no small fact"
    );
    let mut enough = |tried| tried > 400_000;
    let found = error_by_running(&kernel.terms, &kernel.system, &facts, &mut enough);
    if let Some(derivation) = &found {
        replay(program, derivation).expect("it is a derivation");
    }
    found
}

const FIBONACCI: &str = "
    fib(N, F) :- N =< 1, F = N.
    fib(N, F) :- N > 1, fib(N - 1, A), fib(N - 2, B), F = A + B.";

#[test]
fn what_calls_give_back_is_calculated_once() {
    let wrong = format!("?- fib(22, F), F \\= 17710, error. {FIBONACCI}");
    let found = run(&wrong).expect("it is 17711");
    assert!(found.steps.len() > 50_000);
    assert!(run(&format!("?- fib(22, F), F \\= 17711, error. {FIBONACCI}")).is_none());
}

/// Zero, by calls.
const ZERO: &str = "
    zero(X, T) :- X =< 0, T = 0.
    zero(X, T) :- X > 0, zero(X - 1, T).";

#[test]
fn what_is_read_is_enumerated_as_far_as_a_thousand_calls() {
    let identity = |error: &str| {
        format!(
            "?- {error}. id(X, R) :- X = 0, R = 0.
             id(X, R) :- X > 0, R = S + T + 1, id(X - 1, S), zero(X - 1, T). {ZERO}"
        )
    };
    assert!(run(&identity("id(X, R), R = 700, error")).is_some());
    // A number of the rules, or its neighbour, is tried soon.
    assert!(run(&identity("X >= 1200, X =< 1201, id(X, R), R = 1201, error")).is_some());
}

#[test]
fn of_cases_the_only_possible_one_is_taken() {
    // A result that wraps around, as one rule.
    let source = "(set-logic HORN)
         (declare-fun fib (Int Int) Bool)
         (assert (fib 0 0)) (assert (fib 1 1))
         (assert (forall ((N Int) (A Int) (B Int) (R Int)) (=> (and (> N 1) (fib (- N 1) A) (fib (- N 2) B)
             (or (and (= A (- R B)) (<= (+ A B) 65535)) (and (= A (- (+ R 65536) B)) (> (+ A B) 65535)))) (fib N R))))
         (assert (=> (fib 25 9489) false))";
    let program = crate::horn::read_with_calls(source).product.expect("no mistake in it");
    assert!(error_of(&program).is_some());
}

#[test]
fn errors_inside_of_calls_are_found_behind_loops() {
    let source = format!(
        "?- go(0, S). go(I, S) :- I < 40, f(I, R), go(I + 1, R).
         f(X, R) :- X = 0, R = 7.
         f(X, R) :- X > 0, X \\= 39, R = A + T, f(X - 1, A), zero(X, T).
         f(X, R) :- X = 39, R = T, zero(X - 1, T), error. {ZERO}"
    );
    assert!(run(&source).is_some());
}

#[test]
fn parameters_are_given_and_results_calculated() {
    let source = format!(
        "?- fib(N, F), ack(N, F, R), less(R, N, D), D = 7, error. {FIBONACCI}
        less(X, Y, D) :- Y =< 0, X = D + Y.
        less(X, Y, D) :- Y > 0, less(X - 1, Y - 1, A), fib(Y, B), D = A + B - B.
        ack(M, N, R) :- M = 0, R = N + 1.
        ack(M, N, R) :- M > 0, N = 0, ack(M - 1, 1, R).
        ack(M, N, R) :- M > 0, N > 0, ack(M, N - 1, S), ack(M - 1, S, R)."
    );
    let program = crate::clp::read_with_calls(&source).product.expect("no mistake in it");
    let (kernel, facts) = facts(&program);
    let given = modes::given(&kernel.terms, &kernel.system, &facts, &mut || false).expect("nobody stops it");
    for (node, given) in kernel.system.nodes.iter().zip(given) {
        let expected = match &program.predicate(node.predicate).name[..] {
            "fib" if node.role == Role::Returned => Some(Given(vec![0])),
            // What is given may say what another parameter is.
            "ack" | "less" if node.role == Role::Returned => Some(Given(vec![0, 1])),
            _ => None,
        };
        assert_eq!(given, expected, "{:?}", node.role);
    }
}
