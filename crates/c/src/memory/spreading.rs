//! What is written to a member of a union whose bits are followed ([`super::overlays`]) is written to the others that share bits with
//! it: numbers get these bits, or are made of what is beside them.

use super::access::{Obstacle, Spot};
use super::bits::{WORD, only_bit, shifted};
use super::overlays::has_padding;
use super::{Context, Lowering, build};
use crate::flat::FlatExpression;
use crate::points_to::locations::LocationId;
use crate::program::BinaryOperator;
use crate::types::{Type, TypeId, Types};

impl Lowering<'_> {
    /// Why a struct cannot be written as a whole into a member of a union whose other members are read: nobody knows what
    /// becomes of the bits between its numbers.
    pub(super) fn padding_in_overlay(&self, spots: &[Spot], kind: TypeId) -> Option<Obstacle> {
        let locations = &self.points_to.locations;
        let mut inside = spots.iter().map(|spot| spot.location);
        if !inside.any(|location| self.overlays.is_inside(locations, location)) || !has_padding(self.types, kind) {
            return None;
        }
        let places: Vec<LocationId> = spots.iter().map(|spot| spot.location).collect();
        let what =
            "a struct with padding that becomes a member of a union, of which another member is read".to_string();
        Some(self.obstacle(what, &places))
    }

    /// The spots with indices that stay what they are while numbers in unions change; `None` if they do anyway.
    pub(super) fn kept_for_spreading(&mut self, spots: &[Spot]) -> Option<Vec<Spot>> {
        let is_in_union = |spot: &Spot| self.overlays.of_leaf.contains_key(&spot.location);
        if !spots.iter().any(is_in_union) {
            return None;
        }
        let mut kept = Vec::with_capacity(spots.len());
        for spot in spots {
            let mut spot = spot.clone();
            if let Some(index) = spot.index.take_if(|index| build::constant(index).is_none()) {
                spot.index = Some(self.hoisted(index, Context::Always, "index"));
            }
            kept.push(spot);
        }
        Some(kept)
    }

    /// What was written at the spots becomes visible in the other members of their unions.
    pub(super) fn spread(&mut self, spots: &[Spot]) {
        for spot in spots {
            let Some((union, position)) = self.overlays.of_leaf.get(&spot.location).copied() else {
                continue;
            };
            let overlay = &self.overlays.unions[union];
            if overlay.is_flagged {
                // What is written as a whole has all its numbers written, and its flags are set by whoever does it.
                if !self.validity.is_suspended {
                    let is_certain = spots.len() == 1;
                    self.spread_flagged(union, position, spot, is_certain);
                }
                continue;
            }
            let numbers = overlay.parts[position].offsets.len();
            let index = spot.index.as_ref().map(|index| build::constant(index).cloned());
            match (numbers, index) {
                (1, _) => self.spread_number(union, position, 0, spot.index.clone(), None),
                (_, None) => self.spread_number(union, position, 0, None, None),
                (_, Some(Some(constant))) => {
                    if let Ok(number) = usize::try_from(constant)
                        && number < numbers
                    {
                        self.spread_number(union, position, number, None, None);
                    }
                }
                (_, Some(None)) => {
                    for number in 0..numbers {
                        let wanted = build::address(number);
                        let here = spot.index.clone().map(|index| {
                            let index = build::exact(index);
                            build::compare(BinaryOperator::Equal, index, wanted)
                        });
                        self.spread_number(union, position, number, None, here);
                    }
                }
            }
        }
    }

    /// The same in a union with flags, where a number may be in one of several places.
    fn spread_flagged(&mut self, union: usize, position: usize, spot: &Spot, is_certain: bool) {
        let numbers = self.overlays.unions[union].parts[position].offsets.len();
        let here = spot.condition.clone().filter(|_| !is_certain);
        let index = spot.index.as_ref().map(|index| build::constant(index).cloned());
        match (numbers, index) {
            (1, _) => self.spread_number(union, position, 0, spot.index.clone(), here),
            (_, None) => self.spread_number(union, position, 0, None, here),
            (_, Some(_)) => {
                for number in 0..numbers {
                    let wanted = build::address(number);
                    let Some(index) = spot.index.clone() else { continue };
                    let is_this = build::compare(BinaryOperator::Equal, build::exact(index), wanted);
                    if build::constant(&is_this).is_some_and(|value| *value == 0.into()) {
                        continue;
                    }
                    let condition = match here.clone() {
                        Some(here) => build::and(here, is_this),
                        None => is_this,
                    };
                    self.spread_number(union, position, number, None, Some(condition));
                }
            }
        }
    }

    /// The same for all numbers of an array that was written as a whole.
    pub(super) fn spread_all(&mut self, leaf: LocationId) {
        for number in 0..self.overlays.numbers(leaf) {
            self.spread(&[Spot {
                condition: None,
                location: leaf,
                index: Some(build::address(number)),
                bytes: None,
            }]);
        }
    }

    fn is_floating(&self, leaf: LocationId) -> bool {
        matches!(
            self.types.get(self.points_to.locations.get(leaf).element),
            Type::Floating(_)
        )
    }

    /// The integers of a union that know their bits: for each number where it is, its width, and its first bit in the union.
    fn integers_of(&self, union: usize) -> Vec<(LocationId, usize, u64, u64)> {
        let parts = self.overlays.unions[union].parts.iter();
        let parts = parts.filter(|part| part.has_bits && !self.is_floating(part.leaf));
        parts
            .flat_map(|part| {
                let numbers = part.offsets.iter().enumerate();
                numbers.map(|(number, offset)| (part.leaf, number, part.width, *offset))
            })
            .collect()
    }

    /// Some bits of a union as its integers have them, which all know what was written last; `None` if they do not have all of them.
    fn bits_beside(
        &mut self,
        union: usize,
        (offset, width): (u64, u64),
        spot_of: &dyn Fn(LocationId, usize) -> Spot,
    ) -> Option<FlatExpression> {
        let integers = self.integers_of(union);
        let (mut at, end) = (offset, offset + width);
        let mut whole: Option<FlatExpression> = None;
        while at < end {
            let here = integers
                .iter()
                .filter(|(_, _, width, first)| *first <= at && at < first + width);
            let (leaf, number, width, first) = *here.max_by_key(|(_, _, width, first)| first + width)?;
            let until = end.min(first + width);
            let (_, value) = self.leaf(&spot_of(leaf, number))?;
            let piece = shifted(self.bits_of(value, width, at - first, until - at), at - offset);
            whole = Some(match whole {
                Some(whole) => build::binary(BinaryOperator::Add, whole, piece, WORD, Types::INT),
                None => piece,
            });
            at = until;
        }
        whole
    }

    /// One number of a part has been written, in the union with this index, perhaps only under a condition.
    fn spread_number(
        &mut self,
        union: usize,
        position: usize,
        number: usize,
        unit: Option<FlatExpression>,
        condition: Option<FlatExpression>,
    ) {
        let parts = &self.overlays.unions[union].parts;
        let written = (
            parts[position].leaf,
            parts[position].width,
            parts[position].offsets[number],
        );
        let is_single = self.points_to.locations.get(written.0).total == Some(parts[position].offsets.len() as u64);
        let mut others = Vec::new();
        for (other, part) in parts.iter().enumerate() {
            if other == position {
                continue;
            }
            for (number, offset) in part.offsets.iter().enumerate() {
                if *offset < written.2 + written.1 && written.2 < offset + part.width {
                    let has_bits = part.has_bits && parts[position].has_bits;
                    others.push((part.leaf, part.width, *offset, number, has_bits));
                }
            }
        }
        // Of a NaN's bits an integer beside it knows more than the number.
        others.sort_by_key(|(leaf, ..)| self.is_floating(*leaf));
        let spot_of = |location: LocationId, number: usize| Spot {
            condition: None,
            location,
            index: match is_single {
                true => Some(build::address(number)),
                false => unit.clone(),
            },
            bytes: None,
        };
        let from = spot_of(written.0, number);
        let is_flagged = self.overlays.unions[union].is_flagged;
        if is_flagged {
            self.set_valid(&from, &build::truth(true), condition.as_ref());
        }
        let mut bits: Option<FlatExpression> = None;
        for (leaf, width, offset, number, has_bits) in others {
            let to = spot_of(leaf, number);
            if is_flagged {
                let is_covered = written.2 <= offset && offset + width <= written.2 + written.1;
                match (has_bits, is_covered) {
                    (true, true) => self.set_valid(&to, &build::truth(true), condition.as_ref()),
                    // The rest of the bits stays what it was, known or not.
                    (true, false) => {}
                    (false, _) => self.set_valid(&to, &build::truth(false), condition.as_ref()),
                }
                if !has_bits {
                    continue;
                }
            }
            let (Some((_, value)), Some((_, old))) = (self.leaf(&from), self.leaf(&to)) else {
                continue;
            };
            let start = offset.max(written.2);
            let end = (offset + width).min(written.2 + written.1);
            let kind = (old.numeric, old.c_type);
            // All members see the same bits, those of a NaN too.
            let value = match bits.take() {
                Some(bits) => bits,
                None => self.as_bits(value),
            };
            bits = Some(value.clone());
            let piece = self.bits_of(value, written.1, start - written.2, end - start);
            let beside = match self.is_floating(leaf) && end - start < width {
                true => self.bits_beside(union, (offset, width), &spot_of),
                false => None,
            };
            let whole = match (end - start == width, beside) {
                (_, Some(beside)) => beside,
                (true, None) => piece,
                (false, None) => {
                    let old = self.as_bits(old.clone());
                    let kept = self.bits_of(old.clone(), width, start - offset, end - start);
                    let kept = shifted(kept, start - offset);
                    let rest = self.word_of(old.clone(), width);
                    let rest = build::binary(BinaryOperator::Subtract, rest, kept, WORD, old.c_type);
                    let piece = shifted(piece, start - offset);
                    build::binary(BinaryOperator::Add, rest, piece, WORD, old.c_type)
                }
            };
            let mut new = self.of_bits(whole, kind.0, kind.1);
            if width == 1 {
                new = only_bit(new);
            }
            if let Some(condition) = &condition {
                new = build::conditional(condition.clone(), new, old);
            }
            self.put(&to, new);
        }
    }
}
