//! What a command says when it is done, why it may have nothing to say, and how either ends the process. A command works on
//! a thread of its own and returns what it has to say, so that nothing of it is printed if it is given up at its limit.

use super::color::painted_answer;
use super::deadline::Deadline;
use super::exit::Exit;
use super::input::LoadError;
use super::output;
use clausal::diagnostics::{Diagnostic, Reason, Severity};
use clausal::engine::{Cancellation, StopReason};
use serde::Serialize;

/// What a command has found out.
pub struct Answer {
    /// What is printed.
    pub text: String,
    /// How the process ends.
    pub exit: Exit,
    /// What went wrong although there is an answer: a file that could not be written.
    pub problem: Option<String>,
}

impl Answer {
    /// An answer with which nothing is wrong.
    pub fn new(text: String, exit: Exit) -> Answer {
        Answer {
            text,
            exit,
            problem: None,
        }
    }

    /// The same, but for a file that could not be written.
    pub fn after_writing(self, written: Result<(), String>) -> Answer {
        Answer {
            problem: written.err(),
            ..self
        }
    }

    /// Prints it. What is said of how the process ends is the worst of it.
    pub fn give(self) -> Exit {
        let printed = output::print(&painted_answer(&self.text));
        let problems: Vec<String> = printed.err().into_iter().chain(self.problem).collect();
        for problem in &problems {
            output::complain(&format!("error: {problem}"));
        }
        match problems.is_empty() {
            true => self.exit,
            false => self.exit.max(Exit::BadInput),
        }
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Failure {
    /// The input or the usage is wrong, or a file cannot be read or written; a message for people.
    BadInput(String),
    /// Something in the program cannot be treated; a message for people.
    Unsupported(String),
    /// The program is not worked on; the errors in it have been shown.
    Refused(Refusal),
    /// There is nothing that could be done with this input, which is as it should be; a message for people.
    Nothing(String),
    /// A fault of this program.
    Internal(String),
    /// The time is up, or someone asked to stop.
    Stopped,
}

/// Errors in a program that have been shown.
#[derive(Debug)]
pub struct Refusal {
    errors: Vec<Shown>,
    reason: Reason,
}

/// An error, and where it is.
#[derive(Serialize, Debug)]
pub struct Shown {
    /// What is wrong.
    pub message: String,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: usize,
    /// What to do about it.
    pub help: Option<String>,
}

impl Refusal {
    /// The errors among diagnostics; `place` tells file, line and column of a byte.
    pub fn of(diagnostics: &[Diagnostic], place: impl Fn(usize) -> (String, u32, usize)) -> Refusal {
        let errors = || diagnostics.iter().filter(|each| each.severity == Severity::Error);
        let shown = errors().map(|error| {
            let (file, line, column) = place(error.span.start);
            Shown {
                message: error.message.clone(),
                file,
                line,
                column,
                help: error.help.clone(),
            }
        });
        Refusal {
            errors: shown.collect(),
            // What is no program is none, whatever else could not be treated in it.
            reason: match errors().all(|error| error.reason == Reason::Unsupported) {
                true => Reason::Unsupported,
                false => Reason::Malformed,
            },
        }
    }
}

impl From<String> for Failure {
    fn from(problem: String) -> Failure {
        Failure::BadInput(problem)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
        match error {
            LoadError::Wrong(message) => Failure::BadInput(message),
            LoadError::Stopped => Failure::Stopped,
        }
    }
}

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    verdict: &'static str,
    reason: &'a str,
    errors: &'a [Shown],
}

impl Failure {
    /// What has not come to its end, and why.
    pub fn stopped(what: &str, reason: &StopReason) -> Failure {
        let problem = format!("{what}: {reason}");
        match Exit::stopped(reason) {
            Exit::InternalError => Failure::Internal(problem),
            _ => Failure::Nothing(problem),
        }
    }

    /// How the process ends.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Unsupported(_) => Exit::Refused,
            Failure::Refused(refusal) if refusal.reason == Reason::Unsupported => Exit::Refused,
            Failure::BadInput(_) | Failure::Refused(_) => Exit::BadInput,
            Failure::Nothing(_) | Failure::Stopped => Exit::Unknown,
            Failure::Internal(_) => Exit::InternalError,
        }
    }

    /// Says what has not been said yet. How the process ends.
    pub fn complain(&self) -> Exit {
        match self {
            Failure::BadInput(problem)
            | Failure::Unsupported(problem)
            | Failure::Nothing(problem)
            | Failure::Internal(problem) => {
                output::complain(&format!("error: {problem}"));
            }
            Failure::Stopped => output::complain("error: it was stopped before it was done"),
            Failure::Refused(_) => {}
        }
        self.exit()
    }

    /// An object for machines: `file`, `verdict` (`refused`, `malformed` or `unknown`), `reason`, and the `errors` with their places.
    pub fn json(&self, file: &str) -> String {
        let (reason, errors) = match self {
            Failure::BadInput(problem)
            | Failure::Unsupported(problem)
            | Failure::Nothing(problem)
            | Failure::Internal(problem) => (problem.as_str(), Default::default()),
            Failure::Stopped => ("stopped", Default::default()),
            Failure::Refused(refusal) => {
                let first = refusal.errors.first().map(|first| first.message.as_str());
                (first.unwrap_or("refused"), refusal.errors.as_slice())
            }
        };
        let verdict = match self.exit() {
            Exit::Refused => "refused",
            Exit::BadInput => "malformed",
            _ => "unknown",
        };
        let report = Report {
            file,
            verdict,
            reason,
            errors,
        };
        // Only maps with keys that are not text cannot be written, and there are none.
        format!("{}\n", serde_json::to_string(&report).unwrap_or_default())
    }
}

/// Prints what a command has to say, or why it has nothing to say; with `json` that is an object, too. How the process ends.
pub fn give(found: Result<Answer, Failure>, json: bool, file: &str) -> Exit {
    match found {
        Ok(answer) => answer.give(),
        Err(failure) => {
            let exit = failure.complain();
            match json {
                true => Answer::new(failure.json(file), exit).give(),
                false => exit,
            }
        }
    }
}

/// Lets a command work until its deadline. If it has not come to an end soon after, `given_up` says what is answered.
pub fn answer(
    deadline: &Deadline,
    cancellation: &Cancellation,
    command: impl FnOnce() -> Result<Answer, Failure> + Send + 'static,
    given_up: impl FnOnce(StopReason) -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    match deadline.wait_for(cancellation, command) {
        Ok(Err(Failure::Stopped)) if deadline.has_passed() => given_up(deadline.reason()),
        Ok(found) => found,
        Err(reason) => given_up(reason),
    }
}
