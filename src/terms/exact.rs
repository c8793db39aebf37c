//! Sums and products of exact fractions, quick where they are integers: nearly all of them are, and the general operations
//! look for common divisors each time.

use super::Rational;

/// `left + right`.
pub(crate) fn plus(left: &Rational, right: &Rational) -> Rational {
    if left.is_integer() && right.is_integer() {
        return Rational::from_integer(left.numer() + right.numer());
    }
    left + right
}

/// `left · right`.
pub(crate) fn times(left: &Rational, right: &Rational) -> Rational {
    if left.is_integer() && right.is_integer() {
        return Rational::from_integer(left.numer() * right.numer());
    }
    left * right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_and_integers_mix() {
        let of = |numerator: i64, denominator: i64| Rational::new(numerator.into(), denominator.into());
        assert_eq!(plus(&of(3, 1), &of(-5, 1)), of(-2, 1));
        assert_eq!(plus(&of(1, 2), &of(1, 2)), of(1, 1));
        assert_eq!(times(&of(3, 1), &of(-5, 1)), of(-15, 1));
        assert_eq!(times(&of(3, 1), &of(1, 3)), of(1, 1));
    }
}
