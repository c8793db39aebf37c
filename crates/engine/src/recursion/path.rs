//! A path through an abstraction, and what it needs of a call: the weakest condition on the call's arguments that elimination
//! can find under which the path would be a derivation.

use super::abstraction::{Abstraction, Summaries};
use crate::evidence::Derivation;
use crate::rules::{Program, RuleId};
use crate::steps::elimination::project;
use crate::steps::projection::defining;
use crate::terms::{Assignment, Operator, Substitution, TermId, Terms, Value};

/// What longer paths need is not worked out.
const LONGEST_PATH: usize = 60;

/// A step of a path: a rule of the program, the atom that the path goes on with, and values for the rule's variables, except for
/// those that only occur in atoms that are not followed.
pub(super) struct PathStep {
    /// The rule.
    pub rule: RuleId,
    /// The position of the followed atom.
    pub followed: Option<usize>,
    /// How many atoms of the body have come back, but for the one followed.
    pub assumed: usize,
    /// The values known.
    pub values: Assignment,
}

/// The path that a derivation of an abstraction is in the program.
pub(super) fn path_of(abstraction: &Abstraction, derivation: &Derivation) -> Vec<PathStep> {
    let steps = derivation.steps.iter().filter_map(|step| {
        let origin = abstraction.origins.get(step.rule.index())?.as_ref()?;
        let given: Assignment = step.values.iter().cloned().collect();
        let value = |(variable, renamed): &(TermId, TermId)| Some((*variable, given.get(renamed)?.clone()));
        Some(PathStep {
            rule: origin.rule,
            followed: origin.followed,
            assumed: origin.assumed,
            values: origin.variables.iter().filter_map(value).collect(),
        })
    });
    steps.collect()
}

/// What the path needs of the arguments of one atom of one step, over the parameters of the atom's predicate: a conjunction that
/// the path's own values satisfy. `start` is what the path begins with, over the parameters of its first head's predicate.
pub(super) fn needed(
    program: &Program,
    terms: &mut Terms,
    summaries: &Summaries,
    path: &[PathStep],
    start: &[TermId],
    (step, position): (usize, usize),
) -> Option<Vec<TermId>> {
    if path.len() > LONGEST_PATH {
        return None;
    }
    let mut conjuncts: Vec<TermId> = Vec::new();
    let mut arguments: Option<Vec<TermId>> = None;
    let mut wanted = None;
    for (index, current) in path.iter().enumerate() {
        let rule = program.rule(current.rule);
        let mut facts = Vec::new();
        for formula in &rule.constraint {
            reasons(terms, *formula, &current.values, &mut facts);
        }
        for (other, atom) in rule.body.iter().enumerate().take(current.assumed) {
            if (index, other) != (step, position) && Some(other) != current.followed {
                for formula in summaries.of(program, terms, atom) {
                    reasons(terms, formula, &current.values, &mut facts);
                }
            }
        }
        let renaming = rule.renaming(terms);
        let head = terms.substitute_all(&rule.head.arguments, &renaming);
        match arguments {
            Some(given) => conjuncts.extend(defining(terms, &head, &given)),
            None => {
                let parameters = &program.predicate(rule.head.predicate).parameters;
                let about_head = Substitution::of(terms, parameters, &head);
                conjuncts.extend(terms.substitute_all(start, &about_head));
            }
        }
        conjuncts.extend(terms.substitute_all(&facts, &renaming));
        let mut instance = |atom: usize| terms.substitute_all(&rule.body[atom].arguments, &renaming);
        if index == step {
            wanted = Some(instance(position));
        }
        arguments = current.followed.map(instance);
    }
    let atom = &program.rule(path.get(step)?.rule).body[position];
    let parameters = &program.predicate(atom.predicate).parameters;
    let primed: Vec<TermId> = parameters
        .iter()
        .map(|parameter| {
            let name = format!("{}'", terms.variable_name(*parameter));
            terms.fresh_variable(&name, terms.sort(*parameter))
        })
        .collect();
    conjuncts.extend(defining(terms, &primed, &wanted?));
    let projected = project(terms, &primed, &conjuncts);
    let back = Substitution::of(terms, &primed, parameters);
    Some(terms.substitute_all(&projected, &back))
}

/// Conjuncts that hold under the values and imply the formula: of a disjunction the first part that holds, of a disequality the
/// side that does.
fn reasons(terms: &mut Terms, formula: TermId, values: &Assignment, found: &mut Vec<TermId>) {
    let mut stack = vec![formula];
    while let Some(formula) = stack.pop() {
        let arguments = terms.arguments(formula).to_vec();
        match terms.operator(formula) {
            Operator::And => stack.extend(arguments),
            Operator::Or => {
                let holds = |part: &&TermId| terms.holds(**part, values) == Some(true);
                match arguments.iter().find(holds) {
                    Some(part) => stack.push(*part),
                    None => found.push(formula),
                }
            }
            Operator::Not if terms.operator(arguments[0]) == Operator::Equal => {
                let sides = terms.arguments(arguments[0]).to_vec();
                let numbers = [terms.evaluate(sides[0], values), terms.evaluate(sides[1], values)];
                found.push(match numbers {
                    [Some(Value::Number(left)), Some(Value::Number(right))] if left < right => {
                        terms.less(sides[0], sides[1])
                    }
                    [Some(Value::Number(_)), Some(Value::Number(_))] => terms.less(sides[1], sides[0]),
                    _ => formula,
                });
            }
            _ => found.push(formula),
        }
    }
}
