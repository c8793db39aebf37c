//! Structs and arrays as a whole: leaf by leaf, element by element where an array is not copied as one.

use super::access::{Obstacle, Spot};
use super::instructions::MAXIMAL_UNROLLED;
use super::validity::Copying;
use super::{Context, Lowering, build};
use crate::flat::FlatInstructionKind;
use crate::points_to::locations::{LocationId, innermost};
use crate::program::{Effect, Place};
use crate::types::TypeId;

/// A part of something that is handled as a whole: the spots where one number may be, with its position in the leaf, or a
/// leaf that is an array in one piece.
pub(super) type Part = Result<(Vec<Spot>, u64), LocationId>;

impl Lowering<'_> {
    /// The numbers of which a value of the type at the spots consists.
    pub(super) fn parts(&mut self, spots: &[Spot], kind: TypeId) -> Vec<Part> {
        let Some(first) = spots.first() else { return Vec::new() };
        if spots.iter().any(|spot| spot.bytes.is_some()) {
            return self.byte_parts(spots, kind).unwrap_or_else(|| {
                self.unsupported_parts(spots);
                Vec::new()
            });
        }
        let mut parts = Vec::new();
        for (leaf, path) in self.points_to.locations.leaves(first.location) {
            let count = self.count_below(first.location, leaf, kind);
            if let [spot] = spots
                && self.is_whole(spot, kind)
                && self.points_to.locations.get(leaf).total != Some(1)
            {
                parts.push(Err(leaf));
                continue;
            }
            match count {
                Some(count) if count <= MAXIMAL_UNROLLED => {
                    for position in 0..count {
                        let at: Vec<Spot> = spots
                            .iter()
                            .filter_map(|spot| self.part(spot, &path, position))
                            .collect();
                        if at.len() < spots.len() {
                            self.unsupported_parts(spots);
                            break;
                        }
                        parts.push(Ok((at, position)));
                    }
                }
                _ => {
                    let objects = spots
                        .iter()
                        .map(|spot| self.points_to.locations.get(spot.location).object)
                        .collect();
                    let what = match count {
                        Some(count) => format!("a change of {count} elements of an array at once"),
                        None => "a change of an array of unknown length at once".to_string(),
                    };
                    self.unsupported_write(Obstacle { what, objects });
                }
            }
        }
        parts
    }

    /// A change of something at these spots that has parts nobody can tell apart.
    fn unsupported_parts(&mut self, spots: &[Spot]) {
        let locations: Vec<LocationId> = spots.iter().map(|spot| spot.location).collect();
        let obstacle = self.obstacle(
            "a change of a struct whose parts cannot be told".to_string(),
            &locations,
        );
        self.unsupported_write(obstacle);
    }

    /// Whether the spot, at the type, is all of its location.
    fn is_whole(&self, spot: &Spot, kind: TypeId) -> bool {
        let location = self.points_to.locations.get(spot.location);
        let is_first = match &spot.index {
            None => true,
            Some(index) => build::constant(index).is_some_and(|index| *index == 0.into()),
        };
        is_first && innermost(self.types, kind).1 == location.total
    }

    /// How many elements of the leaf are in a value of the type at the location.
    fn count_below(&self, location: LocationId, leaf: LocationId, kind: TypeId) -> Option<u64> {
        let mut count = innermost(self.types, kind).1?;
        let mut current = leaf;
        while current != location {
            let here = self.points_to.locations.get(current);
            count = count.checked_mul(here.own?)?;
            current = here.parent?.0;
        }
        Some(count)
    }

    /// The spot at the end of a path from another one, moved by some elements.
    fn part(&self, spot: &Spot, path: &[usize], position: u64) -> Option<Spot> {
        let mut location = spot.location;
        let mut index = spot.index.clone();
        for field in path {
            location = self.points_to.locations.child(location, *field)?;
            let own = self.points_to.locations.get(location).own?;
            index = index.map(|index| build::times(build::exact(index), own));
        }
        if position > 0 {
            let start = index.unwrap_or_else(|| build::address(0));
            index = Some(build::offset(build::exact(start), &position.into()));
        }
        Some(Spot {
            condition: spot.condition.clone(),
            location,
            index,
            bytes: None,
        })
    }

    /// `target = source` for structs.
    pub(super) fn copy_aggregate(&mut self, target: &Place, source: &Place) {
        let to = match self.aggregate_spots(target) {
            Ok(spots) => spots,
            Err(obstacle) => {
                self.keep_checks_of_place(target, Context::Always);
                self.keep_checks_of_place(source, Context::Always);
                return self.unsupported_write(obstacle);
            }
        };
        let from = match self.aggregate_spots(source) {
            Ok(spots) => spots,
            Err(obstacle) => {
                self.keep_checks_of_place(source, Context::Always);
                let objects = to
                    .iter()
                    .map(|spot| self.points_to.locations.get(spot.location).object)
                    .collect();
                return self.unsupported_write(Obstacle {
                    what: obstacle.what,
                    objects,
                });
            }
        };
        self.guard_writable(target, &to);
        if let Some(obstacle) = self.padding_in_overlay(&to, target.kind) {
            return self.unsupported_write(obstacle);
        }
        let Some(first) = to.first() else { return };
        if to.iter().chain(&from).any(|spot| spot.bytes.is_some()) {
            return self.copy_bytes(&to, &from, target.kind);
        }
        let copying = self.copying(&to, &from, target.kind);
        if copying == Copying::Refused {
            let places: Vec<LocationId> = to.iter().map(|spot| spot.location).collect();
            let what = "the copy of a part of a union with another union in it".to_string();
            let (locations, mut read) = (&self.points_to.locations, from.iter().map(|spot| spot.location));
            if read.any(|place| self.overlays.may_be_address(locations, place)) {
                let effect = Effect::Anything;
                return self.push(FlatInstructionKind::Unsupported { what, effect });
            }
            let obstacle = self.obstacle(what, &places);
            return self.unsupported_write(obstacle);
        }
        self.validity.is_suspended = copying == Copying::Whole;
        for (leaf, path) in self.points_to.locations.leaves(first.location) {
            let count = self.count_below(first.location, leaf, target.kind);
            if let ([to], [from]) = (&to[..], &from[..])
                && copying != Copying::Read
                && self.points_to.locations.get(leaf).total != Some(1)
                && self.is_whole(to, target.kind)
                && self.is_whole(from, target.kind)
            {
                let other = self.part(from, &path, 0).map(|spot| spot.location);
                let source = other.and_then(|other| self.layout.leaf(other));
                if let (Some(target), Some(source), Some(other)) = (self.layout.leaf(leaf), source, other) {
                    if target != source {
                        self.push(FlatInstructionKind::CopyArray { target, source });
                        self.spread_all(leaf);
                        self.copy_validity_of_all(leaf, other);
                    }
                    continue;
                }
            }
            match count {
                Some(count) if count <= MAXIMAL_UNROLLED => {
                    for position in 0..count {
                        self.copy_number((&to, &from), &path, position, copying);
                    }
                }
                _ => {
                    let objects = to
                        .iter()
                        .map(|spot| self.points_to.locations.get(spot.location).object)
                        .collect();
                    let what = "the copy of a struct with a large array in it".to_string();
                    self.unsupported_write(Obstacle { what, objects });
                }
            }
        }
        self.validity.is_suspended = false;
    }

    fn copy_number(&mut self, (targets, sources): (&[Spot], &[Spot]), path: &[usize], position: u64, copying: Copying) {
        let (to, from) = (targets, sources);
        let to: Vec<Spot> = to.iter().filter_map(|spot| self.part(spot, path, position)).collect();
        let from: Vec<Spot> = from.iter().filter_map(|spot| self.part(spot, path, position)).collect();
        let Some(first) = to
            .first()
            .filter(|_| to.len() == targets.len() && from.len() == sources.len())
        else {
            return self.unsupported_parts(targets);
        };
        let kind = self.points_to.locations.get(first.location).element;
        let Some(numeric) = self.layout.numeric(first.location) else {
            return self.unsupported_parts(targets);
        };
        match self.value_at(&from, numeric, kind) {
            Ok(value) => {
                let value = match copying {
                    Copying::Read => self.readable(&from, value, Context::Always),
                    _ => value,
                };
                self.write(&to, &value);
            }
            Err(obstacle) => {
                let value = self.unsupported(obstacle.what, numeric, kind);
                self.write(&to, &value);
            }
        }
        if copying == Copying::Whole {
            let is_valid = self.validity_at(&from);
            for spot in &to {
                let condition = spot.condition.clone().filter(|_| to.len() > 1);
                self.set_valid(spot, &is_valid, condition.as_ref());
            }
        }
        self.note_copied(&to, &from);
    }
}
