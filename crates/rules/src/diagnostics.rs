//! Diagnostics: what is wrong with an input, where, and what to do about it. Every front end reports through this type,
//! and nothing else knows how a diagnostic is drawn.

mod long_lines;

use codespan_reporting::diagnostic as drawing;
use codespan_reporting::term;
use long_lines::ShownText;
use std::ops::Range;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but something in it is surprising.
    Warning,
}

/// Why an input cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It is not what it says it is: a mistake in it.
    Malformed,
    /// There is something in it that this version cannot treat, or too much of something. Nothing need be wrong with it.
    Unsupported,
}

/// One remark about a source text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// For errors, whose fault it is.
    pub reason: Reason,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The bytes of the source it is about.
    pub span: Range<usize>,
    /// What to write under the span.
    pub label: String,
    /// Other places that matter, each with a note.
    pub related: Vec<(Range<usize>, String)>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error about a span.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::diagnostics::{Diagnostic, render};
    /// let error = Diagnostic::error(0..1, "unknown predicate `q`", "no rule has this head").help("did you mean `p`?");
    /// let text = render(&[error], "goal.clp", "q :- true.");
    /// assert!(text.contains("goal.clp:1:1"));
    /// ```
    pub fn error(span: Range<usize>, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            reason: Reason::Malformed,
            message: message.into(),
            span,
            label: label.into(),
            related: Vec::new(),
            help: None,
        }
    }

    /// A warning about a span.
    pub fn warning(span: Range<usize>, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(span, message, label)
        }
    }

    /// The same about something that may be right, but cannot be treated.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::diagnostics::{Diagnostic, Reason};
    /// let error = Diagnostic::error(0..4, "a computed goto cannot be translated", "not followed").unsupported();
    /// assert_eq!(error.reason, Reason::Unsupported);
    /// ```
    pub fn unsupported(mut self) -> Diagnostic {
        self.reason = Reason::Unsupported;
        self
    }

    /// The same with advice.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The same with another place that matters.
    pub fn related(mut self, span: Range<usize>, note: impl Into<String>) -> Diagnostic {
        self.related.push((span, note.into()));
        self
    }
}

/// What a front end makes of a text: the product if there was no error, and everything there is to say.
#[derive(Clone, Debug)]
pub struct Reading<T> {
    /// What was read; `None` if and only if a diagnostic is an error.
    pub product: Option<T>,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// The diagnostics as text: file, line, column, the line itself with the span underlined, and the advice.
pub fn render(diagnostics: &[Diagnostic], file_name: &str, source: &str) -> String {
    let config = term::Config::default();
    let mut text = String::new();
    for diagnostic in diagnostics {
        // A span from a confused reader must not bring the renderer down.
        let clamp = |span: &Range<usize>| {
            let start = floor_boundary(source, span.start);
            start..floor_boundary(source, span.end).max(start)
        };
        let related = diagnostic.related.iter().map(|(span, _)| clamp(span));
        let spans: Vec<Range<usize>> = std::iter::once(clamp(&diagnostic.span)).chain(related).collect();
        let file = ShownText::new(file_name, source, &spans);
        let shown = |span: &Range<usize>| file.span(&clamp(span));
        let severity = match diagnostic.severity {
            Severity::Error => drawing::Severity::Error,
            Severity::Warning => drawing::Severity::Warning,
        };
        let mut labels = vec![drawing::Label::primary((), shown(&diagnostic.span)).with_message(&diagnostic.label)];
        for (span, note) in &diagnostic.related {
            labels.push(drawing::Label::secondary((), shown(span)).with_message(note));
        }
        let notes = diagnostic.help.iter().map(|help| format!("help: {help}")).collect();
        let drawn = drawing::Diagnostic::new(severity)
            .with_message(&diagnostic.message)
            .with_labels(labels)
            .with_notes(notes);
        if term::emit_to_string(&mut text, &config, &file, &drawn).is_err() {
            text.push_str(&format!("{file_name}: {}\n", diagnostic.message));
        }
    }
    text
}

/// The line and the column of a byte, both from 1; columns are characters.
///
/// ```
/// # use clausal_rules as clausal;
/// assert_eq!(clausal::diagnostics::line_and_column("a\nüb", 4), (2, 2));
/// ```
pub fn line_and_column(source: &str, position: usize) -> (u32, usize) {
    let before = source.get(..floor_boundary(source, position)).unwrap_or(source);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or(before).chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), column)
}

fn floor_boundary(source: &str, position: usize) -> usize {
    let mut position = position.min(source.len());
    while !source.is_char_boundary(position) {
        position -= 1;
    }
    position
}
