//! The engine: explores the derivations of a program until it is proved safe or an error is found.
//!
//! It implements *minimax* (seed 004; seed 003 fills in what its text lost): symbolic execution with interpolation, loop
//! invariants found on the way, and unrolling only where a conflict demands it. How the parts fit:
//!
//! ```text
//! solve            one step: reduce a goal, cover it, close it, judge an error; its value says what came of it
//! search           acts on that: descends, hands requirements up, resumes at a header after a conflict
//!   services       kernel (program, terms, transitions, solver), limits, options
//!   where it is    frontier (states, stack, open headers), annotation (marks), memo and requirement (interpolants), state
//!   reduce         reduction
//!   cover          subsumption (give candidates up if it must: min), entailment
//!   close          closing, precondition, interpolation (the last resort: cases)
//!   an error       refinement (real or spurious?), path (exact, and with values), locking (what is learnt: max)
//!   a loop header  cuts, candidates (affine, conserved, both by linear_steps)
//! strategy         the lists of sources, rules for locking and hunters that a search asks (trial: running the program)
//! deepening        one search after another
//! rewritten        the engine, or another method, on a program that was made of the one that was given
//! conclusion       certificate, invariants; exploration draws the tree; outcome and tree are what goes out
//! workbench        single steps, to be measured
//! ```
//!
//! Calls go down this list, never up, and no two files call each other. What is learnt is a value (a `Step`, a `Lock`, a
//! `Requirement`), and who holds the state acts on it.
//!
//! Two readings of the papers were needed. First, a state's interpolant is a set of formulas over its predicate's parameters,
//! each with the purposes it serves (`requirement`), instead of marks on a shared vector: it is then a fact about the program
//! that holds whatever a header believes, and can be reused after a deletion. The marks stay where they decide something: at
//! the headers. Second, when a deletion takes away what an earlier branch needed, the seeds call for "propagating" it; here
//! the header is explored again with the memo table kept (a *revision*), so that nothing has to be patched in place.

mod affine;
mod annotation;
mod candidates;
mod cases;
mod closing;
mod conclusion;
mod conserved;
mod cuts;
mod deepening;
mod entailment;
mod exploration;
mod frontier;
mod ids;
mod interpolation;
mod kernel;
mod limits;
mod linear_steps;
mod locking;
mod memo;
mod options;
mod outcome;
mod path;
mod precondition;
mod reduction;
mod refinement;
mod requirement;
mod rewritten;
mod search;
mod solve;
mod state;
mod strategy;
mod subsumption;
mod tree;
mod trial;
mod workbench;

pub use crate::steps::{Budget, Cancellation, OfferedCandidates, StopReason};
pub use limits::{Limits, TrialLimits};
pub use options::{Interpolation, Options, Strategy};
pub use outcome::{LoopInvariant, Outcome, Statistics, Verdict};
pub(crate) use rewritten::verify_rewritten;
pub use tree::{Ending, ExplorationTree, Mark, MarkedConstraint, TreeNode};
pub use workbench::{Workbench, with_workbench};

use crate::deep_stack::{Failure, on_deep_stack};
use crate::evidence::{CheckError, CheckLimits, ReplayFault, check_certificate, replay};
use crate::rules::Program;
use crate::solver::with_interrupts;
use crate::steps::BudgetWatch;
use conclusion::{certificate, loop_invariants};
use exploration::tree_of;
use search::Search;
use solve::Ending as End;
use strategy::Tactics;

/// Verifies that no query of the program derives the error.
///
/// Runs on a thread of its own with its own Z3 context, so that several verifications may run at once and one does not
/// influence another. Rules with several atoms in a body are not for the engine: see [`crate::rules::linearize`] and
/// [`crate::recursion`]. The same program and options give the same outcome, but for times and what limits of time or memory
/// cut off. Nothing is printed; the verdict and all reasons are data.
pub fn verify(program: &Program, options: &Options) -> Outcome {
    if let Err(problem) = program.validate() {
        return Outcome::unknown(StopReason::Malformed(problem.to_string()));
    }
    if program.has_calls() {
        let reason = "rules with several atoms in a body".to_string();
        return Outcome::unknown(StopReason::NotSupported(reason));
    }
    let run = || {
        let budget = BudgetWatch::start(&options.budget, &options.cancellation).paced(&options.pace);
        with_interrupts(&budget, || explore(program, options, &budget))
    };
    match on_deep_stack(run) {
        Ok(outcome) => outcome,
        Err(failure) => failed(failure),
    }
}

