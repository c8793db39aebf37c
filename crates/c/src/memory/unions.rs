//! Unions whose members are written as one type and read as another: what such a read gives depends on bytes, which are
//! followed where they are those of integers ([`super::overlays`]).

use super::overlays::Overlays;
use crate::inline::Inlined;
use crate::options::Floats;
use crate::points_to::PointsTo;
use crate::points_to::locations::{LocationId, Locations, ObjectId, ObjectKind};
use crate::program::{CopySource, Expression, InstructionKind, Place, PlaceBase, PlaceStep, VariableId, VariableRole};
use crate::types::{RecordId, Type, TypeId, Types};
use crate::visit::{Touch, places};
use hashbrown::HashSet;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The members of unions that are read although another member may be written; and those unions, if they may be followed, in
/// which what is written is there for all members, so that their members are not among them.
///
/// Members of content that nobody knows are values of their own, which need not agree: more runs than there are, so that it
/// matters where an error is to be one that `happens`. Where unions are followed, memory outside and what is allocated
/// are such content; variables get their unknown values by writes.
pub fn conflicting(
    inlined: &Inlined,
    points_to: &PointsTo,
    (happens, follow): (bool, bool),
    floats: Floats,
) -> (HashSet<LocationId>, Overlays) {
    let types = &inlined.program.types;
    let locations = &points_to.locations;
    let is_union = |kind: TypeId| matches!(types.get(kind), Type::Record(record) if types.record(*record).is_union);
    let mut found = HashSet::new();
    let mut overlays = Overlays::new(floats);
    if !locations.locations.iter().any(|location| is_union(location.element)) {
        return (found, overlays);
    }
    let (mut read, mut written) = (HashSet::new(), HashSet::new());
    let mut copied = HashSet::new();
    let mut used_objects: HashSet<ObjectId> = HashSet::new();
    let mut unknown = HashSet::new();
    for block in inlined.blocks() {
        places(block, &mut |place, touch| {
            let marks = match touch {
                Touch::Read => &mut read,
                Touch::Write | Touch::Clear => &mut written,
                Touch::Address => return,
            };
            // A copy of a whole union copies all members, and which of them was written before.
            if touch == Touch::Read && !types.is_scalar(place.kind) {
                unions_in(types, place.kind, &mut copied);
            }
            let found = points_to.place(types, place);
            used_objects.extend(found.iter().map(|location| locations.get(*location).object));
            // A whole struct is one of a member if it is in a union, whatever the pointer says that leads there.
            let is_part = is_inside(place) || types.is_scalar(place.kind);
            for location in found {
                if is_part || is_in_union(types, locations, location) {
                    mark(locations, location, marks);
                }
            }
        });
        for instruction in &block.instructions {
            if let InstructionKind::Unknown { target, .. } = &instruction.kind
                && let PlaceBase::Variable(variable) = target.base
            {
                unknown.insert(variable);
            }
            let InstructionKind::Copy {
                target,
                source,
                element,
                ..
            } = &instruction.kind
            else {
                continue;
            };
            let mut mark_targets = |pointer: &Expression<Place>, marks: &mut HashSet<LocationId>| {
                for location in points_to.targets(types, pointer) {
                    match locations.is_outside(location) {
                        true => used_objects.extend(locations.all_from_outside()),
                        false => drop(used_objects.insert(locations.get(location).object)),
                    }
                    let place = locations.at_type(types, location, *element);
                    mark(locations, place.unwrap_or(location), marks);
                }
            };
            mark_targets(target, &mut written);
            if let CopySource::Address(source) = source {
                mark_targets(source, &mut read);
                unions_in(types, *element, &mut copied);
            }
        }
    }
    // What one union of a type has written, others may get by a copy.
    let record_of = |kind: TypeId| match types.get(kind) {
        Type::Record(record) if copied.contains(record) => Some(*record),
        _ => None,
    };
    let mut written_somewhere = HashSet::new();
    let mut unknown_somewhere = HashSet::new();
    for location in &locations.locations {
        let Some(record) = record_of(location.element) else {
            continue;
        };
        if !is_zero_at_first(inlined, locations, location.object, &unknown) {
            unknown_somewhere.insert(record);
        }
        let members = location.children.iter().enumerate();
        let members = members.filter(|(_, child)| written.contains(*child));
        written_somewhere.extend(members.map(|(member, _)| (record, member)));
    }
    let mut unions: BTreeMap<RecordId, Vec<LocationId>> = BTreeMap::new();
    let mut without_values: HashSet<RecordId> = HashSet::new();
    for (index, location) in locations.locations.iter().enumerate() {
        if !is_union(location.element) || locations.is_somewhere(LocationId(index as u32)) {
            continue;
        }
        if let Type::Record(record) = types.get(location.element) {
            unions.entry(*record).or_default().push(LocationId(index as u32));
        }
        let record = record_of(location.element);
        // Members that are the same number are one location.
        let distinct: BTreeSet<LocationId> = location.children.iter().copied().collect();
        let was_read = distinct.iter().filter(|child| read.contains(*child));
        let is_unknown = record.is_some_and(|record| unknown_somewhere.contains(&record))
            || !is_zero_at_first(inlined, locations, location.object, &unknown);
        if happens && is_unknown && was_read.clone().count() > 1 {
            found.extend(was_read);
            if let (ObjectKind::Outside | ObjectKind::Allocated(_), Type::Record(record)) = (
                &locations.objects[location.object.0 as usize].kind,
                types.get(location.element),
            ) {
                without_values.insert(*record);
            }
        }
        for child in &location.children {
            let others_written = location.children.iter().enumerate().any(|(member, other)| {
                let is_copied = record.is_some_and(|record| written_somewhere.contains(&(record, member)));
                other != child && (is_copied || written.contains(other))
            });
            if read.contains(child) && others_written {
                found.insert(*child);
            }
        }
    }
    // What is written to a union goes to all of the one that it is in: the outer ones come first.
    let mut unions: Vec<(RecordId, Vec<LocationId>)> = unions.into_iter().collect();
    let numbers = |all: &[LocationId]| all.iter().map(|union| locations.leaves(*union).len()).max();
    unions.sort_by_key(|(_, all)| Reverse(numbers(all)));
    // A copy takes along what the other members have, so that all unions of a type are followed, or none.
    for (record, all) in unions.iter_mut().filter(|_| follow) {
        let members = |union: &LocationId| locations.get(*union).children.iter().enumerate();
        let is_used = |child: &LocationId| read.contains(child) || written.contains(child);
        // Of one that nobody looks into, such as memory outside that no pointer comes from, nothing is asked.
        match copied.contains(record) {
            true => all.retain(|union| used_objects.contains(&locations.get(*union).object)),
            false => all.retain(|union| members(union).any(|(_, child)| is_used(child))),
        }
        if !all.iter().flat_map(members).any(|(_, child)| found.contains(child)) {
            continue;
        }
        let used: BTreeSet<usize> = all
            .iter()
            .flat_map(members)
            .filter_map(|(member, child)| is_used(child).then_some(member))
            .collect();
        let can_be_flagged = all.iter().all(|union| !changes_by_itself(inlined, locations, *union));
        for is_flagged in [false, true] {
            let is_excluded = match is_flagged {
                false => without_values.contains(record),
                true => !can_be_flagged,
            };
            if is_excluded {
                continue;
            }
            let mut more = overlays.clone();
            let is_followed = all.iter().all(|union| {
                let members: Vec<LocationId> = members(union)
                    .filter_map(|(member, child)| used.contains(&member).then_some(*child))
                    .collect();
                more.add(types, points_to, *union, &members, is_flagged)
            });
            if is_followed {
                overlays = more;
                for (_, child) in all.iter().flat_map(members) {
                    found.remove(child);
                }
                break;
            }
        }
    }
    (found, overlays)
}

