//! Preconditions: what a goal must satisfy so that the dead ends behind one of its rules stay dead (seed 003, line 23 of
//! Fig. 2).

use super::frontier::Frontier;
use super::ids::StateId;
use super::interpolation::{View, is_over, separate, view};
use super::kernel::Kernel;
use super::requirement::{Purposes, Requirement};
use crate::steps::elimination::flatten;
use crate::steps::{StopReason, Target, TransitionId};
use crate::terms::{Operator, TermId};
use hashbrown::{HashMap, HashSet};

/// What must not happen: that a transition is taken and a formula over its own variables is false behind it.
type Event = (TransitionId, TermId);

/// Single literals of which each kept something from happening, and their disjunction.
#[derive(Default)]
struct Reasons {
    literals: Vec<TermId>,
    /// The same, to be looked up.
    known: HashSet<TermId>,
    disjunction: Option<TermId>,
}

/// What has kept each event from happening in the states so far. It is about the program, whatever any header believes.
#[derive(Default)]
pub(super) struct EarlierReasons {
    /// By the index of an event's transition, and by its formula.
    of_transition: Vec<HashMap<TermId, Reasons>>,
}

impl EarlierReasons {
    /// What must not happen here may have been excluded for another reason before, in another state. If `found` is one
    /// negated conjunct of `bad`, the interpolant is the disjunction of all of these so far: the weakest precondition as far
    /// as it has mattered. Without it, n conditions that are set and tested later, such as locks, would cost 2ⁿ states.
    fn widened(&mut self, kernel: &mut Kernel, event: Event, bad: &[TermId], found: Vec<TermId>) -> Vec<TermId> {
        let [literal] = found[..] else {
            return found;
        };
        let negation = kernel.terms.not(literal);
        if !flatten(&kernel.terms, bad).contains(&negation) {
            return found;
        }
        let (transition, violated) = event;
        let index = transition.index();
        if self.of_transition.len() <= index {
            self.of_transition.resize_with(index + 1, HashMap::new);
        }
        let reasons = self.of_transition[index].entry(violated).or_default();
        if reasons.known.insert(literal) {
            reasons.literals.push(literal);
            reasons.disjunction = None;
        }
        let literals = &reasons.literals;
        let disjunction = reasons.disjunction.get_or_insert_with(|| kernel.terms.or(literals));
        vec![*disjunction]
    }
}

/// What keeps an infeasible transition from `source` infeasible.
pub(super) fn of_infeasible(
    kernel: &mut Kernel,
    frontier: &Frontier,
    reasons: &mut EarlierReasons,
    source: StateId,
    transition: TransitionId,
) -> Result<Requirement, StopReason> {
    let view = view(kernel, frontier, source, transition);
    let guard = kernel.transitions.get(transition).guard.clone();
    let literals = separate(kernel, &view, &guard).ok_or_else(|| kernel.inexpressible(view.predicate))?;
    let mut requirement = Requirement::default();
    for literal in reasons.widened(kernel, (transition, TermId::FALSE), &guard, literals) {
        requirement.require(literal, &Purposes::safety());
    }
    Ok(requirement)
}

/// The precondition, at `source`, of what the reduct by `transition` requires.
pub(super) fn of_requirement(
    kernel: &mut Kernel,
    frontier: &Frontier,
    reasons: &mut EarlierReasons,
    (source, transition): (StateId, TransitionId),
    required: &Requirement,
) -> Result<Requirement, StopReason> {
    let mut requirement = Requirement::default();
    let Target::Goal(target) = kernel.transitions.get(transition).target else {
        return Ok(requirement);
    };
    requirement.dependencies.extend(required.dependencies.iter().copied());
    requirement.uses.extend(required.uses.iter().copied());
    let view = view(kernel, frontier, source, transition);
    for literal in &required.literals {
        let formula = kernel.image(transition, target, literal.formula);
        for conjunct in kernel.terms.conjuncts(formula) {
            let mut bad = vec![kernel.terms.not(conjunct)];
            bad.extend_from_slice(&kernel.transitions.get(transition).guard);
            let found = match implied_clause(kernel, &view, conjunct) {
                Some(clause) => vec![clause],
                None => {
                    let found = separate(kernel, &view, &bad);
                    let found = found.ok_or_else(|| kernel.inexpressible(view.predicate))?;
                    reasons.widened(kernel, (transition, conjunct), &bad, found)
                }
            };
            for formula in found {
                requirement.require(formula, &literal.purposes);
            }
        }
    }
    Ok(requirement)
}

/// A disjunction that the store implies is needed as it is: one of its disjuncts would be stronger.
fn implied_clause(kernel: &mut Kernel, view: &View, conjunct: TermId) -> Option<TermId> {
    let is_clause = kernel.terms.operator(conjunct) == Operator::Or;
    if !is_clause || !is_over(kernel, view.predicate, conjunct) {
        return None;
    }
    let instance = kernel.terms.substitute(conjunct, &view.substitution);
    kernel.entails(&view.believed, instance).then_some(conjunct)
}
