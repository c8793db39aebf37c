//! Exploring C: compact symbolic execution of the rules, with the same care about undefined behaviour as in verifying, and what
//! it finds in C's terms.

use super::confirm::{Again, run_again, values_read};
use super::coverage::{CoveringRun, covering_runs, lines_text};
use super::findings::{assumptions, path_text};
use super::harness::{HarnessError, harness};
use super::objections::objection_to_error;
use super::places::{Places, SourceLine};
use super::verification::{Method, Verification, translated, translated_for_paths, with};
use crate::c::Translation;
use crate::c::options::{Options as COptions, Undefined};
use crate::diagnostics::Reading;
use crate::engine::{Outcome, Statistics, StopReason, Verdict};
use crate::evidence::replay_until;
use crate::explore::{Exploration, ExploreOptions, Finding, explore, with_rules_as_target};
use crate::report;
use serde_json::{Value, json as object};
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
    let automatic = method == Method::Automatic && !c_options.checks.any() && !options.coverage;
    let first = match automatic {
        true => with(c_options, Undefined::GoesOn),
        false => c_options.clone(),
    };
    let mut diagnostics = Vec::new();
    let attempt = |c_options: &COptions, options: &ExploreOptions, diagnostics: &mut Vec<_>| {
        let mut c_options = c_options.clone();
        let (mut translation, warnings) = match translated_for_paths(text, &mut c_options) {
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
            options: c_options,
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
        Finding::Unreachable(_) => true,
        Finding::Unknown(StopReason::Cancelled) => true,
        _ => found.options.undefined == Undefined::Ends || !automatic,
    };
    if is_final {
        return done(found, diagnostics);
    }
    let exact_options = with(&found.options, Undefined::Ends);
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
            exact
                .exploration
                .statistics
                .solver
                .add(&found.exploration.statistics.solver);
            if undefined && matches!(exact.exploration.finding, Finding::Unreachable(_)) {
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
    let objection = match &explored.exploration.finding {
        Finding::Reachable(derivation) => objection_to_error(&explored.translation, &explored.options, derivation),
        Finding::Unreachable(_) | Finding::Unknown(_) => None,
    };
    if let Some(reason) = objection {
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
        Finding::Unreachable(Ok(certificate)) => Verdict::Safe((**certificate).clone()),
        Finding::Unreachable(Err(why)) => Verdict::Unknown(StopReason::NotSupported(why.clone())),
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

/// What was found, in C's terms: the path to the error, or what is covered and by which inputs. With `tests`, the folder that
/// the tests of [`covering_harnesses`](super::covering_harnesses) are in, it is said which test reaches what.
pub fn exploration_findings(explored: &CExploration, text: &str, places: &Places<'_>, tests: Option<&str>) -> String {
    let exploration = &explored.exploration;
    let mut out = format!("{}\n", report::finding_line(&exploration.finding));
    if let Finding::Reachable(derivation) = &exploration.finding {
        out.push_str(&path_text(&explored.translation, derivation, text, places));
    }
    out.push_str(&report::closed_text(&exploration.finding));
    let covered = covering_runs(explored, places);
    if !covered.is_empty() {
        out.push_str("\nReached\n");
        for covering in covered {
            let lines = lines_text(&covering.first_reached);
            out.push_str(&format!("  with {}: {lines}", covering.inputs));
            match tests {
                Some(folder) => out.push_str(&format!(" ({})\n", test_path(folder, &covering))),
                None => out.push('\n'),
            }
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

/// What was found, as one line of JSON: what [`report::exploration_json`] has, with `inputs`, `path` and `coverage` in C's terms.
/// `tests` is as in [`exploration_findings`].
pub fn exploration_json(
    file: &str,
    explored: &CExploration,
    text: &str,
    places: &Places<'_>,
    tests: Option<&str>,
) -> String {
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
    let covered: Vec<Value> = covering_runs(explored, places)
        .iter()
        .map(|covering| {
            object!({
                "inputs": covering.inputs,
                "lines": lines_json(&covering.first_reached),
                "reaches": lines_json(&covering.reached),
                "test": tests.map(|folder| test_path(folder, covering)),
            })
        })
        .collect();
    fields.insert("coverage".to_string(), Value::Array(covered));
    Value::Object(fields).to_string()
}

fn lines_json(lines: &[SourceLine]) -> Value {
    let line = |line: &SourceLine| object!({"file": &*line.file, "line": line.line});
    Value::Array(lines.iter().map(line).collect())
}

/// A test with its folder, as people write it.
fn test_path(folder: &str, covering: &CoveringRun) -> String {
    match folder.ends_with('/') {
        true => format!("{folder}{}", covering.file),
        false => format!("{folder}/{}", covering.file),
    }
}
