//! Hints: what is right makes a proof, what is wrong changes no verdict, and what is no claim is said to be none.

use super::*;
use crate::evidence::{CheckLimits, check_certificate, save_certificate};
use crate::turns;

fn program(source: &str) -> Program {
    crate::clp::read_with_calls(source).product.expect("no mistake in it")
}

fn verified(source: &str, claims: &str, method: fn(&Program, &Options) -> Outcome) -> (Outcome, Vec<Standing>) {
    let mut program = program(source);
    let hints = read_claims(&mut program, claims).product.expect("no mistake in it");
    assert_eq!(hints.unused, Vec::<String>::new());
    let method = |program: &mut Program, options: &Options| method(program, options);
    let (outcome, standings) = verify(&mut program, &hints, &Options::default(), &method);
    match &outcome.verdict {
        Verdict::Safe(certificate) => {
            check_certificate(&program, certificate, CheckLimits::default()).expect("it is a proof");
        }
        Verdict::Unsafe(derivation) => crate::evidence::replay(&program, derivation).expect("it is a run"),
        Verdict::Unknown(reason) => panic!("{reason}"),
    }
    (outcome, standings.of_program)
}

/// Nobody finds this by itself soon: the sum of squares, whose formula is of the third degree.
const SQUARES: &str = "?- N >= 0, sum(0, 0, N).
    sum(I, S, N) :- I < N, sum(I + 1, S + I*I, N).
    sum(I, S, N) :- I >= N, 6*S =\\= (N - 1)*N*(2*N - 1), error.";

#[test]
fn a_right_hint_makes_a_proof() {
    let claims = "sum(I, S, N) :- 6*S = (I - 1)*I*(2*I - 1), I =< N.";
    for method in [engine::verify, turns::verify] {
        let (outcome, standings) = verified(SQUARES, claims, method);
        assert_eq!(standings, [Standing::Lemma, Standing::Lemma]);
        assert!(matches!(outcome.verdict, Verdict::Safe(_)));
    }
}

#[test]
fn a_wrong_hint_changes_no_verdict() {
    let source = "?- loop(0). loop(X) :- X < 9, loop(X + 1). loop(X) :- X = 7, error.";
    let (outcome, standings) = verified(source, "loop(X) :- X < 7. loop(X) :- X >= 0.", engine::verify);
    assert_eq!(standings, [Standing::NotInductive, Standing::Lemma]);
    assert!(matches!(outcome.verdict, Verdict::Unsafe(_)));
}

#[test]
fn hints_stand_together_or_not_at_all() {
    // Neither holds by itself; one that is wrong takes with it what rests on it.
    let source = "?- turn(1, 1). turn(X, Y) :- turn(Y, X). turn(X, Y) :- X < 0, error.";
    let (_, standings) = verified(source, "turn(X, _) :- X >= 0. turn(_, Y) :- Y >= 0.", engine::verify);
    assert_eq!(standings, [Standing::Lemma, Standing::Lemma]);
    let source = "?- turn(1, 1). turn(X, Y) :- turn(Y, X - 1). turn(X, Y) :- X < 0, X > 5, error.";
    let (_, standings) = verified(source, "turn(X, _) :- X >= 0. turn(_, Y) :- Y >= 0.", engine::verify);
    assert_eq!(standings, [Standing::NotInductive, Standing::NotInductive]);
}

#[test]
fn calls_may_be_wrong_although_the_result_is_right() {
    // What is said of `f` is about its calls: nothing is known of the result there.
    let source =
        "?- f(3, R), R < 0, error. f(N, R) :- N =< 0, R = 1. f(N, R) :- N > 0, f(N - 1, A), f(N - 2, B), R = A + B.";
    let (outcome, standings) = verified(source, "f(_, R) :- R >= 1. f(N, _) :- N =< 3.", turns::verify);
    assert_eq!(standings, [Standing::NotInductive, Standing::Lemma]);
    assert!(matches!(outcome.verdict, Verdict::Safe(_)));
}

