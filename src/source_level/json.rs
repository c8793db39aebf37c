//! What was found out about a C program, for machines.

use super::findings::assumptions;
use super::invariants::{InvariantKind, invariants_of};
use super::objections::{rules_of, violated};
use super::path::{PathLine, path_of};
use super::places::Places;
use super::verification::Verification;
use crate::c::program::ErrorKind;
use crate::engine::Verdict;
use crate::report;
use serde_json::{Map, Value, json as object};

/// The outcome as one line of JSON: what [`report::json()`] has, with `invariants` in C's terms, and in addition `path`,
/// `inputs` (the values read, in order), `property` (the one that is violated, as SV-COMP says it: `false(unreach-call)`) and
/// `assumptions`.
pub fn json(file: &str, verification: &Verification, text: &str, places: &Places<'_>) -> String {
    let of_rules = report::json(file, &verification.translation.program, &verification.outcome);
    let mut fields: Map<String, Value> = serde_json::from_str(&of_rules).unwrap_or_default();
    let (mut invariants, mut path, mut inputs) = (Vec::new(), Value::Null, Value::Null);
    let mut property = Value::Null;
    match &verification.outcome.verdict {
        Verdict::Safe(certificate) => {
            for invariant in invariants_of(&verification.translation, certificate, places) {
                invariants.push(object!({
                    "file": &*invariant.place.file,
                    "line": invariant.place.line,
                    "function": invariant.function,
                    "disjuncts": invariant.disjuncts,
                }));
                if let (Some(Value::Object(fields)), false) = (invariants.last_mut(), invariant.universal.is_empty()) {
                    fields.insert("for_all".to_string(), invariant.universal.into());
                }
                let kind = match invariant.kind {
                    InvariantKind::Loop => continue,
                    InvariantKind::Precondition => "precondition",
                    InvariantKind::Postcondition => "postcondition",
                };
                if let Some(Value::Object(fields)) = invariants.last_mut() {
                    fields.insert("kind".to_string(), kind.into());
                }
            }
        }
        Verdict::Unsafe(derivation) => {
            let lines = path_of(&verification.translation, derivation, text, places);
            path = Value::Array(lines.iter().map(path_line).collect());
            let read = super::confirm::values_read(&verification.translation, derivation);
            let read = read.iter().map(|read| {
                let place = places.of(read.place.span);
                let value = read.value.as_ref().map(super::path::value_text);
                object!({"file": &*place.file, "line": place.line, "variable": read.variable, "value": value})
            });
            inputs = Value::Array(read.collect());
            let violated = violated(&verification.translation, &rules_of(derivation)).and_then(ErrorKind::property);
            property = violated.map_or(Value::Null, |name| format!("false({name})").into());
        }
        Verdict::Unknown(_) => {}
    }
    fields.insert("invariants".to_string(), Value::Array(invariants));
    fields.insert("property".to_string(), property);
    fields.insert("path".to_string(), path);
    fields.insert("inputs".to_string(), inputs);
    fields.insert("assumptions".to_string(), object!(assumptions(verification, places)));
    Value::Object(fields).to_string()
}

fn path_line(line: &PathLine) -> Value {
    match line {
        PathLine::Event(event) => {
            let mut fields = object!({
                "file": &*event.place.file,
                "line": event.place.line,
                "column": event.column,
                "function": event.function,
                "event": event.text,
            });
            if let (1.., Value::Object(fields)) = (event.depth, &mut fields) {
                fields.insert("depth".to_string(), object!(event.depth));
            }
            if let (Some(error), Value::Object(fields)) = (event.error, &mut fields) {
                fields.insert("property".to_string(), object!(error.property()));
            }
            fields
        }
        PathLine::Turns(count) => object!({ "turns": count }),
    }
}
