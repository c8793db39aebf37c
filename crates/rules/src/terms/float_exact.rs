//! Floating-point operations by exact numbers, rounded once: for the format that machines have no type of Rust's for, x87's
//! extended one. They are the same for all formats, so that the machine's own arithmetic says whether they are right.

use super::float_value::FloatResult;
use super::floats::{FloatOperator, Rounding};
use super::{Float, FloatFormat, Rational};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// Bits of a root that are calculated beyond those of any format.
const EXTRA_BITS: u64 = 8;

/// The value of an operation on values of one format; `format` is the result's. `None` where SMT-LIB leaves it open, and for
/// operations on words.
pub(super) fn exact_value(operator: FloatOperator, arguments: &[Float], format: FloatFormat) -> Option<FloatResult> {
    let first = *arguments.first()?;
    let second = arguments.get(1).copied().unwrap_or(first);
    let third = arguments.get(2).copied().unwrap_or(first);
    let order = first.order(second);
    use FloatResult::Truth;
    Some(FloatResult::Float(match operator {
        FloatOperator::Add => sum(first, second),
        FloatOperator::Subtract => sum(first, second.negated()),
        FloatOperator::Multiply => fused(first, second, None),
        FloatOperator::FusedMultiplyAdd => fused(first, second, Some(third)),
        FloatOperator::Divide => quotient(first, second),
        FloatOperator::SquareRoot => root(first),
        FloatOperator::Remainder => remainder(first, second),
        FloatOperator::RoundToIntegral(rounding) => integral(first, rounding),
        FloatOperator::Convert => converted(first, format),
        FloatOperator::Minimum | FloatOperator::Maximum => match order {
            None if first.is_nan() => second,
            None => first,
            Some(Ordering::Equal) if first != second => return None,
            Some(order) if (order == Ordering::Less) == (operator == FloatOperator::Minimum) => first,
            Some(Ordering::Equal) => first,
            Some(_) => second,
        },
        FloatOperator::Less => return Some(Truth(order == Some(Ordering::Less))),
        FloatOperator::LessOrEqual => return Some(Truth(order.is_some_and(Ordering::is_le))),
        FloatOperator::Equal => return Some(Truth(order == Some(Ordering::Equal))),
        // The others look at the bits, and are the same for all formats.
        _ => return None,
    }))
}

/// The value nearest to a number, with the sign that a zero has there.
fn nearest(format: FloatFormat, number: &Rational, negative_zero: bool) -> Float {
    match number.is_zero() {
        true => Float::zero(format, negative_zero),
        false => Float::nearest(format, number),
    }
}

fn sum(first: Float, second: Float) -> Float {
    let format = first.format();
    match (first.number(), second.number()) {
        // Zero is negative if both are; what is no zero and yet too small keeps its sign.
        (Some(one), Some(other)) => nearest(format, &(one + other), first.is_negative() && second.is_negative()),
        _ if first.is_nan() || second.is_nan() => Float::nan(format),
        (None, None) if first != second => Float::nan(format),
        (None, _) => first,
        (_, None) => second,
    }
}

/// The product of the first two, plus the third one if there is one.
fn fused(first: Float, second: Float, third: Option<Float>) -> Float {
    let format = first.format();
    let negative = first.is_negative() != second.is_negative();
    let is_nan = |float: Float| float.is_nan();
    if is_nan(first) || is_nan(second) || third.is_some_and(is_nan) {
        return Float::nan(format);
    }
    let (Some(one), Some(other)) = (first.number(), second.number()) else {
        let infinite = Float::infinity(format, negative);
        return match first.is_zero() || second.is_zero() || third == Some(infinite.negated()) {
            true => Float::nan(format),
            false => infinite,
        };
    };
    match third {
        None => nearest(format, &(one * other), negative),
        Some(third) => match third.number() {
            None => third,
            Some(added) => nearest(format, &(one * other + added), negative && third.is_negative()),
        },
    }
}

