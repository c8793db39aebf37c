//! The lexer of CLP rules: text to tokens, white space and comments dropped, what no token begins with reported.
//!
//! Spellings from other languages (`<=`, `==`, `//` …) are tokens of their own kind, [`TokenKind::Foreign`], so that the parser
//! can say what to write instead.

use super::advice;
use super::syntax::Span;
use crate::diagnostics::Diagnostic;
use logos::{FilterResult, Lexer, Logos};

/// The message of a comment that does not end.
pub(super) const UNTERMINATED_COMMENT: &str = "unterminated comment";
/// Longer numbers are refused: arithmetic on them costs the square of their length.
pub(super) const DIGIT_LIMIT: usize = 10_000;

/// What a token is. Its text is read off the source by its span.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\f\v]+")]
#[logos(skip(r"%[^\n]*", allow_greedy = true))]
#[logos(error = LexicalError)]
pub(super) enum TokenKind {
    #[token("/*", block_comment)]
    Comment,
    #[regex("[A-Z][A-Za-z0-9_]*|_[A-Za-z0-9_]+")]
    Variable,
    #[token("_")]
    Anonymous,
    #[regex("[a-z][A-Za-z0-9_]*")]
    Name,
    #[regex(r"'([^'\\\n]|''|\\[^\n])*'")]
    Quoted,
    #[regex("[0-9]+", number)]
    Integer,
    #[regex(r"[0-9]+\.[0-9]+", number)]
    Real,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("(")]
    LeftParenthesis,
    #[token(")")]
    RightParenthesis,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(".")]
    End,
    #[token(":-")]
    If,
    #[token("?-")]
    Query,
    #[token("=")]
    #[token("=:=")]
    #[token("#=")]
    #[token("is")]
    Equal,
    #[token(r"\=")]
    #[token(r"=\=")]
    #[token(r"#\=")]
    NotEqual,
    #[token("<")]
    #[token("#<")]
    Less,
    #[token("=<")]
    #[token("#=<")]
    LessOrEqual,
    #[token(">")]
    #[token("#>")]
    Greater,
    #[token(">=")]
    #[token("#>=")]
    GreaterOrEqual,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Times,
    #[token("/")]
    Divide,
    #[token("div")]
    IntegerDivide,
    #[token("mod")]
    Modulo,
    #[token(r"\+")]
    Not,
    #[token("|")]
    Bar,
    #[token(":")]
    Colon,
    #[token("--->")]
    LongArrow,
    #[regex(r"<=|==|===|!=|=>|==>|<>|\\==|<=>|-->|->|:=|&&|\|\||//|\*\*|\.\.|\.\.\.")]
    #[regex(r"[!&^~@$?{}\\`]|#[<=>/\\+]*|≤|≥|≠|∧|∨|¬|×|÷|−|→|⇒|⇔|↔")]
    #[regex("\"[^\"\n]*\"?")]
    Foreign,
    /// Something that is not a token; it has been reported.
    Unknown,
    /// After the last token.
    EndOfText,
}

/// Why no token begins here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum LexicalError {
    #[default]
    Character,
    Comment,
    TooLong,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// Skips to the end of a comment. Comments do not nest, as in Prolog.
fn block_comment(lexer: &mut Lexer<'_, TokenKind>) -> FilterResult<(), LexicalError> {
    match lexer.remainder().find("*/") {
        Some(position) => {
            lexer.bump(position + 2);
            FilterResult::Skip
        }
        None => {
            lexer.bump(lexer.remainder().len());
            FilterResult::Error(LexicalError::Comment)
        }
    }
}

fn number(lexer: &mut Lexer<'_, TokenKind>) -> Result<(), LexicalError> {
    if lexer.slice().len() > DIGIT_LIMIT {
        return Err(LexicalError::TooLong);
    }
    Ok(())
}

/// The tokens of a text, the last one [`TokenKind::EndOfText`], and what is wrong with it.
pub(super) fn tokens(source: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut tokens: Vec<Token> = Vec::with_capacity(source.len() / 3);
    let mut diagnostics = Vec::new();
    let mut lexer = TokenKind::lexer(source);
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let mut span = Span {
            start: range.start,
            end: range.end,
        };
        let kind = match result {
            Ok(kind) => match malformed_number(source, &tokens, kind, span) {
                Some(diagnostic) => {
                    // One remark for the whole of it: `0x1F` is a number and a name to the lexer.
                    span.start = diagnostic.span.start;
                    tokens.pop();
                    diagnostics.push(diagnostic);
                    TokenKind::Unknown
                }
                None => kind,
            },
            Err(error) => {
                // A run of characters that mean nothing is one mistake, not many.
                let continued = tokens
                    .last()
                    .is_some_and(|last| last.kind == TokenKind::Unknown && last.span.end == span.start);
                if !continued || error != LexicalError::Character {
                    diagnostics.push(report(source, error, span));
                }
                TokenKind::Unknown
            }
        };
        tokens.push(Token { kind, span });
    }
    let end = source.len();
    tokens.push(Token {
        kind: TokenKind::EndOfText,
        span: Span { start: end, end },
    });
    (tokens, diagnostics)
}

