//! Programs that run by themselves for long: nothing is kept of their states, and the proof is that their runs are over. Where one
//! comes to an error, it is run once more, and every step is evidence.

use super::{ERRORS, not_alone};
use crate::engine::{Options, Outcome, Statistics, StopReason, Verdict};
use crate::evidence::{Certificate, Derivation, replay_until};
use crate::execution::{End, Machine, Progress, Reading, Request, RunLimits, Unfinished, all_runs, inputs_of_error};
use crate::leaps::Recorder;
use crate::rules::Program;
use crate::steps::budget::BudgetWatch;
use crate::terms::Value;
use hashbrown::HashMap;

/// So many steps are one unit of the pace.
const STEPS_FOR_A_UNIT: u64 = 4;
/// Steps of a derivation between two looks at the clock.
const STEPS_BETWEEN_LOOKS: u64 = 256;

/// A derivation has at most so many steps, and so many values and elements of arrays in all: some hundred megabytes.
const MOST_STEPS: u64 = 200_000;
const MOST_PARTS: usize = 4_000_000;
/// A run that has not leapt after so many steps, or values and elements of arrays in them, is not followed in the hope of leaps.
const STEPS_WITHOUT_LEAP: u64 = 2_000;
const PARTS_WITHOUT_LEAP: usize = 100_000;

/// Verifies that no query of the program derives the error, by [following all its runs](crate::execution) to their end. The checker
/// of the [certificate](Certificate::of_all_runs) does the same once more. What has many runs is not decided, nor what meets an error to which the run in which everything read is zero does
/// not come.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::engine::{Options, Verdict};
///
/// let source = "?- loop(0, 1). loop(I, X) :- I < 50000, loop(I + 1, (5 * X + I) mod 16). loop(I, X) :- I >= 50000, X > 15, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let outcome = clausal::enumeration::verify_to_the_end(&program, &Options::default());
/// let Verdict::Safe(certificate) = outcome.verdict else { panic!("it runs") };
/// assert_eq!(certificate.all_runs, Some(50_002));
/// ```
pub fn verify_to_the_end(program: &Program, options: &Options) -> Outcome {
    match runs(program, options, RunLimits::of_steps(u64::MAX), Errors::Derived) {
        Run::Over(outcome) | Run::Undecided(outcome) => outcome,
        Run::GoesOn { .. } => Outcome::unknown(StopReason::States),
    }
}

/// The same, with each value of what is read outside of loops and has few: all of sixteen bits, for example.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::engine::{Options, Verdict};
///
/// let source = "?- X >= 0, X =< 999, halves(X, X, 0). halves(X, Y, N) :- Y > 0, halves(X, Y div 2, N + 1). halves(X, 0, N) :- N > 10, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let outcome = clausal::enumeration::verify_each_input(&program, &Options::default());
/// assert!(matches!(outcome.verdict, Verdict::Safe(certificate) if certificate.all_runs > Some(9_000)));
/// ```
pub fn verify_each_input(program: &Program, options: &Options) -> Outcome {
    match followed(
        program,
        options,
        Reading::EachValue,
        RunLimits::of_steps(u64::MAX),
        Errors::Derived,
    ) {
        Run::Over(outcome) | Run::Undecided(outcome) => outcome,
        Run::GoesOn { .. } => Outcome::unknown(StopReason::States),
    }
}

/// Whether the run into an error is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Errors {
    /// It is run once more, and written down.
    Derived,
    /// That there is one is enough to know that there is no proof.
    NotWanted,
}

/// What comes of following all runs.
pub(super) enum Run {
    /// They are over, without an error, or the first one is in an error.
    Over(Outcome),
    /// The limit of steps is reached, or that of forks, if it is one of a first look.
    GoesOn {
        /// How many steps so far may lead to several goals, or depend on what was read before.
        forks: u64,
    },
    /// They are not followed to their end.
    Undecided(Outcome),
}

/// Follows all runs, so far at most.
pub(super) fn runs(program: &Program, options: &Options, limits: RunLimits, errors: Errors) -> Run {
    followed(program, options, Reading::Anything, limits, errors)
}

