//! What rules make of limits: where the arguments of an atom are if those of another one are between limits.

use super::floats::{Floats, number_at, place};
use super::forms::{Tightened, numbers};
use super::narrowing::DEPTH;
use super::ranges::{Integers, Range};
use super::{Decision, Question};
use crate::terms::{Float, FloatOperator, SortId, TermId, Terms};

/// How much wider limits by forms become, as a part of the numbers and of their distance.
const SLACK: f64 = 1e-14;
/// How many ranges of terms may be calculated to find out that one constraint cannot hold.
const WORK_FOR_ONE: usize = 1_000_000;

/// Where the values of some terms are, in their order.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Limits(Vec<Range>);

impl Limits {
    /// Where the terms `to` are if the terms `from` are inside of limits and the constraint holds, and how many terms were looked at;
    /// `None` if it cannot hold.
    pub fn after(
        terms: &Terms,
        (from, inside): (&[TermId], &Limits),
        constraint: &[TermId],
        to: &[TermId],
    ) -> (Option<Limits>, usize) {
        let others: Vec<TermId> = from.iter().chain(to).copied().collect();
        let Some(mut question) = Question::with_others(terms, constraint, &others) else {
            let all = to
                .iter()
                .map(|term| Range::of_sort(terms.sort_of_id(terms.sort(*term))));
            return (Some(Limits(all.collect())), 0);
        };
        let Some(mut ranges) = question.ranges_inside((from, inside)) else {
            return (None, question.work);
        };
        let mut possible = question.narrowed(&mut ranges) && question.calculated(&mut ranges);
        let plain: Vec<Range> = to.iter().map(|term| ranges[question.index_of(*term)]).collect();
        if possible && question.calculates() {
            possible = match question.tightened(&mut ranges).0 {
                Tightened::Nowhere => false,
                Tightened::Narrower => question.narrowed(&mut ranges) && question.calculated(&mut ranges),
                Tightened::Same => true,
            };
        }
        let found = possible.then(|| {
            let by_forms = to.iter().map(|term| ranges[question.index_of(*term)]);
            Limits(
                by_forms
                    .zip(&plain)
                    .map(|(range, plain)| loosened(range, *plain))
                    .collect(),
            )
        });
        (found, question.work)
    }

    /// The least and the greatest number that the first terms have, for those that are finite floating-point numbers.
    pub fn numbers(&self, count: usize) -> Vec<Option<(f64, f64)>> {
        let number = |range: &Range| match range {
            Range::Float(_) => numbers(*range),
            _ => None,
        };
        self.0.iter().take(count).map(number).collect()
    }

    /// Whether a constraint cannot hold if terms are inside of limits, as is found out with little work.
    pub fn exclude(
        terms: &Terms,
        (from, inside): (&[TermId], &Limits),
        constraint: &[TermId],
        work: &mut usize,
    ) -> bool {
        let Some(mut question) = Question::with_others(terms, constraint, from) else {
            return false;
        };
        let Some(ranges) = question.ranges_inside((from, inside)) else {
            return true;
        };
        let decision = question.decided_within(ranges, WORK_FOR_ONE);
        *work += question.work;
        matches!(decision, Some(Decision::Unsatisfiable))
    }

    /// The values of the first terms that are integers or truth values and have only one.
    pub fn counters(&self, count: usize) -> Vec<Option<i128>> {
        let value = |range: &Range| match range {
            Range::Integer(integers) if integers.low == integers.high => Some(integers.low),
            Range::Truth { no, yes } if no != yes => Some(i128::from(*yes)),
            _ => None,
        };
        self.0.iter().take(count).map(value).collect()
    }

    /// Whether one of the first terms is a floating-point number without a limit.
    pub fn leave_open(&self, terms: &Terms, of: &[TermId]) -> bool {
        let mut pairs = of.iter().zip(&self.0);
        pairs.any(|(term, range)| match range {
            Range::Float(floats) => floats.infinities_excluded() != *floats,
            _ => terms.float_format(terms.sort(*term)).is_some(),
        })
    }

    /// Whether others are within these.
    pub fn includes(&self, others: &Limits) -> bool {
        self.join(others) == *self
    }

    /// Both, with both zeros where there is one.
    pub fn join(&self, other: &Limits) -> Limits {
        let pairs = self.0.iter().zip(&other.0);
        Limits(
            pairs
                .map(|(one, other)| match one.join(*other) {
                    Range::Float(floats) => Range::Float(floats.with_both_zeros()),
                    joined => joined,
                })
                .collect(),
        )
    }

    /// The same, and where it is not within what was known before, up to the next of the marks, which are in order.
    pub fn widened(&self, before: &Limits, marks: &[f64]) -> Limits {
        let pairs = self.0.iter().zip(&before.0);
        Limits(pairs.map(|(now, before)| widened(*now, *before, marks)).collect())
    }

