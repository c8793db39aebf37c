//! One test that looks at many inputs, on all processors: a long one at the end of a test program would leave them idle.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls `check` with each of the inputs and its position, several at a time. Panics if one of the calls does.
pub fn each<T: Sync>(inputs: &[T], check: impl Fn(usize, &T) + Sync) {
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..workers.min(inputs.len()) {
            scope.spawn(|| {
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    let Some(input) = inputs.get(position) else { break };
                    check(position, input);
                }
            });
        }
    });
}
