//! Tests of runs that leave out turns: what they come to is what running comes to, and nothing is left out that did not happen.

use super::*;
use crate::evidence::replay;
use crate::execution::{End, Progress, run};
use crate::random::Generator;

fn read(source: &str) -> Program {
    crate::clp::read(source).product.expect("no mistake in it")
}

/// Runs a program by leaps, with everything that is read as given; how it ends after so many steps written down.
fn leaping(program: &Program, steps: usize, input: impl Fn(usize) -> i64) -> (End, Derivation) {
    let mut machine = Machine::new(program, None);
    let mut recorder = Recorder::new(program);
    for _ in 0..steps {
        let progress = machine.step(&mut |request| {
            let position = request.position.unwrap_or_default();
            Some(Value::Number(crate::terms::Rational::from_integer(
                input(position).into(),
            )))
        });
        match progress {
            Progress::Applied(rule) => drop(recorder.record(&mut machine, rule)),
            Progress::Ended(end) => return (end, recorder.into_derivation()),
        }
    }
    (End::StepLimit, recorder.into_derivation())
}

/// The derivation by leaps, which must replay.
fn error(source: &str, steps: usize) -> Derivation {
    let program = read(source);
    let (end, derivation) = leaping(&program, steps, |_| 0);
    assert_eq!(end, End::Error, "{source}");
    assert_eq!(replay(&program, &derivation), Ok(()), "{source}");
    derivation
}

#[test]
fn a_loop_of_any_length_is_a_few_steps() {
    let derivation = error(
        "?- p(0, 7). p(X, Y) :- X < 900000000000000, p(X + 3, Y - 1). p(X, Y) :- X >= 900000000000000, Y < 0, error.",
        1000,
    );
    assert_eq!(derivation.length(), 300_000_000_000_002);
    assert!(derivation.steps.len() < 20 && derivation.repetitions.len() == 1);
}

#[test]
fn turns_end_before_the_one_that_is_different() {
    // A single turn in the middle, a residue, and a condition with cases.
    for (condition, otherwise, last) in [
        ("X \\= 12345678", "X = 12345678", 1),
        ("X mod 4294967296 < 4294967290", "X mod 4294967296 >= 4294967290", 1),
        ("(X < 5000000 ; X > 6000000)", "X >= 5000000, X =< 6000000", 1),
    ] {
        let source = format!(
            "?- p(0, 0). p(X, Y) :- X < 100000000000, {condition}, p(X + 1, Y). p(X, Y) :- {otherwise}, p(X + 10, Y + {last}).
             p(X, Y) :- X >= 100000000000, Y > 0, error."
        );
        let derivation = error(&source, 20_000);
        assert!(derivation.repetitions.len() > 1, "{source}");
    }
}

#[test]
fn turns_of_several_steps_and_loops_inside_loops() {
    let derivation = error(
        "?- p(0, 0). p(I, S) :- I < 300, q(I, 0, S). p(I, S) :- I >= 300, S > 29000000, error.
         q(I, J, S) :- J < 100000, r(I, J + 1, S + 1). q(I, J, S) :- J >= 100000, p(I + 1, S).
         r(I, J, S) :- q(I, J, S).",
        100_000,
    );
    assert_eq!(derivation.repetitions.len(), 300);
    assert_eq!(derivation.length(), 300 * 200_002 + 2);
}

#[test]
fn what_reads_is_not_left_out() {
    let program = read("?- p(0). p(X) :- Y > 0, p(X + Y). p(X) :- X > 1000000, error.");
    let (end, derivation) = leaping(&program, 5_000, |_| 1);
    assert_eq!(end, End::StepLimit);
    assert!(derivation.repetitions.is_empty());
    // No end is no number of turns.
    let program = read("?- p(0). p(X) :- X >= 0, p(X + 1). p(X) :- X < 0, error.");
    let (end, derivation) = leaping(&program, 5_000, |_| 0);
    assert!(end == End::StepLimit && derivation.repetitions.is_empty());
}

#[test]
fn random_loops_come_to_what_running_comes_to() {
    let mut left_out = 0;
    for seed in 0..300 {
        let mut random = Generator(seed);
        let mut number = |low: i64, high: i64| low + random.below((high - low + 1) as u64) as i64;
        let source = format!(
            "?- p({}, {}). p(X, Y) :- X < {}, Y mod {} \\= {}, p(X + {}, Y + {}). p(X, Y) :- X < {}, Y mod 7 = {}, q(X + 1, Y).
             q(X, Y) :- X > {}, p(X + {}, Y + 1). q(X, Y) :- X =< {}, p(X + 1, Y - 1). p(X, Y) :- X >= {}, Y > {}, error.",
            number(-5, 5),
            number(-5, 5),
            number(100, 3000),
            number(2, 9),
            number(0, 3),
            number(1, 3),
            number(-2, 3),
            number(500, 3000),
            number(0, 6),
            number(0, 900),
            number(1, 2),
            number(0, 900),
            number(400, 3000),
            number(-3000, 3000),
        );
        let program = read(&source);
        let stepwise = run(&program, None, &mut |_| None, 20_000);
        let (end, derivation) = leaping(&program, 20_000, |_| 0);
        assert_eq!(end, stepwise.end, "{source}");
        if end == End::Error {
            assert_eq!(replay(&program, &derivation), Ok(()), "{source}");
            let whole = derivation.expanded(&program, 20_000).expect("it was run");
            let same = whole.steps.iter().zip(&stepwise.derivation.steps);
            assert!(
                same.into_iter()
                    .all(|(one, other)| one.rule == other.rule && one.values == other.values),
                "{source}"
            );
            assert_eq!(whole.steps.len(), stepwise.derivation.steps.len(), "{source}");
            left_out += derivation.repetitions.len();
        }
    }
    assert!(left_out > 20, "{left_out}");
}
