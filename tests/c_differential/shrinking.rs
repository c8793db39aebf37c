//! Makes a program on which gcc and the rules differ smaller: by lines, and by blocks with all that is in them.

use crate::agreement::{Outcome, compare};

/// How many texts are tried.
const MOST_TRIALS: usize = 1_500;

/// A text that they still differ on, with fewer lines.
pub fn shrunk(text: &str, seeds: &[u64]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let mut trials = 0;
    loop {
        let before = lines.len();
        let mut at = lines.len();
        while at > 0 && trials < MOST_TRIALS {
            at -= 1;
            for shorter in without(&lines, at) {
                trials += 1;
                if differs(&shorter.join("\n"), seeds) {
                    lines = shorter;
                    at = at.min(lines.len());
                    break;
                }
            }
        }
        if lines.len() == before || trials >= MOST_TRIALS {
            return lines.join("\n") + "\n";
        }
    }
}

/// The lines without the one at the position, with and without what is in its block.
fn without(lines: &[String], at: usize) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let indentation = |line: &String| line.len() - line.trim_start().len();
    if lines[at].ends_with('{') {
        let end = (at + 1..lines.len()).find(|end| indentation(&lines[*end]) <= indentation(&lines[at]));
        if let Some(end) = end {
            found.push([&lines[..at], &lines[end + 1..]].concat());
            found.push([&lines[..at], &lines[at + 1..end], &lines[end + 1..]].concat());
        }
    } else {
        found.push([&lines[..at], &lines[at + 1..]].concat());
    }
    found
}

fn differs(text: &str, seeds: &[u64]) -> bool {
    let outcomes = compare(&[text.to_string()], seeds);
    matches!(outcomes.as_deref(), Ok([Outcome::Differ(_)]))
}
