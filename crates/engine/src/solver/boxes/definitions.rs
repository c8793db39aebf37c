//! What equations say of variables: whatever else is known of the other side is known of the variable.

use super::Node;
use crate::terms::{Operator, Sort, TermId, Terms};
use num_traits::One;

/// What a variable is if an equation holds: a sum of terms, some of them taken away.
pub(super) struct Definition {
    pub variable: usize,
    pub equation: usize,
    pub summands: Vec<(usize, bool)>,
}

/// What an equation says of variables: that it is the other side, or what is left of it.
pub(super) fn definitions_by(
    nodes: &[Node],
    equation: usize,
    is_variable: &dyn Fn(&usize) -> bool,
    terms: &Terms,
) -> Vec<Definition> {
    let mut found = Vec::new();
    let (Operator::Equal, &[left, right]) = (nodes[equation].operator, &nodes[equation].arguments[..]) else {
        return found;
    };
    for (side, other) in [(left, right), (right, left)] {
        let mut add = |variable: usize, summands: Vec<(usize, bool)>| {
            found.push(Definition {
                variable,
                equation,
                summands,
            });
        };
        if is_variable(&side) {
            add(side, vec![(other, false)]);
        } else if let (Operator::Add, Sort::Int, parts) =
            (nodes[side].operator, nodes[side].sort, &nodes[side].arguments)
        {
            for (position, part) in parts.iter().enumerate() {
                let negated = match (nodes[*part].operator, &nodes[*part].arguments[..]) {
                    (Operator::Multiply, &[factor, variable]) if is_minus_one(terms, nodes[factor].term) => {
                        Some(variable)
                    }
                    _ => None,
                };
                let variable = negated.unwrap_or(*part);
                if is_variable(&variable) {
                    let others = parts.iter().enumerate().filter(|(other, _)| *other != position);
                    let mut summands: Vec<(usize, bool)> =
                        others.map(|(_, other)| (*other, negated.is_none())).collect();
                    summands.push((other, negated.is_some()));
                    add(variable, summands);
                }
            }
        }
    }
    found
}

fn is_minus_one(terms: &Terms, term: TermId) -> bool {
    terms.number_value(term).is_some_and(|number| (-number).is_one())
}
