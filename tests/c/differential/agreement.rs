//! Compares what a C program does when gcc has compiled it with what its rules do.

use super::inputs::OPAQUE;
use super::reference::{self, End, Run};
use super::translated::{Keys, Rules};
use clausal::c::options::Options;

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
    let runs = reference::run(programs, seeds)?;
    let compared = programs.iter().zip(runs);
    Ok(compared
        .map(|(text, runs)| compare_one(&plain(text), runs, seeds))
        .collect())
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
