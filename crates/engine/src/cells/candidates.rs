//! Guesses at what holds of cells: *where these bounds hold of the indices, the elements compare so*.
//!
//! A candidate is a comparison of elements under up to three conditions: that the index of a cell is below, above or at a bound, or
//! at such a place in its row. They are looked for in contexts: anywhere, where indices are not negative, of neighbours, where a flag has
//! a value. What a program compares (`bounds`) gives all of these. Those are kept that no state of the runs contradicts, those that say
//! most first; another one that says less is tried when these are not inductive. Which are, [`crate::relations`] finds out.

use super::bounds::{Compared, ValueForm, add_once, compared};
use super::conditions::{Condition, Relation};
use super::equations::equations;
use super::parameters::guesses_at_parameters;
use super::premises::{Context, SUPPORT, premises};
use super::runs::{Scale, run};
use super::table::Table;
use super::{Abstraction, Part};
use crate::relations::{Guesses, Offered};
use crate::rules::{PredicateId, Program};
use crate::steps::budget::BudgetWatch;
use crate::steps::rows::Rows;
use crate::terms::{SortId, TermId, Terms};
use hashbrown::HashSet;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Conditions with the same rows count once; so many are combined.
const MOST_CONDITIONS: usize = 100;
/// So many rows say something of elements.
const ENOUGH: u32 = 40;
/// So many comparisons of the program's own are guessed at before equations that are seen in states.
const OWN_COMPARISONS: usize = 4;
/// Flags that contexts speak of.
const MOST_FLAGS: usize = 3;
/// Of the guesses at one comparison in one context, so many are made in the first round, in the first two, and in all.
const OF_CONTEXT: [usize; 3] = [3, 8, 16];
/// Guesses about a predicate in one round; the others wait for the next one.
const MOST_OF_PREDICATE: usize = 220;

/// Guesses about all predicates of an abstraction.
pub(super) struct Candidates {
    scale: Scale,
    round: usize,
    guessers: Vec<Guesser>,
}

/// One predicate of the abstraction: its numeric parameters are the columns.
struct Guesser {
    predicate: PredicateId,
    columns: Vec<TermId>,
    compared: Compared,
    cells: usize,
    table: Table,
    /// All guesses that were not made yet, and those that were.
    waiting: Vec<Guess>,
    made: Vec<Guess>,
}

/// A guess: where these conditions hold, the elements compare so.
struct Guess {
    formula: TermId,
    /// The position of what is compared; none if it is bounds.
    value: Option<usize>,
    relation: Relation,
    rows: Rows,
    round: usize,
}

impl Guess {
    /// Whether it says all that another one does, as far as states show.
    fn implies(&self, other: &Guess) -> bool {
        self.value.is_some()
            && self.value == other.value
            && self.relation.implies(other.relation)
            && other.rows.is_within(&self.rows)
    }
}

impl Candidates {
    /// What is to be known before the first guess: what is compared, and states.
    pub fn new(program: &Program, abstraction: &Abstraction, budget: &BudgetWatch<'_>) -> Candidates {
        let cells = abstraction.followed.cells;
        if cells == 2 && !abstraction.followed.are_ordered {
            return Candidates {
                scale: Scale::default(),
                round: 0,
                guessers: Vec::new(),
            };
        }
        let compared = compared(program, &abstraction.shapes, cells);
        let runs = run(program, budget);
        let mut guessers = Vec::new();
        for (index, compared) in compared.into_iter().enumerate().skip(2) {
            let predicate = PredicateId::from_index(index);
            let parameters = &abstraction.program.predicate(predicate).parameters;
            let terms = &abstraction.program.terms;
            let cells = if abstraction.shapes[index].arrays.is_empty() {
                0
            } else {
                cells
            };
            let positions: Vec<usize> = (0..parameters.len())
                .filter(|position| terms.sort(parameters[*position]) == SortId::INT)
                .collect();
            let parts = positions.iter().map(|at| abstraction.parts[index][*at]).collect();
            let table = Table::new(parts, &compared, cells, &runs.states[index], &runs.scale);
            if table.states.len() > 2 {
                guessers.push(Guesser {
                    predicate,
                    columns: positions.iter().map(|at| parameters[*at]).collect(),
                    compared,
                    cells,
                    table,
                    waiting: Vec::new(),
                    made: Vec::new(),
                });
            }
        }
        Candidates {
            scale: runs.scale,
            round: 0,
            guessers,
        }
    }
}

