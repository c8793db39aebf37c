//! Model-based projection of machine words: a variable is replaced by a term that it may be equal to.
//!
//! Where a literal compares the variable with a term, that term (or the word next to it) is tried: if all literals still hold in the
//! model with it in the variable's place, it is one of the values that the variable may have. Equations are looked at first, so
//! they are solved. What no term can stand for gets its value.

use crate::steps::model::Model;
use crate::terms::{Operator, Substitution, TermId, Terms, WordOperator};

/// How many terms are tried for a variable.
const MOST_TERMS: usize = 24;

/// Literals without variables of words but those that are kept. `None` if something has no value in the model.
pub(super) fn without_words(
    terms: &mut Terms,
    literals: Vec<TermId>,
    model: &mut Model,
    keep: &dyn Fn(TermId) -> bool,
) -> Option<Vec<TermId>> {
    let mut literals = literals;
    loop {
        let variables = terms.variables_of_all(&literals).into_iter();
        let mut words = variables.filter(|variable| !keep(*variable) && terms.width(terms.sort(*variable)).is_some());
        let Some(variable) = words.next() else {
            return Some(literals);
        };
        let (about, others): (Vec<TermId>, Vec<TermId>) = literals
            .into_iter()
            .partition(|literal| terms.variables(*literal).contains(&variable));
        let replaced = replaced(terms, variable, &about, model)?;
        literals = others;
        for literal in replaced {
            literals.extend(terms.conjuncts(literal));
        }
        literals.sort();
        literals.dedup();
    }
}

/// The literals about a variable with something else in its place.
fn replaced(terms: &mut Terms, variable: TermId, about: &[TermId], model: &mut Model) -> Option<Vec<TermId>> {
    // Nothing but different from others: as there are more values than literals, one is left.
    let width = terms.width(terms.sort(variable))?;
    let only_differs = |literal: &TermId| {
        let atom = terms.arguments(*literal).first().copied();
        let is_difference = terms.operator(*literal) == Operator::Not
            && atom.is_some_and(|atom| {
                terms.operator(atom) == Operator::Equal && terms.arguments(atom).contains(&variable)
            });
        let others = atom.map_or(&[][..], |atom| terms.arguments(atom)).iter();
        is_difference
            && others
                .filter(|side| **side != variable)
                .all(|side| !terms.variables(*side).contains(&variable))
    };
    if about.iter().all(only_differs) && (width >= 32 || about.len() < 1 << width) {
        return Some(Vec::new());
    }
    for candidate in candidates(terms, variable, about) {
        let mut substitution = Substitution::new();
        substitution.insert(terms, variable, candidate);
        let replaced = terms.substitute_all(about, &substitution);
        let mut all = true;
        for literal in &replaced {
            all &= model.holds(terms, *literal)?;
        }
        if all {
            return Some(replaced);
        }
    }
    let value = model.value(terms, variable)?;
    let value = terms.value_term(&value, terms.sort(variable));
    let mut substitution = Substitution::new();
    substitution.insert(terms, variable, value);
    Some(terms.substitute_all(about, &substitution))
}

/// Terms without the variable that it is compared with, those of equations first.
fn candidates(terms: &mut Terms, variable: TermId, about: &[TermId]) -> Vec<TermId> {
    let (mut equal, mut near) = (Vec::new(), Vec::new());
    for literal in about {
        let (atom, negated) = match terms.operator(*literal) {
            Operator::Not => (terms.arguments(*literal)[0], true),
            _ => (*literal, false),
        };
        let is_equation = terms.operator(atom) == Operator::Equal;
        let &[left, right] = terms.arguments(atom) else {
            continue;
        };
        for (side, other) in [(left, right), (right, left)] {
            let Some(term) = solved(terms, variable, side, other) else {
                continue;
            };
            match is_equation && !negated {
                true => equal.push(term),
                false => {
                    near.push(term);
                    let width = terms.width(terms.sort(term)).unwrap_or(1);
                    for by in [1, -1] {
                        let by = terms.word(by, width);
                        near.extend(terms.word_operation(WordOperator::Add, &[term, by], width));
                    }
                }
            }
        }
    }
    equal.extend(near);
    let mut seen = hashbrown::HashSet::new();
    equal.retain(|term| seen.insert(*term));
    equal.truncate(MOST_TERMS);
    equal
}

/// The term that the variable is where `side` is `other`; `None` if it cannot be said, or has the variable in it.
fn solved(terms: &mut Terms, variable: TermId, side: TermId, other: TermId) -> Option<TermId> {
    let (mut side, mut other) = (side, other);
    if terms.variables(other).contains(&variable) {
        return None;
    }
    while side != variable {
        let width = terms.width(terms.sort(side))?;
        let arguments = terms.arguments(side).to_vec();
        let Operator::Word(operator) = terms.operator(side) else {
            return None;
        };
        let (inner, inverse) = match (operator, &arguments[..]) {
            (WordOperator::Not | WordOperator::Negate, [only]) => (*only, (operator, vec![other])),
            (WordOperator::Add | WordOperator::Xor | WordOperator::Subtract, [left, right]) => {
                let in_left = terms.variables(*left).contains(&variable);
                if in_left == terms.variables(*right).contains(&variable) {
                    return None;
                }
                let (inner, rest) = if in_left { (*left, *right) } else { (*right, *left) };
                let inverse = match (operator, in_left) {
                    (WordOperator::Add, _) => (WordOperator::Subtract, vec![other, rest]),
                    (WordOperator::Subtract, true) => (WordOperator::Add, vec![other, rest]),
                    (WordOperator::Subtract, false) => (WordOperator::Subtract, vec![rest, other]),
                    _ => (WordOperator::Xor, vec![other, rest]),
                };
                (inner, inverse)
            }
            _ => return None,
        };
        other = terms.word_operation(inverse.0, &inverse.1, width)?;
        side = inner;
    }
    Some(other)
}