fn quotient(first: Float, second: Float) -> Float {
    let format = first.format();
    let negative = first.is_negative() != second.is_negative();
    match (first.number(), second.number()) {
        _ if first.is_nan() || second.is_nan() => Float::nan(format),
        (None, None) => Float::nan(format),
        (None, _) => Float::infinity(format, negative),
        (_, None) => Float::zero(format, negative),
        (Some(one), Some(_)) if second.is_zero() => match one.is_zero() {
            true => Float::nan(format),
            false => Float::infinity(format, negative),
        },
        (Some(one), Some(other)) => nearest(format, &(one / other), negative),
    }
}

fn root(first: Float) -> Float {
    let Some(number) = first.number().filter(|_| !first.is_zero()) else {
        return match first.is_negative() && !first.is_zero() {
            true => Float::nan(first.format()),
            false => first,
        };
    };
    if number.is_negative() {
        return Float::nan(first.format());
    }
    // The root of a multiple by an even power of two has more bits than the format; what is cut off says only that it is not exact.
    let (numerator, denominator) = (number.numer(), number.denom());
    let wanted = 2 * (u64::from(first.format().significand_bits()) + EXTRA_BITS);
    let shift = (wanted + denominator.bits())
        .saturating_sub(numerator.bits())
        .div_ceil(2);
    let (scaled, rest) = (numerator << (2 * shift)).div_rem(&denominator);
    let whole = scaled.sqrt();
    let is_exact = rest.is_zero() && &whole * &whole == scaled;
    let doubled: BigInt = whole * 2 + i32::from(!is_exact);
    Float::nearest(first.format(), &Rational::new(doubled, BigInt::one() << (shift + 1)))
}

/// That of the quotient rounded to the nearest integer.
fn remainder(first: Float, second: Float) -> Float {
    let format = first.format();
    match (first.number(), second.number()) {
        _ if first.is_nan() || second.is_nan() || second.is_zero() => Float::nan(format),
        (None, _) => Float::nan(format),
        (Some(_), None) => first,
        (Some(one), Some(other)) => {
            let turns = to_integer(&(&one / &other), Rounding::NearestEven);
            let rest = one - Rational::from_integer(turns) * other;
            nearest(format, &rest, first.is_negative())
        }
    }
}

fn integral(first: Float, rounding: Rounding) -> Float {
    match first.number() {
        None => first,
        Some(number) => {
            let whole = Rational::from_integer(to_integer(&number, rounding));
            nearest(first.format(), &whole, first.is_negative())
        }
    }
}

fn to_integer(number: &Rational, rounding: Rounding) -> BigInt {
    let below = number.floor().to_integer();
    let rest = number - Rational::from_integer(below.clone());
    let half = rest.cmp(&Rational::new(1.into(), 2.into()));
    let up = match rounding {
        _ if rest.is_zero() => false,
        Rounding::Up => true,
        Rounding::Down => false,
        Rounding::TowardZero => number.is_negative(),
        Rounding::NearestEven => half == Ordering::Greater || half == Ordering::Equal && below.is_odd(),
        Rounding::NearestAway => half == Ordering::Greater || half == Ordering::Equal && !number.is_negative(),
    };
    below + i32::from(up)
}

/// The nearest value of another format.
pub(super) fn converted(first: Float, format: FloatFormat) -> Float {
    match first.number() {
        Some(number) => nearest(format, &number, first.is_negative()),
        None if first.is_nan() => Float::nan(format),
        None => Float::infinity(format, first.is_negative()),
    }
}

