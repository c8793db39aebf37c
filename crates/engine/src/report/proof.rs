//! Proofs as stable text: same program, same options, same bytes on every machine, so that a proof can be snapshot-tested.
//! No times and no counts that depend on the machine.

use super::definitions::write_definitions;
use super::symbolic::write_states;
use super::wording;
use crate::engine::{LoopInvariant, Outcome, Verdict};
use crate::evidence::{Certificate, Derivation, Invariant};
use crate::rules::{PredicateId, Program};

/// A derivation with more steps than twice this is cut in the middle.
const STEPS_AT_EACH_END: usize = 20;

/// Everything there is to show for a verdict: the loop invariants and the certificate, or the derivation, or the reason why
/// there is neither and what to do about it.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::engine::{Outcome, Statistics, StopReason, Verdict};
/// use clausal::rules::Program;
/// let outcome = Outcome {
///     verdict: Verdict::Unknown(StopReason::States),
///     statistics: Statistics::default(),
///     invariants: Vec::new(),
///     tree: None,
/// };
/// let text = clausal::report::proof(&Program::new(), &outcome);
/// assert!(text.starts_with("UNKNOWN: the limit of states is reached\n"));
/// ```
pub fn proof(program: &Program, outcome: &Outcome) -> String {
    let mut text = findings(program, outcome);
    if let Verdict::Safe(certificate) = &outcome.verdict {
        write_certificate(&mut text, program, certificate);
    }
    text
}

/// [`proof`] without the certificate, which is as long as the program: what a person wants to see first.
pub fn findings(program: &Program, outcome: &Outcome) -> String {
    let mut text = format!("{}\n", wording::verdict_line(outcome));
    match &outcome.verdict {
        Verdict::Safe(certificate) => {
            write_invariants(&mut text, program, &outcome.invariants);
            write_summaries(&mut text, program, certificate);
        }
        Verdict::Unsafe(derivation) => write_derivation(&mut text, program, derivation),
        Verdict::Unknown(reason) => {
            let mut advice = wording::advice(reason).to_string();
            if let Some(loop_header) = outcome.stuck_at() {
                let head = head_and_line(program, loop_header);
                text.push_str(&format!("\nStuck at\n  {head}: unrolled again and again\n"));
                advice.push_str("; or say what holds there whenever it is reached (--hint, `clausal::hints`)");
            }
            text.push_str(&format!("\nWhat to do: {advice}.\n"));
        }
    }
    text
}

/// A predicate with its parameters, and where its rules begin.
fn head_and_line(program: &Program, predicate: PredicateId) -> String {
    let names = wording::parameter_names(program, predicate);
    let head = wording::atom(program, predicate, names.into_iter().map(|(_, name)| name));
    match wording::predicate_line(program, predicate) {
        Some(line) => format!("{head}, line {line}"),
        None => head,
    }
}

fn write_invariants(text: &mut String, program: &Program, invariants: &[LoopInvariant]) {
    if invariants.is_empty() {
        return;
    }
    text.push_str("\nLoop invariants\n");
    let mut headers: Vec<PredicateId> = Vec::new();
    for invariant in invariants {
        if !headers.contains(&invariant.predicate) {
            headers.push(invariant.predicate);
        }
    }
    for header in headers {
        text.push_str(&format!("  {}\n", head_and_line(program, header)));
        // A header that was unrolled has an invariant for each round that stands for itself; one of them holds.
        let rounds = invariants.iter().filter(|invariant| invariant.predicate == header);
        for (position, invariant) in rounds.enumerate() {
            let separator = if position == 0 { " " } else { ";" };
            text.push_str(&format!("    {separator} {}\n", invariant.formula));
            for locked in &invariant.locked {
                text.push_str(&format!("          locked: {locked}\n"));
            }
        }
    }
}

fn write_certificate(text: &mut String, program: &Program, certificate: &Certificate) {
    if let Some(steps) = certificate.all_runs {
        text.push_str(&format!(
            "\nCertificate: all runs are over after {steps} steps, and none comes to the error\n"
        ));
        return;
    }
    if !certificate.symbolic.is_empty() {
        write_states(text, program, certificate);
        return;
    }
    text.push_str("\nCertificate: what holds whenever a predicate is reached\n");
    for index in 0..program.predicates().len() {
        let predicate = PredicateId::from_index(index);
        if predicate == PredicateId::QUERY || predicate == PredicateId::ERROR {
            continue;
        }
        let entry = certificate.invariants.iter().find(|entry| entry.predicate == predicate);
        write_entry(text, program, certificate, predicate, entry);
    }
    write_definitions(text, certificate);
}

fn write_summaries(text: &mut String, program: &Program, certificate: &Certificate) {
    if !certificate.summaries.is_empty() {
        text.push_str("\nSummaries: what holds when a call has come back\n");
    }
    for summary in &certificate.summaries {
        write_entry(text, program, certificate, summary.predicate, Some(summary));
    }
}

