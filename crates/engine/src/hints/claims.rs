//! Hints as rules: `loop(X, Y) :- X >= 0, Y = 2*X.` says that whenever `loop(X, Y)` is reached, what stands behind `:-` holds.
//!
//! The text is read together with the program's own rules, so that names and sorts are those of the program, whatever language it
//! was written in.

use super::{Hint, Hints};
use crate::clp;
use crate::diagnostics::{Diagnostic, Reading, Severity};
use crate::evidence::read_formula;
use crate::rules::{PredicateId, Program, Rule};
use crate::terms::{SmtlibNames, Substitution, TermId};

/// Reads hints about a program that are written as rules; each conjunct is a hint of its own.
///
/// The product is there unless a diagnostic is an error. Formulas are added to the program's table.
///
/// ```
/// # use clausal_engine as clausal;
/// let mut program = clausal::clp::read("?- p(0, 1.5). p(X, Y) :- X < 5, p(X + 1, Y + 1).").product.expect("no mistake in it");
/// let hints = clausal::hints::read_claims(&mut program, "p(X, Y) :- X >= 0, Y >= 1.\n").product.expect("no mistake in it");
/// assert_eq!(hints.of_program.len(), 2);
/// assert_eq!(hints.of_program[1].text, "p(X, Y) :- Y >= 1.0");
/// ```
pub fn read_claims(program: &mut Program, text: &str) -> Reading<Hints> {
    let whole = format!("{text}\n{}", clp::print(program));
    let Reading {
        product,
        mut diagnostics,
    } = clp::read_with_calls(&whole);
    // What comes after the claims is the program's own text.
    diagnostics.retain(|diagnostic| diagnostic.span.start < text.len());
    let Some(read) = product else {
        let has_errors = diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error);
        if !has_errors {
            diagnostics.push(Diagnostic::error(
                0..0,
                "the hints do not fit the program",
                "names or sorts differ",
            ));
        }
        return Reading {
            product: None,
            diagnostics,
        };
    };
    let mut hints = Hints::default();
    let mut line_starts = vec![0];
    line_starts.extend(text.match_indices('\n').map(|(position, _)| position + 1));
    let mut is_wrong = false;
    for rule in read.rules() {
        let Some(location) = rule.location else { continue };
        let line = location.line as usize;
        let Some(start) = line
            .checked_sub(1)
            .and_then(|index| line_starts.get(index))
            .filter(|start| **start < text.len())
        else {
            continue;
        };
        let end = text[*start..].find('\n').map_or(text.len(), |length| start + length);
        if rule.head.predicate == PredicateId::QUERY || !rule.body.is_empty() {
            let error = Diagnostic::error(*start..end, "a hint has no goals", "says where a derivation goes");
            diagnostics.push(error.help("write what holds of the head: `p(X) :- X >= 0.`"));
            is_wrong = true;
            continue;
        }
        claim(program, &read, rule, &mut hints);
    }
    Reading {
        product: (!is_wrong).then_some(hints),
        diagnostics,
    }
}

/// What a rule says of its head, as formulas over the parameters of the program's predicate.
fn claim(program: &mut Program, read: &Program, rule: &Rule, hints: &mut Hints) {
    let (label, arity) = (read.predicate_label(rule.head.predicate), rule.head.arguments.len());
    let predicates = (0..program.predicates().len()).map(PredicateId::from_index);
    let of_label =
        |id: &PredicateId| program.predicate_label(*id) == label && program.predicate(*id).parameters.len() == arity;
    let Some(predicate) = predicates.into_iter().find(of_label) else {
        hints
            .unused
            .push(format!("the program has no predicate `{label}` with {arity} arguments"));
        return;
    };
    // Arguments that are no variables, or the same one again, are a condition.
    let parameters = &read.predicate(rule.head.predicate).parameters;
    let mut terms = read.terms.clone();
    let mut renaming = Substitution::new();
    let mut conditions: Vec<(TermId, TermId)> = Vec::new();
    for (parameter, argument) in parameters.iter().zip(&rule.head.arguments) {
        if terms.is_variable(*argument) && renaming.get(*argument).is_none() {
            renaming.insert(&terms, *argument, *parameter);
        } else {
            conditions.push((*parameter, *argument));
        }
    }
    let mut denied = Vec::new();
    for (parameter, argument) in conditions {
        let argument = terms.substitute(argument, &renaming);
        denied.push(terms.not_equal(parameter, argument));
    }
    let names = SmtlibNames::new(&terms, parameters);
    let name_of = |variable: TermId| names.get(variable).to_string();
    let own = program.predicate(predicate).parameters.clone();
    let own_names: Vec<(String, TermId)> = parameters
        .iter()
        .map(|parameter| name_of(*parameter))
        .zip(own)
        .collect();
    for conjunct in &rule.constraint {
        let text = format!("{} :- {}", read.atom_text(&rule.head), read.terms.display(*conjunct));
        let conclusion = terms.substitute(*conjunct, &renaming);
        let mut disjuncts = denied.clone();
        disjuncts.push(conclusion);
        let formula = terms.or(&disjuncts);
        let free = terms.variables_of_all(&[formula]);
        if free.iter().any(|variable| !parameters.contains(variable)) {
            hints.unused.push(format!("`{text}` speaks of more than the arguments"));
            continue;
        }
        match read_formula(&mut program.terms, &own_names, &terms.smtlib(formula, &name_of)) {
            Ok(formula) => hints.of_program.push(Hint {
                predicate,
                formula,
                text,
            }),
            Err(why) => hints.unused.push(format!("`{text}`: {why}")),
        }
    }
}
