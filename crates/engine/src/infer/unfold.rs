//! Programs made ready for inference: places at the ends of runs, iteration counters, and rules composed along paths.
//!
//! Invariants are wanted at some predicates, and induction needs them at one predicate of every loop. All others only stand
//! between these, so they are *unfolded*: a rule that leads to one is replaced by its compositions with the rules that
//! leave it. What can be derived at the remaining predicates stays the same, and an invariant need not be found for places
//! where paths merely join.

use crate::rules::{Atom, DependencyGraph, PredicateId, Program, Rule, RuleId};
use crate::steps::composition::{Composed, Paths};
use crate::terms::{SortId, TermId};

/// A predicate that more paths than this lead through, from one other, is kept as a place.
const PATHS: usize = 48;

/// A program made ready.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    /// The program. The predicates of the original one have their ids; exits and the counter's parameters are added.
    pub program: Program,
    /// The same without the rules into the error.
    pub without_errors: Program,
    /// The predicates that stand for the end of runs: the exit, and the predicate whose rule ends there. A predicate all
    /// of whose rules end is its own exit.
    pub exits: Vec<(PredicateId, PredicateId)>,
    /// The predicates that are left: where induction needs invariants.
    pub places: Vec<PredicateId>,
}

/// What is to be done to a program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Preparation<'a> {
    /// Predicates that must stay.
    pub wanted: &'a [PredicateId],
    /// Whether iterations are counted.
    pub count: bool,
}

/// The name of the counter's parameter.
pub const COUNTER: &str = "iterations";

/// Makes a program ready.
pub(super) fn prepare(program: &Program, preparation: Preparation<'_>) -> Prepared {
    let graph = DependencyGraph::new(program);
    let back_edges = if preparation.count {
        back_edges(program)
    } else {
        Vec::new()
    };
    let mut result = empty_copy(program, preparation.count);
    let exits = add_exits(&mut result, program, &graph);
    let mut rules: Vec<Rule> = Vec::new();
    for (index, rule) in program.rules().iter().enumerate() {
        let mut rule = rule.clone();
        if rule.body.is_empty() {
            let exit = exits.iter().find(|(exit, of)| *of == rule.head.predicate && exit != of);
            if let Some((exit, _)) = exit {
                rule.body.push(Atom {
                    predicate: *exit,
                    arguments: rule.head.arguments.clone(),
                });
            }
        }
        if preparation.count {
            count(&mut result, &mut rule, back_edges.contains(&RuleId::from_index(index)));
        }
        rules.push(rule);
    }
    let mut places: Vec<PredicateId> = (2..program.predicates().len())
        .map(PredicateId::from_index)
        .filter(|id| graph.is_reachable(*id))
        .filter(|id| graph.is_loop_header(*id) || preparation.wanted.contains(id))
        .collect();
    places.extend(exits.iter().map(|(exit, _)| *exit));
    places.sort();
    places.dedup();
    let composed = unfold(&mut result, &rules, &mut places);
    places.sort();
    let leads_to_error = |rule: &Rule| rule.body.iter().any(|atom| atom.predicate == PredicateId::ERROR);
    let (errors, others): (Vec<Rule>, Vec<Rule>) = composed.into_iter().partition(leads_to_error);
    for rule in others {
        result.add_rule(rule);
    }
    let without_errors = result.clone();
    for rule in errors {
        result.add_rule(rule);
    }
    Prepared {
        program: result,
        without_errors,
        exits,
        places,
    }
}

/// The predicates and terms of a program, without its rules. Every predicate gets a counter if wanted.
fn empty_copy(program: &Program, counted: bool) -> Program {
    let mut copy = Program::new();
    copy.terms = program.terms.clone();
    for predicate in program.predicates().iter().skip(2) {
        let named = |parameter: &TermId| {
            let name = program.terms.variable_name(*parameter).to_string();
            (name, program.terms.sort(*parameter))
        };
        let mut parameters: Vec<(String, SortId)> = predicate.parameters.iter().map(named).collect();
        if counted {
            parameters.push((COUNTER.to_string(), SortId::INT));
        }
        let parameters: Vec<(&str, SortId)> = parameters.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
        copy.add_predicate(&predicate.name, predicate.point.as_deref(), &parameters);
    }
    copy
}

