//! Bit operations and shifts, each by what says it best. `x & (2^k - 1)` is a remainder, `x >> k` a quotient, `|` and `^` follow
//! from `&`: arithmetic, in which loop counters stay integers. What would be a sum over many bits is an operation on machine
//! words, between an integer that becomes one and a word that becomes an integer again. Values made so stay words where they
//! meet bit operations again.

use super::super::flat::{FlatExpression, FlatProgram};
use super::super::program::{BinaryOperator, ErrorKind, ExpressionKind, Numeric};
use super::super::ranges::Interval;
use super::{Lowered, Lowering, lowered};
use crate::terms::{SortId, TermId, WordOperator};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Shifts by up to so many different distances are told apart by cases.
const SHIFT_CASES: usize = 4;
/// Masks with more runs of ones than this are no sums.
const MOST_RUNS: usize = 2;

impl Lowering<'_> {
    pub(super) fn bit_operation(
        &mut self,
        operator: BinaryOperator,
        a: &Lowered,
        b: &Lowered,
        raw: Interval,
        numeric: Numeric,
    ) -> Lowered {
        let zero_bits = match operator {
            BinaryOperator::BitAnd => a.zero_bits.max(b.zero_bits),
            _ => a.zero_bits.min(b.zero_bits),
        };
        let term = match self.single_bits(operator, a, b) {
            Some(term) => term,
            None if self.needs_words(operator, a, b, numeric) => {
                let operator = match operator {
                    BinaryOperator::BitAnd => WordOperator::And,
                    BinaryOperator::BitOr => WordOperator::Or,
                    _ => WordOperator::Xor,
                };
                let width = width_of(numeric).min(common_width(a, b).unwrap_or(u64::MAX));
                self.on_words(operator, [a, b], &raw, width)
            }
            None => {
                let common = self.bit_and(a, b, numeric);
                let sum = self.terms.add(a.term, b.term);
                match operator {
                    BinaryOperator::BitAnd => common,
                    BinaryOperator::BitOr => self.terms.subtract(sum, common),
                    _ => {
                        let two = self.terms.integer(2);
                        let twice = self.terms.multiply(two, common);
                        self.terms.subtract(sum, twice)
                    }
                }
            }
        };
        Lowered {
            term,
            interval: raw,
            zero_bits,
        }
    }

    /// Whether the operation is one on words: arithmetic would have to take the operands apart, bit by bit.
    fn needs_words(&self, operator: BinaryOperator, a: &Lowered, b: &Lowered, numeric: Numeric) -> bool {
        if !self.is_machine() || !matches!(numeric, Numeric::Integer(_)) {
            return false;
        }
        for (value, other) in [(a, b), (b, a)] {
            let most = match self.terms.mixes_words_and_integers(value.term) {
                true if operator == BinaryOperator::BitAnd => 1,
                true => 0,
                false => MOST_RUNS,
            };
            if let Some(mask) = other.interval.as_point() {
                let width = common_width(a, b).unwrap_or_else(|| width_of(numeric));
                let ones = (BigInt::one() << width) - 1;
                let mask = mask & &ones;
                return runs(&mask).len().min(runs(&(&ones - &mask)).len().max(1)) > most;
            }
            if is_below(value, other) {
                return false;
            }
        }
        true
    }

    /// An operation on the words of two integers, which have all bits of them that matter. The result is one of `raw`.
    fn on_words(&mut self, operator: WordOperator, operands: [&Lowered; 2], raw: &Interval, width: u64) -> TermId {
        let width = u32::try_from(width).unwrap_or(u32::MAX).max(1);
        for operand in operands {
            // What bounds words are decided by is said where nothing narrower has been assumed, and not of what is calculated here
            // if that may be undefined: then the result is not where it should be, and the rule has to have that run.
            let is_defined = |(variable, _): &(TermId, TermId)| *variable == operand.term;
            let is_certain = || self.record.obligations.is_empty() || !self.record.definitions.iter().any(is_defined);
            if self.refinements == 0 && self.terms.is_variable(operand.term) && is_certain() {
                for formula in self.inside(operand.term, &operand.interval, &Interval::all()) {
                    self.fact(formula);
                }
            }
        }
        let words = operands.map(|operand| self.word_of(operand.term, width));
        let word = self.word_operation(operator, &words, width);
        if raw.is_at_least(0) {
            return self.word_operation(WordOperator::ToInteger, &[word], width);
        }
        // A number in two's complement is 2^(width - 1) less than the unsigned one with the other sign.
        let sign = BigInt::one() << (width - 1);
        let mask = self.terms.word(sign.clone(), width);
        let moved = self.word_operation(WordOperator::Xor, &[word, mask], width);
        let moved = self.word_operation(WordOperator::ToInteger, &[moved], width);
        let sign = self.terms.integer(sign);
        self.terms.subtract(moved, sign)
    }

    fn word_of(&mut self, integer: TermId, width: u32) -> TermId {
        self.word_operation(WordOperator::OfInteger, &[integer], width)
    }

    /// An operation on words of one width, which there always is: operands are integers where they become words, and words of
    /// this width otherwise. Without it nothing would be known of the result.
    fn word_operation(&mut self, operator: WordOperator, operands: &[TermId], width: u32) -> TermId {
        let made = self.terms.word_operation(operator, operands, width);
        debug_assert!(made.is_some(), "{operator:?} of {width} bits");
        made.unwrap_or_else(|| {
            let sort = match operator {
                WordOperator::ToInteger => SortId::INT,
                _ => self.terms.word_sort(width),
            };
            self.terms.fresh_variable("Word", sort)
        })
    }

    /// The operation on two values that are 0 or 1, by cases of the second.
    fn single_bits(&mut self, operator: BinaryOperator, a: &Lowered, b: &Lowered) -> Option<TermId> {
        let both = Interval::truth();
        if !both.includes(&a.interval) || !both.includes(&b.interval) {
            return None;
        }
        let [zero, one] = [0, 1].map(|value| self.terms.integer(value));
        let (if_zero, if_one) = match operator {
            BinaryOperator::BitAnd => (zero, a.term),
            BinaryOperator::BitOr => (a.term, one),
            _ => (a.term, self.terms.subtract(one, a.term)),
        };
        let [is_zero, is_one] = [zero, one].map(|value| self.terms.equal(b.term, value));
        Some(self.by_cases("Bit", &[(is_zero, if_zero), (is_one, if_one)]))
    }

    fn bit_and(&mut self, a: &Lowered, b: &Lowered, numeric: Numeric) -> TermId {
        for (value, other) in [(a, b), (b, a)] {
            if let Some(mask) = other.interval.as_point() {
                return self.masked(value, mask);
            }
            if is_below(value, other) {
                return self.terms.integer(0);
            }
        }
        let width = width_of(numeric);
        let bits = |value: &Lowered| value.interval.magnitude_bits().unwrap_or(width).min(width);
        let (mut count, mut may_be_negative) = (bits(a).max(bits(b)), true);
        for value in [a, b].into_iter().filter(|value| value.interval.is_at_least(0)) {
            count = count.min(bits(value));
            may_be_negative = false;
        }
        let zero = self.terms.integer(0);
        let one = self.terms.integer(1);
        let mut sum = zero;
        for position in a.zero_bits.max(b.zero_bits)..count {
            let conditions = [a, b].map(|value| {
                let bit = self.run_of_bits(value, position, 1);
                self.terms.equal(bit, one)
            });
            let both = self.terms.and(&conditions);
            let power = self.terms.integer(BigInt::one() << position);
            let bit = self.terms.if_then_else(both, power, zero);
            sum = self.terms.add(sum, bit);
        }
        if may_be_negative {
            let conditions = [a, b].map(|value| self.terms.less(value.term, zero));
            let both = self.terms.and(&conditions);
            let power = self.terms.integer(-(BigInt::one() << count));
            let sign = self.terms.if_then_else(both, power, zero);
            sum = self.terms.add(sum, sign);
        }
        sum
    }

    /// The bits from a position on, as a number: `(x div 2^position) mod 2^count`.
    fn run_of_bits(&mut self, value: &Lowered, position: u64, count: u64) -> TermId {
        let power = self.terms.integer(BigInt::one() << position);
        let shifted = self.terms.integer_divide(value.term, power);
        let interval = value.interval.shift_right(&Interval::point(position));
        let all = Interval::between(0, (BigInt::one() << count) - 1);
        if all.includes(&interval) {
            return shifted;
        }
        let period = self.terms.integer(BigInt::one() << count);
        self.terms.modulo(shifted, period)
    }

    /// `x & mask`
    fn masked(&mut self, value: &Lowered, mask: &BigInt) -> TermId {
        if mask.is_negative() {
            // The bits of `mask` are those that its complement has not.
            let rest = self.masked(value, &(-mask - 1));
            return self.terms.subtract(value.term, rest);
        }
        let mut mask = mask.clone();
        if let Some(bits) = value.interval.magnitude_bits()
            && value.interval.is_at_least(0)
        {
            let all = (BigInt::one() << bits) - 1;
            mask &= &all;
            let complement = &all - &mask;
            if complement.is_zero() {
                return value.term;
            }
            if runs(&complement).len() < runs(&mask).len() {
                let rest = self.sum_of_runs(value, &complement);
                return self.terms.subtract(value.term, rest);
            }
        }
        self.sum_of_runs(value, &mask)
    }

    fn sum_of_runs(&mut self, value: &Lowered, mask: &BigInt) -> TermId {
        let mut sum = self.terms.integer(0);
        for (position, count) in runs(mask) {
            let run = self.run_of_bits(value, position, count);
            let power = self.terms.integer(BigInt::one() << position);
            let part = self.terms.multiply(power, run);
            sum = self.terms.add(sum, part);
        }
        sum
    }

    pub(super) fn shift_left(&mut self, a: &Lowered, b: &Lowered, raw: Interval, numeric: Numeric) -> Lowered {
        let distances = self.distances(b, numeric);
        // Compilers shift the bits of signed numbers as those of unsigned ones, which C does not promise.
        let is_promised = match numeric {
            Numeric::Integer(kind) => !kind.signed || self.rules.ranges.arithmetic().wraps(kind),
            _ => false,
        };
        if let Numeric::Integer(_) = numeric
            && !is_promised
            && self.rules.checks.shifts
            && !a.interval.is_at_least(0)
        {
            let zero = self.terms.integer(0);
            let is_positive = self.terms.less_or_equal(zero, a.term);
            let text = "the negative number {} is shifted to the left";
            self.oblige(is_positive, ErrorKind::Shift, text, &[a.term]);
        }
        if (is_promised || !self.rules.checks.overflow)
            && self.shifts_words(a, &distances, numeric)
            && let Numeric::Integer(kind) = numeric
        {
            let by = self.clamped(b, &distances);
            let interval = raw.wrapped(kind);
            let term = self.on_words(WordOperator::ShiftLeft, [a, &by], &interval, u64::from(kind.bits));
            return Lowered {
                zero_bits: a.zero_bits.saturating_add(distances.start),
                ..lowered(term, interval)
            };
        }
        let term = self.by_distance(b, &distances, |lowering, distance| {
            let power = lowering.terms.integer(BigInt::one() << distance);
            lowering.terms.multiply(a.term, power)
        });
        let shifted = match numeric {
            Numeric::Integer(kind) if !self.rules.checks.overflow && self.is_machine() => self.wrap(term, raw, kind),
            _ => self.settle(term, raw, numeric),
        };
        Lowered {
            zero_bits: a.zero_bits.saturating_add(distances.start),
            ..shifted
        }
    }

    pub(super) fn shift_right(&mut self, a: &Lowered, b: &Lowered, raw: Interval, numeric: Numeric) -> Lowered {
        let distances = self.distances(b, numeric);
        if self.shifts_words(a, &distances, numeric) {
            let by = self.clamped(b, &distances);
            let operator = match a.interval.is_at_least(0) {
                true => WordOperator::ShiftRight,
                false => WordOperator::SignedShiftRight,
            };
            let term = self.on_words(operator, [a, &by], &raw, width_of(numeric));
            return lowered(term, raw);
        }
        let term = self.by_distance(b, &distances, |lowering, distance| {
            let power = lowering.terms.integer(BigInt::one() << distance);
            lowering.terms.integer_divide(a.term, power)
        });
        lowered(term, raw)
    }

    /// Whether a shift by one of these distances is one of words: too many to tell apart, and not of a constant.
    fn shifts_words(&self, a: &Lowered, distances: &std::ops::Range<u64>, numeric: Numeric) -> bool {
        let count = distances.end.saturating_sub(distances.start);
        self.is_machine()
            && matches!(numeric, Numeric::Integer(_))
            && count > SHIFT_CASES as u64
            && a.interval.as_point().is_none()
    }

    /// The distance, where it is out of bounds the nearest one.
    fn clamped(&mut self, b: &Lowered, distances: &std::ops::Range<u64>) -> Lowered {
        let (first, last) = (distances.start, distances.end.saturating_sub(1));
        let all = Interval::between(first, last);
        let mut term = b.term;
        if !all.includes(&b.interval) {
            let [first, last] = [first, last].map(|bound| self.terms.integer(bound));
            let above = self.terms.minimum(b.term, last);
            term = self.terms.maximum(above, first);
        }
        lowered(term, b.interval.meet(&all).unwrap_or(all))
    }

    /// The distances that a defined shift has.
    fn distances(&mut self, b: &Lowered, numeric: Numeric) -> std::ops::Range<u64> {
        let bits = width_of(numeric);
        let all = Interval::between(0, bits - 1);
        let bounds = self.inside(b.term, &all, &b.interval);
        let inside = self.terms.and(&bounds);
        let (text, width) = ("a shift by {} of a number with {} bits", self.terms.integer(bits));
        self.oblige(inside, ErrorKind::Shift, text, &[b.term, width]);
        let possible = b.interval.meet(&all).unwrap_or(all);
        let bound = |bound: &Option<BigInt>| bound.as_ref().and_then(ToPrimitive::to_u64).unwrap_or(0);
        bound(&possible.low)..bound(&possible.high) + 1
    }

    /// A value that depends on the distance.
    fn by_distance(
        &mut self,
        b: &Lowered,
        distances: &std::ops::Range<u64>,
        mut shifted: impl FnMut(&mut Self, u64) -> TermId,
    ) -> TermId {
        let mut cases: Vec<(TermId, TermId)> = Vec::new();
        for distance in distances.clone() {
            let number = self.terms.integer(distance);
            // The first and the last case take what is out of bounds, so that one of them always holds.
            let condition = match (distance == distances.start, distance + 1 == distances.end) {
                (true, true) => TermId::TRUE,
                (true, false) => self.terms.less_or_equal(b.term, number),
                (false, true) => self.terms.less_or_equal(number, b.term),
                (false, false) => self.terms.equal(b.term, number),
            };
            let value = shifted(self, distance);
            cases.push((condition, value));
        }
        if cases.len() <= SHIFT_CASES {
            return self.by_cases("Shifted", &cases);
        }
        let mut term = cases.last().map_or(b.term, |(_, value)| *value);
        for (condition, value) in cases.into_iter().rev().skip(1) {
            term = self.terms.if_then_else(condition, value, term);
        }
        term
    }
}

