//! Addresses as numbers that count bytes, as far as that is simple.
//!
//! A pointer is the number of a location and an index, not an address in bytes ([`super::layout`]). Handing them on is exact, and
//! comparing two of them is where their numbers tell ([`super::meeting`]); calculating with them as integers is not, and neither
//! is moving a pointer over something else than its elements. Here the cases are translated that can be told by where in its
//! object a pointer points: differences inside one object, bits that the alignment fixes, and pointers moved by a constant. All
//! others are not supported.

use super::{Context, Lowering, build};
use crate::flat::FlatExpression;
use crate::points_to::locations::{LocationId, ObjectId, ObjectKind, pointee};
use crate::program::{BinaryOperator, Expression, ExpressionKind, Numeric, Place};
use crate::types::{Type, TypeId, Types};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::cell::RefCell;

/// What is refused where an operand may be an address.
pub(super) const CALCULATION: &str = "arithmetic on an address as a number";

/// No object lies below this address, nor from the second one on, here as in a program that runs: programs compare pointers with such marks.
const MARKS: (u64, u64) = (4_096, 1 << 62);

/// Where in its object a pointer points.
pub(super) struct Position {
    object: ObjectId,
    /// In bytes from the object's start.
    pub(super) bytes: FlatExpression,
    /// The pointer, as a number of this translation.
    pub(super) raw: FlatExpression,
    /// Whether it can be null.
    pub(super) may_be_null: bool,
}

