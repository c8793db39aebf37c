//! Makes a flat program smaller by what is known of its variables: constants in the place of variables that have only one
//! value, branches that go only one way, jumps to jumps, and blocks that nobody reaches.

use super::definedness::is_always_defined;
use super::flat::{FlatBlockId, FlatExpression, FlatInstructionKind, FlatProgram, FlatTerminator, Leaf, VariableInfo};
use super::flow::Flow;
use super::options::{Options, Undefined};
use super::program::ExpressionKind;
use super::ranges::{Ranges, State, block_states};
use super::threading::thread_jumps;

/// Simplifies a program. Where undefined behaviour ends a run, a branch is not decided by there being none: what computes its
/// condition would go, and with it where the run ends.
pub(crate) fn simplify(program: &mut FlatProgram, options: &Options) {
    let flow = Flow::new(program);
    let variables = program.variables.clone();
    let ranges = ranges_of(&variables, options);
    let states = block_states(&ranges, program, &flow);
    for (index, state) in states.at.into_iter().enumerate() {
        match state {
            Some(state) => simplify_block(&ranges, program, index, state),
            None => end_block(program, index, 0),
        }
    }
    thread_jumps(program);
    let reached = Flow::new(program);
    for index in 0..program.blocks.len() {
        if reached.position(FlatBlockId(index as u32)).is_none() {
            end_block(program, index, 0);
        }
    }
}

/// What may decide a branch.
pub(crate) fn ranges_of<'p>(variables: &'p [VariableInfo], options: &Options) -> Ranges<'p> {
    let ranges = Ranges::new(variables, options.arithmetic);
    match options.undefined {
        Undefined::Ends => ranges.without_trust(),
        Undefined::GoesOn => ranges,
    }
}

/// Ends the run in a block after so many instructions.
fn end_block(program: &mut FlatProgram, index: usize, instructions: usize) {
    let block = &mut program.blocks[index];
    block.instructions.truncate(instructions);
    block.terminator = FlatTerminator::Stop;
}

fn simplify_block(ranges: &Ranges<'_>, program: &mut FlatProgram, index: usize, mut state: State) {
    let block = &mut program.blocks[index];
    let mut impossible = None;
    let mut keep = vec![true; block.instructions.len()];
    for (position, instruction) in block.instructions.iter_mut().enumerate() {
        match &mut instruction.kind {
            FlatInstructionKind::Assign(_, value) | FlatInstructionKind::Fill { value, .. } => {
                put_constants(ranges, value, &state);
            }
            FlatInstructionKind::Store { index, value, .. } => {
                put_constants(ranges, index, &state);
                put_constants(ranges, value, &state);
            }
            FlatInstructionKind::Assume(condition) | FlatInstructionKind::Defined(condition) => {
                put_constants(ranges, condition, &state);
                let nonzero = ranges.refine(&state, condition, false).is_none();
                // A condition that may itself be undefined says more than that it holds.
                keep[position] = !(nonzero && is_always_defined(condition));
            }
            FlatInstructionKind::Print(values) => {
                values.iter_mut().for_each(|value| put_constants(ranges, value, &state));
            }
            FlatInstructionKind::CopyArray { .. }
            | FlatInstructionKind::Unknown(..)
            | FlatInstructionKind::Unsupported { .. } => {}
        }
        match ranges.after(state.clone(), &instruction.kind) {
            Some(next) => state = next,
            None => {
                impossible = Some(position + 1);
                break;
            }
        }
    }
    if let Some(rest) = impossible {
        end_block(program, index, rest);
        return;
    }
    let mut keep = keep.into_iter();
    block.instructions.retain(|_| keep.next().unwrap_or(true));
    for expression in block.terminator.expressions_mut() {
        put_constants(ranges, expression, &state);
    }
    if let FlatTerminator::Branch {
        condition,
        then,
        otherwise,
    } = &mut block.terminator
    {
        let sides = [true, false].map(|holds| ranges.refine(&state, condition, holds).is_some());
        let decided = match sides {
            _ if !is_always_defined(condition) => None,
            [true, false] => Some(*then),
            [false, true] => Some(*otherwise),
            _ => (then == otherwise).then_some(*then),
        };
        if let Some(next) = decided {
            block.terminator = FlatTerminator::Goto(next);
        }
    }
}

/// Replaces variables that have only one value.
fn put_constants(ranges: &Ranges<'_>, expression: &mut FlatExpression, state: &State) {
    if let ExpressionKind::Read(Leaf::Variable(variable)) = &expression.kind {
        if let Some(value) = ranges.get(state, *variable).as_point() {
            expression.kind = ExpressionKind::Integer(value.clone());
        }
        return;
    }
    match &mut expression.kind {
        ExpressionKind::Read(Leaf::Element(_, index)) => put_constants(ranges, index, state),
        ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => put_constants(ranges, operand, state),
        ExpressionKind::Binary(_, left, right) => {
            put_constants(ranges, left, state);
            put_constants(ranges, right, state);
        }
        ExpressionKind::Conditional(condition, consequence, alternative)
        | ExpressionKind::Fused(condition, consequence, alternative) => {
            for part in [condition, consequence, alternative] {
                put_constants(ranges, part, state);
            }
        }
        _ => {}
    }
}
