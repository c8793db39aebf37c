//! What numbers, characters and strings are worth.

use super::{Parser, Reported, Result, range};
use crate::diagnostics::Diagnostic;
use crate::lexer::{Token, TokenKind};
use crate::syntax::{
    Declarator, Encoding, Expression, ExpressionKind, IntegerSize, Span, Specifiers, TypeName, TypeSpecifier,
    UnaryOperator,
};

/// Longer numbers are refused: they fit into no type.
const NUMBER_LIMIT: usize = 1000;

/// What a number is, or what is wrong with it.
fn classify(text: &str) -> std::result::Result<bool, &'static str> {
    let lower = text.to_ascii_lowercase();
    if lower.len() > NUMBER_LIMIT {
        return Err("such a number fits into no type");
    }
    let (digits, radix) = match lower.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => match lower.strip_prefix("0b") {
            Some(digits) => (digits, 2),
            None => (lower.as_str(), 10),
        },
    };
    let is_digit = |c: char| c.is_digit(radix);
    let after = digits.trim_start_matches(is_digit);
    let whole_length = digits.len() - after.len();
    let is_floating = after.starts_with('.') || after.starts_with(if radix == 16 { 'p' } else { 'e' });
    if is_floating && radix != 2 {
        return floating(digits, radix);
    }
    if whole_length == 0 {
        return Err("digits are missing");
    }
    if !matches!(
        after,
        "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu" | "i64" | "ui64" | "i32" | "ui32"
    ) {
        if radix == 10 && matches!(after, "f" | "d") {
            return Err("a floating-point number has a `.` or an exponent");
        }
        return Err("a number ends with digits, or with `u`, `l`, `ul`, `ll` or `ull`");
    }
    if text.contains("lL") || text.contains("Ll") {
        return Err("both letters of `ll` are small, or both are capital");
    }
    let octal = radix == 10 && digits.len() > 1 && digits.starts_with('0');
    if octal && digits[..whole_length].contains(['8', '9']) {
        return Err("a number that begins with `0` is octal, and its digits are 0 to 7");
    }
    Ok(false)
}

fn floating(digits: &str, radix: u32) -> std::result::Result<bool, &'static str> {
    let is_digit = |c: char| c.is_digit(radix);
    let after = digits.trim_start_matches(is_digit);
    let mut count = digits.len() - after.len();
    let fraction = after.strip_prefix('.').unwrap_or(after);
    let rest = fraction.trim_start_matches(is_digit);
    count += fraction.len() - rest.len();
    if count == 0 {
        return Err("digits are missing");
    }
    let suffix = match rest.strip_prefix(if radix == 16 { 'p' } else { 'e' }) {
        Some(exponent) => {
            let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            let after = exponent.trim_start_matches(|c: char| c.is_ascii_digit());
            if after.len() == exponent.len() {
                return Err("the exponent has no digits");
            }
            after
        }
        None if radix == 16 => return Err("a hexadecimal floating-point number has an exponent, as in `0x1.8p3`"),
        None => rest,
    };
    match suffix {
        "" | "f" | "l" | "f16" | "f32" | "f64" | "f128" | "f32x" | "f64x" | "q" | "w" | "df" | "dd" | "dl" | "d" => {
            Ok(true)
        }
        _ => Err("a floating-point number ends with digits, or with `f` or `l`"),
    }
}

