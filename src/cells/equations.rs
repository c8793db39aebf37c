//! Equations between elements of a cell, its index and parameters, as they hold in states: what no rule compares, but what is written.
//!
//! `a[i] = x; b[i] = -x` compares nothing, and what is needed of it may be that `a[k] + b[k]` is zero. In the rows where the cell is
//! on one side of a bound, or between two, linear algebra finds what is the same in all; where it is guessed is decided as for what the
//! program compares.

use super::Part;
use super::bounds::ValueForm;
use super::conditions::{Condition, Relation};
use super::premises::SUPPORT;
use super::runs::Scale;
use super::table::Table;
use super::views::integer;
use crate::steps::affine_space::Space;
use crate::steps::rows::Rows;
use crate::terms::{LinearForm, Rational, TermId};
use num_traits::{One, Zero};

/// So many rows of a region are looked at.
const MOST_ROWS: usize = 240;
/// An equation has so many parts at most, with coefficients up to this.
const MOST_PARTS: usize = 4;
const LARGEST: i64 = 4;
/// So many equations are enough.
const MOST: usize = 6;
/// What reducing one row may cost.
const SUBTRACTIONS: u32 = 10_000;

/// The equations, by the columns' names, in the regions that the conditions and pairs of them make.
pub(super) fn equations(
    table: &Table,
    (columns, scale): (&[TermId], &Scale),
    conditions: &[(Condition, Rows)],
    is_over: &dyn Fn() -> bool,
) -> Vec<ValueForm> {
    let is_side = |condition: &Condition| {
        let is_of_key = |column: usize| matches!(table.parts.get(column), Some(Part::Key(_)));
        let is_order = matches!(condition.relation, Relation::Less | Relation::GreaterOrEqual);
        is_order && condition.offset == 0 && condition.rest.is_none() && condition.columns().any(is_of_key)
    };
    let sides: Vec<&Rows> = conditions
        .iter()
        .filter(|(condition, _)| is_side(condition))
        .map(|(_, rows)| rows)
        .collect();
    let alone = sides.iter().map(|rows| (*rows).clone());
    let between = (0..sides.len()).flat_map(|at| sides[at + 1..].iter().map(move |other| (at, *other)));
    let between = between.map(|(at, other)| sides[at].and(other));
    let mut found: Vec<ValueForm> = Vec::new();
    let mut seen: Vec<Rows> = Vec::new();
    for region in alone.chain(between) {
        if found.len() >= MOST || is_over() {
            break;
        }
        if region.count() < SUPPORT || seen.contains(&region) {
            continue;
        }
        for form in of_region(table, (columns, scale), &region) {
            if !found.contains(&form) && found.len() < MOST {
                found.push(form);
            }
        }
        seen.push(region);
    }
    found
}

/// The equations with elements in them that hold in these rows.
fn of_region(table: &Table, (columns, scale): (&[TermId], &Scale), region: &Rows) -> Vec<ValueForm> {
    let positions: Vec<usize> = region.positions().collect();
    let step = positions.len().div_ceil(MOST_ROWS).max(1);
    let rows = positions.iter().step_by(step).map(|position| &table.rows[*position]);
    let is_element = |column: usize| matches!(table.parts[column], Part::Element(..));
    let is_written = |row: &&Vec<i64>| (0..row.len()).any(|column| is_element(column) && row[column] != 0);
    if (rows.clone().filter(is_written).count() as u32) < SUPPORT {
        return Vec::new();
    }
    let mut space = Space::default();
    for row in rows {
        let mut point = LinearForm::constant(Rational::one());
        let numbers = columns.iter().zip(row).filter(|(_, number)| **number != 0);
        point.terms = numbers
            .map(|(column, number)| (*column, Rational::from_integer((*number).into())))
            .collect();
        point.terms.sort_by_key(|(column, _)| *column);
        let mut subtractions = SUBTRACTIONS;
        let remainder = space.remainder(point, &mut subtractions);
        space.add(&remainder);
        if space.rows.len() > columns.len() {
            return Vec::new();
        }
    }
    let mut subtractions = SUBTRACTIONS;
    let equations = space.equations(columns, &mut subtractions).into_iter();
    equations
        .filter_map(|form| value_form(table, (columns, scale), &form))
        .collect()
}

/// An equation as what is compared with zero, if it is a small one about elements.
fn value_form(table: &Table, (columns, scale): (&[TermId], &Scale), form: &LinearForm) -> Option<ValueForm> {
    let numbers = form.terms.iter().map(|(_, by)| by).chain([&form.constant]);
    let form = form.scaled(&Rational::normalizing_factor(numbers));
    let small = |number: &Rational| integer(number).filter(|number| number.abs() <= LARGEST);
    let mut value = ValueForm {
        constant: scale.original(integer(&form.constant)?),
        ..ValueForm::default()
    };
    let parts = form.terms.iter().filter(|(_, by)| !by.is_zero());
    if parts.clone().count() > MOST_PARTS {
        return None;
    }
    for (term, by) in parts {
        let (column, by) = (columns.iter().position(|column| column == term)?, small(by)?);
        match table.parts[column] {
            Part::Element(position, cell) => value.elements.push((position, cell, by)),
            Part::Key(cell) => value.keys.push((cell, by)),
            Part::Scalar(position) => value.scalars.push((position, by)),
        }
    }
    (!value.elements.is_empty()).then(|| value.normalized())
}