fn write_entry(
    text: &mut String,
    program: &Program,
    certificate: &Certificate,
    predicate: PredicateId,
    entry: Option<&Invariant>,
) {
    let mut names = wording::parameter_names(program, predicate);
    let head = wording::atom(program, predicate, names.iter().map(|(_, name)| name.clone()));
    text.push_str(&format!("  {head}\n"));
    if let Some(entry) = entry {
        let universal = wording::universal_names(certificate, entry, &names);
        if !universal.is_empty() {
            let all: Vec<&str> = universal.iter().map(|(_, name)| name.as_str()).collect();
            text.push_str(&format!("      for all {}:\n", all.join(", ")));
        }
        names.extend(universal);
    }
    match entry.map(|entry| entry.disjuncts.as_slice()) {
        None => text.push_str("      true\n"),
        Some([]) => text.push_str("      false\n"),
        Some(disjuncts) => {
            for (position, disjunct) in disjuncts.iter().enumerate() {
                let separator = if position == 0 { " " } else { ";" };
                let conjunction = wording::conjunction(&certificate.terms, disjunct, &names);
                text.push_str(&format!("    {separator} {conjunction}\n"));
            }
        }
    }
}

/// A derivation with its heading.
pub(super) fn derivation_text(program: &Program, derivation: &Derivation) -> String {
    let mut text = String::new();
    write_derivation(&mut text, program, derivation);
    text
}

fn write_derivation(text: &mut String, program: &Program, derivation: &Derivation) {
    let all = derivation.length();
    let count = derivation.steps.len();
    let steps = if all == 1 { "step" } else { "steps" };
    text.push_str(&format!("\nDerivation of the error, {all} {steps}\n"));
    let omitted = if count > 2 * STEPS_AT_EACH_END {
        STEPS_AT_EACH_END..count - STEPS_AT_EACH_END
    } else {
        count..count
    };
    let shown: Vec<usize> = (0..count).filter(|position| !omitted.contains(position)).collect();
    let places: Vec<String> = shown
        .iter()
        .map(|position| wording::place(program, derivation.steps[*position].rule))
        .collect();
    let number_width = all.to_string().len();
    let place_width = places.iter().map(String::len).max().unwrap_or(0);
    let mut repetitions = derivation.repetitions.iter().peekable();
    // The steps before that are not written down.
    let mut missing = 0u64;
    for (position, place) in shown.into_iter().zip(places) {
        let is_after_omitted = position == omitted.end && !omitted.is_empty();
        let before = missing;
        while let Some(repetition) = repetitions.next_if(|repetition| repetition.at <= position) {
            let steps = repetition.times.saturating_mul(repetition.length as u64);
            missing = missing.saturating_add(steps);
            if !is_after_omitted {
                let (times, length) = (repetition.times, repetition.length);
                let of_steps = match length {
                    1 => "turns like these".to_string(),
                    _ => format!("turns of {length} steps like these"),
                };
                text.push_str(&format!("  {:number_width$}  ({times} more {of_steps})\n", ""));
            }
        }
        if is_after_omitted {
            let steps = (missing - before).saturating_add(omitted.len() as u64);
            text.push_str(&format!("  {:number_width$}  ({steps} steps like these)\n", ""));
        }
        let step = &derivation.steps[position];
        let goal = wording::goal_reached(program, step, derivation.steps.get(position + 1));
        let chosen = wording::chosen_values(program, step);
        let chosen = if chosen.is_empty() {
            String::new()
        } else {
            format!("  where {}", chosen.join(", "))
        };
        let number = missing.saturating_add(position as u64 + 1);
        text.push_str(&format!(
            "  {number:>number_width$}  {place:<place_width$}  {goal}{chosen}\n"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use crate::engine::StopReason;

    #[test]
    fn a_safe_outcome_shows_invariants_and_certificate() {
        let (program, outcome) = samples::safe();
        samples::assert_snapshot("proof_safe", proof(&program, &outcome));
    }

    #[test]
    fn an_unsafe_outcome_shows_every_step() {
        let (program, outcome) = samples::counting_to(3);
        samples::assert_snapshot("proof_unsafe", proof(&program, &outcome));
    }

    #[test]
    fn a_long_derivation_is_cut_in_the_middle() {
        let (program, outcome) = samples::counting_to(100_000);
        samples::assert_snapshot("proof_unsafe_long", proof(&program, &outcome));
    }

    #[test]
    fn every_reason_comes_with_advice() {
        let program = Program::new();
        let reasons = [
            StopReason::Time,
            StopReason::Memory,
            StopReason::NoThread("Resource temporarily unavailable".to_string()),
            StopReason::States,
            StopReason::Unrollings,
            StopReason::Cancelled,
            StopReason::SolverGaveUp("on whether `X*Y = Z` holds".to_string()),
            StopReason::NotSupported("rules with two body atoms".to_string()),
            StopReason::Malformed("rule 3 names a predicate that the program does not have".to_string()),
            StopReason::EvidenceRejected("rule 3 does not preserve the invariant".to_string()),
            StopReason::Internal("a goal without a rule".to_string()),
        ];
        let texts: Vec<String> = reasons
            .into_iter()
            .map(|reason| proof(&program, &samples::unknown(reason)))
            .collect();
        samples::assert_snapshot("proof_unknown", texts.join("\n"));
    }
}