/// A predicate for each one that has rules which end runs, with the same parameters.
fn add_exits(result: &mut Program, program: &Program, graph: &DependencyGraph) -> Vec<(PredicateId, PredicateId)> {
    let mut exits: Vec<(PredicateId, PredicateId)> = Vec::new();
    for rule in program.rules() {
        let of = rule.head.predicate;
        let known = exits.iter().any(|(_, other)| *other == of);
        if !rule.body.is_empty() || known || of == PredicateId::QUERY || !graph.is_reachable(of) {
            continue;
        }
        if program
            .rules_of(of)
            .iter()
            .all(|rule| program.rule(*rule).body.is_empty())
        {
            exits.push((of, of));
            continue;
        }
        let predicate = result.predicate(of).clone();
        let named = |parameter: &TermId| {
            let name = result.terms.variable_name(*parameter).to_string();
            (name, result.terms.sort(*parameter))
        };
        let parameters: Vec<(String, SortId)> = predicate.parameters.iter().map(named).collect();
        let parameters: Vec<(&str, SortId)> = parameters.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
        let name = format!("exit of {}", result.predicate_label(of));
        exits.push((result.add_predicate(&name, None, &parameters), of));
    }
    exits
}

/// Gives a rule the counter: it starts at zero, and a rule that closes a loop adds one.
fn count(program: &mut Program, rule: &mut Rule, closes_a_loop: bool) {
    let mut value = program.terms.integer(0);
    if rule.head.predicate != PredicateId::QUERY {
        value = program.terms.fresh_variable(COUNTER, SortId::INT);
        rule.head.arguments.push(value);
    }
    let one = program.terms.integer(1);
    let next = if closes_a_loop {
        program.terms.add(value, one)
    } else {
        value
    };
    for atom in &mut rule.body {
        if atom.predicate != PredicateId::ERROR {
            atom.arguments.push(next);
        }
    }
}

/// The rules that lead back to a predicate that is still open in a depth-first search from the query.
fn back_edges(program: &Program) -> Vec<RuleId> {
    let count = program.predicates().len();
    let (mut seen, mut open) = (vec![false; count], vec![false; count]);
    let mut found = Vec::new();
    let mut stack = vec![(PredicateId::QUERY, 0)];
    seen[PredicateId::QUERY.index()] = true;
    open[PredicateId::QUERY.index()] = true;
    while let Some((current, position)) = stack.last_mut() {
        let current = *current;
        let Some(rule) = program.rules_of(current).get(*position).copied() else {
            open[current.index()] = false;
            stack.pop();
            continue;
        };
        *position += 1;
        for atom in &program.rule(rule).body {
            let next = atom.predicate.index();
            if open[next] {
                found.push(rule);
            } else if !std::mem::replace(&mut seen[next], true) {
                open[next] = true;
                stack.push((atom.predicate, 0));
            }
        }
    }
    found
}

/// The rules, composed along the paths between places. A predicate with too many paths becomes a place, and it starts again.
fn unfold(program: &mut Program, rules: &[Rule], places: &mut Vec<PredicateId>) -> Vec<Rule> {
    loop {
        let sources: Vec<PredicateId> = std::iter::once(PredicateId::QUERY)
            .chain(places.iter().copied())
            .collect();
        let ends = |next: PredicateId| next == PredicateId::ERROR || places.contains(&next);
        let paths = Paths::new(rules, &ends, PATHS);
        let composed: Result<Vec<Vec<Composed>>, PredicateId> = sources
            .into_iter()
            .map(|source| paths.compose(&mut program.terms, source, &mut |_, _| true))
            .collect();
        match composed {
            Ok(composed) => return composed.into_iter().flatten().map(|composed| composed.rule).collect(),
            Err(crowded) => places.push(crowded),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Program {
        crate::clp::read(text).product.expect("no mistake in it")
    }

    const DIAMOND: &str = "
        ?- n(0).
        n(X) :- X < 9, a(X).
        a(X) :- X > 3, b(X + 1).
        a(X) :- X =< 3, b(X + 2).
        b(X) :- n(X).
        n(X) :- X >= 9.";

    /// The texts of its rules.
    fn prepared_diamond(count: bool) -> Vec<String> {
        let program = read(DIAMOND);
        let prepared = prepare(&program, Preparation { wanted: &[], count });
        let rules = prepared.program.rules().iter();
        rules.map(|rule| prepared.program.rule_text(rule)).collect()
    }

    #[test]
    fn what_lies_between_places_is_unfolded() {
        let rules = prepared_diamond(false);
        assert_eq!(rules.len(), 4);
        assert!(
            rules.iter().any(|rule| rule == "n(X) :- X =< 8, X >= 4, n(X + 1)."),
            "{rules:?}"
        );
        assert!(
            rules.iter().any(|rule| rule == "n(X) :- X >= 9, exit of n(X)."),
            "{rules:?}"
        );
    }

    #[test]
    fn iterations_are_counted_where_loops_close() {
        let rules = prepared_diamond(true);
        assert!(rules.contains(&"?- n(0, 0).".to_string()), "{rules:?}");
        assert!(
            rules.iter().any(|rule| rule.contains("n(X + 1, iterations + 1)")),
            "{rules:?}"
        );
    }
}
