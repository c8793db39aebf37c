//! The moment until which a command may work, from its start on: reading and translating count toward `--timeout` as well.

use super::interrupt::Interrupt;
use clausal::solver::InterruptWatch;
use std::time::{Duration, Instant};

/// When to stop: after some time, and at Ctrl-C.
pub struct Deadline<'a> {
    /// The moment, if there is one.
    at: Option<Instant>,
    interrupt: Option<&'a Interrupt>,
}

impl<'a> Deadline<'a> {
    /// So much time from now on; without a limit if there is none.
    pub fn after(time: Option<Duration>, interrupt: &'a Interrupt) -> Deadline<'a> {
        Deadline {
            at: time.and_then(|time| Instant::now().checked_add(time)),
            interrupt: Some(interrupt),
        }
    }

    /// None: Ctrl-C ends the process as usual.
    pub fn never() -> Deadline<'a> {
        Deadline {
            at: None,
            interrupt: None,
        }
    }

    /// Whether it is time to stop.
    pub fn has_passed(&self) -> bool {
        let over = self.at.is_some_and(|at| Instant::now() >= at);
        over || self.interrupt.is_some_and(InterruptWatch::should_stop)
    }

    /// The time that is left, if there is a limit.
    pub fn left(&self) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(Instant::now()))
    }
}
