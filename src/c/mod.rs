//! C: programs become rules, exactly. The data goes one way:
//!
//! ```text
//! text ──lexer, parser──► syntax ──semantics──► program ──inline, memory──► flat ──slicing, ranges──► emit ──► rules
//!                         (tree)                (typed control flow)        (one graph, numbers)               + source map
//! ```
//!
//! [`translate`] does all of it. [`options::Options`] are the choices that C leaves open. What cannot be translated exactly
//! is refused with its place, unless it has been sliced away because it cannot affect the property.

mod lexer;

pub mod options;
pub mod parser;
pub mod source_map;

pub mod flat;
mod flat_text;
mod inline;
mod memory;
mod points_to;
pub mod program;
pub mod syntax;
pub mod types;

pub use memory::flatten;
