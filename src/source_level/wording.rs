//! Compressed traces in terms of C: lines, statements, and formulas over C variables.

use super::path::{element_name, error_text, source_text};
use super::places::Places;
use crate::c::Translation;
use crate::c::program::UnknownSource;
use crate::c::source_map::{Step, StepKind};
use crate::compress::{Statement, Wording};
use crate::rules::{PredicateId, RuleId};
use crate::terms::{TermId, Terms};
use hashbrown::HashMap;

/// The words for a program's rules.
pub struct SourceWording<'a> {
    /// The rules, and what they say about the C.
    pub translation: &'a Translation,
    /// The text that was translated.
    pub text: &'a str,
    /// Its lines.
    pub places: &'a Places<'a>,
}

impl Wording for SourceWording<'_> {
    fn place(&self, predicate: PredicateId) -> String {
        match self.translation.map.predicates.get(predicate.index()) {
            Some(Some(source)) => self.line(source.place.span.start),
            _ => self.translation.program.predicate_label(predicate),
        }
    }

    fn statements(&self, rule: RuleId) -> Vec<Statement> {
        let Some(source) = self.translation.map.rules.get(rule.index()) else {
            return Vec::new();
        };
        let names = self.names(rule);
        let mut statements: Vec<Statement> = Vec::new();
        for step in &source.steps {
            let statement = Statement {
                place: self.line(step.place.span.start),
                text: self.describe(step, &|term| names.get(&term).cloned()),
            };
            // Reading a value into a variable is one statement, though it is two steps.
            if statements.last() != Some(&statement) {
                statements.push(statement);
            }
        }
        statements
    }

    fn formula(&self, terms: &Terms, predicate: PredicateId, formula: TermId) -> String {
        let parameters = &self.translation.program.predicate(predicate).parameters;
        let source = self.translation.map.predicates.get(predicate.index());
        let name_of = |term: TermId| {
            let position = parameters.iter().position(|parameter| *parameter == term)?;
            let name = source?.as_ref()?.variables.get(position)?;
            Some(name.replace("[]", ""))
        };
        terms.display_named(formula, &name_of).in_c().to_string()
    }
}

impl SourceWording<'_> {
    /// The line of a byte; with the file's name, if it is not that of the program's beginning.
    fn line(&self, byte: u32) -> String {
        let place = self.places.at(byte as usize);
        let mut predicates = self.translation.map.predicates.iter().flatten();
        let main = predicates.next().map(|first| self.places.of(first.place.span));
        match main.is_none_or(|main| main.file == place.file) {
            true => place.line.to_string(),
            false => place.to_string(),
        }
    }

    /// The C names of a rule's variables.
    fn names(&self, rule: RuleId) -> HashMap<TermId, String> {
        let head = &self.translation.program.rule(rule).head;
        let map = &self.translation.map;
        let mut names = HashMap::new();
        if let Some(Some(source)) = map.predicates.get(head.predicate.index()) {
            let known = head.arguments.iter().copied().zip(&source.variables);
            names.extend(known.map(|(argument, name)| (argument, name.replace("[]", ""))));
        }
        let steps = map.rules.get(rule.index()).map(|source| &source.steps[..]);
        for step in steps.unwrap_or_default() {
            if let StepKind::Input { variable, value, .. } = &step.kind {
                names.insert(*value, variable.replace("[]", ""));
            }
        }
        names
    }

    fn describe(&self, step: &Step, name_of: &dyn Fn(TermId) -> Option<String>) -> String {
        let written = source_text(self.text, step.place.span);
        let written = written.trim_end_matches(';').to_string();
        match &step.kind {
            StepKind::Assign { variable, index, value } => {
                // The place is that of the assigned value, or of a whole statement such as `i++`.
                let changes = ["++", "--", "+=", "-=", "*=", "/="]
                    .iter()
                    .any(|sign| written.contains(sign));
                if changes {
                    return written;
                }
                let terms = &self.translation.program.terms;
                let named = |term: TermId| match terms.is_variable(term) {
                    true => name_of(term).unwrap_or_else(|| terms.variable_name(term).to_string()),
                    false => terms.display_named(term, name_of).in_c().to_string(),
                };
                let variable = match index {
                    Some(index) => element_name(variable, &named(*index)),
                    None => variable.clone(),
                };
                let is_expression = !written.is_empty() && !written.contains([';', '{']) && !assigns(&written);
                match is_expression {
                    true => format!("{variable} = {written}"),
                    false => format!("{variable} = {}", named(*value)),
                }
            }
            StepKind::Input { variable, source, .. } => match source {
                UnknownSource::Call(function) => format!("{variable} = {function}()"),
                UnknownSource::ReadBy(function) => format!("{variable} is read by {function}()"),
                UnknownSource::Failure(function) => format!("{variable} says whether {function}() fails"),
                UnknownSource::Uninitialized => format!("{variable} is uninitialized"),
                UnknownSource::Allocation => format!("{variable} says whether there is memory"),
                UnknownSource::NotCalculated(what) => format!("{variable} = {what}, which is not calculated"),
                UnknownSource::Outside => format!("{variable} from outside"),
            },
            StepKind::Condition { holds: true } => written,
            StepKind::Condition { holds: false } => negated(&written),
            StepKind::Print(_)
            | StepKind::Call { .. }
            | StepKind::Enter { .. }
            | StepKind::Leave
            | StepKind::Return { .. } => written,
            StepKind::Error { kind, .. } => error_text(*kind).to_string(),
        }
    }
}

/// Whether a text has an assignment in it.
fn assigns(text: &str) -> bool {
    let compared = ["==", "!=", "<=", ">="];
    let rest = compared
        .iter()
        .fold(text.to_string(), |rest, sign| rest.replace(sign, ""));
    rest.contains('=')
}

/// The negation of a condition as it is written: that of a single comparison turned round, any other with `!`.
fn negated(condition: &str) -> String {
    const OPPOSITE: [(&str, &str); 6] = [
        (" == ", " != "),
        (" != ", " == "),
        (" <= ", " > "),
        (" >= ", " < "),
        (" < ", " >= "),
        (" > ", " <= "),
    ];
    let is_simple = !["&&", "||", "?", "!(", ","].iter().any(|sign| condition.contains(sign));
    let found: Vec<&(&str, &str)> = OPPOSITE.iter().filter(|(sign, _)| condition.contains(sign)).collect();
    match found[..] {
        [(sign, opposite)] if is_simple && condition.matches(sign).count() == 1 => {
            condition.replacen(sign, opposite, 1)
        }
        _ => format!("!({condition})"),
    }
}

#[cfg(test)]
mod tests {
    use super::negated;

    #[test]
    fn single_comparisons_are_turned_round() {
        assert_eq!(negated("i < n"), "i >= n");
        assert_eq!(negated("i == n"), "i != n");
        assert_eq!(negated("i < n && i > 0"), "!(i < n && i > 0)");
        assert_eq!(negated("found"), "!(found)");
    }
}
