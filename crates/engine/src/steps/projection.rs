//! ⟦σ⟧: what a goal's store says about its predicate's parameters (seed 003; seed 000, section IV, calls it evaluation).
//!
//! The arguments may mention the same parameters, one visit earlier. So the projection is on copies of them, *primed* ones,
//! from which the primes are taken away in the end.

use super::elimination::project;
use crate::rules::{PredicateId, Program};
use crate::terms::{Substitution, TermId, Terms};
use hashbrown::HashMap;

/// The primed parameters of each predicate, made when they are first needed.
#[derive(Default)]
pub(crate) struct PrimedParameters {
    of_predicate: HashMap<PredicateId, Vec<TermId>>,
}

impl PrimedParameters {
    /// The primed parameters of a predicate.
    pub fn of(&mut self, terms: &mut Terms, program: &Program, predicate: PredicateId) -> Vec<TermId> {
        let parameters = &program.predicate(predicate).parameters;
        let make = || {
            let fresh = |parameter: &TermId| {
                let name = format!("{}'", terms.variable_name(*parameter));
                terms.fresh_variable(&name, terms.sort(*parameter))
            };
            parameters.iter().map(fresh).collect()
        };
        self.of_predicate.entry(predicate).or_insert_with(make).clone()
    }

    /// `constraints` over the goal's arguments as conjuncts over the predicate's parameters: as strong as elimination can.
    pub fn project(
        &mut self,
        terms: &mut Terms,
        program: &Program,
        predicate: PredicateId,
        arguments: &[TermId],
        constraints: &[TermId],
    ) -> Vec<TermId> {
        let primed = self.of(terms, program, predicate);
        let mut all = defining(terms, &primed, arguments);
        all.extend_from_slice(constraints);
        let projected = project(terms, &primed, &all);
        let back = Substitution::of(terms, &primed, &program.predicate(predicate).parameters);
        terms.substitute_all(&projected, &back)
    }
}

/// The equations of variables with their values.
pub(crate) fn defining(terms: &mut Terms, variables: &[TermId], values: &[TermId]) -> Vec<TermId> {
    let pairs = variables.iter().zip(values);
    pairs.map(|(variable, value)| terms.equal(*variable, *value)).collect()
}
