//! Polynomials with rational coefficients over numbered variables, in a graded order: the form in which equalities are
//! found, reduced and proved.
//!
//! Variable 0 is the largest. Terms that are not polynomial (divisions, conditionals) count as variables of their own.

use crate::terms::{Operator, Rational, SortId, TermId, Terms};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A product of powers of variables: the exponents by ascending variable, none of them zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Monomial(Vec<(u32, u32)>);

impl Monomial {
    /// The empty product.
    pub fn one() -> Monomial {
        Monomial::default()
    }

    /// A variable.
    pub fn variable(variable: u32) -> Monomial {
        Monomial(vec![(variable, 1)])
    }

    /// The variables and their exponents.
    pub fn powers(&self) -> &[(u32, u32)] {
        &self.0
    }

    /// The sum of the exponents.
    pub fn degree(&self) -> u32 {
        self.0.iter().map(|(_, exponent)| exponent).sum()
    }

    /// The exponent of a variable.
    pub fn exponent(&self, variable: u32) -> u32 {
        self.0.iter().find(|(v, _)| *v == variable).map_or(0, |(_, e)| *e)
    }

    /// The product.
    pub fn times(&self, other: &Monomial) -> Monomial {
        let mut product = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (Some((a, m)), Some((b, n))) if a == b => {
                    product.push((*a, m + n));
                    left.next();
                    right.next();
                }
                (Some((a, _)), Some((b, _))) if a > b => product.extend(right.next()),
                (Some(_), _) => product.extend(left.next()),
                (None, Some(_)) => product.extend(right.next()),
                (None, None) => return Monomial(product),
            }
        }
    }

    /// Whether this divides the other one.
    pub fn divides(&self, other: &Monomial) -> bool {
        self.0.iter().all(|(variable, e)| other.exponent(*variable) >= *e)
    }

    /// `self / divisor`, if it divides.
    pub fn quotient(&self, divisor: &Monomial) -> Option<Monomial> {
        divisor.divides(self).then(|| {
            let rest = self.0.iter().map(|(v, e)| (*v, e - divisor.exponent(*v)));
            Monomial(rest.filter(|(_, e)| *e > 0).collect())
        })
    }

    /// The least common multiple.
    pub fn least_common_multiple(&self, other: &Monomial) -> Monomial {
        let missing = other.quotient(&self.greatest_common_divisor(other)).unwrap_or_default();
        self.times(&missing)
    }

    /// The greatest common divisor.
    pub fn greatest_common_divisor(&self, other: &Monomial) -> Monomial {
        let common = self.0.iter().map(|(v, e)| (*v, (*e).min(other.exponent(*v))));
        Monomial(common.filter(|(_, e)| *e > 0).collect())
    }
}

