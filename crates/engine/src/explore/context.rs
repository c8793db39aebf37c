//! What all parts of an exploration share: the program as a flowgraph, the terms, the solver, and classic symbolic execution of
//! one step and of a path (`executePath` of seed 002).

use super::defined::DefinedArrays;
use super::quantified::eliminate;
use super::state::{Condition, Conjunct, Location, Quantified, State};
use super::summaries::Summary;
use crate::rules::{DependencyGraph, PredicateId, Program};
use crate::solver::LayeredSolver;
use crate::steps::BudgetWatch;
use crate::steps::elimination::flatten;
use crate::steps::{Target, Transition, TransitionId, Transitions};
use crate::terms::{Substitution, TermId, Terms};
use hashbrown::HashMap;
use num_bigint::BigInt;
use std::rc::Rc;

/// What the parts share.
pub(super) struct Context<'a> {
    pub program: &'a Program,
    pub terms: Terms,
    pub transitions: Transitions,
    pub graph: DependencyGraph,
    pub solver: LayeredSolver,
    pub budget: &'a BudgetWatch<'a>,
    pub arrays: DefinedArrays,
    /// Arrays whose elements are the powers of a number.
    pub powers: HashMap<TermId, BigInt>,
    pub query_resources: u32,
    /// Whether inner loops may be single steps of outer ones.
    pub summarizes: bool,
    /// The transitions that stand for going through an inner loop.
    pub summaries: HashMap<TransitionId, Summary>,
    /// The steps from a location, given second, within the loop of another one.
    pub steps_through: HashMap<(PredicateId, PredicateId), Vec<TransitionId>>,
    /// How much of Z3's work may be spent, in its units.
    pub work_limit: Option<u64>,
}

/// The symbols that stand for a transition's own variables.
pub(super) type Symbols = Vec<(TermId, TermId)>;

/// What executing a path comes to.
pub(super) struct Executed {
    pub location: Location,
    pub memory: Vec<TermId>,
    pub guards: Vec<TermId>,
    /// For each step the symbols for its transition's own variables.
    pub symbols: Vec<Symbols>,
}

impl<'a> Context<'a> {
    /// The context for a program.
    pub fn new(program: &'a Program, budget: &'a BudgetWatch<'a>, query_resources: u32) -> Context<'a> {
        let mut terms = program.terms.clone();
        let transitions = Transitions::heads_first(program, &mut terms);
        let mut solver = LayeredSolver::new(query_resources);
        solver.count_z3();
        Context {
            program,
            terms,
            transitions,
            graph: DependencyGraph::new(program),
            solver,
            budget,
            arrays: DefinedArrays::default(),
            powers: HashMap::new(),
            query_resources,
            summarizes: false,
            summaries: HashMap::new(),
            steps_through: HashMap::new(),
            work_limit: None,
        }
    }

    /// Whether to stop now, for whatever reason.
    pub fn should_stop(&self) -> bool {
        self.budget.interruption().is_some() || self.has_worked_enough()
    }

    /// Whether Z3 has worked as much as it may.
    pub fn has_worked_enough(&self) -> bool {
        let Some(limit) = self.work_limit else { return false };
        self.solver.z3_spent() > limit
    }

    /// For each predicate the fewest rules from it to the error.
    pub fn distances_to_error(&self) -> Vec<usize> {
        let mut distances = vec![usize::MAX; self.program.predicates().len()];
        let mut level = vec![PredicateId::ERROR];
        distances[PredicateId::ERROR.index()] = 0;
        let mut distance = 0;
        while !level.is_empty() {
            distance += 1;
            let mut next = Vec::new();
            for rule in self.program.rules() {
                let head = rule.head.predicate;
                let leads = rule.body.iter().any(|atom| level.contains(&atom.predicate));
                if leads && distances[head.index()] == usize::MAX {
                    distances[head.index()] = distance;
                    next.push(head);
                }
            }
            level = next;
        }
        distances
    }

    /// One transition.
    pub fn transition(&self, id: TransitionId) -> Rc<Transition> {
        self.transitions.get(id).clone()
    }

    /// The predicate that a transition starts at.
    pub fn source(&self, id: TransitionId) -> PredicateId {
        let transition = self.transitions.get(id);
        self.program.rule(transition.rule).head.predicate
    }

    /// Where a transition leads.
    pub fn target(&self, id: TransitionId) -> Location {
        location(self.transitions.get(id))
    }

    /// The parameters of a predicate.
    pub fn parameters(&self, predicate: PredicateId) -> &'a [TermId] {
        &self.program.predicate(predicate).parameters
    }

