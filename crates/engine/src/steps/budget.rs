//! Budgets: what a run may cost, who may stop it, and why it ended without a verdict. A [`BudgetWatch`] is asked at every
//! state by who explores, and every few milliseconds by the thread that can interrupt Z3.

use super::pace::Pace;
use crate::solver::{InterruptWatch, Turns};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

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

impl Budget {
    /// What is left of it when so much of its time is gone.
    pub(crate) fn after(&self, elapsed: Duration) -> Budget {
        Budget {
            time: self.time.map(|limit| limit.saturating_sub(elapsed)),
            ..self.clone()
        }
    }
}

/// A flag that stops verifications from another thread. Clones share it.
///
/// ```
/// # use clausal_engine as clausal;
/// let cancellation = clausal::engine::Cancellation::default();
/// let for_the_other_thread = cancellation.clone();
/// for_the_other_thread.cancel();
/// assert!(cancellation.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    is_set: AtomicBool,
    /// The flag that stops this one's verifications, too.
    above: Option<Cancellation>,
}

impl Cancellation {
    /// Asks whoever watches the flag to stop.
    pub fn cancel(&self) {
        self.0.is_set.store(true, Ordering::Relaxed);
    }

    /// Whether [`Cancellation::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_set.load(Ordering::Relaxed) || self.0.above.as_ref().is_some_and(Cancellation::is_cancelled)
    }

    /// A flag of its own for a part of the work, which ends with the whole.
    pub(crate) fn part(&self) -> Cancellation {
        Cancellation(Arc::new(Flag {
            is_set: AtomicBool::new(false),
            above: Some(self.clone()),
        }))
    }
}

/// Why a verification ended without a verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The time is up.
    Time,
    /// The memory limit is reached.
    Memory,
    /// The system started no thread, for want of memory as a rule; the text is what it says of it.
    NoThread(String),
    /// The limit of states is reached.
    States,
    /// The limit of unrollings is reached.
    Unrollings,
    /// Someone asked to stop.
    Cancelled,
    /// The solver gave up on a query that the verdict depends on; the text says which.
    SolverGaveUp(String),
    /// The program has something that this version cannot treat; the text says what.
    NotSupported(String),
    /// The program is none: its rules do not fit its predicates or its terms; the text says where.
    Malformed(String),
    /// An error was found in rules that have more runs than the program they were made of; the text says why.
    Inexact(String),
    /// Something that cannot be has been found in the state of a search, so nothing it says counts: a bug of this program.
    Internal(String),
    /// The engine closed the tree or found a counterexample, but the checker rejected the evidence: a bug of the engine.
    EvidenceRejected(String),
}

impl fmt::Display for StopReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::Time => write!(out, "the time is up"),
            StopReason::Memory => write!(out, "the memory limit is reached"),
            StopReason::NoThread(why) => write!(out, "a thread could not be started: {why}"),
            StopReason::States => write!(out, "the limit of states is reached"),
            StopReason::Unrollings => write!(out, "the limit of unrollings is reached"),
            StopReason::Cancelled => write!(out, "cancelled"),
            StopReason::SolverGaveUp(what) => write!(out, "the solver gave up {what}"),
            StopReason::Inexact(why) => write!(out, "{why}"),
            StopReason::NotSupported(what) => write!(out, "not supported: {what}"),
            StopReason::Malformed(what) => write!(out, "the program is malformed: {what}"),
            StopReason::Internal(what) => write!(out, "internal error: {what}"),
            StopReason::EvidenceRejected(why) => write!(out, "internal error: the evidence was rejected: {why}"),
        }
    }
}

/// How many states pass between two looks at the process's memory.
const MEMORY_INTERVAL: u64 = 256;

/// The limits of one run, with the time it started.
pub(crate) struct BudgetWatch<'a> {
    budget: &'a Budget,
    cancellation: &'a Cancellation,
    started: Instant,
    pace: Pace,
    /// The work that was counted when the pace was last kept.
    counted: AtomicU64,
}

impl<'a> BudgetWatch<'a> {
    /// Starts the clock.
    pub fn start(budget: &'a Budget, cancellation: &'a Cancellation) -> BudgetWatch<'a> {
        BudgetWatch {
            budget,
            cancellation,
            started: Instant::now(),
            pace: Pace::default(),
            counted: AtomicU64::new(0),
        }
    }

    /// Keeps a pace, so that searches take turns.
    pub fn paced(mut self, pace: &Pace) -> BudgetWatch<'a> {
        self.pace = pace.clone();
        self
    }

    /// Waits for others if this run, after so many units of work, is ahead of them.
    pub fn advance(&self, work: u64) {
        let before = self.counted.swap(work, Ordering::Relaxed);
        self.pace.advance(work.saturating_sub(before), self.cancellation);
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Why to stop now, if there is a reason that no count is needed for.
    pub fn interruption(&self) -> Option<StopReason> {
        if self.cancellation.is_cancelled() {
            return Some(StopReason::Cancelled);
        }
        let over = self.budget.time.is_some_and(|limit| self.started.elapsed() >= limit);
        over.then_some(StopReason::Time)
    }

    /// The same, where memory counts, too, which takes longer to find out.
    pub fn stopped(&self) -> Option<StopReason> {
        self.interruption().or_else(|| {
            let is_over = |limit| resident_memory().is_some_and(|bytes| bytes > limit);
            self.budget.memory.is_some_and(is_over).then_some(StopReason::Memory)
        })
    }

    /// Why to stop now, if there is a reason, after so many states and unrollings.
    pub fn exhausted(&self, states: u64, unrollings: u64) -> Option<StopReason> {
        let budget = self.budget;
        if budget.states.is_some_and(|limit| states >= limit) {
            return Some(StopReason::States);
        }
        if budget.unrollings.is_some_and(|limit| unrollings > limit) {
            return Some(StopReason::Unrollings);
        }
        if let Some(limit) = budget.memory
            && states.is_multiple_of(MEMORY_INTERVAL)
            && resident_memory().is_some_and(|bytes| bytes > limit)
        {
            return Some(StopReason::Memory);
        }
        self.interruption()
    }
}

impl InterruptWatch for BudgetWatch<'_> {
    fn should_stop(&self) -> bool {
        self.stopped().is_some()
    }

    fn turns(&self) -> Option<Turns> {
        let (pace, cancellation) = (self.pace.clone(), self.cancellation.clone());
        let wait = move |work| {
            pace.advance_early(work, &cancellation);
            !cancellation.is_cancelled()
        };
        self.pace.is_kept().then(|| Arc::new(wait) as Turns)
    }
}

/// Bytes of memory that the process holds, where the operating system tells (Linux).
fn resident_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = status.split_whitespace().nth(1)?.parse().ok()?;
    // Linux reports pages; every platform that Z3's wheels exist for has pages of 4 KiB here.
    Some(pages * 4096)
}
