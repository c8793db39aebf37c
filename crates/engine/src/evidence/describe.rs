//! Rules as text, for errors and comments of evidence.

use crate::rules::{Program, RuleId};

/// The rule in CLP syntax, on one line whatever its names contain. The rule must exist.
pub(super) fn rule_text(program: &Program, id: RuleId) -> String {
    one_line(&program.rule_text(program.rule(id)))
}

/// The rule by its number, counted from 1, and its line.
pub(super) fn rule_place(program: &Program, id: RuleId) -> String {
    let number = id.index() + 1;
    match program.rules().get(id.index()).and_then(|rule| rule.location) {
        Some(location) => format!("rule {number} (line {})", location.line),
        None => format!("rule {number}"),
    }
}

/// By which rules a premise was reached, the last one first: `, reached by rule 3 after rule 1`; empty without any.
pub(super) fn reached_text(program: &Program, reached_by: &[RuleId]) -> String {
    match reached_by {
        [] => String::new(),
        _ => {
            let places: Vec<String> = reached_by.iter().map(|rule| rule_place(program, *rule)).collect();
            format!(", reached by {}", places.join(" after "))
        }
    }
}

/// The text without line breaks and other control characters.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
