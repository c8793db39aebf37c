//! Programs over lists, trees and constants: `clp-programs/terms`, whose folders say what the verdict is. Their proofs need measures
//! (lengths, sums, heights, order), their errors are shown with terms as people write them.

use super::support::Folder;
use super::together;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn programs() -> Vec<(PathBuf, i32)> {
    let mut found = Vec::new();
    for (folder, expected) in [("safe", 0), ("unsafe", 10)] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("clp-programs/terms")
            .join(folder);
        let entries = std::fs::read_dir(folder).expect("the folder is there");
        found.extend(entries.map(|entry| (entry.expect("a readable entry").path(), expected)));
    }
    found.sort();
    assert!(found.len() >= 26);
    found
}

fn clausal(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clausal"));
    command.args(arguments).stdin(Stdio::null());
    command.output().expect("the program starts")
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

#[test]
fn programs_over_terms_are_decided_with_evidence() {
    let folder = Folder::new("terms-evidence");
    together::each(&programs(), |position, (file, expected)| {
        let evidence = folder.path(&format!("evidence-{position}.json"));
        let name = file.display();
        let arguments = [
            "verify",
            "-q",
            "--timeout",
            "300",
            "--save-evidence",
            path(&evidence),
            path(file),
        ];
        let output = clausal(&arguments);
        assert_eq!(output.status.code(), Some(*expected), "{name}");
        let checked = clausal(&["check", path(file), path(&evidence)]);
        let said = String::from_utf8_lossy(&checked.stderr);
        assert_eq!(checked.status.code(), Some(*expected), "{name}: {said}");
    });
}

#[test]
fn printed_programs_over_terms_are_the_same() {
    for (file, _) in programs() {
        let source = std::fs::read_to_string(&file).expect("a readable file");
        let reading = clausal::clp::read_with_calls(&source);
        let remarks = clausal::diagnostics::render(&reading.diagnostics, path(&file), &source);
        assert!(reading.diagnostics.is_empty(), "{remarks}");
        let program = reading.product.expect("no mistake in it");
        let text = clausal::clp::print(&program);
        let again = clausal::clp::read_with_calls(&text)
            .product
            .expect("the printed program");
        assert_eq!(clausal::clp::print(&again), text, "{}", file.display());
        assert_eq!(again.rules().len(), program.rules().len());
        // The same in SMT-LIB, where every datatype and constructor needs a name of its own.
        let horn = clausal::horn::print(&program);
        let reading = clausal::horn::read_with_calls(&horn);
        let remarks = clausal::diagnostics::render(&reading.diagnostics, "printed.smt2", &horn);
        assert!(reading.product.is_some(), "{}: {remarks}", file.display());
    }
}

#[test]
fn errors_are_shown_with_terms_as_people_write_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("clp-programs/terms/unsafe");
    for (name, shown) in [
        (
            "machine.clp",
            "run([push(2), push(3), multiply, push(5), add], [], [11])",
        ),
        ("tree-height.clp", "leaf)"),
        ("reverse-palindrome.clp", "reverse(["),
    ] {
        let output = clausal(&["verify", "--timeout", "300", path(&folder.join(name))]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(shown), "{name}: {text}");
    }
}

#[test]
fn proofs_name_measures_and_define_them_for_others() {
    let folder = Folder::new("terms-measures");
    folder.write(
        "lengths.smt2",
        "(set-logic HORN)
        (declare-datatypes ((list 0)) (((nil) (cons (head Int) (tail list)))))
        (declare-fun append (list list list) Bool)
        (declare-fun length (list Int) Bool)
        (assert (forall ((Y list)) (append nil Y Y)))
        (assert (forall ((H Int) (X list) (Y list) (Z list)) (=> (append X Y Z) (append (cons H X) Y (cons H Z)))))
        (assert (length nil 0))
        (assert (forall ((H Int) (X list) (N Int)) (=> (length X N) (length (cons H X) (+ N 1)))))
        (assert (forall ((X list) (Y list) (Z list) (A Int) (B Int) (C Int))
            (=> (and (append X Y Z) (length X A) (length Y B) (length Z C) (not (= C (+ A B)))) false)))
        (check-sat)
        (get-model)",
    );
    let file = folder.path("lengths.smt2");
    let text = String::from_utf8_lossy(&clausal(&["verify", "--timeout", "300", path(&file)]).stdout).to_string();
    assert!(text.contains("size("), "{text}");
    let text = String::from_utf8_lossy(&clausal(&["solve", path(&file)]).stdout).to_string();
    assert!(
        text.contains("(define-funs-rec ((|size of list| ((x! list)) Int))"),
        "{text}"
    );
}
