//! Clausal: an embedded constraint-logic-programming engine that proves programs safe or shows how they fail.

pub mod clp;
pub mod diagnostics;
pub mod engine;
pub mod evidence;
pub mod horn;
pub mod report;
pub mod rules;
pub mod solver;
pub mod terms;

/// The README's example is tested with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
