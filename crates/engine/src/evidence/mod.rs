//! Evidence: what a verdict carries so that something else can check it.
//!
//! A [`Certificate`] is a proof of safety by induction over one step or several: [`check_certificate`] re-proves it in a fresh
//! solver, and [`obligations_smtlib`] writes what is to be proved for any other solver. A [`Derivation`] is a concrete run
//! into the error: [`replay`] evaluates it step by step, without a solver; one is asked only where turns of a loop are not written down.
//! Both can be saved as JSON and read again.
//!
//! Nothing in this folder knows the engine: the checkers share only the terms, the rules and the Z3 layer with it.

mod by_values;
mod certificate;
mod check;
mod conditions;
mod congruence;
mod definitions;
mod describe;
mod divisions;
#[cfg(test)]
mod functions_tests;
mod instances;
#[cfg(test)]
mod k_induction_tests;
mod lemmas;
mod obligations;
mod points;
mod products;
mod read_off;
mod repetitions;
mod replay;
mod saved;
mod symbolic;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod universal_tests;
mod well_formed;

pub use crate::rules::{Derivation, Repetition, Step};
pub use certificate::{Certificate, Invariant, Lemma};
pub use check::{CheckError, CheckLimits, CheckReport, ProofStep, check_certificate};
pub(crate) use check::{StepFault, faults_of};
pub(crate) use definitions::{can_be_quoted, of_function as termination};
pub(crate) use lemmas::{Depth, Known, Obligation, consequences, obligations as lemma_obligations};
pub use obligations::obligations_smtlib;
pub use replay::replay_until;
pub use replay::{ReplayError, ReplayFault, replay};
pub(crate) use saved::{EarlierEvidence, EarlierInvariant, Successor, read_formula};
pub use saved::{Evidence, SavedError, SavedEvidence, fingerprint, read_evidence, save_certificate, save_derivation};
pub use symbolic::{ForAll, Inclusion, Successors, SymbolicState, SymbolicStep};
