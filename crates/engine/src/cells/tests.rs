//! Programs over arrays, with properties of all elements.

use super::verify;
use crate::engine::{Options, Verdict};
use crate::steps::Budget;
use std::time::Duration;

fn verdict(source: &str) -> Verdict {
    let program = crate::clp::read(source).product.expect("no mistake in it");
    let options = Options {
        budget: Budget {
            time: Some(Duration::from_secs(20)),
            ..Budget::default()
        },
        ..Options::default()
    };
    verify(&program, &options).verdict
}

fn assert_safe(source: &str) {
    let verdict = verdict(source);
    assert!(matches!(verdict, Verdict::Safe(_)), "{source}: {verdict:?}");
}

#[test]
fn a_filled_array_holds_the_value_everywhere() {
    assert_safe(
        "?- fill(0, N, A).
        fill(I, N, A) :- I < N, fill(I + 1, N, store(A, I, 7)).
        fill(I, N, A) :- I >= N, 0 =< J, J < N, select(A, J) \\= 7, error.",
    );
}

#[test]
fn a_copy_is_the_same_array() {
    assert_safe(
        "?- copy(0, N, A, B).
        copy(I, N, A, B) :- I < N, copy(I + 1, N, A, store(B, I, select(A, I))).
        copy(I, N, A, B) :- I >= N, 0 =< J, J < N, select(A, J) \\= select(B, J), error.",
    );
}

#[test]
fn a_copy_between_addresses_is_the_same_from_there() {
    let copied = |read: &str| {
        format!(
            "?- P >= 1, Q >= 1, copy(0, N, P, Q, A, B).
            copy(I, N, P, Q, A, B) :- I < N, copy(I + 1, N, P, Q, A, store(B, Q + I, select(A, P + I))).
            copy(I, N, P, Q, A, B) :- I >= N, 0 =< J, J < N, select(A, P + J) \\= select(B, {read}), error."
        )
    };
    assert_safe(&copied("Q + J"));
    assert!(matches!(verdict(&copied("Q + J + 1")), Verdict::Unknown(_)));
}

#[test]
fn what_is_copied_backwards_is_reversed() {
    assert_safe(
        "?- reverse(0, N, A, B).
        reverse(I, N, A, B) :- I < N, reverse(I + 1, N, A, store(B, N - 1 - I, select(A, I))).
        reverse(I, N, A, B) :- I >= N, 0 =< J, J < N, select(A, J) \\= select(B, N - 1 - J), error.",
    );
}

#[test]
fn arrays_that_are_written_alike_stay_equal() {
    let written = |value: &str| {
        format!(
            "?- write(0, A, A).
            write(I, A, B) :- write(I + 1, store(A, I, I), store(B, I, {value})).
            write(I, A, B) :- A \\= B, error."
        )
    };
    assert_safe(&written("I"));
    assert!(matches!(verdict(&written("I + 1")), Verdict::Unknown(_)));
}

#[test]
fn a_maximum_is_not_below_an_element() {
    assert_safe(
        "?- largest(1, N, A, select(A, 0)).
        largest(I, N, A, M) :- I < N, select(A, I) > M, largest(I + 1, N, A, select(A, I)).
        largest(I, N, A, M) :- I < N, select(A, I) =< M, largest(I + 1, N, A, M).
        largest(I, N, A, M) :- I >= N, 0 =< J, J < N, select(A, J) > M, error.",
    );
}

#[test]
fn what_a_search_passes_is_not_there() {
    assert_safe(
        "?- find(0, N, A, X).
        find(I, N, A, X) :- I < N, select(A, I) \\= X, find(I + 1, N, A, X).
        find(I, N, A, X) :- I >= N, 0 =< J, J < N, select(A, J) = X, error.",
    );
}

#[test]
fn an_array_is_filled_and_then_read_by_a_loop() {
    assert_safe(
        "?- fill(0, N, A).
        fill(I, N, A) :- I < N, fill(I + 1, N, store(A, I, 2 * I)).
        fill(I, N, A) :- I >= N, check(0, N, A).
        check(I, N, A) :- I < N, select(A, I) = 2 * I, check(I + 1, N, A).
        check(I, N, A) :- I < N, select(A, I) \\= 2 * I, error.",
    );
}

