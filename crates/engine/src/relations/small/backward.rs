//! Facts by evaluation backward: what a call gives back, for what it is given, and an error for small values of what nothing determines.
//!
//! Where relations are programs, each call has one answer at most, which is calculated by matching what is given with the conclusions of
//! implications, and by calling their premises as soon as what these need is known. So facts that are many steps away are found without those that have nothing
//! to do with them. What the error needs and nothing determines is enumerated, from small values to larger ones ([`super::forward`] goes on from
//! state to state so). Nothing that is found has to be right about what a relation holds of: a fact is one because implications conclude it.

use super::forward::Frontier;
use super::matching::Match;
use super::pool::Pools;
use super::{CHOICES, SmallFact, SmallFacts, cost};
use crate::evidence::Derivation;
use crate::random::Generator;
use crate::relations::system::{NodeId, Role, System};
use crate::terms::{DatatypeValue, Rational, Sort, SortId, TermId, Terms, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Calls are calculated so deep inside of each other: loops that are calls have that many turns.
const DEEPEST: usize = 2_000;
/// Values of one sort and size are no more than these.
const MOST_VALUES: usize = 4_000;
/// Facts and calls that are kept: some hundred megabytes.
const MOST_KEPT: usize = 200_000;
/// A look at what is known of a call counts as a match for so many levels of what it is given.
const LEVELS_FOR_MATCH: u64 = 16;
/// Matches for one call, with those inside of it.
const MOST_FOR_CALL: u64 = 20_000;

/// Which arguments of a relation are given, by position; the others are calculated of them. Where all are, it is asked whether it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Given(pub Vec<usize>);

impl Given {
    /// All of so many arguments but this one.
    pub fn but(count: usize, calculated: Option<usize>) -> Given {
        Given((0..count).filter(|position| Some(*position) != calculated).collect())
    }
}

/// The calculation of facts.
pub(crate) struct Calculation<'a> {
    terms: &'a Terms,
    system: &'a System,
    /// What each node is given, if it is known how to calculate the rest.
    given: Vec<Option<Given>>,
    pub(super) found: SmallFacts,
    /// What is known of calls: a fact, or that there is none.
    known: BTreeMap<(usize, Vec<Value>), Option<usize>>,
    of_size: BTreeMap<(SortId, usize), Arc<Vec<Value>>>,
    /// Integers that are tried, in this order.
    numbers: Vec<Value>,
    pools: Pools,
    random: Generator,
    costs: Vec<u64>,
    depth: usize,
    /// What a call may take, in matches, with those inside of it.
    most_for_call: u64,
    /// Where matching ends for the call that is being calculated.
    end: u64,
    /// Calls of which nothing is known because they took too long.
    cut: Vec<(usize, Vec<Value>)>,
    /// Whether something was left out because it took too long, so that nothing is known of what needs it.
    is_cut: bool,
    stop: &'a mut dyn FnMut(u64) -> bool,
    is_stopped: bool,
    /// The states that are run through, if that is what is wanted: they are noted, and are no answers.
    pub(super) frontier: Option<Frontier>,
}

