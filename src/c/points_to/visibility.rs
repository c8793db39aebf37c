//! What pointers from outside may point to: memory that the program does not show, and those of its own objects that are
//! known there.

use super::classes::Class;
use super::locations::{LocationId, Locations, ObjectId, ObjectKind, innermost};
use crate::c::types::{TypeId, Types};

impl Locations {
    /// Pointers from outside may point to the object of this location, and into it, from now on; whether that is new.
    pub fn make_visible(&mut self, types: &Types, location: LocationId) -> bool {
        let object = self.get(location).object;
        let is_own = !matches!(self.object(location).kind, ObjectKind::Outside);
        if !is_own || !self.visible_objects.insert(object) {
            return false;
        }
        self.shows_own = true;
        self.show(types, vec![self.object(location).root]);
        true
    }

    /// Pointers from outside may point into what lies there, too; whether that is new.
    pub fn make_parts_visible(&mut self, types: &Types, region: LocationId) -> bool {
        if !self.visible_objects.insert(self.get(region).object) {
            return false;
        }
        self.show(types, vec![region]);
        true
    }

    fn show(&mut self, types: &Types, mut stack: Vec<LocationId>) {
        while let Some(id) = stack.pop() {
            let location = &self.locations[id.0 as usize];
            stack.extend(&location.children);
            // A bit-field has no address.
            if location.bit_width.is_none() {
                let class = Class::by_type(types, location.element);
                self.visible.entry(class).or_default().insert(id);
            }
        }
    }

    /// Where an access at a type may go if the pointer comes from outside: to what is visible of the program's own, and to
    /// memory that the program does not show, which comes last.
    pub fn reached_from_outside(&self, types: &Types, access: TypeId) -> Vec<LocationId> {
        let Some(region) = self.region(types, access) else {
            return Vec::new();
        };
        let class = Class::by_type(types, innermost(types, access).0);
        let visible = self.visible.get(&class).into_iter().flatten().copied();
        let others = visible.filter(|location| *location != region);
        others.chain([region]).collect()
    }

    /// Whether pointers from outside may point to the object of the location.
    pub fn is_visible(&self, location: LocationId) -> bool {
        let object = self.get(location).object;
        self.visible_objects.contains(&object)
    }

    /// The objects that a write through a pointer from outside may change, whatever they are made of.
    pub fn all_from_outside(&self) -> Vec<ObjectId> {
        let regions = self.regions.iter().map(|location| self.get(*location).object);
        self.visible_objects.iter().copied().chain(regions).collect()
    }

    /// Whether an access at a type through a pointer from outside may go to a part of a number: bytes are in every object
    /// that is visible, other types only in those that have them.
    pub fn may_split(&self, types: &Types, access: TypeId) -> bool {
        let byte = Class::Number(8);
        let is_number = |class: &Class| match class {
            Class::Number(_) | Class::Address { .. } | Class::Floating(_) => *class != byte,
            _ => false,
        };
        let is_byte = Class::of(types, innermost(types, access).0) == byte;
        is_byte && self.shows_own && self.visible.keys().any(is_number)
    }
}
