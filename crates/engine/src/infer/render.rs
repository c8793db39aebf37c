//! Invariants as text, as a person would write them: `x == q*y + r`, `i <= n`, `x % 2 == 1`.

use super::candidate::{Relation, Shape};
use crate::polynomials::{Monomial, Polynomial};
use crate::terms::Rational;
use num_traits::{One, Signed, Zero};

/// The notation of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// CLP rules: `X = Q*Y + R`, `I =< N`, `X mod 2 = 1`.
    Clp,
    /// C: `x == q*y + r`, `i <= n`, `x % 2 == 1`.
    C,
}

impl Notation {
    pub(super) fn equal_sign(self) -> &'static str {
        match self {
            Notation::Clp => "=",
            Notation::C => "==",
        }
    }

    fn at_most(self) -> &'static str {
        match self {
            Notation::Clp => "=<",
            Notation::C => "<=",
        }
    }

    fn modulo(self) -> &'static str {
        match self {
            Notation::Clp => "mod",
            Notation::C => "%",
        }
    }
}

/// A polynomial as text, what is added before what is subtracted.
pub(super) fn polynomial_text(polynomial: &Polynomial, name_of: &dyn Fn(u32) -> String) -> String {
    let (added, subtracted): (Vec<_>, Vec<_>) = polynomial.parts().rev().partition(|(_, c)| c.is_positive());
    sum(added.into_iter().chain(subtracted), name_of)
}

/// A shape as text; `name_of` names the columns.
pub(super) fn text(shape: &Shape, notation: Notation, name_of: &dyn Fn(u32) -> String) -> String {
    match shape {
        Shape::Equality(polynomial) => equality(polynomial, notation, name_of),
        Shape::Inequality(polynomial) => inequality(polynomial, notation, name_of),
        Shape::Congruence {
            dividend,
            modulus,
            remainder,
        } => {
            let dividend = match dividend.term_count() {
                1 => sum(dividend.parts(), name_of),
                _ => format!("({})", sum(dividend.parts().rev(), name_of)),
            };
            format!(
                "{dividend} {} {modulus} {} {remainder}",
                notation.modulo(),
                notation.equal_sign()
            )
        }
        Shape::Extremum {
            column,
            relation,
            maximum,
            first,
            second,
        } => {
            let relation = match relation {
                Relation::Equal => notation.equal_sign(),
                Relation::AtMost => notation.at_most(),
                Relation::AtLeast => ">=",
            };
            let function = if *maximum { "max" } else { "min" };
            format!(
                "{} {relation} {function}({}, {})",
                name_of(*column),
                name_of(*first),
                name_of(*second)
            )
        }
        Shape::Progression { column, first, ratio } => {
            let first = first.map_or_else(String::new, |first| format!("{}*", name_of(first)));
            format!("{} is {first}{ratio}^k", name_of(*column))
        }
        Shape::Auxiliary => String::new(),
    }
}

/// `v == rest` if a variable stands alone with coefficient one; otherwise positive parts on the left, negative on the right.
fn equality(polynomial: &Polynomial, notation: Notation, name_of: &dyn Fn(u32) -> String) -> String {
    let alone = polynomial.parts().filter(|(monomial, coefficient)| {
        let occurs_once = |variable: u32| polynomial.parts().filter(|(m, _)| m.exponent(variable) > 0).count() == 1;
        monomial.degree() == 1 && coefficient.abs().is_one() && monomial.powers().iter().all(|(v, _)| occurs_once(*v))
    });
    // The one whose sign makes the other side begin without a minus, if there is a choice.
    let mut alone: Vec<(&Monomial, &Rational)> = alone.collect();
    alone.sort_by_key(|(monomial, coefficient)| {
        let opposite = |other: &Rational| other.is_positive() != coefficient.is_positive();
        let positive = polynomial
            .parts()
            .filter(|(m, c)| *m != *monomial && opposite(c))
            .count();
        (std::cmp::Reverse(positive), std::cmp::Reverse((*monomial).clone()))
    });
    if let Some((monomial, coefficient)) = alone.first() {
        let factor = -coefficient.recip();
        let mut rest = Polynomial::default();
        rest.add_scaled(polynomial, &Monomial::one(), &factor);
        let rest = rest.plus(&Polynomial::of([((*monomial).clone(), Rational::one())]));
        return format!(
            "{} {} {}",
            product(monomial, name_of),
            notation.equal_sign(),
            sum(rest.parts().rev(), name_of)
        );
    }
    // `2*s == n*n + n`: what is one product stands on the left.
    let negative = polynomial
        .parts()
        .filter(|(_, coefficient)| coefficient.is_negative())
        .count();
    if negative == 1 && polynomial.term_count() > 2 {
        let mut negated = Polynomial::default();
        negated.add_scaled(polynomial, &Monomial::one(), &-Rational::one());
        return sides(&negated, notation.equal_sign(), name_of);
    }
    sides(polynomial, notation.equal_sign(), name_of)
}

