//! Objects that are seen as bytes: they have no parts, but an array of bytes, and whatever points into them points to that array,
//! at whatever type.

use super::locations::{Count, LocationId, Locations, Site};
use crate::program::{Program, VariableId};
use crate::types::{IntegerType, Type, TypeId, Types};
use std::collections::BTreeSet;

/// The numbers that bytes are.
pub const BYTE: IntegerType = IntegerType { bits: 8, signed: false };

/// Which objects are seen as bytes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Viewed {
    /// Variables.
    pub variables: BTreeSet<VariableId>,
    /// Allocations, by their function, block, and index in the block.
    pub sites: BTreeSet<(usize, usize, usize)>,
}

impl Viewed {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.sites.is_empty()
    }

    /// Takes others out.
    pub fn remove(&mut self, others: &Viewed) {
        self.variables.retain(|variable| !others.variables.contains(variable));
        self.sites.retain(|site| !others.sites.contains(site));
    }

    /// Adds others.
    pub fn extend(&mut self, others: &Viewed) {
        self.variables.extend(&others.variables);
        self.sites.extend(&others.sites);
    }

    /// What a variable that is seen as bytes consists of: their type, and how many there are.
    pub(super) fn variable(&self, program: &Program, variable: VariableId) -> Option<(TypeId, Count)> {
        if !self.variables.contains(&variable) {
            return None;
        }
        let kind = program.variables.get(variable.0 as usize)?.kind;
        let bytes = program.types.size_of(kind)?;
        Some((program.types.find(&Type::Integer(BYTE))?, Count::Fixed(bytes)))
    }

    /// Makes the allocations that are seen as bytes ones of bytes.
    pub fn retype(&self, types: &Types, sites: &mut [Site]) {
        let Some(byte) = types.find(&Type::Integer(BYTE)) else {
            return;
        };
        for site in sites {
            if self.sites.contains(&site.position)
                && let Some(size) = types.size_of(site.element)
            {
                site.count = site.count.and_then(|count| count.checked_mul(size));
                site.element = byte;
                site.units = 1;
            }
        }
    }
}

impl Locations {
    /// Whether the location is, or is in, an object that is seen as bytes.
    pub fn is_bytes(&self, id: LocationId) -> bool {
        self.object(id).is_bytes
    }
}
