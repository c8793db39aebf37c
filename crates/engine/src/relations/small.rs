//! Small facts: what short derivations conclude, found by evaluation alone, without a question.
//!
//! Implications are applied forward, round by round: their premises are matched with what earlier rounds have concluded, their equations
//! give other variables their values, and what is left open gets some small ones. So arguments of calls that come back are known by the hundred
//! before the search begins. An error among them is a derivation. Where there are datatypes or guesses, no entry
//! that is to last excludes any of them ([`super::witnesses`]); about measures, what they have in common is guessed
//! ([`super::regularities`]).

mod backward;
mod forward;
mod matching;
mod modes;
mod pool;

use super::derivation::MOST_STEPS;
use super::kernel::GaveUp;
use super::system::{Clause, NodeId, Role, System};
use crate::evidence::{Derivation, Step};
use crate::random::Generator;
use crate::steps::model::Model;
use crate::terms::{Assignment, TermId, Terms, Value};
pub(crate) use backward::{Calculation, Given};
pub(super) use forward::error_by_running;
use matching::Match;
pub(crate) use pool::Pools;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Range;

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// How often premises follow from each other.
    pub rounds: usize,
    /// Facts of a node that a round adds.
    pub of_round: usize,
    /// What a round spends on one implication, in matches of a premise with a fact.
    pub of_clause: u64,
    /// What is spent on all.
    pub all: u64,
}

/// Choices of values for what an implication leaves open, for one match of its premises.
const CHOICES: usize = 6;
/// Those of an implication without premises.
const FIRST_CHOICES: usize = 48;
/// Looking at so many terms costs as much as a match.
const TERMS: u64 = 8;

/// Arguments that are reached.
pub(super) struct SmallFact {
    /// The values of the node's parameters.
    pub values: Vec<Value>,
    clause: usize,
    /// The facts that its premises are.
    premises: Vec<usize>,
    /// What the implication's variables are.
    assignment: Assignment,
}

/// All that were found.
pub(crate) struct SmallFacts {
    facts: Vec<SmallFact>,
    /// The facts of each node, in the order in which they were found.
    pub of: Vec<Vec<usize>>,
    /// What was spent: how many matches were tried, and the looking at large constraints counted as some more.
    pub tried: u64,
    error: Option<usize>,
}

/// Facts of the system's nodes; none after one of the error. `stop` is told what has been spent, and says whether that is enough.
pub(super) fn small_facts(
    terms: &Terms,
    system: &System,
    extent: Extent,
    stop: &mut dyn FnMut(u64) -> bool,
) -> SmallFacts {
    let mut finder = Finder {
        terms,
        system,
        pools: Pools::new(terms, system),
        random: Generator(11),
        found: SmallFacts {
            facts: Vec::new(),
            of: vec![Vec::new(); system.nodes.len()],
            tried: 0,
            error: None,
        },
        new: Vec::new(),
        seen: vec![BTreeSet::new(); system.nodes.len()],
        costs: system.clauses.iter().map(|clause| cost(terms, clause)).collect(),
    };
    // What was known of each node before the last round.
    let mut before = vec![0; system.nodes.len()];
    for round in 0..extent.rounds {
        for clause in 0..system.clauses.len() {
            finder.apply(clause, round, &before, extent.of_clause);
            let is_over = finder.found.tried > extent.all || stop(finder.found.tried);
            if is_over || finder.found.error.is_some() {
                return finder.found;
            }
        }
        before = finder.found.of.iter().map(Vec::len).collect();
        if !finder.end_round(extent.of_round) {
            break;
        }
    }
    finder.found
}

impl SmallFacts {
    /// The values of a node's facts.
    pub fn facts_of(&self, node: usize) -> impl Iterator<Item = &Vec<Value>> {
        self.of[node].iter().map(|fact| &self.facts[*fact].values)
    }

    /// The derivation of the error, if that is among the facts.
    pub fn derivation(&self, terms: &Terms, system: &System) -> Option<Result<Derivation, GaveUp>> {
        Some(self.derived(terms, system, self.error?))
    }

