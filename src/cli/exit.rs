//! Exit codes.

use clausal::engine::{Outcome, StopReason, Verdict};
use std::process::ExitCode;

/// How the process ends. Where several things were done, the worst counts; later ones in this list are worse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// Everything is proved safe, or done.
    Success,
    /// There is no verdict.
    Unknown,
    /// An error was found.
    Unsafe,
    /// Something in the program cannot be treated.
    Refused,
    /// The input or the usage is wrong, or a file cannot be read or written.
    BadInput,
    /// Clausal itself is at fault.
    InternalError,
}

impl Exit {
    /// The code for an outcome.
    pub fn of(outcome: &Outcome) -> Exit {
        match &outcome.verdict {
            Verdict::Safe(_) => Exit::Success,
            Verdict::Unsafe(_) => Exit::Unsafe,
            Verdict::Unknown(reason) => Exit::stopped(reason),
        }
    }

    /// The code for what was stopped.
    pub fn stopped(reason: &StopReason) -> Exit {
        match reason {
            StopReason::EvidenceRejected(_) | StopReason::Internal(_) => Exit::InternalError,
            _ => Exit::Unknown,
        }
    }

    fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Refused => 1,
            Exit::BadInput => 2,
            Exit::Unsafe => 10,
            Exit::Unknown => 20,
            Exit::InternalError => 70,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clausal::engine::Statistics;

    #[test]
    fn rejected_evidence_is_an_internal_error_and_the_worst_of_all() {
        let stopped = |reason| Outcome {
            verdict: Verdict::Unknown(reason),
            statistics: Statistics::default(),
            invariants: Vec::new(),
            tree: None,
        };
        let rejected = Exit::of(&stopped(StopReason::EvidenceRejected("rule 1".to_string())));
        assert_eq!(rejected.code(), 70);
        assert_eq!(Exit::of(&stopped(StopReason::Time)).code(), 20);
        let ordered = [
            Exit::Success,
            Exit::Unknown,
            Exit::Unsafe,
            Exit::Refused,
            Exit::BadInput,
            rejected,
        ];
        assert!(ordered.is_sorted());
    }
}
