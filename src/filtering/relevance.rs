//! Which parameters matter: those that a rule's constraint says something of, and those that are handed to one that does; and which of these have
//! to do with the others.

use super::only;
use super::reduction::Reduced;
use crate::rules::{PredicateId, Program};
use crate::terms::{TermId, Terms};
use hashbrown::{HashMap, HashSet};

/// For each predicate, which of its parameters matter; the least such sets.
///
/// Of the others any value will do: where a derivation has one, another one may stand in the same place all through it. For a head's
/// variable occurs then in nothing but arguments of which the same is true.
pub(super) fn relevant(program: &Program, terms: &Terms, rules: &[Reduced]) -> Vec<Vec<bool>> {
    let count = |predicate: &crate::rules::Predicate| vec![false; predicate.parameters.len()];
    let mut relevant: Vec<Vec<bool>> = program.predicates().iter().map(count).collect();
    let said: Vec<HashSet<TermId>> = rules.iter().map(|rule| said_of(terms, rule)).collect();
    // Where a head's variable is handed on, by predicate and parameter: the parameters that matter if that one does.
    let mut givers: HashMap<(usize, usize), Vec<(usize, usize)>> = HashMap::new();
    let mut open = Vec::new();
    for ((rule, reduced), said) in program.rules().iter().zip(rules).zip(&said) {
        let head = rule.head.predicate.index();
        let place: HashMap<TermId, usize> = reduced.head.iter().copied().zip(0..).collect();
        for (position, argument) in reduced.head.iter().enumerate() {
            // A term, and a variable that stands at two places, are conditions.
            if !terms.is_variable(*argument) || said.contains(argument) || place.get(argument) != Some(&position) {
                open.push((head, position));
                open.extend(place.get(argument).map(|other| (head, *other)));
            }
        }
        for (atom, arguments) in rule.body.iter().zip(&reduced.body) {
            for (position, argument) in arguments.iter().enumerate() {
                let to = (atom.predicate.index(), position);
                let from = terms
                    .variables(*argument)
                    .into_iter()
                    .filter_map(|variable| place.get(&variable));
                givers
                    .entry(to)
                    .or_default()
                    .extend(from.map(|position| (head, *position)));
            }
        }
    }
    while let Some((predicate, position)) = open.pop() {
        if !std::mem::replace(&mut relevant[predicate][position], true) {
            open.extend(givers.get(&(predicate, position)).into_iter().flatten());
        }
    }
    relevant
}

/// Takes those parameters out that are structures and have nothing to do with any others, nor with what an error is said to be of, if there
/// are others: no rule has a condition on both, or on something that has to do with both. They are a program of their own, which runs
/// beside the one that is left.
pub(super) fn without_those_apart(
    kept: &mut [Vec<bool>],
    program: &Program,
    terms: &Terms,
    rules: &[Reduced],
    is_structure: &dyn Fn(TermId) -> bool,
) {
    let mut joined: Vec<Vec<bool>> = Vec::with_capacity(kept.len());
    for (predicate, kept) in program.predicates().iter().zip(kept.iter()) {
        let parameters = predicate.parameters.iter().zip(kept);
        joined.push(
            parameters
                .map(|(parameter, kept)| *kept && !is_structure(*parameter))
                .collect(),
        );
    }
    if !joined.iter().flatten().any(|joined| *joined) {
        return;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (rule, reduced) in program.rules().iter().zip(rules) {
            let bodies = rule.body.iter().zip(&reduced.body);
            let bodies = bodies.map(|(atom, arguments)| (atom.predicate.index(), arguments));
            let atoms: Vec<(usize, &Vec<TermId>)> =
                bodies.chain([(rule.head.predicate.index(), &reduced.head)]).collect();
            let in_joined = atoms
                .iter()
                .flat_map(|(predicate, arguments)| only(arguments, &joined[*predicate]));
            // What an error is said to be of is what matters most.
            let is_error = rule.body.iter().any(|atom| atom.predicate == PredicateId::ERROR);
            let of_error = if is_error {
                conditions(terms, reduced)
            } else {
                Vec::new()
            };
            let roots: Vec<TermId> = in_joined.chain(of_error).collect();
            let near = connected(terms, &reduced.constraint, terms.variables_of_all(&roots));
            for (predicate, arguments) in atoms {
                for (position, argument) in arguments.iter().enumerate() {
                    let is_near = || {
                        terms
                            .variables(*argument)
                            .iter()
                            .any(|variable| near.contains(variable))
                    };
                    if kept[predicate][position] && !joined[predicate][position] && is_near() {
                        joined[predicate][position] = true;
                        changed = true;
                    }
                }
            }
        }
    }
    kept.clone_from_slice(&joined);
}

/// What the constraint of a rule says, and its head by terms and by variables that stand at two places.
fn conditions(terms: &Terms, rule: &Reduced) -> Vec<TermId> {
    let times = |argument: &TermId| rule.head.iter().filter(|other| *other == argument).count();
    let in_head = rule
        .head
        .iter()
        .filter(|argument| !terms.is_variable(**argument) || times(argument) > 1);
    rule.constraint.iter().chain(in_head).copied().collect()
}

/// These variables, and all that conditions join to them.
pub(super) fn connected(terms: &Terms, conditions: &[TermId], from: Vec<TermId>) -> HashSet<TermId> {
    let variables: Vec<Vec<TermId>> = conditions.iter().map(|one| terms.variables(*one)).collect();
    let mut conditions_of: HashMap<TermId, Vec<usize>> = HashMap::new();
    for (position, own) in variables.iter().enumerate() {
        for variable in own {
            conditions_of.entry(*variable).or_default().push(position);
        }
    }
    let mut connected: HashSet<TermId> = from.iter().copied().collect();
    let mut open = from;
    while let Some(variable) = open.pop() {
        for position in conditions_of.remove(&variable).unwrap_or_default() {
            let others = variables[position].iter().copied();
            open.extend(others.filter(|other| connected.insert(*other)));
        }
    }
    connected
}

/// The variables that the constraint says something of.
fn said_of(terms: &Terms, rule: &Reduced) -> HashSet<TermId> {
    terms.variables_of_all(&rule.constraint).into_iter().collect()
}
