//! Values of IEEE 754's binary32 and binary64 and of x87's extended format, and what operations make of them: the machine's own
//! arithmetic, which rounds to the nearest value and to the even one of two, and exact numbers where the machine has none
//! ([`super::float_exact`]).
//!
//! There is one NaN, as in SMT-LIB. Values are equal if their bits are: NaN equals itself, and the two zeros differ. What C and
//! IEEE 754 call equality is [`FloatOperator::Equal`].

use super::Rational;
use super::float_exact::{converted, digits, exact_value};
use super::floats::{FloatOperator, Rounding};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;

/// The formats of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatFormat {
    /// binary32: 8 bits of exponent, 24 of significand. C's `float`.
    Single,
    /// binary64: 11 bits of exponent, 53 of significand. C's `double`.
    Double,
    /// x87's extended format: 15 bits of exponent, 64 of significand. C's `long double`. Here the first bit of the significand is
    /// not stored, as in SMT-LIB's formats; x87 has it in memory.
    Extended,
}

impl FloatFormat {
    /// The format with so many bits of exponent and significand.
    pub fn of_bits(exponent: u32, significand: u32) -> Option<FloatFormat> {
        [FloatFormat::Single, FloatFormat::Double, FloatFormat::Extended]
            .into_iter()
            .find(|format| format.exponent_bits() == exponent && format.significand_bits() == significand)
    }

    /// How many bits the exponent has.
    pub fn exponent_bits(self) -> u32 {
        match self {
            FloatFormat::Single => 8,
            FloatFormat::Double => 11,
            FloatFormat::Extended => 15,
        }
    }

    /// How many bits the significand has, with the one that is not stored.
    pub fn significand_bits(self) -> u32 {
        match self {
            FloatFormat::Single => 24,
            FloatFormat::Double => 53,
            FloatFormat::Extended => 64,
        }
    }

    /// How many bits a value has.
    pub fn width(self) -> u32 {
        self.exponent_bits() + self.significand_bits()
    }

    /// The least exponent of normal numbers.
    fn least_exponent(self) -> i64 {
        2 - (1i64 << (self.exponent_bits() - 1))
    }

    fn infinity_bits(self) -> u128 {
        ((1u128 << self.exponent_bits()) - 1) << (self.significand_bits() - 1)
    }

    fn nan_bits(self) -> u128 {
        self.infinity_bits() | 1 << (self.significand_bits() - 2)
    }
}

/// A floating-point value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Float {
    format: FloatFormat,
    bits: u128,
}

impl From<f32> for Float {
    fn from(value: f32) -> Float {
        Float::of_bits(FloatFormat::Single, u128::from(value.to_bits()))
    }
}

impl From<f64> for Float {
    fn from(value: f64) -> Float {
        Float::of_bits(FloatFormat::Double, u128::from(value.to_bits()))
    }
}

impl Float {
    /// The value with these bits, of which the lowest ones count that the format has. All NaNs become one.
    pub fn of_bits(format: FloatFormat, bits: u128) -> Float {
        let bits = bits & ((1 << format.width()) - 1);
        let magnitude = bits & !(1 << (format.width() - 1));
        let bits = if magnitude > format.infinity_bits() {
            format.nan_bits()
        } else {
            bits
        };
        Float { format, bits }
    }

    /// Zero, or minus zero.
    pub fn zero(format: FloatFormat, negative: bool) -> Float {
        Float::of_bits(format, u128::from(negative) << (format.width() - 1))
    }

    /// Infinity of a sign.
    pub fn infinity(format: FloatFormat, negative: bool) -> Float {
        Float::of_bits(
            format,
            format.infinity_bits() | u128::from(negative) << (format.width() - 1),
        )
    }

    /// What is no number.
    pub fn nan(format: FloatFormat) -> Float {
        Float::of_bits(format, format.nan_bits())
    }

