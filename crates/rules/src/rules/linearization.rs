//! Linearization: rules whose bodies hold several atoms become rules with one atom each, which is what everything after the
//! front ends works on.
//!
//! The atoms of a body are derived from the left to the right. All but the last are *calls*: the derivation of `q(Ỹ)` in
//! `p(X̃) :- Ψ, q(Ỹ), r(Z̃)` has to end before that of `r(Z̃)` begins, and `Z̃`, which `Ψ` relates to `Ỹ`, has to be held until then.
//! So the rule becomes
//!
//! ```text
//! p(X̃) :- Ψ, q_then_r(Ỹ, Z̃).
//! ```
//!
//! where `q_then_r` has a copy of each rule of `q`, and of what `q` leads to, that hands on the held values unchanged; where
//! the rule of `q` has no atom, the copy goes on with `r`. The rule of a predicate that has just one, and does not recur, is put
//! in place of the call instead, if no call before it may lead to the error. In the terms of a compiler: calls are inlined, with
//! the caller's variables beside the callee's, and what is left to do is a predicate. Two calls that go on with the same
//! predicate share their copies.
//!
//! This is exact: `error` can be derived from the new rules exactly if it can be derived from the old ones, because a
//! derivation of either is one of the other, rule by rule. It ends unless a predicate is called while one of its own calls
//! waits ([`NotLinear::Recursion`]); a predicate that recurs by the last atom of its body is a loop, before and after.
//!
//! ```
//! # use clausal_rules as clausal;
//! use clausal::rules::{Atom, PredicateId, Program, Rule, linearize};
//! use clausal::terms::SortId;
//!
//! // ?- half(X, Y), error.   half(X, Y) :- X = 2*Y.
//! let mut program = Program::new();
//! let half = program.add_predicate("half", None, &[("X", SortId::INT), ("Y", SortId::INT)]);
//! let [x, y] = [program.predicate(half).parameters[0], program.predicate(half).parameters[1]];
//! let twice = program.terms.add(y, y);
//! let constraint = vec![program.terms.equal(x, twice)];
//! let fact = Atom { predicate: half, arguments: vec![x, y] };
//! program.add_rule(Rule { head: fact, constraint, body: Vec::new(), location: None });
//! let [x, y] = ["X", "Y"].map(|name| program.terms.fresh_variable(name, SortId::INT));
//! let query = Atom { predicate: PredicateId::QUERY, arguments: Vec::new() };
//! let body = vec![
//!     Atom { predicate: half, arguments: vec![x, y] },
//!     Atom { predicate: PredicateId::ERROR, arguments: Vec::new() },
//! ];
//! program.add_rule(Rule { head: query, constraint: Vec::new(), body, location: None });
//!
//! linearize(&mut program).expect("no recursion");
//! let texts: Vec<String> = program.rules().iter().map(|rule| program.rule_text(rule)).collect();
//! assert_eq!(texts, ["?- X = X, Y = Y, X = 2*Y, error."]);
//! ```

use super::{Atom, DependencyGraph, Predicate, PredicateId, Program, Rule, RuleId};
use crate::terms::TermId;
use hashbrown::{HashMap, HashSet};
use std::collections::VecDeque;

/// What the copies may hold together: arguments and constraints. Calls that double at every level would take all memory.
const MOST_WORK: usize = 500_000;

/// Rules are put in place of calls, inside each other, at most so deep; deeper calls are copied.
const DEEPEST_UNFOLDING: usize = 64;

/// A name that is longer is shortened, and numbered.
const LONGEST_NAME: usize = 60;

/// Why rules cannot be made linear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotLinear {
    /// The atom at this position of the rule's body is not the last, and leads back to the rule's head: the values to be held
    /// would be more with each round.
    Recursion {
        /// The rule.
        rule: RuleId,
        /// The position of the atom in its body.
        atom: usize,
    },
    /// The copies would be too many; this rule was to be copied when the limit was reached.
    TooLarge {
        /// The rule.
        rule: RuleId,
    },
}

