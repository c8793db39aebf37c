//! Templates in the service of verifying: a template jumps over a loop that the engine would unroll turn by turn, so an error behind
//! a million turns is a few states away. What is found is a run that replays; whether there is none is for the engine to prove.

use super::{ExploreOptions, Finding, explore};
use crate::engine::{Options, Outcome, Statistics, Verdict, verify};
use crate::rules::Program;
use std::time::{Duration, Instant};

/// The time for exploring, and its share of a limit, as a divisor.
const EXPLORING: Duration = Duration::from_secs(10);
const SHARE: u32 = 4;
/// States after which an error is not near.
const STATES: u64 = 400;

/// Verifies a program, after looking for an error with templates for a while.
///
/// ```
/// use clausal::engine::{Options, Verdict};
/// use clausal::explore::verify_with_templates;
///
/// let source = "
///     ?- X = 0, loop(X).
///     loop(X) :- X < 100000, loop(X + 1).
///     loop(X) :- X >= 100000, error.";
/// let mut program = clausal::clp::read(source).product.expect("no mistake in it");
/// let outcome = verify_with_templates(&mut program, &Options::default());
/// assert!(matches!(outcome.verdict, Verdict::Unsafe(_)));
/// assert!(outcome.statistics.states < 10);
/// ```
pub fn verify_with_templates(program: &mut Program, options: &Options) -> Outcome {
    let started = Instant::now();
    let limit = options.budget.time;
    let mut exploring = ExploreOptions {
        cancellation: options.cancellation.clone(),
        ..ExploreOptions::default()
    };
    exploring.budget.time = Some(limit.map_or(EXPLORING, |limit| EXPLORING.min(limit / SHARE)));
    exploring.budget.states = Some(options.budget.states.map_or(STATES, |states| STATES.min(states)));
    exploring.budget.memory = options.budget.memory;
    let exploration = explore(program, &exploring);
    let statistics = exploration.statistics;
    if let Finding::Reachable(derivation) = exploration.finding {
        return Outcome {
            verdict: Verdict::Unsafe(derivation),
            statistics: Statistics {
                states: statistics.states,
                infeasible: statistics.infeasible,
                solver: statistics.solver,
                seconds: statistics.seconds,
                ..Statistics::default()
            },
            invariants: Vec::new(),
            tree: None,
        };
    }
    let mut rest = options.clone();
    rest.budget.time = limit.map(|limit| limit.saturating_sub(started.elapsed()));
    let mut outcome = verify(program, &rest);
    outcome.statistics.seconds += statistics.seconds;
    outcome
}
