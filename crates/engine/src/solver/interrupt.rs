//! Stopping the solvers of a thread from another one.
//!
//! Z3 that is stopped in the middle of a question may answer it all the same, and wrongly: *satisfiable*, with a model of zeros; and so may
//! it the next question that its context is asked, if it was stopped between two. So all questions go through [`answer_of`], which
//! believes nothing that was said after the stop, and once nobody stops it any more, it is asked what is plain until it knows.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use z3::ast::Bool;
use z3::{Context, SatResult, Solver};

/// When solvers should be stopped, asked from the watching thread every few milliseconds.
pub trait InterruptWatch: Sync {
    /// Whether the query that runs now should be given up.
    fn should_stop(&self) -> bool;

    /// Whom to tell of work on a query that is not decided yet, if others wait for their turn meanwhile.
    fn turns(&self) -> Option<Turns> {
        None
    }
}

/// Is told of work, in the units of [turns](crate::steps::Pace), that the search on this thread has done before it says so itself, and comes back
/// when its turn is. The answer is whether to go on.
pub type Turns = Arc<dyn Fn(u64) -> bool + Send + Sync>;

thread_local! {
    /// As Z3's contexts are, the watches over a thread are the thread's own.
    static WATCHES: RefCell<Interruption> = RefCell::default();
}

/// Whether one of the watches over a thread wants its solvers to stop.
#[derive(Clone, Default)]
pub(super) struct Interruption {
    raised: Vec<Arc<AtomicBool>>,
    /// Those of the innermost watch that has any.
    turns: Option<Turns>,
}

impl Interruption {
    /// That of this thread, as it is watched now.
    pub fn of_this_thread() -> Interruption {
        WATCHES.with_borrow(Interruption::clone)
    }

    /// Whether to stop. Once it is so, it stays so while the watch lasts.
    pub fn is_raised(&self) -> bool {
        self.raised.iter().any(|flag| flag.load(Ordering::Acquire))
    }
}

/// Whom to tell of work on a query on this thread that is not decided yet.
pub(super) fn turns_of_this_thread() -> Option<Turns> {
    WATCHES.with_borrow(|watches| watches.turns.clone())
}

/// Z3's answer to whether what the solver holds can be true together with the assumptions; *unknown* if it was stopped meanwhile.
pub fn answer_of(solver: &Solver, assumptions: &[Bool]) -> SatResult {
    let answer = match assumptions {
        [] => solver.check(),
        _ => solver.check_assumptions(assumptions),
    };
    match WATCHES.with_borrow(Interruption::is_raised) {
        true => SatResult::Unknown,
        false => answer,
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
/// that Z3 works at as all that are asked afterwards during `work`.
pub fn with_interrupts<T>(watch: &dyn InterruptWatch, work: impl FnOnce() -> T) -> T {
    let context = Context::thread_local();
    let handle = context.handle();
    let finished = AtomicBool::new(false);
    let flag = Arc::new(AtomicBool::new(false));
    let before = Interruption::of_this_thread();
    let mut watches = before.clone();
    watches.raised.push(Arc::clone(&flag));
    watches.turns = watch.turns().or(watches.turns);
    WATCHES.set(watches);
    let _restore = Restore(before);
    let _settled = Settled(Arc::clone(&flag));
    thread::scope(|scope| {
        let watched = || {
            while !finished.load(Ordering::Relaxed) {
                thread::park_timeout(Duration::from_millis(20));
                if watch.should_stop() {
                    // Before Z3 is told: whoever gets an answer after that sees it.
                    flag.store(true, Ordering::Release);
                    handle.interrupt();
                }
            }
        };
        // Where there is no thread to watch, nothing is asked: what nobody stops might go on for ever.
        let Ok(watcher) = thread::Builder::new().spawn_scoped(scope, watched) else {
            flag.store(true, Ordering::Release);
            return work();
        };
        // Also when the work panics: otherwise the watcher would be waited for without end.
        let _end = WatcherEnd {
            finished: &finished,
            watcher: watcher.thread().clone(),
        };
        work()
    })
}

/// Has Z3 forget that it was stopped, if it was, when it goes out of scope.
struct Settled(Arc<AtomicBool>);

/// So often it is asked. Once has always been enough.
const MOST_ASKED: usize = 8;

impl Drop for Settled {
    fn drop(&mut self) {
        let is_wrong = |_: &usize| {
            let solver = Solver::new();
            // Inside of a scope, where it does not simplify first.
            solver.push();
            let plain = Bool::fresh_const("plain");
            solver.assert(&plain);
            solver.assert(plain.not());
            solver.check() != SatResult::Unsat
        };
        if self.0.load(Ordering::Acquire) {
            let _asked = (0..MOST_ASKED).take_while(is_wrong).count();
        }
    }
}

/// Ends the watcher when it goes out of scope.
struct WatcherEnd<'a> {
    finished: &'a AtomicBool,
    watcher: thread::Thread,
}

impl Drop for WatcherEnd<'_> {
    fn drop(&mut self) {
        self.finished.store(true, Ordering::Relaxed);
        self.watcher.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deep_stack::{Failure, on_deep_stack};
    use crate::solver::{Answer, LayeredSolver};
    use crate::terms::{SortId, Terms};

    struct Never;

    impl InterruptWatch for Never {
        fn should_stop(&self) -> bool {
            false
        }
    }

    #[test]
    fn a_panic_under_a_watcher_comes_through() {
        let failed = on_deep_stack(|| with_interrupts(&Never, || panic!("on purpose")));
        assert!(matches!(failed, Err::<(), _>(Failure::Stopped)));
    }

    struct Always;

    impl InterruptWatch for Always {
        fn should_stop(&self) -> bool {
            true
        }
    }

    #[test]
    fn who_was_stopped_is_right_afterwards() {
        for _ in 0..50 {
            with_interrupts(&Always, || {
                while !Interruption::of_this_thread().is_raised() {
                    std::hint::spin_loop();
                }
                answer_of(&Solver::new(), &[])
            });
            let solver = Solver::new();
            let number = z3::ast::BV::fresh_const("number", 32);
            solver.assert(number.bvsge(z3::ast::BV::from_i64(4, 32)));
            solver.push();
            solver.assert(number.bvslt(z3::ast::BV::from_i64(3, 32)));
            assert_eq!(answer_of(&solver, &[]), SatResult::Unsat);
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
                thread::yield_now();
            }
            ask(&mut solver)
        });
        assert_eq!(answer, Answer::Unknown);
        let answer = with_interrupts(&Always, || {
            while !Interruption::of_this_thread().is_raised() {
                thread::yield_now();
            }
            answer_of(&Solver::new(), &[])
        });
        assert_eq!(answer, SatResult::Unknown);
        assert_eq!(ask(&mut LayeredSolver::new(0)), Answer::Satisfiable);
    }
}
