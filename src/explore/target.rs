//! Targets: what is to be reached instead of the program's errors. The program is changed so that reaching the target is the error,
//! and every other error the end of a run; then everything else, the replay included, is as it always is.

use crate::rules::{Atom, PredicateId, Program, Rule};
use crate::terms::SortId;

/// The program whose error is that a predicate is reached: one by its label, `p` or `p(1)`, or all of a name.
///
/// # Errors
///
/// There is no such predicate; the message says which there are.
pub fn with_target(program: &Program, target: &str) -> Result<Program, String> {
    let ids = (0..program.predicates().len()).map(PredicateId::from_index);
    let own = ids.filter(|id| *id != PredicateId::QUERY && *id != PredicateId::ERROR);
    let named: Vec<PredicateId> = own
        .clone()
        .filter(|id| program.predicate_label(*id) == target || program.predicate(*id).name == target)
        .collect();
    if target == program.predicate_label(PredicateId::ERROR) {
        return Ok(program.clone());
    }
    if named.is_empty() {
        let labels: Vec<String> = own.map(|id| program.predicate_label(id)).collect();
        return Err(format!(
            "there is no predicate `{target}`; there are {}",
            labels.join(", ")
        ));
    }
    let mut changed = without_errors(program);
    for predicate in named {
        let arguments = changed.predicate(predicate).parameters.clone();
        changed.add_rule(Rule {
            head: Atom { predicate, arguments },
            constraint: Vec::new(),
            body: vec![error()],
            location: None,
        });
    }
    Ok(changed)
}

/// The program whose error is that one of these rules, given by their indices, is applied.
pub fn with_rules_as_target(program: &Program, rules: &[usize]) -> Program {
    let mut changed = without_errors(program);
    for index in rules {
        if let Some(rule) = program.rules().get(*index) {
            changed.add_rule(Rule {
                body: vec![error()],
                ..rule.clone()
            });
        }
    }
    changed
}

fn error() -> Atom {
    Atom {
        predicate: PredicateId::ERROR,
        arguments: Vec::new(),
    }
}

/// The same predicates and rules, but what led to the error ends.
fn without_errors(program: &Program) -> Program {
    let mut changed = Program::new();
    changed.terms = program.terms.clone();
    for predicate in program.predicates().iter().skip(2) {
        let names: Vec<(String, SortId)> = predicate
            .parameters
            .iter()
            .map(|parameter| {
                let name = program.terms.variable_name(*parameter).to_string();
                (name, program.terms.sort(*parameter))
            })
            .collect();
        let parameters: Vec<(&str, SortId)> = names.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
        changed.add_predicate(&predicate.name, predicate.point.as_deref(), &parameters);
    }
    for rule in program.rules() {
        let mut rule = rule.clone();
        rule.body.retain(|atom| atom.predicate != PredicateId::ERROR);
        changed.add_rule(rule);
    }
    changed
}
