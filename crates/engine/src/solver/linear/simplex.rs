//! The tableau: bounds on columns, and rows that define some columns by others.
//!
//! A *column* is a variable or a linear form over variables. Columns with a row are *basic*: the row says their value. The
//! others are within their bounds always, and [`Simplex::check`] moves them until the basic ones are, too, or a row shows
//! that they cannot be (Dutertre and de Moura, "A fast linear-arithmetic solver for DPLL(T)"). A form gets its row when
//! something is asserted of it for the first time, and keeps it when that is retracted; rows are dropped only when most of
//! them say nothing about anything bounded.

use super::boolean::Literal;
use super::number::Delta;
use super::tableau::coefficient;
use crate::terms::Rational;
use num_traits::Signed;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A column of the tableau.
pub type Column = u32;

/// Pivots in one check before the entering column is chosen by least index alone, which terminates for certain.
const GREEDY_PIVOTS: u32 = 200;

/// A bound and the literal that it is the meaning of.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The bound itself.
    pub value: Delta,
    /// Why it holds.
    pub reason: Literal,
}

/// Which of a column's bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The least value.
    Lower,
    /// The greatest value.
    Upper,
}

/// Literals whose bounds, multiplied by these positive numbers and added, contradict each other.
pub type Conflict = Vec<(Literal, Rational)>;

/// What [`Simplex::check`] found.
pub enum Feasibility {
    /// All columns are within their bounds.
    Feasible,
    /// They cannot be.
    Infeasible(Conflict),
    /// The allowance of work is used up.
    GaveUp,
}

pub(super) struct ColumnState {
    pub(super) lower: Option<Bound>,
    pub(super) upper: Option<Bound>,
    pub(super) value: Delta,
    pub(super) place: Place,
    pub(super) integral: bool,
    /// The rows in which it occurs, and perhaps some in which it no longer does.
    pub(super) rows: Vec<usize>,
    /// Over which variables it is defined; empty for a variable.
    pub(super) definition: Vec<(Column, Rational)>,
}

