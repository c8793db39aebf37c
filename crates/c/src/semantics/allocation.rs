//! `malloc` and its kin: what the new memory consists of is told by the cast around the call, by the type of the pointer it
//! is assigned to, or by a `sizeof` in its size.

use super::conventions::{Allocator, Meaning};
use super::{Checked, Semantics, Value};
use crate::options::Allocation;
use crate::program::{BinaryOperator, ExpressionKind, InstructionKind, Numeric, Place, UnknownSource};
use crate::syntax::{self, ExpressionKind as Kind, Span};
use crate::types::{Length, Type, TypeId, Types};
use num_bigint::BigInt;

type Arguments<'a> = &'a [&'a syntax::Expression<'a>];

impl<'a> Semantics<'a, '_> {
    /// Whether the expression, behind casts, is a call that allocates.
    pub(super) fn is_allocation(&self, expression: &syntax::Expression<'a>) -> bool {
        match &expression.kind {
            Kind::Cast(_, operand) => self.is_allocation(operand),
            Kind::Call(callee, _) => matches!(self.known_meaning(callee), Some((_, Meaning::Allocates(_)))),
            _ => false,
        }
    }

    /// The value of an allocation that is wanted as this pointer type; `None` if the expression is none.
    pub(super) fn allocation_of_type(
        &mut self,
        expression: &'a syntax::Expression<'a>,
        kind: TypeId,
    ) -> Checked<Option<Value>> {
        let is_call = matches!(expression.kind, Kind::Call(..));
        if !is_call || !matches!(self.types.get(kind), Type::Pointer(_)) || !self.is_allocation(expression) {
            return Ok(None);
        }
        let target = self.temporary(kind, expression.span);
        self.allocate_into(&target, expression)?;
        Ok(Some(self.typed(ExpressionKind::Read(target), kind)))
    }

    /// Allocates with the place as the pointer that gets the address; `false` if the expression does not allocate.
    pub(super) fn allocate_into(&mut self, place: &Place, expression: &'a syntax::Expression<'a>) -> Checked<bool> {
        if let Kind::Cast(_, operand) = &expression.kind {
            return self.allocate_into(place, operand);
        }
        let (Kind::Call(callee, arguments), Type::Pointer(pointed)) = (&expression.kind, self.types.get(place.kind))
        else {
            return Ok(false);
        };
        let pointed = *pointed;
        let Some((name, Meaning::Allocates(allocator))) = self.known_meaning(callee) else {
            return Ok(false);
        };
        self.refuse_alloca(name, expression.span);
        self.allocate(name, place.clone(), pointed, allocator, arguments, expression.span)?;
        self.change_errno(callee, expression.span)?;
        Ok(true)
    }

    /// An allocation of which nothing is known but its size.
    pub(super) fn untyped_allocation(
        &mut self,
        name: &str,
        allocator: Allocator,
        arguments: Arguments<'a>,
        span: Span,
    ) -> Checked<Value> {
        let kind = self.types.pointer_to(Types::VOID);
        let target = self.temporary(kind, span);
        self.allocate(name, target.clone(), Types::VOID, allocator, arguments, span)?;
        Ok(self.typed(ExpressionKind::Read(target), kind))
    }

    /// Checks do not know that such memory lives no longer than the function, and must not be freed.
    pub(super) fn refuse_alloca(&mut self, name: &str, span: Span) {
        let checks = self.options.checks;
        if checks.frees() && name.ends_with("alloca") {
            self.emit_unsupported(format!("memory of `{name}`"), Vec::new(), span);
        }
    }

    fn allocate(
        &mut self,
        name: &str,
        target: Place,
        pointed: TypeId,
        allocator: Allocator,
        arguments: Arguments<'a>,
        span: Span,
    ) -> Checked<()> {
        // What `realloc` has is moved; the size comes behind it.
        let (old, arguments) = match (allocator, arguments) {
            (Allocator::Moved, [old, rest @ ..]) => (Some(self.moved(old, span)?), rest),
            // Nothing depends on the alignment that is more than it has to be: where an address lies, nobody may ask.
            (Allocator::Aligned, [alignment, rest @ ..]) => {
                self.discard(alignment)?;
                (None, rest)
            }
            _ => (None, arguments),
        };
        let size_arguments = match allocator {
            Allocator::Elements => 2,
            Allocator::Bytes | Allocator::ZeroedBytes | Allocator::Moved | Allocator::Aligned => 1,
        };
        let mut element = pointed;
        if let (Type::Void, Some(old)) = (self.types.get(element), &old)
            && let Type::Pointer(pointed) = self.types.get(old.c_type)
        {
            element = *pointed;
        }
        if matches!(self.types.get(element), Type::Void) {
            for argument in arguments.iter().take(size_arguments) {
                if let Some(kind) = self.measured_type(argument)? {
                    element = kind;
                }
            }
        }
        if let Some(name) = arguments.first().filter(|_| arguments.len() < size_arguments) {
            return Err(self.error(name.span, "`calloc` needs two arguments", "only one is given", None));
        }
        let values = self.values_in_order(arguments)?;
        let size = self.size_type();
        let mut sizes = Vec::new();
        for value in values.into_iter().take(size_arguments) {
            sizes.push(self.convert_implicitly(value, size, span)?);
        }
        let mut has_room = None;
        let bytes = match <[Value; 2]>::try_from(sizes) {
            Ok([count, each]) => {
                has_room = self.product_fits(&count, &each);
                Some(self.operation(BinaryOperator::Multiply, count, each, size))
            }
            Err(mut sizes) => sizes.pop(),
        };
        let is_empty = bytes.as_ref().is_some_and(|bytes| self.is_null_constant(bytes));
        let count = match bytes {
            Some(bytes) => self.whole_elements(bytes, element),
            None => None,
        };
        let is_part = count.as_ref().is_some_and(|count| self.is_null_constant(count)) && !is_empty;
        let place = target.clone();
        let allocation = InstructionKind::Allocate {
            target: target.clone(),
            element,
            count,
            zeroed: matches!(allocator, Allocator::Elements | Allocator::ZeroedBytes),
            moved: old.clone(),
        };
        if old.is_some() && is_empty {
            self.emit_unsupported(format!("`{name}` to no size"), vec![target], span);
            return Ok(());
        }
        // The stack is taken to be large enough.
        if self.options.allocation == Allocation::NeverFails || name.contains("alloca") {
            self.emit(allocation, span);
            if !name.contains("alloca") {
                self.count_allocated(span);
            }
            self.free_moved(old, span);
            self.note_part(is_part, element, place, span);
            return Ok(());
        }
        let mut succeeds = self.unknown_value(Types::INT, UnknownSource::Allocation, span);
        if let Some(has_room) = has_room {
            let fails = self.int_constant(0);
            let choice = ExpressionKind::Conditional(Box::new(has_room), Box::new(succeeds), Box::new(fails));
            succeeds = self.typed(choice, Types::INT);
        }
        let (done, failed, join) = self.three_blocks();
        self.branch_on(succeeds, done, failed, span);
        self.state.graph.resume(done);
        self.emit(allocation, span);
        self.count_allocated(span);
        self.free_moved(old, span);
        self.note_part(is_part, element, place, span);
        self.state.graph.goto(join, span);
        self.state.graph.resume(failed);
        let null = self.constant(0, target.kind);
        self.emit_assign(target, null, span);
        self.state.graph.goto(join, span);
        self.state.graph.resume(join);
        Ok(())
    }

    /// Whether so many elements of this size can be counted in bytes, if that is not plain: `calloc` gives null if not.
    fn product_fits(&mut self, count: &Value, each: &Value) -> Option<Value> {
        let size = self.size_type();
        let most = self.types.size_type().maximum();
        let constant = |value: &Value| match &value.kind {
            ExpressionKind::Integer(number) => Some(number.clone()),
            _ => None,
        };
        let (number, other) = match (constant(count), constant(each)) {
            (Some(count), Some(each)) => {
                let fits = count * each <= most;
                return (!fits).then(|| self.int_constant(0));
            }
            (Some(number), None) => (number, each),
            (None, Some(number)) => (number, count),
            (None, None) => {
                let (zero, most) = (self.constant(0, size), self.constant(most, size));
                let quotient = self.operation(BinaryOperator::Divide, most, each.clone(), size);
                let fits = self.operation(BinaryOperator::LessOrEqual, count.clone(), quotient, Types::INT);
                let is_any = self.operation(BinaryOperator::NotEqual, each.clone(), zero, Types::INT);
                let one = self.int_constant(1);
                let choice = ExpressionKind::Conditional(Box::new(is_any), Box::new(fits), Box::new(one));
                return Some(self.typed(choice, Types::INT));
            }
        };
        if number <= 1.into() {
            return None;
        }
        let most = self.constant(most / number, size);
        Some(self.operation(BinaryOperator::LessOrEqual, other.clone(), most, Types::INT))
    }

    /// What `realloc` moves, in a variable of its own: the pointer may be where the new one goes.
    fn moved(&mut self, old: &'a syntax::Expression<'a>, span: Span) -> Checked<Value> {
        let value = self.value(old)?;
        let kind = match value.numeric {
            Numeric::Pointer => value.c_type,
            _ => self.types.pointer_to(Types::VOID),
        };
        let value = self.convert_implicitly(value, kind, span)?;
        let place = self.temporary(kind, span);
        self.emit_assign(place.clone(), value, span);
        Ok(self.typed(ExpressionKind::Read(place), kind))
    }

    fn free_moved(&mut self, old: Option<Value>, span: Span) {
        if let Some(old) = old {
            self.count_freed(&old, span);
            self.emit(InstructionKind::Free(old), span);
        }
    }

    /// Less memory than the struct that is meant to lie there takes: what lies beyond it is not modelled.
    fn note_part(&mut self, is_part: bool, element: TypeId, place: Place, span: Span) {
        if is_part && matches!(self.types.get(element), Type::Record(_)) {
            let what = format!("memory for a part of `{}`", self.types.display(element));
            self.emit_unsupported(what, vec![place], span);
        }
    }

    /// How many whole elements so many bytes are. Where it is not plain, the bytes are divided.
    fn whole_elements(&mut self, bytes: Value, element: TypeId) -> Option<Value> {
        if !may_wrap(&bytes)
            && let Some(count) = self.elements(&bytes, element)
        {
            return Some(count);
        }
        let size = self.types.size_of(element).filter(|size| *size > 0)?;
        if self.has_flexible_member(element) {
            return None;
        }
        let kind = bytes.c_type;
        let size = self.constant(size, kind);
        Some(self.operation(BinaryOperator::Divide, bytes, size, kind))
    }

    fn has_flexible_member(&self, kind: TypeId) -> bool {
        let Type::Record(record) = self.types.get(kind) else {
            return false;
        };
        let last = self
            .types
            .record(*record)
            .fields
            .as_ref()
            .and_then(|fields| fields.last());
        last.is_some_and(|field| match self.types.get(field.kind) {
            Type::Array(_, Length::Fixed(length)) => *length <= 1,
            Type::Array(..) => true,
            _ => false,
        })
    }

    /// The type of which a size expression takes the size: `n * sizeof (T)`.
    fn measured_type(&mut self, expression: &'a syntax::Expression<'a>) -> Checked<Option<TypeId>> {
        match &expression.kind {
            Kind::SizeofType(name) => self.named_type(name).map(|kind| match *self.types.get(kind) {
                Type::Array(element, Length::Variable) => Some(element),
                _ => Some(kind),
            }),
            Kind::SizeofExpression(operand) => self.type_of(operand).map(Some),
            Kind::Cast(_, operand) => self.measured_type(operand),
            Kind::Binary(syntax::BinaryOperator::Multiply | syntax::BinaryOperator::Add, left, right) => {
                Ok(match self.measured_type(left)? {
                    Some(kind) => Some(kind),
                    None => self.measured_type(right)?,
                })
            }
            _ => Ok(None),
        }
    }
}

/// Whether a product in an unsigned type may leave it, as far as the types of its factors tell.
pub(super) fn may_wrap(value: &Value) -> bool {
    match (&value.kind, value.numeric) {
        (ExpressionKind::Convert(inner), _) => may_wrap(inner),
        (ExpressionKind::Binary(_, left, right), Numeric::Integer(kind)) => {
            may_wrap(left) || may_wrap(right) || !kind.signed && greatest(value) > kind.maximum()
        }
        _ => false,
    }
}

/// The greatest value that types allow, without wrapping; a negative number of bytes is none that is ever allocated.
fn greatest(value: &Value) -> BigInt {
    let of_type = || match value.numeric {
        Numeric::Integer(kind) => kind.maximum(),
        _ => BigInt::from(0),
    };
    match &value.kind {
        ExpressionKind::Integer(number) => number.clone(),
        ExpressionKind::Convert(inner) => greatest(inner).min(of_type()),
        ExpressionKind::Binary(BinaryOperator::Multiply, left, right) => greatest(left) * greatest(right),
        ExpressionKind::Binary(BinaryOperator::Add, left, right) => greatest(left) + greatest(right),
        _ => of_type(),
    }
}
