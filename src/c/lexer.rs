//! The lexer of C: preprocessed text to tokens. White space, comments, line markers and `#pragma` are dropped; any other
//! directive says that the text has not been preprocessed, which is reported once.
//!
//! GNU's and Microsoft's spellings of a keyword are the same token. What a number or a string is worth is not decided here
//! but in `literals`, where the parser meets it.

use super::syntax::Span;
use crate::diagnostics::Diagnostic;
use logos::{FilterResult, Lexer, Logos};

/// What a token is. Its text is read off the source by its span.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\f\v]+")]
#[logos(skip r"\\\r?\n")]
#[logos(skip(r"//([^\n\\]|\\[^\n]|\\\r?\n)*", allow_greedy = true))]
#[logos(error = LexicalError)]
#[logos(extras = Vec<Span>)]
pub(super) enum TokenKind {
    #[token("/*", block_comment)]
    Comment,
    #[token("#", directive)]
    #[token("%:", directive)]
    Directive,
    #[regex(r"[\p{XID_Start}_$][\p{XID_Continue}$]*")]
    Identifier,
    #[regex(r"\.?[0-9]([eEpP][+-]|[0-9A-Za-z_.])*")]
    Number,
    #[regex(r"(L|u8|u|U)?'([^'\\\n]|\\[^\n]|\\\r?\n)+'")]
    Character,
    #[regex(r#"(L|u8|u|U)?"([^"\\\n]|\\[^\n]|\\\r?\n)*""#)]
    String,
    #[token("(")]
    LeftParenthesis,
    #[token(")")]
    RightParenthesis,
    #[token("[")]
    #[token("<:")]
    LeftBracket,
    #[token("]")]
    #[token(":>")]
    RightBracket,
    #[token("{")]
    #[token("<%")]
    LeftBrace,
    #[token("}")]
    #[token("%>")]
    RightBrace,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("?")]
    Question,
    #[token(".")]
    Dot,
    #[token("...")]
    Ellipsis,
    #[token("->")]
    Arrow,
    #[token("=")]
    Assign,
    #[token("+=")]
    #[token("-=")]
    #[token("*=")]
    #[token("/=")]
    #[token("%=")]
    #[token("<<=")]
    #[token(">>=")]
    #[token("&=")]
    #[token("|=")]
    #[token("^=")]
    AssignOperation,
    #[token("++")]
    Increment,
    #[token("--")]
    Decrement,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("&")]
    Ampersand,
    #[token("|")]
    Bar,
    #[token("^")]
    Caret,
    #[token("~")]
    Tilde,
    #[token("!")]
    Exclamation,
    #[token("&&")]
    AndAnd,
    #[token("||")]
    OrOr,
    #[token("==")]
    EqualEqual,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessOrEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterOrEqual,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("typedef")]
    Typedef,
    #[token("extern")]
    Extern,
    #[token("static")]
    Static,
    #[token("auto")]
    Auto,
    #[token("register")]
    Register,
    #[token("const")]
    #[token("__const")]
    #[token("__const__")]
    #[token("restrict")]
    #[token("__restrict")]
    #[token("__restrict__")]
    #[token("__unaligned")]
    #[token("__ptr32")]
    #[token("__ptr64")]
    #[token("__w64")]
    Qualifier,
    #[token("volatile")]
    #[token("__volatile")]
    #[token("__volatile__")]
    Volatile,
    #[token("_Atomic")]
    Atomic,
    #[token("inline")]
    #[token("__inline")]
    #[token("__inline__")]
    #[token("_inline")]
    #[token("__forceinline")]
    #[token("_Noreturn")]
    #[token("_Thread_local")]
    #[token("__thread")]
    #[token("__cdecl")]
    #[token("_cdecl")]
    #[token("__stdcall")]
    #[token("_stdcall")]
    #[token("__fastcall")]
    #[token("_fastcall")]
    #[token("__thiscall")]
    #[token("__vectorcall")]
    DroppedSpecifier,
    #[token("__attribute__")]
    #[token("__attribute")]
    Attribute,
    #[token("__declspec")]
    #[token("_declspec")]
    #[token("_Alignas")]
    DroppedWithArguments,
    #[token("__extension__")]
    Extension,
    #[token("void")]
    Void,
    #[token("char")]
    Char,
    #[token("short")]
    Short,
    #[token("int")]
    Int,
    #[token("long")]
    Long,
    #[token("float")]
    Float,
    #[token("double")]
    Double,
    #[token("signed")]
    #[token("__signed")]
    #[token("__signed__")]
    Signed,
    #[token("unsigned")]
    #[token("__unsigned")]
    #[token("__unsigned__")]
    Unsigned,
    #[token("_Bool")]
    Bool,
    #[token("__int8")]
    #[token("_int8")]
    #[token("__int16")]
    #[token("_int16")]
    #[token("__int32")]
    #[token("_int32")]
    #[token("__int64")]
    #[token("_int64")]
    #[token("__int128")]
    #[token("__int128_t")]
    #[token("__uint128_t")]
    SizedInteger,
    #[token("_Float16")]
    #[token("_Float32")]
    #[token("_Float32x")]
    #[token("_Float64")]
    #[token("_Float64x")]
    #[token("_Float128")]
    #[token("__float80")]
    #[token("__float128")]
    #[token("_Decimal32")]
    #[token("_Decimal64")]
    #[token("_Decimal128")]
    #[token("__auto_type")]
    OtherType,
    #[token("_Complex")]
    #[token("__complex")]
    #[token("__complex__")]
    #[token("_Imaginary")]
    Complex,
    #[token("__builtin_va_list")]
    VaList,
    #[token("struct")]
    Struct,
    #[token("union")]
    Union,
    #[token("enum")]
    Enum,
    #[token("typeof")]
    #[token("__typeof")]
    #[token("__typeof__")]
    Typeof,
    #[token("asm")]
    #[token("__asm")]
    #[token("__asm__")]
    #[token("_asm")]
    Assembly,
    #[token("_Static_assert")]
    StaticAssert,
    #[token("__label__")]
    LocalLabels,
    #[token("sizeof")]
    Sizeof,
    #[token("_Alignof")]
    #[token("__alignof")]
    #[token("__alignof__")]
    Alignof,
    #[token("__builtin_va_arg")]
    VaArg,
    #[token("__builtin_offsetof")]
    Offsetof,
    #[token("_Generic")]
    #[token("__builtin_types_compatible_p")]
    #[token("__real__")]
    #[token("__real")]
    #[token("__imag__")]
    #[token("__imag")]
    Unsupported,
    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("while")]
    While,
    #[token("do")]
    Do,
    #[token("for")]
    For,
    #[token("switch")]
    Switch,
    #[token("case")]
    Case,
    #[token("default")]
    Default,
    #[token("break")]
    Break,
    #[token("continue")]
    Continue,
    #[token("return")]
    Return,
    #[token("goto")]
    Goto,
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
    Directive,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// Skips to the end of a comment.
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

