//! Why evidence that is right about rules is no verdict about the C program that they were made of: the rules may say more of it
//! than is known, or less than was asked. Whoever takes evidence for a verdict asks here, be it found or handed over.

use super::allocations;
use super::path::error_text;
use super::property::unchecked;
use crate::c::Translation;
use crate::c::options::Options;
use crate::c::program::{ErrorKind, Numeric, UnknownSource};
use crate::c::source_map::{Step, StepKind};
use crate::evidence::Derivation;
use crate::independence::{OpenInput, RuleInputs, reaches_error_whatever};
use crate::rules::RuleId;
use crate::terms::SortId;

/// Units of Z3 for the question whether a run depends on what is not calculated: about a second.
const RESOURCES: u32 = 2_000_000;

/// Why rules that are safe do not answer what is asked, if they do not.
pub fn objection_to_proof(options: &Options) -> Option<String> {
    let unchecked = unchecked(&options.properties)?;
    Some(format!(
        "what is checked is safe, but there is no check for `{unchecked}`"
    ))
}

/// Why a derivation of an error is not known to be one that is asked for, if it is not.
pub fn objection_to_error(translation: &Translation, options: &Options, derivation: &Derivation) -> Option<String> {
    let rules = rules_of(derivation);
    objection_to_end(translation, options, &rules)
        .or_else(|| objection_to_inputs(translation, &rules).filter(|_| !is_independent(translation, derivation)))
}

/// The same of a run by these rules, in their order, of which the values are not at hand.
pub fn objection_to_run(translation: &Translation, options: &Options, rules: &[RuleId]) -> Option<String> {
    objection_to_end(translation, options, rules).or_else(|| objection_to_inputs(translation, rules))
}

fn objection_to_inputs(translation: &Translation, rules: &[RuleId]) -> Option<String> {
    let what = not_calculated(translation, rules)?;
    Some(format!(
        "the error found may depend on a value that is not calculated: {what}"
    ))
}

/// Whether the run ends in the error whatever the values are that are not calculated.
fn is_independent(translation: &Translation, derivation: &Derivation) -> bool {
    let inputs = |rule: RuleId| {
        let mut inputs = RuleInputs::default();
        for step in steps_of(translation, rule) {
            match &step.kind {
                StepKind::Input {
                    source: UnknownSource::NotCalculated(_),
                    value,
                    numeric,
                    ..
                } => inputs.open.push(OpenInput {
                    variable: *value,
                    bounds: match numeric {
                        Numeric::Integer(kind) if translation.program.terms.sort(*value) == SortId::INT => {
                            Some((kind.minimum(), kind.maximum()))
                        }
                        _ => None,
                    },
                }),
                StepKind::Input { value, .. } => inputs.fixed.push(*value),
                _ => {}
            }
        }
        inputs
    };
    reaches_error_whatever(&translation.program, derivation, &inputs, RESOURCES)
}

/// Why a run that ends so is not known to be an error that is asked for.
fn objection_to_end(translation: &Translation, options: &Options, rules: &[RuleId]) -> Option<String> {
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
    None
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
