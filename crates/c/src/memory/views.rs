//! Objects that are seen as bytes: variables and allocated memory that are used at types of which none is that of the others, or
//! through pointers that were moved over parts of something.
//!
//! Such an object is one array of bytes ([`crate::points_to::viewed`]), and a pointer into it counts bytes. A number is read
//! as the sum of its bytes, the least significant first, as the machines that are translated for have them, and written to each
//! of them; so are bit-fields. The bytes between the members of a struct have no value that is told when the struct is copied.
//!
//! That is what compilers do where they do not conclude anything from the types of accesses (`-fno-strict-aliasing`). `float` and
//! `double` are made of bytes, too ([`super::bits`]), and `_Bool` is a byte that is 0 or 1; pointers and `long double` are not:
//! objects with such members are not seen so.

use super::access::{Obstacle, Purpose, Spot, index_of};
use super::bits::{WORD, has_known_bits, only_bit, shifted};

use super::{Context, Lowering, build};
use crate::diagnostics::Diagnostic;
use crate::flat::{Failure, FlatExpression, FlatInstructionKind, FlatProgram, FlatVariable, Leaf};
use crate::inline::numeric;
use crate::options::Options;
use crate::points_to::locations::{LocationId, ObjectKind};
use crate::points_to::viewed::{BYTE, Viewed};
use crate::program::{
    BinaryOperator, ErrorKind, Expression, ExpressionKind, InstructionKind, Numeric, Place, PlaceStep, Program,
    VariableId, Written,
};
use crate::types::{IntegerType, Length, Type, TypeId, Types};
use num_bigint::BigInt;
use num_traits::Zero;

/// An object of more bytes than that is not seen as bytes.
pub(super) const MOST_BYTES: u64 = 1 << 16;

/// How often objects are found that should be seen as bytes because others are.
const MOST_VIEWS: usize = 12;

/// What has been found out about objects that are seen as bytes.
#[derive(Default)]
pub(super) struct Views {
    /// Those that should be.
    pub wanted: Viewed,
    /// Those that are, but cannot be.
    pub unfit: Viewed,
}

/// [Flattens](super::flatten) a program with objects seen as bytes where they are used at several types; `None` if there are none that can be seen so.
///
/// # Errors
/// The program is larger than the options allow once its calls are inlined.
pub fn flatten_as_bytes(program: &Program, options: &Options) -> Result<Option<FlatProgram>, Vec<Diagnostic>> {
    let (mut viewed, mut barred) = (Viewed::default(), Viewed::default());
    for _ in 0..MOST_VIEWS {
        let (flat, views) = super::flatten_with(program, options, Some(&viewed))?;
        barred.extend(&views.unfit);
        let mut next = viewed.clone();
        next.extend(&views.wanted);
        next.remove(&barred);
        if next == viewed {
            return Ok((!viewed.is_empty()).then_some(flat));
        }
        viewed = next;
    }
    Ok(None)
}

/// What is at a spot in an object that is seen as bytes: the spot's index is that of the first byte.
#[derive(Clone, Debug)]
pub(super) struct Bytes {
    /// Its type.
    pub kind: TypeId,
    /// Of a bit-field, its first bit in the first byte, and how many there are.
    pub field: Option<(u64, u64)>,
    /// Of a bit-field, the bits in its bytes that belong to no member, from the first byte on.
    pub loose: u64,
}

