//! Who calls whom in a program, through pointers as well.

use crate::graphs::components;
use crate::points_to::PointsTo;
use crate::points_to::locations::ObjectKind;
use crate::program::{Callee, FunctionId, InstructionKind, Program};
use std::collections::BTreeSet;

/// The calls of functions that have a body. Functions are numbered as in the program.
pub(super) struct CallGraph {
    /// For each function, what its calls may lead to: once for each call and function.
    pub(super) calls: Vec<Vec<usize>>,
    /// For each function, what it may call, in order and each once.
    pub(super) callees: Vec<Vec<usize>>,
    /// The functions that may be called, callers before what they call first.
    pub(super) order: Vec<usize>,
    /// For each function, whether it may be called by what it calls.
    pub(super) recurs: Vec<bool>,
}

impl CallGraph {
    /// The calls of a program.
    pub(super) fn new(program: &Program, points_to: &PointsTo) -> CallGraph {
        let calls: Vec<Vec<usize>> = (0..program.functions.len())
            .map(|function| calls(program, points_to, function))
            .collect();
        let once = |calls: &Vec<usize>| calls.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let callees: Vec<Vec<usize>> = calls.iter().map(once).collect();
        let mut recurs = vec![false; calls.len()];
        for group in components(&callees, &vec![true; calls.len()]) {
            for function in &group {
                recurs[*function] = group.len() > 1 || callees[*function].contains(function);
            }
        }
        CallGraph {
            order: reached(&[program.entry.0 as usize], &callees),
            calls,
            callees,
            recurs,
        }
    }

    /// What the functions call, themselves or through others.
    pub(super) fn called_by(&self, functions: &[FunctionId]) -> Vec<usize> {
        let starts = functions.iter().flat_map(|function| &self.callees[function.0 as usize]);
        reached(&starts.copied().collect::<Vec<_>>(), &self.callees)
    }
}

/// What the calls of a function may lead to, in the order of the text.
fn calls(program: &Program, points_to: &PointsTo, function: usize) -> Vec<usize> {
    let mut called = Vec::new();
    let blocks = program.functions[function].body.iter().flat_map(|body| &body.blocks);
    for instruction in blocks.flat_map(|block| &block.instructions) {
        let InstructionKind::Call { callee, .. } = &instruction.kind else {
            continue;
        };
        match callee {
            Callee::Function(function) => called.push(function.0 as usize),
            Callee::Address(pointer) => {
                for target in points_to.targets(&program.types, pointer) {
                    if let ObjectKind::Function(function) = points_to.locations.object(target).kind {
                        called.push(function.0 as usize);
                    }
                }
            }
        }
    }
    called.retain(|function| program.functions.get(*function).is_some_and(|it| it.body.is_some()));
    called
}

/// What is reached from the first functions, callers before what they call first.
fn reached(first: &[usize], callees: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    let mut stack: Vec<usize> = first.iter().rev().copied().collect();
    while let Some(function) = stack.pop() {
        if seen.insert(function) {
            order.push(function);
            stack.extend(callees[function].iter().rev());
        }
    }
    order
}
