//! What calls before the entry's may have left behind, for a program that starts elsewhere than in `main`: its variables have
//! any values, but those that nothing can have changed.

use super::Semantics;
use super::storage::FirstValue;
use crate::options::EarlierCalls;
use crate::program::{InstructionKind, Place, PlaceBase, UnknownSource, VariableId, VariableRole};
use crate::visit::{Touch, places, places_in};
use hashbrown::HashSet;

/// Variables by what is done with them.
#[derive(Default)]
struct Uses {
    written: HashSet<VariableId>,
    /// Those of which the address is taken, so that it may be anywhere now.
    addressed: HashSet<VariableId>,
}

impl Uses {
    fn add(&mut self, place: &Place, touch: Touch) {
        let PlaceBase::Variable(variable) = place.base else {
            return;
        };
        match touch {
            Touch::Read => {}
            Touch::Write | Touch::Clear => drop(self.written.insert(variable)),
            Touch::Address => drop(self.addressed.insert(variable)),
        }
    }
}

impl Semantics<'_, '_> {
    /// Gives unknown values to all variables that other calls, of any functions here or elsewhere, may have changed, if the
    /// options say that there may have been some. The graph is the one of the program's start.
    pub(super) fn earlier_calls(&mut self) {
        if self.options.earlier_calls != EarlierCalls::Any {
            return;
        }
        // Initializers write what they are for, and have addresses of other variables.
        let (mut first, mut later) = (Uses::default(), Uses::default());
        for instruction in self.state.graph.instructions() {
            places_in(&instruction.kind, &mut |place, touch| first.add(place, touch));
        }
        for body in self.functions.iter().filter_map(|function| function.body.as_ref()) {
            for block in &body.blocks {
                places(block, &mut |place, touch| later.add(place, touch));
            }
        }
        for index in 0..self.variables.len() {
            let id = VariableId(index as u32);
            let is_addressed = first.addressed.contains(&id) || later.addressed.contains(&id);
            let variable = &mut self.variables[index];
            if variable.role != VariableRole::Global {
                continue;
            }
            variable.is_shared = is_addressed;
            let is_changed = variable.is_external || is_addressed || later.written.contains(&id);
            let is_known = self.initialized.get(&id) != Some(&FirstValue::Elsewhere);
            if is_changed && is_known && !variable.is_constant {
                let span = variable.span;
                let unknown = InstructionKind::Unknown {
                    target: self.variable_place(id),
                    source: UnknownSource::Outside,
                };
                self.emit(unknown, span);
            }
        }
    }
}
