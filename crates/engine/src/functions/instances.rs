//! Which terms and equations are instances of others.

use crate::terms::{Operator, TermId, Terms};

/// Equations, to see which others are instances of them.
#[derive(Default)]
pub(super) struct Instances {
    /// Both sides, in either order.
    equations: Vec<[TermId; 2]>,
}

impl Instances {
    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.equations.clear();
    }

    /// Remembers an equation.
    pub fn add(&mut self, terms: &Terms, formula: TermId) {
        self.equations.extend(equation(terms, formula));
    }

    /// Whether an equation is an instance of one that is remembered, or its sides are the same around one.
    pub fn cover(&self, terms: &Terms, formula: TermId) -> bool {
        let Some([mut left, mut right]) = equation(terms, formula) else {
            return false;
        };
        loop {
            let covers = |[one, other]: &[TermId; 2]| {
                let is_instance = |one: TermId, other: TermId| {
                    let mut bindings = Vec::new();
                    is_instance(terms, one, left, &mut bindings) && is_instance(terms, other, right, &mut bindings)
                };
                is_instance(*one, *other) || is_instance(*other, *one)
            };
            if self.equations.iter().any(covers) {
                return true;
            }
            // f(s, a) = f(s, b) follows from a = b.
            let (parts, others) = (terms.arguments(left), terms.arguments(right));
            if terms.operator(left) != terms.operator(right) || parts.len() != others.len() {
                return false;
            }
            let mut different = parts.iter().zip(others).filter(|(one, other)| one != other);
            match (different.next(), different.next()) {
                (Some((one, other)), None) => (left, right) = (*one, *other),
                _ => return false,
            }
        }
    }
}

/// The sides of an equation, which may be one for natural numbers only.
fn equation(terms: &Terms, formula: TermId) -> Option<[TermId; 2]> {
    let parts = match terms.operator(formula) {
        Operator::Or => terms.arguments(formula),
        _ => std::slice::from_ref(&formula),
    };
    let mut said = parts.iter().filter(|part| !terms.applications(&[**part]).is_empty());
    match (said.next(), said.next()) {
        (Some(only), None) if terms.operator(*only) == Operator::Equal => terms.arguments(*only).try_into().ok(),
        _ => None,
    }
}

/// Whether a term is an instance of a pattern, all of whose variables can be replaced.
pub(super) fn is_instance(terms: &Terms, pattern: TermId, term: TermId, bindings: &mut Vec<(TermId, TermId)>) -> bool {
    if terms.is_variable(pattern) {
        return match bindings.iter().find(|(variable, _)| *variable == pattern) {
            Some((_, bound)) => *bound == term,
            None => {
                bindings.push((pattern, term));
                terms.sort(pattern) == terms.sort(term)
            }
        };
    }
    let (parts, others) = (terms.arguments(pattern), terms.arguments(term));
    terms.operator(pattern) == terms.operator(term)
        && terms.sort(pattern) == terms.sort(term)
        && parts.len() == others.len()
        && parts
            .iter()
            .zip(others)
            .all(|(part, other)| is_instance(terms, *part, *other, bindings))
}
