//! What a check leaves out of this program, for whoever reads that the program is safe. `--check uninitialized` looks at single
//! numbers: what arrays and allocated memory hold at first counts as a value, whichever it is.

use super::flat::Note;
use super::options::Checks;
use super::program::{InstructionKind, PlaceBase, Program, UnknownSource, VariableRole};
use super::types::{Type, TypeId, Types};
use hashbrown::HashSet;

/// The first array without a value, or memory, that the checks do not look into.
pub(super) fn unchecked(program: &Program, checks: Checks) -> Option<Note> {
    if !checks.uninitialized {
        return None;
    }
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    let instructions = bodies
        .flat_map(|body| &body.blocks)
        .flat_map(|block| &block.instructions)
        .filter(|instruction| instruction.span.start < program.end);
    let left_out = instructions.filter_map(|instruction| {
        let what = match &instruction.kind {
            InstructionKind::Unknown {
                target,
                source: UnknownSource::Uninitialized,
            } => {
                let PlaceBase::Variable(variable) = target.base else {
                    return None;
                };
                let variable = program.variables.get(variable.0 as usize)?;
                let is_declared = variable.role == VariableRole::Local && target.steps.is_empty();
                if !is_declared || !holds_array(&program.types, variable.kind) {
                    return None;
                }
                format!("`{}`", variable.name)
            }
            InstructionKind::Allocate { zeroed: false, .. } => "allocated memory".to_string(),
            _ => return None,
        };
        Some((instruction.span, what))
    });
    let (span, what) = left_out.min_by_key(|(span, _)| span.start)?;
    let text = format!("whether elements of {what} are read before they have a value is not checked");
    Some(Note { text, span })
}

/// Whether the type is an array, or a struct or union with one in it. Each struct is looked into once.
fn holds_array(types: &Types, kind: TypeId) -> bool {
    let mut seen = HashSet::new();
    let mut waiting = vec![kind];
    while let Some(kind) = waiting.pop() {
        match types.get(kind) {
            Type::Array(..) => return true,
            Type::Record(record) if seen.insert(*record) => {
                let fields = types.record(*record).fields.iter().flatten();
                waiting.extend(fields.map(|field| field.kind));
            }
            _ => {}
        }
    }
    false
}
