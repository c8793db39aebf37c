//! Types that attributes make of others: `mode (QI)` replaces the size of a number, `vector_size (16)` makes a vector of it.

use super::{Checked, Reported, Semantics};
use crate::program::Numeric;
use crate::syntax::{Attribute, AttributeArgument, Derivation, ExpressionKind};
use crate::types::{Compound, IntegerType, Type, TypeId, Types};
use num_traits::ToPrimitive;

/// What a mode says.
enum Mode {
    Integer(u32),
    Floating(u32),
    Complex(u32),
}

impl<'a> Semantics<'a, '_> {
    /// The type with what the attributes make of it. They are about the type itself, however a declarator derives another one
    /// from it; but a mode is about what is declared.
    pub(super) fn attributed_type(
        &mut self,
        base: TypeId,
        attributes: &[Attribute<'a>],
        derivations: &[Derivation<'a>],
    ) -> Checked<TypeId> {
        let mut kind = base;
        for attribute in attributes {
            if attribute.is("vector_size") {
                let plain = self.types.without_volatile(kind);
                kind = self.vector_by(plain, attribute)?;
            } else if attribute.is("mode") {
                let plain = self.types.without_volatile(kind);
                kind = self.of_mode(plain, attribute, derivations)?;
            }
        }
        Ok(match kind != base && self.types.is_volatile(base) {
            true => self.types.volatile_of(kind),
            false => kind,
        })
    }

    /// `vector_size (bytes)`
    fn vector_by(&mut self, element: TypeId, attribute: &Attribute<'a>) -> Checked<TypeId> {
        let span = attribute.span;
        let Some(AttributeArgument::Expression(bytes)) = attribute.arguments.first() else {
            return Err(self.error(span, "`vector_size` needs a number of bytes", "here", None));
        };
        let bytes = self.integer_constant(bytes)?.to_u64();
        let is_number = matches!(self.numeric(element), Numeric::Integer(_) | Numeric::Floating(_));
        let size = self.types.size_of(element).filter(|size| *size > 0);
        let count = match (bytes, size) {
            (Some(bytes), Some(size)) if bytes % size == 0 => bytes / size,
            _ => 0,
        };
        if !is_number || matches!(element, Types::VOID | Types::BOOL) || !count.is_power_of_two() {
            let message = format!("no vector of {} has this size", self.types.display(element));
            return Err(self.error(
                span,
                message,
                "numbers are needed, and how many is a power of two",
                None,
            ));
        }
        Ok(self.types.compound_type(Compound::Vector(element, count)))
    }

    /// `mode (QI)`
    fn of_mode(&mut self, kind: TypeId, attribute: &Attribute<'a>, derivations: &[Derivation<'a>]) -> Checked<TypeId> {
        let name = match attribute.arguments.first() {
            Some(AttributeArgument::Expression(expression)) => match expression.kind {
                ExpressionKind::Name(name) => name.trim_matches('_'),
                _ => return Err(self.no_mode(attribute)),
            },
            _ => return Err(self.no_mode(attribute)),
        };
        let word = self.types.word_bits();
        let mode = match name {
            "QI" | "byte" => Mode::Integer(8),
            "HI" => Mode::Integer(16),
            "SI" => Mode::Integer(32),
            "DI" => Mode::Integer(64),
            "TI" => Mode::Integer(128),
            "word" | "pointer" | "unwind_word" => Mode::Integer(word),
            "SF" => Mode::Floating(32),
            "DF" => Mode::Floating(64),
            "XF" => Mode::Floating(80),
            "SC" => Mode::Complex(32),
            "DC" => Mode::Complex(64),
            "XC" => Mode::Complex(80),
            _ => return Err(self.no_mode(attribute)),
        };
        let is_floating = |kind: Numeric| matches!(kind, Numeric::Floating(_));
        let (is_plain, numeric) = (derivations.is_empty(), self.numeric(kind));
        let made = match (mode, numeric, self.types.compound(kind)) {
            // A pointer has one size.
            (Mode::Integer(bits), ..) if bits == word && matches!(derivations, [Derivation::Pointer]) => {
                return Ok(kind);
            }
            (Mode::Integer(bits), Numeric::Integer(integer), _)
                if is_plain && !matches!(kind, Types::VOID | Types::BOOL) =>
            {
                Type::Integer(IntegerType { bits, ..integer })
            }
            (Mode::Floating(bits), numeric, _) if is_plain && is_floating(numeric) => Type::Floating(bits),
            (Mode::Complex(bits), _, Some(Compound::Complex(part))) if is_plain && is_floating(self.numeric(part)) => {
                let part = self.types.intern(Type::Floating(bits));
                return Ok(self.types.compound_type(Compound::Complex(part)));
            }
            _ => return Err(self.no_mode(attribute)),
        };
        Ok(self.types.intern(made))
    }

    fn no_mode(&mut self, attribute: &Attribute<'a>) -> Reported {
        let message = "this `mode` cannot be translated here";
        self.refuse(attribute.span, message, "the size of what is declared", None)
    }
}
