//! The work of an inference, counted in units of the [pace](crate::steps::Pace): what makes it take turns with other searches.

/// Whether to stop, now that so much more work has been done.
pub(super) type Stop<'a> = &'a dyn Fn(u64) -> bool;

/// A question to a solver: half a millisecond or so.
pub(super) const QUESTION: u64 = 100;

/// Guessing at one place.
pub(super) const GUESSES: u64 = 1_500;

/// Some random runs, so many at once.
pub(super) const RUNS: u64 = 500;
pub(super) const RUNS_AT_ONCE: usize = 16;
