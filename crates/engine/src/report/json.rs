//! The outcome for machines: the object that `--json` prints. Its keys keep their order.

use super::wording;
use crate::engine::{Outcome, Statistics, Verdict};
use crate::evidence::{SavedError, save_certificate, save_derivation};
use crate::rules::Program;
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    verdict: &'static str,
    reason: Option<String>,
    statistics: &'a Statistics,
    invariants: Vec<Invariant<'a>>,
    certificate: Option<serde_json::Value>,
    derivation: Option<serde_json::Value>,
}

#[derive(Serialize)]
struct Invariant<'a> {
    predicate: String,
    line: Option<u32>,
    formula: &'a str,
    locked: &'a [String],
}

/// An outcome as one line of JSON: `file`, `verdict` (`safe`, `unsafe` or `unknown`), `reason` (unless there is a verdict),
/// `statistics`, `invariants` of the loops, `certificate` (if safe), `derivation` (if unsafe); what does not apply is null.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::engine::{Outcome, Statistics, StopReason, Verdict};
/// let outcome = Outcome {
///     verdict: Verdict::Unknown(StopReason::Time),
///     statistics: Statistics::default(),
///     invariants: Vec::new(),
///     tree: None,
/// };
/// let text = clausal::report::json("goal.clp", &clausal::rules::Program::new(), &outcome);
/// assert!(text.starts_with(r#"{"file":"goal.clp","verdict":"unknown","reason":"the time is up","#));
/// ```
pub fn json(file: &str, program: &Program, outcome: &Outcome) -> String {
    let (certificate, derivation) = evidence(program, outcome);
    let invariants = outcome.invariants.iter().map(|invariant| Invariant {
        predicate: program.predicate_label(invariant.predicate),
        line: wording::predicate_line(program, invariant.predicate),
        formula: &invariant.formula,
        locked: &invariant.locked,
    });
    let report = Report {
        file,
        verdict: wording::verdict_word(&outcome.verdict),
        reason: match &outcome.verdict {
            Verdict::Unknown(reason) => Some(reason.to_string()),
            _ => None,
        },
        statistics: &outcome.statistics,
        invariants: invariants.collect(),
        certificate,
        derivation,
    };
    // Only maps with keys that are not text cannot be written, and there are none.
    serde_json::to_string(&report).unwrap_or_default()
}

/// Certificate and derivation, whichever there is, in the form in which they are saved. Evidence that does not fit the
/// program is left out; only an engine that was told not to check it can have made it.
fn evidence(program: &Program, outcome: &Outcome) -> (Option<serde_json::Value>, Option<serde_json::Value>) {
    let parsed = |saved: Result<String, SavedError>| serde_json::from_str(&saved.ok()?).ok();
    match &outcome.verdict {
        Verdict::Safe(certificate) => (parsed(save_certificate(program, certificate)), None),
        Verdict::Unsafe(derivation) => (None, parsed(save_derivation(program, derivation))),
        Verdict::Unknown(_) => (None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn a_safe_and_an_unsafe_report() {
        let (program, outcome) = samples::safe();
        let (unsafe_program, unsafe_outcome) = samples::counting_to(1);
        let reports = [
            json("dir/\"safe\".clp", &program, &outcome),
            json("unsafe.clp", &unsafe_program, &unsafe_outcome),
        ];
        samples::assert_snapshot("json", reports.join("\n"));
    }
}
