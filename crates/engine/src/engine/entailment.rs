//! What follows from the store in which a goal was reached. A goal's witness settles many questions without the solver: what
//! is false for it does not follow.

use super::frontier::Frontier;
use super::ids::StateId;
use super::kernel::Kernel;
use crate::solver::Answer;
use crate::terms::{Substitution, TermId, Terms};

/// Whether a formula over a goal's parameters is false for its witness.
pub(super) fn is_false_here(terms: &Terms, frontier: &Frontier, state: StateId, formula: TermId) -> bool {
    let witness = frontier.state(state).witness.as_ref();
    witness.is_some_and(|witness| terms.holds(formula, witness) == Some(false))
}

/// Whether formulas over a goal's parameters all follow from its store as it was reached. What the solver does not know does
/// not follow.
pub(super) fn all_hold(kernel: &mut Kernel, frontier: &Frontier, state: StateId, formulas: &[TermId]) -> bool {
    let terms = &kernel.terms;
    if formulas
        .iter()
        .any(|formula| is_false_here(terms, frontier, state, *formula))
    {
        return false;
    }
    let (believed, substitution) = as_reached(kernel, frontier, state);
    all_follow(kernel, &believed, &substitution, formulas)
}

/// Whether the instances of formulas all follow from a store.
pub(super) fn all_follow(
    kernel: &mut Kernel,
    believed: &[TermId],
    substitution: &Substitution,
    formulas: &[TermId],
) -> bool {
    // One by one: most are settled at a glance, and one that fails is enough.
    formulas.iter().all(|formula| {
        let instance = kernel.terms.substitute(*formula, substitution);
        kernel.entails(believed, instance)
    })
}

/// What is believed of a goal's store as it was reached, and the goal's arguments for its parameters.
fn as_reached(kernel: &Kernel, frontier: &Frontier, state: StateId) -> (Vec<TermId>, Substitution) {
    let goal = frontier.state(state);
    let substitution = kernel.instance(goal.predicate, &goal.incoming.arguments);
    (frontier.believed(&goal.incoming), substitution)
}

/// Positions in `formulas`, which are over the goal's parameters, of those that do not follow from the goal's store as it
/// was reached. What the solver does not know fails.
pub(super) fn formulas_that_fail(
    kernel: &mut Kernel,
    frontier: &Frontier,
    state: StateId,
    formulas: &[TermId],
) -> Vec<usize> {
    let all = 0..formulas.len();
    let (mut failing, mut open): (Vec<usize>, Vec<usize>) =
        all.partition(|position| is_false_here(&kernel.terms, frontier, state, formulas[*position]));
    if open.is_empty() {
        return failing;
    }
    let (believed, substitution) = as_reached(kernel, frontier, state);
    let instances = kernel.terms.substitute_all(formulas, &substitution);
    open.retain(|position| instances[*position] != TermId::TRUE && !believed.contains(&instances[*position]));
    // All at once; a model refutes several together, and the rest is asked again.
    while !open.is_empty() {
        let open_formulas: Vec<TermId> = open.iter().map(|position| instances[*position]).collect();
        let conjunction = kernel.terms.and(&open_formulas);
        let negation = kernel.terms.not(conjunction);
        let (answer, model) = kernel
            .solver
            .check_values(&kernel.terms, &believed, &[negation], &[negation]);
        kernel.count_work();
        if answer == Answer::Unsatisfiable {
            break;
        }
        let before = open.len();
        if let Some(model) = model.filter(|_| answer == Answer::Satisfiable) {
            let (refuted, rest) = open
                .iter()
                .partition(|position| kernel.terms.holds(instances[**position], &model) == Some(false));
            failing.extend::<Vec<usize>>(refuted);
            open = rest;
        }
        if open.len() == before {
            // No model to learn from: one by one.
            for position in std::mem::take(&mut open) {
                if !kernel.entails(&believed, instances[position]) {
                    failing.push(position);
                }
            }
        }
    }
    failing.sort_unstable();
    failing
}
