//! Initializers: `expression` and `{ .member = expression, … }`.

use super::{Parser, Result};
use crate::lexer::TokenKind;
use crate::syntax::{Designator, Initializer, InitializerItem};

impl<'a> Parser<'a> {
    pub(super) fn initializer(&mut self) -> Result<&'a Initializer<'a>> {
        if self.kind() == TokenKind::LeftBrace {
            return self.initializer_list();
        }
        let value = self.assignment()?;
        Ok(self.arena.alloc(Initializer::Expression(value)))
    }

    pub(super) fn initializer_list(&mut self) -> Result<&'a Initializer<'a>> {
        let start = self.here();
        let opening = self.require(TokenKind::LeftBrace, "`{`")?;
        self.enter()?;
        let mut items = Vec::new();
        while self.kind() != TokenKind::RightBrace {
            let designators = self.designators()?;
            let value = self.initializer()?;
            items.push(InitializerItem { designators, value });
            if self.take(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.expect_closing(TokenKind::RightBrace, opening, "`,` or `}` after the value")?;
        self.leave();
        let items = self.slice(items);
        let span = self.span_from(start);
        Ok(self.arena.alloc(Initializer::List(items, span)))
    }

    /// What stands before the value: `.member =`, `[index] =`, and GNU's older `member:` and `[index]`.
    fn designators(&mut self) -> Result<&'a [Designator<'a>]> {
        if self.kind() == TokenKind::Identifier && self.kind_ahead(1) == TokenKind::Colon {
            let name = self.name();
            self.advance();
            self.advance();
            return Ok(self.slice(vec![Designator::Member(name)]));
        }
        let mut designators = Vec::new();
        loop {
            match self.kind() {
                TokenKind::Dot => designators.push(self.member_designator()?),
                TokenKind::LeftBracket => designators.push(self.index_designator()?),
                _ => break,
            }
        }
        if designators.is_empty() {
            return Ok(&[]);
        }
        let may_be_left_out = matches!(designators.as_slice(), [Designator::Index(_) | Designator::Range(..)]);
        if self.take(TokenKind::Assign).is_none() && !may_be_left_out {
            return Err(self.unexpected("`=` after the designator"));
        }
        Ok(self.slice(designators))
    }

    pub(super) fn member_designator(&mut self) -> Result<Designator<'a>> {
        self.advance();
        let name = self.name();
        self.require(TokenKind::Identifier, "the name of a member after `.`")?;
        Ok(Designator::Member(name))
    }

    pub(super) fn index_designator(&mut self) -> Result<Designator<'a>> {
        let opening = self.advance();
        self.enter()?;
        let first = self.expression()?;
        let last = match self.take(TokenKind::Ellipsis) {
            Some(_) => Some(self.expression()?),
            None => None,
        };
        self.expect_closing(TokenKind::RightBracket, opening, "`]` after the index")?;
        self.leave();
        Ok(match last {
            Some(last) => Designator::Range(first, last),
            None => Designator::Index(first),
        })
    }
}