    /// The value nearest to an exact number, the even one of two; zero is positive.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::terms::{Float, FloatFormat, Rational};
    /// let tenth = Rational::new(1.into(), 10.into());
    /// assert_eq!(Float::nearest(FloatFormat::Single, &tenth), Float::from(0.1f32));
    /// assert_eq!(Float::nearest(FloatFormat::Double, &tenth), Float::from(0.1f64));
    /// ```
    pub fn nearest(format: FloatFormat, number: &Rational) -> Float {
        if number.is_zero() {
            return Float::zero(format, false);
        }
        let (numerator, denominator) = (number.numer().abs(), number.denom());
        // 2^exponent =< |number| < 2^(exponent + 1)
        let mut exponent = numerator.bits() as i64 - denominator.bits() as i64;
        let (above, below) = scaled(&numerator, &denominator, -exponent);
        if above < below {
            exponent -= 1;
        }
        let precision = i64::from(format.significand_bits());
        let exponent = exponent.max(format.least_exponent());
        let unit = exponent - (precision - 1);
        let (dividend, divisor) = scaled(&numerator, &denominator, -unit);
        let (mut significand, rest) = dividend.div_rem(&divisor);
        let twice: BigInt = rest * 2;
        if twice > divisor || (twice == divisor && significand.is_odd()) {
            significand += 1;
        }
        // The stored exponent is one more than that of subnormal numbers, whose first bit is zero: the sum carries by itself.
        let steps = BigInt::from(exponent - format.least_exponent());
        let magnitude = (steps << (precision - 1) as usize) + significand;
        let magnitude = match magnitude.to_u128() {
            Some(bits) if bits < format.infinity_bits() => bits,
            _ => format.infinity_bits(),
        };
        Float::of_bits(
            format,
            magnitude | u128::from(number.is_negative()) << (format.width() - 1),
        )
    }

    /// The format.
    pub fn format(self) -> FloatFormat {
        self.format
    }

    /// The bits; NaN has those that machines make.
    pub fn bits(self) -> u128 {
        self.bits
    }

    /// Whether it is no number.
    pub fn is_nan(self) -> bool {
        self.magnitude() > self.format.infinity_bits()
    }

    /// Whether it is infinite.
    pub fn is_infinite(self) -> bool {
        self.magnitude() == self.format.infinity_bits()
    }

    /// Whether it is one of the zeros.
    pub fn is_zero(self) -> bool {
        self.magnitude() == 0
    }

    /// Whether the sign is set; NaN has none.
    pub fn is_negative(self) -> bool {
        !self.is_nan() && self.sign_bit()
    }

    fn sign_bit(self) -> bool {
        self.bits >> (self.format.width() - 1) == 1
    }

    fn magnitude(self) -> u128 {
        self.bits & !(1 << (self.format.width() - 1))
    }

    fn is_subnormal(self) -> bool {
        !self.is_zero() && self.magnitude() < 1 << (self.format.significand_bits() - 1)
    }

    /// The exact number; `None` for infinities and NaN.
    pub fn number(self) -> Option<Rational> {
        if self.magnitude() >= self.format.infinity_bits() {
            return None;
        }
        let stored = self.format.significand_bits() - 1;
        let (exponent, fraction) = (self.magnitude() >> stored, self.magnitude() & ((1 << stored) - 1));
        let significand = if exponent == 0 {
            fraction
        } else {
            fraction | 1 << stored
        };
        let unit = self.format.least_exponent() - i64::from(stored) + (exponent as i64 - 1).max(0);
        let significand = BigInt::from(significand) * if self.sign_bit() { -1 } else { 1 };
        let (numerator, denominator) = scaled(&significand, &BigInt::one(), unit);
        Some(Rational::new(numerator, denominator))
    }

    /// The nearest value of the machine's `double`, which has all values of the narrower formats.
    pub fn as_double(self) -> f64 {
        match self.format {
            FloatFormat::Single => f64::from(self.as_single()),
            FloatFormat::Double => f64::from_bits(self.bits as u64),
            FloatFormat::Extended => converted(self, FloatFormat::Double).as_double(),
        }
    }

