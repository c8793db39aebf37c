//! Verdicts about rules that recur through calls, compared with deriving everything over a small domain; and the limits.

use super::*;
use crate::engine::StopReason;
use crate::evidence::{CheckLimits, check_certificate, obligations_smtlib, read_evidence, replay, save_certificate};
use crate::evidence::{Evidence, save_derivation};
use crate::random::Generator;
use crate::test_support::small_domain::{random_program, reaches_error};
use std::time::Duration;

fn program(source: &str) -> Program {
    let reading = crate::clp::read_with_calls(source);
    reading.product.unwrap_or_else(|| panic!("{:?}", reading.diagnostics))
}

const FIBONACCI: &str = "
    fib(N, F) :- N =< 1, F = 1.
    fib(N, F) :- N > 1, fib(N - 1, A), fib(N - 2, B), F = A + B.";

#[test]
fn verdicts_agree_with_deriving_everything() {
    let mut random = Generator(11);
    let options = Options {
        budget: crate::engine::Budget {
            states: Some(1_500),
            ..Default::default()
        },
        ..Options::default()
    };
    let (mut safe, mut wrong, mut unknown, mut recurring) = (0, 0, 0, 0);
    for number in 0..40 {
        let program = random_program(&mut random, true);
        let calls = program.has_calls();
        recurring += usize::from(calls);
        let expected = reaches_error(&program);
        match verify(&program, &options).verdict {
            Verdict::Safe(certificate) => {
                assert!(!expected, "program {number} reaches the error");
                check_certificate(&program, &certificate, CheckLimits::default()).expect("a proof");
                safe += 1;
            }
            Verdict::Unsafe(derivation) => {
                assert!(expected, "program {number} does not reach the error");
                replay(&program, &derivation).expect("a derivation");
                wrong += 1;
            }
            Verdict::Unknown(StopReason::EvidenceRejected(why)) => panic!("program {number}: {why}"),
            Verdict::Unknown(_) => unknown += 1,
        }
    }
    let found = format!("{safe} safe, {wrong} unsafe, {unknown} unknown, {recurring} with calls");
    assert!(safe >= 10 && wrong >= 8 && unknown == 0 && recurring >= 40, "{found}");
}

#[test]
fn a_certificate_with_summaries_is_saved_and_checked_again() {
    let program = program(&format!("?- fib(N, F), F < 1, error.{FIBONACCI}"));
    let Verdict::Safe(certificate) = verify(&program, &Options::default()).verdict else {
        panic!("not safe");
    };
    let text = save_certificate(&program, &certificate).expect("well formed");
    let Ok(Evidence::Certificate(again)) = read_evidence(&program, &text).map(|read| read.evidence) else {
        panic!("not read: {text}");
    };
    assert_eq!(again.summaries.len(), 1);
    let report = check_certificate(&program, &again, CheckLimits::default()).expect("accepted");
    // One for the query, which has two atoms, and one for the summary of each rule; calls have no invariant to keep.
    assert_eq!(report.rules, 3);
    let obligations = obligations_smtlib(&program, &again).expect("well formed");
    assert!(obligations.contains("into the summary of fib"), "{obligations}");

    let without = crate::evidence::Certificate {
        summaries: Vec::new(),
        ..again.clone()
    };
    check_certificate(&program, &without, CheckLimits::default()).expect_err("any result is negative then");
    let mut wrong = again;
    let parameter = program.predicate(wrong.summaries[0].predicate).parameters[1];
    let two = wrong.terms.integer(2);
    wrong.summaries[0].disjuncts[0][0] = wrong.terms.less_or_equal(two, parameter);
    let error = check_certificate(&program, &wrong, CheckLimits::default()).expect_err("fib(1, 1) is derived");
    assert!(error.to_string().contains("the summary of `fib`"), "{error}");
}

#[test]
fn a_derivation_with_calls_is_saved_and_replayed() {
    let program = program(&format!("?- fib(6, F), F > 12, error.{FIBONACCI}"));
    let Verdict::Unsafe(derivation) = verify(&program, &Options::default()).verdict else {
        panic!("not unsafe");
    };
    assert_eq!(derivation.steps.len(), 26);
    let text = save_derivation(&program, &derivation).expect("well formed");
    let Ok(Evidence::Derivation(mut again)) = read_evidence(&program, &text).map(|read| read.evidence) else {
        panic!("not read");
    };
    replay(&program, &again).expect("the same");
    // Without the last call, something is still to be derived before the error.
    again.steps.pop();
    replay(&program, &again).expect_err("a call has not come back");
}

#[test]
fn limits_hold_for_everything_together() {
    // Needs that the results of `even` and `odd` are never the same, for which there is no linear summary.
    let program = program(
        "?- N >= 0, even(N, E), odd(N, O), E = O, error.
        even(0, 1). even(N, R) :- N > 0, odd(N - 1, P), same(P, R).
        odd(0, 0). odd(N, R) :- N > 0, even(N - 1, P), same(P, R).
        same(X, X) :- X >= 0.",
    );
    let mut options = Options::default();
    options.budget.states = Some(500);
    let outcome = verify(&program, &options);
    assert!(matches!(outcome.verdict, Verdict::Unknown(StopReason::States)));
    options.budget.states = None;
    options.budget.time = Some(Duration::ZERO);
    assert!(matches!(
        verify(&program, &options).verdict,
        Verdict::Unknown(StopReason::Time)
    ));
    options.budget.time = None;
    options.cancellation.cancel();
    assert!(matches!(
        verify(&program, &options).verdict,
        Verdict::Unknown(StopReason::Cancelled)
    ));
}

#[test]
fn what_a_call_gives_back_is_the_same_for_the_same_variable() {
    let program = program(
        "?- pair(Z, Z), error.
        pair(X, Y) :- X >= 3, Y =< 7, X > Y, pair(X - 1, Y), other(Y, X).
        pair(X, Y) :- X >= 3, Y =< 7, X =< Y.
        other(_, _).",
    );
    let Verdict::Unsafe(derivation) = verify(&program, &Options::default()).verdict else {
        panic!("not unsafe");
    };
    replay(&program, &derivation).expect("a derivation");
}

#[test]
fn the_engine_alone_refuses_calls() {
    let program = program(&format!("?- fib(6, F), F > 12, error.{FIBONACCI}"));
    let outcome = engine::verify(&program, &Options::default());
    assert!(matches!(outcome.verdict, Verdict::Unknown(StopReason::NotSupported(_))));
}

#[test]
fn clauses_of_horn_recur_too() {
    let source = "(set-logic HORN)
        (declare-fun p (Int) Bool)
        (assert (p 1))
        (assert (forall ((X Int) (Y Int)) (=> (and (p X) (p Y)) (p (+ X Y)))))
        (assert (forall ((X Int)) (=> (p X) (> X BOUND))))
        (check-sat)";
    let verdict = |bound: &str| {
        let reading = crate::horn::read_with_calls(&source.replace("BOUND", bound));
        verify(&reading.product.expect("well formed"), &Options::default()).verdict
    };
    assert!(matches!(verdict("0"), Verdict::Safe(_)));
    assert!(matches!(verdict("1"), Verdict::Unsafe(_)));
    let reading = crate::horn::read(&source.replace("BOUND", "0"));
    assert_eq!(
        reading.diagnostics[0].message,
        "nonlinear recursion: several predicates of the body depend on the conclusion"
    );
}
