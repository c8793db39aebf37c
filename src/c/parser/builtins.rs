//! Operands that are written like calls, but take types.

use super::{Parser, Result};
use crate::c::lexer::TokenKind;
use crate::c::syntax::{Declarator, Designator, Expression, ExpressionKind, Specifiers, TypeName, TypeSpecifier};

impl<'a> Parser<'a> {
    /// `sizeof expression`, `sizeof (type)`
    pub(super) fn sizeof(&mut self) -> Result<&'a Expression<'a>> {
        let start = self.here();
        self.advance();
        self.enter()?;
        let kind = match self.parenthesized_type()? {
            Some(name) => ExpressionKind::SizeofType(name),
            None => ExpressionKind::SizeofExpression(self.operand()?),
        };
        self.leave();
        Ok(self.node(start, kind))
    }

    /// `_Alignof (type)`, and GNU's `__alignof__ expression`
    pub(super) fn alignof(&mut self) -> Result<&'a Expression<'a>> {
        let start = self.here();
        self.advance();
        self.enter()?;
        let name = match self.parenthesized_type()? {
            Some(name) => name,
            None => {
                let operand = self.operand()?;
                self.type_of_expression(operand)
            }
        };
        self.leave();
        Ok(self.node(start, ExpressionKind::AlignofType(name)))
    }

    /// `(type)`, if that is what stands here, and no compound literal begins with it.
    fn parenthesized_type(&mut self) -> Result<Option<&'a TypeName<'a>>> {
        if self.kind() != TokenKind::LeftParenthesis || !self.begins_type_name_at(1) {
            return Ok(None);
        }
        let before = self.position;
        let opening = self.advance();
        let name = self.type_name()?;
        self.expect_closing(TokenKind::RightParenthesis, opening, "`)` after the type")?;
        if self.kind() == TokenKind::LeftBrace {
            self.position = before;
            return Ok(None);
        }
        Ok(Some(name))
    }

    fn type_of_expression(&self, operand: &'a Expression<'a>) -> &'a TypeName<'a> {
        let specifiers = Specifiers {
            storage: None,
            kind: Some(TypeSpecifier::TypeofExpression(operand)),
            is_volatile: false,
            span: operand.span,
        };
        let declarator = self.arena.alloc(Declarator {
            name: None,
            derivations: &[],
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
        let opening = self.expect(TokenKind::LeftParenthesis, "`(`")?;
        let list = self.assignment()?;
        self.expect(TokenKind::Comma, "`,` after the list of arguments")?;
        let name = self.type_name()?;
        self.expect_closing(TokenKind::RightParenthesis, opening, "`)` after the type")?;
        Ok(self.node(start, ExpressionKind::VaArg(list, name)))
    }

    /// `__builtin_offsetof (type, member.member[index])`
    pub(super) fn offsetof(&mut self) -> Result<&'a Expression<'a>> {
        let start = self.here();
        self.advance();
        let opening = self.expect(TokenKind::LeftParenthesis, "`(`")?;
        let name = self.type_name()?;
        self.expect(TokenKind::Comma, "`,` after the type")?;
        let first = self.name();
        self.expect(TokenKind::Identifier, "the name of a member")?;
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
}
