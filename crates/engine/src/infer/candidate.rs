//! Candidates: formulas that may be invariants, in the shapes that are looked for.

use crate::polynomials::Polynomial;
use crate::rules::PredicateId;
use crate::terms::TermId;

/// The kind of an invariant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A polynomial equality.
    Equality,
    /// A bound of a variable, of a sum or difference of two, or of a term that the user or the program gives.
    Inequality,
    /// A remainder that is always the same.
    Congruence,
    /// A comparison with the smaller or the larger of two variables.
    Extremum,
    /// A variable that is a number or another variable times a power.
    Progression,
    /// A condition that others are proved with.
    Auxiliary,
}

/// What a candidate says. Polynomials are over the columns of its place (see [`super::columns`]).
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// The polynomial is zero.
    Equality(Polynomial),
    /// The polynomial is at most zero.
    Inequality(Polynomial),
    /// The polynomial has this remainder.
    Congruence {
        /// What is divided.
        dividend: Polynomial,
        /// By what.
        modulus: u32,
        /// What is left.
        remainder: u32,
    },
    /// A column compared with the smaller or the larger of two others, plus a number.
    Extremum {
        /// The column on the left.
        column: u32,
        /// How it is compared.
        relation: Relation,
        /// Whether with the larger one.
        maximum: bool,
        /// The first other column.
        first: u32,
        /// The second other column.
        second: u32,
    },
    /// A column is another one, or one, times a power of a number.
    Progression {
        /// The column.
        column: u32,
        /// What it is a multiple of; one if there is nothing.
        first: Option<u32>,
        /// What is raised to a power.
        ratio: u32,
    },
    /// That what holds after a step holds if the step is taken. It is proved with the others and not shown.
    Auxiliary,
}

/// How two numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// Equal.
    Equal,
    /// At most.
    AtMost,
    /// At least.
    AtLeast,
}

impl Shape {
    /// The kind.
    pub fn kind(&self) -> Kind {
        match self {
            Shape::Equality(_) => Kind::Equality,
            Shape::Inequality(_) => Kind::Inequality,
            Shape::Congruence { .. } => Kind::Congruence,
            Shape::Extremum { .. } => Kind::Extremum,
            Shape::Progression { .. } => Kind::Progression,
            Shape::Auxiliary => Kind::Auxiliary,
        }
    }
}

/// A formula that may be an invariant.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Candidate {
    /// Where.
    pub place: PredicateId,
    /// What it says.
    pub shape: Shape,
    /// The same over the parameters of the place.
    pub formula: TermId,
    /// Whether all columns that it mentions are parameters, so that its polynomial can be composed with updates.
    pub over_parameters: bool,
}

impl Candidate {
    /// If it says that a polynomial over the parameters is zero: the polynomial.
    pub fn equality(&self) -> Option<&Polynomial> {
        match &self.shape {
            Shape::Equality(polynomial) if self.over_parameters => Some(polynomial),
            _ => None,
        }
    }
}
