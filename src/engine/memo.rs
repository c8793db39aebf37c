//! The memo table: interpolants of closed states by predicate.
//!
//! An entry says: from any state that satisfies its literals, every path ends dead, or returns to one of the headers it
//! depends on with that header's believed candidates. When such a header is closed, the dependency is discharged; when the
//! header is restarted under other beliefs, the entry is dropped.

use super::ids::{EntryId, StateId};
use super::requirement::{Purposes, Requirement};
use crate::rules::PredicateId;
use hashbrown::HashMap;

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
    pub fn store(&mut self, state: StateId, predicate: PredicateId, requirement: Requirement) -> EntryId {
        let id = EntryId::after(self.entries.len());
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
    pub fn entry(&self, id: EntryId) -> &Entry {
        &self.entries[id.index()]
    }

    /// The valid entries, the oldest first.
    pub fn valid(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.valid)
    }

    /// The valid entries of a predicate, the newest first, at most so many.
    pub fn newest_of(&self, predicate: PredicateId, count: usize) -> Vec<EntryId> {
        let ids = self.of_predicate.get(&predicate).map_or(&[][..], Vec::as_slice);
        ids.iter().rev().take(count).copied().collect()
    }

    /// The valid entries of a predicate, the newest first.
    pub fn entries_of(&self, predicate: PredicateId) -> Vec<EntryId> {
        self.newest_of(predicate, usize::MAX)
    }

    /// Drops every entry that depends on a header.
    pub fn drop_dependents(&mut self, header: StateId) {
        for id in self.take_dependents(header) {
            let entry = &mut self.entries[id.index()];
            if entry.valid {
                entry.valid = false;
                if let Some(ids) = self.of_predicate.get_mut(&entry.predicate) {
                    ids.retain(|other| *other != id);
                }
            }
        }
    }

    /// A header was closed as `header_entry`: its dependents depend on what that depends on ([`Requirement::discharge`]).
    pub fn discharge_dependents(&mut self, header: StateId, header_entry: EntryId, purposes_of: &[Purposes]) {
        let outer = self.entry(header_entry).requirement.dependencies.clone();
        for id in self.take_dependents(header) {
            let requirement = &mut self.entries[id.index()].requirement;
            let added: Vec<StateId> = outer.difference(&requirement.dependencies).copied().collect();
            requirement.discharge(header, header_entry, &outer, purposes_of);
            for outer_header in added {
                self.dependents.entry(outer_header).or_default().push(id);
            }
        }
    }

    /// Nothing if no entry was ever stored that depends on the header.
    fn take_dependents(&mut self, header: StateId) -> Vec<EntryId> {
        self.dependents.remove(&header).into_iter().flatten().collect()
    }
}
