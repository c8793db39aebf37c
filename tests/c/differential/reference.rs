//! What C programs do when gcc has compiled them: many programs in one executable, each run in a process of its own.

use super::inputs::{INPUTS, OPAQUE};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

pub const HARNESS: &str = include_str!("harness.c");

/// How a run ends that misses its objects: harness.c knows the status.
const ADDRESSES: &str = "exitcode=99:detect_leaks=0:detect_stack_use_after_return=1";

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Without an error.
    Ended,
    /// In the error.
    Error,
    /// It came to something that C does not define.
    Undefined,
    /// It took too long.
    Timeout,
}

/// What a run showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The printed values, in order.
    pub printed: Vec<i64>,
    pub end: End,
    /// How many inputs it read.
    pub read: u64,
}

/// Whether there is a gcc.
#[allow(dead_code)] // The example asks for gcc by using it.
pub fn is_available() -> bool {
    Command::new("gcc")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// What compiled programs trap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Traps {
    /// What has no defined behaviour, but for bits that are shifted out of a signed number: gcc gives these their meaning, and so
    /// does the translation.
    WithoutMeaning,
    /// Those, too.
    All,
    /// Accesses that miss their objects, or objects that are no more.
    Memory,
}

/// The runs of each program with the inputs of each seed, by program.
///
/// # Errors
///
/// What gcc says of a text that it does not accept, and why files could not be written.
pub fn run(programs: &[String], seeds: &[u64], traps: Traps) -> Result<Vec<Vec<Run>>, String> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("clausal-c-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let result = run_in(&folder, programs, seeds, traps);
    // What is left in the folder for temporary files does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    result
}

fn run_in(folder: &Path, programs: &[String], seeds: &[u64], traps: Traps) -> Result<Vec<Vec<Run>>, String> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut harness = HARNESS.to_string();
    let mut write = |name: String, text: &str| {
        let file = folder.join(name);
        files.push(file.clone());
        std::fs::write(file, text).map_err(|error| error.to_string())
    };
    let mut table = String::new();
    for (index, program) in programs.iter().enumerate() {
        write(format!("program{index}.c"), &prepared(program, index))?;
        let _ = writeln!(harness, "extern int program_{index}(void);");
        let _ = write!(table, "program_{index}, ");
    }
    let _ = writeln!(harness, "const int program_count = {};", programs.len());
    let _ = writeln!(harness, "int (*const programs[])(void) = {{{table}}};");
    write("harness.c".to_string(), &harness)?;
    let executable = folder.join("programs");
    let mut options = vec!["-std=gnu11", "-Werror=implicit-function-declaration"];
    match traps {
        Traps::WithoutMeaning => {}
        Traps::All => options.push("-fsanitize=shift-base"),
        Traps::Memory => options.push("-fsanitize=address"),
    }
    compile(&options, &files, &executable)?;
    let seeds_given = seeds.iter().map(u64::to_string);
    let output = Command::new(&executable)
        .args(seeds_given)
        .env("ASAN_OPTIONS", ADDRESSES)
        .output();
    let output = output.map_err(|error| error.to_string())?;
    parsed(&String::from_utf8_lossy(&output.stdout), programs.len(), seeds.len())
}

/// Makes an executable in which undefined behaviour is a trap.
pub fn compile(options: &[&str], files: &[PathBuf], executable: &Path) -> Result<(), String> {
    let output = Command::new("gcc")
        .args(["-w", "-O0", "-pipe"])
        .args([
            "-fsanitize=undefined,float-cast-overflow",
            "-fsanitize-undefined-trap-on-error",
            "-fno-sanitize=shift-base",
        ])
        .arg("-ffp-contract=off")
        .args(options)
        .arg("-o")
        .arg(executable)
        .args(files)
        .arg("-lm")
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// The text of a program among others: its names are its own, and inputs come from the harness.
fn prepared(program: &str, index: usize) -> String {
    let mut text = format!("#define main program_{index}\nextern long long input_value(int line);\n#line 1\n");
    // The sign makes a number of its own of a bit-field, which promotion would do anyway.
    let [opening, closing] = OPAQUE;
    let program = program
        .replace(opening, "({ __auto_type opaque = +(")
        .replace(closing, "); opaque; })");
    for (number, line) in program.lines().enumerate() {
        let mut line = line.to_string();
        if is_definition(&line) {
            line.insert_str(0, "static ");
        }
        for (name, kind, ..) in INPUTS {
            let call = format!("__VERIFIER_nondet_{name}()");
            line = line.replace(&call, &format!("({kind}) input_value({})", number + 1));
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// Whether the line begins a definition that other programs could see; generated programs have these at its start.
fn is_definition(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let first = words.first().copied().unwrap_or_default();
    let is_type = ["struct", "union", "enum"].contains(&first) && words.get(2) == Some(&"{");
    let is_other = is_type || ["extern", "typedef", "static"].contains(&first) || line.starts_with("int main(");
    line.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') && !is_other
}

/// The runs that the harness reports.
pub fn parsed(output: &str, programs: usize, runs: usize) -> Result<Vec<Vec<Run>>, String> {
    let mut all = Vec::new();
    let mut printed = Vec::new();
    for line in output.lines() {
        if line.starts_with('#') {
            printed.clear();
        } else if let Some(end) = line.strip_prefix("= ") {
            let (end, read) = end.split_once(' ').ok_or("the harness did not say what was read")?;
            let read = read.parse().map_err(|_| format!("the harness read {read}"))?;
            let end = match end {
                "ended" => End::Ended,
                "error" => End::Error,
                "undefined" => End::Undefined,
                "timeout" => End::Timeout,
                other => return Err(format!("the harness said {other}")),
            };
            let printed = std::mem::take(&mut printed);
            all.push(Run { printed, end, read });
        } else if let Ok(value) = line.parse() {
            printed.push(value);
        }
    }
    if all.len() != programs * runs {
        return Err(format!("{} runs of {programs} programs have ended", all.len()));
    }
    Ok(all.chunks(runs.max(1)).map(<[Run]>::to_vec).collect())
}
