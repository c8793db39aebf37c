//! The rows of the tableau: making them, moving values along them, pivoting, dropping them.

use super::number::Delta;
use super::simplex::{Column, ColumnState, Place, Row, Simplex};
use crate::terms::Rational;
use num_traits::Zero;
use std::cmp::Reverse;

impl Simplex {
    /// Moves a column that is not basic, and the basic ones with it.
    pub(super) fn move_to(&mut self, column: Column, value: Delta) {
        let difference = value.minus(&self.column(column).value);
        for row in self.rows_of(column) {
            self.move_basic(row, column, &difference);
        }
        self.column_mut(column).value = value;
    }

    fn move_basic(&mut self, row: usize, column: Column, difference: &Delta) {
        let Some(coefficient) = coefficient(&self.rows[row].entries, column) else {
            return;
        };
        let basic = self.rows[row].basic as usize;
        let state = &mut self.columns[basic];
        state.value = state.value.plus_scaled(difference, coefficient);
        self.work += 1;
        if state.violated().is_some() {
            self.suspects.push(Reverse(basic as Column));
        }
    }

    /// The rows in which a column occurs, each once.
    fn rows_of(&mut self, column: Column) -> Vec<usize> {
        let mut rows = std::mem::take(&mut self.column_mut(column).rows);
        rows.sort_unstable();
        rows.dedup();
        rows.retain(|row| {
            let row = self.rows.get(*row);
            row.is_some_and(|row| coefficient(&row.entries, column).is_some())
        });
        self.column_mut(column).rows.clone_from(&rows);
        rows
    }

    /// Gives a form its row.
    pub(super) fn wake(&mut self, column: Column) {
        let definition = self.column(column).definition.clone();
        let mut parts: Vec<(Column, Rational)> = Vec::with_capacity(definition.len());
        for (variable, factor) in &definition {
            match self.column(*variable).place {
                Place::Basic(row) => {
                    let scaled = self.rows[row].entries.iter();
                    parts.extend(scaled.map(|(column, coefficient)| (*column, coefficient * factor)));
                }
                _ => parts.push((*variable, factor.clone())),
            }
        }
        self.work += parts.len() as u64;
        parts.sort_by_key(|(column, _)| *column);
        let mut entries: Vec<(Column, Rational)> = Vec::with_capacity(parts.len());
        for (column, coefficient) in parts {
            match entries.last_mut() {
                Some((last, sum)) if *last == column => *sum += coefficient,
                _ => entries.push((column, coefficient)),
            }
        }
        entries.retain(|(_, coefficient)| !coefficient.is_zero());
        let row = self.rows.len();
        for (entry, _) in &entries {
            self.columns[*entry as usize].rows.push(row);
        }
        let value = self.sum(&entries);
        self.rows.push(Row { basic: column, entries });
        let state = self.column_mut(column);
        state.place = Place::Basic(row);
        state.value = value;
    }

    /// Exchanges the row's basic column, which goes to `target`, for another of the row.
    pub(super) fn pivot(&mut self, row: usize, entering: Column, target: Delta) {
        let leaving = self.rows[row].basic;
        let Some(factor) = coefficient(&self.rows[row].entries, entering).cloned() else {
            return;
        };
        let reciprocal = factor.recip();
        let step = target.minus(&self.column(leaving).value).times(&reciprocal);
        let others = self.rows_of(entering);
        for other in &others {
            if *other != row {
                self.move_basic(*other, entering, &step);
            }
        }
        self.column_mut(leaving).value = target;
        let moved = self.column(entering).value.plus_scaled(&step, &Rational::ONE);
        self.column_mut(entering).value = moved;
        // basic = f·e + rest  becomes  e = (1/f)·basic - (1/f)·rest.
        let negative = -&reciprocal;
        let mut entries = std::mem::take(&mut self.rows[row].entries);
        entries.retain_mut(|(column, coefficient)| {
            *coefficient *= &negative;
            *column != entering
        });
        let place = entries.partition_point(|(column, _)| *column < leaving);
        entries.insert(place, (leaving, reciprocal));
        self.column_mut(leaving).rows.push(row);
        self.column_mut(leaving).place = Place::Free;
        self.column_mut(entering).place = Place::Basic(row);
        self.rows[row].basic = entering;
        for other in others {
            if other == row {
                continue;
            }
            let Some(multiple) = coefficient(&self.rows[other].entries, entering).cloned() else {
                continue;
            };
            let (columns, scratch) = (&mut self.columns, &mut self.scratch);
            let target = &mut self.rows[other].entries;
            self.work += (target.len() + entries.len()) as u64;
            add_scaled(target, &entries, &multiple, Some(entering), scratch, |new| {
                columns[new as usize].rows.push(other);
            });
        }
        self.rows[row].entries = entries;
        // The column that entered may have left its own bounds.
        self.suspects.push(Reverse(entering));
    }

