//! Compares verdicts with all runs on any number of random programs over arrays of numbers and of values of a datatype.
//!
//! ```text
//! cargo run --release --example random_arrays -- 10000 1
//! ```
//!
//! The first number says how many, the second with which seed to begin, a third one how many milliseconds each may take (200). Ends with
//! status 1 on a disagreement.

#![allow(clippy::print_stdout, reason = "a program that reports")]

#[path = "../tests/engine/random_programs/arrays.rs"]
mod arrays;
#[path = "../tests/shared/asked.rs"]
mod asked;
#[path = "common/counted.rs"]
mod counted;
#[path = "../tests/shared/random.rs"]
mod random;

use arrays::Observed;
use std::process::ExitCode;

fn main() -> ExitCode {
    counted::counted(200, &|seed, time| {
        let (observed, verdict) = arrays::compare(seed, time)?;
        let found = match observed {
            Observed::Error => vec!["of which a run fails"],
            Observed::None => vec!["of which none does"],
            _ => vec![],
        };
        Ok((found, verdict))
    })
}
