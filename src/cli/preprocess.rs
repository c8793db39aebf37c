//! The C preprocessor: the one that the system has, run as a process of its own.

use super::c_arguments::{CArguments, Machine};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Preprocessors, and what makes each of them do only that.
const PREPROCESSORS: [(&str, &[&str]); 4] = [("cc", &["-E"]), ("gcc", &["-E"]), ("clang", &["-E"]), ("cpp", &[])];

/// Whether a text has something for a preprocessor: a directive other than line markers, which it leaves behind, and pragmas.
pub fn has_directives(text: &str) -> bool {
    let is_directive = |line: &str| {
        let Some(rest) = line.trim_start().strip_prefix('#') else {
            return false;
        };
        let rest = rest.trim_start();
        !(rest.is_empty()
            || rest.starts_with(|first: char| first.is_ascii_digit())
            || rest.starts_with("line")
            || rest.starts_with("pragma")
            || rest.starts_with("ident"))
    };
    text.lines().any(is_directive)
}

/// Missing headers that are left out before giving up.
const MISSING_LIMIT: usize = 100;

/// A preprocessed text.
pub struct Preprocessed {
    /// The text.
    pub text: String,
    /// The directives that were left out, because their headers are not there.
    pub left_out: Vec<String>,
}

/// The preprocessed text of a file, or of what came from standard input. Programs often come without their headers, and what
/// these declare is mostly known or unknown functions; so an inclusion that finds nothing is left out. The error is a
/// message for people.
pub fn preprocess(path: Option<&Path>, text: &str, name: &str, arguments: &CArguments) -> Result<Preprocessed, String> {
    let mut left_out = Vec::new();
    let mut remaining = None;
    loop {
        let complaints = match attempt(
            path,
            remaining.as_deref().unwrap_or(text),
            remaining.is_some(),
            name,
            arguments,
        )? {
            Ok(text) => return Ok(Preprocessed { text, left_out }),
            Err(complaints) => complaints,
        };
        let current = remaining.as_deref().unwrap_or(text);
        match without_missing(current, &complaints) {
            Some((shorter, directive)) if left_out.len() < MISSING_LIMIT => {
                left_out.push(directive);
                remaining = Some(shorter);
            }
            _ => return Err(complaints),
        }
    }
}

/// The text without the inclusion that the preprocessor has found nothing for, its line empty, and what stood there.
fn without_missing(text: &str, complaints: &str) -> Option<(String, String)> {
    let missing = |line: &&str| line.contains("No such file or directory") || line.contains("file not found");
    let complaint = complaints.lines().find(missing)?;
    // `name:line:column: fatal error: …`; the name may have colons too.
    let before = complaint.split(": fatal error:").next()?;
    let number: usize = before.rsplit(':').nth(1)?.parse().ok()?;
    let directive = text.lines().nth(number.checked_sub(1)?)?.trim().to_string();
    let header = directive
        .strip_prefix('#')?
        .trim_start()
        .strip_prefix("include")?
        .trim();
    let header = header.trim_matches(['"', '<', '>']);
    if header.is_empty() || !complaint.contains(header) {
        return None;
    }
    let kept = text.split('\n').enumerate();
    let kept: Vec<&str> = kept
        .map(|(index, line)| if index + 1 == number { "" } else { line })
        .collect();
    Some((kept.join("\n"), directive))
}

/// One run of the preprocessor: its text, or its complaints. A changed text is given to it in the place of the file's.
fn attempt(
    path: Option<&Path>,
    text: &str,
    is_changed: bool,
    name: &str,
    arguments: &CArguments,
) -> Result<Result<String, String>, String> {
    let original = path;
    let path = path.filter(|_| !is_changed);
    for (command, flags) in PREPROCESSORS {
        let mut process = Command::new(command);
        process.args(flags);
        if arguments.machine == Machine::Bits32 {
            process.arg("-m32");
        }
        for definition in &arguments.define {
            process.arg(format!("-D{definition}"));
        }
        for folder in &arguments.include_dir {
            process.arg("-I").arg(folder);
        }
        match path {
            // A name that looks like an option is none.
            Some(path) if path.to_string_lossy().starts_with('-') => process.arg(Path::new(".").join(path)),
            Some(path) => process.arg(path),
            None => process.args(["-x", "c", "-"]),
        };
        let mut input = text.to_string();
        if let (Some(original), None) = (original, path) {
            let folder = original.parent().filter(|folder| !folder.as_os_str().is_empty());
            process.arg("-iquote").arg(folder.unwrap_or(Path::new(".")));
            input = format!("# 1 {:?}\n{text}", original.display().to_string());
        }
        match run(process, path.is_none().then_some(input.as_str())) {
            Ok(output) => return result(output, command, name),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(format!("{name}: {command} cannot be run: {error}")),
        }
    }
    Err(format!(
        "{name}: there are preprocessor directives in it, but no C preprocessor is installed (cc, gcc, clang or cpp)\n\
         help: install one (on Debian: apt-get install gcc), or give preprocessed text (.i)"
    ))
}

fn run(mut process: Command, input: Option<&str>) -> std::io::Result<Output> {
    process.stdout(Stdio::piped()).stderr(Stdio::piped());
    process.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    let mut child = process.spawn()?;
    let pipe = child.stdin.take();
    // It may write before it has read everything, so somebody has to listen meanwhile.
    std::thread::scope(|scope| {
        if let (Some(mut pipe), Some(input)) = (pipe, input) {
            // If it does not want to read on, its exit code says why.
            scope.spawn(move || drop(pipe.write_all(input.as_bytes())));
        }
        child.wait_with_output()
    })
}

fn result(output: Output, command: &str, name: &str) -> Result<Result<String, String>, String> {
    if !output.status.success() {
        let complaints = String::from_utf8_lossy(&output.stderr);
        return Ok(Err(format!(
            "{name}: the preprocessor ({command}) has failed:\n{}",
            complaints.trim_end()
        )));
    }
    let text = String::from_utf8(output.stdout);
    text.map(Ok)
        .map_err(|_| format!("{name}: the preprocessed text is not valid UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::{has_directives, without_missing};

    #[test]
    fn an_inclusion_that_finds_nothing_is_left_out() {
        let text = "int x;\n#include \"a/b.h\"\nint y;\n";
        let complaints =
            "t.c: the preprocessor (cc) has failed:\nt.c:2:10: fatal error: a/b.h: No such file or directory";
        let (shorter, directive) = without_missing(text, complaints).expect("it is found");
        assert_eq!(shorter, "int x;\n\nint y;\n");
        assert_eq!(directive, "#include \"a/b.h\"");
        // A header inside another one, or another line: nothing is known of it.
        assert!(without_missing(text, "t.c:1:10: fatal error: a/b.h: No such file or directory").is_none());
        assert!(without_missing(text, "t.c:2:10: fatal error: c.h: No such file or directory").is_none());
    }

    #[test]
    fn line_markers_are_no_directives() {
        assert!(has_directives("int x;\n # include <assert.h>\n"));
        assert!(has_directives("#define N 3"));
        assert!(!has_directives("# 1 \"a.c\"\n#line 3\n#pragma once\nint x; // # if\n"));
    }
}
