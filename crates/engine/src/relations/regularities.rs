//! Guesses at what calls come back with: what their small facts have in common, everywhere or under a condition or two.
//!
//! A condition is that a truth value or an enumeration is what it is, how two numbers compare, or that a number is the least that was seen.
//! What facts under it [have in common](super::columns) is guessed. So `min(A, B, C)`, as it is computed from its two arguments one by one, is
//! guessed to be `A` where `A =< B`. Which of the guesses are inductive, [`super::offers`] finds out; what one model after another would take
//! long to tell is believed at once.

use super::columns::{Columns, Wanted, weighted_sum};
use super::offers::{Guesses, Offered};
use super::small::SmallFacts;
use super::system::{Role, System};
use crate::rules::PredicateId;
use crate::steps::rows::Rows;
use crate::terms::{Comparison, Rational, SortId, TermId, Terms, Value};
use hashbrown::{HashMap, HashSet};
use num_traits::One;
use std::collections::BTreeSet;

/// So many facts agree before that is taken for more than an accident.
const SUPPORT: u32 = 4;
/// Of a predicate's conditions, the first.
const MOST_CONDITIONS: usize = 48;
/// Calls come back with small numbers, and each fact was chosen.
const WANTED: Wanted = Wanted {
    together: 3,
    spare: 2,
    largest: None,
    subtractions: u32::MAX,
};
/// Guesses about a predicate in one round.
const MOST_OF_PREDICATE: usize = 240;

/// Guesses about all predicates.
pub(super) struct Regularities {
    /// What is offered before anything is guessed.
    first: Vec<Offered>,
    round: usize,
    tables: Vec<Table>,
}

/// The facts of one predicate.
struct Table {
    predicate: PredicateId,
    columns: Columns,
    conditions: Vec<(TermId, Rows)>,
    /// What was guessed, with the facts that it was guessed for.
    guessed: HashMap<TermId, Vec<Rows>>,
}

impl Regularities {
    /// What there is to look at. `first` is known to be inductive, and often enough.
    pub fn new(terms: &mut Terms, system: &System, facts: &SmallFacts, first: Vec<Offered>) -> Regularities {
        let mut tables = Vec::new();
        for (index, node) in system.nodes.iter().enumerate() {
            let rows: Vec<&Vec<Value>> = facts.facts_of(index).collect();
            if node.role == Role::Returned && rows.len() as u32 >= SUPPORT {
                tables.push(Table::new(terms, node.predicate, &node.parameters, &rows));
            }
        }
        Regularities {
            first,
            round: 0,
            tables,
        }
    }
}

impl Guesses for Regularities {
    fn guess(&mut self, terms: &mut Terms, _stand: &HashSet<TermId>, _spend: &dyn Fn(u64) -> bool) -> Vec<Offered> {
        let mut offered = std::mem::take(&mut self.first);
        if !offered.is_empty() {
            return offered;
        }
        for table in &mut self.tables {
            let formulas = table.guess(terms, self.round);
            offered.extend(formulas.into_iter().map(|formula| Offered {
                predicate: table.predicate,
                formula,
                implied_by: Vec::new(),
            }));
        }
        self.round += 1;
        offered
    }
}

impl Table {
    fn new(terms: &mut Terms, predicate: PredicateId, parameters: &[TermId], rows: &[&Vec<Value>]) -> Table {
        let mut table = Table {
            predicate,
            columns: Columns::new(terms, parameters, rows, &[]),
            conditions: Vec::new(),
            guessed: HashMap::new(),
        };
        table.conditions = table.conditions(terms);
        table
    }

    /// Conditions that hold of some facts and not of others, each kind of facts once.
    fn conditions(&self, terms: &mut Terms) -> Vec<(TermId, Rows)> {
        let mut all: Vec<(TermId, Rows)> = self.columns.flags.clone();
        let numbers = &self.columns.numbers;
        for (position, (one, values)) in numbers.iter().enumerate() {
            for (other, others) in &numbers[position + 1..] {
                let difference = weighted_sum(&[(*one, 1), (*other, -1)], 0);
                let opposite = difference.scaled(&-Rational::one());
                let differences: Vec<i64> = values.iter().zip(others).map(|(one, other)| one - other).collect();
                let with = |holds: &dyn Fn(i64) -> bool| Rows::of(differences.iter().map(|value| holds(*value)));
                let equal = terms.linear_formula(&difference, Comparison::Equal, SortId::INT);
                all.push((equal, with(&|value| value == 0)));
                all.push((terms.not(equal), with(&|value| value != 0)));
                for (form, sign) in [(&difference, 1), (&opposite, -1)] {
                    let less = terms.linear_formula(form, Comparison::Less, SortId::INT);
                    all.push((less, with(&|value| value * sign < 0)));
                    let at_most = terms.linear_formula(form, Comparison::LessOrEqual, SortId::INT);
                    all.push((at_most, with(&|value| value * sign <= 0)));
                }
            }
            if let Some(least) = values.iter().min() {
                let form = weighted_sum(&[(*one, 1)], -least);
                let equal = terms.linear_formula(&form, Comparison::Equal, SortId::INT);
                all.push((equal, Rows::of(values.iter().map(|value| value == least))));
                all.push((terms.not(equal), Rows::of(values.iter().map(|value| value != least))));
            }
        }
        let mut seen: BTreeSet<Rows> = BTreeSet::new();
        all.retain(|(_, rows)| {
            (SUPPORT..self.columns.count as u32).contains(&rows.count()) && seen.insert(rows.clone())
        });
        all.truncate(MOST_CONDITIONS);
        all
    }

    /// What the facts under so many conditions have in common.
    fn guess(&mut self, terms: &mut Terms, conditions: usize) -> Vec<TermId> {
        let mut contexts: Vec<(Vec<TermId>, Rows)> = Vec::new();
        match conditions {
            0 => contexts.push((Vec::new(), Rows::of((0..self.columns.count).map(|_| true)))),
            1 => contexts.extend(
                self.conditions
                    .iter()
                    .map(|(formula, rows)| (vec![*formula], rows.clone())),
            ),
            2 => {
                for (position, (one, rows)) in self.conditions.iter().enumerate() {
                    for (other, others) in &self.conditions[position + 1..] {
                        let both = rows.and(others);
                        if both.count() >= SUPPORT && both != *rows && both != *others {
                            contexts.push((vec![*one, *other], both));
                        }
                    }
                }
            }
            _ => {}
        }
        let mut guesses = Vec::new();
        for (premises, rows) in contexts {
            let denied: Vec<TermId> = premises.iter().map(|premise| terms.not(*premise)).collect();
            for conclusion in self.columns.common(terms, &rows, WANTED) {
                let known = self.guessed.entry(conclusion).or_default();
                if guesses.len() >= MOST_OF_PREDICATE || known.iter().any(|wider| rows.is_within(wider)) {
                    continue;
                }
                known.push(rows.clone());
                let parts = [&denied[..], &[conclusion]].concat();
                let guess = terms.or(&parts);
                if guess != TermId::TRUE {
                    guesses.push(guess);
                }
            }
        }
        guesses
    }
}

#[cfg(test)]
mod tests;
