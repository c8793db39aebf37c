//! Unions that are written as one member and read as another: numbers that are written to one member are written to the bits
//! of the others, too, so that each can be read as it is ([`super::spreading`]).
//!
//! A member keeps its variables, as everything else does. After a write, each number of another member that has bits in
//! common with what was written gets these bits, the least significant first, as the machines that are translated for have
//! them, bit-fields included; bits that were not written stay, as compilers leave them. What costs nothing elsewhere: members that
//! nobody reads are sliced away.
//!
//! Bits of floating-point numbers are those that [`super::bits`] tells. Those of pointers, of integers that may be addresses, of
//! `long double` and of `_Bool` are not followed. Where a union has such members, each number has a flag beside it that says whether
//! it is what was written last there ([`super::validity`]).

use super::bits::has_known_bits;
use crate::options::Floats;
use crate::points_to::PointsTo;
use crate::points_to::locations::{LocationId, Locations};
use crate::types::{Field, Type, TypeId, Types};
use hashbrown::HashMap;

/// A union with more numbers than that is none of these.
const MOST_NUMBERS: usize = 64;

/// A number, or an array of numbers, in a union.
#[derive(Clone)]
pub(super) struct Part {
    /// Where it is.
    pub leaf: LocationId,
    /// The bits of each.
    pub width: u64,
    /// For each number of it in one such union: where it begins, in bits from the union's start.
    pub offsets: Vec<u64>,
    /// Whether it is an integer of all its bits, or a floating-point number whose bits are known.
    pub has_bits: bool,
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
pub(super) struct Overlay {
    union: LocationId,
    /// What is in it.
    pub parts: Vec<Part>,
    /// Whether flags say which of its numbers can be read.
    pub is_flagged: bool,
}

/// The unions.
#[derive(Clone, Default)]
pub(super) struct Overlays {
    pub unions: Vec<Overlay>,
    /// In which of them a leaf is, and which of its parts it is.
    pub of_leaf: HashMap<LocationId, (usize, usize)>,
    /// What floating-point numbers are.
    floats: Floats,
}

impl Overlays {
    /// None yet, of a program whose floating-point numbers are these.
    pub fn new(floats: Floats) -> Overlays {
        Overlays {
            floats,
            ..Overlays::default()
        }
    }

    /// Adds a union, of which these members are used, perhaps with flags. Says whether it is one of those that can be followed. Those that
    /// it is in must have been added before.
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
            let part = part(types, self.floats, locations, union, (leaf, &path)).map(|part| Part {
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
        // Inside a union that has been added all bits are followed already. One of which only some are could not be.
        let mut outer = parts
            .iter()
            .map(|part| self.of_leaf.get(&part.leaf).map(|(union, _)| *union));
        match outer.next().flatten() {
            Some(union) => {
                return outer.all(|other| other == Some(union)) && self.unions[union].is_flagged == is_flagged;
            }
            None if outer.any(|other| other.is_some()) => return false,
            None => {}
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
fn part(
    types: &Types,
    floats: Floats,
    locations: &Locations,
    union: LocationId,
    (leaf, path): (LocationId, &[usize]),
) -> Option<Part> {
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
        Type::Integer(kind) if bits.is_some() => kind.bits <= 64,
        Type::Integer(kind) => matches!(kind.bits, 8 | 16 | 32 | 64) && u64::from(kind.bits) == whole,
        Type::Floating(bits) => has_known_bits(*bits, floats),
        Type::Pointer(_) => false,
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
            Type::Array(element, crate::types::Length::Fixed(length)) => bits(types, *element)?.checked_mul(*length),
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
