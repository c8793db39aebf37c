//! Equalities of numbers and the two inequalities that each consists of (seed 004 on slackening).

use crate::terms::{Comparison, Rational, TermId, Terms};
use num_traits::One;
use std::collections::BTreeSet;

/// The two inequalities that an equality of numbers consists of.
pub(crate) fn halves(terms: &mut Terms, formula: TermId) -> Option<[TermId; 2]> {
    let equality = terms
        .linear_atom(formula)
        .filter(|linear| linear.comparison == Comparison::Equal)?;
    let sort = terms.sort(terms.arguments(formula)[0]);
    let upper = terms.linear_formula(&equality.form, Comparison::LessOrEqual, sort);
    let lower = terms.linear_formula(&equality.form.scaled(&-Rational::one()), Comparison::LessOrEqual, sort);
    Some([upper, lower])
}

/// Pairs `a =< b` and `a >= b` as `a = b`, in the place of the first.
pub(crate) fn join_halves(terms: &mut Terms, formulas: &[TermId]) -> Vec<TermId> {
    let mut joined = Vec::new();
    let mut absorbed = BTreeSet::new();
    for formula in formulas {
        if absorbed.contains(formula) {
            continue;
        }
        let linear = terms
            .linear_atom(*formula)
            .filter(|linear| linear.comparison == Comparison::LessOrEqual);
        if let Some(linear) = linear {
            let sort = terms.sort(terms.arguments(*formula)[0]);
            let opposite = linear.form.scaled(&-Rational::one());
            let other = terms.linear_formula(&opposite, Comparison::LessOrEqual, sort);
            if formulas.contains(&other) {
                absorbed.insert(other);
                joined.push(terms.linear_formula(&linear.form, Comparison::Equal, sort));
                continue;
            }
        }
        joined.push(*formula);
    }
    joined
}
