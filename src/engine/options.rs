//! Options of a verification: limits, and the choices between methods. Every knob says its default and its range.

use super::strategy::Strategy;
use crate::steps::{Budget, Cancellation, Pace};

/// How the engine verifies.
#[derive(Clone, Debug)]
pub struct Options {
    /// When to give up.
    pub budget: Budget,
    /// How loops are treated.
    pub strategy: Strategy,
    /// How interpolants are found.
    pub interpolation: Interpolation,
    /// Whether the evidence is checked before the verdict is given. Default: true. Without it, a fault in the engine could
    /// become a wrong verdict; it exists for measuring what the check costs.
    pub check_evidence: bool,
    /// Whether the exploration tree is kept in the outcome. Default: false.
    pub keep_tree: bool,
    /// Stops the verification from another thread.
    pub cancellation: Cancellation,
    /// The turns that this verification takes with others. Default: none.
    pub pace: Pace,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            budget: Budget::default(),
            strategy: Strategy::default(),
            interpolation: Interpolation::WeakestPrecondition,
            check_evidence: true,
            keep_tree: false,
            cancellation: Cancellation::default(),
            pace: Pace::default(),
        }
    }
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
