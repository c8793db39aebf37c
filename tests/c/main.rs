//! Tests of C: what is read and refused, what it becomes as rules, and that answers are what compiled programs do.

mod addresses;
mod allocations;
mod answers;
mod bytes;
mod calls;
mod checks;
mod compiler;
mod constructs;
mod conversions;
mod corpus;
mod differential;
mod earlier_calls;
mod effects;
mod floats;
mod library;
mod limits;
mod lists;
mod long;
mod made_of_numbers;
mod memory;
mod nested_functions;
mod orders;
mod programs;
mod questions;
#[path = "../shared/random.rs"]
mod random;
mod reached;
mod recursion;
mod reject;
mod spellings;
mod symbols;
mod tagged_unions;
mod translation;
mod unseen;
mod words;
mod wrapping;
