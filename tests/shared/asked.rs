//! Random rules as a text, and what all methods in turns say of them.

use clausal::clp;
use clausal::engine::{Options, StopReason, Verdict};
use clausal::rules::Program;
use std::time::Duration;

/// The program, and whether it is safe, if that is said within so much time.
///
/// # Errors
///
/// A text for people: the program is not read, or evidence for what is said of it is refused.
pub fn asked(seed: u64, text: &str, time: Duration) -> Result<(Program, Option<bool>), String> {
    let reading = clp::read_with_calls(text);
    let Some(program) = reading.product else {
        let remarks = clausal::diagnostics::render(&reading.diagnostics, "random.clp", text);
        return Err(format!("seed {seed}: {remarks}"));
    };
    let mut options = Options::default();
    options.budget.time = Some(time);
    match clausal::turns::verify(&program, &options).verdict {
        Verdict::Safe(_) => Ok((program, Some(true))),
        Verdict::Unsafe(_) => Ok((program, Some(false))),
        Verdict::Unknown(StopReason::EvidenceRejected(why)) => {
            Err(format!("seed {seed}: evidence is refused: {why}\n{text}"))
        }
        Verdict::Unknown(_) => Ok((program, None)),
    }
}
