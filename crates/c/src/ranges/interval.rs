//! Intervals of integers with exact bounds, and what operations make of them. Every operation gives an interval that holds
//! all results for operands in the given intervals, where the operation is defined.

use super::super::types::IntegerType;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Shifts by more are not computed: no type is that wide.
const LARGEST_SHIFT: u64 = 4096;

/// All integers from one bound to another; a bound that is not there is infinite. Never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Interval {
    /// The least value.
    pub low: Option<BigInt>,
    /// The greatest value.
    pub high: Option<BigInt>,
}

impl Interval {
    /// All integers.
    pub fn all() -> Interval {
        Interval { low: None, high: None }
    }

    /// One integer.
    pub fn point(value: impl Into<BigInt>) -> Interval {
        let value = value.into();
        Interval::between(value.clone(), value)
    }

    /// From `low` to `high`, which must not be smaller.
    pub fn between(low: impl Into<BigInt>, high: impl Into<BigInt>) -> Interval {
        Interval {
            low: Some(low.into()),
            high: Some(high.into()),
        }
    }

    /// The values of a type.
    pub fn of_type(kind: IntegerType) -> Interval {
        Interval::between(kind.minimum(), kind.maximum())
    }

    /// 0 and 1.
    pub fn truth() -> Interval {
        Interval::between(0, 1)
    }

    /// The only value, if there is only one.
    pub fn as_point(&self) -> Option<&BigInt> {
        self.low.as_ref().filter(|low| self.high.as_ref() == Some(low))
    }

    /// Whether the value is inside.
    pub fn contains(&self, value: &BigInt) -> bool {
        self.low.as_ref().is_none_or(|low| low <= value) && self.high.as_ref().is_none_or(|high| value <= high)
    }

