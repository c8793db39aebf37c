//! Interpolants: what a state must satisfy so that the dead ends below it stay dead (seed 003, line
//! 23 of Fig. 2 and its remark on approximating weakest preconditions; seed 004, interpolation by cores).
//!
//! Everything rests on one question, [`Search::separate`]: a store excludes some *bad* conjunction; which formula over the
//! parameters follows from the store and still excludes it, the weaker the better? Tried in this order: the negation of one
//! bad conjunct; the negation of one consequence of the bad conjuncts over the variables that the store's reason speaks of;
//! the projection of a minimal core of the store; the negation of all bad conjuncts together, a disjunction; and last a
//! combination of Farkas for each case of the two (`cases`).

use super::candidates;
use super::options::Interpolation;
use super::requirement::{Purposes, Requirement};
use super::search::Search;
use super::state::{Header, StateId, Store};
use crate::rules::PredicateId;
use crate::steps::StopReason;
use crate::steps::elimination::{flatten, project};
use crate::steps::{Target, TransitionId};
use crate::terms::{Assignment, Operator, Substitution, TermId};
use std::sync::Arc;

/// A state's store as interpolation looks at it.
pub(super) struct View {
    /// The goal's predicate.
    pub predicate: PredicateId,
    /// The goal's arguments over the store's variables.
    pub arguments: Vec<TermId>,
    /// The store's constraints.
    pub believed: Vec<TermId>,
    /// Parameters to arguments, and a transition's local variables to ones that the store does not use.
    pub substitution: Substitution,
    /// Values of the parameters that the store allows.
    pub witness: Option<Arc<Assignment>>,
}