    /// What is said of each of the terms, in formulas: of floating-point numbers, and of integers and truth values if these are wanted.
    pub fn formulas(&self, terms: &mut Terms, of: &[TermId], of_all: bool) -> Vec<TermId> {
        let mut found = Vec::new();
        for (term, range) in of.iter().zip(&self.0) {
            match range {
                Range::Integer(integers) if of_all => found.extend(between(terms, *term, *integers)),
                Range::Truth { no: false, yes: true } if of_all => found.push(*term),
                Range::Truth { no: true, yes: false } if of_all => found.push(terms.not(*term)),
                _ => found.extend(formula(terms, *term, *range)),
            }
        }
        found
    }
}

/// That an integer is where it is.
fn between(terms: &mut Terms, term: TermId, integers: Integers) -> Vec<TermId> {
    let mut found = Vec::new();
    if integers.low == integers.high {
        let value = terms.integer(integers.low);
        return vec![terms.equal(term, value)];
    }
    if integers.low != i128::MIN {
        let low = terms.integer(integers.low);
        found.push(terms.less_or_equal(low, term));
    }
    if integers.high != i128::MAX {
        let high = terms.integer(integers.high);
        found.push(terms.less_or_equal(term, high));
    }
    found
}

impl Question<'_> {
    fn index_of(&self, term: TermId) -> usize {
        self.nodes.binary_search_by_key(&term, |node| node.term).unwrap_or(0)
    }

    /// Where terms are if some are inside of limits; `None` if one can be nowhere.
    fn ranges_inside(&self, (from, inside): (&[TermId], &Limits)) -> Option<Vec<Range>> {
        let mut ranges: Vec<Range> = self.nodes.iter().map(|node| self.first_range(node)).collect();
        let mut pairs = from.iter().zip(&inside.0);
        let possible = pairs.all(|(term, range)| self.put(self.index_of(*term), *range, &mut ranges, DEPTH));
        possible.then_some(ranges)
    }
}

/// What forms have narrowed, a little wider again: in which order their terms are added decides the last digits, and whoever asks
/// again may add them in another one.
fn loosened(range: Range, plain: Range) -> Range {
    let (Range::Float(now), Range::Float(before), Some((low, high))) = (range, plain, numbers(range)) else {
        return range;
    };
    let slack = SLACK * (low.abs().max(high.abs()) + (high - low));
    let [below, above] = [low - slack, high + slack].map(|limit| place(Float::from(limit).converted(now.format)));
    let wider = Floats {
        low: if now.low == before.low {
            now.low
        } else {
            below.min(now.low)
        },
        high: if now.high == before.high {
            now.high
        } else {
            above.max(now.high)
        },
        ..now
    };
    Range::Float(wider.meet(before))
}

fn widened(now: Range, before: Range, marks: &[f64]) -> Range {
    match (now, before) {
        (Range::Float(now), Range::Float(before)) if now.has_numbers() && before.has_numbers() => {
            let all = Floats::of_format(now.format);
            let mark = |mark: &f64| place(Float::from(*mark).converted(now.format));
            let mut wide = now;
            if now.low < before.low {
                let below = marks.iter().rev().map(mark).find(|mark| *mark <= now.low);
                wide.low = below.unwrap_or(all.low);
            }
            if now.high > before.high {
                let above = marks.iter().map(mark).find(|mark| *mark >= now.high);
                wide.high = above.unwrap_or(all.high);
            }
            Range::Float(wide.with_both_zeros())
        }
        (Range::Integer(now), Range::Integer(before)) => {
            let mut wide = now;
            if now.low < before.low {
                wide.low = i128::MIN;
            }
            if now.high > before.high {
                wide.high = i128::MAX;
            }
            Range::Integer(wide)
        }
        (now, before) if now == before => now,
        (Range::Word(_), _) => Range::Any,
        _ => now,
    }
}

/// That a floating-point number is where it is; `None` if it can be anything, or nothing was found out.
fn formula(terms: &mut Terms, term: TermId, range: Range) -> Option<TermId> {
    let Range::Float(floats) = range else { return None };
    let all = Floats::of_format(floats.format);
    let is_nan = terms.float_operation(FloatOperator::IsNan, &[term], SortId::BOOL)?;
    if !floats.has_numbers() {
        return Some(is_nan);
    }
    let mut parts = Vec::new();
    for (limit, is_low, infinite) in [(floats.low, true, all.low), (floats.high, false, all.high)] {
        if limit == infinite {
            continue;
        }
        let number = terms.float(number_at(floats.format, limit));
        let sides = if is_low { [number, term] } else { [term, number] };
        parts.push(terms.float_operation(FloatOperator::LessOrEqual, &sides, SortId::BOOL)?);
    }
    match (parts.is_empty(), floats.nan) {
        (true, true) => None,
        (true, false) => Some(terms.not(is_nan)),
        (false, false) => Some(terms.and(&parts)),
        (false, true) => {
            let inside = terms.and(&parts);
            Some(terms.or(&[is_nan, inside]))
        }
    }
}