/// Makes a program one with at most one atom in each body.
///
/// Predicates that are only called are left out, as are rules with calls that no query leads to; the others keep their
/// order, and the copies follow. A program that is linear already stays as it is.
///
/// # Errors
///
/// Recursion by a call that is not the last atom, and programs whose copies would be too large. The program is as it was then.
pub fn linearize(program: &mut Program) -> Result<(), NotLinear> {
    if !program.has_calls() {
        return Ok(());
    }
    let graph = DependencyGraph::new(program);
    let mut linearization = Linearization::new(program, &graph);
    for (index, rule) in program.rules().iter().enumerate() {
        if linearization.stays(rule) {
            linearization.copy_rule(RuleId::from_index(index), None)?;
        }
    }
    while let Some((predicate, then)) = linearization.waiting.pop_front() {
        for rule in program.rules_of(predicate) {
            linearization.copy_rule(*rule, Some(then))?;
        }
    }
    *program = linearization.linear;
    Ok(())
}

/// Whether [`linearize`] would copy at least so many loops: loops that are called, each with what comes after it as arguments. What could
/// be said of a loop by itself is then to be said anew for each caller, together with what the caller holds.
pub fn copies_loops(program: &Program, least: usize) -> bool {
    let graph = DependencyGraph::new(program);
    let calls = program.rules().iter().flat_map(|rule| {
        let last = rule.body.len().saturating_sub(1);
        &rule.body[..last]
    });
    let mut waiting: Vec<PredicateId> = calls.map(|atom| atom.predicate).collect();
    let mut seen: HashSet<PredicateId> = HashSet::new();
    let mut loops = 0;
    while let Some(predicate) = waiting.pop() {
        if seen.insert(predicate) {
            let successors = graph.successors(predicate);
            loops += usize::from(successors.iter().any(|next| graph.same_loop(predicate, *next)));
            waiting.extend(successors);
        }
    }
    loops >= least
}

struct Linearization<'p> {
    program: &'p Program,
    graph: &'p DependencyGraph,
    linear: Program,
    /// The predicates that derivations are at while no call waits, and what they are called in the linear program.
    kept: HashMap<PredicateId, PredicateId>,
    /// The copy of a predicate that goes on with a predicate of the linear program.
    copies: HashMap<(PredicateId, PredicateId), PredicateId>,
    /// Copies whose rules are still to be made.
    waiting: VecDeque<(PredicateId, PredicateId)>,
    names: HashSet<String>,
    work: usize,
}

