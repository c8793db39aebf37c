//! The numbers of states that were seen, with choices of cells in them: what guesses are tested on.

use super::Part;
use super::bounds::{Bound, Compared};
use super::runs::{Scale, whole};
use crate::random::Generator;
use crate::terms::{Rational, Value};
use std::collections::BTreeSet;

/// How many indices of a state are looked at.
const KEYS: usize = 12;
/// Rows of all states of a predicate, about so many.
const MOST_ROWS: u64 = 4_000;
/// Indices are this close to zero.
const FAR: i64 = 1000;

/// The numeric parameters of a predicate of the abstraction are the columns; a row is a state with a choice of cells.
#[derive(Default)]
pub(super) struct Table {
    /// What the columns are.
    pub parts: Vec<Part>,
    pub rows: Vec<Vec<i64>>,
    /// For the states alone: a row of each.
    pub states: Vec<usize>,
}

impl Table {
    /// The table of a predicate, of which so many cells are followed, with these states.
    pub fn new(parts: Vec<Part>, compared: &Compared, cells: usize, states: &[Vec<Value>], scale: &Scale) -> Table {
        let mut table = Table {
            parts,
            ..Table::default()
        };
        let mut all: Vec<(usize, Vec<i64>)> = Vec::new();
        for (state, values) in states.iter().enumerate() {
            let Some(keys) = keys(values, &compared.bounds, scale) else {
                continue;
            };
            let choices: Vec<Vec<i64>> = match cells {
                0 => vec![Vec::new()],
                1 => keys.iter().map(|key| vec![*key]).collect(),
                _ => {
                    let pairs = keys
                        .iter()
                        .flat_map(|first| keys.iter().map(|second| vec![*first, *second]));
                    pairs.filter(|pair| pair[0] <= pair[1]).collect()
                }
            };
            all.extend(choices.into_iter().map(|choice| (state, choice)));
        }
        // Some of them if there are many, always the same ones.
        let mut random = Generator(5);
        let mut last = None;
        let total = all.len() as u64;
        for (state, choice) in all {
            let is_new = last != Some(state);
            if !is_new && total > MOST_ROWS && random.below(total) >= MOST_ROWS {
                continue;
            }
            if let Some(row) = table.row(&states[state], &choice) {
                if is_new {
                    table.states.push(table.rows.len());
                    last = Some(state);
                }
                table.rows.push(row);
            }
        }
        table
    }

    fn row(&self, state: &[Value], choice: &[i64]) -> Option<Vec<i64>> {
        let value = |part: &Part| match part {
            Part::Scalar(position) => whole(state.get(*position)?),
            Part::Key(cell) => choice.get(*cell).copied(),
            Part::Element(position, cell) => match state.get(*position)? {
                Value::Array(array) => {
                    let key = Value::Number(Rational::from_integer((*choice.get(*cell)?).into()));
                    whole(array.get(&key))
                }
                _ => None,
            },
        };
        self.parts.iter().map(value).collect()
    }

    /// The column of a part.
    pub fn column(&self, part: Part) -> Option<usize> {
        self.parts.iter().position(|own| *own == part)
    }

    /// A bound as a sum of columns.
    pub fn sum(&self, bound: &Bound) -> Option<Vec<(usize, i64)>> {
        let scalars = bound.scalars.iter();
        scalars
            .map(|(position, by)| Some((self.column(Part::Scalar(*position))?, *by)))
            .collect()
    }
}

/// The indices of a state that are looked at: those at bounds and beside them.
fn keys(state: &[Value], bounds: &[Bound], scale: &Scale) -> Option<Vec<i64>> {
    let mut at: Vec<i64> = Vec::new();
    for bound in bounds {
        let mut sum = scale.of(bound.constant);
        for (position, by) in &bound.scalars {
            let value = whole(state.get(*position)?)?;
            sum = sum.saturating_add(value.saturating_mul(scale.of(*by)));
        }
        at.extend((sum.abs() < FAR).then_some(sum));
    }
    let mut keys: BTreeSet<i64> = BTreeSet::new();
    let beside = [0, -1, 1].iter().flat_map(|more| at.iter().map(move |key| key + more));
    for key in beside.chain(0..6) {
        if keys.len() < KEYS {
            keys.insert(key);
        }
    }
    Some(keys.into_iter().collect())
}
