//! Which objects cannot be [seen as bytes](super::views), though they are: those with addresses in them, and those that pointers
//! from outside may point to, for these know nothing of bytes.

use crate::inline::Inlined;
use crate::points_to::PointsTo;
use crate::points_to::locations::ObjectKind;
use crate::points_to::viewed::Viewed;
use crate::program::Numeric;
use crate::visit;

/// The objects that are seen as bytes, but hold addresses of the program's own objects, or are pointed to from outside.
pub(super) fn unfit(inlined: &Inlined, points_to: &PointsTo) -> Viewed {
    let locations = &points_to.locations;
    let mut found = Viewed::default();
    let mut has_pointers: Option<bool> = None;
    for object in locations.objects.iter().filter(|object| object.is_bytes) {
        let mut contents = points_to.contents(object.root).iter();
        let is_pointed_to = locations.is_visible(object.root)
            && *has_pointers.get_or_insert_with(|| has_pointers_from_outside(inlined, points_to));
        if !is_pointed_to && contents.all(|target| locations.is_outside(*target)) {
            continue;
        }
        match object.kind {
            ObjectKind::Variable(variable) => {
                found.variables.insert(variable);
            }
            ObjectKind::Allocated(site) => {
                found.sites.insert(locations.sites[site].position);
            }
            ObjectKind::Function(_) | ObjectKind::Outside => {}
        }
    }
    found
}

/// Whether the program has a pointer that may come from outside. What is known there is only changed by it where there is none.
fn has_pointers_from_outside(inlined: &Inlined, points_to: &PointsTo) -> bool {
    let locations = &points_to.locations;
    let types = &inlined.program.types;
    let mut found = false;
    for block in inlined.program.blocks() {
        visit::expressions(block, &mut |expression| {
            let is_pointer = !found && expression.numeric == Numeric::Pointer;
            found |= is_pointer && {
                let targets = points_to.targets(types, expression);
                targets.iter().any(|target| locations.is_outside(*target))
            };
        });
    }
    found
}
