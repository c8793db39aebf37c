//! The outermost level: functions, declarations, and in snippets statements.

use super::declarations::Declared;
use super::{Parser, Result, range};
use crate::diagnostics::Diagnostic;
use crate::lexer::TokenKind;
use crate::syntax::{Item, TranslationUnit};

impl<'a> Parser<'a> {
    pub(super) fn unit(&mut self) -> TranslationUnit<'a> {
        let mut items = Vec::new();
        while self.kind() != TokenKind::EndOfText {
            (self.depth, self.reach) = (0, 0);
            let start = self.position;
            match self.item() {
                Ok(item) => items.extend(item),
                Err(_) => {
                    self.scopes.close_to(0);
                    self.recover(start);
                }
            }
        }
        TranslationUnit {
            items,
            mentioned: std::mem::take(&mut self.mentioned),
            end: self.token().span.end,
        }
    }

    fn item(&mut self) -> Result<Option<Item<'a>>> {
        match self.kind() {
            TokenKind::Semicolon => {
                self.advance();
                return Ok(None);
            }
            TokenKind::StaticAssert => return self.static_assertion().map(|()| None),
            TokenKind::Assembly => {
                let start = self.here();
                let assembly = self.assembly()?;
                return Ok(Some(Item::Assembly(assembly, self.span_from(start))));
            }
            TokenKind::RightBrace => {
                let span = self.token().span;
                let error = Diagnostic::error(range(span), "unmatched `}`", "there is no `{` that it closes");
                return Err(self.error(error.help("is there a `}` too many before it?")));
            }
            _ => {}
        }
        if self.snippet && !self.begins_external_declaration() {
            return self.statement().map(|statement| Some(Item::Statement(statement)));
        }
        if !self.begins_specifiers(0)
            && !matches!(
                self.kind(),
                TokenKind::Identifier | TokenKind::Star | TokenKind::LeftParenthesis
            )
        {
            let reported = self.unexpected("a declaration or a function");
            let advice = "statements stand inside functions; is there a `}` too many before it?";
            return Err(self.advise(reported, Some(advice.to_string())));
        }
        Ok(Some(match self.declaration()? {
            Declared::Declaration(declaration) => Item::Declaration(declaration),
            Declared::Function(function) => Item::Function(function),
        }))
    }

    /// Whether a snippet's next item is a declaration or a function, and not a statement.
    fn begins_external_declaration(&self) -> bool {
        if self.kind() == TokenKind::Identifier && self.kind_ahead(1) == TokenKind::Colon {
            return false;
        }
        if self.begins_specifiers(0) || self.looks_like_declaration() {
            return true;
        }
        self.kind() == TokenKind::Identifier
            && self.kind_ahead(1) == TokenKind::LeftParenthesis
            && self.body_follows_parentheses()
    }

    /// Whether `name ( … )` at hand is followed by a body, or by the declarations of old parameters.
    fn body_follows_parentheses(&self) -> bool {
        let mut distance = 1;
        let mut open = 0u32;
        loop {
            match self.kind_ahead(distance) {
                TokenKind::LeftParenthesis => open += 1,
                TokenKind::RightParenthesis => open -= 1,
                TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::RightBrace | TokenKind::EndOfText => {
                    return false;
                }
                _ => {}
            }
            distance += 1;
            if open == 0 {
                break;
            }
        }
        self.kind_ahead(distance) == TokenKind::LeftBrace || self.begins_specifiers(distance)
    }
}
