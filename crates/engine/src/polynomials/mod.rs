//! Polynomials with rational coefficients, and those that vanish on states: what `infer` guesses with, and linear ones alone `cells`.
//!
//! ```text
//! polynomial   sums of products of numbered variables
//! modular      arithmetic modulo large primes, and the way back to fractions
//! vanishing    all equations up to a degree that states agree with (seed 001, algorithm 1), computed modulo primes
//! ```
//!
//! They know terms, and neither rules nor who asks.

mod modular;
mod polynomial;
mod vanishing;

pub use polynomial::{Indeterminates, Monomial, Polynomial};
pub use vanishing::State;
pub(crate) use vanishing::{Extent, linear_equations, vanishing};
