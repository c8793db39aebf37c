//! Values of which nobody says what they are: pointers from outside, pointers without a value, and what is read or written
//! where it does not fit.

use super::{Analysis, NodeId};
use crate::points_to::locations::{LocationId, ObjectKind};
use crate::points_to::{Mixing, leaves};
use crate::program::{ExpressionKind, Numeric, Place, VariableId};
use crate::types::{Type, TypeId, Types};
use crate::visit;
use hashbrown::HashSet;
use std::collections::BTreeSet;

impl<'p> Analysis<'p> {
    /// The pointers in the target have no value yet.
    pub(super) fn uninitialized(&mut self, target: &'p Place) {
        let types = &self.program.types;
        for path in self.leaf_paths(target.kind) {
            if leaves::at(types, target.kind, &path).is_none_or(|kind| self.unknown(kind).is_none()) {
                continue;
            }
            let node = self.temporary();
            self.load(target, &path, node);
            self.uninitialized.push((target, path, node));
        }
    }

    /// A number that becomes an address and has not been made of one as far as values are followed may have been made of what was
    /// found out about one: bits that were compared, bytes that were read in. It may be any address that has become a number.
    pub(super) fn settle_numbers(&mut self) {
        let mut is_found_out = false;
        for node in std::mem::take(&mut self.made_of_numbers) {
            if self.nodes[node as usize].arrived.is_empty() {
                self.insert(node, self.locations.number);
            }
            let mut arrived = self.nodes[node as usize].arrived.iter();
            is_found_out |= arrived.any(|target| self.locations.is_outside(*target));
        }
        if !is_found_out {
            return;
        }
        let mut numbers = Vec::new();
        for block in self.program.blocks() {
            visit::expressions(block, &mut |expression| {
                if let ExpressionKind::Convert(inner) = &expression.kind
                    && inner.numeric == Numeric::Pointer
                    && expression.numeric != Numeric::Pointer
                {
                    numbers.push(&**inner);
                }
            });
        }
        for pointer in numbers {
            let node = self.value(pointer);
            self.edge(node, self.told);
        }
        for index in 0..self.locations.locations.len() {
            let kind = self.locations.locations[index].element;
            if matches!(self.program.types.get(kind), Type::Integer(_)) {
                self.edge(index as NodeId, self.told);
            }
        }
        self.run();
    }

    /// Pointers that never get a value are inputs like other variables without one: they point outside, or to anything of
    /// which an address is taken. Those that get one somewhere are believed to have it when they are followed, for
    /// following anything else would be undefined.
    pub(super) fn settle_uninitialized(&mut self) {
        let mut guessed = self.is_scrambled;
        for (target, path, node) in std::mem::take(&mut self.uninitialized) {
            if self.nodes[node as usize].arrived.is_empty() {
                let kind = leaves::at(&self.program.types, target.kind, &path);
                let Some(unknown) = kind.and_then(|kind| self.unknown(kind)) else {
                    continue;
                };
                let value = self.temporary();
                self.insert(value, unknown);
                self.store(target, &path, value);
                guessed |= unknown == self.locations.outside;
            }
        }
        for root in std::mem::take(&mut self.unset) {
            for leaf in self.locations.leaves_alone(root) {
                if let Some(unknown) = self.unknown(self.locations.get(leaf).element)
                    && self.nodes[leaf.0 as usize].arrived.is_empty()
                {
                    self.insert(leaf.0, unknown);
                }
            }
        }
        self.run();
        if guessed {
            self.is_scrambled = true;
        }
        self.settle_unions();
        let mut shown = 0;
        // Following what may be anything may lead to more.
        while self.is_scrambled && shown < self.nodes.len() {
            let seen = shown..self.nodes.len();
            shown = self.nodes.len();
            for node in seen {
                self.edge(node as NodeId, self.shown);
            }
            self.run();
            self.settle_unions();
        }
    }

    /// Those who know the program's globals by their names may have their addresses.
    pub(super) fn show_globals(&mut self) {
        for (index, variable) in self.program.variables.iter().enumerate() {
            if (variable.is_external || variable.is_shared) && self.program.is_part_of_others {
                let location = self.locations.variable(VariableId(index as u32));
                self.insert(self.shown, location);
            }
        }
    }

    /// The numbers in the target that may be addresses may point outside.
    pub(super) fn outside(&mut self, target: &'p Place) {
        for path in self.leaf_paths(target.kind) {
            if let Some(unknown) = self.unknown_in(target.kind, &path) {
                let node = self.temporary();
                self.insert(node, unknown);
                self.store(target, &path, node);
            }
        }
    }

    /// Where an unknown value of the type points, if it may be an address.
    pub(super) fn unknown(&self, kind: TypeId) -> Option<LocationId> {
        match self.program.types.get(kind) {
            Type::Pointer(_) => Some(self.locations.outside),
            Type::Integer(integer) if integer.bits >= 32 => Some(self.locations.number),
            _ => None,
        }
    }

    /// Where what is at the end of the path in unknown content of the type points. In a union it may be a part of an address.
    fn unknown_in(&self, kind: TypeId, path: &[usize]) -> Option<LocationId> {
        let types = &self.program.types;
        let unknown = self.unknown(leaves::at(types, kind, path)?);
        let is_in_union = || {
            let mut above = (0..path.len()).filter_map(|length| leaves::at(types, kind, &path[..length]));
            above.any(|kind| is_union(types, kind))
        };
        unknown.or_else(|| is_in_union().then_some(self.locations.number))
    }

    /// The same for a leaf.
    pub(super) fn unknown_at(&self, leaf: LocationId) -> Option<LocationId> {
        let unknown = self.unknown(self.locations.get(leaf).element);
        unknown.or_else(|| self.is_in_union(leaf).then_some(self.locations.number))
    }

