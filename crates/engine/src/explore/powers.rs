//! Powers of a number as an array over the exponents: what the solver is told of them, and their real values in its models.

use super::context::Context;
use super::state::Quantified;
use crate::terms::{ArrayValue, Assignment, Rational, TermId, Value};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Powers with larger exponents are not computed.
const LARGEST_EXPONENT: u64 = 5000;

impl Context<'_> {
    /// What is true of the powers that are read: `1` at zero, and more than the exponent after it.
    pub fn facts_of_powers(&mut self, roots: &[TermId]) -> Vec<TermId> {
        if self.powers.is_empty() {
            return Vec::new();
        }
        let mut facts = Vec::new();
        for (array, exponent) in self.reads(roots) {
            let Some(base) = self.powers.get(&array).cloned() else {
                continue;
            };
            let power = self.terms.select(array, exponent);
            let (zero, one) = (self.terms.integer(0), self.terms.integer(1));
            let (first, is_one) = (self.terms.equal(exponent, zero), self.terms.equal(power, one));
            facts.push(self.terms.implies(first, is_one));
            if base > BigInt::one() {
                let base = self.terms.integer(base);
                let later = self.terms.less_or_equal(one, exponent);
                let (more, at_least) = (self.terms.less(exponent, power), self.terms.less_or_equal(base, power));
                facts.push(self.terms.implies(later, more));
                facts.push(self.terms.implies(later, at_least));
            }
        }
        facts
    }

    /// Gives the arrays of powers their real values in a model; formulas that say what was wrong.
    pub fn correct_powers(
        &mut self,
        roots: &[TermId],
        residual: &[Quantified],
        model: &mut Assignment,
    ) -> Option<Vec<TermId>> {
        let mut corrections = Vec::new();
        if self.powers.is_empty() {
            return Some(corrections);
        }
        let mut largest = 0;
        for quantified in residual {
            if let Some(Value::Number(bound)) = self.terms.evaluate(quantified.bound, model) {
                largest = largest.max(bound.to_integer().to_u64().unwrap_or(0));
            }
        }
        for (array, exponent) in self.reads(roots) {
            let Some(base) = self.powers.get(&array).cloned() else {
                continue;
            };
            // Where τ is in the exponent, the iterations bound it.
            let value = match self.terms.evaluate(exponent, model) {
                Some(Value::Number(value)) => value.to_integer(),
                _ => continue,
            };
            if value.is_negative() {
                continue;
            }
            let small = value.to_u64().filter(|value| *value <= LARGEST_EXPONENT)?;
            largest = largest.max(small);
            let (place, power) = (
                self.terms.integer(value),
                self.terms.integer(num_traits::pow(base, small as usize)),
            );
            let (here, read) = (self.terms.equal(exponent, place), self.terms.select(array, exponent));
            let right = self.terms.equal(read, power);
            corrections.push(self.terms.implies(here, right));
        }
        if largest > LARGEST_EXPONENT {
            return None;
        }
        let mut arrays: Vec<(TermId, BigInt)> = Vec::new();
        for (array, _) in self.reads(roots) {
            if let Some(base) = self.powers.get(&array) {
                arrays.push((array, base.clone()));
            }
        }
        for (array, base) in arrays {
            model.insert(array, powers(&base, largest + 2));
        }
        Some(corrections)
    }
}

/// The first powers of a number, as an array.
fn powers(base: &BigInt, count: u64) -> Value {
    let mut elements = BTreeMap::new();
    let mut power = BigInt::one();
    for exponent in 0..count {
        let index = Value::Number(Rational::from_integer(exponent.into()));
        elements.insert(index, Value::Number(Rational::from_integer(power.clone())));
        power *= base;
    }
    Value::Array(Arc::new(ArrayValue {
        default: Value::Number(Rational::zero()),
        elements,
    }))
}
