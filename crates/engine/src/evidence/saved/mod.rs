//! Evidence as JSON, to be checked again later or elsewhere.
//!
//! A saved certificate lists the invariants, formulas as SMT-LIB text over named parameters; a saved derivation lists rules
//! and values. Both name the program by a fingerprint. The document is read against a program and believed in nothing:
//! whether it proves anything is for [`check_certificate`](super::check_certificate) and [`replay`](super::replay) to say.
//! Rules are counted from 1, predicates are found by label and number of parameters, parameters and variables by their
//! position; names are for people. A proof by k-induction has an `induction_depth` beside its invariants; a closed tree of symbolic
//! states has these in their place. `docs/evidence.md` says all of it.
//!
//! ```json
//! {
//!   "kind": "certificate",
//!   "program": {"fingerprint": "fnv1a64:07b9…", "predicates": 3, "rules": 3},
//!   "invariants": [
//!     {"predicate": "p", "parameters": [{"name": "X", "sort": "Int"}], "disjuncts": [["(>= X 0)"]]}
//!   ]
//! }
//! {
//!   "kind": "derivation",
//!   "program": {"fingerprint": "fnv1a64:07b9…", "predicates": 3, "rules": 3},
//!   "steps": [{"rule": 1, "head": "query", "values": [["X", "-1"], ["A", {"default": "0", "elements": [["2", "7"]]}]]}]
//! }
//! ```

mod certificate;
mod derivation;
mod earlier;
mod expression;
mod fingerprint;
mod floats;
mod formula;
mod functions;
mod json;
mod lemmas;
mod operators;
mod symbolic;
#[cfg(test)]
mod tests;
mod values;

pub use certificate::save_certificate;
pub use derivation::save_derivation;
pub(crate) use earlier::{EarlierEvidence, EarlierInvariant, Successor, read_formula};
pub use fingerprint::fingerprint;

use super::{Certificate, Derivation};
use crate::rules::Program;
use json::Place;
use serde::Serialize;
use std::fmt;

/// Why evidence cannot be saved or read: where in the document, and what is wrong there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedError {
    /// The place, like `invariants[0].disjuncts[1][2]`; empty for the document as a whole.
    pub path: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for SavedError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            write!(out, "{}", self.message)
        } else {
            write!(out, "{}: {}", self.path, self.message)
        }
    }
}

impl std::error::Error for SavedError {}

/// Evidence of either kind.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for a whole document")]
pub enum Evidence {
    /// A proof of safety.
    Certificate(Certificate),
    /// A run into the error.
    Derivation(Derivation),
}

/// What was read.
#[derive(Clone, Debug)]
pub struct SavedEvidence {
    /// The evidence.
    pub evidence: Evidence,
    /// Whether the document names this very program. If not, the evidence may still be good, but a failure to check says
    /// little.
    pub same_program: bool,
}

/// How a document names its program.
#[derive(Serialize)]
struct ProgramSummary {
    fingerprint: String,
    predicates: usize,
    rules: usize,
}

impl ProgramSummary {
    fn of(program: &Program) -> ProgramSummary {
        ProgramSummary {
            fingerprint: fingerprint(program),
            predicates: program.predicates().len(),
            rules: program.rules().len(),
        }
    }
}

/// Reads saved evidence about a program. It is not checked here.
///
/// # Errors
///
/// The first place where the document is not what [`save_certificate`] or [`save_derivation`] writes, or does not fit the
/// program.
pub fn read_evidence(program: &Program, text: &str) -> Result<SavedEvidence, SavedError> {
    program
        .validate()
        .map_err(|why| whole(format!("the program is malformed: {why}")))?;
    let document: serde_json::Value =
        serde_json::from_str(text).map_err(|error| whole(format!("this is not JSON: {error}")))?;
    let root = Place::root(&document);
    let evidence = evidence_of(program, &root)?;
    let same_program = fingerprint_of(&root)? == fingerprint(program);
    Ok(SavedEvidence { evidence, same_program })
}

/// The evidence of a document about a well-formed program.
fn evidence_of(program: &Program, root: &Place<'_>) -> Result<Evidence, SavedError> {
    let kind = root.field("kind")?;
    match kind.text()? {
        "certificate" => Ok(Evidence::Certificate(certificate::read(program, root)?)),
        "derivation" => Ok(Evidence::Derivation(derivation::read(program, root)?)),
        _ => Err(kind.error("expected \"certificate\" or \"derivation\"")),
    }
}

/// How a document names its program.
fn fingerprint_of(root: &Place<'_>) -> Result<String, SavedError> {
    let summary = root.field("program")?;
    let fingerprint = summary.field("fingerprint")?;
    Ok(fingerprint.text()?.to_string())
}

/// An error about the document as a whole.
fn whole(message: String) -> SavedError {
    SavedError {
        path: String::new(),
        message,
    }
}

/// A document as text, with a line break at its end.
fn to_text(document: &impl Serialize) -> Result<String, SavedError> {
    let mut text = serde_json::to_string_pretty(document).map_err(|error| whole(error.to_string()))?;
    text.push('\n');
    Ok(text)
}
