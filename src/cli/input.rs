//! Files in: finding out what they are, reading them, and saying clearly why one cannot be used.

use super::answer::Refusal;
use super::arguments::extension;
use super::c_arguments::CArguments;
use super::c_input::CProgram;
use super::deadline::Deadline;
use super::output;
use super::task::load_task;
use clap::{Args, ValueEnum};
use clausal::diagnostics::{Reading, Severity, line_and_column, render};
use clausal::rules::{Program, linearize};
use clausal::{clp, horn};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// More bytes than this are refused: nobody writes such a file by hand, and a generated one is a mistake.
const MOST_BYTES: u64 = 200_000_000;

/// A language that rules can be read from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Kind {
    /// CLP rules (.clp)
    Clp,
    /// SMT-LIB HORN (.smt2)
    Smt2,
    /// C (.c), which is preprocessed
    C,
    /// Preprocessed C (.i)
    I,
    /// A task definition of BenchExec's (.yml), which names a C program and a property
    Task,
}

/// The one program that a command is about.
#[derive(Args, Debug)]
pub struct ProgramArguments {
    /// A file with C or rules; `-` reads standard input
    #[arg(required_unless_present = "snippet", value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// C statements instead of a file, over integers that need not be declared; `*` is an unknown value
    #[arg(short = 'e', long, value_name = "C", conflicts_with_all = ["file", "from"])]
    pub snippet: Option<String>,

    /// The language of the file [default: by extension]
    #[arg(long, value_enum)]
    pub from: Option<Kind>,
}

impl ProgramArguments {
    /// What the program is called in messages.
    pub fn name(&self) -> String {
        self.file.as_deref().map_or_else(|| "<snippet>".to_string(), name_of)
    }

    /// Reads the program.
    pub fn load(&self, arguments: &CArguments, deadline: &Deadline) -> Result<Input, LoadError> {
        match (&self.snippet, &self.file) {
            (Some(snippet), _) => Ok(Input::C(CProgram::snippet(snippet))),
            (None, Some(file)) => Input::load(file, self.from, arguments, deadline),
            (None, None) => Err(LoadError::Wrong(
                "there is no program: name a file, or give statements with -e".to_string(),
            )),
        }
    }
}

/// Why a program cannot be had.
#[derive(Debug)]
pub enum LoadError {
    /// It cannot be read, or is none; a message for people.
    Wrong(String),
    /// The deadline has passed, or Ctrl-C was pressed.
    Stopped,
}

/// What a file holds.
#[derive(Debug)]
pub enum Input {
    /// Rules.
    Rules(Rules),
    /// A C program.
    C(CProgram),
}

/// A text with rules, with its name and language.
#[derive(Debug)]
pub struct Rules {
    /// The name for messages and reports.
    pub name: String,
    text: String,
    is_horn: bool,
}

impl Input {
    /// Reads a file, or standard input for `-`, and preprocesses C.
    pub fn load(
        path: &Path,
        from: Option<Kind>,
        arguments: &CArguments,
        deadline: &Deadline,
    ) -> Result<Input, LoadError> {
        let kind = match from {
            Some(kind) => kind,
            None => kind_of(path).map_err(LoadError::Wrong)?,
        };
        let (name, text) = (name_of(path), read_text(path).map_err(LoadError::Wrong)?);
        Ok(match kind {
            Kind::Clp | Kind::Smt2 => Input::Rules(Rules {
                name,
                text,
                is_horn: kind == Kind::Smt2,
            }),
            Kind::C => Input::C(CProgram::preprocessed(path, name, text, arguments, deadline)?),
            Kind::I => Input::C(CProgram::new(name, text)),
            Kind::Task => {
                let task = load_task(path, &name, arguments).map_err(LoadError::Wrong)?;
                match Input::load(&task.file, Some(task.kind), &task.arguments, deadline)? {
                    Input::C(program) => Input::C(program.of_task(task)),
                    other => other,
                }
            }
        })
    }
}

