//! Targets: what is to be reached instead of the program's errors. The program is changed so that reaching the target is the error,
//! and every other error the end of a run; then everything else, the replay included, is as it always is.

use crate::rules::{Atom, PredicateId, Program, Rule};

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
    let mut changed = program.without_errors();
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
    let mut changed = program.without_errors();
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
