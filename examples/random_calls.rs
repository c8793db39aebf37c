//! Compares verdicts with everything that can be derived, on any number of random programs that recur through calls over small numbers.
//!
//! ```text
//! cargo run --release --example random_calls -- 10000 1
//! ```
//!
//! The first number says how many, the second with which seed to begin, a third one how many milliseconds each may take (2000). Ends with
//! status 1 on a disagreement.

#![allow(clippy::print_stdout, reason = "a program that reports")]

#[path = "../tests/engine/random_programs/calls.rs"]
mod calls;
#[path = "../tests/shared/random.rs"]
mod random;

use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|one| one.parse().ok()).collect();
    let number = |position: usize, otherwise: u64| numbers.get(position).copied().unwrap_or(otherwise);
    let (count, first, milliseconds) = (number(0, 1_000), number(1, 0), number(2, 2_000));
    let (mut errors, mut recurring, mut safe, mut unsafe_, mut open, mut wrong) = (0, 0, 0, 0, 0, 0);
    for seed in first..first + count {
        match calls::compare(seed, Duration::from_millis(milliseconds)) {
            Ok((has_error, recurs, verdict)) => {
                errors += u64::from(has_error);
                recurring += u64::from(recurs);
                match verdict {
                    Some(true) => safe += 1,
                    Some(false) => unsafe_ += 1,
                    None => {
                        open += 1;
                        println!("seed {seed} is open");
                    }
                }
            }
            Err(why) => {
                wrong += 1;
                println!("{why}");
            }
        }
    }
    println!(
        "{count} programs, {recurring} that recur through calls, {errors} with errors: {safe} safe, {unsafe_} unsafe, {open} open, {wrong} wrong"
    );
    ExitCode::from(u8::from(wrong > 0))
}
