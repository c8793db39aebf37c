//! Options of a verification: limits, and the choices between methods. Every knob says its default and its range.

use super::strategy::Strategy;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

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
        }
    }
}

/// Limits of a verification; `None` means none.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Wall-clock time. Default: none.
    pub time: Option<Duration>,
    /// Bytes of memory of the whole process, where the operating system tells. Default: none.
    pub memory: Option<u64>,
    /// States explored. Default: none.
    pub states: Option<u64>,
    /// Loop unrollings. Default: none.
    pub unrollings: Option<u64>,
    /// Z3's resource units for one query. Default: 20 million, some seconds of an ordinary machine. The unit is deterministic.
    pub query_resources: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            time: None,
            memory: None,
            states: None,
            unrollings: None,
            query_resources: 20_000_000,
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

/// A flag that stops verifications from another thread. Clones share it.
///
/// ```
/// let cancellation = clausal::engine::Cancellation::default();
/// let for_the_other_thread = cancellation.clone();
/// for_the_other_thread.cancel();
/// assert!(cancellation.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// Asks whoever watches the flag to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`Cancellation::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
