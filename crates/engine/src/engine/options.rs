//! Options of a verification: limits, and the choices between methods. Every knob says its default and its range.

use super::limits::Limits;
use crate::steps::{Budget, Cancellation, OfferedCandidates, Pace, TurnRecord};

/// How the engine verifies.
#[derive(Clone, Debug)]
pub struct Options {
    /// When to give up.
    pub budget: Budget,
    /// How loops are treated.
    pub strategy: Strategy,
    /// How interpolants are found.
    pub interpolation: Interpolation,
    /// At which numbers single steps stop trying.
    pub limits: Limits,
    /// Whether the evidence is checked before the verdict is given. Default: true. Without it, a fault in the engine could
    /// become a wrong verdict; it exists for measuring what the check costs.
    pub check_evidence: bool,
    /// Whether a proof may be that [all runs](crate::evidence::Certificate::all_runs) are over, or that no rule leaves some [symbolic
    /// states](crate::evidence::Certificate::symbolic), which says of no predicate what holds there. Default: true. The engine gives no such proof itself.
    pub without_invariants: bool,
    /// Whether the exploration tree is kept in the outcome. Default: false.
    pub keep_tree: bool,
    /// Stops the verification from another thread.
    pub cancellation: Cancellation,
    /// Candidates for loop invariants from another source, such as `infer`. They are tested like the engine's own, so wrong ones cost
    /// time and nothing else. Default: none.
    pub offered: OfferedCandidates,
    /// The turns that this verification takes with others. Default: none.
    pub pace: Pace,
    /// Where it is written down what each method does that goes on in [turns](crate::turns). Default: nowhere.
    pub record: TurnRecord,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            budget: Budget::default(),
            strategy: Strategy::default(),
            interpolation: Interpolation::WeakestPrecondition,
            limits: Limits::default(),
            check_evidence: true,
            without_invariants: true,
            keep_tree: false,
            cancellation: Cancellation::default(),
            offered: OfferedCandidates::default(),
            pace: Pace::default(),
            record: TurnRecord::default(),
        }
    }
}

/// How loops are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// Seed 004, with what this engine adds to it: equalities are slackened into halves, bounds and differences that follow
    /// from several constraints are candidates too, and loops that were unrolled already are offered what the property asks
    /// for. The default.
    #[default]
    Minimax,
    /// Seed 003, Figs. 2 and 3: the candidates of a loop are the constraints of its header's store as they are, and a
    /// spurious counterexample locks an interpolant that excludes it.
    RefineRestart,
    /// The rival in seed 003: loops are unrolled exactly, up to a depth; if the interpolants of such a proof are invariant
    /// and suffice, the program is safe, otherwise the depth grows. It does not end where a proof needs a disjunction.
    IterativeDeepening,
}

/// How the reason of a dead end is turned into an interpolant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interpolation {
    /// Backward by weakest preconditions, approximated by single literals where one suffices (seed 003); minimal cores of
    /// the store where none does. The default: the weakest interpolants, hence the most subsumption.
    WeakestPrecondition,
    /// Max annotations only: minimal unsatisfiable cores of the store, projected (seed 004).
    Cores,
}
