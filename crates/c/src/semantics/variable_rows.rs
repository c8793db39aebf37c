//! Arrays with lengths that are computed, which are kept in variables; with several dimensions: local variables, and parameters that point to
//! the rows of such arrays. Their elements are numbered through; of a row, the address of its first element is known.

use super::scopes::Entity;
use super::{Checked, Semantics, Value};
use crate::program::{BinaryOperator, ExpressionKind, Place, VariableId, VariableRole};
use crate::syntax::{self, Derivation, Span};
use crate::types::{Length, Type};

impl<'a> Semantics<'a, '_> {
    /// An element of such an array.
    pub(super) fn element_of_several_dimensions(
        &mut self,
        array: &'a syntax::Expression<'a>,
        index: &'a syntax::Expression<'a>,
        span: Span,
    ) -> Checked<Option<Place>> {
        let Some((variable, indices)) = self.indices_of_several_dimensions(array, index) else {
            return Ok(None);
        };
        let dimensions = self.dimensions.get(&variable).map_or(0, Vec::len);
        if indices.len() != dimensions + 1 {
            let message = "a row of an array of variable length cannot be translated";
            return Err(self.refuse(span, message, "only its elements and their addresses are known", None));
        }
        self.numbered_element(variable, &indices, span).map(Some)
    }

    /// The value of a row of such an array, which is the address of its first element.
    pub(super) fn row_of_several_dimensions(
        &mut self,
        expression: &'a syntax::Expression<'a>,
    ) -> Checked<Option<Value>> {
        let syntax::ExpressionKind::Index(array, index) = &expression.kind else {
            return Ok(None);
        };
        let Some((variable, indices)) = self.indices_of_several_dimensions(array, index) else {
            return Ok(None);
        };
        // The rows of rows are no elements.
        if indices.len() != self.dimensions.get(&variable).map_or(0, Vec::len) {
            return Ok(None);
        }
        let first = self.numbered_element(variable, &indices, expression.span)?;
        self.mark_addressed(&first);
        let kind = self.types.pointer_to(first.kind);
        Ok(Some(self.typed(ExpressionKind::AddressOf(Box::new(first)), kind)))
    }

    /// Whether what a name stands for has rows that are made of rows.
    pub(super) fn has_rows_of_rows(&self, array: &syntax::Expression<'a>) -> bool {
        let found = super::name_of(array).and_then(|name| self.scopes.find(name));
        match found.map(|found| &found.what) {
            Some(Entity::Variable(variable)) => self.dimensions.get(variable).is_some_and(|inner| inner.len() > 1),
            _ => false,
        }
    }

    /// The array and the indices, from the outermost on.
    fn indices_of_several_dimensions(
        &self,
        array: &'a syntax::Expression<'a>,
        index: &'a syntax::Expression<'a>,
    ) -> Option<(VariableId, Vec<&'a syntax::Expression<'a>>)> {
        let (mut indices, mut array) = (vec![index], array);
        while let syntax::ExpressionKind::Index(inner, index) = &array.kind {
            indices.push(*index);
            array = inner;
        }
        indices.reverse();
        let found = super::name_of(array).and_then(|name| self.scopes.find(name))?;
        match found.what {
            Entity::Variable(variable) if self.dimensions.contains_key(&variable) => Some((variable, indices)),
            _ => None,
        }
    }

    /// The element with these indices; where inner ones are missing, they are zero.
    fn numbered_element(
        &mut self,
        variable: VariableId,
        indices: &[&'a syntax::Expression<'a>],
        span: Span,
    ) -> Checked<Place> {
        let dimensions = self.dimensions.get(&variable).cloned().unwrap_or_default();
        let pointer = match *self.types.get(self.variable(variable).kind) {
            Type::Pointer(rows) => match *self.types.get(rows) {
                Type::Array(element, _) => Some(self.types.pointer_to(element)),
                _ => None,
            },
            _ => None,
        };
        // A pointer may point to a row in the middle.
        let kind = match pointer {
            Some(_) => {
                let signed = self.long_type();
                self.types.integer(signed)
            }
            None => self.size_type(),
        };
        let mut values = self.values_in_order(indices)?.into_iter();
        let mut number = match values.next() {
            Some(first) => self.convert_implicitly(first, kind, span)?,
            None => self.constant(0, kind),
        };
        for dimension in dimensions {
            let dimension = self.convert(dimension, kind);
            number = self.operation(BinaryOperator::Multiply, number, dimension, kind);
            if let Some(value) = values.next() {
                let value = self.convert_implicitly(value, kind, span)?;
                number = self.operation(BinaryOperator::Add, number, value, kind);
            }
        }
        let place = self.variable_place(variable);
        match pointer {
            Some(kind) => {
                let rows = self.read(place, span)?;
                let first = self.convert(rows, kind);
                let element = self.pointer_add(first, number, span)?;
                self.dereference(element, span)
            }
            None => Ok(self.element_place(place, number)),
        }
    }

    /// The inner dimensions of a parameter that is an array, where some of them are computed: evaluated when the function is called.
    pub(super) fn dimensions_of_parameter(
        &mut self,
        variable: VariableId,
        declarator: &'a syntax::Declarator<'a>,
    ) -> Checked<()> {
        let is_variable = match *self.types.get(self.variable(variable).kind) {
            Type::Pointer(rows) => matches!(self.types.get(rows), Type::Array(_, Length::Variable)),
            _ => false,
        };
        if !is_variable {
            return Ok(());
        }
        let mut lengths = Vec::new();
        for derivation in declarator.derivations.iter().skip(1) {
            match derivation {
                Derivation::Array(Some(length)) => lengths.push(*length),
                _ => break,
            }
        }
        let mut dimensions = Vec::new();
        for (value, length) in self.lengths_in_order(&lengths)?.into_iter().zip(&lengths) {
            let shown = format!("{}.dimension{}", self.variable(variable).name, dimensions.len() + 2);
            dimensions.push(self.kept_length(shown, value, length.span).1);
        }
        self.dimensions.insert(variable, dimensions);
        Ok(())
    }

    /// Numbers of elements that are written, each checked and as a size.
    pub(super) fn lengths_in_order(&mut self, lengths: &[&'a syntax::Expression<'a>]) -> Checked<Vec<Value>> {
        let size_type = self.size_type();
        let mut values = Vec::with_capacity(lengths.len());
        for (value, length) in self.values_in_order(lengths)?.into_iter().zip(lengths) {
            self.check_length(&value, length.span);
            values.push(self.convert_implicitly(value, size_type, length.span)?);
        }
        Ok(values)
    }

    /// A new variable with a length, and the length as it is there. Functions inside see it as they see the array.
    pub(super) fn kept_length(&mut self, shown: String, value: Value, span: Span) -> (VariableId, Value) {
        let role = match self.state.has_functions_inside {
            true => VariableRole::Global,
            false => VariableRole::Temporary,
        };
        let kind = self.size_type();
        let variable = self.add_variable(shown, kind, role, span);
        let place = self.variable_place(variable);
        self.emit_assign(place.clone(), value, span);
        (variable, self.typed(ExpressionKind::Read(place), kind))
    }
}
