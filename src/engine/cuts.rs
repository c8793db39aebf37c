//! Cuts: a loop header's store becomes candidates over the header's parameters, and stores begin anew there (seed 003, ⟦σ⟧
//! and NONPATHINV; seed 004 on abstraction at loops).

use super::affine::AffineEquations;
use super::candidates;
use super::conserved::Displacements;
use super::interpolation::View;
use super::search::Search;
use super::state::{Header, StateId};
use super::strategy::Abstraction;
use crate::rules::PredicateId;
use crate::steps::Target;
use crate::steps::projection::defining;
use crate::terms::{Comparison, Substitution, TermId};
use std::rc::Rc;

impl Search<'_> {
    /// Makes a loop header a cut: its candidates are what its store says about its parameters, and what is offered.
    pub fn make_cut(&mut self, state: StateId) {
        let mut header = match self.policy.abstraction {
            Abstraction::Offered => Header::default(),
            _ => self.header_from_store(state),
        };
        let offered = self.offered.of(self.states[state.index()].predicate).to_vec();
        let failing = self.formulas_that_fail(state, &offered);
        for (position, formula) in offered.into_iter().enumerate() {
            if !failing.contains(&position) {
                candidates::add(&mut self.terms, &mut header, formula, self.policy.slackening);
            }
        }
        self.states[state.index()].header = Some(header);
        if self.policy.locks_control {
            self.lock_control_variables(state);
        }
    }

    fn header_from_store(&mut self, state: StateId) -> Header {
        let predicate = self.states[state.index()].predicate;
        let projected = self.projected_store(state);
        let parameters = self.program.predicate(predicate).parameters.clone();
        let changing = self.changing_parameters(predicate);
        let mut header = candidates::header(&mut self.terms, &projected, &parameters, &changing, &self.policy);
        if !self.looping_parents(predicate).is_empty() {
            for formula in self.candidates_by_linear_algebra(state, &projected) {
                candidates::add(&mut self.terms, &mut header, formula, self.policy.slackening);
            }
        }
        header
    }

    /// What the store in which a state was reached says about its parameters.
    fn projected_store(&mut self, state: StateId) -> Vec<TermId> {
        let store = self.states[state.index()].incoming.clone();
        let believed = self.believed(&store);
        self.project_on_parameters(self.states[state.index()].predicate, &store.arguments, &believed)
    }

    /// Equations and bounds that linear algebra guesses of a loop and that hold at this header as it was reached. They are
    /// offered to unrollings only: a loop that is not unrolled needs none, and there they would only be in the way.
    fn candidates_by_linear_algebra(&mut self, state: StateId, projected: &[TermId]) -> Vec<TermId> {
        if !self.policy.linear_algebra {
            return Vec::new();
        }
        let predicate = self.states[state.index()].predicate;
        let changing = self.changing_parameters(predicate);
        let mut found = self.affine_candidates(predicate, &changing);
        let failing = self.formulas_that_fail(state, &found);
        let mut position = 0..found.len();
        found.retain(|_| position.next().is_some_and(|position| !failing.contains(&position)));
        found.extend(self.conserved_bounds(predicate, projected));
        found
    }

    /// Bounds of what the loop conserves.
    fn conserved_bounds(&mut self, predicate: PredicateId, projected: &[TermId]) -> Vec<TermId> {
        let primed = self.primed_parameters.of(&mut self.terms, self.program, predicate);
        let (program, graph, transitions, terms) = (self.program, &self.graph, &self.transitions, &mut self.terms);
        let compute = || Displacements::new(program, graph, transitions, terms, predicate, &primed).map(Rc::new);
        let displacements = self.displacements.entry(predicate).or_insert_with(compute).clone();
        displacements.map_or_else(Vec::new, |known| known.bounds(&mut self.terms, projected))
    }

    /// Linear equations that relate what the loop changes.
    fn affine_candidates(&mut self, predicate: PredicateId, changing: &[TermId]) -> Vec<TermId> {
        let (program, graph, transitions) = (self.program, &self.graph, &self.transitions);
        let terms = &mut self.terms;
        let equations = self
            .affine
            .get_or_insert_with(|| AffineEquations::new(program, graph, transitions, terms));
        let mut candidates = Vec::new();
        for form in equations.of(predicate) {
            let sorts = form.terms.iter().map(|(term, _)| terms.sort(*term));
            let [(first, _), _, ..] = &form.terms[..] else {
                continue;
            };
            let sort = terms.sort(*first);
            let of_one_sort = sorts.into_iter().all(|other| other == sort);
            if of_one_sort && form.terms.iter().any(|(term, _)| changing.contains(term)) {
                candidates.push(terms.linear_formula(form, Comparison::Equal, sort));
            }
        }
        candidates
    }

    /// The parameters of a loop header that some transition of its loop may change.
    fn changing_parameters(&self, predicate: PredicateId) -> Vec<TermId> {
        let parameters = &self.program.predicate(predicate).parameters;
        let mut changing = vec![false; parameters.len()];
        for index in 0..self.program.predicates().len() {
            let from = PredicateId::from_index(index);
            if !self.graph.same_loop(from, predicate) || !self.graph.is_reachable(from) {
                continue;
            }
            let own = &self.program.predicate(from).parameters;
            for id in self.transitions.of(from) {
                let transition = self.transitions.get(*id);
                let Target::Goal(target) = transition.target else {
                    continue;
                };
                if !self.graph.same_loop(target, predicate) {
                    continue;
                }
                // A parameter is unchanged if it is handed on at its own position; predicates of one loop usually share
                // the list of variables. Calling it changing when it is not costs candidates, nothing else.
                for (position, change) in changing.iter_mut().enumerate() {
                    *change |= transition.updates.get(position) != own.get(position);
                }
            }
        }
        let chosen = parameters.iter().zip(changing).filter(|(_, changes)| *changes);
        chosen.map(|(parameter, _)| *parameter).collect()
    }

    /// `constraints` over the goal's arguments as conjuncts over the predicate's parameters: as strong as elimination can.
    pub fn project_on_parameters(
        &mut self,
        predicate: PredicateId,
        arguments: &[TermId],
        constraints: &[TermId],
    ) -> Vec<TermId> {
        self.primed_parameters
            .project(&mut self.terms, self.program, predicate, arguments, constraints)
    }

    /// A view's store and what it excludes as two conjunctions that have the primed parameters in common and nothing else,
    /// and the substitution that takes the primes away.
    pub fn apart(&mut self, view: &View, bad: &[TermId]) -> (Vec<TermId>, Vec<TermId>, Substitution) {
        let parameters = self.program.predicate(view.predicate).parameters.clone();
        let primed = self.primed_parameters.of(&mut self.terms, self.program, view.predicate);
        let mut store = defining(&mut self.terms, &primed, &view.arguments);
        store.extend_from_slice(&view.believed);
        let there = Substitution::of(&self.terms, &parameters, &primed);
        let bad = self.terms.substitute_all(bad, &there);
        let back = Substitution::of(&self.terms, &primed, &parameters);
        (store, bad, back)
    }
}
