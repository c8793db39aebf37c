//! Floating-point operations that another term says more simply: neutral arguments, operations that undo each other, comparisons with
//! constants and of differences with zero. Comparisons with what is made of the same number are in [`super::float_orders`].
//!
//! All of it holds for NaN, infinities and both zeros. Solvers look at floating-point numbers bit by bit, so what is told here
//! need not be found out there.

use super::floats::Gives;
use super::{Float, FloatOperator, Operator, Rational, SortId, TermId, Terms};
use num_traits::One;

impl Terms {
    /// What is simpler than an operation on these arguments, if something is known to be.
    pub(super) fn simple_float_term(
        &mut self,
        operator: FloatOperator,
        arguments: &[TermId],
        result: SortId,
    ) -> Option<TermId> {
        use FloatOperator::{
            Absolute, Add, Convert, Divide, Equal, IsInfinite, IsNan, IsZero, Less, LessOrEqual, Multiply, Negate,
            Subtract,
        };
        if let [only] = *arguments {
            let inner = match (self.operator(only), self.arguments(only)) {
                (Operator::Float(inner), [argument, ..]) => Some((inner, *argument)),
                _ => None,
            };
            return match (operator, inner) {
                (Convert, _) if self.sort(only) == result => Some(only),
                (Negate, Some((Negate, inner))) => Some(inner),
                (Absolute, Some((Absolute, _))) => Some(only),
                (Absolute, Some((Negate, inner))) => Some(self.float_term(Absolute, &[inner], result)),
                // To the wider format and back.
                (Convert, Some((Convert, inner))) if self.sort(inner) == result && self.is_wider(only, inner) => {
                    Some(inner)
                }
                (FloatOperator::OfBits, Some((FloatOperator::ToBits, inner))) => Some(inner),
                (IsNan | IsInfinite | IsZero, Some((Negate | Absolute, inner))) => {
                    Some(self.float_term(operator, &[inner], result))
                }
                (IsNan, Some((FloatOperator::OfSigned | FloatOperator::OfUnsigned, _))) => Some(TermId::FALSE),
                (IsNan, Some((Convert | FloatOperator::RoundToIntegral(_), inner))) => {
                    Some(self.float_term(IsNan, &[inner], result))
                }
                (IsNan, _) => {
                    let (inner, _) = self.as_moved(only)?;
                    Some(self.float_term(IsNan, &[inner], result))
                }
                _ => None,
            };
        }
        let [left, right] = *arguments else { return None };
        if left == right {
            return match operator {
                Less => Some(TermId::FALSE),
                LessOrEqual | Equal => {
                    let is_nan = self.float_term(IsNan, &[left], SortId::BOOL);
                    Some(self.not(is_nan))
                }
                _ => None,
            };
        }
        let one = |terms: &Terms, term: TermId| {
            let one = Rational::one();
            terms.float_constant(term).and_then(Float::number) == Some(one)
        };
        let zero = |terms: &Terms, term: TermId, negative: bool| {
            let constant = terms.float_constant(term);
            constant.is_some_and(|float| float == Float::zero(float.format(), negative))
        };
        if matches!(operator, Less | LessOrEqual)
            && let Some(known) = self.known_comparison(operator == Less, [left, right])
        {
            return Some(known);
        }
        match operator {
            Multiply if one(self, left) => Some(right),
            Multiply | Divide if one(self, right) => Some(left),
            Add if zero(self, left, true) => Some(right),
            Add if zero(self, right, true) => Some(left),
            Subtract if zero(self, right, false) => Some(left),
            Equal if self.is_one_value(left) || self.is_one_value(right) => Some(self.equal(left, right)),
            Less if self.is_zero_constant(left) => self.sign_of_difference(right, true),
            Less if self.is_zero_constant(right) => self.sign_of_difference(left, false),
            _ if [left, right].into_iter().any(|side| self.is_nan_constant(side)) => match operator.gives() {
                Gives::Truth => Some(TermId::FALSE),
                Gives::Same if !matches!(operator, FloatOperator::Minimum | FloatOperator::Maximum) => {
                    let format = self.float_format(result)?;
                    Some(self.float(Float::nan(format)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// That a difference is less or greater than zero, as a comparison of the two. A difference has the right sign: the smallest
    /// numbers are as near to each other as to zero. Where it is NaN, the two are equal or one is NaN.
    fn sign_of_difference(&mut self, difference: TermId, is_positive: bool) -> Option<TermId> {
        let Operator::Float(FloatOperator::Subtract) = self.operator(difference) else {
            return None;
        };
        let &[minuend, subtrahend] = self.arguments(difference) else {
            return None;
        };
        let sides = match is_positive {
            true => [subtrahend, minuend],
            false => [minuend, subtrahend],
        };
        Some(self.float_term(FloatOperator::Less, &sides, SortId::BOOL))
    }

    /// Whether the first one's format has all values of the second one's.
    fn is_wider(&self, first: TermId, second: TermId) -> bool {
        let bits = |term: TermId| Some(self.float_format(self.sort(term))?.significand_bits());
        bits(first) >= bits(second)
    }

    /// Whether a term is a constant that nothing but itself compares equal to: a number that is not zero, or an infinity.
    fn is_one_value(&self, term: TermId) -> bool {
        self.float_constant(term)
            .is_some_and(|float| !float.is_nan() && !float.is_zero())
    }

    fn is_zero_constant(&self, term: TermId) -> bool {
        self.float_constant(term).is_some_and(Float::is_zero)
    }

    fn is_nan_constant(&self, term: TermId) -> bool {
        self.float_constant(term).is_some_and(Float::is_nan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Generator;
    use crate::terms::samples::float_value;
    use crate::terms::{Assignment, FloatFormat, Value, floats::float_operation_value};

    /// Comparisons of sums and differences with zero, and with other constants, mean what they meant before they were made simpler.
    #[test]
    fn simpler_comparisons_mean_the_same() {
        let mut random = Generator(41);
        let comparisons = [FloatOperator::Less, FloatOperator::LessOrEqual, FloatOperator::Equal];
        for round in 0..20_000 {
            let format = [FloatFormat::Single, FloatFormat::Double][round % 2];
            let mut terms = Terms::new();
            let sort = terms.float_sort(format);
            let [x, y] = ["X", "Y"].map(|name| terms.fresh_variable(name, sort));
            let first = float_value(format, &mut random);
            let second = match random.below(3) {
                0 => first,
                1 => Float::of_bits(format, first.bits().wrapping_add(1)),
                _ => float_value(format, &mut random),
            };
            let constant = match random.below(2) {
                0 => Float::zero(format, random.below(2) == 0),
                _ => float_value(format, &mut random),
            };
            let operation = [FloatOperator::Add, FloatOperator::Subtract][random.below(2) as usize];
            let comparison = comparisons[random.below(3) as usize];
            let value = |operator, left: &Value, right: &Value, result| {
                float_operation_value(operator, &[left, right], crate::terms::Sort::Float(format), result)
            };
            let [first, second, constant] = [first, second, constant].map(Value::Float);
            let float = crate::terms::Sort::Float(format);
            let made = value(operation, &first, &second, float).expect("a sum");
            let is_left = random.below(2) == 0;
            let (left, right) = if is_left {
                (&constant, &made)
            } else {
                (&made, &constant)
            };
            let expected = value(comparison, left, right, crate::terms::Sort::Bool);
            let sum = terms.float_operation(operation, &[x, y], sort).expect("a sum");
            let number = terms.value_term(&constant, sort);
            let sides = if is_left { [number, sum] } else { [sum, number] };
            let simple = terms
                .float_operation(comparison, &sides, SortId::BOOL)
                .expect("a comparison");
            let values = Assignment::from([(x, first), (y, second)]);
            assert_eq!(terms.evaluate(simple, &values), expected, "{}", terms.display(simple));
        }
    }
}