/// The same, with what is made of inputs.
fn followed(program: &Program, options: &Options, reading: Reading, limits: RunLimits, errors: Errors) -> Run {
    if let Err(why) = program.validate() {
        return Run::Undecided(Outcome::unknown(StopReason::Malformed(why.to_string())));
    }
    if !options.without_invariants {
        return Run::Undecided(Outcome::unknown(not_alone("programs of which invariants are wanted")));
    }
    let budget = BudgetWatch::start(&options.budget, &options.cancellation).paced(&options.pace);
    let mut reason = None;
    let mut steps = 0;
    let most = options.budget.states.unwrap_or(u64::MAX);
    let own = RunLimits {
        steps: limits.steps.min(most),
        ..limits
    };
    let found = all_runs(program, reading, own, &mut |taken| {
        steps = taken;
        budget.advance(taken / STEPS_FOR_A_UNIT);
        reason = budget.exhausted(taken, 0);
        reason.is_some()
    });
    let outcome = |verdict: Verdict| outcome(verdict, found.unwrap_or(steps), &budget);
    match found {
        Ok(steps) => Run::Over(outcome(Verdict::Safe(Certificate::of_all_runs(
            program.terms.clone(),
            steps,
        )))),
        Err(Unfinished::Steps { .. }) if most < limits.steps => {
            Run::Undecided(outcome(Verdict::Unknown(StopReason::States)))
        }
        Err(Unfinished::Steps { forks }) => Run::GoesOn { forks },
        Err(Unfinished::Forks) if limits.forks < RunLimits::MOST_FORKS => Run::GoesOn { forks: limits.forks },
        Err(Unfinished::Error(_)) if errors == Errors::NotWanted => {
            Run::Undecided(outcome(Verdict::Unknown(not_alone(ERRORS))))
        }
        Err(Unfinished::Error(steps)) => match error_read(program, reading, steps, &budget) {
            Some(derivation) => Run::Over(outcome(Verdict::Unsafe(derivation))),
            None => Run::Undecided(outcome(Verdict::Unknown(not_alone(ERRORS)))),
        },
        Err(Unfinished::Stopped) => Run::Undecided(outcome(Verdict::Unknown(reason.unwrap_or(StopReason::Cancelled)))),
        Err(why) => Run::Undecided(outcome(Verdict::Unknown(not_alone(&format!("runs of which {why}"))))),
    }
}

/// The error that the run in which everything that is read is zero comes to by [leaps](crate::leaps), if it does so soon.
pub(super) fn error_by_leaps(program: &Program, options: &Options) -> Option<Outcome> {
    let budget = BudgetWatch::start(&options.budget, &options.cancellation);
    let most = options
        .budget
        .states
        .map_or(MOST_STEPS, |states| MOST_STEPS.min(states));
    let derivation = error_run(program, most, STEPS_WITHOUT_LEAP, &budget)?;
    let states = derivation.steps.len() as u64;
    Some(outcome(Verdict::Unsafe(derivation), states, &budget))
}

fn outcome(verdict: Verdict, states: u64, budget: &BudgetWatch<'_>) -> Outcome {
    Outcome {
        verdict,
        statistics: Statistics {
            states,
            seconds: budget.seconds(),
            ..Statistics::default()
        },
        invariants: Vec::new(),
        tree: None,
    }
}

/// The run into an error that was met after so many steps: with the inputs with which it was met, if each of their values was tried, and
/// zeros for all others.
fn error_read(program: &Program, reading: Reading, steps: u64, budget: &BudgetWatch<'_>) -> Option<Derivation> {
    let values = match reading {
        Reading::Anything => HashMap::new(),
        Reading::EachValue => inputs_of_error(program, steps, &mut |_| budget.interruption().is_some())?,
    };
    let input = |request: &Request| values.get(&(request.rule, request.variable)).cloned();
    error_run_with(program, steps.min(MOST_STEPS), u64::MAX, budget, &input)
}

/// The run in which everything that is read is zero, if it comes to the error with so many steps at most that are written down. Without a
/// leap among the first few, it is not followed further.
fn error_run(program: &Program, steps: u64, without_leap: u64, budget: &BudgetWatch<'_>) -> Option<Derivation> {
    error_run_with(program, steps, without_leap, budget, &|_| None)
}

/// The same, with these inputs where there are any.
fn error_run_with(
    program: &Program,
    steps: u64,
    without_leap: u64,
    budget: &BudgetWatch<'_>,
    input: &dyn Fn(&Request) -> Option<Value>,
) -> Option<Derivation> {
    let mut machine = Machine::new(program, None);
    let mut recorder = Recorder::new(program);
    let mut parts = 0;
    let terms = &program.terms;
    for step in 0..=steps {
        if step.is_multiple_of(STEPS_BETWEEN_LOOKS) && budget.interruption().is_some() || parts > MOST_PARTS {
            return None;
        }
        let is_hopeless = step > without_leap || without_leap < u64::MAX && parts > PARTS_WITHOUT_LEAP;
        if is_hopeless && recorder.derivation().repetitions.is_empty() {
            return None;
        }
        let mut read = |request: &Request| {
            let zero = || terms.default_value(terms.sort(request.variable));
            Some(input(request).unwrap_or_else(zero))
        };
        match machine.step(&mut read) {
            Progress::Applied(rule) => {
                let values = recorder.record(&mut machine, rule);
                parts += values.iter().map(|(_, value)| size(value)).sum::<usize>();
            }
            Progress::Ended(End::Error) => {
                let derivation = recorder.into_derivation();
                let is_run = replay_until(program, &derivation, &|| budget.interruption().is_some());
                return (is_run == Ok(true)).then_some(derivation);
            }
            Progress::Ended(_) => return None,
        }
    }
    None
}

/// How many values there are in one.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(array) => 1 + array.elements.values().map(|element| 1 + size(element)).sum::<usize>(),
        _ => 1,
    }
}
