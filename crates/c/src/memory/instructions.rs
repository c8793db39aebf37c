//! Instructions over places become instructions over variables.

use super::access::{Obstacle, Purpose, Spot};
use super::{Context, Lowering, build, heap};
use crate::flat::{FlatExpression, FlatInstructionKind, FlatVariable};
use crate::inline::numeric;
use crate::options::Undefined;
use crate::points_to::locations::{LocationId, innermost, pointee};
use crate::program::{
    BinaryOperator, CopySource, Effect, Expression, ExpressionKind, InstructionKind, Numeric, Place, PlaceBase,
    UnknownSource, Written,
};
use crate::types::{Type, TypeId, Types};

/// How many elements are copied one by one.
pub(super) const MAXIMAL_UNROLLED: u64 = 64;

impl Lowering<'_> {
    pub(super) fn instruction(&mut self, instruction: &InstructionKind, site: Option<usize>) {
        match instruction {
            InstructionKind::Assign { target, value } => match &value.kind {
                ExpressionKind::Read(source) if value.numeric == Numeric::Aggregate => {
                    self.copy_aggregate(target, source)
                }
                _ => {
                    let value = self.expression(value, Context::Always);
                    self.assign(target, &value);
                }
            },
            InstructionKind::Unknown { target, source } => self.make_unknown(target, source),
            InstructionKind::Zero { target } => self.make_zero(target),
            // Only calls of functions without a body are left in an inlined program: they change nothing.
            InstructionKind::Call { .. } => {}
            // Gone with the calls, like those.
            InstructionKind::StartArguments { list } => self.give_up("variable arguments", std::slice::from_ref(list)),
            InstructionKind::NextArgument { list, target } => {
                self.give_up("variable arguments", &[list.clone(), target.clone()]);
            }
            InstructionKind::Assume(condition) => {
                let condition = self.expression(condition, Context::Always);
                self.push(FlatInstructionKind::Assume(condition));
            }
            InstructionKind::Allocate {
                target, count, moved, ..
            } => {
                let Some(site) = site else { return };
                let count = count.as_ref().map(|count| self.expression(count, Context::Always));
                let address = self.allocate(site, count, moved.as_ref());
                let address = FlatExpression {
                    c_type: target.kind,
                    ..address
                };
                self.assign(target, &address);
            }
            InstructionKind::Free(pointer) => self.free(pointer),
            InstructionKind::Ask { target, asked } => {
                let answer = self.answer(asked, target.kind);
                self.assign(target, &answer);
            }
            InstructionKind::Check(check) => self.check(check),
            InstructionKind::Copy {
                target,
                source,
                element,
                count,
            } => self.copy_elements(target, source, *element, count),
            InstructionKind::Print(values) => {
                let values = values
                    .iter()
                    .map(|value| self.expression(value, Context::Always))
                    .collect();
                self.push(FlatInstructionKind::Print(values));
            }
            InstructionKind::Expose { what, pointers, reach } => self.expose(what, pointers, *reach),
            InstructionKind::Unsupported { what, effect } => match effect {
                Effect::Changes(changes) => self.give_up(what, changes),
                Effect::Anything => self.push(FlatInstructionKind::Unsupported {
                    what: what.clone(),
                    effect: Effect::Anything,
                }),
            },
        }
    }

    fn assign(&mut self, target: &Place, value: &FlatExpression) {
        match self.spots(target, Purpose::Access, Context::Always) {
            Ok(spots) => {
                self.guard_writable(target, &spots);
                let spots = self.steady(spots, Context::Always);
                let value = match spots.len() > 1 {
                    true => self.small(value.clone(), Context::Always, "value"),
                    false => value.clone(),
                };
                let value = self.at_width(value, target);
                self.write(&spots, &value);
            }
            Err(obstacle) => {
                self.keep_checks_of_place(target, Context::Always);
                self.keep_checks_of_value(value, Context::Always);
                self.unsupported_write(obstacle);
            }
        }
    }

    /// The value as the place's type has it.
    fn at_width(&self, value: FlatExpression, target: &Place) -> FlatExpression {
        match numeric(self.types, target.kind) {
            Numeric::Aggregate => value,
            numeric => build::converted(value, numeric, target.kind, self.types.size_type()),
        }
    }

    fn give_up(&mut self, what: &str, changes: &[Place]) {
        self.undecided_write(what);
        let mut variables = Vec::new();
        let mut objects = Vec::new();
        for place in changes {
            if let PlaceBase::Dereference(pointer) = &place.base {
                self.keep_refusals(pointer, Context::Always);
                // Whatever it is there: what does not fit the type may be changed all the same.
                let targets = self.points_to.targets(self.types, pointer);
                objects.extend(self.obstacle(String::new(), &targets).objects);
                continue;
            }
            for location in self.points_to.place(self.types, place) {
                let leaves = self.points_to.locations.leaves(location);
                match &leaves[..] {
                    // One scalar: its variable. Else all that there are.
                    [(leaf, _)] if self.overlays.flagged(*leaf).is_none() => {
                        variables.extend(self.layout.leaf(*leaf));
                        variables.extend(self.flag(*leaf));
                    }
                    _ => objects.push(self.points_to.locations.get(location).object),
                }
            }
        }
        variables.sort_unstable();
        variables.dedup();
        self.change_later(objects, None);
        self.push(FlatInstructionKind::Unsupported {
            what: what.to_string(),
            effect: Effect::Changes(variables),
        });
    }

    fn make_unknown(&mut self, target: &Place, source: &UnknownSource) {
        let spots = match self.aggregate_spots(target) {
            Ok(spots) => spots,
            Err(obstacle) => return self.unsupported_write(obstacle),
        };
        self.guard_writable(target, &spots);
        let is_whole = self.suspend_validity(&spots);
        for part in self.parts(&spots, target.kind) {
            match part {
                Ok((spots, _)) => {
                    let Some((variable, old)) = spots.first().and_then(|spot| self.leaf(spot)) else {
                        continue;
                    };
                    let is_set = *source != UnknownSource::Uninitialized;
                    let is_array = self.layout.variables[variable.0 as usize].is_array;
                    if spots.len() == 1 && !is_array {
                        self.push(FlatInstructionKind::Unknown(variable, source.clone()));
                        self.bound_unknown(variable, old.numeric);
                        self.note_set(&spots, is_set);
                        self.spread(&spots);
                        continue;
                    }
                    let value = self.unknown(old.numeric, old.c_type, source.clone());
                    self.write(&spots, &value);
                    self.note_set(&spots, is_set);
                }
                Err(whole) => {
                    if let Some(variable) = self.layout.leaf(whole) {
                        self.push(FlatInstructionKind::Unknown(variable, source.clone()));
                        if *source == UnknownSource::Uninitialized && self.points_to.locations.is_bytes(whole) {
                            self.leave_padding_open(whole);
                        }
                        self.spread_all(whole);
                    }
                }
            }
        }
        if is_whole {
            // Values of members that do not agree are more than there are.
            self.set_all_valid(&spots, target.kind, self.options.undefined == Undefined::GoesOn);
        }
    }

    /// An unknown address has as many bits as addresses have.
    pub(super) fn bound_unknown(&mut self, variable: FlatVariable, numeric: Numeric) {
        if numeric == Numeric::Pointer && self.options.undefined == Undefined::Ends {
            let value = build::variable(variable, numeric, Types::INT);
            let most = build::address(self.types.size_type().maximum());
            let bounds = build::and(
                build::compare(BinaryOperator::LessOrEqual, build::address(0), value.clone()),
                build::compare(BinaryOperator::LessOrEqual, value, most),
            );
            self.push(FlatInstructionKind::Defined(bounds));
        }
    }

    fn make_zero(&mut self, target: &Place) {
        let spots = match self.aggregate_spots(target) {
            Ok(spots) => spots,
            Err(obstacle) => return self.unsupported_write(obstacle),
        };
        self.guard_writable(target, &spots);
        if let Some(obstacle) = self.padding_in_overlay(&spots, target.kind) {
            return self.unsupported_write(obstacle);
        }
        let is_whole = self.suspend_validity(&spots);
        for part in self.parts(&spots, target.kind) {
            match part {
                Ok((spots, _)) => {
                    let Some(first) = spots.first() else { continue };
                    if let Some(numeric) = self.layout.numeric(first.location) {
                        let zero = self.zero(numeric, self.points_to.locations.get(first.location).element);
                        self.write(&spots, &zero);
                    }
                }
                Err(whole) => {
                    if let (Some(array), Some(numeric)) = (self.layout.leaf(whole), self.layout.numeric(whole)) {
                        let value = self.zero(numeric, self.points_to.locations.get(whole).element);
                        self.push(FlatInstructionKind::Fill { array, value });
                        self.spread_all(whole);
                    }
                }
            }
        }
        if is_whole {
            self.set_all_valid(&spots, target.kind, true);
        }
    }

    /// The spots of a place, with indices and conditions that can be used several times.
    pub(super) fn aggregate_spots(&mut self, place: &Place) -> Result<Vec<Spot>, Obstacle> {
        let spots = self.spots(place, Purpose::Access, Context::Always)?;
        let is_scalar = self.types.is_scalar(place.kind);
        let is_fixed = matches!(place.base, PlaceBase::Variable(_)) && spots.iter().all(|spot| spot.index.is_none());
        if is_scalar || is_fixed {
            return Ok(self.steady(spots, Context::Always));
        }
        let mut steady = Vec::with_capacity(spots.len());
        for mut spot in spots {
            spot.condition = spot.condition.map(|condition| self.kept(condition));
            spot.index = spot.index.map(|index| self.kept(index));
            steady.push(spot);
        }
        Ok(steady)
    }

    fn kept(&mut self, value: FlatExpression) -> FlatExpression {
        match build::constant(&value) {
            Some(_) => value,
            None => self.hoisted(value, Context::Always, "index"),
        }
    }

    /// `memset`, `memcpy`, `memmove`.
    fn copy_elements(
        &mut self,
        target: &Expression<Place>,
        source: &CopySource,
        element: TypeId,
        count: &Expression<Place>,
    ) {
        let wanted = heap::fixed(count);
        if wanted == Some(0) {
            return;
        }
        if let Some(count) = wanted {
            if self.copy_whole(target, source, element, count) {
                return;
            }
            if count <= MAXIMAL_UNROLLED {
                return self.copy_each(target, source, element, count);
            }
        }
        let what = match wanted {
            Some(count) => format!("the copy of {count} elements of `{}`", self.types.display(element)),
            None => "a copy of memory whose size is not constant".to_string(),
        };
        self.keep_refusals(target, Context::Always);
        if let CopySource::Address(source) = source {
            self.keep_refusals(source, Context::Always);
            let locations = &self.points_to.locations;
            let from = self.points_to.targets(self.types, source).into_iter();
            let mut from = from.filter_map(|place| locations.at_type(self.types, place, element));
            let is_hidden =
                |place| self.overlays.is_inside(locations, place) && self.overlays.may_be_address(locations, place);
            if from.any(is_hidden) {
                let effect = Effect::Anything;
                return self.push(FlatInstructionKind::Unsupported { what, effect });
            }
        }
        self.unsupported_copy(target, what);
    }

    /// The whole of a scalar array is cleared or copied to another one as long. Says whether that is so.
    fn copy_whole(&mut self, target: &Expression<Place>, source: &CopySource, element: TypeId, count: u64) -> bool {
        let Some((to, location)) = self.whole_array(target, element, count) else {
            return false;
        };
        let kind = match source {
            CopySource::Zero => {
                let numeric = self.layout.variables[to.0 as usize].numeric;
                let value = self.zero(numeric, element);
                FlatInstructionKind::Fill { array: to, value }
            }
            CopySource::Address(source) => match self.whole_array(source, element, count) {
                // Which of the numbers can be read is asked one by one.
                Some((from, place)) if self.overlays.flagged(place).is_none() => FlatInstructionKind::CopyArray {
                    target: to,
                    source: from,
                },
                _ => return false,
            },
        };
        self.push(kind);
        self.spread_all(location);
        true
    }

    /// The variable of an array that the pointer is the start of, if it has so many elements, and its location.
    fn whole_array(
        &mut self,
        pointer: &Expression<Place>,
        element: TypeId,
        count: u64,
    ) -> Option<(FlatVariable, LocationId)> {
        let targets = self.points_to.targets(self.types, pointer);
        let [target] = targets[..] else { return None };
        let location = self.points_to.locations.at_type(self.types, target, element)?;
        let elements = innermost(self.types, element).1?.checked_mul(count)?;
        if self.points_to.locations.get(location).total != Some(elements) || elements == 1 {
            return None;
        }
        let base = self.layout.address(location);
        let value = self.expression(pointer, Context::Always);
        if build::constant(&value) != Some(&base) {
            return None;
        }
        Some((self.layout.leaf(location)?, location))
    }

    fn copy_each(&mut self, target: &Expression<Place>, source: &CopySource, element: TypeId, count: u64) {
        let what = || "a copy of memory at a type of its own".to_string();
        let Some(to) = self.as_pointer_to(target, element) else {
            return self.unsupported_copy(target, what());
        };
        let target = to;
        let source = match source {
            CopySource::Zero => None,
            CopySource::Address(source) => match self.as_pointer_to(source, element) {
                Some(source) => Some(source),
                None => return self.unsupported_copy(&target, what()),
            },
        };
        // What `memmove` copies is read before any of it is written, in case the two overlap.
        let overlap = count > 1 && source.as_ref().is_some_and(|source| self.may_overlap(&target, source));
        if overlap && !self.types.is_scalar(element) {
            return self.unsupported_copy(&target, "a copy of structs inside one array".to_string());
        }
        let mut moved = Vec::new();
        for position in 0..count {
            let to = element_at(&target, element, position);
            let Some(source) = &source else {
                self.make_zero(&to);
                continue;
            };
            let from = element_at(source, element, position);
            if !self.types.is_scalar(element) {
                self.copy_aggregate(&to, &from);
                continue;
            }
            let value = Expression {
                kind: ExpressionKind::Read(from),
                numeric: numeric(self.types, element),
                c_type: element,
                written: Written::default(),
            };
            let value = self.expression(&value, Context::Always);
            match overlap {
                true => moved.push((to, self.hoisted(value, Context::Always, "moved"))),
                false => self.assign(&to, &value),
            }
        }
        for (to, value) in moved {
            self.assign(&to, &value);
        }
    }

    /// Whether the pointers may point into one object.
    fn may_overlap(&self, one: &Expression<Place>, other: &Expression<Place>) -> bool {
        let objects = |pointer| {
            let targets = self.points_to.targets(self.types, pointer).into_iter();
            targets.map(|target| self.points_to.locations.get(target).object)
        };
        let first: Vec<_> = objects(one).collect();
        objects(other).any(|object| first.contains(&object))
    }

    /// A copy that cannot be done: anything where the pointer may point to may change.
    fn unsupported_copy(&mut self, target: &Expression<Place>, what: String) {
        let targets = self.points_to.targets(self.types, target);
        let obstacle = self.obstacle(what, &targets);
        self.unsupported_write(obstacle);
    }

    /// The pointer with the element's type behind it.
    fn as_pointer_to(&self, pointer: &Expression<Place>, element: TypeId) -> Option<Expression<Place>> {
        if pointee(self.types, pointer.c_type) == element {
            return Some(pointer.clone());
        }
        if let ExpressionKind::Convert(inner) = &pointer.kind
            && let Some(found) = self.as_pointer_to(inner, element)
        {
            return Some(found);
        }
        Some(Expression {
            kind: ExpressionKind::Convert(Box::new(pointer.clone())),
            numeric: Numeric::Pointer,
            c_type: self.types.find(&Type::Pointer(element))?,
            written: Written::default(),
        })
    }
}

/// The element behind a pointer at a position.
fn element_at(pointer: &Expression<Place>, element: TypeId, position: u64) -> Place {
    let pointer = match position {
        0 => pointer.clone(),
        _ => Expression {
            kind: ExpressionKind::Binary(
                BinaryOperator::PointerAdd,
                Box::new(pointer.clone()),
                Box::new(Expression {
                    kind: ExpressionKind::Integer(position.into()),
                    numeric: Numeric::Integer(crate::types::IntegerType::INT),
                    c_type: crate::types::Types::INT,
                    written: Written::default(),
                }),
            ),
            numeric: Numeric::Pointer,
            c_type: pointer.c_type,
            written: Written::default(),
        },
    };
    Place {
        base: PlaceBase::Dereference(Box::new(pointer)),
        steps: Vec::new(),
        kind: element,
    }
}