/// Skips a line that begins with `#`, with those that continue it.
fn directive(lexer: &mut Lexer<'_, TokenKind>) -> FilterResult<(), LexicalError> {
    let before = lexer.source().get(..lexer.span().start).unwrap_or_default();
    let indentation = before.trim_end_matches([' ', '\t', '\r', '\u{b}', '\u{c}']);
    if !indentation.is_empty() && !indentation.ends_with(['\n', '/']) {
        return FilterResult::Error(LexicalError::Character);
    }
    let line_length = directive_length(lexer.remainder());
    let line = lexer.remainder().get(..line_length).unwrap_or_default().trim_start();
    let word_length = line.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(line.len());
    let word = line.get(..word_length).unwrap_or_default();
    lexer.bump(line_length);
    let range = lexer.span();
    lexer.extras.push(Span {
        start: position(range.start),
        end: position(range.end),
    });
    let is_line_number = word.starts_with(|c: char| c.is_ascii_digit());
    match word {
        "" | "line" | "pragma" | "ident" | "sccs" => FilterResult::Skip,
        _ if is_line_number => FilterResult::Skip,
        _ => FilterResult::Error(LexicalError::Directive),
    }
}

/// Up to the end of the line, but for one that a backslash or a comment continues.
fn directive_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut position = 0;
    while let Some(byte) = bytes.get(position) {
        match byte {
            b'\n' => return position,
            b'\\' => position += if rest[position + 1..].starts_with("\r\n") { 3 } else { 2 },
            _ => position += 1,
        }
    }
    rest.len()
}

/// The tokens of a text, the last one [`TokenKind::EndOfText`], and what is wrong with it. At most `limit` mistakes are
/// reported; after them, the rest of the text is not looked at.
pub(super) fn tokens(source: &str, limit: usize) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut tokens: Vec<Token> = Vec::with_capacity(source.len() / 4);
    let mut diagnostics = Vec::new();
    let mut lexer = TokenKind::lexer(source);
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

/// The lines of a text that are directives, line markers among them.
pub(super) fn directives(source: &str) -> Vec<Span> {
    let mut lexer = TokenKind::lexer(source);
    while lexer.next().is_some() {}
    lexer.extras
}

/// A position in a text, whose length the parser has checked.
fn position(byte: usize) -> u32 {
    u32::try_from(byte).unwrap_or(u32::MAX)
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
    let first = rest.chars().next().unwrap_or(' ');
    if first == '"' || first == '\'' {
        let what = if first == '"' { "string" } else { "character" };
        let line = rest.lines().next().unwrap_or(rest);
        let whole = start..start + line.len().max(1);
        if rest.starts_with("''") {
            return Diagnostic::error(
                start..start + 2,
                "empty character literal",
                "there is no character in it",
            )
            .help("the character with the value zero is written '\\0'");
        }
        return Diagnostic::error(
            whole,
            format!("unterminated {what}"),
            format!("the closing `{first}` is missing on this line"),
        )
        .help("a quote inside is written with a backslash before it, and so is a backslash");
    }
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
        let (tokens, diagnostics) = tokens(source, 20);
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
        assert_eq!(kinds("integer int_ int $x"), [Identifier, Identifier, Int, Identifier]);
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
            ("x = '';", "empty character literal"),
            ("x = §§§;", "unexpected character `§`"),
            ("#include <a.h>\n#define X", "the text has not been preprocessed"),
            ("x # y", "unexpected character `#`"),
        ] {
            let diagnostics = tokens(source, 20).1;
            assert_eq!(diagnostics.len(), 1, "{source}: {diagnostics:?}");
            assert_eq!(diagnostics[0].message, message);
        }
    }

    #[test]
    fn mistakes_are_counted() {
        assert_eq!(tokens(&"§ ".repeat(1000), 20).1.len(), 20);
    }
}
