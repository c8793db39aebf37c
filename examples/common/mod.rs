//! How the examples that compare two things end.

use std::process::ExitCode;

/// Says how many disagreements there were, and fails if there were any.
pub fn conclude(disagreements: u64) -> ExitCode {
    println!("disagreements: {disagreements}");
    match disagreements {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
