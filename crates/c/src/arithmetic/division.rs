//! Division and remainder, rounded towards zero as C has it. The terms' division leaves no negative remainder, which is the
//! same thing for dividends that are not negative.

use super::super::program::{ErrorKind, Numeric};
use super::super::ranges::Interval;
use super::{Lowered, Lowering, lowered};
use crate::terms::TermId;

impl Lowering<'_> {
    pub(super) fn quotient(&mut self, a: &Lowered, b: &Lowered, raw: Interval, numeric: Numeric) -> Lowered {
        let divisor = self.divisor(b);
        // Signed numbers that wrap round do so in sums, differences and products. The machine stops at this quotient.
        if matches!(numeric, Numeric::Integer(kind) if self.rules.ranges.arithmetic().wraps(kind)) {
            self.oblige_quotient(a, b, numeric);
        }
        let term = self.by_sign(a, "Quotient", |lowering, dividend| {
            lowering.terms.integer_divide(dividend, divisor)
        });
        self.settle(term, raw, numeric)
    }

    pub(super) fn remainder(&mut self, a: &Lowered, b: &Lowered, raw: Interval, numeric: Numeric) -> Lowered {
        let divisor = self.divisor(b);
        self.oblige_quotient(a, b, numeric);
        let term = self.by_sign(a, "Remainder", |lowering, dividend| {
            lowering.terms.modulo(dividend, divisor)
        });
        lowered(term, raw)
    }

    /// A remainder is defined only where the quotient is: not for the least number and -1.
    fn oblige_quotient(&mut self, a: &Lowered, b: &Lowered, numeric: Numeric) {
        let Numeric::Integer(kind) = numeric else { return };
        let machine = self.rules.ranges.arithmetic().is_machine();
        let least = kind.minimum();
        if !machine || !kind.signed || !a.interval.contains(&least) || !b.interval.contains(&(-1).into()) {
            return;
        }
        let (least, minus_one) = (self.terms.integer(least), self.terms.integer(-1));
        let is_least = self.terms.equal(a.term, least);
        let is_minus_one = self.terms.equal(b.term, minus_one);
        let overflows = self.terms.and(&[is_least, is_minus_one]);
        let is_defined = self.terms.not(overflows);
        let text = "a signed operation overflows: {} divided by {} is no value of its type";
        self.oblige(is_defined, ErrorKind::Overflow, text, &[a.term, b.term]);
    }

    /// The divisor; where it may be zero, a term that is not, so that the rule can be evaluated whatever happens.
    fn divisor(&mut self, b: &Lowered) -> TermId {
        if !b.interval.contains(&0.into()) {
            return b.term;
        }
        let zero = self.terms.integer(0);
        let is_zero = self.terms.equal(b.term, zero);
        let is_not = self.terms.not(is_zero);
        self.oblige(is_not, ErrorKind::DivisionByZero, "a division by zero", &[]);
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