/// The fewest decimal digits that tell a number from its neighbours, as C writes them, with an exponent where it is far from one.
pub(super) fn digits(float: Float) -> Option<String> {
    let number = float.number()?;
    let sign = if float.is_negative() { "-" } else { "" };
    if number.is_zero() {
        return Some(format!("{sign}0.0"));
    }
    let magnitude = number.abs();
    let ten = |exponent: i64| match usize::try_from(exponent) {
        Ok(exponent) => Rational::from_integer(num_traits::pow(BigInt::from(10), exponent)),
        Err(_) => Rational::new(
            BigInt::one(),
            num_traits::pow(BigInt::from(10), exponent.unsigned_abs() as usize),
        ),
    };
    // 10^exponent =< magnitude < 10^(exponent + 1)
    let binary = magnitude.numer().bits() as i64 - magnitude.denom().bits() as i64;
    let mut exponent = (binary - 1) * 30_103 / 100_000 - 1;
    while ten(exponent + 1) <= magnitude {
        exponent += 1;
    }
    while ten(exponent) > magnitude {
        exponent -= 1;
    }
    for count in 1..=MOST_DIGITS {
        let unit = ten(exponent - count + 1);
        let rounded = to_integer(&(&magnitude / &unit), Rounding::NearestEven);
        let read = Float::nearest(float.format(), &(Rational::from_integer(rounded.clone()) * unit));
        if read == float.absolute() {
            let text = rounded.to_string();
            // Rounded up to the next power of ten there is one digit more.
            let exponent = exponent + text.len() as i64 - count;
            return Some(format!("{sign}{}", written(text.trim_end_matches('0'), exponent)));
        }
    }
    None
}

/// No format needs more digits.
const MOST_DIGITS: i64 = 40;

/// Digits, of which the first one counts so many powers of ten.
fn written(digits: &str, exponent: i64) -> String {
    let count = digits.len() as i64;
    match exponent {
        0..=20 if count <= exponent + 1 => {
            let zeros = "0".repeat((exponent + 1 - count) as usize);
            format!("{digits}{zeros}.0")
        }
        0..=20 => {
            let (before, after) = digits.split_at(exponent as usize + 1);
            format!("{before}.{after}")
        }
        -5..=-1 => format!("0.{}{digits}", "0".repeat((-exponent - 1) as usize)),
        _ if count == 1 => format!("{digits}e{exponent}"),
        _ => {
            let (before, after) = digits.split_at(1);
            format!("{before}.{after}e{exponent}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Generator;
    use crate::terms::float_value::float_value;
    use crate::terms::samples;

    /// The machine's arithmetic and the exact numbers' are the same.
    #[test]
    fn exact_operations_are_those_of_the_machine() {
        let mut random = Generator(53);
        for round in 0..40_000 {
            let format = [FloatFormat::Single, FloatFormat::Double][round % 2];
            let arguments = [(); 3].map(|()| samples::float_value(format, &mut random));
            for operator in FloatOperator::ALL {
                let given = &arguments[..operator.arity()];
                let Some(found) = exact_value(operator, given, FloatFormat::Double) else {
                    continue;
                };
                let expected = float_value(operator, given, FloatFormat::Double);
                assert_eq!(Some(found), expected, "{operator:?} {given:?}");
            }
        }
    }

    #[test]
    fn digits_are_read_back() {
        let mut random = Generator(59);
        for _ in 0..300 {
            let value = samples::float_value(FloatFormat::Double, &mut random);
            let Some(text) = digits(value) else { continue };
            assert_eq!(text.parse::<f64>().map(Float::from), Ok(value), "{text}");
            assert!(text.len() <= 26, "{text}");
        }
        let extended = |number: &str| {
            let mut parts = number.split('/').map(|part| part.parse::<BigInt>().expect("a number"));
            let (numerator, denominator) = (parts.next().expect("one"), parts.next().unwrap_or(BigInt::one()));
            digits(Float::nearest(
                FloatFormat::Extended,
                &Rational::new(numerator, denominator),
            ))
        };
        assert_eq!(extended("1/10").as_deref(), Some("0.1"));
        assert_eq!(extended("-5/2").as_deref(), Some("-2.5"));
        assert_eq!(extended("1/3").as_deref(), Some("0.33333333333333333334"));
        assert_eq!(
            extended("18446744073709551615").as_deref(),
            Some("18446744073709551615.0")
        );
        assert_eq!(extended("1/10000000").as_deref(), Some("1e-7"));
    }
}
