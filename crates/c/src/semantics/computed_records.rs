//! Structs with arrays as members of which the length is computed, as GNU C has them.
//!
//! Where the type is defined the lengths are evaluated, and where its members begin is calculated from them. For everybody else
//! the members of the type are not known, so that copies and pointers that are followed are refused. What is translated is its size,
//! and variables without a value of their own: each member is a variable then.

use super::layout::{Demand, Layout};
use super::scopes::Entity;
use super::{Checked, Reported, Semantics, Value};
use crate::program::{BinaryOperator, ExpressionKind, InstructionKind, Place, UnknownSource, VariableId, VariableRole};
use crate::syntax::{self, Designator, InitializedDeclarator, Name, Span, Specifiers, Storage};
use crate::types::{Length, RecordId, Type, TypeId};
use std::rc::Rc;

/// A struct of this kind.
#[derive(Clone, Debug)]
pub(super) struct ComputedRecord {
    /// Its size in bytes.
    size: VariableId,
    members: Rc<[Member]>,
}

/// One of its members.
#[derive(Clone, Debug)]
struct Member {
    name: String,
    kind: TypeId,
    /// How many elements it has, if that is computed.
    length: Option<VariableId>,
    /// The lengths of its rows, if it has several dimensions.
    inner: Vec<Value>,
    /// Where it begins, in bytes.
    start: Value,
    alignment: u64,
}

/// Its members one after another, from the first one on whose length is computed.
pub(super) struct ComputedLayout {
    /// The first free byte.
    position: Value,
    alignment: u64,
    members: Vec<Member>,
}

/// A variable of such a type: a variable for each member.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    record: RecordId,
    variables: Rc<[VariableId]>,
}

