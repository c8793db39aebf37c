//! What code may change that is not there to be read, but gets pointers.

use super::Lowering;
use crate::c::flat::FlatInstructionKind;
use crate::c::points_to::locations::{ObjectId, ObjectKind};
use crate::c::program::{Effect, Expression, ExpressionKind, Numeric, Place, Reach, VariableRole};
use std::collections::BTreeSet;

impl Lowering<'_> {
    /// All leaves of the objects behind the pointers change; anything may happen if a function is among what is reached.
    pub(super) fn expose(&mut self, what: &str, pointers: &[Expression<Place>], reach: Reach) {
        if reach == Reach::Nothing {
            return;
        }
        let mut reached: BTreeSet<ObjectId> = BTreeSet::new();
        let mut waiting: Vec<ObjectId> = Vec::new();
        for pointer in pointers {
            let locations = &self.points_to.locations;
            if let (ExpressionKind::Read(place), Numeric::Aggregate) = (&pointer.kind, pointer.numeric) {
                // A struct by its value: the pointers in it.
                let wholes = self.points_to.place(self.types, place);
                for (leaf, _) in wholes.into_iter().flat_map(|whole| locations.leaves(whole)) {
                    let found = self.points_to.contents(leaf);
                    waiting.extend(found.iter().map(|target| locations.get(*target).object));
                }
                continue;
            }
            let targets = self.points_to.targets(self.types, pointer);
            waiting.extend(targets.iter().map(|target| locations.get(*target).object));
        }
        while let Some(id) = waiting.pop() {
            if !reached.insert(id) {
                continue;
            }
            let locations = &self.points_to.locations;
            let object = &locations.objects[id.0 as usize];
            match object.kind {
                ObjectKind::Function(_) if reach == Reach::Everything => {
                    self.push(FlatInstructionKind::Unsupported {
                        what: what.to_string(),
                        effect: Effect::Anything,
                    });
                    return;
                }
                ObjectKind::Function(_) => continue,
                ObjectKind::Outside => {
                    waiting.extend(locations.all_from_outside());
                }
                ObjectKind::Variable(_) | ObjectKind::Allocated(_) => {}
            }
            if reach == Reach::Everything {
                let leaves = locations.leaves(object.root).into_iter().map(|(leaf, _)| leaf);
                for leaf in leaves.chain([object.somewhere]) {
                    let found = self.points_to.contents(leaf);
                    waiting.extend(found.iter().map(|target| locations.get(*target).object));
                }
            }
        }
        let objects: Vec<ObjectId> = reached.into_iter().filter(|id| self.is_writable(*id)).collect();
        if objects.is_empty() {
            return;
        }
        let index = self.flat.blocks[self.current.0 as usize].instructions.len();
        self.deferred.push((self.current, index, objects));
        self.guards.clear();
        self.push(FlatInstructionKind::Unsupported {
            what: what.to_string(),
            effect: Effect::Changes(Vec::new()),
        });
    }

    /// Functions and string literals cannot be written.
    fn is_writable(&self, id: ObjectId) -> bool {
        match self.points_to.locations.objects[id.0 as usize].kind {
            ObjectKind::Function(_) => false,
            ObjectKind::Variable(variable) => {
                let variable = self.inlined.program.variables.get(variable.0 as usize);
                variable.is_none_or(|variable| variable.role != VariableRole::Literal)
            }
            ObjectKind::Allocated(_) | ObjectKind::Outside => true,
        }
    }
}
