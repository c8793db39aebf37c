//! Which verdicts on rules are told: those that nothing speaks against, and errors with inputs as small as may be.

use super::objections::{objection_to_error, objection_to_proof};
use super::smaller::with_smaller_inputs;
use super::verification::Verification;
use crate::diagnostics::{Diagnostic, Reading};
use crate::engine::{StopReason, Verdict};

/// The reading with what may be said of the verdict.
pub(super) fn admitted(mut verification: Verification, diagnostics: Vec<Diagnostic>) -> Reading<Verification> {
    if ends_untranslated(&verification) {
        return Reading {
            product: Some(verification),
            diagnostics,
        };
    }
    let objection = match &verification.outcome.verdict {
        Verdict::Safe(_) => objection_to_proof(&verification.options),
        Verdict::Unsafe(derivation) => objection_to_error(&verification.translation, &verification.options, derivation),
        Verdict::Unknown(_) => None,
    };
    if let Some(reason) = objection {
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
