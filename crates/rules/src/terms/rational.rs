//! Exact numbers: fractions of machine integers while they fit, big ones otherwise.
//!
//! Nearly all numbers of a verification are small integers; these take no allocation and no search for common divisors.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Num, One, Signed, ToPrimitive, Zero};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Rem, Sub, SubAssign};
use std::str::FromStr;

/// An exact fraction of any size. The representation is canonical, so that equality is structural: whatever fits is small.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rational(Form);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Form {
    /// Numerator (never `i64::MIN`, so that it can be negated) and positive denominator, in lowest terms.
    Small(i64, i64),
    Big(Box<BigRational>),
}
use Form::{Big, Small};

impl Rational {
    /// Zero.
    pub const ZERO: Rational = Rational(Small(0, 1));
    /// One.
    pub const ONE: Rational = Rational(Small(1, 1));
    /// Minus one.
    pub const MINUS_ONE: Rational = Rational(Small(-1, 1));

    /// `numerator / denominator`, which must not be zero.
    pub fn new(numerator: BigInt, denominator: BigInt) -> Rational {
        match (numerator.to_i64(), denominator.to_i64()) {
            (Some(a), Some(b)) if b != 0 => Rational::from_fraction(a.into(), b.into()),
            _ => Rational::from_big(BigRational::new(numerator, denominator)),
        }
    }

    /// A whole number.
    pub fn from_integer(value: BigInt) -> Rational {
        match value.to_i64() {
            Some(small) => Rational::from_wide(small.into()),
            None => Rational(Big(Box::new(BigRational::from_integer(value)))),
        }
    }

    /// The numerator in lowest terms, which has the sign.
    pub fn numer(&self) -> BigInt {
        match &self.0 {
            Small(numerator, _) => BigInt::from(*numerator),
            Big(value) => value.numer().clone(),
        }
    }

