//! What everything in Clausal is about, and how people and other tools write it down:
//!
//! ```text
//! terms         numbers, truth values, words, floats, arrays and datatypes: built, evaluated, written
//! rules         programs of rules over them, checked, and made into others (linear ones, ones with a stack)
//! clp, horn     the two languages in which rules are read and printed
//! quantifiers   formulas without a quantifier that mean the same as one with it
//! diagnostics   what is wrong with a text, and where
//! graphs, deep_stack, random   graphs in order of calls, deep recursion, and numbers that stay the same
//! ```
//!
//! This crate knows neither solver nor engine; the crate `clausal` has them, and gives its modules out again.

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

pub mod clp;
pub mod deep_stack;
pub mod diagnostics;
pub mod graphs;
pub mod horn;
pub mod quantifiers;
pub mod random;
pub mod rules;
pub mod terms;
