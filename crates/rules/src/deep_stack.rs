//! Work on a thread of its own with a large stack: trees are walked recursively, and Z3 recurses on deep formulas, so that the
//! caller's stack could be too small. Work inside such work stays on its thread: a thread, and the Z3 context that comes with it, take
//! milliseconds, and what a call is asked about may be asked a thousand times.

use std::cell::Cell;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::thread::{self, Scope, ScopedJoinHandle};

/// The size of the stack, where nothing limits the address space. Pages of it that are not used cost nothing.
const BYTES: usize = 512 << 20;

/// Where the address space is limited, a stack is this part of it, as a dozen methods have one each; but no less than so much.
const PART: usize = 48;
const LEAST: usize = 64 << 20;

/// The size of the stack here.
fn bytes() -> usize {
    static HERE: OnceLock<usize> = OnceLock::new();
    // Only Linux has such a file.
    *HERE.get_or_init(|| size_under(&fs::read_to_string("/proc/self/limits").unwrap_or_default()))
}

/// The size of the stack under limits that the system tells as a table.
fn size_under(limits: &str) -> usize {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"));
    let most = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    most.map_or(BYTES, |most| (most / PART).clamp(LEAST, BYTES))
}

/// Why there is no result.
pub enum Failure {
    /// The work ended without one, which is a mistake in this crate.
    Stopped,
    /// There was no thread for it.
    NotStarted(io::Error),
}

thread_local! {
    /// Whether this thread has a large stack.
    static IS_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Does the work and waits for it.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    if IS_DEEP.get() {
        return catch_unwind(AssertUnwindSafe(work)).map_err(|_| Failure::Stopped);
    }
    thread::scope(|scope| {
        let handle = spawn(scope, work).map_err(Failure::NotStarted)?;
        handle.join().map_err(|_| Failure::Stopped)
    })
}

/// Begins the work on a thread of its own with a large stack.
///
/// # Errors
///
/// The system starts no thread.
pub fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    thread::Builder::new().stack_size(bytes()).spawn_scoped(scope, || {
        IS_DEEP.set(true);
        work()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_are_smaller_where_the_address_space_is_limited() {
        let limits = |soft: &str| {
            format!("Limit  Soft Limit  Hard Limit  Units\nMax address space         {soft}  unlimited  bytes\n")
        };
        assert_eq!(size_under(&limits("unlimited")), 512 << 20);
        assert_eq!(size_under(&limits("9600000000")), 200_000_000);
        assert_eq!(size_under(&limits("1000000000")), 64 << 20);
        assert_eq!(size_under(""), 512 << 20);
    }

    #[test]
    fn what_goes_deep_fits() {
        fn depth(left: u32, path: [u64; 8]) -> u64 {
            match left {
                0 => path.iter().sum(),
                _ => depth(left - 1, std::hint::black_box(path.map(|step| step + 1))) + 1,
            }
        }
        // On the stack of an ordinary thread, 2 MB, this overflows.
        let found = on_deep_stack(|| depth(100_000, [0; 8]));
        assert_eq!(found.ok(), Some(900_000));
        assert!(matches!(
            on_deep_stack(|| panic!("on purpose")),
            Err::<(), _>(Failure::Stopped)
        ));
    }

    #[test]
    fn what_is_inside_stays_on_the_thread() {
        let thread = || std::thread::current().id();
        let outside = thread();
        let threads = on_deep_stack(|| (thread(), on_deep_stack(thread).ok()));
        let (first, second) = threads.ok().expect("there is a thread");
        assert!(first != outside && second == Some(first));
        let stopped =
            on_deep_stack(|| matches!(on_deep_stack(|| panic!("on purpose")), Err::<(), _>(Failure::Stopped)));
        assert!(stopped.ok().expect("the panic is the inner one's"));
    }
}
