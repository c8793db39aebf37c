//! Unions that are written as one member and read as another: integers that are written to one member are written to the bits
//! of the others, too, so that each can be read as it is.
//!
//! A member keeps its variables, as everything else does. After a write, each number of another member that has bits in
//! common with what was written gets these bits, the least significant first, as the machines that are translated for have
//! them, bit-fields included; bits that were not written stay, as compilers leave them. What costs nothing elsewhere: members that
//! nobody reads are sliced away.
//!
//! Bits of pointers, integers that may be addresses, floating-point numbers and `_Bool` are not followed. Where a union has such
//! members, each number has a flag beside it that says whether it is what was written last there ([`super::validity`]).

use super::access::{Obstacle, Spot};
use super::{Context, Lowering, build};
use crate::c::flat::FlatExpression;
use crate::c::points_to::PointsTo;
use crate::c::points_to::locations::{LocationId, Locations};
use crate::c::program::{BinaryOperator, Numeric};
use crate::c::types::{Field, IntegerType, Type, TypeId, Types};
use hashbrown::HashMap;
use num_bigint::BigInt;

/// A union with more numbers than that is none of these.
const MOST_NUMBERS: usize = 64;

/// A number, or an array of numbers, in a union.
#[derive(Clone)]
struct Part {
    leaf: LocationId,
    /// The bits of each.
    width: u64,
    /// For each number of it in one such union: where it begins, in bits from the union's start.
    offsets: Vec<u64>,
    /// Whether it is an integer of all its bits.
    has_bits: bool,
    is_pointer: bool,
    /// Whether a number that nobody knows may be in it, which may be an address from elsewhere.
    has_numbers: bool,
    /// Whether an address may be in it.
    has_addresses: bool,
}

impl Part {
    /// Whether the other one has bits in common with this one.
    fn overlaps(&self, other: &Part) -> bool {
        let meets = |(one, other_one): (u64, u64)| one < other_one + other.width && other_one < one + self.width;
        let mut pairs = self
            .offsets
            .iter()
            .flat_map(|one| other.offsets.iter().map(move |other| (*one, *other)));
        pairs.any(meets)
    }
}

/// A union, and what is in it.
#[derive(Clone)]
struct Overlay {
    union: LocationId,
    parts: Vec<Part>,
    /// Whether flags say which of its numbers can be read.
    is_flagged: bool,
}

/// The unions.
#[derive(Clone, Default)]
pub(super) struct Overlays {
    unions: Vec<Overlay>,
    of_leaf: HashMap<LocationId, (usize, usize)>,
}

impl Overlays {
    /// Adds a union, of which these members are used, perhaps with flags. Says whether it is one of those that can be followed.
    pub fn add(
        &mut self,
        types: &Types,
        points_to: &PointsTo,
        union: LocationId,
        members: &[LocationId],
        is_flagged: bool,
    ) -> bool {
        let locations = &points_to.locations;
        let mut parts = Vec::new();
        for (leaf, path) in locations.leaves(union) {
            let first = path.first().and_then(|field| locations.child(union, *field));
            if !first.is_some_and(|first| members.contains(&first)) {
                continue;
            }
            // The bits of an address are not known.
            let contents = points_to.contents(leaf);
            let has_addresses = contents.iter().any(|target| *target != locations.number);
            let part = part(types, locations, union, leaf, &path).map(|part| Part {
                has_bits: part.has_bits && !has_addresses,
                has_numbers: !contents.is_empty(),
                has_addresses,
                ..part
            });
            match part {
                Some(part) if part.has_bits || is_flagged => parts.push(part),
                _ => return false,
            }
        }
        let is_single = locations.get(union).total == Some(1);
        let numbers: usize = parts.iter().map(|part| part.offsets.len()).sum();
        if numbers > MOST_NUMBERS || parts.iter().any(|part| part.offsets.len() > 1 && !is_single) {
            return false;
        }
        // Inside a union that has been added all bits are followed already.
        if parts.iter().any(|part| self.of_leaf.contains_key(&part.leaf)) {
            return parts.iter().all(|part| self.of_leaf.contains_key(&part.leaf));
        }
        for (position, part) in parts.iter().enumerate() {
            self.of_leaf.insert(part.leaf, (self.unions.len(), position));
        }
        self.unions.push(Overlay {
            union,
            parts,
            is_flagged,
        });
        true
    }

