//! Steps that no integers take, because what an equation adds up is divisible and its constant is not.
//!
//! Where `p*p + r*q = n*q` holds and a step is for `p = 2*m + 1` and `q = 4*u`, all of `4*m*m + 4*m + 4*r*u - 4*n*u` is divisible by four,
//! and 1 is not. Solvers of nonlinear arithmetic seldom see that.

use super::steps::Step;
use crate::polynomials::Polynomial;
use crate::terms::{SortId, Terms};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// Equations become polynomials of at most so many monomials, or are not looked at.
const COMPOSED: usize = 400;

/// Whether one of the equations that hold before a step has no solution in integers with the step's own.
pub(super) fn is_impossible(terms: &Terms, step: &Step, equalities: &[Polynomial]) -> bool {
    let values = solved(step);
    if values.is_empty() {
        return false;
    }
    let value_of = |variable: u32| {
        let known = values.iter().find(|(solved, _)| *solved == variable);
        known.map_or_else(|| Polynomial::variable(variable), |(_, value)| value.clone())
    };
    let is_integer = |variable: u32| {
        let term = step.indeterminates.term(variable);
        term.is_some_and(|term| terms.sort(term) == SortId::INT)
    };
    let composed = equalities
        .iter()
        .filter_map(|equality| equality.compose(&value_of, COMPOSED));
    composed
        .filter(|polynomial| polynomial.variables().into_iter().all(is_integer))
        .any(|polynomial| has_no_root(&polynomial.primitive()))
}

/// Whether a polynomial with integers for coefficients has no root, as all of it but its constant is divisible by a number.
fn has_no_root(polynomial: &Polynomial) -> bool {
    let (mut divisor, mut constant) = (BigInt::zero(), BigInt::zero());
    for (monomial, coefficient) in polynomial.parts() {
        if !coefficient.is_integer() {
            return false;
        }
        match monomial.degree() {
            0 => constant = coefficient.to_integer(),
            _ => divisor = divisor.gcd(&coefficient.to_integer()),
        }
    }
    match divisor.is_zero() {
        true => !constant.is_zero(),
        false => !(constant % divisor).is_zero(),
    }
}

/// Parameters that linear equations of a step determine, and what they are, over what is not determined.
fn solved(step: &Step) -> Vec<(u32, Polynomial)> {
    let mut values: Vec<(u32, Polynomial)> = Vec::new();
    for equation in step.zero.iter().filter(|equation| equation.degree() == 1) {
        let put_in = |values: &[(u32, Polynomial)], polynomial: &Polynomial| {
            let value_of = |variable: u32| {
                let known = values.iter().find(|(solved, _)| *solved == variable);
                known.map_or_else(|| Polynomial::variable(variable), |(_, value)| value.clone())
            };
            polynomial.compose(&value_of, COMPOSED)
        };
        let Some(equation) = put_in(&values, equation) else {
            continue;
        };
        let is_whole = equation.parts().all(|(_, coefficient)| coefficient.is_integer());
        let single = equation.parts().find(|(monomial, coefficient)| {
            let variable = monomial.powers().first().map(|(variable, _)| *variable);
            coefficient.abs().is_one() && variable.is_some_and(|variable| (variable as usize) < step.parameters)
        });
        let Some((monomial, coefficient)) = single.filter(|_| is_whole) else {
            continue;
        };
        let variable = monomial.powers()[0].0;
        let mut value = Polynomial::variable(variable);
        value.add_scaled(&equation, &crate::polynomials::Monomial::one(), &-coefficient.clone());
        for (_, known) in &mut values {
            let only = [(variable, value.clone())];
            if let Some(changed) = put_in(&only, known) {
                *known = changed;
            }
        }
        values.push((variable, value));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polynomials::Monomial;
    use crate::terms::Rational;

    fn polynomial(parts: &[(&[u32], i64)]) -> Polynomial {
        Polynomial::of(parts.iter().map(|(variables, coefficient)| {
            let monomial = variables.iter().fold(Monomial::one(), |product, variable| {
                product.times(&Monomial::variable(*variable))
            });
            (monomial, Rational::from_integer((*coefficient).into()))
        }))
    }

    #[test]
    fn what_four_divides_is_not_one() {
        assert!(has_no_root(&polynomial(&[
            (&[0, 0], 4),
            (&[0], 4),
            (&[1, 2], 8),
            (&[], 1)
        ])));
        assert!(!has_no_root(&polynomial(&[(&[0, 0], 4), (&[0], 6), (&[], 2)])));
        assert!(!has_no_root(&polynomial(&[(&[0, 0], 4), (&[0], 3), (&[], 1)])));
        assert!(!has_no_root(&polynomial(&[(&[0], 4)])));
        assert!(has_no_root(&polynomial(&[(&[], 1)])));
    }
}
