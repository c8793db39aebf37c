//! Values that satisfy what is assumed, from the tableau's assignment: a concrete number for the infinitesimal.

use super::formulas::Kind;
use super::number::Delta;
use super::search::Search;
use super::simplex::{Column, Side};
use crate::terms::{Rational, SortId, TermId, Terms, Value};
use num_traits::Signed;

impl Search {
    /// A value for the infinitesimal that keeps all bounds, and that no disequality excludes.
    pub fn infinitesimal(&self) -> Rational {
        let mut size = Rational::ONE;
        for column in 0..self.simplex.len() as Column {
            let value = || self.simplex.value(column);
            if let Some(bound) = self.simplex.bound(column, Side::Lower) {
                size = size.min(step_within(&bound.value, &value()));
            }
            if let Some(bound) = self.simplex.bound(column, Side::Upper) {
                size = size.min(step_within(&value(), &bound.value));
            }
        }
        // Each disequality excludes at most one size.
        let half = Rational::from(2).recip();
        while self.is_excluded(&size) {
            size *= &half;
        }
        size
    }

    fn is_excluded(&self, size: &Rational) -> bool {
        self.false_equalities.iter().any(|(variable, _)| {
            matches!(self.formulas.kind(*variable), Kind::Equality { column, value, .. }
                if self.simplex.value(*column).at(size) == *value)
        })
    }

    /// The value of a variable; the sort's default for one that nothing is said about.
    pub fn value_of(&self, terms: &Terms, variable: TermId, infinitesimal: &Rational) -> Value {
        let sort = terms.sort(variable);
        let value = if sort == SortId::BOOL {
            let literal = self.encoding.literal(variable);
            literal.and_then(|literal| self.boolean.value(literal)).map(Value::Bool)
        } else {
            let column = self.encoding.column(variable);
            column.map(|column| Value::Number(self.simplex.value(column).at(infinitesimal)))
        };
        value.unwrap_or_else(|| terms.default_value(sort))
    }
}

/// The greatest infinitesimal, at most one, for which `small` is not above `great`; it is not for an infinitely small one.
fn step_within(small: &Delta, great: &Delta) -> Rational {
    let closing = &small.slope - &great.slope;
    if !closing.is_positive() {
        return Rational::ONE;
    }
    let step = (&great.main - &small.main) / &closing;
    step.min(Rational::ONE)
}
