//! Floating-point numbers as reals: exact where floating-point numbers round, so an approximation of C.

use super::super::program::{BinaryOperator, Numeric};
use super::super::types::IntegerType;
use super::{Lowered, Lowering, unbounded};
use crate::terms::{Rational, SortId};
use num_traits::Zero;

impl Lowering<'_> {
    pub(super) fn real_binary(&mut self, operator: BinaryOperator, a: &Lowered, b: &Lowered) -> Lowered {
        let term = match operator {
            BinaryOperator::Add => self.terms.add(a.term, b.term),
            BinaryOperator::Subtract => self.terms.subtract(a.term, b.term),
            BinaryOperator::Multiply => self.terms.multiply(a.term, b.term),
            _ => {
                let is_nonzero = self.terms.number_value(b.term).is_some_and(|value| !value.is_zero());
                let divisor = match is_nonzero {
                    true => b.term,
                    false => {
                        let zero = self.terms.real(Rational::zero());
                        let is_zero = self.terms.equal(b.term, zero);
                        let one = self.terms.number(Rational::from_integer(1.into()), SortId::REAL);
                        self.terms.if_then_else(is_zero, one, b.term)
                    }
                };
                self.terms.divide(a.term, divisor)
            }
        };
        unbounded(term)
    }

    /// A real without what stands behind the point.
    pub(super) fn truncate_real(&mut self, operand: &Lowered, kind: IntegerType) -> Lowered {
        let zero = self.terms.real(Rational::zero());
        let sign = self.terms.less_or_equal(zero, operand.term);
        let other = self.terms.not(sign);
        let positive = self.terms.to_integer(operand.term);
        let opposite = self.terms.negate(operand.term);
        let opposite = self.terms.to_integer(opposite);
        let negative = self.terms.negate(opposite);
        let term = self.by_cases("Truncated", &[(sign, positive), (other, negative)]);
        let raw = unbounded(term).interval;
        let signed = IntegerType { signed: true, ..kind };
        match kind.signed {
            true => self.settle(term, raw, Numeric::Integer(signed)),
            false => self.settle(term, raw, Numeric::Integer(kind)),
        }
    }
}
