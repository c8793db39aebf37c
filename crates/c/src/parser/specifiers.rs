//! What stands before the names in a declaration: storage classes, qualifiers and the type, in any order.

use super::{NameKind, Parser, Result, range};
use crate::diagnostics::Diagnostic;
use crate::lexer::{Token, TokenKind};
use crate::syntax::{IntegerSize, Name, Qualifiers, Span, Specifiers, Storage, TypeSpecifier};

/// The words of an arithmetic type that have been read.
#[derive(Default)]
struct Words {
    longs: u32,
    is_short: bool,
    is_int: bool,
    is_char: bool,
    is_double: bool,
    is_complex: bool,
    signed: Option<bool>,
    /// Where the first of them is.
    first: Option<Token>,
}

impl Words {
    fn add(&mut self, token: Token) -> bool {
        self.first = self.first.or(Some(token));
        let fresh = |seen: &mut bool| !std::mem::replace(seen, true);
        match token.kind {
            TokenKind::Long => {
                self.longs += 1;
                self.longs <= 2
            }
            TokenKind::Short => fresh(&mut self.is_short),
            TokenKind::Int => fresh(&mut self.is_int),
            TokenKind::Char => fresh(&mut self.is_char),
            TokenKind::Double => fresh(&mut self.is_double),
            TokenKind::Complex => fresh(&mut self.is_complex),
            TokenKind::Signed => self.signed.replace(true).is_none(),
            TokenKind::Unsigned => self.signed.replace(false).is_none(),
            _ => false,
        }
    }

    /// The type that the words make together with one that is written as a single word.
    fn combine<'a>(&self, single: Option<TypeSpecifier<'a>>) -> Option<Option<TypeSpecifier<'a>>> {
        let plain = self.longs == 0 && !self.is_short && !self.is_int && !self.is_char && !self.is_double;
        let kind = match single {
            // `unsigned __int64` means something, `unsigned float` does not.
            Some(TypeSpecifier::Integer { size, signed }) if plain => TypeSpecifier::Integer {
                size,
                signed: self.signed.unwrap_or(signed),
            },
            Some(TypeSpecifier::Char { .. }) if plain => TypeSpecifier::Char {
                signed: Some(self.signed.unwrap_or(true)),
            },
            // It is no type that is known, with a sign or without.
            Some(
                kind @ TypeSpecifier::Other(Name {
                    text: "_BitInt" | "_ExtInt",
                    ..
                }),
            ) if plain => kind,
            Some(kind) if plain && self.signed.is_none() => kind,
            Some(_) => return None,
            None if self.is_char => match (self.longs, self.is_short, self.is_int, self.is_double) {
                (0, false, false, false) => TypeSpecifier::Char { signed: self.signed },
                _ => return None,
            },
            None if self.is_double => match (self.longs, self.is_short, self.is_int, self.signed) {
                (0, false, false, None) => TypeSpecifier::Double,
                (1, false, false, None) => TypeSpecifier::LongDouble,
                _ => return None,
            },
            None if self.first.is_none() || (plain && self.signed.is_none()) => return Some(None),
            None => TypeSpecifier::Integer {
                size: match (self.longs, self.is_short) {
                    (0, false) => IntegerSize::Int,
                    (0, true) => IntegerSize::Short,
                    (1, false) => IntegerSize::Long,
                    (2, false) => IntegerSize::LongLong,
                    _ => return None,
                },
                signed: self.signed.unwrap_or(true),
            },
        };
        Some(Some(kind))
    }
}

impl<'a> Parser<'a> {
    /// Whether the token so many places ahead begins specifiers, as far as is known without guessing.
    pub(super) fn begins_specifiers(&self, distance: usize) -> bool {
        use TokenKind::*;
        let token = self.token_ahead(distance);
        match token.kind {
            Typedef | Extern | Static | Auto | Register | Const | Qualifier | Volatile | Atomic | DroppedSpecifier
            | Attribute | Declspec | Alignas => true,
            Identifier => self.scopes.get(self.text(token.span)) == Some(NameKind::Type),
            Extension => self.begins_specifiers_after_extensions(distance),
            kind => is_type_word(kind),
        }
    }

