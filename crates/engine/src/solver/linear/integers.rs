//! Integers: what the tableau's rational assignment does not see.

use super::boolean::Literal;
use super::number::Delta;
use super::search::{Decision, Search};
use super::simplex::{Bound, Column, Side};
use crate::terms::Rational;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

impl Search {
    /// If some integer has a fractional value: a conflict that divisibility shows, or a half of its range to try.
    pub fn split_integer(&mut self) -> Decision {
        let Some(column) = self.simplex.fractional_variable() else {
            return Decision::Done;
        };
        if self.simplex.round_free_columns() {
            return Decision::Moved;
        }
        if let Some(conflict) = self.indivisible_row() {
            return Decision::Conflict(conflict);
        }
        if self.branches >= self.limits.branches {
            return Decision::GiveUp;
        }
        self.branches += 1;
        let floor = Delta::exactly(self.simplex.value(column).floor());
        let literal = self.formulas.at_most(&mut self.boolean, &self.simplex, column, floor);
        match self.boolean.value(literal) {
            None => Decision::Try(literal),
            // The tableau would keep to it.
            Some(_) => Decision::GiveUp,
        }
    }

    /// The bounds of a column that has one value only.
    fn fixed(&self, column: Column) -> Option<(&Bound, &Bound)> {
        let lower = self.simplex.bound(column, Side::Lower)?;
        let upper = self.simplex.bound(column, Side::Upper)?;
        (lower.value == upper.value).then_some((lower, upper))
    }

    /// A row over integers that no integers satisfy: what is fixed adds up to something that the greatest common divisor of
    /// the other coefficients does not divide.
    fn indivisible_row(&self) -> Option<Vec<Literal>> {
        let minus_one = -&Rational::ONE;
        for (basic, entries) in self.simplex.rows() {
            let whole = [(basic, minus_one.clone())];
            let row = || whole.iter().chain(entries);
            if !row().all(|(column, _)| self.simplex.is_integral(*column)) {
                continue;
            }
            // In most rows of integers something that is free counts once, and so can make up for anything.
            let counts_once = |(column, coefficient): &(Column, Rational)| {
                (*coefficient == Rational::ONE || *coefficient == minus_one) && self.fixed(*column).is_none()
            };
            if row().any(counts_once) && row().all(|(_, coefficient)| coefficient.is_integer()) {
                continue;
            }
            if !self.has_integers(row()) {
                let fixed = row().filter_map(|(column, _)| self.fixed(*column));
                return Some(
                    fixed
                        .flat_map(|(lower, upper)| [!lower.reason, !upper.reason])
                        .collect(),
                );
            }
        }
        None
    }

    /// Whether integers satisfy a row in which so much is fixed.
    fn has_integers<'r>(&self, row: impl Iterator<Item = &'r (Column, Rational)> + Clone) -> bool {
        if let Some(answer) = self.has_small_integers(row.clone()) {
            return answer;
        }
        let mut denominators = BigInt::from(1);
        for (_, coefficient) in row.clone() {
            denominators = denominators.lcm(&coefficient.denom());
        }
        let mut fixed = BigInt::zero();
        let mut divisor = BigInt::zero();
        for (column, coefficient) in row {
            let coefficient = coefficient.numer() * (&denominators / coefficient.denom());
            match self.fixed(*column) {
                Some((lower, _)) => fixed += coefficient * lower.value.main.numer(),
                None => divisor = divisor.gcd(&coefficient),
            }
        }
        match divisor.is_zero() {
            true => fixed.is_zero(),
            false => (fixed % divisor).is_zero(),
        }
    }

    /// [`Search::has_integers`] where all numbers are small, which they nearly always are; `None` if they are not.
    fn has_small_integers<'r>(&self, row: impl Iterator<Item = &'r (Column, Rational)> + Clone) -> Option<bool> {
        let mut denominators: i128 = 1;
        for (_, coefficient) in row.clone() {
            let (_, denominator) = coefficient.small()?;
            let denominator = i128::from(denominator);
            denominators = denominators.checked_mul(denominator / denominators.gcd(&denominator))?;
        }
        let mut fixed: i128 = 0;
        let mut divisor: i128 = 0;
        for (column, coefficient) in row {
            let (numerator, denominator) = coefficient.small()?;
            let coefficient = i128::from(numerator).checked_mul(denominators / i128::from(denominator))?;
            match self.fixed(*column) {
                Some((lower, _)) => {
                    let (value, _) = lower.value.main.small()?;
                    fixed = fixed.checked_add(coefficient.checked_mul(i128::from(value))?)?;
                }
                // The greatest common divisor of the least number has no room.
                None if coefficient == i128::MIN => return None,
                None => divisor = divisor.gcd(&coefficient),
            }
        }
        Some(match divisor {
            0 => fixed == 0,
            _ => fixed % divisor == 0,
        })
    }
}