#[test]
fn an_increasing_array_is_sorted() {
    assert_safe(
        "?- fill(1, N, store(A, 0, X), X).
        fill(I, N, A, X) :- I < N, Y >= X, fill(I + 1, N, store(A, I, Y), Y).
        fill(I, N, A, X) :- I >= N, 0 =< J, J < K, K < N, select(A, J) > select(A, K), error.",
    );
}

#[test]
fn a_wrong_element_is_not_proved_away() {
    let source = "?- fill(0, N, A).
        fill(I, N, A) :- I < N, fill(I + 1, N, store(A, I, 7)).
        fill(I, N, A) :- I >= N, 0 =< J, J =< N, select(A, J) \\= 7, error.";
    assert!(matches!(verdict(source), Verdict::Unknown(_)));
}

#[test]
fn a_pair_of_cells_is_looked_at_in_its_order() {
    // Neither says anything of an order, so nothing may follow of one.
    let source = "?- N >= 2, write(0, N, A).
        write(I, N, A) :- I < N, write(I + 1, N, store(A, I, X)).
        write(I, N, A) :- I >= N, 0 =< J, J + 1 < N, select(A, J) > select(A, J + 1), error.";
    assert!(matches!(verdict(source), Verdict::Unknown(_)));
    let program = crate::clp::read(source).product.expect("no mistake in it");
    let abstraction = super::Abstraction::new(&program, &super::Origins::new(), 2);
    let outcome = crate::relations::verify(&abstraction.program, &Options::default());
    assert!(matches!(outcome.verdict, Verdict::Unsafe(_)), "{:?}", outcome.verdict);
}

#[test]
fn every_second_pair_is_ordered_where_nothing_was_exchanged() {
    // Odd-even sort; exchanges in even places are not noticed in the other one.
    let sorted = |noticed: &str| {
        format!(
            "?- N >= 1, pass(0, N, A).
            pass(0, N, A) :- odd(1, N, A, 1).
            pass(1, N, A) :- 0 =< J, J + 1 < N, select(A, J) > select(A, J + 1), error.
            odd(I, N, A, S) :- I + 1 < N, select(A, I) =< select(A, I + 1), odd(I + 2, N, A, S).
            odd(I, N, A, S) :- I + 1 < N, select(A, I) > select(A, I + 1),
                odd(I + 2, N, store(store(A, I, select(A, I + 1)), I + 1, select(A, I)), 0).
            odd(I, N, A, S) :- I + 1 >= N, even(0, N, A, S).
            even(I, N, A, S) :- I + 1 < N, select(A, I) =< select(A, I + 1), even(I + 2, N, A, S).
            even(I, N, A, S) :- I + 1 < N, select(A, I) > select(A, I + 1),
                even(I + 2, N, store(store(A, I, select(A, I + 1)), I + 1, select(A, I)), {noticed}).
            even(I, N, A, S) :- I + 1 >= N, pass(S, N, A)."
        )
    };
    assert_safe(&sorted("0"));
    assert!(matches!(verdict(&sorted("S")), Verdict::Unknown(_)));
}

/// Arrays at two addresses: of each element that is put into the one, twice as much is put into the other. What is said under switches that
/// are on, front ends say so.
fn doubled(guise: [&str; 2]) -> crate::rules::Program {
    let [conclusion, premise] = guise;
    let source = format!(
        "(set-logic HORN)
        (declare-fun fill (Int Int Int Int (Array Int Int) (Array Int Int)) Bool)
        (assert (forall ((S Bool) (T Bool) (P Int) (Q Int) (N Int) (I Int)
                         (A (Array Int Int)) (B (Array Int Int)) (C (Array Int Int)))
          (=> (and T (or (not T) S) (or (not S) (= I 0)) (or (not S) (not T) (= C A)) (not (<= P 0)) (not (<= Q 0)))
              (fill I N P Q C B))))
        (assert (forall ((S Bool) (P Int) (Q Int) (N Int) (I Int) (J Int) (V Int) (W Int)
                         (A (Array Int Int)) (B (Array Int Int)) (C (Array Int Int)) (D (Array Int Int)))
          (=> (and {premise}) {conclusion})))
        (assert (forall ((P Int) (Q Int) (N Int) (I Int) (K Int) (A (Array Int Int)) (B (Array Int Int)))
          (=> (and (fill I N P Q A B) (>= I N) (<= 0 K) (< K N) (not (= (select B (+ Q K)) (* 2 (select A (+ P K))))))
              false)))
        (check-sat)"
    );
    crate::horn::read(&source).product.expect("a well-formed text")
}

