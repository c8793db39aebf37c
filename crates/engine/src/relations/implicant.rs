//! Implicants: of a formula and a model, literals that hold in the model and make the formula true.
//!
//! A relation is followed through one implicant at a time. What is chosen where there is a choice, at a disjunction, is a
//! disjunct that is needed already, or else the one that needs least. The literals have no `if` in them: the branch that the
//! model takes stands for it, and its condition is one more literal.

use crate::steps::model::Model;
use crate::terms::{Operator, SortId, TermId, Terms};
use hashbrown::{HashMap, HashSet};

/// Literals without an `if` that hold in the model and imply the formulas; `None` if the model does not satisfy them, or
/// something has no value.
pub(super) fn implicant(terms: &mut Terms, formulas: &[TermId], model: &mut Model) -> Option<Vec<TermId>> {
    let mut chosen = Vec::new();
    let mut seen: HashSet<TermId> = HashSet::new();
    let mut waiting: Vec<TermId> = formulas.iter().rev().copied().collect();
    while let Some(formula) = waiting.pop() {
        if !seen.insert(formula) {
            continue;
        }
        if !model.holds(terms, formula)? {
            return None;
        }
        let arguments = terms.arguments(formula).to_vec();
        match terms.operator(formula) {
            Operator::True => {}
            Operator::And => waiting.extend(arguments.iter().rev()),
            Operator::Or => waiting.push(disjunct(terms, &arguments, &seen, model)?),
            Operator::Not => negative(terms, formula, arguments[0], model, &mut waiting, &mut chosen)?,
            Operator::Equal if terms.sort(arguments[0]) == SortId::BOOL => {
                for side in arguments {
                    let literal = literal_of(terms, side, model)?;
                    waiting.push(literal);
                }
            }
            _ => {
                let literal = without_branches(terms, formula, model, &mut waiting)?;
                chosen.push(literal);
            }
        }
    }
    chosen.retain(|literal| *literal != TermId::TRUE);
    chosen.sort();
    chosen.dedup();
    Some(chosen)
}

/// A negation that is no literal, or one over numbers, where the model says which side is the larger one.
fn negative(
    terms: &mut Terms,
    formula: TermId,
    inner: TermId,
    model: &mut Model,
    waiting: &mut Vec<TermId>,
    chosen: &mut Vec<TermId>,
) -> Option<()> {
    let arguments = terms.arguments(inner).to_vec();
    match terms.operator(inner) {
        Operator::Equal if terms.sort(arguments[0]) == SortId::BOOL => {
            for side in arguments {
                let literal = literal_of(terms, side, model)?;
                waiting.push(literal);
            }
        }
        Operator::Equal if terms.sort(arguments[0]).is_numeric() => {
            let less = terms.less(arguments[0], arguments[1]);
            let greater = terms.less(arguments[1], arguments[0]);
            let holds = if model.holds(terms, less)? { less } else { greater };
            waiting.push(holds);
        }
        Operator::And | Operator::Or => {
            let negated = terms.not(inner);
            waiting.push(negated);
        }
        _ => {
            let literal = without_branches(terms, formula, model, waiting)?;
            chosen.push(literal);
        }
    }
    Some(())
}

/// The formula or its negation, whichever holds.
fn literal_of(terms: &mut Terms, formula: TermId, model: &mut Model) -> Option<TermId> {
    let holds = model.holds(terms, formula)?;
    Some(if holds { formula } else { terms.not(formula) })
}

/// The disjunct to follow.
fn disjunct(terms: &Terms, arguments: &[TermId], seen: &HashSet<TermId>, model: &mut Model) -> Option<TermId> {
    let mut best: Option<(usize, TermId)> = None;
    for argument in arguments {
        if model.holds(terms, *argument) != Some(true) {
            continue;
        }
        if seen.contains(argument) {
            return Some(*argument);
        }
        let cost = match terms.operator(*argument) {
            Operator::And => 2 + terms.arguments(*argument).len(),
            Operator::Variable(_) | Operator::Not => 0,
            _ => 1,
        };
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, *argument));
        }
    }
    best.map(|(_, argument)| argument)
}

/// The term with the branches that the model takes in the place of each `if`; the conditions are put with what must hold.
fn without_branches(terms: &mut Terms, term: TermId, model: &mut Model, waiting: &mut Vec<TermId>) -> Option<TermId> {
    let mut current = term;
    while let Some(branching) = innermost_branch(terms, current) {
        let [condition, left, right] = *terms.arguments(branching) else {
            return None;
        };
        let holds = model.holds(terms, condition)?;
        let condition = if holds { condition } else { terms.not(condition) };
        waiting.push(condition);
        let taken = if holds { left } else { right };
        let mut done = HashMap::from([(branching, taken)]);
        current = terms.rewritten(current, &mut done, |_, _| None, |_, built| built);
    }
    Some(current)
}

/// An `if` in the term that has none in it.
fn innermost_branch(terms: &Terms, term: TermId) -> Option<TermId> {
    // What is inside comes first.
    let mut inside = terms.subterms(&[term]).into_iter();
    inside.find(|current| terms.operator(*current) == Operator::IfThenElse)
}
