//! From the fact that the error is reached to a derivation with a value for every variable.
//!
//! Each solution of a fact is reached, so values are chosen from the error backward: those of a conclusion are given, and the
//! implication's solver finds some for its premises. A premise of what has come back is a call, which is derived where it
//! stands.

use super::kernel::{GaveUp, Kernel};
use super::system::Role;
use crate::evidence::{Derivation, Step};
use crate::solver::{Answer, QuestionSolver};
use crate::steps::model::Model;
use crate::terms::{TermId, Value};

/// Derivations of calls share nothing when they are written out; longer ones are not written.
pub(super) const MOST_STEPS: usize = 1_000_000;

/// What is still to be written: how the fact is reached with these values.
struct Reach {
    fact: usize,
    values: Vec<Value>,
}

/// The derivation of the error by a fact.
pub(super) fn derivation(kernel: &mut Kernel, error: usize, limit: u32) -> Result<Derivation, GaveUp> {
    // The chain of what is reached, from the error back to the query; each step is followed by what is called in it.
    let mut chain: Vec<(Step, Vec<Reach>)> = Vec::new();
    let mut current = Some(Reach {
        fact: error,
        values: Vec::new(),
    });
    while let Some(reach) = current.take() {
        let (step, premises) = applied(kernel, &reach, limit)?;
        let clause = kernel.facts[reach.fact].clause;
        let mut calls = Vec::new();
        for (premise, occurrence) in premises.into_iter().zip(&kernel.system.clauses[clause].premises) {
            match kernel.system.nodes[occurrence.node.0].role {
                Role::Reached => current = Some(premise),
                Role::Returned => calls.push(premise),
            }
        }
        chain.push((step, calls));
        if chain.len() > MOST_STEPS {
            return Err(GaveUp);
        }
    }
    let mut steps = Vec::new();
    for (step, calls) in chain.into_iter().rev() {
        steps.push(step);
        let mut waiting: Vec<Reach> = calls.into_iter().rev().collect();
        while let Some(call) = waiting.pop() {
            let (step, premises) = applied(kernel, &call, limit)?;
            steps.push(step);
            waiting.extend(premises.into_iter().rev());
            if steps.len() > MOST_STEPS {
                return Err(GaveUp);
            }
        }
    }
    Ok(Derivation::new(steps))
}

/// The step that a fact stands for, with the given values of the conclusion's arguments, and what its premises are.
fn applied(kernel: &mut Kernel, reach: &Reach, limit: u32) -> Result<(Step, Vec<Reach>), GaveUp> {
    let fact = kernel.facts[reach.fact].clone();
    let clause = kernel.system.clauses[fact.clause].clone();
    let mut solver = QuestionSolver::new(kernel.theory, limit);
    let mut formulas = clause.constraint.clone();
    for (argument, value) in clause.conclusion.arguments.iter().zip(&reach.values) {
        let sort = kernel.terms.sort(*argument);
        let value = kernel.terms.value_term(value, sort);
        formulas.push(kernel.terms.equal(*argument, value));
    }
    for (premise, id) in clause.premises.iter().zip(&fact.premises) {
        let formula = kernel.facts[*id].formula;
        formulas.push(kernel.terms.substitute(formula, &premise.instance));
    }
    for formula in formulas {
        solver.assert(&kernel.terms, formula);
    }
    if solver.check(&kernel.terms, &[]) != Answer::Satisfiable {
        return Err(GaveUp);
    }
    let values = solver.model(&kernel.terms, &clause.variables).ok_or(GaveUp)?;
    let mut model = Model::new(values);
    for (variable, term) in &clause.solved {
        model.define(&kernel.terms, *variable, *term).ok_or(GaveUp)?;
    }
    let mut premises = Vec::with_capacity(clause.premises.len());
    for (premise, id) in clause.premises.iter().zip(&fact.premises) {
        let values: Option<Vec<Value>> = premise
            .arguments
            .iter()
            .map(|argument| model.value(&kernel.terms, *argument))
            .collect();
        premises.push(Reach {
            fact: *id,
            values: values.ok_or(GaveUp)?,
        });
    }
    let value = |variable: &TermId| Some((*variable, model.values().get(variable)?.clone()));
    let solved = clause.solved.iter().map(|(variable, _)| variable);
    let mut values: Vec<(TermId, Value)> = clause.variables.iter().chain(solved).filter_map(value).collect();
    values.sort_by_key(|(variable, _)| *variable);
    let step = Step {
        rule: clause.rule,
        values,
    };
    Ok((step, premises))
}