impl Guesses for Candidates {
    fn guess(&mut self, terms: &mut Terms, stand: &HashSet<TermId>, spend: &dyn Fn(u64) -> bool) -> Vec<Offered> {
        let mut offered = Vec::new();
        for guesser in &mut self.guessers {
            if self.round == 0 {
                guesser.guess(terms, &self.scale, spend);
            }
            guesser.offer(self.round, stand, &mut offered);
        }
        self.round += 1;
        offered
    }
}

impl Guesser {
    /// Offers what this round is for, but for what is implied by what has stood.
    fn offer(&mut self, round: usize, stand: &HashSet<TermId>, offered: &mut Vec<Offered>) {
        let first = offered.len();
        let before = self.made.len();
        let mut waiting = Vec::new();
        for guess in std::mem::take(&mut self.waiting) {
            if guess.round > round || offered.len() - first >= MOST_OF_PREDICATE {
                waiting.push(guess);
                continue;
            }
            let mut old = self.made[..before].iter();
            if old.any(|known| stand.contains(&known.formula) && known.implies(&guess)) {
                continue;
            }
            let new = self.made[before..].iter().enumerate();
            let stronger = new.filter(|(_, known)| known.implies(&guess));
            offered.push(Offered {
                predicate: self.predicate,
                formula: guess.formula,
                implied_by: stronger.map(|(at, _)| first + at).collect(),
            });
            self.made.push(guess);
        }
        self.waiting = waiting;
    }

    fn guess(&mut self, terms: &mut Terms, scale: &Scale, spend: &dyn Fn(u64) -> bool) {
        let places = (&self.table, &self.compared, &self.columns[..]);
        for (formula, relation, round) in guesses_at_parameters(terms, places, scale) {
            self.waiting.push(Guess {
                formula,
                value: None,
                relation,
                rows: Rows::default(),
                round,
            });
        }
        if self.cells == 0 {
            return;
        }
        let conditions = self.conditions(scale);
        if self.cells == 1 {
            // Behind what the program itself compares most.
            let rest = self
                .compared
                .values
                .split_off(self.compared.values.len().min(OWN_COMPARISONS));
            let found = equations(&self.table, scale, &conditions, spend);
            for form in found.into_iter().chain(rest) {
                add_once(&mut self.compared.values, form);
            }
        }
        let keys = self.keys();
        // For comparisons in the first cell alone, in the second one, and in both; for an array with itself these are different.
        let mut contexts: Vec<Vec<Context>> = Vec::new();
        for key in &keys {
            contexts.push(self.contexts(scale, &conditions, &[*key], &[]));
        }
        if let [first, second] = keys[..] {
            let different = Condition::new(vec![(second, 1), (first, -1)], 0, 0, Relation::Greater);
            contexts.push(self.contexts(scale, &conditions, &keys, &[]));
            contexts.push(self.contexts(scale, &conditions, &keys, &[different]));
        }
        let mut seen: HashSet<TermId> = HashSet::new();
        for (at, value) in self.compared.values.clone().iter().enumerate() {
            let arrays = |cell: usize| value.elements.iter().filter(move |(_, own, _)| *own == cell);
            let has = |cell: usize| arrays(cell).next().is_some();
            let of_both = arrays(0).any(|one| arrays(1).any(|other| one.0 == other.0));
            let position = match (has(0), has(1)) {
                (true, true) => 2 + usize::from(of_both),
                (_, has_second) => usize::from(has_second),
            };
            if let Some(contexts) = contexts.get(position) {
                self.guess_values(terms, (scale, spend), contexts, (at, value), &mut seen);
            }
        }
        self.waiting.sort_by_key(|guess| guess.round);
    }

    fn rows(&self, scale: &Scale, condition: &Condition) -> Rows {
        Rows::of(self.table.rows.iter().map(|row| condition.holds(row, scale)))
    }

    /// The columns of the cells' indices.
    fn keys(&self) -> Vec<usize> {
        let cells = 0..self.cells;
        cells.filter_map(|cell| self.table.column(Part::Key(cell))).collect()
    }

