//! Covering a new goal: by a memo entry or by a looping parent, without giving anything up if possible, otherwise by marking
//! header candidates min (seed 003, SUBSUMED and NONPATHINV).
//!
//! Marking a candidate min weakens every state below the header at once, because stores read the header's marks. What was
//! closed below must still be closed: the requirements gathered on the derivation are asked again, and if one no longer
//! follows, that is a conflict at the header, which is explored anew under the weaker beliefs (a *revision*). Memo entries
//! survive that: what they say does not depend on what the header believes.

use super::annotation::Annotation;
use super::entailment::{all_follow, all_hold, formulas_that_fail, is_false_here};
use super::frontier::Frontier;
use super::ids::{EntryId, StateId};
use super::kernel::Kernel;
use super::memo::Memo;
use super::requirement::{Purposes, Requirement};
use super::state::Status;
use crate::terms::TermId;
use std::collections::BTreeSet;

/// What came of trying to cover a goal.
pub(super) enum Cover {
    /// It is covered, as the status says, and that requires this of it.
    Covered(Status, Requirement),
    /// It would be covered, but what was given up for it at this header is what an earlier branch there needed.
    Conflict(StateId),
    /// It is not covered.
    Open,
}

/// What came of giving candidates up to cover a goal.
enum Attempt {
    Covered,
    Conflict(StateId),
    /// Nothing changed.
    Failed,
}

/// Covers a goal if it can.
pub(super) fn cover(kernel: &mut Kernel, frontier: &mut Frontier, memo: &mut Memo, goal: StateId) -> Cover {
    let predicate = frontier.state(goal).predicate;
    let tried = kernel.limits().covers_tried;
    if let Some(entry) = covering_entry(kernel, frontier, memo, goal) {
        return by_entry(frontier, memo, entry);
    }
    let open = frontier.looping_parents(predicate).iter().rev().copied();
    // Without an annotation there is nothing that could hold again.
    let cuts = open.filter(|parent| frontier.annotation(*parent).is_some());
    let parents: Vec<StateId> = cuts.take(tried).collect();
    for parent in &parents {
        let annotation = frontier.annotation(*parent).into_iter();
        let believed: Vec<TermId> = annotation.flat_map(Annotation::believed).collect();
        if all_hold(kernel, frontier, goal, &believed) {
            return by_ancestor(frontier, *parent);
        }
    }
    for parent in &parents {
        match give_up_for_ancestor(kernel, frontier, goal, *parent) {
            Attempt::Covered => return by_ancestor(frontier, *parent),
            Attempt::Conflict(header) => return Cover::Conflict(header),
            Attempt::Failed => {}
        }
    }
    for entry in memo.newest_of(predicate, tried) {
        match give_up_for_entry(kernel, frontier, memo, goal, entry) {
            Attempt::Covered => return by_entry(frontier, memo, entry),
            Attempt::Conflict(header) => return Cover::Conflict(header),
            Attempt::Failed => {}
        }
    }
    Cover::Open
}

fn by_entry(frontier: &Frontier, memo: &Memo, id: EntryId) -> Cover {
    let entry = memo.entry(id);
    let mut requirement = entry.requirement.clone();
    requirement
        .literals
        .retain(|literal| frontier.is_needed(&literal.purposes));
    requirement.uses = BTreeSet::from([id]);
    Cover::Covered(Status::CoveredByMemo(entry.state), requirement)
}

fn by_ancestor(frontier: &Frontier, parent: StateId) -> Cover {
    let Some(annotation) = frontier.annotation(parent) else {
        debug_assert!(false, "only cuts cover");
        return Cover::Open;
    };
    let mut requirement = Requirement::default();
    requirement.dependencies.insert(parent);
    for position in annotation.believed_positions() {
        requirement.require(annotation.formula(position), &Purposes::candidate((parent, position)));
    }
    Cover::Covered(Status::CoveredByAncestor(parent), requirement)
}

