//! `sizeof`, `offsetof`, compound literals, statement expressions, casts to unions.

use super::type_names::Derived;
use super::{Checked, Semantics, Value};
use crate::program::{
    BinaryOperator, ExpressionKind, InstructionKind, Place, PlaceBase, PlaceStep, VariableId, VariableRole,
};
use crate::syntax::{self, Designator, ExpressionKind as Kind, Initializer, Span, StatementKind};
use crate::types::{Length, Type, TypeId};
use num_bigint::BigInt;

impl<'a> Semantics<'a, '_> {
    /// `sizeof` of a type.
    pub(super) fn size_constant(&mut self, kind: TypeId, span: Span) -> Checked<Value> {
        if let Some(size) = self.computed_size(kind) {
            return Ok(size);
        }
        let size = match self.types.get(kind).clone() {
            // As GNU has it.
            Type::Function { .. } => Some(1),
            _ if self.is_variably_modified(kind) && !matches!(self.types.get(kind), Type::Pointer(_)) => {
                return Err(self.refuse_variable_rows(span));
            }
            Type::Array(_, Length::Unknown) => {
                let help = Some("say how many elements it has where it is declared".to_string());
                return Err(self.error(span, "the size of an array without a length", "not known here", help));
            }
            _ => self.types.size_of(kind),
        };
        let Some(size) = size else {
            let message = format!("the size of {} is not known", self.types.display(kind));
            return Err(self.error(span, message, "not known here", None));
        };
        let kind = self.size_type();
        Ok(self.constant(size, kind))
    }

    /// `sizeof` of a type with these lengths, which are evaluated if they are not constant.
    pub(super) fn size_by_lengths(&mut self, derived: &Derived<'a>, span: Span) -> Checked<Value> {
        let element = match *self.types.get(derived.kind) {
            Type::Array(element, Length::Variable) => element,
            _ => return self.size_constant(derived.kind, span),
        };
        let mut total = self.size_constant(element, span)?;
        let size_type = self.size_type();
        for value in self.lengths_in_order(&derived.lengths)? {
            total = self.operation(BinaryOperator::Multiply, total, value, size_type);
        }
        Ok(total)
    }

    /// The type of the function that is named: as a value, the name is its address.
    pub(super) fn type_of_function(&self, expression: &syntax::Expression<'a>) -> Option<TypeId> {
        let name = super::name_of(expression)?;
        match self.scopes.find(name).map(|found| &found.what)? {
            super::scopes::Entity::Function(function) => Some(self.function(*function).kind),
            _ => None,
        }
    }

    /// The variable that holds the number of elements of the variable-length array that is named.
    pub(super) fn variable_length_of(&self, expression: &syntax::Expression<'a>) -> Option<VariableId> {
        if let Kind::Member(object, member) = &expression.kind {
            return self.variable(self.part(object, *member)?).length;
        }
        let name = super::name_of(expression)?;
        match self.scopes.find(name).map(|found| &found.what)? {
            super::scopes::Entity::Variable(variable) => self.variable(*variable).length,
            _ => None,
        }
    }

    /// `sizeof` of a variable-length array.
    pub(super) fn variable_size(&mut self, kind: TypeId, length: VariableId) -> Value {
        let element = match *self.types.get(kind) {
            Type::Array(element, _) => element,
            _ => kind,
        };
        let size_type = self.size_type();
        let element = self.types.size_of(element).unwrap_or(1);
        let count = self.variable_place(length);
        let count = self.typed(ExpressionKind::Read(count), size_type);
        let element = self.constant(element, size_type);
        self.operation(BinaryOperator::Multiply, count, element, size_type)
    }

    /// `offsetof (type, designators)`. Where an index is no constant, gcc calculates.
    pub(super) fn offset_of(
        &mut self,
        name: &'a syntax::TypeName<'a>,
        designators: &'a [Designator<'a>],
    ) -> Checked<Value> {
        let mut kind = self.named_type(name)?;
        if self.is_computed_record(kind) {
            return self.computed_offset(kind, designators, name.span);
        }
        let size_type = self.size_type();
        let mut offset = BigInt::from(0);
        let mut calculated: Option<Value> = None;
        for designator in designators {
            match designator {
                Designator::Member(member) => {
                    for (index, field_kind) in self.member(kind, *member)?.path {
                        if let Type::Record(record) = self.types.get(kind) {
                            let fields = self.types.record(*record).fields.as_ref();
                            offset += fields
                                .and_then(|fields| fields.get(index))
                                .map_or(0, |field| field.offset);
                        }
                        kind = field_kind;
                    }
                }
                Designator::Index(index) | Designator::Range(index, _) => {
                    let Type::Array(element, _) = *self.types.get(kind) else {
                        return Err(self.error(index.span, "an index into something that is no array", "here", None));
                    };
                    let size = self.types.size_of(element).unwrap_or(1);
                    kind = element;
                    let needs_constant = self.needs_constant || self.is_startup || self.state.is_global();
                    match needs_constant {
                        true => offset += self.integer_constant(index)? * size,
                        false => match self.try_constant(index)? {
                            Some(constant) => offset += constant * size,
                            None => {
                                let value = self.value(index)?;
                                let value = self.convert_implicitly(value, size_type, index.span)?;
                                let size = self.constant(size, size_type);
                                let bytes = self.operation(BinaryOperator::Multiply, value, size, size_type);
                                calculated = Some(match calculated {
                                    Some(sum) => self.operation(BinaryOperator::Add, sum, bytes, size_type),
                                    None => bytes,
                                });
                            }
                        },
                    }
                }
            }
        }
        let size = self.types.size_type();
        let offset = self.constant(super::conversions::wrap(&offset, size), size_type);
        Ok(match calculated {
            Some(sum) => self.operation(BinaryOperator::Add, sum, offset, size_type),
            None => offset,
        })
    }

    /// How many bytes from the null pointer a place lies, if its address is written so.
    pub(super) fn offset_from_null(&self, place: &Place) -> Option<BigInt> {
        let PlaceBase::Dereference(pointer) = &place.base else {
            return None;
        };
        let Type::Pointer(mut kind) = *self.types.get(pointer.c_type) else {
            return None;
        };
        if !self.is_null_constant(pointer) {
            return None;
        }
        let mut offset = BigInt::from(0);
        for step in &place.steps {
            kind = match (step, self.types.get(kind)) {
                (PlaceStep::Field(index), Type::Record(record)) => {
                    let field = self.types.record(*record).fields.as_ref()?.get(*index)?;
                    offset += field.offset;
                    field.kind
                }
                (PlaceStep::Index(index), Type::Array(element, _)) => {
                    let ExpressionKind::Integer(index) = &index.kind else {
                        return None;
                    };
                    offset += index * self.types.size_of(*element)?;
                    *element
                }
                _ => return None,
            };
        }
        Some(offset)
    }

    /// `(type) { … }`: a variable without a name.
    pub(super) fn compound_literal(
        &mut self,
        name: &'a syntax::TypeName<'a>,
        initializer: &'a Initializer<'a>,
        span: Span,
    ) -> Checked<Place> {
        let kind = self.named_type(name)?;
        let kind = self.completed(kind, initializer)?;
        if self.is_startup || self.state.is_global() {
            self.made_up += 1;
            let variable = self.add_variable(format!("literal{}", self.made_up), kind, VariableRole::Global, span);
            let place = self.variable_place(variable);
            self.initialize(place.clone(), initializer, true)?;
            return Ok(place);
        }
        self.made_up += 1;
        let variable = self.add_variable(format!("literal{}", self.made_up), kind, VariableRole::Local, span);
        if self.options.checks.lifetime {
            self.make_visible(variable);
            self.begins(variable, span);
        }
        let place = self.variable_place(variable);
        self.initialize(place.clone(), initializer, false)?;
        Ok(place)
    }

    /// `({ … })`
    pub(super) fn statement_expression(&mut self, block: &'a syntax::Statement<'a>) -> Checked<Value> {
        if self.is_startup || self.state.is_global() {
            let message = "statements outside of functions";
            return Err(self.error(block.span, message, "nobody would ever do them", None));
        }
        let StatementKind::Block(statements) = &block.kind else {
            self.statement(block);
            return Ok(self.void_value());
        };
        let Some((last, before)) = statements.split_last() else {
            return Ok(self.void_value());
        };
        self.open_scope();
        for statement in before {
            self.statement(statement);
        }
        let mut value = self.last_value(last);
        if let Ok(found) = &value
            && !self.state.scope_ends.is_empty()
            && !matches!(self.types.get(found.c_type), Type::Void)
        {
            // What is called at the end of the block may change what it reads.
            value = Ok(self.saved_value(found.clone(), last.span));
        }
        self.close_scope();
        value
    }

    /// The value of a statement expression: that of its last statement, behind labels too.
    fn last_value(&mut self, mut last: &'a syntax::Statement<'a>) -> Checked<Value> {
        while let StatementKind::Label(name, body) = &last.kind {
            self.define_label(*name);
            last = body;
        }
        match &last.kind {
            StatementKind::Expression(expression) => {
                let span = expression.span;
                let value = self.value(expression);
                // Behind the block, what it reads may be gone.
                value.map(|value| self.evaluated_now(value, span))
            }
            StatementKind::Case { first, .. } => {
                let message = "a case at the end of a statement expression cannot be translated";
                Err(self.refuse(first.span, message, "write a statement behind it", None))
            }
            StatementKind::Default(_) => {
                let message = "a default at the end of a statement expression cannot be translated";
                Err(self.refuse(last.span, message, "write a statement behind it", None))
            }
            _ => {
                self.statement(last);
                Ok(self.void_value())
            }
        }
    }

    /// GNU's cast of a member's value to its union.
    pub(super) fn union_cast(&mut self, value: &Value, kind: TypeId, span: Span) -> Checked<Option<Value>> {
        let Type::Record(record) = *self.types.get(kind) else {
            return Ok(None);
        };
        let record = self.types.record(record);
        let fields = record.fields.as_ref().filter(|_| record.is_union);
        let Some(field) = fields.and_then(|fields| fields.iter().position(|field| field.kind == value.c_type)) else {
            return Ok(None);
        };
        let place = self.temporary(kind, span);
        self.emit(InstructionKind::Zero { target: place.clone() }, span);
        let mut member = place.clone();
        member.steps.push(PlaceStep::Field(field));
        member.kind = value.c_type;
        self.emit_assign(member, value.clone(), span);
        Ok(Some(self.typed(ExpressionKind::Read(place), kind)))
    }

    /// The type of an array whose length its initializer tells.
    pub(super) fn completed(&mut self, kind: TypeId, initializer: &'a Initializer<'a>) -> Checked<TypeId> {
        let Type::Array(element, Length::Unknown) = *self.types.get(kind) else {
            return Ok(kind);
        };
        let length = match initializer {
            Initializer::Expression(expression) => match &expression.kind {
                Kind::String { characters, .. } => characters.len() as u64 + 1,
                _ => return Ok(kind),
            },
            Initializer::List(items, _) => match items.first().map(|item| item.value) {
                Some(Initializer::Expression(expression))
                    if items.len() == 1 && self.types.is_scalar(element) && string_length(expression).is_some() =>
                {
                    match self.numeric(element) {
                        crate::program::Numeric::Integer(_) => string_length(expression).unwrap_or(0) + 1,
                        _ => 1,
                    }
                }
                _ => self.unevaluated(|semantics| semantics.parts(kind, items))?.length,
            },
        };
        Ok(self.types.intern(Type::Array(element, Length::Fixed(length))))
    }
}

/// The number of characters of a string literal.
pub(super) fn string_length(expression: &syntax::Expression<'_>) -> Option<u64> {
    match &expression.kind {
        Kind::String { characters, .. } => Some(characters.len() as u64),
        _ => None,
    }
}
