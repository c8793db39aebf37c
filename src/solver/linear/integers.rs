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
            let mut denominators = BigInt::from(1);
            for (_, coefficient) in row() {
                denominators = denominators.lcm(&coefficient.denom());
            }
            let mut fixed = BigInt::zero();
            let mut divisor = BigInt::zero();
            let mut reasons = Vec::new();
            for (column, coefficient) in row() {
                let (numerator, denominator) = (coefficient.numer(), coefficient.denom());
                let coefficient = numerator * (&denominators / denominator);
                match self.fixed(*column) {
                    Some((lower, upper)) => {
                        fixed += coefficient * lower.value.main.numer();
                        reasons.extend([!lower.reason, !upper.reason]);
                    }
                    None => divisor = divisor.gcd(&coefficient),
                }
            }
            let divides = if divisor.is_zero() {
                fixed.is_zero()
            } else {
                (fixed % divisor).is_zero()
            };
            if !divides {
                return Some(reasons);
            }
        }
        None
    }
}
