//! Options of inference. Every one says its default.

use super::candidate::Kind;
use crate::steps::{Cancellation, Pace};
use std::time::Duration;

/// How invariants are inferred.
#[derive(Clone, Debug)]
pub struct Options {
    /// The kinds to look for. Default: equalities, inequalities, congruences and progressions.
    pub kinds: Vec<Kind>,
    /// The highest degree of equalities. Default: as high as `terms` allows, at most 6.
    pub degree: Option<u32>,
    /// The highest number of monomials of an equality. Default: 200.
    pub terms: usize,
    /// The largest coefficient of an equality. Default: a million.
    pub height: u64,
    /// The largest absolute value of a bound, beside the numbers in the program. Default: 10.
    pub bound: i64,
    /// The names of the parameters of each predicate, by its index and theirs, where they are not to be called as the rules
    /// call them: those of the source. Default: none.
    pub names: Vec<Option<Vec<String>>>,
    /// Further terms to speak of, in C's notation over the names of the parameters, such as `n / m`.
    pub further_terms: Vec<String>,
    /// Whether iterations of loops are counted in a further parameter. Default: false.
    pub count: bool,
    /// How many random runs are made first. Default: 400.
    pub runs: usize,
    /// How many symbolic states are made at most. Default: 160.
    pub symbolic_states: usize,
    /// Up to how many steps at once induction looks at; 1 is ordinary induction. Default: 3.
    pub induction_depth: usize,
    /// Whether conditions of rules into the error are used as templates. Default: false, so that what is found does not
    /// depend on what is to be shown.
    pub goal_directed: bool,
    /// Wall-clock time after which no more is tried. Default: 30 seconds.
    pub time: Duration,
    /// The start of the random numbers. Default: 1.
    pub seed: u64,
    /// Stops the inference from another thread.
    pub cancellation: Cancellation,
    /// Lets the inference take turns with other searches for the same answer. Default: it goes on as it likes.
    pub pace: Pace,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            kinds: vec![Kind::Equality, Kind::Inequality, Kind::Congruence, Kind::Progression],
            degree: None,
            terms: 200,
            height: 1_000_000,
            bound: 10,
            names: Vec::new(),
            further_terms: Vec::new(),
            count: false,
            runs: 400,
            symbolic_states: 160,
            induction_depth: 3,
            goal_directed: false,
            time: Duration::from_secs(30),
            seed: 1,
            cancellation: Cancellation::default(),
            pace: Pace::default(),
        }
    }
}
