//! Budgets: when to stop, asked at every state by the engine and every few milliseconds by the thread that can interrupt Z3.

use super::options::{Budget, Options};
use super::outcome::{Statistics, StopReason};
use crate::solver::InterruptWatch;
use std::time::Instant;

/// How many states pass between two looks at the process's memory.
const MEMORY_INTERVAL: u64 = 256;

/// The limits of one run, with the time it started.
pub(crate) struct BudgetWatch<'a> {
    options: &'a Options,
    started: Instant,
}

impl<'a> BudgetWatch<'a> {
    /// Starts the clock.
    pub fn start(options: &'a Options) -> BudgetWatch<'a> {
        BudgetWatch {
            options,
            started: Instant::now(),
        }
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Why to stop now, if there is a reason that no count is needed for.
    pub fn interruption(&self) -> Option<StopReason> {
        if self.options.cancellation.is_cancelled() {
            return Some(StopReason::Cancelled);
        }
        let over = self.budget().time.is_some_and(|limit| self.started.elapsed() >= limit);
        over.then_some(StopReason::Time)
    }

    /// Why to stop now, if there is a reason.
    pub fn exhausted(&self, statistics: &Statistics) -> Option<StopReason> {
        let budget = self.budget();
        if budget.states.is_some_and(|limit| statistics.states >= limit) {
            return Some(StopReason::States);
        }
        if budget.unrollings.is_some_and(|limit| statistics.unrollings > limit) {
            return Some(StopReason::Unrollings);
        }
        if let Some(limit) = budget.memory
            && statistics.states.is_multiple_of(MEMORY_INTERVAL)
            && resident_memory().is_some_and(|bytes| bytes > limit)
        {
            return Some(StopReason::Memory);
        }
        self.interruption()
    }

    fn budget(&self) -> &Budget {
        &self.options.budget
    }
}

impl InterruptWatch for BudgetWatch<'_> {
    fn should_stop(&self) -> bool {
        let memory = self.budget().memory;
        self.interruption().is_some()
            || memory.is_some_and(|limit| resident_memory().is_some_and(|bytes| bytes > limit))
    }
}

/// Bytes of memory that the process holds, where the operating system tells (Linux).
fn resident_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = status.split_whitespace().nth(1)?.parse().ok()?;
    // Linux reports pages; every platform that Z3's wheels exist for has pages of 4 KiB here.
    Some(pages * 4096)
}
