//! The C preprocessor: the one that the system has, run as a process of its own, within limits of time and of output.

use super::c_arguments::{CArguments, Machine, MissingIncludes};
use super::deadline::Deadline;
use super::other_headers::OtherHeaders;
use clausal::diagnostics::{Diagnostic, render};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Preprocessors, and what makes each of them do only that.
const PREPROCESSORS: [(&str, &[&str]); 4] = [("cc", &["-E"]), ("gcc", &["-E"]), ("clang", &["-E"]), ("cpp", &[])];

/// Missing headers that are left out before giving up.
const MISSING_LIMIT: usize = 100;

/// A text that is larger than this after preprocessing is refused: macros that double again and again fill any memory.
const MOST_BYTES: u64 = 64_000_000;

/// A preprocessor that takes longer is stopped.
const MOST_TIME: Duration = Duration::from_secs(10);

/// Its complaints are cut here.
const MOST_COMPLAINTS: u64 = 100_000;

/// How long to wait for the preprocessor between two looks at the deadline.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Where the shell is that sets the limits of the preprocessor's own processes; elsewhere there are none.
const SHELL: &str = "/bin/sh";

/// What the shell does: some seconds of processor time and 1 GB are more than any text needs.
const WITH_LIMITS: &str = "{ ulimit -t 15; ulimit -v 1048576; } 2>/dev/null; exec \"$0\" \"$@\"";

/// A preprocessed text.
pub struct Preprocessed {
    /// The text.
    pub text: String,
    /// The directives that were left out, because their headers are not there.
    pub left_out: Vec<String>,
}

/// Why there is no preprocessed text.
pub enum Failure {
    /// There is no preprocessor.
    NoPreprocessor,
    /// The deadline has passed, or Ctrl-C was pressed.
    Stopped,
    /// Something is wrong; a message for people.
    Wrong(String),
}

/// The preprocessed text of a file, or of what came from standard input. An inclusion that finds nothing is an error, or is
/// left out if the arguments say so.
pub fn preprocess(
    path: Option<&Path>,
    text: &str,
    name: &str,
    arguments: &CArguments,
    deadline: &Deadline,
) -> Result<Preprocessed, Failure> {
    let Some((command, flags)) = PREPROCESSORS
        .into_iter()
        .find_map(|(command, flags)| Some((on_path(command)?, flags)))
    else {
        return Err(Failure::NoPreprocessor);
    };
    let mut left_out = Vec::new();
    let mut remaining = None;
    let (mut headers, mut of_verifiers): (Option<OtherHeaders>, Option<OtherHeaders>) = (None, None);
    loop {
        let current: &str = remaining.as_deref().unwrap_or(text);
        let changed = remaining.is_some();
        let mut words: Vec<OsString> = flags.iter().map(OsString::from).collect();
        words.extend(headers.iter().chain(&of_verifiers).flat_map(OtherHeaders::words));
        let complaints = match attempt(&command, words, path, current, changed, name, arguments, deadline)? {
            Ok(text) => return Ok(Preprocessed { text, left_out }),
            Err(complaints) => complaints,
        };
        if headers.is_none() && arguments.machine == Machine::Bits32 {
            headers = OtherHeaders::for_missing(&complaints);
            if headers.is_some() {
                continue;
            }
        }
        let Some(missing) = missing_include(current, &complaints) else {
            let command = command.file_name().unwrap_or_default().to_string_lossy();
            return Err(Failure::Wrong(format!(
                "{name}: the preprocessor ({command}) has failed:\n{}",
                complaints.trim_end()
            )));
        };
        if of_verifiers.is_none() {
            of_verifiers = OtherHeaders::of_verifier(&missing.header);
            if of_verifiers.is_some() {
                continue;
            }
        }
        if arguments.missing_includes == MissingIncludes::Refuse || left_out.len() >= MISSING_LIMIT {
            return Err(Failure::Wrong(missing.report(name, text)));
        }
        left_out.push(missing.directive.clone());
        remaining = Some(missing.left_out_of(current));
    }
}

/// The file that a command's name stands for.
fn on_path(command: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(format!("{command}{}", std::env::consts::EXE_SUFFIX)))
        .find(|file| file.is_file())
}

/// An inclusion that the preprocessor has found nothing for.
struct MissingInclude {
    /// The line it is on, from 0.
    line: usize,
    /// What stands there.
    directive: String,
    /// The header's name.
    header: String,
}

