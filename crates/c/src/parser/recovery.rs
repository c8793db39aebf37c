//! Mistakes: what is said about them, and where reading goes on.

use super::{DIAGNOSTIC_LIMIT, NameKind, Parser, Reported, Result, TOO_DEEP, range};
use crate::diagnostics::Diagnostic;
use crate::lexer::{Token, TokenKind};
use crate::syntax::Span;

/// The keywords that are long enough to be misspelt recognizably.
const KEYWORDS: [&str; 26] = [
    "auto", "break", "case", "char", "const", "continue", "default", "double", "else", "enum", "extern", "float",
    "goto", "inline", "long", "register", "return", "short", "signed", "sizeof", "static", "struct", "switch",
    "typedef", "unsigned", "while",
];

impl<'a> Parser<'a> {
    /// Reports a mistake. After too many, nothing more is read.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) -> Reported {
        if self.errors.last().is_some_and(|last| last.message == TOO_DEEP) {
            return Reported;
        }
        self.errors.push(diagnostic);
        if self.errors.len() >= DIAGNOSTIC_LIMIT {
            if let Some(last) = self.errors.last_mut() {
                let more = "there may be more mistakes: these are enough for once";
                last.help = Some(
                    last.help
                        .take()
                        .map_or(more.to_string(), |help| format!("{help}\n{more}")),
                );
            }
            return self.give_up();
        }
        Reported
    }

    /// Adds advice to what has just been reported, if it has none.
    pub(super) fn advise(&mut self, reported: Reported, advice: Option<String>) -> Reported {
        // What is no token has been reported by the lexer.
        if self.kind() != TokenKind::Unknown
            && let Some(last) = self.errors.last_mut()
        {
            last.help = last.help.take().or(advice);
        }
        reported
    }

    /// Looks at nothing more.
    pub(super) fn give_up(&mut self) -> Reported {
        self.position = self.tokens.len().saturating_sub(1);
        Reported
    }

    /// Reports that something else should stand here. `expected` ends a sentence: "`)` after the condition".
    pub(super) fn unexpected(&mut self, expected: &str) -> Reported {
        let token = self.token();
        // What is no token has been reported by the lexer.
        if token.kind == TokenKind::Unknown {
            return Reported;
        }
        let span = match token.kind {
            TokenKind::EndOfText => Span {
                start: self.previous().span.end,
                end: self.previous().span.end,
            },
            _ => token.span,
        };
        let found = self.describe(token);
        let label = expected.split(" after ").next().unwrap_or(expected);
        let mut error = Diagnostic::error(
            range(span),
            format!("expected {expected}, found {found}"),
            format!("expected {label}"),
        );
        error.help = self.advice(token, expected);
        self.error(error)
    }

    fn describe(&self, token: Token) -> String {
        match token.kind {
            TokenKind::EndOfText => "the end of the text".to_string(),
            _ => {
                let text = self.text(token.span);
                let shown: String = text.chars().take(40).collect();
                let dots = if shown.len() < text.len() { "…" } else { "" };
                format!("`{shown}{dots}`")
            }
        }
    }

    fn advice(&self, token: Token, expected: &str) -> Option<String> {
        let before = self.previous();
        let misspelt = [before, token]
            .into_iter()
            .filter(|token| token.kind == TokenKind::Identifier)
            .find_map(|token| self.misspelt_keyword(token));
        if misspelt.is_some() {
            return misspelt;
        }
        let text = self.text(token.span);
        if expected.starts_with("a name") && KEYWORDS.contains(&text) {
            return Some(format!("`{text}` is a keyword: choose another name"));
        }
        let starred = before.kind == TokenKind::Star && expected.starts_with("an expression");
        let advice = match token.kind {
            TokenKind::RightParenthesis | TokenKind::Semicolon | TokenKind::Comma if starred && !self.snippet => {
                "`*` is an unknown value in snippets only: call a function without a body, such as `__VERIFIER_nondet_int()`"
            }
            TokenKind::Else => "an `else` follows one statement: put several into braces, and no `;` after the `}`",
            TokenKind::RightParenthesis if expected.starts_with("`;` after the expression") => {
                "there is no `(` that it closes"
            }
            TokenKind::RightParenthesis if expected == "`;` after `return`" => "there is no `(` that it closes",
            TokenKind::Greater if before.kind == TokenKind::Assign => "at least is written `>=`",
            TokenKind::Less if before.kind == TokenKind::Assign => "at most is written `<=`",
            _ => return None,
        };
        Some(advice.to_string())
    }

    /// What to say if a name looks like a keyword.
    pub(super) fn misspelt_keyword(&self, token: Token) -> Option<String> {
        let text = self.text(token.span);
        if !(3..12).contains(&text.len()) {
            return None;
        }
        let lower = text.to_ascii_lowercase();
        let is_capitalized = text != lower && text != text.to_ascii_uppercase();
        // `ulong` is a type that somebody forgot to declare, `lnog` is a mistake.
        let is_close = |keyword: &str| match is_capitalized {
            true => lower == keyword,
            false => text.chars().next() == keyword.chars().next() && strsim::osa_distance(text, keyword) == 1,
        };
        let keyword = KEYWORDS.iter().find(|keyword| is_close(keyword))?;
        Some(format!("did you mean `{keyword}` instead of `{text}`?"))
    }

    pub(super) fn require(&mut self, kind: TokenKind, expected: &str) -> Result<Token> {
        match self.take(kind) {
            Some(token) => Ok(token),
            None => Err(self.unexpected(expected)),
        }
    }

    /// Expects what closes something, and points at what it would have closed.
    pub(super) fn expect_closing(&mut self, kind: TokenKind, opening: Token, expected: &str) -> Result<Token> {
        if let Some(token) = self.take(kind) {
            return Ok(token);
        }
        let errors = self.errors.len();
        let reported = self.unexpected(expected);
        let text = self.text(opening.span).to_string();
        if self.errors.len() > errors
            && let Some(last) = self.errors.last_mut()
        {
            let note = format!("this `{text}` is not closed");
            last.related.push((range(opening.span), note));
        }
        Err(reported)
    }

    /// Expects the `;` after something. Where it is missing and the next line goes on with something else, so does the parser.
    pub(super) fn expect_semicolon(&mut self, after: &str) -> Result<()> {
        if self.take(TokenKind::Semicolon).is_some() {
            return Ok(());
        }
        let token = self.token();
        if token.kind == TokenKind::Unknown {
            return Err(Reported);
        }
        let end = self.previous().span.end as usize;
        let between = self.source.get(end..token.span.start as usize).unwrap_or_default();
        let misspelt = (self.previous().kind == TokenKind::Identifier).then(|| self.misspelt_keyword(self.previous()));
        let on_new_line = between.contains('\n') || token.kind == TokenKind::EndOfText;
        let begins = on_new_line || token.kind == TokenKind::RightBrace || self.begins_statement(token.kind);
        if !begins || misspelt.as_ref().is_some_and(|advice| advice.is_some()) {
            return Err(self.unexpected(&format!("`;` after {after}")));
        }
        let found = self.describe(token);
        let message = format!("expected `;` after {after}, found {found}");
        self.error(Diagnostic::error(end..end, message, "a `;` is missing here"));
        Ok(())
    }

    /// Whether a token can only begin a statement.
    fn begins_statement(&self, kind: TokenKind) -> bool {
        use TokenKind::*;
        matches!(
            kind,
            If | While
                | Do
                | For
                | Switch
                | Case
                | Default
                | Break
                | Continue
                | Return
                | Goto
                | Typedef
                | Static
                | Extern
        )
    }

    /// Skips to where the next statement or declaration seems to begin, at least one token unless a block ends here.
    pub(super) fn recover(&mut self, start: usize) {
        // Braces that the mistake is inside of belong to what is skipped.
        let mut braces = 0u32;
        for token in self.tokens.get(start..self.position).unwrap_or_default() {
            match token.kind {
                TokenKind::LeftBrace => braces += 1,
                TokenKind::RightBrace => braces = braces.saturating_sub(1),
                _ => {}
            }
        }
        loop {
            match self.kind() {
                TokenKind::EndOfText => return,
                TokenKind::RightBrace if braces == 0 => {
                    if self.position == start {
                        self.advance();
                    }
                    return;
                }
                TokenKind::RightBrace => {
                    self.advance();
                    braces -= 1;
                    if braces == 0 {
                        return;
                    }
                }
                TokenKind::LeftBrace => {
                    self.advance();
                    braces += 1;
                }
                TokenKind::Semicolon if braces == 0 => {
                    self.advance();
                    return;
                }
                _ => {
                    self.advance();
                }
            }
        }
    }

    /// Skips `( … )` with what is inside, if it is closed.
    pub(super) fn skip_parentheses(&mut self) -> Result<()> {
        let opening = self.require(TokenKind::LeftParenthesis, "`(`")?;
        let mut open = 1u32;
        while open > 0 {
            match self.kind() {
                TokenKind::LeftParenthesis => open += 1,
                TokenKind::RightParenthesis => open -= 1,
                TokenKind::EndOfText => {
                    return self
                        .expect_closing(TokenKind::RightParenthesis, opening, "`)`")
                        .map(|_| ());
                }
                _ => {}
            }
            self.advance();
        }
        Ok(())
    }

    pub(super) fn declare(&mut self, name: &'a str, kind: NameKind) {
        self.scopes.declare(name, kind);
    }
}
