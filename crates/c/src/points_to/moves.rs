//! Where addresses point that have been moved or calculated with.

use super::locations::{LocationId, Locations};
use crate::types::{TypeId, Types};

impl Locations {
    /// Where a pointer to the location, as a pointer to the type, points when it has been moved by some elements.
    pub fn moved(&self, types: &Types, id: LocationId, pointee: TypeId) -> LocationId {
        if self.is_outside(id) {
            return id;
        }
        match self.at_type(types, id, pointee) {
            // Bytes come after bytes, whatever is made of them.
            Some(place) if self.is_bytes(place) => place,
            // From the first member on it moves over the others, too.
            Some(place) if place != id => self.object(id).somewhere,
            Some(place) if self.get(place).is_array => place,
            // A pointer to a single object can only be moved past it and back.
            Some(place) if self.get(place).total == Some(1) => place,
            _ => self.object(id).somewhere,
        }
    }

    /// Where a number made of an address by arithmetic points. What comes from outside is any number anyway.
    pub fn mixed(&self, id: LocationId) -> LocationId {
        match self.is_outside(id) {
            true => id,
            // Numbers that count bytes are still addresses in it when some are added.
            false if self.is_bytes(id) => self.object(id).root,
            false => self.object(id).somewhere,
        }
    }
}
