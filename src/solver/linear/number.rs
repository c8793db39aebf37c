//! Exact numbers of the simplex: fractions of machine integers while they fit, big ones otherwise.

use crate::terms::Rational;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// An exact fraction. The representation is canonical, so that equality is structural: whatever fits is small.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Number(Form);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Form {
    /// Numerator (never `i64::MIN`, so that it can be negated) and positive denominator, in lowest terms.
    Small(i64, i64),
    Big(Box<Rational>),
}
use Form::{Big, Small};

impl Number {
    /// Zero.
    pub const ZERO: Number = Number(Small(0, 1));
    /// One.
    pub const ONE: Number = Number(Small(1, 1));

    /// The same value as a rational of any size.
    pub fn to_rational(&self) -> Rational {
        match &self.0 {
            Small(numerator, denominator) => Rational::new_raw((*numerator).into(), (*denominator).into()),
            Big(value) => (**value).clone(),
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0, _))
    }

    /// Whether it is one.
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1, 1))
    }

    /// Whether it is above zero.
    pub fn is_positive(&self) -> bool {
        match &self.0 {
            Small(numerator, _) => *numerator > 0,
            Big(value) => value.is_positive(),
        }
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Small(numerator, _) => *numerator < 0,
            Big(value) => value.is_negative(),
        }
    }

    /// Whether it has no fractional part.
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Small(_, denominator) => *denominator == 1,
            Big(value) => value.is_integer(),
        }
    }

    /// The largest integer that is not above it.
    pub fn floor(&self) -> Number {
        match &self.0 {
            Small(_, 1) => self.clone(),
            Small(numerator, denominator) => Number(Small(numerator.div_euclid(*denominator), 1)),
            Big(value) => Number::from(&value.floor()),
        }
    }

    /// The smallest integer that is not below it.
    pub fn ceil(&self) -> Number {
        -&(-self).floor()
    }

    /// The absolute value.
    pub fn abs(&self) -> Number {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The sum.
    pub fn plus(&self, other: &Number) -> Number {
        match (&self.0, &other.0) {
            (Small(a, 1), Small(b, 1)) => Number::from_wide(i128::from(*a) + i128::from(*b)),
            (Small(a, b), Small(c, d)) => {
                let (a, b, c, d) = (i128::from(*a), i128::from(*b), i128::from(*c), i128::from(*d));
                if b == d {
                    Number::from_fraction(a + c, b)
                } else {
                    Number::from_fraction(a * d + c * b, b * d)
                }
            }
            _ => Number::from(&(self.to_rational() + other.to_rational())),
        }
    }

    /// The difference.
    pub fn minus(&self, other: &Number) -> Number {
        self.plus(&-other)
    }

    /// The product.
    pub fn times(&self, other: &Number) -> Number {
        match (&self.0, &other.0) {
            (Small(a, 1), Small(b, 1)) => Number::from_wide(i128::from(*a) * i128::from(*b)),
            (Small(a, b), Small(c, d)) => {
                // Reduced crosswise, the product is in lowest terms; all of it in 64-bit divisions.
                let (left, right) = (a.gcd(d), c.gcd(b));
                let numerator = i128::from(a / left) * i128::from(c / right);
                let denominator = i128::from(b / right) * i128::from(d / left);
                Number::from_reduced(numerator, denominator)
            }
            _ => Number::from(&(self.to_rational() * other.to_rational())),
        }
    }

    /// One divided by it, or zero for zero, by which nothing here divides.
    pub fn reciprocal(&self) -> Number {
        match &self.0 {
            Small(0, _) => Number::ZERO,
            Small(numerator, denominator) => Number(Small(numerator.signum() * denominator, numerator.abs())),
            Big(value) => Number::from(&value.recip()),
        }
    }

    /// `self + a·b`.
    pub fn plus_product(&self, a: &Number, b: &Number) -> Number {
        if let (Small(x, 1), Small(y, 1), Small(z, 1)) = (&self.0, &a.0, &b.0) {
            // At most 2^126 + 2^63: no overflow.
            return Number::from_wide(i128::from(*x) + i128::from(*y) * i128::from(*z));
        }
        self.plus(&a.times(b))
    }

    /// Numerator and denominator.
    pub fn parts(&self) -> (BigInt, BigInt) {
        let value = self.to_rational();
        (value.numer().clone(), value.denom().clone())
    }

    fn from_wide(value: i128) -> Number {
        match i64::try_from(value) {
            Ok(small) if small != i64::MIN => Number(Small(small, 1)),
            _ => Number(Big(Box::new(Rational::from_integer(value.into())))),
        }
    }

    fn from_fraction(numerator: i128, denominator: i128) -> Number {
        let divisor = match (i64::try_from(numerator), i64::try_from(denominator)) {
            (Ok(a), Ok(b)) if a != i64::MIN => i128::from(a.gcd(&b)),
            _ => numerator.gcd(&denominator),
        };
        Number::from_reduced(numerator / divisor, denominator / divisor)
    }

    fn from_reduced(numerator: i128, denominator: i128) -> Number {
        match (i64::try_from(numerator), i64::try_from(denominator)) {
            (Ok(a), Ok(b)) if a != i64::MIN => Number(Small(a, b)),
            _ => Number(Big(Box::new(Rational::new_raw(numerator.into(), denominator.into())))),
        }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number::from_wide(value.into())
    }
}

