//! A verdict about a C program with the rules it is about, and how options make rules of a text.

use crate::c::options::{Options as COptions, Undefined};
use crate::c::{Translation, translate};
use crate::diagnostics::{Diagnostic, Reading};
use crate::engine::Outcome;

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

/// The rules that the options make of the text, with warnings, or else why there are none.
pub(super) fn translated(text: &str, options: &COptions) -> Result<(Translation, Vec<Diagnostic>), Vec<Diagnostic>> {
    let Reading { product, diagnostics } = translate(text, options);
    match product {
        Some(translation) => Ok((translation, diagnostics)),
        None => Err(diagnostics),
    }
}

/// The same options, but for what becomes of runs without defined behaviour.
pub(super) fn with(options: &COptions, undefined: Undefined) -> COptions {
    COptions {
        undefined,
        ..options.clone()
    }
}

/// The rules of a program, each with one predicate in its body, and diagnostics, for those who follow single paths: where functions recur, their
/// calls are on a stack, which the options say then.
pub(super) fn translated_for_paths(
    text: &str,
    options: &mut COptions,
) -> Result<(Translation, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (translation, diagnostics) = translated(text, options)?;
    if !translation.program.has_calls() {
        return Ok((translation, diagnostics));
    }
    *options = options.on_stack();
    translated(text, options)
}

/// No verdict, for the reasons given.
pub(super) fn failed(diagnostics: Vec<Diagnostic>) -> Reading<Verification> {
    Reading {
        product: None,
        diagnostics,
    }
}
