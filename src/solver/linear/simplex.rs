//! The tableau: bounds on columns, and rows that define some columns by others.
//!
//! A *column* is a variable or a linear form over variables. Columns with a row are *basic*: the row says their value. The
//! others are within their bounds always, and [`Simplex::check`] moves them until the basic ones are, too, or a row shows
//! that they cannot be (Dutertre and de Moura, "A fast linear-arithmetic solver for DPLL(T)"). A form gets its row when
//! something is asserted of it for the first time, and keeps it when that is retracted; rows are dropped only when most of
//! them say nothing about anything bounded.

use super::boolean::Literal;
use super::number::{Delta, Number};
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
pub type Conflict = Vec<(Literal, Number)>;

/// What [`Simplex::check`] found.
pub enum Feasibility {
    /// All columns are within their bounds.
    Feasible,
    /// They cannot be.
    Infeasible(Conflict),
    /// The allowance of work is used up.
    GaveUp,
}

struct ColumnState {
    lower: Option<Bound>,
    upper: Option<Bound>,
    value: Delta,
    place: Place,
    integral: bool,
    /// The rows in which it occurs, and perhaps some in which it no longer does.
    rows: Vec<usize>,
    /// Over which variables it is defined; empty for a variable.
    definition: Vec<(Column, Number)>,
}

impl ColumnState {
    /// The bound that the value violates.
    fn violated(&self) -> Option<(Side, &Bound)> {
        match (&self.lower, &self.upper) {
            (Some(lower), _) if self.value < lower.value => Some((Side::Lower, lower)),
            (_, Some(upper)) if self.value > upper.value => Some((Side::Upper, upper)),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A form without a row; its value is not kept.
    Dormant,
    Free,
    Basic(usize),
}

/// `basic = Σ coefficient·column`, the columns sorted, none of them basic.
struct Row {
    basic: Column,
    entries: Vec<(Column, Number)>,
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
    columns: Vec<ColumnState>,
    rows: Vec<Row>,
    retractions: Vec<Retraction>,
    /// Basic columns that may be out of bounds.
    suspects: BinaryHeap<Reverse<Column>>,
    /// Work done since it was last reset, in coefficients touched.
    pub work: u64,
    scratch: Vec<(Column, Number)>,
}

impl Simplex {
    /// A variable.
    pub fn add_variable(&mut self, integral: bool) -> Column {
        self.add_column(integral, Vec::new(), Place::Free)
    }

    /// A linear form of at least two variables, sorted by column.
    pub fn add_form(&mut self, definition: Vec<(Column, Number)>, integral: bool) -> Column {
        self.add_column(integral, definition, Place::Dormant)
    }

    fn add_column(&mut self, integral: bool, definition: Vec<(Column, Number)>, place: Place) -> Column {
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

    fn column(&self, column: Column) -> &ColumnState {
        &self.columns[column as usize]
    }

    fn column_mut(&mut self, column: Column) -> &mut ColumnState {
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

    /// Whether the column is a variable and not a form.
    pub fn is_variable(&self, column: Column) -> bool {
        self.column(column).definition.is_empty()
    }

    /// The bound on one side.
    pub fn bound(&self, column: Column, side: Side) -> Option<&Bound> {
        match side {
            Side::Lower => self.column(column).lower.as_ref(),
            Side::Upper => self.column(column).upper.as_ref(),
        }
    }

    /// The coefficient of a variable in a column's definition.
    pub fn coefficient_in(&self, column: Column, variable: Column) -> Option<Number> {
        match &self.column(column).definition[..] {
            [] => (column == variable).then_some(Number::ONE),
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

    fn sum(&self, entries: &[(Column, Number)]) -> Delta {
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
            return Err(vec![(reason, Number::ONE), (bound.reason, Number::ONE)]);
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
        }
    }

    /// Moves a column that is not basic, and the basic ones with it.
    fn move_to(&mut self, column: Column, value: Delta) {
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
    fn wake(&mut self, column: Column) {
        let definition = self.column(column).definition.clone();
        let mut entries: Vec<(Column, Number)> = Vec::with_capacity(definition.len());
        for (variable, factor) in &definition {
            let addend = match self.column(*variable).place {
                Place::Basic(row) => &self.rows[row].entries[..],
                _ => &[(*variable, Number::ONE)],
            };
            add_scaled(&mut entries, addend, factor, None, &mut self.scratch, |_| {});
        }
        let row = self.rows.len();
        for (entry, _) in &entries {
            self.columns[*entry as usize].rows.push(row);
        }
        let value = self.sum(&entries);
        self.work += entries.len() as u64;
        self.rows.push(Row { basic: column, entries });
        let state = self.column_mut(column);
        state.place = Place::Basic(row);
        state.value = value;
    }

    /// Moves values until all columns are within their bounds.
    pub fn check(&mut self, allowance: u64) -> Feasibility {
        self.drop_idle_rows();
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
            conflict.push((bound.reason, Number::ONE));
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

    /// Exchanges the row's basic column, which goes to `target`, for another of the row.
    fn pivot(&mut self, row: usize, entering: Column, target: Delta) {
        let leaving = self.rows[row].basic;
        let Some(factor) = coefficient(&self.rows[row].entries, entering).cloned() else {
            return;
        };
        let reciprocal = factor.reciprocal();
        let step = target.minus(&self.column(leaving).value).times(&reciprocal);
        let others = self.rows_of(entering);
        for other in &others {
            if *other != row {
                self.move_basic(*other, entering, &step);
            }
        }
        self.column_mut(leaving).value = target;
        let moved = self.column(entering).value.plus_scaled(&step, &Number::ONE);
        self.column_mut(entering).value = moved;
        // basic = f·e + rest  becomes  e = (1/f)·basic - (1/f)·rest.
        let negative = -&reciprocal;
        let mut entries = std::mem::take(&mut self.rows[row].entries);
        entries.retain_mut(|(column, coefficient)| {
            *coefficient = coefficient.times(&negative);
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

    /// Drops rows of forms without bounds once they are the majority.
    fn drop_idle_rows(&mut self) {
        if self.rows.len() < 64 {
            return;
        }
        let idle = |state: &ColumnState| !state.definition.is_empty() && state.lower.is_none() && state.upper.is_none();
        let count = self
            .columns
            .iter()
            .filter(|state| state.place != Place::Dormant && idle(state))
            .count();
        if count * 2 < self.rows.len() {
            return;
        }
        for column in 0..self.columns.len() as Column {
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

    /// The rows, each as the basic column and what it is equal to.
    pub fn rows(&self) -> impl Iterator<Item = (Column, &[(Column, Number)])> {
        self.rows.iter().map(|row| (row.basic, &row.entries[..]))
    }
}

/// The coefficient of a column in sorted entries.
fn coefficient(entries: &[(Column, Number)], column: Column) -> Option<&Number> {
    let place = entries.binary_search_by_key(&column, |(column, _)| *column).ok()?;
    Some(&entries[place].1)
}

/// Adds `factor·addend` to `target`, leaving out the column `without`; `new` is told of columns that were not there.
fn add_scaled(
    target: &mut Vec<(Column, Number)>,
    addend: &[(Column, Number)],
    factor: &Number,
    without: Option<Column>,
    scratch: &mut Vec<(Column, Number)>,
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
                scratch.push((*column, coefficient.times(factor)));
            }
        }
    }
    scratch.extend(old);
    std::mem::swap(target, scratch);
}
