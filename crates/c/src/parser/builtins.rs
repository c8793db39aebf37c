//! Operands that are written like calls, but take types.

use super::{Parser, Result};
use crate::lexer::TokenKind;
use crate::syntax::{
    Alignment, Declarator, Designator, Expression, ExpressionKind, GenericChoice, Specifiers, TypeName, TypeSpecifier,
};

/// What `sizeof` is asked about.
enum Measured<'a> {
    Type(&'a TypeName<'a>),
    Expression(&'a Expression<'a>),
}

impl<'a> Parser<'a> {
    /// `sizeof expression`, `sizeof (type)`
    pub(super) fn sizeof(&mut self) -> Result<&'a Expression<'a>> {
        let start = self.here();
        self.advance();
        let kind = match self.type_or_operand()? {
            Measured::Type(name) => ExpressionKind::SizeofType(name),
            Measured::Expression(operand) => ExpressionKind::SizeofExpression(operand),
        };
        Ok(self.node(start, kind))
    }

    /// `_Alignof (type)`, and GNU's `__alignof__ expression`
    pub(super) fn alignof(&mut self, asked: Alignment) -> Result<&'a Expression<'a>> {
        let start = self.here();
        self.advance();
        let name = match self.type_or_operand()? {
            Measured::Type(name) => name,
            Measured::Expression(operand) => self.type_of_expression(operand),
        };
        Ok(self.node(start, ExpressionKind::AlignofType(name, asked)))
    }

    /// `(type)`, or an operand, which may begin with a type as well: `(int[]) {1, 2}`.
    fn type_or_operand(&mut self) -> Result<Measured<'a>> {
        self.enter()?;
        let start = self.here();
        let measured = if self.kind() == TokenKind::LeftParenthesis && self.begins_type_name_at(1) {
            let outer = self.begin_chain();
            let name = self.parenthesized_type()?;
            let measured = match self.kind() {
                TokenKind::LeftBrace => Measured::Expression(self.compound_literal(start, name)?),
                _ => Measured::Type(name),
            };
            self.end_chain(outer);
            measured
        } else {
            Measured::Expression(self.operand()?)
        };
        self.leave();
        Ok(measured)
    }

    /// `(type)`
    pub(super) fn parenthesized_type(&mut self) -> Result<&'a TypeName<'a>> {
        let opening = self.require(TokenKind::LeftParenthesis, "`(`")?;
        let name = self.type_name()?;
        self.expect_closing(TokenKind::RightParenthesis, opening, "`)` after the type")?;
        Ok(name)
    }

    fn type_of_expression(&self, operand: &'a Expression<'a>) -> &'a TypeName<'a> {
        let specifiers = Specifiers {
            storage: None,
            kind: Some(TypeSpecifier::TypeofExpression(operand)),
            is_volatile: false,
            is_const: false,
            attributes: &[],
            span: operand.span,
        };
        let declarator = self.arena.alloc(Declarator {
            name: None,
            derivations: &[],
            is_volatile: false,
            attributes: &[],
            span: operand.span,
        });
        self.arena.alloc(TypeName {
            specifiers,
            declarator,
            span: operand.span,
        })
    }

    /// `__builtin_va_arg (list, type)`
    pub(super) fn va_arg(&mut self) -> Result<&'a Expression<'a>> {
        let start = self.here();
        self.advance();
        let opening = self.require(TokenKind::LeftParenthesis, "`(`")?;
        let list = self.assignment()?;
        self.require(TokenKind::Comma, "`,` after the list of arguments")?;
        let name = self.type_name()?;
        self.expect_closing(TokenKind::RightParenthesis, opening, "`)` after the type")?;
        Ok(self.node(start, ExpressionKind::VaArg(list, name)))
    }

    /// `__builtin_convertvector (operand, type)`
    pub(super) fn converted_vector(&mut self) -> Result<&'a Expression<'a>> {
        let start = self.here();
        self.advance();
        let opening = self.require(TokenKind::LeftParenthesis, "`(`")?;
        self.enter()?;
        let operand = self.assignment()?;
        self.leave();
        self.require(TokenKind::Comma, "`,` after the vector")?;
        let name = self.type_name()?;
        self.expect_closing(TokenKind::RightParenthesis, opening, "`)` after the type")?;
        Ok(self.node(start, ExpressionKind::ConvertVector(operand, name)))
    }

    /// `__builtin_offsetof (type, member.member[index])`
    pub(super) fn offsetof(&mut self) -> Result<&'a Expression<'a>> {
        let start = self.here();
        self.advance();
        let opening = self.require(TokenKind::LeftParenthesis, "`(`")?;
        let name = self.type_name()?;
        self.require(TokenKind::Comma, "`,` after the type")?;
        let first = self.name();
        self.require(TokenKind::Identifier, "the name of a member")?;
        let mut place = vec![Designator::Member(first)];
        loop {
            match self.kind() {
                TokenKind::Dot => place.push(self.member_designator()?),
                TokenKind::LeftBracket => place.push(self.index_designator()?),
                _ => break,
            }
        }
        self.expect_closing(TokenKind::RightParenthesis, opening, "`)` after the member")?;
        let place = self.slice(place);
        Ok(self.node(start, ExpressionKind::Offsetof(name, place)))
    }

    /// `_Generic (expression, type: expression, default: expression)`
    pub(super) fn generic(&mut self) -> Result<&'a Expression<'a>> {
        let start = self.here();
        self.advance();
        let opening = self.require(TokenKind::LeftParenthesis, "`(`")?;
        self.enter()?;
        let control = self.assignment()?;
        let mut choices = Vec::new();
        while self.take(TokenKind::Comma).is_some() {
            let kind = match self.take(TokenKind::Default) {
                Some(_) => None,
                None => Some(self.type_name()?),
            };
            self.require(TokenKind::Colon, "`:` after the type")?;
            let value = self.assignment()?;
            choices.push(GenericChoice { kind, value });
        }
        self.leave();
        self.expect_closing(TokenKind::RightParenthesis, opening, "`,` or `)` after the expression")?;
        let choices = self.slice(choices);
        Ok(self.node(start, ExpressionKind::Generic(control, choices)))
    }

    /// `__builtin_types_compatible_p (type, type)`
    pub(super) fn types_compatible(&mut self) -> Result<&'a Expression<'a>> {
        let start = self.here();
        self.advance();
        let opening = self.require(TokenKind::LeftParenthesis, "`(`")?;
        let one = self.type_name()?;
        self.require(TokenKind::Comma, "`,` after the type")?;
        let other = self.type_name()?;
        self.expect_closing(TokenKind::RightParenthesis, opening, "`)` after the type")?;
        Ok(self.node(start, ExpressionKind::TypesCompatible(one, other)))
    }
}
