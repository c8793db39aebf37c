//! Comparisons of sums with zero, as formulas and by their values in states.

use super::runs::Scale;
use crate::terms::{Comparison, LinearForm, Rational, SortId, TermId, Terms};
use num_traits::{One, Zero};

/// A comparison with zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Equal,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Different,
}

impl Relation {
    /// Those that say most first.
    pub const ALL: [Relation; 6] = [
        Relation::Equal,
        Relation::Less,
        Relation::Greater,
        Relation::LessOrEqual,
        Relation::GreaterOrEqual,
        Relation::Different,
    ];

    pub fn holds(self, value: i64) -> bool {
        match self {
            Relation::Equal => value == 0,
            Relation::Less => value < 0,
            Relation::Greater => value > 0,
            Relation::LessOrEqual => value <= 0,
            Relation::GreaterOrEqual => value >= 0,
            Relation::Different => value != 0,
        }
    }

    pub fn implies(self, other: Relation) -> bool {
        [-1, 0, 1]
            .iter()
            .all(|value| !self.holds(*value) || other.holds(*value))
    }

    fn formula(self, terms: &mut Terms, form: &LinearForm) -> TermId {
        let negative = form.scaled(&-Rational::one());
        match self {
            Relation::Equal => terms.linear_formula(form, Comparison::Equal, SortId::INT),
            Relation::Less => terms.linear_formula(form, Comparison::Less, SortId::INT),
            Relation::Greater => terms.linear_formula(&negative, Comparison::Less, SortId::INT),
            Relation::LessOrEqual => terms.linear_formula(form, Comparison::LessOrEqual, SortId::INT),
            Relation::GreaterOrEqual => terms.linear_formula(&negative, Comparison::LessOrEqual, SortId::INT),
            Relation::Different => {
                let equal = terms.linear_formula(form, Comparison::Equal, SortId::INT);
                terms.not(equal)
            }
        }
    }
}

/// A sum of columns and a constant, compared with zero. What is written in the original, and its value in runs.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    /// Columns and coefficients.
    pub sum: Vec<(usize, i64)>,
    pub constant: i64,
    /// Added to the sum beside the constant, whatever the scale is.
    pub offset: i64,
    /// What is left of a column when it is divided by a number is added, too.
    pub rest: Option<(usize, i64)>,
    pub relation: Relation,
}

impl Condition {
    pub fn new(sum: Vec<(usize, i64)>, constant: i64, offset: i64, relation: Relation) -> Condition {
        Condition {
            sum,
            constant,
            offset,
            rest: None,
            relation,
        }
    }

    /// As a formula about the columns.
    pub fn formula(&self, terms: &mut Terms, columns: &[TermId]) -> TermId {
        let constant = Rational::from_integer((self.constant.saturating_add(self.offset)).into());
        let mut form = LinearForm::constant(constant);
        let mut add = |part: TermId, by: i64| {
            let own = LinearForm {
                terms: vec![(part, Rational::one())],
                constant: Rational::zero(),
            };
            form = form.add_scaled(&own, &Rational::from_integer(by.into()));
        };
        for (column, by) in &self.sum {
            add(columns[*column], *by);
        }
        if let Some((column, divisor)) = self.rest {
            let divisor = terms.integer(divisor);
            add(terms.modulo(columns[column], divisor), 1);
        }
        self.relation.formula(terms, &form)
    }

    /// The value of the sum in a row.
    pub fn value(&self, row: &[i64], scale: &Scale) -> i64 {
        let parts = self.sum.iter();
        let sum: i64 = parts
            .map(|(column, by)| row[*column].saturating_mul(scale.of(*by)))
            .sum();
        let rest = self
            .rest
            .map_or(0, |(column, by)| row[column].rem_euclid(scale.of(by).max(1)));
        let sum = sum.saturating_add(rest).saturating_add(scale.of(self.constant));
        sum.saturating_add(self.offset)
    }

    /// The columns that it speaks of.
    pub fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        let parts = self.sum.iter().map(|(column, _)| *column);
        parts.chain(self.rest.map(|(column, _)| column))
    }

    pub fn holds(&self, row: &[i64], scale: &Scale) -> bool {
        self.relation.holds(self.value(row, scale))
    }
}
