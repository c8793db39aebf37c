//! Where values of terms are at least: between two integers, between two floating-point numbers, one truth value or both.

use super::floats::{self, Floats};
use crate::terms::{Float, FloatFormat, FloatOperator, Rational, Sort, Value, WordOperator};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Integers from one to another; the least and the greatest number of the type stand for what has no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Integers {
    pub low: i128,
    pub high: i128,
}

/// A sum whose limits are not known any more where they are too large.
fn sum(left: i128, right: i128, unlimited: i128) -> i128 {
    match left == unlimited || right == unlimited {
        true => unlimited,
        false => left.checked_add(right).unwrap_or(unlimited),
    }
}

impl Integers {
    pub const ALL: Integers = Integers {
        low: i128::MIN,
        high: i128::MAX,
    };

    pub fn point(value: &BigInt) -> Integers {
        match value.to_i128() {
            Some(value) if value > i128::MIN && value < i128::MAX => Integers {
                low: value,
                high: value,
            },
            _ => Integers::ALL,
        }
    }

    pub fn meet(self, other: Integers) -> Integers {
        Integers {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }

    pub fn join(self, other: Integers) -> Integers {
        Integers {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    pub fn includes(self, other: Integers) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    pub fn is_empty(self) -> bool {
        self.low > self.high
    }

    pub fn has_limits(self) -> bool {
        self.low != i128::MIN && self.high != i128::MAX
    }

    pub fn plus(self, other: Integers) -> Integers {
        Integers {
            low: sum(self.low, other.low, i128::MIN),
            high: sum(self.high, other.high, i128::MAX),
        }
    }

    pub fn negated(self) -> Integers {
        let turned = |limit: i128| match limit {
            i128::MIN => i128::MAX,
            i128::MAX => i128::MIN,
            limit => -limit,
        };
        Integers {
            low: turned(self.high),
            high: turned(self.low),
        }
    }

    pub fn times(self, other: Integers) -> Integers {
        if !self.has_limits() || !other.has_limits() {
            return Integers::ALL;
        }
        let corners = [
            self.low.checked_mul(other.low),
            self.low.checked_mul(other.high),
            self.high.checked_mul(other.low),
            self.high.checked_mul(other.high),
        ];
        let corners: Option<Vec<i128>> = corners.into_iter().collect();
        let all = corners.unwrap_or_default();
        match (all.iter().min(), all.iter().max()) {
            (Some(low), Some(high)) => Integers { low: *low, high: *high },
            _ => Integers::ALL,
        }
    }

    /// What a division by a positive number gives: the quotients, rounded down, and the remainders.
    fn divided(self, divisor: i128) -> (Integers, Integers) {
        let quotient = |limit: i128, unlimited: i128| match limit == unlimited {
            true => unlimited,
            false => limit.div_euclid(divisor),
        };
        let quotients = Integers {
            low: quotient(self.low, i128::MIN),
            high: quotient(self.high, i128::MAX),
        };
        let remainders = match self.has_limits() && quotients.low == quotients.high {
            true => Integers {
                low: self.low.rem_euclid(divisor),
                high: self.high.rem_euclid(divisor),
            },
            false => Integers {
                low: 0,
                high: divisor - 1,
            },
        };
        (quotients, remainders)
    }

    /// Words of so many bits, as numbers that are not negative.
    pub fn of_word(width: u32) -> Integers {
        Integers {
            low: 0,
            high: 1i128.checked_shl(width).map_or(i128::MAX, |count| count - 1),
        }
    }

    fn of_signed_word(width: u32) -> Integers {
        let half = 1i128 << width.saturating_sub(1).min(100);
        Integers {
            low: -half,
            high: half - 1,
        }
    }
}

/// Words with more bits than this may be anything.
const MOST_BITS: u32 = 64;

/// Where a term's value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Range {
    /// Which truth values are possible.
    Truth { no: bool, yes: bool },
    /// An integer.
    Integer(Integers),
    /// A word: one of these integers, modulo the number of all words.
    Word(Integers),
    /// A floating-point number.
    Float(Floats),
    /// Of other sorts nothing is known.
    Any,
}

impl Range {
    pub const YES: Range = Range::Truth { no: false, yes: true };
    pub const NO: Range = Range::Truth { no: true, yes: false };

    /// All values of a sort.
    pub fn of_sort(sort: Sort) -> Range {
        match sort {
            Sort::Bool => Range::Truth { no: true, yes: true },
            Sort::Int => Range::Integer(Integers::ALL),
            Sort::Word(width) if width <= MOST_BITS => Range::Word(Integers::of_word(width)),
            Sort::Float(format) => Range::Float(Floats::of_format(format)),
            _ => Range::Any,
        }
    }

    pub fn of_truth(truth: bool) -> Range {
        if truth { Range::YES } else { Range::NO }
    }

    pub fn may_be(self, truth: bool) -> bool {
        match self {
            Range::Truth { no, yes } => {
                if truth {
                    yes
                } else {
                    no
                }
            }
            _ => true,
        }
    }

    /// A constant.
    pub fn of_value(value: &Value, sort: Sort) -> Range {
        match (value, sort) {
            (Value::Bool(truth), _) => Range::of_truth(*truth),
            (Value::Float(float), _) => Range::Float(Floats::point(*float)),
            (Value::Number(number), Sort::Int) => Range::Integer(Integers::point(&number.to_integer())),
            (Value::Number(number), Sort::Word(width)) if width <= MOST_BITS => {
                Range::Word(Integers::point(&number.to_integer()))
            }
            _ => Range::Any,
        }
    }

    pub fn is_empty(self) -> bool {
        match self {
            Range::Truth { no, yes } => !no && !yes,
            Range::Integer(integers) | Range::Word(integers) => integers.is_empty(),
            Range::Float(floats) => floats.is_empty(),
            Range::Any => false,
        }
    }

    pub fn meet(self, other: Range) -> Range {
        match (self, other) {
            (
                Range::Truth { no, yes },
                Range::Truth {
                    no: other_no,
                    yes: other_yes,
                },
            ) => Range::Truth {
                no: no && other_no,
                yes: yes && other_yes,
            },
            (Range::Integer(one), Range::Integer(two)) => Range::Integer(one.meet(two)),
            // The same words may be written by different integers.
            (Range::Word(one), Range::Word(two)) => match one.includes(two) {
                true => other,
                false => self,
            },
            (Range::Float(one), Range::Float(two)) => Range::Float(one.meet(two)),
            _ => self,
        }
    }

    pub fn join(self, other: Range) -> Range {
        match (self, other) {
            (
                Range::Truth { no, yes },
                Range::Truth {
                    no: other_no,
                    yes: other_yes,
                },
            ) => Range::Truth {
                no: no || other_no,
                yes: yes || other_yes,
            },
            (Range::Integer(one), Range::Integer(two)) => Range::Integer(one.join(two)),
            (Range::Word(one), Range::Word(two)) => Range::Word(one.join(two)),
            (Range::Float(one), Range::Float(two)) => Range::Float(one.join(two)),
            _ => Range::Any,
        }
    }

    fn integers(self) -> Integers {
        match self {
            Range::Integer(integers) => integers,
            _ => Integers::ALL,
        }
    }
}

/// The sum, product, remainder or quotient of integers.
pub(super) fn of_integers(operator: crate::terms::Operator, arguments: &[Range]) -> Range {
    use crate::terms::Operator;
    let mut integers = arguments.iter().map(|argument| argument.integers());
    let first = integers.next().unwrap_or(Integers::ALL);
    Range::Integer(match operator {
        Operator::Add => integers.fold(first, Integers::plus),
        Operator::Multiply => integers.fold(first, Integers::times),
        Operator::IntegerDivide | Operator::Modulo => {
            let divisor = integers.next().unwrap_or(Integers::ALL);
            if divisor.low != divisor.high || divisor.low <= 0 {
                return Range::Integer(Integers::ALL);
            }
            let (quotients, remainders) = first.divided(divisor.low);
            if operator == Operator::Modulo {
                remainders
            } else {
                quotients
            }
        }
        _ => Integers::ALL,
    })
}

/// Integers that a word may stand for; those of `wanted` if all are.
fn as_integers(words: Integers, width: u32, wanted: Integers) -> Integers {
    if words.is_empty() {
        return words;
    }
    let count = 1i128 << width;
    let turns = words
        .low
        .saturating_sub(wanted.low)
        .div_euclid(count)
        .saturating_mul(count);
    let turned = words.plus(Integers {
        low: -turns,
        high: -turns,
    });
    if wanted.includes(turned) { turned } else { wanted }
}

/// An operation on words of so many bits, or between them and integers.
pub(super) fn of_words(operator: WordOperator, arguments: &[Range], width: u32, result: Range) -> Range {
    match (operator, arguments) {
        (WordOperator::OfInteger, [Range::Integer(integers)]) => match result {
            Range::Word(all) if integers.has_limits() && integers.high.saturating_sub(integers.low) <= all.high => {
                Range::Word(*integers)
            }
            _ => result,
        },
        (WordOperator::ToInteger, [Range::Word(words)]) if width <= MOST_BITS => {
            Range::Integer(as_integers(*words, width, Integers::of_word(width)))
        }
        (WordOperator::Add, [Range::Word(one), Range::Word(two)]) => {
            let sum = one.plus(*two);
            match result {
                Range::Word(all) if sum.high.saturating_sub(sum.low) <= all.high => Range::Word(sum),
                _ => result,
            }
        }
        _ => result,
    }
}

/// A floating-point number that is made of a word, or a word that is made of it.
pub(super) fn of_float_operation(operator: FloatOperator, arguments: &[Range], from: Sort, result: Range) -> Range {
    match (arguments, result) {
        ([Range::Word(words)], Range::Float(all)) => {
            let Sort::Word(width) = from else { return result };
            let integers = match operator {
                FloatOperator::OfSigned => as_integers(*words, width, Integers::of_signed_word(width)),
                FloatOperator::OfUnsigned => as_integers(*words, width, Integers::of_word(width)),
                FloatOperator::OfBits => return of_bits(*words, all),
                _ => return result,
            };
            let mut found = Floats::nothing(all.format);
            if !integers.is_empty() {
                for limit in [integers.low, integers.high] {
                    found.add(Float::nearest(all.format, &Rational::from_integer(limit.into())));
                }
            }
            Range::Float(found)
        }
        ([Range::Float(floats)], Range::Word(all)) if operator == FloatOperator::ToBits => {
            Range::Word(to_bits(*floats).unwrap_or(all))
        }
        ([Range::Float(floats)], Range::Word(all)) => {
            let width = 128 - all.high.leading_zeros();
            let possible = match operator {
                FloatOperator::ToSigned => Integers::of_signed_word(width),
                _ => all,
            };
            Range::Word(truncated(*floats, possible).unwrap_or(all))
        }
        (_, Range::Float(all)) => {
            let floats: Option<Vec<Floats>> = arguments
                .iter()
                .map(|argument| match argument {
                    Range::Float(floats) => Some(*floats),
                    _ => None,
                })
                .collect();
            floats.map_or(result, |floats| {
                Range::Float(floats::result(operator, &floats, all.format))
            })
        }
        (_, Range::Truth { .. }) => of_question(operator, arguments),
        _ => result,
    }
}

/// The numbers with bits between limits, if these are positive.
fn of_bits(words: Integers, all: Floats) -> Range {
    let infinity = floats::place(Float::infinity(all.format, false));
    Range::Float(match words.low >= 0 && words.high <= infinity {
        true => Floats {
            low: words.low,
            high: words.high,
            nan: false,
            ..all
        },
        false => all,
    })
}

/// The bits of numbers of one sign.
fn to_bits(floats: Floats) -> Option<Integers> {
    let [low, high] = floats
        .limits()
        .filter(|_| !floats.nan)?
        .map(|limit| limit.bits() as i128);
    match floats.low >= 0 {
        true => Some(Integers { low, high }),
        // The further below zero, the greater.
        false if floats.high < 0 => Some(Integers { low: high, high: low }),
        false => None,
    }
}

/// The integers that numbers are truncated to, if all of them are possible.
fn truncated(floats: Floats, possible: Integers) -> Option<Integers> {
    let limits = floats.limits().filter(|_| !floats.nan)?;
    let mut integers = [0i128; 2];
    for (integer, limit) in integers.iter_mut().zip(limits) {
        let number = limit.number()?;
        let towards_zero = match limit.is_negative() {
            true => -(-number).floor(),
            false => number.floor(),
        };
        *integer = towards_zero.to_integer().to_i128()?;
    }
    let [low, high] = integers;
    let found = Integers { low, high };
    possible.includes(found).then_some(found)
}

/// Comparisons, and questions about classes of numbers.
fn of_question(operator: FloatOperator, arguments: &[Range]) -> Range {
    use FloatOperator::{
        Equal, IsInfinite, IsNan, IsNegative, IsNormal, IsPositive, IsSubnormal, IsZero, Less, LessOrEqual,
    };
    let open = Range::Truth { no: true, yes: true };
    let [Range::Float(first), rest @ ..] = arguments else {
        return open;
    };
    let second = match rest {
        [Range::Float(second), ..] => *second,
        _ => *first,
    };
    let format = first.format;
    // Where one of them is what the operation asks for, or all are.
    let by_places = |low: i128, high: i128| {
        let wanted = Floats {
            format,
            low,
            high,
            nan: false,
        };
        let possible = first.meet(wanted).has_numbers();
        let others = first.nan || (first.has_numbers() && (first.low < low || first.high > high));
        Range::Truth {
            no: others,
            yes: possible,
        }
    };
    let nan = first.nan || second.nan;
    let both = first.has_numbers() && second.has_numbers();
    let (least, most) = (i128::MIN, i128::MAX);
    match operator {
        Less => Range::Truth {
            yes: both && !first.meet(Floats::less_than(second)).without_nan().is_empty(),
            no: nan || (both && !first.meet(Floats::at_least(second)).without_nan().is_empty()),
        },
        LessOrEqual => Range::Truth {
            yes: both && !first.meet(Floats::at_most(second)).without_nan().is_empty(),
            no: nan || (both && !first.meet(Floats::greater_than(second)).without_nan().is_empty()),
        },
        Equal => {
            let equal = Floats::between(second.format, second.low, second.high);
            let one = Floats::between(format, first.low, first.high);
            let is_one_value = both && equal == one && is_single(one);
            Range::Truth {
                yes: both && !first.meet(equal).without_nan().is_empty(),
                no: nan || !is_one_value,
            }
        }
        IsNan => Range::Truth {
            yes: first.nan,
            no: first.has_numbers(),
        },
        IsZero => by_places(-1, 0),
        IsNegative => by_places(least, -1),
        IsPositive => by_places(0, most),
        IsInfinite => {
            let finite = first.infinities_excluded();
            Range::Truth {
                yes: first.has_numbers() && (finite.low, finite.high) != (first.low, first.high),
                no: first.nan || finite.has_numbers(),
            }
        }
        IsNormal | IsSubnormal => of_size(operator == IsNormal, *first),
        _ => open,
    }
}

/// Whether all these numbers are equal: one, or the zeros.
fn is_single(floats: Floats) -> bool {
    floats.low == floats.high || (floats.low, floats.high) == (-1, 0)
}

/// Whether numbers are normal, or subnormal: decided where all are on one side of zero.
fn of_size(normal: bool, floats: Floats) -> Range {
    let open = Range::Truth { no: true, yes: true };
    let Some([low, high]) = floats.limits() else {
        return Range::Truth { no: true, yes: false };
    };
    if low.is_negative() != high.is_negative() {
        return open;
    }
    let least = 1i128 << (floats.format.significand_bits() - 1);
    let infinite = floats::place(Float::infinity(floats.format, false));
    let magnitude = |place: i128| if place < 0 { -1 - place } else { place };
    let (one, other) = (magnitude(floats.low), magnitude(floats.high));
    let sizes = (one.min(other), one.max(other));
    let (from, until) = match normal {
        true => (least, infinite - 1),
        false => (1, least - 1),
    };
    Range::Truth {
        yes: sizes.0 <= until && from <= sizes.1,
        no: floats.nan || sizes.0 < from || sizes.1 > until,
    }
}

/// Whether two values are the same.
pub(super) fn of_equality(one: Range, other: Range) -> Range {
    let (possible, certain) = match (one, other) {
        (Range::Truth { .. }, Range::Truth { .. }) => {
            let both = |truth: bool| one.may_be(truth) && other.may_be(truth);
            let single = |range: Range| range.may_be(true) != range.may_be(false);
            (both(true) || both(false), single(one) && single(other) && one == other)
        }
        (Range::Integer(left), Range::Integer(right)) => {
            (!left.meet(right).is_empty(), left == right && left.low == left.high)
        }
        (Range::Float(left), Range::Float(right)) => {
            let points = (left.as_point(), right.as_point());
            let same = matches!(points, (Some(left), Some(right)) if left == right);
            (!left.meet(right).is_empty(), same)
        }
        _ => (true, false),
    };
    Range::Truth {
        yes: possible,
        no: !certain,
    }
}

/// Whether an integer is at most another one.
pub(super) fn of_order(one: Range, other: Range) -> Range {
    let (left, right) = (one.integers(), other.integers());
    match (one, other) {
        (Range::Integer(_), Range::Integer(_)) => Range::Truth {
            yes: left.low <= right.high,
            no: left.high > right.low,
        },
        _ => Range::Truth { no: true, yes: true },
    }
}

/// The format of a floating-point range.
pub(super) fn format_of(range: Range) -> Option<FloatFormat> {
    match range {
        Range::Float(floats) => Some(floats.format),
        _ => None,
    }
}
