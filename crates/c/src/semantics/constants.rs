//! Constants: literals, and operations on them done at once where they have a defined result.

use super::conversions::wrap;
use super::{Checked, Semantics, Value};
use crate::integer_literals::{LiteralError, integer_literal};
use crate::program::{BinaryOperator, ExpressionKind, Numeric, Place, PlaceBase, UnaryOperator};
use crate::syntax::{self, Span};
use crate::terms::Rational;
use crate::types::{IntegerType, Type, TypeId};
use num_bigint::BigInt;
use num_traits::{Num, Signed, ToPrimitive, Zero};

impl<'a> Semantics<'a, '_> {
    /// The value of an integer constant expression.
    pub(super) fn integer_constant(&mut self, expression: &'a syntax::Expression<'a>) -> Checked<BigInt> {
        self.typed_constant(expression).map(|(value, _)| value)
    }

    /// The value of an integer constant expression, and its type.
    pub(super) fn typed_constant(&mut self, expression: &'a syntax::Expression<'a>) -> Checked<(BigInt, TypeId)> {
        let outside = std::mem::replace(&mut self.needs_constant, true);
        let (value, has_effects) = self.unevaluated_with_effects(|semantics| semantics.value(expression));
        self.needs_constant = outside;
        let value = value?;
        match value.kind {
            ExpressionKind::Integer(number) if !has_effects => Ok((number, value.c_type)),
            _ => Err(self.error(
                expression.span,
                "a constant is needed here",
                "not a constant integer",
                None,
            )),
        }
    }

    /// Whether it is a variable that is not `const`: nothing that a compiler takes for a constant where one is needed.
    pub(super) fn is_plain_variable(&self, place: &Place) -> bool {
        let PlaceBase::Variable(variable) = place.base else {
            return false;
        };
        place.steps.is_empty() && self.types.is_scalar(place.kind) && !self.variable(variable).is_constant
    }

    /// The value of an expression, if it is a constant integer. What does something on the way to a constant is none.
    pub(super) fn try_constant(&mut self, expression: &'a syntax::Expression<'a>) -> Checked<Option<BigInt>> {
        self.try_typed_constant(expression).map(|(value, _)| value)
    }

    /// The same, and the type of the expression.
    pub(super) fn try_typed_constant(
        &mut self,
        expression: &'a syntax::Expression<'a>,
    ) -> Checked<(Option<BigInt>, TypeId)> {
        let (value, has_effects) = self.unevaluated_with_effects(|semantics| semantics.value(expression));
        let Value { kind, c_type, .. } = value?;
        Ok(match kind {
            ExpressionKind::Integer(number) if !has_effects => (Some(number), c_type),
            _ => (None, c_type),
        })
    }

    /// What an operator with one operand makes of a constant.
    pub(super) fn fold_unary(operator: UnaryOperator, operand: &Value) -> Option<BigInt> {
        let ExpressionKind::Integer(number) = &operand.kind else {
            return None;
        };
        let Numeric::Integer(kind) = operand.numeric else {
            return (operator == UnaryOperator::Not).then(|| truth(number.is_zero()));
        };
        match operator {
            UnaryOperator::Negate => in_type(-number, kind),
            UnaryOperator::BitNot => Some(wrap(&(-number - 1), kind)),
            UnaryOperator::Not => Some(truth(number.is_zero())),
            UnaryOperator::Float(_) => None,
        }
    }

    /// A constant whose bits are shifted to the left, the sign's too.
    pub(super) fn fold_shift(operator: BinaryOperator, left: &Value, right: &Value) -> Option<BigInt> {
        let (ExpressionKind::Integer(one), ExpressionKind::Integer(by)) = (&left.kind, &right.kind) else {
            return None;
        };
        let Numeric::Integer(kind) = left.numeric else {
            return None;
        };
        let by = by.to_u32().filter(|by| *by < kind.bits)?;
        (operator == BinaryOperator::ShiftLeft).then(|| wrap(&(one << by), kind))
    }

    /// What an operator makes of two constants; `None` if one is no constant or the result is not defined.
    pub(super) fn fold_binary(operator: BinaryOperator, left: &Value, right: &Value) -> Option<BigInt> {
        let ExpressionKind::Integer(one) = &left.kind else {
            return None;
        };
        // The right side of these is not evaluated, whatever it is.
        match operator {
            BinaryOperator::And if one.is_zero() => return Some(truth(false)),
            BinaryOperator::Or if !one.is_zero() => return Some(truth(true)),
            _ => {}
        }
        let (ExpressionKind::Integer(other), Numeric::Integer(kind)) = (&right.kind, left.numeric) else {
            return None;
        };
        match operator {
            BinaryOperator::Add => in_type(one + other, kind),
            BinaryOperator::Subtract => in_type(one - other, kind),
            BinaryOperator::Multiply => in_type(one * other, kind),
            BinaryOperator::Divide if !other.is_zero() => in_type(one / other, kind),
            BinaryOperator::Remainder if !other.is_zero() => in_type(one / other, kind).map(|_| one % other),
            BinaryOperator::ShiftLeft => {
                let by = other.to_u32().filter(|by| *by < kind.bits)?;
                match kind.signed && one.is_negative() {
                    true => None,
                    false => in_type(one << by, kind),
                }
            }
            BinaryOperator::ShiftRight => {
                let by = other.to_u32().filter(|by| *by < kind.bits)?;
                Some(one >> by)
            }
            BinaryOperator::BitAnd => Some(one & other),
            BinaryOperator::BitOr => Some(one | other),
            BinaryOperator::BitXor => Some(one ^ other),
            BinaryOperator::Equal => Some(truth(one == other)),
            BinaryOperator::NotEqual => Some(truth(one != other)),
            BinaryOperator::Less => Some(truth(one < other)),
            BinaryOperator::LessOrEqual => Some(truth(one <= other)),
            BinaryOperator::And | BinaryOperator::Or => Some(truth(!other.is_zero())),
            _ => None,
        }
    }

    /// The value of an integer literal, in the first type of C's list that holds it.
    pub(super) fn integer_literal(&mut self, text: &str, span: Span) -> Checked<Value> {
        match integer_literal(text, self.types.model()) {
            Ok((number, kind)) => {
                let kind = self.types.integer(kind);
                Ok(self.constant(number, kind))
            }
            Err(LiteralError::NoInteger) => {
                Err(self.error(span, format!("`{text}` is no integer"), "cannot be read", None))
            }
            Err(LiteralError::TooLarge) => {
                Err(self.error(span, format!("`{text}` is too large"), "no integer type holds it", None))
            }
        }
    }

    /// The exact value of a floating literal.
    pub(super) fn floating_literal(&mut self, text: &str, span: Span) -> Checked<Value> {
        let lower = text.to_ascii_lowercase();
        let is_hexadecimal = lower.starts_with("0x");
        let number = lower.trim_end_matches(|c| {
            matches!(c, 'l' | 'i' | 'j') || (c == 'f' && (!is_hexadecimal || lower.contains('p')))
        });
        // GNU C's way to say that it is no decimal number; those are not translated, nor are formats of the machine's own.
        let number = match is_hexadecimal {
            true => number,
            false => number
                .strip_suffix('d')
                .filter(|rest| !rest.ends_with('d'))
                .unwrap_or(number),
        };
        if !is_hexadecimal && number.ends_with(['d', 'q', 'w', 'x']) || lower.contains("df") || lower.contains("dl") {
            let message = format!("the type of `{text}` is not supported");
            return Err(self.refuse(span, message, "a decimal number, or one of a format of its own", None));
        }
        let bits = match lower[number.len()..].trim_start_matches('d') {
            "f" => 32,
            "l" => 80,
            _ => 64,
        };
        let value = match is_hexadecimal {
            true => rational(&number[2..], 16, 'p', 2),
            false => rational(number, 10, 'e', 10),
        };
        let Some(value) = value else {
            let message = format!("`{text}` is no number that can be read");
            return Err(self.error(span, message, "or its exponent is too large", None));
        };
        let kind = self.types.intern(Type::Floating(bits));
        Ok(self.typed(ExpressionKind::Floating(value), kind))
    }
}

fn truth(holds: bool) -> BigInt {
    BigInt::from(u8::from(holds))
}

/// The result of an operation: wrapped for an unsigned type, not defined if a signed one does not hold it.
fn in_type(number: BigInt, kind: IntegerType) -> Option<BigInt> {
    if !kind.signed {
        return Some(wrap(&number, kind));
    }
    (number >= kind.minimum() && number <= kind.maximum()).then_some(number)
}

/// `digits.digits` with an exponent of a base.
fn rational(text: &str, radix: u32, exponent_sign: char, exponent_base: u32) -> Option<Rational> {
    let (mantissa, exponent) = text.split_once(exponent_sign).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = BigInt::from_str_radix(&format!("0{whole}{fraction}"), radix).ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    // The types' exponents are far smaller; without a bound a short literal would take all memory.
    if exponent.unsigned_abs() > 20_000 || fraction.len() > 20_000 {
        return None;
    }
    let scale = BigInt::from(radix).pow(fraction.len() as u32);
    let power = BigInt::from(exponent_base).pow(exponent.unsigned_abs());
    Some(match exponent.is_negative() {
        true => Rational::new(digits, scale * power),
        false => Rational::new(digits * power, scale),
    })
}
