//! What rules make of limits: where the arguments of an atom are if those of another one are between limits.

use super::Question;
use super::floats::{Floats, number_at, place};
use super::narrowing::DEPTH;
use super::ranges::Range;
use crate::terms::{Float, FloatOperator, SortId, TermId, Terms};

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
        let mut ranges: Vec<Range> = question.nodes.iter().map(|node| question.first_range(node)).collect();
        let index_of = |question: &Question<'_>, term: &TermId| {
            question.nodes.binary_search_by_key(term, |node| node.term).unwrap_or(0)
        };
        let mut possible = true;
        for (term, range) in from.iter().zip(&inside.0) {
            let index = index_of(&question, term);
            possible = possible && question.put(index, *range, &mut ranges, DEPTH);
        }
        possible = possible && question.narrowed(&mut ranges) && question.calculated(&mut ranges);
        let found = possible.then(|| Limits(to.iter().map(|term| ranges[index_of(&question, term)]).collect()));
        (found, question.work)
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

    /// What is said of each of the terms, in formulas: only of floating-point numbers.
    pub fn formulas(&self, terms: &mut Terms, of: &[TermId]) -> Vec<TermId> {
        let pairs = of.iter().zip(&self.0);
        pairs
            .filter_map(|(term, range)| formula(terms, *term, *range))
            .collect()
    }
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
