//! Properties of all elements of arrays, from text to evidence: `clp-programs/arrays`, whose folders say what the verdict is, and
//! the C programs of `examples/c/arrays`, which are safe. Those of `examples/c/arrays/kinds` are what people write with arrays; they
//! are safe, and with the macro WRONG they are not. `benches/RESULTS.md` says which are decided.

use crate::together;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let mut found: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
    found.sort();
    assert!(!found.is_empty(), "{folder}");
    found
}

fn clausal(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clausal"));
    command.args(arguments).stdin(Stdio::null());
    command.output().expect("the program starts")
}

/// Verifies a file, and checks the evidence again that was saved.
fn verdict_with_evidence(file: &Path) -> Option<i32> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("arrays");
    std::fs::create_dir_all(&folder).expect("the test's folder can be made");
    let name = file.file_name().expect("a file").to_string_lossy();
    let evidence = folder.join(format!("{name}.json"));
    let (evidence, file) = (
        evidence.to_str().expect("a plain path"),
        file.to_str().expect("a plain path"),
    );
    let output = clausal(&["verify", "-q", "--timeout", "300", "--save-evidence", evidence, file]);
    let checked = clausal(&["check", file, evidence]);
    let errors = String::from_utf8_lossy(&checked.stderr);
    assert_eq!(checked.status.code(), output.status.code(), "{file}: {errors}");
    output.status.code()
}

#[test]
fn rules_about_arrays_are_decided_with_evidence() {
    for (folder, expected) in [("safe", 0), ("unsafe", 10)] {
        together::each(&files(&format!("clp-programs/arrays/{folder}")), |_, file| {
            assert_eq!(verdict_with_evidence(file), Some(expected), "{}", file.display());
        });
    }
}

#[test]
fn programs_about_arrays_in_c_are_proved() {
    if Command::new("gcc").arg("--version").output().is_err() {
        return;
    }
    for file in files("examples/c/arrays") {
        let output = clausal(&["verify", "--timeout", "300", file.to_str().expect("a plain path")]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{}: {text}", file.display());
        assert!(text.contains("for all k:"), "{}: {text}", file.display());
    }
}

/// Programs that are decided in both variants. How long that takes is in `benches/RESULTS.md`; here it only has to end.
const DECIDED: [&str; 25] = [
    "kinds/binary-search",
    "kinds/bubble-sort",
    "kinds/constant-of-a-loop",
    "kinds/copy",
    "kinds/duplicates",
    "kinds/extremes",
    "kinds/fill",
    "kinds/find",
    "kinds/insertion-sort",
    "kinds/partition",
    "kinds/reverse",
    "kinds/selection-sort",
    "kinds/slopes",
    "kinds/sorted-prefix",
    "kinds/stack",
    "kinds/string-compare",
    "kinds/string-copy",
    "kinds/string-length",
    "kinds/two-dimensional",
    "lists/appended",
    "lists/ends",
    "lists/freed",
    "lists/ones",
    "lists/positive",
    "lists/reversed",
];

#[test]
fn programs_of_many_kinds_are_decided_in_both_variants() {
    if Command::new("gcc").arg("--version").output().is_err() {
        return;
    }
    together::each(&DECIDED, |_, name| {
        let file = format!("examples/c/arrays/{name}.c");
        let safe = clausal(&["verify", "-q", "--timeout", "600", &file]);
        assert_eq!(
            safe.status.code(),
            Some(0),
            "{file}: {}",
            String::from_utf8_lossy(&safe.stdout)
        );
        let wrong = clausal(&["verify", "-q", "--timeout", "600", "-D", "WRONG", &file]);
        let text = String::from_utf8_lossy(&wrong.stdout);
        assert_eq!(wrong.status.code(), Some(10), "{file} with WRONG: {text}");
    });
}

/// What is not decided must not be called safe where it is wrong.
#[test]
fn no_wrong_variant_is_called_safe() {
    if Command::new("gcc").arg("--version").output().is_err() {
        return;
    }
    let all = ["kinds", "lists"].map(|folder| files(&format!("examples/c/arrays/{folder}")));
    let is_decided = |file: &Path| DECIDED.iter().any(|name| file.with_extension("").ends_with(name));
    let others: Vec<PathBuf> = all.into_iter().flatten().filter(|file| !is_decided(file)).collect();
    assert!(!others.is_empty());
    together::each(&others, |_, file| {
        let file = file.to_str().expect("a plain path");
        let limits = [
            "verify",
            "-q",
            "--max-unrollings",
            "6",
            "--timeout",
            "60",
            "-D",
            "WRONG",
        ];
        let wrong = clausal(&[&limits[..], &[file]].concat());
        assert_ne!(wrong.status.code(), Some(0), "{file}");
    });
}
