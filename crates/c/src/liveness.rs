//! Which variables matter at which place: those whose value may still have an influence on what is kept of the program.
//!
//! This is strong liveness: what an assignment reads matters only if the variable that it sets does. `slicing` asks with the
//! branches that matter so far, `emit` at the end with all that are left.

use super::flat::FlatVariable;
use super::flat::{FlatBlockId, FlatExpression, FlatInstruction, FlatInstructionKind, FlatProgram, FlatTerminator};
use super::flow::Flow;
use super::procedures::Procedure;
use super::program::Effect;
use std::collections::BTreeSet;

/// A set of variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct VariableSet {
    words: Vec<u64>,
}

impl VariableSet {
    /// The empty set of a program's variables.
    pub fn new(program: &FlatProgram) -> VariableSet {
        VariableSet {
            words: vec![0; program.variables.len().div_ceil(64)],
        }
    }

    /// Whether the variable is in it.
    pub fn contains(&self, variable: FlatVariable) -> bool {
        self.words[variable.0 as usize / 64] >> (variable.0 % 64) & 1 == 1
    }

    /// Adds a variable.
    pub fn insert(&mut self, variable: FlatVariable) {
        self.words[variable.0 as usize / 64] |= 1 << (variable.0 % 64);
    }

    /// Takes a variable away.
    pub fn remove(&mut self, variable: FlatVariable) {
        self.words[variable.0 as usize / 64] &= !(1 << (variable.0 % 64));
    }

    /// Adds all variables of another set; whether any was new.
    pub fn extend(&mut self, other: &VariableSet) -> bool {
        let mut changed = false;
        for (own, other) in self.words.iter_mut().zip(&other.words) {
            changed |= *other & !*own != 0;
            *own |= other;
        }
        changed
    }

    /// Keeps those that are in the other set too.
    pub fn keep(&mut self, other: &VariableSet) {
        for (own, other) in self.words.iter_mut().zip(&other.words) {
            *own &= other;
        }
    }

    /// The variables in order.
    pub fn iter(&self) -> impl Iterator<Item = FlatVariable> + '_ {
        let numbers = 0..64 * self.words.len() as u32;
        numbers.map(FlatVariable).filter(|variable| self.contains(*variable))
    }

    fn insert_all(&mut self, expression: &FlatExpression) {
        expression.for_each_variable(&mut |variable| self.insert(variable));
    }

    /// Whether the expression reads one of the variables, or none at all.
    fn speaks_of(&self, expression: &FlatExpression) -> bool {
        let (mut found, mut none) = (false, true);
        expression.for_each_variable(&mut |variable| {
            none = false;
            found |= self.contains(variable);
        });
        found || none
    }
}

/// What matters by itself.
pub(crate) trait Purpose {
    /// Whether it matters which way the branch at the end of this block goes.
    fn decides(&self, block: FlatBlockId) -> bool;
    /// Whether conditions of definedness are kept in this block if they speak of variables that matter.
    fn keeps_definedness(&self, block: FlatBlockId) -> bool;
    /// Whether an instruction matters whatever it changes: it is printed, or checked.
    fn observes(&self, block: FlatBlockId, position: usize) -> bool;
    /// What matters where runs end without an error.
    fn matters_at_the_end(&self) -> Option<&VariableSet> {
        None
    }
}

/// Everything that is there matters, but assignments to variables that nobody reads.
pub(crate) struct Everything<'a> {
    /// Whether an instruction matters by itself.
    pub observed: &'a dyn Fn(FlatBlockId, usize) -> bool,
    /// What matters where runs end without an error, if anything.
    pub at_the_end: Option<&'a VariableSet>,
}

impl Purpose for Everything<'_> {
    fn decides(&self, _: FlatBlockId) -> bool {
        true
    }

    fn keeps_definedness(&self, _: FlatBlockId) -> bool {
        true
    }

    fn observes(&self, block: FlatBlockId, position: usize) -> bool {
        (self.observed)(block, position)
    }

    fn matters_at_the_end(&self) -> Option<&VariableSet> {
        self.at_the_end
    }
}

/// The variables that matter where each block starts.
pub(crate) fn live_at_start(program: &FlatProgram, flow: &Flow, purpose: &dyn Purpose) -> Vec<VariableSet> {
    let mut live = vec![VariableSet::new(program); program.blocks.len()];
    let mut waiting: BTreeSet<usize> = (0..flow.order().len()).collect();
    while let Some(position) = waiting.pop_last() {
        let Some(block) = flow.order().get(position).copied() else {
            continue;
        };
        let mut state = live_at_end(program, flow, block, &live, purpose);
        through_block(program, block, &mut state, purpose, &mut |_, _| {});
        if live[block.0 as usize].extend(&state) {
            let before = flow.predecessors(block).iter();
            waiting.extend(before.filter_map(|before| flow.position(*before)));
            // What is needed behind a call is needed where it returns.
            for procedure in &flow.procedures.all {
                if procedure.calls.iter().any(|(_, after)| *after == block) {
                    let returns = procedure.returns.iter();
                    waiting.extend(returns.filter_map(|before| flow.position(*before)));
                }
            }
        }
    }
    live
}