    /// Drops rows of forms without bounds once they are the majority, as far as the allowance of work goes.
    pub(super) fn drop_idle_rows(&mut self, allowance: u64) {
        if self.rows.len() < 64 || self.retractions_left > 0 {
            return;
        }
        let idle = |state: &ColumnState| !state.definition.is_empty() && state.lower.is_none() && state.upper.is_none();
        let count = self
            .columns
            .iter()
            .filter(|state| state.place != Place::Dormant && idle(state))
            .count();
        if count * 2 < self.rows.len() {
            // A row gets idle where a bound is retracted.
            self.retractions_left = self.rows.len().div_ceil(2) - count;
            return;
        }
        for column in 0..self.columns.len() as Column {
            // What is left stays in rows of others, where it is in nobody's way but theirs.
            if self.work > allowance {
                break;
            }
            if self.column(column).place == Place::Free && idle(self.column(column)) {
                match self.rows_of(column).first() {
                    Some(row) => {
                        let value = self.column(self.rows[*row].basic).value.clone();
                        self.pivot(*row, column, value);
                    }
                    None => self.column_mut(column).place = Place::Dormant,
                }
            }
        }
        let rows = std::mem::take(&mut self.rows);
        for state in &mut self.columns {
            state.rows.clear();
        }
        for row in rows {
            if idle(self.column(row.basic)) {
                self.column_mut(row.basic).place = Place::Dormant;
                continue;
            }
            let position = self.rows.len();
            for (column, _) in &row.entries {
                self.column_mut(*column).rows.push(position);
            }
            self.column_mut(row.basic).place = Place::Basic(position);
            self.rows.push(row);
        }
    }
}

/// The coefficient of a column in sorted entries.
pub(super) fn coefficient(entries: &[(Column, Rational)], column: Column) -> Option<&Rational> {
    let place = entries.binary_search_by_key(&column, |(column, _)| *column).ok()?;
    Some(&entries[place].1)
}

/// Adds `factor·addend` to `target`, leaving out the column `without`; `new` is told of columns that were not there.
fn add_scaled(
    target: &mut Vec<(Column, Rational)>,
    addend: &[(Column, Rational)],
    factor: &Rational,
    without: Option<Column>,
    scratch: &mut Vec<(Column, Rational)>,
    mut new: impl FnMut(Column),
) {
    scratch.clear();
    let mut old = target
        .drain(..)
        .filter(|(column, _)| Some(*column) != without)
        .peekable();
    for (column, coefficient) in addend {
        while let Some(entry) = old.next_if(|(earlier, _)| earlier < column) {
            scratch.push(entry);
        }
        match old.next_if(|(same, _)| same == column) {
            Some((_, value)) => {
                let sum = value.plus_product(coefficient, factor);
                if !sum.is_zero() {
                    scratch.push((*column, sum));
                }
            }
            None => {
                new(*column);
                scratch.push((*column, coefficient * factor));
            }
        }
    }
    scratch.extend(old);
    std::mem::swap(target, scratch);
}