/// A number that letters follow without a space.
fn malformed_number(source: &str, before: &[Token], kind: TokenKind, span: Span) -> Option<Diagnostic> {
    use TokenKind::{Anonymous, Integer, Name, Real, Variable};
    let last = before.last()?;
    let letters = matches!(kind, Name | Variable | Anonymous);
    if !letters || !matches!(last.kind, Integer | Real) || last.span.end != span.start {
        return None;
    }
    let whole = last.span.to(span);
    let text = source.get(whole.range()).unwrap_or_default();
    let diagnostic = Diagnostic::error(
        whole.range(),
        format!("malformed number `{text}`"),
        "this is not a number",
    );
    Some(diagnostic.help(advice::malformed_number(text)))
}

fn report(source: &str, error: LexicalError, span: Span) -> Diagnostic {
    match error {
        LexicalError::Comment => {
            let opening = span.start..span.start + 2;
            Diagnostic::error(opening, UNTERMINATED_COMMENT, "the comment that begins here never ends")
                .help("close it with `*/`; a comment to the end of the line begins with `%`")
        }
        LexicalError::TooLong => Diagnostic::error(
            span.range(),
            "number too long",
            format!("{} digits", span.end - span.start),
        )
        .unsupported()
        .help(format!("numbers may have up to {DIGIT_LIMIT} digits")),
        LexicalError::Character => {
            let rest = source.get(span.start..).unwrap_or_default();
            let first = rest.chars().next().unwrap_or(' ');
            if first == '\'' {
                let line = rest.lines().next().unwrap_or(rest);
                let whole = span.start..span.start + line.len().max(1);
                return Diagnostic::error(
                    whole,
                    "unterminated quoted name",
                    "the closing `'` is missing on this line",
                )
                .help("a quote inside a quoted name is written twice: 'it''s'");
            }
            let shown = first.escape_unicode().to_string();
            let visible = !first.is_control() && !first.is_whitespace() && first != '\u{feff}';
            let shown = if visible { first.to_string() } else { shown };
            Diagnostic::error(
                span.start..span.start + first.len_utf8(),
                format!("unexpected character `{shown}`"),
                "this begins no token",
            )
            .help(advice::character(first))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<TokenKind> {
        let mut kinds: Vec<TokenKind> = tokens(source).0.iter().map(|token| token.kind).collect();
        assert_eq!(kinds.pop(), Some(TokenKind::EndOfText));
        kinds
    }

    #[test]
    fn the_longest_token_wins() {
        use TokenKind::*;
        assert_eq!(kinds("_ _X X1 is isle"), [Anonymous, Variable, Variable, Equal, Name]);
        assert_eq!(
            kinds("=< <= = =:= =\\= \\= \\+"),
            [LessOrEqual, Foreign, Equal, Equal, NotEqual, NotEqual, Not]
        );
        assert_eq!(
            kinds("#= #\\= #=< #< #<=>"),
            [Equal, NotEqual, LessOrEqual, Less, Foreign]
        );
        assert_eq!(kinds("1.5 1. 2"), [Real, Integer, End, Integer]);
        assert_eq!(kinds("X=-1"), [Variable, Equal, Minus, Integer]);
        assert_eq!(kinds("X<-1"), [Variable, Less, Minus, Integer]);
        assert_eq!(kinds(r"'it''s' '\'' ''"), [Quoted, Quoted, Quoted]);
    }

    #[test]
    fn comments_are_skipped() {
        assert_eq!(kinds("a % b\n/* c */ d /* * / */"), [TokenKind::Name, TokenKind::Name]);
        assert_eq!(kinds("% only"), []);
    }

    #[test]
    fn what_is_no_token_is_reported_once() {
        for (source, message) in [
            ("p /* q", "unterminated comment"),
            ("'abc\nq", "unterminated quoted name"),
            ("X = §§§", "unexpected character `§`"),
            ("1_000", "malformed number `1_000`"),
            ("1.5e3", "malformed number `1.5e3`"),
        ] {
            let (tokens, diagnostics) = tokens(source);
            assert_eq!(diagnostics.len(), 1, "{source}: {diagnostics:?}");
            assert_eq!(diagnostics[0].message, message);
            assert!(tokens.iter().any(|token| token.kind == TokenKind::Unknown));
        }
        assert_eq!(tokens(&"7".repeat(DIGIT_LIMIT + 1)).1.len(), 1);
    }
}
