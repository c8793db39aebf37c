//! Goal reduction: the store behind a transition, whether it can be satisfied, and a point that shows that it can (the step
//! of the derivation trees in seed 003, section 2).
//!
//! A *witness* comes with most goals: values of its parameters that its store allows. Where a witness of the source can be
//! carried through the transition, no query is needed at all.

use super::search::Search;
use super::state::{StateId, Store};
use crate::rules::PredicateId;
use crate::solver::Answer;
use crate::steps::{Target, Transition, TransitionId};
use crate::terms::{Assignment, SortId, Substitution, TermId, Value};
use std::rc::Rc;
use std::sync::Arc;

/// A store does not repeat a guard while it has at most this many.
const REPETITION_WINDOW: usize = 64;

/// An argument with more parts than this gets a name of its own.
const LONGEST_SUM: usize = 24;

/// What reducing a goal by a transition gave.
pub(super) enum Reduct {
    /// The new store is unsatisfiable.
    Infeasible,
    /// A goal or the error, with a witness if one is known.
    Feasible(Store, Option<Arc<Assignment>>),
}

impl Search<'_> {
    /// Reduces a state by a transition: the new store, unless it is unsatisfiable.
    pub fn reduce(&mut self, source: StateId, transition: TransitionId) -> Reduct {
        let store = self.outgoing(source);
        let substitution = self.instantiation(source, &store, transition);
        let transition = Rc::clone(self.transitions.get(transition));
        let guards = self.terms.substitute_all(&transition.guard, &substitution);
        if guards.contains(&TermId::FALSE) {
            return Reduct::Infeasible;
        }
        let arguments = self.terms.substitute_all(&transition.updates, &substitution);
        let target = match transition.target {
            Target::Goal(predicate) => Some(predicate),
            _ => None,
        };
        let mut witness = self.witness_from_point(source, &transition, target);
        if witness.is_none() {
            let believed = self.believed(&store);
            let (answer, model) = self.solver.check_values(&self.terms, &believed, &guards, &arguments);
            if answer == Answer::Unsatisfiable {
                return Reduct::Infeasible;
            }
            witness = model.and_then(|model| self.witness(target, &arguments, &model));
        }
        let mut locals = store.locals + transition.locals.len() as u32;
        let (arguments, definitions) = self.abbreviate(arguments, &mut locals);
        let mut new_guards = store.guards.clone();
        for guard in guards.into_iter().chain(definitions) {
            let repeated = new_guards.len() <= REPETITION_WINDOW && new_guards.contains(&guard);
            if guard != TermId::TRUE && !repeated {
                new_guards.push_back(guard);
            }
        }
        let reduct = Store {
            cut: store.cut,
            guards: new_guards,
            arguments,
            locals,
        };
        Reduct::Feasible(reduct, witness)
    }

    /// Long sums among arguments as new local variables, with the equations that define them. Without it, a derivation that
    /// adds an input at every step would carry a sum as long as itself.
    pub fn abbreviate(&mut self, arguments: Vec<TermId>, next_local: &mut u32) -> (Vec<TermId>, Vec<TermId>) {
        let mut definitions = Vec::new();
        let short = arguments
            .into_iter()
            .map(|argument| {
                if self.terms.arguments(argument).len() <= LONGEST_SUM {
                    return argument;
                }
                let variable = self.local_variable(self.terms.sort(argument), *next_local);
                *next_local += 1;
                definitions.push(self.terms.equal(variable, argument));
                variable
            })
            .collect();
        (short, definitions)
    }

    /// A witness of the reduct that extends the source's. That settles feasibility without asking about the store, however
    /// long it is.
    fn witness_from_point(
        &mut self,
        source: StateId,
        transition: &Transition,
        target: Option<PredicateId>,
    ) -> Option<Arc<Assignment>> {
        let point = self.states[source.index()].witness.clone()?;
        if transition.locals.is_empty() {
            let holds = |formula: &TermId| self.terms.holds(*formula, &point) == Some(true);
            let all = transition.guard.iter().all(holds);
            return all.then(|| self.witness(target, &transition.updates, &point)).flatten();
        }
        let extended = self.extend_point(&point, transition)?;
        self.witness(target, &transition.updates, &extended)
    }

    /// A point with values of the transition's own variables that satisfy its guard there, if some are found.
    pub fn extend_point(&mut self, point: &Assignment, transition: &Transition) -> Option<Assignment> {
        let values = self.number_terms(point)?;
        let guard = self.terms.substitute_all(&transition.guard, &values);
        let (answer, model) = self.solver.check_model(&self.terms, &[], &guard, &transition.locals);
        let mut extended = model.filter(|_| answer == Answer::Satisfiable)?;
        extended.extend(point.iter().map(|(variable, value)| (*variable, value.clone())));
        Some(extended)
    }

    /// The substitution of a point's values for its variables; `None` if one of them is an array.
    fn number_terms(&mut self, point: &Assignment) -> Option<Substitution> {
        let mut substitution = Substitution::new();
        let mut variables: Vec<&TermId> = point.keys().collect();
        variables.sort();
        for variable in variables {
            let term = match point.get(variable)? {
                Value::Bool(value) => self.terms.boolean(*value),
                Value::Number(value) => self.terms.number(value.clone(), self.terms.sort(*variable)),
                Value::Array(_) => return None,
            };
            substitution.insert(&self.terms, *variable, term);
        }
        Some(substitution)
    }

    /// The values of the target's parameters when the arguments are evaluated at a point.
    fn witness(
        &self,
        target: Option<PredicateId>,
        arguments: &[TermId],
        point: &Assignment,
    ) -> Option<Arc<Assignment>> {
        // The error and the end have no parameters; an empty witness says that they are reached.
        let parameters = target.map_or(&[][..], |target| &self.program.predicate(target).parameters);
        let values: Option<Vec<Value>> = arguments.iter().map(|term| self.terms.evaluate(*term, point)).collect();
        Some(Arc::new(parameters.iter().copied().zip(values?).collect()))
    }

    /// Parameters to arguments, and the transition's local variables to ones that the store does not use yet.
    pub fn instantiation(&mut self, source: StateId, store: &Store, transition: TransitionId) -> Substitution {
        let predicate = self.states[source.index()].predicate;
        let parameters = &self.program.predicate(predicate).parameters;
        let mut substitution = Substitution::of(&self.terms, parameters, &store.arguments);
        let locals = self.transitions.get(transition).locals.clone();
        for (number, local) in (store.locals..).zip(locals) {
            let variable = self.local_variable(self.terms.sort(local), number);
            substitution.insert(&self.terms, local, variable);
        }
        substitution
    }

    /// A formula over the parameters of a transition's target as one over its own variables.
    pub fn image(&mut self, transition: TransitionId, target: PredicateId, formula: TermId) -> TermId {
        if let Some(known) = self.images.get(&(transition, formula)) {
            return *known;
        }
        let parameters = &self.program.predicate(target).parameters;
        let updates = &self.transitions.get(transition).updates;
        let substitution = Substitution::of(&self.terms, parameters, updates);
        let image = self.terms.substitute(formula, &substitution);
        self.images.insert((transition, formula), image);
        image
    }

    /// The `number`-th local variable of a sort. Stores reuse them, so that equal stores have equal terms.
    pub fn local_variable(&mut self, sort: SortId, number: u32) -> TermId {
        let terms = &mut self.terms;
        let make = || terms.fresh_variable(&format!("_{number}"), sort);
        *self.local_variables.entry((sort, number)).or_insert_with(make)
    }
}
