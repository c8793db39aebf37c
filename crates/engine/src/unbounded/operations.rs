//! What operations on words are on the integers that stand for them.

use crate::terms::{Operator, Rational, SortId, TermId, Terms, WordOperator};
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// Which integers words are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Signs {
    /// From minus half of what the width allows on.
    Signed,
    /// From zero on.
    Unsigned,
}

/// What becomes of numbers that are too large for their words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Overflow {
    /// There are none.
    Ignored,
    /// They wrap around.
    Wraps,
}

/// Numbers are not shifted further than this.
const MOST_SHIFTED: u32 = 256;

/// The terms over integers, and which integers they are.
pub(super) struct Integers {
    pub terms: Terms,
    pub signs: Signs,
    pub overflow: Overflow,
    /// Whether there are integers of which nothing is known.
    pub is_vague: bool,
}

impl Integers {
    /// An integer that nothing is known of.
    pub fn anything(&mut self) -> TermId {
        self.is_vague = true;
        self.terms.fresh_variable("Any", SortId::INT)
    }

    /// The number that an integer is when its word of this width is seen with or without a sign.
    pub fn seen_as(&mut self, signs: Signs, integer: TermId, width: u32) -> TermId {
        if signs == self.signs {
            return integer;
        }
        let terms = &mut self.terms;
        let (zero, half) = (
            terms.integer(0),
            terms.integer(BigInt::one() << width.saturating_sub(1)),
        );
        let whole = terms.integer(BigInt::one() << width);
        match signs {
            Signs::Unsigned => {
                let (is_low, moved) = (terms.less(integer, zero), terms.add(integer, whole));
                terms.if_then_else(is_low, moved, integer)
            }
            Signs::Signed => {
                let (is_low, moved) = (terms.less(integer, half), terms.subtract(integer, whole));
                terms.if_then_else(is_low, integer, moved)
            }
        }
    }

    /// An operation, as far as it is one on integers. `width` is that of the result, `inner` that of the first argument.
    pub fn operation(
        &mut self,
        operator: WordOperator,
        arguments: &[TermId],
        width: u32,
        inner: u32,
    ) -> Option<TermId> {
        use WordOperator as W;
        let number = |terms: &Terms, at: usize| {
            let value = terms.number_value(*arguments.get(at)?)?;
            Some(value.to_integer())
        };
        let (first, second) = (*arguments.first()?, arguments.get(1).copied());
        let power = |exponent: BigInt| {
            u32::try_from(exponent)
                .ok()
                .filter(|one| *one < width)
                .map(|one| BigInt::one() << one)
        };
        Some(match (operator, second) {
            (W::Add, Some(second)) => self.terms.add(first, second),
            (W::Subtract, Some(second)) => self.terms.subtract(first, second),
            (W::Multiply, Some(second)) => self.terms.multiply(first, second),
            (W::Negate, _) if self.signs == Signs::Signed || self.overflow == Overflow::Wraps => {
                self.terms.negate(first)
            }
            (W::Not, _) => {
                let greatest = match (self.signs, self.overflow) {
                    (Signs::Signed, _) | (_, Overflow::Wraps) => BigInt::from(-1),
                    (Signs::Unsigned, Overflow::Ignored) => range(self.signs, width).1,
                };
                let greatest = self.terms.integer(greatest);
                self.terms.subtract(greatest, first)
            }
            (W::SignExtend, _) => match self.signs {
                Signs::Signed => first,
                Signs::Unsigned => {
                    let signed = self.seen_as(Signs::Signed, first, inner);
                    let (zero, whole) = (self.terms.integer(0), self.terms.integer(BigInt::one() << width));
                    let (is_low, moved) = (self.terms.less(signed, zero), self.terms.add(signed, whole));
                    self.terms.if_then_else(is_low, moved, signed)
                }
            },
            (W::Concatenate, Some(second)) => {
                let below = width.checked_sub(inner)?;
                let low = self.seen_as(Signs::Unsigned, second, below);
                let scale = self.terms.integer(BigInt::one() << below);
                let high = self.terms.multiply(first, scale);
                self.terms.add(high, low)
            }
            // What is left out is taken to be nothing but copies of the sign.
            (W::Extract(0), _) | (W::OfInteger, _) => first,
            (W::Extract(from), _) => {
                let scale = self.terms.integer(BigInt::one() << from);
                self.terms.integer_divide(first, scale)
            }
            (W::ShiftLeft, _) => {
                let scale = power(number(&self.terms, 1)?)?;
                let scale = self.terms.integer(scale);
                self.terms.multiply(first, scale)
            }
            (W::SignedShiftRight, _) if self.signs == Signs::Signed => {
                let scale = power(number(&self.terms, 1)?)?;
                let scale = self.terms.integer(scale);
                self.terms.integer_divide(first, scale)
            }
            (W::ShiftRight, _) => {
                let scale = power(number(&self.terms, 1)?)?;
                let scale = self.terms.integer(scale);
                let unsigned = self.seen_as(Signs::Unsigned, first, width);
                self.terms.integer_divide(unsigned, scale)
            }
            (W::UnsignedDivide | W::UnsignedRemainder | W::SignedDivide | W::SignedRemainder, Some(second)) => {
                if number(&self.terms, 1)? <= BigInt::zero() {
                    return None;
                }
                self.division(operator, first, second, width)
            }
            (W::And, Some(second)) => {
                let (mask, other) = match (number(&self.terms, 1), number(&self.terms, 0)) {
                    (Some(mask), _) => (mask, first),
                    (_, Some(mask)) => (mask, second),
                    _ => return None,
                };
                let next: BigInt = mask + 1;
                let is_power = next > BigInt::one() && (&next & (&next - BigInt::one())).is_zero();
                let modulus = is_power.then_some(next)?;
                let modulus = self.terms.integer(modulus);
                self.terms.modulo(other, modulus)
            }
            _ => return None,
        })
    }

