//! Symbolic states that are a proof, and such that look like one.

use super::super::{Certificate, CheckError, CheckLimits, Evidence, check_certificate, obligations_smtlib};
use super::super::{read_evidence, save_certificate};
use super::*;
use crate::explore::{ExploreOptions, Finding, explore};
use crate::rules::Program;

const SEARCH: &str = "
    ?- N > 0, search(0, N, A).
    search(I, N, A) :- I < N, A[I] >= 0, search(I + 1, N, A).
    search(I, N, A) :- I < N, A[I] < 0, found(I, N, A).
    found(I, N, A) :- I > 2, A[I - 2] < 0, error.
    found(I, N, A) :- I >= N, error.";

/// A program and the certificate of its closed tree.
fn explored(source: &str) -> (Program, Certificate) {
    let program = crate::clp::read(source).product.expect("no mistake in it");
    match explore(&program, &ExploreOptions::default()).finding {
        Finding::Unreachable(Ok(certificate)) => (program, *certificate),
        other => panic!("{other:?}"),
    }
}

fn checked(program: &Program, certificate: &Certificate) -> Result<usize, CheckError> {
    check_certificate(program, certificate, CheckLimits::default()).map(|report| report.obligations)
}

/// A change of the states that must not go unnoticed, and whether what is left has no sense or is not true.
fn refused(change: impl FnOnce(&mut Certificate)) -> &'static str {
    let (program, mut certificate) = explored(SEARCH);
    change(&mut certificate);
    match checked(&program, &certificate) {
        Err(CheckError::Malformed(_)) => "malformed",
        Err(CheckError::Unproved(_)) => "not proved",
        other => panic!("{other:?}"),
    }
}

/// Where the state within the loop is: the one that a rule leads back into.
fn in_loop(certificate: &Certificate) -> usize {
    let leads_to = |position: usize, successors: &Successors| match successors {
        Successors::Steps(steps) => steps.iter().any(|step| step.into.state == position),
        Successors::Within(_) => false,
    };
    let mut states = certificate.symbolic.iter().enumerate();
    let found = states.position(|(position, state)| leads_to(position, &state.successors));
    found.expect("there is a loop")
}

fn steps(certificate: &mut Certificate, state: usize) -> &mut Vec<SymbolicStep> {
    match &mut certificate.symbolic[state].successors {
        Successors::Steps(steps) => steps,
        Successors::Within(_) => panic!("it has steps of its own"),
    }
}

#[test]
fn a_closed_tree_is_a_proof_that_can_be_saved() {
    let (program, certificate) = explored(SEARCH);
    let count = checked(&program, &certificate).expect("it is one");
    let text = save_certificate(&program, &certificate).expect("it is one for the program");
    let read = read_evidence(&program, &text).expect("it has been written so");
    let Evidence::Certificate(read) = read.evidence else {
        panic!("it is a certificate")
    };
    assert_eq!(checked(&program, &read), Ok(count));
    assert_eq!(save_certificate(&program, &read).expect("it is one"), text);
    let script = obligations_smtlib(&program, &certificate).expect("it is one");
    assert_eq!(script.matches("(check-sat)").count(), count);
}

#[test]
fn a_step_that_is_missing_is_missed() {
    assert_eq!(refused(|certificate| steps(certificate, 0).clear()), "not proved");
    assert_eq!(
        refused(|certificate| {
            let position = in_loop(certificate);
            steps(certificate, position).remove(0);
        }),
        "not proved"
    );
}

#[test]
fn what_is_not_true_of_all_iterations_is_not_proved() {
    // The element before the last one is positive, too; that all are is more than the loop knows.
    assert_eq!(
        refused(|certificate| {
            let position = in_loop(certificate);
            certificate.symbolic[position].quantified[0].bound = None;
        }),
        "not proved"
    );
    assert_eq!(
        refused(|certificate| {
            let position = in_loop(certificate);
            certificate.symbolic[position].quantified.clear();
        }),
        "not proved"
    );
}

