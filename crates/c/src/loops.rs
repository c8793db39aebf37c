//! Loops that might not end, as far as a simple look tells: slicing must keep what decides when they end.
//!
//! A loop ends for certain if on every round it passes a branch out of it that compares a variable with something that the
//! loop does not change, and on every round the variable comes one step closer to it.

use super::flat::{FlatBlockId, FlatExpression, FlatInstructionKind, FlatProgram, FlatTerminator, FlatVariable, Leaf};
use super::flow::Flow;
use super::program::{BinaryOperator, Effect, ExpressionKind, UnaryOperator};
use hashbrown::HashSet;
use num_bigint::BigInt;

/// The branches out of loops that might not end, but for those in procedures, all of whose branches are kept.
pub(crate) fn exits_of_endless_loops(program: &FlatProgram, flow: &Flow) -> Vec<FlatBlockId> {
    let mut exits: Vec<FlatBlockId> = Vec::new();
    let headers = flow.order().iter().copied().filter(|block| flow.is_loop_header(*block));
    for header in headers.filter(|block| flow.procedures.of_block(*block).is_none()) {
        let Some(body) = natural_loop(flow, header) else {
            // Entered at several places: all that it can do is kept.
            exits.extend(flow.order().iter().copied().filter(|block| {
                let successors = program.blocks[block.0 as usize].terminator.successors();
                successors.len() > 1
            }));
            continue;
        };
        let leaves = |block: &FlatBlockId| {
            let successors = program.blocks[block.0 as usize].terminator.successors();
            successors.len() > 1 && successors.iter().any(|next| !body.contains(next))
        };
        let branches: Vec<FlatBlockId> = flow
            .order()
            .iter()
            .copied()
            .filter(|block| body.contains(block) && leaves(block))
            .collect();
        let ends = branches.iter().any(|branch| {
            passed_every_round(flow, header, &body, *branch) && counts(program, flow, header, &body, *branch)
        });
        if !ends {
            exits.extend(branches);
        }
    }
    exits.sort();
    exits.dedup();
    exits
}

/// The blocks of the loop with this header; `None` if it can be entered elsewhere.
fn natural_loop(flow: &Flow, header: FlatBlockId) -> Option<HashSet<FlatBlockId>> {
    let mut body = HashSet::from([header]);
    let mut waiting: Vec<FlatBlockId> = Vec::new();
    for before in flow.predecessors(header) {
        if flow.is_back_edge(*before, header) && body.insert(*before) {
            waiting.push(*before);
        }
    }
    while let Some(block) = waiting.pop() {
        // The entry of the program is in a loop only as its header.
        if flow.predecessors(block).is_empty() || flow.position(block) < flow.position(header) {
            return None;
        }
        for before in flow.predecessors(block) {
            if body.insert(*before) {
                waiting.push(*before);
            }
        }
    }
    Some(body)
}

/// Whether no round of the loop misses the block.
fn passed_every_round(flow: &Flow, header: FlatBlockId, body: &HashSet<FlatBlockId>, block: FlatBlockId) -> bool {
    if block == header {
        return true;
    }
    // Backward from the ends of a round without passing the block: is the header reached?
    let mut waiting: Vec<FlatBlockId> = flow
        .predecessors(header)
        .iter()
        .copied()
        .filter(|before| body.contains(before) && *before != block)
        .collect();
    let mut seen: HashSet<FlatBlockId> = waiting.iter().copied().collect();
    while let Some(current) = waiting.pop() {
        if current == header {
            return false;
        }
        for before in flow.predecessors(current) {
            if *before != block && body.contains(before) && seen.insert(*before) {
                waiting.push(*before);
            }
        }
    }
    true
}

