//! Candidates for loops that run in phases: a variable has its first value still, or a condition of the program holds.
//!
//! In `while (x < n) if (y < m) y++; else x++;` the variable `x` moves only when `y >= m`: `x == a || y >= m`. Such a
//! disjunction is proved with the others and not shown; numbers of iterations by cases follow from it.

use super::auxiliary::auxiliary;
use super::candidate::Candidate;
use super::inference::Search;
use crate::rules::PredicateId;
use crate::terms::{Comparison, Rational, TermId};
use num_traits::One;

/// As many first values and as many conditions are looked at for each place.
const FIRST_VALUES: usize = 8;
const CONDITIONS: usize = 24;

impl Search<'_> {
    /// The disjunctions of a first value and a condition that all states satisfy, neither of which says it alone.
    pub(super) fn phases(&mut self) -> Vec<Candidate> {
        let mut found = Vec::new();
        for columns in self.columns {
            let place = columns.place;
            let first_values = self.first_values(place);
            let conditions = self.compared(place);
            let states = self.samples.at(place);
            let truths = |formula: &TermId| -> Vec<bool> {
                let holds = |state| columns.holds(&self.terms, *formula, state);
                states.iter().map(holds).collect()
            };
            let of_values: Vec<Vec<bool>> = first_values.iter().map(truths).collect();
            let of_conditions: Vec<Vec<bool>> = conditions.iter().map(truths).collect();
            for (value, value_holds) in first_values.iter().zip(&of_values) {
                for (condition, condition_holds) in conditions.iter().zip(&of_conditions) {
                    let always = value_holds.iter().zip(condition_holds).all(|(a, b)| *a || *b);
                    if always && value_holds.contains(&false) && condition_holds.contains(&false) {
                        let formula = self.terms.or(&[*value, *condition]);
                        found.push(auxiliary(place, formula));
                    }
                }
            }
        }
        found
    }

    /// For parameters that a loop changes: that they equal what they are when the loop is entered, a number or another
    /// parameter.
    fn first_values(&mut self, place: PredicateId) -> Vec<TermId> {
        let parameters = self.program.predicate(place).parameters.clone();
        let mut found: Vec<TermId> = Vec::new();
        for step in self.steps {
            if step.target != Some(place) || step.source == place {
                continue;
            }
            for (position, update) in step.updates.iter().enumerate() {
                if !self.terms.sort(*update).is_numeric() || !self.is_changed(place, position) {
                    continue;
                }
                let value = if self.terms.number_value(*update).is_some() {
                    Some(*update)
                } else {
                    let same = |other: &usize| *other != position && step.updates[*other] == *update;
                    let other = (0..step.updates.len()).find(|other| same(other) && !self.is_changed(place, *other));
                    other.map(|other| parameters[other])
                };
                if let Some(value) = value
                    && found.len() < FIRST_VALUES
                {
                    let formula = self.terms.equal(parameters[position], value);
                    if !found.contains(&formula) {
                        found.push(formula);
                    }
                }
            }
        }
        found
    }

    /// Whether some step around a loop changes a parameter.
    fn is_changed(&self, place: PredicateId, position: usize) -> bool {
        let parameters = &self.program.predicate(place).parameters;
        let mut around = self
            .steps
            .iter()
            .filter(|step| step.source == place && step.target == Some(place));
        around.any(|step| step.updates.get(position) != parameters.get(position))
    }

    /// What the steps from a place compare, the opposites, and inequalities weakened by one: what holds after a last step
    /// towards a bound.
    fn compared(&mut self, place: PredicateId) -> Vec<TermId> {
        let parameters = self.program.predicate(place).parameters.clone();
        let mut found: Vec<TermId> = Vec::new();
        for step in self.steps.iter().filter(|step| step.source == place) {
            for guard in &step.guard {
                let variables = self.terms.variables(*guard);
                if !variables.iter().all(|variable| parameters.contains(variable)) {
                    continue;
                }
                let mut formulas = vec![*guard, self.terms.not(*guard)];
                let linear = self.terms.linear_atom(*guard);
                if let Some(mut linear) = linear.filter(|linear| linear.comparison == Comparison::LessOrEqual) {
                    let sort = self.terms.arguments(*guard).first().map(|side| self.terms.sort(*side));
                    linear.form.constant -= Rational::one();
                    let weaker =
                        sort.map(|sort| self.terms.linear_formula(&linear.form, Comparison::LessOrEqual, sort));
                    formulas.extend(weaker);
                }
                for formula in formulas {
                    if !found.contains(&formula) && found.len() < CONDITIONS {
                        found.push(formula);
                    }
                }
            }
        }
        found
    }
}
