//! Which functions stay functions: as few as it takes for every chain of calls that comes back to a function to pass one.
//!
//! The calls of these *procedures* remain calls; all other calls are replaced by copies, those between functions that recur
//! included. In each group of functions that call each other, a function that calls itself is taken, or else the one that is
//! called first, until no chain is left.

use crate::c::points_to::PointsTo;
use crate::c::points_to::locations::ObjectKind;
use crate::c::program::{Callee, FunctionId, InstructionKind, Program};
use std::collections::BTreeSet;

/// For each function, whether its calls remain calls.
pub(super) fn procedures(program: &Program, points_to: &PointsTo) -> Vec<bool> {
    let callees: Vec<Vec<usize>> = (0..program.functions.len())
        .map(|function| callees(program, points_to, function))
        .collect();
    let order = reached(program.entry, &callees);
    let mut chosen = vec![false; callees.len()];
    for function in &order {
        chosen[*function] = callees[*function].contains(function);
    }
    while let Some(function) = order.iter().find(|function| comes_back(**function, &callees, &chosen)) {
        chosen[*function] = true;
    }
    chosen
}

/// Whether a function may be called by what it calls.
pub(super) fn recurs(program: &Program, points_to: &PointsTo, function: FunctionId) -> bool {
    let mut seen = BTreeSet::new();
    let mut waiting = callees(program, points_to, function.0 as usize);
    while let Some(callee) = waiting.pop() {
        if callee == function.0 as usize {
            return true;
        }
        if seen.insert(callee) {
            waiting.extend(callees(program, points_to, callee));
        }
    }
    false
}

/// What a function may call, in order.
fn callees(program: &Program, points_to: &PointsTo, function: usize) -> Vec<usize> {
    let mut called = BTreeSet::new();
    let blocks = program.functions[function].body.iter().flat_map(|body| &body.blocks);
    for instruction in blocks.flat_map(|block| &block.instructions) {
        let InstructionKind::Call { callee, .. } = &instruction.kind else {
            continue;
        };
        match callee {
            Callee::Function(function) => {
                called.insert(function.0 as usize);
            }
            Callee::Address(pointer) => {
                for target in points_to.targets(&program.types, pointer) {
                    if let ObjectKind::Function(function) = points_to.locations.object(target).kind {
                        called.insert(function.0 as usize);
                    }
                }
            }
        }
    }
    let has_body = |function: &usize| program.functions.get(*function).is_some_and(|it| it.body.is_some());
    called.into_iter().filter(has_body).collect()
}

/// The functions that may be called, callers before what they call first.
fn reached(entry: FunctionId, callees: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    let mut stack = vec![entry.0 as usize];
    while let Some(function) = stack.pop() {
        if seen.insert(function) {
            order.push(function);
            stack.extend(callees[function].iter().rev());
        }
    }
    order
}

/// Whether a chain of calls leads from a function back to it, past none that is chosen.
fn comes_back(function: usize, callees: &[Vec<usize>], chosen: &[bool]) -> bool {
    let mut seen = BTreeSet::new();
    let mut waiting = vec![function];
    while let Some(caller) = waiting.pop() {
        if chosen[caller] {
            continue;
        }
        for callee in &callees[caller] {
            if *callee == function {
                return true;
            }
            if seen.insert(*callee) {
                waiting.push(*callee);
            }
        }
    }
    false
}
