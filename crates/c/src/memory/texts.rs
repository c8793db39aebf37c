//! Texts that a function of the library reads up to their end, under the checks of accesses (docs/c.md, *What is verified*): a
//! string literal has an end, and of other memory the characters say where it is. So the check of such a text becomes a call of a
//! function that reads it character by character, each access with its checks; it is [`super::inline`]d like any other, at the place
//! of the call. Only where all that a pointer leads to are literals does the check stay, and costs nothing.

use super::super::library::TEXT_READER;
use super::super::points_to::PointsTo;
use super::super::points_to::locations::{LocationId, ObjectKind};
use super::super::program::{
    Callee, Check, Expression, FunctionId, InstructionKind, Place, Program, Variable, VariableRole,
};

/// Puts the calls in; whether there are any.
pub(super) fn settle(program: &mut Program, points_to: &PointsTo) -> bool {
    let reader = program
        .functions
        .iter()
        .position(|function| function.name == TEXT_READER && function.body.is_some());
    let Some(index) = reader else { return false };
    let (Ok(number), kind) = (u32::try_from(index), program.functions[index].kind) else {
        return false;
    };
    let mut has_changed = false;
    let mut functions = std::mem::take(&mut program.functions);
    let bodies = functions.iter_mut().filter_map(|function| function.body.as_mut());
    for instruction in bodies
        .flat_map(|body| &mut body.blocks)
        .flat_map(|block| &mut block.instructions)
    {
        let InstructionKind::Check(Check::Text(pointer)) = &instruction.kind else {
            continue;
        };
        if is_of_literals(pointer, program, points_to) {
            continue;
        }
        has_changed = true;
        instruction.kind = InstructionKind::Call {
            target: None,
            callee: Callee::Function(FunctionId(number)),
            kind,
            arguments: vec![pointer.clone()],
        };
    }
    program.functions = functions;
    has_changed
}

/// Whether a pointer leads to nothing but string literals, as far as is known.
fn is_of_literals(pointer: &Expression<Place>, program: &Program, points_to: &PointsTo) -> bool {
    let targets = points_to.targets(&program.types, pointer);
    targets
        .into_iter()
        .all(|target| is_literal(target, &program.variables, points_to))
}

/// Whether the location is one in a string literal, which has an end.
pub(super) fn is_literal(target: LocationId, variables: &[Variable], points_to: &PointsTo) -> bool {
    match points_to.locations.object(target).kind {
        ObjectKind::Variable(variable) => {
            let role = variables[variable.0 as usize].role;
            role == VariableRole::Literal && !points_to.locations.is_somewhere(target)
        }
        _ => false,
    }
}