impl Ord for Monomial {
    /// By degree; among equals, the one with more of the first variable is larger.
    fn cmp(&self, other: &Monomial) -> Ordering {
        self.degree().cmp(&other.degree()).then_with(|| {
            for ((a, m), (b, n)) in self.0.iter().zip(&other.0) {
                // The smaller variable is the larger factor.
                let order = b.cmp(a).then(m.cmp(n));
                if order != Ordering::Equal {
                    return order;
                }
            }
            Ordering::Equal
        })
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Monomial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A polynomial: its coefficients, none of them zero, by monomial.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Polynomial(BTreeMap<Monomial, Rational>);

impl Polynomial {
    /// A constant.
    pub fn constant(value: Rational) -> Polynomial {
        Polynomial::of([(Monomial::one(), value)])
    }

    /// A variable.
    pub fn variable(variable: u32) -> Polynomial {
        Polynomial::of([(Monomial::variable(variable), Rational::one())])
    }

    /// The sum of the given multiples of monomials.
    pub fn of(parts: impl IntoIterator<Item = (Monomial, Rational)>) -> Polynomial {
        let mut sum = Polynomial::default();
        for (monomial, coefficient) in parts {
            sum.add_part(monomial, coefficient);
        }
        sum
    }

    fn add_part(&mut self, monomial: Monomial, coefficient: Rational) {
        if coefficient.is_zero() {
            return;
        }
        let entry = self.0.entry(monomial.clone()).or_insert_with(Rational::zero);
        *entry += coefficient;
        if entry.is_zero() {
            self.0.remove(&monomial);
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Monomials and coefficients, ascending.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = (&Monomial, &Rational)> {
        self.0.iter()
    }

    /// How many monomials it has.
    pub fn term_count(&self) -> usize {
        self.0.len()
    }

    /// Whether it has no monomials.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The largest monomial and its coefficient.
    pub fn leading(&self) -> Option<(&Monomial, &Rational)> {
        self.0.last_key_value()
    }

    /// The degree; 0 for constants.
    pub fn degree(&self) -> u32 {
        self.leading().map_or(0, |(monomial, _)| monomial.degree())
    }

    /// The value, if it is a constant.
    pub fn constant_value(&self) -> Option<Rational> {
        match self.leading() {
            None => Some(Rational::zero()),
            Some((monomial, value)) if monomial.degree() == 0 => Some(value.clone()),
            Some(_) => None,
        }
    }

    /// The coefficient of a monomial.
    pub fn coefficient(&self, monomial: &Monomial) -> Rational {
        self.0.get(monomial).cloned().unwrap_or_else(Rational::zero)
    }

    /// The variables, ascending.
    pub fn variables(&self) -> Vec<u32> {
        let mut variables: Vec<u32> = self.0.keys().flat_map(|m| m.0.iter().map(|(v, _)| *v)).collect();
        variables.sort();
        variables.dedup();
        variables
    }

    /// `self + factor·monomial·other`.
    pub fn add_scaled(&mut self, other: &Polynomial, monomial: &Monomial, factor: &Rational) {
        for (m, coefficient) in &other.0 {
            self.add_part(m.times(monomial), coefficient * factor);
        }
    }

    /// The sum.
    pub fn plus(&self, other: &Polynomial) -> Polynomial {
        let mut sum = self.clone();
        sum.add_scaled(other, &Monomial::one(), &Rational::one());
        sum
    }

    /// The difference.
    pub fn minus(&self, other: &Polynomial) -> Polynomial {
        let mut difference = self.clone();
        difference.add_scaled(other, &Monomial::one(), &-Rational::one());
        difference
    }

    /// The product.
    pub fn times(&self, other: &Polynomial) -> Polynomial {
        let mut product = Polynomial::default();
        for (monomial, coefficient) in &other.0 {
            product.add_scaled(self, monomial, coefficient);
        }
        product
    }

    /// The polynomial with polynomials for all its variables; `None` if it would have more than `limit` monomials.
    pub fn compose(&self, value_of: &dyn Fn(u32) -> Polynomial, limit: usize) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        let mut powers: BTreeMap<(u32, u32), Polynomial> = BTreeMap::new();
        for (monomial, coefficient) in &self.0 {
            let mut product = Polynomial::constant(coefficient.clone());
            for (variable, exponent) in &monomial.0 {
                for power in 1..=*exponent {
                    if !powers.contains_key(&(*variable, power)) {
                        let value = match powers.get(&(*variable, power - 1)) {
                            Some(smaller) => smaller.times(&value_of(*variable)),
                            None => value_of(*variable),
                        };
                        if value.term_count() > limit {
                            return None;
                        }
                        powers.insert((*variable, power), value);
                    }
                }
                if let Some(power) = powers.get(&(*variable, *exponent)) {
                    product = product.times(power);
                }
                if product.term_count() > limit {
                    return None;
                }
            }
            sum.add_scaled(&product, &Monomial::one(), &Rational::one());
        }
        Some(sum)
    }

    /// The polynomial with integer coefficients without a common divisor, the leading one positive.
    pub fn primitive(&self) -> Polynomial {
        let mut denominators = BigInt::one();
        let mut numerators = BigInt::zero();
        for coefficient in self.0.values() {
            denominators = denominators.lcm(&coefficient.denom());
        }
        for coefficient in self.0.values() {
            numerators = numerators.gcd(&(coefficient.numer() * (&denominators / coefficient.denom())));
        }
        if numerators.is_zero() {
            return self.clone();
        }
        let mut factor = Rational::new(denominators, numerators);
        if self.leading().is_some_and(|(_, coefficient)| coefficient.is_negative()) {
            factor = -factor;
        }
        let scaled = self.0.iter().map(|(m, c)| (m.clone(), c * &factor));
        Polynomial(scaled.collect())
    }

    /// Its value where the variables have these values; `None` if one has none.
    pub fn evaluate(&self, values: &[Rational]) -> Option<Rational> {
        let mut sum = Rational::zero();
        for (monomial, coefficient) in &self.0 {
            let mut product = coefficient.clone();
            for (variable, exponent) in &monomial.0 {
                let value = values.get(*variable as usize)?;
                for _ in 0..*exponent {
                    product *= value;
                }
            }
            sum += product;
        }
        Some(sum)
    }

    /// The largest absolute value of a numerator or denominator: a measure of how unlikely a person would have written it.
    pub fn height(&self) -> BigInt {
        let sizes = self.0.values().map(|c| c.numer().abs().max(c.denom().clone()));
        sizes.max().unwrap_or_else(BigInt::zero)
    }
}

/// The numbering of the variables of polynomials: terms that are no sums, products or numbers.
#[derive(Clone, Debug, Default)]
pub struct Indeterminates {
    terms: Vec<TermId>,
}

impl Indeterminates {
    /// A numbering that begins with these terms.
    pub fn new(terms: &[TermId]) -> Indeterminates {
        Indeterminates { terms: terms.to_vec() }
    }

    /// The term with this number.
    pub fn term(&self, variable: u32) -> Option<TermId> {
        self.terms.get(variable as usize).copied()
    }

    /// All terms.
    pub fn terms(&self) -> &[TermId] {
        &self.terms
    }

    /// The number of a term, a new one if it has none yet.
    pub fn index(&mut self, term: TermId) -> u32 {
        let known = self.terms.iter().position(|other| *other == term);
        known.unwrap_or_else(|| {
            self.terms.push(term);
            self.terms.len() - 1
        }) as u32
    }

    /// A numeric term as a polynomial; what is not polynomial becomes a variable.
    pub fn polynomial(&mut self, terms: &Terms, term: TermId) -> Polynomial {
        let mut sum = Polynomial::default();
        let form = terms.linear_form(term);
        sum.add_part(Monomial::one(), form.constant.clone());
        for (atom, coefficient) in &form.terms {
            let product = match terms.operator(*atom) {
                Operator::Multiply => {
                    let factors = terms.arguments(*atom).to_vec();
                    let mut product = Polynomial::constant(Rational::one());
                    for factor in factors {
                        // A sum that was too long to be multiplied out is a factor; its parts are no such sums again.
                        let value = match terms.operator(factor) {
                            Operator::Add => self.sum_of_atoms(terms, factor),
                            _ => Polynomial::variable(self.index(factor)),
                        };
                        product = product.times(&value);
                    }
                    product
                }
                // An integer is the same number when it is seen as a real one.
                Operator::ToReal => match terms.arguments(*atom) {
                    [integer] => self.polynomial(terms, *integer),
                    _ => Polynomial::variable(self.index(*atom)),
                },
                _ => Polynomial::variable(self.index(*atom)),
            };
            sum.add_scaled(&product, &Monomial::one(), coefficient);
        }
        sum
    }

    /// A sum whose products become variables as wholes where they hold sums themselves.
    fn sum_of_atoms(&mut self, terms: &Terms, sum: TermId) -> Polynomial {
        let form = terms.linear_form(sum);
        let mut polynomial = Polynomial::constant(form.constant.clone());
        for (atom, coefficient) in &form.terms {
            let factors: Vec<TermId> = match terms.operator(*atom) {
                Operator::Multiply => terms.arguments(*atom).to_vec(),
                _ => vec![*atom],
            };
            let flat = factors.iter().all(|factor| terms.operator(*factor) != Operator::Add);
            let factors = if flat { factors } else { vec![*atom] };
            let mut monomial = Monomial::one();
            for factor in factors {
                monomial = monomial.times(&Monomial::variable(self.index(factor)));
            }
            polynomial.add_part(monomial, coefficient.clone());
        }
        polynomial
    }

    /// The polynomial as a term of the given sort. Over the integers its coefficients must be integers.
    pub fn to_term(&self, terms: &mut Terms, polynomial: &Polynomial, sort: SortId) -> TermId {
        let mut sum = terms.number(Rational::zero(), sort);
        for (monomial, coefficient) in polynomial.parts() {
            let mut product = terms.number(coefficient.clone(), sort);
            for (variable, exponent) in monomial.powers() {
                if let Some(factor) = self.term(*variable) {
                    let factor = if sort == SortId::REAL {
                        terms.to_real(factor)
                    } else {
                        factor
                    };
                    for _ in 0..*exponent {
                        product = terms.multiply(product, factor);
                    }
                }
            }
            sum = terms.add(sum, product);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Polynomial {
        Polynomial::variable(0)
    }

    fn y() -> Polynomial {
        Polynomial::variable(1)
    }

    fn number(value: i64) -> Polynomial {
        Polynomial::constant(Rational::from_integer(value.into()))
    }

    #[test]
    fn products_are_multiplied_out_and_cancel() {
        let product = x().plus(&y()).times(&x().minus(&y()));
        let expected = x().times(&x()).minus(&y().times(&y()));
        assert_eq!(product, expected);
        assert!(product.minus(&expected).is_zero());
        assert_eq!(product.degree(), 2);
    }

    #[test]
    fn the_order_is_by_degree_and_then_by_variable() {
        let of = |powers: &[(u32, u32)]| Monomial(powers.to_vec());
        let mut monomials = vec![
            of(&[(0, 2)]),
            of(&[(1, 2)]),
            of(&[(0, 1), (1, 1)]),
            of(&[(1, 1)]),
            of(&[(0, 1)]),
            of(&[]),
        ];
        monomials.sort();
        let expected = [
            of(&[]),
            of(&[(1, 1)]),
            of(&[(0, 1)]),
            of(&[(1, 2)]),
            of(&[(0, 1), (1, 1)]),
            of(&[(0, 2)]),
        ];
        assert_eq!(monomials, expected);
    }

    #[test]
    fn composition_is_substitution() {
        // (x + 1)^2 - 2x - 1 = x^2
        let square = x().times(&x()).minus(&y());
        let value = |variable| {
            if variable == 0 {
                x().plus(&number(1))
            } else {
                x().plus(&x()).plus(&number(1))
            }
        };
        assert_eq!(square.compose(&value, 100), Some(x().times(&x())));
        assert_eq!(square.compose(&value, 1), None);
    }

    #[test]
    fn terms_become_polynomials_and_back() {
        let mut terms = Terms::new();
        let [a, b] = ["A", "B"].map(|name| terms.fresh_variable(name, SortId::INT));
        let sum = terms.add(a, b);
        let square = terms.multiply(sum, sum);
        let mut indeterminates = Indeterminates::new(&[a, b]);
        let polynomial = indeterminates.polynomial(&terms, square);
        assert_eq!(polynomial, x().plus(&y()).times(&x().plus(&y())));
        assert_eq!(indeterminates.to_term(&mut terms, &polynomial, SortId::INT), square);
    }

    #[test]
    fn primitive_form_has_no_fractions_and_a_positive_leader() {
        let half = Polynomial::constant(Rational::new((-1).into(), 2.into()));
        let polynomial = half.times(&x()).plus(&y());
        assert_eq!(polynomial.primitive(), x().minus(&y().plus(&y())));
    }
}
