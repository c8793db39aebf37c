//! What follows from comparisons of floating-point numbers with each other: one number is not before another one and behind it,
//! wherever the two are. Limits alone would tell that number by number.

use super::Question;
use super::floats::Floats;
use super::ranges::Range;
use crate::terms::{FloatOperator, Operator, Rounding};
use hashbrown::HashSet;

/// That one number is less than another one or, if it is not strict, equal to it, by the places of the terms.
#[derive(Clone, Copy)]
struct Order {
    low: usize,
    high: usize,
    is_strict: bool,
}

impl Question<'_> {
    /// Whether the comparisons that are decided in a box can be so together.
    pub(super) fn orders_agree(&mut self, ranges: &[Range]) -> bool {
        if self.comparisons.len() < 2 {
            return true;
        }
        self.work += self.nodes.len();
        if !self.roundings_agree(ranges) {
            return false;
        }
        let orders = self.orders(ranges);
        self.work += orders.len();
        let mut strict = orders.iter().filter(|order| order.is_strict);
        strict.all(|order| !reaches(&orders, order.high, order.low))
    }

    /// Whether no number is rounded to an integer that is neither the one below it nor the one above it.
    fn roundings_agree(&self, ranges: &[Range]) -> bool {
        let rounded = |index: usize| match (self.nodes[index].operator, &self.nodes[index].arguments[..]) {
            (Operator::Float(FloatOperator::RoundToIntegral(rounding)), [number]) => Some((rounding, *number)),
            _ => None,
        };
        let mut excluded: Vec<(usize, Rounding)> = Vec::new();
        for &index in &self.comparisons {
            let node = &self.nodes[index];
            let is_different = ranges[index] == Range::NO && node.operator == Operator::Float(FloatOperator::Equal);
            let &[left, right] = &node.arguments[..] else { continue };
            let (true, Some((one, number)), Some((other, same))) = (is_different, rounded(left), rounded(right)) else {
                continue;
            };
            let is_nan = matches!(ranges[number], Range::Float(floats) if floats.nan);
            if number == same && !is_nan {
                excluded.extend([(left, other), (right, one)]);
            }
        }
        let both = |rounded: &usize| [Rounding::Down, Rounding::Up].map(|side| excluded.contains(&(*rounded, side)));
        !excluded.iter().any(|(rounded, _)| both(rounded) == [true, true])
    }

    /// The orders between terms that are no NaNs.
    fn orders(&self, ranges: &[Range]) -> Vec<Order> {
        let mut found = Vec::new();
        let number = |index: usize| match ranges[index] {
            Range::Float(floats) => Some(floats).filter(|floats| !floats.nan),
            _ => None,
        };
        let mut add = |low: usize, high: usize, is_strict: bool| {
            if number(low).is_some() && number(high).is_some() {
                found.push(Order { low, high, is_strict });
            }
        };
        for &index in &self.comparisons {
            let node = &self.nodes[index];
            let &[left, right] = &node.arguments[..] else { continue };
            let Range::Truth { no, yes } = ranges[index] else {
                continue;
            };
            let Operator::Float(operator) = node.operator else {
                continue;
            };
            match (operator, no, yes) {
                (FloatOperator::Less, false, true) => add(left, right, true),
                (FloatOperator::Less, true, false) => add(right, left, false),
                (FloatOperator::LessOrEqual, false, true) => add(left, right, false),
                (FloatOperator::LessOrEqual, true, false) => add(right, left, true),
                (FloatOperator::Equal, false, true) => {
                    add(left, right, false);
                    add(right, left, false);
                }
                _ => {}
            }
        }
        for (index, node) in self.nodes.iter().enumerate() {
            match (node.operator, &node.arguments[..]) {
                (Operator::Float(FloatOperator::RoundToIntegral(Rounding::Down)), [inner]) => add(index, *inner, false),
                (Operator::Float(FloatOperator::RoundToIntegral(Rounding::Up)), [inner]) => add(*inner, index, false),
                // A sum that is rounded is still on the side that the other summand says.
                (Operator::Float(FloatOperator::Add), [one, other]) => {
                    for (summand, by) in [(*one, *other), (*other, *one)] {
                        match number(by).and_then(sign) {
                            Some(true) => add(index, summand, false),
                            Some(false) => add(summand, index, false),
                            None => {}
                        }
                    }
                }
                (Operator::Float(FloatOperator::Subtract), [from, by]) => match number(*by).and_then(sign) {
                    Some(true) => add(*from, index, false),
                    Some(false) => add(index, *from, false),
                    None => {}
                },
                (Operator::IfThenElse, [condition, yes, no]) => {
                    let chosen = match ranges[*condition] {
                        Range::Truth { no: false, .. } => *yes,
                        Range::Truth { yes: false, .. } => *no,
                        _ => continue,
                    };
                    add(index, chosen, false);
                    add(chosen, index, false);
                }
                _ => {}
            }
        }
        found
    }
}

/// Whether all of the numbers are negative or zeros; `Some(false)` if none is less than zero.
fn sign(floats: Floats) -> Option<bool> {
    match floats.has_numbers() {
        true if floats.low >= -1 => Some(false),
        true if floats.high <= 0 => Some(true),
        _ => None,
    }
}

/// Whether orders lead from one term to another.
fn reaches(orders: &[Order], from: usize, to: usize) -> bool {
    let mut seen: HashSet<usize> = HashSet::new();
    seen.insert(from);
    let mut open = vec![from];
    while let Some(current) = open.pop() {
        if current == to {
            return true;
        }
        for order in orders.iter().filter(|order| order.low == current) {
            if seen.insert(order.high) {
                open.push(order.high);
            }
        }
    }
    false
}
