//! Constants of type `long double` that become narrower at once: the headers write the limits of `double` so. Nothing else of the
//! type has exact terms.

use crate::terms::Rational;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};

/// The significant bits of x87's extended format.
const SIGNIFICANT: i64 = 64;
/// The exponent of its least number.
const LEAST: i64 = -16445;
/// The greatest exponent of a number's last significant bit.
const GREATEST: i64 = 16383 - 63;

/// The number of x87's extended format that is nearest to one; `None` if that is an infinity.
pub(super) fn extended(number: &Rational) -> Option<Rational> {
    let (numerator, denominator) = (number.numer(), number.denom());
    if numerator.is_zero() {
        return Some(number.clone());
    }
    let magnitude = BigInt::from(numerator.magnitude().clone());
    // The quotient by this power has 64 bits or one more.
    let mut exponent = magnitude.bits() as i64 - denominator.bits() as i64 - SIGNIFICANT;
    let scaled = |exponent: i64| match exponent >= 0 {
        true => magnitude.div_rem(&(&denominator << exponent)),
        false => (&magnitude << -exponent).div_rem(&denominator),
    };
    if scaled(exponent).0.bits() as i64 > SIGNIFICANT {
        exponent += 1;
    }
    exponent = exponent.max(LEAST);
    let (mut quotient, rest) = scaled(exponent);
    let divisor = match exponent >= 0 {
        true => &denominator << exponent,
        false => denominator.clone(),
    };
    let twice = rest * 2;
    if twice > divisor || twice == divisor && quotient.is_odd() {
        quotient += 1;
    }
    if exponent > GREATEST || exponent == GREATEST && quotient.bits() as i64 > SIGNIFICANT {
        return None;
    }
    if numerator.sign() == Sign::Minus {
        quotient = -quotient;
    }
    Some(match exponent >= 0 {
        true => Rational::from_integer(quotient << exponent),
        false => Rational::new(quotient, BigInt::one() << -exponent),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn power(exponent: i64) -> Rational {
        match exponent >= 0 {
            true => Rational::from_integer(BigInt::one() << exponent),
            false => Rational::new(BigInt::one(), BigInt::one() << -exponent),
        }
    }

    #[test]
    fn numbers_keep_sixty_four_bits() {
        let one = power(0);
        for (number, expected) in [
            (one.clone() + power(-63), one.clone() + power(-63)),
            // In the middle the even one is taken.
            (one.clone() + power(-64), one.clone()),
            (one.clone() + power(-63) + power(-64), one.clone() + power(-62)),
            (one.clone() + power(-64) + power(-100), one.clone() + power(-63)),
            (-(one.clone() + power(-65)), -one.clone()),
            (power(-16446), Rational::default()),
            (power(-16446) + power(-16500), power(-16445)),
            (power(16383), power(16383)),
        ] {
            assert_eq!(extended(&number), Some(expected));
        }
        assert_eq!(extended(&power(16384)), None);
        let third = Rational::new(BigInt::one(), BigInt::from(3));
        let nearest = extended(&third).expect("it is not too large");
        assert_eq!(
            nearest,
            Rational::new(BigInt::from(12297829382473034411_u64), BigInt::one() << 65)
        );
    }
}
