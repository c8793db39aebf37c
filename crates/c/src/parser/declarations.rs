//! Declarations and function definitions, at the outermost level and in blocks.

use super::declarators::Naming;
use super::{NameKind, Parser, Result, range};
use crate::diagnostics::Diagnostic;
use crate::lexer::TokenKind;
use crate::syntax::{
    Declaration, Declarator, Derivation, FunctionDefinition, InitializedDeclarator, Parameters, Specifiers, Storage,
};

/// What begins with specifiers and a declarator.
pub(super) enum Declared<'a> {
    Declaration(&'a Declaration<'a>),
    Function(&'a FunctionDefinition<'a>),
}

impl<'a> Parser<'a> {
    /// A declaration or a function definition.
    pub(super) fn declaration(&mut self) -> Result<Declared<'a>> {
        let start = self.here();
        let specifiers = self.specifiers()?;
        let mut declarators = Vec::new();
        while self.kind() != TokenKind::Semicolon {
            let declarator = self.declarator_of(&specifiers, Naming::Required)?;
            if declarators.is_empty()
                && let Some(parameters) = self.begins_function(declarator)
            {
                let attributes = self.attributes()?;
                let declarator = self.with_more(declarator, attributes);
                let function = self.function(start, specifiers, declarator, parameters)?;
                return Ok(Declared::Function(function));
            }
            let attributes = self.attributes()?;
            let declarator = self.with_more(declarator, attributes);
            self.declare_declarator(&specifiers, declarator);
            let initializer = match self.take(TokenKind::Assign) {
                Some(_) => Some(self.initializer()?),
                None => None,
            };
            declarators.push(InitializedDeclarator {
                declarator,
                initializer,
                bit_width: None,
            });
            if self.take(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.expect_semicolon("the declaration")?;
        Ok(Declared::Declaration(self.arena.alloc(Declaration {
            specifiers,
            declarators: self.slice(declarators),
            span: self.span_from(start),
        })))
    }

    fn declare_declarator(&mut self, specifiers: &Specifiers<'a>, declarator: &Declarator<'a>) {
        let kind = match specifiers.storage {
            Some(Storage::Typedef) => NameKind::Type,
            _ => NameKind::Ordinary,
        };
        if let Some(name) = declarator.name {
            self.declare(name.text, kind);
        }
    }

    /// The parameters, if a declarator is a function's and the body or the declarations of old parameters follow.
    fn begins_function(&mut self, declarator: &Declarator<'a>) -> Option<Parameters<'a>> {
        let Some(Derivation::Function(parameters)) = declarator.derivations.first() else {
            return None;
        };
        let follows = match self.kind() {
            TokenKind::LeftBrace => true,
            TokenKind::Attribute | TokenKind::Assembly => self.body_follows_attributes(),
            TokenKind::Identifier => !parameters.identifiers.is_empty(),
            _ => !parameters.identifiers.is_empty() && self.begins_specifiers(0),
        };
        follows.then_some(*parameters)
    }

    /// `int f() __attribute__ ((…)) { … }`
    fn body_follows_attributes(&mut self) -> bool {
        let (position, errors) = (self.position, self.errors.len());
        let body_follows = self.attributes().is_ok() && self.kind() == TokenKind::LeftBrace;
        // They are read again, and what is wrong with them is reported then.
        self.errors.truncate(errors);
        self.position = position;
        body_follows
    }

    fn function(
        &mut self,
        start: u32,
        specifiers: Specifiers<'a>,
        declarator: &'a Declarator<'a>,
        parameters: Parameters<'a>,
    ) -> Result<&'a FunctionDefinition<'a>> {
        self.declare_declarator(&specifiers, declarator);
        if self.scopes.depth() > 0 && self.begins_line(start) {
            let name = declarator.name.map(|name| name.span);
            self.function_at_margin = self.function_at_margin.or(name);
        }
        let scopes = self.scopes.depth();
        self.scopes.open();
        let names = parameters
            .declared
            .iter()
            .filter_map(|parameter| parameter.declarator.name);
        for name in names.chain(parameters.identifiers.iter().copied()) {
            self.declare(name.text, NameKind::Ordinary);
        }
        let mut parameter_declarations = Vec::new();
        while !matches!(self.kind(), TokenKind::LeftBrace | TokenKind::EndOfText) {
            match self.declaration()? {
                Declared::Declaration(declaration) => parameter_declarations.push(declaration),
                Declared::Function(function) => {
                    let error = Diagnostic::error(
                        range(declarator.span),
                        "a function without a body",
                        "neither a `;` nor a body follows this",
                    );
                    let note = "and here another function begins";
                    return Err(self.error(error.related(range(function.declarator.span), note)));
                }
            }
        }
        self.enter()?;
        let body = self.block()?;
        self.leave();
        self.scopes.close_to(scopes);
        Ok(self.arena.alloc(FunctionDefinition {
            specifiers,
            declarator,
            parameter_declarations: self.slice(parameter_declarations),
            body,
            span: self.span_from(start),
        }))
    }

    /// Whether a place is the first of its line.
    fn begins_line(&self, start: u32) -> bool {
        let before = self.source.get(..start as usize).unwrap_or_default();
        before.is_empty() || before.ends_with('\n')
    }

    /// `_Static_assert (condition, "text");`: compilers check it; nothing of it is kept.
    pub(super) fn static_assertion(&mut self) -> Result<()> {
        self.advance();
        self.skip_parentheses()?;
        self.expect_semicolon("the assertion")
    }
}