/// The characters between the quotes of a token; `wide` ones are code points, others bytes.
fn characters(body: &str, wide: bool, found: &mut Vec<u32>) -> std::result::Result<(), &'static str> {
    let mut rest = body.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            if wide {
                found.push(u32::from(character));
            } else {
                let mut bytes = [0; 4];
                found.extend(character.encode_utf8(&mut bytes).bytes().map(u32::from));
            }
            continue;
        }
        let Some(escape) = rest.next() else { break };
        let value = match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '\\' | '\'' | '"' | '?' => u32::from(escape),
            '0'..='7' => {
                let text = rest.as_str();
                let length = text
                    .bytes()
                    .take(2)
                    .take_while(|byte| (b'0'..=b'7').contains(byte))
                    .count();
                let digits = text.get(..length).unwrap_or_default();
                rest = text.get(length..).unwrap_or_default().chars();
                let mut value = escape.to_digit(8).unwrap_or(0);
                for digit in digits.chars() {
                    value = value * 8 + digit.to_digit(8).unwrap_or(0);
                }
                value
            }
            'x' => {
                let text = rest.as_str();
                let length = text.bytes().take_while(u8::is_ascii_hexdigit).count();
                let digits = text.get(..length).unwrap_or_default();
                rest = text.get(length..).unwrap_or_default().chars();
                if digits.is_empty() {
                    return Err("`\\x` is followed by hexadecimal digits");
                }
                let significant = digits.trim_start_matches('0');
                match u32::from_str_radix(significant, 16) {
                    _ if significant.is_empty() => 0,
                    Ok(value) => value,
                    Err(_) => return Err("the escape does not fit into a character"),
                }
            }
            'u' | 'U' => {
                let length = if escape == 'u' { 4 } else { 8 };
                let text = rest.as_str();
                let digits = text.get(..length).unwrap_or_default();
                rest = text.get(length..).unwrap_or_default().chars();
                let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
                let Some(code) = code else {
                    return Err("`\\u` is followed by the four digits of a character, `\\U` by eight");
                };
                if !wide {
                    let mut bytes = [0; 4];
                    found.extend(code.encode_utf8(&mut bytes).bytes().map(u32::from));
                    continue;
                }
                u32::from(code)
            }
            '\n' => continue,
            '\r' => {
                rest = rest.as_str().strip_prefix('\n').unwrap_or(rest.as_str()).chars();
                continue;
            }
            // As compilers have it, which warn.
            other if other.is_ascii() => u32::from(other),
            _ => return Err("there is no such escape; a backslash is written `\\\\`"),
        };
        // What does not fit into a byte is cut off, as compilers have it.
        found.push(if wide { value } else { value & 255 });
    }
    Ok(())
}

/// The number without the `i` or `j` with which GNU C writes imaginary ones, if it has one beside what else it ends with, and
/// whether that is a floating-point number.
fn without_unit(text: &str) -> Option<(String, bool)> {
    let is_unit = |c: char| matches!(c, 'i' | 'I' | 'j' | 'J');
    let rest: String = text.chars().filter(|c| !is_unit(*c)).collect();
    let has_one = text.len() == rest.len() + 1;
    classify(&rest)
        .ok()
        .filter(|_| has_one)
        .map(|is_floating| (rest, is_floating))
}

impl<'a> Parser<'a> {
    pub(super) fn number(&mut self) -> Result<&'a Expression<'a>> {
        let token = self.advance();
        let text = self.text(token.span);
        match classify(text) {
            Ok(false) => Ok(self.node(token.span.start, ExpressionKind::Integer(text))),
            Ok(true) => Ok(self.node(token.span.start, ExpressionKind::Floating(text))),
            Err(advice) => {
                if let Some((number, is_floating)) = without_unit(text) {
                    let number = self.arena.alloc_str(&number);
                    let kind = match is_floating {
                        true => ExpressionKind::Floating(number),
                        false => ExpressionKind::Integer(number),
                    };
                    let number = self.node(token.span.start, kind);
                    return Ok(self.node(
                        token.span.start,
                        ExpressionKind::Unary(UnaryOperator::Imaginary, number),
                    ));
                }
                let shown: String = text.chars().take(40).collect();
                let dots = if shown.len() < text.len() { "…" } else { "" };
                let message = format!("malformed number `{shown}{dots}`");
                let error = Diagnostic::error(range(token.span), message, "this is not a number");
                Err(self.error(error.help(advice)))
            }
        }
    }

