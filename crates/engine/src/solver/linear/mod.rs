//! The linear layer: an exact decision procedure for linear constraints over integers and reals.
//!
//! Terms become literals and columns ([`encode`]); the procedure ([`search`]) lets Boolean reasoning ([`boolean`],
//! [`justify`]) and a tableau ([`simplex`]) decide together, after Dutertre and de Moura. What is assumed is only ever
//! decided, never asserted for good, so rows, clauses and the last assignment outlive the scopes they were made in. Integers
//! are split when the rationals do not suffice ([`integers`]). The layer gives up at limits that are counts, and where terms
//! are not linear unless what is linear settles the matter.

mod boolean;
mod encode;
mod farkas;
mod formulas;
mod integers;
mod justify;
mod layer;
mod model;
mod number;
mod search;
mod simplex;
mod tableau;

pub use farkas::{FarkasTerm, Refutation, is_contradiction, refute};
pub use layer::LinearLayer;
pub use search::Limits;