    fn numerator(&self) -> Cow<'_, BigInt> {
        match &self.0 {
            Small(numerator, _) => Cow::Owned(BigInt::from(*numerator)),
            Big(value) => Cow::Borrowed(value.numer()),
        }
    }

    /// Both numbers, if they are whole: there is nothing to be reduced then.
    fn integers<'r>(&'r self, other: &'r Rational) -> Option<(Cow<'r, BigInt>, Cow<'r, BigInt>)> {
        (self.is_integer() && other.is_integer()).then(|| (self.numerator(), other.numerator()))
    }

    /// The denominator in lowest terms, which is positive.
    pub fn denom(&self) -> BigInt {
        match &self.0 {
            Small(_, denominator) => BigInt::from(*denominator),
            Big(value) => value.denom().clone(),
        }
    }

    /// Numerator and denominator in lowest terms, if both are small.
    pub fn small(&self) -> Option<(i64, i64)> {
        match self.0 {
            Small(numerator, denominator) => Some((numerator, denominator)),
            Big(_) => None,
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
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Small(_, 1) => self.clone(),
            Small(numerator, denominator) => Rational(Small(numerator.div_euclid(*denominator), 1)),
            Big(value) => Rational::from_big(value.floor()),
        }
    }

    /// The smallest integer that is not below it.
    pub fn ceil(&self) -> Rational {
        -(-self).floor()
    }

    /// The integer part, rounded towards zero.
    pub fn to_integer(&self) -> BigInt {
        match &self.0 {
            Small(numerator, denominator) => BigInt::from(numerator / denominator),
            Big(value) => value.to_integer(),
        }
    }

    /// One divided by it; it must not be zero.
    pub fn recip(&self) -> Rational {
        match &self.0 {
            Small(0, _) => Rational::from_big(BigRational::zero().recip()),
            Small(numerator, denominator) => Rational(Small(numerator.signum() * denominator, numerator.abs())),
            Big(value) => Rational::from_big(value.recip()),
        }
    }

    /// `self + a·b`.
    pub fn plus_product(&self, a: &Rational, b: &Rational) -> Rational {
        if let (Small(x, 1), Small(y, 1), Small(z, 1)) = (&self.0, &a.0, &b.0) {
            // At most 2^126 + 2^63: no overflow.
            return Rational::from_wide(i128::from(*x) + i128::from(*y) * i128::from(*z));
        }
        self + &(a * b)
    }

    /// Quotient and remainder of whole numbers, the remainder in `0 .. |divisor|`; the divisor must not be zero.
    pub fn euclidean_division(&self, divisor: &Rational) -> (Rational, Rational) {
        if let (Small(a, 1), Small(b, 1)) = (&self.0, &divisor.0)
            && *b != 0
        {
            let (a, b) = (i128::from(*a), i128::from(*b));
            return (
                Rational::from_wide(a.div_euclid(b)),
                Rational::from_wide(a.rem_euclid(b)),
            );
        }
        let (a, b) = (self.numerator(), divisor.numerator());
        let (mut quotient, mut remainder) = a.div_rem(&b);
        if remainder.is_negative() {
            if b.is_positive() {
                quotient -= 1;
            } else {
                quotient += 1;
            }
            remainder += b.abs();
        }
        (Rational::from_integer(quotient), Rational::from_integer(remainder))
    }

    /// The positive factor that makes all numbers integers without a common divisor; one if there is none or all are zero.
    pub fn normalizing_factor<'a>(numbers: impl Iterator<Item = &'a Rational> + Clone) -> Rational {
        // Usually all of them are small integers, and one of them is one or minus one.
        let mut divisor = 0;
        let all_small = numbers.clone().all(|number| match number.0 {
            Small(numerator, 1) => {
                divisor = divisor.gcd(&numerator);
                true
            }
            _ => false,
        });
        if all_small {
            return if divisor > 1 {
                Rational(Small(1, divisor))
            } else {
                Rational::ONE
            };
        }
        let mut denominators = BigInt::one();
        for number in numbers.clone().filter(|number| !number.is_integer()) {
            denominators = denominators.lcm(&number.denom());
        }
        // The gcd of fractions a/b is gcd(a)/lcm(b) once all are in lowest terms over the common denominator.
        let mut common = BigInt::zero();
        for number in numbers {
            let whole = match denominators.is_one() {
                true => number.numerator(),
                false => Cow::Owned(number.numer() * (&denominators / number.denom())),
            };
            common = match common.is_zero() {
                true => whole.abs(),
                false => common.gcd(&whole),
            };
            if common.is_one() {
                break;
            }
        }
        if common.is_zero() {
            return Rational::ONE;
        }
        Rational::new(denominators, common)
    }

    fn from_wide(value: i128) -> Rational {
        match i64::try_from(value) {
            Ok(small) if small != i64::MIN => Rational(Small(small, 1)),
            _ => Rational(Big(Box::new(BigRational::from_integer(value.into())))),
        }
    }

    /// The denominator must not be zero.
    fn from_fraction(numerator: i128, denominator: i128) -> Rational {
        let divisor = match (i64::try_from(numerator), i64::try_from(denominator)) {
            (Ok(a), Ok(b)) if a != i64::MIN && b != i64::MIN => i128::from(a.gcd(&b)),
            _ => numerator.gcd(&denominator),
        };
        let divisor = if denominator < 0 { -divisor } else { divisor };
        Rational::from_reduced(numerator / divisor, denominator / divisor)
    }

    /// In lowest terms already, the denominator positive.
    fn from_reduced(numerator: i128, denominator: i128) -> Rational {
        match (i64::try_from(numerator), i64::try_from(denominator)) {
            (Ok(a), Ok(b)) if a != i64::MIN => Rational(Small(a, b)),
            _ => Rational(Big(Box::new(BigRational::new_raw(
                numerator.into(),
                denominator.into(),
            )))),
        }
    }

    fn from_big(value: BigRational) -> Rational {
        match (value.numer().to_i64(), value.denom().to_i64()) {
            (Some(a), Some(b)) if a != i64::MIN => Rational(Small(a, b)),
            _ => Rational(Big(Box::new(value))),
        }
    }

    fn to_big(&self) -> BigRational {
        match &self.0 {
            Small(numerator, denominator) => BigRational::new_raw((*numerator).into(), (*denominator).into()),
            Big(value) => (**value).clone(),
        }
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Rational {
        Rational::from_wide(value.into())
    }
}

impl From<BigInt> for Rational {
    fn from(value: BigInt) -> Rational {
        Rational::from_integer(value)
    }
}

impl Default for Rational {
    fn default() -> Rational {
        Rational::ZERO
    }
}

impl Add<&Rational> for &Rational {
    type Output = Rational;

    fn add(self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Small(a, 1), Small(b, 1)) => Rational::from_wide(i128::from(*a) + i128::from(*b)),
            (Small(a, b), Small(c, d)) => {
                let (a, b, c, d) = (i128::from(*a), i128::from(*b), i128::from(*c), i128::from(*d));
                if b == d {
                    Rational::from_fraction(a + c, b)
                } else {
                    Rational::from_fraction(a * d + c * b, b * d)
                }
            }
            _ => match self.integers(other) {
                Some((a, b)) => Rational::from_integer(a.as_ref() + b.as_ref()),
                None => Rational::from_big(self.to_big() + other.to_big()),
            },
        }
    }
}