    /// Division by a positive number, and its remainder: of signed numbers, toward zero.
    fn division(&mut self, operator: WordOperator, first: TermId, second: TermId, width: u32) -> TermId {
        use WordOperator as W;
        let of = |terms: &mut Terms, number: TermId| match operator {
            W::UnsignedDivide | W::SignedDivide => terms.integer_divide(number, second),
            _ => terms.modulo(number, second),
        };
        if matches!(operator, W::UnsignedDivide | W::UnsignedRemainder) {
            let unsigned = self.seen_as(Signs::Unsigned, first, width);
            return of(&mut self.terms, unsigned);
        }
        let signed = self.seen_as(Signs::Signed, first, width);
        let opposite = self.terms.negate(signed);
        let (below, zero) = (of(&mut self.terms, opposite), self.terms.integer(0));
        let (below, above) = (self.terms.negate(below), of(&mut self.terms, signed));
        let is_low = self.terms.less(signed, zero);
        self.terms.if_then_else(is_low, below, above)
    }
}

/// Whether it makes no difference if its arguments wrap around before it or only its result.
pub(super) fn commutes_with_wrapping(operator: Operator) -> bool {
    use WordOperator::{Add, Extract, Multiply, Negate, Not, ShiftLeft, Subtract};
    matches!(
        operator,
        Operator::IfThenElse | Operator::Word(Add | Subtract | Multiply | Negate | Not | ShiftLeft | Extract(0))
    )
}

/// Where the result of an operation lies if its arguments lie there; `None` if that is not said.
pub(super) fn spread(operator: Operator, ranges: &[(BigInt, BigInt)]) -> Option<(BigInt, BigInt)> {
    use WordOperator::{Add, Extract, Multiply, Negate, Not, ShiftLeft, Subtract};
    Some(match (operator, ranges) {
        (Operator::IfThenElse, [.., (a, b), (c, d)]) => (a.min(c).clone(), b.max(d).clone()),
        (Operator::Word(Add), [(a, b), (c, d)]) => (a + c, b + d),
        (Operator::Word(Subtract), [(a, b), (c, d)]) => (a - d, b - c),
        (Operator::Word(Multiply), [(a, b), (c, d)]) => {
            let products = [a * c, a * d, b * c, b * d];
            (products.iter().min()?.clone(), products.iter().max()?.clone())
        }
        (Operator::Word(ShiftLeft), [(a, b), (by, _)]) => {
            let by = u32::try_from(by).ok().filter(|by| *by < MOST_SHIFTED)?;
            (a << by, b << by)
        }
        (Operator::Word(Negate), [(a, b)]) => (-b, -a),
        (Operator::Word(Not), [(a, b)]) => (-b - 1, -a - 1),
        (Operator::Word(Extract(0)), [only]) => only.clone(),
        _ => return None,
    })
}

/// The least and the greatest number of a width.
pub(super) fn range(signs: Signs, width: u32) -> (BigInt, BigInt) {
    match signs {
        Signs::Signed => {
            let half = BigInt::one() << width.saturating_sub(1);
            (-half.clone(), half - 1)
        }
        Signs::Unsigned => (BigInt::zero(), (BigInt::one() << width) - 1),
    }
}

/// The word that an integer is, as a number without a sign.
pub(super) fn wrapped(value: &Rational, width: u32) -> Rational {
    let modulus = BigInt::one() << width;
    let rest = value.to_integer() % &modulus;
    Rational::from_integer(if rest < BigInt::zero() { rest + modulus } else { rest })
}
