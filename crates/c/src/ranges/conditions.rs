//! What a condition says of the variables in it.

use super::super::flat::{FlatExpression, Leaf};
use super::super::program::{BinaryOperator, ExpressionKind, Numeric, UnaryOperator};
use super::{Interval, Ranges, Relation, State};
use num_bigint::BigInt;
use num_traits::One;

/// Disjunctions inside disjunctions are looked into so deep: every level doubles the work.
const DISJUNCTION_DEPTH: u32 = 6;

impl Ranges<'_> {
    /// What is known when a condition holds, or does not; `None` if that cannot be.
    pub fn refine(&self, state: &State, condition: &FlatExpression, holds: bool) -> Option<State> {
        self.refine_within(state, condition, holds, DISJUNCTION_DEPTH)
    }

    fn refine_within(&self, state: &State, condition: &FlatExpression, holds: bool, depth: u32) -> Option<State> {
        if matches!(condition.numeric, Numeric::Floating(_)) {
            return Some(state.clone());
        }
        match &condition.kind {
            ExpressionKind::Unary(UnaryOperator::Not, operand) => self.refine_within(state, operand, !holds, depth),
            ExpressionKind::Binary(operator @ (BinaryOperator::And | BinaryOperator::Or), left, right) => {
                let both = (*operator == BinaryOperator::And) == holds;
                if both {
                    let first = self.refine_within(state, left, holds, depth)?;
                    return self.refine_within(&first, right, holds, depth);
                }
                let Some(depth) = depth.checked_sub(1) else {
                    return Some(state.clone());
                };
                let first = self.refine_within(state, left, holds, depth);
                let second = self
                    .refine_within(state, left, !holds, depth)
                    .and_then(|state| self.refine_within(&state, right, holds, depth));
                match (first, second) {
                    (Some(first), Some(second)) => Some(self.join(&first, &second)),
                    (first, second) => first.or(second),
                }
            }
            ExpressionKind::Binary(operator, left, right)
                if operator.is_truth() && !matches!(left.numeric, Numeric::Floating(_)) =>
            {
                self.refine_comparison(state, *operator, [left, right], holds, depth)
            }
            // A comparison of floating-point numbers says nothing of integers.
            ExpressionKind::Binary(operator, ..) if operator.is_truth() => Some(state.clone()),
            ExpressionKind::Conditional(test, consequence, alternative) => {
                let Some(depth) = depth.checked_sub(1) else {
                    return Some(state.clone());
                };
                let sides = [(true, consequence), (false, alternative)].map(|(side, expression)| {
                    let state = self.refine_within(state, test, side, depth)?;
                    self.refine_within(&state, expression, holds, depth)
                });
                match sides {
                    [Some(first), Some(second)] => Some(self.join(&first, &second)),
                    [first, second] => first.or(second),
                }
            }
            ExpressionKind::Convert(operand)
                if !matches!(operand.numeric, Numeric::Floating(_)) && self.keeps_zero(condition, operand, state) =>
            {
                self.refine_within(state, operand, holds, depth)
            }
            _ if holds => {
                let rest = self.evaluate(condition, state).without_zero()?;
                self.narrow(state, condition, &rest, depth)
            }
            _ => self.narrow(state, condition, &Interval::point(0), depth),
        }
    }

    /// Whether a conversion is zero exactly if its operand is.
    fn keeps_zero(&self, conversion: &FlatExpression, operand: &FlatExpression, state: &State) -> bool {
        match (operand.numeric, conversion.numeric) {
            (_, Numeric::Integer(kind)) if kind.bits == 1 => true,
            (Numeric::Integer(from), Numeric::Integer(to)) => {
                to.bits >= from.bits || Interval::of_type(to).includes(&self.evaluate(operand, state))
            }
            _ => false,
        }
    }

    fn refine_comparison(
        &self,
        state: &State,
        operator: BinaryOperator,
        [left, right]: [&FlatExpression; 2],
        holds: bool,
        depth: u32,
    ) -> Option<State> {
        let (a, b) = (self.evaluate(left, state), self.evaluate(right, state));
        let one = Interval::point(1);
        match (operator, holds) {
            (BinaryOperator::Equal, true) | (BinaryOperator::NotEqual, false) => {
                let common = a.meet(&b)?;
                let state = self.narrow(state, left, &common, depth)?;
                self.narrow(&state, right, &common, depth)
            }
            (BinaryOperator::Equal, false) | (BinaryOperator::NotEqual, true) => {
                if a.compare(&b, Relation::Equal) == Some(true) {
                    return None;
                }
                let mut state = state.clone();
                for (side, own, other) in [(left, &a, &b), (right, &b, &a)] {
                    if let Some(rest) = other.as_point().and_then(|value| without_end(own, value)) {
                        state = self.narrow(&state, side, &rest, depth)?;
                    }
                }
                Some(state)
            }
            (BinaryOperator::Less, true) => self.order(state, [left, right], [&a.add(&one), &b.subtract(&one)], depth),
            (BinaryOperator::LessOrEqual, true) => self.order(state, [left, right], [&a, &b], depth),
            (BinaryOperator::Less, false) => self.order(state, [right, left], [&b, &a], depth),
            (BinaryOperator::LessOrEqual, false) => {
                self.order(state, [right, left], [&b.add(&one), &a.subtract(&one)], depth)
            }
            _ => Some(state.clone()),
        }
    }

    /// The first is at most the high bound of `bounds_above`, the second at least the low bound of `bounds_below`.
    fn order(
        &self,
        state: &State,
        [first, second]: [&FlatExpression; 2],
        [bounds_below, bounds_above]: [&Interval; 2],
        depth: u32,
    ) -> Option<State> {
        let above = Interval {
            low: None,
            high: bounds_above.high.clone(),
        };
        let below = Interval {
            low: bounds_below.low.clone(),
            high: None,
        };
        let state = self.narrow(state, first, &above, depth)?;
        self.narrow(&state, second, &below, depth)
    }

    /// What is known when an expression's value lies in an interval; `None` if it cannot.
    fn narrow(&self, state: &State, expression: &FlatExpression, to: &Interval, depth: u32) -> Option<State> {
        let value = self.evaluate(expression, state).meet(to)?;
        match &expression.kind {
            ExpressionKind::Read(Leaf::Variable(variable)) => {
                let mut narrowed = state.clone();
                self.set(&mut narrowed, *variable, value);
                Some(narrowed)
            }
            ExpressionKind::Convert(operand) if !matches!(operand.numeric, Numeric::Floating(_)) => {
                let kept = match expression.numeric {
                    Numeric::Integer(kind) if self.arithmetic.is_machine() => {
                        Interval::of_type(kind).includes(&self.evaluate(operand, state))
                    }
                    Numeric::Integer(kind) => kind.bits > 1,
                    _ => matches!(operand.numeric, Numeric::Integer(_) | Numeric::Pointer),
                };
                match kept {
                    true => self.narrow(state, operand, &value, depth),
                    false => Some(state.clone()),
                }
            }
            ExpressionKind::Binary(operator @ (BinaryOperator::Add | BinaryOperator::Subtract), left, right)
                if !matches!(expression.numeric, Numeric::Floating(_)) =>
            {
                let (a, b) = (self.evaluate(left, state), self.evaluate(right, state));
                let result = self.binary(*operator, &a, &b, expression.numeric);
                let wraps = matches!(expression.numeric, Numeric::Integer(kind) if self.arithmetic.wraps(kind));
                // A result that may have wrapped says nothing simple.
                if (wraps || !self.is_trusting) && self.settled(&result, expression.numeric) != result {
                    return Some(state.clone());
                }
                let (first, second) = match operator {
                    BinaryOperator::Add => (value.subtract(&b), value.subtract(&a)),
                    _ => (value.add(&b), a.subtract(&value)),
                };
                let state = self.narrow(state, left, &first, depth)?;
                self.narrow(&state, right, &second, depth)
            }
            ExpressionKind::Unary(UnaryOperator::Negate, operand)
                if self.is_trusting
                    && matches!(expression.numeric, Numeric::Integer(kind) if kind.signed && !self.arithmetic.wraps(kind)) =>
            {
                self.narrow(state, operand, &value.negate(), depth)
            }
            ExpressionKind::Unary(UnaryOperator::Not, _) | ExpressionKind::Binary(..)
                if value.as_point().is_some() && is_truth(expression) =>
            {
                let holds = value.as_point().is_some_and(BigInt::is_one);
                self.refine_within(state, expression, holds, depth)
            }
            _ => Some(state.clone()),
        }
    }
}

fn is_truth(expression: &FlatExpression) -> bool {
    match &expression.kind {
        ExpressionKind::Unary(UnaryOperator::Not, _) => true,
        ExpressionKind::Binary(operator, ..) => operator.is_truth(),
        _ => false,
    }
}

/// The interval without a value that is one of its ends; `None` if the value is not, or is all there is.
fn without_end(interval: &Interval, value: &BigInt) -> Option<Interval> {
    let mut rest = interval.clone();
    if rest.low.as_ref() == Some(value) {
        rest.low = Some(value + 1);
    } else if rest.high.as_ref() == Some(value) {
        rest.high = Some(value - 1);
    } else {
        return None;
    }
    rest.meet(&rest)
}
