//! Conversions: implicit and explicit ones, the usual arithmetic conversions, and values as conditions.

use super::{Checked, Semantics, Value};
use crate::options::Floats;
use crate::program::{ExpressionKind, Numeric, UnaryOperator, Written};
use crate::syntax::Span;
use crate::terms::{Float, FloatFormat};
use crate::types::{IntegerType, Type, TypeId, Types};
use num_bigint::BigInt;
use num_traits::Zero;

impl Semantics<'_, '_> {
    /// The numbers that values of a type are.
    pub(super) fn numeric(&self, kind: TypeId) -> Numeric {
        match self.types.get(kind) {
            Type::Integer(integer) => Numeric::Integer(*integer),
            Type::Pointer(_) | Type::Function { .. } | Type::Array(..) => Numeric::Pointer,
            Type::Floating(bits) => Numeric::Floating(*bits),
            Type::Void => Numeric::Integer(IntegerType::INT),
            Type::Record(_) => Numeric::Aggregate,
        }
    }

    /// An expression of a type.
    pub(super) fn typed(&self, kind: ExpressionKind<crate::program::Place>, c_type: TypeId) -> Value {
        Value {
            kind,
            numeric: self.numeric(c_type),
            c_type,
            written: Written::default(),
        }
    }

    /// An integer constant of an integer or pointer type; the value must fit.
    pub(super) fn constant(&self, value: impl Into<BigInt>, c_type: TypeId) -> Value {
        self.typed(ExpressionKind::Integer(value.into()), c_type)
    }

    pub(super) fn int_constant(&self, value: impl Into<BigInt>) -> Value {
        self.constant(value, Types::INT)
    }

    /// The value of a call to a `void` function and the like.
    pub(super) fn void_value(&self) -> Value {
        self.constant(0, Types::VOID)
    }

    pub(super) fn is_null_constant(&self, value: &Value) -> bool {
        matches!(&value.kind, ExpressionKind::Integer(number) if number.is_zero())
            && !matches!(self.types.get(value.c_type), Type::Void)
    }

    /// The value in another scalar type, as assignments and casts have it. Constants are converted at once.
    pub(super) fn convert(&mut self, value: Value, target: TypeId) -> Value {
        if value.c_type == target {
            return value;
        }
        let to = self.numeric(target);
        match (&value.kind, value.numeric, to) {
            // `(long)&((struct s *)0)->member`, the old way to write an offset.
            (ExpressionKind::AddressOf(place), _, Numeric::Integer(kind)) if self.offset_from_null(place).is_some() => {
                let offset = self.offset_from_null(place).unwrap_or_default();
                self.constant(wrap(&offset, kind), target)
            }
            (ExpressionKind::Integer(number), Numeric::Integer(_) | Numeric::Pointer, Numeric::Integer(kind)) => {
                let number = wrap(number, kind);
                self.constant(number, target)
            }
            (ExpressionKind::Integer(number), Numeric::Integer(_) | Numeric::Pointer, Numeric::Pointer) => {
                let number = wrap(number, self.types.size_type());
                self.constant(number, target)
            }
            (ExpressionKind::Integer(number), Numeric::Integer(_), Numeric::Floating(53..)) => {
                // Narrower ones round; the numbers met in constants are exact in the wider ones unless huge.
                let fits = number.bits() <= 52;
                match fits {
                    true => self.typed(ExpressionKind::Floating(number.clone().into()), target),
                    false => self.typed(ExpressionKind::Convert(Box::new(value)), target),
                }
            }
            (
                ExpressionKind::Floating(_) | ExpressionKind::Unary(..),
                Numeric::Floating(bits @ (32 | 64)),
                Numeric::Integer(kind),
            ) if kind.bits > 1 && constant_part(&value, bits).is_some_and(|number| holds(kind, &number)) => {
                let number = constant_part(&value, bits).unwrap_or_default();
                self.constant(number, target)
            }
            (ExpressionKind::Floating(number), Numeric::Floating(80), Numeric::Floating(_))
                if self.options.floats == Floats::Exact =>
            {
                match super::long_double::extended(number) {
                    Some(number) => self.typed(ExpressionKind::Floating(number), target),
                    None => self.typed(ExpressionKind::Convert(Box::new(value)), target),
                }
            }
            (_, Numeric::Integer(from), Numeric::Integer(kind)) if from == kind => Value {
                c_type: target,
                ..value
            },
            // Not a conversion that could be applied twice: `(T *)(void *)p` is `(T *)p`.
            (ExpressionKind::Convert(inner), Numeric::Pointer, Numeric::Pointer)
                if inner.numeric == Numeric::Pointer =>
            {
                let inner = (**inner).clone();
                self.convert(inner, target)
            }
            _ => self.typed(ExpressionKind::Convert(Box::new(value)), target),
        }
    }

