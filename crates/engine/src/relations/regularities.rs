//! Guesses at what calls come back with: what their small facts have in common, everywhere or under a condition or two.
//!
//! A condition is that a truth value or an enumeration is what it is, how two numbers compare, or that a number is the least that was seen.
//! Under it facts may have a truth value in common, equations (the space that they span), and bounds of numbers, of differences and of one
//! number less two others. So `min(A, B, C)`, as it is computed from its two arguments one by one, is guessed to be `A` where `A =< B`. Which
//! of the guesses are inductive, [`super::offers`] finds out; what one model after another would take long to tell is believed at once.

use super::offers::{Guesses, Offered};
use super::small::SmallFacts;
use super::system::{Role, System};
use crate::rules::PredicateId;
use crate::steps::affine_space::{Space, Vector};
use crate::steps::rows::Rows;
use crate::terms::{Assignment, Comparison, LinearForm, Rational, SortId, TermId, Terms, Value};
use hashbrown::{HashMap, HashSet};
use num_traits::{One, ToPrimitive};
use std::collections::BTreeSet;

/// So many facts agree before that is taken for more than an accident.
const SUPPORT: u32 = 4;
/// Of a predicate's conditions, the first.
const MOST_CONDITIONS: usize = 48;
/// Guesses about a predicate in one round.
const MOST_OF_PREDICATE: usize = 240;
/// Numbers that bounds are guessed with are no larger.
const LARGEST_BOUND: i64 = 2;
/// Predicates of more numbers are not looked at.
const MOST_NUMBERS: usize = 16;

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
    /// Parameters that are numbers, with their values in each fact.
    numbers: Vec<(TermId, Vec<i64>)>,
    /// That a truth value is true or an enumeration one of its values, or that it is not.
    flags: Vec<(TermId, Rows)>,
    conditions: Vec<(TermId, Rows)>,
    count: usize,
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

/// A whole number of moderate size.
fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) if number.is_integer() => number.to_integer().to_i32().map(i64::from),
        _ => None,
    }
}

fn weighted_sum(parts: &[(TermId, i64)], constant: i64) -> LinearForm {
    let mut form = LinearForm::constant(Rational::from(constant));
    form.terms = parts.iter().map(|(term, by)| (*term, Rational::from(*by))).collect();
    form.terms.sort_by_key(|(term, _)| *term);
    form
}

impl Table {
    fn new(terms: &mut Terms, predicate: PredicateId, parameters: &[TermId], rows: &[&Vec<Value>]) -> Table {
        let mut table = Table {
            predicate,
            numbers: Vec::new(),
            flags: Vec::new(),
            conditions: Vec::new(),
            count: rows.len(),
            guessed: HashMap::new(),
        };
        for (position, parameter) in parameters.iter().enumerate() {
            let values = rows.iter().map(|row| row.get(position));
            if terms.sort(*parameter) == SortId::INT {
                let numbers: Option<Vec<i64>> = values.map(|value| whole(value?)).collect();
                if let Some(numbers) = numbers.filter(|_| table.numbers.len() < MOST_NUMBERS) {
                    table.numbers.push((*parameter, numbers));
                }
            } else {
                let states: Vec<Assignment> = values
                    .map(|value| value.map(|value| (*parameter, value.clone())).into_iter().collect())
                    .collect();
                for formula in ways(terms, *parameter) {
                    let holds = states.iter().map(|state| terms.holds(formula, state) == Some(true));
                    table.flags.push((formula, Rows::of(holds)));
                }
            }
        }
        table.conditions = table.conditions(terms);
        table
    }

    /// Conditions that hold of some facts and not of others, each kind of facts once.
    fn conditions(&self, terms: &mut Terms) -> Vec<(TermId, Rows)> {
        let mut all: Vec<(TermId, Rows)> = self.flags.clone();
        let numbers = &self.numbers;
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
        all.retain(|(_, rows)| (SUPPORT..self.count as u32).contains(&rows.count()) && seen.insert(rows.clone()));
        all.truncate(MOST_CONDITIONS);
        all
    }

