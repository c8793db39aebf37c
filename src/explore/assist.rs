//! Templates in the service of verifying: a template jumps over a loop that the engine would unroll turn by turn, so an error behind
//! a million turns is a few states away. What is found is a run that replays; whether there is none is for the engine to prove.

use super::{ExploreOptions, Finding, explore};
use crate::engine::{Options, Outcome, Statistics, StopReason, Verdict};
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
/// assert_eq!(derivation.expect("there is one").length(), 100_002);
/// assert!(statistics.states < 10);
/// ```
pub fn find_error(program: &Program, options: &Options, time: Duration) -> (Option<Derivation>, Statistics) {
    let mut exploring = for_errors(options);
    exploring.budget.time = Some(time);
    let outcome = found(program, &exploring);
    match outcome.verdict {
        Verdict::Unsafe(derivation) => (Some(derivation), outcome.statistics),
        Verdict::Safe(_) | Verdict::Unknown(_) => (None, outcome.statistics),
    }
}

/// Looks for an error that templates jump to, among a few hundred states. The outcome is UNSAFE or unknown: a tree that ends has no
/// certificate.
///
/// ```
/// use clausal::engine::{Options, Verdict};
///
/// // Which number of turns leads to the error is for the input to say.
/// let source = "
///     ?- N > 0, loop(0, N).
///     loop(X, N) :- X < N, loop(X + 1, N).
///     loop(X, N) :- X >= N, X = 123456789, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let outcome = clausal::explore::verify(&program, &Options::default());
/// assert!(matches!(outcome.verdict, Verdict::Unsafe(derivation) if derivation.length() == 123_456_791));
/// ```
pub fn verify(program: &Program, options: &Options) -> Outcome {
    if program.rules().iter().any(|rule| rule.body.len() > 1) {
        return Outcome::unknown(StopReason::NotSupported("templates of rules with calls".to_string()));
    }
    let mut exploring = for_errors(options);
    exploring.budget.time = options.budget.time;
    exploring.pace = options.pace.clone();
    found(program, &exploring)
}

fn for_errors(options: &Options) -> ExploreOptions {
    let mut exploring = ExploreOptions {
        cancellation: options.cancellation.clone(),
        ..ExploreOptions::default()
    };
    exploring.budget.states = Some(options.budget.states.map_or(STATES, |states| STATES.min(states)));
    exploring.budget.memory = options.budget.memory;
    exploring
}

fn found(program: &Program, exploring: &ExploreOptions) -> Outcome {
    let exploration = explore(program, exploring);
    Outcome {
        statistics: Statistics {
            states: exploration.statistics.states,
            infeasible: exploration.statistics.infeasible,
            solver: exploration.statistics.solver,
            seconds: exploration.statistics.seconds,
            ..Statistics::default()
        },
        verdict: match exploration.finding {
            Finding::Reachable(derivation) => Verdict::Unsafe(derivation),
            Finding::Unreachable => {
                Verdict::Unknown(StopReason::NotSupported("a proof by a tree with templates".to_string()))
            }
            Finding::Unknown(reason) => Verdict::Unknown(reason),
        },
        invariants: Vec::new(),
        tree: None,
    }
}