fn inequality(polynomial: &Polynomial, notation: Notation, name_of: &dyn Fn(u32) -> String) -> String {
    let leading_negative = polynomial
        .leading()
        .is_some_and(|(_, coefficient)| coefficient.is_negative());
    if leading_negative && polynomial.variables().len() == 1 {
        let mut negated = Polynomial::default();
        negated.add_scaled(polynomial, &Monomial::one(), &-Rational::one());
        return sides(&negated, ">=", name_of);
    }
    sides(polynomial, notation.at_most(), name_of)
}

/// The polynomial compared with zero, each part on the side where it is positive; a constant on the right if that is alone.
fn sides(polynomial: &Polynomial, relation: &str, name_of: &dyn Fn(u32) -> String) -> String {
    let (mut left, mut right) = (Polynomial::default(), Polynomial::default());
    for (monomial, coefficient) in polynomial.parts() {
        let part = Polynomial::of([(monomial.clone(), coefficient.abs())]);
        if coefficient.is_positive() {
            left = left.plus(&part);
        } else {
            right = right.plus(&part);
        }
    }
    let constant = left.constant_value().is_some() && !left.is_zero();
    if constant && !right.is_zero() {
        // `5 <= x + y` is written `x + y >= 5`.
        let relation = match relation {
            "<=" | "=<" => ">=",
            ">=" => "<=",
            other => other,
        };
        return format!(
            "{} {relation} {}",
            sum(right.parts().rev(), name_of),
            sum(left.parts().rev(), name_of)
        );
    }
    if left.is_zero() && relation != "=" && relation != "==" && right.parts().all(|(monomial, _)| monomial.degree() > 0)
    {
        let relation = if relation == ">=" { "<=" } else { ">=" };
        return format!("{} {relation} 0", sum(right.parts().rev(), name_of));
    }
    if left.is_zero() {
        // All parts are negative.
        let only = right.plus(&Polynomial::constant(-right.coefficient(&Monomial::one())));
        let bound = -right.coefficient(&Monomial::one());
        let relation = match relation {
            "<=" | "=<" => ">=",
            ">=" => "<=",
            other => other,
        };
        return format!("{} {relation} {bound}", sum(only.parts().rev(), name_of));
    }
    let constant = left.coefficient(&Monomial::one());
    if !constant.is_zero() {
        let rest = left.plus(&Polynomial::constant(-constant.clone()));
        if right.is_zero() {
            return format!("{} {relation} {}", sum(rest.parts().rev(), name_of), -constant);
        }
    }
    format!(
        "{} {relation} {}",
        sum(left.parts().rev(), name_of),
        sum(right.parts().rev(), name_of)
    )
}

fn sum<'a>(parts: impl Iterator<Item = (&'a Monomial, &'a Rational)>, name_of: &dyn Fn(u32) -> String) -> String {
    let mut text = String::new();
    for (monomial, coefficient) in parts {
        let size = coefficient.abs();
        let sign = if coefficient.is_negative() { "-" } else { "+" };
        match (text.is_empty(), sign) {
            (true, "-") => text.push('-'),
            (true, _) => {}
            (false, sign) => text.push_str(&format!(" {sign} ")),
        }
        if monomial.degree() == 0 {
            text.push_str(&size.to_string());
        } else if size.is_one() {
            text.push_str(&product(monomial, name_of));
        } else {
            text.push_str(&format!("{size}*{}", product(monomial, name_of)));
        }
    }
    if text.is_empty() { "0".to_string() } else { text }
}

fn product(monomial: &Monomial, name_of: &dyn Fn(u32) -> String) -> String {
    let factors = monomial
        .powers()
        .iter()
        .flat_map(|(variable, exponent)| (0..*exponent).map(|_| name_of(*variable)));
    factors.collect::<Vec<_>>().join("*")
}
