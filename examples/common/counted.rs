//! Any number of random programs, and what is said of them.

use std::process::ExitCode;
use std::time::Duration;

/// What was found out about a program, in words of one's own, and whether it is said to be safe, if anything is said.
pub type Compared = Result<(Vec<&'static str>, Option<bool>), String>;

/// Compares what is said of each program with what it is, and prints how often it was what. From the command line come how many programs,
/// with which seed to begin, and how many milliseconds each may take. `compare` is asked about the program of a seed. Ends with status 1 on a disagreement.
pub fn counted(milliseconds: u64, compare: &dyn Fn(u64, Duration) -> Compared) -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|one| one.parse().ok()).collect();
    let number = |position: usize, otherwise: u64| numbers.get(position).copied().unwrap_or(otherwise);
    let (count, first, milliseconds) = (number(0, 1_000), number(1, 0), number(2, milliseconds));
    let mut kinds: Vec<(&str, u64)> = Vec::new();
    let (mut safe, mut unsafe_, mut open, mut wrong) = (0, 0, 0, 0);
    for seed in first..first + count {
        match compare(seed, Duration::from_millis(milliseconds)) {
            Ok((found, verdict)) => {
                for kind in found {
                    match kinds.iter_mut().find(|(name, _)| *name == kind) {
                        Some((_, number)) => *number += 1,
                        None => kinds.push((kind, 1)),
                    }
                }
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
    kinds.sort_unstable();
    let kinds: Vec<String> = kinds.iter().map(|(name, number)| format!("{number} {name}")).collect();
    println!(
        "{count} programs ({}): {safe} safe, {unsafe_} unsafe, {open} open, {wrong} wrong",
        kinds.join(", ")
    );
    ExitCode::from(u8::from(wrong > 0))
}
