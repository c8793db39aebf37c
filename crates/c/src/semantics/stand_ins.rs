//! Bodies for functions that have none but a known meaning, or are other names for functions that have one: a pointer to
//! such a function can be called like any other.

use super::conventions::Meaning;
use super::functions::FunctionState;
use super::{Checked, Reported, Semantics, Value};
use crate::program::{FunctionId, Terminator, VariableRole};
use crate::syntax::{self, ExpressionKind as Kind, Name, Span};
use crate::types::{Type, TypeId};

/// What a function without a body of its own does.
enum StandIn<'a> {
    /// What a call by this name means.
    Means(&'a str, Meaning),
    /// What this function does.
    Calls(&'a str),
}

impl<'a> Semantics<'a, '_> {
    /// Whether a function gets a body, though perhaps the file has none for it.
    pub(super) fn has_stand_in(&self, function: FunctionId) -> bool {
        let name = self.function(function).name.as_str();
        self.valued.contains(&function) && self.meaning_of(name).is_some()
    }

    /// What a call by this name means, if it has a meaning of its own.
    pub(super) fn meaning_of(&self, name: &str) -> Option<Meaning> {
        if self.symbols.others.contains_key(name) {
            return None;
        }
        let symbol = self.symbols.symbol(name);
        if symbol != name && self.library.contains_key(symbol) {
            return Some(Meaning::Unseen);
        }
        if self.name_in_library_is_other(name) {
            return None;
        }
        self.conventions.meaning(symbol, self.defined.contains(name))
    }

    /// Gives bodies to all functions that need one: those whose addresses are taken, and other names.
    pub(super) fn stand_in_for_all(&mut self) {
        for index in 0..self.functions.len() {
            let function = FunctionId(index as u32);
            let name: &'a str = self.arena.alloc_str(&self.function(function).name);
            let other = self.symbols.others.get(name).map(|(of, _)| *of);
            let stand_in = match other {
                Some(of) if self.function(function).body.is_none() => StandIn::Calls(of),
                Some(_) => continue,
                None => match self.meaning_of(name).filter(|_| self.valued.contains(&function)) {
                    Some(meaning) => StandIn::Means(name, meaning),
                    None => continue,
                },
            };
            self.stand_in(function, name, &stand_in);
        }
    }

    fn stand_in(&mut self, function: FunctionId, name: &'a str, stand_in: &StandIn<'a>) {
        let span = self.function(function).span;
        let Type::Function {
            result,
            parameters: kinds,
            open,
        } = self.types.get(self.function(function).kind).clone()
        else {
            return;
        };
        let outside = std::mem::take(&mut self.state);
        self.state = FunctionState {
            name: name.to_string(),
            ..FunctionState::default()
        };
        self.open_scope();
        let mut parameters = Vec::new();
        let mut arguments: Vec<&'a syntax::Expression<'a>> = Vec::new();
        for (index, kind) in kinds.iter().enumerate() {
            let text: &'a str = self.arena.alloc_str(&format!("argument{}", index + 1));
            parameters.push(self.add_parameter(Some(Name { text, span }), *kind, span));
            arguments.push(self.arena.alloc(syntax::Expression {
                kind: Kind::Name(text),
                span,
            }));
        }
        let arguments: &'a [&'a syntax::Expression<'a>] = self.arena.alloc_slice_copy(&arguments);
        let is_void = matches!(self.types.get(result), Type::Void);
        let result = (!is_void).then(|| self.add_variable("result", result, VariableRole::Temporary, span));
        self.state.result = result;
        let before = (self.diagnostics.len(), self.errors);
        let value = match stand_in {
            // What is behind the parameters of a call is not passed on.
            StandIn::Calls(_) if open && !kinds.is_empty() => Err(Reported),
            StandIn::Calls(of) => {
                let callee = self.arena.alloc(syntax::Expression {
                    kind: Kind::Name(of),
                    span,
                });
                self.call_value(callee, arguments, None, span)
            }
            // What further arguments mean is not known where they are not there.
            StandIn::Means(_, meaning) if open && !meaning.ignores_arguments() => Err(Reported),
            StandIn::Means(name, meaning) => self
                .check_stream(name, arguments)
                .and_then(|()| self.known_call(name, *meaning, arguments, None, span)),
        };
        if value.and_then(|value| self.stand_in_result(value, span)).is_err() {
            self.diagnostics.truncate(before.0);
            self.errors = before.1;
            let what = format!("a call of `{name}` through a pointer");
            self.emit_anything(what, span);
        }
        self.state.graph.terminate(Terminator::Return, span);
        self.close_scope();
        self.adopt_parameters(function, parameters, Some(kinds));
        let body = self.finished_body(span);
        let function = &mut self.functions[function.0 as usize];
        function.result = result;
        function.body = Some(body);
        self.defined.insert(name);
        self.state = outside;
    }

    fn stand_in_result(&mut self, value: Value, span: Span) -> Checked<()> {
        let Some(result) = self.state.result else {
            return Ok(());
        };
        let place = self.variable_place(result);
        let kind: TypeId = place.kind;
        if matches!(self.types.get(value.c_type), Type::Void) {
            self.forget_result(result, span);
            return Ok(());
        }
        let value = self.convert_implicitly(value, kind, span)?;
        self.store(place, value, span)
    }
}
