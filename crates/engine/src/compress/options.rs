//! What a user chooses when a trace is compressed, and what may go wrong.

use super::sources::Representation;
use crate::solver::InterruptWatch;
use crate::steps::{Cancellation, OfferedCandidates};
use crate::terms::TermId;
use std::fmt;
use std::time::{Duration, Instant};

/// What a trace implies at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// The condition under which the trace goes into the error: the negation of the property that has failed.
    Error,
    /// Formulas over the parameters of the predicate of the trace's last goal, terms of the program's table.
    Formula(Vec<TermId>),
}

/// What is known of inputs along a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InputValues {
    /// Only what the trace's conditions say of them; their values if the target is not implied otherwise.
    #[default]
    Automatic,
    /// Only what the trace's conditions say of them.
    Symbolic,
    /// The values that they had in the execution.
    AsRead,
}

/// How traces are compressed.
#[derive(Clone, Debug)]
pub struct Options {
    /// The strongest form in which states are offered as invariants. Default: [`Representation::Closed`].
    pub representation: Representation,
    /// Candidates from elsewhere, such as the invariants of a proof by the engine. They are tested like all others.
    pub offered: OfferedCandidates,
    /// What is known of inputs.
    pub inputs: InputValues,
    /// Whether invariants are weakened to what is needed. Default: true.
    pub generalize: bool,
    /// Whether the proof is checked. Default: true.
    pub check: bool,
    /// How many states may be explored for one loop before it is unrolled instead. Default: 20,000.
    pub states: usize,
    /// Z3's resource units for one query. Default: 20 million, some seconds of an ordinary machine.
    pub query_resources: u32,
    /// Wall-clock time. Default: no limit.
    pub time: Option<Duration>,
    /// Stops the work from another thread.
    pub cancellation: Cancellation,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            representation: Representation::Closed,
            offered: OfferedCandidates::default(),
            inputs: InputValues::Automatic,
            generalize: true,
            check: true,
            states: 20_000,
            query_resources: 20_000_000,
            time: None,
            cancellation: Cancellation::default(),
        }
    }
}

/// Why a trace is not compressed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompressError {
    /// The target is the error, but the trace does not end there.
    NoError,
    /// There is no place or no condition for a target: the error is reached whatever happens, or at once.
    NoTarget,
    /// The trace does not imply the target, or the solver cannot see it.
    TargetNotImplied,
    /// The time is over, or it was asked to stop.
    Stopped,
    /// Something that cannot be done.
    NotSupported(String),
    /// A fault of this crate.
    Internal(String),
}

impl fmt::Display for CompressError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompressError::NoError => write!(
                out,
                "the run does not reach the error: give other inputs, or a target of your own"
            ),
            CompressError::NoTarget => write!(
                out,
                "the error does not depend on a condition, so there is no target: give one of your own"
            ),
            CompressError::TargetNotImplied => write!(out, "the run does not imply the target"),
            CompressError::Stopped => write!(out, "stopped before the trace was compressed"),
            CompressError::NotSupported(what) => write!(out, "not supported: {what}"),
            CompressError::Internal(what) => write!(out, "this is a fault in Clausal: {what}"),
        }
    }
}

impl std::error::Error for CompressError {}

/// When to stop.
pub(super) struct Watch<'o> {
    options: &'o Options,
    started: Instant,
}

impl<'o> Watch<'o> {
    pub fn start(options: &'o Options) -> Watch<'o> {
        Watch {
            options,
            started: Instant::now(),
        }
    }
}

impl InterruptWatch for Watch<'_> {
    fn should_stop(&self) -> bool {
        let over = |limit: Duration| self.started.elapsed() >= limit;
        self.options.cancellation.is_cancelled() || self.options.time.is_some_and(over)
    }
}