impl Rules {
    /// The program in the text, without calls if copies of what is called can take their place; errors and, if wanted, warnings go to
    /// standard error.
    pub fn program(&self, warnings: bool) -> Result<Program, Refusal> {
        let mut program = self.program_with_calls(warnings)?;
        // Where they recur, they stay.
        let _ = linearize(&mut program);
        Ok(program)
    }

    /// [`Rules::program`], with loops that are called as calls.
    pub fn program_with_calls(&self, warnings: bool) -> Result<Program, Refusal> {
        let reading = match self.is_horn {
            false => clp::read_with_calls(&self.text),
            true => horn::read_with_calls(&self.text),
        };
        self.complained(reading, warnings)
    }

    fn complained(&self, reading: Reading<Program>, warnings: bool) -> Result<Program, Refusal> {
        let Reading {
            product,
            mut diagnostics,
        } = reading;
        diagnostics.retain(|diagnostic| warnings || diagnostic.severity == Severity::Error);
        if !diagnostics.is_empty() {
            output::complain(render(&diagnostics, &self.name, &self.text).trim_end());
        }
        product.ok_or_else(|| {
            Refusal::of(&diagnostics, |position| {
                let (line, column) = line_and_column(&self.text, position);
                (self.name.clone(), line, column)
            })
        })
    }
}

impl Rules {
    /// The program with more text behind it, a target's rule.
    pub fn with_more(&self, text: &str) -> Result<Program, Refusal> {
        let more = Rules {
            name: self.name.clone(),
            text: format!("{}{text}", self.text),
            is_horn: self.is_horn,
        };
        more.program(false)
    }
}

/// A path as it is called in messages.
pub fn name_of(path: &Path) -> String {
    if is_standard_input(path) {
        "<stdin>".to_string()
    } else {
        path.display().to_string()
    }
}

/// Whether a path stands for standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn kind_of(path: &Path) -> Result<Kind, String> {
    if is_standard_input(path) {
        return Err("standard input has no extension: say what it is with --from c, i, clp, smt2 or task".to_string());
    }
    let name = path.display();
    match extension(path).as_deref() {
        Some("clp") => Ok(Kind::Clp),
        Some("smt2") => Ok(Kind::Smt2),
        Some("c") => Ok(Kind::C),
        Some("i") => Ok(Kind::I),
        Some("yml" | "yaml") => Ok(Kind::Task),
        _ => Err(format!(
            "{name}: the extension is none of .c, .i, .clp, .smt2 and .yml: say what the file is with --from c, i, clp, smt2 or task"
        )),
    }
}

/// Reads a text. The error is a message for people.
pub fn read_text(path: &Path) -> Result<String, String> {
    let name = name_of(path);
    let bytes = read_bytes(path).map_err(|problem| format!("{name}: {problem}"))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(good).copied().unwrap_or_default();
        let before = String::from_utf8_lossy(error.as_bytes().get(..good).unwrap_or_default()).into_owned();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{name}:{line}:{column}: the byte 0x{byte:02x} is not valid UTF-8: save the file in that encoding")
    })?;
    // Some editors begin a file with a byte order mark, which is no part of its text.
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_string(),
        None => text,
    })
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    let source: Box<dyn Read> = if is_standard_input(path) {
        Box::new(std::io::stdin())
    } else {
        let file = File::open(path).map_err(|error| explain(&error))?;
        let metadata = file.metadata().map_err(|error| explain(&error))?;
        if metadata.is_dir() {
            return Err("this is a directory: name the files in it".to_string());
        }
        if metadata.len() > MOST_BYTES {
            return Err(too_large());
        }
        Box::new(file)
    };
    // A pipe does not tell its size beforehand.
    let mut bytes = Vec::new();
    let read = source.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| explain(&error))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(too_large());
    }
    Ok(bytes)
}

fn too_large() -> String {
    format!(
        "this is larger than {} MB: nothing that large is read",
        MOST_BYTES / 1_000_000
    )
}

/// Why a file cannot be used, in the words of a person where the reason is a usual one.
pub fn explain(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_string(),
        ErrorKind::PermissionDenied => "permission denied".to_string(),
        _ => error.to_string(),
    }
}
