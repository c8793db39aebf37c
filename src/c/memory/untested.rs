//! Allocations whose outcome nothing looks at. Where no run compares the address with anything, asks whether it is null or takes it
//! for a number, a run in which the allocation fails does what it does where it succeeds, until it follows the null pointer. So it
//! adds nothing where such runs end, and under [`Allocation::ByUse`] such an allocation has memory; a note says so.

use crate::c::flat::Note;
use crate::c::inline::Inlined;
use crate::c::options::{Allocation, Options};
use crate::c::points_to::PointsTo;
use crate::c::points_to::locations::ObjectKind;
use crate::c::program::{
    BlockId, Expression, ExpressionKind, InstructionKind, Numeric, Place, Terminator, UnknownSource,
};
use crate::c::visit::expressions;
use hashbrown::{HashMap, HashSet};

/// Lets allocations succeed whose outcome nothing looks at, with a note for each place.
pub(super) fn succeed(inlined: &mut Inlined, points_to: &PointsTo, options: &Options) {
    if options.allocation != Allocation::ByUse || options.checks.any() || points_to.locations.sites.is_empty() {
        return;
    }
    let tested = tested(inlined, points_to);
    let sites = points_to.locations.sites.iter().enumerate();
    let first: HashMap<usize, usize> = sites
        .filter(|(_, site)| site.position.2 == 0)
        .map(|(index, site)| (site.position.1, index))
        .collect();
    let mut decided: Vec<(usize, BlockId)> = Vec::new();
    for (block, content) in inlined.blocks().iter().enumerate() {
        let Terminator::Branch { then, .. } = &content.terminator else {
            continue;
        };
        let asks = content.instructions.iter().any(|instruction| {
            let source = match &instruction.kind {
                InstructionKind::Unknown { source, .. } => Some(source),
                _ => None,
            };
            matches!(source, Some(UnknownSource::Allocation))
        });
        if asks && first.get(&(then.0 as usize)).is_some_and(|site| !tested.contains(site)) {
            decided.push((block, *then));
        }
    }
    let mut notes: Vec<Note> = Vec::new();
    let Some(body) = inlined
        .program
        .functions
        .last_mut()
        .and_then(|entry| entry.body.as_mut())
    else {
        return;
    };
    for (block, then) in decided {
        let block = &mut body.blocks[block];
        block.terminator = Terminator::Goto(then);
        let note = Note {
            text: "nothing looks at what is allocated here: taken to be memory (--malloc-may-fail)".to_string(),
            span: block.span,
        };
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    inlined.notes.append(&mut notes);
}

/// The allocations of which an address is compared, asked for, or taken for a number.
fn tested(inlined: &Inlined, points_to: &PointsTo) -> HashSet<usize> {
    let types = &inlined.program.types;
    let locations = &points_to.locations;
    let mut tested = HashSet::new();
    let mut look = |pointer: &Expression<Place>| {
        for target in points_to.targets(types, pointer) {
            match locations.object(target).kind {
                ObjectKind::Allocated(site) => {
                    tested.insert(site);
                }
                // What is known elsewhere may be any of them; a number that is read is none.
                ObjectKind::Outside if pointer.numeric == Numeric::Pointer => tested.extend(0..locations.sites.len()),
                _ => {}
            }
        }
    };
    for block in inlined.blocks() {
        expressions(block, &mut |expression| {
            let is_address = expression.numeric == Numeric::Pointer;
            match &expression.kind {
                ExpressionKind::Unary(_, operand) => look(operand),
                ExpressionKind::Convert(operand) if !is_address => look(operand),
                ExpressionKind::Binary(_, left, right) if !is_address => {
                    look(left);
                    look(right);
                }
                ExpressionKind::Conditional(condition, ..) => look(condition),
                _ => {}
            }
        });
        match &block.terminator {
            Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => look(value),
            _ => {}
        }
        for instruction in &block.instructions {
            if let InstructionKind::Assume(value) = &instruction.kind {
                look(value);
            }
        }
    }
    tested
}
