//! Comparisons of floating-point numbers with what operations make of them: an integer that a number is rounded to is at most one
//! away from it, and a sum is on the side of a number that its other part says. What holds of all numbers need not be found out bit by bit.
//!
//! Rounding to the nearest number never turns an order round: what holds of exact results holds of rounded ones, where one of the
//! sides is exact. So it is with `x - 1 <= floor(x)`: the right side is exact.

use super::{Float, FloatOperator, Operator, Rational, Rounding, SortId, TermId, Terms};
use num_traits::{One, Zero};

/// How many operations are looked into.
const MOST_STEPS: usize = 4;

impl Terms {
    /// A comparison that is known but for NaNs, or is one with zero: `None` where neither is so.
    pub(super) fn known_comparison(&mut self, is_strict: bool, [left, right]: [TermId; 2]) -> Option<TermId> {
        if is_strict && self.is_at_most(right, left, MOST_STEPS) {
            return Some(TermId::FALSE);
        }
        if !is_strict && self.is_at_most(left, right, MOST_STEPS) {
            let numbers = [left, right].map(|side| {
                let is_nan = self.float_term(FloatOperator::IsNan, &[side], SortId::BOOL);
                self.not(is_nan)
            });
            return Some(self.and(&numbers));
        }
        self.truncated_comparison(is_strict, [left, right])
    }

    /// Whether the first is less than the second or equal to it, unless one of them is NaN.
    fn is_at_most(&self, left: TermId, right: TermId, steps: usize) -> bool {
        if left == right {
            return true;
        }
        let Some(steps) = steps.checked_sub(1) else {
            return false;
        };
        let (below, above) = (self.as_rounded(left), self.as_rounded(right));
        // Rounded to integers; all directions are between down and up.
        if let (Some((down, one)), Some((up, other))) = (below, above)
            && one == other
            && (down == Rounding::Down || up == Rounding::Up)
        {
            return true;
        }
        if let Some((_, number)) = above
            && let Some((summand, by)) = self.as_moved(left)
            && summand == number
            && by <= -Rational::one()
        {
            return true;
        }
        if let Some((_, number)) = below
            && let Some((summand, by)) = self.as_moved(right)
            && summand == number
            && by >= Rational::one()
        {
            return true;
        }
        if let Some((Rounding::Down, number)) = below
            && self.is_at_most(number, right, steps)
        {
            return true;
        }
        if let Some((Rounding::Up, number)) = above
            && self.is_at_most(left, number, steps)
        {
            return true;
        }
        if let Some((number, by)) = self.as_moved(left)
            && by <= Rational::zero()
            && self.is_at_most(number, right, steps)
        {
            return true;
        }
        self.as_moved(right)
            .is_some_and(|(number, by)| by >= Rational::zero() && self.is_at_most(left, number, steps))
    }

    /// A number beside itself without its fraction, or beside that fraction, which is exact: it is compared with a constant instead.
    fn truncated_comparison(&mut self, is_strict: bool, [left, right]: [TermId; 2]) -> Option<TermId> {
        let (number, other, is_left) = match (self.truncated_in(right), self.truncated_in(left)) {
            (Some(number), _) if number == left => (left, right, true),
            (_, Some(number)) if number == right => (right, left, false),
            _ => return None,
        };
        let is_whole = self.as_rounded(other).is_some();
        let format = self.float_format(self.sort(number))?;
        // `x <= x - trunc(x)` says that x is below one, `x < x - trunc(x)` that it is not above minus one; and so on the other side.
        let mark = match (is_whole, is_left == is_strict) {
            (true, _) => Rational::zero(),
            (false, false) => Rational::one(),
            (false, true) => -Rational::one(),
        };
        let mark = self.float(Float::nearest(format, &mark));
        let sides = if is_left { [number, mark] } else { [mark, number] };
        let operator = match is_strict == is_whole {
            true => FloatOperator::Less,
            false => FloatOperator::LessOrEqual,
        };
        let beyond = self.float_term(operator, &sides, SortId::BOOL);
        if !is_whole {
            let infinite = self.float_term(FloatOperator::IsInfinite, &[number], SortId::BOOL);
            let finite = self.not(infinite);
            return Some(self.and(&[beyond, finite]));
        }
        // The integer is nearer to zero, or the number is one.
        let equal = self.float_term(FloatOperator::Equal, &[number, other], SortId::BOOL);
        Some(match is_strict {
            true => {
                let different = self.not(equal);
                self.and(&[beyond, different])
            }
            false => self.or(&[beyond, equal]),
        })
    }

