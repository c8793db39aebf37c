//! What a verdict takes for granted of other files. A program that is linked with more than the file that is read may have another
//! body for what is `weak` here, and functions that run before `main` and change what is not `static`. Nothing of that can be refused:
//! any file could be linked with a program. So it is said, wherever the text itself tells that there are, or may be, other files.
//! (What functions without a body do is said where they are called.)

use super::flat::Note;
use super::lines::LineMap;
use super::program::{PlaceBase, Program, VariableId};
use super::visit::{self, Touch};
use hashbrown::HashSet;

/// What is taken for granted: of definitions that another file may replace, and of variables that another file has.
pub(super) fn premises(program: &Program, lines: &LineMap<'_>) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for (name, span) in &program.replaceable {
        let text = format!("`{name}` is weak: no other file has another definition of it");
        notes.push(Note { text, span: *span });
    }
    let mut used = HashSet::new();
    for (index, function) in program.functions.iter().enumerate() {
        // Where the program starts, each has been given its first value.
        let is_start = program.entry.0 as usize == index;
        for block in function.body.iter().flat_map(|body| &body.blocks) {
            visit::places(block, &mut |place, touch| {
                let is_first_value = is_start && matches!(touch, Touch::Write | Touch::Clear);
                if let (PlaceBase::Variable(variable), false) = (&place.base, is_first_value) {
                    used.insert(*variable);
                }
            });
        }
    }
    // What the C library has is not changed by it but in its functions.
    let elsewhere = program.variables.iter().enumerate().filter(|(index, variable)| {
        variable.is_elsewhere
            && used.contains(&VariableId(*index as u32))
            && !lines.is_system(variable.span.start as usize)
    });
    notes.extend(elsewhere.map(|(_, variable)| Note {
        text: format!(
            "`{}` is of another file: its value is unknown, and that file changes nothing of this one",
            variable.name
        ),
        span: variable.span,
    }));
    notes
}
