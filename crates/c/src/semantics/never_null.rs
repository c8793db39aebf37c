//! `nonnull` and `returns_nonnull`: what a function is handed, or gives back, is no null pointer. Compilers conclude from it, as
//! from a call of `memcpy`, that none is there, and their own checks look for it. So does `--check null`.

use super::attributes::literal;
use super::{Semantics, Value};
use crate::program::{Callee, ExpressionKind, VariableId};
use crate::syntax::{Attribute, Span};
use crate::types::{Type, TypeId};
use num_bigint::BigInt;

/// What a function's declarations say about null pointers.
#[derive(Clone, Default)]
pub(super) struct NeverNull {
    /// None of its parameters is one.
    every: bool,
    /// These parameters are none, counted from one.
    positions: Vec<BigInt>,
    /// Its result is none.
    result: bool,
}

impl NeverNull {
    /// Takes in another attribute of the two.
    pub(super) fn note(&mut self, attribute: &Attribute<'_>) {
        if attribute.is("returns_nonnull") {
            self.result = true;
            return;
        }
        self.every |= attribute.arguments.is_empty();
        let positions = attribute.arguments.iter().filter_map(literal);
        self.positions.extend(positions);
    }

    fn is_about(&self, index: usize) -> bool {
        self.every || self.positions.contains(&BigInt::from(index + 1))
    }
}

impl<'a> Semantics<'a, '_> {
    /// A function begins that was handed these, through a pointer perhaps.
    pub(super) fn check_parameters(&mut self, name: &str, parameters: &[VariableId], span: Span) {
        let Some(said) = self.said_of(name) else { return };
        for (index, parameter) in parameters.iter().enumerate() {
            let kind = self.variable(*parameter).kind;
            if said.is_about(index) && matches!(self.types.get(kind), Type::Pointer(_)) {
                let place = self.variable_place(*parameter);
                let value = self.typed(ExpressionKind::Read(place), kind);
                self.check_set(&value, span);
            }
        }
    }

    /// A function is handed these, as they are or converted to its parameters' types.
    pub(super) fn check_arguments(&mut self, callee: &Callee, arguments: &[Value], parameters: &[TypeId], span: Span) {
        let Some(said) = self.never_null(callee) else {
            return;
        };
        for (index, argument) in arguments.iter().enumerate() {
            let kind = parameters.get(index).unwrap_or(&argument.c_type);
            let is_pointer = matches!(self.types.get(*kind), Type::Pointer(_));
            if said.is_about(index) && is_pointer {
                self.check_address(argument.clone(), span);
            }
        }
    }

    /// What is said of a function that is called by its name.
    pub(super) fn never_null(&self, callee: &Callee) -> Option<NeverNull> {
        let Callee::Function(function) = callee else {
            return None;
        };
        self.said_of(&self.function(*function).name)
    }

    /// What is said of a function of the program. What is written here of the library looks after itself.
    fn said_of(&self, name: &str) -> Option<NeverNull> {
        let is_library = self.library.contains_key(name);
        self.symbols.never_null.get(name).filter(|_| !is_library).cloned()
    }

    /// A function returns what it has put there.
    pub(super) fn check_result(&mut self, result: VariableId, span: Span) {
        let kind = self.variable(result).kind;
        let said = self.symbols.never_null.get(self.state.name.as_str());
        if said.is_some_and(|said| said.result) && matches!(self.types.get(kind), Type::Pointer(_)) {
            let place = self.variable_place(result);
            let value = self.typed(ExpressionKind::Read(place), kind);
            self.check_set(&value, span);
        }
    }
}
