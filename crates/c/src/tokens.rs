//! The tokens of C, and where each ends: what `logos` makes the lexer of.
//!
//! GNU's and Microsoft's spellings of a keyword are the same token. What takes more than a regular expression, or would make a
//! large automaton, is scanned by hand: comments, directives, quoted texts, letters of other scripts.

use super::syntax::Span;
use logos::{FilterResult, Lexer, Logos};

/// What a token is. Its text is read off the source by its span.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\f\v]+")]
#[logos(skip r"\\\r?\n")]
#[logos(error = LexicalError)]
#[logos(extras = Vec<Span>)]
pub(super) enum TokenKind {
    #[token("/*", block_comment)]
    #[token("//", line_comment)]
    Comment,
    #[token("#", directive)]
    #[token("%:", directive)]
    Directive,
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*", identifier)]
    #[regex(r"[^\x00-\x7F]", foreign_identifier)]
    #[regex(r"\\[uU]", named_identifier)]
    Identifier,
    #[regex(r"\.?[0-9]([eEpP][+-]|[0-9A-Za-z_.])*")]
    Number,
    #[regex("(L|u8|u|U)?'", |lexer| quoted(lexer, b'\''))]
    Character,
    #[regex("(L|u8|u|U)?\"", |lexer| quoted(lexer, b'"'))]
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
    Const,
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
    Declspec,
    #[token("_Alignas")]
    Alignas,
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
    #[token("_BitInt")]
    #[token("_ExtInt")]
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
    Alignof,
    #[token("__alignof")]
    #[token("__alignof__")]
    PreferredAlignof,
    #[token("__builtin_va_arg")]
    VaArg,
    #[token("__builtin_offsetof")]
    Offsetof,
    #[token("_Generic")]
    Generic,
    #[token("__builtin_convertvector")]
    ConvertVector,
    #[token("__builtin_types_compatible_p")]
    TypesCompatible,
    #[token("__real__")]
    #[token("__real")]
    RealPart,
    #[token("__imag__")]
    #[token("__imag")]
    ImaginaryPart,
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
    Quote,
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

/// Skips to the end of the line, or of those that continue it.
fn line_comment(lexer: &mut Lexer<'_, TokenKind>) -> FilterResult<(), LexicalError> {
    lexer.bump(line_length(lexer.remainder()));
    FilterResult::Skip
}

/// Reads up to the closing quote. Where it is missing on the line, the rest of the line is no token.
fn quoted(lexer: &mut Lexer<'_, TokenKind>, quote: u8) -> Result<(), LexicalError> {
    let rest = lexer.remainder();
    let mut position = 0;
    while let Some(byte) = rest.as_bytes().get(position) {
        match byte {
            b'\n' => break,
            b'\\' => position += escape_length(rest, position),
            _ if *byte == quote => {
                lexer.bump(position + 1);
                return Ok(());
            }
            _ => position += 1,
        }
    }
    lexer.bump(position.min(rest.len()));
    Err(LexicalError::Quote)
}

/// How many bytes a backslash and what it is before are, as far as it matters for lines; a character may be longer.
fn escape_length(text: &str, position: usize) -> usize {
    match text.as_bytes().get(position + 1..position + 3) {
        Some(b"\r\n") => 3,
        _ => 2,
    }
}

/// Takes the letters of other scripts that go on with a name. (As part of the regular expression, they would make a very
/// large automaton of the lexer.)
fn identifier(lexer: &mut Lexer<'_, TokenKind>) {
    lexer.bump(name_length(lexer.remainder()));
}

/// A name that begins with a letter of another script.
fn foreign_identifier(lexer: &mut Lexer<'_, TokenKind>) -> Result<(), LexicalError> {
    if !lexer.slice().starts_with(char::is_alphabetic) {
        return Err(LexicalError::Character);
    }
    lexer.bump(name_length(lexer.remainder()));
    Ok(())
}

/// A name that begins with a letter by its number.
fn named_identifier(lexer: &mut Lexer<'_, TokenKind>) -> Result<(), LexicalError> {
    let text = lexer.source().get(lexer.span().start..).unwrap_or_default();
    let Some((_, length)) = universal_name(text).filter(|(character, _)| character.is_alphabetic()) else {
        return Err(LexicalError::Character);
    };
    let rest = text.get(length..).unwrap_or_default();
    lexer.bump(length - 2 + name_length(rest));
    Ok(())
}

/// How many bytes of the text go on with a name.
fn name_length(text: &str) -> usize {
    let mut length = 0;
    while let Some(rest) = text.get(length..) {
        let plain = rest.find(|character| !goes_on(character)).unwrap_or(rest.len());
        let named = universal_name(&rest[plain..]).filter(|(character, _)| goes_on(*character));
        length += plain + named.map_or(0, |(_, length)| length);
        if named.is_none() {
            break;
        }
    }
    length
}

/// The character that the text begins with by its number, `\u` and four digits or `\U` and eight, and how long that is.
fn universal_name(text: &str) -> Option<(char, usize)> {
    let length = match text.as_bytes().get(..2)? {
        b"\\u" => 6,
        b"\\U" => 10,
        _ => return None,
    };
    let digits = text.get(2..length)?;
    let code = u32::from_str_radix(digits, 16).ok()?;
    Some((char::from_u32(code)?, length))
}

/// A name with letters in the place of their numbers; `None` if it has none such.
pub(super) fn without_universal_names(name: &str) -> Option<String> {
    let mut spelled = String::new();
    let mut rest = name;
    while let Some(position) = rest.find('\\') {
        let (character, length) = universal_name(&rest[position..])?;
        spelled.push_str(&rest[..position]);
        spelled.push(character);
        rest = &rest[position + length..];
    }
    (rest.len() < name.len()).then(|| spelled + rest)
}

fn goes_on(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}

/// Skips a line that begins with `#`, with those that continue it.
fn directive(lexer: &mut Lexer<'_, TokenKind>) -> FilterResult<(), LexicalError> {
    let before = lexer.source().get(..lexer.span().start).unwrap_or_default();
    let indentation = before.trim_end_matches([' ', '\t', '\r', '\u{b}', '\u{c}']);
    if !indentation.is_empty() && !indentation.ends_with(['\n', '/']) {
        return FilterResult::Error(LexicalError::Character);
    }
    let line_length = line_length(lexer.remainder());
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

/// How long the line is, with those that backslashes continue.
fn line_length(rest: &str) -> usize {
    let mut position = 0;
    while let Some(byte) = rest.as_bytes().get(position) {
        match byte {
            b'\n' => return position,
            b'\\' => position += escape_length(rest, position),
            _ => position += 1,
        }
    }
    rest.len()
}

/// A position in a text, whose length the parser has checked.
pub(super) fn position(byte: usize) -> u32 {
    u32::try_from(byte).unwrap_or(u32::MAX)
}
