//! Strategies: what the one search does at loops, as lists of objects that it asks in their order.
//!
//! [`Strategy`] is the user's choice; the search reads [`Tactics`]. A new strategy is a new list, and perhaps a driver that
//! runs several searches one after another, as `deepening` does; it is never a copy of the search.

use super::annotation::Equalities;
use super::candidates::{Affine, CandidateSource, Conserved, Differences, Offered, StoreLiterals};
use super::kernel::Kernel;
use super::locking::{ControlLocks, Cores, Interpolants, LockRule, Widening};
use super::options::Strategy;
use crate::steps::{ControlVariables, OfferedCandidates};
use std::rc::Rc;

/// Whether stores begin anew at loop headers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loops {
    /// Every header is a cut.
    Cut,
    /// Stores go on through headers exactly. A loop may be unrolled so many times, then goals that meet its header again are
    /// cut off.
    Unroll {
        /// How many times.
        times: usize,
    },
}

/// What the search does at loops.
pub(super) struct Tactics {
    /// Whether headers are cuts.
    pub loops: Loops,
    /// Whether an equality is two candidates.
    pub equalities: Equalities,
    /// Where candidates come from.
    pub sources: Vec<Box<dyn CandidateSource>>,
    /// What is learnt of a spurious counterexample. Without any rule, an error that is reached ends the search, for nothing
    /// can be refined.
    pub locks: Vec<Box<dyn LockRule>>,
}

impl Tactics {
    /// Those of a strategy; for iterative deepening those of its first search.
    pub fn of(strategy: Strategy, kernel: &Kernel, offered: OfferedCandidates) -> Tactics {
        match strategy {
            Strategy::Minimax => Tactics::minimax(kernel, offered),
            Strategy::RefineRestart => Tactics {
                loops: Loops::Cut,
                equalities: Equalities::Whole,
                sources: vec![Box::new(StoreLiterals), Box::new(Offered(offered))],
                locks: vec![Box::new(Interpolants), Box::new(Cores)],
            },
            Strategy::IterativeDeepening => Tactics::unrolled(1),
        }
    }

    fn minimax(kernel: &Kernel, offered: OfferedCandidates) -> Tactics {
        let control = ControlVariables::new(kernel.program, &kernel.graph, &kernel.transitions, &kernel.terms);
        let control = Rc::new(control);
        Tactics {
            loops: Loops::Cut,
            equalities: Equalities::Halved,
            sources: vec![
                Box::new(StoreLiterals),
                Box::new(Differences),
                Box::new(Affine::default()),
                Box::new(Conserved::default()),
                Box::new(Offered(offered)),
            ],
            locks: vec![
                Box::new(Widening {
                    control: Rc::clone(&control),
                }),
                Box::new(ControlLocks { control }),
                Box::new(Cores),
            ],
        }
    }

    /// Loops are unrolled so many times, exactly.
    pub fn unrolled(times: usize) -> Tactics {
        Tactics {
            loops: Loops::Unroll { times },
            equalities: Equalities::Whole,
            sources: Vec::new(),
            locks: vec![Box::new(Cores)],
        }
    }

    /// Loops keep those of the offered candidates that are invariant, and nothing else.
    pub fn offered(offered: OfferedCandidates) -> Tactics {
        Tactics {
            loops: Loops::Cut,
            equalities: Equalities::Whole,
            sources: vec![Box::new(Offered(offered))],
            locks: Vec::new(),
        }
    }
}
