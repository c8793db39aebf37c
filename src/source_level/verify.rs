//! Verifying C: which rules are made, in which order they are verified, and what confirms an error.

use super::allocations;
use super::confirm::{Again, run_again};
use super::earlier_calls;
use super::path::error_text;
use super::places::Places;
use super::property::unchecked;
use super::smaller::with_smaller_inputs;
use crate::c::options::{Calls, Options as COptions, Undefined, Untranslated};
use crate::c::program::{ErrorKind, UnknownSource};
use crate::c::source_map::StepKind;
use crate::c::{Translation, translate};
use crate::diagnostics::{Diagnostic, Reading, Severity};
use crate::engine::{Options, Outcome, Statistics, StopReason, Verdict, verify};
use crate::enumeration::verify_ahead;
use crate::evidence::{Derivation, replay};
use crate::turns;
use std::time::{Duration, Instant};

/// Functions that recur are first looked at run by run, with their calls on a stack, for so many states and at most this part of
/// the time: that finds errors behind few runs, where nobody asks for more than values. So are runs beside those that come to
/// what is not translated.
const ERRORS_STATES: u64 = 2_000;
const ERRORS_SHARE: u32 = 4;

/// Where objects are allocated in any number, runs that go on after undefined behaviour are looked at for this part of the time,
/// or for so long: what a pointer leads to then is hard to know, and what is undefined first is mostly found soon.
const GOING_ON_SHARE: u32 = 4;
const GOING_ON: Duration = Duration::from_secs(30);

/// What becomes of runs without defined behaviour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// First they go on, which is simpler; only if that is not enough, they end.
    #[default]
    Automatic,
    /// As the options of the translation say: one attempt.
    AsTold,
}

/// A verdict about a C program, and the rules it is about.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The outcome. An error that is not certain to be one of the program is no UNSAFE here.
    pub outcome: Outcome,
    /// The rules that the evidence is about, and what they say about the C.
    pub translation: Translation,
    /// The options that these rules were made with.
    pub options: COptions,
}

/// Verifies the text of a C program, preprocessed.
///
/// A program with mistakes, or with something that cannot be translated, has no product but diagnostics. Otherwise there is an
/// outcome, and the diagnostics are warnings.
pub fn verify_c(text: &str, c_options: &COptions, method: Method, options: &Options) -> Reading<Verification> {
    verify_c_by(text, c_options, method, options, &|translation, options| {
        let program = &translation.program;
        match program.rules().iter().any(|rule| rule.body.len() > 1) {
            true => turns::verify(program, options),
            false => verify(program, options),
        }
    })
}

/// [`verify_c`], with another way to verify rules, such as one that is helped by [`crate::infer`] or [`crate::hints`]. It may add
/// terms to the program's table.
pub fn verify_c_by(
    text: &str,
    c_options: &COptions,
    method: Method,
    options: &Options,
    verify: &dyn Fn(&mut Translation, &Options) -> Outcome,
) -> Reading<Verification> {
    match earlier_calls::are_open(text, c_options) {
        true => earlier_calls::verified(c_options, options, &|c_options, options| {
            verify_started(text, c_options, method, options, verify)
        }),
        false => verify_started(text, c_options, method, options, verify),
    }
}

/// The verdict where it is settled what came before the program's start.
fn verify_started(
    text: &str,
    c_options: &COptions,
    method: Method,
    options: &Options,
    verify: &dyn Fn(&mut Translation, &Options) -> Outcome,
) -> Reading<Verification> {
    let started = Instant::now();
    let treated = |untranslated| COptions {
        untranslated,
        ..c_options.clone()
    };
    // What is not translated does no harm where no run comes to it.
    let Reading {
        product,
        mut diagnostics,
    } = verify_rules(text, &treated(Untranslated::Fails), method, options, verify);
    let Some(mut verification) = product else {
        return failed(diagnostics);
    };
    let refused = std::mem::take(&mut verification.translation.refused);
    if !ends_untranslated(&verification) {
        if matches!(verification.outcome.verdict, Verdict::Unknown(_)) {
            diagnostics.extend(refused.into_iter().map(|refusal| Diagnostic {
                severity: Severity::Warning,
                label: "no run that comes here is followed".to_string(),
                ..refusal
            }));
        }
        return Reading {
            product: Some(verification),
            diagnostics,
        };
    }
    // Another run may fail before it comes there.
    let mut rest = options.clone();
    rest.budget.time = options.budget.time.map(|limit| limit.saturating_sub(started.elapsed()));
    let others = verify_rules(
        text,
        &treated(Untranslated::Ends),
        method,
        &for_errors_alone(rest),
        verify,
    );
    let has_error = |found: &Verification| matches!(found.outcome.verdict, Verdict::Unsafe(_));
    if others.product.as_ref().is_some_and(has_error) {
        return others;
    }
    diagnostics.extend(refused);
    failed(diagnostics)
}

