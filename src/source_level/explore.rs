//! Exploring C: compact symbolic execution of the rules, with the same care about undefined behaviour as in verifying, and what
//! it finds in C's terms.

use super::confirm::{Again, run_again, values_read};
use super::findings::{assumptions, path_text};
use super::harness::{HarnessError, harness};
use super::places::Places;
use super::verify::{Method, Verification, translated, with};
use crate::c::Translation;
use crate::c::options::{Options as COptions, Undefined};
use crate::diagnostics::Reading;
use crate::engine::{Outcome, Statistics, StopReason, Verdict};
use crate::evidence::{Derivation, replay_until};
use crate::explore::{Exploration, ExploreOptions, Finding, explore, with_rules_as_target};
use crate::report;
use serde_json::{Value, json as object};
use std::collections::BTreeMap;
use std::time::Instant;

/// What exploring a C program has found, and the rules it is about.
#[derive(Clone, Debug)]
pub struct CExploration {
    /// What was found.
    pub exploration: Exploration,
    /// The rules, and what they say about the C.
    pub translation: Translation,
    /// The options that these rules were made with.
    pub options: COptions,
}

/// Explores the text of a C program, preprocessed. With `line`, the target is any step on that line instead of the errors.
///
/// A program with mistakes, or with something that cannot be translated, has no product but diagnostics.
pub fn explore_c(
    text: &str,
    c_options: &COptions,
    method: Method,
    line: Option<u32>,
    options: &ExploreOptions,
) -> Reading<CExploration> {
    let started = Instant::now();
    let checks = c_options.checks;
    let any_check = checks.overflow || checks.bounds || checks.division_by_zero || checks.null;
    let automatic = method == Method::Automatic && !any_check && !options.coverage;
    let first = match automatic {
        true => with(c_options, Undefined::GoesOn),
        false => c_options.clone(),
    };
    let mut diagnostics = Vec::new();
    let attempt = |c_options: &COptions, options: &ExploreOptions, diagnostics: &mut Vec<_>| {
        let (mut translation, warnings) = match translated(text, c_options) {
            Ok(translated) => translated,
            Err(errors) => {
                *diagnostics = errors;
                return None;
            }
        };
        for warning in warnings {
            if !diagnostics.contains(&warning) {
                diagnostics.push(warning);
            }
        }
        if let Some(line) = line {
            aim_at(&mut translation, text, line);
        }
        Some(CExploration {
            exploration: explore(&translation.program, options),
            translation,
            options: c_options.clone(),
        })
    };
    let mut for_first = options.clone();
    if automatic {
        // The exact rules get the other half.
        for_first.budget.time = options.budget.time.map(|limit| limit / 2);
    }
    let found = match attempt(&first, &for_first, &mut diagnostics) {
        Some(found) => found,
        None => {
            return Reading {
                product: None,
                diagnostics,
            };
        }
    };
    let is_final = match &found.exploration.finding {
        Finding::Unreachable => true,
        Finding::Unknown(StopReason::Cancelled) => true,
        _ => found.options.undefined == Undefined::Ends || !automatic,
    };
    if is_final {
        return done(found, diagnostics);
    }
    let exact_options = with(c_options, Undefined::Ends);
    let mut undefined = false;
    let is_over = || {
        let over = options.budget.time.is_some_and(|limit| started.elapsed() >= limit);
        over || options.cancellation.is_cancelled()
    };
    if let Finding::Reachable(derivation) = &found.exploration.finding
        && let Ok((mut translation, _)) = translated(text, &exact_options)
    {
        if let Some(line) = line {
            aim_at(&mut translation, text, line);
        }
        let again = run_again(&found.translation, derivation, &translation, &is_over);
        undefined = matches!(again, Again::Undefined(_));
        if let Again::Error(derivation) = again
            && replay_until(&translation.program, &derivation, &is_over) == Ok(true)
        {
            let mut exploration = found.exploration;
            exploration.finding = Finding::Reachable(derivation);
            let exact = CExploration {
                exploration,
                translation,
                options: exact_options,
            };
            return done(exact, diagnostics);
        }
    }
    let mut rest = options.clone();
    rest.budget.time = options.budget.time.map(|limit| limit.saturating_sub(started.elapsed()));
    match attempt(&exact_options, &rest, &mut diagnostics) {
        Some(mut exact) => {
            // What it cost is what both have cost.
            exact.exploration.statistics.seconds += found.exploration.statistics.seconds;
            exact.exploration.statistics.template_seconds += found.exploration.statistics.template_seconds;
            exact.exploration.statistics.attempts += found.exploration.statistics.attempts;
            exact.exploration.statistics.solver.add(&found.exploration.statistics.solver);
            if undefined && matches!(exact.exploration.finding, Finding::Unreachable) {
                exact.exploration.finding = Finding::Unknown(StopReason::Inexact(
                    "the error is reached by runs with undefined behaviour only; --undefined ends counts them as ended"
                        .to_string(),
                ));
            }
            done(exact, diagnostics)
        }
        None => Reading {
            product: None,
            diagnostics,
        },
    }
}

/// Makes the steps on a line the only errors.
fn aim_at(translation: &mut Translation, text: &str, line: u32) {
    let places = Places::new("", text);
    let on_line =
        |rule: &crate::c::source_map::RuleSource| rule.steps.iter().any(|step| places.of(step.place.span).line == line);
    let rules: Vec<usize> = translation
        .map
        .rules
        .iter()
        .enumerate()
        .filter(|(_, rule)| on_line(rule))
        .map(|(index, _)| index)
        .collect();
    translation.program = with_rules_as_target(&translation.program, &rules);
}

