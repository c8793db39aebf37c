//! Functions of the compiler's own: counting bits, operations that say whether they overflow, atomic operations. Nothing runs
//! at the same time, so that the last are plain ones.

use super::conventions::{BitCount, Builtin};
use super::{Checked, Semantics, Value};
use crate::program::{BinaryOperator, ExpressionKind, InstructionKind, Numeric, Place, UnaryOperator, UnknownSource};
use crate::syntax::{self, Span};
use crate::types::{IntegerType, Type, TypeId, Types};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

type Arguments<'a> = &'a [&'a syntax::Expression<'a>];

impl<'a> Semantics<'a, '_> {
    /// A call of a function of the compiler's own.
    pub(super) fn builtin(
        &mut self,
        name: &'a str,
        builtin: Builtin,
        arguments: Arguments<'a>,
        span: Span,
    ) -> Checked<Value> {
        match builtin {
            Builtin::Bits(count) => self.bits(name, count, arguments, span),
            Builtin::Overflows(operator) => self.overflows(name, operator, arguments, span),
            Builtin::Overflow(operator, operands) => self.overflow(name, operator, operands, arguments, span),
            Builtin::Update {
                operator,
                inverted,
                old,
            } => {
                let (place, values) = self.atomic(name, arguments, 1, span)?;
                let [value] = values.as_slice() else {
                    return Err(super::Reported);
                };
                let before = self.saved_read(&place, span)?;
                let after = match operator {
                    Some(operator) => self.operation(operator, before.clone(), value.clone(), place.kind),
                    None => value.clone(),
                };
                let after = match inverted {
                    true => {
                        let kind = ExpressionKind::Unary(UnaryOperator::BitNot, Box::new(after));
                        self.typed(kind, place.kind)
                    }
                    false => after,
                };
                // The operation wraps: it is done without a sign.
                let after = self.wrapping(after, place.kind);
                let after = self.saved_value(after, span);
                self.emit_assign(place, after.clone(), span);
                Ok(if old { before } else { after })
            }
            Builtin::Load => {
                let (place, _) = self.atomic(name, arguments, 0, span)?;
                self.saved_read(&place, span)
            }
            Builtin::Store => {
                let wanted = arguments.len().saturating_sub(1).min(1);
                let (place, values) = self.atomic(name, arguments, wanted, span)?;
                let value = match values.into_iter().next() {
                    Some(value) => value,
                    None => {
                        let zero = self.int_constant(0);
                        self.convert(zero, place.kind)
                    }
                };
                self.emit_assign(place, value, span);
                Ok(self.void_value())
            }
            Builtin::StoreBehind => {
                let values = self.values_in_order(arguments)?;
                let [value, pointer] = values.as_slice() else {
                    let message = format!("`{name}` needs 2 arguments");
                    return Err(self.error(span, message, "in this call", None));
                };
                let place = self.dereference(pointer.clone(), span)?;
                let value = self.convert_implicitly(value.clone(), place.kind, span)?;
                self.emit_assign(place, value, span);
                Ok(self.void_value())
            }
            Builtin::LoadInto => {
                let [place, to] = self.atomic_places(name, arguments, 0, span)?;
                let value = self.saved_read(&place, span)?;
                self.emit_assign(to, value, span);
                Ok(self.void_value())
            }
            Builtin::StoreFrom => {
                let [place, from] = self.atomic_places(name, arguments, 0, span)?;
                let value = self.saved_read(&from, span)?;
                self.emit_assign(place, value, span);
                Ok(self.void_value())
            }
            Builtin::ExchangeThrough => {
                let [place, from, to] = self.atomic_places(name, arguments, 0, span)?;
                let (new, before) = (self.saved_read(&from, span)?, self.saved_read(&place, span)?);
                self.emit_assign(place, new, span);
                self.emit_assign(to, before, span);
                Ok(self.void_value())
            }
            Builtin::CompareAndSwap { truth } => {
                let (place, values) = self.atomic(name, arguments, 2, span)?;
                let [expected, new] = values.as_slice() else {
                    return Err(super::Reported);
                };
                let before = self.saved_read(&place, span)?;
                let same = self.operation(BinaryOperator::Equal, before.clone(), expected.clone(), Types::INT);
                let same = self.saved_value(same, span);
                let after = self.either(same.clone(), new.clone(), before.clone());
                self.emit_assign(place, after, span);
                Ok(if truth { same } else { before })
            }
            Builtin::CompareExchange { through } => self.compare_exchange(name, through, arguments, span),
        }
    }

    fn either(&mut self, condition: Value, one: Value, other: Value) -> Value {
        let kind = one.c_type;
        let choice = ExpressionKind::Conditional(Box::new(condition), Box::new(one), Box::new(other));
        self.typed(choice, kind)
    }

    /// The value, evaluated here.
    pub(super) fn saved_value(&mut self, value: Value, span: Span) -> Value {
        let kind = value.c_type;
        let place = self.saved(value, span);
        self.typed(ExpressionKind::Read(place), kind)
    }

    fn saved_read(&mut self, place: &Place, span: Span) -> Checked<Value> {
        let value = self.read(place.clone(), span)?;
        Ok(self.saved_value(value, span))
    }

    /// Signed numbers wrap in atomic operations: the operands are taken without their signs.
    fn wrapping(&mut self, value: Value, kind: TypeId) -> Value {
        let Numeric::Integer(integer) = value.numeric else {
            return value;
        };
        if !integer.signed {
            return value;
        }
        let unsigned = self.types.integer(IntegerType {
            bits: integer.bits,
            signed: false,
        });
        let value = match value.kind {
            ExpressionKind::Binary(operator, left, right) => {
                let (left, right) = (self.convert(*left, unsigned), self.convert(*right, unsigned));
                self.operation(operator, left, right, unsigned)
            }
            ExpressionKind::Unary(operator, operand) => {
                let operand = self.wrapping(*operand, unsigned);
                let operand = self.convert(operand, unsigned);
                self.typed(ExpressionKind::Unary(operator, Box::new(operand)), unsigned)
            }
            other => Value { kind: other, ..value },
        };
        self.convert(value, kind)
    }

    /// The place that the first argument points to, and the values of so many further ones as it has them. All arguments are
    /// evaluated.
    fn atomic(
        &mut self,
        name: &str,
        arguments: Arguments<'a>,
        wanted: usize,
        span: Span,
    ) -> Checked<(Place, Vec<Value>)> {
        self.argument_at(name, arguments, wanted, span)?;
        let mut values = self.evaluated_in_order(arguments)?.into_iter();
        let pointer = values.next().ok_or(super::Reported)?;
        let place = self.dereference(pointer, span)?;
        if !matches!(self.types.get(place.kind), Type::Integer(_) | Type::Pointer(_)) {
            let message = format!("`{name}` of {}", self.types.display(place.kind));
            return Err(self.refuse(span, message, "cannot be translated", None));
        }
        let mut converted = Vec::new();
        for value in values.take(wanted) {
            converted.push(self.convert_implicitly(value, place.kind, span)?);
        }
        Ok((place, converted))
    }

    /// The places that the arguments point to, beginning with this one, all of one scalar type. All arguments are evaluated.
    fn atomic_places<const COUNT: usize>(
        &mut self,
        name: &str,
        arguments: Arguments<'a>,
        first: usize,
        span: Span,
    ) -> Checked<[Place; COUNT]> {
        self.argument_at(name, arguments, first + COUNT, span)?;
        let mut places = Vec::with_capacity(COUNT);
        for value in self.evaluated_in_order(arguments)?.into_iter().skip(first).take(COUNT) {
            places.push(self.dereference(value, span)?);
        }
        let places: [Place; COUNT] = places.try_into().map_err(|_| super::Reported)?;
        let is_same = places.iter().all(|place| place.kind == places[0].kind);
        if !is_same || !matches!(self.types.get(places[0].kind), Type::Integer(_) | Type::Pointer(_)) {
            let message = format!("`{name}` of {}", self.types.display(places[0].kind));
            return Err(self.refuse(span, message, "cannot be translated", None));
        }
        Ok(places)
    }

    fn compare_exchange(&mut self, name: &str, through: bool, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        self.argument_at(name, arguments, 2, span)?;
        let mut values = self.values_in_order(arguments)?.into_iter();
        let (Some(pointer), Some(expected), Some(new)) = (values.next(), values.next(), values.next()) else {
            return Err(super::Reported);
        };
        let (place, expected) = (self.dereference(pointer, span)?, self.dereference(expected, span)?);
        if !self.types.is_scalar(place.kind) || place.kind != expected.kind {
            let message = format!("`{name}` of {}", self.types.display(place.kind));
            return Err(self.refuse(span, message, "cannot be translated", None));
        }
        let new = match through {
            true => {
                let from = self.dereference(new, span)?;
                self.read(from, span)?
            }
            false => new,
        };
        let new = self.convert_implicitly(new, place.kind, span)?;
        let new = self.saved_value(new, span);
        let before = self.saved_read(&place, span)?;
        let wanted = self.saved_read(&expected, span)?;
        let same = self.operation(BinaryOperator::Equal, before.clone(), wanted.clone(), Types::INT);
        let same = self.saved_value(same, span);
        let after = self.either(same.clone(), new, before.clone());
        self.emit_assign(place, after, span);
        let left = self.either(same.clone(), wanted, before);
        self.emit_assign(expected, left, span);
        Ok(same)
    }

    /// What is counted in the bits of a number. Of zero, the zeros before and behind the first one are undefined.
    fn bits(&mut self, name: &str, count: BitCount, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let value = self.first_argument(name, arguments, span)?;
        let width = match name.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or_default() {
            "16" => 16,
            "32" => 32,
            "64" => 64,
            _ if name.ends_with("ll") => 64,
            _ if name.ends_with('l') => self.long_type().bits,
            _ => 32,
        };
        let kind = self.types.integer(IntegerType {
            bits: width,
            signed: false,
        });
        let value = self.convert_implicitly(value, kind, span)?;
        let result = match count {
            BitCount::SwappedBytes => kind,
            _ => Types::INT,
        };
        if let ExpressionKind::Integer(number) = &value.kind
            && let Some(number) = counted(count, number, width)
        {
            return Ok(self.constant(number, result));
        }
        if !self.options.arithmetic.is_machine() {
            let target = self.temporary(result, span);
            self.emit_unsupported(format!("`{name}`"), vec![target.clone()], span);
            return Ok(self.typed(ExpressionKind::Read(target), result));
        }
        let value = self.saved_value(value, span);
        Ok(match count {
            BitCount::LeadingZeros => {
                let zeros = (0..width).map(|bit| (BinaryOperator::Less, BigInt::one() << bit));
                let zeros = self.count(&value, zeros);
                self.unless_zero(name, value, zeros, span)
            }
            BitCount::TrailingZeros => {
                let zeros = self.trailing_zeros(&value, width);
                self.unless_zero(name, value, zeros, span)
            }
            BitCount::FirstSet => {
                let zeros = self.trailing_zeros(&value, width);
                let one = self.int_constant(1);
                let next = self.operation(BinaryOperator::Add, zeros, one, Types::INT);
                let zero = self.int_constant(0);
                self.either(value, next, zero)
            }
            BitCount::RedundantSigns => {
                // The sign and what is like it behind it are the zeros before the first one of the number or its complement.
                let limit = self.constant(BigInt::one() << (width - 1), kind);
                let is_positive = self.operation(BinaryOperator::Less, value.clone(), limit, Types::INT);
                let complement = UnaryOperator::BitNot;
                let complement = self.typed(ExpressionKind::Unary(complement, Box::new(value.clone())), kind);
                let value = self.either(is_positive, value, complement);
                let value = self.saved_value(value, span);
                let zeros = (0..width - 1).map(|bit| (BinaryOperator::Less, BigInt::one() << bit));
                self.count(&value, zeros)
            }
            BitCount::Ones => self.ones(&value, width),
            BitCount::Parity => {
                let ones = self.ones(&value, width);
                let two = self.int_constant(2);
                self.operation(BinaryOperator::Remainder, ones, two, Types::INT)
            }
            BitCount::SwappedBytes => {
                let mut swapped = self.constant(0, kind);
                for byte in 0..width / 8 {
                    let bits = self.field(&value, byte * 8, 0xff);
                    let distance = self.int_constant(width - 8 - byte * 8);
                    let moved = self.operation(BinaryOperator::ShiftLeft, bits, distance, kind);
                    swapped = self.operation(BinaryOperator::BitOr, swapped, moved, kind);
                }
                swapped
            }
        })
    }

    /// The count, but of zero any number: the compiler leaves the result open, and the run goes on. No check names it, so that it
    /// is refused where all undefined behaviour is asked for.
    fn unless_zero(&mut self, name: &str, value: Value, count: Value, span: Span) -> Value {
        let result = self.saved(count, span);
        let (zero, join) = (self.state.graph.new_block(), self.state.graph.new_block());
        self.branch_on(value, join, zero, span);
        self.state.graph.resume(zero);
        if self.options.checks.shifts {
            let what = format!("a check of `{name}` of zero");
            self.emit_anything(what, span);
        }
        let source = UnknownSource::NotCalculated(format!("the result of `{name}` of zero"));
        let target = result.clone();
        self.emit(InstructionKind::Unknown { target, source }, span);
        self.state.graph.goto(join, span);
        self.state.graph.resume(join);
        self.typed(ExpressionKind::Read(result), Types::INT)
    }

    /// The bits from a place on that are in the mask.
    fn field(&mut self, value: &Value, place: u32, mask: u32) -> Value {
        let kind = value.c_type;
        let distance = self.int_constant(place);
        let moved = self.operation(BinaryOperator::ShiftRight, value.clone(), distance, kind);
        let mask = self.constant(mask, kind);
        self.operation(BinaryOperator::BitAnd, moved, mask, kind)
    }

    fn ones(&mut self, value: &Value, width: u32) -> Value {
        let mut sum = self.int_constant(0);
        for bit in 0..width {
            let bit = self.field(value, bit, 1);
            let bit = self.convert(bit, Types::INT);
            sum = self.operation(BinaryOperator::Add, sum, bit, Types::INT);
        }
        sum
    }

    /// How many powers of two greater than one divide a number that is not zero.
    fn trailing_zeros(&mut self, value: &Value, width: u32) -> Value {
        let zeros = (1..width).map(|bit| (BinaryOperator::Remainder, BigInt::one() << bit));
        self.count(value, zeros)
    }

    /// How many of these hold: the value is less than the number, or a multiple of it.
    fn count(&mut self, value: &Value, conditions: impl Iterator<Item = (BinaryOperator, BigInt)>) -> Value {
        let kind = value.c_type;
        let mut sum = self.int_constant(0);
        for (operator, number) in conditions {
            let number = self.constant(number, kind);
            let holds = match operator {
                BinaryOperator::Less => self.operation(operator, value.clone(), number, Types::INT),
                _ => {
                    let rest = self.operation(operator, value.clone(), number, kind);
                    let zero = self.constant(0, kind);
                    self.operation(BinaryOperator::Equal, rest, zero, Types::INT)
                }
            };
            sum = self.operation(BinaryOperator::Add, sum, holds, Types::INT);
        }
        sum
    }
}

/// What is counted in the bits of a number without a sign; `None` if it is not defined.
fn counted(count: BitCount, number: &BigInt, width: u32) -> Option<BigInt> {
    let is_set = |bit: &u32| !((number >> *bit) & BigInt::one()).is_zero();
    let lowest = (0..width).find(is_set);
    let ones = (0..width).filter(is_set).count();
    Some(match count {
        BitCount::LeadingZeros => BigInt::from(width - 1 - (0..width).rev().find(is_set)?),
        BitCount::TrailingZeros => BigInt::from(lowest?),
        BitCount::FirstSet => BigInt::from(lowest.map_or(0, |bit| bit + 1)),
        BitCount::RedundantSigns => {
            let is_like_sign = |bit: &u32| is_set(bit) == is_set(&(width - 1));
            BigInt::from((0..width - 1).rev().take_while(is_like_sign).count())
        }
        BitCount::Ones => BigInt::from(ones),
        BitCount::Parity => BigInt::from(ones % 2),
        BitCount::SwappedBytes => {
            let bytes = number.to_u64()?.swap_bytes() >> (64 - width);
            BigInt::from(bytes)
        }
    })
}