    /// All conditions on the cells, each with its rows, those of which something can be concluded.
    fn conditions(&self, scale: &Scale) -> Vec<(Condition, Rows)> {
        let mut all: Vec<Condition> = Vec::new();
        let keys = self.keys();
        if let [first, second] = keys[..] {
            let apart = vec![(second, 1), (first, -1)];
            all.push(Condition::new(apart.clone(), 0, -1, Relation::Equal));
            all.push(Condition::new(apart, 0, -1, Relation::Greater));
        }
        all.extend(self.flags());
        for key in &keys {
            for stride in &self.compared.strides {
                for rest in 0..*stride {
                    let mut condition = Condition::new(Vec::new(), 0, -rest, Relation::Equal);
                    condition.rest = Some((*key, *stride));
                    all.push(condition);
                }
            }
            for length in &self.compared.rows {
                for bound in self
                    .compared
                    .bounds
                    .iter()
                    .filter(|bound| matches!(bound.scalars[..], [(_, 1)]))
                {
                    let Some(sum) = self.table.sum(bound) else { continue };
                    for relation in [Relation::Less, Relation::GreaterOrEqual] {
                        let sum = sum.iter().map(|(column, by)| (*column, -by)).collect();
                        let mut condition = Condition::new(sum, -bound.constant, 0, relation);
                        condition.rest = Some((*key, *length));
                        all.push(condition);
                    }
                }
            }
        }
        for bound in &self.compared.bounds {
            let Some(sum) = self.table.sum(bound) else { continue };
            let below = |above: &[usize]| -> Vec<(usize, i64)> {
                let above = above.iter().map(|key| (*key, 1));
                above.chain(sum.iter().map(|(column, by)| (*column, -by))).collect()
            };
            if self.compared.are_mirrored && keys.len() == 2 {
                for offset in [0, 1, -1] {
                    all.push(Condition::new(below(&keys), -bound.constant, offset, Relation::Equal));
                }
            }
            for key in &keys {
                for offset in [0, 1, -1] {
                    let with = |relation| Condition::new(below(&[*key]), -bound.constant, offset, relation);
                    all.extend([Relation::Less, Relation::GreaterOrEqual, Relation::Equal].map(with));
                }
            }
        }
        let total = self.table.rows.len() as u32;
        let mut kept: Vec<(Condition, Rows)> = Vec::new();
        let mut seen: BTreeSet<Rows> = BTreeSet::new();
        for condition in all {
            let rows = self.rows(scale, &condition);
            if (SUPPORT..total).contains(&rows.count()) && kept.len() < MOST_CONDITIONS && seen.insert(rows.clone()) {
                kept.push((condition, rows));
            }
        }
        kept
    }

    /// That a parameter of few values has one of them.
    fn flags(&self) -> Vec<Condition> {
        let mut flags = Vec::new();
        for (column, part) in self.table.parts.iter().enumerate() {
            let values: BTreeSet<i64> = self.table.rows.iter().map(|row| row[column]).collect();
            if matches!(part, Part::Scalar(_)) && (2..=3).contains(&values.len()) {
                for value in values.into_iter().filter(|value| value.abs() <= 3) {
                    flags.push(Condition::new(vec![(column, 1)], 0, -value, Relation::Equal));
                }
            }
        }
        flags
    }

    /// Where guesses are made about cells with these indices, always under some conditions, with the conditions that say something
    /// there: widest first.
    fn contexts(
        &self,
        scale: &Scale,
        conditions: &[(Condition, Rows)],
        keys: &[usize],
        always: &[Condition],
    ) -> Vec<Context> {
        let others = self.keys().into_iter().filter(|key| !keys.contains(key));
        let others: Vec<usize> = others.collect();
        let is_about = |condition: &Condition| {
            others
                .iter()
                .any(|key| condition.columns().any(|column| column == *key))
        };
        let conditions: Vec<(Condition, Rows)> = conditions
            .iter()
            .filter(|(condition, _)| !is_about(condition))
            .cloned()
            .collect();
        let mut sets: Vec<Vec<Condition>> = vec![always.to_vec()];
        let with = |sets: &[Vec<Condition>], one: Condition| -> Vec<Vec<Condition>> {
            let sets = sets.iter().cloned();
            sets.map(|mut set| {
                set.push(one.clone());
                set
            })
            .collect()
        };
        if let Some(first) = keys.first() {
            sets.extend(with(
                &sets,
                Condition::new(vec![(*first, 1)], 0, 0, Relation::GreaterOrEqual),
            ));
        }
        if let [first, second] = *keys {
            let neighbours = Condition::new(vec![(second, 1), (first, -1)], 0, -1, Relation::Equal);
            sets.extend(with(&sets, neighbours));
        }
        let wide = sets.clone();
        for flag in self.flags().into_iter().take(MOST_FLAGS) {
            sets.extend(with(&wide, flag));
        }
        let mut contexts: Vec<Context> = Vec::new();
        for set in sets {
            let mut rows = Rows::of(self.table.rows.iter().map(|_| true));
            for one in &set {
                rows = rows.and(&self.rows(scale, one));
            }
            if rows.count() >= SUPPORT && contexts.iter().all(|known| known.rows != rows) {
                contexts.push(Context::new(set, rows, &conditions));
            }
        }
        contexts
    }

