//! `malloc` and its kin: what the new memory consists of is told by the cast around the call, by the type of the pointer it
//! is assigned to, or by a `sizeof` in its size.

use super::conventions::{Allocator, Meaning};
use super::{Checked, Semantics, Value};
use crate::c::program::{BinaryOperator, ExpressionKind, InstructionKind, Place};
use crate::c::syntax::{self, ExpressionKind as Kind, Span};
use crate::c::types::{Type, TypeId, Types};

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
        self.allocate(place.clone(), pointed, allocator, arguments, expression.span)?;
        Ok(true)
    }

    /// An allocation of which nothing is known but its size.
    pub(super) fn untyped_allocation(
        &mut self,
        allocator: Allocator,
        arguments: Arguments<'a>,
        span: Span,
    ) -> Checked<Value> {
        let kind = self.types.pointer_to(Types::VOID);
        let target = self.temporary(kind, span);
        self.allocate(target.clone(), Types::VOID, allocator, arguments, span)?;
        Ok(self.typed(ExpressionKind::Read(target), kind))
    }

    /// Checks do not know that such memory lives no longer than the function, and must not be freed.
    pub(super) fn refuse_alloca(&mut self, name: &str, span: Span) {
        let checks = self.options.checks;
        if (checks.lifetime || checks.free) && name.ends_with("alloca") {
            self.emit_unsupported(format!("memory of `{name}`"), Vec::new(), span);
        }
    }

    fn allocate(
        &mut self,
        target: Place,
        pointed: TypeId,
        allocator: Allocator,
        arguments: Arguments<'a>,
        span: Span,
    ) -> Checked<()> {
        let size_arguments = match allocator {
            Allocator::Elements => 2,
            Allocator::Bytes | Allocator::ZeroedBytes => 1,
        };
        let mut element = pointed;
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
        let bytes = match <[Value; 2]>::try_from(sizes) {
            Ok([count, each]) => Some(self.operation(BinaryOperator::Multiply, count, each, size)),
            Err(mut sizes) => sizes.pop(),
        };
        let count = bytes.and_then(|bytes| match self.elements(&bytes, element) {
            Some(count) => Some(count),
            None => self.whole_elements(bytes, element),
        });
        let allocation = InstructionKind::Allocate {
            target,
            element,
            count,
            zeroed: allocator != Allocator::Bytes,
        };
        self.emit(allocation, span);
        Ok(())
    }

    /// How many numbers have room in so many bytes; `None` for structs, of which the first members may have room.
    fn whole_elements(&mut self, bytes: Value, element: TypeId) -> Option<Value> {
        let size = self.types.size_of(element).filter(|_| self.types.is_scalar(element))?;
        let kind = bytes.c_type;
        let size = self.constant(size, kind);
        Some(self.operation(BinaryOperator::Divide, bytes, size, kind))
    }

    /// The type of which a size expression takes the size: `n * sizeof (T)`.
    fn measured_type(&mut self, expression: &'a syntax::Expression<'a>) -> Checked<Option<TypeId>> {
        match &expression.kind {
            Kind::SizeofType(name) => self.named_type(name).map(Some),
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
