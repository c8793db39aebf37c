//! `__builtin_add_overflow` and its kin: whether the result of an operation, as if there were no bounds, fits a type.

use super::conventions::{Operands, Rank};
use super::known_calls::Arguments;
use super::{Checked, Semantics, Value};
use crate::program::{BinaryOperator, ExpressionKind, Numeric};
use crate::syntax::{self, Span};
use crate::types::{IntegerType, Type, Types};

impl<'a> Semantics<'a, '_> {
    /// `a op b`, as if there were no bounds, converted to where the third argument points. The value is whether that changed it.
    pub(super) fn overflow(
        &mut self,
        name: &str,
        operator: BinaryOperator,
        operands: Operands,
        arguments: Arguments<'a>,
        span: Span,
    ) -> Checked<Value> {
        self.argument_at(name, arguments, 2, span)?;
        let Ok([left, right, pointer]) = <[Value; 3]>::try_from(self.values_in_order(arguments)?) else {
            let message = format!("`{name}` needs 3 arguments");
            return Err(self.error(span, message, "in this call", None));
        };
        let (left, right) = (
            self.operand(operands, left, span)?,
            self.operand(operands, right, span)?,
        );
        let place = self.dereference(pointer, span)?;
        let is_integer = matches!(self.types.get(place.kind), Type::Integer(_));
        let Some(wide) = wide_enough(operator, &left, &right).filter(|_| is_integer) else {
            let result = self.temporary(Types::INT, span);
            self.emit_unsupported(format!("`{name}` of these types"), vec![place, result.clone()], span);
            return Ok(self.typed(ExpressionKind::Read(result), Types::INT));
        };
        let wide = self.types.integer(wide);
        let (left, right) = (self.convert(left, wide), self.convert(right, wide));
        let exact = self.operation(operator, left, right, wide);
        let exact = self.saved_value(exact, span);
        let result = self.convert(exact.clone(), place.kind);
        let result = self.saved_value(result, span);
        self.emit_assign(place, result.clone(), span);
        let result = self.convert(result, wide);
        let differs = self.operation(BinaryOperator::NotEqual, exact, result, Types::INT);
        Ok(self.saved_value(differs, span))
    }

    /// Whether `a op b`, as if there were no bounds, does not fit the type of the third argument, of which nothing else counts. A
    /// bit-field has its own width there.
    pub(super) fn overflows(
        &mut self,
        name: &str,
        operator: BinaryOperator,
        arguments: Arguments<'a>,
        span: Span,
    ) -> Checked<Value> {
        let last = self.argument_at(name, arguments, 2, span)?;
        let width = match last.kind {
            syntax::ExpressionKind::Member(..) | syntax::ExpressionKind::PointerMember(..) => {
                let place = self.unevaluated(|semantics| semantics.place(last))?;
                self.bit_width(&place)
                    .and_then(|width| self.bit_field_type(place.kind, width))
            }
            _ => None,
        };
        let Ok([left, right, example]) = <[Value; 3]>::try_from(self.values_in_order(arguments)?) else {
            let message = format!("`{name}` needs 3 arguments");
            return Err(self.error(span, message, "in this call", None));
        };
        let is_bool = |value: &Value| value.numeric == Numeric::Integer(IntegerType::BOOL);
        let of_example = match example.numeric {
            Numeric::Integer(kind) => Some(kind),
            _ => None,
        };
        let target = width.or(of_example).filter(|kind| *kind != IntegerType::BOOL);
        let wide = wide_enough(operator, &left, &right).filter(|_| !is_bool(&left) && !is_bool(&right));
        let (Some(wide), Some(target)) = (wide, target) else {
            let result = self.temporary(Types::INT, span);
            self.emit_unsupported(format!("`{name}` of these types"), vec![result.clone()], span);
            return Ok(self.typed(ExpressionKind::Read(result), Types::INT));
        };
        let wide = self.types.integer(wide);
        let target = self.types.integer(target);
        let (left, right) = (self.convert(left, wide), self.convert(right, wide));
        let exact = self.operation(operator, left, right, wide);
        let exact = self.kept(exact, span);
        let result = self.convert(exact.clone(), target);
        let result = self.convert(result, wide);
        Ok(self.operation(BinaryOperator::NotEqual, exact, result, Types::INT))
    }

    /// An operand as the operation takes it.
    fn operand(&mut self, operands: Operands, value: Value, span: Span) -> Checked<Value> {
        let (rank, signed) = match operands {
            Operands::AsGiven => return Ok(value),
            Operands::Signed(rank) => (rank, true),
            Operands::Unsigned(rank) => (rank, false),
        };
        let bits = match rank {
            Rank::Int => 32,
            Rank::Long => self.long_type().bits,
            Rank::LongLong => 64,
        };
        let kind = self.types.integer(IntegerType { bits, signed });
        self.convert_implicitly(value, kind, span)
    }
}

/// A type that has all results of an operation on these; `None` if one of them is no integer of at most 64 bits.
fn wide_enough(operator: BinaryOperator, left: &Value, right: &Value) -> Option<IntegerType> {
    let kind = |value: &Value| match value.numeric {
        Numeric::Integer(kind) if kind.bits <= 64 => Some(kind),
        _ => None,
    };
    let (one, other) = (kind(left)?, kind(right)?);
    // A product of two numbers without signs may need all 128 bits.
    let signed = one.signed || other.signed || operator != BinaryOperator::Multiply;
    Some(IntegerType { bits: 128, signed })
}
