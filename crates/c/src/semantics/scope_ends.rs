//! GNU's `cleanup`: what is called with the address of a local variable when its scope is left, by whichever way, the variable
//! that was declared last first. A jump over the declaration takes nothing back: the call is made all the same.

use super::attributes::{AttributeMeaning, meaning};
use super::functions::Visible;
use super::scopes::Entity;
use super::{Checked, Semantics};
use crate::program::{BlockId, Callee, FunctionId, InstructionKind, VariableId};
use crate::syntax::{Attribute, AttributeArgument, Declarator, ExpressionKind, Span, Specifiers};
use crate::types::Type;

/// A jump that may leave scopes, for a label that may come later.
pub(super) struct Departure<'a> {
    /// The block, still empty, that it goes through.
    block: BlockId,
    /// The variables for which something is called if their scopes are left, the last one first.
    open: Vec<VariableId>,
    visible: Visible,
    label: &'a str,
    span: Span,
}

impl<'a> Semantics<'a, '_> {
    /// Notes what a declaration wants called for a local variable. Of others compilers ignore it.
    pub(super) fn note_scope_end(
        &mut self,
        variable: VariableId,
        specifiers: &Specifiers<'a>,
        declarator: &Declarator<'a>,
    ) -> Checked<()> {
        let all = specifiers.attributes.iter().chain(declarator.attributes);
        let mut found = all.filter(|attribute| meaning(attribute) == Some(AttributeMeaning::Cleanup));
        let Some(attribute) = found.next() else {
            return Ok(());
        };
        if let Some(second) = found.next() {
            let message = "a second `cleanup` for the same variable cannot be translated";
            return Err(self.refuse(second.span, message, "one of them counts", None));
        }
        let function = self.called_at_end(attribute)?;
        let place = self.variable_place(variable);
        self.mark_addressed(&place);
        self.state.scope_ends.insert(variable, function);
        self.has_scope_ends = true;
        Ok(())
    }

    /// Variables of snippets live as long as the program.
    pub(super) fn refuse_scope_end(&mut self, specifiers: &Specifiers<'a>, declarator: &Declarator<'a>) {
        let all = specifiers.attributes.iter().chain(declarator.attributes);
        for attribute in all.filter(|attribute| meaning(attribute) == Some(AttributeMeaning::Cleanup)) {
            let message = "`cleanup` outside of a function cannot be translated";
            self.refuse(attribute.span, message, "in a snippet", None);
        }
    }

    fn called_at_end(&mut self, attribute: &Attribute<'a>) -> Checked<FunctionId> {
        let name = match attribute.arguments {
            [AttributeArgument::Expression(expression)] => match expression.kind {
                ExpressionKind::Name(name) => name,
                _ => return Err(self.no_function_for_end(attribute.span)),
            },
            _ => return Err(self.no_function_for_end(attribute.span)),
        };
        let Some(Entity::Function(function)) = self.scopes.find(name).map(|found| found.what.clone()) else {
            return Err(self.no_function_for_end(attribute.span));
        };
        let takes_one = match self.types.get(self.function(function).kind) {
            Type::Function { parameters, open, .. } => parameters.len() == 1 && !open,
            _ => false,
        };
        let is_plain = self.meaning_of(name).is_none() && !self.symbols.others.contains_key(name);
        if !takes_one || !is_plain || !self.has_body(function) {
            let message = format!("`cleanup` by `{name}` cannot be translated");
            let label = "a function of this file with one parameter is needed";
            return Err(self.refuse(attribute.span, message, label, None));
        }
        Ok(function)
    }

    fn no_function_for_end(&mut self, span: Span) -> super::Reported {
        self.error(span, "`cleanup` needs the name of a function", "here", None)
    }

    /// The variables between here and there for which something is called, the last one first.
    fn with_ends(&self, there: Visible) -> Vec<VariableId> {
        if self.state.scope_ends.is_empty() {
            return Vec::new();
        }
        let left = self.left(self.state.visible, there);
        left.into_iter()
            .filter(|variable| self.state.scope_ends.contains_key(variable))
            .collect()
    }

    /// Calls what is to be called for the variables that are visible here, but not there.
    pub(super) fn call_scope_ends(&mut self, there: Visible, span: Span) {
        for variable in self.with_ends(there) {
            self.call_scope_end(variable, span);
        }
    }

    fn call_scope_end(&mut self, variable: VariableId, span: Span) {
        let Some(function) = self.state.scope_ends.get(&variable).copied() else {
            return;
        };
        let kind = self.function(function).kind;
        let parameter = match self.types.get(kind) {
            Type::Function { parameters, .. } => parameters.first().copied(),
            _ => None,
        };
        let place = self.variable_place(variable);
        let address = self.address_of(place, span);
        let (Ok(address), Some(parameter)) = (address, parameter) else {
            return;
        };
        let Ok(address) = self.convert_implicitly(address, parameter, span) else {
            return;
        };
        let call = InstructionKind::Call {
            target: None,
            callee: Callee::Function(function),
            kind,
            arguments: vec![address],
        };
        self.emit(call, span);
    }

    /// A jump to a label, by way of a block in which things are called if there may be any; where it goes first.
    pub(super) fn depart(&mut self, label: &'a str, target: BlockId, span: Span) -> BlockId {
        let open = self.with_ends(None);
        if open.is_empty() {
            return target;
        }
        let block = self.state.graph.new_block();
        self.state.departures.push(Departure {
            block,
            open,
            visible: self.state.visible,
            label,
            span,
        });
        block
    }

    /// Whatever a computed jump leaves, compilers call nothing.
    pub(super) fn refuse_computed_departures(&mut self) {
        if !self.state.scope_ends.is_empty() && !self.state.computed_jumps.is_empty() {
            let span = self.state.computed_jumps[0].span;
            let message = "a computed jump in a function with `cleanup` cannot be translated";
            self.refuse(span, message, "which scopes does it leave?", None);
        }
    }

    /// When all labels are known, jumps call what is to be called for the scopes that they leave.
    pub(super) fn settle_departures(&mut self) {
        for departure in std::mem::take(&mut self.state.departures) {
            let Some(label) = self.state.labels.get(departure.label) else {
                continue;
            };
            let (target, there) = (label.block, label.visible);
            let left = self.left(departure.visible, there);
            self.state.graph.resume(departure.block);
            for variable in departure.open.iter().filter(|variable| left.contains(variable)) {
                self.call_scope_end(*variable, departure.span);
            }
            self.state.graph.goto(target, departure.span);
        }
    }
}
