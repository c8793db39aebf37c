//! An oracle for certificates that shares nothing with the checker but evaluation: it tries values.

use super::number;
use clausal::evidence::Certificate;
use clausal::rules::{Atom, PredicateId, Program, Rule};
use clausal::terms::{ArrayValue, Assignment, Rational, Sort, SortId, Terms, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Whether the values of a rule's variables show that the certificate is wrong: head's invariant and constraint hold, and
/// the body's invariant does not.
pub fn is_violation(program: &Program, certificate: &Certificate, rule: &Rule, values: &Assignment) -> bool {
    let terms = &program.terms;
    let constraint = rule
        .constraint
        .iter()
        .all(|part| terms.holds(*part, values) == Some(true));
    constraint
        && invariant_holds(program, certificate, &rule.head, values)
        && rule
            .body
            .iter()
            .any(|atom| !invariant_holds(program, certificate, atom, values))
}

fn invariant_holds(program: &Program, certificate: &Certificate, atom: &Atom, values: &Assignment) -> bool {
    if atom.predicate == PredicateId::ERROR {
        return false;
    }
    let Some(invariant) = certificate
        .invariants
        .iter()
        .find(|entry| entry.predicate == atom.predicate)
    else {
        return true;
    };
    let parameters = program.predicate(atom.predicate).parameters.iter().copied();
    let arguments = atom
        .arguments
        .iter()
        .map(|argument| program.terms.evaluate(*argument, values));
    let about: Assignment = parameters
        .zip(arguments)
        .map(|(p, value)| (p, value.expect("nothing divides by zero")))
        .collect();
    let holds = |conjunct: &_| certificate.terms.holds(*conjunct, &about) == Some(true);
    invariant.disjuncts.iter().any(|disjunct| disjunct.iter().all(holds))
}

/// Whether some values from a small domain show that the certificate is wrong.
pub fn has_violation(program: &Program, certificate: &Certificate) -> bool {
    program.rules().iter().any(|rule| {
        let arguments = rule.body.iter().chain([&rule.head]).flat_map(|atom| &atom.arguments);
        let roots: Vec<_> = rule.constraint.iter().chain(arguments).copied().collect();
        let variables = program.terms.variables_of_all(&roots);
        let mut assignments = vec![Assignment::new()];
        for variable in variables {
            let domain = domain(&program.terms, program.terms.sort(variable));
            let extended = assignments.iter().flat_map(|assignment| {
                domain.iter().map(move |value| {
                    let mut extended = assignment.clone();
                    extended.insert(variable, value.clone());
                    extended
                })
            });
            assignments = extended.collect();
        }
        assignments
            .iter()
            .any(|values| is_violation(program, certificate, rule, values))
    })
}

fn domain(terms: &Terms, sort: SortId) -> Vec<Value> {
    match terms.sort_of_id(sort) {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int => (-12..13).map(number).collect(),
        Sort::Real => (-24..25)
            .map(|n| Value::Number(Rational::new(n.into(), 8.into())))
            .collect(),
        Sort::Array(..) => {
            let array = |default: i64, first: i64| {
                let empty = ArrayValue {
                    default: number(default),
                    elements: BTreeMap::new(),
                };
                Value::Array(Arc::new(empty.with(number(0), number(first))))
            };
            (0..4)
                .flat_map(|default| (0..4).map(move |first| array(default, first)))
                .collect()
        }
        Sort::Word(_) | Sort::Float(_) | Sort::Datatype(_) => vec![terms.default_value(sort)],
    }
}