fn done(mut explored: CExploration, diagnostics: Vec<crate::diagnostics::Diagnostic>) -> Reading<CExploration> {
    let approximations = &explored.translation.approximations;
    if let (Finding::Reachable(_), Some(first)) = (&explored.exploration.finding, approximations.first()) {
        let reason = format!("the error found may come from an approximation: {}", first.text);
        explored.exploration.finding = Finding::Unknown(StopReason::Inexact(reason));
    }
    Reading {
        product: Some(explored),
        diagnostics,
    }
}

/// The harness for the error that was found.
///
/// # Errors
///
/// There is no error that a compiled program could reach.
pub fn exploration_harness(
    name: &str,
    explored: &CExploration,
    text: &str,
    places: &Places<'_>,
) -> Result<String, HarnessError> {
    harness(name, &as_verification(explored), text, places)
}

/// The exploration as other reports know outcomes; without a certificate there is no SAFE.
fn as_verification(explored: &CExploration) -> Verification {
    let verdict = match &explored.exploration.finding {
        Finding::Reachable(derivation) => Verdict::Unsafe(derivation.clone()),
        Finding::Unreachable => Verdict::Unknown(StopReason::Cancelled),
        Finding::Unknown(reason) => Verdict::Unknown(reason.clone()),
    };
    Verification {
        outcome: Outcome {
            verdict,
            statistics: Statistics::default(),
            invariants: Vec::new(),
            tree: None,
        },
        translation: explored.translation.clone(),
        options: explored.options.clone(),
    }
}

/// What was found, in C's terms: the path to the error, or what is covered and by which inputs.
pub fn exploration_findings(explored: &CExploration, text: &str, places: &Places<'_>) -> String {
    let exploration = &explored.exploration;
    let mut out = format!("{}\n", report::finding_line(&exploration.finding));
    if let Finding::Reachable(derivation) = &exploration.finding {
        out.push_str(&path_text(&explored.translation, derivation, text, places));
    }
    let covered = covered_lines(explored, places);
    if !covered.is_empty() {
        out.push_str("\nReached\n");
        for (inputs, lines) in covered {
            out.push_str(&format!("  with {inputs}: lines {}\n", lines.join(", ")));
        }
    }
    let assumed = assumptions(&as_verification(explored), places);
    if !assumed.is_empty() {
        out.push_str("\nUnderstood so\n");
        for line in assumed {
            out.push_str(&format!("  {line}\n"));
        }
    }
    out.push_str(&format!("\n{}\n", report::exploration_summary(exploration)));
    out
}

/// For each run that covers something new: its inputs, and the lines that no run before has covered.
fn covered_lines(explored: &CExploration, places: &Places<'_>) -> Vec<(String, Vec<String>)> {
    let mut known: BTreeMap<(String, u32), ()> = BTreeMap::new();
    let mut covered = Vec::new();
    for run in &explored.exploration.coverage {
        let mut new = Vec::new();
        for step in &run.steps {
            let Some(source) = explored.translation.map.rules.get(step.rule.index()) else {
                continue;
            };
            for step in &source.steps {
                let place = places.of(step.place.span);
                if known.insert((place.file.to_string(), place.line), ()).is_none() {
                    new.push(place.line);
                }
            }
        }
        if !new.is_empty() {
            new.sort_unstable();
            let lines = new.iter().map(u32::to_string).collect();
            covered.push((inputs_text(&explored.translation, run), lines));
        }
    }
    covered
}

fn inputs_text(translation: &Translation, run: &Derivation) -> String {
    let read = values_read(translation, run);
    let text = |read: &super::ReadValue| {
        let value = read
            .value
            .as_ref()
            .map_or("any value".to_string(), super::path::value_text);
        format!("{} = {value}", read.variable)
    };
    match read.is_empty() {
        true => "any inputs".to_string(),
        false => read.iter().map(text).collect::<Vec<_>>().join(", "),
    }
}

/// What was found, as one line of JSON: what [`report::exploration_json`] has, with `inputs` and `path` in C's terms.
pub fn exploration_json(file: &str, explored: &CExploration, text: &str, places: &Places<'_>) -> String {
    let of_rules = report::exploration_json(file, &explored.translation.program, &explored.exploration);
    let mut fields: serde_json::Map<String, Value> = serde_json::from_str(&of_rules).unwrap_or_default();
    if let Finding::Reachable(derivation) = &explored.exploration.finding {
        let read = values_read(&explored.translation, derivation);
        let read = read.iter().map(|read| {
            let place = places.of(read.place.span);
            let value = read.value.as_ref().map(super::path::value_text);
            object!({"file": &*place.file, "line": place.line, "variable": read.variable, "value": value})
        });
        fields.insert("inputs".to_string(), Value::Array(read.collect()));
        let path = path_text(&explored.translation, derivation, text, places);
        let lines: Vec<&str> = path.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        fields.insert("path".to_string(), object!(lines));
    }
    let covered = covered_lines(explored, places).into_iter();
    let covered: Vec<Value> = covered
        .map(|(inputs, lines)| object!({"inputs": inputs, "lines": lines}))
        .collect();
    fields.insert("coverage".to_string(), Value::Array(covered));
    Value::Object(fields).to_string()
}
