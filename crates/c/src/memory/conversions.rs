//! Conversions of addresses to numbers and back: whether the number that an address has in this translation is still the same.

use super::Lowering;
use crate::program::{Expression, Numeric, Place};

impl Lowering<'_> {
    /// Whether a conversion makes a pointer, or a number as wide as one, of what has lost bits of an address.
    pub(super) fn restores_address(&self, inner: &Expression<Place>, to: Numeric) -> bool {
        let word = self.types.size_type().bits;
        let is_wide = match to {
            Numeric::Pointer => true,
            Numeric::Integer(kind) => kind.bits >= word,
            _ => false,
        };
        let is_narrow = matches!(inner.numeric, Numeric::Integer(kind) if kind.bits < word);
        is_wide && is_narrow && self.carries_own_address(inner)
    }

    /// Whether a conversion keeps all bits of an address, but not the number that this translation has given to it: objects
    /// that are far apart have larger numbers than the machine's addresses may be, which only unsigned numbers of their width
    /// hand on as they are.
    pub(super) fn shortens_address(&mut self, inner: &Expression<Place>, to: Numeric) -> bool {
        let word = self.types.size_type();
        let hands_on = match inner.numeric {
            Numeric::Integer(kind) => kind == word,
            numeric => numeric == Numeric::Pointer,
        };
        let keeps = match to {
            Numeric::Pointer => hands_on || matches!(inner.numeric, Numeric::Integer(kind) if kind.bits < word.bits),
            Numeric::Integer(kind) => kind.bits != word.bits || (kind == word && hands_on),
            _ => true,
        };
        !keeps
            && self.carries_own_address(inner)
            && self
                .own_targets(inner)
                .into_iter()
                .any(|target| self.layout.exceeds(target, word.bits))
    }
}
