//! A first look at programs that run by themselves, before anybody else looks: by their states where these are few, and where they
//! run for longer, by their runs alone.

use super::to_the_end::{Errors, Run, error_by_leaps, runs};
use super::{Limits, has_met_an_error, not_alone, verify_within};
use crate::engine::{Options, Outcome, Verdict};
use crate::execution::RunLimits;
use crate::rules::Program;
use crate::terms::Sort;

/// The limits of a first look: a program that has more choices than that is not one that runs by itself, and what takes more
/// states or work may be decided sooner otherwise.
const AHEAD: Limits = Limits {
    states: 20_000,
    choices: 100,
    work: 600_000,
};

/// A first look is over where so many steps have led to several goals: that is no program that runs by itself, and others may have its states or
/// the ends of its runs later.
const LIMITS_AHEAD: RunLimits = RunLimits {
    steps: AHEAD.states as u64,
    forks: 1_000,
};

/// So many steps are taken of what runs by itself and has more states: a second or two. Over arrays a step takes longer, and others may see
/// at once what holds of all elements.
const LONG_RUN: u64 = 2_000_000;
const LONG_RUN_OVER_ARRAYS: u64 = 600_000;

/// So many before a solver is asked whether turns of loops can be left out.
const RUN_BEFORE_LEAPS: u64 = 100_000;

/// A first look at programs that run by themselves, which ends soon for others. What has few states has these for a proof. Nothing is said of a
/// program that runs by itself for longer than anybody looks at its states: [`verify_long_run`] follows it.
pub fn first_look(program: &Program, options: &Options) -> Option<Outcome> {
    let by_run = match first_steps(program, options) {
        Run::Over(outcome) if matches!(outcome.verdict, Verdict::Unsafe(_)) => return Some(outcome),
        Run::Over(outcome) => Some(outcome),
        Run::GoesOn { forks: 0 } => return None,
        // Several ways may come to the same states.
        Run::GoesOn { .. } => match error_by_leaps(program, options) {
            Some(outcome) => return Some(outcome),
            None => None,
        },
        Run::Undecided(_) => None,
    };
    let by_states = verify_within(program, options, &AHEAD);
    Some(match (by_run, &by_states.verdict) {
        (Some(by_run), Verdict::Unknown(_)) => by_run,
        _ => by_states,
    })
}

/// [`first_look`], and the whole run of what runs for longer.
pub fn verify_ahead(program: &Program, options: &Options) -> Outcome {
    first_look(program, options).unwrap_or_else(|| verify_long_run(program, options))
}

/// What a [first look](looked_ahead) has come to.
pub enum Ahead {
    /// Nothing can fail: the runs are over, or the states are few.
    Proved(Box<Outcome>),
    /// A run comes to an error. It has not been written down where the outcome has no verdict.
    Fails(Box<Outcome>),
    /// Nothing is known.
    Open,
}

/// The first look that writes no long run down: whether the runs of a program are over, with an error or without, or its few states are.
pub fn looked_ahead(program: &Program, options: &Options) -> Ahead {
    let found = |outcome: Outcome| match outcome.verdict {
        Verdict::Safe(_) => Ahead::Proved(Box::new(outcome)),
        Verdict::Unsafe(_) => Ahead::Fails(Box::new(outcome)),
        Verdict::Unknown(_) if has_met_an_error(&outcome) => Ahead::Fails(Box::new(outcome)),
        Verdict::Unknown(_) => Ahead::Open,
    };
    match runs(program, options, LIMITS_AHEAD, Errors::NotWanted) {
        Run::Over(outcome) => found(outcome),
        Run::GoesOn { forks: 0 } => match runs(program, options, most_steps(program), Errors::NotWanted) {
            Run::Over(outcome) | Run::Undecided(outcome) => found(outcome),
            Run::GoesOn { .. } => Ahead::Open,
        },
        Run::Undecided(outcome) if has_met_an_error(&outcome) => Ahead::Fails(Box::new(outcome)),
        // Several ways may come to the same states.
        Run::GoesOn { .. } | Run::Undecided(_) => found(verify_within(program, options, &AHEAD)),
    }
}

/// Follows a program that [runs for long](runs_for_long) to its end, if that is not too far; to an error behind even turns of loops
/// also if it is.
pub fn verify_long_run(program: &Program, options: &Options) -> Outcome {
    // Whether turns can be left out a solver may think about for longer than a run takes that is over soon.
    if let Run::Over(outcome) = runs(program, options, RunLimits::of_steps(RUN_BEFORE_LEAPS), Errors::Derived) {
        return outcome;
    }
    if let Some(outcome) = error_by_leaps(program, options) {
        return outcome;
    }
    match runs(program, options, most_steps(program), Errors::Derived) {
        Run::Over(outcome) | Run::Undecided(outcome) => outcome,
        Run::GoesOn { .. } => Outcome::unknown(not_alone("programs that run for long")),
    }
}

/// Whether a program runs by itself, and for longer than anybody looks at its states.
pub fn runs_for_long(program: &Program, options: &Options) -> bool {
    matches!(first_steps(program, options), Run::GoesOn { forks: 0 })
}

fn first_steps(program: &Program, options: &Options) -> Run {
    runs(program, options, LIMITS_AHEAD, Errors::Derived)
}

/// How long a run is followed.
fn most_steps(program: &Program) -> RunLimits {
    RunLimits::of_steps(match program.hands_over(|sort| matches!(sort, Sort::Array(..))) {
        true => LONG_RUN_OVER_ARRAYS,
        false => LONG_RUN,
    })
}
