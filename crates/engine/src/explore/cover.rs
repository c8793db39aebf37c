//! Covering: a state whose concrete states are all among those of a state at the same location that is explored anyway need not
//! be explored itself. This is not in seed 002, where such a state is explored again and again.
//!
//! Whether one set lies in the other is decided by one query if the larger state can be written as a condition on the parameters
//! alone, that is, if each of its symbols is what some parameter is, but for a known term.

use super::context::Context;
use super::state::State;
use crate::rules::PredicateId;
use crate::solver::Answer;
use crate::steps::elimination::{flatten, solve_equation};
use crate::terms::{Substitution, TermId};
use hashbrown::HashMap;

/// At most so many states of one location are asked whether they cover another.
const MOST_COVERS: usize = 24;

/// The states that may cover others.
#[derive(Default)]
pub(super) struct Covers {
    of: HashMap<PredicateId, Vec<Cover>>,
}

/// A state as a condition on the parameters.
struct Cover {
    node: usize,
    formulas: Vec<TermId>,
    /// What its symbols are, over the parameters.
    solutions: Vec<(TermId, TermId)>,
}

impl Covers {
    /// The node that covers a state; if none does, the state itself may cover others from now on.
    pub fn cover(
        &mut self,
        context: &mut Context,
        predicate: PredicateId,
        state: &State,
        node: usize,
    ) -> Option<usize> {
        let covers = self.of.entry(predicate).or_default();
        let facts: Vec<TermId> = state.condition.facts.iter().copied().collect();
        let substitution = Substitution::of(&context.terms, context.parameters(predicate), &state.memory);
        for cover in covers.iter() {
            let here = context.terms.substitute_all(&cover.formulas, &substitution);
            let here = context.arrays.expand_all(&mut context.terms, &here);
            let inside = context.terms.and(&here);
            let outside = context.terms.not(inside);
            if outside == TermId::FALSE
                || context.solver.check(&context.terms, &facts, &[outside]) == Answer::Unsatisfiable
            {
                return Some(cover.node);
            }
        }
        if covers.len() < MOST_COVERS
            && let Some((formulas, solutions)) = over_parameters(context, predicate, state)
        {
            covers.push(Cover {
                node,
                formulas,
                solutions,
            });
        }
        None
    }

    /// What the symbols of a node that covers others are, over the parameters of its predicate.
    pub fn solutions(&self, predicate: PredicateId, node: usize) -> Option<&[(TermId, TermId)]> {
        let covers = self.of.get(&predicate)?;
        let cover = covers.iter().find(|cover| cover.node == node)?;
        Some(&cover.solutions)
    }
}

/// Formulas over parameters, and the symbols that they were solved for.
type Solved = (Vec<TermId>, Vec<(TermId, TermId)>);

/// The concrete states of a symbolic one as a condition on the parameters, if equations suffice to get rid of the symbols.
fn over_parameters(context: &mut Context, predicate: PredicateId, state: &State) -> Option<Solved> {
    if !state.condition.residual.is_empty() {
        return None;
    }
    // What symbols with a meaning of their own stand for is in no formula.
    let mut roots = state.memory.clone();
    roots.extend(state.condition.facts.iter().copied());
    if context.needs_care(&roots) {
        return None;
    }
    let parameters = context.parameters(predicate);
    let terms = &mut context.terms;
    let mut formulas: Vec<TermId> = Vec::new();
    for (parameter, value) in parameters.iter().zip(&state.memory) {
        formulas.push(terms.equal(*parameter, *value));
    }
    formulas.extend(state.condition.facts.iter().copied());
    let mut formulas = flatten(terms, &formulas);
    let symbol = |variable: TermId| !parameters.contains(&variable);
    let mut solutions: Vec<(TermId, TermId)> = Vec::new();
    while let Some((position, variable, solution)) = formulas.iter().enumerate().find_map(|(position, formula)| {
        solve_equation(terms, *formula, &symbol).map(|(variable, solution)| (position, variable, solution))
    }) {
        formulas.remove(position);
        let mut substitution = Substitution::new();
        substitution.insert(terms, variable, solution);
        let replaced = terms.substitute_all(&formulas, &substitution);
        formulas = flatten(terms, &replaced);
        for (_, earlier) in &mut solutions {
            *earlier = terms.substitute(*earlier, &substitution);
        }
        solutions.push((variable, solution));
    }
    // A symbol that is left says that something exists, which cannot be denied without a quantifier.
    let left = terms.variables_of_all(&formulas);
    left.iter()
        .all(|variable| parameters.contains(variable))
        .then_some((formulas, solutions))
}
