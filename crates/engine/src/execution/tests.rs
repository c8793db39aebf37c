//! Runs of CLP programs.

use super::*;
use crate::evidence::replay;
use crate::terms::Rational;

fn program(source: &str) -> Program {
    crate::clp::read(source).product.expect("no mistake in it")
}

fn number(value: i64) -> Value {
    Value::Number(Rational::from_integer(value.into()))
}

fn run_with(source: &str, inputs: &[i64], limit: u64) -> (Program, Finished) {
    let program = program(source);
    let finished = run(
        &program,
        None,
        &mut |request| inputs.get(request.position?).map(|value| number(*value)),
        limit,
    );
    if finished.end == End::Error {
        assert_eq!(replay(&program, &finished.derivation), Ok(()));
    }
    (program, finished)
}

#[test]
fn a_loop_runs_into_the_error() {
    let source = "?- X = 0, loop(X). loop(X) :- X < 1000, loop(X + 1). loop(X) :- X >= 1000, error.";
    let (_, finished) = run_with(source, &[], 10_000);
    assert_eq!((finished.end, finished.derivation.steps.len()), (End::Error, 1002));
    let (_, finished) = run_with(source, &[], 1002);
    assert_eq!(finished.end, End::Error);
    let (_, finished) = run_with(source, &[], 500);
    assert_eq!(finished.end, End::StepLimit);
}

#[test]
fn a_goal_that_no_rule_applies_to_ends_the_run() {
    assert_eq!(run_with("?- p(1). p(X) :- X > 1, error.", &[], 10).1.end, End::Ended);
    assert_eq!(
        run_with("?- p(1). p(X) :- X > 0. p(_) :- error.", &[], 10).1.end,
        End::Ended
    );
}

#[test]
fn variables_are_defined_by_cases() {
    let source = "
        ?- p(X, Y).
        p(X, Y) :- (X < 0, Sign = -1 ; X = 0, Sign = 0 ; X > 0, Sign = 1),
            (Wrapped = Y + 10, Wrapped =< 20 ; Wrapped = Y - 10, Y + 10 > 20), q(Sign, Wrapped).
        q(-1, 15) :- error.
        q(1, 12) :- error.";
    for (inputs, end) in [
        ([-7, 5], End::Error),
        ([3, 22], End::Error),
        ([0, 5], End::Ended),
        ([3, 12], End::Ended),
    ] {
        assert_eq!(run_with(source, &inputs, 10).1.end, end, "{inputs:?}");
    }
    let none = "?- p(X). p(X) :- (X < 0, Y = 1 ; X > 0, Y = 2), q(Y). q(_) :- error.";
    assert_eq!(run_with(none, &[0], 10).1.end, End::Ended);
    assert_eq!(run_with(none, &[1], 10).1.end, End::Error);
}

#[test]
fn what_a_value_was_is_told_from_what_it_became_last() {
    // `Wrapped = 0` was 0 or -100 before; the last line says which, and comes first.
    let source = "
        ?- p(X).
        p(X) :- Wrapped = 0, (Y =< -1, Wrapped = Y + 100 ; Y >= 0, Wrapped = Y),
            (X >= 50, Y = X - 100 ; X < 50, Y = X), error.";
    assert_eq!(run_with(source, &[0], 10).1.end, End::Error);
    assert_eq!(run_with(source, &[10], 10).1.end, End::Ended);
    // Nothing says which, and the first does not fit: that is no reason to say that no rule applies.
    let either = "?- p(0). p(X) :- (Y =< -1, X = Y + 100 ; Y >= 0, X = Y), Y >= 0, error.";
    assert!(matches!(run_with(either, &[], 10).1.end, End::Stuck(_)));
}

#[test]
fn a_guess_that_does_not_fit_is_no_end() {
    let program = program("?- p. p :- Y >= 5, error.");
    let unnamed = vec![Vec::new(); program.rules().len()];
    let run_with = |value| run(&program, Some(&unnamed), &mut |_| Some(number(value)), 10).end;
    assert_eq!(run_with(7), End::Error);
    let End::Stuck(why) = run_with(0) else {
        panic!("another value may fit");
    };
    assert!(why.contains("nothing determines `Y`"), "{why}");
}

