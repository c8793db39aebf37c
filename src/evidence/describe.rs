//! Rules as text, for errors and comments of evidence.

use crate::rules::{PredicateId, Program, RuleId};

/// The rule in CLP syntax, on one line whatever its names contain. The rule must exist.
pub(super) fn rule_text(program: &Program, id: RuleId) -> String {
    let rule = program.rule(id);
    let constraint = rule
        .constraint
        .iter()
        .map(|part| program.terms.display(*part).to_string());
    let body = rule.body.iter().map(|atom| program.atom_text(atom));
    let parts: Vec<String> = constraint.chain(body).collect();
    let parts = parts.join(", ");
    let text = match (rule.head.predicate, parts.is_empty()) {
        (PredicateId::QUERY, _) => format!("?- {parts}."),
        (_, true) => format!("{}.", program.atom_text(&rule.head)),
        (_, false) => format!("{} :- {parts}.", program.atom_text(&rule.head)),
    };
    one_line(&text)
}

/// The rule by its number, counted from 1, and its line.
pub(super) fn rule_place(program: &Program, id: RuleId) -> String {
    let number = id.index() + 1;
    match program.rules().get(id.index()).and_then(|rule| rule.location) {
        Some(location) => format!("rule {number} (line {})", location.line),
        None => format!("rule {number}"),
    }
}

/// The text without line breaks and other control characters.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