    /// Whether it is less than another one, equal to it, or greater; `None` with a NaN. The zeros are equal.
    pub(super) fn order(self, other: Float) -> Option<Ordering> {
        let key = |float: Float| match (float.is_nan(), float.sign_bit()) {
            (true, _) => None,
            (_, false) => Some(float.magnitude() as i128),
            (_, true) => Some(-(float.magnitude() as i128)),
        };
        Some(key(self)?.cmp(&key(other)?))
    }

    /// With the other sign; NaN has none.
    pub(super) fn negated(self) -> Float {
        match self.is_nan() {
            true => self,
            false => self.with_sign(!self.sign_bit()),
        }
    }

    /// Without its sign.
    pub(super) fn absolute(self) -> Float {
        self.with_sign(false)
    }

    fn as_single(self) -> f32 {
        f32::from_bits(self.bits as u32)
    }

    /// The same value in another format, rounded if it must be.
    pub fn converted(self, format: FloatFormat) -> Float {
        match format {
            _ if self.format == format => self,
            _ if self.format == FloatFormat::Extended => converted(self, format),
            FloatFormat::Extended => converted(self, format),
            FloatFormat::Single => Float::from(self.as_double() as f32),
            FloatFormat::Double => Float::from(self.as_double()),
        }
    }

    fn with_sign(self, negative: bool) -> Float {
        Float::of_bits(
            self.format,
            self.magnitude() | u128::from(negative) << (self.format.width() - 1),
        )
    }
}

/// `numerator/denominator · 2^exponent` as a fraction, not reduced.
fn scaled(numerator: &BigInt, denominator: &BigInt, exponent: i64) -> (BigInt, BigInt) {
    match exponent >= 0 {
        true => (numerator << exponent as usize, denominator.clone()),
        false => (numerator.clone(), denominator << exponent.unsigned_abs() as usize),
    }
}

/// Written as C and Rust read it back, with as few digits as tell it from its neighbours: `0.1`, `1e300`, `0.1f` for
/// binary32, and `0.1L` for the extended format; what has no digits goes by C's names.
impl fmt::Display for Float {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_nan() {
            return write!(out, "NAN");
        }
        if self.is_infinite() {
            return write!(out, "{}INFINITY", if self.is_negative() { "-" } else { "" });
        }
        match self.format {
            FloatFormat::Single => write!(out, "{:?}f", self.as_single()),
            FloatFormat::Double => write!(out, "{:?}", self.as_double()),
            FloatFormat::Extended => write!(out, "{}L", digits(*self).unwrap_or_default()),
        }
    }
}

/// What an operation gives.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum FloatResult {
    /// A floating-point value.
    Float(Float),
    /// A truth value.
    Truth(bool),
    /// An integer, of which the result's lowest bits count.
    Integer(BigInt),
}

