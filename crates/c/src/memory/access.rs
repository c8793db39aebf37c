//! From places to leaves: which variable, which index, under which condition on the pointer; and the guards.

use super::bounds::between;
use super::views::Bytes;
use super::{Context, Lowering, build};
use crate::flat::{FlatExpression, FlatInstructionKind, FlatVariable, Leaf};
use crate::options::Undefined;
use crate::points_to::locations::{Count, LocationId, ObjectId, ObjectKind, innermost, pointee};
use crate::program::{
    BinaryOperator, Effect, ErrorKind, Expression, ExpressionKind, Numeric, Place, PlaceBase, PlaceStep, UnknownSource,
    VariableId, Written,
};
use crate::types::{Length, Type, TypeId};
use num_bigint::BigInt;

/// How many targets all pointers that are followed may have together: each is a case of its own.
const MOST_ALTERNATIVES: usize = 500_000;

/// One of the locations that a place may be.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// Whether it is this one, in terms of the pointer; `None` if there is no other.
    pub condition: Option<FlatExpression>,
    /// Where it is.
    pub location: LocationId,
    /// Which of the location's elements; `None` for the first one.
    pub index: Option<FlatExpression>,
    /// What is there, in an object that is seen as bytes; `None` for one of its bytes.
    pub bytes: Option<Bytes>,
}

/// Why a place cannot be accessed, and the objects that a write may have changed.
pub(super) struct Obstacle {
    pub what: String,
    pub objects: Vec<ObjectId>,
}

/// Whether the place is used or only its address taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Its value is read or changed: the place must exist.
    Access,
    /// Its address is taken.
    Address,
}

