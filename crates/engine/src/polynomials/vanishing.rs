//! The polynomials that vanish on a set of states: all equalities up to a degree that the states agree with (seed 001,
//! algorithm 1), as a Gröbner basis.
//!
//! The monomials are taken in ascending order, each as the vector of its values at the states. One that depends linearly
//! on smaller ones gives an equation with itself as the leading monomial, and its multiples need not be looked at. The
//! equations so found are the reduced Gröbner basis of everything that vanishes on the states, as far as the degree goes:
//! no equation follows from the others, and each is as low and as short as the order allows. So `t = 2a + 1` and
//! `s = a^2 + 2a + 1` come out, and not their combinations.
//!
//! Everything is done modulo primes; the coefficients found are tried on all states exactly.

use super::modular::{Field, PRIMES, Residue};
use super::polynomial::{Monomial, Polynomial};
use crate::terms::Rational;
use num_traits::{One, Zero};

/// A state: a value for each variable.
pub type State = Vec<Rational>;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// The highest degree.
    pub degree: u32,
    /// The highest number of monomials that do not depend on one another.
    pub terms: usize,
    /// The largest numerator or denominator of a coefficient that must be found: it says how many primes are needed.
    pub height: u64,
}

/// There must be this many more states than monomials, lest equations hold by chance.
const SURPLUS: usize = 12;
/// If there are fewer states than this, they are taken for all there are: then equations up to degree two say what they
/// have in common, however few states agree with them.
const FEW: usize = 30;
const FEW_DEGREE: u32 = 2;
/// States looked at in one elimination, for each monomial allowed.
const STATES_PER_TERM: usize = 3;
/// How often the states that an equation fails on are added.
const ROUNDS: usize = 6;
/// Coefficients up to this are found with one prime.
const HEIGHT: u64 = 999_999_999;
/// The length of the primes.
const PRIME_BITS: u64 = 61;

/// A monomial that depends on smaller ones modulo a prime.
struct Dependence {
    leading: Monomial,
    /// Coefficients of the standard monomials, by their position.
    coefficients: Vec<u64>,
}

/// The equations that all states satisfy.
pub(crate) fn vanishing(states: &[State], variables: usize, extent: Extent) -> Vec<Polynomial> {
    if states.is_empty() || variables == 0 {
        return Vec::new();
    }
    let most = (extent.terms * STATES_PER_TERM).max(3 * SURPLUS);
    let stride = states.len().div_ceil(most);
    let mut chosen: Vec<usize> = (0..states.len()).step_by(stride).collect();
    let mut sound = Vec::new();
    for _ in 0..ROUNDS {
        let rows: Vec<&State> = chosen.iter().map(|index| &states[*index]).collect();
        let found = with_primes(&rows, variables, extent);
        let before = chosen.len();
        sound.clear();
        for polynomial in found {
            let vanishes = |state: &State| polynomial.evaluate(state).is_some_and(|value| value.is_zero());
            match states.iter().position(|state| !vanishes(state)) {
                None => sound.push(polynomial),
                Some(index) if !chosen.contains(&index) => chosen.push(index),
                Some(_) => {}
            }
        }
        if chosen.len() == before {
            break;
        }
    }
    sound
}

/// The linear equations that all states satisfy, those of nine digits at most.
pub(crate) fn linear_equations(states: &[State], variables: usize) -> Vec<Polynomial> {
    let extent = Extent {
        degree: 1,
        terms: variables + 1,
        height: HEIGHT,
    };
    vanishing(states, variables, extent)
}

