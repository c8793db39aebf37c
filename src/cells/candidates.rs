//! Guesses at what holds of cells: *where these bounds hold of the indices, the elements compare so*.
//!
//! A candidate is a comparison of elements under up to three conditions: that the index of a cell is below, above or at a bound, that the
//! two cells are neighbours, that a flag has a value. What a program compares (`bounds`) gives both. Those are kept that no state of
//! the runs contradicts, those that say most first; another one that says less is tried when these are not inductive. Which are,
//! [`crate::relations`] finds out.

use super::bounds::{Bound, Compared, ValueForm, compared};
use super::rows::Rows;
use super::runs::{Runs, Scale, run, whole};
use super::{Abstraction, Part};
use crate::relations::Offered;
use crate::rules::{PredicateId, Program};
use crate::steps::budget::BudgetWatch;
use crate::terms::{Comparison, LinearForm, Rational, SortId, TermId, Terms, Value};
use hashbrown::HashSet;
use num_traits::{One, Zero};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// How many indices of a state are looked at.
const KEYS: usize = 10;
/// Rows that a condition has to hold in.
const SUPPORT: u32 = 4;
/// Rows of all states of a predicate at most.
const MOST_ROWS: usize = 12_000;
/// Conditions with the same rows count once; so many are combined.
const MOST_CONDITIONS: usize = 110;
/// Candidates for one comparison, and for one predicate.
const MOST_OF_FORM: usize = 14;
const MOST_OF_PREDICATE: usize = 130;

/// A comparison with zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    Equal,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Different,
}

impl Relation {
    /// Those that say most first.
    const ALL: [Relation; 6] = [
        Relation::Equal,
        Relation::Less,
        Relation::Greater,
        Relation::LessOrEqual,
        Relation::GreaterOrEqual,
        Relation::Different,
    ];

    fn holds(self, value: i64) -> bool {
        match self {
            Relation::Equal => value == 0,
            Relation::Less => value < 0,
            Relation::Greater => value > 0,
            Relation::LessOrEqual => value <= 0,
            Relation::GreaterOrEqual => value >= 0,
            Relation::Different => value != 0,
        }
    }

    fn implies(self, other: Relation) -> bool {
        [-1, 0, 1]
            .iter()
            .all(|value| !self.holds(*value) || other.holds(*value))
    }

    fn formula(self, terms: &mut Terms, form: &LinearForm) -> TermId {
        let negative = form.scaled(&-Rational::one());
        match self {
            Relation::Equal => terms.linear_formula(form, Comparison::Equal, SortId::INT),
            Relation::Less => terms.linear_formula(form, Comparison::Less, SortId::INT),
            Relation::Greater => terms.linear_formula(&negative, Comparison::Less, SortId::INT),
            Relation::LessOrEqual => terms.linear_formula(form, Comparison::LessOrEqual, SortId::INT),
            Relation::GreaterOrEqual => terms.linear_formula(&negative, Comparison::LessOrEqual, SortId::INT),
            Relation::Different => {
                let equal = terms.linear_formula(form, Comparison::Equal, SortId::INT);
                terms.not(equal)
            }
        }
    }
}

/// A sum of columns and a constant, compared with zero. What is written in the original, and its value in runs.
#[derive(Clone, Debug)]
struct Condition {
    /// Columns and coefficients.
    sum: Vec<(usize, i64)>,
    constant: i64,
    /// Added to the sum beside the constant, whatever the scale is.
    offset: i64,
    /// With a modulus the sum is compared modulo it.
    modulus: Option<i64>,
    relation: Relation,
}

impl Condition {
    fn form(&self, columns: &[TermId]) -> LinearForm {
        let constant = Rational::from_integer((self.constant.saturating_add(self.offset)).into());
        let mut form = LinearForm::constant(constant);
        for (column, coefficient) in &self.sum {
            let own = LinearForm {
                terms: vec![(columns[*column], Rational::one())],
                constant: Rational::zero(),
            };
            form = form.add_scaled(&own, &Rational::from_integer((*coefficient).into()));
        }
        form
    }

