//! Leaves out what cannot have an influence on whether the error is reached.
//!
//! Backward from the errors: an instruction matters if it sets a variable that matters, a branch if it decides whether
//! something that matters is done. What lies between an irrelevant branch and the place where its ways meet again goes with
//! it, but not the loops that might never end: a program that hangs does not reach its error, so the branches out of such a
//! loop matter too. A loop that recognisably ends may go. Whether a call of a procedure comes back is not looked at: all
//! calls matter behind which or in which the error may be reached, and all branches of procedures.

use super::flat::{FlatBlockId, FlatInstruction, FlatInstructionKind, FlatProgram, FlatTerminator};
use super::flow::{Flow, PostDominators};
use super::liveness::{Purpose, VariableSet, live_at_end, live_at_start, through_block};
use super::loops;
use super::program::Effect;

/// What matters so far.
struct Relevance<'a> {
    branches: Vec<bool>,
    controllers: &'a [Vec<FlatBlockId>],
    observed: &'a dyn Fn(FlatBlockId, usize) -> bool,
}

impl Purpose for Relevance<'_> {
    fn decides(&self, block: FlatBlockId) -> bool {
        self.branches[block.0 as usize]
    }

    fn keeps_definedness(&self, block: FlatBlockId) -> bool {
        // It is kept where the block is, and does not keep it by itself.
        let mut controllers = self.controllers[block.0 as usize].iter();
        controllers.all(|branch| self.branches[branch.0 as usize])
    }

    fn observes(&self, block: FlatBlockId, position: usize) -> bool {
        (self.observed)(block, position)
    }
}

/// Leaves out what does not matter. `observed` says of an instruction, by its block and position, or of a block's condition,
/// by the position after the last instruction, that it matters by itself.
pub(crate) fn slice(program: &mut FlatProgram, observed: &dyn Fn(&FlatProgram, FlatBlockId, usize) -> bool) {
    stop_where_nothing_matters(program, observed);
    let flow = Flow::new(program);
    let dominators = PostDominators::new(program, &flow);
    let controllers = dominators.controllers(program, &flow);
    let seen = program.clone();
    let observed = |block: FlatBlockId, position: usize| observed(&seen, block, position);
    let mut relevance = Relevance {
        branches: vec![false; program.blocks.len()],
        controllers: &controllers,
        observed: &observed,
    };
    for block in loops::exits_of_endless_loops(program, &flow) {
        relevance.branches[block.0 as usize] = true;
    }
    for block in flow.order() {
        // A branch of which the condition is observed decides about nothing, perhaps, but what it reads matters.
        let behind_all = seen.blocks[block.0 as usize].instructions.len();
        relevance.branches[block.0 as usize] |=
            flow.procedures.of_block(*block).is_some() || observed(*block, behind_all);
    }
    let live = loop {
        let live = live_at_start(program, &flow, &relevance);
        if !add_branches(program, &flow, &live, &mut relevance) {
            break live;
        }
    };
    remove(program, &flow, &dominators, &live, &relevance);
}

/// Ends the run where no error can be reached any more.
fn stop_where_nothing_matters(program: &mut FlatProgram, observed: &dyn Fn(&FlatProgram, FlatBlockId, usize) -> bool) {
    let flow = Flow::new(program);
    let matters: Vec<FlatBlockId> = flow
        .order()
        .iter()
        .copied()
        .filter(|id| {
            let block = &program.blocks[id.0 as usize];
            matches!(block.terminator, FlatTerminator::Error(_))
                || block.instructions.iter().any(does_anything)
                || (0..=block.instructions.len()).any(|position| observed(program, *id, position))
        })
        .collect();
    let reaching = reaching_with_returns(&flow, matters);
    for (block, reaches) in program.blocks.iter_mut().zip(reaching) {
        if !reaches {
            block.instructions.clear();
            block.terminator = FlatTerminator::Stop;
        }
    }
}

/// The blocks from which one of the given ones can be reached, by returns too.
fn reaching_with_returns(flow: &Flow, matters: Vec<FlatBlockId>) -> Vec<bool> {
    let mut matters = matters;
    let mut is_followed = vec![false; flow.procedures.all.len()];
    loop {
        let reaching = flow.reaching(&matters);
        let before = matters.len();
        for (procedure, is_followed) in flow.procedures.all.iter().zip(&mut is_followed) {
            let mut calls = procedure.calls.iter();
            if !*is_followed && calls.any(|(_, after)| reaching[after.0 as usize]) {
                *is_followed = true;
                matters.extend(&procedure.returns);
            }
        }
        if matters.len() == before {
            return reaching;
        }
    }
}

fn does_anything(instruction: &FlatInstruction) -> bool {
    matches!(
        instruction.kind,
        FlatInstructionKind::Unsupported {
            effect: Effect::Anything,
            ..
        }
    )
}

/// Adds the branches that decide about what matters; whether there was a new one.
fn add_branches(program: &FlatProgram, flow: &Flow, live: &[VariableSet], relevance: &mut Relevance<'_>) -> bool {
    let mut waiting: Vec<FlatBlockId> = Vec::new();
    for block in flow.order() {
        let data = &program.blocks[block.0 as usize];
        let mut matters = relevance.branches[block.0 as usize]
            || matches!(data.terminator, FlatTerminator::Error(_) | FlatTerminator::Call { .. });
        let mut state = live_at_end(program, flow, *block, live, relevance);
        through_block(program, *block, &mut state, relevance, &mut |position, kept| {
            let definedness = matches!(data.instructions[position].kind, FlatInstructionKind::Defined(_));
            matters |= kept && !definedness;
        });
        if matters {
            waiting.push(*block);
        }
    }
    let mut changed = false;
    while let Some(block) = waiting.pop() {
        for branch in &relevance.controllers[block.0 as usize] {
            if !std::mem::replace(&mut relevance.branches[branch.0 as usize], true) {
                changed = true;
                waiting.push(*branch);
            }
        }
    }
    changed
}

fn remove(
    program: &mut FlatProgram,
    flow: &Flow,
    dominators: &PostDominators,
    live: &[VariableSet],
    relevance: &Relevance<'_>,
) {
    for block in flow.order() {
        let mut keep = vec![true; program.blocks[block.0 as usize].instructions.len()];
        let mut state = live_at_end(program, flow, *block, live, relevance);
        through_block(program, *block, &mut state, relevance, &mut |position, kept| {
            keep[position] = kept
        });
        let data = &mut program.blocks[block.0 as usize];
        let mut keep = keep.into_iter();
        data.instructions.retain(|_| keep.next().unwrap_or(true));
        let is_branch = matches!(data.terminator, FlatTerminator::Branch { .. });
        if is_branch
            && !relevance.branches[block.0 as usize]
            && let Some(next) = dominators.immediate(*block)
        {
            data.terminator = FlatTerminator::Goto(next);
        }
    }
}