impl Sub<&Rational> for &Rational {
    type Output = Rational;

    fn sub(self, other: &Rational) -> Rational {
        self + &-other
    }
}

impl Mul<&Rational> for &Rational {
    type Output = Rational;

    fn mul(self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Small(a, 1), Small(b, 1)) => Rational::from_wide(i128::from(*a) * i128::from(*b)),
            (Small(a, b), Small(c, d)) => {
                // Reduced crosswise, the product is in lowest terms; all of it in 64-bit divisions.
                let (left, right) = (a.gcd(d), c.gcd(b));
                let numerator = i128::from(a / left) * i128::from(c / right);
                let denominator = i128::from(b / right) * i128::from(d / left);
                Rational::from_reduced(numerator, denominator)
            }
            _ => match self.integers(other) {
                Some((a, b)) => Rational::from_integer(a.as_ref() * b.as_ref()),
                None => Rational::from_big(self.to_big() * other.to_big()),
            },
        }
    }
}

impl Div<&Rational> for &Rational {
    type Output = Rational;

    #[expect(
        clippy::suspicious_arithmetic_impl,
        reason = "dividing is multiplying by the reciprocal"
    )]
    fn div(self, other: &Rational) -> Rational {
        self * &other.recip()
    }
}

impl Rem<&Rational> for &Rational {
    type Output = Rational;

    fn rem(self, other: &Rational) -> Rational {
        let quotient = Rational::from_integer((self / other).to_integer());
        self - &(&quotient * other)
    }
}

impl Neg for &Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        match &self.0 {
            Small(numerator, denominator) => Rational(Small(-numerator, *denominator)),
            Big(value) => Rational::from_big(-&**value),
        }
    }
}

impl Neg for Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        -&self
    }
}

/// The same operation for values in the place of references.
macro_rules! by_value {
    ($($operation:ident $method:ident),*) => {$(
        impl $operation<Rational> for Rational {
            type Output = Rational;

            fn $method(self, other: Rational) -> Rational {
                (&self).$method(&other)
            }
        }

        impl $operation<&Rational> for Rational {
            type Output = Rational;

            fn $method(self, other: &Rational) -> Rational {
                (&self).$method(other)
            }
        }

        impl $operation<Rational> for &Rational {
            type Output = Rational;

            fn $method(self, other: Rational) -> Rational {
                self.$method(&other)
            }
        }
    )*};
}
by_value!(Add add, Sub sub, Mul mul, Div div, Rem rem);

/// The same operation in place.
macro_rules! in_place {
    ($($operation:ident $method:ident $by:ident),*) => {$(
        impl $operation<Rational> for Rational {
            fn $method(&mut self, other: Rational) {
                *self = (&*self).$by(&other);
            }
        }

        impl $operation<&Rational> for Rational {
            fn $method(&mut self, other: &Rational) {
                *self = (&*self).$by(other);
            }
        }
    )*};
}
in_place!(AddAssign add_assign add, SubAssign sub_assign sub, MulAssign mul_assign mul);

impl std::iter::Sum for Rational {
    fn sum<I: Iterator<Item = Rational>>(numbers: I) -> Rational {
        numbers.fold(Rational::ZERO, |sum, number| sum + number)
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a, b), Small(c, d)) if b == d => a.cmp(c),
            (Small(a, b), Small(c, d)) => (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b))),
            _ => match self.integers(other) {
                Some((a, b)) => a.cmp(&b),
                None => self.to_big().cmp(&other.to_big()),
            },
        }
    }
}

impl Zero for Rational {
    fn zero() -> Rational {
        Rational::ZERO
    }

    fn is_zero(&self) -> bool {
        matches!(self.0, Small(0, _))
    }
}

impl One for Rational {
    fn one() -> Rational {
        Rational::ONE
    }

    fn is_one(&self) -> bool {
        matches!(self.0, Small(1, 1))
    }
}

impl Num for Rational {
    type FromStrRadixErr = <BigRational as Num>::FromStrRadixErr;

    fn from_str_radix(text: &str, radix: u32) -> Result<Rational, Self::FromStrRadixErr> {
        BigRational::from_str_radix(text, radix).map(Rational::from_big)
    }
}

impl Signed for Rational {
    fn abs(&self) -> Rational {
        if self.is_negative() { -self } else { self.clone() }
    }

    fn abs_sub(&self, other: &Rational) -> Rational {
        if self <= other { Rational::ZERO } else { self - other }
    }

    fn signum(&self) -> Rational {
        match (self.is_positive(), self.is_negative()) {
            (true, _) => Rational::ONE,
            (_, true) => Rational::MINUS_ONE,
            _ => Rational::ZERO,
        }
    }