impl<'a> Semantics<'a, '_> {
    /// Adds a member behind those of the layout; the first one, whose length is computed, begins a layout of its own.
    pub(super) fn add_computed_member(
        &mut self,
        (known, computed): (&Layout, &mut Option<ComputedLayout>),
        (name, kind, demand): (Name<'a>, TypeId, Demand),
        lengths: &[&'a syntax::Expression<'a>],
    ) -> Checked<()> {
        let span = name.span;
        let size_type = self.size_type();
        let mut layout = match computed.take() {
            Some(layout) => layout,
            None => {
                let is_inside = !self.state.is_global() && self.state.aside == 0;
                let Some(before) = known.members_before().filter(|_| is_inside) else {
                    return Err(self.refuse_computed_length(name.text, span));
                };
                let members = before.into_iter().map(|field| Member {
                    name: field.name,
                    kind: field.kind,
                    length: None,
                    inner: Vec::new(),
                    start: self.constant(field.offset, size_type),
                    alignment: field.alignment,
                });
                ComputedLayout {
                    members: members.collect(),
                    position: self.constant(known.bytes(), size_type),
                    alignment: known.alignment(),
                }
            }
        };
        let alignment = known.alignment_of(demand);
        let element = match *self.types.get(kind) {
            Type::Array(element, Length::Variable) => element,
            _ => kind,
        };
        let size = self.types.size_of(element).filter(|_| !demand.is_volatile());
        let Some(size) = size.filter(|_| !matches!(self.types.get(element), Type::Void | Type::Function { .. })) else {
            return Err(self.refuse_computed_length(name.text, span));
        };
        let mut bytes = self.constant(size, size_type);
        let mut dimensions = Vec::with_capacity(lengths.len());
        for value in self.lengths_in_order(lengths)? {
            let shown = format!("{}.dimension{}", name.text, dimensions.len() + 1);
            dimensions.push(self.kept_length(shown, value, span).1);
        }
        let mut length = None;
        let product =
            |semantics: &mut Self, one, other| semantics.operation(BinaryOperator::Multiply, one, other, size_type);
        let all = dimensions
            .iter()
            .cloned()
            .reduce(|one, other| product(self, one, other));
        if let Some(all) = all {
            let (variable, count) = self.kept_length(format!("{}.length", name.text), all, span);
            length = Some(variable);
            bytes = product(self, count, bytes);
        }
        let inner = dimensions.into_iter().skip(1).collect();
        let start = self.aligned(layout.position, alignment);
        let start = self.kept_length(format!("{}.start", name.text), start, span).1;
        let end = self.operation(BinaryOperator::Add, start.clone(), bytes, size_type);
        layout.position = self.kept_length(format!("{}.end", name.text), end, span).1;
        layout.alignment = layout.alignment.max(alignment);
        layout.members.push(Member {
            name: name.text.to_string(),
            kind,
            length,
            inner,
            start,
            alignment,
        });
        *computed = Some(layout);
        Ok(())
    }

    /// All members are there.
    pub(super) fn end_computed_record(&mut self, record: RecordId, layout: ComputedLayout, span: Span) {
        let size = self.aligned(layout.position, layout.alignment);
        let shown = format!("{}.size", self.types.record(record).name);
        let size = self.kept_length(shown, size, span).0;
        let members = layout.members.into();
        self.computed_records.insert(record, ComputedRecord { size, members });
    }

    /// A number of bytes up to the next multiple of an alignment.
    fn aligned(&mut self, bytes: Value, alignment: u64) -> Value {
        if alignment <= 1 {
            return bytes;
        }
        let kind = bytes.c_type;
        let (below, unit) = (self.constant(alignment - 1, kind), self.constant(alignment, kind));
        let sum = self.operation(BinaryOperator::Add, bytes, below, kind);
        let units = self.operation(BinaryOperator::Divide, sum, unit.clone(), kind);
        self.operation(BinaryOperator::Multiply, units, unit, kind)
    }

    pub(super) fn refuse_computed_length(&mut self, name: &str, span: Span) -> Reported {
        let message = format!("member `{name}` has a length that is computed, or lies behind one that has");
        self.refuse(span, message, "cannot be translated", None)
    }

    /// Whether the type is such a struct.
    pub(super) fn is_computed_record(&self, kind: TypeId) -> bool {
        matches!(self.types.get(kind), Type::Record(record) if self.computed_records.contains_key(record))
    }

    /// The size of the type, if it is such a struct.
    pub(super) fn computed_size(&mut self, kind: TypeId) -> Option<Value> {
        let Type::Record(record) = self.types.get(kind) else {
            return None;
        };
        let size = self.computed_records.get(record)?.size;
        let place = self.variable_place(size);
        let kind = place.kind;
        Some(self.typed(ExpressionKind::Read(place), kind))
    }

    /// `offsetof` of such a struct: where the member begins, and elements of it by their indices.
    pub(super) fn computed_offset(
        &mut self,
        kind: TypeId,
        designators: &'a [Designator<'a>],
        span: Span,
    ) -> Checked<Value> {
        let size_type = self.size_type();
        let member = match (self.types.get(kind), designators.first()) {
            (Type::Record(record), Some(Designator::Member(name))) => {
                let found = self.computed_records.get(record);
                found.and_then(|found| found.members.iter().find(|member| member.name == name.text).cloned())
            }
            _ => None,
        };
        let Some(member) = member else {
            return Err(self.refuse_computed_record(span));
        };
        let element = match *self.types.get(member.kind) {
            Type::Array(element, _) => element,
            _ => member.kind,
        };
        let dimensions = usize::from(element != member.kind) + member.inner.len();
        let (size, indices) = (self.types.size_of(element), &designators[1..]);
        let Some(size) = size.filter(|_| indices.len() <= dimensions) else {
            return Err(self.refuse_computed_record(span));
        };
        let mut offset = member.start;
        for (position, index) in indices.iter().enumerate() {
            let Designator::Index(index) = index else {
                return Err(self.refuse_computed_record(span));
            };
            let value = self.value(index)?;
            let mut bytes = self.convert_implicitly(value, size_type, index.span)?;
            let size = self.constant(size, size_type);
            for factor in member.inner.iter().skip(position).chain([&size]) {
                bytes = self.operation(BinaryOperator::Multiply, bytes, factor.clone(), size_type);
            }
            offset = self.operation(BinaryOperator::Add, offset, bytes, size_type);
        }
        Ok(offset)
    }

    pub(super) fn refuse_computed_record(&mut self, span: Span) -> Reported {
        let message = "a struct whose size is computed cannot be translated here";
        let label = "only its size is known, and the members of its variables";
        self.refuse(span, message, label, None)
    }

    /// Declares a local variable of such a type.
    pub(super) fn declare_parts(
        &mut self,
        kind: TypeId,
        specifiers: &Specifiers<'a>,
        declared: &'a InitializedDeclarator<'a>,
        name: Name<'a>,
    ) -> Checked<()> {
        let found = match self.types.get(kind) {
            Type::Record(record) => self.computed_records.get(record).map(|found| (*record, found.clone())),
            _ => None,
        };
        let is_plain = matches!(specifiers.storage, None | Some(Storage::Auto | Storage::Register))
            && declared.initializer.is_none()
            && !specifiers.is_volatile
            && specifiers.attributes.is_empty()
            && declared.declarator.attributes.is_empty();
        let Some((record, found)) = found.filter(|_| is_plain) else {
            return Err(self.refuse_computed_record(name.span));
        };
        let mut variables = Vec::with_capacity(found.members.len());
        for member in found.members.iter() {
            let shown = format!("{}.{}", name.text, member.name);
            let variable = self.add_variable(shown, member.kind, VariableRole::Local, name.span);
            self.variables[variable.0 as usize].length = member.length;
            self.variables[variable.0 as usize].alignment = member.alignment;
            if !member.inner.is_empty() {
                self.dimensions.insert(variable, member.inner.clone());
            }
            self.make_visible(variable);
            self.begins(variable, name.span);
            let target = self.variable_place(variable);
            let source = UnknownSource::Uninitialized;
            self.emit(InstructionKind::Unknown { target, source }, name.span);
            variables.push(variable);
        }
        let variables = variables.into();
        let parts = Parts { record, variables };
        self.scopes.declare(name.text, Entity::Parts(parts), name.span);
        Ok(())
    }

    /// The variable that a member of such a variable is.
    pub(super) fn part(&self, object: &syntax::Expression<'a>, member: Name<'a>) -> Option<VariableId> {
        let parts = self.parts_named(object)?;
        let members = &self.computed_records.get(&parts.record)?.members;
        let position = members.iter().position(|found| found.name == member.text)?;
        parts.variables.get(position).copied()
    }

    /// The size of the variable that is named, if it is one of these.
    pub(super) fn size_of_parts(&mut self, named: &syntax::Expression<'a>) -> Option<Value> {
        let record = self.parts_named(named)?.record;
        let kind = self.types.intern(Type::Record(record));
        self.computed_size(kind)
    }

    fn parts_named(&self, named: &syntax::Expression<'a>) -> Option<&Parts> {
        let name = super::name_of(named)?;
        match self.scopes.find(name).map(|found| &found.what)? {
            Entity::Parts(parts) => Some(parts),
            _ => None,
        }
    }

    /// The place of a member of such a variable, if that is what is written.
    pub(super) fn place_of_part(
        &mut self,
        object: &syntax::Expression<'a>,
        member: Name<'a>,
    ) -> Checked<Option<Place>> {
        if self.parts_named(object).is_none() {
            return Ok(None);
        }
        match self.part(object, member) {
            Some(variable) => Ok(Some(self.variable_place(variable))),
            None => Err(self.error(
                member.span,
                format!("there is no member `{}`", member.text),
                "not a member",
                None,
            )),
        }
    }
}
