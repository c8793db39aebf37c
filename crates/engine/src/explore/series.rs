//! Sums of polynomials over the iterations: `Σ p(τ)` for τ from zero to κ - 1.

use crate::terms::{LinearForm, Operator, Rational, SortId, TermId, Terms};
use num_traits::One;

/// Powers of τ up to this one are summed.
const LARGEST_POWER: usize = 3;

/// The sum of `summand` over the values `0 .. count` of `variable`; nothing if it is no polynomial in it of small degree.
pub(super) fn sum_of_powers(terms: &mut Terms, summand: TermId, variable: TermId, count: TermId) -> Option<TermId> {
    if terms.sort(summand) != SortId::INT {
        return None;
    }
    let form = terms.linear_form(summand);
    let mut total = terms.number(form.constant.clone(), SortId::INT);
    total = terms.multiply(total, count);
    for (monomial, coefficient) in &form.terms {
        let (power, rest) = power_of(terms, *monomial, variable)?;
        let sum = sum_of_power(terms, count, power);
        let coefficient = terms.number(coefficient.clone(), SortId::INT);
        let scaled = terms.multiply(coefficient, rest);
        let part = terms.multiply(scaled, sum);
        total = terms.add(total, part);
    }
    Some(total)
}

/// A product as a power of a variable and a rest without it.
fn power_of(terms: &mut Terms, monomial: TermId, variable: TermId) -> Option<(usize, TermId)> {
    let factors = match terms.operator(monomial) {
        Operator::Multiply => terms.arguments(monomial).to_vec(),
        _ => vec![monomial],
    };
    let power = factors.iter().filter(|factor| **factor == variable).count();
    let mut rest = terms.integer(1);
    for factor in factors.into_iter().filter(|factor| *factor != variable) {
        if terms.variables(factor).contains(&variable) {
            return None;
        }
        rest = terms.multiply(rest, factor);
    }
    (power <= LARGEST_POWER).then_some((power, rest))
}

/// `0ᵖ + 1ᵖ + … + (n - 1)ᵖ`.
fn sum_of_power(terms: &mut Terms, n: TermId, power: usize) -> TermId {
    // Coefficients of n, n², … and what the whole is divided by.
    let (coefficients, divisor): (&[i64], i64) = match power {
        0 => (&[1], 1),
        1 => (&[-1, 1], 2),
        2 => (&[1, -3, 2], 6),
        _ => (&[0, 1, -2, 1], 4),
    };
    let mut sum = terms.integer(0);
    let mut product = terms.integer(1);
    for coefficient in coefficients {
        product = terms.multiply(product, n);
        let coefficient = terms.integer(*coefficient);
        let part = terms.multiply(coefficient, product);
        sum = terms.add(sum, part);
    }
    divided(terms, sum, divisor)
}

/// The quotient of a term that the divisor divides, without a division where the coefficients show it.
fn divided(terms: &mut Terms, term: TermId, divisor: i64) -> TermId {
    let quotient = Rational::new(1.into(), divisor.into());
    let form: LinearForm = terms.linear_form(term).scaled(&quotient);
    let whole = form.constant.is_integer() && form.terms.iter().all(|(_, coefficient)| coefficient.is_integer());
    if whole || quotient.is_one() {
        return terms.linear_term(&form, SortId::INT);
    }
    let divisor = terms.integer(divisor);
    terms.integer_divide(term, divisor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::{Assignment, Value};

    #[test]
    fn sums_agree_with_adding_up() {
        let mut terms = Terms::new();
        let [tau, kappa, x] = ["τ", "κ", "x"].map(|name| terms.fresh_variable(name, SortId::INT));
        let mut summand = x;
        let mut power = terms.integer(1);
        for factor in [5, -3, 2] {
            power = terms.multiply(power, tau);
            let factor = terms.integer(factor);
            let part = terms.multiply(factor, power);
            let part = terms.multiply(part, x);
            summand = terms.add(summand, part);
        }
        let total = sum_of_powers(&mut terms, summand, tau, kappa).expect("it is a polynomial");
        let value = |number: i64| Value::Number(Rational::from_integer(number.into()));
        for count in 0..8 {
            let at = |tau: i64| 7 + 35 * tau - 21 * tau * tau + 14 * tau * tau * tau;
            let expected: i64 = (0..count).map(at).sum();
            let point: Assignment = [(x, value(7)), (kappa, value(count))].into_iter().collect();
            assert_eq!(terms.evaluate(total, &point), Some(value(expected)));
        }
    }
}