/// The outcome of a verification whose thread gave none.
pub(crate) fn failed(failure: Failure) -> Outcome {
    Outcome::unknown(match failure {
        Failure::Stopped => StopReason::Internal("the engine stopped unexpectedly".to_string()),
        Failure::NotStarted(error) => StopReason::NoThread(error.to_string()),
    })
}

fn explore(program: &Program, options: &Options, budget: &BudgetWatch) -> Outcome {
    let (mut search, result) = match options.strategy {
        Strategy::Minimax | Strategy::RefineRestart => {
            let mut search = Search::new(program, (options, budget), |kernel| {
                Tactics::of(options.strategy, kernel, options.offered.clone())
            });
            let result = search.run();
            (search, result)
        }
        Strategy::IterativeDeepening => deepening::deepen(program, options, budget),
    };
    let (verdict, invariants) = match result {
        End::Closed(root) => {
            let certificate = certificate(&mut search.kernel, &search.memo, root);
            let invariants = loop_invariants(&mut search.kernel, &search.frontier, &search.memo, root);
            (Verdict::Safe(certificate), invariants)
        }
        End::Unsafe(derivation) => (Verdict::Unsafe(derivation), Vec::new()),
        End::Stopped(reason) => {
            // A solver that is stopped gives up, which is not the reason.
            let interruption = match reason {
                StopReason::SolverGaveUp(_) => budget.interruption(),
                _ => None,
            };
            (Verdict::Unknown(interruption.unwrap_or(reason)), Vec::new())
        }
        End::Inconclusive => {
            let reason = StopReason::NotSupported("a proof that no depth of unrolling finds".to_string());
            (Verdict::Unknown(reason), Vec::new())
        }
    };
    let tree = options
        .keep_tree
        .then(|| tree_of(&mut search.kernel, &search.frontier, &search.memo));
    let mut statistics = search.statistics;
    statistics.interpolants = search.memo.valid().count() as u64;
    statistics.solver = search.kernel.solver.statistics().clone();
    statistics.seconds = budget.seconds();
    let verdict = if options.check_evidence {
        checked(program, verdict, budget, options)
    } else {
        verdict
    };
    statistics.checking_seconds = budget.seconds() - statistics.seconds;
    let proved = matches!(verdict, Verdict::Safe(_));
    Outcome {
        verdict,
        statistics,
        invariants: if proved { invariants } else { Vec::new() },
        tree,
    }
}

/// The verdict about a program if its evidence is accepted, for verdicts that were put together of several.
pub(crate) fn checked_verdict(program: &Program, verdict: Verdict, options: &Options) -> Verdict {
    let budget = BudgetWatch::start(&options.budget, &options.cancellation);
    with_interrupts(&budget, || checked(program, verdict, &budget, options))
}

/// The verdict if something that shares nothing with the search accepts its evidence.
pub(crate) fn checked(program: &Program, verdict: Verdict, budget: &BudgetWatch, options: &Options) -> Verdict {
    let rejection = match &verdict {
        Verdict::Safe(certificate) => {
            let limits = CheckLimits {
                query_resources: options.budget.query_resources,
                watch: Some(budget),
            };
            match check_certificate(program, certificate, limits) {
                Ok(_) => None,
                // A query that was cut off, or that the solver cannot decide, proves nothing against the engine either.
                Err(error) => Some(match (budget.stopped(), &error) {
                    (Some(reason), _) => reason,
                    (None, CheckError::Undecided(_)) => {
                        StopReason::SolverGaveUp(format!("checking the certificate: {error}"))
                    }
                    (None, _) => StopReason::EvidenceRejected(error.to_string()),
                }),
            }
        }
        Verdict::Unsafe(derivation) => replay(program, derivation).err().map(|error| match error.fault {
            // The engine is not to blame: such values cannot be compared by evaluation.
            ReplayFault::FiniteArray | ReplayFault::Undefined(_) => {
                StopReason::NotSupported(format!("replaying the error: {error}"))
            }
            _ => StopReason::EvidenceRejected(error.to_string()),
        }),
        Verdict::Unknown(_) => None,
    };
    rejection.map_or(verdict, Verdict::Unknown)
}
