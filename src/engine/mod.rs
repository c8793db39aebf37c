//! The engine: explores the derivations of a program until it is proved safe or an error is found.
//!
//! It implements *minimax* (seed 004; seed 003 fills in what its text lost): symbolic execution with interpolation, loop
//! invariants found on the way, and unrolling only where a conflict demands it. How the parts fit:
//!
//! ```text
//! transition   rules, solved for their own variables          options, budget, outcome, tree   what goes in and out
//! state        goals, stores, headers with their marks        requirement, memo                what closed states need
//! search       the loop: reduce, cover, descend, close
//!   ├ reduction        the store behind a transition, and a point in it
//!   ├ subsumption      cover a goal, giving candidates up if it must (min)
//!   ├ interpolation    why a dead end is dead, as weak a formula as possible (the last resort: cases)
//!   ├ refinement       real or spurious? lock what a spurious error needs (max), resume at that header
//!   └ closing          interpolants into the memo table, the invariant of a finished loop
//! conclusion   certificate, invariants, tree                  cuts, candidates, elimination    where invariants come from
//! control      what unrollings lock from the start             affine, conserved (by linear_steps) linear invariants
//! strategy     what the search does at loops, as data         deepening    one search after another
//! trial        running the program when a search is long        workbench   single steps, to be measured
//! ```
//!
//! Two readings of the papers were needed. First, a state's interpolant is a set of formulas over its predicate's parameters,
//! each with the purposes it serves (`requirement`), instead of marks on a shared vector: it is then a fact about the program
//! that holds whatever a header believes, and can be reused after a deletion. The marks stay where they decide something: at
//! the headers. Second, when a deletion takes away what an earlier branch needed, the seeds call for "propagating" it; here
//! the header is explored again with the memo table kept (a *revision*), so that nothing has to be patched in place.

mod affine;
mod candidates;
mod cases;
mod closing;
mod conclusion;
mod conserved;
mod control;
mod cuts;
mod deepening;
mod interpolation;
mod linear_steps;
mod memo;
mod options;
mod outcome;
mod reduction;
mod refinement;
mod requirement;
mod search;
mod state;
mod strategy;
mod subsumption;
mod tree;
mod trial;
mod workbench;

pub use crate::steps::{Budget, Cancellation, OfferedCandidates, StopReason};
pub use options::{Interpolation, Options};
pub use outcome::{LoopInvariant, Outcome, Statistics, Verdict};
pub use strategy::Strategy;
pub use tree::{Ending, ExplorationTree, Mark, MarkedConstraint, TreeNode};
pub use workbench::{Workbench, with_workbench};

use crate::deep_stack::{Failure, on_deep_stack};
use crate::evidence::{CheckError, CheckLimits, check_certificate, replay};
use crate::rules::Program;
use crate::solver::with_interrupts;
use crate::steps::BudgetWatch;
use search::{Search, SearchResult};

/// Verifies that no query of the program derives the error.
///
/// Runs on a thread of its own with its own Z3 context, so that several verifications may run at once and one does not
/// influence another. Rules with several atoms in a body are not for the engine: see [`crate::rules::linearize`] and
/// [`crate::recursion`]. The same program and options give the same outcome, but for times and what limits of time or memory
/// cut off. Nothing is printed; the verdict and all reasons are data.
pub fn verify(program: &Program, options: &Options) -> Outcome {
    verify_with_candidates(program, options, &OfferedCandidates::default())
}

/// [`verify`], with candidates for loop invariants from another source, such as `infer`. They are tested like the engine's
/// own, so wrong ones cost time and nothing else.
pub fn verify_with_candidates(program: &Program, options: &Options, offered: &OfferedCandidates) -> Outcome {
    if let Err(problem) = program.validate() {
        return Outcome::unknown(StopReason::Malformed(problem.to_string()));
    }
    if program.rules().iter().any(|rule| rule.body.len() > 1) {
        let reason = "rules with several atoms in a body".to_string();
        return Outcome::unknown(StopReason::NotSupported(reason));
    }
    let run = || {
        let budget = BudgetWatch::start(&options.budget, &options.cancellation).paced(&options.pace);
        with_interrupts(&budget, || explore(program, options, &budget, offered))
    };
    match on_deep_stack(run) {
        Ok(outcome) => outcome,
        Err(failure) => failed(failure),
    }
}

/// The outcome of a verification whose thread gave none.
pub(crate) fn failed(failure: Failure) -> Outcome {
    Outcome::unknown(match failure {
        Failure::Stopped => StopReason::EvidenceRejected("the engine stopped unexpectedly".to_string()),
        Failure::NotStarted(error) => StopReason::NotSupported(format!("a thread could not be started: {error}")),
    })
}

fn explore(program: &Program, options: &Options, budget: &BudgetWatch, offered: &OfferedCandidates) -> Outcome {
    let (mut search, result) = match options.strategy {
        Strategy::Minimax | Strategy::RefineRestart => {
            let mut search = Search::new(program, options, budget, offered.clone());
            let result = search.run();
            (search, result)
        }
        Strategy::IterativeDeepening => deepening::deepen(program, options, budget, offered),
    };
    let (verdict, invariants) = match result {
        SearchResult::Closed(root) => {
            let certificate = search.certificate(root);
            (Verdict::Safe(certificate), search.loop_invariants(root))
        }
        SearchResult::Unsafe(derivation) => (Verdict::Unsafe(derivation), Vec::new()),
        SearchResult::Stopped(reason) => (Verdict::Unknown(reason), Vec::new()),
        SearchResult::Inconclusive => {
            let reason = StopReason::NotSupported("a proof that no depth of unrolling finds".to_string());
            (Verdict::Unknown(reason), Vec::new())
        }
    };
    let tree = options.keep_tree.then(|| search.tree());
    let mut statistics = search.statistics;
    statistics.interpolants = search.memo.valid().count() as u64;
    statistics.solver = search.solver.statistics().clone();
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
                watch: None,
            };
            match check_certificate(program, certificate, limits) {
                Ok(_) => None,
                // A query that was cut off, or that the solver cannot decide, proves nothing against the engine either.
                Err(error) => Some(match (budget.interruption(), &error) {
                    (Some(reason), _) => reason,
                    (None, CheckError::Undecided(_)) => {
                        StopReason::SolverGaveUp(format!("checking the certificate: {error}"))
                    }
                    (None, _) => StopReason::EvidenceRejected(error.to_string()),
                }),
            }
        }
        Verdict::Unsafe(derivation) => replay(program, derivation)
            .err()
            .map(|error| StopReason::EvidenceRejected(error.to_string())),
        Verdict::Unknown(_) => None,
    };
    rejection.map_or(verdict, Verdict::Unknown)
}