    /// The union with flags that the leaf is in, if it is in one.
    pub fn flagged(&self, leaf: LocationId) -> Option<LocationId> {
        let (union, _) = self.of_leaf.get(&leaf)?;
        let overlay = &self.unions[*union];
        overlay.is_flagged.then_some(overlay.union)
    }

    /// The leaves of unions with flags, in order.
    pub fn all_flagged(&self) -> Vec<LocationId> {
        let flagged = self.unions.iter().filter(|overlay| overlay.is_flagged);
        flagged
            .flat_map(|overlay| &overlay.parts)
            .map(|part| part.leaf)
            .collect()
    }

    /// Whether what is at the location in a union with flags may be a part of an address if it is not what was written last.
    pub fn may_be_address(&self, locations: &Locations, location: LocationId) -> bool {
        let mut leaves = locations.leaves(location).into_iter();
        leaves.any(|(leaf, _)| {
            let Some((union, position)) = self.of_leaf.get(&leaf) else {
                return false;
            };
            let overlay = &self.unions[*union];
            let read = &overlay.parts[*position];
            let others = overlay.parts.iter().filter(|other| other.leaf != leaf);
            let mut mixed = others.filter(|other| other.has_addresses || read.is_pointer && other.has_numbers);
            overlay.is_flagged && mixed.any(|other| other.overlaps(read))
        })
    }

    /// Whether the location is a part of one of the unions, and not all of it.
    pub fn is_inside(&self, locations: &Locations, location: LocationId) -> bool {
        let Some((leaf, _)) = locations.leaves(location).into_iter().next() else {
            return false;
        };
        let Some((union, _)) = self.of_leaf.get(&leaf) else {
            return false;
        };
        let parts = &self.unions[*union].parts;
        let below = locations.leaves(location);
        !parts
            .iter()
            .all(|part| below.iter().any(|(leaf, _)| *leaf == part.leaf))
    }

    /// How many numbers the leaf has in one of the unions; none if it is in no such union.
    pub fn numbers(&self, leaf: LocationId) -> u64 {
        let found = self.of_leaf.get(&leaf);
        found.map_or(0, |(union, part)| self.unions[*union].parts[*part].offsets.len() as u64)
    }
}

/// What is at the end of the path from a union, if it is a number with bits of its own.
fn part(types: &Types, locations: &Locations, union: LocationId, leaf: LocationId, path: &[usize]) -> Option<Part> {
    let mut offsets = vec![0u64];
    let mut current = union;
    for field in path {
        let Type::Record(record) = types.get(locations.get(current).element) else {
            return None;
        };
        let start = types.record(*record).fields.as_ref()?.get(*field)?.bit_offset;
        current = locations.child(current, *field)?;
        let here = locations.get(current);
        let (own, width) = (here.own?, types.size_of(here.element)?.checked_mul(8)?);
        if own.checked_mul(offsets.len() as u64)? > MOST_NUMBERS as u64 {
            return None;
        }
        let elements = |offset: &u64| (0..own).map(move |element| (element, *offset)).collect::<Vec<_>>();
        let elements: Vec<(u64, u64)> = offsets.iter().flat_map(elements).collect();
        offsets = elements
            .into_iter()
            .map(|(element, offset)| offset + start + element * width)
            .collect();
    }
    let whole = types.size_of(locations.get(leaf).element)?.checked_mul(8)?;
    let bits = locations.get(leaf).bit_width;
    let has_bits = match types.get(locations.get(leaf).element) {
        // A signed one has the values 0 and -1, and wraps like no other.
        Type::Integer(kind) if bits.is_some() => kind.bits <= 64 && !(bits == Some(1) && kind.signed),
        Type::Integer(kind) => matches!(kind.bits, 8 | 16 | 32 | 64) && u64::from(kind.bits) == whole,
        Type::Floating(_) | Type::Pointer(_) => false,
        _ => return None,
    };
    Some(Part {
        leaf,
        width: bits.map_or(whole, u64::from),
        offsets,
        has_bits,
        is_pointer: matches!(types.get(locations.get(leaf).element), Type::Pointer(_)),
        has_numbers: false,
        has_addresses: false,
    })
}

