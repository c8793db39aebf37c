//! Interpolants: formulas that follow from a goal's store and exclude what must not happen there (seed 003, INTERP and its
//! remark on approximating weakest preconditions; seed 004, interpolation by cores).
//!
//! Everything rests on one question, [`separate`]: a store excludes some *bad* conjunction; which formula over the
//! parameters follows from the store and still excludes it, the weaker the better? Tried in this order: the negation of one
//! bad conjunct; the negation of one consequence of the bad conjuncts over the variables that the store's reason speaks of;
//! the projection of a minimal core of the store; the negation of all bad conjuncts together, a disjunction; and last a
//! combination of Farkas for each case of the two (`cases`).

use super::annotation::{Annotation, Equalities};
use super::frontier::Frontier;
use super::ids::StateId;
use super::kernel::Kernel;
use super::options::Interpolation;
use super::state::Store;
use crate::rules::PredicateId;
use crate::steps::TransitionId;
use crate::steps::elimination::{flatten, project};
use crate::steps::projection::defining;
use crate::terms::{Assignment, Substitution, TermId};
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

/// The view from which a state's reducts start, ready for one of its transitions.
pub(super) fn view(kernel: &mut Kernel, frontier: &Frontier, source: StateId, transition: TransitionId) -> View {
    let store = frontier.outgoing(kernel.program, source);
    let substitution = kernel.instantiation(frontier.state(source).predicate, &store, transition);
    view_of(frontier, source, store, substitution)
}

/// The view of a state as it was reached, before it became a cut.
pub(super) fn incoming_view(kernel: &Kernel, frontier: &Frontier, state: StateId) -> View {
    let store = frontier.state(state).incoming.clone();
    let substitution = kernel.instance(frontier.state(state).predicate, &store.arguments);
    view_of(frontier, state, store, substitution)
}

fn view_of(frontier: &Frontier, state: StateId, store: Store, substitution: Substitution) -> View {
    View {
        predicate: frontier.state(state).predicate,
        believed: frontier.believed(&store),
        arguments: store.arguments,
        substitution,
        witness: frontier.state(state).witness.clone(),
    }
}

/// Conjuncts over the view's parameters that follow from its store and exclude `bad`, whose conjuncts are over the
/// parameters and variables foreign to the store. `None` if none was found, or the store is not known to exclude it.
pub(super) fn separate(kernel: &mut Kernel, view: &View, bad: &[TermId]) -> Option<Vec<TermId>> {
    let bad = flatten(&kernel.terms, bad);
    if bad.contains(&TermId::FALSE) {
        return Some(Vec::new());
    }
    let parameters = kernel.parameters(view.predicate);
    let weakest = kernel.options.interpolation == Interpolation::WeakestPrecondition;
    if weakest && let Some(negation) = negation_that_follows(kernel, view, &bad) {
        return Some(vec![negation]);
    }
    let instance = kernel.terms.substitute_all(&bad, &view.substitution);
    let core = kernel.solver.minimal_core(&kernel.terms, &instance, &view.believed)?;
    let core: Vec<TermId> = core.into_iter().map(|position| view.believed[position]).collect();
    let reason = if view.arguments == parameters {
        core
    } else {
        kernel.project(view.predicate, &view.arguments, &core)
    };
    if weakest {
        let spoken_of = kernel.terms.variables_of_all(&reason);
        let consequences = project(&mut kernel.terms, &spoken_of, &bad);
        if let Some(negation) = negation_that_follows(kernel, view, &consequences) {
            return Some(vec![negation]);
        }
    }
    conjuncts_of_reason(kernel, &bad, reason)
        .or_else(|| negated_consequences(kernel, view, &bad))
        .or_else(|| combinations_by_cases(kernel, view, &bad))
}

/// Those conjuncts of the store's reason that exclude `bad`, equalities as halves: often one suffices.
fn conjuncts_of_reason(kernel: &mut Kernel, bad: &[TermId], reason: Vec<TermId>) -> Option<Vec<TermId>> {
    let mut halves = Annotation::new(Equalities::Halved);
    for formula in reason {
        halves.offer(&mut kernel.terms, formula);
    }
    let halves: Vec<TermId> = halves.believed().collect();
    let kept = kernel.solver.minimal_core(&kernel.terms, bad, &halves)?;
    Some(kept.into_iter().map(|position| halves[position]).collect())
}

/// The negation of all that `bad` says about the parameters, a disjunction, if the store implies it.
fn negated_consequences(kernel: &mut Kernel, view: &View, bad: &[TermId]) -> Option<Vec<TermId>> {
    let parameters = kernel.parameters(view.predicate);
    let consequences = project(&mut kernel.terms, parameters, bad);
    let instance = kernel.terms.substitute_all(&consequences, &view.substitution);
    let kept = kernel.solver.minimal_core(&kernel.terms, &view.believed, &instance)?;
    let conjunction: Vec<TermId> = kept.into_iter().map(|position| consequences[position]).collect();
    let conjunction = kernel.terms.and(&conjunction);
    Some(vec![kernel.terms.not(conjunction)])
}

