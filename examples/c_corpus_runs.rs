//! Runs C programs that were not made for this, compiled by gcc and as rules, with the same random inputs, and compares how
//! the runs end and how many inputs they read.
//!
//! ```text
//! cargo run --release --example c_corpus_runs -- [--runs N] [--include-dir FOLDER] FOLDER …
//! ```
//!
//! Every folder is one set; all files below it that end in `.c` or `.i` are run. Variables without a value start with zero on
//! both sides. Ends with status 1 on a disagreement.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that reports")]

mod common;
#[path = "../tests/c/differential/inputs.rs"]
mod inputs;
#[path = "../tests/c/differential/reference.rs"]
#[allow(dead_code, reason = "only a part of it is needed")]
mod reference;
#[path = "../tests/c/differential/translated.rs"]
#[allow(dead_code, reason = "only a part of it is needed")]
mod translated;

use clausal::c::options::Options;
use clausal::c::program::Numeric;
use reference::{End, HARNESS, Run, compile, parsed};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use translated::{Keys, Rules, function_key};

/// What functions that no program defines mean, where it is more than a value.
const CONVENTIONS: [(&str, &str); 19] = [
    ("reach_error", "end_with(\"error\");"),
    ("__VERIFIER_error", "end_with(\"error\");"),
    ("__assert_fail", "end_with(\"error\");"),
    ("__assert", "end_with(\"error\");"),
    ("error", "end_with(\"error\");"),
    ("errorFn", "end_with(\"error\");"),
    ("_TRACER_abort", "if (value) end_with(\"error\");"),
    ("_ABORT", "if (value) end_with(\"error\");"),
    ("assert", "if (!value) end_with(\"error\");"),
    ("sassert", "if (!value) end_with(\"error\");"),
    ("__VERIFIER_assert", "if (!value) end_with(\"error\");"),
    ("BUGST_REPORT_TARGET_LOCATION_REACHED", "end_with(\"error\");"),
    ("__VERIFIER_assume", "if (!value) end_with(\"ended\");"),
    ("assume_abort_if_not", "if (!value) end_with(\"ended\");"),
    ("assume", "if (!value) end_with(\"ended\");"),
    ("_TRACER_assume", "if (!value) end_with(\"ended\");"),
    ("BUGST_TERMINATE_WHOLE_PROGRAM_ANALYSIS", "end_with(\"ended\");"),
    ("BUGST_DEATH_END", "end_with(\"ended\");"),
    ("__VERIFIER_silent_exit", "end_with(\"ended\");"),
];

fn main() -> ExitCode {
    let mut runs = 5;
    let mut folders = Vec::new();
    let mut include_folders = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--include-dir" => include_folders.extend(words.next().map(|folder| format!("-I{folder}"))),
            "--runs" => runs = words.next().and_then(|text| text.parse().ok()).unwrap_or(runs),
            _ => folders.push(PathBuf::from(word)),
        }
    }
    let seeds: Vec<u64> = (1..=runs).collect();
    let mut disagreements = 0;
    println!("| set | files | compared | runs | into the error | not compared |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut notes = Vec::new();
    for folder in &folders {
        let mut files = Vec::new();
        c_files(folder, &mut files);
        files.sort();
        let (mut compared, mut all, mut errors) = (0, 0, 0);
        let mut others: BTreeMap<&str, u64> = BTreeMap::new();
        for file in &files {
            match examine(file, &include_folders, &seeds) {
                Ok(runs) => {
                    compared += 1;
                    all += runs.len();
                    errors += runs.iter().filter(|run| run.end == End::Error).count();
                }
                Err(Obstacle::Differ(why)) => {
                    disagreements += 1;
                    notes.push(format!("{}: {why}", file.display()));
                }
                Err(Obstacle::Other(kind, why)) => {
                    *others.entry(kind).or_default() += 1;
                    notes.push(format!("{}: {kind}: {why}", file.display()));
                }
            }
        }
        let others: Vec<String> = others.iter().map(|(kind, count)| format!("{kind}: {count}")).collect();
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        println!(
            "| {name} | {} | {compared} | {all} | {errors} | {} |",
            files.len(),
            others.join(", ")
        );
    }
    for note in notes {
        println!("{note}");
    }
    common::conclude(disagreements)
}

/// Why there is nothing to count for a file.
enum Obstacle {
    Differ(String),
    Other(&'static str, String),
}

fn other(kind: &'static str, why: impl ToString) -> Obstacle {
    let why = why.to_string();
    let line = why.lines().find(|line| line.contains("error:")).or(why.lines().next());
    Obstacle::Other(kind, line.unwrap_or_default().to_string())
}

fn c_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            c_files(&path, files);
        } else if path.extension().is_some_and(|end| end == "c" || end == "i") {
            files.push(path);
        }
    }
}

