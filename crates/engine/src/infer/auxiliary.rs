//! Auxiliary candidates: conditions that are not shown, but that others are proved with.
//!
//! An octagonal inequality or a polynomial equality cannot say that something holds only after a loop, or only if a flag is
//! set. Implications can; they are proved together with the other candidates.

use super::candidate::{Candidate, Kind, Shape};
use super::guesses::guesses;
use super::inference::Search;
use super::options::Options;
use super::steps::Step;
use crate::polynomials::State;
use crate::rules::PredicateId;
use crate::terms::{Substitution, TermId, Terms};

/// As many conditions are looked at for each place.
const CONDITIONS: usize = 6;
/// As many candidates at an end of runs are pulled back to the place before.
const PULLED_BACK: usize = 60;

impl Search<'_> {
    /// Linear equalities that hold wherever a condition on what never changes holds: after `if (flag == 1) n = 1;`.
    pub(super) fn conditional(&mut self) -> Vec<Candidate> {
        let mut found = Vec::new();
        for columns in self.columns {
            let states: Vec<State> = self.samples.at(columns.place).to_vec();
            for condition in self.conditions(columns.place) {
                let denial = self.terms.not(condition);
                for (premise, unless) in [(condition, denial), (denial, condition)] {
                    let fits = |state: &&State| columns.holds(&self.terms, premise, state);
                    let chosen: Vec<State> = states.iter().filter(fits).cloned().collect();
                    if chosen.is_empty() || chosen.len() == states.len() {
                        continue;
                    }
                    let options = Options {
                        kinds: vec![Kind::Equality],
                        degree: Some(1),
                        ..self.options.clone()
                    };
                    for candidate in guesses(&mut self.terms, columns, &chosen, &[], &[], &options) {
                        let formula = self.terms.or(&[unless, candidate.formula]);
                        found.push(auxiliary(columns.place, formula));
                    }
                }
            }
        }
        found
    }

    /// Conditions over the parameters of a place that its loop does not change, as the rules have them that lead to it or
    /// leave it.
    fn conditions(&mut self, place: PredicateId) -> Vec<TermId> {
        let parameters = self.program.predicate(place).parameters.clone();
        let changed = |position: usize| {
            let around = |step: &&Step| step.source == place && step.target == Some(place);
            self.steps
                .iter()
                .filter(around)
                .any(|step| step.updates.get(position) != parameters.get(position))
        };
        let constant: Vec<TermId> = (0..parameters.len())
            .filter(|position| !changed(*position))
            .map(|position| parameters[position])
            .collect();
        let mut found: Vec<TermId> = Vec::new();
        for step in self.steps {
            let mut renaming = Substitution::new();
            if step.target == Some(place) && step.source != place {
                for (parameter, update) in parameters.iter().zip(&step.updates) {
                    if self.terms.is_variable(*update) && renaming.get(*update).is_none() {
                        renaming.insert(&self.terms, *update, *parameter);
                    }
                }
            } else if step.source != place {
                continue;
            }
            for guard in &step.guard {
                let condition = self.terms.substitute(*guard, &renaming);
                let variables = self.terms.variables(condition);
                let about_constants = !variables.is_empty() && variables.iter().all(|v| constant.contains(v));
                let denial = self.terms.not(condition);
                let new = !found.contains(&condition) && !found.contains(&denial);
                if about_constants && new && found.len() < CONDITIONS {
                    found.push(condition);
                }
            }
        }
        found
    }

    /// What the candidates at ends of runs demand of the places before them: that what holds after the last step holds if
    /// the step is taken. So a fact about an end may be proved by induction over the loop before it.
    pub(super) fn pulled_back(&mut self, candidates: &[Candidate]) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        for step in self.steps {
            let ends = |place: PredicateId| self.steps.iter().all(|other| other.source != place);
            let Some(target) = step.target.filter(|target| ends(*target)) else {
                if step.target.is_none()
                    && let Some(formula) = self.unless(step, TermId::FALSE)
                {
                    found.push(auxiliary(step.source, formula));
                }
                continue;
            };
            let parameters = &self.program.predicate(target).parameters;
            let substitution = Substitution::of(&self.terms, parameters, &step.updates);
            for candidate in candidates
                .iter()
                .filter(|candidate| candidate.place == target)
                .take(PULLED_BACK)
            {
                let after = self.terms.substitute(candidate.formula, &substitution);
                if let Some(formula) = self.unless(step, after) {
                    found.push(auxiliary(step.source, formula));
                }
            }
        }
        found.sort_by_key(|candidate| (candidate.place, candidate.formula));
        found.dedup();
        found
    }

    /// That a step is not taken, or a formula over the same variables holds; `None` if that is no formula about the step's
    /// source alone, or is always true. Conditions on what the step leaves open are left out, which demands more.
    fn unless(&mut self, step: &Step, formula: TermId) -> Option<TermId> {
        let parameters = &self.program.predicate(step.source).parameters;
        let about_source = |terms: &Terms, formula: TermId| {
            terms
                .variables(formula)
                .iter()
                .all(|variable| parameters.contains(variable))
        };
        if step.source == PredicateId::QUERY || !about_source(&self.terms, formula) {
            return None;
        }
        let mut parts = vec![formula];
        for guard in &step.guard {
            if about_source(&self.terms, *guard) {
                parts.push(self.terms.not(*guard));
            }
        }
        let formula = self.terms.or(&parts);
        (formula != TermId::TRUE).then_some(formula)
    }
}

/// A candidate that is not shown.
pub(super) fn auxiliary(place: PredicateId, formula: TermId) -> Candidate {
    Candidate {
        place,
        shape: Shape::Auxiliary,
        formula,
        over_parameters: false,
    }
}
