//! The CLP language: text to rules and back. `docs/language.md` describes it for its users.
//!
//! [`read`] runs the stages in order, each in a file of its own: `lexer` makes tokens, `parser` the tree of `syntax`, `clauses`
//! takes bodies apart, `types` which sorts are declared, `signatures` finds out which predicates there are, `variables` and `magnitude` check what needs no sorts,
//! `inference` gives everything a sort, `ground` declares the datatypes that this takes, `lower` makes the rules. Every stage reports all it finds. [`print`] goes the other way,
//! for any program: `read(&print(&program))` gives the same rules again.
//!
//! ```
//! # use clausal_rules as clausal;
//! let source = "?- X = 0, loop(X).
//! loop(X) :- X < 10, loop(X + 1).
//! loop(X) :- X > 10, error.";
//! let program = clausal::clp::read(source).product.expect("no mistake in it");
//! assert_eq!(program.rules().len(), 3);
//! assert_eq!(clausal::clp::print(&program), "\
//! ?- X = 0, loop(X).
//!
//! loop(X) :- X =< 9, loop(X + 1).
//! loop(X) :- X >= 11, error.
//! ");
//! ```

mod advice;
mod clauses;
mod expressible;
mod ground;
mod inference;
mod lexer;
mod lower;
mod magnitude;
mod names;
mod parser;
mod print;
mod signatures;
mod sorts;
mod syntax;
mod types;
mod variables;

use crate::diagnostics::{Diagnostic, Reading, Severity};
use crate::rules::{DependencyGraph, PredicateId, Program, copies_loops, linearize};
use bumpalo::Bump;
use std::ops::Range;

pub use expressible::inexpressible;
pub use print::print;

/// How many diagnostics are given for one text.
const DIAGNOSTIC_LIMIT: usize = 50;

/// Reads CLP rules.
///
/// The product is there unless a diagnostic is an error. At most 50 diagnostics are given, errors before warnings, and
/// sorted by their place.
///
/// ```
/// # use clausal_rules as clausal;
/// let reading = clausal::clp::read("?- p(1). p(X) :- X < 0, eror.");
/// assert!(reading.product.is_none());
/// assert_eq!(reading.diagnostics[0].message, "unknown predicate `eror`");
/// ```
pub fn read(source: &str) -> Reading<Program> {
    read_rules(source, false)
}

/// [`read`], but rules that cannot be made linear stay as they are, with several atoms in a body: for methods that follow calls.
///
/// ```
/// # use clausal_rules as clausal;
/// let source = "?- tree(3, S), S < 1, error. tree(N, S) :- N =< 0, S = 1.
///     tree(N, S) :- N > 0, tree(N - 1, L), tree(N - 2, R), S = L + R.";
/// assert!(clausal::clp::read(source).product.is_none());
/// let program = clausal::clp::read_with_calls(source).product.expect("no mistake in it");
/// assert_eq!(program.rules()[2].body.len(), 2);
/// ```
pub fn read_with_calls(source: &str) -> Reading<Program> {
    read_rules(source, true)
}

fn read_rules(source: &str, keep_calls: bool) -> Reading<Program> {
    let arena = Bump::new();
    let parsed = parser::parse(source, &arena);
    let mut diagnostics = parsed.diagnostics;
    let syntax_is_fine = diagnostics.is_empty();
    // Without the end of a comment, the query may just not have been seen.
    if !parsed.has_query && !parsed.is_cut_off {
        let end = source.trim_end().len();
        let error = Diagnostic::error(end..end, "no query", "nothing says where derivations start");
        diagnostics.push(error.help("add a query, as in `?- X >= 0, p(X).`"));
    }
    let types = types::Types::new(&parsed.clauses, &mut diagnostics);
    let transitions: Vec<_> = parsed
        .clauses
        .iter()
        .filter_map(|clause| clauses::transition(clause, &types, &mut diagnostics))
        .collect();
    for transition in &transitions {
        variables::check(transition, &mut diagnostics);
        magnitude::check(transition, &mut diagnostics);
    }
    let signatures = signatures::Signatures::new(&parsed.clauses, &transitions, &parsed.uncertain, &mut diagnostics);
    let inferred = inference::infer(&transitions, &signatures, &types, &mut diagnostics);
    let has_errors = diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity == Severity::Error);
    let program = match syntax_is_fine && !has_errors {
        true => lower::lower(source, &transitions, &signatures, &types, inferred, &mut diagnostics),
        false => None,
    };
    if let Some(program) = &program {
        let places: Vec<Range<usize>> = signatures
            .list
            .iter()
            .map(|signature| signature.place.range())
            .collect();
        warn_of_unreachable(program, &places, &mut diagnostics);
    }
    // Over lists and trees, what is called is better summarized than copied.
    let keeps = |program: &Program| {
        let terms = &program.terms;
        let is_recursive = terms
            .datatypes()
            .iter()
            .any(|datatype| terms.is_recursive(datatype.sort));
        keep_calls && is_recursive && copies_loops(program, 1)
    };
    let product = program.and_then(|mut program| {
        if keeps(&program) {
            return Some(program);
        }
        match linearize(&mut program) {
            Ok(()) => Some(program),
            Err(_) if keep_calls => Some(program),
            Err(reason) => {
                diagnostics.extend(clauses::not_linear(&transitions, reason));
                None
            }
        }
    });
    Reading {
        product,
        diagnostics: limited(diagnostics),
    }
}

/// Warns of predicates with rules that no chain of rules leads to. Predicates were made in the order of `places`.
fn warn_of_unreachable(program: &Program, places: &[Range<usize>], diagnostics: &mut Vec<Diagnostic>) {
    let graph = DependencyGraph::new(program);
    let first = PredicateId::ERROR.index() + 1;
    for (position, place) in places.iter().enumerate() {
        let predicate = PredicateId::from_index(first + position);
        if graph.is_reachable(predicate) || program.rules_of(predicate).is_empty() {
            continue;
        }
        let message = format!("`{}` is never reached", program.predicate_label(predicate));
        diagnostics.push(Diagnostic::warning(place.clone(), message, "no query leads here"));
    }
}

/// The diagnostics by place, errors kept first if there are too many.
fn limited(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
    let total = diagnostics.len();
    if total > DIAGNOSTIC_LIMIT {
        let (errors, warnings): (Vec<_>, Vec<_>) = diagnostics
            .into_iter()
            .partition(|diagnostic| diagnostic.severity == Severity::Error);
        diagnostics = errors.into_iter().chain(warnings).take(DIAGNOSTIC_LIMIT).collect();
        if let Some(last) = diagnostics.last_mut() {
            let more = format!(
                "there are {} more remarks, which are not shown",
                total - DIAGNOSTIC_LIMIT
            );
            last.help = Some(match last.help.take() {
                Some(help) => format!("{help}\n{more}"),
                None => more,
            });
        }
        diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
    }
    diagnostics
}
