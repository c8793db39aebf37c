//! Transitions as linear maps, and the spaces of what they lead to: the ground on which candidates are found by linear
//! algebra (`affine`, `conserved`).
//!
//! Guards are ignored, and arithmetic that wraps round is taken not to, because that is what programs mean. So what is found
//! here are guesses, for the search to test.

use crate::rules::{PredicateId, Program};
use crate::steps::affine_space::Vector;
use crate::steps::{Target, Transition, TransitionId, Transitions};
use crate::terms::{LinearForm, Rational, TermId, Terms};
use num_traits::{Signed, Zero};

/// Two branches that do the same but for at least this in a sum: the one that adds more has wrapped round. Half the number
/// of values of the smallest machine integers.
const LEAST_WRAP: i64 = 128;

/// A transition as a linear map: what it adds up for each of the target's parameters.
pub(super) struct LinearStep {
    pub target: PredicateId,
    pub updates: Vec<(TermId, LinearForm)>,
}

impl LinearStep {
    pub fn image(&self, vector: &Vector) -> Vector {
        let mut image = LinearForm::constant(vector.constant.clone());
        for (parameter, update) in &self.updates {
            let mut value = &update.constant * &vector.constant;
            for (term, coefficient) in &update.terms {
                let coordinate = vector.coefficient(*term);
                if !coordinate.is_zero() {
                    value += coefficient * coordinate;
                }
            }
            if !value.is_zero() {
                image.terms.push((*parameter, value));
            }
        }
        image.terms.sort_by_key(|(term, _)| *term);
        image
    }

    /// Directions in which the step may go whatever the parameters are: its variables, and what is not linear.
    pub fn directions(&self, parameters: &[TermId]) -> Vec<Vector> {
        let atoms = self.updates.iter().flat_map(|(_, update)| &update.terms);
        let mut open: Vec<TermId> = atoms.map(|(term, _)| *term).collect();
        open.retain(|term| !parameters.contains(term));
        open.sort_unstable();
        open.dedup();
        let direction = |term: TermId| {
            let mut direction = LinearForm::constant(Rational::zero());
            for (parameter, update) in &self.updates {
                let value = update.coefficient(term);
                if !value.is_zero() {
                    direction.terms.push((*parameter, value));
                }
            }
            direction.terms.sort_by_key(|(term, _)| *term);
            direction
        };
        open.into_iter().map(direction).collect()
    }
}

/// The transitions of a predicate to goals as steps, without those that only wrap round.
pub(super) fn steps_of(
    program: &Program,
    predicate: PredicateId,
    transitions: &Transitions,
    terms: &Terms,
) -> Vec<LinearStep> {
    let all: Vec<(&Transition, LinearStep)> = transitions
        .of(predicate)
        .iter()
        .filter_map(|id: &TransitionId| {
            let transition = transitions.get(*id);
            let Target::Goal(target) = transition.target else {
                return None;
            };
            let places = program.predicate(target).parameters.iter().zip(&transition.updates);
            let updates = places
                .filter(|(parameter, _)| terms.sort(**parameter).is_numeric())
                .map(|(parameter, update)| (*parameter, terms.linear_form(*update)))
                .collect();
            Some((&**transition, LinearStep { target, updates }))
        })
        .collect();
    let wraps: Vec<bool> = all
        .iter()
        .map(|(transition, step)| {
            let same_rule = |(other, _): &&(&Transition, LinearStep)| other.rule == transition.rule;
            all.iter().filter(same_rule).any(|(_, other)| wraps_round(step, other))
        })
        .collect();
    let kept = all.into_iter().zip(wraps).filter(|(_, wraps)| !wraps);
    kept.map(|((_, step), _)| step).collect()
}

/// Whether a step does what another does, and then adds or subtracts as much as wrapping round does.
fn wraps_round(step: &LinearStep, other: &LinearStep) -> bool {
    let pairs = || step.updates.iter().zip(&other.updates);
    let similar = |((_, here), (_, there)): (&(TermId, LinearForm), &(TermId, LinearForm))| {
        here.terms == there.terms && here.constant.abs() >= there.constant.abs()
    };
    let further = |((_, here), (_, there)): (&(TermId, LinearForm), &(TermId, LinearForm))| {
        let distance = here.constant.abs() - there.constant.abs();
        !here.terms.is_empty() && distance >= Rational::from_integer(LEAST_WRAP.into())
    };
    step.target == other.target && pairs().all(similar) && pairs().any(further)
}
