//! The moment until which a command may work, from its start on: reading and translating count toward `--timeout` as well.

use super::interrupt::Interrupt;
use clausal::engine::{Cancellation, StopReason};
use clausal::solver::InterruptWatch;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long what should have stopped is waited for.
const GRACE: Duration = Duration::from_millis(500);

/// The stack of the other thread, no smaller than that of the first one usually is.
const STACK: usize = 16 << 20;

/// How long to wait between two looks at the deadline.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// When to stop: after some time, and at Ctrl-C.
#[derive(Clone)]
pub struct Deadline {
    /// The moment, if there is one.
    at: Option<Instant>,
    interrupt: Interrupt,
}

impl Deadline {
    /// So much time from now on; without a limit if there is none.
    pub fn after(time: Option<Duration>, interrupt: &Interrupt) -> Deadline {
        Deadline::since(Instant::now(), time, interrupt)
    }

    /// So much time from a moment on; without a limit if there is none.
    pub fn since(start: Instant, time: Option<Duration>, interrupt: &Interrupt) -> Deadline {
        Deadline {
            at: time.and_then(|time| start.checked_add(time)),
            interrupt: interrupt.clone(),
        }
    }

    /// From now on Ctrl-C is noticed here and does not end the process.
    pub fn catch_interrupts(&self) {
        self.interrupt.arm();
    }

    /// Whether it is time to stop.
    pub fn has_passed(&self) -> bool {
        self.at.is_some_and(|at| Instant::now() >= at) || self.interrupt.should_stop()
    }

    /// The time that is left, if there is a limit.
    pub fn left(&self) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(Instant::now()))
    }

    /// Why to stop, once the deadline has passed.
    pub fn reason(&self) -> StopReason {
        match self.interrupt.should_stop() {
            true => StopReason::Cancelled,
            false => StopReason::Time,
        }
    }

    /// Does work on another thread and waits for it; soon after the deadline, when it has been cancelled and does not come to
    /// an end (not everything looks at a limit all the time), no longer. Then nobody will see its result.
    pub fn wait_for<T: Send + 'static>(
        &self,
        cancellation: &Cancellation,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StopReason> {
        let (sender, receiver) = mpsc::channel();
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
            // Nobody may be there any more.
            let _ = sender.send(work());
        });
        if let Err(error) = thread {
            return Err(StopReason::NotSupported(format!(
                "a thread could not be started: {error}"
            )));
        }
        let mut passed: Option<(Instant, StopReason)> = None;
        loop {
            match receiver.recv_timeout(BETWEEN_LOOKS) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(StopReason::Internal("it stopped unexpectedly".to_string()));
                }
                Err(RecvTimeoutError::Timeout) if !self.has_passed() => {}
                Err(RecvTimeoutError::Timeout) => match &passed {
                    Some((since, reason)) if since.elapsed() >= GRACE => {
                        cancellation.cancel();
                        return Err(reason.clone());
                    }
                    Some(_) => {}
                    None => {
                        let reason = self.reason();
                        if reason == StopReason::Cancelled {
                            cancellation.cancel();
                        }
                        passed = Some((Instant::now(), reason));
                    }
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_stop_is_not_waited_for() {
        let interrupt = Interrupt::default();
        let deadline = Deadline::after(Some(Duration::from_millis(1)), &interrupt);
        let cancellation = Cancellation::default();
        let (_open, closed) = mpsc::channel::<()>();
        let found = deadline.wait_for(&cancellation, move || closed.recv().is_ok());
        assert_eq!(found, Err(StopReason::Time));
        let its_own = interrupt.cancellation.clone();
        let (_open, closed) = mpsc::channel::<()>();
        let found = deadline.wait_for(&its_own, move || closed.recv().is_ok());
        assert_eq!(found, Err(StopReason::Time));
        assert!(cancellation.is_cancelled());
    }

    #[test]
    fn what_ends_or_fails_is_waited_for() {
        let deadline = Deadline::after(None, &Interrupt::default());
        let cancellation = Cancellation::default();
        assert_eq!(deadline.wait_for(&cancellation, || 7), Ok(7));
        let failed: Result<(), StopReason> = deadline.wait_for(&cancellation, || panic!("on purpose"));
        assert!(matches!(failed, Err(StopReason::Internal(_))));
    }
}
