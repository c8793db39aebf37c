//! C: programs become rules, exactly. The data goes one way:
//!
//! ```text
//! text ──lexer, parser──► syntax ──semantics──► program ──inline, memory──► flat ──slicing, ranges──► emit ──► rules
//!                         (tree)                (typed control flow)        (one graph, numbers)               + source map
//! ```
//!
//! Beside slicing, `simplify`, `assigned_anyway` and `threading` make the graph smaller.
//!
//! [`translate`] does all of it. [`options::Options`] are the choices that C leaves open. What cannot be translated exactly
//! is refused with its place, unless it has been sliced away because it cannot affect the property.

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

use clausal_rules::{deep_stack, diagnostics, graphs, rules, terms};

pub mod flat;
pub mod lines;
pub mod options;
pub mod orders;
pub mod parser;
pub mod program;
pub mod semantics;
pub mod source_map;
pub mod syntax;
pub mod types;
mod visit;

mod arithmetic;
mod assigned_anyway;
mod compiler_flags;
mod definedness;
mod emit;
mod flat_text;
mod flow;
mod inline;
mod integer_literals;
mod lexer;
mod library;
mod liveness;
mod loops;
mod memory;
mod other_files;
mod passing;
mod points_to;
mod procedures;
mod program_text;
mod ranges;
mod simplify;
mod slicing;
mod stacking;
mod tail_calls;
mod threading;
mod tokens;
mod translate;
mod unchecked;

pub use integer_literals::{LiteralError, integer_literal};
pub use lexer::compiler_names;
pub use lexer::token_ranges;
pub use library::has as library_has;
pub use lines::with_joined_lines;
pub use memory::flatten;
use memory::flatten_as_bytes;
pub use semantics::{is_of_mathematics, is_stream};
pub use translate::translate;

use crate::diagnostics::Diagnostic;
use crate::rules::{Location, Program, RuleId};
use flat::{FlatProgram, Note};
use options::Options;
use program::ErrorKind;
use source_map::{SourceMap, StepKind};

/// What C has become.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The rules.
    pub program: Program,
    /// What they say about the C.
    pub map: SourceMap,
    /// Where something was not translated exactly, on request. If there is anything, errors found may not be real.
    pub approximations: Vec<Note>,
    /// What is not translated and was not sliced away, where [`options::Untranslated`] leaves it to the runs: the refusals.
    pub refused: Vec<Diagnostic>,
    /// Whether some of it only changes values, so that [`options::Options::approximate`] can take any ones in their place.
    pub is_approximable: bool,
    /// Whether objects are allocated in any number, one by one. Where an address leads is then known only of runs that have
    /// not lost their way, so rules of such runs alone are easier to reason about.
    pub counts_objects: bool,
    /// What else the user should know, such as which functions have no body.
    pub notes: Vec<Note>,
    /// What the checks that were asked for do not look at, which a program that is safe may still do wrong.
    pub unchecked: Option<Note>,
}

impl Translation {
    /// Whether the rule leads into the error for the reason alone that what comes there is not translated.
    pub fn is_untranslated(&self, rule: RuleId) -> bool {
        let steps = self.map.rules.get(rule.index()).map_or(&[][..], |rule| &rule.steps);
        let kind = ErrorKind::NotTranslated;
        matches!(steps.last().map(|step| &step.kind), Some(StepKind::Error { kind: found, .. }) if *found == kind)
    }
}

/// The rules of a [flat program](flat). `functions` are the names by the indices that its places use, `locate` tells the line
/// and column of a byte of the text.
///
/// # Errors
/// What cannot be translated, at most 20 places.
pub fn translate_flat(
    program: FlatProgram,
    functions: &[String],
    locate: &dyn Fn(u32) -> Location,
    options: &Options,
) -> Result<Translation, Vec<Diagnostic>> {
    emit::rules_of(program, functions, locate, options)
}
