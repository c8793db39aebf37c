//! Enumerations: their constants, and the integer types that gcc takes for them.
//!
//! C leaves open which integer type an enumeration is. gcc takes `unsigned int`, `int` if a constant is negative, and a wider
//! type if a constant needs it; the smallest one if the enumeration is `packed`. Its constants are `int` where they fit.

use super::scopes::{Entity, Tag};
use super::{Checked, Semantics};
use crate::syntax::{Expression, Name};
use crate::types::{IntegerType, TypeId, Types};
use num_bigint::BigInt;

impl<'a> Semantics<'a, '_> {
    /// The type of `enum tag { constants }`, one of which may be missing.
    pub(super) fn enumeration_type(
        &mut self,
        tag: Option<Name<'a>>,
        constants: Option<&'a [(Name<'a>, Option<&'a Expression<'a>>)]>,
        is_packed: bool,
    ) -> Checked<TypeId> {
        let Some(constants) = constants else {
            let found = tag.and_then(|tag| Some((tag, self.scopes.find_tag(tag.text)?.clone())));
            return match found {
                Some((_, found)) if let Tag::Enumeration(kind) = found.what => Ok(kind),
                Some((tag, found)) => Err(self.redeclared(tag.text, tag.span, found.span)),
                // One that is defined later, perhaps.
                None => Ok(self.types.integer(IntegerType::UNSIGNED_INT)),
            };
        };
        if let Some(tag) = tag
            && let Some(found) = self.scopes.find_tag_here(tag.text).cloned()
        {
            return Err(self.redeclared(tag.text, tag.span, found.span));
        }
        let kind = self.enumeration(constants, is_packed);
        if let Some(tag) = tag {
            self.scopes.declare_tag(tag.text, Tag::Enumeration(kind), tag.span);
        }
        Ok(kind)
    }

    /// Declares the constants. Gives the type that holds them.
    fn enumeration(&mut self, constants: &'a [(Name<'a>, Option<&'a Expression<'a>>)], is_packed: bool) -> TypeId {
        let (mut next, mut kind) = (BigInt::ZERO, Types::INT);
        let (mut least, mut greatest) = (BigInt::ZERO, BigInt::ZERO);
        for (name, value) in constants {
            if let Some(value) = value
                && let Ok((value, its_kind)) = self.typed_constant(value)
            {
                (next, kind) = (value, its_kind);
            }
            kind = self.constant_type(&next, kind);
            if let Some(previous) = self.scopes.find_here(name.text) {
                let previous = previous.span;
                self.redeclared(name.text, name.span, previous);
            }
            let constant = Entity::Constant(next.clone(), kind);
            self.scopes.declare(name.text, constant, name.span);
            least = least.min(next.clone());
            greatest = greatest.max(next.clone());
            next += 1;
        }
        let signed = least < BigInt::ZERO;
        let holds = |bits: &u32| {
            let kind = IntegerType { bits: *bits, signed };
            kind.minimum() <= least && greatest <= kind.maximum()
        };
        let widths = if is_packed { &[8, 16, 32, 64][..] } else { &[32, 64] };
        let bits = widths.iter().copied().find(holds).unwrap_or(128);
        let kind = self.types.integer(IntegerType { bits, signed });
        // From here on, those that are no `int` have the enumeration's type.
        for (name, _) in constants {
            if let Some(Entity::Constant(value, own)) = self.scopes.find_here(name.text).map(|found| found.what.clone())
                && own != Types::INT
            {
                self.scopes.declare(name.text, Entity::Constant(value, kind), name.span);
            }
        }
        kind
    }

    /// The type of a constant: `int` if it fits, otherwise that of its value if it fits there.
    fn constant_type(&mut self, value: &BigInt, kind: TypeId) -> TypeId {
        let wide = |signed| IntegerType { bits: 64, signed };
        let own = self.types.as_integer(kind).unwrap_or(IntegerType::INT);
        let kinds = [
            IntegerType::INT,
            own,
            IntegerType::UNSIGNED_INT,
            wide(true),
            wide(false),
        ];
        let fits = |kind: &IntegerType| kind.minimum() <= *value && *value <= kind.maximum();
        match kinds.into_iter().find(fits) {
            Some(found) => self.types.integer(found),
            None => kind,
        }
    }
}
