//! Which parameters matter: those that a rule's constraint says something of, and those that are handed to one that does; and which of these have
//! to do with the others.

use super::reduction::{Reduced, connected};
use crate::rules::{PredicateId, Program};
use crate::terms::{TermId, Terms};
use hashbrown::{HashMap, HashSet};

/// The places of parameters: a predicate and a position.
type Place = (usize, usize);

/// For each predicate, which of its parameters matter; the least such sets: those that are looked at by rules of the predicate, and by rules that
/// have it in their bodies.
pub(super) fn relevant(program: &Program, terms: &Terms, rules: &[Reduced]) -> Vec<Vec<bool>> {
    let all = program.predicates().iter();
    let mut kept: Vec<Vec<bool>> = all.map(|predicate| vec![true; predicate.parameters.len()]).collect();
    loop {
        let given = relevant_of_given(program, terms, rules, &kept);
        let both = relevant_of_back(program, terms, rules, &given);
        if both == kept {
            return kept;
        }
        kept = both;
    }
}

/// What matters of that which a goal is given.
///
/// Of the others any value will do: where a derivation has one, another one may stand in the same place all through it. For a head's
/// variable occurs then in nothing but arguments of which the same is true.
fn relevant_of_given(program: &Program, terms: &Terms, rules: &[Reduced], kept: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let mut relevance = Relevance::new(kept);
    for (rule, reduced) in program.rules().iter().zip(rules) {
        let said = said_of(terms, reduced);
        let head = rule.head.predicate.index();
        let mut place: HashMap<TermId, usize> = HashMap::new();
        for (position, argument) in relevance.kept_of(head, &reduced.head) {
            // A term, and a variable that stands at two places, are conditions.
            let before = place.insert(argument, position);
            if !terms.is_variable(argument) || said.contains(&argument) || before.is_some() {
                relevance.matters((head, position));
                before.iter().for_each(|other| relevance.matters((head, *other)));
            }
        }
        for (atom, arguments) in rule.body.iter().zip(&reduced.body) {
            for (position, argument) in relevance.kept_of(atom.predicate.index(), arguments) {
                for from in terms
                    .variables(argument)
                    .iter()
                    .filter_map(|variable| place.get(variable))
                {
                    relevance.matters_with((head, *from), (atom.predicate.index(), position));
                }
            }
        }
    }
    relevance.spread()
}

/// What matters of that which a goal gives back: what rules make of it that have the goal in their bodies.
///
/// Of the others some value will do, which is there: nothing else in the rule depends on it.
fn relevant_of_back(program: &Program, terms: &Terms, rules: &[Reduced], kept: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let mut relevance = Relevance::new(kept);
    for (rule, reduced) in program.rules().iter().zip(rules) {
        let said = said_of(terms, reduced);
        let head = rule.head.predicate.index();
        let mut of_head: HashMap<TermId, Vec<usize>> = HashMap::new();
        for (position, argument) in relevance.kept_of(head, &reduced.head) {
            for variable in terms.variables(argument) {
                of_head.entry(variable).or_default().push(position);
            }
        }
        let mut places: HashMap<TermId, Vec<Place>> = HashMap::new();
        for (atom, arguments) in rule.body.iter().zip(&reduced.body) {
            for (position, argument) in relevance.kept_of(atom.predicate.index(), arguments) {
                let place = (atom.predicate.index(), position);
                if !terms.is_variable(argument) {
                    relevance.matters(place);
                }
                for variable in terms.variables(argument) {
                    places.entry(variable).or_default().push(place);
                }
            }
        }
        for (variable, places) in places {
            for place in &places {
                if places.len() > 1 || said.contains(&variable) {
                    relevance.matters(*place);
                }
                for position in of_head.get(&variable).into_iter().flatten() {
                    relevance.matters_with(*place, (head, *position));
                }
            }
        }
    }
    relevance.spread()
}

/// Which parameters matter, so far as is known.
struct Relevance<'k> {
    kept: &'k [Vec<bool>],
    open: Vec<Place>,
    /// What matters if this one does.
    with: HashMap<Place, Vec<Place>>,
}

impl<'k> Relevance<'k> {
    /// Of those that are kept none so far.
    fn new(kept: &'k [Vec<bool>]) -> Relevance<'k> {
        Relevance {
            kept,
            open: Vec::new(),
            with: HashMap::new(),
        }
    }

    /// The arguments for a predicate's parameters that are kept, with their positions.
    fn kept_of(&self, predicate: usize, arguments: &[TermId]) -> Vec<(usize, TermId)> {
        let arguments = arguments.iter().copied().enumerate();
        arguments
            .filter(|(position, _)| self.kept[predicate][*position])
            .collect()
    }

    fn matters(&mut self, place: Place) {
        self.open.push(place);
    }

    /// The first one matters if the second one does.
    fn matters_with(&mut self, first: Place, second: Place) {
        self.with.entry(second).or_default().push(first);
    }

    /// All that matter.
    fn spread(mut self) -> Vec<Vec<bool>> {
        let mut relevant: Vec<Vec<bool>> = self.kept.iter().map(|kept| vec![false; kept.len()]).collect();
        while let Some((predicate, position)) = self.open.pop() {
            if !std::mem::replace(&mut relevant[predicate][position], true) {
                self.open
                    .extend(self.with.remove(&(predicate, position)).unwrap_or_default());
            }
        }
        relevant
    }
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

/// The variables that the constraint says something of.
fn said_of(terms: &Terms, rule: &Reduced) -> HashSet<TermId> {
    terms.variables_of_all(&rule.constraint).into_iter().collect()
}

/// Those arguments that are kept.
pub(super) fn only(arguments: &[TermId], kept: &[bool]) -> Vec<TermId> {
    let pairs = arguments.iter().zip(kept);
    pairs
        .filter(|(_, kept)| **kept)
        .map(|(argument, _)| *argument)
        .collect()
}
