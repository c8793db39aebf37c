//! What is printed is what a person would have written: the telling invariants first, and none that follows from others.

use super::candidate::{Kind, Shape};
use super::induction::Induction;
use super::inference::{FoundInvariant, PlaceInvariants, Status};
use crate::terms::{TermId, Terms};
use num_bigint::BigInt;

/// Puts the invariants of a place in order and removes those that others of the same certainty imply.
pub(super) fn tidy(terms: &mut Terms, induction: &mut Induction<'_>, place: &mut PlaceInvariants) {
    place.invariants.sort_by_key(rank);
    let mut kept: Vec<FoundInvariant> = Vec::new();
    // An equality never follows from others by their construction; what is less certain must not remove what is more so.
    let (equalities, others): (Vec<_>, Vec<_>) =
        std::mem::take(&mut place.invariants).into_iter().partition(|found| found.kind() == Kind::Equality);
    kept.extend(equalities);
    let mut rest: Vec<FoundInvariant> = others;
    let mut position = rest.len();
    while position > 0 {
        position -= 1;
        let candidate = rest[position].clone();
        let known: Vec<TermId> = kept
            .iter()
            .chain(rest.iter().enumerate().filter(|(index, _)| *index != position).map(|(_, found)| found))
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

/// Certainty first, then kind, then what is shorter.
fn rank(found: &FoundInvariant) -> (Status, Kind, u32, usize, usize, BigInt) {
    let polynomial = match &found.shape {
        Shape::Equality(polynomial) | Shape::Inequality(polynomial) => Some(polynomial),
        Shape::Congruence { dividend, .. } => Some(dividend),
        Shape::Extremum { .. } => None,
    };
    let degree = polynomial.map_or(1, |polynomial| polynomial.degree());
    let variables = polynomial.map_or(3, |polynomial| polynomial.variables().len());
    let length = polynomial.map_or(0, |polynomial| polynomial.len());
    let height = polynomial.map_or_else(BigInt::default, |polynomial| polynomial.height());
    (found.status, found.kind(), degree, variables, length, height)
}
