//! The lexer of C: preprocessed text to tokens. White space, comments, line markers and `#pragma` are dropped; any other
//! directive says that the text has not been preprocessed, which is reported once.
//!
//! What a number or a string is worth is not decided here but in `literals`, where the parser meets it.

use super::syntax::Span;
use super::tokens::{LexicalError, position};
use crate::diagnostics::Diagnostic;
use logos::Logos;

pub(super) use super::tokens::{Token, TokenKind};

/// The tokens of a text from a byte on, the last one [`TokenKind::EndOfText`], and what is wrong with it. At most `limit`
/// mistakes are reported; after them, the rest of the text is not looked at.
pub(super) fn tokens(source: &str, start: u32, limit: usize) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut tokens: Vec<Token> = Vec::with_capacity(source.len().saturating_sub(start as usize) / 4);
    let mut diagnostics = Vec::new();
    let mut lexer = TokenKind::lexer(source);
    lexer.bump(start as usize);
    let mut directives = 0;
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let span = Span {
            start: position(range.start),
            end: position(range.end),
        };
        let kind = match result {
            Ok(kind) => kind,
            Err(LexicalError::Directive) => {
                directives += 1;
                if directives == 1 {
                    diagnostics.push(unpreprocessed(source, span));
                }
                continue;
            }
            Err(error) => {
                // A run of characters that mean nothing is one mistake, not many.
                let continued = tokens
                    .last()
                    .is_some_and(|last| last.kind == TokenKind::Unknown && last.span.end == span.start);
                if !continued {
                    diagnostics.push(report(source, error, span));
                }
                TokenKind::Unknown
            }
        };
        tokens.push(Token { kind, span });
        if diagnostics.len() >= limit {
            break;
        }
    }
    let end = position(source.len());
    tokens.push(Token {
        kind: TokenKind::EndOfText,
        span: Span { start: end, end },
    });
    (tokens, diagnostics)
}

/// Whether a name is one of those that a compiler keeps for itself, such as `__INT_MAX__`: most are macros.
pub(super) fn is_compilers_name(name: &str) -> bool {
    let inner = name.strip_prefix("__").and_then(|rest| rest.strip_suffix("__"));
    inner.is_some_and(|inner| !inner.is_empty())
}

/// Whether a name stands for the name of the function that it is in.
pub(super) fn is_name_of_function(name: &str) -> bool {
    matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
}

/// What in a text is for a preprocessor: directives but for line markers and pragmas, and names that are the compiler's. Names
/// that the language itself knows are not among them.
///
/// ```
/// # mod clausal { pub use clausal_c as c; pub use clausal_rules::*; }
/// let text = "#pragma once\nint x = __INT_MAX__;";
/// let spans = clausal::c::compiler_names(text);
/// assert_eq!(spans.len(), 1);
/// assert_eq!(&text[spans[0].start as usize..spans[0].end as usize], "__INT_MAX__");
/// ```
pub fn compiler_names(source: &str) -> Vec<Span> {
    let mut lexer = TokenKind::lexer(source);
    let mut spans = Vec::new();
    while let Some(result) = lexer.next() {
        let found = match result {
            Ok(TokenKind::Identifier) => is_compilers_name(lexer.slice()) && !is_name_of_function(lexer.slice()),
            Err(LexicalError::Directive) => true,
            _ => false,
        };
        if found {
            let range = lexer.span();
            spans.push(Span {
                start: position(range.start),
                end: position(range.end),
            });
        }
    }
    spans
}

/// Where the tokens of a text are, those that are none among them.
pub fn token_ranges(source: &str) -> Vec<std::ops::Range<usize>> {
    let mut lexer = TokenKind::lexer(source);
    let mut ranges = Vec::new();
    while lexer.next().is_some() {
        ranges.push(lexer.span());
    }
    ranges
}

/// The lines of a text that are directives, line markers among them.
pub(super) fn directives(source: &str) -> Vec<Span> {
    let mut lexer = TokenKind::lexer(source);
    while lexer.next().is_some() {}
    lexer.extras
}

fn unpreprocessed(source: &str, span: Span) -> Diagnostic {
    let text = source.get(span.start as usize..span.end as usize).unwrap_or_default();
    let line = text.lines().next().unwrap_or_default().trim_end();
    let range = span.start as usize..span.start as usize + line.len();
    Diagnostic::error(
        range,
        "the text has not been preprocessed",
        "a directive of the preprocessor",
    )
    .help("run the C preprocessor first, as in `cc -E program.c -o program.i`")
}

