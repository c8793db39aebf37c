//! Compares verdicts with everything that can be derived, on any number of random programs that recur through calls over small numbers.
//!
//! ```text
//! cargo run --release --example random_calls -- 10000 1
//! ```
//!
//! The first number says how many, the second with which seed to begin, a third one how many milliseconds each may take (2000). Ends with
//! status 1 on a disagreement.

#![allow(clippy::print_stdout, reason = "a program that reports")]

#[path = "../tests/shared/asked.rs"]
mod asked;
#[path = "../tests/engine/random_programs/calls.rs"]
mod calls;
#[path = "common/counted.rs"]
mod counted;
#[path = "../tests/shared/random.rs"]
mod random;

use std::process::ExitCode;

fn main() -> ExitCode {
    counted::counted(2000, &|seed, time| {
        let (has_error, recurs, verdict) = calls::compare(seed, time)?;
        let found = [(has_error, "with errors"), (recurs, "that recur through calls")];
        let found = found.iter().filter(|(is_so, _)| *is_so).map(|(_, name)| *name);
        Ok((found.collect(), verdict))
    })
}
