//! Templates in the service of verifying: a template jumps over a loop that the engine would unroll turn by turn, so an error behind
//! a million turns is a few states away. Where loops have few turns, paths are followed one by one without any. What is found is a run
//! that replays, or a closed tree whose certificate is accepted.

use super::{ExploreOptions, Finding, explore};
use crate::engine::{Options, Outcome, Statistics, StopReason, Verdict};
use crate::rules::Program;

/// States after which an error is not near.
const STATES: u64 = 400;

/// Z3's units for one question, some tenths of a second: what needs more is for others.
const QUERY_RESOURCES: u32 = 400_000;

/// Looks for an error that templates jump to, among a few hundred states; if there is none and the tree is closed, it is the proof.
///
/// ```
/// # use clausal_engine as clausal;
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
    if program.has_calls() {
        return Outcome::unknown(StopReason::NotSupported("templates of rules with calls".to_string()));
    }
    verify_by(program, options, &ExploreOptions::default(), QUERY_RESOURCES)
}

/// Looks along every path by itself, as it is, where there are a few hundred states at most: the condition of a path that ends in the
/// error is one question, which joins no other path. If all end without an error, they are the proof.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::engine::{Options, Verdict};
///
/// let source = "
///     ?- X >= 0, X =< 9, double(X, 0, 0).
///     double(X, I, Y) :- I < 4, double(X, I + 1, 2*Y + X).
///     double(X, I, Y) :- I >= 4, Y \\= 15*X, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let outcome = clausal::explore::verify_path_by_path(&program, &Options::default());
/// assert!(matches!(outcome.verdict, Verdict::Safe(certificate) if certificate.symbolic.len() == 6));
/// ```
pub fn verify_path_by_path(program: &Program, options: &Options) -> Outcome {
    if program.has_calls() {
        return Outcome::unknown(StopReason::NotSupported("paths of rules with calls".to_string()));
    }
    let classic = ExploreOptions {
        templates: false,
        ..ExploreOptions::default()
    };
    verify_by(program, options, &classic, options.budget.query_resources)
}

/// Explores a few hundred states in this way, with so much for a question at most.
fn verify_by(program: &Program, options: &Options, way: &ExploreOptions, query_resources: u32) -> Outcome {
    let mut exploring = ExploreOptions {
        certify: options.without_invariants,
        keep_tree: false,
        pace: options.pace.clone(),
        cancellation: options.cancellation.clone(),
        ..way.clone()
    };
    exploring.budget.time = options.budget.time;
    exploring.budget.states = Some(options.budget.states.map_or(STATES, |states| STATES.min(states)));
    exploring.budget.memory = options.budget.memory;
    exploring.budget.query_resources = query_resources.min(options.budget.query_resources);
    let exploration = explore(program, &exploring);
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
                let what = format!("a proof by a tree with templates, of which there is no certificate: {why}");
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

    #[test]
    fn what_nobody_asks_for_is_not_made() {
        let source = "?- p(0). p(X) :- X < 9, p(X + 1). p(X) :- X > 9, error.";
        let program = crate::clp::read(source).product.expect("no mistake in it");
        let asked = explore(&program, &ExploreOptions::default());
        let frugal = ExploreOptions {
            keep_tree: false,
            certify: false,
            ..ExploreOptions::default()
        };
        let not_asked = explore(&program, &frugal);
        assert!(matches!(asked.finding, Finding::Unreachable(Ok(_))));
        assert!(matches!(not_asked.finding, Finding::Unreachable(Err(_))));
        assert!(!asked.tree.nodes.is_empty() && !asked.templates.is_empty());
        assert!(not_asked.tree.nodes.is_empty() && not_asked.templates.is_empty());
        assert_eq!(asked.statistics.states, not_asked.statistics.states);
    }
}
