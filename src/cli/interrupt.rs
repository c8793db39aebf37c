//! Ctrl-C: the first asks the verification to stop and report what it has, the second ends the process at once.

use super::output;
use clausal::engine::Cancellation;
use clausal::solver::InterruptWatch;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The shell's code for a process that Ctrl-C ended.
const ENDED_BY_INTERRUPT: i32 = 130;

/// What Ctrl-C does. Clones are one and the same.
#[derive(Clone, Default)]
pub struct Interrupt {
    /// Set by the first Ctrl-C.
    pub cancellation: Cancellation,
    armed: Arc<AtomicBool>,
}

impl Interrupt {
    /// Takes over Ctrl-C. Where that is impossible, Ctrl-C ends the process as usual.
    pub fn install() -> Interrupt {
        // Z3 takes Ctrl-C over for the time of a query, of which it then ends that one, and sometimes waits for itself for ever.
        z3::set_global_param("ctrl_c", "false");
        let interrupt = Interrupt::default();
        let (cancellation, armed) = (interrupt.cancellation.clone(), interrupt.armed.clone());
        let _ = ctrlc::set_handler(move || {
            if !armed.load(Ordering::Relaxed) || cancellation.is_cancelled() {
                std::process::exit(ENDED_BY_INTERRUPT);
            }
            cancellation.cancel();
            output::complain("\nStopping; press Ctrl-C again to end at once.");
        });
        interrupt
    }

    /// From now on there is something that can stop on request; before, the first Ctrl-C ends the process (it may be waiting
    /// for standard input).
    pub fn arm(&self) {
        self.armed.store(true, Ordering::Relaxed);
    }
}

impl InterruptWatch for Interrupt {
    fn should_stop(&self) -> bool {
        self.cancellation.is_cancelled()
    }
}