impl Lowering<'_> {
    /// The objects of these locations should be seen as bytes, those of them that can be.
    pub(super) fn want_bytes(&mut self, targets: &[LocationId]) {
        for target in targets {
            if self.can_be_bytes(*target) {
                let site = match self.points_to.locations.object(*target).kind {
                    ObjectKind::Variable(variable) => {
                        self.wanted.variables.insert(variable);
                        continue;
                    }
                    ObjectKind::Allocated(site) => site,
                    _ => continue,
                };
                self.wanted.sites.insert(self.points_to.locations.sites[site].position);
            }
        }
    }

    /// Objects that should be seen as bytes are in what an expression reads, although its value is not calculated.
    pub(super) fn look_for_bytes(&mut self, expression: &Expression<Place>, context: Context<'_>) {
        if self.is_viewing {
            self.expression(expression, context);
        }
    }

    fn can_be_bytes(&self, target: LocationId) -> bool {
        let locations = &self.points_to.locations;
        // Whether it is known outside, or holds addresses, shows when nothing is written there in a way that is not followed.
        if !self.options.arithmetic.is_machine() || self.options.checks.uninitialized {
            return false;
        }
        let (kind, count) = match locations.object(target).kind {
            ObjectKind::Variable(variable) => {
                let found = &self.inlined.program.variables[variable.0 as usize];
                if found.is_elsewhere || self.layout.activation(variable).is_some() {
                    return false;
                }
                (found.kind, Some(1))
            }
            ObjectKind::Allocated(site) => {
                let site = &locations.sites[site];
                if site.repeated {
                    return false;
                }
                let (_, block, position) = site.position;
                let allocation = &self.inlined.blocks()[block].instructions[position].kind;
                // Where bytes are allocated, it does not matter how many.
                if let InstructionKind::Allocate {
                    element,
                    count: Some(_),
                    ..
                } = allocation
                    && self.types.size_of(*element) == Some(1)
                {
                    return self.consists_of_numbers(site.element) || site.element == Types::VOID;
                }
                (site.element, site.count)
            }
            ObjectKind::Function(_) | ObjectKind::Outside => return false,
        };
        let bytes = self
            .types
            .size_of(kind)
            .zip(count)
            .and_then(|(size, count)| size.checked_mul(count));
        let is_variable = matches!(locations.object(target).kind, ObjectKind::Variable(_));
        bytes.is_some_and(|bytes| bytes > 0 && bytes <= MOST_BYTES)
            && self.consists_of_numbers(kind)
            && (is_variable || !self.has_loose_bits(kind))
    }

    fn consists_of_numbers(&self, kind: TypeId) -> bool {
        match self.types.get(kind) {
            Type::Integer(integer) => integer.bits <= 64,
            Type::Floating(bits) => has_known_bits(*bits, self.options.floats),
            Type::Array(element, Length::Fixed(_)) => self.consists_of_numbers(*element),
            Type::Record(record) => {
                let fields = self.types.record(*record).fields.as_deref();
                fields.is_some_and(|fields| fields.iter().all(|field| self.consists_of_numbers(field.kind)))
            }
            _ => false,
        }
    }

    /// Follows the steps of a place inside of an object that is seen as bytes.
    pub(super) fn walk_bytes(
        &mut self,
        start: Spot,
        (kind, outer): (TypeId, Option<VariableId>),
        steps: &[crate::program::PlaceStep],
        purpose: Purpose,
        context: Context<'_>,
    ) -> Result<Spot, Obstacle> {
        let location = start.location;
        let is_whole = start.index.is_none();
        let mut index = start.index.map_or_else(|| build::address(0), build::exact);
        let (mut kind, mut outer, mut field, mut loose) = (kind, outer, None, 0);
        for (position, step) in steps.iter().enumerate() {
            match (step, self.types.get(kind).clone()) {
                (PlaceStep::Index(expression), Type::Array(element, length)) => {
                    let chosen = self.expression(expression, context);
                    let chosen = self.small(chosen, context, "index");
                    if purpose == Purpose::Access || position + 1 < steps.len() {
                        self.guard_index(&chosen, length, outer, location, context);
                    }
                    let Some(size) = self.types.size_of(element) else {
                        let what = "an array of elements of unknown size in bytes".to_string();
                        return Err(self.obstacle(what, &[location]));
                    };
                    index = build::sum(index, build::times(build::exact(chosen), size));
                    (kind, outer) = (element, None);
                }
                (PlaceStep::Field(member), Type::Record(record)) => {
                    let fields = self.types.record(record).fields.as_deref().unwrap_or(&[]);
                    let Some(member) = fields.get(*member) else {
                        return Err(self.obstacle("a member of something else than a struct".to_string(), &[location]));
                    };
                    let first = match member.bit_width {
                        Some(width) => {
                            field = Some((member.bit_offset % 8, u64::from(width)));
                            loose = self.loose_bits(kind, member.bit_offset / 8);
                            member.bit_offset / 8
                        }
                        None => member.offset,
                    };
                    index = build::offset(index, &first.into());
                    kind = member.kind;
                }
                _ => return Err(self.obstacle("a part of something that has none".to_string(), &[location])),
            }
        }
        let bytes = Bytes { kind, field, loose };
        if purpose == Purpose::Access && !is_whole {
            index = self.small(index, context, "byte");
            self.guard_range(location, &index, self.width(&bytes), start.condition.as_ref(), context);
        }
        Ok(Spot {
            condition: start.condition,
            location,
            index: Some(index),
            bytes: Some(bytes),
        })
    }

    /// So many bytes from the index on are in the object, if the condition holds.
    fn guard_range(
        &mut self,
        location: LocationId,
        index: &FlatExpression,
        width: u64,
        condition: Option<&FlatExpression>,
        context: Context<'_>,
    ) {
        let total = self.room_of(location);
        let inside = build::and(
            build::compare(BinaryOperator::LessOrEqual, build::address(0), index.clone()),
            build::compare(
                BinaryOperator::LessOrEqual,
                build::offset(index.clone(), &width.into()),
                total.clone(),
            ),
        );
        let inside = match condition {
            Some(condition) => build::or(build::not(condition.clone()), inside),
            None => inside,
        };
        let text = format!(
            "{width} bytes from byte {{}} on are accessed in {}, which has {{}}",
            self.shown(location)
        );
        let failure = Failure::about(ErrorKind::Bounds, text, vec![index.clone(), total]);
        self.guard(failure, inside, context);
    }

    /// A struct of which a member is accessed is in its object as a whole, and what is accessed is where its type wants it; or
    /// else nobody says what happens.
    pub(super) fn guard_view(
        &mut self,
        address: &FlatExpression,
        places: &[(LocationId, LocationId)],
        (access, is_part): (TypeId, bool),
        context: Context<'_>,
    ) {
        for (place, _) in places {
            if !self.points_to.locations.is_bytes(*place) {
                continue;
            }
            let base = self.layout.address(*place);
            let here = self.is_at(*place, address);
            let size = self.types.size_of(access).unwrap_or(1);
            if is_part && size > 1 {
                let end = build::offset(address.clone(), &(BigInt::from(size) - &base));
                let inside = build::compare(BinaryOperator::LessOrEqual, end, self.room_of(*place));
                let what = "a member of a struct that is not there as a whole";
                let elsewhere = build::not(here.clone());
                if self.options.checks.bounds {
                    self.refuse_unless(context.if_evaluated(build::or(elsewhere, inside)), what);
                }
            }
            let wanted = self.types.alignment_of(access).max(1);
            if wanted > 1 {
                let aligned = match self.alignment_of_object(*place) >= wanted {
                    true => {
                        let from = build::offset(address.clone(), &-base);
                        match build::constant(&from) {
                            Some(from) => build::truth((from % wanted).is_zero()),
                            None => {
                                let wanted = build::address(wanted);
                                let rest = build::binary(
                                    BinaryOperator::Remainder,
                                    from,
                                    wanted,
                                    Numeric::Pointer,
                                    Types::INT,
                                );
                                build::compare(BinaryOperator::Equal, rest, build::address(0))
                            }
                        }
                    }
                    false => build::truth(false),
                };
                let what = "an access that may not be aligned as its type wants it";
                let elsewhere = build::not(here);
                if self.options.checks.bounds {
                    self.refuse_unless(context.if_evaluated(build::or(elsewhere, aligned)), what);
                }
            }
        }
    }

    /// How many bytes the object has.
    fn room_of(&mut self, location: LocationId) -> FlatExpression {
        match self.points_to.locations.get(location).total {
            Some(total) => build::address(total),
            None => {
                let base = self.layout.address(location);
                build::offset(self.end_of(location, &base), &-base)
            }
        }
    }

    /// How many bytes what is there touches.
    fn width(&self, bytes: &Bytes) -> u64 {
        match bytes.field {
            Some((start, width)) => (start + width).div_ceil(8),
            None => self.types.size_of(bytes.kind).unwrap_or(1),
        }
    }

    /// The first bit, how many there are, and the numbers that they make.
    fn number_at(&mut self, spot: &Spot, bytes: &Bytes) -> Result<(u64, u64, IntegerType), Obstacle> {
        let number = match (self.types.get(bytes.kind), bytes.field) {
            (Type::Integer(kind), Some((start, width))) => {
                let number = IntegerType {
                    bits: match u32::try_from(width).unwrap_or(u32::MAX) {
                        // One bit would be `_Bool`, to which conversions are different.
                        1 if kind.signed => 8,
                        bits => bits,
                    },
                    signed: kind.signed,
                };
                (start + width <= 64).then_some((start, width, number))
            }
            // A byte that is 0 or 1.
            (&Type::Integer(IntegerType::BOOL), None) => Some((0, 8, BYTE)),
            (Type::Integer(kind), None) if matches!(kind.bits, 8 | 16 | 32 | 64) => {
                Some((0, u64::from(kind.bits), *kind))
            }
            (Type::Floating(bits), None) if has_known_bits(*bits, self.options.floats) => {
                let number = IntegerType {
                    bits: *bits,
                    signed: false,
                };
                Some((0, u64::from(*bits), number))
            }
            _ => None,
        };
        number.ok_or_else(|| {
            let what = format!("an access to bytes as `{}`", self.types.display(bytes.kind));
            self.obstacle(what, &[spot.location])
        })
    }

    /// The number that the bytes at a spot make.
    pub(super) fn read_bytes(&mut self, spot: &Spot, bytes: &Bytes) -> Result<FlatExpression, Obstacle> {
        let (start, width, number) = self.number_at(spot, bytes)?;
        let Some(array) = self.layout.leaf(spot.location) else {
            return Err(self.obstacle("bytes of nothing".to_string(), &[spot.location]));
        };
        let mut word: Option<FlatExpression> = None;
        for position in 0..(start + width).div_ceil(8) {
            let byte = self.byte(array, spot, position);
            let byte = shifted(self.word_of(byte, 8), 8 * position);
            word = Some(match word {
                Some(word) => build::binary(BinaryOperator::Add, word, byte, WORD, Types::INT),
                None => byte,
            });
        }
        let word = word.unwrap_or_else(|| build::integer(0.into(), WORD, Types::INT));
        let all = (start + width).next_multiple_of(8).min(64);
        let word = match (start, width == all) {
            (0, true) => word,
            _ => self.bits_of(word, all, start, width),
        };
        let integer = build::converted(word, Numeric::Integer(number), bytes.kind, self.types.size_type());
        Ok(match numeric(self.types, bytes.kind) {
            floating @ Numeric::Floating(_) => self.of_bits(integer, floating, bytes.kind),
            truth @ Numeric::Integer(IntegerType::BOOL) if bytes.field.is_none() => {
                let is_one = build::compare(
                    BinaryOperator::LessOrEqual,
                    build::exact(integer.clone()),
                    build::address(1),
                );
                let is_one = match &spot.condition {
                    Some(condition) => build::or(build::not(condition.clone()), is_one),
                    None => is_one,
                };
                self.refuse_unless(is_one, "reading a `_Bool` that is neither 0 nor 1");
                build::converted(integer, truth, bytes.kind, self.types.size_type())
            }
            _ if bytes.field.is_some() && width == 1 => only_bit(integer),
            _ => integer,
        })
    }

    /// The bytes at a spot become those of a number, if the condition holds.
    pub(super) fn write_bytes(
        &mut self,
        spot: &Spot,
        bytes: &Bytes,
        value: &FlatExpression,
        condition: Option<&FlatExpression>,
    ) -> Result<(), Obstacle> {
        let (start, width, number) = self.number_at(spot, bytes)?;
        let Some(array) = self.layout.leaf(spot.location) else {
            return Err(self.obstacle("bytes of nothing".to_string(), &[spot.location]));
        };
        let value = self.as_bits(value.clone());
        let value = build::converted(value, Numeric::Integer(number), bytes.kind, self.types.size_type());
        let word = self.word_of(value, width);
        // What is written may be made of what is there, and so may be the place.
        let word = match build::constant(&word) {
            Some(_) => word,
            None => self.hoisted(word, Context::Always, "written"),
        };
        let mut spot = spot.clone();
        if let Some(index) = spot.index.take() {
            spot.index = Some(match build::constant(&index) {
                Some(_) => index,
                None => self.hoisted(index, Context::Always, "byte"),
            });
        }
        for position in 0..(start + width).div_ceil(8) {
            let old = self.byte(array, &spot, position);
            let first = (8 * position).max(start);
            let count = (8 * position + 8).min(start + width) - first;
            let piece = self.bits_of(word.clone(), width.max(first - start + count), first - start, count);
            let at = first - 8 * position;
            let whole = match count {
                8 => piece,
                _ => {
                    let before = self.word_of(old.clone(), 8);
                    let kept = shifted(self.bits_of(old.clone(), 8, at, count), at);
                    let rest = build::binary(BinaryOperator::Subtract, before, kept, WORD, Types::INT);
                    build::binary(BinaryOperator::Add, rest, shifted(piece, at), WORD, Types::INT)
                }
            };
            let mut new = build::converted(whole, old.numeric, old.c_type, self.types.size_type());
            // Compilers may set these, too.
            new = self.with_any_bits(new, (bytes.loose >> (8 * position)) as u8);
            if let Some(condition) = condition {
                new = build::conditional(condition.clone(), new, old);
            }
            self.put_byte(array, &spot, position, new);
        }
        Ok(())
    }

    pub(super) fn byte(&self, array: FlatVariable, spot: &Spot, position: u64) -> FlatExpression {
        let leaf = match self.layout.variables[array.0 as usize].is_array {
            true => Leaf::Element(
                array,
                Box::new(build::offset(build::exact(index_of(spot)), &position.into())),
            ),
            false => Leaf::Variable(array),
        };
        FlatExpression {
            kind: ExpressionKind::Read(leaf),
            numeric: Numeric::Integer(BYTE),
            c_type: self.points_to.locations.get(spot.location).element,
            written: Written::default(),
        }
    }

    pub(super) fn put_byte(&mut self, array: FlatVariable, spot: &Spot, position: u64, value: FlatExpression) {
        self.push(match self.layout.variables[array.0 as usize].is_array {
            true => FlatInstructionKind::Store {
                array,
                index: build::offset(build::exact(index_of(spot)), &position.into()),
                value,
            },
            false => FlatInstructionKind::Assign(array, value),
        });
    }

    /// How many numbers a pointer to the type is moved by one element; `None` if that depends on where it points.
    pub(super) fn distance_of_one(&mut self, targets: &[LocationId], kind: TypeId, elements: u64) -> Option<u64> {
        let locations = &self.points_to.locations;
        let bytes = targets.iter().filter(|target| locations.is_bytes(**target)).count();
        match bytes {
            // What points to nothing is a number, and that counts bytes.
            0 if targets.is_empty() => Some(self.types.size_of(kind).unwrap_or(elements)),
            0 => Some(elements),
            _ if bytes == targets.len() => self.types.size_of(kind),
            _ => {
                self.want_bytes(targets);
                None
            }
        }
    }
}
