//! Which verdicts on rules are verdicts on the program: not those about errors that come from what was approximated or is not
//! calculated, nor those about other properties than were asked for.

use super::path::error_text;
use super::property::unchecked;
use super::smaller::with_smaller_inputs;
use super::verification::Verification;
use crate::c::Translation;
use crate::c::program::{ErrorKind, UnknownSource};
use crate::c::source_map::StepKind;
use crate::diagnostics::{Diagnostic, Reading};
use crate::engine::{StopReason, Verdict};
use crate::evidence::Derivation;

/// The reading with what may be said of the verdict.
pub(super) fn admitted(mut verification: Verification, diagnostics: Vec<Diagnostic>) -> Reading<Verification> {
    if ends_untranslated(&verification) {
        return Reading {
            product: Some(verification),
            diagnostics,
        };
    }
    if let Some(reason) = beside_the_question(&verification) {
        verification.outcome.verdict = Verdict::Unknown(StopReason::Inexact(reason));
    }
    let approximations = &verification.translation.approximations;
    if let (Verdict::Unsafe(_), Some(first)) = (&verification.outcome.verdict, approximations.first()) {
        let others = match approximations.len() {
            1 => String::new(),
            count => format!(", and {} more", count - 1),
        };
        let reason = format!("the error found may come from an approximation: {}{others}", first.text);
        verification.outcome.verdict = Verdict::Unknown(StopReason::Inexact(reason));
    }
    if let Verdict::Unsafe(derivation) = &verification.outcome.verdict
        && let Some(what) = not_calculated(&verification.translation, derivation)
    {
        let reason = format!("the error found may depend on a value that is not calculated: {what}");
        verification.outcome.verdict = Verdict::Unknown(StopReason::Inexact(reason));
    }
    if let Verdict::Unsafe(derivation) = &mut verification.outcome.verdict
        && let Some(smaller) = with_smaller_inputs(&verification.translation, derivation)
    {
        *derivation = smaller;
    }
    Reading {
        product: Some(verification),
        diagnostics,
    }
}

/// Whether the rules read something that is not calculated.
pub(super) fn has_values_not_calculated(translation: &Translation) -> bool {
    let mut steps = translation.map.rules.iter().flat_map(|rule| &rule.steps);
    steps.any(|step| {
        let source = match &step.kind {
            StepKind::Input { source, .. } => Some(source),
            _ => None,
        };
        matches!(source, Some(UnknownSource::NotCalculated(_)))
    })
}

/// What a run reads that is not calculated: any value was taken for it.
pub(super) fn not_calculated(translation: &Translation, derivation: &Derivation) -> Option<String> {
    let rules = derivation.steps.iter();
    let mut steps = rules
        .filter_map(|step| translation.map.rules.get(step.rule.index()))
        .flat_map(|rule| &rule.steps);
    steps.find_map(|step| match &step.kind {
        StepKind::Input {
            source: UnknownSource::NotCalculated(what),
            ..
        } => Some(what.clone()),
        _ => None,
    })
}

/// Why the verdict says nothing about the properties that are asked for, if it does not.
fn beside_the_question(verification: &Verification) -> Option<String> {
    let properties = &verification.options.properties;
    match &verification.outcome.verdict {
        Verdict::Safe(_) => {
            let unchecked = unchecked(properties)?;
            Some(format!(
                "what is checked is safe, but there is no check for `{unchecked}`"
            ))
        }
        Verdict::Unsafe(derivation) if !properties.is_empty() => {
            let kind = violated(&verification.translation, derivation)?;
            let is_asked_for = kind
                .property()
                .is_some_and(|name| properties.iter().any(|property| property == name));
            let text = error_text(kind);
            (!is_asked_for).then(|| format!("the error found is another one than is asked for: {text}"))
        }
        _ => None,
    }
}

/// What kind of error a derivation ends in.
pub(super) fn violated(translation: &Translation, derivation: &Derivation) -> Option<ErrorKind> {
    let rule = derivation.steps.last()?.rule;
    match translation.map.rules.get(rule.index())?.steps.last()?.kind {
        StepKind::Error { kind, .. } => Some(kind),
        _ => None,
    }
}

/// Whether what was found is a run that comes to what is not translated.
pub(super) fn ends_untranslated(verification: &Verification) -> bool {
    match &verification.outcome.verdict {
        Verdict::Unsafe(derivation) => {
            let last = derivation.steps.last();
            last.is_some_and(|step| verification.translation.is_untranslated(step.rule))
        }
        _ => false,
    }
}
