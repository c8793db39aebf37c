//! Programs that are verified by way of another one that was made of them, with smaller rules or other parameters.

use super::{Options, Outcome, Verdict, checked_verdict};
use crate::rules::Program;
use std::time::Instant;

/// Verifies a program by a method that gets another one, which was made of it. What it found out, `told` of the program that was given,
/// counts if its evidence is accepted there; otherwise the method gets the program that was given.
pub(crate) fn verify_rewritten(
    (program, other): (&Program, &Program),
    options: &Options,
    told: &dyn Fn(Outcome) -> Option<Outcome>,
    method: &dyn Fn(&Program, &Options) -> Outcome,
) -> Outcome {
    let started = Instant::now();
    let rest = || Options {
        budget: options.budget.after(started.elapsed()),
        ..options.clone()
    };
    let own = Options {
        offered: options.offered.about(other),
        ..options.clone()
    };
    let outcome = method(other, &own);
    if !outcome.is_decided() {
        return outcome;
    }
    let accepted = told(outcome).map(|outcome| match options.check_evidence {
        true => Outcome {
            verdict: checked_verdict(program, outcome.verdict, &rest()),
            ..outcome
        },
        false => outcome,
    });
    match accepted {
        Some(outcome) if !matches!(outcome.verdict, Verdict::Unknown(_)) => outcome,
        // There is evidence of a kind that is about the rules as they are.
        _ => method(program, &rest()),
    }
}
