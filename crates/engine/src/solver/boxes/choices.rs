//! How ranges are cut in two, and which of their values are tried.

use super::floats::{Floats, number_at, place};
use super::ranges::{Integers, Range};
use crate::random::Generator;
use crate::terms::{Float, Rational, Value};
use num_bigint::BigInt;

/// How much is left to be cut, in parts of a bit: NaN beside numbers comes first.
pub(super) fn size(range: Range) -> u64 {
    match range {
        Range::Float(floats) if floats.nan && floats.has_numbers() => u64::MAX,
        Range::Float(floats) => match floats.limits() {
            Some([low, high]) if floats.low < floats.high => {
                let (low, high) = (low.as_double(), high.as_double());
                let width = (high / 2.0 - low / 2.0) / (1.0 + low.abs().min(high.abs()));
                let places = 128 - floats.high.abs_diff(floats.low).leading_zeros();
                64 * whole_bits(width) + u64::from(places)
            }
            _ => 0,
        },
        Range::Integer(integers) if integers.has_limits() && !integers.is_empty() => {
            let width = integers.high.abs_diff(integers.low);
            64 * u64::from(128 - width.leading_zeros())
        }
        Range::Truth { no: true, yes: true } => 64,
        _ => 0,
    }
}

/// The binary digits before the point; more than any number has for an infinity.
fn whole_bits(number: f64) -> u64 {
    (number.abs().to_bits() >> 52).saturating_sub(1022)
}

pub(super) fn halves(range: Range) -> Option<[Range; 2]> {
    Some(match range {
        Range::Float(floats) if floats.nan && floats.has_numbers() => {
            let numbers = floats.without_nan();
            [Range::Float(Floats::only_nan(floats.format)), Range::Float(numbers)]
        }
        Range::Float(floats) if floats.low < floats.high => {
            let middle = middle_place(floats).clamp(floats.low, floats.high - 1);
            let below = Floats { high: middle, ..floats };
            let above = Floats {
                low: middle + 1,
                ..floats
            };
            [Range::Float(above), Range::Float(below)]
        }
        Range::Integer(integers) if integers.has_limits() && integers.low < integers.high => {
            let middle = integers.low + (integers.high - integers.low) / 2;
            let below = Integers {
                high: middle,
                ..integers
            };
            let above = Integers {
                low: middle + 1,
                ..integers
            };
            [Range::Integer(above), Range::Integer(below)]
        }
        Range::Truth { no: true, yes: true } => [Range::YES, Range::NO],
        _ => return None,
    })
}

/// The place of the middle: of the values where they are of one size, of their exponents where they are not.
fn middle_place(floats: Floats) -> i128 {
    let Some([low, high]) = floats.limits() else {
        return floats.low;
    };
    let (least, most) = (low.as_double(), high.as_double());
    let is_wide = match least.signum() == most.signum() {
        true => {
            let (one, other) = (least.abs().min(most.abs()), least.abs().max(most.abs()));
            other > 1e3 * one && other > 1e3
        }
        false => !(least > -1e9 && most < 1e9),
    };
    if is_wide || !least.is_finite() || !most.is_finite() {
        return floats.low.midpoint(floats.high);
    }
    let middle = Float::from(least / 2.0 + most / 2.0).converted(floats.format);
    place(middle)
}

pub(super) fn middle(range: Range) -> Option<Value> {
    Some(match range {
        Range::Float(floats) if floats.has_numbers() => {
            let middle = middle_place(floats).clamp(floats.low, floats.high);
            Value::Float(number_at(floats.format, middle))
        }
        Range::Float(floats) => Value::Float(Float::nan(floats.format)),
        Range::Integer(integers) if integers.has_limits() => integer(integers.low + (integers.high - integers.low) / 2),
        Range::Integer(integers) => integer(0i128.clamp(integers.low, integers.high)),
        Range::Truth { yes, .. } => Value::Bool(yes),
        _ => return None,
    })
}

pub(super) fn limit(range: Range, high: bool) -> Option<Value> {
    match range {
        Range::Float(floats) => {
            let [low, most] = floats.limits()?;
            Some(Value::Float(if high { most } else { low }))
        }
        Range::Integer(integers) if integers.has_limits() => {
            Some(integer(if high { integers.high } else { integers.low }))
        }
        Range::Truth { no, .. } => Some(Value::Bool(!no)),
        _ => middle(range),
    }
}

pub(super) fn nearest_to_zero(range: Range) -> Option<Value> {
    match range {
        Range::Float(floats) if floats.has_numbers() => {
            Some(Value::Float(number_at(floats.format, 0.clamp(floats.low, floats.high))))
        }
        Range::Integer(integers) => Some(integer(0i128.clamp(integers.low, integers.high))),
        _ => middle(range),
    }
}

/// A number of the range: one of its limits, or any between them, or NaN.
pub(super) fn any_of(range: Range, random: &mut Generator) -> Option<Value> {
    let choice = random.below(6);
    match range {
        Range::Float(floats) if floats.nan && choice == 0 => Some(Value::Float(Float::nan(floats.format))),
        Range::Float(floats) if floats.has_numbers() => {
            let [low, high] = floats.limits()?.map(Float::as_double);
            let share = random.below(1 << 20) as f64 / f64::from(1 << 20);
            let chosen = match choice {
                1 => floats.low,
                2 => floats.high,
                3 => {
                    let count = (floats.high - floats.low) as f64;
                    floats.low.saturating_add((count * share) as i128)
                }
                4 => 0,
                _ => {
                    let number = low + (high - low) * share;
                    match number.is_finite() {
                        true => place(Float::from(number).converted(floats.format)),
                        false => place(Float::from(share * 100.0 - 50.0).converted(floats.format)),
                    }
                }
            };
            Some(Value::Float(number_at(
                floats.format,
                chosen.clamp(floats.low, floats.high),
            )))
        }
        Range::Integer(integers) if integers.has_limits() => {
            let width = integers.high.saturating_sub(integers.low).saturating_add(1);
            let offset = i128::from(random.next() >> 1) % width.max(1);
            Some(integer(match choice {
                0 => integers.low,
                1 => integers.high,
                2 => 0i128.clamp(integers.low, integers.high),
                _ => integers.low + offset,
            }))
        }
        Range::Integer(integers) => {
            let number = i128::from(random.below(200)) - 100;
            Some(integer(number.clamp(integers.low, integers.high)))
        }
        Range::Truth { no: true, yes: true } => Some(Value::Bool(choice.is_multiple_of(2))),
        _ => middle(range),
    }
}

fn integer(value: i128) -> Value {
    Value::Number(Rational::from_integer(BigInt::from(value)))
}
