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

/// The preprocessed text of a file, or of what came from standard input. The error is a message for people.
pub fn preprocess(path: Option<&Path>, text: &str, name: &str, arguments: &CArguments) -> Result<String, String> {
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
        match run(process, path.is_none().then_some(text)) {
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

fn result(output: Output, command: &str, name: &str) -> Result<String, String> {
    if !output.status.success() {
        let complaints = String::from_utf8_lossy(&output.stderr);
        return Err(format!(
            "{name}: the preprocessor ({command}) has failed:\n{}",
            complaints.trim_end()
        ));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{name}: the preprocessed text is not valid UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::has_directives;

    #[test]
    fn line_markers_are_no_directives() {
        assert!(has_directives("int x;\n # include <assert.h>\n"));
        assert!(has_directives("#define N 3"));
        assert!(!has_directives("# 1 \"a.c\"\n#line 3\n#pragma once\nint x; // # if\n"));
    }
}