    /// As [`super::derivation`] writes it: the chain of what is reached, each step followed by what is called in it.
    fn derived(&self, terms: &Terms, system: &System, error: usize) -> Result<Derivation, GaveUp> {
        let mut chain: Vec<usize> = vec![error];
        while let Some(before) = chain
            .last()
            .and_then(|fact| self.premises(system, *fact, Role::Reached).next())
        {
            chain.push(before);
        }
        let mut steps = Vec::new();
        for fact in chain.into_iter().rev() {
            steps.push(self.step(terms, system, fact)?);
            let mut waiting: Vec<usize> = self.premises(system, fact, Role::Returned).collect();
            waiting.reverse();
            while let Some(call) = waiting.pop() {
                steps.push(self.step(terms, system, call)?);
                let mut inner: Vec<usize> = self.premises(system, call, Role::Returned).collect();
                inner.reverse();
                waiting.extend(inner);
                if steps.len() > MOST_STEPS {
                    return Err(GaveUp);
                }
            }
        }
        Ok(Derivation::new(steps))
    }

    /// The node that a fact is about.
    fn conclusion(&self, system: &System, fact: usize) -> NodeId {
        system.clauses[self.facts[fact].clause].conclusion.node
    }

    fn premises<'a>(&'a self, system: &'a System, fact: usize, role: Role) -> impl Iterator<Item = usize> + 'a {
        let fact = &self.facts[fact];
        let premises = system.clauses[fact.clause].premises.iter().zip(&fact.premises);
        premises
            .filter(move |(premise, _)| system.nodes[premise.node.0].role == role)
            .map(|(_, fact)| *fact)
    }

    fn step(&self, terms: &Terms, system: &System, fact: usize) -> Result<Step, GaveUp> {
        let fact = &self.facts[fact];
        let clause = &system.clauses[fact.clause];
        let mut model = Model::new(fact.assignment.clone());
        for (variable, term) in &clause.solved {
            model.define(terms, *variable, *term).ok_or(GaveUp)?;
        }
        let solved = clause.solved.iter().map(|(variable, _)| variable);
        let value = |variable: &TermId| Some((*variable, model.values().get(variable)?.clone()));
        let mut values: Vec<(TermId, Value)> = clause.variables.iter().chain(solved).filter_map(value).collect();
        values.sort_by_key(|(variable, _)| *variable);
        Ok(Step {
            rule: clause.rule,
            values,
        })
    }
}

/// The finding of facts.
struct Finder<'a> {
    terms: &'a Terms,
    system: &'a System,
    pools: Pools,
    random: Generator,
    found: SmallFacts,
    /// What this round has concluded, with the node.
    new: Vec<(usize, SmallFact)>,
    /// The values of each node's facts.
    seen: Vec<BTreeSet<Vec<Value>>>,
    /// What it costs to look once at all that each implication says.
    costs: Vec<u64>,
}

/// What it costs to look once at all that an implication says, in matches.
fn cost(terms: &Terms, clause: &Clause) -> u64 {
    let mut said = clause.constraint.clone();
    said.extend(&clause.conclusion.arguments);
    1 + terms.subterms(&said).len() as u64 / TERMS
}