impl Search<'_> {
    /// The view from which a state's reducts start, ready for one of its transitions.
    pub fn view(&mut self, source: StateId, transition: TransitionId) -> View {
        let store = self.outgoing(source);
        let substitution = self.instantiation(source, &store, transition);
        self.view_of(source, store, substitution)
    }

    /// The view of a state as it was reached, before it became a cut.
    pub fn incoming_view(&mut self, state: StateId) -> View {
        let store = self.states[state.index()].incoming.clone();
        let parameters = &self.program.predicate(self.states[state.index()].predicate).parameters;
        let substitution = Substitution::of(&self.terms, parameters, &store.arguments);
        self.view_of(state, store, substitution)
    }

    fn view_of(&self, state: StateId, store: Store, substitution: Substitution) -> View {
        let state = &self.states[state.index()];
        View {
            predicate: state.predicate,
            believed: self.believed(&store),
            arguments: store.arguments,
            substitution,
            witness: state.witness.clone(),
        }
    }

    /// Adds to the top frame, which is `source`'s, what keeps its infeasible transition infeasible.
    pub fn add_infeasibility(&mut self, source: StateId, transition: TransitionId) -> Result<(), StopReason> {
        let view = self.view(source, transition);
        let guard = self.transitions.get(transition).guard.clone();
        let literals = self.separate(&view, &guard).ok_or_else(|| self.inexpressible(source))?;
        let literals = self.with_earlier_reasons((transition, TermId::FALSE), &guard, literals);
        if let Some(frame) = self.stack.last_mut() {
            for literal in literals {
                frame.requirement.add(literal, &Purposes::safety());
            }
        }
        Ok(())
    }

    /// Adds to the top frame, which is `source`'s, the precondition of what the reduct by `transition` requires.
    pub fn add_precondition(
        &mut self,
        source: StateId,
        transition: TransitionId,
        requirement: &Requirement,
    ) -> Result<(), StopReason> {
        let Target::Goal(target) = self.transitions.get(transition).target else {
            return Ok(());
        };
        if let Some(frame) = self.stack.last_mut() {
            frame
                .requirement
                .dependencies
                .extend(requirement.dependencies.iter().copied());
            frame.requirement.uses.extend(requirement.uses.iter().copied());
        }
        let view = self.view(source, transition);
        for literal in &requirement.literals {
            let formula = self.image(transition, target, literal.formula);
            for conjunct in self.terms.conjuncts(formula) {
                let mut bad = vec![self.terms.not(conjunct)];
                bad.extend_from_slice(&self.transitions.get(transition).guard);
                let found = match self.passed_through(&view, conjunct) {
                    Some(clause) => vec![clause],
                    None => {
                        let found = self.separate(&view, &bad).ok_or_else(|| self.inexpressible(source))?;
                        self.with_earlier_reasons((transition, conjunct), &bad, found)
                    }
                };
                if let Some(frame) = self.stack.last_mut() {
                    for formula in found {
                        frame.requirement.add(formula, &literal.purposes);
                    }
                }
            }
        }
        Ok(())
    }

    /// A disjunction that the store implies is needed as it is: one of its disjuncts would be stronger.
    fn passed_through(&mut self, view: &View, conjunct: TermId) -> Option<TermId> {
        let parameters = &self.program.predicate(view.predicate).parameters;
        let is_clause = self.terms.operator(conjunct) == Operator::Or;
        if !is_clause || !self.terms.variables(conjunct).iter().all(|v| parameters.contains(v)) {
            return None;
        }
        let instance = self.terms.substitute(conjunct, &view.substitution);
        self.entails(&view.believed, instance).then_some(conjunct)
    }

    /// What must not happen here may have been excluded for another reason before, in another state. If `found` is one
    /// negated conjunct of `bad`, the interpolant is the disjunction of all of these so far: the weakest precondition as far
    /// as it has mattered. Without it, n conditions that are set and tested later, such as locks, would cost 2ⁿ states.
    fn with_earlier_reasons(
        &mut self,
        what: (TransitionId, TermId),
        bad: &[TermId],
        found: Vec<TermId>,
    ) -> Vec<TermId> {
        let [literal] = found[..] else {
            return found;
        };
        let negation = self.terms.not(literal);
        if !flatten(&self.terms, bad).contains(&negation) {
            return found;
        }
        let reasons = self.reasons.entry(what).or_default();
        if reasons.known.insert(literal) {
            reasons.literals.push(literal);
            reasons.disjunction = None;
        }
        let terms = &mut self.terms;
        let literals = &reasons.literals;
        let disjunction = reasons.disjunction.get_or_insert_with(|| terms.or(literals));
        vec![*disjunction]
    }

    pub fn inexpressible(&self, state: StateId) -> StopReason {
        if let Some(reason) = self.budget.interruption() {
            return reason;
        }
        let label = self.program.predicate_label(self.states[state.index()].predicate);
        StopReason::SolverGaveUp(format!(
            "finding a formula that says why `{label}` cannot lead to the error here"
        ))
    }

    /// Conjuncts over the view's parameters that follow from its store and exclude `bad`, whose conjuncts are over the
    /// parameters and variables foreign to the store. `None` if none was found, or the store is not known to exclude it.
    pub fn separate(&mut self, view: &View, bad: &[TermId]) -> Option<Vec<TermId>> {
        let bad = flatten(&self.terms, bad);
        if bad.contains(&TermId::FALSE) {
            return Some(Vec::new());
        }
        let parameters = self.program.predicate(view.predicate).parameters.clone();
        let weakest = self.options.interpolation == Interpolation::WeakestPrecondition;
        if weakest && let Some(negation) = self.negation_that_follows(view, &bad, &parameters) {
            return Some(vec![negation]);
        }
        let instance = self.terms.substitute_all(&bad, &view.substitution);
        let core = self.solver.minimal_core(&self.terms, &instance, &view.believed)?;
        let core: Vec<TermId> = core.into_iter().map(|position| view.believed[position]).collect();
        let reason = if view.arguments == parameters {
            core
        } else {
            self.project_on_parameters(view.predicate, &view.arguments, &core)
        };
        if weakest {
            let spoken_of = self.terms.variables_of_all(&reason);
            let consequences = project(&mut self.terms, &spoken_of, &bad);
            if let Some(negation) = self.negation_that_follows(view, &consequences, &parameters) {
                return Some(vec![negation]);
            }
        }
        // Equalities as halves: often one suffices.
        let mut halves = Header::default();
        for formula in reason {
            candidates::add(&mut self.terms, &mut halves, formula, true);
        }
        let halves: Vec<TermId> = halves.believed().collect();
        if let Some(kept) = self.solver.minimal_core(&self.terms, &bad, &halves) {
            return Some(kept.into_iter().map(|position| halves[position]).collect());
        }
        let consequences = project(&mut self.terms, &parameters, &bad);
        let instance = self.terms.substitute_all(&consequences, &view.substitution);
        if let Some(kept) = self.solver.minimal_core(&self.terms, &view.believed, &instance) {
            let conjunction: Vec<TermId> = kept.into_iter().map(|position| consequences[position]).collect();
            let conjunction = self.terms.and(&conjunction);
            return Some(vec![self.terms.not(conjunction)]);
        }
        let (store, bad, back) = self.apart(view, &bad);
        let interpolant = self.interpolate_by_cases(&store, &bad)?;
        let interpolant = self.terms.substitute(interpolant, &back);
        let over_parameters = |variable: &TermId| parameters.contains(variable);
        let is_expressed = self.terms.variables(interpolant).iter().all(over_parameters);
        is_expressed.then(|| self.terms.conjuncts(interpolant))
    }

    /// The negation of the first of `formulas` that is over the parameters alone and that the store excludes.
    fn negation_that_follows(&mut self, view: &View, formulas: &[TermId], parameters: &[TermId]) -> Option<TermId> {
        formulas
            .iter()
            .find_map(|formula| self.negation_if_it_follows(view, *formula, parameters))
    }

    /// The negations of all `formulas` that are over the view's parameters alone and that its store excludes.
    pub fn negations_that_follow(&mut self, view: &View, formulas: &[TermId]) -> Vec<TermId> {
        let parameters = self.program.predicate(view.predicate).parameters.clone();
        let formulas = flatten(&self.terms, formulas);
        formulas
            .iter()
            .filter_map(|formula| self.negation_if_it_follows(view, *formula, &parameters))
            .collect()
    }

    fn negation_if_it_follows(&mut self, view: &View, formula: TermId, parameters: &[TermId]) -> Option<TermId> {
        let allowed = view
            .witness
            .as_ref()
            .and_then(|witness| self.terms.holds(formula, witness));
        let foreign = |variable: &TermId| !parameters.contains(variable);
        if allowed == Some(true) || self.terms.variables(formula).iter().any(foreign) {
            return None;
        }
        let negation = self.terms.not(formula);
        let instance = self.terms.substitute(negation, &view.substitution);
        self.entails(&view.believed, instance).then_some(negation)
    }
}