/// What is left: both sides are split into conjunctions of linear atoms. They have the primed parameters in common and
/// nothing else.
fn combinations_by_cases(kernel: &mut Kernel, view: &View, bad: &[TermId]) -> Option<Vec<TermId>> {
    let parameters = kernel.parameters(view.predicate);
    let primed = kernel.primed.of(&mut kernel.terms, kernel.program, view.predicate);
    let mut store = defining(&mut kernel.terms, &primed, &view.arguments);
    store.extend_from_slice(&view.believed);
    let prime = Substitution::of(&kernel.terms, parameters, &primed);
    let bad = kernel.terms.substitute_all(bad, &prime);
    let unprime = Substitution::of(&kernel.terms, &primed, parameters);
    let interpolant = kernel.interpolate_by_cases(&store, &bad)?;
    let interpolant = kernel.terms.substitute(interpolant, &unprime);
    is_over(kernel, view.predicate, interpolant).then(|| kernel.terms.conjuncts(interpolant))
}

/// The negation of the first of `formulas` that is over the parameters alone and that the store excludes.
fn negation_that_follows(kernel: &mut Kernel, view: &View, formulas: &[TermId]) -> Option<TermId> {
    formulas
        .iter()
        .find_map(|formula| negation_if_it_follows(kernel, view, *formula))
}

/// The negations of all `formulas` that are over the view's parameters alone and that its store excludes.
pub(super) fn negations_that_follow(kernel: &mut Kernel, view: &View, formulas: &[TermId]) -> Vec<TermId> {
    let formulas = flatten(&kernel.terms, formulas);
    formulas
        .iter()
        .filter_map(|formula| negation_if_it_follows(kernel, view, *formula))
        .collect()
}

fn negation_if_it_follows(kernel: &mut Kernel, view: &View, formula: TermId) -> Option<TermId> {
    let witness = view.witness.as_ref();
    let allowed = witness.and_then(|witness| kernel.terms.holds(formula, witness));
    if allowed == Some(true) || !is_over(kernel, view.predicate, formula) {
        return None;
    }
    let negation = kernel.terms.not(formula);
    let instance = kernel.terms.substitute(negation, &view.substitution);
    kernel.entails(&view.believed, instance).then_some(negation)
}

/// Whether a formula is over the parameters of a predicate and nothing else.
pub(super) fn is_over(kernel: &Kernel, predicate: PredicateId, formula: TermId) -> bool {
    kernel.terms.mentions_only(formula, kernel.parameters(predicate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::kernel::tests::with_kernel;
    use crate::solver::Answer;
    use crate::terms::SortId;
    use proptest::prelude::*;

    /// Coefficients of two variables, a constant, and which comparison with zero.
    type Atom = (i64, i64, i64, u8);

    fn atoms(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Atom>> {
        prop::collection::vec((-2i64..=2, -2i64..=2, -3i64..=3, 0u8..4), count)
    }

    fn formula(kernel: &mut Kernel, [x, y]: [TermId; 2], (a, b, constant, comparison): Atom) -> TermId {
        let terms = &mut kernel.terms;
        let [a, b, constant, zero] = [a, b, constant, 0].map(|number| terms.integer(number));
        let (ax, by) = (terms.multiply(a, x), terms.multiply(b, y));
        let sum = terms.add(ax, by);
        let sum = terms.add(sum, constant);
        match comparison {
            0 => terms.equal(sum, zero),
            1 => terms.less(sum, zero),
            2 => {
                let equal = terms.equal(sum, zero);
                terms.not(equal)
            }
            _ => terms.less_or_equal(sum, zero),
        }
    }

    proptest! {
        #[test]
        fn an_interpolant_follows_from_the_store_excludes_the_rest_and_is_over_the_parameters(
            store in atoms(1..5),
            bad in atoms(1..5),
            shift in -2i64..=2,
        ) {
            with_kernel("?- p(0, 0). p(X, Y) :- p(Y, X). p(X, Y) :- X > Y, error.", |kernel| {
                let predicate = PredicateId::from_index(2);
                let parameters = kernel.parameters(predicate);
                let [u, v, w] = [0, 1, 2].map(|number| kernel.local_variable(SortId::INT, number));
                let shift = kernel.terms.integer(shift);
                let arguments = vec![kernel.terms.add(u, shift), kernel.terms.add(u, v)];
                let believed: Vec<TermId> = store.into_iter().map(|atom| formula(kernel, [u, v], atom)).collect();
                // One half of what must not happen is over the parameters, the other speaks of a foreign variable, too.
                let bad: Vec<TermId> = bad
                    .into_iter()
                    .enumerate()
                    .map(|(index, atom)| formula(kernel, [parameters[index % 2], [parameters[1], w][index % 2]], atom))
                    .collect();
                let view = View {
                    predicate,
                    substitution: kernel.instance(predicate, &arguments),
                    arguments,
                    believed,
                    witness: None,
                };
                let Some(interpolant) = separate(kernel, &view, &bad) else {
                    return Ok(());
                };
                prop_assert!(interpolant.iter().all(|formula| is_over(kernel, predicate, *formula)));
                for formula in kernel.terms.substitute_all(&interpolant, &view.substitution) {
                    prop_assert!(kernel.entails(&view.believed, formula), "it does not follow from the store");
                }
                let answer = kernel.solver.check(&kernel.terms, &interpolant, &bad);
                prop_assert_eq!(answer, Answer::Unsatisfiable, "it does not exclude what it should");
                Ok(())
            })?;
        }
    }
}