/// The equations, modulo as many primes as the height asks for. Those with longer coefficients are left out or come out
/// wrong, which the caller notices.
fn with_primes(rows: &[&State], variables: usize, extent: Extent) -> Vec<Polynomial> {
    // A fraction is determined by its residue modulo more than twice the square of its height.
    let bits = 2 * u64::from(u64::BITS - extent.height.leading_zeros()) + 1;
    let needed = (bits / PRIME_BITS + 1) as usize;
    let mut standard = Vec::new();
    let mut residues: Option<Vec<(Monomial, Vec<Residue>)>> = None;
    let mut used = 0;
    for prime in PRIMES {
        let Some((monomials, dependences)) = modulo(rows, variables, extent, Field { prime }) else {
            continue;
        };
        match &mut residues {
            None => {
                let first = dependences.into_iter().map(|found| {
                    let known = found.coefficients.into_iter().map(|c| Residue::new(c, prime));
                    (found.leading, known.collect())
                });
                residues = Some(first.collect());
                standard = monomials;
            }
            Some(residues) => {
                let leading = residues.iter().map(|(leading, _)| leading);
                if !leading.eq(dependences.iter().map(|found| &found.leading)) {
                    // The dependences differ by a rare accident: the prime divides something that matters.
                    continue;
                }
                for (found, (_, known)) in dependences.iter().zip(residues) {
                    for (coefficient, residue) in found.coefficients.iter().zip(known) {
                        residue.combine(*coefficient, prime);
                    }
                }
            }
        }
        used += 1;
        if used == needed {
            break;
        }
    }
    residues
        .unwrap_or_default()
        .iter()
        .filter_map(|(leading, known)| rational(leading, known, &standard))
        .collect()
}

fn rational(leading: &Monomial, known: &[Residue], standard: &[Monomial]) -> Option<Polynomial> {
    let mut parts = vec![(leading.clone(), Rational::one())];
    for (monomial, residue) in standard.iter().zip(known) {
        parts.push((monomial.clone(), -residue.fraction()?));
    }
    Some(Polynomial::of(parts).primitive())
}

/// A vector that is independent of those before it.
struct Independent {
    /// Its values at the states, one at the pivot.
    values: Vec<u64>,
    pivot: usize,
    /// How it is made of the standard monomials.
    combination: Vec<u64>,
}

/// The standard monomials and the dependences modulo a prime; `None` if the prime divides a denominator.
fn modulo(rows: &[&State], variables: usize, extent: Extent, field: Field) -> Option<(Vec<Monomial>, Vec<Dependence>)> {
    let mut columns: Vec<Vec<u64>> = vec![Vec::with_capacity(rows.len()); variables];
    for row in rows {
        for (column, value) in columns.iter_mut().zip(row.iter()) {
            column.push(field.residue(value)?);
        }
    }
    let mut standard: Vec<Monomial> = Vec::new();
    let mut powers: Vec<Vec<u64>> = Vec::new();
    let mut basis: Vec<Independent> = Vec::new();
    let mut dependences: Vec<Dependence> = Vec::new();
    let mut last_degree = 0;
    let few = rows.len() < FEW;
    let highest = if few {
        extent.degree.min(FEW_DEGREE)
    } else {
        extent.degree
    };
    for degree in 0..=highest {
        let candidates = next_monomials(&standard, last_degree, degree, variables, &dependences);
        let needed = standard.len() + candidates.len();
        if candidates.is_empty() || needed > extent.terms || (!few && needed + SURPLUS > rows.len()) {
            break;
        }
        last_degree = standard.len();
        for (monomial, origin) in candidates {
            let values = match origin {
                None => vec![1; rows.len()],
                Some((smaller, variable)) => {
                    let pairs = powers[smaller].iter().zip(&columns[variable]);
                    pairs.map(|(a, b)| field.product(*a, *b)).collect()
                }
            };
            let mut rest = values.clone();
            let mut combination = vec![0; standard.len() + 1];
            for vector in &basis {
                let factor = rest[vector.pivot];
                if factor != 0 {
                    subtract(field, &mut rest, &vector.values, factor);
                    subtract(field, &mut combination, &vector.combination, factor);
                }
            }
            match rest.iter().position(|value| *value != 0) {
                None => {
                    // The combination says what must be added to the monomial to get zero.
                    let coefficients = combination.iter().take(standard.len());
                    dependences.push(Dependence {
                        leading: monomial,
                        coefficients: coefficients.map(|c| field.subtract(0, *c)).collect(),
                    });
                }
                Some(pivot) => {
                    let inverse = field.inverse(rest[pivot]);
                    if let Some(own) = combination.last_mut() {
                        *own = 1;
                    }
                    for value in rest.iter_mut().chain(&mut combination) {
                        *value = field.product(*value, inverse);
                    }
                    basis.push(Independent {
                        values: rest,
                        pivot,
                        combination,
                    });
                    standard.push(monomial);
                    powers.push(values);
                }
            }
        }
    }
    // Dependences found early know fewer standard monomials than there are in the end; the missing ones do not occur.
    for dependence in &mut dependences {
        dependence.coefficients.resize(standard.len(), 0);
    }
    Some((standard, dependences))
}

