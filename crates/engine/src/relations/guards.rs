//! Guards: that a term was made by the constructor whose field a literal speaks of.
//!
//! What a field of another constructor is, nobody says, so a literal about one means something only beside its guard. A solver
//! takes some value all the same, and finds that a guard is not needed. So guards are put back whenever literals have been left
//! out: what is learnt can then be evaluated everywhere.

use crate::steps::model::Model;
use crate::terms::{Operator, TermId, Terms};
use hashbrown::HashSet;

/// Some literals of a cube, with those of the others that are guards of what they speak of.
pub(super) fn guarded(terms: &Terms, whole: &[TermId], part: Vec<TermId>) -> Vec<TermId> {
    if terms.datatypes().is_empty() || part.len() == whole.len() {
        return part;
    }
    let mut chosen: HashSet<TermId> = part.iter().copied().collect();
    let mut seen: HashSet<TermId> = HashSet::new();
    let mut stack: Vec<TermId> = part;
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let arguments = terms.arguments(term);
        stack.extend(arguments);
        if let (Operator::Field(_), [subject]) = (terms.operator(term), arguments) {
            for literal in whole.iter().filter(|literal| is_about(terms, **literal, *subject)) {
                if chosen.insert(*literal) {
                    stack.push(*literal);
                }
            }
        }
    }
    // The order of the cube.
    whole
        .iter()
        .copied()
        .filter(|literal| chosen.contains(literal))
        .collect()
}

/// The guards of the fields in the formulas that have no value in the model.
pub(super) fn missing_guards(terms: &mut Terms, formulas: &[TermId], model: &Model) -> Vec<TermId> {
    let mut guards = Vec::new();
    for term in terms.subterms(formulas) {
        if let (Operator::Field(field), &[subject]) = (terms.operator(term), terms.arguments(term))
            && model.value(terms, term).is_none()
        {
            let constructor = terms.field(field).constructor;
            guards.push(terms.is_made_by(constructor, subject));
        }
    }
    guards
}

/// Whether a literal says by which constructor a term was made.
fn is_about(terms: &Terms, literal: TermId, subject: TermId) -> bool {
    let atom = match terms.operator(literal) {
        Operator::Not => terms.arguments(literal)[0],
        _ => literal,
    };
    match (terms.operator(atom), terms.arguments(atom)) {
        (Operator::IsMadeBy(_), [other]) => *other == subject,
        (Operator::Equal, [left, right]) => {
            let is_constant = |term: TermId| {
                matches!(terms.operator(term), Operator::Construct(_)) && terms.arguments(term).is_empty()
            };
            (*left == subject && is_constant(*right)) || (*right == subject && is_constant(*left))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::SortId;

    #[test]
    fn a_field_brings_its_guard_back() {
        let mut terms = Terms::new();
        let list = terms.declare_datatypes(&["list"])[0];
        terms.add_constructor(list, "nil", &[]).expect("a datatype");
        let fields = [("head", SortId::INT), ("tail", list)];
        let cons = terms.add_constructor(list, "cons", &fields).expect("a datatype");
        let [head, tail] = terms.constructor(cons).fields[..] else {
            panic!("two fields")
        };
        let x = terms.fresh_variable("X", list);
        let rest = terms.field_of(tail, x);
        let second = terms.field_of(head, rest);
        let (outer, inner) = (terms.is_made_by(cons, x), terms.is_made_by(cons, rest));
        let zero = terms.integer(0);
        let positive = terms.less(zero, second);
        let other = terms.fresh_variable("B", SortId::BOOL);
        let whole = [other, outer, inner, positive];
        assert_eq!(guarded(&terms, &whole, vec![positive]), [outer, inner, positive]);
        assert_eq!(guarded(&terms, &whole, vec![other]), [other]);
        assert_eq!(guarded(&terms, &whole, vec![outer, other]), [other, outer]);
    }
}
