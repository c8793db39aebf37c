//! Arithmetic modulo primes of 61 bits, and the way back from residues to fractions.

use crate::terms::Rational;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The largest primes below 2^61. One is enough for coefficients of nine digits; the others are there for longer ones.
pub(super) const PRIMES: [u64; 6] = [
    (1 << 61) - 1,
    (1 << 61) - 31,
    (1 << 61) - 45,
    (1 << 61) - 229,
    (1 << 61) - 259,
    (1 << 61) - 283,
];

/// The field of residues modulo one of the [`PRIMES`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub prime: u64,
}

impl Field {
    pub fn subtract(self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.prime - b }
    }

    pub fn product(self, a: u64, b: u64) -> u64 {
        // The primes are 2^61 minus something small, so what is above bit 61 can be folded back without a division.
        let mask = (1 << 61) - 1;
        let excess = u128::from((1u64 << 61) - self.prime);
        let product = u128::from(a) * u128::from(b);
        let folded = (product & mask) + excess * (product >> 61);
        let folded = (folded & mask) + excess * (folded >> 61);
        let rest = folded as u64;
        if rest >= self.prime { rest - self.prime } else { rest }
    }

    /// The inverse of a residue that is not zero, by Fermat's little theorem.
    pub fn inverse(self, a: u64) -> u64 {
        let (mut power, mut exponent, mut result) = (a, self.prime - 2, 1);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.product(result, power);
            }
            power = self.product(power, power);
            exponent >>= 1;
        }
        result
    }

    /// The residue of a fraction; `None` if the prime divides its denominator.
    pub fn residue(self, value: &Rational) -> Option<u64> {
        let prime = BigInt::from(self.prime);
        let of = |number: &BigInt| match number.to_i64() {
            Some(small) => (i128::from(small).rem_euclid(i128::from(self.prime))) as u64,
            None => number.mod_floor(&prime).to_u64().unwrap_or_default(),
        };
        let numerator = of(&value.numer());
        if value.denom().is_one() {
            return Some(numerator);
        }
        match of(&value.denom()) {
            0 => None,
            denominator => Some(self.product(numerator, self.inverse(denominator))),
        }
    }
}

/// A number known modulo a product of primes.
#[derive(Clone, Debug)]
pub(super) struct Residue {
    value: BigInt,
    modulus: BigInt,
}

impl Residue {
    pub fn new(value: u64, prime: u64) -> Residue {
        Residue {
            value: value.into(),
            modulus: prime.into(),
        }
    }

    /// What is also known modulo a further prime (the Chinese remainder theorem).
    pub fn combine(&mut self, value: u64, prime: u64) {
        let field = Field { prime };
        let known = self.value.mod_floor(&BigInt::from(prime)).to_u64().unwrap_or_default();
        let modulus = self
            .modulus
            .mod_floor(&BigInt::from(prime))
            .to_u64()
            .unwrap_or_default();
        let step = field.product(field.subtract(value, known), field.inverse(modulus));
        self.value += &self.modulus * BigInt::from(step);
        self.modulus *= BigInt::from(prime);
    }

    /// The fraction whose numerator and denominator are below the square root of half the modulus; there is at most one.
    pub fn fraction(&self) -> Option<Rational> {
        let bound = (&self.modulus / 2u32).sqrt();
        let (mut a, mut b) = (self.modulus.clone(), self.value.clone());
        let (mut s, mut t) = (BigInt::zero(), BigInt::one());
        while b > bound {
            let (quotient, rest) = a.div_rem(&b);
            let next = &s - &quotient * &t;
            (a, b) = (b, rest);
            (s, t) = (t, next);
        }
        let small = !t.is_zero() && t.abs() <= bound && b.gcd(&t).is_one();
        small.then(|| Rational::new(b, t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_come_back_from_their_residues() {
        let field = Field { prime: PRIMES[0] };
        for (numerator, denominator) in [(0, 1), (1, 1), (-1, 1), (1, 2), (-17, 12), (123_456_789, 1001)] {
            let value = Rational::new(BigInt::from(numerator), BigInt::from(denominator));
            let residue = field.residue(&value).expect("the denominator is small");
            assert_eq!(Residue::new(residue, field.prime).fraction(), Some(value));
        }
    }

    #[test]
    fn products_are_reduced() {
        for prime in PRIMES {
            let field = Field { prime };
            for (a, b) in [
                (prime - 1, prime - 1),
                (prime - 1, 2),
                (1 << 60, 1 << 60),
                (0, 5),
                (123, 456),
            ] {
                let expected = (u128::from(a) * u128::from(b) % u128::from(prime)) as u64;
                assert_eq!(field.product(a, b), expected);
            }
        }
    }

    #[test]
    fn long_numbers_need_several_primes() {
        let value = Rational::new("123456789012345678901".parse().expect("a number"), 7.into());
        let [first, rest @ ..] = PRIMES;
        let of = |prime| Field { prime }.residue(&value).expect("the denominator is small");
        let mut residue = Residue::new(of(first), first);
        assert_ne!(residue.fraction(), Some(value.clone()));
        for prime in rest {
            residue.combine(of(prime), prime);
        }
        assert_eq!(residue.fraction(), Some(value));
    }
}
