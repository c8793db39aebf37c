//! Snippets: statements without a function around them, over variables that need not be declared.

use super::functions::FunctionState;
use super::scopes::Entity;
use super::storage::FirstValue;
use super::{Checked, Semantics};
use crate::program::{Function, FunctionId, Place, VariableRole};
use crate::syntax::{Declaration, InitializedDeclarator, Item, Span, Storage, TranslationUnit};
use crate::types::{Type, TypeId, Types};

impl<'a> Semantics<'a, '_> {
    /// Reads a snippet: its statements are the body of the entry function.
    pub(super) fn snippet(&mut self, unit: &TranslationUnit<'a>) {
        let options = self.options;
        let mut main = FunctionState {
            name: options.entry.clone(),
            ..FunctionState::default()
        };
        let mut whole = Span::default();
        for item in &unit.items {
            match item {
                Item::Function(definition) => self.function_definition(definition),
                Item::Declaration(declaration) => {
                    whole.end = declaration.span.end;
                    std::mem::swap(&mut self.state, &mut main);
                    self.snippet_declaration(declaration);
                    std::mem::swap(&mut self.state, &mut main);
                }
                Item::Assembly(assembly, span) => self.file_assembly(assembly, *span),
                Item::Statement(statement) => {
                    whole.end = statement.span.end;
                    std::mem::swap(&mut self.state, &mut main);
                    self.statement(statement);
                    std::mem::swap(&mut self.state, &mut main);
                }
            }
        }
        std::mem::swap(&mut self.state, &mut main);
        let body = self.finished_body(whole);
        std::mem::swap(&mut self.state, &mut main);
        let kind = self.types.intern(Type::Function {
            result: Types::VOID,
            parameters: Vec::new(),
            open: false,
        });
        self.functions.push(Function {
            name: options.entry.clone(),
            kind,
            parameters: Vec::new(),
            result: None,
            body: Some(body),
            span: whole,
            never_returns: false,
        });
        self.snippet_main = Some(FunctionId(self.functions.len() as u32 - 1));
    }

    /// A declaration among the statements of a snippet: its variables are global, so that functions see them, but get their
    /// values where they are declared.
    fn snippet_declaration(&mut self, declaration: &'a Declaration<'a>) {
        if matches!(declaration.specifiers.storage, Some(Storage::Typedef | Storage::Extern)) {
            return self.global_declaration(declaration);
        }
        let Ok(base) = self.specified_type(&declaration.specifiers) else {
            return;
        };
        for declared in declaration.declarators {
            self.refuse_scope_end(&declaration.specifiers, declared.declarator);
            let _: Checked<()> = self.snippet_declarator(base, declared);
        }
    }

    fn snippet_declarator(&mut self, base: TypeId, declared: &'a InitializedDeclarator<'a>) -> Checked<()> {
        let Some(name) = declared.declarator.name else {
            return Ok(());
        };
        let derived = self.derived_type(base, declared.declarator)?;
        if matches!(self.types.get(derived.kind), Type::Function { .. }) {
            return self.declare_function(name, derived.kind, false).map(drop);
        }
        if let Some(previous) = self.scopes.find_here(name.text).map(|found| found.span) {
            return Err(self.redeclared(name.text, name.span, previous));
        }
        let kind = match declared.initializer {
            Some(initializer) => self.completed(derived.kind, initializer)?,
            None => derived.kind,
        };
        let variable = self.add_variable(name.text, kind, VariableRole::Global, name.span);
        self.measure(variable, &derived.lengths, name)?;
        self.scopes.declare(name.text, Entity::Variable(variable), name.span);
        match declared.initializer {
            Some(initializer) => {
                self.initialized.insert(variable, FirstValue::Given);
                let place = self.variable_place(variable);
                self.initialize(place, initializer, false)
            }
            None => {
                self.initialized.insert(variable, FirstValue::Unknown);
                Ok(())
            }
        }
    }

    /// The variable of a name that is not declared: a global one with an unknown value.
    pub(super) fn undeclared_variable(&mut self, name: &'a str, kind: TypeId, span: Span) -> Place {
        let shown = self.types.display(kind);
        self.warn(
            span,
            format!("`{name}` is not declared"),
            format!("taken for {shown} with an unknown value"),
        );
        let variable = self.add_variable(name, kind, VariableRole::Global, span);
        self.initialized.insert(variable, FirstValue::Unknown);
        self.scopes.declare_outermost(name, Entity::Variable(variable), span);
        self.variable_place(variable)
    }
}