impl Lowering<'_> {
    /// All locations that a place may be. None at all if no pointer to anything gets there.
    pub(super) fn spots(
        &mut self,
        place: &Place,
        purpose: Purpose,
        context: Context<'_>,
    ) -> Result<Vec<Spot>, Obstacle> {
        match &place.base {
            PlaceBase::Variable(variable) => {
                let location = self.points_to.locations.variable(*variable);
                let kind = self.inlined.program.variables[variable.0 as usize].kind;
                let outer = self.inlined.program.variables[variable.0 as usize].length;
                let start = Spot {
                    condition: None,
                    location,
                    index: None,
                    bytes: None,
                };
                Ok(vec![self.walk(start, kind, outer, &place.steps, purpose, context)?])
            }
            PlaceBase::Dereference(pointer) => {
                let found = self.followed(pointer, &place.steps, purpose, context);
                if found.is_err() {
                    self.keep_refusals(pointer, context);
                }
                found
            }
        }
    }

    fn followed(
        &mut self,
        pointer: &Expression<Place>,
        steps: &[PlaceStep],
        purpose: Purpose,
        context: Context<'_>,
    ) -> Result<Vec<Spot>, Obstacle> {
        let access = pointee(self.types, pointer.c_type);
        let targets = self.points_to.targets(self.types, pointer);
        let locations = &self.points_to.locations;
        let mut places: Vec<(LocationId, LocationId)> = Vec::new();
        let mut misfit = None;
        for target in &targets {
            if locations.is_somewhere(*target) {
                self.want_bytes(&targets);
                let what = "an access through a pointer made by arithmetic on another one".to_string();
                return Err(self.obstacle(what, &targets));
            }
            match locations.at_type(self.types, *target, access) {
                Some(_) if locations.is_outside(*target) => {
                    if locations.may_split(self.types, access) {
                        let what = "an access through a pointer that comes from elsewhere, perhaps to an object of another type".to_string();
                        return Err(self.obstacle(what, &targets));
                    }
                    for place in locations.reached_from_outside(self.types, access) {
                        if !places.iter().any(|(known, _)| *known == place) {
                            places.push((place, *target));
                        }
                    }
                }
                Some(place) if places.iter().any(|(known, _)| *known == place) => {}
                Some(place) => places.push((place, *target)),
                // Certainly outside of the object, like an access beyond the end of an array.
                None if self.is_too_small(*target, access) => {}
                None => misfit = Some(*target),
            }
        }
        // Others may fit, but the pointer may as well point here, and then the bytes of the object would be needed.
        if let Some(target) = misfit {
            self.want_bytes(&targets);
            let what = format!(
                "an access to `{}` as `{}`",
                self.types.display(locations.get(target).element),
                self.types.display(access)
            );
            return Err(self.obstacle(what, &targets));
        }
        self.alternatives = self.alternatives.saturating_add(places.len());
        if places.len() > 1 && self.alternatives > MOST_ALTERNATIVES {
            let what = format!("accesses through pointers that have {MOST_ALTERNATIVES} targets and more in all");
            return Err(self.obstacle(what, &targets));
        }
        let is_located = self.options.checks.bounds || self.options.checks.lifetime;
        if is_located && places.iter().any(|(place, _)| self.has_unknown_neighbours(*place)) {
            let what = "an access where several elements are allocated more than once by one call".to_string();
            return Err(self.obstacle(what, &targets));
        }
        if places.iter().any(|(place, _)| self.is_unsized(*place)) {
            self.undecided(
                ErrorKind::Bounds,
                "an access to allocated memory whose size does not fit its type",
                context,
            );
        }
        let address = self.expression(pointer, context);
        let locations = &self.points_to.locations;
        let is_plain = places.len() == 1 && locations.get(places[0].0).total == Some(1);
        let is_unguarded = self.options.undefined == Undefined::GoesOn && !self.options.checks.accesses()
            || purpose == Purpose::Address;
        let address = match is_plain && is_unguarded {
            true => address,
            false => self.small(address, context, "pointer"),
        };
        if purpose == Purpose::Access && targets.is_empty() && self.options.checks.accesses() {
            let is_set = self.is_set(&address);
            self.guard(ErrorKind::NullPointer, is_set, context);
            self.undecided_access("an access through a pointer of which it is not known where it points");
        }
        if purpose == Purpose::Access {
            self.guard_former(&address, &places, context);
            self.guard_pointer(&address, &places, context);
            self.guard_alive(&address, &places, context);
        }
        if purpose == Purpose::Access {
            self.guard_view(&address, &places, (access, !steps.is_empty()), context);
        }
        let mut spots = Vec::with_capacity(places.len());
        let several = places.len() > 1;
        let bases: Vec<BigInt> = places
            .iter()
            .map(|(location, _)| self.layout.address(*location))
            .collect();
        // What is accessed is in one of them then, and none of the others is behind the last one.
        let is_guarded = purpose == Purpose::Access && self.has_guards();
        let last = bases.iter().max().filter(|_| is_guarded).cloned();
        for ((location, _), base) in places.into_iter().zip(bases) {
            let total = self.points_to.locations.get(location).total;
            let condition = several.then(|| match total {
                None if last.as_ref() == Some(&base) => build::compare(
                    BinaryOperator::LessOrEqual,
                    build::address(base.clone()),
                    address.clone(),
                ),
                Some(1) => build::compare(BinaryOperator::Equal, address.clone(), build::address(base.clone())),
                _ => {
                    let size = total.map_or_else(|| self.layout.room(location), BigInt::from);
                    between(&address, &base, build::address(&base + size))
                }
            });
            let is_bytes = self.points_to.locations.is_bytes(location);
            let index = match total == Some(1) && !is_bytes && purpose == Purpose::Access {
                true => None,
                false => Some(build::offset(address.clone(), &-base)),
            };
            let start = Spot {
                condition,
                location,
                index,
                bytes: None,
            };
            let spot = self.walk(start, access, None, steps, purpose, context);
            // Where one place cannot be told, it may be the others all the same.
            spots.push(spot.map_err(|obstacle| self.obstacle(obstacle.what, &targets))?);
        }
        Ok(spots)
    }

    /// Whether a value of the type has no room in the object.
    fn is_too_small(&self, target: LocationId, access: TypeId) -> bool {
        let size = self.types.size_of(access);
        size.is_some_and(|size| self.room(target).is_some_and(|room| room < size))
    }

    /// How many bytes there are in the object, if that is known.
    pub(super) fn room(&self, target: LocationId) -> Option<u64> {
        let object = self.points_to.locations.object(target);
        match object.kind {
            ObjectKind::Variable(variable) => {
                let kind = self.inlined.program.variables[variable.0 as usize].kind;
                self.types.size_of(kind).filter(|_| !self.types.has_open_end(kind))
            }
            ObjectKind::Allocated(site) => {
                let element = self.points_to.locations.sites[site].element;
                let Count::Fixed(count) = object.count else { return None };
                self.types.size_of(element)?.checked_mul(count)
            }
            ObjectKind::Function(_) | ObjectKind::Outside => None,
        }
    }

    /// Whether the object consists of allocations that follow each other without it being known where one ends.
    pub(super) fn has_unknown_neighbours(&self, place: LocationId) -> bool {
        let object = self.points_to.locations.object(place);
        match object.kind {
            ObjectKind::Allocated(site) if object.count == Count::Allocated => {
                let site = &self.points_to.locations.sites[site];
                site.repeated && site.count != Some(1)
            }
            _ => false,
        }
    }

    /// What cannot be done to any of the targets' objects.
    pub(super) fn obstacle(&self, what: String, targets: &[LocationId]) -> Obstacle {
        let locations = &self.points_to.locations;
        let mut objects = Vec::new();
        for target in targets {
            match locations.is_outside(*target) {
                true => objects.extend(locations.all_from_outside()),
                false => objects.push(locations.get(*target).object),
            }
        }
        objects.sort_unstable();
        objects.dedup();
        Obstacle { what, objects }
    }

    /// Follows the steps from a spot of the type.
    fn walk(
        &mut self,
        start: Spot,
        kind: TypeId,
        outer: Option<VariableId>,
        steps: &[PlaceStep],
        purpose: Purpose,
        context: Context<'_>,
    ) -> Result<Spot, Obstacle> {
        if self.points_to.locations.is_bytes(start.location) {
            return self.walk_bytes(start, (kind, outer), steps, purpose, context);
        }
        let Spot {
            condition,
            mut location,
            mut index,
            bytes: _,
        } = start;
        let (mut kind, mut outer) = (kind, outer);
        let mut inner: Option<FlatExpression> = None;
        for (position, step) in steps.iter().enumerate() {
            match step {
                PlaceStep::Index(expression) => {
                    let Type::Array(element, length) = self.types.get(kind) else {
                        return Err(
                            self.obstacle("an index into something else than an array".to_string(), &[location])
                        );
                    };
                    let chosen = self.expression(expression, context);
                    let chosen = match build::is_small(&chosen) || *length == Length::Unknown {
                        true => chosen,
                        false => self.small(chosen, context, "index"),
                    };
                    // The address after the last element may be taken, but only there.
                    let is_last = position + 1 == steps.len();
                    if purpose == Purpose::Access || !is_last {
                        self.guard_index(&chosen, *length, outer, location, context);
                    } else {
                        self.guard_element_address(location, &chosen, *length, context);
                    }
                    inner = match (inner, length) {
                        (None, _) => Some(chosen),
                        (Some(before), Length::Fixed(length)) => Some(build::sum(
                            build::times(build::exact(before), *length),
                            build::exact(chosen),
                        )),
                        _ => {
                            let what = "an array of several dimensions whose lengths are not constant".to_string();
                            return Err(self.obstacle(what, &[location]));
                        }
                    };
                    outer = None;
                    kind = *element;
                }
                PlaceStep::Field(field) => {
                    index = self.joined(location, index, inner.take(), kind, purpose)?;
                    let Type::Record(record) = self.types.get(innermost(self.types, kind).0) else {
                        return Err(self.obstacle("a member of something else than a struct".to_string(), &[location]));
                    };
                    let fields = self.types.record(*record).fields.as_deref().unwrap_or(&[]);
                    let (Some(child), Some(field)) =
                        (self.points_to.locations.child(location, *field), fields.get(*field))
                    else {
                        return Err(self.obstacle("an access to an object with so many parts".to_string(), &[location]));
                    };
                    let own = self.points_to.locations.get(child).own;
                    index = match (index, own) {
                        (None, _) => None,
                        (Some(index), Some(own)) => Some(build::times(build::exact(index), own)),
                        (Some(index), None) if build::constant(&index).is_some_and(|index| *index == 0.into()) => None,
                        _ => {
                            let what = "an array of structs with a member of unknown size".to_string();
                            return Err(self.obstacle(what, &[location]));
                        }
                    };
                    location = child;
                    kind = field.kind;
                }
            }
        }
        index = self.joined(location, index, inner, kind, purpose)?;
        Ok(Spot {
            condition,
            location,
            index,
            bytes: None,
        })
    }

    /// The index of an element, and the index inside it at the type, as one.
    fn joined(
        &mut self,
        location: LocationId,
        index: Option<FlatExpression>,
        inner: Option<FlatExpression>,
        kind: TypeId,
        purpose: Purpose,
    ) -> Result<Option<FlatExpression>, Obstacle> {
        let Some(inner) = inner else { return Ok(index) };
        if self.points_to.locations.get(location).total == Some(1) && purpose == Purpose::Access {
            return Ok(None);
        }
        let inner = match innermost(self.types, kind).1 {
            Some(1) => inner,
            Some(rest) => build::times(build::exact(inner), rest),
            None => {
                let what = "an array of several dimensions whose lengths are not constant".to_string();
                return Err(self.obstacle(what, &[location]));
            }
        };
        Ok(Some(match index {
            None => inner,
            Some(index) => build::sum(build::exact(index), build::exact(inner)),
        }))
    }

    /// The variable of a spot that is a leaf, and what is in it.
    pub(super) fn leaf(&mut self, spot: &Spot) -> Option<(FlatVariable, FlatExpression)> {
        let variable = self.layout.leaf(spot.location)?;
        let info = &self.layout.variables[variable.0 as usize];
        let (numeric, is_array) = (info.numeric, info.is_array);
        let leaf = match is_array {
            false => Leaf::Variable(variable),
            true => Leaf::Element(variable, Box::new(index_of(spot))),
        };
        let value = FlatExpression {
            kind: ExpressionKind::Read(leaf),
            numeric,
            c_type: self.points_to.locations.get(spot.location).element,
            written: Written::default(),
        };
        Some((variable, value))
    }

    /// What is at the spots, which are leaves, as a number of this type.
    pub(super) fn value_at(
        &mut self,
        spots: &[Spot],
        numeric: Numeric,
        kind: TypeId,
    ) -> Result<FlatExpression, Obstacle> {
        let mut value: Option<FlatExpression> = None;
        for spot in spots.iter().rev() {
            if self.is_conflicting(spot.location) {
                self.want_bytes(&[spot.location]);
                let what = "reading a member of a union of which another one is used".to_string();
                return Err(self.obstacle(what, &[spot.location]));
            }
            let here = match &spot.bytes {
                Some(bytes) => Some(self.read_bytes(spot, bytes)?),
                None => self.leaf(spot).map(|(_, here)| here),
            };
            let Some(here) = here else {
                return Err(self.obstacle("an access to something that is no number".to_string(), &[spot.location]));
            };
            let here = build::converted(here, numeric, kind, self.types.size_type());
            value = Some(match (value, &spot.condition) {
                (Some(others), Some(condition)) => build::conditional(condition.clone(), here, others),
                _ => here,
            });
        }
        match value {
            Some(value) => Ok(value),
            None => Ok(self.unknown(numeric, kind, UnknownSource::Uninitialized)),
        }
    }

    fn is_conflicting(&self, location: LocationId) -> bool {
        if self.conflicting.is_empty() {
            return false;
        }
        let mut current = Some(location);
        while let Some(inner) = current {
            if self.conflicting.contains(&inner) {
                return true;
            }
            current = self.points_to.locations.get(inner).parent.map(|(parent, _)| parent);
        }
        false
    }

    /// A variable with an unknown value.
    pub(super) fn unknown(&mut self, numeric: Numeric, kind: TypeId, source: UnknownSource) -> FlatExpression {
        let temporary = self.layout.temporary("unknown", numeric);
        self.push(FlatInstructionKind::Unknown(temporary, source));
        self.bound_unknown(temporary, numeric);
        build::variable(temporary, numeric, kind)
    }

    /// A variable for what cannot be computed.
    pub(super) fn unsupported(&mut self, what: String, numeric: Numeric, kind: TypeId) -> FlatExpression {
        self.undecided_access(&what);
        let temporary = self.layout.temporary("unknown", numeric);
        self.push(FlatInstructionKind::Unsupported {
            what,
            effect: Effect::Changes(vec![temporary]),
        });
        build::variable(temporary, numeric, kind)
    }

    /// A write that cannot be done: anything in the objects may change.
    pub(super) fn unsupported_write(&mut self, obstacle: Obstacle) {
        self.undecided_write(&obstacle.what);
        self.change_later(obstacle.objects, None);
        self.push(FlatInstructionKind::Unsupported {
            what: obstacle.what,
            effect: Effect::Changes(Vec::new()),
        });
    }
}

/// Which element of its leaf a spot is.
pub(super) fn index_of(spot: &Spot) -> FlatExpression {
    spot.index.clone().map_or_else(|| build::address(0), build::bare)
}
