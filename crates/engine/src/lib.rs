//! The engine of Clausal: what proves programs of rules safe or finds how they fail, and what checks it.
//!
//! ARCHITECTURE.md has the map. The crate `clausal` gives these modules out again, with C and the command.

// No input may end the process. In tests these are how a test fails.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented
    )
)]

pub use clausal_rules::{clp, diagnostics, horn, rules, terms};
use clausal_rules::{deep_stack, graphs, random};

mod affine;
pub mod assistance;
pub mod cells;
pub mod compress;
pub mod defined;
pub mod engine;
pub mod enumeration;
pub mod evidence;
pub mod execution;
pub mod explore;
mod filtering;
mod float_bounds;
pub mod functions;
pub mod hints;
pub mod independence;
pub mod infer;
pub mod inferred;
pub mod leaps;
mod locations;
pub mod measures;
pub mod phases;
mod polynomials;
mod records;
pub mod recursion;
pub mod relations;
pub mod report;
mod sampling;
pub mod solver;
mod steps;
#[cfg(test)]
mod test_support;
pub mod turns;
mod unbounded;
