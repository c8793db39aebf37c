//! Places: what can stand on the left of an assignment or after `&`, and what is read there.

use super::scopes::Entity;
use super::{Checked, Semantics, Value};
use crate::lexer::{is_compilers_name, is_name_of_function};
use crate::program::{
    BinaryOperator, ExpressionKind, InstructionKind, Numeric, Place, PlaceBase, PlaceStep, UnknownSource, VariableId,
};
use crate::syntax::{self, Span};
use crate::types::{IntegerType, Length, Type, TypeId, Types};
use hashbrown::HashSet;

impl<'a> Semantics<'a, '_> {
    /// The place that an expression names.
    pub(super) fn place(&mut self, expression: &'a syntax::Expression<'a>) -> Checked<Place> {
        let expression = self.selected(expression)?;
        let span = expression.span;
        match &expression.kind {
            syntax::ExpressionKind::Name(name) => self.named_place(name, span),
            syntax::ExpressionKind::String { characters, encoding } => {
                Ok(self.string_literal(characters, *encoding, span))
            }
            syntax::ExpressionKind::Unary(syntax::UnaryOperator::Dereference, operand) => {
                if self.has_rows_of_rows(operand) {
                    return Err(self.refuse_variable_rows(span));
                }
                let pointer = self.value(operand)?;
                self.dereference(pointer, span)
            }
            syntax::ExpressionKind::Unary(
                operator @ (syntax::UnaryOperator::RealPart | syntax::UnaryOperator::ImaginaryPart),
                operand,
            ) => {
                let number = self.place(operand)?;
                self.complex_part_place(*operator, number, span)
            }
            syntax::ExpressionKind::Index(array, index) => self.indexed_place(array, index, span),
            syntax::ExpressionKind::Member(object, name) => {
                if let Some(place) = self.place_of_part(object, *name)? {
                    return Ok(place);
                }
                let object = self.place(object)?;
                self.member_place(object, *name)
            }
            syntax::ExpressionKind::PointerMember(pointer, name) => {
                let pointer = self.value(pointer)?;
                let object = self.dereference(pointer, span)?;
                self.member_place(object, *name)
            }
            syntax::ExpressionKind::CompoundLiteral(name, initializer) => {
                self.compound_literal(name, initializer, span)
            }
            // GNU's old generalized places; what they name is also a place in a few compilers' headers.
            syntax::ExpressionKind::Comma(left, right) => {
                self.discard(left)?;
                self.place(right)
            }
            syntax::ExpressionKind::StatementExpression(_)
            | syntax::ExpressionKind::Call(..)
            | syntax::ExpressionKind::Conditional(..)
            | syntax::ExpressionKind::Assign(..)
            | syntax::ExpressionKind::ConvertVector(..)
            | syntax::ExpressionKind::VaArg(..) => {
                let value = self.value(expression)?;
                if value.numeric != Numeric::Aggregate {
                    return Err(self.no_place(span));
                }
                match value.kind {
                    ExpressionKind::Read(place) => Ok(place),
                    _ => Ok(self.saved(value, span)),
                }
            }
            syntax::ExpressionKind::Cast(name, operand) => {
                let kind = self.named_type(name)?;
                // GNU's cast to a union makes a new one.
                if matches!(self.types.get(kind), Type::Record(_)) && self.type_of(operand)? != kind {
                    return match self.value(expression)?.kind {
                        ExpressionKind::Read(place) => Ok(place),
                        _ => Err(self.no_place(span)),
                    };
                }
                let place = self.place(operand)?;
                match place.kind == kind {
                    true => Ok(place),
                    false => Err(self.no_place(span)),
                }
            }
            _ => Err(self.no_place(span)),
        }
    }

    pub(super) fn no_place(&mut self, span: Span) -> super::Reported {
        self.error(
            span,
            "this is not a place that could be assigned to",
            "only a value",
            None,
        )
    }

    /// A new temporary variable with the value.
    pub(super) fn saved(&mut self, value: Value, span: Span) -> Place {
        let place = self.temporary(value.c_type, span);
        self.emit_assign(place.clone(), value, span);
        place
    }

    pub(super) fn named_place(&mut self, name: &'a str, span: Span) -> Checked<Place> {
        if let Some(found) = self.scopes.find(name) {
            let variable = match found.what {
                Entity::Variable(variable) => variable,
                Entity::Parts(_) => return Err(self.refuse_computed_record(span)),
                _ => return Err(self.no_place(span)),
            };
            self.note_weak_use(name, span);
            return Ok(self.place_by_name(variable));
        }
        if is_name_of_function(name) {
            let characters: Vec<u32> = self.state.name.bytes().map(u32::from).collect();
            return Ok(self.string_literal(&characters, syntax::Encoding::Bytes, span));
        }
        if self.is_snippet && !is_compilers_name(name) {
            return Ok(self.undeclared_variable(name, Types::INT, span));
        }
        Err(self.undeclared(name, span))
    }

    /// Reports a name that is not declared.
    pub(super) fn undeclared(&mut self, name: &'a str, span: Span) -> super::Reported {
        if !self.warned.insert(format!("undeclared `{name}`")) {
            // Said before: once for each name is enough.
            return super::Reported;
        }
        if super::conventions::is_of_verifier(name) {
            let message = format!("`{name}` is another verifier's, and cannot be translated");
            return self.refuse(span, message, "not known here", None);
        }
        let is_shown = self.errors < super::DIAGNOSTIC_LIMIT;
        let like = is_shown.then(|| self.scopes.nearest(name)).flatten();
        let help = match is_compilers_name(name) {
            true => Some("if it is a macro of the compiler's, give the text to a preprocessor first".to_string()),
            false => like.map(|like| format!("did you mean `{like}`?")),
        };
        self.unknown_name(span, format!("`{name}` is not declared"), "not known here", help)
    }

    fn indexed_place(
        &mut self,
        array: &'a syntax::Expression<'a>,
        index: &'a syntax::Expression<'a>,
        span: Span,
    ) -> Checked<Place> {
        if let Some(name) = super::name_of(array)
            && self.is_snippet
            && self.scopes.find(name).is_none()
        {
            let kind = self.types.intern(Type::Array(Types::INT, Length::Unknown));
            self.undeclared_variable(name, kind, array.span);
        }
        if let Some(place) = self.element_of_several_dimensions(array, index, span)? {
            return Ok(place);
        }
        let mut operands = self.operands();
        let base = self.value(array)?;
        self.add_operand(&mut operands, &base);
        let mark = self.state.graph.mark();
        let index = self.value(index)?;
        self.add_operand(&mut operands, &index);
        if self.vector_of(base.c_type).is_some() && matches!(index.numeric, Numeric::Integer(_)) {
            let vector = self.place_of_vector(base, array.span);
            let vector = self.settle_place(mark, vector, array.span);
            self.unsequenced(operands, span);
            let elements = self.elements_place(vector);
            return Ok(self.element_place(elements, index));
        }
        let base = self.settle(mark, base, array.span);
        self.unsequenced(operands, span);
        let (base, index) = match (base.numeric, index.numeric) {
            (Numeric::Pointer, Numeric::Integer(_)) => (base, index),
            // `2[a]`
            (Numeric::Integer(_), Numeric::Pointer) => (index, base),
            (Numeric::Pointer, _) => {
                let message = format!("an index of type {}", self.types.display(index.c_type));
                return Err(self.error(span, message, "must be an integer", None));
            }
            _ => {
                let message = format!("{} is indexed", self.types.display(base.c_type));
                return Err(self.error(span, message, "only arrays and pointers have elements", None));
            }
        };
        let pointer = self.pointer_add(base, index, span)?;
        self.dereference(pointer, span)
    }

    /// What a pointer points to.
    pub(super) fn dereference(&mut self, pointer: Value, span: Span) -> Checked<Place> {
        let kind = match *self.types.get(pointer.c_type) {
            Type::Pointer(target) => target,
            _ => {
                let message = format!(
                    "something of type {} is followed like a pointer",
                    self.types.display(pointer.c_type)
                );
                return Err(self.error(span, message, "not a pointer", None));
            }
        };
        Ok(match pointer.kind {
            ExpressionKind::AddressOf(place) if place.kind == kind => *place,
            _ => Place {
                base: PlaceBase::Dereference(Box::new(pointer)),
                steps: Vec::new(),
                kind,
            },
        })
    }

    /// A member of a struct or union.
    pub(super) fn member_place(&mut self, mut object: Place, name: syntax::Name<'a>) -> Checked<Place> {
        let member = self.member(object.kind, name)?;
        for (index, kind) in member.path {
            object.steps.push(PlaceStep::Field(index));
            object.kind = kind;
        }
        Ok(object)
    }

    /// An element of an array.
    pub(super) fn element_place(&mut self, mut array: Place, index: Value) -> Place {
        if let Type::Array(element, _) = *self.types.get(array.kind) {
            array.steps.push(PlaceStep::Index(Box::new(index)));
            array.kind = element;
        }
        array
    }

    /// The type that a place's path leads to.
    pub(super) fn kind_of_path(&self, place: &Place) -> TypeId {
        self.kind_after(place, place.steps.len()).unwrap_or(place.kind)
    }

    /// The type after so many steps of a place's path.
    pub(super) fn kind_after(&self, place: &Place, steps: usize) -> Option<TypeId> {
        let mut kind = match &place.base {
            PlaceBase::Variable(variable) => self.variable(*variable).kind,
            PlaceBase::Dereference(pointer) => match *self.types.get(pointer.c_type) {
                Type::Pointer(target) => target,
                _ => return None,
            },
        };
        for step in place.steps.iter().take(steps) {
            kind = match (step, self.types.get(kind)) {
                (PlaceStep::Field(field), Type::Record(record)) => {
                    self.types.record(*record).fields.as_ref()?.get(*field)?.kind
                }
                (PlaceStep::Index(_), Type::Array(element, _)) => *element,
                _ => return None,
            };
        }
        Some(kind)
    }

    /// The width of a bit-field.
    pub(super) fn bit_width(&self, place: &Place) -> Option<u32> {
        let PlaceStep::Field(index) = place.steps.last()? else {
            return None;
        };
        match self.types.get(self.kind_after(place, place.steps.len() - 1)?) {
            Type::Record(record) => self.types.record(*record).fields.as_ref()?.get(*index)?.bit_width,
            _ => None,
        }
    }

    /// Whether a place is an array of variable length with several dimensions.
    pub(super) fn has_variable_rows(&self, place: &Place) -> bool {
        let is_named =
            |base: &PlaceBase| matches!(base, PlaceBase::Variable(variable) if self.dimensions.contains_key(variable));
        place.steps.is_empty() && is_named(&place.base)
    }

    /// The value at a place: arrays and functions become addresses, bit-fields are promoted, volatile variables are unknown.
    pub(super) fn read(&mut self, place: Place, span: Span) -> Checked<Value> {
        match self.types.get(place.kind) {
            Type::Array(element, _) => {
                // Of several dimensions the first element is a row, whose size is not constant.
                let element = match self.has_variable_rows(&place) {
                    true => place.kind,
                    false => *element,
                };
                self.mark_addressed(&place);
                let zero = self.int_constant(0);
                let first = self.element_place(place, zero);
                let kind = self.types.pointer_to(element);
                return Ok(self.typed(ExpressionKind::AddressOf(Box::new(first)), kind));
            }
            Type::Function { .. } => {
                // `*f` is `f` again.
                return match place.base {
                    PlaceBase::Dereference(pointer) if place.steps.is_empty() => Ok(*pointer),
                    _ => Err(self.no_place(span)),
                };
            }
            Type::Void => return Ok(self.void_value()),
            Type::Record(record) if self.computed_records.contains_key(record) => {
                return Err(self.refuse_computed_record(span));
            }
            Type::Record(record) if self.types.record(*record).fields.is_none() => {
                let message = format!("the members of {} are not known", self.types.display(place.kind));
                return Err(self.error(span, message, "the type is only named, never defined", None));
            }
            _ => {}
        }
        if self.has_volatile_members(place.kind) {
            let kind = place.kind;
            let target = self.temporary(kind, span);
            let what = "a copy of a struct with volatile members".to_string();
            self.emit_unsupported(what, vec![target.clone()], span);
            return Ok(self.typed(ExpressionKind::Read(target), kind));
        }
        if self.is_volatile(&place) {
            return Ok(self.volatile_value(place, span));
        }
        let width = self.bit_width(&place);
        let kind = self.types.without_volatile(place.kind);
        let value = self.typed(ExpressionKind::Read(place), kind);
        if let (Some(width), Type::Integer(integer)) = (width, self.types.get(kind)) {
            let signed = integer.signed;
            if width < 32 || width == 32 && signed {
                // All its values are values of `int`.
                return Ok(self.convert(value, Types::INT));
            }
            if width < integer.bits {
                // As in gcc, its type has its width, and results have it too.
                let narrow = self.types.integer(IntegerType { bits: width, signed });
                return Ok(self.convert(value, narrow));
            }
        }
        Ok(value)
    }

    /// Whether every read of the place may give another value.
    pub(super) fn is_volatile(&self, place: &Place) -> bool {
        let is_volatile_at = |steps: usize| {
            let kind = self.kind_after(place, steps);
            let field = match (place.steps.get(steps), kind.map(|kind| self.types.get(kind))) {
                (Some(PlaceStep::Field(field)), Some(Type::Record(record))) => {
                    let fields = self.types.record(*record).fields.as_deref().unwrap_or(&[]);
                    fields.get(*field).is_some_and(|field| field.is_volatile)
                }
                _ => false,
            };
            field || kind.is_some_and(|kind| self.types.is_volatile(kind))
        };
        match &place.base {
            PlaceBase::Variable(variable) if self.volatile.contains(variable) => true,
            _ => (0..=place.steps.len()).any(is_volatile_at),
        }
    }

    fn has_volatile_members(&self, kind: TypeId) -> bool {
        self.any_part(kind, |_, is_volatile| is_volatile)
    }

    /// Whether something is true of a type or a type in it. Each struct is looked into once: they may be nested so that a path to
    /// each part could not be followed.
    pub(super) fn any_part(&self, kind: TypeId, holds: impl Fn(&Type, bool) -> bool) -> bool {
        let mut seen = HashSet::new();
        let mut waiting = vec![(kind, false)];
        while let Some((kind, is_volatile)) = waiting.pop() {
            let kind = self.types.get(kind);
            if holds(kind, is_volatile) {
                return true;
            }
            match kind {
                Type::Array(element, _) => waiting.push((*element, false)),
                Type::Record(record) if seen.insert(*record) => {
                    let fields = self.types.record(*record).fields.as_deref().unwrap_or(&[]);
                    waiting.extend(fields.iter().map(|field| (field.kind, field.is_volatile)));
                }
                _ => {}
            }
        }
        false
    }

    /// What is read at a volatile place: anything, and if it is an address, perhaps one that has been written there.
    fn volatile_value(&mut self, place: Place, span: Span) -> Value {
        let kind = self.types.without_volatile(place.kind);
        let target = self.temporary(kind, span);
        if self.holds_pointer(kind) {
            let written = self.typed(ExpressionKind::Read(place), kind);
            self.emit_assign(target.clone(), written, span);
        }
        let unknown = InstructionKind::Unknown {
            target: target.clone(),
            source: UnknownSource::Outside,
        };
        self.emit(unknown, span);
        self.typed(ExpressionKind::Read(target), kind)
    }

    pub(super) fn holds_pointer(&self, kind: TypeId) -> bool {
        self.any_part(kind, |kind, _| matches!(kind, Type::Pointer(_)))
    }

    /// A new temporary variable of the type with an unknown value, read.
    pub(super) fn unknown_value(&mut self, kind: TypeId, source: UnknownSource, span: Span) -> Value {
        let target = self.temporary(kind, span);
        let instruction = InstructionKind::Unknown {
            target: target.clone(),
            source,
        };
        self.emit(instruction, span);
        self.typed(ExpressionKind::Read(target), kind)
    }

    /// `&place`
    pub(super) fn address_of(&mut self, place: Place, span: Span) -> Checked<Value> {
        if self.bit_width(&place).is_some() {
            return Err(self.error(span, "the address of a bit-field is taken", "it has none", None));
        }
        self.mark_addressed(&place);
        let kind = self.types.pointer_to(place.kind);
        if let PlaceBase::Dereference(pointer) = &place.base
            && place.steps.is_empty()
        {
            let pointer = (**pointer).clone();
            return Ok(pointer);
        }
        Ok(self.typed(ExpressionKind::AddressOf(Box::new(place)), kind))
    }

    pub(super) fn mark_addressed(&mut self, place: &Place) {
        if let PlaceBase::Variable(variable) = place.base {
            self.addressed.insert(variable);
        }
    }

    /// The variable that a place is, as a whole.
    pub(super) fn whole_variable(place: &Place) -> Option<VariableId> {
        match place.base {
            PlaceBase::Variable(variable) if place.steps.is_empty() => Some(variable),
            _ => None,
        }
    }

    /// Writes a value into a place, converted to what the place holds.
    pub(super) fn store(&mut self, place: Place, value: Value, span: Span) -> Checked<()> {
        let value = self.stored_value(&place, value, span)?;
        self.emit_assign(place, value, span);
        Ok(())
    }

    /// The value as the place will hold it.
    pub(super) fn stored_value(&mut self, place: &Place, value: Value, span: Span) -> Checked<Value> {
        if matches!(
            self.types.get(place.kind),
            Type::Array(..) | Type::Function { .. } | Type::Void
        ) {
            let message = format!(
                "something of type {} cannot be assigned to",
                self.types.display(place.kind)
            );
            return Err(self.error(span, message, "not assignable", None));
        }
        let kind = place.kind;
        if let Some(width) = self.bit_width(place)
            && let Some(narrow) = self.bit_field_type(kind, width)
        {
            let value = self.convert_implicitly(value, kind, span)?;
            return Ok(self.wrapped_at_width(value, narrow, kind));
        }
        self.convert_implicitly(value, kind, span)
    }

    fn wrapped_at_width(&mut self, value: Value, narrow: crate::types::IntegerType, kind: TypeId) -> Value {
        if let ExpressionKind::Integer(number) = &value.kind {
            let one = super::conversions::wrap(
                number,
                crate::types::IntegerType {
                    bits: narrow.bits.max(1),
                    ..narrow
                },
            );
            // An unsigned type of one bit is `_Bool` to `wrap`, but a bit-field of one bit wraps like the others.
            let number = if narrow.bits == 1 && !narrow.signed {
                number % 2_u8
            } else {
                one
            };
            return self.constant(number, kind);
        }
        if narrow.bits == 1 {
            let mask = self.constant(1, kind);
            let bit = self.operation(BinaryOperator::BitAnd, value, mask, kind);
            // The only bit is the sign.
            let zero = self.constant(0, kind);
            return match narrow.signed {
                true => self.operation(BinaryOperator::Subtract, zero, bit, kind),
                false => bit,
            };
        }
        let narrow = self.types.integer(narrow);
        let narrowed = self.convert(value, narrow);
        self.convert(narrowed, kind)
    }
}
