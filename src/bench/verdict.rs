//! What a command says of a program, read off what it prints and how it ends.

use super::process::End;
use serde::{Deserialize, Serialize};

/// What came of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The property is said to hold.
    True,
    /// The property is said to be violated.
    False,
    /// Neither is said, and the command ended by itself.
    Unknown,
    /// The time was up.
    Timeout,
    /// It held more memory than it may.
    Memory,
    /// It crashed, was refused, or could not be started.
    Error,
}

impl Status {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Status::True => "true",
            Status::False => "false",
            Status::Unknown => "unknown",
            Status::Timeout => "timeout",
            Status::Memory => "memory",
            Status::Error => "error",
        }
    }

    /// The verdict, if it is one.
    pub fn verdict(self) -> Option<bool> {
        match self {
            Status::True => Some(true),
            Status::False => Some(false),
            _ => None,
        }
    }
}

/// The exit code by which programs say that they are at fault themselves (`EX_SOFTWARE`).
const INTERNAL_ERROR: i32 = 70;

/// Judges a run; what is said beside the status is for people.
pub fn judge(end: &End, output: &str, complaints: &str) -> (Status, String) {
    let last_complaint = || {
        let mut lines = complaints.lines().map(str::trim).filter(|line| !line.is_empty());
        let mut errors = lines.clone().filter(|line| line.starts_with("error"));
        errors
            .next()
            .or_else(|| lines.next_back())
            .unwrap_or_default()
            .to_string()
    };
    match end {
        End::Time => (Status::Timeout, String::new()),
        End::Memory => (Status::Memory, String::new()),
        End::Stopped => (Status::Error, "stopped".to_string()),
        End::NotStarted(why) => (Status::Error, why.clone()),
        End::Signal(signal) => (Status::Error, format!("ended by signal {signal}")),
        End::Exit(INTERNAL_ERROR) => (
            Status::Error,
            format!("internal error (exit code 70): {}", last_complaint()),
        ),
        End::Exit(code) => match (output.lines().find_map(said), code) {
            (Some((status, detail)), _) => (status, detail),
            (None, 0) => (Status::Unknown, String::new()),
            (None, code) => (Status::Error, format!("exit code {code}: {}", last_complaint())),
        },
    }
}

/// A line that is a verdict, in the words of usual verifiers and solvers of Horn clauses.
fn said(line: &str) -> Option<(Status, String)> {
    let line = line.trim();
    let word = line.split([' ', ':', '(']).next()?;
    let rest = line.get(word.len()..)?.trim_start_matches([':', ' ']);
    let status = match word {
        "SAFE" | "sat" | "true" | "TRUE" => Status::True,
        "UNSAFE" | "unsat" | "false" | "FALSE" => Status::False,
        "UNKNOWN" | "unknown" => Status::Unknown,
        "VERIFICATION" if rest == "SUCCESSFUL" => return Some((Status::True, String::new())),
        "VERIFICATION" if rest == "FAILED" => return Some((Status::False, String::new())),
        "VERIFICATION" if rest == "UNKNOWN" => return Some((Status::Unknown, String::new())),
        _ => return None,
    };
    let is_detail = rest.starts_with('(') || status == Status::Unknown;
    // A sentence that begins with such a word is no verdict.
    (rest.is_empty() || is_detail).then(|| (status, rest.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_usual_tools_are_verdicts() {
        for (output, status) in [
            ("SAFE\n", Status::True),
            ("unsat\n(model)\n", Status::False),
            ("Starting\nfalse(unreach-call)\n", Status::False),
            ("UNKNOWN: the time is up\n", Status::Unknown),
            ("** Results\nVERIFICATION FAILED\n", Status::False),
            ("true story\n", Status::Unknown),
            ("", Status::Unknown),
        ] {
            assert_eq!(judge(&End::Exit(0), output, "").0, status, "{output}");
        }
    }

    #[test]
    fn a_run_that_was_killed_says_nothing_whatever_it_printed() {
        assert_eq!(judge(&End::Time, "SAFE\n", "").0, Status::Timeout);
        assert_eq!(judge(&End::Signal(11), "SAFE\n", "").0, Status::Error);
        assert_eq!(judge(&End::Exit(70), "UNKNOWN\n", "").0, Status::Error);
        let refused = judge(
            &End::Exit(1),
            "",
            "warning: x\nerror: `asm` is not translated\n  more\n",
        );
        assert_eq!(
            refused,
            (Status::Error, "exit code 1: error: `asm` is not translated".to_string())
        );
    }
}
