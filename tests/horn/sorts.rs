//! Machine words, datatypes and arrays with any indices, from text to evidence: the programs of `clp-programs/sorts`, whose
//! folders say what the verdict is.

use crate::solvers::{answers, solvers};
use crate::together;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The programs, each with the exit code of its verdict.
fn programs() -> Vec<(PathBuf, i32)> {
    let mut found = Vec::new();
    for (folder, code) in [("safe", 0), ("unsafe", 10)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("clp-programs/sorts")
            .join(folder);
        let entries = std::fs::read_dir(path).expect("the folder is there");
        found.extend(entries.map(|entry| (entry.expect("a readable entry").path(), code)));
    }
    found.sort();
    assert!(found.len() >= 25);
    found
}

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the test's folder can be made");
    path
}

fn clausal(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clausal"));
    command.args(arguments).stdin(Stdio::null());
    let output = command.output().expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr).to_string();
    assert!(!errors.contains("panicked"), "{arguments:?}: {errors}");
    output
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

#[test]
fn verdicts_are_right_and_their_evidence_is_accepted_again() {
    let folder = folder("horn_sorts_evidence");
    let solvers = solvers();
    together::each(&programs(), |position, (file, expected)| {
        let (file, expected) = (file.as_path(), *expected);
        let own = |name: &str| folder.join(format!("{position}-{name}"));
        let (evidence, obligations) = (own("evidence.json"), own("obligations.smt2"));
        for assistance in ["turns", "relations"] {
            let name = file.display();
            let mut arguments = vec!["verify", "-q", "--timeout", "120", "--assist", assistance];
            arguments.extend(["--save-evidence", text(&evidence), text(file)]);
            if expected == 0 {
                arguments.extend(["--smt2", text(&obligations)]);
            }
            let output = clausal(&arguments);
            let said = String::from_utf8_lossy(&output.stderr).to_string() + &String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(expected), "{name} with {assistance}: {said}");
            let checked = clausal(&["check", text(file), text(&evidence)]);
            let said = String::from_utf8_lossy(&checked.stderr).to_string();
            assert_eq!(
                checked.status.code(),
                Some(expected),
                "{name} with {assistance}: {said}"
            );
            if expected == 0 {
                let script = std::fs::read_to_string(&obligations).expect("the obligations were written");
                for solver in &solvers {
                    let answers = answers(solver, &script);
                    let all = !answers.is_empty() && answers.iter().all(|answer| answer == "unsat");
                    assert!(all, "{name} with {assistance}: {answers:?}");
                }
            }
        }
    });
}

#[test]
fn evidence_of_one_program_is_none_of_another() {
    let folder = folder("horn_sorts_other");
    let evidence = folder.join("evidence.json");
    let program = |name: &str| {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("clp-programs/sorts")
            .join(name)
    };
    for (of, other) in [
        ("safe/words-signed.smt2", "unsafe/words-unsigned.smt2"),
        ("unsafe/records-overdrawn.smt2", "safe/records.smt2"),
    ] {
        clausal(&["verify", "-q", "--save-evidence", text(&evidence), text(&program(of))]);
        let checked = clausal(&["check", text(&program(other)), text(&evidence)]);
        assert_eq!(checked.status.code(), Some(2), "{of} for {other}");
    }
}

#[test]
fn what_is_printed_is_the_same_program() {
    let folder = folder("horn_sorts_printed");
    together::each(&programs(), |position, (file, expected)| {
        let printed = folder.join(format!("printed-{position}.smt2"));
        let source = std::fs::read_to_string(file).expect("a readable file");
        let program = clausal::horn::read(&source).product.expect("no mistake in it");
        let once = clausal::horn::print(&program);
        let again = clausal::horn::read(&once);
        let report = clausal::diagnostics::render(&again.diagnostics, "printed.smt2", &once);
        let again = again.product.unwrap_or_else(|| panic!("{}: {report}", file.display()));
        assert_eq!(clausal::horn::print(&again), once, "{}", file.display());
        std::fs::write(&printed, once).expect("the folder can be written to");
        let output = clausal(&["verify", "-q", "--timeout", "120", text(&printed)]);
        assert_eq!(output.status.code(), Some(*expected), "{}", file.display());
    });
}

#[test]
fn clp_says_what_it_has_words_for() {
    for (file, _) in programs() {
        let output = clausal(&["translate", "--to", "clp", text(&file)]);
        let said = String::from_utf8_lossy(&output.stderr).to_string();
        let source = std::fs::read_to_string(&file).expect("a readable file");
        let program = clausal::horn::read_with_calls(&source)
            .product
            .expect("no mistake in it");
        match clausal::clp::inexpressible(&program) {
            Some(what) => {
                assert_eq!(output.status.code(), Some(1), "{}", file.display());
                assert!(said.contains(&what) && said.contains("--to smt2"), "{said}");
            }
            None => {
                assert_eq!(output.status.code(), Some(0), "{}: {said}", file.display());
                let printed = String::from_utf8_lossy(&output.stdout).to_string();
                let reading = clausal::clp::read(&printed);
                let remarks = clausal::diagnostics::render(&reading.diagnostics, "printed.clp", &printed);
                let again = reading.product.unwrap_or_else(|| panic!("{remarks}"));
                assert_eq!(clausal::clp::print(&again), printed, "{}", file.display());
            }
        }
    }
    let output = clausal(&["translate", "--to", "clp", "--snippet", "p"]);
    assert_ne!(output.status.code(), Some(70));
}

#[test]
fn other_commands_are_not_wrong_about_them() {
    together::each(&programs(), |_, (file, expected)| {
        let name = file.display();
        // Whatever it comes to in so short a time must be right.
        let explored = clausal(&["explore", "--timeout", "3", text(file)]);
        let code = explored.status.code();
        assert!(code == Some(*expected) || code == Some(20), "explore {name}: {code:?}");
        let inferred = clausal(&["infer", "--timeout", "60", text(file)]);
        assert!(
            matches!(inferred.status.code(), Some(0 | 20)),
            "infer {name}: {:?}",
            inferred.status
        );
        let compressed = clausal(&["compress", "--timeout", "60", text(file)]);
        assert!(
            matches!(compressed.status.code(), Some(0 | 20)),
            "compress {name}: {:?}",
            compressed.status
        );
        let drawn = clausal(&["translate", "--to", "dot", text(file)]);
        assert_eq!(drawn.status.code(), Some(0), "{name}");
    });
}
