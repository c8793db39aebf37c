//! Programs that use what `malloc` gives without looking. A run in which an allocating function returns null soon follows a null
//! pointer, which is undefined; what comes behind that says nothing about the program that its author had in mind.
//!
//! Where no option says otherwise ([`Allocation::ByUse`]), such a program is safe if two things are proved: it is safe where there is
//! memory enough, also after undefined behaviour; and where there is not, every run that has defined behaviour is safe, so that what
//! looks at the pointer is held to what it does. An error that needs an allocation to fail is reported as no verdict: whether
//! that counts is for the user to say.

use super::confirm::{ReadValue, follow, values_read};
use super::verification::{Verification, translated, with};
use crate::c::Translation;
use crate::c::options::{Allocation, Options as COptions, Undefined};
use crate::c::program::UnknownSource;
use crate::c::source_map::StepKind;
use crate::engine::{Options, Outcome, StopReason, Verdict};
use crate::enumeration::{has_met_an_error, verify_ahead};
use crate::evidence::{Derivation, replay};
use crate::terms::{Rational, Value};

/// What a verdict rests on that takes a run for ended where an allocation failed and behaviour is undefined.
const PREMISE: &str = "a run in which an allocating function returns null ends where it has undefined behaviour \
                       (--malloc-may-fail for all that might come of it)";

/// Why there is no verdict about an error that needs an allocation to fail.
const NEEDS_FAILURE: &str = "the error is reached only by runs in which an allocating function returns null; the program is \
                             unsafe if these count (--malloc-may-fail), and safe if not (--malloc-never-null)";

/// So many times the states of the run in which no allocation fails may be those of all runs.
const STATES_FACTOR: u64 = 4;

/// Whether it is left open what a failing allocation means, and there is one.
pub fn are_open(translation: &Translation, options: &COptions) -> bool {
    let mut steps = translation.map.rules.iter().flat_map(|rule| &rule.steps);
    options.allocation == Allocation::ByUse && steps.any(|step| is_outcome(&step.kind))
}

fn is_outcome(kind: &StepKind) -> bool {
    let source = match kind {
        StepKind::Input { source, .. } => Some(source),
        _ => None,
    };
    matches!(source, Some(UnknownSource::Allocation))
}

/// Whether an allocation fails in a run.
pub(super) fn fails(translation: &Translation, derivation: &Derivation) -> bool {
    let outcomes = |read: &ReadValue| read.source == UnknownSource::Allocation;
    let mut outcomes = values_read(translation, derivation).into_iter().filter(outcomes);
    outcomes.any(|read| matches!(read.value, Some(Value::Number(outcome)) if outcome == Rational::default()))
}

/// The verdict on a program that runs by itself but for its allocations, which are open.
pub(super) fn by_runs(text: &str, c_options: &COptions, options: &Options) -> Option<Verification> {
    let ahead = |c_options: COptions, states: Option<u64>| {
        let (translation, _) = translated(text, &c_options).ok()?;
        let mut options = options.clone();
        options.budget.states = options.budget.states.into_iter().chain(states).min();
        let outcome = verify_ahead(&translation.program, &options);
        Some(Verification {
            outcome,
            translation,
            options: c_options,
        })
    };
    let goes_on = with(&c_options.on_stack(), Undefined::GoesOn);
    let enough = ahead(never_failing(&goes_on), None)?;
    match &enough.outcome.verdict {
        Verdict::Safe(_) => {}
        // An error may be one after undefined behaviour: it counts if the exact rules come to it.
        verdict if matches!(verdict, Verdict::Unsafe(_)) || has_met_an_error(&enough.outcome) => {
            let exact = ahead(never_failing(&with(&goes_on, Undefined::Ends)), None)?;
            return Some(exact).filter(|exact| matches!(exact.outcome.verdict, Verdict::Unsafe(_)));
        }
        _ => return None,
    }
    // With a run for each allocation that fails there are more states, but not many times more, or this is not the way.
    let states = enough.outcome.statistics.states.saturating_mul(STATES_FACTOR);
    let any = ahead(goes_on.clone(), Some(states));
    if any
        .as_ref()
        .is_some_and(|any| matches!(any.outcome.verdict, Verdict::Safe(_)))
    {
        return any;
    }
    let mut exact = ahead(with(&goes_on, Undefined::Ends), None)?;
    match exact.outcome.verdict {
        Verdict::Safe(_) => rest_on_premise(&mut exact),
        Verdict::Unsafe(_) => exact.outcome.verdict = needs_failure(),
        Verdict::Unknown(_) => return None,
    }
    Some(exact)
}

/// What is known of a program where there is memory enough.
pub(super) enum WithMemory {
    /// It is safe, also after undefined behaviour.
    Safe,
    /// It has an error.
    Fails(Box<Verification>),
    /// Neither was shown.
    Open,
}

/// The verdict on a program where there is memory enough.
pub(super) fn with_memory(
    text: &str,
    c_options: &COptions,
    verify: &dyn Fn(&mut Translation) -> Outcome,
) -> WithMemory {
    let Ok((mut translation, _)) = translated(text, &never_failing(&with(c_options, Undefined::GoesOn))) else {
        return WithMemory::Open;
    };
    let outcome = verify(&mut translation);
    let derivation = match &outcome.verdict {
        Verdict::Safe(_) => return WithMemory::Safe,
        Verdict::Unsafe(derivation) => derivation,
        Verdict::Unknown(_) => return WithMemory::Open,
    };
    let exact = never_failing(&with(c_options, Undefined::Ends).on_stack());
    let Ok((to, _)) = translated(text, &exact) else {
        return WithMemory::Open;
    };
    match follow(&translation, derivation, &to).filter(|again| replay(&to.program, again).is_ok()) {
        Some(again) => WithMemory::Fails(Box::new(Verification {
            outcome: Outcome {
                verdict: Verdict::Unsafe(again),
                ..outcome
            },
            translation: to,
            options: exact,
        })),
        None => WithMemory::Open,
    }
}

/// A verdict about rules in which allocations may fail, and whether they do is open: an error with memory enough counts before one
/// that needs an allocation to fail.
pub(super) fn settled(mut found: Verification, with_memory: impl Fn() -> WithMemory) -> Verification {
    match &found.outcome.verdict {
        Verdict::Unsafe(derivation) if fails(&found.translation, derivation) => {}
        _ => return found,
    }
    match with_memory() {
        WithMemory::Safe => found.outcome.verdict = needs_failure(),
        WithMemory::Fails(other) => return *other,
        WithMemory::Open => found.options.allocation = Allocation::MayFail,
    }
    found
}

/// Says with a verdict what it rests on.
pub(super) fn rest_on_premise(verification: &mut Verification) {
    verification.options.text_assumptions.push(PREMISE.to_string());
}

/// What is said of an error that needs an allocation to fail.
pub(super) fn needs_failure() -> Verdict {
    Verdict::Unknown(StopReason::Inexact(NEEDS_FAILURE.to_string()))
}

fn never_failing(options: &COptions) -> COptions {
    COptions {
        allocation: Allocation::NeverFails,
        ..options.clone()
    }
}