    fn formula(&self, terms: &mut Terms, columns: &[TermId]) -> TermId {
        let form = self.form(columns);
        match self.modulus {
            None => self.relation.formula(terms, &form),
            Some(modulus) => {
                let (sum, modulus) = (terms.linear_term(&form, SortId::INT), terms.integer(modulus));
                let rest = terms.modulo(sum, modulus);
                let rest = terms.linear_form(rest);
                self.relation.formula(terms, &rest)
            }
        }
    }

    fn value(&self, row: &[i64], scale: &Scale) -> i64 {
        let sum: i64 = self
            .sum
            .iter()
            .map(|(column, by)| row[*column].saturating_mul(scale.of(*by)))
            .sum();
        let sum = sum.saturating_add(scale.of(self.constant)).saturating_add(self.offset);
        match self.modulus {
            Some(modulus) => sum.rem_euclid(modulus),
            None => sum,
        }
    }

    fn rows(&self, table: &Table, scale: &Scale) -> Rows {
        Rows::of(table.rows.iter().map(|row| self.relation.holds(self.value(row, scale))))
    }
}

/// The values of a predicate's columns in states, with all choices of cells.
struct Table {
    rows: Vec<Vec<i64>>,
    /// For the states alone: a row of each.
    states: Vec<usize>,
}

/// One predicate of the abstraction: its numeric parameters are the columns.
struct Guesser<'a> {
    columns: Vec<TermId>,
    parts: Vec<Part>,
    compared: &'a Compared,
    scale: &'a Scale,
    cells: usize,
    table: Table,
}

/// Candidates for all predicates of the abstraction.
pub(super) fn candidates(program: &Program, abstraction: &mut Abstraction, budget: &BudgetWatch<'_>) -> Vec<Offered> {
    let cells = abstraction.followed.cells;
    if cells == 2 && !abstraction.followed.are_ordered {
        return Vec::new();
    }
    let compared = compared(program, &abstraction.shapes, cells);
    let runs = run(program, budget);
    let mut offered = Vec::new();
    for (index, compared) in compared.iter().enumerate().skip(2) {
        if budget.interruption().is_some() {
            break;
        }
        let predicate = PredicateId::from_index(index);
        let terms = &mut abstraction.program.terms;
        let sorts: Vec<SortId> = program
            .predicate(predicate)
            .parameters
            .iter()
            .map(|parameter| terms.sort(*parameter))
            .collect();
        let parameters = abstraction.program.predicate(predicate).parameters.clone();
        let terms = &mut abstraction.program.terms;
        let (columns, parts): (Vec<TermId>, Vec<Part>) = parameters
            .into_iter()
            .zip(abstraction.parts[index].iter().copied())
            .filter(|(parameter, _)| terms.sort(*parameter) == SortId::INT)
            .unzip();
        let mut guesser = Guesser {
            columns,
            parts,
            compared,
            scale: &runs.scale,
            cells: if sorts.iter().any(|sort| super::index_sort(terms, *sort).is_some()) {
                cells
            } else {
                0
            },
            table: Table {
                rows: Vec::new(),
                states: Vec::new(),
            },
        };
        guesser.fill(&runs, index);
        if guesser.table.states.len() > 2 {
            guesser.guess(terms, predicate, &mut offered);
        }
    }
    offered
}

