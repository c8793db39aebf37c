//! Every number at which the engine stops trying: what each means, in which unit, and why it is what it is.
//!
//! None of them can make a verdict wrong. A lower one makes the search give up, or take a longer way, sooner; a higher one
//! lets a single step cost more.

/// The limits of a search, reachable as [`super::Options::limits`].
#[derive(Clone, Debug)]
pub struct Limits {
    /// Looping parents that one goal is compared with, the nearest first; and memo entries that its witness does not refute,
    /// the newest first. Each costs some queries. A goal that is not covered is explored. Default: 8.
    pub covers_tried: usize,
    /// Memo entries, the newest first, that the target of an infeasible rule is compared with, to see whether the rule
    /// matters at all. No query is asked for it. Default: 8.
    pub entries_for_infeasible: usize,
    /// Guards in a store up to which a new one is looked for among them before it is added. Beyond it, looking costs more
    /// than a guard that is there twice. Default: 64.
    pub guards_compared: usize,
    /// Summands of an argument beyond which it gets a name of its own, with an equation in the store. Without it, a
    /// derivation that adds an input at every step carries a sum as long as itself. Default: 24.
    pub summands: usize,
    /// Cases that are refuted for one interpolant, all splits together. Default: 200.
    pub interpolation_cases: u32,
    /// Splits on top of each other for one interpolant. Default: 60.
    pub interpolation_depth: u32,
    /// Numeric parameters of a predicate beyond which linear algebra leaves it out: its cost grows with their cube.
    /// Default: 48.
    pub linear_parameters: usize,
    /// Subtractions of vectors in one analysis by linear algebra; beyond it, nothing is known. Default: 200,000.
    pub vector_subtractions: u32,
    /// Limits of the trial runs.
    pub trials: TrialLimits,
}

/// Limits of the trial runs that a search makes when it unrolls a lot.
#[derive(Clone, Debug)]
pub struct TrialLimits {
    /// Unrollings before the first runs: smaller searches end sooner by themselves. Later runs follow whenever the
    /// unrollings have quadrupled. Default: 16.
    pub first: u64,
    /// Steps of all runs together, for each unrolling that the search has made. Default: 1,000.
    pub steps_per_unrolling: u64,
    /// Runs that are made each time, if the steps suffice. Default: 40.
    pub runs: u64,
    /// Steps of a run beyond which it is not recorded, because the values of all variables at every step need memory.
    /// Default: a million.
    pub recorded_steps: u64,
    /// Bits of a number beyond which a run is given up: in a loop that multiplies, each step would cost more than the
    /// last. Default: 10,000.
    pub bits: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            covers_tried: 8,
            entries_for_infeasible: 8,
            guards_compared: 64,
            summands: 24,
            interpolation_cases: 200,
            interpolation_depth: 60,
            linear_parameters: 48,
            vector_subtractions: 200_000,
            trials: TrialLimits::default(),
        }
    }
}

impl Default for TrialLimits {
    fn default() -> Self {
        TrialLimits {
            first: 16,
            steps_per_unrolling: 1_000,
            runs: 40,
            recorded_steps: 1_000_000,
            bits: 10_000,
        }
    }
}
