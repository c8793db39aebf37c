//! Unions with members whose bytes are not followed, such as pointers: beside each number of such a union stands a flag that says
//! whether it is what was written last there, so that a read gives what was written. A read of anything else is refused, where a
//! run gets there.
//!
//! A write makes what it writes valid, and makes invalid what has bytes in common with it in other members, but for integers over
//! integers, whose bytes are known ([`super::overlays`]). A union that is written as a whole gets all its numbers written; of a copy,
//! those are valid that were before. Zeros are valid in all members. What a union holds before anything is written is valid where
//! runs may go on with any values ([`Undefined::GoesOn`]); where an error is to be one that happens, values of members that
//! do not agree are none, and nothing is valid.

use super::access::{Spot, index_of};
use super::lifetime::FLAG;
use super::{Context, Lowering, build, unions};
use crate::flat::{FlatExpression, FlatInstructionKind, FlatTerminator, FlatVariable, Leaf};
use crate::options::Undefined;
use crate::points_to::locations::{LocationId, ObjectId, ObjectKind};
use crate::program::{Effect, Expression, ExpressionKind, Numeric, Place, UnknownSource, Written};
use crate::types::{TypeId, Types};
use crate::visit::{Touch, places_of};
use hashbrown::{HashMap, HashSet};

/// What is refused.
const WHAT: &str = "reading a member of a union of which another one is used";

/// The flags, by the leaves that they are about.
#[derive(Default)]
pub(super) struct Validity {
    flags: HashMap<LocationId, FlatVariable>,
    /// Whether unions are being written as a whole, number after number.
    pub is_suspended: bool,
}

/// How a struct is copied that has unions with flags in it, or is in one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Copying {
    /// There are none.
    Plain,
    /// With all their numbers, and their flags afterwards.
    Whole,
    /// Each number as if it were read.
    Read,
    /// Not at all.
    Refused,
}