impl Guesser<'_> {
    /// The rows for the states that were seen.
    fn fill(&mut self, runs: &Runs, index: usize) {
        for state in &runs.states[index] {
            let Some(keys) = self.keys(state) else { continue };
            let choices: Vec<Vec<i64>> = match self.cells {
                0 => vec![Vec::new()],
                1 => keys.iter().map(|key| vec![*key]).collect(),
                _ => {
                    let pairs = keys
                        .iter()
                        .flat_map(|first| keys.iter().map(|second| vec![*first, *second]));
                    pairs.filter(|pair| pair[0] < pair[1]).collect()
                }
            };
            let mut is_first = true;
            for choice in choices {
                if self.table.rows.len() >= MOST_ROWS {
                    return;
                }
                let row = self.parts.iter().map(|part| match part {
                    Part::Scalar(position) => whole(state.get(*position)?),
                    Part::Key(cell) => choice.get(*cell).copied(),
                    Part::Element(position, cell) => match state.get(*position)? {
                        Value::Array(array) => {
                            let key = Value::Number(Rational::from_integer((*choice.get(*cell)?).into()));
                            whole(array.get(&key))
                        }
                        _ => None,
                    },
                });
                if let Some(row) = row.collect::<Option<Vec<i64>>>() {
                    if is_first {
                        self.table.states.push(self.table.rows.len());
                        is_first = false;
                    }
                    self.table.rows.push(row);
                }
            }
        }
    }

    /// The indices of a state that are looked at: those at bounds and beside them.
    fn keys(&self, state: &[Value]) -> Option<Vec<i64>> {
        let mut keys: BTreeSet<i64> = BTreeSet::new();
        for bound in &self.compared.bounds {
            let mut sum = self.scale.of(bound.constant);
            for (position, by) in &bound.scalars {
                let value = whole(state.get(*position)?)?;
                sum = sum.saturating_add(value.saturating_mul(self.scale.of(*by)));
            }
            for beside in [0, -1, 1] {
                if keys.len() < KEYS && sum.abs() < 1000 {
                    keys.insert(sum + beside);
                }
            }
        }
        for more in 0..5 {
            if keys.len() < KEYS {
                keys.insert(more);
            }
        }
        Some(keys.into_iter().collect())
    }

    fn column(&self, part: Part) -> Option<usize> {
        self.parts.iter().position(|own| *own == part)
    }

    /// A bound as a sum of columns.
    fn sum(&self, bound: &Bound) -> Option<Vec<(usize, i64)>> {
        let scalars = bound.scalars.iter();
        scalars
            .map(|(position, by)| Some((self.column(Part::Scalar(*position))?, *by)))
            .collect()
    }

    fn guess(&self, terms: &mut Terms, predicate: PredicateId, offered: &mut Vec<Offered>) {
        self.guess_scalars(terms, predicate, offered);
        if self.cells == 0 {
            return;
        }
        let conditions = self.conditions();
        let before = offered.len();
        let mut seen = HashSet::new();
        for value in &self.compared.values {
            if offered.len() - before < MOST_OF_PREDICATE {
                self.guess_values(terms, predicate, &conditions, value, &mut seen, offered);
            }
        }
    }

    /// How bounds are ordered, in all states.
    fn guess_scalars(&self, terms: &mut Terms, predicate: PredicateId, offered: &mut Vec<Offered>) {
        let sums: Vec<(Vec<(usize, i64)>, i64)> = self
            .compared
            .bounds
            .iter()
            .filter_map(|bound| Some((self.sum(bound)?, bound.constant)))
            .collect();
        let mut seen: BTreeSet<TermId> = BTreeSet::new();
        for (position, (one, constant)) in sums.iter().enumerate() {
            for (other, subtracted) in sums
                .iter()
                .enumerate()
                .filter(|(at, _)| *at != position)
                .map(|(_, sum)| sum)
            {
                let mut condition = Condition {
                    sum: one
                        .iter()
                        .copied()
                        .chain(other.iter().map(|(column, by)| (*column, -by)))
                        .collect(),
                    constant: constant - subtracted,
                    offset: 0,
                    modulus: None,
                    relation: Relation::GreaterOrEqual,
                };
                let values = self
                    .table
                    .states
                    .iter()
                    .map(|row| condition.value(&self.table.rows[*row], self.scale));
                let Some(least) = values.min().filter(|least| (-2..=2).contains(least)) else {
                    continue;
                };
                condition.offset = -least;
                let formula = condition.formula(terms, &self.columns);
                if formula != TermId::TRUE && seen.insert(formula) {
                    offered.push(Offered {
                        predicate,
                        formula,
                        implied_by: Vec::new(),
                    });
                }
            }
        }
    }

    /// All conditions on the cells, each with its rows, those of which something can be concluded.
    fn conditions(&self) -> Vec<(Condition, Rows)> {
        let mut all: Vec<Condition> = Vec::new();
        let condition = |sum: Vec<(usize, i64)>, constant: i64, offset: i64, relation: Relation| Condition {
            sum,
            constant,
            offset,
            modulus: None,
            relation,
        };
        let keys: Vec<usize> = (0..self.cells)
            .filter_map(|cell| self.column(Part::Key(cell)))
            .collect();
        if let [first, second] = keys[..] {
            let apart = vec![(second, 1), (first, -1)];
            all.push(condition(apart.clone(), 0, -1, Relation::Equal));
            all.push(condition(apart, 0, -1, Relation::Greater));
            if self.compared.are_mirrored {
                for bound in &self.compared.bounds {
                    let Some(sum) = self.sum(bound) else { continue };
                    let mut both = vec![(first, 1), (second, 1)];
                    both.extend(sum.into_iter().map(|(column, by)| (column, -by)));
                    for offset in [0, 1, -1] {
                        all.push(condition(both.clone(), -bound.constant, offset, Relation::Equal));
                    }
                }
            }
        }
        for bound in &self.compared.bounds {
            let Some(sum) = self.sum(bound) else { continue };
            for key in &keys {
                let mut beside = vec![(*key, 1)];
                beside.extend(sum.iter().map(|(column, by)| (*column, -by)));
                for offset in [0, 1, -1] {
                    let with = |relation| condition(beside.clone(), -bound.constant, offset, relation);
                    all.extend([Relation::Less, Relation::GreaterOrEqual, Relation::Equal].map(with));
                }
            }
        }
        // Flags, and what comes in few values.
        for (column, part) in self.parts.iter().enumerate() {
            let values: BTreeSet<i64> = self.table.rows.iter().map(|row| row[column]).collect();
            if matches!(part, Part::Scalar(_)) && (2..=3).contains(&values.len()) {
                for value in values.into_iter().filter(|value| value.abs() <= 3) {
                    all.push(condition(vec![(column, 1)], 0, -value, Relation::Equal));
                }
            }
        }
        for stride in &self.compared.strides {
            for key in &keys {
                for rest in 0..*stride {
                    let mut own = condition(vec![(*key, 1)], 0, -rest, Relation::Equal);
                    own.modulus = Some(*stride);
                    all.push(own);
                }
            }
        }
        let total = self.table.rows.len() as u32;
        let mut kept: Vec<(Condition, Rows)> = Vec::new();
        let mut seen: BTreeSet<Rows> = BTreeSet::new();
        for condition in all {
            let rows = condition.rows(&self.table, self.scale);
            if (SUPPORT..total).contains(&rows.count()) && kept.len() < MOST_CONDITIONS && seen.insert(rows.clone()) {
                kept.push((condition, rows));
            }
        }
        kept
    }

    /// What can be said of a comparison of elements.
    fn guess_values(
        &self,
        terms: &mut Terms,
        predicate: PredicateId,
        conditions: &[(Condition, Rows)],
        value: &ValueForm,
        seen: &mut HashSet<TermId>,
        offered: &mut Vec<Offered>,
    ) {
        let elements = value.elements.iter();
        let elements = elements.map(|(position, cell, by)| Some((self.column(Part::Element(*position, *cell))?, *by)));
        let scalars = value.scalars.iter();
        let scalars = scalars.map(|(position, by)| Some((self.column(Part::Scalar(*position))?, *by)));
        let Some(sum) = elements.chain(scalars).collect::<Option<Vec<_>>>() else {
            return;
        };
        // An order is one of different cells.
        let cells = |cell: usize| value.elements.iter().any(|(_, own, _)| *own == cell);
        let apart = match (self.column(Part::Key(0)), self.column(Part::Key(1))) {
            (Some(first), Some(second)) if cells(0) && cells(1) => {
                let (first, second) = (self.columns[first], self.columns[second]);
                Some(terms.less_or_equal(second, first))
            }
            _ => None,
        };
        let mut said: Vec<(Relation, Rows, usize)> = Vec::new();
        for relation in Relation::ALL {
            let conclusion = Condition {
                sum: sum.clone(),
                constant: value.constant,
                offset: 0,
                modulus: None,
                relation,
            };
            let holds = conclusion.rows(&self.table, self.scale);
            let fails = Rows::of(
                self.table
                    .rows
                    .iter()
                    .map(|row| !relation.holds(conclusion.value(row, self.scale))),
            );
            if holds.is_empty() {
                continue;
            }
            let mut premises = premises(conditions, &fails);
            premises.sort_by_key(|(chosen, rows)| (Reverse(rows.count()), chosen.len()));
            let mut kept = 0;
            let mut others = 0;
            for (chosen, rows) in premises {
                let stronger: Vec<usize> = said
                    .iter()
                    .filter(|(known, within, _)| known.implies(relation) && rows.is_within(within))
                    .map(|(.., position)| *position)
                    .collect();
                let count = if stronger.is_empty() { &mut kept } else { &mut others };
                if *count >= MOST_OF_FORM {
                    continue;
                }
                *count += 1;
                let mut parts: Vec<TermId> = Vec::with_capacity(chosen.len() + 1);
                for position in &chosen {
                    let holds = conditions[*position].0.formula(terms, &self.columns);
                    parts.push(terms.not(holds));
                }
                parts.push(conclusion.formula(terms, &self.columns));
                parts.extend(apart);
                let formula = terms.or(&parts);
                if !seen.insert(formula) {
                    continue;
                }
                said.push((relation, rows, offered.len()));
                offered.push(Offered {
                    predicate,
                    formula,
                    implied_by: stronger,
                });
            }
        }
    }
}