impl Lowering<'_> {
    /// Whether the integer or pointer may be the address of something.
    pub(super) fn carries_address(&self, value: &Expression<Place>) -> bool {
        let number = self.points_to.locations.number;
        self.may_point(value, &|target| target != number)
    }

    /// Whether the integer or pointer may be the address of something that this translation has given a number to.
    pub(super) fn carries_own_address(&self, value: &Expression<Place>) -> bool {
        let locations = &self.points_to.locations;
        self.may_point(value, &|target| !locations.is_outside(target))
    }

    /// Whose addresses it may be, but for what is outside.
    pub(super) fn own_targets(&self, value: &Expression<Place>) -> Vec<LocationId> {
        let targets = RefCell::new(Vec::new());
        let is_one = |target: LocationId| {
            if !self.points_to.locations.is_outside(target) {
                targets.borrow_mut().push(target);
            }
            // All are wanted.
            false
        };
        self.may_point(value, &is_one);
        targets.into_inner()
    }

    fn may_point(&self, value: &Expression<Place>, counts: &dyn Fn(LocationId) -> bool) -> bool {
        let is_wide = !matches!(value.numeric, Numeric::Integer(kind) if kind.bits < 32);
        match &value.kind {
            ExpressionKind::Convert(inner) if is_wide => self.may_point(inner, counts),
            ExpressionKind::Conditional(_, left, right) => {
                self.may_point(left, counts) || self.may_point(right, counts)
            }
            ExpressionKind::Read(_) | ExpressionKind::AddressOf(_) | ExpressionKind::FunctionAddress(_) if is_wide => {
                let targets = self.points_to.targets(self.types, value);
                targets.iter().any(|target| counts(*target))
            }
            ExpressionKind::Binary(BinaryOperator::PointerAdd, pointer, _) => self.may_point(pointer, counts),
            ExpressionKind::Binary(BinaryOperator::Add, left, right) if is_wide => {
                self.may_point(left, counts) || self.may_point(right, counts)
            }
            // The difference of two addresses is none.
            ExpressionKind::Binary(BinaryOperator::Subtract, left, right) if is_wide => {
                self.may_point(left, counts) && !self.may_point(right, &|_| true)
            }
            _ => false,
        }
    }

    /// Whether the first can only come from outside, and the second is the address of something that nobody knows there.
    fn is_stranger(&self, one: &Expression<Place>, other: &Expression<Place>) -> bool {
        let locations = &self.points_to.locations;
        let (one, other) = (bare(one), bare(other));
        if !matches!(other.kind, ExpressionKind::AddressOf(_)) {
            return false;
        }
        let (from, to) = (
            self.points_to.targets(self.types, one),
            self.points_to.targets(self.types, other),
        );
        let is_unknown = |target: &LocationId| locations.is_outside(*target) || locations.is_visible(*target);
        from.iter().all(|target| locations.is_outside(*target)) && !from.is_empty() && !to.iter().any(is_unknown)
    }

    /// Whether one of the operands is a constant that the other one, the address of something, might be.
    fn meets_a_mark(&self, left: &Expression<Place>, right: &Expression<Place>) -> bool {
        is_odd_mark(left) && self.carries_own_address(right) || is_odd_mark(right) && self.carries_own_address(left)
    }

    /// An operation on integers or pointers of which one may be an address; `None` if it means what it says.
    pub(super) fn address_arithmetic(
        &mut self,
        whole: &Expression<Place>,
        operator: BinaryOperator,
        [left, right]: [&Expression<Place>; 2],
        context: Context<'_>,
    ) -> Option<FlatExpression> {
        let carries = [left, right].map(|operand| self.carries_address(operand));
        if carries == [false, false] {
            return None;
        }
        self.keep_refusals(left, context);
        self.keep_refusals(right, context);
        match operator {
            BinaryOperator::And | BinaryOperator::Or => return None,
            BinaryOperator::Equal | BinaryOperator::NotEqual => {
                if self.is_stranger(left, right) || self.is_stranger(right, left) {
                    self.keep_checks(left, context);
                    self.keep_checks(right, context);
                    return Some(build::truth(operator == BinaryOperator::NotEqual));
                }
                if !self.meets_a_mark(left, right) {
                    if carries != [true, true] || self.numbers_tell(operator, [left, right]) {
                        return None;
                    }
                    if let Some(answer) = self.compared_in_bytes(operator, [left, right], context) {
                        return Some(answer);
                    }
                }
            }
            BinaryOperator::Less | BinaryOperator::LessOrEqual => {
                if carries != [true, true] {
                    // Below all objects or above them are only constants that are known to be.
                    let other = if carries[0] { right } else { left };
                    if is_constant(other) && !self.meets_a_mark(left, right) {
                        return None;
                    }
                } else {
                    let places = [left, right].map(|operand| self.only_target(operand));
                    let object = |place: LocationId| self.points_to.locations.get(place).object;
                    match places {
                        [Some(one), Some(other)] if one == other => return None,
                        [Some(one), Some(other)] if object(one) == object(other) => {}
                        _ => {
                            let refused = self.order_of_objects(whole, [left, right], context);
                            if refused.is_some() || self.numbers_tell(operator, [left, right]) {
                                return refused;
                            }
                        }
                    }
                    if let Some(answer) = self.compared_in_bytes(operator, [left, right], context) {
                        return Some(answer);
                    }
                }
            }
            BinaryOperator::Subtract if carries == [true, true] => {
                let positions = [left, right].map(|operand| self.position(operand, context));
                if let [Some(one), Some(other)] = positions
                    && one.object == other.object
                {
                    let distance = build::difference(one.bytes, other.bytes);
                    let size = self.types.size_type();
                    return Some(build::number_of_distance(distance, whole.numeric, whole.c_type, size));
                }
            }
            // Where numbers count bytes, so does what is added.
            BinaryOperator::Add
                if carries[0] != carries[1] && self.counts_bytes(if carries[0] { left } else { right }) =>
            {
                return None;
            }
            BinaryOperator::Subtract if carries == [true, false] && self.counts_bytes(left) => return None,
            BinaryOperator::BitAnd => {
                let (address, mask) = if carries[0] { (left, right) } else { (right, left) };
                if let ExpressionKind::Integer(mask) = &mask.kind
                    && let Some(bits) = self.low_bits(address, mask + 1, context)
                {
                    return Some(build::converted(
                        bits,
                        whole.numeric,
                        whole.c_type,
                        self.types.size_type(),
                    ));
                }
            }
            BinaryOperator::Remainder => {
                if let ExpressionKind::Integer(modulus) = &right.kind
                    && matches!(whole.numeric, Numeric::Integer(kind) if !kind.signed)
                    && let Some(bits) = self.low_bits(left, modulus.clone(), context)
                {
                    return Some(build::converted(
                        bits,
                        whole.numeric,
                        whole.c_type,
                        self.types.size_type(),
                    ));
                }
            }
            _ => {}
        }
        self.look_for_bytes(left, context);
        self.look_for_bytes(right, context);
        self.keep_checks(left, context);
        self.keep_checks(right, context);
        Some(self.unsupported_operation(CALCULATION, whole, context))
    }

    /// Whether an address as a number can only be one in objects that are seen as bytes; else they should be.
    fn counts_bytes(&mut self, address: &Expression<Place>) -> bool {
        let targets = self.points_to.targets(self.types, address);
        let locations = &self.points_to.locations;
        let is_bytes = |target: &LocationId| locations.is_bytes(*target) && !locations.is_somewhere(*target);
        let counts = !targets.is_empty() && targets.iter().all(is_bytes);
        if !counts {
            self.want_bytes(&targets);
        }
        counts
    }

    /// Which of two objects comes first, C does not say: `None` if both addresses may be in one. Where they are not, the
    /// comparison is undefined.
    fn order_of_objects(
        &mut self,
        whole: &Expression<Place>,
        operands: [&Expression<Place>; 2],
        context: Context<'_>,
    ) -> Option<FlatExpression> {
        let locations = &self.points_to.locations;
        let [one, other] = operands.map(|operand| {
            let targets = self.points_to.targets(self.types, operand).into_iter();
            let objects = targets.map(|target| match locations.is_outside(target) {
                true => None,
                false => Some(locations.get(target).object),
            });
            objects.collect::<Vec<Option<ObjectId>>>()
        });
        if one.iter().any(|object| object.is_none() || other.contains(object)) || other.contains(&None) {
            return None;
        }
        for operand in operands {
            self.keep_checks(operand, context);
        }
        let what = "the order of addresses in different objects".to_string();
        Some(self.unsupported(what, whole.numeric, whole.c_type))
    }

    /// The address modulo a power of two, if the alignment of what it points into tells.
    fn low_bits(
        &mut self,
        address: &Expression<Place>,
        modulus: BigInt,
        context: Context<'_>,
    ) -> Option<FlatExpression> {
        let is_power = modulus.is_positive() && (&modulus & (&modulus - 1u32)).is_zero();
        let position = self.position(address, context).filter(|_| is_power)?;
        let root = self.points_to.locations.objects[position.object.0 as usize].root;
        let alignment = self.alignment_of_object(root);
        if BigInt::from(alignment) < modulus {
            return None;
        }
        let bits = match build::constant(&position.bytes) {
            Some(bytes) => build::address(bytes.mod_floor(&modulus)),
            None => build::binary(
                BinaryOperator::Remainder,
                position.bytes,
                build::address(modulus),
                Numeric::Pointer,
                Types::INT,
            ),
        };
        Some(match position.may_be_null {
            true => {
                let is_null = build::compare(BinaryOperator::Equal, position.raw, build::address(0));
                build::conditional(is_null, build::address(0), bits)
            }
            false => bits,
        })
    }

    /// The only location that an address may point to.
    pub(super) fn only_target(&self, address: &Expression<Place>) -> Option<LocationId> {
        let targets = self.points_to.targets(self.types, bare(address));
        let locations = &self.points_to.locations;
        match targets[..] {
            [target] if !locations.is_somewhere(target) && !locations.is_outside(target) => Some(target),
            _ => None,
        }
    }

    /// The object that an address points into, and at which of its bytes.
    pub(super) fn distance_in_bytes(
        &mut self,
        address: &Expression<Place>,
        context: Context<'_>,
    ) -> Option<(ObjectId, FlatExpression)> {
        let position = self.position(address, context)?;
        Some((position.object, position.bytes))
    }

    /// Where an address points, if it can only be into one location with elements at equal distances.
    pub(super) fn position(&mut self, address: &Expression<Place>, context: Context<'_>) -> Option<Position> {
        let address = bare(address);
        let target = self.only_target(address)?;
        let (start, stride) = self.linear(target)?;
        let raw = self.expression(address, context);
        let raw = match raw.numeric {
            Numeric::Pointer => raw,
            _ => build::converted(raw, Numeric::Pointer, Types::INT, self.types.size_type()),
        };
        let base = self.layout.address(target);
        let index = build::offset(raw.clone(), &-base);
        let bytes = build::offset(build::times(index, stride), &start);
        Some(Position {
            object: self.points_to.locations.get(target).object,
            bytes,
            raw,
            may_be_null: !matches!(address.kind, ExpressionKind::AddressOf(_)),
        })
    }

    /// The alignment that an object is known to have.
    pub(super) fn alignment_of_object(&self, location: LocationId) -> u64 {
        match self.points_to.locations.object(location).kind {
            ObjectKind::Variable(variable) => {
                let variable = &self.inlined.program.variables[variable.0 as usize];
                match variable.alignment {
                    0 => self.types.alignment_of(variable.kind),
                    alignment => alignment,
                }
            }
            // What every allocator gives.
            ObjectKind::Allocated(_) => 8,
            ObjectKind::Function(_) | ObjectKind::Outside => 1,
        }
    }

    /// How many bytes from the start of its object a location's first element is, and its elements from each other.
    pub(super) fn linear(&self, target: LocationId) -> Option<(BigInt, u64)> {
        let locations = &self.points_to.locations;
        if let ObjectKind::Allocated(site) = locations.object(target).kind
            && locations.sites[site].repeated
        {
            return None;
        }
        let mut start = BigInt::zero();
        let mut stride = None;
        let mut current = target;
        loop {
            let here = locations.get(current);
            let is_single = match here.parent {
                Some(_) => here.own == Some(1),
                None => here.total == Some(1),
            };
            if !is_single && stride.replace(self.types.size_of(here.element)?).is_some() {
                return None;
            }
            let Some((parent, field)) = here.parent else { break };
            start += self.field_offset(locations.get(parent).element, field)?;
            current = parent;
        }
        let stride = stride.or_else(|| self.types.size_of(locations.get(target).element))?;
        Some((start, stride))
    }

    pub(super) fn field_offset(&self, record: TypeId, field: usize) -> Option<u64> {
        let Type::Record(record) = self.types.get(record) else {
            return None;
        };
        let field = self.types.record(*record).fields.as_deref()?.get(field)?;
        field.bit_width.is_none().then_some(field.offset)
    }

    /// A pointer moved over something else than the elements that it points to; `None` if it moves over them.
    pub(super) fn moved_by_bytes(
        &mut self,
        pointer: &Expression<Place>,
        raw: &FlatExpression,
        by: &FlatExpression,
        context: Context<'_>,
    ) -> Option<FlatExpression> {
        let kind = pointee(self.types, pointer.c_type);
        let locations = &self.points_to.locations;
        let targets = self.points_to.targets(self.types, pointer);
        let leaves = |target: &LocationId| locations.is_somewhere(locations.moved(self.types, *target, kind));
        if !targets.iter().any(leaves) {
            return None;
        }
        let moved = self.constant_move(pointer, raw, by, kind);
        if moved.is_none() {
            self.want_bytes(&targets);
        }
        Some(moved.unwrap_or_else(|| {
            let shown = self.types.display(kind);
            let what = format!("a pointer to `{shown}` that is moved over something else");
            self.keep_checks_of_value(raw, context);
            self.keep_checks_of_value(by, context);
            self.unsupported_address(&what, pointer.c_type, context)
        }))
    }

    fn constant_move(
        &mut self,
        pointer: &Expression<Place>,
        raw: &FlatExpression,
        by: &FlatExpression,
        kind: TypeId,
    ) -> Option<FlatExpression> {
        let target = self.only_target(pointer)?;
        let bytes = build::constant(by)? * self.types.size_of(kind)?;
        let (start, stride) = self.linear(target)?;
        let location = self.points_to.locations.get(target);
        if location.is_array && bytes.is_multiple_of(&BigInt::from(stride)) {
            return Some(build::offset(raw.clone(), &(bytes / stride)));
        }
        if location.total != Some(1) {
            return None;
        }
        let there = self.at_byte(self.points_to.locations.object(target).root, start + bytes)?;
        let base = self.layout.address(target);
        // From one past it or before it the distance is the same.
        Some(build::offset(raw.clone(), &(there - base)))
    }

    /// The number of the part of an object that starts at a byte.
    fn at_byte(&mut self, root: LocationId, byte: BigInt) -> Option<BigInt> {
        let (mut place, mut byte) = (root, byte);
        loop {
            let here = self.points_to.locations.get(place).clone();
            let size = BigInt::from(self.types.size_of(here.element).filter(|size| *size > 0)?);
            let (index, rest) = byte.div_mod_floor(&size);
            let count = BigInt::from(here.total?);
            if index.is_negative() || index >= count {
                return None;
            }
            if rest.is_zero() {
                return Some(self.layout.address(place) + index);
            }
            if !count.is_one() {
                return None;
            }
            let inside = here.children.iter().enumerate().find(|(field, child)| {
                let part = self.points_to.locations.get(**child);
                let room = self
                    .types
                    .size_of(part.element)
                    .and_then(|size| size.checked_mul(part.own?));
                let offset = self.field_offset(here.element, *field);
                part.parent == Some((place, *field))
                    && offset.zip(room).is_some_and(|(offset, room)| {
                        BigInt::from(offset) <= rest && rest < BigInt::from(offset) + room
                    })
            });
            let (field, child) = inside?;
            byte = rest - self.field_offset(here.element, field)?;
            place = *child;
        }
    }
}

/// The address without conversions that keep all of it.
pub(super) fn bare(address: &Expression<Place>) -> &Expression<Place> {
    let is_whole = |numeric| !matches!(numeric, Numeric::Integer(kind) if kind.bits < 32);
    match &address.kind {
        ExpressionKind::Convert(inner) if is_whole(address.numeric) && is_whole(inner.numeric) => bare(inner),
        _ => address,
    }
}

/// Whether the value is a constant.
fn is_constant(value: &Expression<Place>) -> bool {
    match &value.kind {
        ExpressionKind::Integer(_) => true,
        ExpressionKind::Convert(inner) => is_constant(inner),
        _ => false,
    }
}

/// Whether the value is a constant that may be the address of something.
fn is_odd_mark(value: &Expression<Place>) -> bool {
    match &value.kind {
        ExpressionKind::Integer(number) => *number >= BigInt::from(MARKS.0) && *number < BigInt::from(MARKS.1),
        ExpressionKind::Convert(inner) => is_odd_mark(inner),
        _ => false,
    }
}
