//! Small arrays that are only accessed at constant indices become scalar variables, which are easier to reason about.

use super::build;
use crate::flat::{
    FlatExpression, FlatInstruction, FlatInstructionKind, FlatProgram, FlatVariable, Leaf, VariableInfo,
};
use crate::program::{Effect, ExpressionKind};
use crate::types::Types;
use num_traits::ToPrimitive;

/// An array with more elements stays one.
const MAXIMAL_LENGTH: u64 = 8;

/// Replaces the arrays that can be replaced; `lengths` says how many elements each variable has.
pub fn replace(program: &mut FlatProgram, lengths: &[Option<u64>]) {
    let mut candidates: Vec<Option<u64>> = program
        .variables
        .iter()
        .enumerate()
        .map(|(index, info)| {
            let length = lengths.get(index).copied().flatten();
            length.filter(|length| info.is_array && *length <= MAXIMAL_LENGTH)
        })
        .collect();
    let mut copies = Vec::new();
    for block in &program.blocks {
        for instruction in &block.instructions {
            reject(&instruction.kind, &mut candidates, &mut copies);
        }
        for expression in block.terminator.expressions() {
            reject_in(expression, &mut candidates);
        }
    }
    // A copy of one array to another needs both as they are, or neither.
    let mut changes = true;
    while changes {
        changes = false;
        for (target, source) in &copies {
            let (left, right) = (candidates[target.0 as usize], candidates[source.0 as usize]);
            if left != right {
                candidates[target.0 as usize] = None;
                candidates[source.0 as usize] = None;
                changes = true;
            }
        }
    }
    // The first element takes the array's place, the others come at the end.
    let mut elements: Vec<Vec<FlatVariable>> = vec![Vec::new(); candidates.len()];
    for (index, length) in candidates.iter().enumerate() {
        let Some(length) = length else { continue };
        let array = program.variables[index].clone();
        for position in 0..*length {
            let element = VariableInfo {
                name: format!("{}[{position}]", array.name),
                is_array: false,
                ..array.clone()
            };
            elements[index].push(match position {
                0 => FlatVariable(index as u32),
                _ => FlatVariable(program.variables.len() as u32),
            });
            match position {
                0 => program.variables[index] = element,
                _ => program.variables.push(element),
            }
        }
    }
    if elements.iter().all(Vec::is_empty) {
        return;
    }
    for block in &mut program.blocks {
        let instructions = std::mem::take(&mut block.instructions);
        for instruction in instructions {
            rewrite(instruction, &elements, &program.variables, &mut block.instructions);
        }
        for expression in block.terminator.expressions_mut() {
            rewrite_in(expression, &elements);
        }
    }
}

fn position(index: &FlatExpression) -> Option<u64> {
    match &index.kind {
        ExpressionKind::Integer(value) => value.to_u64(),
        _ => None,
    }
}

fn reject_index(array: FlatVariable, index: &FlatExpression, candidates: &mut [Option<u64>]) {
    reject_in(index, candidates);
    let length = &mut candidates[array.0 as usize];
    if length.is_some_and(|length| position(index).is_none_or(|position| position >= length)) {
        *length = None;
    }
}

fn reject(
    instruction: &FlatInstructionKind,
    candidates: &mut [Option<u64>],
    copies: &mut Vec<(FlatVariable, FlatVariable)>,
) {
    match instruction {
        FlatInstructionKind::Assign(_, value) => reject_in(value, candidates),
        FlatInstructionKind::Store { array, index, value } => {
            reject_index(*array, index, candidates);
            reject_in(value, candidates);
        }
        FlatInstructionKind::CopyArray { target, source } => copies.push((*target, *source)),
        FlatInstructionKind::Fill { value, .. } => reject_in(value, candidates),
        FlatInstructionKind::Unknown(..) | FlatInstructionKind::Unsupported { .. } => {}
        FlatInstructionKind::Assume(condition) | FlatInstructionKind::Defined(condition) => {
            reject_in(condition, candidates);
        }
        FlatInstructionKind::Print(values) => values.iter().for_each(|value| reject_in(value, candidates)),
    }
}

