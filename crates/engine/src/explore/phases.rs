//! Phases: the ways through a loop in the order in which every run takes them.
//!
//! Where conditions are monotone, ways come in a fixed order: once `i < m` is false it stays so. After a way is taken, others are
//! infeasible in the next iteration, whatever the values; that is asked of the solver, for each pair of cores. If what may follow
//! what has no circle but within groups, every run goes along the cores of one group any number of times, then along those of the
//! next. So one template with a counter for each group describes them all, and within a group values follow progressions that they
//! do not follow in the loop as a whole. Seed 002 has a template for each core, and finds such an order only while executing.

use super::context::Context;
use super::cycles::{Answered, Cycle, guards_are_satisfiable};

/// With more groups than this, a state would have too many counters.
const MOST_PHASES: usize = 6;

/// The cycles of an entry in groups, such that no run goes along a cycle after one of a later group; nothing if there is one
/// group only, or too many.
pub(super) fn phases(context: &mut Context, cycles: &[Cycle]) -> Option<Vec<Vec<Cycle>>> {
    let count = cycles.len();
    if count < 2 {
        return None;
    }
    let mut leads = vec![vec![false; count]; count];
    for first in 0..count {
        for second in 0..count {
            if context.should_stop() {
                return None;
            }
            leads[first][second] = first == second || may_follow(context, &cycles[first], &cycles[second]);
        }
    }
    let groups = groups_in_order(leads);
    let several = groups.len() > 1 && groups.len() <= MOST_PHASES;
    let of_group = |group: Vec<usize>| group.into_iter().map(|position| cycles[position].clone()).collect();
    several.then(|| groups.into_iter().map(of_group).collect())
}

/// Whether an iteration along the second core right after one along the first is not excluded.
fn may_follow(context: &mut Context, first: &Cycle, second: &Cycle) -> bool {
    let both = [&first.core[..], &second.core[..]].concat();
    let executed = context.execute_path(first.entry, &both, &mut str::to_string);
    guards_are_satisfiable(context, &executed) != Answered::No
}

/// The strongly connected components of a relation, each before those that it leads to. Of several that could come next, the
/// one with the first element does.
fn groups_in_order(mut leads: Vec<Vec<bool>>) -> Vec<Vec<usize>> {
    let count = leads.len();
    for middle in 0..count {
        let onward = leads[middle].clone();
        for row in leads.iter_mut().filter(|row| row[middle]) {
            for (known, next) in row.iter_mut().zip(&onward) {
                *known |= *next;
            }
        }
    }
    let mut left: Vec<usize> = (0..count).collect();
    let mut groups = Vec::new();
    while !left.is_empty() {
        // What only elements of its own component lead to.
        let is_next = |element: &usize| {
            left.iter()
                .all(|other| !leads[*other][*element] || leads[*element][*other])
        };
        let Some(first) = left.iter().copied().find(is_next) else {
            break;
        };
        let (group, rest) = left
            .iter()
            .partition(|element| leads[first][**element] && leads[**element][first]);
        groups.push(group);
        left = rest;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_come_before_what_they_lead_to() {
        let relation = |pairs: &[(usize, usize)]| {
            let mut leads = vec![vec![false; 4]; 4];
            for (element, row) in leads.iter_mut().enumerate() {
                row[element] = true;
            }
            for (from, to) in pairs {
                leads[*from][*to] = true;
            }
            groups_in_order(leads)
        };
        assert_eq!(
            relation(&[(3, 1), (1, 2), (2, 1), (1, 0)]),
            [vec![3], vec![1, 2], vec![0]]
        );
        assert_eq!(relation(&[]), [vec![0], vec![1], vec![2], vec![3]]);
        assert_eq!(relation(&[(0, 1), (1, 2), (2, 3), (3, 0)]), [vec![0, 1, 2, 3]]);
    }
}