/// The newest of the memo's entries whose literals all hold at a goal, unless too many only seem to.
pub(super) fn covering_entry(
    kernel: &mut Kernel,
    frontier: &Frontier,
    memo: &mut Memo,
    goal: StateId,
) -> Option<EntryId> {
    let tried = kernel.limits().covers_tried;
    let predicate = frontier.state(goal).predicate;
    let entries = match &frontier.state(goal).witness {
        Some(witness) => {
            let is_false = |formula| kernel.terms.holds(formula, witness) == Some(false);
            memo.unrefuted(predicate, is_false, |purposes| frontier.is_needed(purposes))
        }
        None => memo.newest_of(predicate, tried),
    };
    for id in entries.into_iter().take(tried) {
        // There may be a hundred literals in each.
        if kernel.budget.interruption().is_some() {
            return None;
        }
        let formulas = frontier.needed_formulas(&memo.entry(id).requirement);
        if all_hold(kernel, frontier, goal, &formulas) {
            return Some(id);
        }
    }
    None
}

/// Positions of the believed candidates of a looping parent that the goal's witness refutes: no query is needed.
fn candidates_refuted_by_witness(kernel: &Kernel, frontier: &Frontier, goal: StateId, parent: StateId) -> Vec<usize> {
    let refuted = |annotation: &Annotation| {
        let mut positions = annotation.believed_positions();
        positions.retain(|position| is_false_here(&kernel.terms, frontier, goal, annotation.formula(*position)));
        positions
    };
    frontier.annotation(parent).map_or_else(Vec::new, refuted)
}

/// Positions of the believed candidates of a looping parent that do not hold again at a goal.
fn candidates_that_fail(kernel: &mut Kernel, frontier: &Frontier, goal: StateId, parent: StateId) -> Vec<usize> {
    let Some(annotation) = frontier.annotation(parent) else {
        return Vec::new();
    };
    let positions = annotation.believed_positions();
    let formulas = annotation.formulas_at(&positions);
    let failing = formulas_that_fail(kernel, frontier, goal, &formulas);
    failing.into_iter().map(|position| positions[position]).collect()
}

/// Marks min what does not hold again, until the rest holds together (Houdini's fixpoint); not if one of them is max.
fn give_up_for_ancestor(kernel: &mut Kernel, frontier: &mut Frontier, goal: StateId, parent: StateId) -> Attempt {
    let saved = frontier.annotation(parent).cloned();
    let mut failing = candidates_refuted_by_witness(kernel, frontier, goal, parent);
    loop {
        if !give_up(frontier, parent, &failing) {
            restore(frontier, parent, saved);
            return Attempt::Failed;
        }
        failing = candidates_that_fail(kernel, frontier, goal, parent);
        if failing.is_empty() {
            return validated(kernel, frontier, parent);
        }
    }
}

