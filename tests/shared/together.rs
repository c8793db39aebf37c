//! One test that looks at many inputs, on all processors: a long one at the end of a test program would leave them idle.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls `check` with each of the inputs and its position, several at a time, and gives what it found of each, in their order. Panics if one
/// of the calls does.
pub fn each<T: Sync, R: Send>(inputs: &[T], check: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::with_capacity(inputs.len()));
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..workers.min(inputs.len()) {
            scope.spawn(|| {
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    let Some(input) = inputs.get(position) else { break };
                    let one = check(position, input);
                    found.lock().expect("nobody panics with it").push((position, one));
                }
            });
        }
    });
    let mut found = found.into_inner().expect("nobody has panicked");
    found.sort_by_key(|(position, _)| *position);
    found.into_iter().map(|(_, one)| one).collect()
}
