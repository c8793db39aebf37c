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
#[path = "../tests/shared/random.rs"]
mod random;

use arrays::Observed;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|one| one.parse().ok()).collect();
    let number = |position: usize, otherwise: u64| numbers.get(position).copied().unwrap_or(otherwise);
    let (count, first, milliseconds) = (number(0, 1_000), number(1, 0), number(2, 200));
    let (mut errors, mut all_seen, mut safe, mut unsafe_, mut open, mut wrong) = (0, 0, 0, 0, 0, 0);
    for seed in first..first + count {
        match arrays::compare(seed, Duration::from_millis(milliseconds)) {
            Ok((observed, verdict)) => {
                errors += u64::from(observed == Observed::Error);
                all_seen += u64::from(observed == Observed::None);
                match verdict {
                    Some(true) => safe += 1,
                    Some(false) => unsafe_ += 1,
                    None => open += 1,
                }
            }
            Err(why) => {
                wrong += 1;
                println!("{why}");
            }
        }
    }
    println!(
        "{count} programs, of {errors} a run fails, of {all_seen} none: {safe} safe, {unsafe_} unsafe, {open} open, {wrong} wrong"
    );
    ExitCode::from(u8::from(wrong > 0))
}
