//! Work on a thread of its own with a large stack: trees are walked recursively, and Z3 recurses on deep formulas, so that the
//! caller's stack could be too small.

use std::io;

/// The size of the stack. Pages of it that are not used cost nothing.
const BYTES: usize = 512 << 20;

/// Why there is no result.
pub(crate) enum Failure {
    /// The work ended without one, which is a mistake in this crate.
    Stopped,
    /// There was no thread for it.
    NotStarted(io::Error),
}

/// Does the work and waits for it.
pub(crate) fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(BYTES).spawn_scoped(scope, work);
        let handle = thread.map_err(Failure::NotStarted)?;
        handle.join().map_err(|_| Failure::Stopped)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
