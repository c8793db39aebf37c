//! Programs whose states are gone through: what is known, what is forgotten, what is split.

use super::to_the_end::{Errors, Run, runs};
use super::{Ahead, verify};
use crate::engine::{Options, Verdict};
use crate::execution::RunLimits;

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

fn by_all_runs(source: &str) -> Verdict {
    crate::test_support::checked_verdict(source, super::verify_to_the_end)
}

#[test]
fn runs_are_over_or_come_back() {
    let circle = "?- p(0, X). p(I, X) :- I < 1000, p(I + 1, X). p(I, X) :- I >= 1000, q(X, 0).
        q(X, J) :- q(X, (J + 3) mod 7). q(_, J) :- J > 6, error.";
    assert!(matches!(by_all_runs(circle), Verdict::Safe(certificate) if certificate.all_runs.is_some()));
    // A run that comes to ever new states is not at its end.
    let program = crate::clp::read("?- p(0). p(I) :- p(I + 1). p(I) :- I < 0, error.");
    let program = program.product.expect("no mistake in it");
    let mut options = Options::default();
    options.budget.states = Some(5_000);
    let verdict = super::verify_to_the_end(&program, &options).verdict;
    assert!(matches!(verdict, Verdict::Unknown(_)));
}

/// What is read decides at each step: that all runs are over is seen to their end, and soon left alone by a first look.
#[test]
fn a_first_look_is_over_where_ways_part_often() {
    let many =
        "?- p(0, 0). p(I, N) :- I < 3000, p(I + 1, N). p(I, N) :- I < 3000, p(I + 1, I). p(I, N) :- N > 3000, error.";
    let program = crate::clp::read(many).product.expect("no mistake in it");
    let options = Options::default();
    let limits = |forks| RunLimits { steps: 20_000, forks };
    let ways = |forks| runs(&program, &options, limits(forks), Errors::Derived);
    assert!(matches!(ways(1_000), Run::GoesOn { forks: 1_000 }));
    assert!(matches!(ways(10_000), Run::Undecided(_)));
    let look = |program| super::first_look(program, &options);
    assert!(look(&program).is_some_and(|outcome| !outcome.is_decided()));
    let alone = "?- p(0, 0). p(I, N) :- p(I + 1, N). p(I, N) :- N > 3000, error.";
    let alone = crate::clp::read(alone).product.expect("no mistake in it");
    assert!(look(&alone).is_none());
    // What was read at the beginning decides how often the loop turns; what is read in it decides nothing.
    let counts = "?- p(0, M). p(I, M) :- I < M, p(I + 1, M). p(I, M) :- I >= M, I < 0, error.";
    let counts = crate::clp::read(counts).product.expect("no mistake in it");
    assert!(look(&counts).is_some_and(|outcome| !outcome.is_decided()));
    let reads = "?- p(0, M). p(I, M) :- N >= 0, N =< 255, p(I + 1, N). p(I, N) :- I < 0, error.";
    let reads = crate::clp::read(reads).product.expect("no mistake in it");
    assert!(look(&reads).is_none());
}

#[test]
fn an_error_at_the_end_of_a_long_run_is_run_into() {
    let source = |most: i64| {
        format!(
            "?- p(0, 7, 0). p(I, X, N) :- I < 60000, N1 = ite(X mod 7 = 3, N + 1, N), p(I + 1, (75 * X + 74) mod 65537, N1).
             p(I, _, N) :- I >= 60000, N > {most}, error."
        )
    };
    assert!(matches!(by_all_runs(&source(9000)), Verdict::Safe(_)));
    assert!(matches!(by_all_runs(&source(8000)), Verdict::Unsafe(derivation) if derivation.length() == 60_002));
}

