//! What is printed is what a person would have written: the telling invariants first, and none that follows from others.

use super::candidate::{Kind, Shape};
use super::ideal::{Ideal, IdealLimits};
use super::induction::Induction;
use super::inference::{FoundInvariant, PlaceInvariants, Status};
use crate::polynomials::Polynomial;
use crate::terms::{TermId, Terms};
use num_bigint::BigInt;

/// What people write has at most so many parts, and numbers at most so large.
const LENGTH: usize = 10;
const HEIGHT: u32 = 40;

/// Puts the invariants of a place in order and removes those that others of the same certainty imply, and the equalities that
/// only say that a column has few values: `values` are the polynomials with these values as roots.
pub(super) fn tidy(
    terms: &mut Terms,
    induction: &mut Induction<'_>,
    place: &mut PlaceInvariants,
    values: Vec<Polynomial>,
) {
    place.invariants.sort_by_key(rank);
    let (equalities, others): (Vec<_>, Vec<_>) = std::mem::take(&mut place.invariants)
        .into_iter()
        .partition(|found| found.kind() == Kind::Equality);
    let mut kept = independent(equalities, values);
    let mut rest: Vec<FoundInvariant> = others;
    let mut position = rest.len();
    while position > 0 {
        position -= 1;
        let candidate = rest[position].clone();
        let known: Vec<TermId> = kept
            .iter()
            .chain(
                rest.iter()
                    .enumerate()
                    .filter(|(index, _)| *index != position)
                    .map(|(_, found)| found),
            )
            .filter(|found| found.status <= candidate.status)
            .map(|found| found.formula)
            .collect();
        if induction.implied(terms, &known, candidate.formula) {
            rest.remove(position);
        }
    }
    kept.extend(rest);
    kept.sort_by_key(rank);
    place.invariants = kept;
}

/// The equalities without those that are combinations of shorter ones that are as certain.
fn independent(equalities: Vec<FoundInvariant>, known: Vec<Polynomial>) -> Vec<FoundInvariant> {
    let mut kept: Vec<FoundInvariant> = Vec::new();
    let mut generators = known;
    for found in equalities {
        let Shape::Equality(polynomial) = &found.shape else {
            continue;
        };
        let mut ideal = Ideal::new(generators.iter().cloned(), IdealLimits::default());
        let mut follows = ideal.has_member(polynomial);
        if !follows {
            ideal.complete();
            follows = ideal.has_member(polynomial);
        }
        if !follows {
            generators.push(polynomial.clone());
            kept.push(found);
        }
    }
    kept
}

/// Whether something that is only known to hold in the states seen looks as if it were meant: it is short, of small numbers.
pub(super) fn is_plausible(found: &FoundInvariant) -> bool {
    match &found.shape {
        Shape::Equality(polynomial) => {
            polynomial.term_count() <= LENGTH && polynomial.height() <= BigInt::from(HEIGHT) || polynomial.degree() <= 1
        }
        Shape::Inequality(polynomial) => polynomial.variables().len() <= 2,
        Shape::Congruence { .. } | Shape::Extremum { .. } | Shape::Progression { .. } | Shape::Auxiliary => true,
    }
}

/// Certainty first, then kind, then what is shorter.
fn rank(found: &FoundInvariant) -> (Status, Kind, u32, usize, usize, BigInt) {
    let polynomial = match &found.shape {
        Shape::Equality(polynomial) | Shape::Inequality(polynomial) => Some(polynomial),
        Shape::Congruence { dividend, .. } => Some(dividend),
        Shape::Extremum { .. } | Shape::Progression { .. } | Shape::Auxiliary => None,
    };
    let degree = polynomial.map_or(1, |polynomial| polynomial.degree());
    let variables = polynomial.map_or(3, |polynomial| polynomial.variables().len());
    let length = polynomial.map_or(0, |polynomial| polynomial.term_count());
    let height = polynomial.map_or_else(BigInt::default, |polynomial| polynomial.height());
    (found.status, found.kind(), degree, variables, length, height)
}
