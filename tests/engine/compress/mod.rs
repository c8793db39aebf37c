//! Tests of trace compression: the worked examples of seed 000, the proofs, and properties over random programs.

mod examples;
mod proofs;
mod properties;
mod support;