#[test]
fn what_is_read_may_be_anything() {
    let not_safe = [
        "?- p(X). p(X) :- X = 17, error.",
        // Both cases may hold, and the second one leads to the error.
        "?- p(X, 5). p(X, Y) :- (X > 3, Z = 1 ; Y > 3, Z = 2), q(Z). q(2) :- error.",
        "?- p(A, I). p(A, I) :- q(store(store(A, 0, 1), I, 2)). q(A) :- A[0] = 2, error.",
        "?- p(X). p(X) :- Y = ite(X > 0, 1, 2), q(Y). q(2) :- error.",
        "?- p(X). p(X) :- 1 div X = 5, error.",
        "?- p(A). p(A) :- A = store(store(A, 0, 1), 1, 1), q(A). q(A) :- A[2] = 5, error.",
    ];
    for source in not_safe {
        assert!(!matches!(by_all_runs(source), Verdict::Safe(_)), "{source}");
    }
    let safe = [
        "?- p(X, 2). p(X, Y) :- (X = 1, Y > 3, Z = 1 ; Y < 3, Z = 2), q(Z). q(1) :- error.",
        "?- p(A). p(A) :- q(store(A, 3, 7)). q(A) :- A[3] \\= 7, error.",
        "?- p(X). p(X) :- Y = ite(X > 0, 4, 4), q(Y). q(Y) :- Y \\= 4, error.",
        "?- p(X, Y), Y = 0. p(X, Y) :- X > 0, Y = 1, error.",
        "?- p(5). p(2*X) :- error.",
    ];
    for source in safe {
        assert!(matches!(by_all_runs(source), Verdict::Safe(_)), "{source}");
    }
}

#[test]
fn all_runs_of_small_programs_agree_with_all_states() {
    use crate::relations::finite_tests::{judged, random_program, reaches_error};
    let mut random = crate::random::Generator(7);
    let (mut safe, mut wrong) = (0, 0);
    for number in 0..1_500 {
        let program = random_program(&mut random, number % 2 == 0);
        if let Ok(reaches) = judged(
            &program,
            super::verify_to_the_end(&program, &Options::default()).verdict,
        ) {
            assert_eq!(reaches, reaches_error(&program), "{}", crate::horn::print(&program));
            *(if reaches { &mut wrong } else { &mut safe }) += 1;
        }
    }
    assert!(safe > 100 && wrong > 0, "{safe} {wrong}");
}

/// A program over numbers and an array, with an input here and there.
fn random_source(random: &mut crate::random::Generator) -> String {
    let number = |random: &mut crate::random::Generator| (random.below(7) as i64 - 2).to_string();
    let term = |random: &mut crate::random::Generator| match random.below(8) {
        0 | 1 => "X".to_string(),
        2 => "Y".to_string(),
        3 => format!("(X + {})", random.below(3)),
        4 => format!("({} * Y mod 5)", 1 + random.below(3)),
        5 => format!("A[X + {}]", random.below(3)),
        6 => format!("ite(X < Y, {}, X)", random.below(4)),
        _ => number(random),
    };
    let mut rules = vec![format!(
        "?- A = constant({}), p(0, {}, {}, A).",
        number(random),
        number(random),
        number(random)
    )];
    for rule in 0..5 {
        let (one, two, three) = (term(random), term(random), term(random));
        let condition = match random.below(5) {
            0 => format!("{one} < {two}"),
            1 => format!("{one} >= {two}"),
            2 => format!("({one} < {two}, Z = {three} ; {two} > {three}, Z = {one} ; Z = 2*Y, X > 1)"),
            3 => format!("Z + 2*Z = {one} + Y"),
            _ => format!("{one} \\= Z"),
        };
        let input = if random.below(6) == 0 { "W" } else { "Z" };
        let (next, last) = (term(random), term(random));
        rules.push(match rule {
            4 => format!("p(_, X, Y, A) :- {condition}, X + Y > {}, A[{}] < 3, error.", random.below(9), number(random)),
            _ => format!(
                "p(I, X, Y, A) :- I < 30, I mod 4 = {rule}, {condition}, p(I + 1, {next}, {input}, store(A, {last}, {one}))."
            ),
        });
    }
    rules.join("\n")
}

#[test]
fn no_run_comes_to_an_error_where_all_runs_are_said_to_be_safe() {
    use crate::execution::{End, run};
    use crate::terms::{Rational, Value};
    let mut random = crate::random::Generator(11);
    let (mut safe, mut errors) = (0, 0);
    for _ in 0..800 {
        let source = random_source(&mut random);
        let program = crate::clp::read(&source).product.expect("no mistake in it");
        let verdict = super::verify_to_the_end(&program, &Options::default()).verdict;
        let is_safe = matches!(verdict, Verdict::Safe(_));
        safe += usize::from(is_safe);
        for attempt in 0..20 {
            let mut values = crate::random::Generator(attempt);
            let mut inputs = |_: &crate::execution::Request| {
                Some(Value::Number(Rational::from_integer(
                    (values.below(9) as i64 - 3).into(),
                )))
            };
            let is_error = run(&program, None, &mut inputs, 100).end == End::Error;
            errors += usize::from(is_error);
            assert!(!(is_safe && is_error), "{source}");
        }
    }
    assert!(safe > 50 && errors > 50, "{safe} {errors}");
}

