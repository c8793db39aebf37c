//! What follows for ranges from formulas that hold, and from where a term is for what it is made of.

use super::Question;
use super::floats::Floats;
use super::ranges::{Integers, Range, format_of};
use crate::terms::{FloatOperator, Operator};

/// How deep formulas and terms are looked into.
pub(super) const DEPTH: usize = 40;
/// Disjunctions with more cases than this that are possible say nothing.
const MOST_CASES: usize = 4;
/// Nor do they where there are so many terms that what each case says costs too much.
const MOST_TERMS_OF_CASES: usize = 600;

impl Question<'_> {
    /// Takes a formula to be true or false; false if it cannot be.
    pub(super) fn assert(&self, index: usize, truth: bool, ranges: &mut Vec<Range>, depth: usize) -> bool {
        if !ranges[index].may_be(truth) {
            return false;
        }
        ranges[index] = Range::of_truth(truth);
        let Some(deeper) = depth.checked_sub(1) else {
            return true;
        };
        let node = &self.nodes[index];
        match (node.operator, &node.arguments[..]) {
            (Operator::Not, [inner]) => self.assert(*inner, !truth, ranges, deeper),
            // Twice: an equation may come before what narrows one of its sides.
            (Operator::And, parts) if truth => {
                (0..2).all(|_| parts.iter().all(|part| self.assert(*part, true, ranges, deeper)))
            }
            (Operator::Or, parts) if !truth => parts.iter().all(|part| self.assert(*part, false, ranges, deeper)),
            (Operator::And | Operator::Or, parts) => self.assert_one(parts, truth, ranges, deeper),
            (Operator::Equal, [left, right]) if truth => {
                let both = ranges[*left].meet(ranges[*right]);
                self.put(*left, both, ranges, deeper) && self.put(*right, both, ranges, deeper)
            }
            (Operator::LessOrEqual, [left, right]) => self.order(*left, *right, truth, ranges, deeper),
            (Operator::Float(operator), [left, right]) => {
                self.comparison(operator, *left, *right, truth, ranges, deeper)
            }
            (Operator::Float(operator), [only]) => match class(operator, truth, ranges[*only]) {
                Some(range) => self.put(*only, range, ranges, deeper),
                None => true,
            },
            _ => true,
        }
    }

    /// One of the formulas is true, or false: what all that can be so have in common.
    fn assert_one(&self, parts: &[usize], truth: bool, ranges: &mut Vec<Range>, depth: usize) -> bool {
        let possible: Vec<usize> = parts
            .iter()
            .copied()
            .filter(|part| ranges[*part].may_be(truth))
            .collect();
        match possible[..] {
            [] => return false,
            [only] => return self.assert(only, truth, ranges, depth),
            _ if possible.len() > MOST_CASES || self.nodes.len() > MOST_TERMS_OF_CASES => return true,
            _ => {}
        }
        // One that holds for certain says all that is said.
        if possible.iter().any(|part| !ranges[*part].may_be(!truth)) {
            return true;
        }
        let mut joined: Option<Vec<Range>> = None;
        for case in possible {
            let mut here = ranges.clone();
            if !self.assert(case, truth, &mut here, depth) {
                continue;
            }
            joined = Some(match joined {
                None => here,
                Some(others) => others.iter().zip(&here).map(|(one, other)| one.join(*other)).collect(),
            });
        }
        match joined {
            None => false,
            Some(joined) => {
                for (range, joined) in ranges.iter_mut().zip(joined) {
                    *range = range.meet(joined);
                }
                true
            }
        }
    }

    /// Takes a term to be in a range; false if it cannot be.
    pub(super) fn put(&self, index: usize, range: Range, ranges: &mut Vec<Range>, depth: usize) -> bool {
        let before = ranges[index];
        let now = before.meet(range);
        ranges[index] = now;
        if now.is_empty() {
            return false;
        }
        let Some(deeper) = depth.checked_sub(1).filter(|_| now != before) else {
            return true;
        };
        let node = &self.nodes[index];
        match (node.operator, &node.arguments[..], now) {
            (Operator::Add, parts, Range::Integer(sum)) => self.summands(parts, sum, ranges, deeper),
            (Operator::Multiply, [factor, other], Range::Integer(product)) => {
                self.factor(*factor, *other, product, ranges, deeper)
                    && self.factor(*other, *factor, product, ranges, deeper)
            }
            (Operator::IfThenElse, [condition, yes, no], _) => {
                let can_be = [*yes, *no].map(|branch| !ranges[branch].meet(now).is_empty());
                match can_be {
                    [false, false] => false,
                    [true, false] => {
                        self.assert(*condition, true, ranges, deeper) && self.put(*yes, now, ranges, deeper)
                    }
                    [false, true] => {
                        self.assert(*condition, false, ranges, deeper) && self.put(*no, now, ranges, deeper)
                    }
                    [true, true] => true,
                }
            }
            (Operator::Float(FloatOperator::Negate), [inner], Range::Float(floats)) => {
                let turned = super::floats::result(FloatOperator::Negate, &[floats], floats.format);
                self.put(*inner, Range::Float(turned), ranges, deeper)
            }
            (_, _, Range::Truth { no, yes }) if no != yes => self.assert(index, yes, ranges, deeper),
            _ => true,
        }
    }

    /// Each summand is what the others leave of the sum.
    fn summands(&self, parts: &[usize], sum: Integers, ranges: &mut Vec<Range>, depth: usize) -> bool {
        for (position, part) in parts.iter().enumerate() {
            let mut rest = sum;
            for (_, other) in parts.iter().enumerate().filter(|(other, _)| *other != position) {
                let Range::Integer(other) = ranges[*other] else {
                    return true;
                };
                rest = rest.plus(other.negated());
            }
            if !self.put(*part, Range::Integer(rest), ranges, depth) {
                return false;
            }
        }
        true
    }

    /// A term whose product with a constant has limits.
    fn factor(&self, constant: usize, other: usize, product: Integers, ranges: &mut Vec<Range>, depth: usize) -> bool {
        let Range::Integer(factor) = ranges[constant] else {
            return true;
        };
        let Some(size) = factor.low.checked_abs().filter(|size| *size > 0) else {
            return true;
        };
        if factor.low != factor.high {
            return true;
        }
        let product = if factor.low < 0 { product.negated() } else { product };
        let inside = Integers {
            low: match product.low {
                i128::MIN => i128::MIN,
                low => -(-low).div_euclid(size),
            },
            high: match product.high {
                i128::MAX => i128::MAX,
                high => high.div_euclid(size),
            },
        };
        self.put(other, Range::Integer(inside), ranges, depth)
    }

    fn order(&self, left: usize, right: usize, truth: bool, ranges: &mut Vec<Range>, depth: usize) -> bool {
        let (Range::Integer(one), Range::Integer(other)) = (ranges[left], ranges[right]) else {
            return true;
        };
        let (at_most, at_least) = match truth {
            true => (other.high, one.low),
            false => (Integers::ALL.high, Integers::ALL.low),
        };
        let (above, below) = match truth {
            true => (Integers::ALL.low, Integers::ALL.high),
            false => (next(other.low, 1), next(one.high, -1)),
        };
        let of_left = Integers {
            low: above,
            high: at_most,
        };
        let of_right = Integers {
            low: at_least,
            high: below,
        };
        self.put(left, Range::Integer(of_left), ranges, depth)
            && self.put(right, Range::Integer(of_right), ranges, depth)
    }

    fn comparison(
        &self,
        operator: FloatOperator,
        left: usize,
        right: usize,
        truth: bool,
        ranges: &mut Vec<Range>,
        depth: usize,
    ) -> bool {
        let (Range::Float(one), Range::Float(other)) = (ranges[left], ranges[right]) else {
            return true;
        };
        let is_number = self.nodes[left].sort == self.nodes[right].sort && one.has_numbers() && other.has_numbers();
        // What is not less may be NaN.
        let is_decided = truth || !(one.nan || other.nan);
        if !is_number || !is_decided {
            return true;
        }
        let (of_left, of_right) = match (operator, truth) {
            (FloatOperator::Less, true) => (Floats::less_than(other), Floats::greater_than(one)),
            (FloatOperator::Less, false) => (Floats::at_least(other), Floats::at_most(one)),
            (FloatOperator::LessOrEqual, true) => (Floats::at_most(other), Floats::at_least(one)),
            (FloatOperator::LessOrEqual, false) => (Floats::greater_than(other), Floats::less_than(one)),
            (FloatOperator::Equal, true) => (
                Floats::between(other.format, other.low, other.high),
                Floats::between(one.format, one.low, one.high),
            ),
            _ => return true,
        };
        self.put(left, Range::Float(of_left), ranges, depth) && self.put(right, Range::Float(of_right), ranges, depth)
    }
}

fn next(limit: i128, step: i128) -> i128 {
    match limit {
        i128::MIN | i128::MAX => limit,
        limit => limit.saturating_add(step),
    }
}

/// Which numbers are of a class, or are not.
fn class(operator: FloatOperator, truth: bool, known: Range) -> Option<Range> {
    use FloatOperator::{IsInfinite, IsNan, IsNegative, IsNormal, IsPositive, IsZero};
    let format = format_of(known)?;
    let all = Floats::of_format(format);
    let number = all.without_nan();
    Some(Range::Float(match (operator, truth) {
        (IsNan, true) => Floats::only_nan(format),
        (IsNan, false) | (IsInfinite, true) => number,
        (IsInfinite, false) => all.infinities_excluded(),
        (IsZero, true) => Floats::zeros(format),
        (IsNegative, true) => Floats { high: -1, ..number },
        (IsNegative, false) => Floats { low: 0, ..all },
        (IsPositive, true) => Floats { low: 0, ..number },
        (IsPositive, false) => Floats { high: -1, ..all },
        (IsNormal, true) => number.infinities_excluded(),
        _ => return None,
    }))
}
