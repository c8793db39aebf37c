//! Tests of Horn clauses in SMT-LIB: what is read, refused and printed, and verdicts over all sorts.

mod corpus;
mod properties;
mod quantifiers;
mod reading;
mod rejections;
#[path = "../shared/solvers.rs"]
mod solvers;
mod sorts;
#[path = "../shared/together.rs"]
mod together;
