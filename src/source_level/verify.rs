//! Verifying C: what is left open about the program's start, and what becomes of runs that come to what is not translated.

use super::admission::ends_untranslated;
use super::earlier_calls;
use super::readings::{Question, for_errors_alone};
use super::verification::{Method, Verification, failed};
use crate::c::Translation;
use crate::c::options::{Options as COptions, Untranslated};
use crate::diagnostics::{Diagnostic, Reading, Severity};
use crate::engine::{Options, Outcome, Verdict, verify};
use crate::turns;
use std::time::Instant;

/// Verifies the text of a C program, preprocessed.
///
/// A program with mistakes, or with something that cannot be translated, has no product but diagnostics. Otherwise there is an
/// outcome, and the diagnostics are warnings.
pub fn verify_c(text: &str, c_options: &COptions, method: Method, options: &Options) -> Reading<Verification> {
    verify_c_by(text, c_options, method, options, &|translation, options| {
        let program = &translation.program;
        match program.has_calls() {
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
    let ask = |c_options: &COptions, options: &Options| {
        let question = Question {
            text,
            c_options,
            method,
            options,
            verify,
        };
        question.answer()
    };
    // What is not translated does no harm where no run comes to it.
    let Reading {
        product,
        mut diagnostics,
    } = ask(&treated(Untranslated::Fails), options);
    let Some(mut verification) = product else {
        return failed(diagnostics);
    };
    let refused = std::mem::take(&mut verification.translation.refused);
    let is_approximable = verification.translation.is_approximable;
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
    let rest = || {
        let mut rest = options.clone();
        rest.budget.time = options.budget.time.map(|limit| limit.saturating_sub(started.elapsed()));
        rest
    };
    // Objects of which the bytes are used may be all that is in the way.
    let with_bytes = COptions {
        bytes: true,
        ..treated(Untranslated::Fails)
    };
    let seen = ask(&with_bytes, &rest());
    if seen.product.as_ref().is_some_and(|found| !ends_untranslated(found)) {
        return seen;
    }
    // Another run may fail before it comes there.
    let others = ask(&treated(Untranslated::Ends), &for_errors_alone(rest()));
    // What is still in the way is what matters.
    let refused = match seen.product {
        Some(found) if !found.translation.refused.is_empty() => found.translation.refused,
        _ => refused,
    };
    let has_error = |found: &Verification| matches!(found.outcome.verdict, Verdict::Unsafe(_));
    if others.product.as_ref().is_some_and(has_error) {
        return others;
    }
    // A proof for any values that may be left behind is one for those that are.
    if is_approximable {
        let any_values = COptions {
            approximate: true,
            ..treated(Untranslated::Fails)
        };
        let found = ask(&any_values, &rest());
        let is_proved = |found: &Verification| matches!(found.outcome.verdict, Verdict::Safe(_));
        if found.product.as_ref().is_some_and(is_proved) {
            return found;
        }
    }
    diagnostics.extend(refused);
    failed(diagnostics)
}