/// Options for a first or last look at runs that fail soon.
fn for_errors_alone(mut options: Options) -> Options {
    options.budget.time = options.budget.time.map(|time| time / ERRORS_SHARE);
    let states = options.budget.states.unwrap_or(u64::MAX);
    options.budget.states = Some(states.min(ERRORS_STATES));
    options
}

/// Whether what was found is a run that comes to what is not translated.
fn ends_untranslated(verification: &Verification) -> bool {
    match &verification.outcome.verdict {
        Verdict::Unsafe(derivation) => {
            let last = derivation.steps.last();
            last.is_some_and(|step| verification.translation.is_untranslated(step.rule))
        }
        _ => false,
    }
}

/// The verdict about the rules that the options make of the text.
fn verify_rules(
    text: &str,
    c_options: &COptions,
    method: Method,
    options: &Options,
    verify: &dyn Fn(&mut Translation, &Options) -> Outcome,
) -> Reading<Verification> {
    let started = Instant::now();
    // What is checked has to be defined before.
    let automatic = method == Method::Automatic && !c_options.checks.any();
    let first = match automatic {
        true => with(c_options, Undefined::GoesOn),
        false => c_options.clone(),
    };
    let (mut translation, diagnostics) = match translated(text, &first) {
        Ok(translated) => translated,
        Err(diagnostics) => return failed(diagnostics),
    };
    // Translating counts toward the limit.
    let rest = || {
        let mut rest = options.clone();
        rest.budget.time = options.budget.time.map(|limit| limit.saturating_sub(started.elapsed()));
        rest
    };
    let open_allocations = automatic && allocations::are_open(&translation, c_options);
    if open_allocations && let Some(found) = allocations::by_runs(text, c_options, &rest()) {
        return done(found, diagnostics);
    }
    if translation.recursion().is_some() {
        // A program that runs by itself needs no more than its run.
        if !open_allocations && let Ok((translation, _)) = translated(text, &on_stack(&first)) {
            let outcome = verify_ahead(&translation.program, &rest());
            if matches!(outcome.verdict, Verdict::Safe(_)) {
                let alone = Verification {
                    outcome,
                    translation,
                    options: on_stack(&first),
                };
                return done(alone, diagnostics);
            }
        }
        let on_stack = on_stack(c_options);
        let found = verify_rules(text, &on_stack, method, &for_errors_alone(rest()), verify);
        // Errors that are found on the stack are real ones; that there are none is left to the rules with calls.
        let has_error = |found: &Verification| matches!(found.outcome.verdict, Verdict::Unsafe(_));
        if found.product.as_ref().is_some_and(has_error) {
            return found;
        }
    }
    let is_safe_with_memory =
        || allocations::is_safe_with_memory(text, c_options, &|translation| verify(translation, &rest()));
    let mut first_options = rest();
    let is_limited = automatic && translation.counts_objects;
    if is_limited {
        let limit = first_options.budget.time.map_or(GOING_ON, |time| time / GOING_ON_SHARE);
        first_options.budget.time = Some(limit.min(GOING_ON));
    }
    let outcome = verify(&mut translation, &first_options);
    let attempt = Verification {
        outcome,
        translation,
        options: first,
    };
    if attempt.options.undefined == Undefined::Ends {
        return done(attempt, diagnostics);
    }
    let again = match &attempt.outcome.verdict {
        Verdict::Safe(_) => false,
        Verdict::Unsafe(_) => true,
        // Fewer runs are sometimes easier to reason about; a limit, on the other hand, is a limit.
        Verdict::Unknown(StopReason::SolverGaveUp(_)) => automatic,
        Verdict::Unknown(reason) => is_limited && *reason == StopReason::Time,
    };
    if !again {
        return done(attempt, diagnostics);
    }
    let exact = with(c_options, Undefined::Ends);
    let (translation, mut exact_diagnostics) = match translated(text, &exact) {
        Ok(translated) => translated,
        Err(diagnostics) => return failed(diagnostics),
    };
    exact_diagnostics.retain(|diagnostic| !diagnostics.contains(diagnostic));
    let mut diagnostics = diagnostics;
    diagnostics.append(&mut exact_diagnostics);
    let mut exact = Verification {
        outcome: without_verdict(attempt.outcome.statistics.clone()),
        translation,
        options: exact,
    };
    let is_over = || {
        let over = options.budget.time.is_some_and(|limit| started.elapsed() >= limit);
        over || options.cancellation.is_cancelled()
    };
    // What has several atoms in a body is run with its calls on a stack.
    let stacked = match (&attempt.outcome.verdict, exact.translation.recursion()) {
        (Verdict::Unsafe(_), Some(_)) => translated(text, &on_stack(&exact.options)).ok(),
        _ => None,
    };
    if let Some((translation, _)) = stacked {
        exact.options = on_stack(&exact.options);
        exact.translation = translation;
    }
    let again = match &attempt.outcome.verdict {
        Verdict::Unsafe(derivation) => run_again(&attempt.translation, derivation, &exact.translation, &is_over),
        _ => Again::Otherwise,
    };
    let undefined = match again {
        Again::Error(derivation) if replay(&exact.translation.program, &derivation).is_ok() => {
            let needs_failure = open_allocations && allocations::asks(&exact.translation, &derivation);
            exact.outcome.verdict = match needs_failure && is_safe_with_memory() {
                true => allocations::needs_failure(),
                false => Verdict::Unsafe(derivation),
            };
            exact.outcome.tree = attempt.outcome.tree;
            return done(exact, diagnostics);
        }
        Again::Undefined(place) => Some(place),
        Again::Error(_) | Again::Otherwise => None,
    };
    if !automatic {
        let mut attempt = attempt;
        attempt.outcome.verdict = Verdict::Unknown(StopReason::Inexact(
            "the error found is in a run that goes on after undefined behaviour".to_string(),
        ));
        return done(attempt, diagnostics);
    }
    if exact.options.calls != c_options.calls {
        exact.options.calls = c_options.calls;
        match translated(text, &exact.options) {
            Ok((translation, _)) => exact.translation = translation,
            Err(diagnostics) => return failed(diagnostics),
        }
    }
    exact.outcome = verify(&mut exact.translation, &rest());
    let needs_failure = match &exact.outcome.verdict {
        Verdict::Unsafe(derivation) => open_allocations && allocations::asks(&exact.translation, derivation),
        _ => false,
    };
    if needs_failure && is_safe_with_memory() {
        exact.outcome.verdict = allocations::needs_failure();
    }
    exact.outcome.statistics.seconds += attempt.outcome.statistics.seconds;
    exact.outcome.statistics.checking_seconds += attempt.outcome.statistics.checking_seconds;
    if let (Verdict::Safe(_), Some(place)) = (&exact.outcome.verdict, undefined) {
        if open_allocations && is_safe_with_memory() {
            allocations::rest_on_premise(&mut exact);
            return done(exact, diagnostics);
        }
        // What a compiler makes of such a run is anybody's guess; often enough it reaches the error.
        let place = place.map_or(String::new(), |place| {
            let line = Places::new("", text).of(place.span).line;
            format!(" near line {line}")
        });
        exact.outcome.verdict = Verdict::Unknown(StopReason::Inexact(format!(
            "the error is reached by runs with undefined behaviour{place}; the program is safe if such runs count as ended \
             (--undefined ends; --check undefined shows the behaviour)"
        )));
    }
    done(exact, diagnostics)
}

pub(super) fn on_stack(options: &COptions) -> COptions {
    COptions {
        calls: Calls::OnStack,
        ..options.clone()
    }
}

fn failed(diagnostics: Vec<Diagnostic>) -> Reading<Verification> {
    Reading {
        product: None,
        diagnostics,
    }
}

pub(super) fn with(options: &COptions, undefined: Undefined) -> COptions {
    COptions {
        undefined,
        ..options.clone()
    }
}

pub(super) fn translated(text: &str, options: &COptions) -> Result<(Translation, Vec<Diagnostic>), Vec<Diagnostic>> {
    let Reading { product, diagnostics } = translate(text, options);
    match product {
        Some(translation) => Ok((translation, diagnostics)),
        None => Err(diagnostics),
    }
}

fn done(mut verification: Verification, diagnostics: Vec<Diagnostic>) -> Reading<Verification> {
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

fn without_verdict(statistics: Statistics) -> Outcome {
    Outcome {
        verdict: Verdict::Unknown(StopReason::Cancelled),
        statistics,
        invariants: Vec::new(),
        tree: None,
    }
}