    /// Whether all values of the other one are inside.
    pub fn includes(&self, other: &Interval) -> bool {
        let low = match (&self.low, &other.low) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(other)) => own <= other,
        };
        low && match (&self.high, &other.high) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(other)) => own >= other,
        }
    }

    /// Whether all values are at least this one.
    pub fn is_at_least(&self, value: i32) -> bool {
        self.low.as_ref().is_some_and(|low| *low >= BigInt::from(value))
    }

    /// Whether all values are at most this one.
    pub fn is_at_most(&self, value: i32) -> bool {
        self.high.as_ref().is_some_and(|high| *high <= BigInt::from(value))
    }

    /// The smallest interval with all values of both.
    pub fn join(&self, other: &Interval) -> Interval {
        let pick = |own: &Option<BigInt>, other: &Option<BigInt>, least: bool| match (own, other) {
            (Some(own), Some(other)) => Some(if (own < other) == least { own } else { other }.clone()),
            _ => None,
        };
        Interval {
            low: pick(&self.low, &other.low, true),
            high: pick(&self.high, &other.high, false),
        }
    }

    /// The values of both; `None` if there are none.
    pub fn meet(&self, other: &Interval) -> Option<Interval> {
        let pick = |own: &Option<BigInt>, other: &Option<BigInt>, least: bool| match (own, other) {
            (Some(own), Some(other)) => Some(if (own < other) == least { own } else { other }.clone()),
            (own, other) => own.clone().or_else(|| other.clone()),
        };
        let met = Interval {
            low: pick(&self.low, &other.low, false),
            high: pick(&self.high, &other.high, true),
        };
        let empty = matches!((&met.low, &met.high), (Some(low), Some(high)) if low > high);
        (!empty).then_some(met)
    }

    /// `-x`
    pub fn negate(&self) -> Interval {
        Interval {
            low: self.high.as_ref().map(|high| -high),
            high: self.low.as_ref().map(|low| -low),
        }
    }

    /// `x + y`
    pub fn add(&self, other: &Interval) -> Interval {
        let sum = |a: &Option<BigInt>, b: &Option<BigInt>| Some(a.as_ref()? + b.as_ref()?);
        Interval {
            low: sum(&self.low, &other.low),
            high: sum(&self.high, &other.high),
        }
    }

    /// `x - y`
    pub fn subtract(&self, other: &Interval) -> Interval {
        self.add(&other.negate())
    }

    /// `x * y`
    pub fn multiply(&self, other: &Interval) -> Interval {
        if let (Some(a), Some(b), Some(c), Some(d)) = (&self.low, &self.high, &other.low, &other.high) {
            return Interval::hull([a * c, a * d, b * c, b * d]);
        }
        if self.as_point().is_some_and(Zero::is_zero) || other.as_point().is_some_and(Zero::is_zero) {
            return Interval::point(0);
        }
        match (&self.low, &other.low) {
            (Some(a), Some(b)) if !a.is_negative() && !b.is_negative() => Interval {
                low: Some(a * b),
                high: None,
            },
            _ => Interval::all(),
        }
    }

    fn hull<const N: usize>(values: [BigInt; N]) -> Interval {
        let mut hull: Option<Interval> = None;
        for value in values {
            let point = Interval::point(value);
            hull = Some(hull.map_or(point.clone(), |hull| hull.join(&point)));
        }
        hull.unwrap_or_else(Interval::all)
    }

    /// The greatest absolute value, if there is one.
    pub fn magnitude(&self) -> Option<BigInt> {
        Some(self.low.as_ref()?.abs().max(self.high.as_ref()?.abs()))
    }

    /// The values but zero, as far as an interval can leave it out; `None` if there are none.
    pub fn without_zero(&self) -> Option<Interval> {
        let mut rest = self.clone();
        if rest.low.as_ref().is_some_and(Zero::is_zero) {
            rest.low = Some(BigInt::one());
        }
        if rest.high.as_ref().is_some_and(Zero::is_zero) {
            rest.high = Some(-BigInt::one());
        }
        rest.meet(&rest)
    }

    /// `x / y`, rounded towards zero.
    pub fn divide(&self, divisor: &Interval) -> Interval {
        let Some(divisor) = divisor.without_zero() else {
            return Interval::all();
        };
        if let (Some(a), Some(b), Some(c), Some(d)) = (&self.low, &self.high, &divisor.low, &divisor.high)
            && (c.is_positive() || d.is_negative())
        {
            return Interval::hull([a / c, a / d, b / c, b / d]);
        }
        let rounded = match self.magnitude() {
            Some(magnitude) => Interval::between(-&magnitude, magnitude),
            None => Interval::all(),
        };
        match self.is_at_least(0) && divisor.is_at_least(1) {
            true => rounded.meet(&Interval::at_least(0)).unwrap_or(rounded),
            false => rounded,
        }
    }

    /// All integers from here.
    pub fn at_least(value: impl Into<BigInt>) -> Interval {
        Interval {
            low: Some(value.into()),
            high: None,
        }
    }

    /// `x % y`, with the sign of `x`.
    pub fn remainder(&self, divisor: &Interval) -> Interval {
        let bound = [
            self.magnitude(),
            divisor.magnitude().map(|m| (m - BigInt::one()).max(BigInt::zero())),
        ]
        .into_iter()
        .flatten()
        .min();
        Interval {
            low: match self.is_at_least(0) {
                true => Some(BigInt::zero()),
                false => bound.as_ref().map(|bound| -bound),
            },
            high: if self.is_at_most(0) {
                Some(BigInt::zero())
            } else {
                bound
            },
        }
    }

    /// The number of bits that hold the magnitudes of all values: `-2^k <= x < 2^k`.
    pub fn magnitude_bits(&self) -> Option<u64> {
        let low = self.low.as_ref()?;
        let low_bits = if low.is_negative() { (-low - 1u32).bits() } else { 0 };
        let high = self.high.as_ref()?;
        let high_bits = if high.is_negative() { 0 } else { high.bits() };
        Some(low_bits.max(high_bits))
    }

    /// `x & y`, in two's complement.
    pub fn bit_and(&self, other: &Interval) -> Interval {
        let high = [self, other]
            .into_iter()
            .filter(|operand| operand.is_at_least(0))
            .filter_map(|operand| operand.high.clone())
            .min();
        if self.is_at_least(0) || other.is_at_least(0) {
            return Interval {
                low: Some(BigInt::zero()),
                high,
            };
        }
        self.bits_of_both(other)
    }

    /// `x | y`, in two's complement.
    pub fn bit_or(&self, other: &Interval) -> Interval {
        let mut either = self.bits_of_both(other);
        if self.is_at_least(0) && other.is_at_least(0) {
            either.low = self.low.clone().max(other.low.clone());
        } else if self.is_at_most(-1) || other.is_at_most(-1) {
            either.high = Some(-BigInt::one());
        }
        either
    }

    /// `x ^ y`, in two's complement.
    pub fn bit_xor(&self, other: &Interval) -> Interval {
        let mut either = self.bits_of_both(other);
        if self.is_at_least(0) && other.is_at_least(0) {
            either.low = Some(BigInt::zero());
        }
        either
    }

    fn bits_of_both(&self, other: &Interval) -> Interval {
        match (self.magnitude_bits(), other.magnitude_bits()) {
            (Some(own), Some(other)) => {
                let power = BigInt::one() << own.max(other);
                Interval::between(-&power, power - 1)
            }
            _ => Interval::all(),
        }
    }

    /// The powers of two with these exponents, if they are few; negative exponents do not count.
    fn powers(&self) -> Option<Interval> {
        let low = self.low.as_ref().map_or(0, |low| low.to_u64().unwrap_or(0));
        let high = self.high.as_ref()?.to_u64()?;
        (low <= high && high <= LARGEST_SHIFT).then(|| Interval::between(BigInt::one() << low, BigInt::one() << high))
    }

    /// `x << y`, without end.
    pub fn shift_left(&self, distance: &Interval) -> Interval {
        distance
            .powers()
            .map_or_else(Interval::all, |powers| self.multiply(&powers))
    }

    /// `x >> y`, rounded down.
    pub fn shift_right(&self, distance: &Interval) -> Interval {
        let Some(powers) = distance.powers() else {
            return match self.is_at_least(0) {
                true => Interval {
                    low: Some(BigInt::zero()),
                    high: self.high.clone(),
                },
                false => self.join(&Interval::between(-1, 0)),
            };
        };
        let quotient = |bound: &Option<BigInt>, low: bool| {
            let bound = bound.as_ref()?;
            let small = bound.div_floor(powers.low.as_ref()?);
            let large = bound.div_floor(powers.high.as_ref()?);
            Some(if low { small.min(large) } else { small.max(large) })
        };
        Interval {
            low: quotient(&self.low, true),
            high: quotient(&self.high, false),
        }
    }

    /// How often a period of the type fits between its range and the values: the multiples of `2^bits` to subtract.
    pub fn periods(&self, kind: IntegerType) -> Option<(BigInt, BigInt)> {
        let period = BigInt::one() << kind.bits;
        let minimum = kind.minimum();
        let count = |bound: &BigInt| (bound - &minimum).div_floor(&period);
        Some((count(self.low.as_ref()?), count(self.high.as_ref()?)))
    }

    /// The values brought into the type by wrapping around.
    pub fn wrapped(&self, kind: IntegerType) -> Interval {
        match self.periods(kind) {
            Some((first, last)) if first == last => {
                let offset = Interval::point(first << kind.bits);
                self.subtract(&offset)
            }
            _ => Interval::of_type(kind),
        }
    }

    /// `x == y`, `x < y`, `x <= y` where the intervals decide it.
    pub fn compare(&self, other: &Interval, relation: Relation) -> Option<bool> {
        let below = |a: &Option<BigInt>, b: &Option<BigInt>, strict: bool| match (a, b) {
            (Some(a), Some(b)) => a < b || (!strict && a == b),
            _ => false,
        };
        match relation {
            Relation::Equal => match self.meet(other) {
                None => Some(false),
                Some(_) => (self.as_point().is_some() && self == other).then_some(true),
            },
            Relation::Less if below(&self.high, &other.low, true) => Some(true),
            Relation::Less => below(&other.high, &self.low, false).then_some(false),
            Relation::LessOrEqual if below(&self.high, &other.low, false) => Some(true),
            Relation::LessOrEqual => below(&other.high, &self.low, true).then_some(false),
        }
    }
}

