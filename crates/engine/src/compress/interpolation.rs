//! Interpolants of states inside a loop: what a state must say for everything found below it to hold (seed 000, remark (A),
//! which leaves the method open; seeds 003 and 004 have it).
//!
//! Wherever possible the formula is the weakest precondition of what is needed, if that is a literal without inputs that the
//! state implies; otherwise a minimal part of the state; and a disjunction only as the last resort.

use super::biid::{Exploration, Halt};
use crate::steps::Transition;
use crate::steps::elimination::project;
use crate::terms::{Substitution, TermId};

impl Exploration<'_, '_, '_> {
    /// Notes what the topmost state needs for a formula over the parameters of the transition's target to hold behind it.
    /// It does hold there.
    pub fn require(&mut self, transition: &Transition, formula: TermId) -> Result<(), Halt> {
        let target = super::symbolic::target_of(transition);
        let parameters = &self.context.program.predicate(target).parameters;
        let substitution = Substitution::of(&self.context.terms, parameters, &transition.updates);
        let before = self.context.terms.substitute(formula, &substitution);
        if before == TermId::TRUE {
            return Ok(());
        }
        if !self.mentions_inputs(transition, before) && self.note_if_implied(before)? {
            return Ok(());
        }
        let denial = self.context.terms.not(before);
        self.exclude(transition, &[denial])
    }

    /// Notes why the topmost state does not allow a transition.
    pub fn explain_infeasible(&mut self, transition: &Transition) -> Result<(), Halt> {
        let mut reasons = Vec::new();
        for formula in &transition.guard {
            if !self.mentions_inputs(transition, *formula) {
                reasons.push(self.context.terms.not(*formula));
            }
        }
        let top = self.top()?;
        if reasons.iter().any(|reason| top.requirement.contains(reason)) {
            return Ok(());
        }
        for reason in reasons {
            if self.note_if_implied(reason)? {
                return Ok(());
            }
        }
        self.exclude(transition, &[])
    }

    /// Adds a formula over the parameters to what the topmost state needs, if the state implies it.
    fn note_if_implied(&mut self, formula: TermId) -> Result<bool, Halt> {
        let top = self.top()?;
        if top.requirement.contains(&formula) {
            return Ok(true);
        }
        let state = top.state.clone();
        let wanted = self.context.instance(&state, formula);
        if !self.context.entails(&state.store, wanted) {
            return Ok(false);
        }
        self.top()?.requirement.push(formula);
        Ok(true)
    }

    /// Notes what it takes for a transition's guard and further formulas to be unsatisfiable together.
    fn exclude(&mut self, transition: &Transition, further: &[TermId]) -> Result<(), Halt> {
        let mut fixed = transition.guard.clone();
        fixed.extend_from_slice(further);
        let evaluation = match self.top()?.evaluation.clone() {
            Some(evaluation) => evaluation,
            None => {
                let state = self.top()?.state.clone();
                let evaluation = self.context.evaluation(&state);
                self.top()?.evaluation = Some(evaluation.clone());
                evaluation
            }
        };
        let core = self
            .context
            .solver
            .minimal_core(&self.context.terms, &fixed, &evaluation);
        if let Some(core) = core {
            for position in core {
                let literal = evaluation[position];
                let top = self.top()?;
                if !top.requirement.contains(&literal) {
                    top.requirement.push(literal);
                }
            }
            return Ok(());
        }
        // What the inputs leave of it, negated: all that can be said where the state has no words of its own for it.
        let predicate = self.top()?.state.predicate;
        let parameters = self.context.program.predicate(predicate).parameters.clone();
        let possible = project(&mut self.context.terms, &parameters, &fixed);
        let terms = &mut self.context.terms;
        let denials: Vec<TermId> = possible.iter().map(|formula| terms.not(*formula)).collect();
        let denial = terms.or(&denials);
        match self.note_if_implied(denial)? {
            true => Ok(()),
            false => Err(Halt::GivenUp),
        }
    }

    fn mentions_inputs(&self, transition: &Transition, formula: TermId) -> bool {
        let variables = self.context.terms.variables(formula);
        variables.iter().any(|variable| transition.locals.contains(variable))
    }
}