#[test]
fn heads_are_matched_and_equations_solved() {
    let source = "
        ?- p(6, 1).
        p(2*H, Y) :- Z - H = 3*Y + 1, Z - 2*W = 3, q(W, H).
        q(2, 3) :- error.";
    assert_eq!(run_with(source, &[], 10).1.end, End::Error);
    // No integer is half of five.
    assert_eq!(run_with("?- p(5). p(2*_) :- error.", &[], 10).1.end, End::Ended);
    assert_eq!(
        run_with("?- p(5). p(X) :- X = 2*Y, q(Y). q(_) :- error.", &[], 10)
            .1
            .end,
        End::Ended
    );
}

#[test]
fn inputs_are_consumed_by_the_rule_that_is_taken() {
    let source = "
        ?- p(0).
        p(S) :- X > 10, p(S + X).
        p(S) :- X =< 10, Y = 2*X, q(S, Y, Z), Z < 0.
        q(S, Y, Z) :- S = 11, Y = 6, Z = -5, error.";
    let (_, finished) = run_with(source, &[11, 3, -5], 10);
    assert_eq!(finished.end, End::Error);
    assert_eq!(run_with(source, &[11, 3, 5], 10).1.end, End::Ended);
    assert_eq!(run_with(source, &[11], 10).1.end, End::OutOfInputs);
}

#[test]
fn named_inputs_are_read_and_not_solved_for() {
    let program = program("?- p(0). p(S) :- X = 5, error. p(S) :- X \\= 5, p(S + 1).");
    let table: Vec<Vec<TermId>> = program
        .rules()
        .iter()
        .map(|rule| {
            let variables = program.terms.variables_of_all(&rule.constraint);
            variables
                .into_iter()
                .filter(|v| program.terms.variable_name(*v) == "X")
                .collect()
        })
        .collect();
    let inputs = [1, 2, 5];
    let mut source = |request: &Request| inputs.get(request.position?).map(|value| number(*value));
    let finished = run(&program, Some(&table), &mut source, 10);
    assert_eq!((finished.end, finished.derivation.steps.len()), (End::Error, 4));
    // Where X is no input, the equation gives it a value.
    let none: Vec<Vec<TermId>> = vec![Vec::new(); program.rules().len()];
    let finished = run(&program, Some(&none), &mut source, 10);
    assert!(
        matches!(finished.end, End::Error),
        "X = 5 is an equation here: {:?}",
        finished.end
    );
}

#[test]
fn what_divides_by_zero_is_stuck() {
    let (_, finished) = run_with("?- p(0).\np(X) :- 1 div X = 0, error.", &[], 10);
    assert_eq!(
        finished.end,
        End::Stuck("line 2: a constraint has no definite value".to_string())
    );
    // The branch that is not taken does not matter.
    let source = "?- p(0). p(X) :- ite(X = 0, 1, 1 div X) = 1, error.";
    assert_eq!(run_with(source, &[], 10).1.end, End::Error);
}

#[test]
fn arrays_reals_and_large_numbers_are_exact() {
    let source = "
        ?- A = constant(7), fill(0, A).
        fill(I, A) :- I < 100, fill(I + 1, store(A, I, I*I)).
        fill(I, A) :- I >= 100, A[99] = 9801, A[100] = 7, p(170141183460469231731687303715884105727, 0.5, A).
        p(N, R, A) :- N*N mod 1000 = 529, (-N) div 2 = -85070591730234615865843651857942052864,
                      R + R = 1.0, floor(R*5.0) = 2, B = store(A, 0, 1), B \\= A, store(B, 0, 0) = A, error.";
    let (_, finished) = run_with(source, &[], 1000);
    assert_eq!(finished.end, End::Error);
}

#[test]
fn booleans_are_determined_by_literals() {
    let source = ":- sort p(bool, bool).
        ?- B, \\+ C, p(B, C).
        p(B, C) :- B, \\+ C, error.";
    assert_eq!(run_with(source, &[], 10).1.end, End::Error);
}

#[test]
fn a_million_steps_take_no_time() {
    let source =
        "?- p(0, 0). p(X, S) :- X < 1000000, p(X + 1, (S + 3*X) mod 4294967296). p(X, _) :- X >= 1000000, error.";
    let program = program(source);
    let mut machine = Machine::new(&program, None);
    let mut steps = 0;
    while let Progress::Applied(_) = machine.step(&mut |_| None) {
        steps += 1;
    }
    assert_eq!((steps, machine.predicate()), (1_000_002, PredicateId::ERROR));
}