#[test]
fn a_claim_may_be_about_some_arguments() {
    let source = "?- p(0, 0). p(0, Y) :- p(1, Y + 1). p(1, Y) :- p(0, Y - 1). p(1, Y) :- Y =\\= 1, error.";
    let (_, standings) = verified(source, "p(0, Y) :- Y = 0. p(1, Y) :- Y = 1.", engine::verify);
    assert_eq!(standings, [Standing::Lemma, Standing::Lemma]);
}

#[test]
fn an_earlier_proof_is_tried_on_what_it_speaks_of() {
    let before = program("?- main_5(0, 0). main_5(X, Y) :- main_5(X + 1, Y + 2). main_5(X, Y) :- Y =\\= 2*X, error.");
    let outcome = engine::verify(&before, &Options::default());
    let Verdict::Safe(certificate) = outcome.verdict else {
        panic!("it is safe");
    };
    let saved = save_certificate(&before, &certificate).expect("it can be saved");
    // Another line, a variable more.
    let mut after = program(
        "?- main_7(Z, 0, 0). main_7(Z, X, Y) :- main_7(Z, X + 1, Y + 2). main_7(Z, X, Y) :- Y =\\= 2*X, error.",
    );
    let hints = read_earlier(&mut after, "before.json", &saved).expect("it is a certificate");
    assert!(hints.unused.is_empty());
    let mut options = Options::default();
    options.budget.unrollings = Some(0);
    let method = |program: &mut Program, options: &Options| engine::verify(program, options);
    let (outcome, standings) = verify(&mut after, &hints, &options, &method);
    assert_eq!(standings.of_proofs, [ProofStanding::Holds { lost: 0 }]);
    assert!(
        standings
            .of_program
            .iter()
            .all(|standing| *standing == Standing::NotNeeded)
    );
    let Verdict::Safe(certificate) = outcome.verdict else {
        panic!("it is safe");
    };
    check_certificate(&after, &certificate, CheckLimits::default()).expect("it is a proof");
    // Its formulas are lemmas where the proof as a whole is not tried.
    let formulas = Hints {
        proofs: Vec::new(),
        ..hints
    };
    let (outcome, standings) = verify(&mut after, &formulas, &options, &method);
    assert_eq!(standings.of_program, [Standing::Lemma]);
    assert!(matches!(outcome.verdict, Verdict::Safe(_)));
    let mut other = program("?- q(0). q(X) :- X < 0, error.");
    let hints = read_earlier(&mut other, "before.json", &saved).expect("it is a certificate");
    assert!(hints.of_program.is_empty());
    assert_eq!(hints.unused.len(), 1);
}

#[test]
fn what_is_no_claim_is_said_to_be_none() {
    let mut program = program("?- p(0). p(X) :- X < 0, error.");
    for (text, message) in [
        ("p(X) :- X > 0, p(X).\n", "a hint has no goals"),
        ("?- p(X).\n", "a hint has no goals"),
        ("p(X :- X > 0.\n", "expected `,` or `)`, found `:-`"),
    ] {
        let reading = read_claims(&mut program, text);
        assert!(reading.product.is_none(), "{text}");
        assert_eq!(reading.diagnostics[0].message, message, "{text}");
    }
    let hints = read_claims(&mut program, "q(X) :- X > 0.\np(X) :- X > Y, Y > 0.\n")
        .product
        .expect("rules");
    assert!(hints.of_program.is_empty());
    assert_eq!(hints.unused.len(), 3);
}

#[test]
fn runs_that_a_hint_leaves_out_are_no_proof() {
    // With the hint there is one run, of five steps, but the program reads any number.
    let source =
        "?- X >= 0, count(X, 0). count(X, I) :- X >= 0, I < 3, count(X, I + 1). count(X, I) :- X < 0, I = 2, error.";
    let (outcome, standings) = verified(source, "count(X, I) :- X >= 0.", turns::verify);
    assert_eq!(standings, [Standing::Lemma]);
    assert!(matches!(outcome.verdict, Verdict::Safe(certificate) if certificate.all_runs.is_none()));
}

