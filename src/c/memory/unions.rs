//! Unions whose members are written as one type and read as another: what such a read gives depends on bytes.

use super::visit::{Touch, places};
use crate::c::inline::Inlined;
use crate::c::points_to::PointsTo;
use crate::c::points_to::locations::{LocationId, Locations};
use crate::c::program::{CopySource, Expression, InstructionKind, Place, PlaceStep};
use crate::c::types::{Type, TypeId};
use hashbrown::HashSet;

/// The members of unions that are read although another member may be written.
pub fn conflicting(inlined: &Inlined, points_to: &PointsTo) -> HashSet<LocationId> {
    let types = &inlined.program.types;
    let locations = &points_to.locations;
    let is_union = |kind: TypeId| matches!(types.get(kind), Type::Record(record) if types.record(*record).is_union);
    let mut found = HashSet::new();
    if !locations.locations.iter().any(|location| is_union(location.element)) {
        return found;
    }
    let (mut read, mut written) = (HashSet::new(), HashSet::new());
    for block in inlined.blocks() {
        places(block, &mut |place, touch| {
            let marks = match touch {
                Touch::Read => &mut read,
                Touch::Write | Touch::Clear => &mut written,
                Touch::Address => return,
            };
            // A copy of a whole union copies all members.
            if !types.is_scalar(place.kind) && !is_inside(place) {
                return;
            }
            for location in points_to.place(types, place) {
                mark(locations, location, marks);
            }
        });
        for instruction in &block.instructions {
            let InstructionKind::Copy {
                target,
                source,
                element,
                ..
            } = &instruction.kind
            else {
                continue;
            };
            let copied = |pointer: &Expression<Place>, marks: &mut HashSet<LocationId>| {
                for location in points_to.targets(types, pointer) {
                    let place = locations.at_type(types, location, *element);
                    mark(locations, place.unwrap_or(location), marks);
                }
            };
            copied(target, &mut written);
            if let CopySource::Address(source) = source {
                copied(source, &mut read);
            }
        }
    }
    for (index, location) in locations.locations.iter().enumerate() {
        if !is_union(location.element) || locations.is_somewhere(LocationId(index as u32)) {
            continue;
        }
        for child in &location.children {
            let others_written = location
                .children
                .iter()
                .any(|other| other != child && written.contains(other));
            if read.contains(child) && others_written {
                found.insert(*child);
            }
        }
    }
    found
}

/// Marks a location and what it is a part of.
fn mark(locations: &Locations, location: LocationId, marks: &mut HashSet<LocationId>) {
    let mut current = Some(location);
    while let Some(inner) = current {
        marks.insert(inner);
        current = locations.get(inner).parent.map(|(parent, _)| parent);
    }
}

/// Whether a place is a proper part of something.
fn is_inside(place: &Place) -> bool {
    place.steps.iter().any(|step| matches!(step, PlaceStep::Field(_)))
}
