//! Numbers brought into types that wrap around, and what they were before.
//!
//! Modulo the type's period a sum of numbers that wrapped around is the sum of what they were before, so that `(unsigned)x + 8` is told
//! apart by the cases of one sum and not by those of two. So are they equal where what they were before is equal: where the difference of
//! these has only one multiple of the period among its values, that is one equation, and nothing is told apart.

use super::super::options::Undefined;
use super::super::program::{BinaryOperator, Numeric};
use super::super::ranges::Interval;
use super::super::types::IntegerType;
use super::{Lowered, Lowering, Truth, lowered};
use crate::terms::TermId;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;

/// Results that may wrap around up to so many times are told apart by cases.
const WRAP_CASES: u32 = 3;

/// What a value was before it was brought into this type: the same number modulo the type's period.
#[derive(Clone, Debug)]
pub(super) struct Wrapped {
    term: TermId,
    interval: Interval,
    kind: IntegerType,
}

impl Lowering<'_> {
    /// The number of the type that is equal modulo the type's period.
    pub(super) fn wrap(&mut self, term: TermId, raw: Interval, kind: IntegerType) -> Lowered {
        if let Some(before) = self.before(term, kind.bits)
            && is_no_harder(&before.interval, &raw, kind)
        {
            let Wrapped { term, interval, .. } = before.clone();
            return self.wrapped_once(term, interval, kind);
        }
        self.wrapped_once(term, raw, kind)
    }

    fn wrapped_once(&mut self, term: TermId, raw: Interval, kind: IntegerType) -> Lowered {
        if Interval::of_type(kind).includes(&raw) {
            return lowered(term, raw);
        }
        let interval = raw.wrapped(kind);
        let period = BigInt::one() << kind.bits;
        let value = match raw.periods(kind) {
            Some((first, last))
                if &last - &first < BigInt::from(WRAP_CASES) && !self.terms.mixes_words_and_integers(term) =>
            {
                let mut cases = Vec::new();
                let mut count = first.clone();
                while count <= last {
                    let start = self.terms.integer(kind.minimum() + &count * &period);
                    let end = self.terms.integer(kind.maximum() + &count * &period);
                    let mut bounds = Vec::new();
                    if count > first {
                        bounds.push(self.terms.less_or_equal(start, term));
                    }
                    if count < last {
                        bounds.push(self.terms.less_or_equal(term, end));
                    }
                    let offset = self.terms.integer(&count * &period);
                    let value = self.terms.subtract(term, offset);
                    cases.push((self.terms.and(&bounds), value));
                    count += 1;
                }
                self.by_cases("Wrapped", &cases)
            }
            _ => {
                let minimum = self.terms.integer(kind.minimum());
                let shifted = self.terms.subtract(term, minimum);
                let period = self.terms.integer(period);
                let rest = self.terms.modulo(shifted, period);
                self.terms.add(rest, minimum)
            }
        };
        // What is evaluated under a condition has its interval only where that holds, and what is signed in it may overflow elsewhere.
        if self.context.is_empty() {
            let before = Wrapped {
                term,
                interval: raw,
                kind,
            };
            self.record.wrapped.insert(value, before);
        }
        lowered(value, interval)
    }

    /// A value without its sign, or with fewer bits. Where runs go on after undefined behaviour, a signed sum may have left its type, so
    /// that all of the periods that are told apart are possible.
    pub(super) fn converted(&mut self, value: &Lowered, kind: IntegerType) -> Lowered {
        let may_have_overflowed =
            self.rules.undefined == Undefined::GoesOn && !self.record.in_their_types.contains(&value.term);
        match value.interval.periods(kind) {
            Some((first, last)) if may_have_overflowed && first < last => {
                let [low, high] =
                    [(kind.minimum(), first), (kind.maximum(), last)].map(|(end, count)| end + (count << kind.bits));
                self.wrap(value.term, Interval::between(low, high), kind)
            }
            _ => self.wrap(value.term, value.interval.clone(), kind),
        }
    }

    /// What a value was before it was brought into a type of at least so many bits.
    fn before(&self, term: TermId, bits: u32) -> Option<&Wrapped> {
        self.record.wrapped.get(&term).filter(|before| before.kind.bits >= bits)
    }

    /// A sum, difference or product, brought into its type.
    pub(super) fn sum(&mut self, operator: BinaryOperator, operands: [&Lowered; 2], numeric: Numeric) -> Lowered {
        let result = |terms: [TermId; 2], intervals: [&Interval; 2], lowering: &mut Self| {
            let [a, b] = terms;
            let term = match operator {
                BinaryOperator::Multiply => lowering.terms.multiply(a, b),
                BinaryOperator::Subtract | BinaryOperator::PointerDifference => lowering.terms.subtract(a, b),
                _ => lowering.terms.add(a, b),
            };
            let raw = lowering
                .rules
                .ranges
                .binary(operator, intervals[0], intervals[1], numeric);
            (term, raw)
        };
        let terms = operands.map(|operand| operand.term);
        let (term, raw) = result(terms, operands.map(|operand| &operand.interval), self);
        let Numeric::Integer(kind) = numeric else {
            return self.settle(term, raw, numeric);
        };
        let before = terms.map(|term| self.before(term, kind.bits).cloned());
        if !self.rules.ranges.arithmetic().wraps(kind) || before.iter().all(Option::is_none) {
            return self.settle(term, raw, numeric);
        }
        let [a, b] = [0, 1].map(|side| match &before[side] {
            Some(before) => (before.term, &before.interval),
            None => (operands[side].term, &operands[side].interval),
        });
        let (earlier, of_earlier) = result([a.0, b.0], [a.1, b.1], self);
        match is_no_harder(&of_earlier, &raw, kind) {
            true => self.settle(earlier, of_earlier, numeric),
            false => self.settle(term, raw, numeric),
        }
    }

    /// Whether two values are equal, by what they were before, if that takes no more than one equation.
    pub(super) fn equality_before(&mut self, a: &Lowered, b: &Lowered) -> Option<Truth> {
        let before = [a, b].map(|value| self.before(value.term, 0).cloned());
        let bits = before.iter().flatten().map(|before| before.kind.bits).min()?;
        let period = BigInt::one() << bits;
        // What is less than a period apart is equal where it is equal modulo the period.
        let both = a.interval.join(&b.interval);
        if both.high? - both.low? >= period {
            return None;
        }
        let [left, right] = [a, b].map(|value| (value.term, value.interval.clone()));
        let [one, other] = before;
        let (left, of_left) = one.map_or(left, |before| (before.term, before.interval));
        let (right, of_right) = other.map_or(right, |before| (before.term, before.interval));
        if [left, right]
            .iter()
            .any(|term| self.terms.mixes_words_and_integers(*term))
        {
            return None;
        }
        let apart = of_left.subtract(&of_right);
        let (least, greatest) = (apart.low?.div_ceil(&period), apart.high?.div_floor(&period));
        if least != greatest {
            return (least > greatest).then(|| Truth::known(false));
        }
        let offset = least * period;
        let offset = self.terms.integer(offset);
        let right = self.terms.add(right, offset);
        let yes = self.terms.equal(left, right);
        Some(Truth {
            yes,
            no: self.terms.not(yes),
        })
    }

    /// Whether a value is at most this number, by what it was before, if that is one interval or everything outside of one.
    pub(super) fn at_most_before(&mut self, value: &Lowered, limit: &BigInt) -> Option<Truth> {
        let Wrapped { term, interval, kind } = self.before(value.term, 0)?.clone();
        // Of what had wrapped around before it was brought into this type, the cases would be said once more.
        if self.terms.mixes_words_and_integers(term) || self.before(term, 0).is_some() {
            return None;
        }
        let (first, last) = interval.periods(kind)?;
        if &last - &first >= BigInt::from(WRAP_CASES) {
            return None;
        }
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        let mut count = first;
        while count <= last {
            let [low, middle, high] =
                [&kind.minimum(), limit, &kind.maximum()].map(|bound| bound + (&count << kind.bits));
            let above = &middle + 1;
            yes.extend(Interval::between(low, middle).meet(&interval));
            no.extend(Interval::between(above, high).meet(&interval));
            count += 1;
        }
        match (yes.as_slice(), no.as_slice()) {
            ([inside], _) => Some(self.inside_of(term, inside, &interval)),
            (_, [inside]) => Some(self.inside_of(term, inside, &interval).negated()),
            _ => None,
        }
    }

    /// Whether a number whose values are known is in an interval.
    fn inside_of(&mut self, term: TermId, range: &Interval, known: &Interval) -> Truth {
        let bounds = self.inside(term, range, known);
        let negations: Vec<TermId> = bounds.iter().map(|bound| self.terms.not(*bound)).collect();
        Truth {
            yes: self.terms.and(&bounds),
            no: self.terms.or(&negations),
        }
    }
}

/// Whether the cases of one number are no more than those of another one.
fn is_no_harder(one: &Interval, other: &Interval, kind: IntegerType) -> bool {
    let count = |interval: &Interval| interval.periods(kind).map(|(first, last)| last - first);
    match (count(one), count(other)) {
        (Some(one), Some(other)) => one <= other,
        (Some(_), None) => true,
        (None, _) => false,
    }
}
