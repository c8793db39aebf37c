//! Symbolic states: what a place can be reached with along each path up to some length (seed 001, definition 1).
//!
//! A state's arguments are terms over the values that the rules leave open, and its path condition is a conjunction over
//! these. The tree of states grows one level at a time and is kept, so that every question asks all that is known and going
//! deeper repeats nothing. Paths that are impossible are cut off.

use super::candidate::Candidate;
use super::linearize::is_tractable;
use crate::polynomials::State;
use crate::polynomials::{Indeterminates, Polynomial};
use crate::rules::{PredicateId, Program};
use crate::solver::{Answer, LayeredSolver};
use crate::steps::{Target, Transitions};
use crate::terms::{Substitution, TermId, Terms, Value};
use num_traits::{One, Zero};
use std::time::Instant;

/// Equalities are multiplied out up to this many monomials.
const IDENTITY_LIMIT: usize = 1000;

/// A symbolic state.
#[derive(Clone, Debug)]
struct SymbolicState {
    predicate: PredicateId,
    arguments: Vec<TermId>,
    path: Vec<TermId>,
}

/// What symbolic states say of a formula.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Judgement {
    /// It holds in all of them.
    Holds,
    /// It is false in a state that can be reached.
    Refuted(Option<State>),
    /// The solver could not decide it for one of them.
    Undecided,
}

/// The states up to a depth.
pub(super) struct SymbolicStates<'a> {
    program: &'a Program,
    transitions: &'a Transitions,
    solver: LayeredSolver,
    states: Vec<SymbolicState>,
    of_predicate: Vec<Vec<usize>>,
    /// The states whose successors are not there yet.
    frontier: Vec<usize>,
    depth: usize,
    most: usize,
    deadline: Option<Instant>,
}

