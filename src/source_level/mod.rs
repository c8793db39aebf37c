//! Source level: from the text of a C program to a verdict in C's terms.
//!
//! [`verify_c`] translates, verifies and confirms. What it returns speaks of rules; [`path_of`] and [`invariants_of`] say the
//! same about lines and C variables, [`findings`] and [`json()`] as text, and `harness` writes a C program that
//! fails by itself:
//!
//! ```text
//! text ──translate──► rules that go on at undefined behaviour ──verify──► SAFE: done
//!                                                                │
//!                                                              UNSAFE: the same inputs, run on
//! text ──translate──► rules that end at undefined behaviour ◄────┘       (execution)
//!                       │ the error is reached: UNSAFE
//!                       └ it is not: verify these rules ──► the verdict
//! ```
//!
//! The first rules are simpler (no guards) and have all runs that the program has, so their SAFE is final; the second ones
//! have exactly its runs. This is the only part of the crate that knows both a front end and the engine.

mod admission;
mod allocations;
mod c_formula;
mod c_hints;
mod c_meaning;
mod confirm;
mod coverage;
mod earlier_calls;
mod explore;
mod findings;
mod harness;
mod invariants;
mod json;
mod names;
mod objections;
mod order;
mod path;
mod places;
mod property;
mod readings;
mod smaller;
mod target;
mod verification;
mod verify;
mod witness;
mod wording;

pub use allocations::are_open as allocations_are_open;
pub use c_hints::{Claim, Numbers, c_hints, claims_in_comments, claims_in_text};
pub use confirm::{ReadValue, follow, inputs_of, values_read};
pub use coverage::{CoveringRun, covering_harnesses, covering_runs};
pub use explore::{CExploration, exploration_findings, exploration_harness, exploration_json, explore_c};
pub use findings::{findings, premises_line};
pub use harness::{HarnessError, REACHED, harness};
pub use invariants::{InvariantKind, SourceInvariant, invariants_of};
pub use json::json;
pub use objections::{objection_to_error, objection_to_failure, objection_to_proof, objection_to_run};
pub use path::{PathEvent, PathLine, path_of};
pub use places::{Places, SourceLine};
pub use property::{Files, Property, Task, TaskOptions, TaskProperty, read_property, read_task};
pub use target::{TARGET_FUNCTION, with_target};
pub use verification::{Method, Verification};
pub use verify::{verify_c, verify_c_by};
pub use witness::{
    ERROR_IS_NOT_REACHED, RecordedInput, RecordedPlace, RecordedRun, WitnessInvariant, WitnessTask,
    correctness_witness, read_correctness_witness, read_violation_witness, violation_witness, witness,
};
pub use wording::SourceWording;