    /// Executes a path from a predicate whose parameters are the symbols of their own values. Names for other symbols come from
    /// `name`.
    pub fn execute_path(
        &mut self,
        start: PredicateId,
        steps: &[TransitionId],
        name: &mut dyn FnMut(&str) -> String,
    ) -> Executed {
        let mut executed = Executed {
            location: Location::Predicate(start),
            memory: self.parameters(start).to_vec(),
            guards: Vec::new(),
            symbols: Vec::new(),
        };
        for step in steps {
            self.execute_step(&mut executed, *step, name);
        }
        executed
    }

    /// One more step of a path.
    pub fn execute_step(&mut self, executed: &mut Executed, step: TransitionId, name: &mut dyn FnMut(&str) -> String) {
        let transition = self.transition(step);
        let parameters = self.parameters(self.source(step));
        let mut substitution = Substitution::of(&self.terms, parameters, &executed.memory);
        let mut symbols = Vec::with_capacity(transition.locals.len());
        for local in &transition.locals {
            let wanted = name(self.terms.variable_name(*local));
            let symbol = self.terms.fresh_variable(&wanted, self.terms.sort(*local));
            substitution.insert(&self.terms, *local, symbol);
            symbols.push((*local, symbol));
        }
        let guards = self.terms.substitute_all(&transition.guard, &substitution);
        let guards = self.arrays.expand_all(&mut self.terms, &guards);
        executed.guards.extend(flatten(&self.terms, &guards));
        executed.memory = self.terms.substitute_all(&transition.updates, &substitution);
        executed.memory = self.arrays.expand_all(&mut self.terms, &executed.memory);
        executed.symbols.push(symbols);
        executed.location = location(&transition);
    }

    /// The state after one step from another, whether or not it is feasible, and the symbols of the step.
    pub fn step(&mut self, state: &State, step: TransitionId) -> (State, Symbols) {
        let mut next = state.clone();
        let mut executed = Executed {
            location: state.location,
            memory: state.memory.clone(),
            guards: Vec::new(),
            symbols: Vec::new(),
        };
        self.execute_step(&mut executed, step, &mut |wanted| next.fresh_name(wanted));
        next.location = executed.location;
        next.memory = executed.memory;
        for guard in executed.guards {
            self.assume(&mut next.condition, guard);
        }
        (next, executed.symbols.pop().unwrap_or_default())
    }

    /// Adds a formula to a condition.
    pub fn assume(&mut self, condition: &mut Condition, formula: TermId) {
        for conjunct in flatten(&self.terms, &[formula]) {
            if !condition.facts.contains(&conjunct) {
                condition.facts.push_back(conjunct);
                condition.written.push_back(Conjunct::Plain(conjunct));
            }
        }
    }

    /// Adds a quantified formula to a condition, as it is written, and solved as far as that is exact.
    pub fn assume_for_all(&mut self, condition: &mut Condition, quantified: Quantified) {
        if quantified.body.is_empty() {
            return;
        }
        let eliminated = eliminate(&mut self.terms, &quantified);
        for fact in eliminated.facts {
            if !condition.facts.contains(&fact) {
                condition.facts.push_back(fact);
            }
        }
        condition.residual.extend(eliminated.residual);
        condition.written.push_back(Conjunct::ForAll(quantified));
    }
}

fn location(transition: &Transition) -> Location {
    match transition.target {
        Target::Goal(predicate) => Location::Predicate(predicate),
        Target::Error => Location::Error,
        Target::End => Location::End,
    }
}