impl MissingInclude {
    fn report(&self, name: &str, text: &str) -> String {
        let start: usize = text.split_inclusive('\n').take(self.line).map(str::len).sum();
        let line = text.get(start..).unwrap_or_default();
        let start = start + line.find(&self.directive).unwrap_or(0);
        let message = format!("there is no file `{}` to include", self.header);
        let error = Diagnostic::error(start..start + self.directive.len(), message, "not found");
        let advice = "say with --include-dir in which folder it is; with --missing-includes ignore the line is left out, and what \
                      it would declare is unknown";
        let shown = render(&[error.help(advice)], name, text);
        // Whoever shows it says that it is an error.
        shown.strip_prefix("error: ").unwrap_or(&shown).trim_end().to_string()
    }

    /// A text with the line empty.
    fn left_out_of(&self, text: &str) -> String {
        let kept = text.split('\n').enumerate();
        let kept: Vec<&str> = kept
            .map(|(index, line)| if index == self.line { "" } else { line })
            .collect();
        kept.join("\n")
    }
}

/// The inclusion that complaints are about, if it is one of the text itself.
fn missing_include(text: &str, complaints: &str) -> Option<MissingInclude> {
    let missing = |line: &&str| line.contains("No such file or directory") || line.contains("file not found");
    let complaint = complaints.lines().find(missing)?;
    // `name:line:column: fatal error: …`; the name may have colons too.
    let before = complaint.split(": fatal error:").next()?;
    let number: usize = before.rsplit(':').nth(1)?.parse().ok()?;
    let line = number.checked_sub(1)?;
    let directive = text.lines().nth(line)?.trim().to_string();
    let header = directive
        .strip_prefix('#')?
        .trim_start()
        .strip_prefix("include")?
        .trim_start();
    let closing = match header.chars().next()? {
        '<' => '>',
        '"' => '"',
        _ => return None,
    };
    let header = header.get(1..)?.split(closing).next()?.to_string();
    (!header.is_empty() && complaint.contains(&header)).then_some(MissingInclude {
        line,
        directive,
        header,
    })
}

/// One run of the preprocessor: its text, or its complaints. A changed text is given to it in the place of the file's.
#[allow(clippy::too_many_arguments)]
fn attempt(
    command: &Path,
    mut words: Vec<OsString>,
    path: Option<&Path>,
    text: &str,
    is_changed: bool,
    name: &str,
    arguments: &CArguments,
    deadline: &Deadline,
) -> Result<Result<String, String>, Failure> {
    // Characters are asked about by functions, not by a table that is the library's own.
    words.push("-D__NO_CTYPE".into());
    if arguments.machine == Machine::Bits32 {
        words.push("-m32".into());
    }
    words.extend(
        arguments
            .define
            .iter()
            .map(|definition| format!("-D{definition}").into()),
    );
    for folder in &arguments.include_dir {
        words.extend(["-I".into(), folder.into()]);
    }
    let mut input = None;
    match path {
        Some(path) if !is_changed => {
            // A name that looks like an option is none.
            let looks_like_option = path.to_string_lossy().starts_with('-');
            words.push(match looks_like_option {
                true => Path::new(".").join(path).into(),
                false => path.into(),
            });
        }
        Some(path) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new("."));
            words.extend(["-iquote".into(), folder.into()]);
            input = Some(format!("# 1 {:?}\n{text}", path.display().to_string()));
        }
        None => input = Some(text.to_string()),
    }
    if input.is_some() {
        words.extend(["-x", "c", "-"].map(OsString::from));
    }
    let mut process = match Path::new(SHELL).is_file() {
        true => {
            let mut process = Command::new(SHELL);
            process.args(["-c", WITH_LIMITS]).arg(command);
            process
        }
        false => Command::new(command),
    };
    process.args(words);
    let ran = run(process, input, deadline).map_err(|error| match error {
        RunError::NotRun(error) => Failure::Wrong(format!("{name}: {} cannot be run: {error}", command.display())),
        RunError::Stopped => Failure::Stopped,
        RunError::TooLong => Failure::Wrong(format!(
            "{name}: the preprocessor did not end within {} seconds\n\
             help: do its macros expand without end?",
            MOST_TIME.as_secs()
        )),
        RunError::TooLarge => Failure::Wrong(format!(
            "{name}: the text has more than {} MB after preprocessing: nothing that large is read\n\
             help: do its macros double their text again and again?",
            MOST_BYTES / 1_000_000
        )),
    })?;
    if !ran.succeeded {
        let complaints = String::from_utf8_lossy(&ran.complaints).into_owned();
        // Which of its limits it comes to first depends on the machine.
        if ["out of memory", "memory exhausted"]
            .iter()
            .any(|what| complaints.contains(what))
        {
            return Err(Failure::Wrong(format!(
                "{name}: the preprocessor needs more memory than it gets\n\
                 help: do its macros expand without end?"
            )));
        }
        return Ok(Err(match complaints.trim().is_empty() {
            true => "it was ended without a word: it takes too much time or memory".to_string(),
            false => complaints,
        }));
    }
    let text = String::from_utf8(ran.output);
    text.map(Ok)
        .map_err(|_| Failure::Wrong(format!("{name}: the preprocessed text is not valid UTF-8")))
}

