//! Functions of the [library](crate::library) that the program gets: they are read behind its own, and nothing is said about
//! their text.

use super::scopes::Entity;
use super::{Checked, Semantics, Value};
use crate::library::{ELEMENT, plain_name};
use crate::program::{Body, Callee, ExpressionKind, FunctionId, InstructionKind, Numeric, Terminator};
use crate::syntax::{
    self, Derivation, ExpressionKind as Kind, FunctionDefinition, Item, Name, Span, TranslationUnit, TypeSpecifier,
};
use crate::types::{Length, Type, TypeId};
use hashbrown::HashMap;

/// What the library calls an unknown result of the function that it stands in.
pub(super) const UNKNOWN_RESULT: &str = "__clausal_result";

pub(super) use crate::library::plain_name as without_prefix;

/// Functions by their names.
type ByName<'a> = HashMap<&'a str, &'a FunctionDefinition<'a>>;

/// A function for elements of one type.
pub(super) struct Instance<'a> {
    definition: &'a FunctionDefinition<'a>,
    element: TypeId,
    function: FunctionId,
    /// Whether its body has been read.
    is_read: bool,
}

/// The functions among the definitions, and those for elements of any type.
pub(super) fn by_name<'a>(library: &TranslationUnit<'a>) -> (ByName<'a>, ByName<'a>) {
    let functions = library.items.iter().filter_map(|item| match item {
        Item::Function(definition) => Some((definition.declarator.name?.text, *definition)),
        _ => None,
    });
    functions.partition(|(_, definition)| !is_of_elements(definition))
}

/// Whether the type of a parameter is left open.
fn is_of_elements(definition: &FunctionDefinition<'_>) -> bool {
    let Some(Derivation::Function(parameters)) = definition.declarator.derivations.first() else {
        return false;
    };
    let mut kinds = parameters.declared.iter().map(|parameter| &parameter.specifiers.kind);
    kinds.any(|kind| matches!(kind, Some(TypeSpecifier::Named(name)) if name.text == ELEMENT))
}

