//! What a call may do, all calls below it included: needed for recursive calls, which are not followed.

use crate::c::points_to::PointsTo;
use crate::c::points_to::locations::ObjectKind;
use crate::c::program::{
    Callee, Effect, ErrorKind, Expression, FunctionId, InstructionKind, Place, Program, Reach, Terminator, VariableId,
};
use std::collections::BTreeSet;

#[derive(Clone, Default, PartialEq)]
struct Summary {
    changed: BTreeSet<VariableId>,
    /// The error, or memory that has no name.
    reaches_error: bool,
    stops: bool,
}

/// The effects of all functions.
pub(super) struct Effects {
    of: Vec<Summary>,
}

impl Effects {
    /// Sums up what each function does itself and through its calls.
    pub(super) fn new(program: &Program, points_to: &PointsTo) -> Effects {
        let mut own: Vec<Summary> = Vec::new();
        let mut callees: Vec<BTreeSet<usize>> = Vec::new();
        for function in &program.functions {
            let (mut effect, mut called) = (Summary::default(), BTreeSet::new());
            for block in function.body.iter().flat_map(|body| &body.blocks) {
                effect.reaches_error |= matches!(block.terminator, Terminator::Error(_));
                effect.stops |= matches!(block.terminator, Terminator::Stop);
                for instruction in &block.instructions {
                    collect(program, points_to, &instruction.kind, &mut effect, &mut called);
                }
            }
            own.push(effect);
            callees.push(called);
        }
        // Effects only grow, so this ends.
        let mut grows = true;
        while grows {
            grows = false;
            for index in 0..own.len() {
                let mut sum = own[index].clone();
                for callee in &callees[index] {
                    if let Some(effect) = own.get(*callee) {
                        sum.changed.extend(&effect.changed);
                        sum.reaches_error |= effect.reaches_error;
                        sum.stops |= effect.stops;
                    }
                }
                if sum != own[index] {
                    own[index] = sum;
                    grows = true;
                }
            }
        }
        Effects { of: own }
    }

    /// The variables that a call of the function may change.
    pub(super) fn changed(&self, function: FunctionId) -> Vec<VariableId> {
        let effect = self.of.get(function.0 as usize);
        effect.map_or_else(Vec::new, |effect| effect.changed.iter().copied().collect())
    }

    /// How a run may end inside the call, if it may; the error if it can be that.
    pub(super) fn ends(&self, function: FunctionId) -> Option<Terminator> {
        let effect = self.of.get(function.0 as usize)?;
        if effect.reaches_error {
            Some(Terminator::Error(ErrorKind::Reached))
        } else {
            effect.stops.then_some(Terminator::Stop)
        }
    }
}

fn collect(
    program: &Program,
    points_to: &PointsTo,
    instruction: &InstructionKind,
    effect: &mut Summary,
    called: &mut BTreeSet<usize>,
) {
    let mut write = |place: &Place| {
        for location in points_to.place(&program.types, place) {
            match points_to.locations.object(location).kind {
                ObjectKind::Variable(variable) => {
                    effect.changed.insert(variable);
                }
                // Allocated memory has no name by which it could be said to change.
                ObjectKind::Allocated(_) | ObjectKind::Outside => effect.reaches_error = true,
                ObjectKind::Function(_) => {}
            }
        }
    };
    match instruction {
        InstructionKind::Assign { target, .. }
        | InstructionKind::Unknown { target, .. }
        | InstructionKind::Zero { target }
        | InstructionKind::Allocate { target, .. } => write(target),
        InstructionKind::Unsupported { effect: does, .. } => match does {
            Effect::Changes(changes) => changes.iter().for_each(&mut write),
            Effect::Anything => effect.reaches_error = true,
        },
        InstructionKind::Call { target, callee, .. } => {
            target.iter().for_each(&mut write);
            match callee {
                Callee::Function(function) => {
                    called.insert(function.0 as usize);
                }
                Callee::Address(pointer) => {
                    for object in objects(program, points_to, pointer) {
                        if let ObjectKind::Function(function) = object {
                            called.insert(function.0 as usize);
                        }
                    }
                }
            }
        }
        InstructionKind::Copy { target, .. } => {
            for object in objects(program, points_to, target) {
                match object {
                    ObjectKind::Variable(variable) => {
                        effect.changed.insert(variable);
                    }
                    ObjectKind::Allocated(_) | ObjectKind::Outside => effect.reaches_error = true,
                    ObjectKind::Function(_) => {}
                }
            }
        }
        InstructionKind::Expose { pointers, reach, .. } => {
            // What is found by going further is not listed here.
            effect.reaches_error |= *reach == Reach::Everything;
            let pointers = if *reach == Reach::Nothing { &[][..] } else { pointers };
            for object in pointers.iter().flat_map(|pointer| objects(program, points_to, pointer)) {
                match object {
                    ObjectKind::Variable(variable) => {
                        effect.changed.insert(variable);
                    }
                    ObjectKind::Allocated(_) | ObjectKind::Outside => effect.reaches_error = true,
                    ObjectKind::Function(_) => {}
                }
            }
        }
        InstructionKind::Assume(_) => effect.stops = true,
        InstructionKind::Free(_) | InstructionKind::Print(_) | InstructionKind::Check(_) => {}
    }
}

/// The objects that a pointer may point into.
fn objects(program: &Program, points_to: &PointsTo, pointer: &Expression<Place>) -> Vec<ObjectKind> {
    let targets = points_to.targets(&program.types, pointer);
    targets
        .iter()
        .map(|target| points_to.locations.object(*target).kind)
        .collect()
}
