//! The memo table: interpolants of closed states by predicate.
//!
//! An entry says: from any state that satisfies its literals, every path ends dead, or returns to one of the headers it
//! depends on with that header's believed candidates. When such a header is closed, the dependency is discharged; when the
//! header is restarted under other beliefs, the entry is dropped.

use super::requirement::{Purposes, Requirement};
use super::state::StateId;
use crate::rules::PredicateId;
use hashbrown::HashMap;

/// The id of a memo entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct EntryId(u32);

impl EntryId {
    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The interpolant of a closed state.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The state.
    pub state: StateId,
    /// Its predicate.
    pub predicate: PredicateId,
    /// What it needs.
    pub requirement: Requirement,
    /// False once a header that it depended on was restarted.
    pub valid: bool,
}

/// The memo table.
#[derive(Default)]
pub(super) struct Memo {
    entries: Vec<Entry>,
    of_predicate: HashMap<PredicateId, Vec<EntryId>>,
    dependents: HashMap<StateId, Vec<EntryId>>,
}

impl Memo {
    /// Stores the interpolant of a closed state.
    pub fn insert(&mut self, state: StateId, predicate: PredicateId, requirement: Requirement) -> EntryId {
        let id = EntryId(self.entries.len() as u32);
        for header in &requirement.dependencies {
            self.dependents.entry(*header).or_default().push(id);
        }
        self.of_predicate.entry(predicate).or_default().push(id);
        self.entries.push(Entry {
            state,
            predicate,
            requirement,
            valid: true,
        });
        id
    }

    /// One entry.
    pub fn get(&self, id: EntryId) -> &Entry {
        &self.entries[id.index()]
    }

    /// The valid entries, the oldest first.
    pub fn valid(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.valid)
    }

    /// The valid entries of a predicate, the newest first.
    pub fn of(&self, predicate: PredicateId) -> Vec<EntryId> {
        self.of_predicate
            .get(&predicate)
            .map_or_else(Vec::new, |ids| ids.iter().rev().copied().collect())
    }

    /// At most `count` of them.
    pub fn newest_of(&self, predicate: PredicateId, count: usize) -> Vec<EntryId> {
        let ids = self.of_predicate.get(&predicate).map_or(&[][..], Vec::as_slice);
        ids.iter().rev().take(count).copied().collect()
    }

    /// Drops every entry that depends on a header.
    pub fn drop_dependents(&mut self, header: StateId) {
        for id in self.dependents.remove(&header).unwrap_or_default() {
            let entry = &mut self.entries[id.index()];
            if entry.valid {
                entry.valid = false;
                if let Some(ids) = self.of_predicate.get_mut(&entry.predicate) {
                    ids.retain(|other| *other != id);
                }
            }
        }
    }

    /// A header was closed as `header_entry`: its dependents now depend on what it depends on, and a literal that served one
    /// of its candidates serves what that candidate serves, as `purposes_of` says.
    pub fn discharge(&mut self, header: StateId, header_entry: EntryId, purposes_of: &[Purposes]) {
        let outer = self.entries[header_entry.index()].requirement.dependencies.clone();
        for id in self.dependents.remove(&header).unwrap_or_default() {
            let requirement = &mut self.entries[id.index()].requirement;
            requirement.dependencies.remove(&header);
            requirement.uses.insert(header_entry);
            for outer_header in &outer {
                if requirement.dependencies.insert(*outer_header) {
                    self.dependents.entry(*outer_header).or_default().push(id);
                }
            }
            for literal in &mut requirement.literals {
                let purposes = std::mem::take(&mut literal.purposes);
                literal.purposes.safety = purposes.safety;
                for (state, position) in purposes.candidates {
                    if state != header {
                        literal.purposes.candidates.insert((state, position));
                    } else if let Some(served) = purposes_of.get(position) {
                        literal.purposes.merge(served);
                    }
                }
            }
            requirement.literals.retain(|literal| !literal.purposes.is_empty());
        }
    }
}
