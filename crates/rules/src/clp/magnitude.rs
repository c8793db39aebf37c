//! A guard against numbers that explode: terms are normalized while they are built, so that a short text like
//! `9999999*9999999*…` would have to be multiplied out. Expressions whose coefficients might get too long are refused.

use super::clauses::Transition;
use super::lexer::DIGIT_LIMIT;
use super::syntax::{Expression, Factor, Kind};
use crate::diagnostics::Diagnostic;

/// The most bits a coefficient may have; a literal at the lexer's limit stays below.
const BIT_LIMIT: u64 = 2 * 4 * DIGIT_LIMIT as u64;

/// Bounds on the numerators and denominators of an expression's coefficients, in bits.
#[derive(Clone, Copy, Default)]
struct Magnitude {
    numerator: u64,
    denominator: u64,
}

/// Reports every expression of a transition whose coefficients might get too long.
pub(super) fn check(transition: &Transition<'_>, diagnostics: &mut Vec<Diagnostic>) {
    transition.for_each_expression(&mut |expression| {
        measure(expression, diagnostics);
    });
}

fn measure(expression: &Expression<'_>, diagnostics: &mut Vec<Diagnostic>) -> Magnitude {
    let mut parts = Vec::new();
    expression.for_each_part(&mut |part| parts.push(measure(part, diagnostics)));
    let magnitude = match expression.kind {
        Kind::Integer("0" | "1") => Magnitude::default(),
        Kind::Integer(digits) => Magnitude {
            numerator: 4 * digits.len() as u64,
            denominator: 0,
        },
        Kind::Real(digits) => Magnitude {
            numerator: 4 * digits.len() as u64,
            denominator: 4 * digits.find('.').map_or(0, |point| digits.len() - point - 1) as u64,
        },
        Kind::Sum(_) | Kind::Comparison(..) => {
            // Over a common denominator every numerator is multiplied by the other denominators.
            let denominator = total(parts.iter().map(|part| part.denominator));
            let largest = parts.iter().map(|part| part.numerator).max().unwrap_or(0);
            let carry = u64::from(usize::BITS - parts.len().leading_zeros());
            Magnitude {
                numerator: largest.saturating_add(denominator).saturating_add(carry),
                denominator,
            }
        }
        Kind::Product(_, rest) => {
            let divisors = rest.iter().zip(parts.iter().skip(1));
            let divisors = divisors.filter(|((factor, _), _)| *factor == Factor::Divide);
            let crossed = total(divisors.map(|(_, part)| part.numerator.saturating_add(part.denominator)));
            Magnitude {
                numerator: total(parts.iter().map(|part| part.numerator)).saturating_add(crossed),
                denominator: total(parts.iter().map(|part| part.denominator)).saturating_add(crossed),
            }
        }
        _ => Magnitude {
            numerator: parts.iter().map(|part| part.numerator).max().unwrap_or(0),
            denominator: parts.iter().map(|part| part.denominator).max().unwrap_or(0),
        },
    };
    if magnitude.numerator.max(magnitude.denominator) <= BIT_LIMIT {
        return magnitude;
    }
    let error = Diagnostic::error(
        expression.span.range(),
        "the numbers in this expression get too long",
        format!("its coefficients may have more than {BIT_LIMIT} bits"),
    );
    diagnostics.push(
        error
            .unsupported()
            .help("give factors a name, so that they are not multiplied out: `T = …, X = T*Y`"),
    );
    Magnitude::default()
}

fn total(parts: impl Iterator<Item = u64>) -> u64 {
    parts.fold(0, u64::saturating_add)
}
