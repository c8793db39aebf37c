//! What is read and dropped: attributes, calling conventions, `__extension__`, qualifiers. Of attributes, those that change
//! what a declaration means are kept.

use super::{Parser, Result, range};
use crate::c::lexer::TokenKind;
use crate::c::syntax::{IntegerSize, Name, TypeSpecifier};
use crate::diagnostics::Diagnostic;

/// What the attributes of a declaration say about its type.
#[derive(Clone, Copy, Default)]
pub(super) struct Attributes<'a> {
    /// `packed`
    pub is_packed: bool,
    /// `mode (QI)` and such, which replace the type's size.
    mode: Option<Name<'a>>,
    /// `vector_size`
    vector: Option<Name<'a>>,
}

impl<'a> Attributes<'a> {
    pub fn join(&mut self, other: Attributes<'a>) {
        self.is_packed |= other.is_packed;
        self.mode = self.mode.or(other.mode);
        self.vector = self.vector.or(other.vector);
    }

    /// The type that the attributes make of another one.
    pub fn apply(&self, kind: Option<TypeSpecifier<'a>>) -> Option<TypeSpecifier<'a>> {
        if let Some(vector) = self.vector {
            return Some(TypeSpecifier::Other(vector));
        }
        let Some(mode) = self.mode else { return kind };
        let signed = match kind {
            Some(TypeSpecifier::Integer { signed, .. }) => signed,
            None => true,
            _ => return kind,
        };
        let size = match mode.text.trim_matches('_') {
            "QI" | "byte" => return Some(TypeSpecifier::Char { signed: Some(signed) }),
            "HI" => IntegerSize::Short,
            "SI" => IntegerSize::Int,
            "DI" => IntegerSize::LongLong,
            "TI" => IntegerSize::Int128,
            "word" | "pointer" => IntegerSize::Long,
            _ => return Some(TypeSpecifier::Other(mode)),
        };
        Some(TypeSpecifier::Integer { size, signed })
    }
}

impl<'a> Parser<'a> {
    /// Skips `__attribute__ ((…))`, `__declspec (…)`, `asm ("name")` and calling conventions, as many as there are.
    pub(super) fn attributes(&mut self) -> Result<Attributes<'a>> {
        let mut attributes = Attributes::default();
        loop {
            match self.kind() {
                TokenKind::Attribute => attributes.join(self.attribute()?),
                TokenKind::DroppedWithArguments => {
                    self.advance();
                    self.skip_parentheses()?;
                }
                TokenKind::Assembly if self.kind_ahead(1) == TokenKind::LeftParenthesis => {
                    self.advance();
                    self.skip_parentheses()?;
                }
                TokenKind::DroppedSpecifier | TokenKind::Extension => {
                    self.advance();
                }
                _ => return Ok(attributes),
            }
        }
    }

    fn attribute(&mut self) -> Result<Attributes<'a>> {
        let mut attributes = Attributes::default();
        self.advance();
        let start = self.position;
        self.skip_parentheses()?;
        for index in start..self.position {
            let name = |index: usize| {
                let token = self.tokens.get(index)?;
                (token.kind == TokenKind::Identifier).then(|| Name {
                    text: self.text(token.span),
                    span: token.span,
                })
            };
            let Some(word) = name(index) else { continue };
            match word.text.trim_matches('_') {
                "packed" => attributes.is_packed = true,
                "mode" => attributes.mode = name(index + 2),
                "vector_size" => attributes.vector = Some(word),
                "cleanup" => {
                    let error = Diagnostic::error(range(word.span), "`cleanup` is not supported", "calls a function");
                    self.error(error.help("call the function where the variable's block ends"));
                }
                _ => {}
            }
        }
        Ok(attributes)
    }

    /// Skips qualifiers and attributes, as after a `*`. Says whether `volatile` is among them.
    pub(super) fn qualifiers(&mut self) -> Result<bool> {
        let mut is_volatile = false;
        loop {
            match self.kind() {
                TokenKind::Volatile => is_volatile = true,
                TokenKind::Qualifier | TokenKind::Atomic => {}
                TokenKind::Attribute
                | TokenKind::DroppedWithArguments
                | TokenKind::DroppedSpecifier
                | TokenKind::Extension => {
                    self.attributes()?;
                    continue;
                }
                _ => return Ok(is_volatile),
            }
            self.advance();
        }
    }
}