/// A certificate of `p` with these invariants, as it is saved, tried on another program.
fn reused_on(before: &str, invariants: &str, after: &str) -> (Outcome, Vec<ProofStanding>) {
    let mut before = program(before);
    let hints = read_claims(&mut before, invariants).product.expect("no mistake in it");
    let invariant = Invariant {
        predicate: hints.of_program[0].predicate,
        disjuncts: vec![hints.of_program.iter().map(|hint| hint.formula).collect()],
    };
    let certificate = Certificate::new(before.terms.clone(), vec![invariant]);
    let saved = save_certificate(&before, &certificate).expect("it can be saved");
    let mut after = program(after);
    let hints = read_earlier(&mut after, "before.json", &saved).expect("it is a certificate");
    let nothing = |_: &mut Program, _: &Options| Outcome::unknown(StopReason::Time);
    let (outcome, standings) = verify(&mut after, &hints, &Options::default(), &nothing);
    if let Verdict::Safe(certificate) = &outcome.verdict {
        check_certificate(&after, certificate, CheckLimits::default()).expect("it is a proof");
    }
    (outcome, standings.of_proofs)
}

#[test]
fn an_earlier_proof_gives_up_what_is_not_true_any_more() {
    let rules =
        |bound: &str| format!("?- p(0, 0). p(X, Y) :- X < {bound}, p(X + 1, Y + 1). p(X, Y) :- X < 0, Y >= 0, error.");
    let invariants = "p(X, Y) :- X >= 0, X = Y, X =< 10, Y =< 10.";
    let (outcome, standings) = reused_on(&rules("10"), invariants, &rules("10"));
    assert_eq!(standings, [ProofStanding::Holds { lost: 0 }]);
    assert!(matches!(outcome.verdict, Verdict::Safe(_)));
    // The bounds do not hold any more, and are not needed.
    let (outcome, standings) = reused_on(&rules("10"), invariants, &rules("12"));
    assert_eq!(standings, [ProofStanding::Holds { lost: 2 }]);
    assert!(matches!(outcome.verdict, Verdict::Safe(_)));
    // What is left does not exclude the error.
    let wrong = "?- p(0, 0). p(X, Y) :- X < 10, p(X - 1, Y + 1). p(X, Y) :- X < 0, Y >= 0, error.";
    let (outcome, standings) = reused_on(&rules("10"), invariants, wrong);
    assert_eq!(standings, [ProofStanding::Fails]);
    assert!(matches!(outcome.verdict, Verdict::Unknown(_)));
}

#[test]
fn parameters_may_have_other_names_and_be_more() {
    let before = "?- p(0, 0). p(X, Y) :- X < 10, p(X + 1, Y + 1). p(X, Y) :- X < 0, error.";
    let after = "?- p(0, 5, 0). p(A, Z, B) :- A < 10, p(A + 1, Z, B + 1). p(A, Z, B) :- A < 0, error.";
    let invariants = "p(X, Y) :- X >= 0.";
    // `A` is the first of three, where there were two: which is which cannot be told.
    let (_, standings) = reused_on(before, invariants, after);
    assert_eq!(standings, [ProofStanding::Fails]);
    let after = "?- p(0, 5, 0). p(X, Z, B) :- X < 10, p(X + 1, Z, B + 1). p(X, Z, B) :- X < 0, error.";
    let (_, standings) = reused_on(before, invariants, after);
    assert_eq!(standings, [ProofStanding::Holds { lost: 0 }]);
    let after = "?- p(0, 0). p(A, B) :- A < 10, p(A + 1, B + 1). p(A, B) :- A < 0, error.";
    let (_, standings) = reused_on(before, invariants, after);
    assert_eq!(standings, [ProofStanding::Holds { lost: 0 }]);
}