fn report(source: &str, error: LexicalError, span: Span) -> Diagnostic {
    let start = span.start as usize;
    if error == LexicalError::Comment {
        return Diagnostic::error(
            start..start + 2,
            "unterminated comment",
            "the comment that begins here never ends",
        )
        .help("close it with `*/`");
    }
    let rest = source.get(start..).unwrap_or_default();
    if error == LexicalError::Quote {
        return unterminated(rest, start);
    }
    let first = rest.chars().next().unwrap_or(' ');
    let visible = !first.is_control() && !first.is_whitespace() && first != '\u{feff}';
    let shown = if visible {
        first.to_string()
    } else {
        first.escape_unicode().to_string()
    };
    Diagnostic::error(
        start..start + first.len_utf8(),
        format!("unexpected character `{shown}`"),
        "this begins no token of C",
    )
    .help(character_advice(first))
}

/// A string or character that does not end on its line.
fn unterminated(rest: &str, start: usize) -> Diagnostic {
    let quote = rest
        .chars()
        .find(|character| matches!(character, '"' | '\''))
        .unwrap_or('"');
    let what = if quote == '"' { "string" } else { "character" };
    let line = rest.lines().next().unwrap_or(rest);
    Diagnostic::error(
        start..start + line.len().max(1),
        format!("unterminated {what}"),
        format!("the closing `{quote}` is missing on this line"),
    )
    .help("a quote inside is written with a backslash before it, and so is a backslash")
}

/// What to say about a character that begins no token.
fn character_advice(character: char) -> &'static str {
    match character {
        '\u{feff}' => "remove the byte order mark",
        '\u{a0}' | '\u{2003}' | '\u{2009}' | '\u{3000}' => "this is a space that only looks like one: retype it",
        '‘' | '’' | '‚' => "use the straight quote `'`",
        '“' | '”' => "use the straight quote `\"`",
        '≤' => "less or equal is written `<=`",
        '≥' => "greater or equal is written `>=`",
        '≠' => "unequal is written `!=`",
        '−' => "a minus is written `-`",
        '#' => "a directive stands at the beginning of a line",
        '\\' => "a backslash stands only inside strings, or at the end of a line",
        _ if character.is_control() => "control characters are not part of C: is this a text file?",
        _ => "remove it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<TokenKind> {
        let (tokens, diagnostics) = tokens(source, 0, 20);
        assert!(diagnostics.is_empty(), "{source}: {diagnostics:?}");
        let mut kinds: Vec<TokenKind> = tokens.iter().map(|token| token.kind).collect();
        assert_eq!(kinds.pop(), Some(TokenKind::EndOfText));
        kinds
    }

    #[test]
    fn the_longest_token_wins() {
        use TokenKind::*;
        assert_eq!(
            kinds("a+++b x-->y a<<=b p->q ..."),
            [
                Identifier,
                Increment,
                Plus,
                Identifier,
                Identifier,
                Decrement,
                Greater,
                Identifier,
                Identifier,
                AssignOperation,
                Identifier,
                Identifier,
                Arrow,
                Identifier,
                Ellipsis
            ]
        );
        assert_eq!(
            kinds("integer int_ int $x größe é1"),
            [Identifier, Identifier, Int, Identifier, Identifier, Identifier]
        );
        assert_eq!(kinds("0x1F 1.5e-3f .5 1ull 0x1p+3"), [Number; 5]);
        assert_eq!(
            kinds(r#"L"a" "\"" 'x' '\'' L'\\' u8"""#),
            [String, String, Character, Character, Character, String]
        );
        assert_eq!(
            kinds("a<:1:> <% %>"),
            [Identifier, LeftBracket, Number, RightBracket, LeftBrace, RightBrace]
        );
    }

    #[test]
    fn what_says_nothing_is_skipped() {
        assert_eq!(
            kinds("# 1 \"a.c\" 1 3\nx // y\n/* z * / */ #pragma once \\\n more\n#line 7\n  # 12\n\\\nw"),
            [TokenKind::Identifier; 2]
        );
        assert_eq!(kinds("#\n//\\\n hidden\n/**/"), []);
    }

    #[test]
    fn what_is_no_token_is_reported_once() {
        for (source, message) in [
            ("x /* q", "unterminated comment"),
            ("x = \"abc\ny", "unterminated string"),
            ("x = 'a\ny", "unterminated character"),
            ("x = §§§;", "unexpected character `§`"),
            ("#include <a.h>\n#define X", "the text has not been preprocessed"),
            ("x # y", "unexpected character `#`"),
        ] {
            let diagnostics = tokens(source, 0, 20).1;
            assert_eq!(diagnostics.len(), 1, "{source}: {diagnostics:?}");
            assert_eq!(diagnostics[0].message, message);
        }
    }

    #[test]
    fn mistakes_are_counted() {
        assert_eq!(tokens(&"§ ".repeat(1000), 0, 20).1.len(), 20);
    }
}
