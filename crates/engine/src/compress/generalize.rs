//! GENERALIZE (seed 000, Fig. 5): backward from the target, every invariant loses what is not needed.
//!
//! What is needed behind an invariant is what the steps up to the next invariant, or to the target, make of it: their weakest
//! precondition, which is not written down but asked about with the steps themselves. A constraint is kept if that needs it,
//! or if another one that is kept needs it to be invariant. A bound that is kept is moved, if that does no harm, to a number
//! that the program compares something with; the seed leaves open how its operator ∇ weakens.

use super::CompressError;
use super::Options;
use super::algorithm::{Found, Part, Task, method};
use super::biid::{Exit, loop_invariant};
use super::symbolic::Context;
use super::walk::Walk;
use crate::terms::{Operator, Rational, TermId};
use std::ops::Range;

/// With more constraints than this, leaving them out is not tried one by one.
const TRIED_CONSTRAINTS: usize = 24;

/// With more constraints than this, their bounds are left as they are.
const RELAXED_CONSTRAINTS: usize = 6;

/// So many weaker bounds are tried for a constraint.
const RELAXATIONS: usize = 4;

/// What is wanted at the end of some steps.
#[derive(Clone)]
struct Wanted {
    steps: Range<usize>,
    formulas: Vec<TermId>,
}

/// Weakens the invariants of a compressed trace.
pub(super) fn generalize(
    context: &mut Context<'_>,
    task: &Task<'_>,
    options: &Options,
    parts: &mut [Part],
) -> Result<(), CompressError> {
    let mut end = task.steps.len();
    let mut formulas = task.target.clone();
    for part in parts.iter_mut().rev() {
        let Part::Invariant(found) = part else {
            continue;
        };
        let wanted = Wanted {
            steps: found.covers.end..end,
            formulas: formulas.clone(),
        };
        let end_of_loop = found.end(context);
        let behind = needed_behind(context, task, &end_of_loop, &wanted)?;
        if let (Some(exit), Some(behind)) = (&mut found.exit, &behind) {
            exit.formulas.clone_from(behind);
        }
        if let Some(behind) = behind {
            found.invariant = weaken(context, task, options, found, behind, &wanted)?;
        }
        end = found.covers.start;
        formulas.clone_from(&found.invariant);
    }
    Ok(())
}

fn weaken(
    context: &mut Context<'_>,
    task: &Task<'_>,
    options: &Options,
    found: &Found,
    behind: Vec<TermId>,
    wanted: &Wanted,
) -> Result<Vec<TermId>, CompressError> {
    let header = context.loops.numbered(found.number).header;
    let strong = found.invariant.clone();
    // What is needed at an exit is asked of the loop; at the header it is part of the invariant.
    let mut kept = if found.exit.is_some() { Vec::new() } else { behind };
    let method = method(options, found.representation);
    // What is needed for the needed to be invariant, until nothing is added.
    loop {
        let Some(proof) = loop_invariant(context, found.number, &strong, &kept, found.exit.clone(), method)? else {
            return Ok(strong);
        };
        let mut more = kept.clone();
        for literal in proof.needed {
            let denial = context.terms.not(literal);
            match context.solver.minimal_core(&context.terms, &[denial], &strong) {
                Some(core) => more.extend(core.into_iter().map(|position| strong[position])),
                None => return Ok(strong),
            }
        }
        let more: Vec<TermId> = strong
            .iter()
            .copied()
            .filter(|formula| more.contains(formula))
            .collect();
        if more.len() == kept.len() {
            break;
        }
        kept = more;
    }
    let is_enough = |context: &mut Context<'_>, formulas: &[TermId]| -> Result<bool, CompressError> {
        if found.exit.is_none() && !task.leads_to(context, header, formulas, wanted.steps.clone(), &wanted.formulas)? {
            return Ok(false);
        }
        let again = loop_invariant(context, found.number, formulas, formulas, found.exit.clone(), method)?;
        Ok(again.is_some_and(|again| again.believed == formulas && again.exit == found.exit))
    };
    if !is_enough(context, &kept)? {
        return Ok(strong);
    }
    if kept.len() <= TRIED_CONSTRAINTS {
        for formula in kept.clone().into_iter().rev() {
            let without: Vec<TermId> = kept.iter().copied().filter(|other| *other != formula).collect();
            if is_enough(context, &without)? {
                kept = without;
            }
        }
    }
    if kept.len() <= RELAXED_CONSTRAINTS {
        let constants = constants(context);
        for position in 0..kept.len() {
            for formula in relaxed(context, kept[position], &constants) {
                let mut weaker = kept.clone();
                weaker[position] = formula;
                if is_enough(context, &weaker)? {
                    kept = weaker;
                    break;
                }
            }
        }
    }
    Ok(kept)
}

/// The numbers that the rules compare something with.
fn constants(context: &Context<'_>) -> Vec<Rational> {
    let terms = &context.terms;
    let mut found = Vec::new();
    for rule in context.program.rules() {
        for formula in rule.constraint.iter().flat_map(|formula| terms.conjuncts(*formula)) {
            let bound = terms
                .arguments(formula)
                .get(1)
                .and_then(|bound| terms.number_value(*bound));
            if let (Operator::LessOrEqual | Operator::Equal, Some(bound)) = (terms.operator(formula), bound) {
                found.extend([bound.clone(), -bound]);
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// A bound moved to numbers that the program compares something with, the weakest first.
fn relaxed(context: &mut Context<'_>, formula: TermId, constants: &[Rational]) -> Vec<TermId> {
    let terms = &mut context.terms;
    let (Operator::LessOrEqual, [sum, bound]) = (terms.operator(formula), terms.arguments(formula)) else {
        return Vec::new();
    };
    let (sum, Some(bound)) = (*sum, terms.number_value(*bound).cloned()) else {
        return Vec::new();
    };
    let sort = terms.sort(sum);
    let weaker = constants
        .iter()
        .filter(|constant| **constant > bound && constant.is_integer());
    let weaker: Vec<Rational> = weaker.take(RELAXATIONS).cloned().collect();
    let mut formulas = Vec::new();
    for constant in weaker.into_iter().rev() {
        let number = terms.number(constant, sort);
        formulas.push(terms.less_or_equal(sum, number));
    }
    formulas
}

/// What of the knowledge at the end of a loop the steps behind it need; `None` if that is not known.
fn needed_behind(
    context: &mut Context<'_>,
    task: &Task<'_>,
    end: &Exit,
    wanted: &Wanted,
) -> Result<Option<Vec<TermId>>, CompressError> {
    let mut walk = Walk::from(context.at_header(end.predicate, &[]));
    task.follow(context, &mut walk, wanted.steps.clone())?;
    let mut needed = Vec::new();
    for formula in &wanted.formulas {
        let instance = context.instance(&walk.state, *formula);
        if context.entails(&walk.state.store, instance) {
            continue;
        }
        let mut fixed = walk.state.store.clone();
        fixed.push(context.terms.not(instance));
        let Some(core) = context.solver.minimal_core(&context.terms, &fixed, &end.formulas) else {
            return Ok(None);
        };
        needed.extend(core.into_iter().map(|position| end.formulas[position]));
    }
    let in_order = end.formulas.iter().copied().filter(|formula| needed.contains(formula));
    Ok(Some(in_order.collect()))
}
