//! Clusters: entries that differ in numbers only, and the formula that they are instances of.
//!
//! A search that learns `X >= Y - 14`, `X >= Y - 15`, … one after another will not come to an end by itself: what it looks for is
//! not in any of the single questions. Where a new reason has the shape of others before it, more general ones are tried that
//! the single question gave no cause for: two bounds summed so that a variable between them is gone (`X >= Y - 14` and
//! `Z >= X + 15` are no news about `X`, but say `Z >= Y + 1`), and bounds whose numbers differ left out together. (Krishnan et al.,
//! CAV 2020, call this global guidance; the seeds have the same thought where 004 takes the invariant that *all* iterations keep.)

use super::guards::guarded;
use super::kernel::GaveUp;
use super::kernel::{Entry, Kernel};
use super::witnesses::Sought;
use crate::terms::{Comparison, LinearForm, Rational, TermId, Terms};
use num_traits::{Signed, Zero};

/// So many entries of one shape make a cluster.
const SIZE: usize = 2;
/// At most so many sums of two bounds are tried for one entry.
const MOST_SUMS: usize = 12;

/// A cube that has the given one in it and is blocked, if it has the shape of other entries and something more general can be said.
pub(super) fn guided(kernel: &mut Kernel, sought: Sought, cube: Vec<TermId>) -> Result<Vec<TermId>, GaveUp> {
    let Some(varying) = varying(&kernel.terms, &kernel.entries[sought.node.0], &cube) else {
        return Ok(cube);
    };
    let rest: Vec<TermId> = cube
        .iter()
        .copied()
        .filter(|literal| !varying.contains(literal))
        .collect();
    let rest = guarded(&kernel.terms, &cube, rest);
    if rest.len() < cube.len()
        && let Some(core) = sought.blocked(kernel, &rest)?
    {
        return Ok(core);
    }
    let mut cube = cube;
    let mut tried = 0;
    let mut pairs = pairs(&kernel.terms, &cube, &varying);
    while let Some((first, second)) = pairs.pop() {
        let Some(sum) = eliminated(&mut kernel.terms, first, second) else {
            continue;
        };
        tried += 1;
        if tried > MOST_SUMS {
            break;
        }
        let mut candidate: Vec<TermId> = cube
            .iter()
            .copied()
            .filter(|one| *one != first && *one != second)
            .collect();
        candidate.push(sum);
        if let Some(core) = sought.blocked(kernel, &candidate)? {
            cube = core;
            pairs = self::pairs(&kernel.terms, &cube, &cube);
        }
    }
    Ok(cube)
}

/// The literals of a cube whose numbers differ from those of entries of its shape; `None` if there are too few of these.
fn varying(terms: &Terms, entries: &[Entry], cube: &[TermId]) -> Option<Vec<TermId>> {
    let shape = shape(terms, cube);
    let mut varying: Vec<TermId> = Vec::new();
    let mut alike = 0;
    for entry in entries.iter().filter(|entry| entry.cube.len() == cube.len()) {
        if self::shape(terms, &entry.cube) != shape || entry.cube == cube {
            continue;
        }
        alike += 1;
        for literal in cube {
            if !entry.cube.contains(literal) && !varying.contains(literal) {
                varying.push(*literal);
            }
        }
    }
    (alike >= SIZE).then_some(varying)
}

/// What literals are without the numbers that they compare with.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Form {
    Other(TermId),
    Compared(Vec<(TermId, Rational)>, bool),
}

fn shape(terms: &Terms, cube: &[TermId]) -> Vec<Form> {
    let form = |literal: &TermId| match terms.linear_atom(*literal) {
        Some(atom) if atom.comparison != Comparison::Equal => {
            Form::Compared(atom.form.terms, atom.comparison == Comparison::Less)
        }
        _ => Form::Other(*literal),
    };
    let mut forms: Vec<Form> = cube.iter().map(form).collect();
    forms.sort();
    forms
}

/// Pairs of bounds, those last of which both vary.
fn pairs(terms: &Terms, cube: &[TermId], varying: &[TermId]) -> Vec<(TermId, TermId)> {
    let bounds: Vec<TermId> = cube
        .iter()
        .copied()
        .filter(|literal| {
            terms
                .linear_atom(*literal)
                .is_some_and(|atom| atom.comparison != Comparison::Equal)
        })
        .collect();
    let mut pairs = Vec::new();
    for (position, first) in bounds.iter().enumerate() {
        pairs.extend(bounds[position + 1..].iter().map(|second| (*first, *second)));
    }
    pairs.sort_by_key(|(first, second)| [first, second].into_iter().filter(|one| varying.contains(one)).count());
    pairs
}

/// The sum of multiples of two bounds without a variable that bounds them from different sides; `None` if there is none.
fn eliminated(terms: &mut Terms, first: TermId, second: TermId) -> Option<TermId> {
    let (left, right) = (terms.linear_atom(first)?, terms.linear_atom(second)?);
    let sort = terms.sort(terms.arguments(first)[0]);
    if terms.sort(terms.arguments(second)[0]) != sort {
        return None;
    }
    let between = left.form.terms.iter().find_map(|(variable, coefficient)| {
        let other = right.form.coefficient(*variable);
        let is_between = !other.is_zero() && other.is_positive() != coefficient.is_positive();
        is_between.then(|| (coefficient.abs(), other.abs()))
    });
    let (mine, its) = between?;
    let mut sum = LinearForm::constant(Rational::zero());
    sum = sum.add_scaled(&left.form, &its);
    sum = sum.add_scaled(&right.form, &mine);
    let strict = left.comparison == Comparison::Less || right.comparison == Comparison::Less;
    let comparison = if strict {
        Comparison::Less
    } else {
        Comparison::LessOrEqual
    };
    let bound = terms.linear_formula(&sum, comparison, sort);
    (bound != TermId::TRUE && bound != TermId::FALSE).then_some(bound)
}