#[test]
fn states_that_lie_in_each_other_prove_nothing() {
    let lies_in = |state: usize, symbols: &[TermId]| {
        let values = symbols.to_vec();
        Successors::Within(Inclusion { state, values })
    };
    assert_eq!(
        refused(|certificate| {
            let position = in_loop(certificate);
            let own = lies_in(position, &certificate.symbolic[position].symbols);
            certificate.symbolic[position].successors = own;
        }),
        "malformed"
    );
    assert_eq!(
        refused(|certificate| {
            let position = in_loop(certificate);
            let mut twin = certificate.symbolic[position].clone();
            twin.successors = lies_in(position, &twin.symbols);
            let end = certificate.symbolic.len();
            certificate.symbolic[position].successors = lies_in(end, &twin.symbols);
            certificate.symbolic.push(twin);
        }),
        "malformed"
    );
}

#[test]
fn the_query_is_not_restricted() {
    let with_condition = refused(|certificate| certificate.symbolic[0].condition.push(TermId::FALSE));
    assert_eq!(with_condition, "malformed");
    assert_eq!(
        refused(|certificate| {
            certificate.symbolic.remove(0);
        }),
        "malformed"
    );
}

#[test]
fn symbols_are_not_the_programs_variables() {
    assert_eq!(
        refused(|certificate| {
            let position = in_loop(certificate);
            // A variable of a rule: what is said of it would hold in the rule, too.
            let rule_variable = certificate
                .terms
                .variables_of_all(&certificate.symbolic[position].memory)[0];
            let program = crate::clp::read(SEARCH).product.expect("no mistake in it");
            let own = program.rules()[1].terms().find(|term| program.terms.is_variable(*term));
            let own = own.expect("the rule has variables");
            let symbols = &mut certificate.symbolic[position].symbols;
            let at = symbols
                .iter()
                .position(|symbol| *symbol == rule_variable)
                .expect("it is there");
            symbols[at] = own;
        }),
        "malformed"
    );
    assert_eq!(
        refused(|certificate| {
            let position = in_loop(certificate);
            certificate.symbolic[position].symbols.pop();
        }),
        "malformed"
    );
}

#[test]
fn the_end_of_a_loop_is_not_taken_for_its_middle() {
    // One more iteration leads to κ + 1; κ itself and κ + 2 are other states.
    for change in [0_u64, 2] {
        assert_eq!(
            refused(|certificate| {
                let position = in_loop(certificate);
                let counter = {
                    let terms = &certificate.terms;
                    let symbols = &certificate.symbolic[position].symbols;
                    let of_name = |symbol: &&TermId| terms.variable_name(**symbol).starts_with('κ');
                    symbols
                        .iter()
                        .position(|symbol| of_name(&symbol))
                        .expect("there is a counter")
                };
                let symbol = certificate.symbolic[position].symbols[counter];
                let number = certificate.terms.integer(change);
                let value = certificate.terms.add(symbol, number);
                for step in steps(certificate, position) {
                    if step.into.state == position {
                        step.into.values[counter] = value;
                    }
                }
            }),
            "not proved"
        );
    }
}

#[test]
fn calls_have_no_symbolic_states() {
    let source = "?- p(3). p(X) :- X > 0, p(X - 1), p(X - 2). p(X) :- X =< 0. p(X) :- X > 5, error.";
    let program = crate::clp::read_with_calls(source).product.expect("no mistake in it");
    let first = SymbolicState {
        predicate: PredicateId::QUERY,
        symbols: vec![],
        memory: vec![],
        condition: vec![],
        quantified: vec![],
        successors: Successors::Steps(vec![]),
    };
    let certificate = Certificate::of_symbolic_states(program.terms.clone(), vec![first]);
    assert!(matches!(checked(&program, &certificate), Err(CheckError::Malformed(_))));
}
