//! Allocations whose outcome nothing looks at. Where no run compares the address with anything, asks whether it is null or takes it
//! for a number, a run in which the allocation fails does what it does where it succeeds, until it follows the null pointer. So it
//! adds nothing where such runs end, and under [`Allocation::ByUse`] such an allocation has memory; a note says so.

use crate::flat::Note;
use crate::inline::{Inlined, successors};
use crate::options::{Allocation, Options};
use crate::points_to::PointsTo;
use crate::points_to::locations::ObjectKind;
use crate::program::{
    Block, BlockId, Expression, ExpressionKind, InstructionKind, Numeric, Place, Terminator, UnknownSource,
};
use crate::visit::expressions;
use hashbrown::{HashMap, HashSet};

/// Lets allocations succeed whose outcome nothing looks at, with a note for each place.
pub(super) fn succeed(inlined: &mut Inlined, points_to: &PointsTo, options: &Options) {
    if options.allocation != Allocation::ByUse || options.checks.any() || points_to.locations.sites.is_empty() {
        return;
    }
    let asking = asking(inlined);
    let tested = tested(inlined, points_to, &asking);
    let sites = points_to.locations.sites.iter().enumerate();
    let first: HashMap<usize, usize> = sites
        .filter(|(_, site)| site.position.2 == 0)
        .map(|(index, site)| (site.position.1, index))
        .collect();
    let is_untested = |then: BlockId| first.get(&(then.0 as usize)).is_some_and(|site| !tested.contains(site));
    let decided = asking.into_iter().filter(|(_, then)| is_untested(*then));
    let decided: Vec<(usize, BlockId)> = decided.collect();
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
        // Whoever follows the run is not to read there that it failed.
        block
            .instructions
            .retain(|instruction| !asks_for_memory(&instruction.kind));
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

/// The blocks that ask whether there is memory, each with the one behind it where there is.
fn asking(inlined: &Inlined) -> Vec<(usize, BlockId)> {
    let blocks = inlined.blocks().iter().enumerate();
    let asking = blocks.filter_map(|(position, block)| {
        let Terminator::Branch { then, .. } = &block.terminator else {
            return None;
        };
        let mut instructions = block.instructions.iter();
        let asks = instructions.any(|instruction| asks_for_memory(&instruction.kind));
        asks.then_some((position, *then))
    });
    asking.collect()
}

/// Whether it finds out if there is memory.
fn asks_for_memory(instruction: &InstructionKind) -> bool {
    let InstructionKind::Unknown { source, .. } = instruction else {
        return false;
    };
    matches!(source, UnknownSource::Allocation)
}

/// The blocks that runs may come to after something was allocated, behind any call as well: before that, no address is one of it.
fn after(inlined: &Inlined, asking: &[(usize, BlockId)]) -> HashSet<usize> {
    let behind_call = |block: &Block| match block.terminator {
        Terminator::Call { after, .. } => Some(after),
        _ => None,
    };
    let starts = asking.iter().map(|(_, then)| *then);
    let starts = starts.chain(inlined.blocks().iter().filter_map(behind_call));
    let mut open: Vec<usize> = starts.map(|start| start.0 as usize).collect();
    let mut reached: HashSet<usize> = open.iter().copied().collect();
    while let Some(position) = open.pop() {
        let Some(block) = inlined.blocks().get(position) else {
            continue;
        };
        let next = successors(&block.terminator).into_iter().map(|next| next.0 as usize);
        open.extend(next.filter(|next| reached.insert(*next)));
    }
    reached
}

/// The allocations of which an address is compared, asked for, or taken for a number.
fn tested(inlined: &Inlined, points_to: &PointsTo, asking: &[(usize, BlockId)]) -> HashSet<usize> {
    let after = after(inlined, asking);
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
    let blocks = inlined.blocks().iter().enumerate();
    for (_, block) in blocks.filter(|(position, _)| after.contains(position)) {
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