/// All smallest sets of up to three conditions that exclude the rows, with their own rows.
fn premises(conditions: &[(Condition, Rows)], fails: &Rows) -> Vec<(Vec<usize>, Rows)> {
    let mut found: Vec<(Vec<usize>, Rows)> = Vec::new();
    if fails.is_empty() {
        return vec![(Vec::new(), Rows::of(fails.complement()))];
    }
    // Where something fails, with what: by conditions that do not suffice alone.
    let mut open: Vec<(usize, Rows)> = Vec::new();
    for (position, (_, rows)) in conditions.iter().enumerate() {
        match rows.excludes(fails) {
            true => found.push((vec![position], rows.clone())),
            false => open.push((position, rows.and(fails))),
        }
    }
    for (at, (one, fails_one)) in open.iter().enumerate() {
        let mut open_pairs: Vec<(usize, Rows)> = Vec::new();
        for (other, _) in &open[at + 1..] {
            let rows = &conditions[*other].1;
            let both = conditions[*one].1.and(rows);
            if both.count() < SUPPORT {
                continue;
            }
            match fails_one.excludes(rows) {
                true => found.push((vec![*one, *other], both)),
                false => open_pairs.push((*other, both)),
            }
        }
        for (index, (second, both)) in open_pairs.iter().enumerate() {
            let fails_both = both.and(fails);
            for (third, _) in &open_pairs[index + 1..] {
                let rows = &conditions[*third].1;
                if fails_both.excludes(rows) {
                    // Two of them that suffice are found already.
                    if conditions[*second].1.and(rows).excludes(fails) {
                        continue;
                    }
                    let all = both.and(rows);
                    if all.count() >= SUPPORT {
                        found.push((vec![*one, *second, *third], all));
                    }
                }
            }
        }
    }
    found
}
