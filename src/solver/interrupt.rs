//! Stopping the solvers of a thread from another one.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use z3::Context;

/// When solvers should be stopped, asked from the watching thread every few milliseconds.
pub trait InterruptWatch: Sync {
    /// Whether the query that runs now should be given up.
    fn should_stop(&self) -> bool;
}

thread_local! {
    /// As Z3's contexts are, the watches over a thread are the thread's own.
    static WATCHES: RefCell<Interruption> = RefCell::default();
}

/// Whether one of the watches over a thread wants its solvers to stop.
#[derive(Clone, Default)]
pub(super) struct Interruption {
    raised: Vec<Arc<AtomicBool>>,
}

impl Interruption {
    /// That of this thread, as it is watched now.
    pub fn of_this_thread() -> Interruption {
        WATCHES.with_borrow(Interruption::clone)
    }

    /// Whether to stop.
    pub fn is_raised(&self) -> bool {
        self.raised.iter().any(|flag| flag.load(Ordering::Relaxed))
    }
}

/// Puts the watches over a thread back as they were.
struct Restore(Interruption);

impl Drop for Restore {
    fn drop(&mut self) {
        WATCHES.set(std::mem::take(&mut self.0));
    }
}

/// Runs `work` while a second thread watches; when the watch says so, queries on this thread end in `unknown`, as well the one
/// that Z3 works at as all that are asked of solvers that were made during `work`.
pub fn with_interrupts<T>(watch: &dyn InterruptWatch, work: impl FnOnce() -> T) -> T {
    let context = Context::thread_local();
    let handle = context.handle();
    let finished = AtomicBool::new(false);
    let flag = Arc::new(AtomicBool::new(false));
    let before = Interruption::of_this_thread();
    let mut watches = before.clone();
    watches.raised.push(Arc::clone(&flag));
    WATCHES.set(watches);
    let _restore = Restore(before);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !finished.load(Ordering::Relaxed) {
                std::thread::park_timeout(Duration::from_millis(20));
                let stop = watch.should_stop();
                flag.store(stop, Ordering::Relaxed);
                if stop {
                    handle.interrupt();
                }
            }
        });
        let result = work();
        finished.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Answer, LayeredSolver};
    use crate::terms::{SortId, Terms};

    struct Always;

    impl InterruptWatch for Always {
        fn should_stop(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_stopped_solver_knows_nothing_and_the_next_one_does() {
        let mut terms = Terms::new();
        let x = terms.fresh_variable("X", SortId::BOOL);
        let ask = |solver: &mut LayeredSolver| solver.check(&terms, &[x], &[]);
        let answer = with_interrupts(&Always, || {
            let mut solver = LayeredSolver::new(0);
            while !Interruption::of_this_thread().is_raised() {
                std::thread::yield_now();
            }
            ask(&mut solver)
        });
        assert_eq!(answer, Answer::Unknown);
        assert_eq!(ask(&mut LayeredSolver::new(0)), Answer::Satisfiable);
    }
}
