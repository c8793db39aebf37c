//! Programs that start elsewhere than in `main`, as libraries do: whoever calls such a function may have called it before, or
//! other functions of the file, and then variables have other values than those they are initialized with.
//!
//! Where no option says whether that is so ([`EarlierCalls::Unsaid`]), a program is safe if it is safe whatever earlier calls may
//! have left, and unsafe if the first call of all reaches the error. What lies between is reported as no verdict: whether
//! there are such calls is for the user to say.

use super::verification::{Verification, translated};
use crate::c::options::{EarlierCalls, Options as COptions};
use crate::diagnostics::{Diagnostic, Reading, Severity};
use crate::engine::{Options, StopReason, Verdict};
use crate::evidence::fingerprint;
use std::time::Instant;

/// The part of the time for variables that may have any values.
const SHARE: u32 = 2;

/// Whether it is left open which calls come before, and that makes a difference.
pub(super) fn are_open(text: &str, options: &COptions) -> bool {
    if options.earlier_calls != EarlierCalls::Unsaid || options.entry == "main" {
        return false;
    }
    let rules = |earlier| translated(text, &with(options, earlier)).ok();
    match (rules(EarlierCalls::Any), rules(EarlierCalls::None)) {
        (Some((any, _)), Some((none, _))) => {
            fingerprint(&any.program) != fingerprint(&none.program) || any.refused.len() != none.refused.len()
        }
        (None, None) => false,
        _ => true,
    }
}

/// The verdict where it is open, with `verify` for either case.
pub(super) fn verified(
    options: &COptions,
    engine: &Options,
    verify: &dyn Fn(&COptions, &Options) -> Reading<Verification>,
) -> Reading<Verification> {
    let started = Instant::now();
    let mut limited = engine.clone();
    limited.budget.time = engine.budget.time.map(|limit| limit / SHARE);
    let after_any = verify(&with(options, EarlierCalls::Any), &limited);
    if let Some(Verdict::Safe(_)) = verdict(&after_any) {
        return after_any;
    }
    let mut rest = engine.clone();
    rest.budget.time = engine.budget.time.map(|limit| limit.saturating_sub(started.elapsed()));
    let mut first = verify(&with(options, EarlierCalls::None), &rest);
    if let Some(verification) = &mut first.product
        && matches!(verification.outcome.verdict, Verdict::Safe(_))
    {
        let entry = &options.entry;
        let otherwise = match verdict(&after_any) {
            Some(Verdict::Unsafe(_)) => "unsafe if variables have whatever other calls before it may have left",
            _ => "not shown to be safe if there are other calls before it",
        };
        verification.outcome.verdict = Verdict::Unknown(StopReason::Inexact(format!(
            "the program is safe if the call of `{entry}` is the first one (--earlier-calls none), and {otherwise} \
             (--earlier-calls any)"
        )));
        first.diagnostics.extend(warnings(after_any.diagnostics));
    }
    first
}

fn verdict(reading: &Reading<Verification>) -> Option<&Verdict> {
    reading
        .product
        .as_ref()
        .map(|verification| &verification.outcome.verdict)
}

/// What was refused of the runs that are not in the verdict.
fn warnings(diagnostics: Vec<Diagnostic>) -> impl Iterator<Item = Diagnostic> {
    diagnostics.into_iter().map(|diagnostic| Diagnostic {
        severity: Severity::Warning,
        ..diagnostic
    })
}

fn with(options: &COptions, earlier_calls: EarlierCalls) -> COptions {
    COptions {
        earlier_calls,
        ..options.clone()
    }
}
