//! Hints from the text of the program: linear forms that are worth bounding, and numbers that bounds are likely to be.

use super::options::Options;
use super::steps::Step;
use crate::polynomials::{Monomial, Polynomial};
use crate::rules::PredicateId;
use crate::terms::{Comparison, Rational, TermId, Terms};
use num_traits::{One, Signed};

/// Polynomials over the parameters of places that the rules compare with something.
pub(super) fn templates(terms: &mut Terms, steps: &[Step], options: &Options) -> Vec<(PredicateId, Polynomial)> {
    let mut found: Vec<(PredicateId, Polynomial)> = Vec::new();
    for step in steps
        .iter()
        .filter(|step| options.goal_directed || step.target.is_some())
    {
        let count = step.indeterminates.terms().len();
        for formula in &step.guard {
            let Some(linear) = terms.linear_atom(*formula) else {
                continue;
            };
            let Some(sort) = terms.arguments(*formula).first().map(|side| terms.sort(*side)) else {
                continue;
            };
            if linear.comparison == Comparison::Equal || linear.form.terms.len() > 4 {
                continue;
            }
            let mut form = linear.form.clone();
            form.constant = Rational::from_integer(0.into());
            let term = terms.linear_term(&form, sort);
            let mut indeterminates = step.indeterminates.clone();
            let polynomial = indeterminates.polynomial(terms, term);
            let parameters = step.parameters as u32;
            let known = indeterminates.terms().len() == count && polynomial.variables().iter().all(|v| *v < parameters);
            if known && polynomial.term_count() > 1 && !found.contains(&(step.source, polynomial.clone())) {
                found.push((step.source, polynomial));
            }
        }
    }
    found.extend(slopes(steps));
    found
}

/// For two variables that a step around a loop increases by constants `a` and `b`: `b·x - a·y`, which it does not change.
fn slopes(steps: &[Step]) -> Vec<(PredicateId, Polynomial)> {
    let mut found = Vec::new();
    for step in steps.iter().filter(|step| step.target == Some(step.source)) {
        let increase = |(position, update): (usize, &Polynomial)| {
            let difference = update.minus(&Polynomial::variable(position as u32)).constant_value()?;
            Some((position as u32, difference))
        };
        let increases: Vec<(u32, Rational)> = step
            .update_polynomials
            .iter()
            .enumerate()
            .filter_map(increase)
            .filter(|(_, difference)| *difference != Rational::from_integer(0.into()))
            .collect();
        for (index, (x, a)) in increases.iter().enumerate() {
            for (y, b) in &increases[index + 1..] {
                if a.abs() == b.abs() {
                    continue;
                }
                let form = Polynomial::of([
                    (Monomial::variable(*x), b.clone()),
                    (Monomial::variable(*y), -a.clone()),
                ]);
                let form = (step.source, form.primitive());
                if !found.contains(&form) {
                    found.push(form);
                }
            }
        }
    }
    found
}

/// The numbers that rules compare with, and their neighbours: what bounds are likely to be.
pub(super) fn constants<'a>(terms: &Terms, formulas: impl Iterator<Item = &'a TermId>) -> Vec<Rational> {
    let mut found: Vec<Rational> = Vec::new();
    for formula in formulas {
        if let Some(linear) = terms.linear_atom(*formula) {
            let value = linear.form.constant.abs();
            for near in [&value - Rational::one(), value.clone(), &value + Rational::one()] {
                found.extend([-near.clone(), near]);
            }
        }
    }
    found.sort();
    found.dedup();
    found
}
