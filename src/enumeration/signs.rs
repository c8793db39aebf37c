//! Of a number that is not known, a state may say whether it is negative or positive: what comparisons of texts return has no
//! other meaning. Exact bounds would make ever more states of what is counted up to an unknown number.

use crate::terms::{Comparison, Operator, Rational, SortId, TermId, Terms};
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;

/// What formulas say of an integer alone.
#[derive(Default)]
pub(super) struct Range {
    lower: Option<Rational>,
    upper: Option<Rational>,
    is_not_zero: bool,
}

impl Range {
    fn is_empty(&self) -> bool {
        match (&self.lower, &self.upper) {
            (Some(lower), Some(upper)) => lower > upper || self.is_not_zero && lower.is_zero() && upper.is_zero(),
            _ => false,
        }
    }

    fn raise(&mut self, lower: Rational) {
        if self.lower.as_ref().is_none_or(|known| *known < lower) {
            self.lower = Some(lower);
        }
    }

    fn lessen(&mut self, upper: Rational) {
        if self.upper.as_ref().is_none_or(|known| upper < *known) {
            self.upper = Some(upper);
        }
    }
}

/// What the formulas say of integers, each for itself; `None` if that is nothing that a number could be.
pub(super) fn ranges(terms: &Terms, formulas: &[TermId]) -> Option<BTreeMap<TermId, Range>> {
    let mut ranges: BTreeMap<TermId, Range> = BTreeMap::new();
    for formula in formulas {
        let (formula, is_denied) = match (terms.operator(*formula), terms.arguments(*formula)) {
            (Operator::Not, &[inner]) => (inner, true),
            _ => (*formula, false),
        };
        let Some(atom) = terms.linear_atom(formula) else {
            continue;
        };
        let [(variable, coefficient)] = atom.form.terms.as_slice() else {
            continue;
        };
        if !terms.is_variable(*variable) || terms.sort(*variable) != SortId::INT {
            continue;
        }
        let value = -(&atom.form.constant / coefficient);
        let range = ranges.entry(*variable).or_default();
        match (atom.comparison, is_denied) {
            (Comparison::Equal, false) => {
                range.raise(value.clone());
                range.lessen(value);
            }
            (Comparison::Equal, true) => range.is_not_zero |= value.is_zero(),
            (comparison, _) => {
                // A denied bound is one on the other side, and strict if it was not.
                let is_strict = (comparison == Comparison::Less) != is_denied;
                match coefficient.is_positive() != is_denied {
                    true if is_strict => range.lessen(value.ceil() - Rational::one()),
                    true => range.lessen(value.floor()),
                    false if is_strict => range.raise(value.floor() + Rational::one()),
                    false => range.raise(value.ceil()),
                }
            }
        }
    }
    (!ranges.values().any(Range::is_empty)).then_some(ranges)
}

/// What a state keeps of the arguments of which it has no value, as formulas on the parameters.
pub(super) fn kept(
    terms: &mut Terms,
    parameters: &[TermId],
    arguments: &[TermId],
    updates: &[TermId],
    ranges: &BTreeMap<TermId, Range>,
) -> Vec<TermId> {
    let mut kept = Vec::new();
    for ((parameter, argument), update) in parameters.iter().zip(arguments).zip(updates) {
        let Some(range) = ranges.get(update).filter(|_| parameter == argument) else {
            continue;
        };
        let signs = [-1, 0, 1].map(|bound| terms.integer(bound));
        let [minus_one, zero, one] = signs;
        let lower = range.lower.as_ref().filter(|lower| !lower.is_negative());
        let upper = range.upper.as_ref().filter(|upper| !upper.is_positive());
        match lower {
            Some(lower) if lower.is_zero() && !range.is_not_zero => kept.push(terms.less_or_equal(zero, *parameter)),
            Some(_) => kept.push(terms.less_or_equal(one, *parameter)),
            None => {}
        }
        match upper {
            Some(upper) if upper.is_zero() && !range.is_not_zero => kept.push(terms.less_or_equal(*parameter, zero)),
            Some(_) => kept.push(terms.less_or_equal(*parameter, minus_one)),
            None => {}
        }
        if lower.is_none() && upper.is_none() && range.is_not_zero {
            kept.push(terms.not_equal(*parameter, zero));
        }
    }
    kept
}
