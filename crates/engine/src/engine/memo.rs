//! The memo table: interpolants of closed states by predicate.
//!
//! An entry says: from any state that satisfies its literals, every path ends dead, or returns to one of the headers it
//! depends on with that header's believed candidates. When such a header is closed, the dependency is discharged; when the
//! header is restarted under other beliefs, the entry is dropped.

use super::ids::{EntryId, StateId};
use super::requirement::{Literal, Purposes, Requirement};
use crate::rules::PredicateId;
use crate::terms::TermId;
use hashbrown::HashMap;
use std::collections::BTreeSet;

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

/// The valid entries of a predicate, arranged so that a point refutes many at a look.
///
/// Each entry is filed under one of its literals that safety needs, the one that was false when it was last looked at.
/// Where that literal is false again, the entry cannot cover, and neither can any other that is filed under it.
#[derive(Default)]
struct Index {
    groups: Vec<(TermId, Vec<EntryId>)>,
    group_of: HashMap<TermId, usize>,
    /// Those that no literal has refuted yet.
    loose: Vec<EntryId>,
}

impl Index {
    fn file(&mut self, literal: TermId, entry: EntryId) {
        let groups = &mut self.groups;
        let group = *self.group_of.entry(literal).or_insert_with(|| {
            groups.push((literal, Vec::new()));
            groups.len() - 1
        });
        self.groups[group].1.push(entry);
    }
}

/// The memo table.
#[derive(Default)]
pub(super) struct Memo {
    entries: Vec<Entry>,
    of_predicate: HashMap<PredicateId, Vec<EntryId>>,
    indexes: HashMap<PredicateId, Index>,
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
        self.indexes.entry(predicate).or_default().loose.push(id);
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

    /// How many valid entries a predicate has.
    pub fn count(&self, predicate: PredicateId) -> usize {
        self.of_predicate.get(&predicate).map_or(0, Vec::len)
    }

    /// The valid entries of a predicate, the newest first, without those that have a literal that is false at a point and
    /// still needed.
    pub fn unrefuted(
        &mut self,
        predicate: PredicateId,
        is_false: impl Fn(TermId) -> bool,
        is_needed: impl Fn(&Purposes) -> bool,
    ) -> Vec<EntryId> {
        let Some(index) = self.indexes.get_mut(&predicate) else {
            return Vec::new();
        };
        let mut open = std::mem::take(&mut index.loose);
        for (literal, group) in &mut index.groups {
            if !group.is_empty() && !is_false(*literal) {
                open.append(group);
            }
        }
        let mut found = Vec::new();
        for id in open {
            let entry = &self.entries[id.index()];
            if !entry.valid {
                continue;
            }
            let literals = &entry.requirement.literals;
            // What safety needs stays needed, so that the entry may be filed under it.
            let needed_and_false = |literal: &&Literal| literal.purposes.safety && is_false(literal.formula);
            if let Some(literal) = literals.iter().find(needed_and_false) {
                index.file(literal.formula, id);
                continue;
            }
            index.loose.push(id);
            // Whether a literal is still needed takes longer to say than whether it is false.
            let mut others = literals.iter().filter(|literal| !literal.purposes.safety);
            if !others.any(|literal| is_false(literal.formula) && is_needed(&literal.purposes)) {
                found.push(id);
            }
        }
        found.sort_unstable_by(|left, right| right.cmp(left));
        found
    }

    /// At most `count` valid entries of a predicate, the newest first.
    pub fn newest_of(&self, predicate: PredicateId, count: usize) -> Vec<EntryId> {
        let ids = self.of_predicate.get(&predicate).map_or(&[][..], Vec::as_slice);
        ids.iter().rev().take(count).copied().collect()
    }

    /// Drops every entry that depends on a header.
    pub fn drop_dependents(&mut self, header: StateId) {
        let mut concerned = BTreeSet::new();
        for id in self.take_dependents(header) {
            let entry = &mut self.entries[id.index()];
            if entry.valid {
                entry.valid = false;
                concerned.insert(entry.predicate);
            }
        }
        for predicate in concerned {
            if let Some(ids) = self.of_predicate.get_mut(&predicate) {
                ids.retain(|id| self.entries[id.index()].valid);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::{SortId, Terms};

    #[test]
    fn a_false_literal_refutes_until_it_is_true_or_not_needed() {
        let mut terms = Terms::new();
        let [a, b] = ["A", "B"].map(|name| terms.fresh_variable(name, SortId::BOOL));
        let header = StateId::after(7);
        let mut memo = Memo::default();
        let mut for_safety = Requirement::default();
        for_safety.require(a, &Purposes::safety());
        let mut for_candidate = Requirement::default();
        for_candidate.dependencies.insert(header);
        for_candidate.require(b, &Purposes::candidate((header, 0)));
        let first = memo.store(StateId::after(8), PredicateId::QUERY, for_safety);
        let second = memo.store(StateId::after(9), PredicateId::QUERY, for_candidate);
        let mut unrefuted =
            |literal, needed: bool| memo.unrefuted(PredicateId::QUERY, |formula| formula == literal, |_| needed);
        assert_eq!(unrefuted(a, true), [second]);
        assert_eq!(unrefuted(a, true), [second]);
        assert_eq!(unrefuted(b, true), [first]);
        assert_eq!(unrefuted(b, false), [second, first]);
        assert_eq!(unrefuted(a, false), [second]);
        memo.drop_dependents(header);
        assert_eq!(memo.count(PredicateId::QUERY), 1);
        assert_eq!(memo.unrefuted(PredicateId::QUERY, |_| false, |_| true), [first]);
    }
}
