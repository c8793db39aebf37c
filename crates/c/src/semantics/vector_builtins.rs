//! The compiler's functions on vectors: `__builtin_shuffle`, `__builtin_shufflevector`, `__builtin_convertvector`.

use super::known_calls::Arguments;
use super::{Checked, Semantics, Value};
use crate::program::{BinaryOperator, ExpressionKind, Numeric, Place};
use crate::syntax::{Expression, Span, TypeName};
use crate::types::{IntegerType, TypeId, Types};
use num_traits::ToPrimitive;

impl<'a> Semantics<'a, '_> {
    /// `__builtin_convertvector (operand, type)`
    pub(super) fn vector_of_numbers(
        &mut self,
        operand: &'a Expression<'a>,
        name: &'a TypeName<'a>,
        span: Span,
    ) -> Checked<Value> {
        let value = self.value(operand)?;
        let target = self.named_type(name)?;
        match (self.vector_of(value.c_type), self.vector_of(target)) {
            (Some((_, count)), Some((_, others))) if count == others => self.converted_elements(value, target, span),
            _ => Err(self.vectors_needed(span)),
        }
    }

    fn vectors_needed(&mut self, span: Span) -> super::Reported {
        let message = "vectors of as many elements are needed";
        self.error(span, message, "in this call", None)
    }

    /// `__builtin_shuffle (vector, mask)`, `__builtin_shuffle (one, other, mask)`: the mask says which elements, modulo how many
    /// there are.
    pub(super) fn shuffle(&mut self, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let mut values = self.evaluated_in_order(arguments)?;
        let mask = match (values.len(), values.pop()) {
            (2 | 3, Some(mask)) => mask,
            _ => return Err(self.vectors_needed(span)),
        };
        let kind = values[0].c_type;
        let (Some((element, count)), Some((index, indices))) = (self.vector_of(kind), self.vector_of(mask.c_type))
        else {
            return Err(self.vectors_needed(span));
        };
        let are_integers = matches!(self.numeric(index), Numeric::Integer(_));
        let is_wide = self.types.size_of(index) == self.types.size_of(element);
        if !are_integers || !is_wide || count != indices || values.iter().any(|value| value.c_type != kind) {
            return Err(self.vectors_needed(span));
        }
        let element = self.types.without_volatile(element);
        let mut places = Vec::new();
        for value in values {
            places.push(self.place_of_vector(value, span));
        }
        let last = count * places.len() as u64 - 1;
        let mut elements = Vec::new();
        for wanted in self.vector_elements(mask, span) {
            let unsigned = match self.numeric(index) {
                Numeric::Integer(integer) => IntegerType {
                    signed: false,
                    ..integer
                },
                _ => return Err(super::Reported),
            };
            let unsigned = self.types.integer(unsigned);
            let wanted = self.convert(wanted, unsigned);
            // The number of elements is a power of two.
            let mask = self.constant(last, unsigned);
            let wanted = self.operation(BinaryOperator::BitAnd, wanted, mask, unsigned);
            let wanted = self.kept(wanted, span);
            let first = self.chosen_element(&places[0], wanted.clone(), count, element);
            elements.push(match places.get(1) {
                None => first,
                Some(other) => {
                    let limit = self.constant(count, unsigned);
                    let below = self.operation(BinaryOperator::Less, wanted.clone(), limit, Types::INT);
                    let second = self.chosen_element(other, wanted, count, element);
                    self.choice(below, first, second, element)
                }
            });
        }
        Ok(self.vector_value(elements, element, span))
    }

    /// The element of which the number modulo their number is given.
    fn chosen_element(&mut self, vector: &Place, wanted: Value, count: u64, element: TypeId) -> Value {
        let kind = wanted.c_type;
        let mask = self.constant(count - 1, kind);
        let index = self.operation(BinaryOperator::BitAnd, wanted, mask, kind);
        let elements = self.elements_place(vector.clone());
        let place = self.element_place(elements, index);
        self.typed(ExpressionKind::Read(place), element)
    }

    /// `__builtin_shufflevector (one, other, index, …)`: constants say which elements; any value may stand where one is -1.
    pub(super) fn shuffle_by_constants(&mut self, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let Some((vectors, indices)) = arguments.split_at_checked(2) else {
            return Err(self.vectors_needed(span));
        };
        let values = self.evaluated_in_order(vectors)?;
        let kinds: Vec<TypeId> = values.iter().map(|value| value.c_type).collect();
        let (Some((element, count)), Some((other, others))) = (self.vector_of(kinds[0]), self.vector_of(kinds[1]))
        else {
            return Err(self.vectors_needed(span));
        };
        if element != other || !indices.len().is_power_of_two() {
            return Err(self.vectors_needed(span));
        }
        let element = self.types.without_volatile(element);
        let mut all = Vec::new();
        for value in values {
            all.extend(self.vector_elements(value, span));
        }
        let mut elements = Vec::new();
        for index in indices {
            let number = self.integer_constant(index)?;
            elements.push(match number.to_i64() {
                Some(-1) => {
                    let what = "an element of a vector for which `__builtin_shufflevector` names none";
                    self.not_calculated(what, element, span)
                }
                Some(number) if (0..(count + others) as i64).contains(&number) => all[number as usize].clone(),
                _ => {
                    let message = "an index of `__builtin_shufflevector` that no element has";
                    return Err(self.error(index.span, message, "too large, or negative", None));
                }
            });
        }
        Ok(self.vector_value(elements, element, span))
    }
}
