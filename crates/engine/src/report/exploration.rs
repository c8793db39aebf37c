//! What compact symbolic execution has found, as text and as JSON.

use super::proof::derivation_text;
use super::symbolic::write_states;
use crate::evidence::save_derivation;
use crate::explore::{Exploration, ExploreStatistics, Finding, TemplateText};
use crate::rules::Program;
use serde::Serialize;

/// The finding as the first line of a report: `REACHABLE`, `UNREACHABLE`, which may be *not certified*, or `UNKNOWN` with the reason.
pub fn finding_line(finding: &Finding) -> String {
    match finding {
        Finding::Reachable(_) => "REACHABLE".to_string(),
        Finding::Unreachable(Ok(_)) => "UNREACHABLE".to_string(),
        Finding::Unreachable(Err(_)) => "UNREACHABLE (not certified)".to_string(),
        Finding::Unknown(reason) => format!("UNKNOWN: {reason}"),
    }
}

/// What there is to say about the evidence of a closed tree; nothing about other findings.
pub fn closed_text(finding: &Finding) -> String {
    match finding {
        Finding::Unreachable(Ok(certificate)) => format!(
            "\nThe certificate has {}, out of which no rule leads.\n",
            counted(certificate.symbolic.len() as u64, "symbolic state", "symbolic states")
        ),
        Finding::Unreachable(Err(why)) => format!("\nThe tree is closed, but it is no certificate: {why}.\n"),
        Finding::Reachable(_) | Finding::Unknown(_) => String::new(),
    }
}

/// The finding with its evidence, as text that is the same in every run: the run into the error, or the symbolic states that no rule
/// leaves.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::explore::{ExploreOptions, explore};
/// let source = "?- loop(0). loop(X) :- X < 9, loop(X + 2). loop(X) :- X = 5 * 3, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let exploration = explore(&program, &ExploreOptions::default());
/// let text = clausal::report::exploration_proof(&program, &exploration);
/// assert!(text.contains("into 2 with κ = κ + 1"), "{text}");
/// ```
pub fn exploration_proof(program: &Program, exploration: &Exploration) -> String {
    let mut text = format!("{}\n", finding_line(&exploration.finding));
    match &exploration.finding {
        Finding::Reachable(derivation) => text.push_str(&derivation_text(program, derivation)),
        Finding::Unreachable(Ok(certificate)) => write_states(&mut text, program, certificate),
        finding => text.push_str(&closed_text(finding)),
    }
    text
}

/// The finding, the run into the error or what is covered by which runs, and what it cost.
pub fn exploration_findings(program: &Program, exploration: &Exploration) -> String {
    let mut text = format!("{}\n", finding_line(&exploration.finding));
    if let Finding::Reachable(derivation) = &exploration.finding {
        text.push_str(&derivation_text(program, derivation));
    }
    text.push_str(&closed_text(&exploration.finding));
    if !exploration.coverage.is_empty() {
        text.push_str("\nReached\n");
    }
    let mut known = vec![false; program.rules().len()];
    for run in &exploration.coverage {
        let mut new = Vec::new();
        for step in &run.steps {
            if let Some(known) = known.get_mut(step.rule.index())
                && !std::mem::replace(known, true)
            {
                new.push(super::wording::place(program, step.rule));
            }
        }
        if !new.is_empty() {
            text.push_str(&format!("  {} with\n", new.join(", ")));
            for line in derivation_text(program, run).lines().skip(2) {
                text.push_str(&format!("    {}\n", line.trim_start()));
            }
        }
    }
    text.push_str(&format!("\n{}\n", exploration_summary(exploration)));
    text
}

/// What an exploration cost, as one line.
pub fn exploration_summary(exploration: &Exploration) -> String {
    let statistics = &exploration.statistics;
    let mut line = format!(
        "{} in the tree, {} ({} failed), {} for {} used {}, {} ({} by Z3)",
        counted(statistics.states, "state", "states"),
        counted(statistics.leaves, "leaf", "leaves"),
        statistics.failed_leaves,
        counted(statistics.templates, "template", "templates"),
        counted(statistics.cycles, "cycle", "cycles"),
        counted(statistics.applications, "time", "times"),
        counted(statistics.solver.queries, "solver query", "solver queries"),
        statistics.solver.z3.settled,
    );
    if statistics.covered > 0 {
        line.push_str(&format!(", {} covered", statistics.covered));
    }
    if statistics.attempts > 1 {
        line.push_str(&format!(", attempt {} ({})", statistics.attempts, exploration.method));
    }
    line.push_str(&format!(", {:.2} s", statistics.seconds));
    line
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    verdict: &'static str,
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certified: Option<bool>,
    method: String,
    statistics: &'a ExploreStatistics,
    templates: &'a [TemplateText],
    derivation: Option<serde_json::Value>,
}

/// An exploration as one line of JSON: `file`, `verdict` (`reachable`, `unreachable` or `unknown`), `reason` (why there is no
/// verdict, or no certificate), `certified` (if unreachable), `method`, `statistics`, `templates`, `derivation` (if reachable).
pub fn exploration_json(file: &str, program: &Program, exploration: &Exploration) -> String {
    let derivation = match &exploration.finding {
        Finding::Reachable(derivation) => save_derivation(program, derivation)
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok()),
        _ => None,
    };
    let report = Report {
        file,
        verdict: match &exploration.finding {
            Finding::Reachable(_) => "reachable",
            Finding::Unreachable(_) => "unreachable",
            Finding::Unknown(_) => "unknown",
        },
        reason: match &exploration.finding {
            Finding::Unknown(reason) => Some(reason.to_string()),
            Finding::Unreachable(Err(why)) => Some(why.clone()),
            _ => None,
        },
        certified: match &exploration.finding {
            Finding::Unreachable(closed) => Some(closed.is_ok()),
            _ => None,
        },
        method: exploration.method.to_string(),
        statistics: &exploration.statistics,
        templates: &exploration.templates,
        derivation,
    };
    serde_json::to_string(&report).unwrap_or_default()
}
