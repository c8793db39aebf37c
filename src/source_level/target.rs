//! Targets of a user's own in C: a formula at a place, made part of the program so that reaching it with the formula true is
//! the error.

use crate::c::parser;
use crate::c::syntax::{Item, StatementKind};
use crate::diagnostics::Diagnostic;
use bumpalo::Bump;

/// The function that stands for the target; [`Options::error_functions`](crate::c::options::Options::error_functions) has to
/// name it.
pub const TARGET_FUNCTION: &str = "__clausal_target";

/// The label at which a target is asked about, if the program has it.
const TARGET_LABEL: &str = "TARGET";

/// The text of a program that calls [`TARGET_FUNCTION`] where `formula` is true: at the label `TARGET`, otherwise at the end of
/// the function `entry` and before each `return` that stands in its body under no condition. No line gets another number.
///
/// # Errors
/// What is wrong with the program, or that there is no such function.
pub fn with_target(text: &str, formula: &str, entry: &str, is_snippet: bool) -> Result<String, Vec<Diagnostic>> {
    let arena = Bump::new();
    let parsed = parser::parse(&arena, text, is_snippet);
    let Some(unit) = parsed.product else {
        return Err(parsed.diagnostics);
    };
    let call = format!(" if ({formula}) {TARGET_FUNCTION}(); ");
    let mut insertions: Vec<(usize, String)> = Vec::new();
    let mut labels = Vec::new();
    let mut waiting = Vec::new();
    let mut has_statements = false;
    for item in &unit.items {
        match item {
            Item::Function(function) => {
                waiting.push(function.body);
                let is_entry = function.declarator.name.is_some_and(|name| name.text == entry);
                if !is_entry {
                    continue;
                }
                // Blocks within blocks, without a condition, are what some tools write.
                let mut blocks = vec![function.body];
                while let Some(statement) = blocks.pop() {
                    match &statement.kind {
                        StatementKind::Block(statements) => blocks.extend(statements.iter().copied()),
                        StatementKind::Return(_) => insertions.push((statement.span.start as usize, call.clone())),
                        _ => {}
                    }
                }
                let end = (function.body.span.end as usize).saturating_sub(1);
                insertions.push((end, call.clone()));
            }
            Item::Statement(statement) => {
                has_statements = true;
                waiting.push(statement);
            }
            Item::Declaration(_) | Item::Assembly(..) => {}
        }
    }
    if has_statements {
        insertions.push((text.len(), format!(";{call}")));
    }
    while let Some(statement) = waiting.pop() {
        if let StatementKind::Label(name, body) = &statement.kind
            && name.text == TARGET_LABEL
        {
            labels.push((body.span.start as usize, call.clone()));
        }
        waiting.extend(statement.parts());
    }
    if !labels.is_empty() {
        insertions = labels;
    }
    if insertions.is_empty() {
        let message = format!("there is no function `{entry}` with a body, at the end of which the target could be");
        return Err(vec![Diagnostic::error(0..0, message, "no place for the target")]);
    }
    insertions.sort_by_key(|(position, _)| *position);
    let mut result = String::with_capacity(text.len() + 64);
    let mut copied = 0;
    for (position, call) in insertions {
        result.push_str(text.get(copied..position).unwrap_or_default());
        result.push_str(&call);
        copied = position;
    }
    result.push_str(text.get(copied..).unwrap_or_default());
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_at_the_label_or_at_the_end() {
        let text = "int main() { int x = 1; if (x) return 2; return 0; }";
        let found = with_target(text, "x > 0", "main", false).expect("no mistake in it");
        assert_eq!(
            found,
            "int main() { int x = 1; if (x) return 2;  if (x > 0) __clausal_target(); return 0;  if (x > 0) __clausal_target(); }"
        );
        let text = "void main() { int x = 1; TARGET: x = 2; }";
        let found = with_target(text, "x", "main", false).expect("no mistake in it");
        assert_eq!(
            found,
            "void main() { int x = 1; TARGET:  if (x) __clausal_target(); x = 2; }"
        );
        assert!(with_target(text, "x", "start", false).is_ok_and(|found| found.contains("TARGET:  if")));
    }
}
