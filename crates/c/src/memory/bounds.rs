//! Guards: pointers that are followed point into one of their objects, indices are within their arrays.

use super::layout::FIRST_ADDRESS;
use super::{Context, Lowering, build, heap};
use crate::flat::FlatExpression;
use crate::options::Undefined;
use crate::points_to::locations::{Count, LocationId, ObjectKind};
use crate::program::{BinaryOperator, Check, ErrorKind, Instruction, InstructionKind, Numeric, VariableId};
use crate::types::{Length, Types};
use num_bigint::BigInt;

impl Lowering<'_> {
    /// Whether a run ends, in an error or not, where it accesses what is none of a pointer's targets.
    pub(super) fn has_guards(&self) -> bool {
        self.options.undefined == Undefined::Ends || self.options.checks.null || self.options.checks.bounds
    }

    /// Whether the library function that these instructions begin with accesses more bytes than any object has that is there: no run with a
    /// meaning gets behind that.
    pub(super) fn exceeds_objects(&self, instructions: &[Instruction]) -> bool {
        if self.options.checks.accesses() {
            return false;
        }
        let kinds = instructions.iter().map(|instruction| &instruction.kind);
        let mut checks = kinds.map_while(|kind| match kind {
            InstructionKind::Check(check) => Some(check),
            _ => None,
        });
        checks.any(|check| {
            let Check::Bytes { pointer, bytes, .. } = check else {
                return false;
            };
            let Some(bytes) = heap::fixed(bytes) else { return false };
            let targets = self.points_to.targets(self.types, pointer);
            let mut rooms = targets.iter().map(|target| self.room(*target));
            !targets.is_empty() && rooms.all(|room| room.is_some_and(|room| room < bytes))
        })
    }

    /// The pointer is not null, and it points into one of the objects.
    pub(super) fn guard_pointer(
        &mut self,
        address: &FlatExpression,
        places: &[(LocationId, LocationId)],
        context: Context<'_>,
    ) {
        if !self.has_guards() {
            return;
        }
        if self.options.checks.null && (build::constant(address).is_none() || places.is_empty()) {
            let is_set = self.is_set(address);
            self.guard(ErrorKind::NullPointer, is_set, context);
        }
        let mut valid = match self.options.checks.bounds && !self.options.checks.null {
            // A null pointer is another kind of error, which nobody asked for.
            true => build::compare(BinaryOperator::Equal, address.clone(), build::address(0)),
            false => build::truth(false),
        };
        for (location, _) in places {
            let base = self.layout.address(*location);
            let here = self.points_to.locations.get(*location);
            let inside = match here.total {
                Some(1) => build::compare(BinaryOperator::Equal, address.clone(), build::address(base)),
                Some(total) => between(address, &base, build::address(&base + total)),
                None => {
                    let end = self.end_of(*location, &base);
                    between(address, &base, end)
                }
            };
            valid = build::or(valid, inside);
        }
        let is_unknown = |location: LocationId| {
            let object = self.points_to.locations.object(location);
            object.kind == ObjectKind::Outside || object.count == Count::Unknown
        };
        if places.iter().any(|(location, _)| is_unknown(*location)) {
            self.undecided(ErrorKind::Bounds, "an access to an object of unknown size", context);
            self.undecided(
                ErrorKind::UseAfterFree,
                "an access to memory outside of the program",
                context,
            );
        }
        let failure = self.outside_all(address, places);
        self.guard(failure, valid, context);
        if self.options.checks.bounds && !self.options.checks.null && self.options.undefined == Undefined::Ends {
            let is_set = build::compare(BinaryOperator::NotEqual, address.clone(), build::address(0));
            self.guard(ErrorKind::NullPointer, is_set, context);
        }
    }

    /// An address is not null, as far as it is for the check of null pointers to say so: where bounds are not checked, nobody else
    /// finds that a null pointer was moved to an element or a member of what is not there.
    pub(super) fn is_set(&self, address: &FlatExpression) -> FlatExpression {
        let address = address.clone();
        match self.options.checks.null && !self.options.checks.bounds {
            true => build::compare(BinaryOperator::LessOrEqual, build::address(FIRST_ADDRESS), address),
            false => build::compare(BinaryOperator::NotEqual, address, build::address(0)),
        }
    }

    /// The address after the last element of a location whose number of elements is not fixed.
    pub(super) fn end_of(&mut self, location: LocationId, base: &BigInt) -> FlatExpression {
        let count = self.points_to.locations.object(location).count;
        let per_element = self.points_to.locations.get(location).per_element;
        let (count, per_element) = match (self.counted(count, location), per_element) {
            (Some(count), Some(per_element)) => (count, per_element),
            _ => return build::address(base + self.layout.room(location)),
        };
        build::sum(build::times(count, per_element), build::address(base.clone()))
    }

    fn counted(&mut self, count: Count, location: LocationId) -> Option<FlatExpression> {
        match count {
            Count::Fixed(count) => Some(build::address(count)),
            Count::Variable(length) => self.length(length),
            Count::Allocated => {
                let object = self.points_to.locations.object(location).kind;
                let ObjectKind::Allocated(site) = object else {
                    return None;
                };
                let counter = self.counter(site);
                Some(build::variable(counter, Numeric::Pointer, Types::INT))
            }
            Count::Unknown => None,
        }
    }

    fn length(&mut self, variable: VariableId) -> Option<FlatExpression> {
        let leaf = self.points_to.locations.variable(variable);
        let kind = self.points_to.locations.get(leaf).element;
        let flat = self.layout.leaf(leaf)?;
        let numeric = self.layout.variables[flat.0 as usize].numeric;
        Some(build::exact(build::variable(flat, numeric, kind)))
    }

    pub(super) fn guard_index(
        &mut self,
        index: &FlatExpression,
        length: Length,
        outer: Option<VariableId>,
        location: LocationId,
        context: Context<'_>,
    ) {
        let is_signed = !matches!(index.numeric, Numeric::Integer(kind) if !kind.signed);
        let bound = |value: BigInt| build::integer(value, index.numeric, index.c_type);
        let low = match is_signed {
            true => build::compare(BinaryOperator::LessOrEqual, bound(0.into()), index.clone()),
            false => build::truth(true),
        };
        let high = match length {
            Length::Fixed(length) => {
                let fits = match index.numeric {
                    Numeric::Integer(kind) => BigInt::from(length) <= kind.maximum(),
                    _ => true,
                };
                match fits || build::constant(index).is_some() {
                    true => build::compare(BinaryOperator::Less, index.clone(), bound(length.into())),
                    false => build::truth(true),
                }
            }
            Length::Variable => match outer.and_then(|length| self.length(length)) {
                Some(length) => build::compare(BinaryOperator::Less, build::exact(index.clone()), length),
                None => build::truth(true),
            },
            Length::Unknown => build::truth(true),
        };
        let condition = match build::constant(&low).is_some_and(|low| *low == 0.into()) {
            true => low,
            false => build::and(low, high),
        };
        let count = match length {
            Length::Fixed(length) => Some(build::address(length)),
            Length::Variable => outer.and_then(|length| self.length(length)),
            Length::Unknown => None,
        };
        match count {
            Some(count) => {
                let failure = self.outside(location, build::exact(index.clone()), count);
                self.guard(failure, condition, context);
            }
            None => {
                self.guard(ErrorKind::Bounds, condition, context);
                self.undecided(ErrorKind::Bounds, "an index into an array of unknown length", context);
            }
        }
    }
}

/// `base <= address && address < end`
pub(super) fn between(address: &FlatExpression, base: &BigInt, end: FlatExpression) -> FlatExpression {
    let low = build::compare(
        BinaryOperator::LessOrEqual,
        build::address(base.clone()),
        address.clone(),
    );
    if build::constant(&low).is_some_and(|low| *low == 0.into()) {
        return low;
    }
    build::and(low, build::compare(BinaryOperator::Less, address.clone(), end))
}
