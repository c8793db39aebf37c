//! Farkas coefficients: multiples of assumed atoms whose sum is a contradiction, for interpolation.

use super::boolean::Literal;
use super::formulas::Kind;
use super::number::Delta;
use super::search::{Limits, Search};
use super::simplex::{Conflict, Feasibility, Side, Simplex};
use crate::terms::{Comparison, LinearForm, Rational, SortId, TermId, Terms};
use num_traits::{Signed, Zero};

/// One atom's part of a contradiction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FarkasTerm {
    /// Which assumed formula the atom is, or is a conjunct of.
    pub position: usize,
    /// The atom.
    pub atom: TermId,
    /// Its coefficient: positive, or of any sign if the atom is an equality.
    pub coefficient: Rational,
}

/// Whether the atoms' forms, multiplied by the coefficients, add up to a number that contradicts the sum of their
/// comparisons with zero.
pub fn is_contradiction(terms: &Terms, combination: &[FarkasTerm]) -> bool {
    let mut sum = LinearForm::constant(Rational::zero());
    let mut strict = false;
    for part in combination {
        let Some(atom) = terms.linear_atom(part.atom) else {
            return false;
        };
        if atom.comparison != Comparison::Equal && !part.coefficient.is_positive() {
            return false;
        }
        strict |= atom.comparison == Comparison::Less;
        sum = sum.add_scaled(&atom.form, &part.coefficient);
    }
    sum.terms.is_empty() && (sum.constant.is_positive() || (strict && sum.constant.is_zero()))
}

/// An atom that is assumed: its literal, the position of its formula, and the atom itself.
pub struct AssumedAtom {
    /// Its literal.
    pub literal: Literal,
    /// Where it comes from.
    pub position: usize,
    /// The atom.
    pub atom: TermId,
}

/// The combination of bounds and equalities among `atoms` that contradicts itself over the rationals, if there is one.
///
/// It is computed anew, in a tableau of its own: so it depends on the atoms alone, and not on what was learned before.
pub fn combination(search: &Search, terms: &Terms, atoms: &[AssumedAtom], allowance: u64) -> Option<Vec<FarkasTerm>> {
    match relaxed(search, atoms, allowance) {
        Relaxation::Conflict(conflict) => scaled(search, terms, atoms, conflict),
        Relaxation::Satisfied(_) | Relaxation::GaveUp => None,
    }
}

/// What is known of a conjunction of atoms when integers may have fractions.
pub enum Refutation {
    /// Multiples of the atoms add up to a contradiction.
    Combination(Vec<FarkasTerm>),
    /// They do not, but only because of a value for this integer that lies between the number and the next.
    Fraction(TermId, Rational),
    /// Neither.
    Open,
}

/// Refutes a conjunction of linear atoms by a combination of them, or says where to split. What is not linear in them has
/// any value.
pub fn refute(terms: &Terms, atoms: &[TermId]) -> Refutation {
    let limits = Limits::default();
    let mut search = Search::new(limits);
    let assumed: Vec<AssumedAtom> = atoms
        .iter()
        .enumerate()
        .map(|(position, atom)| AssumedAtom {
            literal: search.encode(terms, *atom),
            position,
            atom: *atom,
        })
        .collect();
    match relaxed(&search, &assumed, limits.work) {
        Relaxation::Conflict(conflict) => {
            let combination = scaled(&search, terms, &assumed, conflict);
            combination.map_or(Refutation::Open, Refutation::Combination)
        }
        Relaxation::Satisfied(simplex) => {
            let fractional = |variable: &TermId| {
                let value = simplex.value(search.encoding.column(*variable)?);
                let between = terms.sort(*variable) == SortId::INT && !value.is_integer();
                between.then(|| Refutation::Fraction(*variable, value.floor()))
            };
            let variables = terms.variables_of_all(atoms);
            variables.iter().find_map(fractional).unwrap_or(Refutation::Open)
        }
        Relaxation::GaveUp => Refutation::Open,
    }
}

/// What the tableau says of atoms over the rationals.
enum Relaxation {
    /// Bounds that contradict each other; their reasons are numbers of atoms, negated for lower bounds.
    Conflict(Conflict),
    Satisfied(Simplex),
    GaveUp,
}

fn relaxed(search: &Search, atoms: &[AssumedAtom], allowance: u64) -> Relaxation {
    let mut simplex = search.simplex.without_bounds();
    for (index, assumed) in atoms.iter().enumerate() {
        let (column, bounds) = match search.formulas.kind(assumed.literal.variable()) {
            Kind::Equality { column, value, .. } if !assumed.literal.is_negated() => {
                let value = Delta::exactly(value.clone());
                (*column, vec![(Side::Lower, value.clone()), (Side::Upper, value)])
            }
            _ => match search.formulas.bound_of(&search.simplex, assumed.literal) {
                Some((column, side, bound)) => (column, vec![(side, bound)]),
                None => continue,
            },
        };
        for (side, bound) in bounds {
            let reason = Literal::positive(index as u32);
            let reason = if side == Side::Lower { !reason } else { reason };
            if let Err(conflict) = simplex.assert_bound(column, side, bound, reason, 0) {
                return Relaxation::Conflict(conflict);
            }
        }
    }
    match simplex.check(allowance) {
        Feasibility::Infeasible(conflict) => Relaxation::Conflict(conflict),
        Feasibility::Feasible => Relaxation::Satisfied(simplex),
        Feasibility::GaveUp => Relaxation::GaveUp,
    }
}

/// A conflict of bounds as one of the atoms as they are written.
fn scaled(search: &Search, terms: &Terms, atoms: &[AssumedAtom], conflict: Conflict) -> Option<Vec<FarkasTerm>> {
    let mut combination: Vec<FarkasTerm> = Vec::new();
    for (reason, coefficient) in conflict {
        let side = if reason.is_negated() { Side::Lower } else { Side::Upper };
        let assumed = &atoms[reason.variable() as usize];
        let scale = scale_of(search, terms, assumed, side)?;
        let coefficient = coefficient * scale;
        match combination.iter_mut().find(|part| part.atom == assumed.atom) {
            Some(part) => part.coefficient += coefficient,
            None => combination.push(FarkasTerm {
                position: assumed.position,
                atom: assumed.atom,
                coefficient,
            }),
        }
    }
    combination.retain(|part| !part.coefficient.is_zero());
    combination.sort_by_key(|part| part.position);
    is_contradiction(terms, &combination).then_some(combination)
}

/// By what the atom, as it is written, must be multiplied to say what its column's bound on a side says.
fn scale_of(search: &Search, terms: &Terms, assumed: &AssumedAtom, side: Side) -> Option<Rational> {
    let atom = terms.linear_atom(assumed.atom)?;
    let (term, coefficient) = atom.form.terms.first()?;
    let written = coefficient;
    let (column, _, _) = match search.formulas.kind(assumed.literal.variable()) {
        Kind::Equality { column, .. } => (*column, Side::Upper, Delta::ZERO),
        _ => search.formulas.bound_of(&search.simplex, assumed.literal)?,
    };
    let in_column = search.simplex.coefficient_in(column, search.encoding.column(*term)?)?;
    let scale = in_column / written;
    Some(if side == Side::Upper { scale } else { -scale })
}
