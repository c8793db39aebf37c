//! What follows from the store in which a goal was reached. A goal's witness settles many questions without the solver: what
//! is false for it does not follow.

use super::frontier::Frontier;
use super::ids::StateId;
use super::kernel::Kernel;
use crate::solver::Answer;
use crate::terms::{TermId, Terms};

/// Whether a formula over a goal's parameters is false for its witness.
pub(super) fn is_false_here(terms: &Terms, frontier: &Frontier, state: StateId, formula: TermId) -> bool {
    let witness = frontier.state(state).witness.as_ref();
    witness.is_some_and(|witness| terms.holds(formula, witness) == Some(false))
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
    let goal = frontier.state(state);
    let believed = frontier.believed(&goal.incoming);
    let substitution = kernel.instance(goal.predicate, &goal.incoming.arguments);
    let instances = kernel.terms.substitute_all(formulas, &substitution);
    open.retain(|position| instances[*position] != TermId::TRUE && !believed.contains(&instances[*position]));
    // All at once; a model refutes several together, and the rest is asked again.
    while !open.is_empty() {
        let open_formulas: Vec<TermId> = open.iter().map(|position| instances[*position]).collect();
        let conjunction = kernel.terms.and(&open_formulas);
        let negation = kernel.terms.not(conjunction);
        let mut mentioned = believed.clone();
        mentioned.push(negation);
        let variables = kernel.terms.variables_of_all(&mentioned);
        let (answer, model) = kernel
            .solver
            .check_model(&kernel.terms, &believed, &[negation], &variables);
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