/// What a procedure hands back: what it may change and somebody needs behind a call of it.
pub(crate) fn outputs(program: &FlatProgram, procedure: &Procedure, live: &[VariableSet]) -> VariableSet {
    let mut outputs = VariableSet::new(program);
    for (_, after) in &procedure.calls {
        outputs.extend(&live[after.0 as usize]);
    }
    outputs.keep(&procedure.changes);
    outputs
}

/// What a call of a procedure needs: what the procedure reads, of what is there once in a run.
fn inputs(program: &FlatProgram, procedure: &Procedure, live: &[VariableSet]) -> VariableSet {
    let mut inputs = live[procedure.entry.0 as usize].clone();
    for variable in live[procedure.entry.0 as usize].iter() {
        if program.variables[variable.0 as usize].activation.is_some() {
            inputs.remove(variable);
        }
    }
    inputs
}

/// The variables that matter before the terminator of a block.
pub(crate) fn live_at_end(
    program: &FlatProgram,
    flow: &Flow,
    block: FlatBlockId,
    live: &[VariableSet],
    purpose: &dyn Purpose,
) -> VariableSet {
    let terminator = &program.blocks[block.0 as usize].terminator;
    let mut state = VariableSet::new(program);
    for successor in terminator.successors() {
        state.extend(&live[successor.0 as usize]);
    }
    if let (FlatTerminator::Stop, Some(variables)) = (terminator, purpose.matters_at_the_end()) {
        state.extend(variables);
    }
    match terminator {
        FlatTerminator::Call { entry, .. } => {
            if let Some(procedure) = flow.procedures.at(*entry) {
                let procedure = &flow.procedures.all[procedure];
                for output in outputs(program, procedure, live).iter() {
                    state.remove(output);
                }
                state.extend(&inputs(program, procedure, live));
            }
        }
        FlatTerminator::Return => {
            if let Some(procedure) = flow.procedures.of_block(block) {
                state = outputs(program, &flow.procedures.all[procedure], live);
            }
        }
        FlatTerminator::Branch { condition, .. } if purpose.decides(block) => state.insert_all(condition),
        // What is told of the error.
        FlatTerminator::Error(failure) => failure.values.iter().for_each(|value| state.insert_all(value)),
        _ => {}
    }
    state
}

/// Goes backward through the instructions of a block, from what matters at its end; tells of each whether it matters.
pub(crate) fn through_block(
    program: &FlatProgram,
    block: FlatBlockId,
    state: &mut VariableSet,
    purpose: &dyn Purpose,
    tell: &mut dyn FnMut(usize, bool),
) {
    let instructions = &program.blocks[block.0 as usize].instructions;
    for (position, instruction) in instructions.iter().enumerate().rev() {
        let observed = || purpose.observes(block, position);
        let kept = before(instruction, state, purpose.keeps_definedness(block), &observed);
        tell(position, kept);
    }
}

fn before(
    instruction: &FlatInstruction,
    live: &mut VariableSet,
    keeps_definedness: bool,
    observed: &dyn Fn() -> bool,
) -> bool {
    let matters = match &instruction.kind {
        FlatInstructionKind::Assign(variable, _) | FlatInstructionKind::Unknown(variable, _) => {
            live.contains(*variable) || observed()
        }
        FlatInstructionKind::Store { array, .. } | FlatInstructionKind::Fill { array, .. } => {
            live.contains(*array) || observed()
        }
        FlatInstructionKind::CopyArray { target, .. } => live.contains(*target) || observed(),
        FlatInstructionKind::Assume(_) => true,
        FlatInstructionKind::Defined(condition) => (keeps_definedness && live.speaks_of(condition)) || observed(),
        FlatInstructionKind::Print(_) => observed(),
        FlatInstructionKind::Unsupported { effect, .. } => match effect {
            Effect::Changes(changes) => changes.iter().any(|variable| live.contains(*variable)),
            Effect::Anything => true,
        },
    };
    if !matters {
        return false;
    }
    match &instruction.kind {
        FlatInstructionKind::Assign(variable, _) | FlatInstructionKind::Unknown(variable, _) => live.remove(*variable),
        FlatInstructionKind::Fill { array, .. } => live.remove(*array),
        FlatInstructionKind::CopyArray { target, source } => {
            live.remove(*target);
            live.insert(*source);
        }
        _ => {}
    }
    for expression in instruction.expressions() {
        live.insert_all(expression);
    }
    true
}