fn subtract(field: Field, target: &mut [u64], vector: &[u64], factor: u64) {
    for (value, other) in target.iter_mut().zip(vector) {
        if *other != 0 {
            *value = field.subtract(*value, field.product(factor, *other));
        }
    }
}

/// A monomial and how it is made: from the standard monomial at a position, times a variable.
type Candidate = (Monomial, Option<(usize, usize)>);

/// The monomials of a degree all of whose factors are standard, ascending.
fn next_monomials(
    standard: &[Monomial],
    from: usize,
    degree: u32,
    variables: usize,
    dependences: &[Dependence],
) -> Vec<Candidate> {
    if degree == 0 {
        return vec![(Monomial::one(), None)];
    }
    let mut candidates: Vec<Candidate> = Vec::new();
    for (position, monomial) in standard.iter().enumerate().skip(from) {
        for variable in 0..variables {
            let product = monomial.times(&Monomial::variable(variable as u32));
            if !dependences.iter().any(|known| known.leading.divides(&product)) {
                candidates.push((product, Some((position, variable))));
            }
        }
    }
    candidates.sort_by(|a, b| a.0.cmp(&b.0));
    candidates.dedup_by(|a, b| a.0 == b.0);
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(rows: &[&[i64]]) -> Vec<State> {
        let number = |value: &i64| Rational::from_integer((*value).into());
        rows.iter().map(|row| row.iter().map(number).collect()).collect()
    }

    const EXTENT: Extent = Extent {
        degree: 2,
        terms: 40,
        height: 1_000_000,
    };

    #[test]
    fn the_square_root_program_has_its_two_equations() {
        // s, t, a as in the loop of the program `sqrt`.
        let rows: Vec<[i64; 3]> = (0..40).map(|a| [(a + 1) * (a + 1), 2 * a + 1, a]).collect();
        let rows: Vec<&[i64]> = rows.iter().map(|row| &row[..]).collect();
        let found = vanishing(&states(&rows), 3, EXTENT);
        let x = |v| Polynomial::variable(v);
        let n = |value: i64| Polynomial::constant(Rational::from_integer(value.into()));
        let t = x(1).minus(&n(2).times(&x(2))).minus(&n(1));
        let s = x(2).times(&x(2)).plus(&n(2).times(&x(2))).plus(&n(1)).minus(&x(0));
        assert_eq!(found, [t, s]);
    }

    #[test]
    fn few_states_are_described_exactly() {
        // (0, 1) and (1, 0) alone: x = 1 - y and y^2 = y.
        let found = vanishing(&states(&[&[0, 1], &[1, 0]]), 2, EXTENT);
        let [x, y] = [0, 1].map(Polynomial::variable);
        let one = Polynomial::constant(Rational::one());
        assert_eq!(found, [x.plus(&y).minus(&one), y.times(&y).minus(&y)]);
    }

    #[test]
    fn long_coefficients_are_found_with_several_primes() {
        let factor: i64 = 123_456_789_012;
        let rows: Vec<[i64; 2]> = (0..40).map(|a| [factor * a + 7, a]).collect();
        let rows: Vec<&[i64]> = rows.iter().map(|row| &row[..]).collect();
        let high = Extent {
            height: factor.unsigned_abs(),
            ..EXTENT
        };
        let [x, y] = [0, 1].map(Polynomial::variable);
        let number = |value: i64| Polynomial::constant(Rational::from_integer(value.into()));
        let expected = x.minus(&number(factor).times(&y)).minus(&number(7));
        assert_eq!(vanishing(&states(&rows), 2, high), [expected.primitive()]);
        assert!(vanishing(&states(&rows), 2, EXTENT).is_empty());
    }

    #[test]
    fn states_beyond_the_sample_refute() {
        // Even numbers first, so that a sample of every other state would show nothing else.
        let mut rows: Vec<[i64; 2]> = (0..200).map(|a| [a, a]).collect();
        rows[7] = [7, 8];
        let rows: Vec<&[i64]> = rows.iter().map(|row| &row[..]).collect();
        let small = Extent {
            degree: 1,
            terms: 4,
            ..EXTENT
        };
        assert!(vanishing(&states(&rows), 2, small).is_empty());
    }
}