fn reject_in(expression: &FlatExpression, candidates: &mut [Option<u64>]) {
    match &expression.kind {
        ExpressionKind::Read(Leaf::Element(array, index)) => reject_index(*array, index, candidates),
        ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => reject_in(operand, candidates),
        ExpressionKind::Binary(_, left, right) => {
            reject_in(left, candidates);
            reject_in(right, candidates);
        }
        ExpressionKind::Conditional(condition, left, right) | ExpressionKind::Fused(condition, left, right) => {
            reject_in(condition, candidates);
            reject_in(left, candidates);
            reject_in(right, candidates);
        }
        _ => {}
    }
}

fn element(array: FlatVariable, index: &FlatExpression, elements: &[Vec<FlatVariable>]) -> Option<FlatVariable> {
    let at = usize::try_from(position(index)?).ok()?;
    elements.get(array.0 as usize)?.get(at).copied()
}

fn rewrite(
    instruction: FlatInstruction,
    elements: &[Vec<FlatVariable>],
    variables: &[VariableInfo],
    into: &mut Vec<FlatInstruction>,
) {
    let place = instruction.place;
    let of = |array: FlatVariable| elements.get(array.0 as usize).map_or(&[][..], Vec::as_slice);
    let mut kind = instruction.kind;
    match &mut kind {
        FlatInstructionKind::Assign(_, value) => rewrite_in(value, elements),
        FlatInstructionKind::Store { array, index, value } => {
            rewrite_in(index, elements);
            rewrite_in(value, elements);
            if let Some(scalar) = element(*array, index, elements) {
                kind = FlatInstructionKind::Assign(scalar, value.clone());
            }
        }
        FlatInstructionKind::CopyArray { target, source } if !of(*target).is_empty() => {
            for (target, source) in of(*target).iter().zip(of(*source)) {
                let numeric = variables[source.0 as usize].numeric;
                let value = build::variable(*source, numeric, Types::INT);
                let kind = FlatInstructionKind::Assign(*target, value);
                into.push(FlatInstruction { kind, place });
            }
            return;
        }
        FlatInstructionKind::CopyArray { .. } => {}
        FlatInstructionKind::Fill { array, value } => {
            rewrite_in(value, elements);
            if !of(*array).is_empty() {
                for scalar in of(*array) {
                    let kind = FlatInstructionKind::Assign(*scalar, value.clone());
                    into.push(FlatInstruction { kind, place });
                }
                return;
            }
        }
        FlatInstructionKind::Unknown(array, source) => {
            if !of(*array).is_empty() {
                for scalar in of(*array) {
                    let kind = FlatInstructionKind::Unknown(*scalar, source.clone());
                    into.push(FlatInstruction { kind, place });
                }
                return;
            }
        }
        FlatInstructionKind::Assume(condition) | FlatInstructionKind::Defined(condition) => {
            rewrite_in(condition, elements);
        }
        FlatInstructionKind::Print(values) => values.iter_mut().for_each(|value| rewrite_in(value, elements)),
        FlatInstructionKind::Unsupported {
            effect: Effect::Changes(changes),
            ..
        } => {
            let mut all = Vec::new();
            for variable in changes.iter() {
                match of(*variable) {
                    [] => all.push(*variable),
                    several => all.extend(several),
                }
            }
            *changes = all;
        }
        FlatInstructionKind::Unsupported {
            effect: Effect::Anything,
            ..
        } => {}
    }
    into.push(FlatInstruction { kind, place });
}

fn rewrite_in(expression: &mut FlatExpression, elements: &[Vec<FlatVariable>]) {
    match &mut expression.kind {
        ExpressionKind::Read(leaf) => {
            if let Leaf::Element(array, index) = leaf {
                rewrite_in(index, elements);
                if let Some(scalar) = element(*array, index, elements) {
                    *leaf = Leaf::Variable(scalar);
                }
            }
        }
        ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => rewrite_in(operand, elements),
        ExpressionKind::Binary(_, left, right) => {
            rewrite_in(left, elements);
            rewrite_in(right, elements);
        }
        ExpressionKind::Conditional(condition, left, right) | ExpressionKind::Fused(condition, left, right) => {
            rewrite_in(condition, elements);
            rewrite_in(left, elements);
            rewrite_in(right, elements);
        }
        _ => {}
    }
}