/// Gives up the candidates that the failing literals of an entry serve, if they serve nothing else and belong to one open
/// header (seed 003, example 3: the covered path is not executed to its end, so what it changes counts as changed).
fn give_up_for_entry(
    kernel: &mut Kernel,
    frontier: &mut Frontier,
    memo: &Memo,
    goal: StateId,
    entry: EntryId,
) -> Attempt {
    let entry = memo.entry(entry);
    if !entry.valid || entry.requirement.dependencies.is_empty() {
        return Attempt::Failed;
    }
    // What safety needs cannot be given up, and a point where it is false is known without a query. That settles most.
    let needed_for_safety = entry
        .requirement
        .literals
        .iter()
        .filter(|literal| literal.purposes.safety);
    if needed_for_safety
        .clone()
        .any(|literal| is_false_here(&kernel.terms, frontier, goal, literal.formula))
    {
        return Attempt::Failed;
    }
    // If one of these fails, it does not matter what else does.
    let safety: Vec<TermId> = needed_for_safety.map(|literal| literal.formula).collect();
    if !all_hold(kernel, frontier, goal, &safety) {
        return Attempt::Failed;
    }
    let mut needed = entry.requirement.clone();
    needed.literals.retain(|literal| frontier.is_needed(&literal.purposes));
    let failing = formulas_that_fail(kernel, frontier, goal, &needed.formulas());
    let mut served = BTreeSet::new();
    for position in failing {
        let purposes = &needed.literals[position].purposes;
        if purposes.safety {
            return Attempt::Failed;
        }
        served.extend(purposes.candidates.iter().copied());
    }
    let headers: BTreeSet<StateId> = served.iter().map(|(header, _)| *header).collect();
    let [header] = headers.into_iter().collect::<Vec<StateId>>()[..] else {
        return Attempt::Failed;
    };
    let positions: Vec<usize> = served.into_iter().map(|(_, position)| position).collect();
    let saved = frontier.annotation(header).cloned();
    if !give_up(frontier, header, &positions) {
        return Attempt::Failed;
    }
    // The goal itself believes less now.
    let formulas = frontier.needed_formulas(&needed);
    if !all_hold(kernel, frontier, goal, &formulas) {
        restore(frontier, header, saved);
        return Attempt::Failed;
    }
    validated(kernel, frontier, header)
}

fn give_up(frontier: &mut Frontier, header: StateId, positions: &[usize]) -> bool {
    let annotation = frontier.annotation_mut(header);
    annotation.is_some_and(|annotation| annotation.give_up(positions))
}

fn restore(frontier: &mut Frontier, header: StateId, saved: Option<Annotation>) {
    if let (Some(annotation), Some(saved)) = (frontier.annotation_mut(header), saved) {
        *annotation = saved;
    }
}

/// After candidates of `header` were given up: covered if everything on the derivation still follows.
fn validated(kernel: &mut Kernel, frontier: &mut Frontier, header: StateId) -> Attempt {
    match derivation_still_valid(kernel, frontier, header) {
        true => Attempt::Covered,
        false => Attempt::Conflict(header),
    }
}

fn derivation_still_valid(kernel: &mut Kernel, frontier: &mut Frontier, header: StateId) -> bool {
    let derivation = frontier.derivation();
    let Some(first) = derivation.iter().position(|frame| frame.state == header) else {
        return false;
    };
    let states: Vec<StateId> = derivation[first..].iter().map(|frame| frame.state).collect();
    for (index, state) in states.into_iter().enumerate() {
        if index > 0 && !inner_cut_still_valid(kernel, frontier, state) {
            return false;
        }
        let formulas = frontier.needed_formulas(&frontier.derivation()[first + index].requirement);
        let store = frontier.outgoing(kernel.program, state);
        let believed = frontier.believed(&store);
        let substitution = kernel.instance(frontier.state(state).predicate, &store.arguments);
        if !all_follow(kernel, &believed, &substitution, &formulas) {
            return false;
        }
    }
    true
}

/// An inner cut was made from beliefs that may be gone: whether what it believes still follows. Those of its given-up
/// candidates that its store no longer implies are forgotten: a restart must not believe them again.
fn inner_cut_still_valid(kernel: &mut Kernel, frontier: &mut Frontier, cut: StateId) -> bool {
    let Some(annotation) = frontier.annotation(cut) else {
        return true;
    };
    let believed: Vec<_> = annotation.believed().collect();
    let given_up = annotation.given_up_positions();
    let formulas = annotation.formulas_at(&given_up);
    if !all_hold(kernel, frontier, cut, &believed) {
        return false;
    }
    let failing = formulas_that_fail(kernel, frontier, cut, &formulas);
    let failing: Vec<usize> = failing.into_iter().map(|index| given_up[index]).collect();
    if let Some(annotation) = frontier.annotation_mut(cut) {
        annotation.forget(&failing);
    }
    true
}
