//! C programs in: preprocessing, and diagnostics that show the file as its author wrote it.

use super::answer::Refusal;
use super::c_arguments::CArguments;
use super::deadline::Deadline;
use super::input::{LoadError, is_standard_input};
use super::output;
use super::preprocess::{Failure, Preprocessed, preprocess};
use super::task::ChosenTask;
use clausal::c::options::{Allocation, EarlierCalls, Options, Undefined, Untranslated};
use clausal::c::types::DataModel;
use clausal::c::{Translation, compiler_names, translate, with_joined_lines};
use clausal::diagnostics::{Diagnostic, Reading, Severity, render};
use clausal::source_level::{ERROR_IS_NOT_REACHED, Places, SourceLine, WitnessTask, allocations_are_open};
use std::collections::VecDeque;
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
    /// Inclusions that were left out because there are no such files.
    left_out: Vec<String>,
    /// Whether the property is said to hold.
    pub expected: Option<bool>,
    /// How it is to be understood, if a task definition says so.
    of_task: Option<Box<CArguments>>,
}

/// A text that needs no preprocessor, where there is none.
fn unpreprocessed(name: String, text: String, arguments: &CArguments) -> Result<CProgram, LoadError> {
    const NEEDED: &str = "but no C preprocessor is installed (cc, gcc, clang or cpp)\n\
         help: install one (on Debian: apt-get install gcc), or give preprocessed text (.i)";
    if !arguments.define.is_empty() {
        return Err(LoadError::Wrong(format!(
            "{name}: --define is for a preprocessor, {NEEDED}"
        )));
    }
    let program = CProgram::new(name, text);
    match compiler_names(&program.text).first() {
        None => Ok(program),
        Some(span) => {
            let place = program.places().of(*span);
            let written = program.text.get(span.start as usize..span.end as usize);
            let line = written.unwrap_or_default().lines().next().unwrap_or_default();
            Err(LoadError::Wrong(format!(
                "{place}: `{}` is for the preprocessor, {NEEDED}",
                line.trim_end()
            )))
        }
    }
}

impl CProgram {
    /// A text that is preprocessed already, but for lines that a backslash continues.
    pub fn new(name: String, text: String) -> CProgram {
        let joined = with_joined_lines(&text);
        let (text, original) = match joined {
            Some(joined) => (joined, Some(text)),
            None => (text, None),
        };
        CProgram {
            name,
            text,
            is_snippet: false,
            original,
            left_out: Vec::new(),
            expected: None,
            of_task: None,
        }
    }

    /// The program as its task definition wants it.
    pub fn of_task(self, task: ChosenTask) -> CProgram {
        CProgram {
            expected: task.expected,
            of_task: Some(Box::new(task.arguments)),
            ..self
        }
    }

    /// Statements from the command line.
    pub fn snippet(text: &str) -> CProgram {
        CProgram {
            is_snippet: true,
            ..CProgram::new("<snippet>".to_string(), text.to_string())
        }
    }

    /// A text that goes through the preprocessor: even without a directive, names may be macros of the compiler's. Without
    /// a preprocessor, a text that needs none is taken as it is.
    pub fn preprocessed(
        path: &Path,
        name: String,
        text: String,
        arguments: &CArguments,
        deadline: &Deadline,
    ) -> Result<CProgram, LoadError> {
        let file = (!is_standard_input(path)).then_some(path);
        let Preprocessed {
            text: preprocessed,
            left_out,
        } = match preprocess(file, &text, &name, arguments, deadline) {
            Ok(preprocessed) => preprocessed,
            Err(Failure::NoPreprocessor) => return unpreprocessed(name, text, arguments),
            Err(Failure::Stopped) => return Err(LoadError::Stopped),
            Err(Failure::Wrong(why)) => return Err(LoadError::Wrong(why)),
        };
        Ok(CProgram {
            original: Some(text),
            left_out,
            ..CProgram::new(name, preprocessed)
        })
    }

    /// What the text itself rests on: the inclusions that were left out.
    fn assumptions(&self) -> Vec<String> {
        let left_out = self.left_out.iter();
        left_out
            .map(|directive| {
                format!("`{directive}` is left out: there is no such file, and what it declares is unknown")
            })
            .collect()
    }

