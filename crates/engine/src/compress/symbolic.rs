//! Symbolic states and SYMSTEP (seed 000, section IV): goals whose arguments are terms over the parameters of the last loop
//! invariant and over inputs, with the constraints collected since.

use super::CompressError;
use super::loops::Loops;
use crate::rules::{PredicateId, Program};
use crate::solver::{Answer, InterruptWatch, Layer, LayeredSolver, Z3Layer};
use crate::steps::elimination::flatten;
use crate::steps::projection::PrimedParameters;
use crate::steps::{Target, Transition, TransitionId, Transitions};
use crate::terms::{SortId, Substitution, TermId, Terms, Value};
use hashbrown::HashMap;
use std::rc::Rc;

/// An argument with more parts than this gets a name of its own: a run that adds an input at every step would otherwise carry
/// a sum as long as itself.
const LONGEST_SUM: usize = 24;

/// Stores longer than this are given to a solver as a whole, in one scope.
const LONG_STORE: usize = 256;

/// What all parts of the algorithm share.
pub(super) struct Context<'a> {
    pub program: &'a Program,
    pub terms: Terms,
    pub transitions: Transitions,
    pub loops: Loops,
    pub solver: LayeredSolver,
    pub query_resources: u32,
    pub watch: &'a dyn InterruptWatch,
    primed: PrimedParameters,
    locals: HashMap<(SortId, u32), TermId>,
}

/// A symbolic state ⟨ℓ, C⟩.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The predicate, ℓ.
    pub predicate: PredicateId,
    /// Terms for its parameters.
    pub arguments: Vec<TermId>,
    /// The constraints.
    pub store: Vec<TermId>,
    /// How many variables for inputs are in use.
    pub locals: u32,
}

