//! Compares verdicts with all small derivations on any number of random programs over lists and trees.
//!
//! ```text
//! cargo run --release --example random_terms -- 10000 1
//! ```
//!
//! The first number says how many, the second with which seed to begin, a third one how many milliseconds each may take (200). Ends with
//! status 1 on a disagreement.

#![allow(clippy::print_stdout, reason = "a program that reports")]

#[path = "../tests/shared/asked.rs"]
mod asked;
#[path = "common/counted.rs"]
mod counted;
#[path = "../tests/shared/random.rs"]
mod random;
#[path = "../tests/engine/random_programs/terms.rs"]
mod terms;

use std::process::ExitCode;

fn main() -> ExitCode {
    counted::counted(200, &|seed, time| {
        let (has_error, verdict) = terms::compare(seed, time)?;
        Ok((if has_error { vec!["with small errors"] } else { vec![] }, verdict))
    })
}
