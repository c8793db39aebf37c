//! Functions of the [library](crate::c::library) that the program gets: they are read behind its own, and nothing is said about
//! their text.

use super::scopes::Entity;
use super::{Checked, Semantics, Value};
use crate::c::library::plain_name;
use crate::c::program::{Body, Effect, FunctionId, InstructionKind, Terminator};
use crate::c::syntax::{self, ExpressionKind as Kind, FunctionDefinition, Item, Name, Span, TranslationUnit};
use crate::c::types::Type;
use hashbrown::HashMap;

/// What the library calls an unknown result of the function that it stands in.
pub(super) const UNKNOWN_RESULT: &str = "__clausal_result";

/// The functions among the definitions.
pub(super) fn by_name<'a>(library: &TranslationUnit<'a>) -> HashMap<&'a str, &'a FunctionDefinition<'a>> {
    let functions = library.items.iter().filter_map(|item| match item {
        Item::Function(definition) => Some((definition.declarator.name?.text, *definition)),
        _ => None,
    });
    functions.collect()
}

impl<'a> Semantics<'a, '_> {
    /// Reads the library's functions.
    pub(super) fn library(&mut self, library: &TranslationUnit<'a>) {
        for item in &library.items {
            let before = (self.diagnostics.len(), self.errors, self.warnings);
            match item {
                Item::Function(definition) => self.function_definition(definition),
                Item::Declaration(declaration) => self.global_declaration(declaration),
                Item::Assembly(..) | Item::Statement(_) => {}
            }
            let failed = self.errors > before.1;
            self.diagnostics.truncate(before.0);
            (self.errors, self.warnings) = (before.1, before.2);
            if let (true, Item::Function(definition)) = (failed, item) {
                self.refuse_model(definition);
            }
        }
    }

    /// A function that does not agree with what the program says of its types may do anything.
    fn refuse_model(&mut self, definition: &FunctionDefinition<'a>) {
        let Some(name) = definition.declarator.name else { return };
        let Some(Entity::Function(function)) = self.scopes.find_outermost(name.text).map(|found| &found.what) else {
            return;
        };
        let function = *function;
        let outside = std::mem::take(&mut self.state);
        let what = format!("`{}`", name.text);
        let effect = Effect::Anything;
        self.emit(InstructionKind::Unsupported { what, effect }, name.span);
        self.state.graph.terminate(Terminator::Return, name.span);
        let body: Body = self.finished_body(name.span);
        let result = match self.types.get(self.function(function).kind) {
            Type::Function { result, .. } if !matches!(self.types.get(*result), Type::Void) => Some(*result),
            _ => None,
        };
        let role = crate::c::program::VariableRole::Temporary;
        let result = result.map(|kind| self.add_variable("result", kind, role, name.span));
        let function = &mut self.functions[function.0 as usize];
        function.body = Some(body);
        function.result = result;
        function.parameters = Vec::new();
        function.span = name.span;
        self.state = outside;
    }

    /// The name in the library of a function that the compiler or a header calls otherwise.
    pub(super) fn name_in_library(&self, name: &'a str) -> &'a str {
        let plain = plain_name(name);
        match self.name_in_library_is_other(name) {
            true => plain,
            false => name,
        }
    }

    /// Whether the name is another one for a function of the library.
    pub(super) fn name_in_library_is_other(&self, name: &str) -> bool {
        let plain = plain_name(name);
        if plain == name || self.defined.contains(name) {
            return false;
        }
        self.library.contains_key(plain)
            || self.defined.contains(plain) && self.conventions.meaning(plain, false).is_none()
    }

    /// What `strlen` says of a text that is written as its argument.
    pub(super) fn length_of_literal(
        &mut self,
        callee: &syntax::Expression<'a>,
        arguments: &[&'a syntax::Expression<'a>],
    ) -> Option<Value> {
        let name = super::name_of(callee).map(|name| self.name_in_library(name))?;
        let [argument] = arguments else { return None };
        let Kind::String { characters, .. } = &argument.kind else {
            return None;
        };
        if name != "strlen" || !self.library.contains_key(name) {
            return None;
        }
        let length = characters.iter().position(|character| *character == 0);
        let size = self.size_type();
        Some(self.constant(length.unwrap_or(characters.len()), size))
    }

    /// Declares a function of the library that nothing in the program declares.
    pub(super) fn declare_from_library(&mut self, name: &'a str, span: Span) -> Option<FunctionId> {
        let definition = *self.library.get(name)?;
        let before = (self.diagnostics.len(), self.errors, self.warnings);
        let declared: Checked<FunctionId> = self
            .specified_type(&definition.specifiers)
            .and_then(|base| self.derived_type(base, definition.declarator))
            .and_then(|derived| self.declare_function(Name { text: name, span }, derived.kind, false));
        self.diagnostics.truncate(before.0);
        (self.errors, self.warnings) = (before.1, before.2);
        declared.ok()
    }
}
