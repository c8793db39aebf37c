//! Tests of what decides: the examples of the seeds, limits, evidence, and random programs beside running them.

mod arrays;
#[path = "../shared/asked.rs"]
mod asked;
mod compress;
mod derivations;
mod evidence_mutations;
mod evidence_support;
mod explore;
mod limits;
mod linear_layer;
#[path = "../shared/random.rs"]
mod random;
mod random_programs;
mod seed_programs;
#[path = "../shared/solvers.rs"]
mod solvers;
mod strategies;
mod symbolic_states;
#[path = "../shared/together.rs"]
mod together;
