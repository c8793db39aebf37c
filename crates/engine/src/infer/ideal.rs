//! Ideals: whether a polynomial is a combination of others, by reduction and, within limits, Buchberger's algorithm.
//!
//! If `g = Σ mᵢ·hᵢ` with polynomials `mᵢ`, then `g` is zero wherever all `hᵢ` are. So equalities are proved from
//! equalities, exactly and without a solver.

use crate::polynomials::{Monomial, Polynomial};
use crate::terms::Rational;
use num_traits::One;

/// Limits of the search for a Gröbner basis. Reaching one loses proofs, nothing else.
#[derive(Clone, Copy, Debug)]
pub(super) struct IdealLimits {
    /// Pairs that are looked at.
    pub pairs: usize,
    /// Polynomials in the basis.
    pub polynomials: usize,
    /// Monomials of a polynomial.
    pub monomials: usize,
    /// The degree of what is added.
    pub degree: u32,
    /// Monomials added in the course of a completion.
    pub work: usize,
}

impl Default for IdealLimits {
    fn default() -> Self {
        IdealLimits {
            pairs: 300,
            polynomials: 50,
            monomials: 150,
            degree: 8,
            work: 60_000,
        }
    }
}

/// Monomials added in the course of one reduction.
const REDUCTION_WORK: usize = 40_000;

/// Generators of an ideal, each with the leading coefficient one.
#[derive(Clone, Debug, Default)]
pub(super) struct Ideal {
    generators: Vec<Polynomial>,
    limits: IdealLimits,
    /// Whether all pairs were looked at within the limits.
    completed: bool,
}

impl Ideal {
    /// The ideal that some polynomials generate.
    pub fn new(generators: impl IntoIterator<Item = Polynomial>, limits: IdealLimits) -> Ideal {
        let mut ideal = Ideal {
            generators: Vec::new(),
            limits,
            completed: false,
        };
        let mut sorted: Vec<Polynomial> = generators.into_iter().collect();
        // The simplest ones first: they reduce the others.
        sorted.sort_by_key(|polynomial| (polynomial.degree(), polynomial.term_count()));
        for polynomial in sorted {
            if let Some(rest) = ideal.reduce(&polynomial) {
                ideal.add(rest);
            }
        }
        ideal
    }

    fn add(&mut self, polynomial: Polynomial) {
        if let Some((_, leading)) = polynomial.leading() {
            let mut monic = Polynomial::default();
            monic.add_scaled(&polynomial, &Monomial::one(), &leading.recip());
            self.generators.push(monic);
        }
    }

    /// The remainder after division by the generators; `None` if that takes too long. Zero: it belongs to the ideal.
    pub fn reduce(&self, polynomial: &Polynomial) -> Option<Polynomial> {
        self.reduce_within(polynomial, &mut { REDUCTION_WORK })
    }

    fn reduce_within(&self, polynomial: &Polynomial, work: &mut usize) -> Option<Polynomial> {
        let mut rest = polynomial.clone();
        let mut remainder = Polynomial::default();
        loop {
            let Some((leading, coefficient)) = rest.leading().map(|(m, c)| (m.clone(), c.clone())) else {
                return Some(remainder);
            };
            let divisor = self.generators.iter().find_map(|generator| {
                let quotient = leading.quotient(generator.leading()?.0)?;
                Some((generator, quotient))
            });
            let added = divisor.as_ref().map_or(1, |(generator, _)| generator.term_count());
            *work = work.checked_sub(added)?;
            match divisor {
                Some((generator, quotient)) => rest.add_scaled(generator, &quotient, &-&coefficient),
                None => {
                    let part = Polynomial::of([(leading, coefficient)]);
                    rest.add_scaled(&part, &Monomial::one(), &-Rational::one());
                    remainder.add_scaled(&part, &Monomial::one(), &Rational::one());
                }
            }
        }
    }

    /// Whether the polynomial is known to belong to the ideal.
    pub fn has_member(&self, polynomial: &Polynomial) -> bool {
        self.reduce(polynomial).is_some_and(|rest| rest.is_zero())
    }

    /// Adds what Buchberger's algorithm finds, so that reduction recognizes more members.
    pub fn complete(&mut self) {
        if std::mem::replace(&mut self.completed, true) {
            return;
        }
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for right in 0..self.generators.len() {
            pairs.extend((0..right).map(|left| (left, right)));
        }
        let mut work = self.limits.work;
        for _ in 0..self.limits.pairs {
            // The pair with the lowest least common multiple first, as usual.
            let Some((position, _)) = pairs
                .iter()
                .enumerate()
                .filter_map(|(position, pair)| Some((position, self.lcm(*pair)?)))
                .min_by(|a, b| a.1.cmp(&b.1))
            else {
                return;
            };
            let pair = pairs.swap_remove(position);
            let Some(difference) = self.difference(pair) else {
                continue;
            };
            let Some(rest) = self.reduce_within(&difference, &mut work) else {
                return;
            };
            let too_large = rest.degree() > self.limits.degree || rest.term_count() > self.limits.monomials;
            if rest.is_zero() || too_large || self.generators.len() >= self.limits.polynomials {
                continue;
            }
            let new = self.generators.len();
            pairs.extend((0..new).map(|left| (left, new)));
            self.add(rest);
        }
    }

    fn lcm(&self, (left, right): (usize, usize)) -> Option<Monomial> {
        let (a, _) = self.generators.get(left)?.leading()?;
        let (b, _) = self.generators.get(right)?.leading()?;
        Some(a.least_common_multiple(b))
    }

    /// The two generators, multiplied so that their leading monomials meet, subtracted; `None` if that is known to reduce to
    /// zero because these share no variable.
    fn difference(&self, pair: (usize, usize)) -> Option<Polynomial> {
        let lcm = self.lcm(pair)?;
        let (a, b) = (self.generators.get(pair.0)?, self.generators.get(pair.1)?);
        let (first, second) = (a.leading()?.0, b.leading()?.0);
        if first.greatest_common_divisor(second).degree() == 0 {
            return None;
        }
        let mut difference = Polynomial::default();
        difference.add_scaled(a, &lcm.quotient(first)?, &Rational::one());
        difference.add_scaled(b, &lcm.quotient(second)?, &-Rational::one());
        Some(difference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(variable: u32) -> Polynomial {
        Polynomial::variable(variable)
    }

    fn n(value: i64) -> Polynomial {
        Polynomial::constant(Rational::from_integer(value.into()))
    }

    #[test]
    fn members_are_recognized() {
        // x = q·y + r and b = a·y imply x = (q + a)·y + (r - b).
        let [x, q, y, r, a, b] = [0, 1, 2, 3, 4, 5].map(v);
        let hypotheses = [x.minus(&q.times(&y)).minus(&r), b.minus(&a.times(&y))];
        let ideal = Ideal::new(hypotheses, IdealLimits::default());
        let goal = x.minus(&q.plus(&a).times(&y)).minus(&r.minus(&b));
        assert!(ideal.has_member(&goal));
        assert!(!ideal.has_member(&goal.plus(&n(1))));
    }

    #[test]
    fn completion_finds_what_reduction_alone_does_not() {
        // x·y = 1 and x·z = 1 imply y = z.
        let [x, y, z] = [0, 1, 2].map(v);
        let mut ideal = Ideal::new(
            [x.times(&y).minus(&n(1)), x.times(&z).minus(&n(1))],
            IdealLimits::default(),
        );
        let goal = y.minus(&z);
        assert!(!ideal.has_member(&goal));
        ideal.complete();
        assert!(ideal.has_member(&goal));
    }
}
