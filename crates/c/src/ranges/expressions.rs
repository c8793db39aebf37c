//! The interval of an expression.

use super::super::flat::{FlatExpression, Leaf};
use super::super::program::{BinaryOperator, ExpressionKind, Numeric, UnaryOperator};
use super::{Interval, Ranges, Relation, State};
use crate::terms::FloatOperator;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// Conditions of `?:` up to this size are used to refine its sides; for larger ones, nested, the work would multiply.
const CONDITION_SIZE: usize = 12;

impl Ranges<'_> {
    /// The values of an expression in a state, where it is defined.
    pub fn evaluate(&self, expression: &FlatExpression, state: &State) -> Interval {
        if let Numeric::Floating(_) = expression.numeric {
            return Interval::all();
        }
        let result = match &expression.kind {
            ExpressionKind::Integer(value) => return Interval::point(value.clone()),
            ExpressionKind::Floating(_) | ExpressionKind::AddressOf(_) | ExpressionKind::FunctionAddress(_) => {
                return Interval::all();
            }
            ExpressionKind::Read(Leaf::Element(..)) if !self.is_trusting => return self.of_numeric(expression.numeric),
            ExpressionKind::Read(Leaf::Variable(variable) | Leaf::Element(variable, _)) => {
                return self.get(state, *variable);
            }
            ExpressionKind::Unary(operator, operand) => {
                let interval = self.evaluate(operand, state);
                self.unary(*operator, &interval, expression.numeric)
            }
            ExpressionKind::Binary(operator, left, right) => {
                let (a, b) = (self.evaluate(left, state), self.evaluate(right, state));
                match left.numeric {
                    Numeric::Floating(_) if operator.is_truth() => return Interval::truth(),
                    Numeric::Floating(_) => return Interval::all(),
                    _ => {
                        let result = self.binary(*operator, &a, &b, expression.numeric);
                        // Bits that are shifted out are gone, also if the sign was among them.
                        if let (BinaryOperator::ShiftLeft, Numeric::Integer(kind)) = (operator, expression.numeric)
                            && self.arithmetic.is_machine()
                        {
                            return result.wrapped(kind);
                        }
                        result
                    }
                }
            }
            ExpressionKind::Convert(operand) => match operand.numeric {
                Numeric::Floating(_) => Interval::all(),
                _ => self.converted(&self.evaluate(operand, state), operand.numeric, expression.numeric),
            },
            ExpressionKind::Fused(..) => Interval::all(),
            ExpressionKind::Conditional(condition, consequence, alternative) => {
                let sides = [(true, consequence), (false, alternative)];
                let looked_into = condition.has_at_most(CONDITION_SIZE);
                let intervals = sides.map(|(holds, side)| match looked_into {
                    true => Some(self.evaluate(side, &self.refine(state, condition, holds)?)),
                    false => Some(self.evaluate(side, state)),
                });
                match intervals {
                    [Some(first), Some(second)] => first.join(&second),
                    [Some(only), None] | [None, Some(only)] => only,
                    [None, None] => Interval::all(),
                }
            }
        };
        self.settled(&result, expression.numeric)
    }

    /// What an operator with one operand makes of it, before it is brought into its type.
    pub fn unary(&self, operator: UnaryOperator, operand: &Interval, numeric: Numeric) -> Interval {
        match operator {
            UnaryOperator::Float(FloatOperator::ToBits) => match numeric {
                Numeric::Integer(kind) => Interval::of_type(kind),
                _ => Interval::all(),
            },
            // What tells classes of floating-point numbers apart.
            UnaryOperator::Float(_) => Interval::truth(),
            UnaryOperator::Negate => operand.negate(),
            UnaryOperator::BitNot => match numeric {
                Numeric::Integer(kind) if !kind.signed => Interval::point(kind.maximum()).subtract(operand),
                _ => Interval::point(-BigInt::one()).subtract(operand),
            },
            UnaryOperator::Not => match operand.compare(&Interval::point(0), Relation::Equal) {
                Some(holds) => Interval::point(i32::from(holds)),
                None => Interval::truth(),
            },
        }
    }

    /// What an operator with two integer operands makes of them, before it is brought into its type.
    pub fn binary(&self, operator: BinaryOperator, a: &Interval, b: &Interval, numeric: Numeric) -> Interval {
        let truth = |known: Option<bool>| match known {
            Some(holds) => Interval::point(i32::from(holds)),
            None => Interval::truth(),
        };
        let zero = |interval: &Interval| interval.as_point().is_some_and(Zero::is_zero);
        let nonzero = |interval: &Interval| !interval.contains(&BigInt::zero());
        match operator {
            BinaryOperator::Add | BinaryOperator::PointerAdd => a.add(b),
            BinaryOperator::Subtract | BinaryOperator::PointerDifference => a.subtract(b),
            BinaryOperator::Multiply => a.multiply(b),
            _ if !self.is_trusting && !self.is_defined(operator, a, b, numeric) => Interval::all(),
            BinaryOperator::Divide => a.divide(b),
            BinaryOperator::Remainder => a.remainder(b),
            BinaryOperator::ShiftLeft => a.shift_left(&shift_distance(b, numeric)),
            BinaryOperator::ShiftRight => a.shift_right(&shift_distance(b, numeric)),
            BinaryOperator::BitAnd => a.bit_and(b),
            BinaryOperator::BitOr => a.bit_or(b),
            BinaryOperator::BitXor => a.bit_xor(b),
            BinaryOperator::Equal => truth(a.compare(b, Relation::Equal)),
            BinaryOperator::NotEqual => truth(a.compare(b, Relation::Equal).map(|equal| !equal)),
            BinaryOperator::Less => truth(a.compare(b, Relation::Less)),
            BinaryOperator::LessOrEqual => truth(a.compare(b, Relation::LessOrEqual)),
            BinaryOperator::And if zero(a) || zero(b) => Interval::point(0),
            BinaryOperator::And => truth((nonzero(a) && nonzero(b)).then_some(true)),
            BinaryOperator::Or if nonzero(a) || nonzero(b) => Interval::point(1),
            BinaryOperator::Or => truth((zero(a) && zero(b)).then_some(false)),
        }
    }

    /// What conversion makes of integers.
    pub fn converted(&self, operand: &Interval, from: Numeric, to: Numeric) -> Interval {
        match (from, to) {
            (_, Numeric::Integer(kind)) if kind.bits == 1 => {
                match operand.compare(&Interval::point(0), Relation::Equal) {
                    Some(zero) => Interval::point(i32::from(!zero)),
                    None => Interval::truth(),
                }
            }
            // Addresses are never changed by what they are converted to, as long as it is about as wide.
            (Numeric::Pointer, Numeric::Integer(kind)) if kind.bits >= 32 => operand.clone(),
            (_, Numeric::Integer(kind)) if self.arithmetic.is_machine() => operand.wrapped(kind),
            _ => operand.clone(),
        }
    }

    /// Whether a division or a shift of these values has a result; other operators do not ask.
    fn is_defined(&self, operator: BinaryOperator, left: &Interval, right: &Interval, numeric: Numeric) -> bool {
        match operator {
            BinaryOperator::Divide | BinaryOperator::Remainder => {
                // The opposite of the least number is none of the type, and what remains is undefined, too.
                let leaves = match numeric {
                    Numeric::Integer(kind) if kind.signed && self.arithmetic.is_machine() => {
                        left.contains(&kind.minimum()) && right.contains(&-BigInt::one())
                    }
                    _ => false,
                };
                !leaves && !right.contains(&BigInt::zero())
            }
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => match numeric {
                Numeric::Integer(kind) => Interval::between(0, kind.bits - 1).includes(right),
                _ => false,
            },
            _ => true,
        }
    }

    /// The result of an operation brought into its type: wrapped if it is unsigned, and otherwise taken to be inside, or to be
    /// anything if it may not be.
    pub fn settled(&self, result: &Interval, numeric: Numeric) -> Interval {
        match numeric {
            Numeric::Integer(kind) if self.arithmetic.is_machine() => {
                let range = Interval::of_type(kind);
                match !self.arithmetic.wraps(kind) {
                    true if !self.is_trusting && !range.includes(result) => range,
                    true => result.meet(&range).unwrap_or(range),
                    false => result.wrapped(kind),
                }
            }
            _ => result.clone(),
        }
    }
}

/// The distances that a shift of this type may have.
pub(super) fn shift_distance(distance: &Interval, numeric: Numeric) -> Interval {
    match numeric {
        Numeric::Integer(kind) => {
            let all = Interval::between(0, kind.bits - 1);
            distance.meet(&all).unwrap_or(all)
        }
        _ => distance.clone(),
    }
}

impl BinaryOperator {
    /// Whether the result is 0 or 1.
    pub(crate) fn is_truth(self) -> bool {
        matches!(
            self,
            BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::Less
                | BinaryOperator::LessOrEqual
                | BinaryOperator::And
                | BinaryOperator::Or
        )
    }

    /// Whether it moves bits or combines them.
    pub(crate) fn is_on_bits(self) -> bool {
        matches!(
            self,
            BinaryOperator::BitAnd
                | BinaryOperator::BitOr
                | BinaryOperator::BitXor
                | BinaryOperator::ShiftLeft
                | BinaryOperator::ShiftRight
        )
    }
}