/// Whether a struct or array has bits that belong to none of its numbers.
pub(super) fn has_padding(types: &Types, kind: TypeId) -> bool {
    fn bits(types: &Types, kind: TypeId) -> Option<u64> {
        match types.get(kind) {
            Type::Array(element, crate::c::types::Length::Fixed(length)) => bits(types, *element)?.checked_mul(*length),
            Type::Record(record) => {
                let record = types.record(*record);
                let fields = record.fields.as_ref()?;
                let width = |field: &Field| {
                    field
                        .bit_width
                        .map_or_else(|| bits(types, field.kind), |width| Some(width.into()))
                };
                let sizes: Option<Vec<u64>> = fields.iter().map(width).collect();
                match record.is_union {
                    true => sizes?.into_iter().max(),
                    false => Some(sizes?.into_iter().sum()),
                }
            }
            _ => types.size_of(kind)?.checked_mul(8),
        }
    }
    bits(types, kind) != types.size_of(kind).and_then(|size| size.checked_mul(8))
}

/// The numbers that bits are put together in.
pub(super) const WORD: Numeric = Numeric::Integer(IntegerType {
    bits: 64,
    signed: false,
});

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
            let piece = self.bits_of(value, written.1, start - written.2, end - start);
            let whole = match end - start == width {
                true => piece,
                false => {
                    let kept = self.bits_of(old.clone(), width, start - offset, end - start);
                    let kept = shifted(kept, start - offset);
                    let rest = self.word_of(old.clone(), width);
                    let rest = build::binary(BinaryOperator::Subtract, rest, kept, WORD, old.c_type);
                    let piece = shifted(piece, start - offset);
                    build::binary(BinaryOperator::Add, rest, piece, WORD, old.c_type)
                }
            };
            let mut new = build::converted(whole, old.numeric, old.c_type, self.types.size_type());
            if let Some(condition) = &condition {
                new = build::conditional(condition.clone(), new, old);
            }
            self.put(&to, new);
        }
    }

    /// A number of so many bits, without its sign.
    pub(super) fn word_of(&self, value: FlatExpression, width: u64) -> FlatExpression {
        let bits = u32::try_from(width).unwrap_or(64);
        let (kind, word) = (value.c_type, self.types.size_type());
        let unsigned = Numeric::Integer(IntegerType { bits, signed: false });
        build::converted(build::converted(value, unsigned, kind, word), WORD, kind, word)
    }

    /// Some bits of a number of so many, as a number.
    pub(super) fn bits_of(&self, value: FlatExpression, width: u64, start: u64, count: u64) -> FlatExpression {
        let kind = value.c_type;
        let mut word = self.word_of(value, width);
        let power = |bits: u64| build::integer(BigInt::from(1) << bits, WORD, kind);
        if start > 0 {
            word = build::binary(BinaryOperator::Divide, word, power(start), WORD, kind);
        }
        if start + count < width {
            word = build::binary(BinaryOperator::Remainder, word, power(count), WORD, kind);
        }
        word
    }
}

/// A number with so many bits of zero below it.
pub(super) fn shifted(word: FlatExpression, bits: u64) -> FlatExpression {
    if bits == 0 {
        return word;
    }
    let kind = word.c_type;
    let factor = build::integer(BigInt::from(1) << bits, WORD, kind);
    build::binary(BinaryOperator::Multiply, word, factor, WORD, kind)
}