/// An operation on floating-point values; `format` is the result's, if it is one of these values. `None` where SMT-LIB leaves
/// the result open, and if the arguments do not fit.
pub(crate) fn float_value(operator: FloatOperator, arguments: &[Float], format: FloatFormat) -> Option<FloatResult> {
    let all_alike = arguments.windows(2).all(|pair| pair[0].format == pair[1].format);
    if !all_alike || arguments.len() != operator.arity() {
        return None;
    }
    let first = *arguments.first()?;
    let second = arguments.get(1).copied().unwrap_or(first);
    let third = arguments.get(2).copied().unwrap_or(first);
    if first.format == FloatFormat::Extended
        && let Some(value) = exact_value(operator, arguments, format)
    {
        return Some(value);
    }
    let (x, y) = (first.as_double(), second.as_double());
    let arithmetic = |single: fn(f32, f32) -> f32, double: fn(f64, f64) -> f64| match first.format {
        FloatFormat::Single => Float::from(single(first.as_single(), second.as_single())),
        _ => Float::from(double(x, y)),
    };
    // Exact in the wider format, so exact in both.
    let exactly = |value: f64| Float::from(value).converted(first.format);
    use FloatResult::Truth;
    Some(FloatResult::Float(match operator {
        FloatOperator::Add => arithmetic(|a, b| a + b, |a, b| a + b),
        FloatOperator::Subtract => arithmetic(|a, b| a - b, |a, b| a - b),
        FloatOperator::Multiply => arithmetic(|a, b| a * b, |a, b| a * b),
        FloatOperator::Divide => arithmetic(|a, b| a / b, |a, b| a / b),
        FloatOperator::SquareRoot => arithmetic(|a, _| a.sqrt(), |a, _| a.sqrt()),
        FloatOperator::FusedMultiplyAdd => match first.format {
            FloatFormat::Single => Float::from(first.as_single().mul_add(second.as_single(), third.as_single())),
            _ => Float::from(x.mul_add(y, third.as_double())),
        },
        FloatOperator::Remainder => exactly(remainder(x, y)),
        FloatOperator::RoundToIntegral(rounding) => exactly(match rounding {
            Rounding::NearestEven => x.round_ties_even(),
            Rounding::NearestAway => x.round(),
            Rounding::Up => x.ceil(),
            Rounding::Down => x.floor(),
            Rounding::TowardZero => x.trunc(),
        }),
        FloatOperator::Minimum | FloatOperator::Maximum => match (first.is_nan(), second.is_nan()) {
            (true, _) => second,
            (_, true) => first,
            _ if first == second => first,
            _ if first.is_zero() && second.is_zero() => return None,
            _ if (x < y) == (operator == FloatOperator::Minimum) => first,
            _ => second,
        },
        FloatOperator::Absolute => first.absolute(),
        FloatOperator::Negate => first.negated(),
        FloatOperator::Convert => first.converted(format),
        FloatOperator::Less => return Some(Truth(x < y)),
        FloatOperator::LessOrEqual => return Some(Truth(x <= y)),
        FloatOperator::Equal => return Some(Truth(x == y)),
        FloatOperator::IsNan => return Some(Truth(first.is_nan())),
        FloatOperator::IsInfinite => return Some(Truth(first.is_infinite())),
        FloatOperator::IsZero => return Some(Truth(first.is_zero())),
        FloatOperator::IsSubnormal => return Some(Truth(first.is_subnormal())),
        FloatOperator::IsNormal => {
            let is_number = !first.is_nan() && !first.is_infinite();
            return Some(Truth(is_number && !first.is_zero() && !first.is_subnormal()));
        }
        FloatOperator::IsNegative => return Some(Truth(first.is_negative())),
        FloatOperator::IsPositive => return Some(Truth(!first.is_nan() && !first.is_negative())),
        FloatOperator::ToSigned | FloatOperator::ToUnsigned => {
            let number = first.number()?;
            let towards_zero = if number.is_negative() {
                -(-number).floor()
            } else {
                number.floor()
            };
            return Some(FloatResult::Integer(towards_zero.to_integer()));
        }
        FloatOperator::ToBits => return Some(FloatResult::Integer(BigInt::from(first.bits))),
        FloatOperator::OfBits | FloatOperator::OfSigned | FloatOperator::OfUnsigned => return None,
    }))
}

/// The float that an operation makes of a word, given its bits as an unsigned number.
pub(crate) fn float_of_word(operator: FloatOperator, bits: &BigInt, width: u32, format: FloatFormat) -> Option<Float> {
    match operator {
        FloatOperator::OfBits => Some(Float::of_bits(format, bits.to_u128()?)),
        FloatOperator::OfUnsigned => Some(Float::nearest(format, &Rational::from_integer(bits.clone()))),
        FloatOperator::OfSigned => {
            let is_negative = width > 0 && bits.bit(u64::from(width - 1));
            let number = if is_negative {
                bits - (BigInt::one() << width)
            } else {
                bits.clone()
            };
            Some(Float::nearest(format, &Rational::from_integer(number)))
        }
        _ => None,
    }
}