impl ColumnState {
    /// The bound that the value violates.
    pub(super) fn violated(&self) -> Option<(Side, &Bound)> {
        match (&self.lower, &self.upper) {
            (Some(lower), _) if self.value < lower.value => Some((Side::Lower, lower)),
            (_, Some(upper)) if self.value > upper.value => Some((Side::Upper, upper)),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A form without a row; its value is not kept.
    Dormant,
    Free,
    Basic(usize),
}

/// `basic = Σ coefficient·column`, the columns sorted, none of them basic.
pub(super) struct Row {
    pub(super) basic: Column,
    pub(super) entries: Vec<(Column, Rational)>,
}

struct Retraction {
    column: Column,
    side: Side,
    old: Option<Bound>,
    /// The length of the Boolean trail when the bound was asserted.
    stamp: usize,
}

/// The tableau with its bounds and its current assignment.
#[derive(Default)]
pub struct Simplex {
    pub(super) columns: Vec<ColumnState>,
    pub(super) rows: Vec<Row>,
    retractions: Vec<Retraction>,
    /// Basic columns that may be out of bounds.
    pub(super) suspects: BinaryHeap<Reverse<Column>>,
    /// Work done since it was last reset, in coefficients touched.
    pub work: u64,
    pub(super) scratch: Vec<(Column, Rational)>,
    /// The variables that are integers.
    integers: Vec<Column>,
    /// How many bounds at least have to be retracted until most rows may be idle.
    pub(super) retractions_left: usize,
}

impl Simplex {
    /// A variable.
    pub fn add_variable(&mut self, integral: bool) -> Column {
        self.add_column(integral, Vec::new(), Place::Free)
    }

    /// A linear form of at least two variables, sorted by column.
    pub fn add_form(&mut self, definition: Vec<(Column, Rational)>, integral: bool) -> Column {
        self.add_column(integral, definition, Place::Dormant)
    }

    fn add_column(&mut self, integral: bool, definition: Vec<(Column, Rational)>, place: Place) -> Column {
        if integral && definition.is_empty() {
            self.integers.push(self.columns.len() as Column);
        }
        self.columns.push(ColumnState {
            lower: None,
            upper: None,
            value: Delta::ZERO,
            place,
            integral,
            rows: Vec::new(),
            definition,
        });
        self.columns.len() as Column - 1
    }

    pub(super) fn column(&self, column: Column) -> &ColumnState {
        &self.columns[column as usize]
    }

    pub(super) fn column_mut(&mut self, column: Column) -> &mut ColumnState {
        &mut self.columns[column as usize]
    }

    /// How many columns there are.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether every value of the column is an integer.
    pub fn is_integral(&self, column: Column) -> bool {
        self.column(column).integral
    }

    /// The bound on one side.
    pub fn bound(&self, column: Column, side: Side) -> Option<&Bound> {
        match side {
            Side::Lower => self.column(column).lower.as_ref(),
            Side::Upper => self.column(column).upper.as_ref(),
        }
    }

    /// The coefficient of a variable in a column's definition.
    pub fn coefficient_in(&self, column: Column, variable: Column) -> Option<Rational> {
        match &self.column(column).definition[..] {
            [] => (column == variable).then_some(Rational::ONE),
            definition => coefficient(definition, variable).cloned(),
        }
    }

    /// A tableau of the same columns in which nothing is bounded.
    pub fn without_bounds(&self) -> Simplex {
        let mut simplex = Simplex::default();
        for state in &self.columns {
            let place = if state.definition.is_empty() {
                Place::Free
            } else {
                Place::Dormant
            };
            simplex.add_column(state.integral, state.definition.clone(), place);
        }
        simplex
    }

    /// The value in the current assignment.
    pub fn value(&self, column: Column) -> Delta {
        let state = self.column(column);
        if state.place != Place::Dormant {
            return state.value.clone();
        }
        self.sum(&state.definition)
    }

    pub(super) fn sum(&self, entries: &[(Column, Rational)]) -> Delta {
        entries.iter().fold(Delta::ZERO, |sum, (column, coefficient)| {
            sum.plus_scaled(&self.column(*column).value, coefficient)
        })
    }

    /// Asserts a bound. Whether it is tighter than what was known, or the two bounds that exclude each other.
    pub fn assert_bound(
        &mut self,
        column: Column,
        side: Side,
        value: Delta,
        reason: Literal,
        stamp: usize,
    ) -> Result<bool, Conflict> {
        let state = self.column(column);
        let (same, other) = match side {
            Side::Lower => (&state.lower, &state.upper),
            Side::Upper => (&state.upper, &state.lower),
        };
        let beyond = |bound: &Delta| match side {
            Side::Lower => value > *bound,
            Side::Upper => value < *bound,
        };
        if same.as_ref().is_some_and(|bound| !beyond(&bound.value)) {
            return Ok(false);
        }
        if let Some(bound) = other
            && beyond(&bound.value)
        {
            return Err(vec![(reason, Rational::ONE), (bound.reason, Rational::ONE)]);
        }
        if state.place == Place::Dormant {
            self.wake(column);
        }
        let state = self.column_mut(column);
        let outside = match side {
            Side::Lower => state.value < value,
            Side::Upper => state.value > value,
        };
        let bound = Some(Bound {
            value: value.clone(),
            reason,
        });
        let old = match side {
            Side::Lower => std::mem::replace(&mut state.lower, bound),
            Side::Upper => std::mem::replace(&mut state.upper, bound),
        };
        let basic = state.place != Place::Free;
        self.retractions.push(Retraction {
            column,
            side,
            old,
            stamp,
        });
        if outside && basic {
            self.suspects.push(Reverse(column));
        } else if outside {
            self.move_to(column, value);
        }
        Ok(true)
    }

    /// Retracts the bounds that were asserted when the Boolean trail was at least this long.
    pub fn retract(&mut self, stamp: usize) {
        while self.retractions.last().is_some_and(|last| last.stamp >= stamp) {
            let Some(last) = self.retractions.pop() else {
                return;
            };
            let state = self.column_mut(last.column);
            match last.side {
                Side::Lower => state.lower = last.old,
                Side::Upper => state.upper = last.old,
            }
            self.retractions_left = self.retractions_left.saturating_sub(1);
        }
    }

    /// Moves values until all columns are within their bounds.
    pub fn check(&mut self, allowance: u64) -> Feasibility {
        let mut pivots = 0;
        while let Some(Reverse(column)) = self.suspects.pop() {
            let state = self.column(column);
            let Place::Basic(row) = state.place else {
                continue;
            };
            let Some((side, bound)) = state.violated() else {
                continue;
            };
            let target = bound.value.clone();
            if self.work > allowance {
                self.suspects.push(Reverse(column));
                return Feasibility::GaveUp;
            }
            match self.entering(row, side, pivots > GREEDY_PIVOTS) {
                Some(entering) => self.pivot(row, entering, target),
                None => {
                    self.suspects.push(Reverse(column));
                    return Feasibility::Infeasible(self.explain(row, side));
                }
            }
            pivots += 1;
        }
        // Only now: a basic column that is out of bounds must not leave its row, for nobody would look at it again.
        self.drop_idle_rows(allowance);
        Feasibility::Feasible
    }

    /// A column of the row that can move so that the basic one gets closer to its bound on `side`.
    fn entering(&mut self, row: usize, side: Side, least_index: bool) -> Option<Column> {
        self.work += self.rows[row].entries.len() as u64;
        let mut best: Option<(usize, Column)> = None;
        for (column, coefficient) in &self.rows[row].entries {
            let state = &self.columns[*column as usize];
            let upwards = coefficient.is_positive() == (side == Side::Lower);
            let blocked = match (upwards, &state.lower, &state.upper) {
                (true, _, Some(upper)) => state.value >= upper.value,
                (false, Some(lower), _) => state.value <= lower.value,
                _ => false,
            };
            if blocked {
                continue;
            }
            if least_index {
                return Some(*column);
            }
            if best.is_none_or(|(rows, _)| state.rows.len() < rows) {
                best = Some((state.rows.len(), *column));
            }
        }
        best.map(|(_, column)| column)
    }

    /// The bounds that keep the row's basic column from its bound on `side`.
    fn explain(&self, row: usize, side: Side) -> Conflict {
        let Row { basic, entries } = &self.rows[row];
        let mut conflict = Vec::with_capacity(entries.len() + 1);
        if let Some(bound) = self.bound(*basic, side) {
            conflict.push((bound.reason, Rational::ONE));
        }
        for (column, coefficient) in entries {
            let upwards = coefficient.is_positive() == (side == Side::Lower);
            let blocking = self.bound(*column, if upwards { Side::Upper } else { Side::Lower });
            if let Some(bound) = blocking {
                conflict.push((bound.reason, coefficient.abs()));
            }
        }
        conflict
    }

    /// Moves integer columns that are not basic to integers; whether there were any with other values.
    pub fn round_free_columns(&mut self) -> bool {
        let mut moved = false;
        for column in 0..self.columns.len() as Column {
            let state = self.column(column);
            if state.place == Place::Free && state.integral && !state.value.is_integer() {
                let floor = Delta::exactly(state.value.floor());
                self.move_to(column, floor);
                moved = true;
            }
        }
        moved
    }

    /// An integer variable whose value is none.
    pub fn fractional_variable(&self) -> Option<Column> {
        let mut integers = self.integers.iter().copied();
        integers.find(|column| !self.column(*column).value.is_integer())
    }

    /// The rows, each as the basic column and what it is equal to.
    pub fn rows(&self) -> impl Iterator<Item = (Column, &[(Column, Rational)])> {
        self.rows.iter().map(|row| (row.basic, &row.entries[..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A form that leaves its idle row must not leave it to a variable that is out of bounds.
    #[test]
    fn what_is_out_of_bounds_stays_in_sight_when_idle_rows_are_dropped() {
        let mut simplex = Simplex::default();
        let mut stamp = 0;
        let mut at_least = |simplex: &mut Simplex, column: Column, bound: i64| {
            stamp += 1;
            let bound = Delta::exactly(Rational::from(bound));
            let asserted = simplex.assert_bound(column, Side::Lower, bound, Literal::TRUE, stamp);
            assert!(asserted.is_ok());
        };
        let (x, y) = (simplex.add_variable(true), simplex.add_variable(true));
        let sum = simplex.add_form(vec![(x, Rational::ONE), (y, Rational::ONE)], true);
        // The sum moves to its bound, and a variable takes its row.
        at_least(&mut simplex, sum, 1);
        assert!(matches!(simplex.check(u64::MAX), Feasibility::Feasible));
        for factor in 2..100 {
            let form = simplex.add_form(vec![(x, Rational::ONE), (y, Rational::from(factor))], true);
            at_least(&mut simplex, form, -1_000);
        }
        simplex.retract(0);
        at_least(&mut simplex, x, 5);
        at_least(&mut simplex, y, 5);
        assert!(matches!(simplex.check(u64::MAX), Feasibility::Feasible));
        for column in [x, y] {
            assert!(simplex.column(column).violated().is_none());
        }
        assert!(simplex.rows.len() < 64, "{} rows", simplex.rows.len());
    }
}
