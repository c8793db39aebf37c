//! Evidence: what a verdict carries so that something else can check it (DESIGN.md, section 5).
//!
//! A [`Certificate`] is an inductive proof of safety; a [`Derivation`] is a concrete run into the error. Nothing in this
//! folder knows the engine: the checker shares only the terms, the rules and the solver seam with it.

mod certificate;
mod derivation;

pub use certificate::{Certificate, Invariant};
pub use derivation::{Derivation, Step};
