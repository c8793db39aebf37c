//! Programs that fail when they are compiled and run, or do not, and what is said about them: the same, or a refusal.

// Not every test uses everything; a skipped one says so.
#![allow(dead_code, clippy::print_stdout)]

use clausal::assistance::Assistance;
use clausal::c::options::Options as COptions;
use clausal::engine::{Budget, Options, Verdict};
use clausal::source_level::{Method, verify_c_by};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What is said about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// No run reaches the error.
    Safe,
    /// A run does.
    Unsafe,
    /// Neither is said.
    Refused,
}

/// The name, the answer, whether the compiled program fails, and the program.
pub type Case = (&'static str, Answer, bool, &'static str);

/// The answer, and the reason of a refusal.
pub fn answer(text: &str, options: &COptions) -> (Answer, String) {
    let text = format!("extern void reach_error(void);\n{text}\n");
    let budget = Budget {
        time: Some(Duration::from_secs(60)),
        ..Budget::default()
    };
    let engine = Options {
        budget,
        ..Options::default()
    };
    // As the command does it.
    let reading = verify_c_by(&text, options, Method::Automatic, &engine, &|translation, options| {
        Assistance::default().verify(&mut translation.program, options)
    });
    match reading.product {
        None => {
            let reasons: Vec<String> = reading.diagnostics.into_iter().map(|found| found.message).collect();
            (Answer::Refused, reasons.join("; "))
        }
        Some(verification) => match verification.outcome.verdict {
            Verdict::Safe(_) => (Answer::Safe, String::new()),
            Verdict::Unsafe(_) => (Answer::Unsafe, String::new()),
            Verdict::Unknown(reason) => (Answer::Refused, format!("unknown: {reason:?}")),
        },
    }
}

/// Panics unless the answers are those that the table says.
pub fn assert_answers(programs: &[Case]) {
    let mut wrong = Vec::new();
    for (name, expected, _, text) in programs {
        let (found, why) = answer(text, &COptions::default());
        if found != *expected {
            wrong.push(format!("{name}: {found:?}, not {expected:?} {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Panics unless gcc's programs do what the table says.
pub fn assert_runs(folder: &str, programs: &[Case]) {
    if !Command::new("gcc")
        .arg("--version")
        .output()
        .is_ok_and(|found| found.status.success())
    {
        println!("skipped: there is no gcc");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    for (name, _, fails, text) in programs {
        let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
        // The error is a function of its own, so that pointers to it are possible.
        let error = "extern void _Exit(int) __attribute__((noreturn)); void reach_error(void) { _Exit(42); }";
        fs::write(&source, format!("{error}\n{text}\n")).expect("the text can be written");
        let mut compile = Command::new("gcc");
        compile.args(["-w", "-O1", "-o"]).arg(&program).arg(&source);
        let compiled = compile.arg("-lm").output();
        let compiled = compiled.expect("gcc can be started");
        assert!(
            compiled.status.success(),
            "{name}: {}",
            String::from_utf8_lossy(&compiled.stderr)
        );
        let run = Command::new(&program).output().expect("the program can be started");
        assert_eq!(run.status.code() == Some(42), *fails, "{name}: {:?}", run.status);
    }
}
