//! Attributes, calling conventions, `__extension__`, qualifiers. Attributes are kept as they are written, with `_Alignas`,
//! `__declspec` and the names that `asm` gives among them.

use super::{Parser, Result, range};
use crate::diagnostics::Diagnostic;
use crate::lexer::TokenKind;
use crate::syntax::{Attribute, AttributeArgument, Qualifiers};

impl<'a> Parser<'a> {
    /// Reads `__attribute__ ((…))`, `__declspec (…)`, `asm ("name")` and calling conventions, as many as there are.
    pub(super) fn attributes(&mut self) -> Result<Vec<Attribute<'a>>> {
        let mut attributes = Vec::new();
        loop {
            match self.kind() {
                TokenKind::Attribute => {
                    self.advance();
                    let outer = self.require(TokenKind::LeftParenthesis, "`(`")?;
                    let inner = self.require(TokenKind::LeftParenthesis, "`((`")?;
                    self.attribute_list(&mut attributes)?;
                    self.expect_closing(TokenKind::RightParenthesis, inner, "`,` or `)` after the attribute")?;
                    self.expect_closing(TokenKind::RightParenthesis, outer, "`))` after the attributes")?;
                }
                TokenKind::Declspec => {
                    self.advance();
                    let opening = self.require(TokenKind::LeftParenthesis, "`(`")?;
                    self.attribute_list(&mut attributes)?;
                    self.expect_closing(TokenKind::RightParenthesis, opening, "`)` after the attributes")?;
                }
                TokenKind::Assembly if self.kind_ahead(1) != TokenKind::LeftParenthesis => return Ok(attributes),
                TokenKind::Alignas | TokenKind::Assembly => {
                    let (start, name) = (self.here(), self.name());
                    self.advance();
                    let arguments = self.attribute_arguments()?;
                    attributes.push(Attribute {
                        name,
                        arguments,
                        span: self.span_from(start),
                    });
                }
                TokenKind::DroppedSpecifier | TokenKind::Extension => {
                    let name = self.name();
                    if name.text == "_Noreturn" {
                        attributes.push(Attribute {
                            name,
                            arguments: &[],
                            span: name.span,
                        });
                    }
                    self.advance();
                }
                _ => return Ok(attributes),
            }
        }
    }

    /// `name, name (arguments), …`; some may be missing, and Microsoft writes no commas.
    fn attribute_list(&mut self, attributes: &mut Vec<Attribute<'a>>) -> Result<()> {
        loop {
            while self.take(TokenKind::Comma).is_some() {}
            let (start, name) = (self.here(), self.name());
            if !name
                .text
                .starts_with(|first: char| first.is_alphabetic() || first == '_')
            {
                return Ok(());
            }
            self.advance();
            // `clang::name`
            if self.kind() == TokenKind::Colon {
                return Err(self.unexpected("`,` or `)` after the attribute"));
            }
            let arguments = match self.kind() {
                TokenKind::LeftParenthesis => self.attribute_arguments()?,
                _ => &[],
            };
            attributes.push(Attribute {
                name,
                arguments,
                span: self.span_from(start),
            });
        }
    }

    /// `(argument, …)`
    fn attribute_arguments(&mut self) -> Result<&'a [AttributeArgument<'a>]> {
        let opening = self.require(TokenKind::LeftParenthesis, "`(`")?;
        let mut arguments = Vec::new();
        while self.kind() != TokenKind::RightParenthesis {
            arguments.push(self.attribute_argument()?);
            if self.take(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.expect_closing(TokenKind::RightParenthesis, opening, "`)` after the arguments")?;
        Ok(self.slice(arguments))
    }

    /// An expression or a type; what is neither is kept as a text.
    fn attribute_argument(&mut self) -> Result<AttributeArgument<'a>> {
        let start = self.here();
        let before = (self.position, self.depth, self.reach, self.errors.len());
        let argument = match self.begins_type_name() {
            true => self.type_name().map(AttributeArgument::Type),
            false => self.constant().map(AttributeArgument::Expression),
        };
        let ends = |parser: &Self| matches!(parser.kind(), TokenKind::Comma | TokenKind::RightParenthesis);
        if let Ok(argument) = argument
            && ends(self)
        {
            return Ok(argument);
        }
        (self.position, self.depth, self.reach) = (before.0, before.1, before.2);
        self.errors.truncate(before.3);
        while !ends(self) {
            match self.kind() {
                TokenKind::LeftParenthesis => self.skip_parentheses()?,
                TokenKind::EndOfText => return Err(self.unexpected("`)` after the arguments")),
                _ => {
                    self.advance();
                }
            }
        }
        Ok(AttributeArgument::Other(self.span_from(start)))
    }

    /// Attributes before labels and statements and on constants of enumerations, where one alone has a meaning: it promises
    /// something. Compilers ignore what they do not know there.
    pub(super) fn attributes_without_meaning(&mut self) -> Result<()> {
        for attribute in self.attributes()? {
            if attribute.is("assume") {
                let message = format!("the attribute `{}` is not supported here", attribute.name.text);
                self.error(
                    Diagnostic::error(
                        range(attribute.span),
                        message,
                        "what it promises is undefined not to hold",
                    )
                    .unsupported(),
                );
            }
        }
        Ok(())
    }

    /// `_Atomic` at hand as an attribute: all that matters of it is how it aligns.
    pub(super) fn atomic(&self) -> Attribute<'a> {
        let name = self.name();
        Attribute {
            name,
            arguments: &[],
            span: name.span,
        }
    }

    /// Reads qualifiers and attributes, as after a `*`.
    pub(super) fn qualifiers(&mut self, attributes: &mut Vec<Attribute<'a>>) -> Result<Qualifiers> {
        let mut qualifiers = Qualifiers::default();
        loop {
            match self.kind() {
                TokenKind::Volatile => qualifiers.is_volatile = true,
                TokenKind::Const => qualifiers.is_const = true,
                TokenKind::Atomic => attributes.push(self.atomic()),
                TokenKind::Qualifier => {}
                TokenKind::Attribute
                | TokenKind::Declspec
                | TokenKind::Alignas
                | TokenKind::DroppedSpecifier
                | TokenKind::Extension => {
                    attributes.append(&mut self.attributes()?);
                    continue;
                }
                _ => return Ok(qualifiers),
            }
            self.advance();
        }
    }

    /// The list with what follows it.
    pub(super) fn with_attributes(
        &self,
        first: &'a [Attribute<'a>],
        mut more: Vec<Attribute<'a>>,
    ) -> &'a [Attribute<'a>] {
        if more.is_empty() {
            return first;
        }
        let mut all = first.to_vec();
        all.append(&mut more);
        self.slice(all)
    }
}