#[test]
fn the_first_look_for_proofs_knows_runs_and_states() {
    let ahead = |source: &str| {
        let program = crate::clp::read(source).product.expect("no mistake in it");
        super::looked_ahead(&program, &Options::default())
    };
    let is_proved = |found: &Ahead| matches!(found, Ahead::Proved(outcome) if outcome.is_decided());
    let one_run = |most: u32| format!("?- p(0). p(I) :- I < 50000, p(I + 1). p(I) :- I >= 50000, I > {most}, error.");
    assert!(is_proved(&ahead(&one_run(50_000))));
    assert!(matches!(ahead(&one_run(49_999)), Ahead::Fails(_)));
    // Two to the power of forty runs, and eighty states.
    let few_states = |most: u32| {
        format!(
            "?- p(0, 0). p(I, X) :- I < 40, p(I + 1, 0). p(I, X) :- I < 40, p(I + 1, 1).
             p(I, X) :- I >= 40, X > {most}, error."
        )
    };
    assert!(is_proved(&ahead(&few_states(1))));
    assert!(matches!(ahead(&few_states(0)), Ahead::Fails(_)));
}

#[test]
fn each_input_is_tried_that_has_few_values() {
    use crate::execution::{End, Request, run};
    use crate::terms::{Rational, Value};
    let mut random = crate::random::Generator(5);
    let (mut safe, mut wrong) = (0, 0);
    for _ in 0..400 {
        let term = |random: &mut crate::random::Generator| match random.below(5) {
            0 => "X".to_string(),
            1 => format!("Y - {}", random.below(4)),
            2 => format!("(X * Y + {}) mod 7", random.below(5)),
            3 => format!("X * X div {}", 1 + random.below(5)),
            _ => format!("ite(X mod 2 = {}, X, 2 * Y)", random.below(2)),
        };
        let (one, two, three, four) = (
            term(&mut random),
            term(&mut random),
            term(&mut random),
            term(&mut random),
        );
        let mut number = |below: u64| random.below(below) as i64 - 3;
        let source = format!(
            "?- X >= {}, X < {}, 2*X < {}, q(X).
             q(X) :- Y > {}, 3*Y =< {}, {one} \\= {}, Y \\= X, p(0, X, Y).
             p(I, X, Y) :- I < 4, p(I + 1, {two}, {three}).
             p(I, X, Y) :- I >= 4, X + {four} > {}, error.",
            number(5),
            number(12),
            number(20),
            number(5),
            number(24),
            number(9),
            number(40),
        );
        let program = crate::clp::read(&source).product.expect("no mistake in it");
        let mut reaches = false;
        for (first, second) in (-9..12_i64).flat_map(|first| (-9..12_i64).map(move |second| (first, second))) {
            let mut inputs = |request: &Request| {
                let value = if request.position? == 0 { first } else { second };
                Some(Value::Number(Rational::from_integer(value.into())))
            };
            reaches |= run(&program, None, &mut inputs, 100).end == End::Error;
        }
        let verdict = crate::test_support::checked_verdict(&source, super::verify_each_input);
        assert_eq!(matches!(verdict, Verdict::Safe(_)), !reaches, "{source}");
        *(if reaches { &mut wrong } else { &mut safe }) += 1;
    }
    assert!(safe > 50 && wrong > 50, "{safe} {wrong}");
}

#[test]
fn inputs_of_loops_are_not_tried_one_by_one() {
    let source = "?- p(0, 0). p(I, S) :- I < 9, X >= 0, X =< 1, p(I + 1, S + X). p(9, S) :- S > 9, error.";
    let verdict = crate::test_support::checked_verdict(source, super::verify_each_input);
    assert!(matches!(verdict, Verdict::Unknown(_)));
}

/// Turns that divide by another number each are even, and whether all can be taken nobody knows: the run is over before a solver says so.
#[test]
fn a_run_is_followed_before_a_solver_thinks_about_its_turns() {
    let source = "?- loop(2). loop(D) :- D * D =< 1234111117, 1234111117 mod D \\= 0, loop(D + 1).
        loop(D) :- D * D =< 1234111117, 1234111117 mod D = 0, error.";
    let program = crate::clp::read(source).product.expect("no mistake in it");
    assert!(super::runs_for_long(&program, &Options::default()));
    let mut options = Options::default();
    options.budget.time = Some(std::time::Duration::from_secs(20));
    let found = super::verify_long_run(&program, &options).verdict;
    assert!(matches!(found, Verdict::Safe(_)), "{found:?}");
}