impl<'a> Calculation<'a> {
    /// Nothing yet; `stop` is told how many matches were tried, and says whether that is enough.
    pub fn new(
        terms: &'a Terms,
        system: &'a System,
        given: Vec<Option<Given>>,
        stop: &'a mut dyn FnMut(u64) -> bool,
    ) -> Calculation<'a> {
        let pools = Pools::new(terms, system);
        let found = SmallFacts {
            facts: Vec::new(),
            of: vec![Vec::new(); system.nodes.len()],
            tried: 0,
            error: None,
        };
        Calculation {
            numbers: pools.small_numbers(),
            costs: system.clauses.iter().map(|clause| cost(terms, clause)).collect(),
            known: BTreeMap::new(),
            of_size: BTreeMap::new(),
            random: Generator(13),
            depth: 0,
            most_for_call: MOST_FOR_CALL,
            end: 0,
            cut: Vec::new(),
            is_cut: false,
            is_stopped: false,
            frontier: None,
            terms,
            system,
            given,
            found,
            pools,
            stop,
        }
    }

    /// A derivation of the error with values of so many constructors and numbers in the place of what nothing determines.
    pub fn error(&mut self, size: usize) -> Option<Derivation> {
        let error = self.system.error.0;
        self.found.error = Some(self.concluded(error, &[], size)?);
        self.found.derivation(self.terms, self.system)?.ok()
    }

    /// Notes the states that an implication leads to, from this fact at this position of its premises if there is one, with values of so many
    /// parts; the error, if that is where it leads.
    pub(super) fn follow(&mut self, clause: usize, from: Option<(usize, usize)>, size: usize) -> Option<usize> {
        let of = &self.system.clauses[clause];
        let mut own = Match::new(self.terms);
        let mut taken = vec![None; of.premises.len()];
        if let Some((position, fact)) = from {
            let values = self.found.facts[fact].values.clone();
            let mut pairs = of.premises[position].arguments.iter().zip(&values);
            if !pairs.all(|(argument, value)| own.unify(*argument, value)) {
                return None;
            }
            taken[position] = Some(fact);
        }
        self.close(clause, own, taken, size)
    }

    /// Calls may take so many times what they may take at first; those that took too long are calculated again.
    pub(super) fn allow(&mut self, times: usize) {
        self.most_for_call = MOST_FOR_CALL.saturating_mul(times as u64);
        for call in std::mem::take(&mut self.cut) {
            self.known.remove(&call);
        }
    }

    /// Tries so many integers.
    pub(super) fn try_numbers(&mut self, count: usize) {
        self.numbers = self.pools.numbers_in_order(count);
    }

    /// Whether it was told to stop.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// The fact that a node holds of what is given, with its answer.
    fn call(&mut self, node: usize, given: Vec<Value>, size: usize) -> Option<usize> {
        // To look up what is given takes as long as it is deep: a number in unary may be thousands of constructors.
        let levels: u64 = given.iter().map(|value| u64::from(value.depth())).sum();
        self.found.tried += levels / LEVELS_FOR_MATCH;
        let key = (node, given);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        if self.depth >= DEEPEST || self.found.tried >= self.end && self.depth > 0 {
            self.is_cut = true;
            return None;
        }
        // What has no parameters may hold of larger values.
        if key.1.is_empty() {
            return self.concluded(node, &key.1, size);
        }
        if self.depth == 0 {
            self.end = self.found.tried + self.most_for_call;
            self.is_cut = false;
        }
        // It does not help to ask for it on the way.
        self.known.insert(key.clone(), None);
        self.depth += 1;
        let fact = self.concluded(node, &key.1, 0);
        self.depth -= 1;
        match fact.is_some() || !self.is_cut {
            true => self.known.insert(key, fact),
            false if self.depth == 0 => {
                self.cut.push(key.clone());
                self.known.insert(key, None)
            }
            false => self.known.remove(&key),
        };
        fact
    }

    fn concluded(&mut self, node: usize, given: &[Value], size: usize) -> Option<usize> {
        let (terms, system) = (self.terms, self.system);
        for clause in &system.nodes[node].clauses {
            let arguments = self.given(node, &system.clauses[*clause].conclusion.arguments);
            let mut own = Match::new(terms);
            let fits = arguments
                .iter()
                .zip(given)
                .all(|(argument, value)| own.unify(*argument, value));
            let premises = system.clauses[*clause].premises.len();
            if fits && let Some(fact) = self.close(*clause, own, vec![None; premises], size) {
                return Some(fact);
            }
            if self.is_stopped {
                return None;
            }
        }
        None
    }

    /// Those of these arguments of a node that are given to it: none if it is not calculated.
    fn given(&self, node: usize, arguments: &[TermId]) -> Vec<TermId> {
        let positions = self.given[node].iter().flat_map(|given| &given.0);
        positions
            .filter_map(|position| arguments.get(*position))
            .copied()
            .collect()
    }

    /// What an implication concludes, once all premises are facts; values of so many parts are chosen where nothing determines
    /// what a premise needs. As deep as there are such values.
    fn close(
        &mut self,
        clause: usize,
        mut own: Match<'a>,
        mut taken: Vec<Option<usize>>,
        size: usize,
    ) -> Option<usize> {
        let system = self.system;
        let of = &system.clauses[clause];
        let mut open = of.constraint.clone();
        loop {
            self.found.tried += self.costs[clause];
            if self.found.tried.is_multiple_of(64) || size > 0 {
                self.is_stopped |= (self.stop)(self.found.tried);
            }
            self.is_stopped |= self.found.facts.len() + self.known.len() > MOST_KEPT;
            if self.is_stopped {
                return None;
            }
            own.propagate(&mut open, &mut 0)?;
            let ready = (0..of.premises.len()).find_map(|position| {
                let premise = &of.premises[position];
                let is_open = taken[position].is_none() && self.given[premise.node.0].is_some();
                let arguments = is_open.then(|| self.given(premise.node.0, &premise.arguments))?;
                let values: Option<Vec<Value>> = arguments.into_iter().map(|argument| own.value_of(argument)).collect();
                Some((position, values?))
            });
            let Some((position, given)) = ready else { break };
            let premise = &of.premises[position];
            let fact = self.call(premise.node.0, given, size)?;
            let values = self.found.facts[fact].values.clone();
            let mut pairs = premise.arguments.iter().zip(&values);
            if !pairs.all(|(argument, value)| own.unify(*argument, value)) {
                return None;
            }
            taken[position] = Some(fact);
        }
        let premises: Option<Vec<usize>> = taken.iter().copied().collect();
        match (premises, self.open_variable(clause, &own, &taken)) {
            (Some(premises), None) => self.conclude(clause, own, premises),
            (Some(premises), Some(_)) if size == 0 => self.conclude(clause, own, premises),
            (_, Some(variable)) => self.choose(clause, &own, &taken, variable, size),
            (None, None) => None,
        }
    }

    /// A variable without a value: of what the premise needs of which most is known; or, where states are noted, of what is left to be said.
    fn open_variable(&self, clause: usize, own: &Match<'a>, taken: &[Option<usize>]) -> Option<TermId> {
        let of = &self.system.clauses[clause];
        let unknown = |terms: &[TermId]| {
            let mut all = self.terms.variables_of_all(terms);
            all.retain(|variable| !own.has_value(*variable));
            all
        };
        let waiting = (0..taken.len())
            .filter(|position| taken[*position].is_none() && self.given[of.premises[*position].node.0].is_some());
        let needed = waiting.map(|position| {
            let premise = &of.premises[position];
            unknown(&self.given(premise.node.0, &premise.arguments))
        });
        if let Some(least) = needed.min_by_key(Vec::len) {
            return least.first().copied();
        }
        let frontier = self.noted(of.conclusion.node)?;
        let mut said = frontier.said(of.conclusion.node, &of.conclusion.arguments);
        said.extend(&of.constraint);
        unknown(&said).first().copied()
    }

    /// The states that are noted, if this is one.
    fn noted(&self, node: NodeId) -> Option<&Frontier> {
        let frontier = self.frontier.as_ref();
        frontier.filter(|_| self.system.nodes[node.0].role == Role::Reached)
    }

    /// Chooses a value for this variable.
    fn choose(
        &mut self,
        clause: usize,
        own: &Match<'a>,
        taken: &[Option<usize>],
        variable: TermId,
        size: usize,
    ) -> Option<usize> {
        for part in 1..=size {
            for value in self.values(self.terms.sort(variable), part).iter() {
                let mut with = own.clone();
                if with.unify(variable, value)
                    && let Some(fact) = self.close(clause, with, taken.to_vec(), size - part)
                {
                    return Some(fact);
                }
                if self.is_stopped {
                    return None;
                }
            }
        }
        None
    }

    fn conclude(&mut self, clause: usize, own: Match<'a>, premises: Vec<usize>) -> Option<usize> {
        let of = &self.system.clauses[clause];
        let NodeId(node) = of.conclusion.node;
        let is_noted = self.noted(of.conclusion.node).is_some() && of.conclusion.node != self.system.error;
        for _ in 0..CHOICES {
            let mut with = own.clone();
            let (completed, values) = with.concluded(of, &self.pools, &mut self.random);
            self.found.tried += self.costs[clause] * completed.looks;
            if let Some(values) = values {
                let fact = self.found.facts.len();
                if is_noted && !self.frontier.as_mut()?.is_new(of.conclusion.node, &values, fact) {
                    continue;
                }
                self.found.facts.push(SmallFact {
                    values,
                    clause,
                    premises: premises.clone(),
                    assignment: with.assignment,
                });
                self.found.of[node].push(fact);
                if !is_noted {
                    return Some(fact);
                }
            }
            if !completed.is_chosen {
                break;
            }
        }
        None
    }

    /// The values of a sort with so many parts: constructors and numbers, of which larger ones count more.
    fn values(&mut self, sort: SortId, size: usize) -> Arc<Vec<Value>> {
        if let Some(known) = self.of_size.get(&(sort, size)) {
            return known.clone();
        }
        let mut made = Vec::new();
        match self.terms.sort_of_id(sort) {
            Sort::Bool if size == 1 => made.extend([Value::Bool(false), Value::Bool(true)]),
            Sort::Int => made.extend(self.numbers.get(size - 1).cloned()),
            Sort::Real if size == 1 => made.push(Value::Number(Rational::from(0))),
            Sort::Datatype(_) => {
                let constructors = self.terms.datatype(sort).map(|one| one.constructors.clone());
                for constructor in constructors.unwrap_or_default() {
                    let fields = self.terms.constructor(constructor).fields.iter();
                    let sorts: Vec<SortId> = fields.map(|field| self.terms.field(*field).sort).collect();
                    for parts in self.tuples(&sorts, size - 1) {
                        let value = DatatypeValue::new(constructor, parts);
                        made.extend(value.map(|value| Value::Datatype(Arc::new(value))));
                    }
                }
                made.truncate(MOST_VALUES);
            }
            _ if size == 1 => made.push(self.terms.default_value(sort)),
            _ => {}
        }
        let made = Arc::new(made);
        self.of_size.insert((sort, size), made.clone());
        made
    }

    /// Values of these sorts with so many parts together.
    fn tuples(&mut self, sorts: &[SortId], size: usize) -> Vec<Vec<Value>> {
        let Some((first, rest)) = sorts.split_first() else {
            return if size == 0 { vec![Vec::new()] } else { Vec::new() };
        };
        let mut found = Vec::new();
        for part in 1..=size.saturating_sub(rest.len()) {
            if rest.is_empty() && part != size {
                continue;
            }
            let later = self.tuples(rest, size - part);
            for value in self.values(*first, part).iter() {
                for tuple in &later {
                    if found.len() >= MOST_VALUES {
                        return found;
                    }
                    found.push([std::slice::from_ref(value), &tuple[..]].concat());
                }
            }
        }
        found
    }
}
