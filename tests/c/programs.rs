//! The C programs in `examples/c`: every error is reached by the compiled harness, every proof is accepted by the checker.

// A skipped test says so.
#![allow(clippy::print_stdout)]

use clausal::c::options::Options as COptions;
use clausal::diagnostics::render;
use clausal::engine::{Budget, Options, Verdict};
use clausal::evidence::{CheckLimits, check_certificate, replay};
use clausal::report::verdict_line;
use clausal::source_level::{Method, Places, REACHED, Verification, findings, harness, json, verify_c, verify_c_by};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/c").join(folder);
    let entries = fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

fn has_compiler() -> bool {
    let found = Command::new("gcc").arg("--version").output();
    found.is_ok_and(|output| output.status.success())
}

/// The text of a program without directives.
fn preprocessed(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).expect("the program can be read");
    if !text.contains("\n#") {
        return Some(text);
    }
    let output = Command::new("gcc").arg("-E").arg(path).output().ok()?;
    assert!(output.status.success(), "{path:?}");
    String::from_utf8(output.stdout).ok()
}

fn verified(name: &str, text: &str) -> Verification {
    let options = Options {
        budget: Budget {
            time: Some(Duration::from_secs(60)),
            ..Budget::default()
        },
        ..Options::default()
    };
    let reading = verify_c(text, &COptions::default(), Method::Automatic, &options);
    reading
        .product
        .unwrap_or_else(|| panic!("{}", render(&reading.diagnostics, name, text)))
}

/// Compiles a harness, as its head says, and runs it.
fn run_harness(name: &str, text: &str) -> Output {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("harness");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
    fs::write(&source, text).expect("the harness can be written");
    let compile = |more: &[&str]| {
        let mut command = Command::new("gcc");
        command
            .args(["-w", "-fwrapv"])
            .args(more)
            .arg(&source)
            .arg("-o")
            .arg(&program);
        command.output().expect("gcc runs")
    };
    let mut output = compile(&[]);
    if !output.status.success() {
        output = compile(&["-std=gnu89"]);
    }
    assert!(
        output.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Command::new(&program).output().expect("the harness can be run")
}

#[test]
fn every_error_is_reached_by_the_compiled_harness() {
    if !has_compiler() {
        println!("skipped: there is no gcc");
        return;
    }
    let mut failures = Vec::new();
    for path in programs("unsafe") {
        let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let text = preprocessed(&path).expect("gcc is there");
        let verification = verified(&name, &text);
        let Verdict::Unsafe(derivation) = &verification.outcome.verdict else {
            failures.push(format!("{name}: {}", verdict_line(&verification.outcome)));
            continue;
        };
        assert_eq!(replay(&verification.translation.program, derivation), Ok(()));
        let places = Places::new(&name, &text);
        let written = harness(&name, &verification, &text, &places).expect("there is one");
        let output = run_harness(&name, &written);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.code() != Some(REACHED) || complaint != "clausal: error reached\n" {
            let shown = findings(&verification, &text, &places);
            failures.push(format!("{name}: {:?} {complaint}\n{shown}", output.status));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_proof_is_accepted_by_the_checker() {
    let mut failures = Vec::new();
    for path in programs("safe") {
        let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let Some(text) = preprocessed(&path) else {
            println!("skipped {name}: there is no preprocessor");
            continue;
        };
        let verification = verified(&name, &text);
        match &verification.outcome.verdict {
            Verdict::Safe(certificate) => {
                let checked = check_certificate(&verification.translation.program, certificate, CheckLimits::default());
                assert!(checked.is_ok(), "{name}: {checked:?}");
            }
            _ => failures.push(format!("{name}: {}", verdict_line(&verification.outcome))),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn an_error_after_undefined_behaviour_is_neither_safety_nor_an_error() {
    for path in programs("unknown") {
        let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("the file is readable");
        let verification = verified(&name, &text);
        let line = verdict_line(&verification.outcome);
        assert!(line.contains("undefined behaviour"), "{name}: {line}");
    }
}

#[test]
fn turns_that_are_not_written_down_are_told_of() {
    let text = "void reach_error(void);
int main(void) {
  unsigned x = 0, y = 5000;
  while (x < 400000000) { if (x == 2000000) y++;
    x += 2;
  }
  if (y == 5001) reach_error(); }";
    let in_turns = |translation: &mut clausal::c::Translation, options: &Options| {
        clausal::turns::verify(&translation.program, options)
    };
    let method = Method::Automatic;
    let reading = verify_c_by(text, &COptions::default(), method, &Options::default(), &in_turns);
    let verification = reading.product.expect("it is C");
    let shown = findings(&verification, text, &Places::new("a.c", text));
    for line in [
        "  a.c:5: x = 2\n",
        "  … 199999997 more turns\n",
        "  a.c:5: x = 400000000\n",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert!(shown.lines().count() < 40, "{shown}");
    let Verdict::Unsafe(derivation) = &verification.outcome.verdict else {
        panic!("{shown}")
    };
    assert!(derivation.length() > 200_000_000, "{}", derivation.length());
    assert_eq!(replay(&verification.translation.program, derivation), Ok(()));
}

#[test]
fn findings_speak_of_lines_and_variables() {
    let text = "\
int nondet_int(void);
void reach_error(void);
int main(void) {
  int x = nondet_int();
  int i = 0;
  while (i < x) {
    i = i + 1;
  }
  if (i == 7) {
    reach_error();
  }
}
";
    let verification = verified("a.c", text);
    let places = Places::new("a.c", text);
    let shown = findings(&verification, text, &places);
    let expected = [
        "UNSAFE\n\nThe path to the error\n",
        "  a.c:4: nondet_int() = 7\n",
        "  a.c:7: i = 1\n",
        "  … 4 more turns\n",
        "  a.c:7: i = 7\n",
        "  a.c:9: i == 7 is true\n",
        "  a.c:10:5: the error is reached\n",
    ];
    for line in expected {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    let report: serde_json::Value = serde_json::from_str(&json("a.c", &verification, text, &places)).expect("JSON");
    assert_eq!(report["inputs"][0]["value"], "7");
    assert_eq!(report["inputs"][0]["line"], 4);

    let safe = text.replace("i == 7", "x > 0 && i != x");
    let verification = verified("a.c", &safe);
    let shown = findings(&verification, &safe, &Places::new("a.c", &safe));
    assert!(
        shown.starts_with("SAFE\n\nLoop invariants\n  a.c:6: in main\n"),
        "{shown}"
    );
    assert!(shown.contains("x >= i"), "{shown}");
}
