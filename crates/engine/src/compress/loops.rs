//! The loops of a program and how they are nested (seed 000, COMPRESSTRACE, "if ℓ is a loop").
//!
//! A loop is a set of predicates that reach each other, with the one through which it is entered as its header. Its inner
//! loops are found by taking the header out and looking again, so that an inner loop never contains the header of an outer
//! one, whatever the graph looks like.

use crate::graphs::components;
use crate::rules::{PredicateId, Program};

/// A loop.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// Where it is entered.
    pub header: PredicateId,
    members: Vec<bool>,
}

impl Loop {
    /// Whether a predicate belongs to the loop, be it through an inner one.
    pub fn includes(&self, predicate: PredicateId) -> bool {
        self.members.get(predicate.index()).copied().unwrap_or(false)
    }
}

/// All loops, outer ones before inner ones.
#[derive(Clone, Debug)]
pub(super) struct Loops {
    all: Vec<Loop>,
    headed_by: Vec<Option<usize>>,
}

impl Loops {
    /// The loops that a query may get into.
    pub fn new(program: &Program) -> Loops {
        let count = program.predicates().len();
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); count];
        for rule in program.rules() {
            for atom in &rule.body {
                successors[rule.head.predicate.index()].push(atom.predicate.index());
            }
        }
        let preorder = preorder(&successors, PredicateId::QUERY.index());
        let mut loops = Loops {
            all: Vec::new(),
            headed_by: vec![None; count],
        };
        let mut waiting: Vec<Vec<bool>> = vec![preorder.iter().map(Option::is_some).collect()];
        while let Some(inside) = waiting.pop() {
            for component in components(&successors, &inside) {
                let is_cycle = component.len() > 1 || component.iter().any(|only| successors[*only].contains(only));
                // The first one that is met coming from the query is where the others are entered from.
                let Some(header) = component.iter().copied().min_by_key(|member| preorder[*member]) else {
                    continue;
                };
                if !is_cycle {
                    continue;
                }
                let mut members = vec![false; count];
                for member in component {
                    members[member] = true;
                }
                loops.headed_by[header] = Some(loops.all.len());
                let mut rest = members.clone();
                rest[header] = false;
                loops.all.push(Loop {
                    header: PredicateId::from_index(header),
                    members,
                });
                waiting.push(rest);
            }
        }
        loops
    }

    /// The loop with this header.
    pub fn headed_by(&self, predicate: PredicateId) -> Option<usize> {
        self.headed_by.get(predicate.index()).copied().flatten()
    }

    /// A loop by its number.
    pub fn numbered(&self, number: usize) -> &Loop {
        &self.all[number]
    }
}

/// For each node that can be reached, when a search depth first meets it.
fn preorder(successors: &[Vec<usize>], start: usize) -> Vec<Option<usize>> {
    let mut met = vec![None; successors.len()];
    let mut count = 0;
    let mut stack = vec![start];
    while let Some(current) = stack.pop() {
        if met[current].is_some() {
            continue;
        }
        met[current] = Some(count);
        count += 1;
        stack.extend(successors[current].iter().rev());
    }
    met
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_loops_do_not_contain_outer_headers() {
        let source = "
            ?- outer(0).
            outer(I) :- I < 10, inner(I).
            inner(I) :- I < 5, body(I).
            body(I) :- inner(I + 1).
            inner(I) :- I >= 5, outer(I + 1).
            outer(I) :- I >= 10, last(I).
            last(I) :- I < 20, last(I + 1).
            last(I) :- I < 0, error.";
        let program = crate::clp::read(source).product.expect("no mistake in it");
        let loops = Loops::new(&program);
        let named = |name: &str| {
            let position = program.predicates().iter().position(|predicate| predicate.name == name);
            PredicateId::from_index(position.expect("it is there"))
        };
        let of = |name: &str| {
            loops
                .headed_by(named(name))
                .map(|number| loops.numbered(number).clone())
        };
        let (outer, inner, last) = (of("outer"), of("inner"), of("last"));
        let (outer, inner, last) = (outer.expect("a loop"), inner.expect("a loop"), last.expect("a loop"));
        assert!(outer.includes(named("inner")) && outer.includes(named("body")) && !outer.includes(named("last")));
        assert!(inner.includes(named("body")) && !inner.includes(named("outer")));
        assert!(last.includes(named("last")) && of("body").is_none());
    }
}
