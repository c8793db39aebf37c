//! Bounds of single variables, as constraints state them: outside of these the variable is not. [`super::InputValues`] takes inputs from
//! between them, `few_inputs` each of the values between.

use crate::terms::{Comparison, Rational, TermId, Terms};
use num_bigint::BigInt;
use num_traits::Signed;

/// Between which numbers a variable is, as far as that was stated.
#[derive(Clone, Default)]
pub(super) struct Bounds {
    pub lower: Option<Rational>,
    pub upper: Option<Rational>,
}

impl Bounds {
    /// One more bound is known.
    pub fn tighten(&mut self, bound: Rational, is_upper: bool) {
        let (side, tighter): (_, fn(&Rational, &Rational) -> bool) = match is_upper {
            true => (&mut self.upper, |new, old| new < old),
            false => (&mut self.lower, |new, old| new > old),
        };
        if side.as_ref().is_none_or(|old| tighter(&bound, old)) {
            *side = Some(bound);
        }
    }

    /// One more bound is stated elsewhere: it holds there alone.
    pub fn loosen(&mut self, bound: Rational, is_upper: bool) {
        let (side, looser): (_, fn(&Rational, &Rational) -> bool) = match is_upper {
            true => (&mut self.upper, |new, old| new > old),
            false => (&mut self.lower, |new, old| new < old),
        };
        if side.as_ref().is_none_or(|old| looser(&bound, old)) {
            *side = Some(bound);
        }
    }

    /// The integers between which it is.
    pub fn integers(&self) -> (Option<BigInt>, Option<BigInt>) {
        let low = self.lower.as_ref().map(|lower| lower.ceil().to_integer());
        (low, self.upper.as_ref().map(|upper| upper.floor().to_integer()))
    }
}

/// The variable that a literal bounds, which speaks of nothing else, the bound, and whether it is one from above. What is strictly below a
/// number is told as below it.
pub(super) fn stated_bound(terms: &Terms, literal: TermId) -> Option<(TermId, Rational, bool)> {
    let linear = terms.linear_atom(literal)?;
    let [(variable, coefficient)] = &linear.form.terms[..] else {
        return None;
    };
    let is_bound = linear.comparison != Comparison::Equal && terms.is_variable(*variable);
    is_bound.then(|| {
        let bound = -&linear.form.constant / coefficient;
        (*variable, bound, coefficient.is_positive())
    })
}
