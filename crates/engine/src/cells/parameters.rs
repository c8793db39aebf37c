//! Guesses at parameters alone: how bounds are ordered, and where counters are between two of their steps. What is said of cells rests on
//! that: every cell below the counter is of use where the counter has come to the bound.

use super::Part;
use super::bounds::{Bound, Compared};
use super::conditions::{Condition, Relation};
use super::premises::SUPPORT;
use super::runs::Scale;
use super::table::Table;
use crate::terms::{TermId, Terms};
use hashbrown::HashSet;
use std::collections::BTreeSet;

/// Parameters that orders may leave out where they are zero, and how large they are otherwise at least.
const MOST_MIXED: usize = 4;
const FAR_FROM_ZERO: i64 = 4;

/// The guesses about the parameters of a predicate, with what they compare and in which round: what holds in all states first, and then
/// what holds where a pointer is not null.
pub(super) fn guesses_at_parameters(
    terms: &mut Terms,
    (table, compared, columns): (&Table, &Compared, &[TermId]),
    scale: &Scale,
) -> Vec<(TermId, Relation, usize)> {
    let mut everywhere = places(table, compared, scale);
    everywhere.extend(orders(table, compared, scale, &table.states));
    let mut seen: HashSet<TermId> = HashSet::from([TermId::TRUE]);
    let mut guesses = Vec::new();
    for condition in everywhere {
        let formula = condition.formula(terms, columns);
        if seen.insert(formula) {
            guesses.push((formula, condition.relation, 0));
        }
    }
    for column in pointers(table) {
        let is_set = |row: &usize| table.rows[*row][column] != 0;
        let states: Vec<usize> = table.states.iter().copied().filter(is_set).collect();
        let null = Condition::new(vec![(column, 1)], 0, 0, Relation::Equal).formula(terms, columns);
        for order in orders(table, compared, scale, &states) {
            let order = order.formula(terms, columns);
            let formula = terms.or(&[null, order]);
            if !seen.contains(&order) && seen.insert(formula) {
                guesses.push((formula, Relation::Different, 1));
            }
        }
    }
    guesses
}

/// The columns of parameters that are zero in some states and far from it in all others, as pointers are; a few of them.
fn pointers(table: &Table) -> Vec<usize> {
    let is_pointer = |column: &usize| {
        let values = table.states.iter().map(|row| table.rows[*row][*column]);
        let nulls = values.clone().filter(|value| *value == 0).count() as u32;
        let others = values.clone().filter(|value| value.abs() >= FAR_FROM_ZERO).count() as u32;
        nulls >= SUPPORT && others >= SUPPORT && (nulls + others) as usize == table.states.len()
    };
    let scalars = (0..table.parts.len()).filter(|column| matches!(table.parts[*column], Part::Scalar(_)));
    scalars.filter(is_pointer).take(MOST_MIXED).collect()
}

/// What is left of a parameter that varies, divided by a number that indices go up by, where that is the same in all states: what
/// is said of every second cell needs to know which one is next.
fn places(table: &Table, compared: &Compared, scale: &Scale) -> Vec<Condition> {
    let values = |condition: &Condition| -> BTreeSet<i64> {
        let states = table.states.iter();
        states.map(|row| condition.value(&table.rows[*row], scale)).collect()
    };
    let mut places = Vec::new();
    for (column, part) in table.parts.iter().enumerate() {
        let itself = Condition::new(vec![(column, 1)], 0, 0, Relation::Equal);
        if !matches!(part, Part::Scalar(_)) || values(&itself).len() < 2 {
            continue;
        }
        for stride in &compared.strides {
            let mut condition = Condition::new(Vec::new(), 0, 0, Relation::Equal);
            condition.rest = Some((column, *stride));
            let rests = values(&condition);
            if let (Some(rest), 1) = (rests.first(), rests.len()) {
                condition.offset = -rest;
                places.push(condition);
            }
        }
    }
    places
}

/// How bounds are ordered, in all these states.
fn orders(table: &Table, compared: &Compared, scale: &Scale, states: &[usize]) -> Vec<Condition> {
    let mut orders = Vec::new();
    let sum = |bound: &Bound| Some((table.sum(bound)?, bound.constant));
    let sums: Vec<(Vec<(usize, i64)>, i64)> = compared.bounds.iter().filter_map(sum).collect();
    for (position, (one, constant)) in sums.iter().enumerate() {
        let others = sums.iter().enumerate().filter(|(at, _)| *at != position);
        for (other, subtracted) in others.map(|(_, sum)| sum) {
            let mut difference = one.clone();
            difference.extend(other.iter().map(|(column, by)| (*column, -by)));
            let constant = constant - subtracted;
            let mut condition = Condition::new(difference, constant, 0, Relation::GreaterOrEqual);
            let values = states.iter().map(|row| condition.value(&table.rows[*row], scale));
            let Some(least) = values.min().filter(|least| (-2..=2).contains(least)) else {
                continue;
            };
            condition.offset = -least;
            orders.push(condition);
        }
    }
    orders
}
