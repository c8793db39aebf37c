//! Functions that are left open by name (`__CPROVER_uninterpreted_…`, `__ESBMC_uninterpreted_…`): nothing is known of them but
//! that the same arguments have the same result.
//!
//! One of few argument bits is an array that has some number for every argument, and never changes. The result of any other is
//! told by its arguments in a way that is not translated.

use super::known_calls::Arguments;
use super::{Checked, Semantics, Value};
use crate::program::{BinaryOperator, ExpressionKind, InstructionKind, Numeric, UnknownSource, VariableRole};
use crate::syntax::Span;
use crate::types::{IntegerType, Length, Type, TypeId};

/// All arguments together have at most so many bits.
const MOST_BITS: u32 = 32;

/// Whether a function without a body is left open by its name.
pub(super) fn is_uninterpreted(name: &str) -> bool {
    name.starts_with("__CPROVER_uninterpreted_") || name.starts_with("__ESBMC_uninterpreted_")
}

impl<'a> Semantics<'a, '_> {
    /// The result of such a function.
    pub(super) fn uninterpreted(&mut self, name: &'a str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let result = self.known_result(name);
        let parameters = self.parameters_of(name);
        let values = self.evaluated_in_order(arguments)?;
        let bits = parameters.as_ref().and_then(|parameters| self.bits_of_all(parameters));
        let (Some(parameters), Some(bits), Numeric::Integer(_)) = (parameters, bits, self.numeric(result)) else {
            return self.determined(name, span);
        };
        if bits > MOST_BITS || values.len() != parameters.len() {
            return self.determined(name, span);
        }
        let word = self.types.integer(IntegerType {
            bits: 64,
            signed: false,
        });
        let mut index = self.constant(0, word);
        for (value, kind) in values.into_iter().zip(parameters) {
            let Numeric::Integer(integer) = self.numeric(kind) else {
                return self.determined(name, span);
            };
            let unsigned = self.types.integer(IntegerType {
                signed: false,
                ..integer
            });
            let value = self.convert_implicitly(value, kind, span)?;
            let value = self.convert(value, unsigned);
            let value = self.convert(value, word);
            let factor = self.constant(1_u64 << integer.bits, word);
            index = self.operation(BinaryOperator::Multiply, index, factor, word);
            index = self.operation(BinaryOperator::Add, index, value, word);
        }
        let variable = match self.left_open.get(name) {
            Some(variable) => *variable,
            None => {
                let array = self.types.intern(Type::Array(result, Length::Fixed(1 << bits)));
                let variable = self.add_variable(name, array, VariableRole::Global, span);
                self.left_open.insert(name, variable);
                let target = self.variable_place(variable);
                let source = UnknownSource::Call(name.to_string());
                self.startup.emit(InstructionKind::Unknown { target, source }, span);
                variable
            }
        };
        let array = self.variable_place(variable);
        let place = self.element_place(array, index);
        Ok(self.typed(ExpressionKind::Read(place), result))
    }

    /// The types of a declared function's parameters.
    fn parameters_of(&self, name: &str) -> Option<Vec<TypeId>> {
        let super::scopes::Entity::Function(function) = self.scopes.find(name)?.what else {
            return None;
        };
        match self.types.get(self.function(function).kind) {
            Type::Function { parameters, .. } => Some(parameters.clone()),
            _ => None,
        }
    }

    fn bits_of_all(&self, parameters: &[TypeId]) -> Option<u32> {
        parameters
            .iter()
            .try_fold(0_u32, |sum, kind| match self.numeric(*kind) {
                Numeric::Integer(integer) if integer.bits <= MOST_BITS => Some(sum + integer.bits),
                _ => None,
            })
    }
}