impl<'p> Linearization<'p> {
    fn new(program: &'p Program, graph: &'p DependencyGraph) -> Linearization<'p> {
        let mut linear = Program::new();
        linear.terms = program.terms.clone();
        let mut linearization = Linearization {
            program,
            graph,
            linear,
            kept: HashMap::from([
                (PredicateId::QUERY, PredicateId::QUERY),
                (PredicateId::ERROR, PredicateId::ERROR),
            ]),
            copies: HashMap::new(),
            waiting: VecDeque::new(),
            names: program
                .predicates()
                .iter()
                .map(|predicate| predicate.name.clone())
                .collect(),
            work: 0,
        };
        let places = linearization.outside_of_calls();
        for (index, predicate) in program.predicates().iter().enumerate().skip(2) {
            let id = PredicateId::from_index(index);
            if places.contains(&id) {
                let kept = linearization.linear.push_predicate(predicate.clone());
                linearization.kept.insert(id, kept);
            }
        }
        linearization
    }

    /// Where derivations are while no call waits: what last atoms lead to from the queries, and what no query leads to.
    fn outside_of_calls(&self) -> HashSet<PredicateId> {
        let mut places = HashSet::new();
        let mut stack = vec![PredicateId::QUERY];
        while let Some(predicate) = stack.pop() {
            if places.insert(predicate) {
                let rules = self.program.rules_of(predicate).iter();
                stack.extend(
                    rules.filter_map(|rule| Some(until_error(&self.program.rule(*rule).body).last()?.predicate)),
                );
            }
        }
        for rule in self.program.rules() {
            if !self.graph.is_reachable(rule.head.predicate) && rule.body.len() <= 1 {
                places.insert(rule.head.predicate);
                places.extend(rule.body.iter().map(|atom| atom.predicate));
            }
        }
        places
    }

    /// Whether a rule is used while no call waits.
    fn stays(&self, rule: &Rule) -> bool {
        let atoms = until_error(&rule.body);
        self.kept.contains_key(&rule.head.predicate)
            && atoms.last().is_none_or(|atom| self.kept.contains_key(&atom.predicate))
            && (atoms.len() <= 1 || self.graph.is_reachable(rule.head.predicate))
    }

    /// Adds the rule as it is used while no call waits, or while `then` is to go on.
    fn copy_rule(&mut self, id: RuleId, then: Option<PredicateId>) -> Result<(), NotLinear> {
        let original = self.program.rule(id);
        let mut rule = match then {
            None => original.clone(),
            Some(_) => original.renamed(&mut self.linear.terms),
        };
        let mut next: Option<Atom> = None;
        if let Some(then) = then {
            let held = self.held(then);
            rule.head = self.copy(&rule.head, &held);
            next = Some(held);
        } else if let Some(kept) = self.kept.get(&rule.head.predicate) {
            rule.head.predicate = *kept;
        }
        let body = std::mem::take(&mut rule.body);
        rule.body = self
            .derive(id, &body, next, &mut rule.constraint, 0)?
            .into_iter()
            .collect();
        let arguments: usize = rule.body.iter().map(|atom| atom.arguments.len()).sum();
        self.charge(1 + rule.head.arguments.len() + rule.constraint.len() + arguments, id)?;
        self.linear.add_rule(rule);
        Ok(())
    }

    /// Counts work on a rule against the limit.
    fn charge(&mut self, work: usize, rule: RuleId) -> Result<(), NotLinear> {
        self.work += work;
        match self.work > MOST_WORK {
            true => Err(NotLinear::TooLarge { rule }),
            false => Ok(()),
        }
    }

    /// What begins the derivation of the body of a rule that goes on with `next`; constraints of rules that are put in place of
    /// calls are added to `constraint`.
    fn derive(
        &mut self,
        id: RuleId,
        body: &[Atom],
        mut next: Option<Atom>,
        constraint: &mut Vec<TermId>,
        depth: usize,
    ) -> Result<Option<Atom>, NotLinear> {
        let head = self.program.rule(id).head.predicate;
        let body = until_error(body);
        for (position, atom) in body.iter().enumerate().rev() {
            if position + 1 < body.len() && self.graph.same_loop(head, atom.predicate) {
                return Err(NotLinear::Recursion {
                    rule: id,
                    atom: position,
                });
            }
            next = match next {
                _ if atom.predicate == PredicateId::ERROR => Some(atom.clone()),
                Some(waiting) => match self.only_rule(atom.predicate) {
                    // Its constraint is looked at earlier then, which must not keep calls before it from the error.
                    Some(only) if depth < DEEPEST_UNFOLDING && !self.reach_error(&body[..position]) => {
                        let rule = self.program.rule(only).renamed(&mut self.linear.terms);
                        // Counted here as well: what is put in place may double at every depth.
                        self.charge(1 + rule.head.arguments.len() + rule.constraint.len(), id)?;
                        for (parameter, argument) in rule.head.arguments.iter().zip(&atom.arguments) {
                            let equation = self.linear.terms.equal(*parameter, *argument);
                            constraint.push(equation);
                        }
                        constraint.extend(rule.constraint);
                        self.derive(only, &rule.body, Some(waiting), constraint, depth + 1)?
                    }
                    _ => Some(self.copy(atom, &waiting)),
                },
                None => Some(Atom {
                    predicate: self.kept.get(&atom.predicate).copied().unwrap_or(PredicateId::ERROR),
                    arguments: atom.arguments.clone(),
                }),
            };
        }
        Ok(next)
    }

    fn reach_error(&self, atoms: &[Atom]) -> bool {
        atoms.iter().any(|atom| self.graph.reaches_error(atom.predicate))
    }

    /// The rule of a predicate that has just one, and does not recur.
    fn only_rule(&self, predicate: PredicateId) -> Option<RuleId> {
        let [only] = self.program.rules_of(predicate) else {
            return None;
        };
        let body = &self.program.rule(*only).body;
        let recurs = body.iter().any(|atom| self.graph.same_loop(predicate, atom.predicate));
        (!recurs).then_some(*only)
    }

    /// `then`, with a variable of its own for each value that is held for it.
    fn held(&mut self, then: PredicateId) -> Atom {
        let parameters = self.linear.predicate(then).parameters.clone();
        let terms = &mut self.linear.terms;
        let variables = parameters.into_iter().map(|parameter| {
            let name = terms.variable_name(parameter).to_string();
            terms.fresh_variable(&name, terms.sort(parameter))
        });
        Atom {
            arguments: variables.collect(),
            predicate: then,
        }
    }

    /// The atom in its copy that goes on with `then`.
    fn copy(&mut self, atom: &Atom, then: &Atom) -> Atom {
        let key = (atom.predicate, then.predicate);
        let predicate = match self.copies.get(&key) {
            Some(copy) => *copy,
            None => {
                let copy = self.add_copy(atom.predicate, then.predicate);
                self.copies.insert(key, copy);
                self.waiting.push_back(key);
                copy
            }
        };
        let arguments = atom.arguments.iter().chain(&then.arguments).copied().collect();
        Atom { predicate, arguments }
    }

    fn add_copy(&mut self, called: PredicateId, then: PredicateId) -> PredicateId {
        let word = |predicate: &Predicate| match &predicate.point {
            Some(point) => format!("{}_{point}", predicate.name),
            None => predicate.name.clone(),
        };
        let mut name = format!(
            "{}_then_{}",
            word(self.program.predicate(called)),
            word(self.linear.predicate(then))
        );
        if name.chars().count() > LONGEST_NAME {
            name = format!("{}_then_more", word(self.program.predicate(called)));
        }
        let name = unused(&name, &mut self.names);
        let terms = &mut self.linear.terms;
        let mut taken = HashSet::new();
        let sources = [
            &self.program.predicates()[called.index()],
            &self.linear.predicates[then.index()],
        ];
        let parameters = sources
            .iter()
            .flat_map(|predicate| &predicate.parameters)
            .map(|parameter| {
                let name = unused(terms.variable_name(*parameter), &mut taken);
                terms.fresh_variable(&name, terms.sort(*parameter))
            });
        let parameters = parameters.collect();
        self.linear.push_predicate(Predicate {
            name,
            point: None,
            parameters,
        })
    }
}

/// The atoms of a body that a derivation can come to: none comes after `error`.
pub fn until_error(body: &[Atom]) -> &[Atom] {
    let error = body.iter().position(|atom| atom.predicate == PredicateId::ERROR);
    &body[..error.map_or(body.len(), |position| position + 1)]
}

/// The name, or the name with a number that makes it one that is not taken.
fn unused(name: &str, taken: &mut HashSet<String>) -> String {
    let mut candidate = name.to_string();
    // Beginning at their number finds one soon, also if many have the same name.
    let mut number = if taken.contains(name) { taken.len() } else { 0 };
    while !taken.insert(candidate.clone()) {
        candidate = format!("{name}_{number}");
        number += 1;
    }
    candidate
}

#[cfg(test)]
mod tests;
