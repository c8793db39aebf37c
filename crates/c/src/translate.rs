//! All stages in a row: C text to rules.

use super::flat::{FlatProgram, Note};
use super::lines::{LineMap, with_joined_lines};
use super::options::Options;
use super::other_files::premises;
use super::program::Program;
use super::source_map::SharedNames;
use super::unchecked::unchecked;
use super::{Translation, flatten, flatten_as_bytes, parser, semantics, tail_calls, translate_flat};
use crate::deep_stack::{Failure, on_deep_stack};
use crate::diagnostics::{Diagnostic, Reading, Severity};
use crate::rules::Location;
use bumpalo::Bump;

/// Translates preprocessed C, or a snippet.
///
/// The product is missing if and only if a diagnostic is an error: a mistake in the text, or something that cannot be
/// translated exactly and may have an influence on the property.
///
/// ```
/// # mod clausal { pub use clausal_c as c; pub use clausal_rules::*; }
/// use clausal::c::{options::Options, translate};
///
/// let source = "
/// void reach_error();
/// unsigned __VERIFIER_nondet_uint();
/// int main() {
///     unsigned x = 0, n = __VERIFIER_nondet_uint();
///     while (x < n)
///         x++;
///     if (x != n)
///         reach_error();
/// }";
/// let translation = translate(source, &Options::default()).product.expect("no mistake in it");
/// let rules = clausal::clp::print(&translation.program);
/// assert!(rules.contains("main_6(X, N) :- X =< N - 1, main_6(X + 1, N)."));
/// ```
pub fn translate(text: &str, options: &Options) -> Reading<Translation> {
    let problem = match on_deep_stack(|| on_this_thread(text, options)) {
        Ok(reading) => return reading,
        Err(Failure::Stopped) => "the translation stopped unexpectedly".to_string(),
        Err(Failure::NotStarted(error)) => format!("a thread could not be started: {error}"),
    };
    failed(vec![Diagnostic::error(0..0, problem, "this is a mistake in Clausal")])
}

fn on_this_thread(text: &str, options: &Options) -> Reading<Translation> {
    let arena = Bump::new();
    let joined = with_joined_lines(text);
    let text = joined.as_deref().unwrap_or(text);
    let parsed = parser::parse(&arena, text, options.snippet);
    let mut diagnostics = parsed.diagnostics;
    let Some(unit) = parsed.product else {
        return failed(diagnostics);
    };
    let lowered = semantics::lower(&unit, options);
    diagnostics.extend(lowered.diagnostics);
    let Some(mut program) = lowered.product else {
        return failed(diagnostics);
    };
    tail_calls::to_loops(&mut program);
    let program = program;
    let functions: Vec<String> = program.functions.iter().map(|function| function.name.clone()).collect();
    let shared = SharedNames::of(&program);
    let lines = LineMap::new(text);
    let rules_of = |flat: FlatProgram| {
        let locate = |byte: u32| {
            let location = lines.location(byte as usize);
            let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
            Location {
                line: number(location.line),
                column: number(location.column),
            }
        };
        translate_flat(flat, &functions, &locate, options)
    };
    let bytes = || as_bytes(&program, options, &rules_of);
    let translated = match options.bytes.then(bytes).flatten() {
        Some(translation) => Ok(translation),
        None => flatten(&program, options)
            .and_then(rules_of)
            .or_else(|refused| bytes().ok_or(refused)),
    };
    match translated {
        Ok(mut translation) => {
            translation.notes.extend(premises(&program, &lines));
            order(&mut translation.notes);
            translation.unchecked = unchecked(&program, options.checks);
            translation.map.shared = shared;
            Reading {
                product: Some(translation),
                diagnostics: sorted(diagnostics),
            }
        }
        Err(errors) => {
            diagnostics.extend(errors);
            failed(diagnostics)
        }
    }
}

/// What is refused may be what objects of which the bytes are used are in the way of.
fn as_bytes(
    program: &Program,
    options: &Options,
    rules_of: &dyn Fn(FlatProgram) -> Result<Translation, Vec<Diagnostic>>,
) -> Option<Translation> {
    let flat = flatten_as_bytes(program, options).ok()??;
    rules_of(flat).ok()
}

fn order(notes: &mut Vec<Note>) {
    notes.sort_by_key(|note| (note.span.start, note.span.end));
    notes.dedup();
}

fn sorted(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.severity == Severity::Warning));
    diagnostics
}

/// No product; whoever gets this finds an error among the diagnostics.
fn failed(mut diagnostics: Vec<Diagnostic>) -> Reading<Translation> {
    let has_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
    if !diagnostics.iter().any(has_error) {
        let why = "the program cannot be translated";
        diagnostics.push(Diagnostic::error(0..0, why, "no reason is known").unsupported());
    }
    Reading {
        product: None,
        diagnostics: sorted(diagnostics),
    }
}