    fn is_positive(&self) -> bool {
        match &self.0 {
            Small(numerator, _) => *numerator > 0,
            Big(value) => value.is_positive(),
        }
    }

    fn is_negative(&self) -> bool {
        match &self.0 {
            Small(numerator, _) => *numerator < 0,
            Big(value) => value.is_negative(),
        }
    }
}

impl FromStr for Rational {
    type Err = <BigRational as FromStr>::Err;

    fn from_str(text: &str) -> Result<Rational, Self::Err> {
        text.parse().map(Rational::from_big)
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(numerator, 1) => fmt::Display::fmt(numerator, out),
            Small(numerator, denominator) => {
                out.pad_integral(*numerator >= 0, "", &format!("{}/{denominator}", numerator.abs()))
            }
            Big(value) => fmt::Display::fmt(&**value, out),
        }
    }
}

/// The exponent, if an integer is a power of two.
pub fn exponent_of_two(value: &BigInt) -> Option<u32> {
    let exponent = value.trailing_zeros()?;
    let is_power = value.is_positive() && value.bits() == exponent + 1;
    is_power.then(|| exponent.to_u32()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn part() -> impl Strategy<Value = i64> {
        prop_oneof![-9i64..10, any::<i64>(), Just(i64::MIN), Just(i64::MAX)]
    }

    #[test]
    fn exponents_are_those_of_powers_of_two() {
        for exponent in [0, 1, 5, 63, 64, 200] {
            let power = BigInt::one() << exponent;
            assert_eq!(exponent_of_two(&power), Some(exponent));
            assert_eq!(exponent_of_two(&-power.clone()), None);
            assert_eq!(exponent_of_two(&(power * 3)), None);
        }
        assert_eq!(exponent_of_two(&BigInt::zero()), None);
    }

    proptest! {
        #[test]
        fn numbers_compute_as_big_ones(a in part(), b in part(), c in part(), d in part()) {
            let (b, d) = (if b == 0 { 1 } else { b }, if d == 0 { 1 } else { d });
            let (x, y) = (BigRational::new(a.into(), b.into()), BigRational::new(c.into(), d.into()));
            let (m, n) = (Rational::new(a.into(), b.into()), Rational::new(c.into(), d.into()));
            let small = |value: BigRational| Rational::from_big(value);
            prop_assert_eq!(&m, &small(x.clone()));
            prop_assert_eq!(&m + &n, small(&x + &y));
            prop_assert_eq!(&m - &n, small(&x - &y));
            prop_assert_eq!(&m * &n, small(&x * &y));
            prop_assert_eq!(m.plus_product(&n, &m), small(&x + &y * &x));
            prop_assert_eq!(m.cmp(&n), x.cmp(&y));
            prop_assert_eq!(m.floor(), small(x.floor()));
            prop_assert_eq!(m.ceil(), small(x.ceil()));
            prop_assert_eq!(m.to_integer(), x.to_integer());
            prop_assert_eq!(m.abs(), small(x.abs()));
            if !x.is_zero() {
                prop_assert_eq!(m.recip(), small(x.recip()));
                prop_assert_eq!(&n / &m, small(&y / &x));
                prop_assert_eq!(&n % &m, small(&y % &x));
            }
            prop_assert_eq!(m.to_string(), x.to_string());
            prop_assert_eq!(m.to_big(), x);
        }

        #[test]
        fn the_normalizing_factor_leaves_integers_without_a_common_divisor(parts in prop::collection::vec((part(), 1i64..9), 1..5)) {
            let numbers: Vec<Rational> = parts.iter().map(|(a, b)| Rational::new((*a).into(), (*b).into())).collect();
            let factor = Rational::normalizing_factor(numbers.iter());
            prop_assert!(factor.is_positive());
            let scaled: Vec<Rational> = numbers.iter().map(|number| number * &factor).collect();
            prop_assert!(scaled.iter().all(Rational::is_integer));
            let common = scaled.iter().fold(BigInt::zero(), |common, number| common.gcd(&number.numer()));
            prop_assert!(common.is_zero() || common.is_one());
        }

        #[test]
        fn whole_numbers_divide_with_a_remainder_that_is_not_negative(a in part(), b in part()) {
            let divisor = if b == 0 { 1 } else { b };
            let (a, b) = (Rational::from(a), Rational::from(divisor));
            let (quotient, remainder) = a.euclidean_division(&b);
            prop_assert_eq!(quotient.clone() * &b + &remainder, a);
            prop_assert!(quotient.is_integer() && !remainder.is_negative() && remainder < b.abs());
        }
    }
}
