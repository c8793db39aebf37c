//! C programs in: preprocessing, and diagnostics that show the file as its author wrote it.

use super::c_arguments::CArguments;
use super::input::is_standard_input;
use super::output;
use super::preprocess::{Preprocessed, has_directives, preprocess};
use clausal::c::options::{Options, Undefined};
use clausal::c::types::DataModel;
use clausal::c::{Translation, translate};
use clausal::diagnostics::{Diagnostic, Reading, Severity, render};
use clausal::source_level::{Places, WitnessTask};
use std::path::Path;

/// The text of a C program, with its name.
#[derive(Debug)]
pub struct CProgram {
    /// The name for messages and reports.
    pub name: String,
    /// What is translated.
    pub text: String,
    /// Whether it is a snippet.
    pub is_snippet: bool,
    /// What was read, if the preprocessor has changed it.
    original: Option<String>,
}

impl CProgram {
    /// A text without directives.
    pub fn new(name: String, text: String) -> CProgram {
        CProgram {
            name,
            text,
            is_snippet: false,
            original: None,
        }
    }

    /// Statements from the command line.
    pub fn snippet(text: &str) -> CProgram {
        CProgram {
            is_snippet: true,
            ..CProgram::new("<snippet>".to_string(), text.to_string())
        }
    }

    /// A text that goes through the preprocessor if there is something for it to do.
    pub fn preprocessed(path: &Path, name: String, text: String, arguments: &CArguments) -> Result<CProgram, String> {
        if arguments.define.is_empty() && !has_directives(&text) {
            return Ok(CProgram::new(name, text));
        }
        let file = (!is_standard_input(path)).then_some(path);
        let Preprocessed {
            text: preprocessed,
            left_out,
        } = preprocess(file, &text, &name, arguments)?;
        for directive in left_out {
            output::complain(&format!(
                "warning: {name}: `{directive}` is left out: there is no such file (--include-dir says where to look)"
            ));
        }
        Ok(CProgram {
            original: Some(text),
            ..CProgram::new(name, preprocessed)
        })
    }

    /// The lines of the text.
    pub fn places(&self) -> Places<'_> {
        Places::new(&self.name, &self.text)
    }

    /// The text before the preprocessor.
    pub fn as_written(&self) -> &str {
        self.original.as_ref().unwrap_or(&self.text)
    }

    /// What a witness about this program says of it.
    pub fn witness_task(&self, options: &Options) -> WitnessTask<'_> {
        WitnessTask {
            file: &self.name,
            content: self.as_written().as_bytes(),
            is_32_bit: options.model == DataModel::Ilp32,
        }
    }

    /// The options that the arguments ask for.
    pub fn options(&self, arguments: &CArguments, undefined: Undefined) -> Options {
        arguments.options(self.is_snippet, undefined)
    }

    /// The rules; errors and, if wanted, warnings go to standard error.
    pub fn translation(&self, options: &Options, warnings: bool) -> Option<Translation> {
        let Reading { product, diagnostics } = translate(&self.text, options);
        self.complain(&diagnostics, warnings);
        product
    }

    /// The rules that saved evidence may be about, and the options that make them: `verify` chooses what becomes of undefined
    /// behaviour.
    pub fn verified_translations(&self, arguments: &CArguments) -> Vec<(Options, Translation)> {
        let choices = match arguments.undefined {
            // One of them, whichever it is.
            Some(_) => vec![Undefined::Ends],
            None => vec![Undefined::GoesOn, Undefined::Ends],
        };
        let mut found = Vec::new();
        for (position, undefined) in choices.into_iter().enumerate() {
            let options = self.options(arguments, undefined);
            let translation = self.translation(&options, position == 0);
            found.extend(translation.map(|translation| (options, translation)));
        }
        found
    }

    /// Shows diagnostics, in the original text where what they are about stands there.
    pub fn complain(&self, diagnostics: &[Diagnostic], warnings: bool) {
        let places = self.places();
        for diagnostic in diagnostics {
            if !warnings && diagnostic.severity != Severity::Error {
                continue;
            }
            let shown = match self.in_original(diagnostic, &places) {
                Some((original, mapped)) => render(&[mapped], &self.name, original),
                None if self.original.is_none() => render(std::slice::from_ref(diagnostic), &self.name, &self.text),
                None => {
                    let place = places.at(diagnostic.span.start);
                    let name = format!("{} (preprocessed; from {place})", self.name);
                    render(std::slice::from_ref(diagnostic), &name, &self.text)
                }
            };
            output::complain(shown.trim_end());
        }
    }

    fn in_original(&self, diagnostic: &Diagnostic, places: &Places<'_>) -> Option<(&str, Diagnostic)> {
        let original = self.original.as_deref()?;
        // The preprocessor gives standard input a name of its own.
        let file = if self.name == "<stdin>" { "<stdin>" } else { &self.name };
        let mapped = |span: &std::ops::Range<usize>| places.in_original(span.clone(), file, original);
        let related = diagnostic.related.iter();
        let related = related
            .filter_map(|(span, note)| Some((mapped(span)?, note.clone())))
            .collect();
        let diagnostic = Diagnostic {
            span: mapped(&diagnostic.span)?,
            related,
            ..diagnostic.clone()
        };
        Some((original, diagnostic))
    }
}