    /// Whether the location is a part of a union.
    fn is_in_union(&self, location: LocationId) -> bool {
        let mut current = self.locations.get(location).parent;
        while let Some((outer, _)) = current {
            let outer = self.locations.get(outer);
            if is_union(&self.program.types, outer.element) {
                return true;
            }
            current = outer.parent;
        }
        false
    }

    /// What is at the location is copied as a whole.
    pub(super) fn look_inside(&mut self, location: LocationId) {
        if self.is_in_union(location) {
            self.looked_at.extend(self.locations.leaves_alone(location));
        }
    }

    /// Whether an access does not find what it looks for, or may be anywhere.
    pub(super) fn misses(&self, places: &[LocationId]) -> bool {
        places.is_empty() || places.iter().any(|place| self.locations.is_somewhere(*place))
    }

    /// Whether an access through a pointer from outside may go to something visible of another type.
    pub(super) fn splits(&mut self, access: u32, target: LocationId) -> bool {
        if !self.locations.is_outside(target) {
            return false;
        }
        // As long as no more is known outside, it is what it was.
        let known = (self.locations.visible_objects.len(), self.locations.is_written_outside);
        if let Some((before, splits)) = self.splitting.get(&access)
            && (*before == known || *splits)
        {
            return *splits;
        }
        let kind = self.accesses[access as usize].0;
        let splits = self.locations.may_split(&self.program.types, kind);
        self.splitting.insert(access, (known, splits));
        splits
    }

    /// Something has been written into objects that are known outside, where it does not fit.
    pub(super) fn scramble_visible(&mut self) {
        // They only become more.
        let known = self.locations.visible_objects.len();
        if self.scrambled_visible.replace(known) == Some(known) {
            return;
        }
        for object in self.locations.all_from_outside() {
            let root = self.locations.objects[object.0 as usize].root;
            self.scramble(root);
        }
    }

    /// Something has been written into an object that does not fit: whatever is in it may be any address.
    pub(super) fn scramble(&mut self, target: LocationId) {
        let object = self.locations.get(target).object;
        if !self.scrambled.insert(object) {
            return;
        }
        let object = self.locations.object(target);
        if matches!(object.kind, ObjectKind::Variable(_) | ObjectKind::Allocated(_)) {
            for leaf in self.locations.leaves_alone(object.root) {
                if self.unknown_at(leaf).is_some() {
                    self.insert(leaf.0, self.locations.outside);
                    self.is_scrambled = true;
                }
            }
        }
    }

    /// The addresses in an object are found elsewhere, as whatever they are read as there; who finds them does not change by itself
    /// what they point to.
    pub(super) fn hand_over(&mut self, target: LocationId) {
        if self.locations.is_outside(target) {
            return;
        }
        for leaf in self.locations.leaves_alone(self.locations.object(target).root) {
            self.edge(leaf.0, self.told);
        }
    }

    /// The addresses in an object are looked at as something else: whoever gets what is read may know them.
    pub(super) fn show_contents(&mut self, target: LocationId) {
        if self.locations.is_outside(target) {
            return;
        }
        for leaf in self.locations.leaves_alone(self.locations.object(target).root) {
            self.edge(leaf.0, self.shown);
        }
    }

    /// What is read of a union may consist of parts of an address that was written to another member.
    fn settle_unions(&mut self) {
        let unions = self.members_of_unions();
        let mut mixed: HashSet<(LocationId, LocationId)> = HashSet::new();
        loop {
            let mut found = Vec::new();
            for union in &unions {
                for (member, written) in union.iter().filter(|(_, leaf)| self.holds_address(*leaf)) {
                    let read = union
                        .iter()
                        .filter(|(other, leaf)| other != member && self.looked_at.contains(leaf));
                    found.extend(read.map(|(_, read)| (*written, *read)));
                }
            }
            found.retain(|pair| mixed.insert(*pair));
            if found.is_empty() {
                return;
            }
            for (from, to) in found {
                self.edge(from.0, self.shown);
                self.insert(to.0, self.locations.outside);
            }
            self.run();
        }
    }

    /// The leaves of each union whose members are mixed up, each with the member that it belongs to.
    fn members_of_unions(&self) -> Vec<Vec<(LocationId, LocationId)>> {
        let types = &self.program.types;
        let mut unions = Vec::new();
        for location in &self.locations.locations {
            let is_mixed = match (types.get(location.element), self.mixing) {
                (Type::Record(record), _) if !types.record(*record).is_union => false,
                (Type::Record(_), Mixing::Any) => true,
                (Type::Record(record), Mixing::Only(mixed)) => mixed.contains(record),
                _ => false,
            };
            if !is_mixed {
                continue;
            }
            let members: BTreeSet<LocationId> = location.children.iter().copied().collect();
            let leaves = |member: LocationId| {
                let leaves = self.locations.leaves_alone(member).into_iter();
                leaves.map(move |leaf| (member, leaf))
            };
            unions.push(members.into_iter().flat_map(leaves).collect());
        }
        unions
    }

    /// Whether there may be an address in the location, and not only a number.
    fn holds_address(&self, location: LocationId) -> bool {
        let mut arrived = self.nodes[location.0 as usize].arrived.iter();
        arrived.any(|target| *target != self.locations.number)
    }

    pub(super) fn is_external(&self, location: LocationId) -> bool {
        match self.locations.object(location).kind {
            ObjectKind::Variable(variable) => self.program.variables[variable.0 as usize].is_external,
            _ => false,
        }
    }
}

fn is_union(types: &Types, kind: TypeId) -> bool {
    matches!(types.get(kind), Type::Record(record) if types.record(*record).is_union)
}