impl<'a> SymbolicStates<'a> {
    /// The tree at depth zero: the query alone. At most `most` states are made.
    pub fn new(
        program: &'a Program,
        transitions: &'a Transitions,
        query_resources: u32,
        most: usize,
        deadline: Option<Instant>,
    ) -> SymbolicStates<'a> {
        let start = SymbolicState {
            predicate: PredicateId::QUERY,
            arguments: Vec::new(),
            path: Vec::new(),
        };
        SymbolicStates {
            program,
            transitions,
            solver: LayeredSolver::new(query_resources),
            states: vec![start],
            of_predicate: vec![Vec::new(); program.predicates().len()],
            frontier: vec![0],
            depth: 0,
            most,
            deadline,
        }
    }

    /// Up to how many rules the paths have.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// How many states there are at a predicate.
    pub fn count(&self, predicate: PredicateId) -> usize {
        self.of_predicate[predicate.index()].len()
    }

    /// Goes one level deeper; whether that was possible within the limits.
    pub fn deepen(&mut self, terms: &mut Terms) -> bool {
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if self.frontier.is_empty() || self.states.len() >= self.most || late() {
            return false;
        }
        let frontier = std::mem::take(&mut self.frontier);
        for (position, index) in frontier.iter().enumerate() {
            if self.states.len() >= self.most {
                // The level is incomplete: its depth is not reached, but what was found may refute all the same.
                self.frontier.extend(&frontier[position..]);
                return false;
            }
            self.expand(terms, *index);
        }
        self.depth += 1;
        true
    }

    fn expand(&mut self, terms: &mut Terms, index: usize) {
        let state = self.states[index].clone();
        let parameters = &self.program.predicate(state.predicate).parameters;
        for id in self.transitions.of(state.predicate) {
            let transition = self.transitions.get(*id);
            let Target::Goal(target) = transition.target else {
                continue;
            };
            let mut substitution = Substitution::of(terms, parameters, &state.arguments);
            for local in &transition.locals {
                let (name, sort) = (terms.variable_name(*local).to_string(), terms.sort(*local));
                let fresh = terms.fresh_variable(&name, sort);
                substitution.insert(terms, *local, fresh);
            }
            let mut path = state.path.clone();
            for formula in terms.substitute_all(&transition.guard, &substitution) {
                if formula != TermId::TRUE && !path.contains(&formula) {
                    path.push(formula);
                }
            }
            let impossible = path.contains(&TermId::FALSE)
                || (path.len() > state.path.len() && self.solver.check(terms, &path, &[]) == Answer::Unsatisfiable);
            if impossible {
                continue;
            }
            let arguments = terms.substitute_all(&transition.updates, &substitution);
            let new = self.states.len();
            self.states.push(SymbolicState {
                predicate: target,
                arguments,
                path,
            });
            self.of_predicate[target.index()].push(new);
            self.frontier.push(new);
        }
    }

    /// For each formula over a predicate's parameters: whether it holds in all states there, or a state where it does not.
    ///
    /// All formulas are asked about together; every answer that one fails takes out all those that fail in the same state.
    pub fn judge(&mut self, terms: &mut Terms, predicate: PredicateId, candidates: &[&Candidate]) -> Vec<Judgement> {
        let parameters = self.program.predicate(predicate).parameters.clone();
        let formulas: Vec<TermId> = candidates.iter().map(|candidate| candidate.formula).collect();
        let mut judgements = vec![Judgement::Holds; formulas.len()];
        for index in self.of_predicate[predicate.index()].clone() {
            let state = self.states[index].clone();
            let substitution = Substitution::of(terms, &parameters, &state.arguments);
            let mut open: Vec<(usize, TermId)> = Vec::new();
            let identical = identities(terms, &state, candidates);
            for (position, instance) in terms.substitute_all(&formulas, &substitution).into_iter().enumerate() {
                let refuted = matches!(judgements[position], Judgement::Refuted(_));
                if !refuted && instance != TermId::TRUE && !identical[position] {
                    match is_tractable(terms, instance) {
                        true => open.push((position, instance)),
                        false => mark_undecided(&mut judgements, &[(position, instance)]),
                    }
                }
            }
            while !open.is_empty() {
                if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    mark_undecided(&mut judgements, &open);
                    break;
                }
                match self.refute(terms, &state, &open) {
                    Refutation::None => break,
                    Refutation::Undecided if open.len() == 1 => {
                        mark_undecided(&mut judgements, &open);
                        break;
                    }
                    Refutation::Undecided => {
                        self.judge_singly(terms, &state, &open, &mut judgements);
                        break;
                    }
                    Refutation::State(values, failed) => {
                        open.retain(|(position, _)| !failed.contains(position));
                        for position in failed {
                            judgements[position] = Judgement::Refuted(values.clone());
                        }
                    }
                }
            }
        }
        judgements
    }

    fn judge_singly(
        &mut self,
        terms: &mut Terms,
        state: &SymbolicState,
        open: &[(usize, TermId)],
        judgements: &mut [Judgement],
    ) {
        for entry in open {
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                mark_undecided(judgements, &[*entry]);
                continue;
            }
            match self.refute(terms, state, &[*entry]) {
                Refutation::None => {}
                Refutation::Undecided => mark_undecided(judgements, &[*entry]),
                Refutation::State(values, _) => judgements[entry.0] = Judgement::Refuted(values),
            }
        }
    }

    /// A concrete state of a symbolic one in which some of the formulas are false.
    fn refute(&mut self, terms: &mut Terms, state: &SymbolicState, open: &[(usize, TermId)]) -> Refutation {
        let denials: Vec<TermId> = open.iter().map(|(_, instance)| terms.not(*instance)).collect();
        let some_fails = terms.or(&denials);
        let mut all = state.path.clone();
        all.push(some_fails);
        all.extend(&state.arguments);
        let variables = terms.variables_of_all(&all);
        let values = match self.solver.check_model(terms, &state.path, &[some_fails], &variables) {
            (Answer::Unsatisfiable, _) => return Refutation::None,
            (Answer::Satisfiable, Some(values)) => values,
            _ => return Refutation::Undecided,
        };
        let fails = |formula: TermId| terms.holds(formula, &values) == Some(false);
        let failed: Vec<usize> = open
            .iter()
            .filter(|(_, f)| fails(*f))
            .map(|(position, _)| *position)
            .collect();
        if failed.is_empty() {
            return Refutation::Undecided;
        }
        let value = |term: &TermId| match terms.evaluate(*term, &values)? {
            Value::Number(number) => Some(number),
            Value::Bool(true) => Some(One::one()),
            Value::Bool(false) => Some(Zero::zero()),
            Value::Float(_) | Value::Array(_) | Value::Datatype(_) => None,
        };
        Refutation::State(state.arguments.iter().map(value).collect(), failed)
    }
}

/// Which equalities hold for the arguments of a state whatever the inputs are, as polynomials.
fn identities(terms: &Terms, state: &SymbolicState, candidates: &[&Candidate]) -> Vec<bool> {
    let mut inputs = Indeterminates::default();
    let mut arguments: Vec<Polynomial> = Vec::with_capacity(state.arguments.len());
    for argument in &state.arguments {
        arguments.push(match terms.sort(*argument).is_numeric() {
            true => inputs.polynomial(terms, *argument),
            false => Polynomial::default(),
        });
    }
    let value = |variable: u32| arguments.get(variable as usize).cloned().unwrap_or_default();
    let vanishes = |polynomial: &Polynomial| {
        polynomial
            .compose(&value, IDENTITY_LIMIT)
            .is_some_and(|rest| rest.is_zero())
    };
    candidates
        .iter()
        .map(|candidate| candidate.equality().is_some_and(vanishes))
        .collect()
}

/// What one query found.
enum Refutation {
    None,
    Undecided,
    /// The state, if it can be written as numbers, and the positions of the formulas that fail in it.
    State(Option<State>, Vec<usize>),
}

fn mark_undecided(judgements: &mut [Judgement], open: &[(usize, TermId)]) {
    for (position, _) in open {
        if judgements[*position] == Judgement::Holds {
            judgements[*position] = Judgement::Undecided;
        }
    }
}
