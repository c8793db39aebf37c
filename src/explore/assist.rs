//! Templates in the service of verifying: a template jumps over a loop that the engine would unroll turn by turn, so an error behind
//! a million turns is a few states away. What is found is a run that replays; whether there is none is for the engine to prove.

use super::{ExploreOptions, Finding, explore};
use crate::engine::{Options, Statistics};
use crate::evidence::Derivation;
use crate::rules::Program;
use std::time::Duration;

/// States after which an error is not near.
const STATES: u64 = 400;

/// Looks for an error with templates for a while, within the limits of the options: the run into it, if one is found, and what
/// that has cost.
///
/// ```
/// use clausal::engine::Options;
/// use clausal::explore::find_error;
///
/// let source = "
///     ?- X = 0, loop(X).
///     loop(X) :- X < 100000, loop(X + 1).
///     loop(X) :- X >= 100000, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let (derivation, statistics) = find_error(&program, &Options::default(), std::time::Duration::from_secs(60));
/// assert_eq!(derivation.expect("there is one").steps.len(), 100_002);
/// assert!(statistics.states < 10);
/// ```
pub fn find_error(program: &Program, options: &Options, time: Duration) -> (Option<Derivation>, Statistics) {
    let mut exploring = ExploreOptions {
        cancellation: options.cancellation.clone(),
        ..ExploreOptions::default()
    };
    exploring.budget.time = Some(time);
    exploring.budget.states = Some(options.budget.states.map_or(STATES, |states| STATES.min(states)));
    exploring.budget.memory = options.budget.memory;
    let exploration = explore(program, &exploring);
    let statistics = Statistics {
        states: exploration.statistics.states,
        infeasible: exploration.statistics.infeasible,
        solver: exploration.statistics.solver,
        seconds: exploration.statistics.seconds,
        ..Statistics::default()
    };
    match exploration.finding {
        Finding::Reachable(derivation) => (Some(derivation), statistics),
        Finding::Unreachable | Finding::Unknown(_) => (None, statistics),
    }
}
