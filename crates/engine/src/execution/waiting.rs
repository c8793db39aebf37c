//! Conditions that wait for their variables while a plan is made ([`super::plan`]): which of them can be looked at next. What each still lacks is
//! counted, so that a variable that becomes known is told to its own conditions only and a rule with thousands of them is planned in a time that
//! grows with their size.

use crate::terms::{TermId, Terms};
use hashbrown::HashMap;
use std::collections::BTreeSet;

/// An equation or a constraint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    pub left: TermId,
    /// The goal's argument that `left` equals; without one, `left` is a formula that must be true.
    pub argument: Option<usize>,
}

/// What a condition is ready for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ready {
    /// All its variables are known.
    Check,
    /// All but this one.
    Solve(TermId),
}

struct Entry {
    condition: Condition,
    variables: Vec<TermId>,
    /// How many of the variables are not known.
    lacks: usize,
    is_done: bool,
}

/// The conditions, in the order of the rule.
#[derive(Default)]
pub(super) struct Waiting {
    entries: Vec<Entry>,
    /// In which of them a variable is that is not known.
    positions: HashMap<TermId, Vec<usize>>,
    /// Those that lack at most one variable and have not been taken since they do.
    ready: BTreeSet<usize>,
    /// Those that were taken for the one variable that they lack and did not determine it then.
    unsolved: BTreeSet<usize>,
}

impl Waiting {
    /// One more, behind the others.
    pub fn add(&mut self, terms: &Terms, condition: Condition, is_known: &dyn Fn(TermId) -> bool) {
        let position = self.entries.len();
        let mut variables = terms.variables(condition.left);
        variables.retain(|variable| !is_known(*variable));
        for variable in &variables {
            self.positions.entry(*variable).or_default().push(position);
        }
        let lacks = variables.len();
        if lacks <= 1 {
            self.ready.insert(position);
        }
        self.entries.push(Entry {
            condition,
            variables,
            lacks,
            is_done: false,
        });
    }

    /// This variable is known from here on.
    pub fn learn(&mut self, variable: TermId) {
        for position in self.positions.remove(&variable).unwrap_or_default() {
            let Some(entry) = self.entries.get_mut(position) else {
                continue;
            };
            entry.lacks -= 1;
            if entry.lacks <= 1 && !entry.is_done {
                self.ready.insert(position);
                self.unsolved.remove(&position);
            }
        }
    }

    /// The next one that is ready, from a position on and then from the start: the rule's order, again and again.
    pub fn next(&mut self, from: usize) -> Option<(usize, Condition, Ready)> {
        let position = self
            .ready
            .range(from..)
            .next()
            .or_else(|| self.ready.first())
            .copied()?;
        self.ready.remove(&position);
        let entry = self.entries.get(position)?;
        let ready = self.lacking(entry).map_or(Ready::Check, Ready::Solve);
        Some((position, entry.condition, ready))
    }

    /// The one variable that it lacks.
    fn lacking(&self, entry: &Entry) -> Option<TermId> {
        let mut lacking = entry.variables.iter().copied();
        lacking.find(|variable| self.positions.contains_key(variable))
    }

    /// It was checked, or it has determined its variable.
    pub fn finish(&mut self, position: usize) {
        self.ready.remove(&position);
        self.unsolved.remove(&position);
        if let Some(entry) = self.entries.get_mut(position) {
            entry.is_done = true;
        }
    }

    /// It did not determine its variable; it may in another way.
    pub fn set_aside(&mut self, position: usize) {
        self.unsolved.insert(position);
    }

    /// The first of those set aside, which is not asked for again: what it lacks.
    pub fn next_unsolved(&mut self) -> Option<(usize, Condition, TermId)> {
        let position = self.unsolved.pop_first()?;
        let entry = self.entries.get(position)?;
        Some((position, entry.condition, self.lacking(entry)?))
    }
}
