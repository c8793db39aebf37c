//! The dependency graph of the predicates: which are reachable from the query, which can reach the error, and which are
//! loop headers, the places where the engine abstracts.

use super::{PredicateId, Program};

/// Reachability and loops among the predicates of a program.
#[derive(Clone, Debug)]
pub struct DependencyGraph {
    successors: Vec<Vec<PredicateId>>,
    reachable: Vec<bool>,
    reaches_error: Vec<bool>,
    loop_header: Vec<bool>,
    component: Vec<usize>,
}

impl DependencyGraph {
    /// The graph of a program's rules.
    pub fn new(program: &Program) -> DependencyGraph {
        let count = program.predicates().len();
        let mut successors: Vec<Vec<PredicateId>> = vec![Vec::new(); count];
        let mut predecessors: Vec<Vec<PredicateId>> = vec![Vec::new(); count];
        for rule in program.rules() {
            for atom in &rule.body {
                successors[rule.head.predicate.index()].push(atom.predicate);
                predecessors[atom.predicate.index()].push(rule.head.predicate);
            }
        }
        let reaches_error = closure(&predecessors, PredicateId::ERROR);
        let (reachable, loop_header, finished) = depth_first(&successors);
        let component = components(&predecessors, &finished, &reachable);
        DependencyGraph {
            successors,
            reachable,
            reaches_error,
            loop_header,
            component,
        }
    }

    /// The predicates that rules of this one lead to, in the order of the rules.
    pub fn successors(&self, predicate: PredicateId) -> &[PredicateId] {
        &self.successors[predicate.index()]
    }

    /// Whether some chain of rules leads from a query to the predicate.
    pub fn is_reachable(&self, predicate: PredicateId) -> bool {
        self.reachable[predicate.index()]
    }

    /// Whether some chain of rules leads from the predicate to the error.
    pub fn reaches_error(&self, predicate: PredicateId) -> bool {
        self.reaches_error[predicate.index()]
    }

    /// Whether the predicate is the target of a back edge: every cycle passes through such a predicate.
    pub fn is_loop_header(&self, predicate: PredicateId) -> bool {
        self.loop_header[predicate.index()]
    }

    /// Whether two predicates lie on a common cycle.
    pub fn same_loop(&self, first: PredicateId, second: PredicateId) -> bool {
        self.component[first.index()] == self.component[second.index()]
    }
}

fn closure(edges: &[Vec<PredicateId>], start: PredicateId) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut stack = vec![start];
    while let Some(current) = stack.pop() {
        if !std::mem::replace(&mut seen[current.index()], true) {
            stack.extend_from_slice(&edges[current.index()]);
        }
    }
    seen
}

/// Reachable predicates, targets of back edges, and the reachable ones in the order they were finished.
fn depth_first(successors: &[Vec<PredicateId>]) -> (Vec<bool>, Vec<bool>, Vec<PredicateId>) {
    let count = successors.len();
    let (mut seen, mut open, mut header) = (vec![false; count], vec![false; count], vec![false; count]);
    let mut finished = Vec::new();
    let mut stack = vec![(PredicateId::QUERY, 0)];
    seen[PredicateId::QUERY.index()] = true;
    open[PredicateId::QUERY.index()] = true;
    while let Some((current, position)) = stack.last_mut() {
        let current = *current;
        let Some(next) = successors[current.index()].get(*position).copied() else {
            open[current.index()] = false;
            finished.push(current);
            stack.pop();
            continue;
        };
        *position += 1;
        if open[next.index()] {
            header[next.index()] = true;
        } else if !seen[next.index()] {
            seen[next.index()] = true;
            open[next.index()] = true;
            stack.push((next, 0));
        }
    }
    (seen, header, finished)
}

/// Kosaraju's second pass: a number for each strongly connected component.
fn components(predecessors: &[Vec<PredicateId>], finished: &[PredicateId], reachable: &[bool]) -> Vec<usize> {
    let mut component = vec![usize::MAX; reachable.len()];
    let mut next = 0;
    for root in finished.iter().rev() {
        if component[root.index()] != usize::MAX {
            continue;
        }
        let mut stack = vec![*root];
        while let Some(current) = stack.pop() {
            if component[current.index()] == usize::MAX && reachable[current.index()] {
                component[current.index()] = next;
                stack.extend_from_slice(&predecessors[current.index()]);
            }
        }
        next += 1;
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Atom, Rule};

    fn atom(predicate: PredicateId) -> Atom {
        Atom {
            predicate,
            arguments: Vec::new(),
        }
    }

    #[test]
    fn nested_loops_have_a_header_each() {
        let mut program = Program::new();
        let outer = program.add_predicate("outer", None, &[]);
        let inner = program.add_predicate("inner", None, &[]);
        let exit = program.add_predicate("exit", None, &[]);
        program.add_query(Vec::new(), atom(outer), None);
        for (from, to) in [
            (outer, inner),
            (inner, inner),
            (inner, outer),
            (outer, exit),
            (exit, PredicateId::ERROR),
        ] {
            program.add_rule(Rule {
                head: atom(from),
                constraint: Vec::new(),
                body: vec![atom(to)],
                location: None,
            });
        }
        let graph = DependencyGraph::new(&program);
        assert!(graph.is_loop_header(outer) && graph.is_loop_header(inner) && !graph.is_loop_header(exit));
        assert!(graph.same_loop(outer, inner) && !graph.same_loop(outer, exit));
        assert!(graph.reaches_error(inner) && graph.is_reachable(exit));
    }
}