    /// Adds the characters of a literal to others, as elements of this kind.
    fn decode(&mut self, token: Token, encoding: Encoding, found: &mut Vec<u32>) -> Result<()> {
        let text = self.text(token.span);
        let quote = text.find(['"', '\'']).unwrap_or(0);
        let (_, quoted) = text.split_at(quote);
        let body = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
        let before = found.len();
        if let Err(advice) = characters(body, encoding != Encoding::Bytes, found) {
            return Err(self.malformed(token, advice));
        }
        let is_long = |character: &u32| *character > u32::from(u16::MAX);
        if encoding == Encoding::Utf16 && found.iter().skip(before).any(is_long) {
            let message = "characters beyond 16 bits cannot be translated in a string of such";
            let error = Diagnostic::error(range(token.span), message, "such are two elements");
            return Err(self.error(error.unsupported()));
        }
        Ok(())
    }

    /// What a literal says that its elements are.
    fn encoding(&self, token: Token) -> Encoding {
        let text = self.text(token.span);
        match text.split(['"', '\'']).next() {
            Some("L") => Encoding::Wide,
            Some("u") => Encoding::Utf16,
            Some("U") => Encoding::Utf32,
            _ => Encoding::Bytes,
        }
    }

    fn malformed(&mut self, token: Token, advice: &str) -> Reported {
        let what = if token.kind == TokenKind::String {
            "string"
        } else {
            "character"
        };
        let error = Diagnostic::error(range(token.span), format!("malformed {what}"), "this cannot be read");
        self.error(error.help(advice))
    }

    pub(super) fn character(&mut self) -> Result<&'a Expression<'a>> {
        let token = self.advance();
        let encoding = self.encoding(token);
        let mut found = Vec::new();
        self.decode(token, encoding, &mut found)?;
        let value = match (found.as_slice(), encoding) {
            ([], _) => {
                return Err(self.malformed(
                    token,
                    "there is no character in it; the one with the value zero is written `'\\0'`",
                ));
            }
            // An unsigned number.
            ([.., only], Encoding::Utf32) => {
                let text = self.arena.alloc_str(&format!("{only}u"));
                return Ok(self.node(token.span.start, ExpressionKind::Integer(text)));
            }
            ([.., only], Encoding::Utf16) => {
                let value = self.node(token.span.start, ExpressionKind::Character(i64::from(*only)));
                let kind = self.type_of_16_bits(token.span);
                return Ok(self.node(token.span.start, ExpressionKind::Cast(kind, value)));
            }
            // Of several wide characters the last one counts, as compilers have it.
            ([.., only], Encoding::Wide) => i64::from(i32::from_le_bytes(only.to_le_bytes())),
            // A plain `char` is signed.
            ([only], _) => i64::from(i8::from_le_bytes([only.to_le_bytes()[0]])),
            // Of more than four the last ones.
            (several, _) => {
                let joined = several.iter().fold(0u32, |joined, byte| joined << 8 | byte);
                i64::from(i32::from_le_bytes(joined.to_le_bytes()))
            }
        };
        Ok(self.node(token.span.start, ExpressionKind::Character(value)))
    }

    /// `char16_t`, which is an `unsigned short`.
    fn type_of_16_bits(&self, span: Span) -> &'a TypeName<'a> {
        self.arena.alloc(TypeName {
            specifiers: Specifiers {
                storage: None,
                kind: Some(TypeSpecifier::Integer {
                    size: IntegerSize::Short,
                    signed: false,
                }),
                is_volatile: false,
                is_const: false,
                attributes: &[],
                span,
            },
            declarator: self.arena.alloc(Declarator {
                name: None,
                derivations: &[],
                is_volatile: false,
                attributes: &[],
                span,
            }),
            span,
        })
    }

    /// A string with all that follow it directly.
    pub(super) fn string(&mut self) -> Result<&'a Expression<'a>> {
        let start = self.here();
        let mut pieces = Vec::new();
        while let Some(token) = self.take(TokenKind::String) {
            pieces.push(token);
        }
        // A narrow piece beside a wide one is wide as well.
        let mut encodings = pieces.iter().map(|piece| self.encoding(*piece));
        let encoding = encodings.find(|encoding| *encoding != Encoding::Bytes);
        let encoding = encoding.unwrap_or(Encoding::Bytes);
        let mut found = Vec::new();
        for piece in pieces {
            self.decode(piece, encoding, &mut found)?;
        }
        let characters = self.slice(found);
        Ok(self.node(start, ExpressionKind::String { characters, encoding }))
    }
}