    /// `__extension__` stands before declarations and before expressions.
    fn begins_specifiers_after_extensions(&self, mut distance: usize) -> bool {
        while self.kind_ahead(distance) == TokenKind::Extension {
            distance += 1;
        }
        self.begins_specifiers(distance)
    }

    /// Reads specifiers; there may be none.
    pub(super) fn specifiers(&mut self) -> Result<Specifiers<'a>> {
        let start = self.here();
        let first_position = self.position;
        let mut storage: Option<Storage> = None;
        let mut qualifiers = Qualifiers::default();
        let mut single: Option<TypeSpecifier<'a>> = None;
        let mut words = Words::default();
        let mut attributes = Vec::new();
        loop {
            let token = self.token();
            let end = self.previous().span.end as usize;
            let between = self.source.get(end..token.span.start as usize).unwrap_or_default();
            // `struct s { … } typedef t;` is valid, if odd; on the next line it is a mistake.
            let begins_another =
                is_type_word(token.kind) || storage_class(token.kind).is_some() && between.contains('\n');
            if begins_another && single.is_some() && self.previous().kind == TokenKind::RightBrace {
                let error = Diagnostic::error(end..end, "expected `;` after the type", "a `;` is missing here");
                return Err(self.error(error));
            }
            if let Some(class) = storage_class(token.kind) {
                if storage.is_some_and(|before| before != class) {
                    return Err(self.conflicting(token, "two storage classes", "another storage class is before it"));
                }
                storage = Some(class);
                self.advance();
                continue;
            }
            match token.kind {
                TokenKind::Atomic if self.kind_ahead(1) == TokenKind::LeftParenthesis => {
                    attributes.push(self.atomic());
                    self.advance();
                    let opening = self.advance();
                    let name = self.type_name()?;
                    self.expect_closing(TokenKind::RightParenthesis, opening, "`)` after the type")?;
                    single = Some(TypeSpecifier::TypeofType(name));
                }
                TokenKind::Const | TokenKind::Qualifier | TokenKind::Volatile | TokenKind::Atomic => {
                    let more = self.qualifiers(&mut attributes)?;
                    qualifiers.is_const |= more.is_const;
                    qualifiers.is_volatile |= more.is_volatile;
                }
                TokenKind::Attribute
                | TokenKind::Declspec
                | TokenKind::Alignas
                | TokenKind::DroppedSpecifier
                | TokenKind::Extension => attributes.append(&mut self.attributes()?),
                TokenKind::Long
                | TokenKind::Short
                | TokenKind::Int
                | TokenKind::Char
                | TokenKind::Double
                | TokenKind::Complex
                | TokenKind::Signed
                | TokenKind::Unsigned => {
                    if !words.add(token) {
                        return Err(self.conflicting(
                            token,
                            "these words make no type",
                            "this does not fit what is before it",
                        ));
                    }
                    self.advance();
                }
                TokenKind::Identifier => {
                    let has_type = single.is_some() || words.first.is_some();
                    let declared = self.scopes.get(self.text(token.span)) == Some(NameKind::Type);
                    let is_type = !has_type && (declared || self.guess_type(self.position > first_position)?);
                    if !is_type {
                        break;
                    }
                    single = Some(TypeSpecifier::Named(self.name()));
                    self.advance();
                }
                kind if is_type_word(kind) => {
                    if single.is_some() {
                        return Err(self.conflicting(token, "two types", "another type is before it"));
                    }
                    single = Some(self.single_word(token)?);
                }
                _ => break,
            }
        }
        let span = match self.position == first_position {
            true => Span { start, end: start },
            false => self.span_from(start),
        };
        let Some(combined) = words.combine(single) else {
            let error = Diagnostic::error(range(span), "these words make no type", "no such type");
            return Err(self.error(error.help("is a `;` missing before it, or a `,`?")));
        };
        let kind = match (combined, words.is_complex) {
            (part, true) => {
                let part = part.unwrap_or(TypeSpecifier::Double);
                Some(TypeSpecifier::Complex(self.arena.alloc(part)))
            }
            (kind, false) => kind,
        };
        Ok(Specifiers {
            storage,
            kind,
            is_volatile: qualifiers.is_volatile,
            is_const: qualifiers.is_const,
            attributes: self.slice(attributes),
            span,
        })
    }

    fn conflicting(&mut self, token: Token, message: &str, label: &str) -> super::Reported {
        let error = Diagnostic::error(range(token.span), message, label);
        self.error(error.help("is a `;` missing before it, or a `,`?"))
    }

    /// A type that is one word, or a word with something after it.
    fn single_word(&mut self, token: Token) -> Result<TypeSpecifier<'a>> {
        let name = self.name();
        match token.kind {
            TokenKind::Struct | TokenKind::Union => return self.record(),
            TokenKind::Enum => return self.enumeration(),
            TokenKind::Typeof => return self.type_of(),
            _ => {}
        }
        self.advance();
        let integer = |size| TypeSpecifier::Integer { size, signed: true };
        Ok(match token.kind {
            TokenKind::Void => TypeSpecifier::Void,
            TokenKind::Bool => TypeSpecifier::Bool,
            TokenKind::Float => TypeSpecifier::Float,
            TokenKind::VaList => TypeSpecifier::VaList,
            TokenKind::SizedInteger => match name.text.trim_matches('_') {
                "int8" => TypeSpecifier::Char { signed: Some(true) },
                "int16" => integer(IntegerSize::Short),
                "int32" => integer(IntegerSize::Int),
                "int64" => integer(IntegerSize::LongLong),
                "uint128_t" => TypeSpecifier::Integer {
                    size: IntegerSize::Int128,
                    signed: false,
                },
                _ => integer(IntegerSize::Int128),
            },
            _ => match name.text.trim_matches('_') {
                // A number of so many bits.
                "BitInt" | "ExtInt" => {
                    let opening = self.require(TokenKind::LeftParenthesis, "`(` and the number of bits")?;
                    self.constant()?;
                    self.expect_closing(TokenKind::RightParenthesis, opening, "`)` after the number of bits")?;
                    TypeSpecifier::Other(name)
                }
                "Float32" => TypeSpecifier::Float,
                "Float64" | "Float32x" => TypeSpecifier::Double,
                "Float64x" | "float80" => TypeSpecifier::LongDouble,
                "Float128" | "float128" => TypeSpecifier::Quadruple,
                _ => TypeSpecifier::Other(name),
            },
        })
    }

    /// `typeof (expression)`, `typeof (type)`
    fn type_of(&mut self) -> Result<TypeSpecifier<'a>> {
        self.advance();
        let opening = self.require(TokenKind::LeftParenthesis, "`(` after `typeof`")?;
        self.enter()?;
        let kind = if self.begins_type_name() {
            TypeSpecifier::TypeofType(self.type_name()?)
        } else {
            TypeSpecifier::TypeofExpression(self.expression()?)
        };
        self.leave();
        self.expect_closing(
            TokenKind::RightParenthesis,
            opening,
            "`)` after the operand of `typeof`",
        )?;
        Ok(kind)
    }
}

fn storage_class(kind: TokenKind) -> Option<Storage> {
    Some(match kind {
        TokenKind::Typedef => Storage::Typedef,
        TokenKind::Extern => Storage::Extern,
        TokenKind::Static => Storage::Static,
        TokenKind::Auto => Storage::Auto,
        TokenKind::Register => Storage::Register,
        _ => return None,
    })
}

/// Whether a token is a type, or part of one.
pub(super) fn is_type_word(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        Void | Char
            | Short
            | Int
            | Long
            | Float
            | Double
            | Signed
            | Unsigned
            | Bool
            | SizedInteger
            | OtherType
            | Complex
            | VaList
            | Struct
            | Union
            | Enum
            | Typeof
    )
}
