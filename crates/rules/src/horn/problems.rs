//! Where the reader collects what is wrong with a text: a list of diagnostics with a cap, so that a file of the wrong kind
//! does not bury its reader.

use super::lexer::Span;
use crate::diagnostics::{Diagnostic, Reading};
use hashbrown::HashSet;

/// After this many errors the reader stops.
const MOST_ERRORS: usize = 20;

/// The mark of an error that has been reported already.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported;

/// A result whose error has been reported.
pub(super) type Checked<T> = Result<T, Reported>;

/// The diagnostics so far.
#[derive(Default)]
pub(super) struct Problems {
    diagnostics: Vec<Diagnostic>,
    refused: HashSet<&'static str>,
    exhausted: bool,
}

impl Problems {
    /// Adds an error, unless there are too many already.
    pub fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        if !self.is_full() {
            self.diagnostics.push(diagnostic);
        }
        Reported
    }

    /// Adds an error without advice.
    pub fn error(&mut self, span: Span, message: impl Into<String>, label: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(span.range(), message, label))
    }

    /// Adds an error about something that may be right.
    pub fn unsupported(&mut self, span: Span, message: impl Into<String>, label: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(span.range(), message, label).unsupported())
    }

    /// Refuses a feature of SMT-LIB that has no counterpart in rules; said once for each feature, at its first use.
    pub fn refuse(&mut self, feature: &'static str, span: Span, help: &str) -> Reported {
        if self.refused.insert(feature) {
            let message = format!("{feature} are not supported");
            self.report(
                Diagnostic::error(span.range(), message, "cannot be turned into rules")
                    .help(help)
                    .unsupported(),
            );
        }
        Reported
    }

    /// Ends the reading after the first error that says it took too long.
    pub fn exhaust(&mut self) {
        self.exhausted = true;
    }

    /// Whether nothing more will be reported.
    pub fn is_full(&self) -> bool {
        self.exhausted || self.diagnostics.len() >= MOST_ERRORS
    }

    /// The outcome of reading: `product` if nothing was wrong.
    pub fn finish<T>(mut self, product: T) -> Reading<T> {
        // Lexical errors were found in a pass of their own.
        self.diagnostics
            .sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
        Reading {
            product: self.diagnostics.is_empty().then_some(product),
            diagnostics: self.diagnostics,
        }
    }
}
