//! Calls with a meaning of their own become instructions.

use super::conventions::Meaning;
use super::{Checked, Semantics, Value};
use crate::c::program::{
    CopySource, ErrorKind, ExpressionKind, InstructionKind, Numeric, Place, Terminator, UnknownSource,
};
use crate::c::syntax::{self, ExpressionKind as Kind, Span};
use crate::c::types::{Length, Type, TypeId, Types};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// How many elements are filled one by one.
const MOST_SINGLE_ELEMENTS: u64 = 4096;

type Arguments<'a> = &'a [&'a syntax::Expression<'a>];

impl<'a> Semantics<'a, '_> {
    /// A call of a function with a known meaning. Its value may have been put into the place, if one is given.
    pub(super) fn known_call(
        &mut self,
        name: &'a str,
        meaning: Meaning,
        arguments: Arguments<'a>,
        place: Option<&Place>,
        span: Span,
    ) -> Checked<Value> {
        match meaning {
            Meaning::Fails => self.ends(Terminator::Error(ErrorKind::Reached), arguments, span),
            Meaning::Ends => self.ends(Terminator::Stop, arguments, span),
            Meaning::Asserts => self.assertion(name, arguments, true, span),
            Meaning::Refutes => self.assertion(name, arguments, false, span),
            Meaning::Assumes => {
                let value = self.first_argument(name, arguments, span)?;
                let value = self.require_scalar(value, span)?;
                self.emit(InstructionKind::Assume(value), span);
                Ok(self.void_value())
            }
            Meaning::Reads => {
                self.discard_all(arguments)?;
                let kind = self.known_result(name);
                if matches!(self.types.get(kind), Type::Void) {
                    return Ok(self.void_value());
                }
                Ok(self.unknown_into(place, kind, UnknownSource::Call(name.to_string()), span))
            }
            Meaning::Forgets => self.forgets(name, arguments, span),
            Meaning::ForgetsArray => self.forgets_array(name, arguments, span),
            // The arguments are advice about the program, not part of it.
            Meaning::Nothing => Ok(self.int_constant(0)),
            Meaning::Jumps => {
                let message = format!("`{name}` cannot be translated");
                Err(self.error(span, message, "jumps between functions are not followed", None))
            }
            Meaning::FirstArgument => {
                let value = self.first_argument(name, arguments, span)?;
                self.discard_all(arguments.get(1..).unwrap_or_default())?;
                Ok(value)
            }
            Meaning::NotConstant => {
                self.discard_all(arguments)?;
                Ok(self.int_constant(0))
            }
            Meaning::Absolute => self.absolute(name, arguments, span),
            Meaning::Allocates(allocator) => self.untyped_allocation(allocator, arguments, span),
            Meaning::Reallocates => {
                self.discard_all(arguments)?;
                let kind = self.types.pointer_to(Types::VOID);
                let target = self.temporary(kind, span);
                self.emit_unsupported("`realloc`", vec![target.clone()], span);
                Ok(self.typed(ExpressionKind::Read(target), kind))
            }
            Meaning::Frees => {
                let value = self.first_argument(name, arguments, span)?;
                if value.numeric == Numeric::Pointer {
                    self.emit(InstructionKind::Free(value), span);
                }
                Ok(self.void_value())
            }
            Meaning::Fills => self.fill(name, arguments, span),
            Meaning::Copies => self.copy(name, arguments, span),
            Meaning::Prints(first) => {
                self.print(arguments, first, span)?;
                Ok(self.unknown_into(place, Types::INT, UnknownSource::Call(name.to_string()), span))
            }
            Meaning::Scans(first) => {
                self.scan(name, arguments, first, span)?;
                Ok(self.unknown_into(place, Types::INT, UnknownSource::Call(name.to_string()), span))
            }
            Meaning::WritesString => {
                let pointer = self.first_argument(name, arguments, span)?;
                self.discard_all(arguments.get(1..).unwrap_or_default())?;
                let target = self.dereference(pointer.clone(), span)?;
                self.emit_unsupported(format!("`{name}`"), vec![target], span);
                Ok(pointer)
            }
        }
    }

    fn ends(&mut self, terminator: Terminator, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        self.discard_all(arguments)?;
        self.state.graph.terminate(terminator, span);
        Ok(self.void_value())
    }

    fn argument_at(
        &mut self,
        name: &str,
        arguments: Arguments<'a>,
        position: usize,
        span: Span,
    ) -> Checked<&'a syntax::Expression<'a>> {
        arguments.get(position).copied().ok_or_else(|| {
            let message = format!(
                "`{name}` needs at least {} arguments, but {} are given",
                position + 1,
                arguments.len()
            );
            self.error(span, message, "in this call", None)
        })
    }

    fn first_argument(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let argument = self.argument_at(name, arguments, 0, span)?;
        self.value(argument)
    }

    /// The error is reached unless the argument is as `holds` says.
    fn assertion(&mut self, name: &str, arguments: Arguments<'a>, holds: bool, span: Span) -> Checked<Value> {
        let condition = self.argument_at(name, arguments, 0, span)?;
        let (good, bad) = (self.state.graph.new_block(), self.state.graph.new_block());
        let (then, otherwise) = if holds { (good, bad) } else { (bad, good) };
        self.branch(condition, then, otherwise)?;
        self.state.graph.resume(bad);
        self.state.graph.terminate(Terminator::Error(ErrorKind::Reached), span);
        self.state.graph.resume(good);
        Ok(self.void_value())
    }

    fn forgets(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let pointer = self.first_argument(name, arguments, span)?;
        let target = self.dereference(pointer, span)?;
        let source = UnknownSource::Outside;
        self.emit(InstructionKind::Unknown { target, source }, span);
        Ok(self.void_value())
    }

    fn forgets_array(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let pointer = self.first_argument(name, arguments, span)?;
        let count = self.argument_at(name, arguments, 1, span)?;
        self.discard(count)?;
        // The array's other elements have not been given values either.
        let target = match Self::whole_array(&pointer) {
            Some(array) => array,
            None => {
                let target = self.dereference(pointer, span)?;
                self.emit_unsupported(format!("`{name}` through a pointer"), vec![target], span);
                return Ok(self.void_value());
            }
        };
        let mut target = target;
        target.kind = self.kind_of_path(&target);
        let source = UnknownSource::Outside;
        self.emit(InstructionKind::Unknown { target, source }, span);
        Ok(self.void_value())
    }

    fn absolute(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let value = self.first_argument(name, arguments, span)?;
        let kind = match name {
            "labs" => self.long_type(),
            "llabs" => crate::c::types::IntegerType { bits: 64, signed: true },
            _ => crate::c::types::IntegerType::INT,
        };
        let kind = self.types.integer(kind);
        let value = self.convert_implicitly(value, kind, span)?;
        let zero = self.constant(0, kind);
        let is_negative = self.binary(syntax::BinaryOperator::Less, value.clone(), zero, span)?;
        let negated = self.unary(syntax::UnaryOperator::Minus, value.clone(), span)?;
        let choice = ExpressionKind::Conditional(Box::new(is_negative), Box::new(negated), Box::new(value));
        Ok(self.typed(choice, kind))
    }

    /// `memset(target, byte, bytes)`
    fn fill(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let target = self.first_argument(name, arguments, span)?;
        let byte = self.argument_at(name, arguments, 1, span)?;
        let byte = self.value(byte)?;
        let bytes = self.argument_at(name, arguments, 2, span)?;
        let bytes = self.value(bytes)?;
        let pointer = Self::without_casts(target.clone());
        let place = self.dereference(pointer.clone(), span)?;
        if self.is_null_constant(&byte) {
            if let Some(place) = self.place_of_size(&pointer, &place, &bytes) {
                self.emit(InstructionKind::Zero { target: place }, span);
                return Ok(target);
            }
            if let Some(count) = self.elements(&bytes, place.kind) {
                let fill = InstructionKind::Copy {
                    target: pointer,
                    source: CopySource::Zero,
                    element: place.kind,
                    count,
                };
                self.emit(fill, span);
                return Ok(target);
            }
        }
        let count = match &bytes.kind {
            ExpressionKind::Integer(number) => number.to_u64().filter(|count| *count <= MOST_SINGLE_ELEMENTS),
            _ => None,
        };
        if let (Some(count), Some(1), true) = (count, self.types.size_of(place.kind), self.types.is_scalar(place.kind))
        {
            let value = self.convert_implicitly(byte, place.kind, span)?;
            for index in 0..count {
                let index = self.int_constant(index);
                let element = self.pointer_add(pointer.clone(), index, span)?;
                let element = self.dereference(element, span)?;
                self.emit_assign(element, value.clone(), span);
            }
            return Ok(target);
        }
        self.emit_unsupported(format!("this use of `{name}`"), vec![place], span);
        Ok(target)
    }

    /// `memcpy(target, source, bytes)`
    fn copy(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let target = self.first_argument(name, arguments, span)?;
        let source = self.argument_at(name, arguments, 1, span)?;
        let source = self.value(source)?;
        let bytes = self.argument_at(name, arguments, 2, span)?;
        let bytes = self.value(bytes)?;
        let to = Self::without_casts(target.clone());
        let from = Self::without_casts(source);
        let place = self.dereference(to.clone(), span)?;
        let read = self.dereference(from.clone(), span)?;
        let same = place.kind == read.kind && !matches!(self.types.get(place.kind), Type::Void | Type::Array(..));
        match self.elements(&bytes, place.kind).filter(|_| same) {
            Some(count) if matches!(&count.kind, ExpressionKind::Integer(number) if *number == BigInt::from(1)) => {
                let kind = place.kind;
                let value = self.typed(ExpressionKind::Read(read), kind);
                self.emit_assign(place, value, span);
            }
            Some(count) => {
                let copy = InstructionKind::Copy {
                    target: to,
                    source: CopySource::Address(from),
                    element: place.kind,
                    count,
                };
                self.emit(copy, span);
            }
            None => self.emit_unsupported(format!("this use of `{name}`"), vec![place], span),
        }
        Ok(target)
    }

    /// The pointer before it was cast, as arguments of type `void *` are.
    pub(super) fn without_casts(mut pointer: Value) -> Value {
        loop {
            match pointer.kind {
                ExpressionKind::Convert(inner) if inner.numeric == Numeric::Pointer => pointer = *inner,
                _ => return pointer,
            }
        }
    }

    /// The array that a pointer is the first element of.
    fn whole_array(pointer: &Value) -> Option<Place> {
        use crate::c::program::PlaceStep;
        let ExpressionKind::AddressOf(first) = &pointer.kind else {
            return None;
        };
        let mut array = (**first).clone();
        match array.steps.pop()? {
            PlaceStep::Index(index) if matches!(&index.kind, ExpressionKind::Integer(number) if *number == BigInt::ZERO) => {
                Some(array)
            }
            _ => None,
        }
    }

    /// The place that the pointer points to, or the array whose first element that is, if it has exactly this size.
    fn place_of_size(&mut self, pointer: &Value, place: &Place, bytes: &Value) -> Option<Place> {
        let ExpressionKind::Integer(bytes) = &bytes.kind else {
            return None;
        };
        let bytes = bytes.to_u64()?;
        let mut candidate = place.clone();
        let mut pointer = pointer.clone();
        loop {
            if !matches!(self.types.get(candidate.kind), Type::Void)
                && self.types.size_of(candidate.kind) == Some(bytes)
            {
                return Some(candidate);
            }
            let mut array = Self::whole_array(&pointer)?;
            array.kind = self.kind_of_path(&array);
            candidate = array.clone();
            let kind = self.types.pointer_to(array.kind);
            pointer = self.typed(ExpressionKind::AddressOf(Box::new(array)), kind);
        }
    }

    /// The number of elements in so many bytes, if it is plain.
    pub(super) fn elements(&mut self, bytes: &Value, element: TypeId) -> Option<Value> {
        if matches!(
            self.types.get(element),
            Type::Array(_, Length::Unknown | Length::Variable) | Type::Function { .. }
        ) {
            return None;
        }
        let size = self.types.size_of(element).filter(|size| *size > 0)?;
        if size == 1 {
            return Some(bytes.clone());
        }
        let divided = |number: &BigInt| {
            let size = BigInt::from(size);
            ((number % &size) == BigInt::ZERO).then(|| number / size)
        };
        match &bytes.kind {
            ExpressionKind::Integer(number) => divided(number).map(|count| self.constant(count, bytes.c_type)),
            ExpressionKind::Binary(crate::c::program::BinaryOperator::Multiply, left, right) => {
                let (factor, other) = match (&left.kind, &right.kind) {
                    (ExpressionKind::Integer(number), _) => (number, right),
                    (_, ExpressionKind::Integer(number)) => (number, left),
                    // `a * (b * size)`
                    _ => {
                        let (left, right) = (left.clone(), right.clone());
                        let kind = bytes.c_type;
                        let operator = crate::c::program::BinaryOperator::Multiply;
                        return match self.elements(&right, element) {
                            Some(count) => Some(self.operation(operator, *left, count, kind)),
                            None => {
                                let count = self.elements(&left, element)?;
                                Some(self.operation(operator, count, *right, kind))
                            }
                        };
                    }
                };
                let count = divided(factor)?;
                if count == BigInt::from(1) {
                    return Some((**other).clone());
                }
                let count = self.constant(count, bytes.c_type);
                let other = (**other).clone();
                Some(self.operation(crate::c::program::BinaryOperator::Multiply, other, count, bytes.c_type))
            }
            ExpressionKind::Convert(inner) if matches!(inner.numeric, Numeric::Integer(_)) => {
                let inner = (**inner).clone();
                let count = self.elements(&inner, element)?;
                Some(self.convert(count, bytes.c_type))
            }
            _ => None,
        }
    }

    /// Prints the numbers among the arguments. Strings and pointers are left out.
    pub(super) fn print(&mut self, arguments: Arguments<'a>, first: usize, span: Span) -> Checked<()> {
        let mut values = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            if position < first || matches!(argument.kind, Kind::String { .. }) {
                self.discard(argument)?;
                continue;
            }
            let mark = self.state.graph.mark();
            let value = self.value(argument)?;
            let earlier: Vec<Value> = std::mem::take(&mut values);
            values = earlier
                .into_iter()
                .map(|value| self.settle(mark, value, span))
                .collect();
            if matches!(value.numeric, Numeric::Integer(_) | Numeric::Floating(_)) {
                let value = self.promote(value);
                values.push(value);
            }
        }
        if !values.is_empty() {
            self.emit(InstructionKind::Print(values), span);
        }
        Ok(())
    }

    /// Reads unknown numbers into where the arguments point.
    pub(super) fn scan(&mut self, name: &'a str, arguments: Arguments<'a>, first: usize, span: Span) -> Checked<()> {
        let format = first.checked_sub(1).and_then(|position| arguments.get(position));
        let reads_strings = match format.map(|format| &format.kind) {
            Some(Kind::String { characters, .. }) => characters.windows(2).any(|pair| match pair {
                [percent, next] => {
                    let next = char::from_u32(*next);
                    *percent == u32::from(b'%') && matches!(next, Some('s' | '[' | '0'..='9'))
                }
                _ => false,
            }),
            _ => true,
        };
        for argument in arguments.iter().skip(first) {
            let pointer = self.value(argument)?;
            let target = self.dereference(pointer, argument.span)?;
            let instruction = match reads_strings {
                true => InstructionKind::Unsupported {
                    what: format!("`{name}` of strings"),
                    changes: vec![target],
                },
                false => InstructionKind::Unknown {
                    target,
                    source: UnknownSource::Call(name.to_string()),
                },
            };
            self.emit(instruction, span);
        }
        Ok(())
    }
}
