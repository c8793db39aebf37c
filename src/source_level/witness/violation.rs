//! The values with which a run of a C program reaches the error, as a witness of the violation.
//!
//! Every call that gave an unknown value is a waypoint, in the order of the run, and the place of the error is the target. What
//! a call read into a variable (`scanf`) is assumed at the statement behind it, if there is one. What was read from a variable
//! without a value has no place in such a witness: another tool may read another value there.

use super::{WitnessTask, document, quoted};
use crate::c::Translation;
use crate::c::program::UnknownSource;
use crate::c::source_map::Place;
use crate::evidence::Derivation;
use crate::source_level::confirm::{last_place, values_read};
use crate::source_level::places::Places;
use crate::terms::Value;
use std::fmt::Write;
use std::time::SystemTime;

/// A witness of the error that a derivation reaches; `created` is written into it.
///
/// ```
/// use clausal::c::options::Options;
/// use clausal::engine::Verdict;
/// use clausal::source_level::{Method, Places, WitnessTask, read_violation_witness, verify_c, violation_witness};
///
/// let text = "int __VERIFIER_nondet_int(void); void reach_error(void);\n\
///             int main(void) { int n = __VERIFIER_nondet_int(); if (n == 7) reach_error(); return 0; }\n";
/// let reading = verify_c(text, &Options::default(), Method::Automatic, &clausal::engine::Options::default());
/// let verification = reading.product.expect("it is C");
/// let Verdict::Unsafe(derivation) = &verification.outcome.verdict else { panic!("it is unsafe") };
/// let specification = "G ! call(reach_error())";
/// let task = WitnessTask { file: "seven.c", content: text.as_bytes(), is_32_bit: false, specification };
/// let places = Places::new("seven.c", text);
/// let written = violation_witness(task, std::time::UNIX_EPOCH, &verification.translation, derivation, &places);
/// assert!(written.contains(r#"value: "\\result == 7""#), "{written}");
/// let run = read_violation_witness(&written).expect("it is a witness");
/// assert_eq!(run.inputs[0].value.to_string(), "7");
/// ```
pub fn violation_witness(
    task: WitnessTask<'_>,
    created: SystemTime,
    translation: &Translation,
    derivation: &Derivation,
    places: &Places<'_>,
) -> String {
    let mut content = String::new();
    for read in values_read(translation, derivation) {
        let (subject, position) = match &read.source {
            // The place of a call is its closing parenthesis.
            UnknownSource::Call(_) => ("\\result", (read.place.span.end as usize).saturating_sub(1)),
            UnknownSource::ReadBy(_) => {
                let function = translation.map.functions.get(read.place.function as usize);
                let name = visible_name(&read.variable, function.map_or("", String::as_str));
                match name.zip(next_statement(places.text(), read.place.span.end as usize)) {
                    Some(found) => found,
                    None => continue,
                }
            }
            _ => continue,
        };
        let constraint = match &read.value {
            Some(Value::Number(value)) => format!("{subject} == {value}"),
            Some(Value::Float(value)) if value.is_nan() => format!("{subject} != {subject}"),
            // Zeros are equal, but their quotients are not.
            Some(Value::Float(value)) if value.is_zero() => {
                let comparison = if value.is_negative() { "<" } else { ">" };
                format!("{subject} == 0 && 1 / {subject} {comparison} 0")
            }
            Some(Value::Float(value)) => format!("{subject} == {value}"),
            _ => continue,
        };
        let constraint = [
            ("value", quoted(&constraint)),
            ("format", "acsl_expression".to_string()),
        ];
        waypoint(
            &mut content,
            match read.source {
                UnknownSource::Call(_) => "function_return",
                _ => "assumption",
            },
            location(translation, places, read.place, position),
            &constraint,
        );
    }
    if let Some(place) = last_place(derivation, &translation.map) {
        let start = place.span.start as usize;
        waypoint(&mut content, "target", location(translation, places, place, start), &[]);
    }
    document("violation_sequence", task, created, &content)
}

/// What a variable is called in the function; `None` for a variable of another function, and for a part of one.
fn visible_name<'v>(variable: &'v str, function: &str) -> Option<&'v str> {
    let name = match variable.rsplit_once("::") {
        Some((scope, name)) => (scope == function).then_some(name)?,
        None => variable,
    };
    let is_letter = |character: char| character.is_alphanumeric() || character == '_';
    name.chars().all(is_letter).then_some(name)
}

/// Where the next statement begins, if what ends here is the end of one.
fn next_statement(text: &str, end: usize) -> Option<usize> {
    let rest = text.get(end..)?.trim_start().strip_prefix(';')?;
    let mut next = rest.trim_start();
    while next.starts_with('#') {
        next = next.split_once('\n')?.1.trim_start();
    }
    // Neither the end of a block, nor the rest of a statement around.
    let is_statement = !next.starts_with('}') && !next.starts_with("else") && !next.starts_with("while");
    is_statement.then(|| text.len() - next.len())
}

/// The lines that say where something is.
fn location(translation: &Translation, places: &Places<'_>, place: Place, position: usize) -> String {
    let line = places.at(position);
    let function = translation.map.functions.get(place.function as usize);
    format!(
        "          file_name: {}\n          line: {}\n          column: {}\n          function: {}\n",
        quoted(&line.file),
        line.line,
        places.column(position),
        quoted(function.map_or("", String::as_str)),
    )
}

fn waypoint(content: &mut String, kind: &str, location: String, constraint: &[(&str, String)]) {
    // Writing into a string cannot fail.
    let _ = write!(
        content,
        "  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n        location:\n{location}"
    );
    if !constraint.is_empty() {
        content.push_str("        constraint:\n");
    }
    for (name, value) in constraint {
        let _ = writeln!(content, "          {name}: {value}");
    }
}
