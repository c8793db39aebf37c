//! Which functions stay functions because they recur: as few as it takes for every chain of calls that comes back to a function
//! to pass one.
//!
//! The calls of these *procedures* remain calls; all other calls are replaced by copies, those between functions that recur
//! included, unless that makes the program [too large](super::size). In each group of functions that call each other, a function
//! that calls itself is taken, or else the one that is called first, until no chain is left.

use super::call_graph::CallGraph;
use std::collections::BTreeSet;

/// For each function, whether its calls remain calls.
pub(super) fn procedures(graph: &CallGraph) -> Vec<bool> {
    let mut chosen = vec![false; graph.callees.len()];
    for function in &graph.order {
        chosen[*function] = graph.callees[*function].contains(function);
    }
    let recurring = graph.order.iter().filter(|function| graph.recurs[**function]);
    while let Some(function) = recurring
        .clone()
        .find(|function| comes_back(**function, &graph.callees, &chosen))
    {
        chosen[*function] = true;
    }
    chosen
}

/// Whether a chain of calls leads from a function back to it, past none that is chosen.
fn comes_back(function: usize, callees: &[Vec<usize>], chosen: &[bool]) -> bool {
    let mut seen = BTreeSet::new();
    let mut waiting = vec![function];
    while let Some(caller) = waiting.pop() {
        if chosen[caller] {
            continue;
        }
        for callee in &callees[caller] {
            if *callee == function {
                return true;
            }
            if seen.insert(*callee) {
                waiting.push(*callee);
            }
        }
    }
    false
}
