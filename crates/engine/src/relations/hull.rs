//! Equations that all facts of a node have in common, as entries for what does not satisfy them.
//!
//! Calls are often linear maps from what they are given to what they give back, as `append` is of lengths. The facts of a node span an
//! affine space; where a cube lies beside it, one of the space's equations tells the cube from all facts, and excludes more than
//! any literal of the cube does. That is a guess, and asked about like every other entry. (The same spaces help the engine:
//! `engine/affine`.)

use super::blocking::blocked;
use super::kernel::{GaveUp, Kernel};
use super::system::NodeId;
use crate::solver::{Answer, QuestionSolver};
use crate::steps::affine_space::Space;
use crate::terms::{Comparison, LinearForm, Rational, SortId, TermId, Value};
use hashbrown::HashSet;
use num_traits::{One, Zero};

/// Spaces of more dimensions are not looked at.
const MOST_PARAMETERS: usize = 24;
/// Of more facts, the first.
const MOST_FACTS: usize = 64;
/// What is spent on a question about a space, in Z3's units.
const RESOURCES: u32 = 200_000;

/// The space that a node's facts span.
#[derive(Clone, Default)]
pub(super) struct Hull {
    space: Space,
    /// How many facts are in it.
    facts: usize,
    /// Whether finding out took too long.
    is_given_up: bool,
    /// What has been guessed already.
    tried: HashSet<TermId>,
}

/// A cube of a single inequality that has the given one in it and is blocked at the level: beside the space of the node's facts.
pub(super) fn beside_facts(
    kernel: &mut Kernel,
    node: NodeId,
    whole: &[TermId],
    level: usize,
) -> Result<Option<Vec<TermId>>, GaveUp> {
    let parameters: Vec<TermId> = kernel.system.nodes[node.0].parameters.clone();
    let parameters: Vec<TermId> = parameters
        .into_iter()
        .filter(|parameter| kernel.terms.sort(*parameter).is_numeric())
        .collect();
    if kernel.facts_of[node.0].is_empty() || !(2..=MOST_PARAMETERS).contains(&parameters.len()) {
        return Ok(None);
    }
    enlarge(kernel, node, &parameters);
    if kernel.hulls[node.0].is_given_up {
        return Ok(None);
    }
    let equations = equations(&kernel.hulls[node.0].space, &parameters);
    if equations.is_empty() {
        return Ok(None);
    }
    let mut solver = QuestionSolver::new(kernel.theory, RESOURCES);
    for literal in whole {
        solver.assert(&kernel.terms, *literal);
    }
    for equation in equations {
        let Some(sort) = sort_of(kernel, &equation) else {
            continue;
        };
        for side in [equation.clone(), equation.scaled(&-Rational::one())] {
            // The cube is on this side of the space if nothing in it is on the other, nor in the space.
            let within = kernel.terms.linear_formula(&side, Comparison::LessOrEqual, sort);
            if within == TermId::TRUE || solver.check(&kernel.terms, &[within]) != Answer::Unsatisfiable {
                continue;
            }
            let literal = kernel.terms.not(within);
            if !kernel.hulls[node.0].tried.insert(literal) {
                continue;
            }
            if blocked(kernel, node, &[literal], level)?.is_some() {
                return Ok(Some(vec![literal]));
            }
        }
    }
    Ok(None)
}

/// The sort of a form's parameters; `None` if there are several.
fn sort_of(kernel: &Kernel, form: &LinearForm) -> Option<SortId> {
    let mut sorts = form.terms.iter().map(|(term, _)| kernel.terms.sort(*term));
    let first = sorts.next()?;
    sorts.all(|sort| sort == first).then_some(first)
}

fn equations(space: &Space, parameters: &[TermId]) -> Vec<LinearForm> {
    let mut subtractions = u32::MAX;
    space.equations(parameters, &mut subtractions)
}

/// Brings the facts into the space that are not in it yet.
fn enlarge(kernel: &mut Kernel, node: NodeId, parameters: &[TermId]) {
    let mut hull = std::mem::take(&mut kernel.hulls[node.0]);
    while !hull.is_given_up && hull.facts < kernel.facts_of[node.0].len().min(MOST_FACTS) {
        let fact = kernel.facts_of[node.0][hull.facts];
        let formula = kernel.facts[fact].formula;
        let mut solver = QuestionSolver::new(kernel.theory, RESOURCES);
        solver.assert(&kernel.terms, formula);
        // Points of the fact that are outside, one after another: each makes the space larger by a dimension.
        loop {
            let mut outside = Vec::new();
            for equation in equations(&hull.space, parameters) {
                let Some(sort) = sort_of(kernel, &equation) else {
                    continue;
                };
                let equal = kernel.terms.linear_formula(&equation, Comparison::Equal, sort);
                outside.push(kernel.terms.not(equal));
            }
            let outside = match hull.space.rows.is_empty() {
                true => TermId::TRUE,
                false => kernel.terms.or(&outside),
            };
            match solver.check(&kernel.terms, &[outside]) {
                Answer::Unsatisfiable => break,
                Answer::Unknown => hull.is_given_up = true,
                Answer::Satisfiable => match solver.model(&kernel.terms, parameters) {
                    Some(values) => {
                        let mut point = LinearForm::constant(Rational::one());
                        for parameter in parameters {
                            if let Some(Value::Number(value)) = values.get(parameter)
                                && !value.is_zero()
                            {
                                point.terms.push((*parameter, value.clone()));
                            }
                        }
                        point.terms.sort_by_key(|(term, _)| *term);
                        let mut subtractions = u32::MAX;
                        let remainder = hull.space.remainder(point, &mut subtractions);
                        hull.is_given_up = hull.space.add(&remainder).is_none();
                    }
                    None => hull.is_given_up = true,
                },
            }
            if hull.is_given_up {
                break;
            }
        }
        hull.facts += 1;
    }
    kernel.hulls[node.0] = hull;
}