const GUISES: [[&str; 2]; 2] = [
    [
        "(fill J N P Q C D)",
        "(fill I N P Q A B) S (< I N) (or (not S) (= J (+ I 1))) (or (not S) (= C (store A (+ P I) V)))
         (or (not S) (= W (+ V (select C (+ P I))))) (or (not S) (= D (store B (+ Q I) W)))",
    ],
    [
        "(fill J N P Q C D)",
        "(or (= D (store B (+ I Q) W)) (not S)) (or (not S) (= (+ (select C (+ I P)) V) W)) (> N I)
         (or (= (store A (+ I P) V) C) (not S)) (fill I N P Q A B) (or (= (+ 1 I) J) (not S)) S",
    ],
];

#[test]
fn runs_go_through_rules_whose_switches_say_which_array_is_which() {
    let program = doubled(GUISES[0]);
    let budget = Budget::default();
    let cancellation = crate::steps::Cancellation::default();
    let watch = crate::steps::BudgetWatch::start(&budget, &cancellation);
    let seen = |program: &crate::rules::Program| super::runs::run(program, &watch).states[2].len();
    assert_eq!(seen(&program), 0, "two arrays chosen at random are not the same");
    assert!(seen(&super::along_paths(&program)) > 20);
}

#[test]
fn what_is_twice_as_much_is_so_in_either_guise() {
    for guise in GUISES {
        let options = Options {
            budget: Budget {
                time: Some(Duration::from_secs(20)),
                ..Budget::default()
            },
            ..Options::default()
        };
        let verdict = verify(&doubled(guise), &options).verdict;
        assert!(matches!(verdict, Verdict::Safe(_)), "{guise:?}: {verdict:?}");
    }
}

/// Two arrays that are filled together, what a third one gets of them, and what must hold of that.
fn assert_safe_together(stored: &str, condition: &str, combined: &str, wrong: &str) {
    assert_safe(&format!(
        "?- fill(0, A, B, C).
        fill(I, A, B, C) :- I < 50000, {condition}, fill(I + 1, store(A, I, X), store(B, I, {stored}), C).
        fill(I, A, B, C) :- I >= 50000, combine(0, A, B, C).
        combine(I, A, B, C) :- I < 50000, A[I] >= -2000, A[I] =< 2000, B[I] >= -2000, B[I] =< 2000,
            combine(I + 1, A, B, store(C, I, {combined})).
        combine(I, A, B, C) :- I >= 50000, look(1, C).
        look(I, C) :- I < 50000, C[I] {wrong}, error.
        look(I, C) :- I < 50000, look(I + 1, C)."
    ));
}

#[test]
fn equations_that_no_rule_compares_are_seen_in_states() {
    assert_safe_together("-X", "X >= -1000, X =< 1000", "A[I] + B[I]", "\\= 0");
}

#[test]
fn what_is_compared_with_a_sum_is_compared_with_its_parts() {
    assert_safe_together("Y", "X > Y, Y >= -1000, X =< 1000", "A[I] - B[I]", "=< 0");
}

#[test]
fn what_a_counter_is_compared_with_is_compared_with_the_index() {
    assert_safe(
        "?- J >= 1, J =< 9999, N =< 99999, fill(1, J, N, A).
        fill(I, J, N, A) :- I < N, K >= 1, K =< 9999, fill(I + 1, J, N, store(A, I, I + J + K)).
        fill(I, J, N, A) :- I >= N, look(1, N, A).
        look(I, N, A) :- I < N, A[I] >= -2147483648, A[I] =< 2147483647, A[I] =< I + 1, error.
        look(I, N, A) :- I < N, A[I] >= -2147483648, A[I] =< 2147483647, A[I] >= I + 2, look(I + 1, N, A).",
    );
}