/// Whether a program has bit operations that are not on constants: what may need words.
pub(crate) fn has_words(program: &FlatProgram) -> bool {
    let is_constant = |operand: &FlatExpression| matches!(operand.kind, ExpressionKind::Integer(_));
    let mut found = false;
    program.for_each_expression(&mut |expression| {
        if let ExpressionKind::Binary(operator, left, right) = &expression.kind {
            found |= !is_constant(left) && !is_constant(right) && operator.is_on_bits();
        }
    });
    found
}

/// The number of bits of a type.
fn width_of(numeric: Numeric) -> u64 {
    match numeric {
        Numeric::Integer(kind) => u64::from(kind.bits),
        _ => 64,
    }
}

/// The number of bits that two values have; `None` if one of them may be negative or nothing is known of it.
fn common_width(a: &Lowered, b: &Lowered) -> Option<u64> {
    let bits = |value: &Lowered| {
        value
            .interval
            .magnitude_bits()
            .filter(|_| value.interval.is_at_least(0))
    };
    Some(bits(a)?.max(bits(b)?).max(1))
}

/// Whether the bits of a value lie below those of the other.
fn is_below(value: &Lowered, other: &Lowered) -> bool {
    let bits = value.interval.magnitude_bits();
    value.interval.is_at_least(0) && bits.is_some_and(|bits| bits <= other.zero_bits)
}

/// The runs of ones in a number that is not negative: where each starts, and how long it is.
fn runs(mask: &BigInt) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for position in (0..mask.bits()).filter(|position| mask.bit(*position)) {
        match runs.last_mut() {
            Some((start, count)) if *start + *count == position => *count += 1,
            _ => runs.push((position, 1)),
        }
    }
    runs
}