impl From<&Rational> for Number {
    fn from(value: &Rational) -> Number {
        match (value.numer().to_i64(), value.denom().to_i64()) {
            (Some(a), Some(b)) if a != i64::MIN => Number(Small(a, b)),
            _ => Number(Big(Box::new(value.clone()))),
        }
    }
}

impl std::ops::Neg for &Number {
    type Output = Number;

    fn neg(self) -> Number {
        match &self.0 {
            Small(numerator, denominator) => Number(Small(-numerator, *denominator)),
            Big(value) => Number::from(&-&**value),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a, b), Small(c, d)) if b == d => a.cmp(c),
            (Small(a, b), Small(c, d)) => (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b))),
            _ => self.to_rational().cmp(&other.to_rational()),
        }
    }
}

/// A number plus a multiple of a positive infinitesimal: how strict bounds over reals are met without strictness.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Delta {
    /// The number.
    pub main: Number,
    /// The coefficient of the infinitesimal.
    pub slope: Number,
}

impl Delta {
    /// Zero.
    pub const ZERO: Delta = Delta {
        main: Number::ZERO,
        slope: Number::ZERO,
    };

    /// A number without an infinitesimal part.
    pub fn exactly(main: Number) -> Delta {
        Delta {
            main,
            slope: Number::ZERO,
        }
    }

    /// `self + factor·other`.
    pub fn plus_scaled(&self, other: &Delta, factor: &Number) -> Delta {
        Delta {
            main: self.main.plus_product(&other.main, factor),
            slope: if other.slope.is_zero() {
                self.slope.clone()
            } else {
                self.slope.plus_product(&other.slope, factor)
            },
        }
    }

    /// The difference.
    pub fn minus(&self, other: &Delta) -> Delta {
        Delta {
            main: self.main.minus(&other.main),
            slope: self.slope.minus(&other.slope),
        }
    }

    /// The multiple.
    pub fn times(&self, factor: &Number) -> Delta {
        Delta::ZERO.plus_scaled(self, factor)
    }

    /// Whether it is an integer, infinitesimals included.
    pub fn is_integer(&self) -> bool {
        self.slope.is_zero() && self.main.is_integer()
    }

    /// The largest integer that is not above it.
    pub fn floor(&self) -> Number {
        let floor = self.main.floor();
        if self.slope.is_negative() && self.main.is_integer() {
            floor.minus(&Number::ONE)
        } else {
            floor
        }
    }

    /// The smallest integer that is not below it.
    pub fn ceil(&self) -> Number {
        let ceil = self.main.ceil();
        if self.slope.is_positive() && self.main.is_integer() {
            ceil.plus(&Number::ONE)
        } else {
            ceil
        }
    }

    /// The value for a given infinitesimal.
    pub fn at(&self, infinitesimal: &Number) -> Number {
        self.main.plus_product(&self.slope, infinitesimal)
    }
}

/// The positive factor that makes all numbers integers without a common divisor; one if there is none or all are zero.
pub fn normalizing_factor<'a>(numbers: impl Iterator<Item = &'a Number> + Clone) -> Number {
    // Usually all of them are integers, one of them one or minus one.
    if numbers.clone().all(Number::is_integer) && numbers.clone().any(|number| number.abs().is_one()) {
        return Number::ONE;
    }
    let mut denominators = BigInt::one();
    for number in numbers.clone() {
        denominators = denominators.lcm(&number.parts().1);
    }
    let mut common = BigInt::zero();
    for number in numbers {
        let (numerator, denominator) = number.parts();
        common = common.gcd(&(numerator * (&denominators / denominator)));
    }
    if common.is_zero() {
        return Number::ONE;
    }
    Number::from(&Rational::new(denominators, common))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rational(numerator: i64, denominator: i64) -> Rational {
        Rational::new(numerator.into(), denominator.into())
    }

    fn part() -> impl Strategy<Value = i64> {
        prop_oneof![-9i64..10, any::<i64>(), Just(i64::MIN), Just(i64::MAX)]
    }

    proptest! {
        #[test]
        fn numbers_compute_as_rationals(a in part(), b in part(), c in part(), d in part()) {
            let (b, d) = (if b == 0 { 1 } else { b }, if d == 0 { 1 } else { d });
            let (x, y) = (rational(a, b), rational(c, d));
            let (m, n) = (Number::from(&x), Number::from(&y));
            prop_assert_eq!(m.plus(&n), Number::from(&(&x + &y)));
            prop_assert_eq!(m.minus(&n), Number::from(&(&x - &y)));
            prop_assert_eq!(m.times(&n), Number::from(&(&x * &y)));
            prop_assert_eq!(m.plus_product(&n, &m), Number::from(&(&x + &y * &x)));
            prop_assert_eq!(m.cmp(&n), x.cmp(&y));
            prop_assert_eq!(m.floor(), Number::from(&x.floor()));
            prop_assert_eq!(m.ceil(), Number::from(&x.ceil()));
            if !x.is_zero() {
                prop_assert_eq!(m.reciprocal(), Number::from(&x.recip()));
            }
            prop_assert_eq!(m.to_rational(), x);
        }
    }
}
