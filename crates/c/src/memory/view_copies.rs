//! Structs and arrays in objects that are [seen as bytes](super::views), as a whole: byte by byte. The bytes between the members of a
//! struct have no value that is told when it is copied.

use super::access::{Spot, index_of};
use super::aggregates::Part;
use super::bits::{WORD, shifted};
use super::views::MOST_BYTES;
use super::{Context, Lowering, build};
use crate::flat::{FlatExpression, FlatInstructionKind};
use crate::points_to::locations::{LocationId, ObjectKind};
use crate::points_to::viewed::BYTE;
use crate::program::{BinaryOperator, Numeric, UnknownSource};
use crate::types::{Length, Type, TypeId, Types};
use num_bigint::BigInt;

/// So many bytes are copied one by one.
const MOST_COPIED: u64 = 256;

impl Lowering<'_> {
    /// The bytes of a value of the type at spots in objects that are seen as bytes, as spots of their own; the location if they are
    /// all of it. `None` if they cannot be told.
    pub(super) fn byte_parts(&mut self, spots: &[Spot], kind: TypeId) -> Option<Vec<Part>> {
        let all_bytes = spots.iter().all(|spot| match &spot.bytes {
            Some(bytes) => bytes.field.is_none(),
            None => false,
        });
        let size = self.types.size_of(kind)?;
        if !all_bytes {
            let locations: Vec<LocationId> = spots.iter().map(|spot| spot.location).collect();
            self.want_bytes(&locations);
            return None;
        }
        if let [spot] = spots
            && self.is_all(spot, size)
        {
            return Some(vec![Err(spot.location)]);
        }
        if size > MOST_COPIED {
            return None;
        }
        let part = |position: u64| {
            let moved = |spot: &Spot| Spot {
                condition: spot.condition.clone(),
                location: spot.location,
                index: Some(build::offset(build::exact(index_of(spot)), &position.into())),
                bytes: None,
            };
            Ok((spots.iter().map(moved).collect(), position))
        };
        Some((0..size).map(part).collect())
    }

    /// Whether so many bytes at the spot are all of its object, which has several.
    fn is_all(&self, spot: &Spot, size: u64) -> bool {
        let is_first = build::constant(&index_of(spot)).is_some_and(|index| *index == BigInt::from(0));
        is_first && size > 1 && self.points_to.locations.get(spot.location).total == Some(size)
    }

    /// `target = source` for structs of which some are seen as bytes.
    pub(super) fn copy_bytes(&mut self, to: &[Spot], from: &[Spot], kind: TypeId) {
        let padding = self.padding(kind);
        if let ([to], [from], Some(size)) = (to, from, self.types.size_of(kind))
            && self.is_all(to, size)
            && self.is_all(from, size)
            && padding.is_empty()
            && !self.has_loose_bits(kind)
            && let (Some(target), Some(source)) = (self.layout.leaf(to.location), self.layout.leaf(from.location))
        {
            if target != source {
                self.push(FlatInstructionKind::CopyArray { target, source });
            }
            return;
        }
        let parts = [to, from].map(|spots| match spots.is_empty() {
            true => Some(Vec::new()),
            false => self.single_bytes(spots, kind),
        });
        let [Some(to_parts), Some(from_parts)] = parts else {
            let locations: Vec<LocationId> = to.iter().map(|spot| spot.location).collect();
            let obstacle = self.obstacle("a copy between bytes and something else".to_string(), &locations);
            return self.unsupported_write(obstacle);
        };
        let mut values = Vec::new();
        let used = self.used_bits(kind);
        for (position, from) in from_parts.iter().enumerate() {
            let loose = used.get(position).map_or(0, |used| !used);
            let is_padding = padding.contains(&(position as u64));
            let value = match (is_padding, self.value_at(from, Numeric::Integer(BYTE), Types::INT)) {
                (true, _) => {
                    let source = UnknownSource::NotCalculated("bytes between members of a copied struct".to_string());
                    self.unknown(Numeric::Integer(BYTE), Types::INT, source)
                }
                (false, Ok(value)) => {
                    let value = self.with_any_bits(value, loose);
                    self.hoisted(value, Context::Always, "copied")
                }
                (false, Err(obstacle)) => return self.unsupported_write(obstacle),
            };
            values.push(value);
        }
        for (to, value) in to_parts.iter().zip(values) {
            self.write(to, &value);
        }
    }

    /// The bytes one by one, even if they are all of an object.
    fn single_bytes(&mut self, spots: &[Spot], kind: TypeId) -> Option<Vec<Vec<Spot>>> {
        let size = self.types.size_of(kind)?;
        let parts = self.byte_parts(spots, kind)?;
        let whole = matches!(parts[..], [Err(_)]);
        if whole && size > MOST_COPIED {
            return None;
        }
        let spots = spots.to_vec();
        Some(match whole {
            false => parts.into_iter().flatten().map(|(spots, _)| spots).collect(),
            true => (0..size)
                .map(|position| {
                    let moved = |spot: &Spot| Spot {
                        condition: spot.condition.clone(),
                        location: spot.location,
                        index: Some(build::address(position)),
                        bytes: None,
                    };
                    spots.iter().map(moved).collect()
                })
                .collect(),
        })
    }

    /// The bytes of a type that belong to none of its members.
    pub(super) fn padding(&self, kind: TypeId) -> Vec<u64> {
        let used = self.used_bits(kind);
        let unused = used.iter().zip(0u64..).filter(|(used, _)| **used == 0);
        unused.map(|(_, position)| position).collect()
    }

    /// A byte in which these bits are anything.
    pub(super) fn with_any_bits(&mut self, byte: FlatExpression, loose: u8) -> FlatExpression {
        let (mut byte, mut start) = (byte, 0);
        while start < 8 {
            let count = u64::from((loose >> start).trailing_ones());
            if count == 0 {
                start += 1;
                continue;
            }
            let source = UnknownSource::NotCalculated("bits that belong to no member".to_string());
            let any = self.unknown(Numeric::Integer(BYTE), byte.c_type, source);
            let byte_now = self.hoisted(byte, Context::Always, "byte");
            let (numeric, kind) = (byte_now.numeric, byte_now.c_type);
            let before = shifted(self.bits_of(byte_now.clone(), 8, start, count), start);
            let after = shifted(self.bits_of(any, 8, start, count), start);
            let rest = build::binary(
                BinaryOperator::Subtract,
                self.word_of(byte_now, 8),
                before,
                WORD,
                Types::INT,
            );
            let whole = build::binary(BinaryOperator::Add, rest, after, WORD, Types::INT);
            byte = build::converted(whole, numeric, kind, self.types.size_type());
            start += count;
        }
        byte
    }

    /// Whether there are bytes of which members have some bits, but not all.
    pub(super) fn has_loose_bits(&self, kind: TypeId) -> bool {
        self.used_bits(kind).iter().any(|used| !matches!(*used, 0 | u8::MAX))
    }

    /// The bits of eight bytes of a struct that belong to no member, but for bytes of which none does.
    pub(super) fn loose_bits(&self, kind: TypeId, first: u64) -> u64 {
        let used = self.used_bits(kind).into_iter();
        let used = used.skip(usize::try_from(first).unwrap_or(usize::MAX)).take(8);
        let loose = used.map(|used| if used == 0 { 0 } else { !used });
        loose
            .zip(0..)
            .fold(0, |bits, (byte, position)| bits | u64::from(byte) << (8 * position))
    }

    /// For each byte of a type, the bits that belong to its members.
    fn used_bits(&self, kind: TypeId) -> Vec<u8> {
        let size = self.types.size_of(kind).filter(|size| *size <= MOST_BYTES);
        let mut used = vec![0; size.and_then(|size| usize::try_from(size).ok()).unwrap_or(0)];
        self.mark_used(kind, 0, &mut used);
        used
    }

    /// Marks the bits of a type's members, which begins with this bit.
    fn mark_used(&self, kind: TypeId, start: u64, used: &mut [u8]) {
        match self.types.get(kind) {
            Type::Array(element, Length::Fixed(length)) => {
                let bits = self.types.size_of(*element).unwrap_or(0) * 8;
                for index in 0..*length {
                    self.mark_used(*element, start + index * bits, used);
                }
            }
            Type::Record(record) => {
                for field in self.types.record(*record).fields.as_deref().unwrap_or(&[]) {
                    match field.bit_width {
                        Some(width) => mark(used, start + field.bit_offset, width.into()),
                        None => self.mark_used(field.kind, start + field.bit_offset, used),
                    }
                }
            }
            _ => mark(used, start, self.types.size_of(kind).unwrap_or(0) * 8),
        }
    }

    /// What is between the members of a variable that is declared without a value, compilers may set when they set the members.
    pub(super) fn leave_padding_open(&mut self, root: LocationId) {
        let ObjectKind::Variable(variable) = self.points_to.locations.object(root).kind else {
            return;
        };
        let kind = self.inlined.program.variables[variable.0 as usize].kind;
        let (used, padding) = (self.used_bits(kind), self.padding(kind));
        let loose = (0_u64..).zip(used).filter(|(_, used)| !matches!(*used, 0 | u8::MAX));
        let loose: Vec<(u64, u8)> = loose.map(|(position, used)| (position, !used)).collect();
        let is_open = !padding.is_empty() || !loose.is_empty();
        let Some(array) = self.layout.leaf(root).filter(|_| is_open) else {
            return;
        };
        let source = || UnknownSource::NotCalculated("bytes between members of a struct".to_string());
        if (padding.len() + loose.len()) as u64 > MOST_COPIED {
            return self.push(FlatInstructionKind::Unknown(array, source()));
        }
        for position in padding {
            let value = self.unknown(Numeric::Integer(BYTE), Types::INT, source());
            let index = build::address(position);
            self.push(FlatInstructionKind::Store { array, index, value });
        }
        for (position, loose) in loose {
            let spot = Spot {
                condition: None,
                location: root,
                index: Some(build::address(position)),
                bytes: None,
            };
            let byte = self.byte(array, &spot, 0);
            let value = self.with_any_bits(byte, loose);
            self.put_byte(array, &spot, 0, value);
        }
    }
}

/// Marks so many bits from one on.
fn mark(used: &mut [u8], from: u64, bits: u64) {
    for bit in from..from + bits {
        if let Some(byte) = usize::try_from(bit / 8).ok().and_then(|byte| used.get_mut(byte)) {
            *byte |= 1 << (bit % 8);
        }
    }
}
