//! Models: for each declared predicate a formula over its arguments, such that every clause of the text holds.
//!
//! Of a predicate that is *reached*, the certificate's invariant holds of all arguments that can be derived, and every clause
//! that concludes it leads into it. Of one that is *called*, the invariant says which arguments it is called with, and the
//! summary what holds of these when it has been derived: so `invariant → summary` holds of all that can be derived, and every
//! clause that concludes the predicate leads into that, since it calls its premises within their invariants. A predicate that is
//! used in both ways needs both.

use super::lemmas::lemma_lines;
use crate::evidence::{Certificate, Invariant};
use crate::horn::{Clauses, Declared, SymbolNames, TermWriter, write_symbol};
use crate::rules::PredicateId;
use crate::terms::{Substitution, TermId, Terms};

/// The model that a certificate gives, as `define-fun`s in parentheses, with what is proved by induction of functions that recur as comments. `None` if it is a proof by induction over more than one
/// step, which is no model, or says something for all values of predicates that are called.
///
/// ```
/// use clausal::engine::{Options, Verdict};
/// let source = "
///     (set-logic HORN)
///     (declare-fun loop (Int) Bool)
///     (assert (loop 0))
///     (assert (forall ((X Int)) (=> (and (loop X) (< X 10)) (loop (+ X 1)))))
///     (assert (forall ((X Int)) (=> (loop X) (<= X 10))))
///     (check-sat)";
/// let clauses = clausal::horn::read_clauses(source).product.expect("a well-formed text");
/// let outcome = clausal::solving::solve(&clauses, true, &Options::default());
/// let Verdict::Safe(certificate) = outcome.verdict else { panic!("{:?}", outcome.verdict) };
/// let model = clausal::solving::model(&clauses, &certificate).expect("induction over one step");
/// assert!(model.starts_with("(\n  (define-fun loop ((X1 Int)) Bool\n"), "{model}");
/// ```
pub fn model(clauses: &Clauses, certificate: &Certificate) -> Option<String> {
    if certificate.induction_depth > 1 || !certificate.has_invariants() {
        return None;
    }
    // Of a predicate that is called the invariant is a premise, where *for all* would have to be *for some*.
    let mut called = clauses.declared.iter().filter_map(|declared| declared.called);
    if !certificate.universal.is_empty() && called.any(|id| has_invariant(certificate, id)) {
        return None;
    }
    let mut terms = certificate.terms.clone();
    let formulas: Vec<TermId> = clauses
        .declared
        .iter()
        .map(|declared| formula(clauses, certificate, declared, &mut terms))
        .collect();
    let mut text = String::from("(\n");
    let open = clauses.spelling.open_sorts().iter();
    text.extend(open.map(|open| format!("  {}\n", open.declaration())));
    // What the formulas say of measures needs their definition.
    let mut spoken_of = formulas.clone();
    for lemma in &certificate.lemmas {
        spoken_of.push(lemma.formula);
        spoken_of.extend(&lemma.ranks);
    }
    if let Some(measures) = terms.smtlib_measures(&spoken_of) {
        text.push_str(&format!("  {measures}\n"));
    }
    text.extend(terms.smtlib_functions().map(|functions| format!("  {functions}\n")));
    text.push_str(&lemma_lines(&mut terms, certificate, &spoken_of));
    for (declared, formula) in clauses.declared.iter().zip(formulas) {
        text.push_str(&definition(
            clauses,
            declared.predicate,
            &terms,
            &certificate.universal,
            formula,
        ));
    }
    text.push_str(")\n");
    Some(clauses.spelling.spelled(&text))
}

/// What holds of a declared predicate's parameters.
fn formula(clauses: &Clauses, certificate: &Certificate, declared: &Declared, terms: &mut Terms) -> TermId {
    let mut parts = Vec::new();
    if declared.is_reached {
        parts.push(of(&certificate.invariants, declared.predicate, terms));
    }
    if let Some(called) = declared.called {
        let reached = of(&certificate.invariants, called, terms);
        let returned = of(&certificate.summaries, called, terms);
        let given = terms.implies(reached, returned);
        let from = &clauses.program.predicate(called).parameters;
        let to = &clauses.program.predicate(declared.predicate).parameters;
        let substitution = Substitution::of(terms, from, to);
        parts.push(terms.substitute(given, &substitution));
    }
    terms.and(&parts)
}

fn has_invariant(certificate: &Certificate, predicate: PredicateId) -> bool {
    let mut invariants = certificate.invariants.iter();
    invariants.any(|invariant| invariant.predicate == predicate)
}

/// What is known of a predicate: true if there is no entry.
fn of(known: &[Invariant], predicate: PredicateId, terms: &mut Terms) -> TermId {
    let Some(invariant) = known.iter().find(|invariant| invariant.predicate == predicate) else {
        return TermId::TRUE;
    };
    let disjuncts: Vec<TermId> = invariant
        .disjuncts
        .iter()
        .map(|conjuncts| terms.and(conjuncts))
        .collect();
    terms.or(&disjuncts)
}

fn definition(
    clauses: &Clauses,
    predicate: PredicateId,
    terms: &Terms,
    universal: &[TermId],
    formula: TermId,
) -> String {
    let predicate = clauses.program.predicate(predicate);
    let mut names = SymbolNames::new();
    let mentioned = terms.variables(formula);
    let universal = universal.iter().filter(|variable| mentioned.contains(variable));
    let named: Vec<(TermId, String)> = predicate
        .parameters
        .iter()
        .chain(universal)
        .map(|variable| (*variable, names.claim(terms.variable_name(*variable))))
        .collect();
    let declared = |(variable, name): &(TermId, String)| {
        format!("({} {})", write_symbol(name), terms.smtlib_sort(terms.sort(*variable)))
    };
    let (parameters, bound) = named.split_at(predicate.parameters.len());
    let parameters: Vec<String> = parameters.iter().map(declared).collect();
    let bound: Vec<String> = bound.iter().map(declared).collect();
    let name_of = |variable: TermId| {
        let found = named.iter().find(|(parameter, _)| *parameter == variable);
        found.map_or_else(|| terms.variable_name(variable).to_string(), |(_, name)| name.clone())
    };
    let nothing_taken = SymbolNames::new();
    let writer = TermWriter::new(terms, &[formula], &name_of, &nothing_taken);
    let mut body = String::new();
    let closing = writer.open_bindings(&mut body, "\n    ");
    writer.write(formula, &mut body);
    let (opening, closing) = match bound.is_empty() {
        true => (String::new(), closing.to_string()),
        false => (format!("(forall ({}) ", bound.join(" ")), format!("{closing})")),
    };
    format!(
        "  (define-fun {} ({}) Bool\n    {opening}{body}{closing})\n",
        write_symbol(&predicate.name),
        parameters.join(" ")
    )
}
