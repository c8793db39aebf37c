//! Rules with calls, explored with their calls on a stack. Seed 002 knows single paths only; where what is still to be derived lies in
//! arrays, calls that recur are paths that lead around, and their templates say what the stack holds after κ calls.

use super::{Exploration, ExploreOptions, Finding, explore};
use crate::evidence::replay_until;
use crate::rules::{Derivation, Program, Stacked};
use crate::steps::{BudgetWatch, StopReason};

/// Explores a well-formed program with calls.
pub(super) fn explore_on_stack(program: &Program, options: &ExploreOptions) -> Exploration {
    let budget = BudgetWatch::start(&options.budget, &options.cancellation);
    let stacked = Stacked::new(program);
    let mut exploration = explore(stacked.program(), options);
    exploration.coverage = exploration
        .coverage
        .iter()
        .filter_map(|run| stacked.derivation(run))
        .collect();
    if let Finding::Reachable(run) = &exploration.finding {
        exploration.finding = match stacked.derivation(run) {
            Some(derivation) => of_run(program, derivation, &budget),
            None => Finding::Unknown(StopReason::NotSupported(
                "runs of so many steps through calls".to_string(),
            )),
        };
    }
    exploration
}

/// The finding that a derivation is, which replay has to accept.
fn of_run(program: &Program, derivation: Derivation, budget: &BudgetWatch<'_>) -> Finding {
    match replay_until(program, &derivation, &|| budget.interruption().is_some()) {
        Ok(true) => Finding::Reachable(derivation),
        Ok(false) => Finding::Unknown(budget.interruption().unwrap_or(StopReason::Cancelled)),
        Err(why) => Finding::Unknown(StopReason::Internal(format!(
            "the run with calls on a stack is no derivation: {why}"
        ))),
    }
}