    /// The number of which a term is the integer towards zero, or the rest beside that.
    fn truncated_in(&self, term: TermId) -> Option<TermId> {
        let truncated = |term: TermId| match self.as_rounded(term) {
            Some((Rounding::TowardZero, number)) => Some(number),
            _ => None,
        };
        match (self.operator(term), self.arguments(term)) {
            (Operator::Float(FloatOperator::Subtract), [number, whole]) if truncated(*whole) == Some(*number) => {
                Some(*number)
            }
            _ => truncated(term),
        }
    }

    /// The number that is rounded to an integer, and in which direction.
    fn as_rounded(&self, term: TermId) -> Option<(Rounding, TermId)> {
        match (self.operator(term), self.arguments(term)) {
            (Operator::Float(FloatOperator::RoundToIntegral(rounding)), [number]) => Some((rounding, *number)),
            _ => None,
        }
    }

    /// The number that a constant is added to, or taken from, and what is added.
    pub(super) fn as_moved(&self, term: TermId) -> Option<(TermId, Rational)> {
        let (operator, arguments) = (self.operator(term), self.arguments(term));
        let constant = |side: TermId| self.float_constant(side).and_then(Float::number);
        match (operator, arguments) {
            (Operator::Float(FloatOperator::Add), [one, other]) => match (constant(*one), constant(*other)) {
                (Some(by), _) => Some((*other, by)),
                (_, Some(by)) => Some((*one, by)),
                _ => None,
            },
            (Operator::Float(FloatOperator::Subtract), [one, other]) => Some((*one, -constant(*other)?)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Generator;
    use crate::terms::samples::float_value;
    use crate::terms::{Assignment, FloatFormat, Sort, Value, float_operation_value};

    /// Comparisons of numbers with what is made of them mean what they meant before they were made simpler.
    #[test]
    fn known_comparisons_mean_the_same() {
        let mut random = Generator(67);
        let mut known = 0;
        for _ in 0..30_000 {
            let format = [FloatFormat::Single, FloatFormat::Double, FloatFormat::Extended][random.below(3) as usize];
            let sort = Sort::Float(format);
            let mut terms = Terms::new();
            let float = terms.float_sort(format);
            let x = terms.fresh_variable("X", float);
            let number = Value::Float(float_value(format, &mut random));
            let mut side = |terms: &mut Terms| {
                let mut made = (x, number.clone());
                for _ in 0..random.below(3) {
                    let apply =
                        |terms: &mut Terms, operator, other: Option<&(TermId, Value)>, made: &(TermId, Value)| {
                            let (mut ids, mut values) = (vec![made.0], vec![&made.1]);
                            if let Some((id, value)) = other {
                                ids.push(*id);
                                values.push(value);
                            }
                            let value = float_operation_value(operator, &values, sort, sort).expect("a value");
                            (terms.float_operation(operator, &ids, float).expect("a term"), value)
                        };
                    let rounding = FloatOperator::RoundToIntegral(Rounding::ALL[random.below(5) as usize]);
                    let constant =
                        Float::nearest(format, &Rational::new((random.below(9) as i64 - 4).into(), 2.into()));
                    let constant = (terms.float(constant), Value::Float(constant));
                    made = match random.below(5) {
                        0 => apply(terms, FloatOperator::Add, Some(&constant), &made),
                        1 => apply(terms, FloatOperator::Subtract, Some(&constant), &made),
                        2 => {
                            let truncated = FloatOperator::RoundToIntegral(Rounding::TowardZero);
                            let whole = apply(terms, truncated, None, &made);
                            apply(terms, FloatOperator::Subtract, Some(&whole), &made)
                        }
                        _ => apply(terms, rounding, None, &made),
                    };
                }
                made
            };
            let (left, right) = (side(&mut terms), side(&mut terms));
            let operator = [FloatOperator::Less, FloatOperator::LessOrEqual][random.below(2) as usize];
            let simple = terms
                .float_operation(operator, &[left.0, right.0], SortId::BOOL)
                .expect("a comparison");
            known += u32::from(terms.operator(simple) != Operator::Float(operator));
            let expected = float_operation_value(operator, &[&left.1, &right.1], sort, Sort::Bool);
            let values = Assignment::from([(x, number.clone())]);
            assert_eq!(
                terms.evaluate(simple, &values),
                expected,
                "{} {number}",
                terms.display(simple)
            );
        }
        assert!(known > 8_000, "{known}");
    }
}