/// How two numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    /// `==`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn interval() -> impl Strategy<Value = (Interval, i64)> {
        (-40i64..40, 0i64..30, any::<proptest::sample::Index>()).prop_map(|(low, width, index)| {
            let value = low + index.index(width as usize + 1) as i64;
            (Interval::between(low, low + width), value)
        })
    }

    proptest! {
        #[test]
        fn results_are_inside((a, x) in interval(), (b, y) in interval()) {
            let inside = |interval: Interval, value: i64| interval.contains(&BigInt::from(value));
            prop_assert!(inside(a.add(&b), x + y));
            prop_assert!(inside(a.subtract(&b), x - y));
            prop_assert!(inside(a.multiply(&b), x * y));
            prop_assert!(inside(a.bit_and(&b), x & y));
            prop_assert!(inside(a.bit_or(&b), x | y));
            prop_assert!(inside(a.bit_xor(&b), x ^ y));
            if y != 0 {
                prop_assert!(inside(a.divide(&b), x / y));
                prop_assert!(inside(a.remainder(&b), x % y));
            }
            if (0..20).contains(&y) {
                prop_assert!(inside(a.shift_left(&b), x << y));
                prop_assert!(inside(a.shift_right(&b), x >> y));
            }
            let byte = IntegerType { bits: 4, signed: true };
            let wrapped = (x + 8).rem_euclid(16) - 8;
            prop_assert!(inside(a.wrapped(byte), wrapped));
            prop_assert!(a.compare(&b, Relation::Less).is_none_or(|known| known == (x < y)));
            prop_assert!(a.compare(&b, Relation::LessOrEqual).is_none_or(|known| known == (x <= y)));
            prop_assert!(a.compare(&b, Relation::Equal).is_none_or(|known| known == (x == y)));
        }
    }
}