    /// The columns of a comparison of elements, with coefficients.
    fn columns_of(&self, value: &ValueForm) -> Option<Vec<(usize, i64)>> {
        let elements = value.elements.iter();
        let elements =
            elements.map(|(position, cell, by)| Some((self.table.column(Part::Element(*position, *cell))?, *by)));
        let scalars = value.scalars.iter();
        let scalars = scalars.map(|(position, by)| Some((self.table.column(Part::Scalar(*position))?, *by)));
        let keys = value.keys.iter();
        let keys = keys.map(|(cell, by)| Some((self.table.column(Part::Key(*cell))?, *by)));
        elements.chain(keys).chain(scalars).collect()
    }

    /// What can be said of a comparison of elements.
    fn guess_values(
        &mut self,
        terms: &mut Terms,
        (scale, spend): (&Scale, &dyn Fn(u64) -> bool),
        contexts: &[Context],
        (at, value): (usize, &ValueForm),
        seen: &mut HashSet<TermId>,
    ) {
        let Some(sum) = self.columns_of(value) else { return };
        // Where nothing was written all is zero, and anything holds of it that holds of nothing else.
        let elements = value.elements.iter();
        let elements = elements.filter_map(|(position, cell, _)| self.table.column(Part::Element(*position, *cell)));
        let elements: Vec<usize> = elements.collect();
        let is_written = |row: &Vec<i64>| elements.iter().any(|column| row[*column] != 0);
        let mut written = Rows::of(self.table.rows.iter().map(is_written));
        if written.count() < ENOUGH {
            written = Rows::of(self.table.rows.iter().map(|_| true));
        }
        // That it is zero may well be what was written.
        let support = |relation: Relation, rows: &Rows| match relation {
            Relation::Equal => rows.count(),
            _ => rows.and(&written).count(),
        };
        let mut said: Vec<(Relation, Rows)> = Vec::new();
        for relation in Relation::ALL {
            let conclusion = Condition::new(sum.clone(), value.constant, 0, relation);
            let holds = self.rows(scale, &conclusion);
            if holds.is_empty() {
                continue;
            }
            let fails = Rows::of(holds.complement());
            if spend(1) {
                return;
            }
            let is_rare = matches!(relation, Relation::Less | Relation::Greater | Relation::Different);
            for context in contexts {
                let is_wider =
                    |(known, within): &(Relation, Rows)| known.implies(relation) && context.rows.is_within(within);
                // Where something wider says as much, this is for when that has failed.
                let later = usize::from(said.iter().any(is_wider)) + usize::from(is_rare);
                let mut found = premises(context, &fails.and(&context.rows), spend);
                found.retain(|(_, rows)| support(relation, rows) >= SUPPORT);
                found.sort_by_key(|(chosen, rows)| (Reverse(support(relation, rows)), chosen.len()));
                found.truncate(OF_CONTEXT[OF_CONTEXT.len() - 1]);
                for (position, (chosen, rows)) in found.into_iter().enumerate() {
                    let chosen = chosen.iter().map(|position| &context.conditions[*position].0);
                    let mut parts: Vec<TermId> = Vec::new();
                    for condition in context.set.iter().chain(chosen) {
                        let holds = condition.formula(terms, &self.columns);
                        parts.push(terms.not(holds));
                    }
                    parts.push(conclusion.formula(terms, &self.columns));
                    let formula = terms.or(&parts);
                    if formula == TermId::TRUE || !seen.insert(formula) {
                        continue;
                    }
                    said.push((relation, rows.clone()));
                    let round = OF_CONTEXT.iter().filter(|count| **count <= position).count();
                    self.waiting.push(Guess {
                        formula,
                        value: Some(at),
                        relation,
                        rows,
                        round: round + later,
                    });
                }
            }
        }
    }
}