impl Lowering<'_> {
    /// At the start of the program all flags have a value.
    pub(super) fn prepare_validity(&mut self) {
        for leaf in self.overlays.all_flagged() {
            let Some((flag, is_array)) = self.validity_flag(leaf) else {
                continue;
            };
            if self.layout.variables[flag.0 as usize].activation.is_some() {
                continue;
            }
            let object = self.points_to.locations.get(leaf).object;
            let is_zero = unions::is_zero_at_first(self.inlined, &self.points_to.locations, object, &HashSet::new());
            let value = build::truth(is_zero || self.options.undefined == Undefined::GoesOn);
            self.push(match is_array {
                true => FlatInstructionKind::Fill { array: flag, value },
                false => FlatInstructionKind::Assign(flag, value),
            });
        }
    }

    /// The flag of a leaf, or the array of those of its elements.
    fn validity_flag(&mut self, leaf: LocationId) -> Option<(FlatVariable, bool)> {
        self.overlays.flagged(leaf)?;
        let variable = self.layout.leaf(leaf)?;
        let is_array = self.layout.variables[variable.0 as usize].is_array;
        if let Some(flag) = self.validity.flags.get(&leaf) {
            return Some((*flag, is_array));
        }
        let object = self.points_to.locations.object(leaf).kind;
        let (root, activation) = match object {
            ObjectKind::Variable(variable) => (
                self.inlined.program.variables[variable.0 as usize].name.clone(),
                self.layout.activation(variable),
            ),
            ObjectKind::Allocated(site) => (format!("heap{}", site + 1), None),
            ObjectKind::Function(_) | ObjectKind::Outside => return None,
        };
        let name = format!("{root}{}_is_valid", self.layout.path(leaf));
        let flag = match is_array {
            true => self.layout.temporary_array(&name, FLAG),
            false => self.layout.temporary(&name, FLAG),
        };
        self.layout.variables[flag.0 as usize].activation = activation;
        self.validity.flags.insert(leaf, flag);
        Some((flag, is_array))
    }

    /// The flags of what is in the object, also those that say whether it has a value.
    pub(super) fn flags_of(&self, object: ObjectId) -> Vec<FlatVariable> {
        let root = self.points_to.locations.objects[object.0 as usize].root;
        let leaves = self.points_to.locations.leaves(root).into_iter();
        let flags = leaves.flat_map(|(leaf, _)| [self.validity.flags.get(&leaf), self.ghosts.set.get(&leaf)]);
        flags.flatten().copied().collect()
    }

    /// Whether the number at the spot is valid; `None` if it always is.
    fn valid(&mut self, spot: &Spot) -> Option<FlatExpression> {
        let (flag, is_array) = self.validity_flag(spot.location)?;
        let leaf = match is_array {
            true => Leaf::Element(flag, Box::new(index_of(spot))),
            false => Leaf::Variable(flag),
        };
        Some(FlatExpression {
            kind: ExpressionKind::Read(leaf),
            numeric: FLAG,
            c_type: Types::INT,
            written: Written::default(),
        })
    }

    /// From here on the number at the spot is valid or not, if the condition holds.
    pub(super) fn set_valid(&mut self, spot: &Spot, value: &FlatExpression, condition: Option<&FlatExpression>) {
        let Some((flag, is_array)) = self.validity_flag(spot.location) else {
            return;
        };
        let value = match (condition, self.valid(spot)) {
            (Some(condition), Some(old)) => build::conditional(condition.clone(), value.clone(), old),
            _ => value.clone(),
        };
        self.push(match is_array {
            true => FlatInstructionKind::Store {
                array: flag,
                index: index_of(spot),
                value,
            },
            false => FlatInstructionKind::Assign(flag, value),
        });
    }

    /// The value that was read at the spots, if what is there is valid; otherwise the read is refused.
    pub(super) fn readable(&mut self, spots: &[Spot], value: FlatExpression, context: Context<'_>) -> FlatExpression {
        let mut condition = build::truth(true);
        for spot in spots {
            let Some(mut valid) = self.valid(spot) else { continue };
            if let (Some(here), 2..) = (&spot.condition, spots.len()) {
                valid = build::or(build::not(here.clone()), valid);
            }
            condition = build::and(condition, valid);
        }
        let condition = context.if_evaluated(condition);
        if build::constant(&condition).is_some_and(|value| *value != 0.into()) {
            return value;
        }
        let (numeric, c_type) = (value.numeric, value.c_type);
        let read = self.layout.temporary("member", numeric);
        let [then, otherwise, next] = [(); 3].map(|()| self.add_block(FlatTerminator::Stop));
        self.end(FlatTerminator::Branch {
            condition,
            then,
            otherwise,
        });
        self.current = then;
        self.push(FlatInstructionKind::Assign(read, value));
        self.end(FlatTerminator::Goto(next));
        // What holds on the way to a refusal does not hold behind it.
        let guards = self.guards.clone();
        self.current = otherwise;
        let locations = &self.points_to.locations;
        let mut places = spots.iter().map(|spot| spot.location);
        let unknown = match places.any(|place| self.overlays.may_be_address(locations, place)) {
            // Where it leads, nobody has followed: the run ends here, whoever uses it.
            true => {
                self.push(FlatInstructionKind::Unsupported {
                    what: WHAT.to_string(),
                    effect: Effect::Anything,
                });
                self.unknown(numeric, c_type, UnknownSource::Uninitialized)
            }
            false => self.unsupported(WHAT.to_string(), numeric, c_type),
        };
        self.push(FlatInstructionKind::Assign(read, unknown));
        self.end(FlatTerminator::Goto(next));
        self.guards = guards;
        self.current = next;
        build::variable(read, numeric, c_type)
    }

    /// Keeps the refusals of what an expression reads, though its value is not calculated: where an address that is read from the
    /// wrong member leads, nobody has followed.
    pub(super) fn keep_refusals(&mut self, expression: &Expression<Place>, context: Context<'_>) {
        let locations = &self.points_to.locations;
        let mut is_hidden = false;
        places_of(expression, &mut |place, touch| {
            if touch == Touch::Read && !is_hidden {
                let mut found = self.points_to.place(self.types, place).into_iter();
                is_hidden = found.any(|place| self.overlays.may_be_address(locations, place));
            }
        });
        if !is_hidden {
            return;
        }
        let (ExpressionKind::Read(place), Numeric::Aggregate) = (&expression.kind, expression.numeric) else {
            self.expression(expression, context);
            return;
        };
        let spots = self.aggregate_spots(place).unwrap_or_default();
        if self.copying(&[], &spots, place.kind) == Copying::Whole {
            return;
        }
        for (spots, _) in self.parts(&spots, place.kind).into_iter().flatten() {
            self.readable(&spots, build::address(0), context);
        }
    }

    /// Whether all unions with flags at a place, of which there are some, are in it as a whole; `None` if there are none.
    fn has_whole_unions(&self, root: LocationId) -> Option<bool> {
        let locations = &self.points_to.locations;
        let leaves = locations.leaves(root).into_iter();
        let unions: Vec<LocationId> = leaves.filter_map(|(leaf, _)| self.overlays.flagged(leaf)).collect();
        if unions.is_empty() {
            return None;
        }
        let is_inside = |union: &LocationId| {
            let mut current = Some(*union);
            while let Some(inner) = current {
                if inner == root {
                    return true;
                }
                current = locations.get(inner).parent.map(|(parent, _)| parent);
            }
            false
        };
        Some(unions.iter().all(is_inside))
    }

    /// How something of the type is copied from some spots to others.
    pub(super) fn copying(&self, to: &[Spot], from: &[Spot], kind: TypeId) -> Copying {
        let both = to.iter().chain(from);
        let found: Vec<Option<bool>> = both.map(|spot| self.has_whole_unions(spot.location)).collect();
        if found.iter().all(Option::is_none) {
            return Copying::Plain;
        }
        if found.iter().all(|whole| *whole == Some(true)) {
            return Copying::Whole;
        }
        let mut inner = HashSet::new();
        unions::unions_in(self.types, kind, &mut inner);
        match inner.is_empty() {
            true => Copying::Read,
            false => Copying::Refused,
        }
    }

    /// Whether unions with flags are written as a whole at the spots: then their numbers are written without further ado until
    /// [`set_all_valid`](Self::set_all_valid).
    pub(super) fn suspend_validity(&mut self, spots: &[Spot]) -> bool {
        let found: Vec<bool> = spots
            .iter()
            .filter_map(|spot| self.has_whole_unions(spot.location))
            .collect();
        // Where one of them is inside of a union, what else is there must be told.
        let is_whole = !found.is_empty() && found.iter().all(|whole| *whole);
        self.validity.is_suspended = is_whole;
        is_whole
    }

    /// All numbers at the spots are valid from here on, or none is.
    pub(super) fn set_all_valid(&mut self, spots: &[Spot], kind: TypeId, is_valid: bool) {
        self.validity.is_suspended = false;
        let value = build::truth(is_valid);
        for part in self.parts(spots, kind) {
            match part {
                Ok((spots, _)) => {
                    for spot in &spots {
                        let condition = spot.condition.clone().filter(|_| spots.len() > 1);
                        self.set_valid(spot, &value, condition.as_ref());
                    }
                }
                Err(whole) => {
                    if let Some((array, true)) = self.validity_flag(whole) {
                        let value = value.clone();
                        self.push(FlatInstructionKind::Fill { array, value });
                    }
                }
            }
        }
    }

    /// Whether what is at the spots of one number is valid, as a number.
    pub(super) fn validity_at(&mut self, spots: &[Spot]) -> FlatExpression {
        let mut found: Option<FlatExpression> = None;
        for spot in spots.iter().rev() {
            // Nobody reads the member there, so that nobody has kept track of it.
            let here = self.valid(spot).unwrap_or_else(|| build::truth(false));
            found = Some(match (found, &spot.condition) {
                (Some(others), Some(condition)) => build::conditional(condition.clone(), here, others),
                _ => here,
            });
        }
        found.unwrap_or_else(|| build::truth(false))
    }

    /// The flags of a leaf that is copied in one piece go with it.
    pub(super) fn copy_validity_of_all(&mut self, to: LocationId, from: LocationId) {
        let Some((target, true)) = self.validity_flag(to) else {
            return;
        };
        let kind = match self.validity_flag(from) {
            Some((source, true)) => FlatInstructionKind::CopyArray { target, source },
            _ => FlatInstructionKind::Fill {
                array: target,
                value: build::truth(false),
            },
        };
        self.push(kind);
    }
}
