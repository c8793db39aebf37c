//! Functions inside of functions, as GNU C has them: they see the variables of the function that they are in.
//!
//! Those variables are made global ones. That is what they are as long as the outer function is not called again while it runs:
//! there is one of each, and a declaration or a call gives it a new value. An outer function that recurs is refused when calls are
//! inlined ([`crate::inline`]), and so is here what takes them for local variables: some checks. Jumps out of the inner function
//! are in [`super::jumps_out`].

use super::attributes::{AttributeMeaning, meaning};
use super::scopes::Entity;
use super::{Checked, Semantics};
use crate::program::FunctionId;
use crate::syntax::{Derivation, FunctionDefinition, Statement, StatementKind, Storage};

/// Whether there are functions among the statements.
pub(super) fn are_in(statement: &Statement<'_>) -> bool {
    let mut open = vec![statement];
    while let Some(statement) = open.pop() {
        if let StatementKind::NestedFunction(_) = statement.kind {
            return true;
        }
        open.extend(statement.parts());
    }
    false
}

impl<'a> Semantics<'a, '_> {
    /// Reads a function inside of the one that is being read.
    pub(super) fn nested_function(&mut self, definition: &'a FunctionDefinition<'a>) -> Checked<()> {
        let declarator = definition.declarator;
        let (Some(name), Some(Derivation::Function(_))) = (declarator.name, declarator.derivations.first()) else {
            return Err(self.error(declarator.span, "a function without a name", "a name is missing", None));
        };
        let mut attributes = definition.specifiers.attributes.iter().chain(declarator.attributes);
        let is_plain = attributes.all(|attribute| meaning(attribute) == Some(AttributeMeaning::Nothing))
            && matches!(definition.specifiers.storage, None | Some(Storage::Auto));
        // Inside of an expression it has not been seen when the outer function's variables were made.
        let is_seen = self.state.has_functions_inside;
        // By a name that means something else elsewhere it might be taken for that.
        let is_new = self.scopes.find(name.text).is_none()
            && !self.defined.contains(name.text)
            && self.meaning_of(name.text).is_none();
        let checks = self.options.checks;
        if !is_plain || !is_seen || !is_new || checks.uninitialized || checks.lifetime {
            let help = Some("move it out of the function".to_string());
            let message = "this function inside a function cannot be translated";
            return Err(self.refuse(declarator.span, message, "here", help));
        }
        let base = self.specified_type(&definition.specifiers)?;
        let kind = self.derived_type(base, declarator)?.kind;
        let function = self.add_function(format!("{}::{}", self.state.name, name.text), kind, name.span);
        self.nested.insert(function);
        self.scopes.declare(name.text, Entity::Function(function), name.span);
        self.definition_as(definition, Some(function))
    }

    /// Whether the function has a body in this file, perhaps further down.
    pub(super) fn has_body(&self, function: FunctionId) -> bool {
        self.nested.contains(&function) || self.defined.contains(self.function(function).name.as_str())
    }
}
