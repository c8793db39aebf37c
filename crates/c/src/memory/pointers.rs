//! Pointers that are moved, compared and subtracted, and addresses of elements and members
//! (`--check pointer-arithmetic`): they stay in one object. Where leaving it would hide an access outside of it, other checks
//! refuse it.

use super::bounds::between;
use super::{Context, Lowering, build};
use crate::flat::{Failure, FlatExpression};
use crate::points_to::locations::{Count, LocationId, ObjectKind, pointee};
use crate::program::{BinaryOperator, ErrorKind, Expression, Numeric, Place, PlaceBase, PlaceStep};
use crate::types::{Length, Type, TypeId};
use num_bigint::BigInt;

impl Lowering<'_> {
    /// A pointer that is moved stays in its object, or gets one past its end.
    pub(super) fn guard_move(
        &mut self,
        pointer: &Expression<Place>,
        before: &FlatExpression,
        by: &FlatExpression,
        pointee: TypeId,
        context: Context<'_>,
    ) {
        let checks = self.options.checks;
        if !checks.pointer_arithmetic && !checks.accesses() {
            return;
        }
        let targets = self.points_to.targets(self.types, pointer);
        let mut valid = build::compare(BinaryOperator::Equal, by.clone(), build::address(0));
        let mut names = Vec::new();
        for target in targets {
            let locations = &self.points_to.locations;
            let is_known = !locations.is_somewhere(target) && locations.object(target).kind != ObjectKind::Outside;
            let found = locations.at_type(self.types, target, pointee).filter(|_| is_known);
            let Some(location) = found.filter(|location| !self.has_unknown_neighbours(*location)) else {
                // What such a pointer is followed to is refused by itself.
                return self.undecided(
                    ErrorKind::PointerArithmetic,
                    "a pointer that is moved in an object of another type",
                    context,
                );
            };
            let here = locations.get(location);
            if here.is_array && here.parent.is_some() && here.own != here.total {
                // Behind one row comes the next one, which the numbers do not tell apart from the end of the row.
                let what = "a pointer that is moved inside an array in one of several structs";
                self.undecided(ErrorKind::PointerArithmetic, what, context);
                return self.undecided_access(what);
            }
            if !here.is_array && here.total != Some(1) {
                return self.undecided(
                    ErrorKind::PointerArithmetic,
                    "a pointer that is moved from one of several structs",
                    context,
                );
            }
            let Some(extent) = self.extent(location, false) else {
                return self.undecided(
                    ErrorKind::PointerArithmetic,
                    "a pointer that is moved in an object of unknown size",
                    context,
                );
            };
            names.push(self.shown(location));
            let behind = build::sum(extent.count, build::address(&extent.base + 1));
            let after = build::sum(before.clone(), by.clone());
            let both = build::and(
                between(before, &extent.base, behind.clone()),
                between(&after, &extent.base, behind),
            );
            valid = build::or(valid, both);
        }
        if !checks.pointer_arithmetic {
            return;
        }
        names.dedup();
        let unmoved = build::compare(BinaryOperator::Equal, by.clone(), build::address(0));
        let is_set = build::compare(BinaryOperator::NotEqual, before.clone(), build::address(0));
        let text = "a pointer to nothing is moved by {}".to_string();
        let failure = Failure::about(ErrorKind::PointerArithmetic, text, vec![by.clone()]);
        self.guard(failure, build::or(unmoved, is_set), context);
        let text = match &names[..] {
            [] => "a pointer to nothing is moved by {}".to_string(),
            [name] => format!("a pointer is moved by {{}} and leaves {name}"),
            _ => "a pointer is moved by {} and leaves its object".to_string(),
        };
        let failure = Failure::about(ErrorKind::PointerArithmetic, text, vec![by.clone()]);
        self.guard(failure, valid, context);
    }

    /// The address of a member is taken, for which there has to be a struct; but the offset of a member may be written as the
    /// address that it would have at address zero.
    pub(super) fn guard_member_of_nothing(&mut self, pointer: &Expression<Place>, context: Context<'_>) {
        if !self.options.checks.pointer_arithmetic {
            return;
        }
        let base = self.expression(pointer, context);
        if build::constant(&base).is_none() {
            let is_set = build::compare(BinaryOperator::NotEqual, base, build::address(0));
            let text = "the address of a member is taken of what a null pointer points to".to_string();
            let failure = Failure::about(ErrorKind::PointerArithmetic, text, Vec::new());
            self.guard(failure, is_set, context);
        }
    }

    /// Two pointers of which one is compared with or subtracted from the other point into one object.
    pub(super) fn guard_same_object(
        &mut self,
        operands: [&Expression<Place>; 2],
        addresses: [&FlatExpression; 2],
        context: Context<'_>,
    ) {
        let is_pointer = operands.iter().all(|operand| operand.numeric == Numeric::Pointer);
        if !self.options.checks.pointer_arithmetic || !is_pointer {
            return;
        }
        let targets = operands.map(|operand| self.points_to.targets(self.types, operand));
        let locations = &self.points_to.locations;
        let is_unknown = |target: &LocationId| {
            let object = locations.object(*target);
            locations.is_somewhere(*target)
                || object.kind == ObjectKind::Outside
                || object.count == Count::Unknown
                || self.has_unknown_neighbours(*target)
        };
        let object = |target: &LocationId| locations.get(*target).object;
        let mut objects: Vec<_> = targets.iter().flatten().map(object).collect();
        objects.sort_unstable();
        objects.dedup();
        let repeated = |target: &LocationId| match locations.object(*target).kind {
            ObjectKind::Allocated(site) => locations.sites[site].repeated,
            _ => false,
        };
        let is_one = objects.len() == 1 && !targets.iter().flatten().any(repeated);
        if !is_one && (targets.iter().flatten().any(repeated) || targets.iter().flatten().any(is_unknown)) {
            let what = "a comparison of pointers that may point into different objects";
            return self.undecided(ErrorKind::PointerArithmetic, what, context);
        }
        let mut same = build::truth(false);
        for one in objects {
            let mut both = build::truth(true);
            for (targets, address) in targets.iter().zip(addresses) {
                let mut inside = build::truth(false);
                for target in targets {
                    if self.points_to.locations.get(*target).object == one {
                        inside = build::or(inside, self.is_at_or_behind(*target, address));
                    }
                }
                both = build::and(both, inside);
            }
            same = build::or(same, both);
        }
        let text = "pointers into different objects are compared or subtracted".to_string();
        let failure = Failure::about(ErrorKind::PointerArithmetic, text, Vec::new());
        // Two null pointers may be compared and subtracted in practice, and so they are everywhere.
        let equal = build::compare(BinaryOperator::Equal, addresses[0].clone(), addresses[1].clone());
        self.guard(failure, build::or(equal, same), context);
    }

    /// Whether an address is that of one of the location's elements, or one past its end.
    pub(super) fn is_at_or_behind(&mut self, location: LocationId, address: &FlatExpression) -> FlatExpression {
        let base = self.layout.address(location);
        let room = match self.points_to.locations.get(location).total {
            Some(total) => BigInt::from(total) + 1,
            None => self.layout.room(location),
        };
        between(address, &base, build::address(&base + room))
    }

    /// A member is where its type wants it, or else nobody looks at what becomes of its address.
    pub(super) fn guard_aligned(&mut self, place: &Place, context: Context<'_>) {
        if !self.options.checks.bounds {
            return;
        }
        let mut kind = match &place.base {
            PlaceBase::Variable(variable) => self.inlined.program.variables[variable.0 as usize].kind,
            PlaceBase::Dereference(pointer) => pointee(self.types, pointer.c_type),
        };
        let (whole, mut offset) = (self.types.alignment_of(kind), 0_u64);
        for step in &place.steps {
            match (step, self.types.get(kind)) {
                (PlaceStep::Field(field), Type::Record(record)) => {
                    let record = self.types.record(*record);
                    let fields = record.fields.as_deref().unwrap_or(&[]);
                    let Some(field) = fields.get(*field) else { return };
                    kind = field.kind;
                    offset = offset.saturating_add(field.offset);
                }
                (PlaceStep::Index(_), Type::Array(element, _)) => kind = *element,
                _ => return,
            }
        }
        let wanted = self.types.alignment_of(kind).max(1);
        if offset % wanted != 0 || whole < wanted {
            let what = "the address of a member that is not aligned as its type wants it";
            self.undecided(ErrorKind::Bounds, what, context);
        }
    }

    /// The address of an element is that of one in the array, or one past its end.
    pub(super) fn guard_element_address(
        &mut self,
        location: LocationId,
        index: &FlatExpression,
        length: Length,
        context: Context<'_>,
    ) {
        let checks = self.options.checks;
        if !checks.pointer_arithmetic && !checks.accesses() {
            return;
        }
        let here = self.points_to.locations.get(location);
        let is_row = here.parent.is_some() && here.own != here.total;
        let Length::Fixed(length) = length else {
            return self.undecided(
                ErrorKind::PointerArithmetic,
                "an address in an array whose length is not constant",
                context,
            );
        };
        let index = build::exact(index.clone());
        let inside = |end: u64| between(&index, &0.into(), build::address(end));
        if is_row {
            let what = "the address of an element behind an array in one of several structs";
            for kind in [ErrorKind::Bounds, ErrorKind::UseAfterFree] {
                self.guard_or_refuse(kind, inside(length), what, context);
            }
        }
        let text = format!(
            "the address of element {{}} is outside of {}, which has {{}}",
            self.shown(location)
        );
        let failure = Failure::about(
            ErrorKind::PointerArithmetic,
            text,
            vec![index.clone(), build::address(length)],
        );
        if checks.pointer_arithmetic {
            self.guard(failure, inside(length.saturating_add(1)), context);
        }
    }
}