/// The word that an operation makes of a truncated number, or of bits; `None` if it is none of the word's values.
pub(crate) fn word_of_number(operator: FloatOperator, number: &BigInt, width: u32) -> Option<BigInt> {
    let (least, count) = match operator {
        FloatOperator::ToSigned => (-(BigInt::one() << width.checked_sub(1)?), BigInt::one() << width),
        FloatOperator::ToUnsigned | FloatOperator::ToBits => (BigInt::zero(), BigInt::one() << width),
        _ => return None,
    };
    (*number >= least && *number < &least + &count).then(|| number.mod_floor(&count))
}

/// IEEE 754's remainder: that of the quotient rounded to the nearest integer, exact.
fn remainder(x: f64, y: f64) -> f64 {
    let divisor = y.abs();
    if x.is_nan() || y.is_nan() || x.is_infinite() || divisor == 0.0 {
        return f64::NAN;
    }
    if divisor.is_infinite() {
        return x;
    }
    let mut rest = x.abs();
    if divisor <= f64::MAX / 2.0 {
        rest %= divisor + divisor;
    }
    // Now less than twice the divisor. Halves of the smallest numbers are not exact, their doubles are.
    let is_above = |rest: f64, or_equal: bool| {
        let (left, right) = match divisor < 2.0 * f64::MIN_POSITIVE {
            true => (rest + rest, divisor),
            false => (rest, 0.5 * divisor),
        };
        left > right || (or_equal && left == right)
    };
    if is_above(rest, false) {
        rest -= divisor;
        if is_above(rest, true) {
            rest -= divisor;
        }
    }
    if x.is_sign_negative() { -rest } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Generator;

    fn interesting(random: &mut Generator) -> f64 {
        match random.below(4) {
            0 => [
                0.0,
                -0.0,
                1.0,
                -1.5,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NAN,
                f64::MIN_POSITIVE,
                5e-324,
                f64::MAX,
            ][random.below(10) as usize],
            1 => random.below(2000) as f64 / 8.0 - 100.0,
            _ => f64::from_bits(random.next()),
        }
    }

    #[test]
    fn exact_numbers_come_back() {
        let mut random = Generator(7);
        for _ in 0..3000 {
            let value = interesting(&mut random);
            for float in [Float::from(value), Float::from(value as f32)] {
                if let Some(number) = float.number().filter(|number| !number.is_zero()) {
                    assert_eq!(Float::nearest(float.format(), &number), float, "{float}");
                }
                if let Some(number) = Float::from(value).number().filter(|number| !number.is_zero()) {
                    assert_eq!(
                        Float::nearest(FloatFormat::Single, &number),
                        Float::from(value as f32),
                        "{value}"
                    );
                }
                let text = float.to_string();
                if !float.is_nan() && !float.is_infinite() {
                    let read = text.trim_end_matches('f').parse::<f64>().unwrap();
                    assert_eq!(Float::from(read).converted(float.format()), float);
                }
            }
        }
    }

    #[test]
    fn remainders_are_those_of_exact_numbers() {
        let mut random = Generator(11);
        for _ in 0..3000 {
            let (x, y) = (interesting(&mut random), interesting(&mut random));
            let (Some(a), Some(b)) = (Float::from(x).number(), Float::from(y).number()) else {
                continue;
            };
            if b.is_zero() || (x / y).abs() > 1e30 {
                continue;
            }
            let quotient = &a / &b;
            let (below, half) = (quotient.floor(), Rational::new(1.into(), 2.into()));
            let rest = &quotient - &below;
            let up = rest > half || (rest == half && below.to_integer().is_odd());
            let nearest = if up { below + Rational::one() } else { below };
            let expected = &a - nearest * &b;
            assert_eq!(Float::from(remainder(x, y)).number(), Some(expected), "{x} {y}");
        }
    }
}