/// Whether a union is in memory that others may change, who do not say which member they write.
fn changes_by_itself(inlined: &Inlined, locations: &Locations, union: LocationId) -> bool {
    match locations.object(union).kind {
        ObjectKind::Variable(variable) => inlined.program.variables[variable.0 as usize].is_elsewhere,
        ObjectKind::Outside => true,
        ObjectKind::Allocated(_) | ObjectKind::Function(_) => false,
    }
}

/// Whether an object begins as zeros, so that members of which none is written agree.
pub(super) fn is_zero_at_first(
    inlined: &Inlined,
    locations: &Locations,
    object: ObjectId,
    unknown: &HashSet<VariableId>,
) -> bool {
    match locations.objects[object.0 as usize].kind {
        ObjectKind::Variable(variable) => {
            let role = inlined.program.variables[variable.0 as usize].role;
            role == VariableRole::Global && !unknown.contains(&variable)
        }
        ObjectKind::Allocated(site) => {
            let (_, block, position) = locations.sites[site].position;
            let instruction = inlined.blocks()[block].instructions.get(position);
            matches!(
                instruction.map(|instruction| &instruction.kind),
                Some(InstructionKind::Allocate { zeroed: true, .. })
            )
        }
        _ => false,
    }
}

/// The unions in a type that is copied as a whole.
pub(super) fn unions_in(types: &Types, kind: TypeId, found: &mut HashSet<RecordId>) {
    let mut open = vec![kind];
    let mut seen = HashSet::new();
    while let Some(kind) = open.pop() {
        match types.get(kind) {
            Type::Array(element, _) => open.push(*element),
            Type::Record(id) if seen.insert(*id) => {
                let record = types.record(*id);
                if record.is_union {
                    found.insert(*id);
                }
                open.extend(record.fields.iter().flatten().map(|field| field.kind));
            }
            _ => {}
        }
    }
}

/// The types of unions of which members are read that are not followed.
pub fn unfollowed(types: &Types, locations: &Locations, conflicting: &HashSet<LocationId>) -> BTreeSet<RecordId> {
    let mut found = BTreeSet::new();
    for location in &locations.locations {
        if let Type::Record(record) = types.get(location.element)
            && types.record(*record).is_union
            && location.children.iter().any(|child| conflicting.contains(child))
        {
            found.insert(*record);
        }
    }
    found
}

/// Whether the location is a part of a union.
fn is_in_union(types: &Types, locations: &Locations, location: LocationId) -> bool {
    let mut current = locations.get(location).parent;
    while let Some((outer, _)) = current {
        let outer = locations.get(outer);
        if matches!(types.get(outer.element), Type::Record(record) if types.record(*record).is_union) {
            return true;
        }
        current = outer.parent;
    }
    false
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