impl Finder<'_> {
    /// Applies an implication to all facts, one of which at least the last round has found.
    fn apply(&mut self, clause: usize, round: usize, before: &[usize], limit: u64) {
        let premises = self.system.clauses[clause].premises.len();
        let end = self.found.tried + limit;
        if premises == 0 {
            if round == 0 {
                self.conclude(clause, &Match::new(self.terms), &[], FIRST_CHOICES, end);
            }
            return;
        }
        if round == 0 {
            return;
        }
        for newest in 0..premises {
            // Those before it are older, those after it of any age.
            let within = |position: usize, node: usize| match position.cmp(&newest) {
                Ordering::Less => 0..before[node],
                Ordering::Equal => before[node]..usize::MAX,
                Ordering::Greater => 0..usize::MAX,
            };
            let waiting: Vec<(usize, Range<usize>)> = (0..premises)
                .map(|position| {
                    let node = self.system.clauses[clause].premises[position].node.0;
                    let range = within(position, node);
                    (position, range.start..range.end.min(self.found.of[node].len()))
                })
                .collect();
            if waiting.iter().any(|(_, range)| range.is_empty()) {
                continue;
            }
            let mut taken = vec![0; premises];
            self.join(clause, waiting, &Match::new(self.terms), &mut taken, end);
        }
    }

    /// Matches the premises that are left, those first of whose arguments most is known. There are as many levels as premises.
    fn join(
        &mut self,
        clause: usize,
        waiting: Vec<(usize, Range<usize>)>,
        matched: &Match<'_>,
        taken: &mut Vec<usize>,
        end: u64,
    ) {
        let system = self.system;
        let next = (0..waiting.len()).min_by_key(|at| {
            let (position, range) = &waiting[*at];
            let arguments = system.clauses[clause].premises[*position].arguments.iter();
            let open = arguments.filter(|argument| !matched.has_value(**argument)).count();
            (open, range.len(), *position)
        });
        let Some(next) = next else {
            let premises = taken.clone();
            self.conclude(clause, matched, &premises, CHOICES, end);
            return;
        };
        let mut rest = waiting;
        let (position, range) = rest.remove(next);
        let premise = &system.clauses[clause].premises[position];
        // Somewhere else each time, so that a limit does not always leave out the same ones.
        let start = self.random.below(range.len() as u64) as usize;
        for at in 0..range.len() {
            if self.found.tried >= end || self.found.error.is_some() {
                return;
            }
            self.found.tried += 1;
            let fact = self.found.of[premise.node.0][range.start + (start + at) % range.len()];
            let mut own = matched.clone();
            let values = &self.found.facts[fact].values;
            let fits = premise
                .arguments
                .iter()
                .zip(values)
                .all(|(argument, value)| own.unify(*argument, value));
            if fits {
                taken[position] = fact;
                self.join(clause, rest.clone(), &own, taken, end);
            }
        }
    }

    /// What the implication concludes from matched premises.
    fn conclude(&mut self, clause: usize, matched: &Match<'_>, premises: &[usize], choices: usize, end: u64) {
        let system = self.system;
        let of = &system.clauses[clause];
        for _ in 0..choices {
            let mut own = matched.clone();
            let (completed, values) = own.concluded(of, &self.pools, &mut self.random);
            self.found.tried += self.costs[clause] * completed.looks;
            if let Some(values) = values {
                self.note_fact(clause, values, premises, own.assignment);
            }
            if !completed.is_chosen || self.found.error.is_some() || self.found.tried >= end {
                return;
            }
        }
    }

    fn note_fact(&mut self, clause: usize, values: Vec<Value>, premises: &[usize], assignment: Assignment) {
        let node = self.system.clauses[clause].conclusion.node;
        if !self.seen[node.0].insert(values.clone()) {
            return;
        }
        let fact = SmallFact {
            values,
            clause,
            premises: premises.to_vec(),
            assignment,
        };
        if node == self.system.error {
            self.found.error = Some(self.found.facts.len());
            self.found.facts.push(fact);
            return;
        }
        self.new.push((node.0, fact));
    }

    /// Takes so many of each node's new facts, some of all if there are more. Whether there are any.
    fn end_round(&mut self, most: usize) -> bool {
        let mut of: Vec<Vec<SmallFact>> = (0..self.system.nodes.len()).map(|_| Vec::new()).collect();
        for (node, fact) in self.new.drain(..) {
            of[node].push(fact);
        }
        let mut is_new = false;
        for (node, mut facts) in of.into_iter().enumerate() {
            while facts.len() > most {
                let left_out = facts.swap_remove(self.random.below(facts.len() as u64) as usize);
                self.seen[node].remove(&left_out.values);
            }
            is_new |= !facts.is_empty();
            for fact in facts {
                self.found.of[node].push(self.found.facts.len());
                self.found.facts.push(fact);
            }
        }
        is_new
    }
}

#[cfg(test)]
mod tests;
