//! Compares what a C program does when gcc has compiled it with what its rules do.

use super::inputs::OPAQUE;
use super::reference::{self, End, Run, Traps};
use super::translated::{Keys, Rules};
use clausal::c::options::{Checks, Options};

/// How a comparison went.
pub enum Outcome {
    /// Both do the same, in each of these runs.
    Agree(Vec<Run>),
    /// The program is refused, for this reason.
    Refused(String),
    /// They differ; what each does.
    Differ(String),
}

/// Compares programs, each with the inputs of each seed.
///
/// # Errors
///
/// What gcc says of a program that it does not accept.
pub fn compare(programs: &[String], seeds: &[u64]) -> Result<Vec<Outcome>, String> {
    let runs = reference::run(programs, seeds, Traps::WithoutMeaning)?;
    let compared = programs.iter().zip(runs);
    Ok(compared
        .map(|(text, runs)| compare_one(&plain(text), runs, seeds))
        .collect())
}

/// Compares programs whose undefined operations are errors, each with the inputs of each seed: where the compiled program
/// traps, the rules have an error, whatever slicing leaves out.
///
/// # Errors
///
/// What gcc says of a program that it does not accept.
#[allow(dead_code, reason = "not every user asks for it")]
pub fn compare_checked(programs: &[String], seeds: &[u64]) -> Result<Vec<Outcome>, String> {
    let checks = Checks {
        overflow: true,
        division_by_zero: true,
        shifts: true,
        conversions: true,
        ..Checks::NONE
    };
    checked(programs, seeds, Traps::All, checks)
}

/// Compares programs in which it is an error to miss an object, or to access one that is no more.
///
/// # Errors
///
/// What gcc says of a program that it does not accept.
#[allow(dead_code, reason = "not every user asks for it")]
pub fn compare_accesses(programs: &[String], seeds: &[u64]) -> Result<Vec<Outcome>, String> {
    checked(programs, seeds, Traps::Memory, Checks::MEMORY)
}

fn checked(programs: &[String], seeds: &[u64], traps: Traps, checks: Checks) -> Result<Vec<Outcome>, String> {
    let runs = reference::run(programs, seeds, traps)?;
    let compared = programs.iter().zip(runs);
    Ok(compared
        .map(|(text, runs)| check_one(&plain(text), runs, seeds, checks))
        .collect())
}

fn check_one(text: &str, runs: Vec<Run>, seeds: &[u64], checks: Checks) -> Outcome {
    for keep_prints in [true, false] {
        let rules = match Rules::checked(text, checks, keep_prints) {
            Ok(rules) => rules,
            Err(why) => return Outcome::Refused(why),
        };
        for (expected, seed) in runs.iter().zip(seeds) {
            let found = rules.run(*seed);
            let end = match expected.end {
                End::Undefined => End::Error,
                end => end,
            };
            let agrees = found
                .as_ref()
                .is_ok_and(|found| found.end == end && (!keep_prints || found.printed == expected.printed));
            if end != End::Timeout && !agrees {
                return Outcome::Differ(format!(
                    "inputs {seed}, checked, prints {}\ncompiled: {}\nrules:    {}",
                    if keep_prints { "kept" } else { "left out" },
                    shown(expected),
                    found.as_ref().map_or_else(String::clone, shown)
                ));
            }
        }
    }
    Outcome::Agree(runs)
}

/// The text of a generated program, without what only the reference needs.
pub fn plain(text: &str) -> String {
    text.replace(OPAQUE, "")
}

fn compare_one(text: &str, runs: Vec<Run>, seeds: &[u64]) -> Outcome {
    // As few calls as possible are replaced by copies the last time.
    let copies = Options::default().copies;
    for (slice, copies) in [(false, copies), (true, copies), (false, 0)] {
        let rules = match Rules::new(text, slice, copies, Keys::Lines) {
            Ok(rules) => rules,
            Err(why) => return Outcome::Refused(why),
        };
        for (expected, seed) in runs.iter().zip(seeds) {
            let found = rules.run(*seed);
            if !agrees(expected, &found, slice) {
                let sliced = if slice { ", sliced" } else { "" };
                let called = if copies == 0 { ", with calls" } else { "" };
                return Outcome::Differ(format!(
                    "inputs {seed}{sliced}{called}\ncompiled: {}\nrules:    {}",
                    shown(expected),
                    found.as_ref().map_or_else(String::clone, shown)
                ));
            }
        }
    }
    Outcome::Agree(runs)
}

/// Whether the rules did what the compiled program did.
///
/// Slicing leaves out what has no influence on what is printed and on the error, undefined behaviour in it included. So where
/// the compiled program has come to something that C does not define, and only there, sliced rules may go on: what was
/// printed before is the same, and from there on C allows anything.
fn agrees(expected: &Run, found: &Result<Run, String>, sliced: bool) -> bool {
    let Ok(found) = found else {
        return false;
    };
    match expected.end {
        End::Timeout => true,
        End::Undefined if sliced => found.printed.starts_with(&expected.printed),
        // For the rules, what has no defined behaviour ends the run, as any other end does.
        End::Undefined => found.end == End::Ended && found.printed == expected.printed,
        _ => found.end == expected.end && found.printed == expected.printed,
    }
}

/// A run on one line.
pub fn shown(run: &Run) -> String {
    let values: Vec<String> = run.printed.iter().map(i64::to_string).collect();
    format!("{:?} after {}", run.end, values.join(" "))
}
