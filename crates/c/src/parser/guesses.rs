//! Guesses: names that nothing declares, in places where only a type makes sense. Real programs have them, when a header is
//! missing.

use super::{DIAGNOSTIC_LIMIT, NameKind, Parser, Result, range};
use crate::diagnostics::Diagnostic;
use crate::lexer::{Token, TokenKind};

impl<'a> Parser<'a> {
    /// Whether the name at hand, where specifiers are read, must be a type, though nothing declares it. If so, it is one from
    /// here on. `after_specifiers` says whether something like `static` is before it.
    pub(super) fn guess_type(&mut self, after_specifiers: bool) -> Result<bool> {
        let name = self.name();
        if !self.looks_like_type(0, after_specifiers) {
            return Ok(false);
        }
        if let Some(advice) = self.misspelt_keyword(self.token()) {
            let error = Diagnostic::error(
                range(name.span),
                format!("unknown type `{}`", name.text),
                "not declared",
            );
            return Err(self.error(error.help(advice)));
        }
        self.note_unknown_type(self.token());
        Ok(true)
    }

    /// Takes a name for a type from here on. Whether one can do without its declaration is seen where it is used.
    pub(super) fn note_unknown_type(&mut self, token: Token) {
        let text = self.text(token.span);
        if self.scopes.get(text) == Some(NameKind::Type) {
            return;
        }
        if self.guesses.len() < DIAGNOSTIC_LIMIT {
            let message = format!("unknown type `{text}`");
            let warning = Diagnostic::warning(range(token.span), message, "nothing declares it; it must be a type");
            self.guesses
                .push(warning.help("is the header that declares it missing, or `typedef`?"));
        }
        if self.scopes.get(text).is_some() {
            self.scopes.declare(text, NameKind::Type);
        } else {
            self.scopes.declare_outermost(text, NameKind::Type);
        }
    }

    /// Whether the name so many places ahead can only be a type, by what follows it.
    pub(super) fn looks_like_type(&self, distance: usize, after_specifiers: bool) -> bool {
        let mut distance = distance + 1;
        match self.kind_ahead(distance) {
            TokenKind::Identifier | TokenKind::DroppedSpecifier => true,
            TokenKind::Const | TokenKind::Qualifier | TokenKind::Volatile => true,
            TokenKind::Star => {
                while matches!(
                    self.kind_ahead(distance),
                    TokenKind::Star
                        | TokenKind::Const
                        | TokenKind::Qualifier
                        | TokenKind::Volatile
                        | TokenKind::DroppedSpecifier
                ) {
                    distance += 1;
                }
                match self.kind_ahead(distance) {
                    TokenKind::Identifier => {
                        after_specifiers
                            || matches!(
                                self.kind_ahead(distance + 1),
                                TokenKind::Semicolon
                                    | TokenKind::Assign
                                    | TokenKind::Comma
                                    | TokenKind::RightParenthesis
                                    | TokenKind::LeftParenthesis
                                    | TokenKind::LeftBracket
                            )
                    }
                    // A parameter without a name.
                    TokenKind::Comma | TokenKind::RightParenthesis => true,
                    TokenKind::LeftParenthesis => after_specifiers,
                    _ => false,
                }
            }
            TokenKind::LeftParenthesis => self.kind_ahead(distance + 1) == TokenKind::Star && after_specifiers,
            _ => false,
        }
    }

    /// Whether a statement that begins with this name, which is no type, is a declaration nevertheless.
    pub(super) fn looks_like_declaration(&self) -> bool {
        if self.kind() != TokenKind::Identifier || self.scopes.get(self.text(self.token().span)).is_some() {
            return false;
        }
        match self.kind_ahead(1) {
            TokenKind::Identifier => true,
            TokenKind::Star => {
                self.kind_ahead(2) == TokenKind::Identifier
                    && matches!(
                        self.kind_ahead(3),
                        TokenKind::Semicolon | TokenKind::Assign | TokenKind::Comma | TokenKind::LeftBracket
                    )
            }
            _ => false,
        }
    }

    /// Whether `(name)` or `(name *)` at hand is a cast to a type that nothing declares.
    pub(super) fn looks_like_cast(&self) -> bool {
        let name = self.token_ahead(1);
        if name.kind != TokenKind::Identifier || self.scopes.get(self.text(name.span)).is_some() {
            return false;
        }
        let mut distance = 2;
        while self.kind_ahead(distance) == TokenKind::Star {
            distance += 1;
        }
        if self.kind_ahead(distance) != TokenKind::RightParenthesis {
            return false;
        }
        let follows = self.kind_ahead(distance + 1);
        let is_operand = matches!(
            follows,
            TokenKind::Identifier | TokenKind::Number | TokenKind::String | TokenKind::Character | TokenKind::Sizeof
        );
        is_operand || (distance > 2 && !self.snippet)
    }
}