impl<'a> Context<'a> {
    pub fn new(program: &'a Program, query_resources: u32, watch: &'a dyn InterruptWatch) -> Context<'a> {
        let mut terms = program.terms.clone();
        let transitions = Transitions::new(program, &mut terms);
        Context {
            program,
            terms,
            transitions,
            loops: Loops::new(program),
            solver: LayeredSolver::new(query_resources),
            query_resources,
            watch,
            primed: PrimedParameters::default(),
            locals: HashMap::new(),
        }
    }

    /// Ends the work if somebody asks for it.
    pub fn poll(&self) -> Result<(), CompressError> {
        match self.watch.should_stop() {
            true => Err(CompressError::Stopped),
            false => Ok(()),
        }
    }

    /// The state at a loop header of which nothing is known but the given formulas over its parameters.
    pub fn at_header(&self, predicate: PredicateId, formulas: &[TermId]) -> State {
        State {
            predicate,
            arguments: self.program.predicate(predicate).parameters.clone(),
            store: formulas.to_vec(),
            locals: 0,
        }
    }

    /// A transition. It is shared, so that one may hold it while the context changes.
    pub fn transition(&self, id: TransitionId) -> Rc<Transition> {
        Rc::clone(self.transitions.get(id))
    }

    /// The guard and the new arguments of a transition taken in a state, and the inputs in use after it. Inputs with a value
    /// in `pinned` have that value.
    pub fn instantiate(
        &mut self,
        state: &State,
        transition: &Transition,
        pinned: &[(TermId, Value)],
    ) -> (Vec<TermId>, Vec<TermId>, u32) {
        let parameters = &self.program.predicate(state.predicate).parameters;
        let mut substitution = Substitution::of(&self.terms, parameters, &state.arguments);
        let mut locals = state.locals;
        for local in &transition.locals {
            let value = pinned.iter().find(|(variable, _)| variable == local);
            let term = match value.and_then(|(_, value)| self.constant(*local, value)) {
                Some(constant) => constant,
                None => {
                    let variable = self.local_variable(self.terms.sort(*local), locals);
                    locals += 1;
                    variable
                }
            };
            substitution.insert(&self.terms, *local, term);
        }
        let guard = self.terms.substitute_all(&transition.guard, &substitution);
        let arguments = self.terms.substitute_all(&transition.updates, &substitution);
        (guard, arguments, locals)
    }

    fn constant(&mut self, variable: TermId, value: &Value) -> Option<TermId> {
        match value {
            Value::Bool(value) => Some(self.terms.boolean(*value)),
            Value::Number(value) => {
                let sort = self.terms.sort(variable);
                (sort == SortId::REAL || value.is_integer()).then(|| self.terms.number(value.clone(), sort))
            }
            Value::Float(value) => Some(self.terms.float(*value)),
            // An array as an input stays symbolic; what is chosen from it is in the constraints.
            Value::Array(_) | Value::Datatype(_) => None,
        }
    }

    fn local_variable(&mut self, sort: SortId, number: u32) -> TermId {
        let terms = &mut self.terms;
        let make = || terms.fresh_variable(&format!("In{}", number + 1), sort);
        *self.locals.entry((sort, number)).or_insert_with(make)
    }

    /// Adds constraints to a store, each once; `None` if one is false.
    pub fn extend_store(&self, store: &mut Vec<TermId>, constraints: &[TermId]) -> Option<()> {
        for formula in flatten(&self.terms, constraints) {
            if formula == TermId::FALSE {
                return None;
            }
            if store.len() > LONG_STORE || !store.contains(&formula) {
                store.push(formula);
            }
        }
        Some(())
    }

    /// Gives long sums names of their own.
    pub fn abbreviate(&mut self, arguments: Vec<TermId>, locals: &mut u32, store: &mut Vec<TermId>) -> Vec<TermId> {
        let mut short = Vec::with_capacity(arguments.len());
        for argument in arguments {
            if self.terms.arguments(argument).len() <= LONGEST_SUM {
                short.push(argument);
                continue;
            }
            let variable = self.local_variable(self.terms.sort(argument), *locals);
            *locals += 1;
            store.push(self.terms.equal(variable, argument));
            short.push(variable);
        }
        short
    }

    /// A formula over a predicate's parameters, about the arguments of a state.
    pub fn instance(&mut self, state: &State, formula: TermId) -> TermId {
        let parameters = &self.program.predicate(state.predicate).parameters;
        let substitution = Substitution::of(&self.terms, parameters, &state.arguments);
        self.terms.substitute(formula, &substitution)
    }

    /// Whether constraints imply a formula for certain.
    pub fn entails(&mut self, store: &[TermId], formula: TermId) -> bool {
        if formula == TermId::TRUE || store.contains(&formula) {
            return true;
        }
        let denial = self.terms.not(formula);
        self.is_unsatisfiable(store, &[denial])
    }

    /// Whether constraints are unsatisfiable for certain.
    pub fn is_unsatisfiable(&mut self, store: &[TermId], extra: &[TermId]) -> bool {
        if extra.contains(&TermId::FALSE) {
            return true;
        }
        if store.len() <= LONG_STORE {
            return self.solver.check(&self.terms, store, extra) == Answer::Unsatisfiable;
        }
        let mut solver = Z3Layer::new(self.query_resources);
        for formula in store.iter().chain(extra) {
            solver.assume(&self.terms, *formula);
        }
        solver.check(&self.terms) == Answer::Unsatisfiable
    }

    /// ⟦σ⟧: what a state says about its predicate's parameters (seed 000, section IV, "evaluation").
    pub fn evaluation(&mut self, state: &State) -> Vec<TermId> {
        let store = self.relevant(&state.arguments, &state.store);
        self.primed
            .project(&mut self.terms, self.program, state.predicate, &state.arguments, &store)
    }

    /// The constraints that have to do with some terms, be it through others.
    fn relevant(&self, about: &[TermId], store: &[TermId]) -> Vec<TermId> {
        if store.len() <= LONG_STORE {
            return store.to_vec();
        }
        let mut known: hashbrown::HashSet<TermId> = self.terms.variables_of_all(about).into_iter().collect();
        let mut taken = vec![false; store.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (position, formula) in store.iter().enumerate() {
                if taken[position] {
                    continue;
                }
                let variables = self.terms.variables(*formula);
                if variables.iter().any(|variable| known.contains(variable)) {
                    known.extend(variables);
                    taken[position] = true;
                    changed = true;
                }
            }
        }
        let chosen = store.iter().zip(taken).filter(|(_, taken)| *taken);
        chosen.map(|(formula, _)| *formula).collect()
    }
}

/// The predicate that a transition leads to; that of the query, from which nothing leads on, where it ends the run.
pub(super) fn target_of(transition: &Transition) -> PredicateId {
    match transition.target {
        Target::Goal(predicate) => predicate,
        Target::Error => PredicateId::ERROR,
        Target::End => PredicateId::QUERY,
    }
}
