//! GNU's vectors: structs of an array of numbers, with operations on one element after the other, as gcc has them.
//!
//! Elements are not promoted: what leaves a signed type of eight bits is an overflow there (gcc's sanitizer finds it). A
//! comparison gives 0 or -1 of the signed integers that are as wide. A cast keeps the bytes, by way of a union where elements
//! are of another kind.

use super::{Checked, Semantics, Value};
use crate::program::{BinaryOperator, ExpressionKind, Numeric, Place, PlaceStep, UnaryOperator};
use crate::syntax::{BinaryOperator as Written, Span, UnaryOperator as WrittenUnary};
use crate::types::{Compound, Field, IntegerType, Type, TypeId, Types};

impl<'a> Semantics<'a, '_> {
    /// The type of the elements, and how many there are, if these are vectors.
    pub(super) fn vector_of(&self, kind: TypeId) -> Option<(TypeId, u64)> {
        match self.types.compound(kind) {
            Some(Compound::Vector(element, count)) => Some((element, count)),
            _ => None,
        }
    }

    fn is_vector(&self, kind: TypeId) -> bool {
        self.vector_of(kind).is_some()
    }

    /// Whether two types are vectors of as many elements of the same size and kind, whatever their signs.
    pub(super) fn are_alike(&self, one: TypeId, other: TypeId) -> bool {
        let (Some((one, count)), Some((other, others))) = (self.vector_of(one), self.vector_of(other)) else {
            return false;
        };
        let are_alike = match (self.numeric(one), self.numeric(other)) {
            (Numeric::Integer(one), Numeric::Integer(other)) => one.bits == other.bits,
            (one, other) => one == other,
        };
        count == others && are_alike
    }

    /// The place of all elements, if it is a vector.
    pub(super) fn elements_place(&mut self, mut vector: Place) -> Place {
        if let Some((element, count)) = self.vector_of(vector.kind) {
            let length = crate::types::Length::Fixed(count);
            vector.kind = self.types.intern(Type::Array(element, length));
            vector.steps.push(PlaceStep::Field(0));
        }
        vector
    }

    pub(super) fn element_of_vector(&mut self, vector: &Place, index: u64) -> Place {
        let index = self.int_constant(index);
        let elements = self.elements_place(vector.clone());
        self.element_place(elements, index)
    }

    /// The elements of a vector, each to be read several times.
    pub(super) fn vector_elements(&mut self, vector: Value, span: Span) -> Vec<Value> {
        let Some((element, count)) = self.vector_of(vector.c_type) else {
            return Vec::new();
        };
        let element = self.types.without_volatile(element);
        let place = self.place_of_vector(vector, span);
        let mut elements = Vec::new();
        for index in 0..count {
            let place = self.element_of_vector(&place, index);
            elements.push(self.typed(ExpressionKind::Read(place), element));
        }
        elements
    }

    /// Where a vector is.
    pub(super) fn place_of_vector(&mut self, vector: Value, span: Span) -> Place {
        match vector.kind {
            ExpressionKind::Read(place) => place,
            _ => self.saved(vector, span),
        }
    }

    /// The vector of these elements.
    pub(super) fn vector_value(&mut self, elements: Vec<Value>, element: TypeId, span: Span) -> Value {
        let kind = self
            .types
            .compound_type(Compound::Vector(element, elements.len() as u64));
        let target = self.temporary(kind, span);
        for (index, value) in elements.into_iter().enumerate() {
            let value = self.convert(value, element);
            let place = self.element_of_vector(&target, index as u64);
            self.emit_assign(place, value, span);
        }
        self.typed(ExpressionKind::Read(target), kind)
    }

    /// Signed integers as wide as the elements: what comparisons give.
    fn signed_element(&mut self, element: TypeId) -> TypeId {
        let bits = self.types.size_of(element).unwrap_or(1) * 8;
        self.types.integer(IntegerType {
            bits: bits as u32,
            signed: true,
        })
    }

    fn no_operator(&mut self, one: TypeId, other: TypeId, span: Span) -> super::Reported {
        let (one, other) = (self.types.display(one), self.types.display(other));
        let message = format!("this operator has no meaning for {one} and {other}");
        self.error(span, message, "for vectors", None)
    }

    /// `left operator right`, one of which is a vector; `None` if none is.
    pub(super) fn vector_binary(
        &mut self,
        operator: Written,
        left: &Value,
        right: &Value,
        span: Span,
    ) -> Checked<Option<Value>> {
        let kinds = (left.c_type, right.c_type);
        let (element, count) = match (self.vector_of(kinds.0), self.vector_of(kinds.1)) {
            (None, None) => return Ok(None),
            (Some(_), Some(_)) if !self.are_alike(kinds.0, kinds.1) => {
                return Err(self.no_operator(kinds.0, kinds.1, span));
            }
            // As in gcc, the left one says what the result is.
            (Some(found), _) | (None, Some(found)) => found,
        };
        let element = self.types.without_volatile(element);
        let is_shift = matches!(operator, Written::ShiftLeft | Written::ShiftRight);
        if super::operators::is_comparison(operator)
            && !matches!(operator, Written::Equal | Written::NotEqual)
            && kinds.0 != kinds.1
            && self.is_vector(kinds.0)
            && self.is_vector(kinds.1)
        {
            let message = "a comparison of vectors with and without signs cannot be translated";
            return Err(self.refuse(span, message, "in this comparison", None));
        }
        let mut sides = Vec::new();
        for (value, is_distance) in [(left.clone(), false), (right.clone(), is_shift)] {
            if self.is_vector(value.c_type) {
                sides.push(self.vector_elements(value, span));
                continue;
            }
            let value = self.require_scalar(value, span)?;
            let fits = matches!(
                (value.numeric, self.numeric(element)),
                (Numeric::Integer(_), Numeric::Integer(_) | Numeric::Floating(_))
                    | (Numeric::Floating(_), Numeric::Floating(_))
            );
            if !fits {
                return Err(self.no_operator(kinds.0, kinds.1, span));
            }
            // A number on one side stands for as many of it; how far is shifted needs not fit an element.
            let value = match is_distance {
                true => self.promote(value),
                false => self.convert(value, element),
            };
            let value = self.kept(value, span);
            sides.push(vec![value; count as usize]);
        }
        let (Some(right), Some(left)) = (sides.pop(), sides.pop()) else {
            return Err(super::Reported);
        };
        let mut elements = Vec::new();
        for (left, right) in left.into_iter().zip(right) {
            let right = match is_distance_of(is_shift, &right) {
                true => right,
                false => self.convert(right, element),
            };
            elements.push(self.element_operation(operator, left, right, element, span)?);
        }
        let result = match super::operators::is_comparison(operator) {
            true => self.signed_element(element),
            false => element,
        };
        Ok(Some(self.vector_value(elements, result, span)))
    }

    fn element_operation(
        &mut self,
        operator: Written,
        left: Value,
        right: Value,
        element: TypeId,
        span: Span,
    ) -> Checked<Value> {
        if super::operators::is_comparison(operator) {
            let condition = self.binary(operator, left, right, span)?;
            let kind = self.signed_element(element);
            let (holds, fails) = (self.constant(-1, kind), self.constant(0, kind));
            return Ok(self.choice(condition, holds, fails, kind));
        }
        match self.numeric(element) {
            Numeric::Integer(kind) if kind.promoted() != kind => {
                let (operator, left, right) = super::operators::turned(operator, left, right);
                Ok(self.operation(operator, left, right, element))
            }
            _ => self.binary(operator, left, right, span),
        }
    }

    /// `operator vector`, if it is one.
    pub(super) fn vector_unary(&mut self, operator: WrittenUnary, value: &Value, span: Span) -> Checked<Option<Value>> {
        let Some((element, _)) = self.vector_of(value.c_type) else {
            return Ok(None);
        };
        let element = self.types.without_volatile(element);
        let numeric = self.numeric(element);
        let own = match (operator, numeric) {
            (WrittenUnary::Plus, _) => return Ok(Some(value.clone())),
            (WrittenUnary::Minus, _) => UnaryOperator::Negate,
            (WrittenUnary::BitNot, Numeric::Integer(_)) => UnaryOperator::BitNot,
            _ => {
                let message = format!("this operator has no meaning for {}", self.types.display(value.c_type));
                return Err(self.error(span, message, "for vectors", None));
            }
        };
        let mut elements = Vec::new();
        for value in self.vector_elements(value.clone(), span) {
            elements.push(match numeric {
                Numeric::Integer(kind) if kind.promoted() != kind => {
                    self.typed(ExpressionKind::Unary(own, Box::new(value)), element)
                }
                _ => self.unary(operator, value, span)?,
            });
        }
        Ok(Some(self.vector_value(elements, element, span)))
    }

    /// The value as another type without being asked to, where one of the two is a vector: signs may differ.
    pub(super) fn convert_vector(&mut self, value: Value, target: TypeId, span: Span) -> Checked<Value> {
        if !self.are_alike(value.c_type, target) {
            let (from, to) = (self.types.display(value.c_type), self.types.display(target));
            let message = format!("{from} cannot be converted to {to}");
            return Err(self.error(span, message, format!("of type {from}"), None));
        }
        self.converted_elements(value, target, span)
    }

    /// Each element as one of another vector.
    pub(super) fn converted_elements(&mut self, value: Value, target: TypeId, span: Span) -> Checked<Value> {
        let Some((element, _)) = self.vector_of(target) else {
            return Err(super::Reported);
        };
        let element = self.types.without_volatile(element);
        let elements = self.vector_elements(value, span);
        Ok(self.vector_value(elements, element, span))
    }

    /// `(type)value`, where one of the two is a vector: the bytes stay. `None` if neither is one.
    pub(super) fn vector_cast(&mut self, value: &Value, target: TypeId, span: Span) -> Checked<Option<Value>> {
        let source = value.c_type;
        if !self.is_vector(source) && !self.is_vector(target) || source == target {
            return Ok(None);
        }
        let fits = |kind: TypeId| self.is_vector(kind) || matches!(self.numeric(kind), Numeric::Integer(_));
        let is_void = source == Types::VOID || target == Types::VOID;
        if is_void || !fits(source) || !fits(target) || self.types.size_of(source) != self.types.size_of(target) {
            let (from, to) = (self.types.display(source), self.types.display(target));
            let message = format!("{from} cannot be converted to {to}");
            return Err(self.error(
                span,
                message,
                "a vector and something of the same size are needed",
                None,
            ));
        }
        if self.are_alike(source, target) {
            return self.converted_elements(value.clone(), target, span).map(Some);
        }
        self.same_bytes(value.clone(), target, span).map(Some)
    }

    /// The bytes of the value as another type, the least significant one of an integer first.
    fn same_bytes(&mut self, value: Value, target: TypeId, span: Span) -> Checked<Value> {
        let source = self.integers_like(value.c_type, span)?;
        let wanted = self.integers_like(target, span)?;
        let value = match source == value.c_type {
            true => value,
            false => self.by_union(value, source, span),
        };
        let value = self.regrouped(value, wanted, span);
        Ok(match wanted == target {
            true => value,
            false => self.by_union(value, target, span),
        })
    }

    /// Integers in the place of other numbers of the same size.
    fn integers_like(&mut self, kind: TypeId, span: Span) -> Checked<TypeId> {
        match self.vector_of(kind) {
            Some((element, count)) => match self.numeric(element) {
                Numeric::Floating(32 | 64) => {
                    let element = self.signed_element(element);
                    Ok(self.types.compound_type(Compound::Vector(element, count)))
                }
                Numeric::Integer(_) => Ok(kind),
                _ => {
                    let message = format!("the bytes of {} cannot be translated", self.types.display(kind));
                    Err(self.refuse(span, message, "in this conversion", None))
                }
            },
            None => Ok(kind),
        }
    }

    /// Integers of one size as integers of another, from the same bytes.
    fn regrouped(&mut self, value: Value, target: TypeId, span: Span) -> Value {
        let mut elements = match self.is_vector(value.c_type) {
            true => self.vector_elements(value, span),
            false => vec![self.kept(value, span)],
        };
        let element = self.vector_of(target).map_or(target, |(element, _)| element);
        let element = self.types.without_volatile(element);
        let bits = |semantics: &Self, kind: TypeId| semantics.types.size_of(kind).unwrap_or(1) * 8;
        let (to, from) = (bits(self, element), bits(self, elements[0].c_type));
        let unsigned = |bits: u64| IntegerType {
            bits: bits as u32,
            signed: false,
        };
        let (narrow, wide) = (
            self.types.integer(unsigned(to.min(from))),
            self.types.integer(unsigned(to.max(from))),
        );
        if to < from {
            let mut parts = Vec::new();
            for whole in elements {
                let whole = self.convert(whole, wide);
                for place in (0..from).step_by(to as usize) {
                    let distance = self.int_constant(place);
                    let moved = self.operation(BinaryOperator::ShiftRight, whole.clone(), distance, wide);
                    parts.push(self.convert(moved, narrow));
                }
            }
            elements = parts;
        } else if to > from {
            let mut wholes = Vec::new();
            for group in elements.chunks((to / from) as usize) {
                let mut whole = self.constant(0, wide);
                for (place, part) in (0..to).step_by(from as usize).zip(group) {
                    let part = self.convert(part.clone(), narrow);
                    let part = self.convert(part, wide);
                    let distance = self.int_constant(place);
                    let moved = self.operation(BinaryOperator::ShiftLeft, part, distance, wide);
                    whole = self.operation(BinaryOperator::Add, whole, moved, wide);
                }
                wholes.push(whole);
            }
            elements = wholes;
        }
        match (self.is_vector(target), elements.pop()) {
            (false, Some(whole)) => self.convert(whole, target),
            (_, last) => {
                elements.extend(last);
                self.vector_value(elements, element, span)
            }
        }
    }

    /// The bits of each element as a number of another kind, by way of a union.
    fn by_union(&mut self, value: Value, target: TypeId, span: Span) -> Value {
        self.made_up += 1;
        let record = self.types.add_record(true, format!("bytes{}", self.made_up));
        let kinds = [value.c_type, target];
        let alignment = kinds.map(|kind| self.types.alignment_of(kind)).into_iter().max();
        let size = self.types.size_of(target).unwrap_or(1);
        let depth = kinds.map(|kind| self.types.depth_of(kind)).into_iter().max();
        let field = |(name, kind): (&str, TypeId)| Field {
            name: name.to_string(),
            kind,
            offset: 0,
            bit_offset: 0,
            bit_width: None,
            alignment: alignment.unwrap_or(1),
            is_volatile: false,
        };
        let fields = ["from", "to"].into_iter().zip(kinds).map(field).collect();
        let defined = self.types.record_mut(record);
        defined.fields = Some(fields);
        defined.size = size;
        defined.alignment = alignment.unwrap_or(1);
        defined.depth = depth.unwrap_or(1);
        let kind = self.types.intern(Type::Record(record));
        let union = self.temporary(kind, span);
        let member = |number: usize, kind: TypeId| {
            let mut place = union.clone();
            place.steps.push(PlaceStep::Field(number));
            place.kind = kind;
            place
        };
        let (from, to) = (member(0, value.c_type), member(1, target));
        self.emit_assign(from, value, span);
        self.typed(ExpressionKind::Read(to), target)
    }
}

/// Whether a number says how far is shifted, and is of a type of its own.
fn is_distance_of(is_shift: bool, value: &Value) -> bool {
    is_shift && matches!(value.numeric, Numeric::Integer(_))
}
