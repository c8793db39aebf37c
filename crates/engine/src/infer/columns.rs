//! The columns of a place: the numbers that invariants there speak of, which are its numeric parameters and the terms that
//! the user asks about.

use super::candidate::{Candidate, Relation, Shape};
use crate::polynomials::State;
use crate::polynomials::{Indeterminates, Polynomial};
use crate::rules::{PredicateId, Program};
use crate::terms::{Assignment, Rational, SortId, TermId, Terms, Value};
use num_traits::Zero;

/// The columns of one place.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    /// The place.
    pub place: PredicateId,
    parameters: Vec<TermId>,
    /// The numbering of polynomials: all parameters, then the user's terms.
    indeterminates: Indeterminates,
    /// The numbers of those that are numeric: what candidates are made of.
    numeric: Vec<u32>,
    sorts: Vec<SortId>,
}

impl Columns {
    /// The parameters of a place and further terms over them.
    pub fn new(program: &Program, terms: &Terms, place: PredicateId, further: &[TermId]) -> Columns {
        let parameters = program.predicate(place).parameters.clone();
        let all: Vec<TermId> = parameters.iter().chain(further).copied().collect();
        let sorts: Vec<SortId> = all.iter().map(|term| terms.sort(*term)).collect();
        let numeric = (0..all.len()).filter(|column| sorts[*column].is_numeric());
        Columns {
            place,
            parameters,
            numeric: numeric.map(|column| column as u32).collect(),
            indeterminates: Indeterminates::new(&all),
            sorts,
        }
    }

    /// The columns that are numbers.
    pub fn numeric(&self) -> &[u32] {
        &self.numeric
    }

    /// The numbering of polynomials.
    pub fn indeterminates(&self) -> &Indeterminates {
        &self.indeterminates
    }

    /// Whether a column holds integers.
    pub fn is_integer(&self, column: u32) -> bool {
        self.sorts.get(column as usize) == Some(&SortId::INT)
    }

    /// Whether a column is a parameter, and no further term.
    pub fn is_parameter(&self, column: u32) -> bool {
        (column as usize) < self.parameters.len()
    }

    /// The columns that are integers.
    pub fn integers(&self) -> impl Iterator<Item = u32> + '_ {
        let numeric = self.numeric.iter().copied();
        numeric.filter(|column| self.is_integer(*column))
    }

    /// The sort of a polynomial: integer if all its columns are.
    fn sort_of(&self, polynomial: &Polynomial) -> SortId {
        let all = polynomial.variables().into_iter().all(|column| self.is_integer(column));
        if all { SortId::INT } else { SortId::REAL }
    }

    /// The values of all columns in a state of the place; `None` where one has none.
    pub fn values_in(&self, terms: &Terms, state: &State) -> Option<State> {
        let mut values = state.clone();
        if self.indeterminates.terms().len() > self.parameters.len() {
            let assignment = self.assignment(state);
            for term in &self.indeterminates.terms()[self.parameters.len()..] {
                match terms.evaluate(*term, &assignment)? {
                    Value::Number(value) => values.push(value),
                    _ => return None,
                }
            }
        }
        Some(values)
    }

    /// Whether a formula over the parameters holds in a state.
    pub fn holds(&self, terms: &Terms, formula: TermId, state: &State) -> bool {
        terms.holds(formula, &self.assignment(state)) == Some(true)
    }

    /// A state as values of the parameters.
    fn assignment(&self, state: &State) -> Assignment {
        let mut assignment = Assignment::new();
        for ((parameter, value), sort) in self.parameters.iter().zip(state).zip(&self.sorts) {
            let value = match *sort {
                SortId::BOOL => Value::Bool(!value.is_zero()),
                _ => Value::Number(value.clone()),
            };
            assignment.insert(*parameter, value);
        }
        assignment
    }

    /// A polynomial over the columns, given one over `chosen`, by positions.
    pub fn renumbered(&self, polynomial: &Polynomial, chosen: &[u32]) -> Polynomial {
        let column = |position: u32| Polynomial::variable(chosen.get(position as usize).copied().unwrap_or_default());
        polynomial.compose(&column, usize::MAX).unwrap_or_default()
    }

    /// The candidate of a shape.
    pub fn candidate(&self, terms: &mut Terms, shape: Shape) -> Candidate {
        let count = self.parameters.len() as u32;
        let (formula, over_parameters) = match &shape {
            Shape::Equality(polynomial) | Shape::Inequality(polynomial) => {
                let sort = self.sort_of(polynomial);
                let term = self.indeterminates.to_term(terms, polynomial, sort);
                let zero = terms.number(Rational::zero(), sort);
                let formula = match shape {
                    Shape::Equality(_) => terms.equal(term, zero),
                    _ => terms.less_or_equal(term, zero),
                };
                (formula, polynomial.variables().into_iter().all(|column| column < count))
            }
            Shape::Congruence {
                dividend,
                modulus,
                remainder,
            } => {
                let term = self.indeterminates.to_term(terms, dividend, SortId::INT);
                let (modulus, remainder) = (terms.integer(*modulus), terms.integer(*remainder));
                let rest = terms.modulo(term, modulus);
                (terms.equal(rest, remainder), false)
            }
            Shape::Extremum {
                column,
                relation,
                maximum,
                first,
                second,
            } => {
                let term = |column: &u32| self.indeterminates.term(*column).unwrap_or(TermId::TRUE);
                let (left, first, second) = (term(column), term(first), term(second));
                let right = if *maximum {
                    terms.maximum(first, second)
                } else {
                    terms.minimum(first, second)
                };
                let formula = match relation {
                    Relation::Equal => terms.equal(left, right),
                    Relation::AtMost => terms.less_or_equal(left, right),
                    Relation::AtLeast => terms.less_or_equal(right, left),
                };
                (formula, false)
            }
            // Their formulas are not made of shapes.
            Shape::Progression { .. } | Shape::Auxiliary => (TermId::TRUE, false),
        };
        Candidate {
            place: self.place,
            shape,
            formula,
            over_parameters,
        }
    }
}
