//! Bounds of integers, each for itself, as formulas say them.

use super::{Comparison, Operator, Rational, SortId, TermId, Terms};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::BTreeMap;

/// What formulas say of an integer alone.
#[derive(Default)]
pub struct Range {
    /// The least value, if there is one.
    pub lower: Option<Rational>,
    /// The greatest one.
    pub upper: Option<Rational>,
    /// Whether zero is excluded.
    pub is_not_zero: bool,
}

impl Range {
    fn is_empty(&self) -> bool {
        match (&self.lower, &self.upper) {
            (Some(lower), Some(upper)) => lower > upper || self.is_not_zero && lower.is_zero() && upper.is_zero(),
            _ => false,
        }
    }

    /// The values, if they are no more than so many; zero may be among them though it is excluded.
    pub fn values(&self, most: u32) -> Option<Vec<BigInt>> {
        let (lower, upper) = (
            self.lower.as_ref()?.ceil().to_integer(),
            self.upper.as_ref()?.floor().to_integer(),
        );
        let count = (&upper - &lower + 1_u32).to_u32().filter(|count| *count <= most)?;
        Some((0..count).map(|step| &lower + step).collect())
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
pub fn ranges(terms: &Terms, formulas: &[TermId]) -> Option<BTreeMap<TermId, Range>> {
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