/// Whether the branch compares a counter of the loop with something fixed, and leaves when it is reached.
fn counts(
    program: &FlatProgram,
    flow: &Flow,
    header: FlatBlockId,
    body: &HashSet<FlatBlockId>,
    branch: FlatBlockId,
) -> bool {
    let FlatTerminator::Branch { condition, then, .. } = &program.blocks[branch.0 as usize].terminator else {
        return false;
    };
    let stays_if_holds = body.contains(then);
    let Some((small, large)) = strictly_less(condition, stays_if_holds) else {
        return false;
    };
    let changes = |variable: FlatVariable| -> Vec<(FlatBlockId, &FlatInstructionKind)> {
        let blocks = flow.order().iter().filter(|block| body.contains(*block));
        blocks
            .flat_map(|block| {
                let instructions = &program.blocks[block.0 as usize].instructions;
                instructions.iter().map(|instruction| (*block, &instruction.kind))
            })
            .filter(|(_, kind)| sets(kind, variable))
            .collect()
    };
    let is_fixed = |expression: &FlatExpression| {
        let mut fixed = true;
        expression.for_each_variable(&mut |variable| fixed &= changes(variable).is_empty());
        fixed
    };
    let is_counter = |expression: &FlatExpression, step: i32| {
        let ExpressionKind::Read(Leaf::Variable(variable)) = &expression.kind else {
            return false;
        };
        match changes(*variable)[..] {
            [(block, FlatInstructionKind::Assign(_, value))] => {
                passed_every_round(flow, header, body, block)
                    && value.numeric == expression.numeric
                    && is_step(value, *variable, step)
                    && !in_inner_loop(flow, header, body, block)
            }
            _ => false,
        }
    };
    (is_counter(small, 1) && is_fixed(large)) || (is_counter(large, -1) && is_fixed(small))
}

/// Whether a block lies in a loop inside the loop: then a round may pass it several times.
fn in_inner_loop(flow: &Flow, header: FlatBlockId, body: &HashSet<FlatBlockId>, block: FlatBlockId) -> bool {
    let mut waiting = vec![block];
    let mut seen: HashSet<FlatBlockId> = HashSet::new();
    while let Some(current) = waiting.pop() {
        if current == header {
            continue;
        }
        for before in flow.predecessors(current) {
            if *before == block && block != header {
                return true;
            }
            if body.contains(before) && seen.insert(*before) {
                waiting.push(*before);
            }
        }
    }
    false
}

fn sets(kind: &FlatInstructionKind, changed: FlatVariable) -> bool {
    match kind {
        FlatInstructionKind::Assign(variable, _) | FlatInstructionKind::Unknown(variable, _) => *variable == changed,
        FlatInstructionKind::Store { array, .. } | FlatInstructionKind::Fill { array, .. } => *array == changed,
        FlatInstructionKind::CopyArray { target, .. } => *target == changed,
        FlatInstructionKind::Unsupported { effect, .. } => match effect {
            Effect::Changes(changes) => changes.contains(&changed),
            Effect::Anything => true,
        },
        FlatInstructionKind::Assume(_) | FlatInstructionKind::Defined(_) | FlatInstructionKind::Print(_) => false,
    }
}

/// The sides of `small < large` if that is what the condition, or its negation, says.
fn strictly_less(condition: &FlatExpression, holds: bool) -> Option<(&FlatExpression, &FlatExpression)> {
    match &condition.kind {
        ExpressionKind::Unary(UnaryOperator::Not, operand) => strictly_less(operand, !holds),
        ExpressionKind::Binary(BinaryOperator::Less, left, right) if holds => Some((left, right)),
        ExpressionKind::Binary(BinaryOperator::LessOrEqual, left, right) if !holds => Some((right, left)),
        _ => None,
    }
}

/// Whether a value is the variable plus the step.
fn is_step(value: &FlatExpression, variable: FlatVariable, step: i32) -> bool {
    let reads = |expression: &FlatExpression| expression.kind == ExpressionKind::Read(Leaf::Variable(variable));
    let is = |expression: &FlatExpression, number: i32| match &expression.kind {
        ExpressionKind::Integer(value) => *value == BigInt::from(number),
        _ => false,
    };
    match &value.kind {
        ExpressionKind::Binary(BinaryOperator::Add, left, right) => {
            (reads(left) && is(right, step)) || (reads(right) && is(left, step))
        }
        ExpressionKind::Binary(BinaryOperator::Subtract, left, right) => reads(left) && is(right, -step),
        _ => false,
    }
}
