//! The derivation from a cut to the error, without abstraction in between: as constraints, and as a derivation with values.

use super::frontier::Frontier;
use super::ids::StateId;
use super::kernel::Kernel;
use super::reduction::{abbreviate, extend_point};
use crate::evidence::Derivation;
use crate::steps::taken::{point_after, step_at};
use crate::steps::{Target, TransitionId};
use crate::terms::{Assignment, TermId};
use std::rc::Rc;

/// Local variables of exact paths are numbered from here, apart from those of stores. (No store is so long.)
const EXACT_LOCALS: u32 = 1 << 31;

/// The error as it was reached: from `source` by `last`.
#[derive(Clone, Copy)]
pub(super) struct ErrorPath {
    /// The goal before the error.
    pub source: StateId,
    /// The transition to the error.
    pub last: TransitionId,
}

/// A derivation from a cut to the error without abstraction in between.
pub(super) struct ExactPath {
    /// Conjuncts over the cut's parameters and the local variables.
    pub constraints: Vec<TermId>,
    /// Each step's transition and the variables that stand for its locals.
    steps: Vec<(TransitionId, Vec<TermId>)>,
}

impl ErrorPath {
    /// The cut of the goal before the error, the cut of that cut's store, and so on to the query.
    pub fn cuts(&self, kernel: &Kernel, frontier: &Frontier) -> Vec<StateId> {
        let mut cuts = vec![frontier.outgoing(kernel.program, self.source).cut];
        while let Some(last) = cuts.last().copied()
            && last != StateId::ROOT
        {
            cuts.push(frontier.state(last).incoming.cut);
        }
        cuts
    }

    /// The transitions from a state below which the error lies.
    fn transitions_from(&self, frontier: &Frontier, start: StateId) -> Vec<TransitionId> {
        let mut transitions = vec![self.last];
        let mut current = self.source;
        while current != start
            && let Some((parent, transition)) = frontier.state(current).origin
        {
            transitions.push(transition);
            current = parent;
        }
        transitions.reverse();
        transitions
    }

    /// Tries to run into the error with values picked step by step. If it works, no query about the whole path is needed.
    pub fn concrete_run(&self, kernel: &mut Kernel, frontier: &Frontier) -> Option<Derivation> {
        let mut point = Assignment::new();
        let mut steps = Vec::new();
        for id in self.transitions_from(frontier, StateId::ROOT) {
            let transition = Rc::clone(kernel.transitions.get(id));
            point = extend_point(kernel, &point, &transition)?;
            steps.push(step_at(kernel.program, &kernel.terms, &transition, &point)?);
            point = point_after(kernel.program, &kernel.terms, &transition, &point)?;
        }
        Some(Derivation::new(steps))
    }

    /// The exact derivation from a cut to the error.
    pub fn exact_from(&self, kernel: &mut Kernel, frontier: &Frontier, cut: StateId) -> ExactPath {
        let transitions = self.transitions_from(frontier, cut);
        let mut predicate = frontier.state(cut).predicate;
        let mut arguments = kernel.parameters(predicate).to_vec();
        let mut next_local = EXACT_LOCALS;
        let mut path = ExactPath {
            constraints: Vec::new(),
            steps: Vec::with_capacity(transitions.len()),
        };
        for id in transitions {
            let transition = Rc::clone(kernel.transitions.get(id));
            let mut substitution = kernel.instance(predicate, &arguments);
            let mut locals = Vec::with_capacity(transition.locals.len());
            for local in &transition.locals {
                let variable = kernel.local_variable(kernel.terms.sort(*local), next_local);
                next_local += 1;
                substitution.insert(&kernel.terms, *local, variable);
                locals.push(variable);
            }
            let guards = kernel.terms.substitute_all(&transition.guard, &substitution);
            path.constraints
                .extend(guards.into_iter().filter(|guard| *guard != TermId::TRUE));
            let updated = kernel.terms.substitute_all(&transition.updates, &substitution);
            let (short, definitions) = abbreviate(kernel, updated, &mut next_local);
            arguments = short;
            path.constraints.extend(definitions);
            path.steps.push((id, locals));
            if let Target::Goal(target) = transition.target {
                predicate = target;
            }
        }
        path
    }
}

impl ExactPath {
    /// The derivation under a model of the constraints, by evaluation.
    pub fn derivation(&self, kernel: &Kernel, model: &Assignment) -> Option<Derivation> {
        let terms = &kernel.terms;
        let mut steps = Vec::with_capacity(self.steps.len());
        let mut point = Assignment::new();
        for (id, variables) in &self.steps {
            let transition = kernel.transitions.get(*id);
            for (local, variable) in transition.locals.iter().zip(variables) {
                // What the model leaves out may have any value.
                let value = model.get(variable).cloned();
                point.insert(*local, value.unwrap_or_else(|| terms.default_value(terms.sort(*local))));
            }
            steps.push(step_at(kernel.program, terms, transition, &point)?);
            point = point_after(kernel.program, terms, transition, &point)?;
        }
        Some(Derivation::new(steps))
    }
}
