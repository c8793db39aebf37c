//! Sets of floating-point numbers between two of them, with or without NaN, and what operations make of such sets.
//!
//! Rounding to the nearest number never turns an order round, so what an operation that rises or falls in each argument makes of
//! the limits are the limits of its results: no direction of rounding but the program's own is needed.

use crate::terms::{Float, FloatFormat, FloatOperator, Sort, Value, float_operation_value};

/// The numbers between two places in the order of all numbers of a format, and NaN where it is possible.
///
/// Places count from zero: that of the negative zero is -1, that of the other one 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Floats {
    pub format: FloatFormat,
    /// The place of the least number.
    pub low: i128,
    /// That of the greatest; below the least one if there are only NaNs.
    pub high: i128,
    pub nan: bool,
}

/// The place of a number; NaN has none.
pub(super) fn place(number: Float) -> i128 {
    let sign = 1u128 << (number.format().width() - 1);
    let magnitude = (number.bits() & !sign) as i128;
    match number.bits() & sign == 0 {
        true => magnitude,
        false => -magnitude - 1,
    }
}

/// The number at a place.
pub(super) fn number_at(format: FloatFormat, place: i128) -> Float {
    let sign = 1u128 << (format.width() - 1);
    let bits = match place >= 0 {
        true => place as u128,
        false => sign | (-(place + 1)) as u128,
    };
    Float::of_bits(format, bits)
}

/// The first place of a number that is equal: that of the negative zero for zeros.
fn first_equal(place: i128) -> i128 {
    if place == 0 { -1 } else { place }
}

/// The last place of a number that is equal.
fn last_equal(place: i128) -> i128 {
    if place == -1 { 0 } else { place }
}

impl Floats {
    /// All of them.
    pub fn of_format(format: FloatFormat) -> Floats {
        Floats {
            nan: true,
            ..Floats::numbers(format)
        }
    }

    /// All but NaN.
    fn numbers(format: FloatFormat) -> Floats {
        let [low, high] = [true, false].map(|negative| place(Float::infinity(format, negative)));
        Floats {
            format,
            low,
            high,
            nan: false,
        }
    }

    /// Nothing yet.
    pub fn nothing(format: FloatFormat) -> Floats {
        Floats {
            format,
            low: 1,
            high: 0,
            nan: false,
        }
    }

    pub fn point(value: Float) -> Floats {
        let mut only = Floats::nothing(value.format());
        only.add(value);
        only
    }

    /// Puts a value in, and all numbers between it and the others.
    pub fn add(&mut self, value: Float) {
        if value.is_nan() {
            self.nan = true;
            return;
        }
        let place = place(value);
        (self.low, self.high) = match self.has_numbers() {
            true => (self.low.min(place), self.high.max(place)),
            false => (place, place),
        };
    }

    pub fn has_numbers(self) -> bool {
        self.low <= self.high
    }

    pub fn is_empty(self) -> bool {
        !self.has_numbers() && !self.nan
    }

    /// The only value.
    pub fn as_point(self) -> Option<Float> {
        match (self.low == self.high, self.nan) {
            (true, false) => Some(number_at(self.format, self.low)),
            (false, true) if !self.has_numbers() => Some(Float::nan(self.format)),
            _ => None,
        }
    }

    /// The least and the greatest number.
    pub fn limits(self) -> Option<[Float; 2]> {
        self.has_numbers()
            .then(|| [self.low, self.high].map(|place| number_at(self.format, place)))
    }

    pub fn meet(self, other: Floats) -> Floats {
        Floats {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            nan: self.nan && other.nan,
            ..self
        }
    }

    pub fn join(self, other: Floats) -> Floats {
        let mut both = self;
        if let Some(limits) = other.limits() {
            limits.into_iter().for_each(|limit| both.add(limit));
        }
        both.nan |= other.nan;
        both
    }

    /// Those that a number with places from one to the other is compared with by its value: zeros are equal.
    pub fn between(format: FloatFormat, low: i128, high: i128) -> Floats {
        Floats {
            format,
            low: first_equal(low),
            high: last_equal(high),
            nan: false,
        }
    }

    /// Those that are less than one of the others can be.
    pub fn less_than(other: Floats) -> Floats {
        let all = Floats::numbers(other.format);
        Floats {
            high: first_equal(other.high) - 1,
            ..all
        }
    }

    /// Those that are greater than one of the others can be.
    pub fn greater_than(other: Floats) -> Floats {
        let all = Floats::numbers(other.format);
        Floats {
            low: last_equal(other.low) + 1,
            ..all
        }
    }

    pub fn at_most(other: Floats) -> Floats {
        let all = Floats::numbers(other.format);
        Floats::between(other.format, all.low, other.high)
    }

    pub fn at_least(other: Floats) -> Floats {
        let all = Floats::numbers(other.format);
        Floats::between(other.format, other.low, all.high)
    }

    pub fn infinities_excluded(self) -> Floats {
        let all = Floats::numbers(self.format);
        Floats {
            low: self.low.max(all.low + 1),
            high: self.high.min(all.high - 1),
            ..self
        }
    }

    /// The zeros.
    pub fn zeros(format: FloatFormat) -> Floats {
        Floats::between(format, 0, 0)
    }

    pub fn only_nan(format: FloatFormat) -> Floats {
        Floats {
            nan: true,
            ..Floats::nothing(format)
        }
    }

