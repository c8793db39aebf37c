//! Division and remainder, rounded towards zero as C has it. The terms' division leaves no negative remainder, which is the
//! same thing for dividends that are not negative.

use super::super::program::{ErrorKind, Numeric};
use super::super::ranges::Interval;
use super::{Lowered, Lowering, lowered};
use crate::terms::TermId;

impl Lowering<'_> {
    pub(super) fn quotient(&mut self, a: &Lowered, b: &Lowered, raw: Interval, numeric: Numeric) -> Lowered {
        let divisor = self.divisor(b);
        let term = self.by_sign(a, "Quotient", |lowering, dividend| {
            lowering.terms.integer_divide(dividend, divisor)
        });
        self.settle(term, raw, numeric)
    }

    pub(super) fn remainder(&mut self, a: &Lowered, b: &Lowered, raw: Interval) -> Lowered {
        let divisor = self.divisor(b);
        let term = self.by_sign(a, "Remainder", |lowering, dividend| {
            lowering.terms.modulo(dividend, divisor)
        });
        lowered(term, raw)
    }

    /// The divisor; where it may be zero, a term that is not, so that the rule can be evaluated whatever happens.
    fn divisor(&mut self, b: &Lowered) -> TermId {
        if !b.interval.contains(&0.into()) {
            return b.term;
        }
        let zero = self.terms.integer(0);
        let is_zero = self.terms.equal(b.term, zero);
        let is_not = self.terms.not(is_zero);
        self.oblige(is_not, ErrorKind::DivisionByZero);
        let one = self.terms.integer(1);
        self.terms.if_then_else(is_zero, one, b.term)
    }

    /// An odd function of the dividend that is known where the dividend is not negative.
    fn by_sign(&mut self, a: &Lowered, name: &str, mut function: impl FnMut(&mut Self, TermId) -> TermId) -> TermId {
        let positive = (!a.interval.is_at_most(0)).then(|| function(self, a.term));
        let negative = (!a.interval.is_at_least(0)).then(|| {
            let opposite = self.terms.negate(a.term);
            let result = function(self, opposite);
            self.terms.negate(result)
        });
        match (positive, negative) {
            (Some(positive), Some(negative)) => {
                let zero = self.terms.integer(0);
                let sign = self.terms.less_or_equal(zero, a.term);
                let other = self.terms.not(sign);
                self.by_cases(name, &[(sign, positive), (other, negative)])
            }
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => self.terms.integer(0),
        }
    }
}
