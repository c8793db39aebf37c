//! What code may change that is not there to be read, but gets pointers: numbers and addresses have any value behind it, for pointers there may
//! lead to everything that it knows ([`crate::points_to`]). Where there are unions among them whose members are told apart, that is a refusal
//! where it matters, and so is what may be called.

use super::{Context, Lowering};
use crate::flat::{FlatBlockId, FlatInstruction, FlatInstructionKind, FlatVariable};
use crate::points_to::locations::{ObjectId, ObjectKind};
use crate::program::{Effect, Expression, ExpressionKind, Numeric, Place, Reach, UnknownSource, VariableRole};
use std::collections::BTreeSet;

/// Where any leaf of objects may change, which is filled in when all leaves are known.
pub(super) struct Change {
    pub block: FlatBlockId,
    /// The instruction that changes them.
    pub index: usize,
    pub objects: Vec<ObjectId>,
    /// What code that is not seen writes there, where numbers may be taken for any ones.
    values: Option<String>,
}

/// Instructions that are put into a block when all of its others are there.
pub(super) struct Insertion {
    block: FlatBlockId,
    index: usize,
    /// Whether they stand for the instruction at the index; else they come before it.
    replaces: bool,
    instructions: Vec<FlatInstruction>,
}

impl Lowering<'_> {
    /// All leaves of the objects behind the pointers change; anything may happen if a function is among what is reached.
    pub(super) fn expose(&mut self, what: &str, pointers: &[Expression<Place>], reach: Reach) {
        for pointer in pointers {
            self.keep_refusals(pointer, Context::Always);
        }
        match reach {
            Reach::Nothing | Reach::Reading | Reach::Contents => return,
            Reach::Others => return self.change_others(what),
            Reach::Objects | Reach::Everything => {}
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
        match reach {
            Reach::Objects => self.change_unknowably(what, &format!("what {what} writes"), objects),
            _ => self.change_unknowably(what, what, objects),
        }
    }

    /// What other files have of their own changes here. Which variables that are is known when all have been met. So may memory
    /// of the program whose address has been given away: that is a refusal where it matters, and so are functions that may be
    /// called.
    fn change_others(&mut self, what: &str) {
        let index = self.flat.blocks[self.current.0 as usize].instructions.len();
        self.others_change.push((self.current, index, self.place));
        self.guards.clear();
        let locations = &self.points_to.locations;
        // No function without a body is taken to know a global by its name.
        let is_named = |id: &ObjectId| match locations.objects[id.0 as usize].kind {
            ObjectKind::Variable(variable) => {
                let variable = self.inlined.program.variables.get(variable.0 as usize);
                variable.is_none_or(|variable| variable.is_external)
            }
            kind => kind == ObjectKind::Outside,
        };
        let mut known = locations.all_from_outside();
        let is_function = |id: &ObjectId| matches!(locations.objects[id.0 as usize].kind, ObjectKind::Function(_));
        if known.iter().any(is_function) {
            self.push(FlatInstructionKind::Unsupported {
                what: what.to_string(),
                effect: Effect::Anything,
            });
            return;
        }
        known.retain(|id| !locations.is_only_read(*id));
        let known = known.into_iter();
        let known: Vec<ObjectId> = known.filter(|id| !is_named(id) && self.is_writable(*id)).collect();
        self.change_unknowably(what, what, known);
    }

    /// The objects change, in a way that nobody knows: to these `values`, as far as they are numbers and addresses.
    fn change_unknowably(&mut self, what: &str, values: &str, objects: Vec<ObjectId>) {
        if objects.is_empty() {
            return;
        }
        self.change_later(objects, Some(values.to_string()));
        self.push(FlatInstructionKind::Unsupported {
            what: what.to_string(),
            effect: Effect::Changes(Vec::new()),
        });
    }

    /// Any leaf of the objects may change by the instruction that is pushed next.
    pub(super) fn change_later(&mut self, objects: Vec<ObjectId>, values: Option<String>) {
        let index = self.flat.blocks[self.current.0 as usize].instructions.len();
        self.deferred.push(Change {
            block: self.current,
            index,
            objects,
            values,
        });
        self.guards.clear();
    }

    /// Takes those of the objects out that are numbers and addresses all through, if it is said what is put there: their variables have any
    /// values, beside what else the instruction changes, or in its place. Of a union nobody knows the member.
    pub(super) fn any_values(&self, change: &mut Change) -> Option<Insertion> {
        let values = change.values.take()?;
        let is_number = |variable: &FlatVariable| {
            let info = &self.layout.variables[variable.0 as usize];
            matches!(
                info.numeric,
                Numeric::Integer(_) | Numeric::Floating(_) | Numeric::Pointer
            )
        };
        let mut numbers = Vec::new();
        change.objects.retain(|object| {
            let variables = self.layout.variables_of(*object);
            let are_numbers = variables.iter().all(is_number) && self.flags_of(*object).is_empty();
            if are_numbers {
                numbers.extend_from_slice(variables);
            }
            !are_numbers
        });
        let place = self.flat.blocks[change.block.0 as usize].instructions[change.index].place;
        let unknown = |variable| FlatInstruction {
            kind: FlatInstructionKind::Unknown(variable, UnknownSource::NotCalculated(values.clone())),
            place,
        };
        (!numbers.is_empty()).then(|| Insertion {
            block: change.block,
            index: change.index,
            replaces: change.objects.is_empty(),
            instructions: numbers.into_iter().map(unknown).collect(),
        })
    }

    /// Puts these changes, and those of what other files have, where they happen.
    pub(super) fn add_changes_of_others(&mut self, mut changes: Vec<Insertion>) {
        let positions = std::mem::take(&mut self.others_change);
        let locations = &self.points_to.locations;
        let is_elsewhere = |kind: ObjectKind| match kind {
            ObjectKind::Variable(variable) => {
                let variable = self.inlined.program.variables.get(variable.0 as usize);
                variable.is_some_and(|variable| variable.is_elsewhere && !variable.is_constant)
            }
            ObjectKind::Outside => true,
            ObjectKind::Allocated(_) | ObjectKind::Function(_) => false,
        };
        let objects = (0..locations.objects.len() as u32).map(ObjectId);
        let objects = objects.filter(|id| is_elsewhere(locations.objects[id.0 as usize].kind));
        let variables: Vec<_> = objects.flat_map(|id| self.layout.variables_of(id).to_vec()).collect();
        for (block, index, place) in positions {
            let unknown = variables.iter().map(|variable| FlatInstruction {
                kind: FlatInstructionKind::Unknown(*variable, UnknownSource::Outside),
                place,
            });
            changes.push(Insertion {
                block,
                index,
                replaces: false,
                instructions: unknown.collect(),
            });
        }
        // From the last one on, so that the places of the others stay what they are; what is replaced comes before what is put there.
        changes.sort_by_key(|change| (change.block, change.index, change.replaces));
        for change in changes.into_iter().rev() {
            let end = change.index + usize::from(change.replaces);
            self.flat.blocks[change.block.0 as usize]
                .instructions
                .splice(change.index..end, change.instructions);
        }
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
