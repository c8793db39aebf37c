//! Programs that run by themselves for long: nothing is kept of their states, and the proof is that their runs are over.

use super::not_alone;
use crate::engine::{Options, Outcome, Statistics, StopReason, Verdict};
use crate::evidence::Certificate;
use crate::execution::{Unfinished, all_runs};
use crate::rules::Program;
use crate::steps::budget::BudgetWatch;

/// So many steps are one unit of the pace.
const STEPS_FOR_A_UNIT: u64 = 4;

/// Verifies that no query of the program derives the error, by [following all its runs](crate::execution) to their end. The checker
/// of the [certificate](Certificate::of_all_runs) does the same once more. What has many runs, or meets an error, is not decided.
///
/// ```
/// use clausal::engine::{Options, Verdict};
///
/// let source = "?- loop(0, 1). loop(I, X) :- I < 50000, loop(I + 1, (5 * X + I) mod 16). loop(I, X) :- I >= 50000, X > 15, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let outcome = clausal::enumeration::verify_to_the_end(&program, &Options::default());
/// let Verdict::Safe(certificate) = outcome.verdict else { panic!("it runs") };
/// assert_eq!(certificate.all_runs, Some(50_002));
/// ```
pub fn verify_to_the_end(program: &Program, options: &Options) -> Outcome {
    match runs(program, options, u64::MAX) {
        Run::Over(outcome) | Run::Undecided(outcome) => outcome,
        Run::GoesOn => Outcome::unknown(StopReason::States),
    }
}

/// What comes of following all runs.
pub(super) enum Run {
    /// They are over, and the program is safe.
    Over(Outcome),
    /// The limit of steps is reached.
    GoesOn,
    /// They are not followed to their end.
    Undecided(Outcome),
}

/// Follows all runs for at most so many steps.
pub(super) fn runs(program: &Program, options: &Options, limit: u64) -> Run {
    if let Err(why) = program.validate() {
        return Run::Undecided(Outcome::unknown(StopReason::Malformed(why.to_string())));
    }
    let budget = BudgetWatch::start(&options.budget, &options.cancellation).paced(&options.pace);
    let mut reason = None;
    let mut steps = 0;
    let found = all_runs(program, limit, &mut |taken| {
        steps = taken;
        budget.advance(taken / STEPS_FOR_A_UNIT);
        reason = budget.exhausted(taken, 0);
        reason.is_some()
    });
    let outcome = |verdict: Verdict| Outcome {
        verdict,
        statistics: Statistics {
            states: found.unwrap_or(steps),
            seconds: budget.seconds(),
            ..Statistics::default()
        },
        invariants: Vec::new(),
        tree: None,
    };
    match found {
        Ok(steps) => Run::Over(outcome(Verdict::Safe(Certificate::of_all_runs(
            program.terms.clone(),
            steps,
        )))),
        Err(Unfinished::Steps) => Run::GoesOn,
        Err(Unfinished::Stopped) => Run::Undecided(outcome(Verdict::Unknown(reason.unwrap_or(StopReason::Cancelled)))),
        Err(why) => Run::Undecided(outcome(Verdict::Unknown(not_alone(&format!("runs of which {why}"))))),
    }
}
