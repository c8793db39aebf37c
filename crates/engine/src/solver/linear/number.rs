//! Rationals of the simplex: exact ones with infinitesimals, and the factor that makes them integers.

use crate::terms::Rational;
use num_traits::{Signed, Zero};

/// A number plus a multiple of a positive infinitesimal: how strict bounds over reals are met without strictness.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Delta {
    /// The number.
    pub main: Rational,
    /// The coefficient of the infinitesimal.
    pub slope: Rational,
}

impl Delta {
    /// Zero.
    pub const ZERO: Delta = Delta {
        main: Rational::ZERO,
        slope: Rational::ZERO,
    };

    /// A number without an infinitesimal part.
    pub fn exactly(main: Rational) -> Delta {
        Delta {
            main,
            slope: Rational::ZERO,
        }
    }

    /// `self + factor·other`.
    pub fn plus_scaled(&self, other: &Delta, factor: &Rational) -> Delta {
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
            main: &self.main - &other.main,
            slope: &self.slope - &other.slope,
        }
    }

    /// The multiple.
    pub fn times(&self, factor: &Rational) -> Delta {
        Delta::ZERO.plus_scaled(self, factor)
    }

    /// Whether it is an integer, infinitesimals included.
    pub fn is_integer(&self) -> bool {
        self.slope.is_zero() && self.main.is_integer()
    }

    /// The largest integer that is not above it.
    pub fn floor(&self) -> Rational {
        let floor = self.main.floor();
        if self.slope.is_negative() && self.main.is_integer() {
            floor - Rational::ONE
        } else {
            floor
        }
    }

    /// The smallest integer that is not below it.
    pub fn ceil(&self) -> Rational {
        let ceil = self.main.ceil();
        if self.slope.is_positive() && self.main.is_integer() {
            ceil + Rational::ONE
        } else {
            ceil
        }
    }

    /// The value for a given infinitesimal.
    pub fn at(&self, infinitesimal: &Rational) -> Rational {
        self.main.plus_product(&self.slope, infinitesimal)
    }
}
