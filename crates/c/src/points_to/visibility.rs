//! What pointers from outside may point to: memory that the program does not show, and those of its own objects that are
//! known there.

use super::classes::Class;
use super::locations::{Location, LocationId, Locations, ObjectId, ObjectKind, innermost};
use crate::types::{RecordId, Type, TypeId, Types};

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

    /// The same for an object that code outside does not change; whether that is new.
    pub fn make_readable(&mut self, types: &Types, location: LocationId) -> bool {
        let is_new = self.make_visible(types, location);
        if is_new {
            let object = self.get(location).object;
            self.only_read.insert(object);
        }
        is_new
    }

    /// Code outside may change the object of this location from now on; whether it could only read it before.
    pub fn make_writable(&mut self, location: LocationId) -> bool {
        let object = self.get(location).object;
        self.only_read.remove(&object)
    }

    /// Whether code outside knows the object, but does not change it.
    pub fn is_only_read(&self, object: ObjectId) -> bool {
        self.only_read.contains(&object)
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

    /// Whether pointers from outside may point to functions of the program.
    pub fn shows_functions(&self) -> bool {
        if self.shows_functions {
            return true;
        }
        let mut kinds = self
            .visible_objects
            .iter()
            .map(|object| self.objects[object.0 as usize].kind);
        kinds.any(|kind| matches!(kind, ObjectKind::Function(_)))
    }

    /// The objects that a write through a pointer from outside may change, whatever they are made of.
    pub fn all_from_outside(&self) -> Vec<ObjectId> {
        let regions = self.regions.iter().map(|location| self.get(*location).object);
        self.visible_objects.iter().copied().chain(regions).collect()
    }

    /// Whether an access at a type through a pointer from outside may go to something visible that has another type, or to a
    /// part of it: bytes are in every object, and a struct may be put around anything that is like its first member.
    pub fn may_split(&self, types: &Types, access: TypeId) -> bool {
        let byte = Class::Number(8);
        let is_number = |class: &Class| match class {
            Class::Number(_) | Class::Address { .. } | Class::Floating(_) => *class != byte,
            _ => false,
        };
        let (element, _) = innermost(types, access);
        match Class::of(types, element) {
            // Bytes may be those of numbers outside, too, which matters if any of them is written.
            Class::Number(8) => (self.shows_own || self.is_written_outside) && self.visible.keys().any(is_number),
            Class::Record(record) => self.shows_own && self.may_be_put_around(types, record),
            _ => false,
        }
    }

    /// Whether something visible may be accessed as a member of the record without being one.
    fn may_be_put_around(&self, types: &Types, record: RecordId) -> bool {
        let size = types.record(record).size;
        let is_large = |location: &Location| {
            let bytes = types.size_of(location.element);
            let bytes = bytes.and_then(|bytes| location.total?.checked_mul(bytes));
            bytes.is_none_or(|bytes| bytes >= size)
        };
        first_members(types, record).into_iter().any(|class| {
            let locations = self.visible.get(&class).into_iter().flatten();
            locations.map(|id| (*id, self.get(*id))).any(|(id, location)| {
                let is_own = !matches!(self.object(id).kind, ObjectKind::Outside);
                is_own && is_large(location) && !self.begins(types, id, record)
            })
        })
    }

    /// Whether the location is at the start of such a record.
    fn begins(&self, types: &Types, mut location: LocationId, record: RecordId) -> bool {
        while let Some((parent, _)) = self.get(location).parent {
            location = parent;
            if *types.get(self.get(location).element) == Type::Record(record) {
                return true;
            }
        }
        false
    }
}

/// As what the start of a record can be accessed.
fn first_members(types: &Types, record: RecordId) -> Vec<Class> {
    let mut classes = Vec::new();
    let mut seen = vec![record];
    let mut waiting = vec![record];
    while let Some(record) = waiting.pop() {
        let fields = types.record(record).fields.as_deref().unwrap_or(&[]);
        for field in fields.iter().filter(|field| field.offset == 0) {
            let (inner, _) = innermost(types, field.kind);
            match *types.get(inner) {
                Type::Record(inner) if seen.contains(&inner) => {}
                Type::Record(inner) => {
                    seen.push(inner);
                    waiting.push(inner);
                }
                _ => classes.push(Class::by_type(types, inner)),
            }
        }
    }
    classes
}
