//! Which blocks become predicates. A rule is a path between two of them.

use super::super::flat::{FlatBlock, FlatBlockId, FlatInstructionKind, FlatProgram, FlatTerminator};
use super::super::flow::Flow;
use super::super::options::{Blocks, Options};

/// At most so many rules start at a predicate that stands for a join or a loop header.
const PATHS_BETWEEN_JOINS: usize = 32;
/// The same if joins are passed over.
const PATHS_BETWEEN_LOOPS: usize = 256;
/// A join from which so many paths start is worth a predicate.
const PATHS_FROM_JOIN: usize = 16;

/// For each block, whether it is a predicate.
///
/// A call of what may fail ends a rule: what the caller does afterwards must not decide whether the callee is entered. So what
/// is behind it is a predicate.
pub(super) fn predicates(program: &FlatProgram, flow: &Flow, may_fail: &[bool], options: &Options) -> Vec<bool> {
    let blocks = options.blocks;
    let mut chosen = vec![false; program.blocks.len()];
    for block in flow.order() {
        if options.keep_variables && program.blocks[block.0 as usize].terminator == FlatTerminator::Stop {
            chosen[block.0 as usize] = true;
            continue;
        }
        let is_join = flow.predecessors(*block).len() > 1 && !is_end(program, *block);
        let before = flow.predecessors(*block).iter();
        let is_printed_before = before
            .copied()
            .any(|before| ends_with_print(&program.blocks[before.0 as usize]));
        chosen[block.0 as usize] = flow.is_loop_header(*block)
            || (is_printed_before && !is_end(program, *block))
            || match blocks {
                Blocks::Basic => !is_end(program, *block),
                Blocks::Joins => is_join,
                Blocks::Loops => false,
            };
    }
    if let Some(entry) = chosen.first_mut() {
        *entry = true;
    }
    for (procedure, may_fail) in flow.procedures.all.iter().zip(may_fail) {
        chosen[procedure.entry.0 as usize] = true;
        for (_, after) in procedure.calls.iter().filter(|_| *may_fail) {
            chosen[after.0 as usize] = true;
        }
    }
    let limit = match blocks {
        Blocks::Loops => PATHS_BETWEEN_LOOPS,
        Blocks::Basic | Blocks::Joins => PATHS_BETWEEN_JOINS,
    };
    limit_paths(program, flow, limit, &mut chosen);
    chosen
}

fn ends_with_print(block: &FlatBlock) -> bool {
    let last = block.instructions.last();
    last.is_some_and(|last| matches!(last.kind, FlatInstructionKind::Print(_)))
}

/// Splits blocks behind what is printed, so that a rule ends there: a run that does not get to the end of a rule would not
/// show what is printed before.
pub(super) fn split_behind_prints(program: &mut FlatProgram) {
    let mut next = 0;
    while let Some(block) = program.blocks.get_mut(next) {
        let print = |kind: &FlatInstructionKind| matches!(kind, FlatInstructionKind::Print(_));
        if let Some(position) = block
            .instructions
            .iter()
            .position(|instruction| print(&instruction.kind))
        {
            let place = block.instructions[position].place;
            let rest = FlatBlock {
                instructions: block.instructions.split_off(position + 1),
                terminator: block.terminator.clone(),
                place,
                label: None,
            };
            let added = FlatBlockId(program.blocks.len() as u32);
            program.blocks[next].terminator = FlatTerminator::Goto(added);
            program.blocks.push(rest);
        }
        next += 1;
    }
}

/// A block that only ends the run needs no predicate, however it is reached.
fn is_end(program: &FlatProgram, block: FlatBlockId) -> bool {
    let block = &program.blocks[block.0 as usize];
    block.instructions.is_empty() && block.terminator.successors().is_empty()
}

/// Makes more blocks predicates until few enough paths start at each.
fn limit_paths(program: &FlatProgram, flow: &Flow, limit: usize, chosen: &mut [bool]) {
    // The number of paths from each block to the next predicates; those of the successors are known first.
    let mut paths: Vec<usize> = vec![1; program.blocks.len()];
    for block in flow.order().iter().rev() {
        let index = block.0 as usize;
        let successors = program.blocks[index].terminator.successors();
        let count = |chosen: &[bool], paths: &[usize]| -> usize {
            let counts = successors.iter().map(|next| match chosen[next.0 as usize] {
                true => 1,
                false => paths[next.0 as usize],
            });
            counts.sum::<usize>().max(1)
        };
        while count(chosen, &paths) > limit {
            let largest = successors
                .iter()
                .filter(|next| !chosen[next.0 as usize])
                .max_by_key(|next| paths[next.0 as usize]);
            match largest {
                Some(next) => chosen[next.0 as usize] = true,
                None => break,
            }
        }
        paths[index] = count(chosen, &paths);
        if flow.predecessors(*block).len() > 1 && paths[index] > PATHS_FROM_JOIN {
            chosen[index] = true;
        }
    }
}
