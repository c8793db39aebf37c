//! Closing a state when all its rules are explored: its interpolant goes into the memo table (seed 003, Fig. 2, lines 18 to
//! 25). Closing a loop header also decides which candidates the proof needs.

use super::annotation::Annotation;
use super::frontier::{Frame, Frontier};
use super::ids::{EntryId, StateId};
use super::kernel::Kernel;
use super::memo::Memo;
use super::precondition::{self, EarlierReasons};
use super::reduction::{Reduct, reduce};
use super::requirement::{Purposes, Requirement};
use crate::steps::{StopReason, Target, TransitionId};
use crate::terms::TermId;
use hashbrown::HashSet;

/// Settles the infeasible rules of the goal on top when all others are done. One that would lead to a place known to be
/// safe need not stay infeasible; for the others it is recorded why they are. One that has become feasible, because less is
/// believed by now, is to be explored after all.
pub(super) fn settle_infeasible(
    kernel: &mut Kernel,
    frontier: &mut Frontier,
    memo: &Memo,
    reasons: &mut EarlierReasons,
) -> Result<(), StopReason> {
    let Some(source) = frontier.top().map(|frame| frame.state) else {
        return Ok(());
    };
    for rule in frontier.take_infeasible() {
        if let Some(requirement) = harmless_by_entry(kernel, frontier, memo, rule) {
            frontier.require_of_top(requirement);
            continue;
        }
        match precondition::of_infeasible(kernel, frontier, reasons, source, rule) {
            Ok(requirement) => frontier.require_of_top(requirement),
            Err(inexpressible) => match reduce(kernel, frontier, source, rule) {
                Reduct::Infeasible => return Err(inexpressible),
                Reduct::Feasible(..) => frontier.reopen(rule),
            },
        }
    }
    Ok(())
}

/// What some entry requires that says that the target of a rule is safe wherever the requirement of the goal on top, as it
/// is, holds.
fn harmless_by_entry(kernel: &mut Kernel, frontier: &Frontier, memo: &Memo, rule: TransitionId) -> Option<Requirement> {
    let Target::Goal(target) = kernel.transitions.get(rule).target else {
        return None;
    };
    // A literal that nothing needs any more may have ceased to hold.
    let mut known: HashSet<TermId> = frontier
        .needed_formulas(&frontier.top()?.requirement)
        .into_iter()
        .collect();
    known.insert(TermId::TRUE);
    let entries = memo.newest_of(target, kernel.limits().entries_for_infeasible);
    entries.into_iter().find_map(|id| {
        let required = &memo.entry(id).requirement;
        let mut formulas = Vec::new();
        for literal in &required.literals {
            if frontier.is_needed(&literal.purposes) {
                let formula = kernel.image(rule, target, literal.formula);
                if !known.contains(&formula) {
                    return None;
                }
                formulas.push((formula, &literal.purposes));
            }
        }
        let mut precondition = Requirement::default();
        for (formula, purposes) in formulas {
            precondition.require(formula, purposes);
        }
        precondition.dependencies.extend(required.dependencies.iter().copied());
        precondition.uses.insert(id);
        Some(precondition)
    })
}

/// Stores the interpolant of a state whose rules are all explored. It is off the stack already.
pub(super) fn close(kernel: &mut Kernel, frontier: &mut Frontier, memo: &mut Memo, frame: Frame) -> EntryId {
    let state = frame.state;
    let mut requirement = frame.requirement;
    requirement
        .literals
        .retain(|literal| frontier.is_needed(&literal.purposes));
    let predicate = frontier.state(state).predicate;
    match frontier.annotation_mut(state) {
        Some(annotation) if state != StateId::ROOT => {
            let (interpolant, purposes_of) = interpolant_of_header(kernel, annotation, state, requirement);
            let entry = memo.store(state, predicate, interpolant);
            memo.discharge_dependents(state, entry, &purposes_of);
            entry
        }
        _ => memo.store(state, predicate, requirement),
    }
}

/// The interpolant of a loop header: the candidates that safety needs, those that re-establishing them needs, and so on.
/// They are inductive, for the others only ever served themselves. Beside it, what each candidate serves in the end.
fn interpolant_of_header(
    kernel: &mut Kernel,
    annotation: &mut Annotation,
    header: StateId,
    requirement: Requirement,
) -> (Requirement, Vec<Purposes>) {
    let positions = annotation.locked_first();
    let formulas = annotation.formulas_at(&positions);
    let mut purposes_of = vec![Purposes::default(); annotation.size()];
    let mut supports: Vec<Option<Vec<usize>>> = vec![None; requirement.literals.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (literal, support) in requirement.literals.iter().zip(&mut supports) {
            let served = literal.purposes.discharged(header, &purposes_of);
            if served.serve_nothing() {
                continue;
            }
            let support = support.get_or_insert_with(|| support_of(kernel, literal.formula, &positions, &formulas));
            for position in support.iter() {
                let before = purposes_of[*position].clone();
                purposes_of[*position].merge(&served);
                changed |= purposes_of[*position] != before;
            }
        }
    }
    let mut interpolant = Requirement {
        literals: Vec::new(),
        dependencies: requirement.dependencies,
        uses: requirement.uses,
    };
    interpolant.dependencies.remove(&header);
    let needed = |position: &usize| !purposes_of[*position].serve_nothing();
    let needed: Vec<usize> = (0..annotation.size()).filter(needed).collect();
    for position in &needed {
        interpolant.require(annotation.formula(*position), &purposes_of[*position]);
    }
    annotation.keep(&needed);
    (interpolant, purposes_of)
}

/// Positions of a minimal set of candidates from which a literal follows; all of them if the solver does not know.
fn support_of(kernel: &mut Kernel, literal: TermId, positions: &[usize], formulas: &[TermId]) -> Vec<usize> {
    if let Some(index) = formulas.iter().position(|formula| *formula == literal) {
        return vec![positions[index]];
    }
    let negation = kernel.terms.not(literal);
    match kernel.solver.minimal_core(&kernel.terms, &[negation], formulas) {
        Some(core) => core.into_iter().map(|index| positions[index]).collect(),
        None => positions.to_vec(),
    }
}
