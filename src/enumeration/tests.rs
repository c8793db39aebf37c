//! Programs whose states are gone through: what is known, what is forgotten, what is split.

use super::verify;
use crate::engine::{Options, Verdict};

fn verdict(source: &str) -> Verdict {
    let program = crate::clp::read(source).product.expect("no mistake in it");
    verify(&program, &Options::default()).verdict
}

#[test]
fn elements_are_known_of_arrays_that_are_not() {
    let fill = |wanted: i64| {
        format!(
            "?- fill(A, 0). fill(A, I) :- I < 40, fill(store(A, I, 2 * I), I + 1).
             fill(A, I) :- I >= 40, look(A, 0). look(A, I) :- I < 40, A[I] = 2 * I, look(A, I + 1).
             look(A, I) :- I < 40, A[I] \\= {wanted} * I, error."
        )
    };
    assert!(matches!(verdict(&fill(2)), Verdict::Safe(_)));
    assert!(matches!(verdict(&fill(3)), Verdict::Unsafe(_)));
}

#[test]
fn what_is_forgotten_is_no_error() {
    // The state does not say that X is the same at both questions.
    let source = "?- p(X). p(X) :- X > 5, q(X). q(X) :- X < 5, error.";
    assert!(matches!(verdict(source), Verdict::Unknown(_)));
    let source = "?- p(X). p(X) :- X > 5, q(X). q(X) :- X < 7, error.";
    assert!(matches!(verdict(source), Verdict::Unsafe(_)));
}

#[test]
fn signs_of_what_is_read_are_known() {
    let source = |wanted: &str| {
        format!(
            "?- p(X), X \\= 0. p(X) :- X =< -3, q(X). p(X) :- X >= 3, q(X). q(X) :- r(X, 0). r(X, I) :- I < 5, r(X, I + 1). r(X, I) :- I >= 5, X {wanted} 0, error."
        )
    };
    assert!(matches!(verdict(&source("=")), Verdict::Safe(_)));
    let read = "?- p(X). p(X) :- X =< -3, r(X, 0). r(X, I) :- I < 5, r(X, I + 1).";
    for (error, is_safe) in [
        ("X >= 0", true),
        ("X = 0", true),
        ("X =< -1", false),
        ("X >= -2", false),
    ] {
        let found = verdict(&format!("{read} r(X, I) :- I >= 5, {error}, error."));
        assert_eq!(matches!(found, Verdict::Safe(_)), is_safe, "{error}");
    }
}

#[test]
fn what_is_read_is_followed_both_ways() {
    let program = |least: i64| {
        format!(
            "?- p(0, X). p(I, X) :- I < 30, X > 5, p(I + 2, X). p(I, X) :- I < 30, X =< 5, p(I + 1, X).
             p(I, X) :- I >= 30, I > {least}, error."
        )
    };
    assert!(matches!(verdict(&program(31)), Verdict::Safe(_)));
    assert!(matches!(verdict(&program(30)), Verdict::Unknown(_)));
}

#[test]
fn what_has_few_values_is_split() {
    // How many of four bits are set.
    let source = |most: i64| {
        format!(
            "?- X >= 0, X =< 15, count(X, 0, 0). count(X, S, I) :- I < 4, count(X div 2, S + X mod 2, I + 1).
             count(X, S, I) :- I >= 4, S > {most}, error."
        )
    };
    assert!(matches!(verdict(&source(4)), Verdict::Safe(_)));
    assert!(matches!(verdict(&source(3)), Verdict::Unsafe(_)));
}

#[test]
fn what_is_read_is_put_into_all_conditions_of_a_step() {
    // The index is what an array's element says.
    let source = "?- fill(A, B, 0). fill(A, B, I) :- I < 9, fill(store(A, I, 8 - I), B, I + 1).
        fill(A, B, I) :- I >= 9, (J = A[2] + K, K = 1 ; J = A[3] + K, K = 0, A[2] = 0), A[J] = 1, B[J] > 4, error.";
    assert!(matches!(verdict(source), Verdict::Unsafe(_)));
}
