//! Transitions taken with values: the step of a derivation, and where it leads.

use super::transition::{Target, Transition};
use crate::evidence::Step;
use crate::rules::Program;
use crate::terms::{Assignment, TermId, Terms, Value};

/// The values of a rule's variables at a point, which has values of its parameters and the transition's own variables.
pub(crate) fn step_at(program: &Program, terms: &Terms, transition: &Transition, point: &Assignment) -> Option<Step> {
    let rule = program.rule(transition.rule);
    let mut mentioned = rule.constraint.clone();
    mentioned.extend_from_slice(&rule.head.arguments);
    mentioned.extend(rule.body.iter().flat_map(|atom| atom.arguments.iter().copied()));
    let mut values: Vec<(TermId, Value)> = Vec::new();
    for variable in terms.variables_of_all(&mentioned) {
        let solved = transition.solution.iter().find(|(solved, _)| *solved == variable);
        let value = match (solved, point.get(&variable)) {
            (Some((_, term)), _) => terms.evaluate(*term, point)?,
            (None, Some(value)) => value.clone(),
            (None, None) => terms.default_value(terms.sort(variable)),
        };
        values.push((variable, value));
    }
    Some(Step {
        rule: transition.rule,
        values,
    })
}

/// The values of the target's parameters after a transition was taken at a point.
pub(crate) fn point_after(
    program: &Program,
    terms: &Terms,
    transition: &Transition,
    point: &Assignment,
) -> Option<Assignment> {
    let Target::Goal(target) = transition.target else {
        return Some(Assignment::new());
    };
    let pairs = program.predicate(target).parameters.iter().zip(&transition.updates);
    pairs
        .map(|(parameter, update)| Some((*parameter, terms.evaluate(*update, point)?)))
        .collect()
}
