//! Trying inputs, [guided](super::guided) by where runs come, as a method: once for half a second, or in turns for as long as there is anything new. It
//! is for errors that nobody calculates backwards, texts mostly, but which are a few conditions on single inputs away from runs that are known. That
//! nothing is found says nothing.

use super::guided::{Effort, guided_error_run};
use crate::engine::{Options, Outcome, Statistics, StopReason, Verdict};
use crate::evidence::{Derivation, replay};
use crate::rules::Program;
use crate::steps::BudgetWatch;
use std::cell::Cell;

/// How many steps runs may have together where they are tried once: half a second or so.
const STEPS_AT_ONCE: u64 = 500_000;

/// After so many steps that show nothing new no more is expected: a second or so, which is lost where all other methods have come to nothing.
const IDLE: u64 = 1_000_000;

/// A unit of work is so many steps, or so many instructions if they are large.
const STEPS_FOR_A_UNIT: u64 = 2;
const INSTRUCTIONS_FOR_A_UNIT: u64 = 64;

/// How many steps pass between two looks at limits that a clock tells.
const STEPS_BETWEEN_LOOKS: u64 = 1_024;

/// An error that a program runs into with inputs that are changed where they lead to something new, soon or not at all.
pub fn error_by_trials(program: &Program, options: &Options) -> Option<Outcome> {
    let budget = BudgetWatch::start(&options.budget, &options.cancellation);
    let goes_on = |effort: &Effort| effort.steps < STEPS_AT_ONCE && budget.interruption().is_none();
    let derivation = guided_error_run(program, &goes_on)?;
    found_by_run(program, derivation, &budget)
}

/// The same in turns, for as long as there is anything new. Ends at once for rules with calls, and where nothing is read.
pub(crate) fn verify_by_trials(program: &Program, options: &Options) -> Outcome {
    let budget = BudgetWatch::start(&options.budget, &options.cancellation).paced(&options.pace);
    let taken = Cell::new(0);
    let looked = Cell::new(0);
    let goes_on = |effort: &Effort| {
        let steps = effort.steps;
        taken.set(steps);
        if options.budget.states.is_some_and(|most| steps > most) {
            return false;
        }
        if steps < looked.get() + STEPS_BETWEEN_LOOKS {
            return true;
        }
        looked.set(steps);
        budget.advance(steps / STEPS_FOR_A_UNIT + effort.instructions / INSTRUCTIONS_FOR_A_UNIT);
        effort.idle < IDLE && budget.exhausted(steps, 0).is_none()
    };
    let derivation = guided_error_run(program, &goes_on);
    let found = derivation.and_then(|derivation| found_by_run(program, derivation, &budget));
    found.unwrap_or_else(|| {
        let nothing =
            || StopReason::NotSupported("errors that no run with inputs that were tried comes to".to_string());
        Outcome::unknown(budget.exhausted(taken.get(), 0).unwrap_or_else(nothing))
    })
}

/// The verdict by a run into the error, if it is one.
pub(crate) fn found_by_run(program: &Program, derivation: Derivation, budget: &BudgetWatch<'_>) -> Option<Outcome> {
    replay(program, &derivation).is_ok().then(|| Outcome {
        verdict: Verdict::Unsafe(derivation),
        statistics: Statistics {
            seconds: budget.seconds(),
            ..Statistics::default()
        },
        invariants: Vec::new(),
        tree: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of three characters, each of which is looked at on its own.
    const TEXT: &str = "
        ?- p(0, 0).
        p(0, _) :- X >= 0, X =< 255, p(1, X).
        p(1, 114) :- X >= 0, X =< 255, p(2, X).
        p(2, 101) :- X >= 0, X =< 255, p(3, X).
        p(3, X) :- X > 97, X =< 99, error.";

    fn by_turns(source: &str, options: &Options) -> Verdict {
        let program = crate::clp::read(source).product.expect("no mistake in it");
        verify_by_trials(&program, options).verdict
    }

    #[test]
    fn an_error_behind_single_characters_is_found() {
        assert!(matches!(by_turns(TEXT, &Options::default()), Verdict::Unsafe(_)));
    }

    #[test]
    fn limits_hold_and_what_reads_nothing_is_over_at_once() {
        let endless = "?- p(0). p(X) :- Y >= 0, Y =< 9, p(X + Y). p(X) :- X < 0, error.";
        let mut options = Options::default();
        options.budget.states = Some(10_000);
        let why = by_turns(endless, &options);
        assert!(matches!(why, Verdict::Unknown(StopReason::States)), "{why:?}");
        let options = Options::default();
        options.cancellation.cancel();
        let why = by_turns(endless, &options);
        assert!(matches!(why, Verdict::Unknown(StopReason::Cancelled)), "{why:?}");
        let reads_nothing = "?- p(0). p(X) :- X < 9, p(X + 1). p(X) :- X > 9, error.";
        let why = by_turns(reads_nothing, &Options::default());
        assert!(matches!(why, Verdict::Unknown(StopReason::NotSupported(_))), "{why:?}");
    }
}
