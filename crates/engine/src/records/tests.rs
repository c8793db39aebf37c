//! Tests of what is told of programs whose records were taken apart.

use super::{Apart, verify_apart};
use crate::clp;
use crate::engine::{self, Options, Outcome, Verdict};
use crate::relations;
use crate::rules::Program;
use crate::terms::Sort;
use std::cell::Cell;

/// An account with a holder that nobody looks at, in a record inside of a record.
const ACCOUNTS: &str = "(set-logic HORN)
    (declare-datatypes ((holder 0)) (((holder (number Int) (names (Array Int Int))))))
    (declare-datatypes ((account 0)) (((account (balance Int) (of holder) (limit Int)))))
    (declare-fun pays (account) Bool)
    (assert (forall ((A account)) (=> (and (>= (balance A) 0) (= (limit A) 3)) (pays A))))
    (assert (forall ((A account) (X Int)) (=> (and (pays A) (>= X 0))
        (pays (account (+ (balance A) X) (of A) (limit A))))))
    (assert (forall ((A account) (B account) (X Int)) (=> (and (pays A) (>= (balance A) X) (> X 0) (= (of B) (of A))
        (= (limit B) (limit A)) (= (balance B) (- (balance A) X))) (pays B))))\n";
const SAFE: &str =
    "(assert (forall ((A account)) (=> (and (pays A) (or (< (balance A) 0) (not (= (limit A) 3)))) false)))";
const UNSAFE: &str =
    "(assert (forall ((A account)) (=> (and (pays A) (= (balance A) 5) (= (number (of A)) 8)) false)))";

fn program(question: &str) -> Program {
    let read = crate::horn::read_with_calls(&format!("{ACCOUNTS}{question}"));
    read.product.expect("a well-formed text")
}

#[test]
fn verdicts_are_about_the_records_that_were_given() {
    for (question, method) in [
        (SAFE, relations::verify as fn(&Program, &Options) -> Outcome),
        (UNSAFE, relations::verify),
        (SAFE, engine::verify),
        (UNSAFE, engine::verify),
    ] {
        let program = program(question);
        let is_record = |sort| matches!(sort, Sort::Datatype(..));
        assert!(program.hands_over(is_record));
        let has_seen = Cell::new(false);
        let method = |apart: &Program, options: &Options| {
            assert!(!apart.hands_over(is_record) && apart.validate().is_ok());
            has_seen.set(true);
            method(apart, options)
        };
        // Evidence is checked, or replayed, against the program that was given.
        let outcome = verify_apart(&program, &Options::default(), &method);
        assert!(has_seen.get());
        assert_eq!(
            matches!(outcome.verdict, Verdict::Safe(_)),
            question == SAFE,
            "{:?}",
            outcome.verdict
        );
        assert_eq!(matches!(outcome.verdict, Verdict::Unsafe(_)), question == UNSAFE);
    }
}

#[test]
fn what_cannot_be_told_is_asked_again() {
    // A method whose evidence is refused, until it gets the rules as they are.
    let program = program(SAFE);
    let calls = Cell::new(0);
    let method = |given: &Program, options: &Options| {
        calls.set(calls.get() + 1);
        let mut outcome = relations::verify(given, options);
        if let (1, Verdict::Safe(certificate)) = (calls.get(), &mut outcome.verdict) {
            certificate.invariants.clear();
        }
        outcome
    };
    let outcome = verify_apart(&program, &Options::default(), &method);
    assert_eq!(calls.get(), 2);
    assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{:?}", outcome.verdict);
}

fn verdict_by_relations(text: &str) -> Verdict {
    let program = clp::read_with_calls(text).product.expect("no mistake in it");
    let method = |apart: &Program, options: &Options| {
        assert!(!apart.hands_over(|sort| matches!(sort, Sort::Datatype(..))));
        relations::verify(apart, options)
    };
    verify_apart(&program, &Options::default(), &method).verdict
}

#[test]
fn what_calls_do_to_a_field_is_found() {
    let text = "
        :- type state ---> state(balance: int, owners: array(int, int)).
        ?- f(9, S), balance(S) < 7, error.
        f(N, S) :- N =< 1, balance(S) >= 7.
        f(N, S) :- N > 1, f(N - 1, P), f(N - 2, Q), S = state(balance(P) + balance(Q), owners(P)).";
    assert!(matches!(verdict_by_relations(text), Verdict::Safe(_)));
}

#[test]
fn records_that_are_equal_as_a_whole_are_related_by_a_field() {
    let text = "
        :- type state ---> state(balance: int, owners: array(int, int)).
        ?- N >= 0, f(state(N, constant(0)), S), balance(S) < N, error.
        f(R, R).
        f(R, S) :- f(R, Q), balance(Q) < 100, S = state(balance(Q) + 1, owners(Q)).";
    assert!(matches!(verdict_by_relations(text), Verdict::Safe(_)));
    // The same where relations get records as they are.
    assert!(matches!(
        crate::test_support::checked_verdict(text, relations::verify),
        Verdict::Safe(_)
    ));
}

#[test]
fn lists_are_no_records() {
    let text = "?- length([1, 2], N), N < 0, error. length([], 0). length([_ | T], N + 1) :- length(T, N).";
    let program = clp::read_with_calls(text).product.expect("no mistake in it");
    assert!(Apart::new(&program).is_none());
}