    /// What the facts under so many conditions have in common.
    fn guess(&mut self, terms: &mut Terms, conditions: usize) -> Vec<TermId> {
        let mut contexts: Vec<(Vec<TermId>, Rows)> = Vec::new();
        match conditions {
            0 => contexts.push((Vec::new(), Rows::of((0..self.count).map(|_| true)))),
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
            for conclusion in self.common(terms, &rows) {
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

    /// What these facts have in common: flags, equations, bounds.
    fn common(&self, terms: &mut Terms, rows: &Rows) -> Vec<TermId> {
        let mut found = Vec::new();
        for (flag, own) in &self.flags {
            if rows.is_within(own) {
                found.push(*flag);
            }
        }
        let positions: Vec<usize> = rows.positions().collect();
        self.equations(terms, &positions, &mut found);
        let mut bound = |parts: &[(TermId, i64)], values: &mut dyn Iterator<Item = i64>| {
            let (mut least, mut greatest) = (i64::MAX, i64::MIN);
            for value in values {
                (least, greatest) = (least.min(value), greatest.max(value));
            }
            if least < greatest && greatest.abs() <= LARGEST_BOUND {
                let form = weighted_sum(parts, -greatest);
                found.push(terms.linear_formula(&form, Comparison::LessOrEqual, SortId::INT));
            }
        };
        for (at, (one, values)) in self.numbers.iter().enumerate() {
            bound(&[(*one, 1)], &mut positions.iter().map(|row| values[*row]));
            bound(&[(*one, -1)], &mut positions.iter().map(|row| -values[*row]));
            let others = self.numbers.iter().enumerate().filter(|(other, _)| *other != at);
            for (position, (other, subtracted)) in others {
                let difference = |row: &usize| values[*row] - subtracted[*row];
                bound(&[(*one, 1), (*other, -1)], &mut positions.iter().map(difference));
                for (third, (last, more)) in self.numbers.iter().enumerate().skip(position + 1) {
                    if third != at {
                        let parts = [(*one, 1), (*other, -1), (*last, -1)];
                        bound(&parts, &mut positions.iter().map(|row| difference(row) - more[*row]));
                        let parts = [(*one, -1), (*other, 1), (*last, 1)];
                        bound(&parts, &mut positions.iter().map(|row| more[*row] - difference(row)));
                    }
                }
            }
        }
        found
    }

    /// The equations of the space that these facts span, if it has fewer dimensions than there are facts.
    fn equations(&self, terms: &mut Terms, positions: &[usize], found: &mut Vec<TermId>) {
        let mut space = Space::default();
        let mut subtractions = u32::MAX;
        for row in positions {
            if space.rows.len() > self.numbers.len() {
                return;
            }
            let mut point: Vector = LinearForm::constant(Rational::one());
            let values = self.numbers.iter().map(|(term, values)| (*term, values[*row]));
            point.terms = values
                .filter(|(_, value)| *value != 0)
                .map(|(term, value)| (term, Rational::from(value)))
                .collect();
            point.terms.sort_by_key(|(term, _)| *term);
            let rest = space.remainder(point, &mut subtractions);
            space.add(&rest);
        }
        if positions.len() <= space.rows.len() + 1 {
            return;
        }
        let parameters: Vec<TermId> = self.numbers.iter().map(|(term, _)| *term).collect();
        for equation in space.equations(&parameters, &mut subtractions) {
            if !equation.terms.is_empty() {
                let factor = equation.normalizing_factor();
                let whole = equation.scaled(&factor);
                found.push(terms.linear_formula(&whole, Comparison::Equal, SortId::INT));
            }
        }
    }
}

/// What may be said of a parameter that is no number: that it is true, or false, or made by one of its constructors.
fn ways(terms: &mut Terms, parameter: TermId) -> Vec<TermId> {
    if terms.sort(parameter) == SortId::BOOL {
        return vec![parameter, terms.not(parameter)];
    }
    let datatype = terms.datatype(terms.sort(parameter));
    let constructors = datatype.map_or(Vec::new(), |datatype| datatype.constructors.clone());
    let made = constructors
        .into_iter()
        .map(|constructor| terms.is_made_by(constructor, parameter));
    made.filter(|formula| *formula != TermId::TRUE).collect()
}

#[cfg(test)]
mod tests;
