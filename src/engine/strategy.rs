//! Strategies: what the one search does at loops, as data.
//!
//! [`Strategy`] is the user's choice; a [`LoopPolicy`] is what the search reads. A new strategy is a new policy, and perhaps a
//! driver that runs several searches one after another, as `deepening` does; it is never a copy of the search.

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

/// Where the beliefs at a loop header come from, and whether they may be given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Abstraction {
    /// From the store (and what is offered); given up as needed, and locked when that went too far.
    Refined,
    /// Nowhere: stores go on through headers exactly. A loop may be unrolled so many times, then goals that meet its header
    /// again are cut off.
    None {
        /// How many times.
        unrollings: usize,
    },
    /// From what is offered alone; an error that is reached ends the search, for nothing can be refined.
    Offered,
}

/// What the search does at loops.
#[derive(Clone, Debug)]
pub(super) struct LoopPolicy {
    /// Beliefs at headers.
    pub abstraction: Abstraction,
    /// Whether an equality is two candidates, one for each half.
    pub slackening: bool,
    /// Whether bounds and differences that follow from several constraints are candidates.
    pub closed_differences: bool,
    /// Whether what a spurious counterexample locks is an interpolant that excludes it, rather than candidates.
    pub locks_interpolants: bool,
    /// Whether a loop that was unrolled already is offered what a spurious counterexample asks for before it is locked.
    pub widening: bool,
    /// Whether control variables are treated apart: what a spurious counterexample asks of them is locked without being
    /// offered first, and stays locked in the unrollings.
    pub locks_control: bool,
    /// Whether a loop that was unrolled already is offered the linear equations that its updates preserve, and bounds of
    /// what they conserve. (A loop that needs none is proved without them; there they would only be in the way.)
    pub linear_algebra: bool,
}

impl LoopPolicy {
    /// The policy of a strategy; for iterative deepening that of its first search.
    pub fn of(strategy: Strategy) -> LoopPolicy {
        let refined = |additions: bool| LoopPolicy {
            abstraction: Abstraction::Refined,
            slackening: additions,
            closed_differences: additions,
            locks_interpolants: !additions,
            widening: additions,
            locks_control: additions,
            linear_algebra: additions,
        };
        match strategy {
            Strategy::Minimax => refined(true),
            Strategy::RefineRestart => refined(false),
            Strategy::IterativeDeepening => LoopPolicy::unrolled(1),
        }
    }

    /// Whether stores begin anew at loop headers.
    pub fn abstracts(&self) -> bool {
        !matches!(self.abstraction, Abstraction::None { .. })
    }

    /// Loops are unrolled so many times, exactly.
    pub fn unrolled(unrollings: usize) -> LoopPolicy {
        LoopPolicy {
            abstraction: Abstraction::None { unrollings },
            slackening: false,
            closed_differences: false,
            locks_interpolants: false,
            widening: false,
            locks_control: false,
            linear_algebra: false,
        }
    }

    /// Loops keep those of the offered candidates that are invariant, and nothing else.
    pub fn offered() -> LoopPolicy {
        LoopPolicy {
            abstraction: Abstraction::Offered,
            slackening: false,
            closed_differences: false,
            locks_interpolants: false,
            widening: false,
            locks_control: false,
            linear_algebra: false,
        }
    }
}