/// The runs of a file that were compared.
fn examine(file: &Path, include_folders: &[String], seeds: &[u64]) -> Result<Vec<Run>, Obstacle> {
    let text = preprocessed(file, include_folders).map_err(|why| other("not preprocessed", why))?;
    let rules =
        Rules::new(&text, false, Options::default().copies, Keys::Functions).map_err(|why| other("refused", why))?;
    if rules.has_outside_inputs() {
        return Err(other("volatile and the like", ""));
    }
    let folder = std::env::temp_dir().join(format!("clausal-runs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|why| other("no folder", why))?;
    let expected = compiled_runs(&text, &rules, seeds, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    let mut compared = Vec::new();
    for (seed, expected) in seeds.iter().zip(expected?) {
        if expected.end == End::Timeout {
            continue;
        }
        let found = match rules.run(*seed) {
            Ok(found) => found,
            Err(why) if why.contains("does not end") => continue,
            Err(why) => return Err(Obstacle::Differ(format!("inputs {seed}: {why}"))),
        };
        let agrees = match expected.end {
            End::Error => found.end == End::Error && found.read == expected.read,
            // The rule that the run ends in is not applied, so that its inputs are not counted.
            _ => found.end == End::Ended && found.read <= expected.read,
        };
        if !agrees {
            return Err(Obstacle::Differ(format!(
                "inputs {seed}: compiled: {:?} after {} inputs, rules: {:?} after {}",
                expected.end, expected.read, found.end, found.read
            )));
        }
        compared.push(expected);
    }
    match compared.is_empty() {
        true => Err(other("no run ends", "")),
        false => Ok(compared),
    }
}

fn preprocessed(file: &Path, include_folders: &[String]) -> Result<String, String> {
    let bytes = std::fs::read(file).map_err(|why| why.to_string())?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let is_directive = |line: &str| line.trim_start().starts_with('#');
    if !text.lines().any(is_directive) {
        return Ok(text);
    }
    let output = Command::new("gcc")
        .args(["-E", "-P", "-w", "-x", "c"])
        .args(include_folders)
        .arg(file)
        .output()
        .map_err(|why| why.to_string())?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn compiled_runs(text: &str, rules: &Rules, seeds: &[u64], folder: &Path) -> Result<Vec<Run>, Obstacle> {
    let fail = |why: std::io::Error| other("not written", why);
    let [program, harness, executable] = ["program.c", "harness.c", "runs"].map(|name| folder.join(name));
    let marked = with_error_labels(text);
    std::fs::write(&program, format!("#define main program_0\n{marked}")).map_err(fail)?;
    let inputs = rules.input_functions();
    let mut missing: BTreeSet<String> = BTreeSet::new();
    // The first attempt shows what the linker misses.
    for _ in 0..3 {
        std::fs::write(&harness, harness_text(&inputs, &missing)).map_err(fail)?;
        let mut result = Err(String::new());
        for standard in ["-std=gnu11", "-std=gnu89"] {
            let options = [
                standard,
                "-ftrivial-auto-var-init=zero",
                "-fcommon",
                "-fno-builtin",
                "-DRUN_SECONDS=1",
                "-DOWN_CONVENTIONS",
            ];
            result = compile(&options, &[program.clone(), harness.clone()], &executable);
            if result.is_ok() {
                break;
            }
        }
        let Err(why) = result else {
            let output = Command::new(&executable)
                .args(seeds.iter().map(u64::to_string))
                .output()
                .map_err(fail)?;
            let output = String::from_utf8_lossy(&output.stdout).into_owned();
            let runs = parsed(&output, 1, seeds.len()).map_err(|why| other("not run", why))?;
            return Ok(runs.into_iter().flatten().collect());
        };
        let before = missing.len();
        for part in why.split("undefined reference to `").skip(1) {
            missing.extend(part.split('\'').next().map(str::to_string));
        }
        if missing.len() == before {
            let line = why
                .lines()
                .find(|line| line.contains("error") || line.contains("multiple definition"));
            return Err(other("not compiled", line.unwrap_or(&why)));
        }
    }
    Err(other("not linked", ""))
}

/// The text with the labels that mean failure made to fail.
fn with_error_labels(text: &str) -> String {
    let mut made = String::from("extern void end_with(const char *how);\n");
    for line in text.lines() {
        let at = line.find("ERROR").filter(|at| {
            let before = line[..*at].chars().last();
            let rest = line[*at + 5..].trim_start();
            !before.is_some_and(|before| before.is_alphanumeric() || before == '_') && rest.starts_with(':')
        });
        match at {
            Some(at) => {
                let (label, rest) = line.split_at(at + line[at..].find(':').unwrap_or(0) + 1);
                // One statement with what follows, if anything does: the label may be a branch of an `if`.
                let failure = match rest.trim_start().starts_with('}') {
                    true => "end_with(\"error\");",
                    false => "while (end_with(\"error\"), 1)",
                };
                let _ = writeln!(made, "{label} {failure} {rest}");
            }
            None => {
                made.push_str(line);
                made.push('\n');
            }
        }
    }
    made
}

fn harness_text(inputs: &BTreeMap<String, Numeric>, missing: &BTreeSet<String>) -> String {
    let mut text = HARNESS.to_string();
    text.push_str("extern int program_0();\nconst int program_count = 1;\n");
    text.push_str("int (*const programs[])(void) = {(int (*)(void)) program_0};\n");
    // Names of the library may be among them, of any type: they get the names behind the compiler's back.
    let mut number = 0;
    let mut define = |name: &str, kind: &str, body: &str| {
        number += 1;
        let _ = writeln!(
            text,
            "{kind} given_{number}(long value) __asm__(\"{name}\");\n{kind} given_{number}(long value) {{ {body} }}"
        );
    };
    for (name, numeric) in inputs {
        // The harness prints.
        if name == "printf" {
            continue;
        }
        let kind = match numeric {
            Numeric::Integer(kind) if kind.bits == 1 => "_Bool".to_string(),
            Numeric::Integer(kind) => {
                let sign = if kind.signed { "signed" } else { "unsigned" };
                let size = match kind.bits {
                    8 => "char",
                    16 => "short",
                    32 => "int",
                    _ => "long",
                };
                format!("{sign} {size}")
            }
            _ => "long".to_string(),
        };
        define(
            name,
            &kind,
            &format!("return ({kind}) input_value({});", function_key(name)),
        );
    }
    for name in missing {
        match CONVENTIONS.iter().find(|(known, _)| known == name) {
            _ if inputs.contains_key(name) => {}
            Some((_, body)) => define(name, "void", body),
            None => define(name, "long", "return 0;"),
        }
    }
    text
}
