//! Inequalities over three variables with coefficients up to two, such as `r < 2p + q`, where there are few variables.
//!
//! Octagonal inequalities have coefficients of one. There are too many others to bound all of them, so only those are taken
//! whose bound is next to zero and reached by many states: one reached by a few states would be an accident of the sample.

use super::columns::Columns;
use crate::polynomials::State;
use crate::polynomials::{Monomial, Polynomial};
use crate::terms::Rational;
use num_traits::ToPrimitive;

/// They are looked for among at most this many columns.
const MOST_COLUMNS: usize = 5;
/// As many states must reach the bound.
const REACHED_BY: usize = 8;
/// Bounds are at most this far from zero.
const LARGEST_BOUND: i128 = 1;
/// As many are taken for a place: those that most states reach.
const MOST: usize = 32;

/// Three of the chosen columns, by position, with their coefficients.
type Form = [(usize, i64); 3];

/// The polynomials that are at most zero in all states.
pub(super) fn wide_inequalities(columns: &Columns, values: &[State]) -> Vec<Polynomial> {
    let chosen: Vec<u32> = columns.integers().collect();
    if chosen.len() > MOST_COLUMNS {
        return Vec::new();
    }
    // Numbers too long for a machine word say nothing here that others do not.
    let row = |state: &State| -> Option<Vec<i64>> {
        let number = |column: &u32| state.get(*column as usize)?.numer().to_i64();
        chosen.iter().map(number).collect()
    };
    let rows: Vec<Vec<i64>> = values.iter().filter_map(row).collect();
    let mut found: Vec<(usize, Form, i128)> = Vec::new();
    for first in 0..chosen.len() {
        for second in first + 1..chosen.len() {
            for third in second + 1..chosen.len() {
                for coefficients in coefficients() {
                    let [a, b, c] = coefficients;
                    let form = [(first, a), (second, b), (third, c)];
                    if let Some((bound, reached)) = bound(&rows, form) {
                        found.push((reached, form, bound));
                    }
                }
            }
        }
    }
    found.sort_by_key(|(reached, form, _)| (std::cmp::Reverse(*reached), *form));
    found.truncate(MOST);
    let polynomial = |(_, form, bound): (usize, Form, i128)| {
        let number = |value: i128| Rational::from_integer(value.into());
        let parts = form.map(|(position, c)| (Monomial::variable(chosen[position]), number(c.into())));
        Polynomial::of(parts.into_iter().chain([(Monomial::one(), number(-bound))]))
    };
    found.into_iter().map(polynomial).collect()
}

/// Three coefficients of size one or two, at least one of each: those of one alone are octahedral and those of two no more.
fn coefficients() -> impl Iterator<Item = [i64; 3]> {
    const SIZES: [i64; 4] = [-2, -1, 1, 2];
    let all = SIZES.into_iter().flat_map(|a| {
        SIZES
            .into_iter()
            .flat_map(move |b| SIZES.into_iter().map(move |c| [a, b, c]))
    });
    all.filter(|some| some.iter().any(|c| c.abs() == 1) && some.iter().any(|c| c.abs() == 2))
}

/// The largest value of a form, if it is small and reached by many states, and by how many.
fn bound(rows: &[Vec<i64>], form: Form) -> Option<(i128, usize)> {
    let mut largest: Option<(i128, usize)> = None;
    for row in rows {
        let value = form
            .iter()
            .map(|(position, c)| i128::from(row[*position]) * i128::from(*c))
            .sum();
        if value > LARGEST_BOUND {
            return None;
        }
        largest = match largest {
            Some((most, count)) if most == value => Some((most, count + 1)),
            Some((most, count)) if most > value => Some((most, count)),
            _ => Some((value, 1)),
        };
    }
    largest.filter(|(most, count)| *most >= -LARGEST_BOUND && *count >= REACHED_BY)
}
