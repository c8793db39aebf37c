//! Whether the numbers of two addresses say which comes first in an object, and whether they are one.
//!
//! The parts of an object have numbers of their own ([`super::layout`]), one after the other, and the number behind a part is
//! that of the next one. In bytes the next one begins there only where nothing lies in between, and what is behind a part may be
//! what is behind the whole. So numbers are compared where all that can be compared are told by them; in other cases the
//! addresses are compared by their bytes ([`super::bytes`]).

use super::bytes::bare;
use super::{Context, Lowering, build};
use crate::flat::FlatExpression;
use crate::points_to::locations::{LocationId, ObjectId, pointee};
use crate::program::{BinaryOperator, Expression, ExpressionKind, Place};
use crate::visit;
use hashbrown::{HashMap, HashSet};
use num_traits::ToPrimitive;

/// So many pairs of addresses are compared one by one; beyond them nothing is said.
const MAXIMAL_PAIRS: u64 = 1 << 16;

/// Where the addresses of a location are.
struct Row {
    /// The number of the first one.
    number: i128,
    /// In bytes from the object's start.
    start: i128,
    /// From each to the next one, in bytes.
    stride: i128,
    /// How many there are, the one behind the last element included if there may be pointers to it.
    count: Option<u64>,
}

impl Row {
    fn ends_before(&self, other: &Row) -> bool {
        let end = self.count.map(|count| self.number.saturating_add(i128::from(count)));
        end.is_some_and(|end| end <= other.number)
    }
}

impl Lowering<'_> {
    /// Whether the numbers of two addresses compare as the addresses do, wherever in their objects these are.
    pub(super) fn numbers_tell(&mut self, operator: BinaryOperator, operands: [&Expression<Place>; 2]) -> bool {
        let [left, right] = operands.map(|operand| self.points_to.targets(self.types, bare(operand)));
        let locations = &self.points_to.locations;
        let mut by_object: HashMap<ObjectId, Vec<LocationId>> = HashMap::new();
        for target in right {
            if !locations.is_outside(target) && !locations.is_somewhere(target) {
                by_object.entry(locations.get(target).object).or_default().push(target);
            }
        }
        for one in left {
            if locations.is_outside(one) || locations.is_somewhere(one) {
                continue;
            }
            for other in by_object.get(&locations.get(one).object).into_iter().flatten() {
                if one != *other && !self.tells(operator, [one, *other]) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether numbers compare as addresses do that point to these two parts of one object.
    fn tells(&mut self, operator: BinaryOperator, parts: [LocationId; 2]) -> bool {
        let is_order = matches!(operator, BinaryOperator::Less | BinaryOperator::LessOrEqual);
        let compares = |left: i128, right: i128| match operator {
            BinaryOperator::Less => left < right,
            BinaryOperator::LessOrEqual => left <= right,
            _ => left == right,
        };
        let [Some(one), Some(other)] = parts.map(|part| self.row(part)) else {
            return false;
        };
        let is_same = one.number == other.number && one.start == other.start && one.stride == other.stride;
        let pairs = one
            .count
            .zip(other.count)
            .and_then(|(one, other)| one.checked_mul(other));
        match pairs {
            _ if is_same => true,
            Some(pairs) if pairs <= MAXIMAL_PAIRS => {
                let steps = |row: &Row| 0..i128::from(row.count.unwrap_or(0));
                steps(&one).all(|i| {
                    steps(&other).all(|j| {
                        let by_bytes = compares(one.start + i * one.stride, other.start + j * other.stride);
                        compares(one.number + i, other.number + j) == by_bytes
                    })
                })
            }
            // Neither by their numbers nor by their bytes do they ever meet.
            _ => {
                let apart = (one.start - other.start).abs();
                let never_meet = one.stride == other.stride && 0 < apart && apart < one.stride;
                !is_order && never_meet && (one.ends_before(&other) || other.ends_before(&one) || pairs.is_none())
            }
        }
    }

    /// The addresses of a part; `None` if they do not lie at equal distances.
    fn row(&mut self, part: LocationId) -> Option<Row> {
        let number = self.layout.address(part).to_i128()?;
        let may_be_behind = self.points_to.locations.get(part).is_array || self.is_moved(part);
        let Some((start, stride)) = self.linear(part) else {
            // In memory that is allocated again and again, parts of different allocations never meet.
            let start = (!may_be_behind).then(|| self.start_in_element(part)).flatten()?;
            return Some(Row {
                number,
                start: i128::from(start),
                stride: 0,
                count: Some(1),
            });
        };
        let total = self.points_to.locations.get(part).total;
        Some(Row {
            number,
            start: start.to_i128()?,
            stride: i128::from(stride),
            count: total.and_then(|total| total.checked_add(u64::from(may_be_behind))),
        })
    }

    /// How many bytes from the start of an element of its object a part lies, if it is there only once.
    fn start_in_element(&self, part: LocationId) -> Option<u64> {
        let locations = &self.points_to.locations;
        let (mut start, mut current) = (0_u64, part);
        loop {
            let here = locations.get(current);
            if here.own != Some(1) {
                return None;
            }
            let Some((parent, field)) = here.parent else {
                return Some(start);
            };
            start = start.checked_add(self.field_offset(locations.get(parent).element, field)?)?;
            current = parent;
        }
    }

    /// Whether a pointer to the part is moved somewhere, so that it may get behind it.
    fn is_moved(&mut self, part: LocationId) -> bool {
        if self.moved.is_none() {
            let mut moved = HashSet::new();
            for block in self.inlined.blocks() {
                visit::expressions(block, &mut |expression| {
                    let ExpressionKind::Binary(BinaryOperator::PointerAdd, pointer, _) = &expression.kind else {
                        return;
                    };
                    let kind = pointee(self.types, pointer.c_type);
                    for target in self.points_to.targets(self.types, pointer) {
                        moved.insert(target);
                        moved.extend(self.points_to.locations.at_type(self.types, target, kind));
                    }
                });
            }
            self.moved = Some(moved);
        }
        self.moved.as_ref().is_some_and(|moved| moved.contains(&part))
    }

    /// How two addresses in one object compare, by their bytes; `None` if it is not known where in it each points: then the
    /// object should be seen as bytes.
    pub(super) fn compared_in_bytes(
        &mut self,
        operator: BinaryOperator,
        operands: [&Expression<Place>; 2],
        context: Context<'_>,
    ) -> Option<FlatExpression> {
        let targets = operands.map(|operand| self.only_target(operand));
        let positions = operands.map(|operand| self.position(operand, context));
        let ([Some(one), Some(other)], [Some(first), Some(second)]) = (positions, targets) else {
            for operand in operands {
                let targets = self.points_to.targets(self.types, bare(operand));
                self.want_bytes(&targets);
            }
            return None;
        };
        let mut inside = build::truth(true);
        if matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual) {
            for (target, position) in [(first, &one), (second, &other)] {
                // What is nowhere in the object, such as null, is told by its number.
                if position.may_be_null {
                    inside = build::and(inside, self.is_at_or_behind(target, &position.raw));
                }
            }
        }
        let by_number = build::compare(operator, one.raw, other.raw);
        let by_bytes = build::compare(operator, one.bytes, other.bytes);
        let by_number = build::and(build::not(inside.clone()), by_number);
        Some(build::or(build::and(inside, by_bytes), by_number))
    }
}
