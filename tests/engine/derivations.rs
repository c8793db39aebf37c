//! Derivations in other forms: with all turns written down, and of programs whose calls are on a stack.

use clausal::engine::{Options, Verdict};
use clausal::evidence::replay;
use clausal::explore::{ExploreOptions, Finding, explore};
use clausal::rules::{Program, Stacked};

fn program(source: &str) -> Program {
    clausal::clp::read_with_calls(source).product.expect("no mistake in it")
}

#[test]
fn turns_are_written_down_if_they_are_few_enough() {
    let program = program("?- p(0). p(X) :- X < 90000, p(X + 2). p(X) :- X >= 90000, error.");
    let outcome = clausal::enumeration::verify_ahead(&program, &Options::default());
    let Verdict::Unsafe(derivation) = outcome.verdict else {
        panic!("it comes to the error");
    };
    assert!(derivation.steps.len() < 10 && derivation.length() == 45_002);
    let expanded = derivation.expanded(&program, 50_000).expect("they are few enough");
    assert_eq!(expanded.steps.len(), 45_002);
    assert!(derivation.expanded(&program, 40_000).is_none());
}

#[test]
fn a_run_on_a_stack_is_one_with_calls() {
    let program = program(
        "?- sum(4, S), S > 9, error.
         sum(N, S) :- N =< 0, S = 0.
         sum(N, S) :- N > 0, sum(N - 1, T), more(N, T, S).
         more(N, T, S) :- S = T + N.",
    );
    let stacked = Stacked::new(&program);
    let exploration = explore(stacked.program(), &ExploreOptions::default());
    let Finding::Reachable(run) = exploration.finding else {
        panic!("10 is more than 9");
    };
    let derivation = stacked.derivation(&run).expect("it is short");
    assert!(derivation.length() < run.length());
    assert!(replay(&program, &derivation).is_ok());
}

#[test]
fn a_run_with_calls_is_one_on_a_stack() {
    let program = program(
        "?- double(3, S), S > 5, error.
         double(N, S) :- N =< 0, S = 0.
         double(N, S) :- N > 0, double(N - 1, T), more(T, S).
         more(T, S) :- S = T + 2.",
    );
    let outcome = clausal::recursion::verify(&program, &Options::default());
    let Verdict::Unsafe(derivation) = outcome.verdict else {
        panic!("6 is more than 5");
    };
    let stacked = Stacked::new(&program);
    let run = stacked.run(&program, &derivation).expect("it is one");
    assert!(replay(stacked.program(), &run).is_ok());
}
