//! What rules are like, which decides who has a turn and how much of it.

use crate::rules::{Program, Rule};
use crate::terms::{Operator, Sort, TermId};

/// Rules with fewer disjunctions and conditional terms than this are paths, or a few. C's rules have up to nine; of 140 Horn files that other
/// tools emit, seventy have none to five, and the others 12 to 600.
pub(super) const RELATION: usize = 12;

/// The most disjunctions and conditional terms in one rule: how far it is from being a path.
pub(super) fn choices(program: &Program) -> usize {
    let is_choice = |term: &TermId| matches!(program.terms.operator(*term), Operator::Or | Operator::IfThenElse);
    let of_rule = |constraint: &[TermId]| {
        let inside = program.terms.subterms(constraint).into_iter();
        inside.filter(is_choice).count()
    };
    let rules = program.rules().iter();
    rules.map(|rule| of_rule(&rule.constraint)).max().unwrap_or(0)
}

/// Whether rules are about arrays, words or floating-point numbers, so that questions about them are work for Z3.
pub(super) fn needs_costly_questions(program: &Program) -> bool {
    is_about(program, |sort| {
        matches!(sort, Sort::Array(..) | Sort::Word(_) | Sort::Float(_))
    })
}

/// Whether something in the rules has a sort of this kind.
pub(super) fn is_about(program: &Program, kind: fn(Sort) -> bool) -> bool {
    let terms = &program.terms;
    let roots = program.rules().iter().flat_map(Rule::terms);
    let inside = terms.subterms(&roots.collect::<Vec<_>>());
    inside.into_iter().any(|term| kind(terms.sort_of_id(terms.sort(term))))
}
