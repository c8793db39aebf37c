//! Why evidence that is right about rules is no verdict about the C program that they were made of: the rules may say more of it
//! than is known, or less than was asked. Whoever takes evidence for a verdict asks here, be it found or handed over.

use super::allocations;
use super::path::error_text;
use super::property::unchecked;
use crate::c::Translation;
use crate::c::options::Options;
use crate::c::program::{ErrorKind, UnknownSource};
use crate::c::source_map::{Step, StepKind};
use crate::evidence::Derivation;
use crate::rules::RuleId;

/// Why rules that are safe do not answer what is asked, if they do not.
pub fn objection_to_proof(options: &Options) -> Option<String> {
    let unchecked = unchecked(&options.properties)?;
    Some(format!(
        "what is checked is safe, but there is no check for `{unchecked}`"
    ))
}

/// Why a run by these rules, in their order, into an error is not known to be one that is asked for, if it is not.
pub fn objection_to_error(translation: &Translation, options: &Options, rules: &[RuleId]) -> Option<String> {
    if rules.last().is_some_and(|last| translation.is_untranslated(*last)) {
        return Some("it is a run that comes to what is not translated".to_string());
    }
    if let Some(kind) = violated(translation, rules)
        && !options.properties.is_empty()
        && !kind
            .property()
            .is_some_and(|name| options.properties.iter().any(|property| property == name))
    {
        let text = error_text(kind);
        return Some(format!("the error found is another one than is asked for: {text}"));
    }
    let approximations = &translation.approximations;
    if let Some(first) = approximations.first() {
        let others = match approximations.len() {
            1 => String::new(),
            count => format!(", and {} more", count - 1),
        };
        return Some(format!(
            "the error found may come from an approximation: {}{others}",
            first.text
        ));
    }
    let what = not_calculated(translation, rules)?;
    Some(format!(
        "the error found may depend on a value that is not calculated: {what}"
    ))
}

/// Why an error does not count where it is left open whether allocations fail, if it does not.
pub fn objection_to_failure(translation: &Translation, derivation: &Derivation) -> Option<String> {
    allocations::fails(translation, derivation)
        .then(|| "its run needs an allocation to fail (--malloc-may-fail)".to_string())
}

/// The rules of a derivation.
pub(super) fn rules_of(derivation: &Derivation) -> Vec<RuleId> {
    derivation.steps.iter().map(|step| step.rule).collect()
}

/// What kind of error rules end in.
pub(super) fn violated(translation: &Translation, rules: &[RuleId]) -> Option<ErrorKind> {
    match steps_of(translation, *rules.last()?).last()?.kind {
        StepKind::Error { kind, .. } => Some(kind),
        _ => None,
    }
}

/// What a run reads that is not calculated: any value was taken for it.
pub(super) fn not_calculated(translation: &Translation, rules: &[RuleId]) -> Option<String> {
    let mut steps = rules.iter().flat_map(|rule| steps_of(translation, *rule));
    steps.find_map(|step| match &step.kind {
        StepKind::Input {
            source: UnknownSource::NotCalculated(what),
            ..
        } => Some(what.clone()),
        _ => None,
    })
}

/// What a rule does in C.
pub(super) fn steps_of(translation: &Translation, rule: RuleId) -> &[Step] {
    translation
        .map
        .rules
        .get(rule.index())
        .map_or(&[][..], |rule| &rule.steps)
}
