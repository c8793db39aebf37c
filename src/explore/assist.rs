//! Templates in the service of verifying: a template jumps over a loop that the engine would unroll turn by turn, so an error behind
//! a million turns is a few states away. What is found is a run that replays, or a closed tree whose certificate is accepted.

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

/// Looks for an error that templates jump to, among a few hundred states; if there is none and the tree is closed, it is the proof.
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
    let outcome = found(program, &exploring);
    match outcome.verdict {
        Verdict::Safe(_) if !options.without_invariants => Outcome::unknown(StopReason::NotSupported(
            "invariants by a tree with templates".to_string(),
        )),
        _ => outcome,
    }
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
            Finding::Unreachable(Ok(certificate)) => Verdict::Safe(*certificate),
            Finding::Unreachable(Err(why)) => {
                let what = format!("a proof by a tree with templates, in which {why}");
                Verdict::Unknown(StopReason::NotSupported(what))
            }
            Finding::Unknown(reason) => Verdict::Unknown(reason),
        },
        invariants: Vec::new(),
        tree: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_tree_is_a_proof_unless_invariants_are_wanted() {
        // The inner loop is a single step of the outer one.
        let source = "
            ?- M > 0, rows(0, 0, M).
            rows(I, S, M) :- I < M, row(I, 0, S, M).
            row(I, J, S, M) :- J < 3, row(I, J + 1, S + 1, M).
            row(I, J, S, M) :- J >= 3, rows(I + 1, S, M).
            rows(I, S, M) :- I >= M, S \\= 3*M, error.";
        let program = crate::clp::read(source).product.expect("no mistake in it");
        let mut options = Options::default();
        let Verdict::Safe(certificate) = verify(&program, &options).verdict else {
            panic!("the tree is closed");
        };
        assert!(!certificate.has_invariants());
        options.without_invariants = false;
        assert!(matches!(verify(&program, &options).verdict, Verdict::Unknown(_)));
    }
}
