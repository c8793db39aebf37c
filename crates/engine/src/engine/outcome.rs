//! Outcomes: the verdict of a verification, its evidence, and what it cost.

use super::tree::ExplorationTree;
use crate::evidence::{Certificate, Derivation};
use crate::rules::PredicateId;
use crate::solver::SolverStatistics;
use crate::steps::StopReason;
use serde::Serialize;
use std::collections::BTreeMap;

/// What was found out about a program.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for a whole verification")]
pub enum Verdict {
    /// No query derives the error; the certificate proves it.
    Safe(Certificate),
    /// Some query derives the error; the derivation shows how.
    Unsafe(Derivation),
    /// Neither was shown.
    Unknown(StopReason),
}

/// What a verification cost. Counts are of the whole run, restarts included.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Statistics {
    /// States made: goals reached by a feasible step, and infeasible ones.
    pub states: u64,
    /// Steps into an unsatisfiable store.
    pub infeasible: u64,
    /// States covered by a looping parent.
    pub subsumed_by_ancestor: u64,
    /// States covered by an interpolant of the memo table.
    pub subsumed_by_memo: u64,
    /// Spurious counterexamples, each of which locked constraints at a header and restarted there.
    pub restarts: u64,
    /// Returns to a header because a later deletion there took away what an earlier branch needed.
    pub revisions: u64,
    /// Loop headers met again that no ancestor could cover.
    pub unrollings: u64,
    /// How often each of them was, of the last attempt: where it is stuck, if it does not end.
    #[serde(skip)]
    pub unrolled: BTreeMap<PredicateId, u64>,
    /// The length of the longest derivation explored.
    pub depth: u64,
    /// Interpolants in the memo table at the end.
    pub interpolants: u64,
    /// Queries by layer.
    pub solver: SolverStatistics,
    /// Seconds of exploration.
    pub seconds: f64,
    /// Seconds of checking the evidence.
    pub checking_seconds: f64,
}

impl Statistics {
    /// Counts what another attempt has cost, too. Depth and interpolants are those of the larger one.
    pub fn add(&mut self, other: &Statistics) {
        self.states += other.states;
        self.infeasible += other.infeasible;
        self.subsumed_by_ancestor += other.subsumed_by_ancestor;
        self.subsumed_by_memo += other.subsumed_by_memo;
        self.restarts += other.restarts;
        self.revisions += other.revisions;
        self.unrollings += other.unrollings;
        self.depth = self.depth.max(other.depth);
        self.interpolants = self.interpolants.max(other.interpolants);
        self.solver.add(&other.solver);
        self.seconds += other.seconds;
        self.checking_seconds += other.checking_seconds;
    }
}

impl Outcome {
    /// The loop that was unrolled most often, if there is no verdict and some loop was unrolled again and again.
    pub fn stuck_at(&self) -> Option<PredicateId> {
        /// A loop that is unrolled less often may just be a short one.
        const OFTEN: u64 = 8;
        let unrolled = self.statistics.unrolled.iter().filter(|(_, times)| **times >= OFTEN);
        let (predicate, _) = unrolled.max_by_key(|(predicate, times)| (**times, std::cmp::Reverse(**predicate)))?;
        (!self.is_decided()).then_some(*predicate)
    }

    /// Whether there is a verdict, safe or unsafe.
    pub fn is_decided(&self) -> bool {
        !matches!(self.verdict, Verdict::Unknown(_))
    }
}

/// A loop invariant for people: what the proof needs at a header.
#[derive(Clone, Debug)]
pub struct LoopInvariant {
    /// The header's predicate.
    pub predicate: PredicateId,
    /// The invariant in CLP syntax over the parameters.
    pub formula: String,
    /// The constraints that were locked there to exclude spurious counterexamples, in CLP syntax.
    pub locked: Vec<String>,
}

/// Everything a verification returns.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The verdict with its evidence.
    pub verdict: Verdict,
    /// What it cost.
    pub statistics: Statistics,
    /// The invariants of the loops, in the order in which the headers were closed; empty unless safe.
    pub invariants: Vec<LoopInvariant>,
    /// The exploration tree, if it was asked for.
    pub tree: Option<ExplorationTree>,
}

impl Outcome {
    /// No verdict, and no work done.
    pub fn unknown(reason: StopReason) -> Outcome {
        Outcome {
            verdict: Verdict::Unknown(reason),
            statistics: Statistics::default(),
            invariants: Vec::new(),
            tree: None,
        }
    }
}
