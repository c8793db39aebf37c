//! Products of applications, with what equations say of the factors in their place.
//!
//! A product of two applications is one unknown to a solver of linear arithmetic; that one of them is a sum says nothing of it. Here an
//! application or a measure that an equation determines is replaced by the rest of the equation, so that products are multiplied out, over what is
//! not determined any more. What is made is equal to what it is made of by the equations beside it.

use crate::terms::{Operator, Rational, Substitution, TermId, Terms};
use num_traits::One;

/// How often what was put in place is looked at again.
const ROUNDS: usize = 6;
/// Equations are put in place, and formulas made, up to so many.
const MOST: usize = 160;

/// The formulas with products in which equations among them can be put in place, after that.
pub(super) fn multiplied_out(terms: &mut Terms, formulas: &[TermId]) -> Vec<TermId> {
    let with_products: Vec<TermId> = formulas
        .iter()
        .copied()
        .filter(|formula| has_products(terms, *formula))
        .take(MOST)
        .collect();
    if with_products.is_empty() {
        return Vec::new();
    }
    let mut rules: Vec<(TermId, TermId)> = Vec::new();
    for formula in formulas {
        if rules.len() >= MOST {
            break;
        }
        if let Some((from, to)) = oriented(terms, *formula)
            && !rules.iter().any(|(known, _)| *known == from)
        {
            rules.push((from, to));
        }
    }
    let (from, to): (Vec<TermId>, Vec<TermId>) = rules.into_iter().unzip();
    let put_in = Substitution::of(terms, &from, &to);
    let mut made = Vec::new();
    for formula in with_products {
        let mut current = formula;
        for _ in 0..ROUNDS {
            let next = terms.substitute(current, &put_in);
            if next == current {
                break;
            }
            current = next;
        }
        if current != formula && current != TermId::TRUE {
            made.push(current);
        }
    }
    made
}

/// Whether a term is a number that equations may determine.
fn is_determined(terms: &Terms, term: TermId) -> bool {
    matches!(terms.operator(term), Operator::Apply(_) | Operator::Measure(_))
}

/// Whether there are products of what equations may determine.
fn has_products(terms: &Terms, formula: TermId) -> bool {
    let mut inside = terms.subterms(&[formula]).into_iter();
    inside
        .any(|term| terms.is_product(term) && terms.arguments(term).iter().any(|factor| is_determined(terms, *factor)))
}

/// The largest application or measure that an equation between numbers determines, and what it is.
fn oriented(terms: &mut Terms, formula: TermId) -> Option<(TermId, TermId)> {
    let (Operator::Equal, &[left, right]) = (terms.operator(formula), terms.arguments(formula)) else {
        return None;
    };
    let sort = terms.sort(left);
    if !sort.is_numeric() {
        return None;
    }
    let form = terms
        .linear_form(left)
        .add_scaled(&terms.linear_form(right), &-Rational::one());
    let single = form
        .terms
        .iter()
        .filter(|(part, factor)| is_determined(terms, *part) && factor * factor == Rational::one());
    let (part, factor) = single.max_by_key(|(part, _)| (terms.subterms(&[*part]).len(), *part))?;
    let own = terms.linear_form(*part);
    let rest = form.add_scaled(&own, &-factor).scaled(&-factor);
    let rest = terms.linear_term(&rest, sort);
    (!terms.subterms(&[rest]).contains(part)).then_some((*part, rest))
}