    pub fn without_nan(self) -> Floats {
        Floats { nan: false, ..self }
    }

    fn has_zero(self) -> bool {
        self.has_numbers() && self.low <= 0 && self.high >= -1
    }

    fn has_infinity(self) -> bool {
        let all = Floats::numbers(self.format);
        self.has_numbers() && (self.low == all.low || self.high == all.high)
    }

    /// With the other zero where there is one: which zero a result is, operations tell in ways of their own.
    pub fn with_both_zeros(self) -> Floats {
        match self.has_numbers() {
            true => Floats {
                low: first_equal(self.low),
                high: last_equal(self.high),
                ..self
            },
            false => self,
        }
    }
}

/// What an operation with a floating-point result makes of floating-point arguments.
pub(super) fn result(operator: FloatOperator, arguments: &[Floats], format: FloatFormat) -> Floats {
    use FloatOperator::{Absolute, Convert, Maximum, Minimum, Negate, Remainder, RoundToIntegral, SquareRoot};
    let Some(first) = arguments.first().copied() else {
        return Floats::of_format(format);
    };
    let second = arguments.get(1).copied().unwrap_or(first);
    if arguments.iter().any(|argument| argument.is_empty()) {
        return Floats::nothing(format);
    }
    match operator {
        Negate => Floats {
            low: -1 - first.high,
            high: -1 - first.low,
            ..first
        },
        Absolute => {
            let mirrored = result(Negate, &[first], format);
            let positive = Floats {
                low: 0,
                ..Floats::numbers(format)
            };
            let numbers = Floats {
                nan: false,
                ..first.meet(positive)
            };
            numbers
                .join(Floats {
                    nan: false,
                    ..mirrored.meet(positive)
                })
                .join(Floats {
                    nan: first.nan,
                    ..Floats::nothing(format)
                })
        }
        SquareRoot => {
            let roots = first.meet(Floats::at_least(Floats::zeros(first.format)));
            let is_negative = first.has_numbers() && first.low < -1;
            let mut found = corners(operator, &[roots], format).with_both_zeros();
            found.nan = first.nan || is_negative;
            found
        }
        RoundToIntegral(_) | Convert => {
            let mut found = corners(operator, &[first], format).with_both_zeros();
            found.nan = first.nan;
            found
        }
        Minimum | Maximum => {
            // One of the two, and the other one of a NaN.
            let mut found = corners(operator, &[first, second], format).with_both_zeros();
            for (one, other) in [(first, second), (second, first)] {
                if one.nan {
                    found = found.join(other.without_nan());
                }
            }
            found.nan = first.nan && second.nan;
            found.with_both_zeros()
        }
        Remainder => {
            let greatest = |range: Floats| {
                let magnitude = result(Absolute, &[range], format);
                if magnitude.has_numbers() { magnitude.high } else { 0 }
            };
            let limit = greatest(first).min(greatest(second));
            let may_fail = first.nan || second.nan || first.has_infinity() || second.has_zero();
            Floats {
                nan: may_fail,
                ..Floats::between(format, -1 - limit, limit)
            }
        }
        _ => arithmetic(operator, arguments, format),
    }
}

/// Sums, products and quotients.
fn arithmetic(operator: FloatOperator, arguments: &[Floats], format: FloatFormat) -> Floats {
    use FloatOperator::{Add, Divide, FusedMultiplyAdd, Multiply, Subtract};
    let is_known = matches!(operator, Add | Subtract | Multiply | Divide | FusedMultiplyAdd);
    let divides_by_zero = operator == Divide && arguments.last().is_some_and(|divisor| divisor.has_zero());
    if !is_known || divides_by_zero {
        return Floats::of_format(format);
    }
    let mut found = corners(operator, arguments, format);
    // What has no value at a limit may have any between them.
    if found.nan {
        return Floats::of_format(format);
    }
    found = found.with_both_zeros();
    // Infinities are limits, so only zeros times them may have been missed.
    let products = matches!(operator, Multiply | FusedMultiplyAdd);
    let factors = arguments.get(..2).unwrap_or_default();
    let is_infinite = factors.iter().any(|factor| factor.has_infinity());
    let is_zero = factors.iter().any(|factor| factor.has_zero());
    found.nan = arguments.iter().any(|argument| argument.nan) || (products && is_zero && is_infinite);
    found
}

/// The results at the limits of the arguments, and all numbers between them; without what results are if an argument is NaN.
fn corners(operator: FloatOperator, arguments: &[Floats], format: FloatFormat) -> Floats {
    let mut found = Floats::nothing(format);
    let limits: Option<Vec<[Float; 2]>> = arguments.iter().map(|argument| argument.limits()).collect();
    let Some(limits) = limits else { return found };
    for choice in 0..1usize << limits.len() {
        let chosen: Vec<Value> = limits
            .iter()
            .enumerate()
            .map(|(position, limit)| Value::Float(limit[choice >> position & 1]))
            .collect();
        let chosen: Vec<&Value> = chosen.iter().collect();
        let source = arguments.first().map_or(format, |argument| argument.format);
        match float_operation_value(operator, &chosen, Sort::Float(source), Sort::Float(format)) {
            Some(Value::Float(value)) => found.add(value),
            // Which of two zeros it is, is open.
            _ => [true, false]
                .into_iter()
                .for_each(|negative| found.add(Float::zero(format, negative))),
        }
    }
    found
}