impl<'a> Semantics<'a, '_> {
    /// Reads the library's functions.
    pub(super) fn library(&mut self, library: &TranslationUnit<'a>) {
        for item in &library.items {
            let before = (self.diagnostics.len(), self.errors, self.warnings);
            let mut is_other = false;
            match item {
                Item::Function(definition) if is_of_elements(definition) || self.is_replaced(definition) => {}
                Item::Function(definition) => {
                    let declared = self.declared_kind(definition);
                    self.function_definition(definition);
                    let found = self.declared_kind(definition);
                    is_other = declared
                        .zip(found)
                        .is_some_and(|(one, other)| !self.is_called_alike(one, other));
                }
                Item::Declaration(declaration) => self.global_declaration(declaration),
                Item::Assembly(..) | Item::Statement(_) => {}
            }
            let failed = is_other || self.errors > before.1;
            self.diagnostics.truncate(before.0);
            (self.errors, self.warnings) = (before.1, before.2);
            if let (true, Item::Function(definition)) = (failed, item) {
                self.refuse_model(definition);
            }
        }
        self.read_instances();
    }

    /// Whether the file has another function of its own under the linker's name.
    fn is_replaced(&self, definition: &FunctionDefinition<'a>) -> bool {
        let name = definition.declarator.name;
        name.is_some_and(|name| self.symbols.others.contains_key(name.text))
    }

    /// The type of the function that a definition is for, as it is known so far.
    fn declared_kind(&self, definition: &FunctionDefinition<'a>) -> Option<TypeId> {
        let name = definition.declarator.name?;
        match self.scopes.find_outermost(name.text).map(|found| &found.what) {
            Some(Entity::Function(function)) => Some(self.function(*function).kind),
            _ => None,
        }
    }

    /// Whether the two take the same kinds of values, as far as the first says what it takes, and give the same: otherwise the
    /// program means another function by that name, or a part of the result.
    fn is_called_alike(&self, declared: TypeId, model: TypeId) -> bool {
        let (
            Type::Function {
                result,
                parameters,
                open,
            },
            Type::Function {
                result: other,
                parameters: others,
                ..
            },
        ) = (self.types.get(declared), self.types.get(model))
        else {
            return false;
        };
        let alike = |one: TypeId, other: TypeId| {
            let is_void = |kind| matches!(self.types.get(kind), Type::Void);
            is_void(one) == is_void(other)
                && match (self.numeric(one), self.numeric(other)) {
                    (Numeric::Integer(_), Numeric::Integer(_)) | (Numeric::Pointer, Numeric::Pointer) => true,
                    (Numeric::Floating(one), Numeric::Floating(other)) => one == other,
                    (Numeric::Aggregate, Numeric::Aggregate) => one == other,
                    _ => false,
                }
        };
        // Of a result there is what its type has room for.
        let gives_alike = alike(*result, *other)
            && match (self.numeric(*result), self.numeric(*other)) {
                (Numeric::Integer(one), Numeric::Integer(other)) => one == other,
                _ => true,
            };
        let is_old = *open && parameters.is_empty();
        let takes_alike = || {
            parameters.len() == others.len() && parameters.iter().zip(others).all(|(one, other)| alike(*one, *other))
        };
        gives_alike && (is_old || takes_alike())
    }

    /// The function for elements of a type.
    fn instance(&mut self, name: &str, element: TypeId, span: Span) -> Option<FunctionId> {
        let definition = *self.of_elements.get(name)?;
        let known = self
            .instances
            .iter()
            .find(|known| known.element == element && std::ptr::eq(known.definition, definition));
        if let Some(known) = known {
            return Some(known.function);
        }
        let before = (self.diagnostics.len(), self.errors, self.warnings);
        self.open_elements(element, span);
        let kind = self
            .specified_type(&definition.specifiers)
            .and_then(|base| self.derived_type(base, definition.declarator));
        self.scopes.close();
        self.diagnostics.truncate(before.0);
        (self.errors, self.warnings) = (before.1, before.2);
        let span = definition.declarator.name?.span;
        let function = self.add_function(name.to_string(), kind.ok()?.kind, span);
        self.instances.push(Instance {
            definition,
            element,
            function,
            is_read: false,
        });
        Some(function)
    }

    /// Whether it is a function for elements of one type.
    pub(super) fn is_instance(&self, function: FunctionId) -> bool {
        self.instances.iter().any(|instance| instance.function == function)
    }

    fn open_elements(&mut self, element: TypeId, span: Span) {
        self.scopes.open();
        self.scopes.declare(ELEMENT, Entity::Typedef(element), span);
    }

    /// Reads the functions for elements of some type that are called somewhere; whether that is all of them.
    fn read_instances(&mut self) {
        while let Some(position) = self.instances.iter().position(|instance| !instance.is_read) {
            let Instance {
                definition,
                element,
                function,
                ..
            } = self.instances[position];
            self.instances[position].is_read = true;
            let before = (self.diagnostics.len(), self.errors, self.warnings);
            self.open_elements(element, definition.body.span);
            let read = self.definition_as(definition, Some(function));
            self.scopes.close();
            let failed = read.is_err() || self.errors > before.1;
            self.diagnostics.truncate(before.0);
            (self.errors, self.warnings) = (before.1, before.2);
            if failed {
                self.refuse_model_of(function, "a function of the library at this type");
            }
        }
    }

    /// A call of a function of the library for elements of a type; `None` if it is not there.
    pub(super) fn call_of_elements(
        &mut self,
        name: &str,
        element: TypeId,
        arguments: Vec<Value>,
        span: Span,
    ) -> Option<Value> {
        let size = self.types.size_of(element).filter(|size| *size > 0);
        if size.is_none()
            || matches!(
                self.types.get(element),
                Type::Function { .. } | Type::Void | Type::Array(..)
            )
        {
            return None;
        }
        let function = self.instance(name, element, span)?;
        self.call_of_model(function, arguments, span)
    }

    /// A call of a function of the library; `None` if it is none.
    pub(super) fn call_of_model(&mut self, function: FunctionId, arguments: Vec<Value>, span: Span) -> Option<Value> {
        let Type::Function { result, parameters, .. } = self.types.get(self.function(function).kind).clone() else {
            return None;
        };
        let arguments = arguments.into_iter().zip(parameters);
        let arguments = arguments.map(|(argument, kind)| self.convert(argument, kind)).collect();
        let is_void = matches!(self.types.get(result), Type::Void);
        let target = (!is_void).then(|| self.temporary(result, span));
        let call = InstructionKind::Call {
            target: target.clone(),
            callee: Callee::Function(function),
            kind: self.function(function).kind,
            arguments,
        };
        self.emit(call, span);
        Some(match target {
            Some(target) => self.typed(ExpressionKind::Read(target), result),
            None => self.void_value(),
        })
    }

    /// The type of the elements that a pointer leads to, whatever it has been cast to; bytes if nothing else is said.
    pub(super) fn element_of(&mut self, pointer: &Value) -> Option<TypeId> {
        let pointer = Self::without_casts(pointer.clone());
        let Type::Pointer(element) = *self.types.get(pointer.c_type) else {
            return None;
        };
        match self.types.get(element) {
            Type::Array(inner, Length::Fixed(_)) => Some(*inner),
            _ => Some(element),
        }
    }

    /// A function that does not agree with what the program says of its types may do anything.
    fn refuse_model(&mut self, definition: &FunctionDefinition<'a>) {
        let Some(name) = definition.declarator.name else { return };
        let Some(Entity::Function(function)) = self.scopes.find_outermost(name.text).map(|found| &found.what) else {
            return;
        };
        let function = *function;
        self.functions[function.0 as usize].span = name.span;
        self.refuse_model_of(function, &format!("`{}`", name.text));
    }

    fn refuse_model_of(&mut self, function: FunctionId, what: &str) {
        let span = self.function(function).span;
        let outside = std::mem::take(&mut self.state);
        let what = what.to_string();
        self.emit_anything(what, span);
        self.state.graph.terminate(Terminator::Return, span);
        let body: Body = self.finished_body(span);
        let result = match self.types.get(self.function(function).kind) {
            Type::Function { result, .. } if !matches!(self.types.get(*result), Type::Void) => Some(*result),
            _ => None,
        };
        let role = crate::program::VariableRole::Temporary;
        let result = result.map(|kind| self.add_variable("result", kind, role, span));
        let function = &mut self.functions[function.0 as usize];
        function.body = Some(body);
        function.result = result;
        function.parameters = Vec::new();
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
