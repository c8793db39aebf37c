//! Cuts: a loop header's store becomes candidates over the header's parameters, and stores begin anew there (seed 003, ⟦σ⟧
//! and NONPATHINV; seed 004 on abstraction at loops).

use super::annotation::Annotation;
use super::candidates::NewCut;
use super::entailment::formulas_that_fail;
use super::frontier::Frontier;
use super::ids::StateId;
use super::kernel::Kernel;
use super::strategy::Tactics;

/// Makes a loop header a cut: its candidates are what the strategy's sources offer, in their order.
pub(super) fn make_cut(kernel: &mut Kernel, frontier: &mut Frontier, tactics: &mut Tactics, header: StateId) {
    let state = frontier.state(header);
    let parent = frontier.looping_parents(state.predicate).last().copied();
    let believed = frontier.believed(&state.incoming);
    let cut = NewCut::new(kernel, state.predicate, parent.is_some());
    let cut = cut.with_store(state.incoming.arguments.clone(), believed);
    let mut annotation = Annotation::new(tactics.equalities);
    for source in &mut tactics.sources {
        let formulas = source.formulas(kernel, &cut);
        let failing = match source.is_guess() {
            true => formulas_that_fail(kernel, frontier, header, &formulas),
            false => Vec::new(),
        };
        for (position, formula) in formulas.into_iter().enumerate() {
            if !failing.contains(&position) {
                annotation.offer(&mut kernel.terms, formula);
            }
        }
    }
    frontier.cut(header, annotation);
    let parent = parent.and_then(|parent| frontier.annotation(parent).cloned());
    if let Some(parent) = parent {
        for rule in &tactics.locks {
            rule.lock_at_unrolling(kernel, &parent, header, frontier);
        }
    }
}