/// What came of a process.
struct Ran {
    succeeded: bool,
    output: Vec<u8>,
    complaints: Vec<u8>,
}

/// Why nothing came of it.
enum RunError {
    NotRun(std::io::Error),
    Stopped,
    TooLong,
    TooLarge,
}

/// Runs a process to its end, or to that of its limits.
fn run(mut process: Command, input: Option<String>, deadline: &Deadline) -> Result<Ran, RunError> {
    process.stdout(Stdio::piped()).stderr(Stdio::piped());
    process.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    deadline.catch_interrupts();
    let has_group = in_own_group(&mut process);
    let mut child = process.spawn().map_err(RunError::NotRun)?;
    let ran = collected(&mut child, input, deadline);
    if ran.is_err() {
        // If it has ended by itself, there is nothing to be done.
        if has_group {
            end_group(child.id());
        }
        let _ = child.kill();
        let _ = child.wait();
    }
    ran
}

/// Makes a process to be started the first of a group, which can be ended as a whole: compilers start others that do the work.
#[cfg(unix)]
fn in_own_group(process: &mut Command) -> bool {
    use std::os::unix::process::CommandExt;
    process.process_group(0);
    Path::new(SHELL).is_file()
}

#[cfg(not(unix))]
fn in_own_group(_: &mut Command) -> bool {
    false
}

fn end_group(first: u32) {
    let kill = format!("kill -9 -{first}");
    // If there is none of them left, so much the better.
    let _ = Command::new(SHELL).args(["-c", &kill]).stderr(Stdio::null()).status();
}

fn collected(child: &mut Child, input: Option<String>, deadline: &Deadline) -> Result<Ran, RunError> {
    // It may write before it has read everything, so everything is done at the same time. The threads end with the process,
    // which nobody waits for longer than it may run.
    if let (Some(mut pipe), Some(input)) = (child.stdin.take(), input) {
        // If it does not want to read on, its exit code says why.
        std::thread::spawn(move || drop(pipe.write_all(input.as_bytes())));
    }
    let output = child.stdout.take().map(|pipe| read_in_thread(pipe, MOST_BYTES + 1));
    let complaints = child.stderr.take().map(|pipe| read_in_thread(pipe, MOST_COMPLAINTS));
    let end = Instant::now() + MOST_TIME;
    let wait = |receiver: Option<mpsc::Receiver<Vec<u8>>>| -> Result<Vec<u8>, RunError> {
        let Some(receiver) = receiver else {
            return Ok(Vec::new());
        };
        loop {
            match receiver.recv_timeout(BETWEEN_LOOKS) {
                Ok(bytes) => return Ok(bytes),
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
                Err(RecvTimeoutError::Timeout) if deadline.has_passed() => return Err(RunError::Stopped),
                Err(RecvTimeoutError::Timeout) if Instant::now() >= end => return Err(RunError::TooLong),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    };
    let output = wait(output)?;
    if output.len() as u64 > MOST_BYTES {
        return Err(RunError::TooLarge);
    }
    let complaints = wait(complaints)?;
    let status = child.wait().map_err(RunError::NotRun)?;
    Ok(Ran {
        succeeded: status.success(),
        output,
        complaints,
    })
}

/// Reads so many bytes at most, and sends them when there are no more.
fn read_in_thread(pipe: impl Read + Send + 'static, most: u64) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before something went wrong is of no use without the rest; the exit code tells.
        let _ = pipe.take(most).read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::missing_include;

    #[test]
    fn an_inclusion_that_finds_nothing_is_found() {
        let text = "int x;\n#include \"a/b.h\" // why\nint y;\n";
        let complaints = "t.c:2:10: fatal error: a/b.h: No such file or directory";
        let missing = missing_include(text, complaints).expect("it is found");
        assert_eq!(missing.left_out_of(text), "int x;\n\nint y;\n");
        assert_eq!(missing.header, "a/b.h");
        assert!(missing.report("t.c", text).contains("t.c:2:1"));
        // A header inside another one, or another line: nothing is known of it.
        assert!(missing_include(text, "t.c:1:10: fatal error: a/b.h: No such file or directory").is_none());
        assert!(missing_include(text, "t.c:2:10: fatal error: c.h: No such file or directory").is_none());
    }
}
