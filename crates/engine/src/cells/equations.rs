//! Equations between elements of a cell, its index and parameters, as they hold in states: what no rule compares, but what is written.
//!
//! `a[i] = x; b[i] = -x` compares nothing, and what is needed of it may be that `a[k] + b[k]` is zero. In the rows where the cell is
//! on one side of a bound, or between two, linear algebra finds what is the same in all ([`crate::polynomials`]);
//! where it is guessed is decided as for what the program compares.

use super::Part;
use super::bounds::ValueForm;
use super::conditions::{Condition, Relation};
use super::premises::SUPPORT;
use super::runs::Scale;
use super::table::Table;
use super::views::integer;
use crate::polynomials::{Polynomial, State, linear_equations};
use crate::steps::rows::Rows;
use crate::terms::Rational;

/// So many rows of a region are looked at.
const MOST_ROWS: usize = 240;
/// An equation has so many parts at most, with coefficients up to this.
const MOST_PARTS: usize = 4;
const LARGEST: i64 = 4;
/// So many equations are enough.
const MOST: usize = 6;
/// So many numbers are multiplied for a unit of work.
const PRODUCTS: usize = 2_000;

/// The equations in the regions that the conditions and pairs of them make; some of them if that is too much to `spend`.
pub(super) fn equations(
    table: &Table,
    scale: &Scale,
    conditions: &[(Condition, Rows)],
    spend: &dyn Fn(u64) -> bool,
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
        if found.len() >= MOST {
            break;
        }
        if region.count() < SUPPORT || seen.contains(&region) {
            continue;
        }
        let rows = MOST_ROWS.min(region.count() as usize);
        if spend((rows * table.parts.len().pow(2) / PRODUCTS) as u64) {
            break;
        }
        for form in of_region(table, scale, &region) {
            if !found.contains(&form) && found.len() < MOST {
                found.push(form);
            }
        }
        seen.push(region);
    }
    found
}

/// The equations with elements in them that hold in these rows.
fn of_region(table: &Table, scale: &Scale, region: &Rows) -> Vec<ValueForm> {
    let positions: Vec<usize> = region.positions().collect();
    let step = positions.len().div_ceil(MOST_ROWS).max(1);
    let rows = positions.iter().step_by(step).map(|position| &table.rows[*position]);
    let is_element = |column: usize| matches!(table.parts[column], Part::Element(..));
    let is_written = |row: &&Vec<i64>| (0..row.len()).any(|column| is_element(column) && row[column] != 0);
    if (rows.clone().filter(is_written).count() as u32) < SUPPORT {
        return Vec::new();
    }
    let number = |number: &i64| Rational::from_integer((*number).into());
    let states: Vec<State> = rows.map(|row| row.iter().map(number).collect()).collect();
    let equations = linear_equations(&states, table.parts.len()).into_iter();
    equations.filter_map(|sum| value_form(table, scale, &sum)).collect()
}

/// An equation as what is compared with zero, if it is a small one about elements.
fn value_form(table: &Table, scale: &Scale, sum: &Polynomial) -> Option<ValueForm> {
    let mut value = ValueForm::default();
    let (mut parts, mut constant) = (0, 0);
    for (monomial, by) in sum.parts() {
        let by = integer(by)?;
        let Some((column, _)) = monomial.powers().first() else {
            constant = by;
            continue;
        };
        parts += 1;
        if by.abs() > LARGEST || parts > MOST_PARTS {
            return None;
        }
        match table.parts[*column as usize] {
            Part::Element(position, cell) => value.elements.push((position, cell, by)),
            Part::Key(cell) => value.keys.push((cell, by)),
            Part::Scalar(position) => value.scalars.push((position, by)),
        }
    }
    value.constant = scale.original(constant);
    (!value.elements.is_empty()).then(|| value.normalized())
}