    /// The value converted for an assignment, argument or result of the type; structs must be of the same type.
    pub(super) fn convert_implicitly(&mut self, value: Value, target: TypeId, span: Span) -> Checked<Value> {
        let target = self.types.without_volatile(target);
        if value.c_type == target {
            return Ok(value);
        }
        if self.vector_of(value.c_type).is_some() || self.vector_of(target).is_some() {
            return self.convert_vector(value, target, span);
        }
        if self.is_complex(value.c_type) || self.is_complex(target) {
            return self.convert_complex(value, target, span);
        }
        if !self.types.is_scalar(value.c_type) || !self.types.is_scalar(target) {
            let (from, to) = (self.types.display(value.c_type), self.types.display(target));
            let message = match self.types.get(value.c_type) {
                Type::Void => "a value is needed, but there is none".to_string(),
                _ => format!("{from} cannot be converted to {to}"),
            };
            let label = match self.types.get(value.c_type) {
                Type::Void => "of type void".to_string(),
                _ => format!("of type {from}"),
            };
            return Err(self.error(span, message, label, None));
        }
        if matches!(
            (value.numeric, self.numeric(target)),
            (Numeric::Floating(_), Numeric::Pointer) | (Numeric::Pointer, Numeric::Floating(_))
        ) {
            return Err(self.error(
                span,
                "pointers and floating-point numbers do not convert into each other",
                "here",
                None,
            ));
        }
        Ok(self.convert(value, target))
    }

    /// An operand of arithmetic: an integer after promotion, or a floating number.
    pub(super) fn promote(&mut self, value: Value) -> Value {
        match value.numeric {
            Numeric::Integer(kind) if kind.promoted() != kind => {
                let target = self.types.integer(kind.promoted());
                self.convert(value, target)
            }
            _ => value,
        }
    }

    /// Both operands in their common type.
    pub(super) fn usual_conversions(&mut self, left: Value, right: Value) -> (Value, Value) {
        let target = match (left.numeric, right.numeric) {
            (Numeric::Floating(one), Numeric::Floating(other)) => self.types.intern(Type::Floating(one.max(other))),
            (Numeric::Floating(bits), _) | (_, Numeric::Floating(bits)) => self.types.intern(Type::Floating(bits)),
            (Numeric::Integer(one), Numeric::Integer(other)) => self.types.integer(one.common(other)),
            _ => return (left, right),
        };
        (self.convert(left, target), self.convert(right, target))
    }

    /// A value that can decide a branch; of a complex number, whether it is not zero.
    pub(super) fn condition(&mut self, value: Value, span: Span) -> Checked<Value> {
        match self.is_complex(value.c_type) {
            true => self.complex_truth(value, span),
            false => self.require_scalar(value, span),
        }
    }

    /// A single number.
    pub(super) fn require_scalar(&mut self, value: Value, span: Span) -> Checked<Value> {
        if self.types.is_scalar(value.c_type) {
            return Ok(value);
        }
        let message = format!(
            "a number or pointer is needed, not {}",
            self.types.display(value.c_type)
        );
        Err(self.error(span, message, "has no truth value", None))
    }
}

/// The number that a type has for this one.
pub(super) fn wrap(number: &BigInt, kind: IntegerType) -> BigInt {
    if kind == IntegerType::BOOL {
        return BigInt::from(u8::from(!number.is_zero()));
    }
    let modulus = BigInt::from(1) << kind.bits;
    let mut wrapped = number % &modulus;
    if wrapped < kind.minimum() {
        wrapped += modulus;
    } else if wrapped > kind.maximum() {
        wrapped -= modulus;
    }
    wrapped
}

/// The integer part of a floating-point constant, which may have a sign, if rounding to its type does not matter for it.
fn constant_part(value: &Value, bits: u32) -> Option<BigInt> {
    match &value.kind {
        ExpressionKind::Unary(UnaryOperator::Negate, operand) => constant_part(operand, bits).map(|number| -number),
        ExpressionKind::Floating(number) => {
            let format = if bits == 32 {
                FloatFormat::Single
            } else {
                FloatFormat::Double
            };
            let rounded = Float::nearest(format, number).number()?;
            (rounded.to_integer() == number.to_integer()).then(|| number.to_integer())
        }
        _ => None,
    }
}

fn holds(kind: IntegerType, number: &BigInt) -> bool {
    *number >= kind.minimum() && *number <= kind.maximum()
}