    /// The lines of the text.
    pub fn places(&self) -> Places<'_> {
        let places = Places::new(&self.name, &self.text);
        match &self.original {
            Some(original) => places.with_original(original),
            None => places,
        }
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
            specification: ERROR_IS_NOT_REACHED,
        }
    }

    /// The options that the arguments ask for.
    pub fn options(&self, arguments: &CArguments, undefined: Undefined) -> Options {
        Options {
            text_assumptions: self.assumptions(),
            ..self
                .of_task
                .as_deref()
                .unwrap_or(arguments)
                .options(self.is_snippet, undefined)
        }
    }

    /// Whether it is open if an allocation that fails counts: not where something is checked, or undefined behaviour has the
    /// meaning that an option gives it.
    pub fn leaves_failures_open(&self, arguments: &CArguments) -> bool {
        let options = self.options(arguments, Undefined::Ends);
        let is_automatic = options.undefined != self.options(arguments, Undefined::GoesOn).undefined;
        is_automatic && !options.checks.any() && options.allocation == Allocation::ByUse
    }

    /// The rules; errors and, if wanted, warnings go to standard error.
    pub fn translation(&self, options: &Options, warnings: bool) -> Result<Translation, Refusal> {
        let Reading { product, diagnostics } = translate(&self.text, options);
        self.complain(&diagnostics, warnings);
        product.ok_or_else(|| self.refusal(&diagnostics))
    }

    /// The rules, each of which leads to one predicate: where functions recur, their calls are on a stack.
    pub fn translation_for_paths(&self, options: &Options, warnings: bool) -> Result<Translation, Refusal> {
        let translation = self.translation(options, warnings)?;
        match translation.program.has_calls() {
            false => Ok(translation),
            true => self.translation(&options.on_stack(), false),
        }
    }

    /// The rules that saved evidence may be about, and the options that make them: `verify` chooses what becomes of undefined
    /// behaviour.
    pub fn verified_translations(&self, arguments: &CArguments) -> Result<Vec<(Options, Translation)>, Refusal> {
        // Even where runs go on, an error is confirmed where they end.
        let choices = match self.options(arguments, Undefined::GoesOn).undefined {
            Undefined::Ends => vec![Undefined::Ends],
            Undefined::GoesOn => vec![Undefined::GoesOn, Undefined::Ends],
        };
        let (mut found, mut refused) = (Vec::new(), None);
        // What is not translated is an error of its own in these rules; beside them there may be those in which runs end there.
        let mut choices: VecDeque<Options> = choices
            .into_iter()
            .flat_map(|undefined| {
                let options = Options {
                    undefined,
                    ..self.options(arguments, undefined)
                };
                let is_open = options.earlier_calls == EarlierCalls::Unsaid && options.entry != "main";
                let earlier_calls = match is_open {
                    true => vec![EarlierCalls::Any, EarlierCalls::None],
                    false => vec![options.earlier_calls],
                };
                earlier_calls.into_iter().map(move |earlier_calls| Options {
                    untranslated: Untranslated::Fails,
                    earlier_calls,
                    ..options.clone()
                })
            })
            .collect();
        let mut position = 0;
        while let Some(options) = choices.pop_front() {
            let is_first = position == 0;
            position += 1;
            let translation = match self.translation(&options, is_first) {
                Ok(translation) => translation,
                Err(refusal) => {
                    refused.get_or_insert(refusal);
                    continue;
                }
            };
            if !translation.refused.is_empty() && options.untranslated == Untranslated::Fails {
                choices.push_back(Options {
                    untranslated: Untranslated::Ends,
                    ..options.clone()
                });
                if !options.bytes {
                    choices.push_back(Options {
                        bytes: true,
                        ..options.clone()
                    });
                }
                if translation.is_approximable && !options.bytes {
                    choices.push_back(Options {
                        approximate: true,
                        ..options.clone()
                    });
                }
            }
            // An error in a run with memory enough is one, whatever becomes of the others.
            if options.undefined == Undefined::Ends && allocations_are_open(&translation, &options) {
                choices.push_back(Options {
                    allocation: Allocation::NeverFails,
                    ..options.clone()
                });
            }
            let has_calls = translation.program.has_calls();
            let on_stack = options.on_stack();
            let few = on_stack.with_few_copies();
            let is_more = few.copies < on_stack.copies;
            found.push((options, translation));
            if has_calls {
                for options in [on_stack].into_iter().chain(is_more.then_some(few)) {
                    let stacked = translate(&self.text, &options).product;
                    found.extend(stacked.map(|translation| (options, translation)));
                }
            }
        }
        match refused {
            Some(refusal) if found.is_empty() => Err(refusal),
            _ => Ok(found),
        }
    }

    /// The errors among diagnostics, which have been shown.
    pub fn refusal(&self, diagnostics: &[Diagnostic]) -> Refusal {
        let places = self.places();
        Refusal::of(diagnostics, |position| {
            let SourceLine { file, line } = places.at(position);
            (file.to_string(), line, places.column(position))
        })
    }

    /// Shows diagnostics, in the original text where what they are about stands there.
    pub fn complain(&self, diagnostics: &[Diagnostic], warnings: bool) {
        let places = self.places();
        for diagnostic in diagnostics {
            // What a header of the system's says is not its reader's business.
            let is_shown = warnings && !places.is_system(diagnostic.span.start);
            if diagnostic.severity != Severity::Error && !is_shown {
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
        // What a macro has made is on its line at least.
        let mapped = |span: &std::ops::Range<usize>| {
            places
                .in_original(span.clone())
                .or_else(|| places.original_line(span.start))
        };
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
