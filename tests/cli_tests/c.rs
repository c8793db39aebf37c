//! C on the command line.

// A skipped test says so.
#![allow(clippy::print_stdout)]

use super::support::Folder;
use std::process::Command;

const UNSAFE: &str = "\
int nondet_int(void);
void reach_error(void);
int main(void) {
  int x = nondet_int();
  if (x == 7)
    reach_error();
  return 0;
}
";

const SAFE: &str = "\
int nondet_int(void);
void reach_error(void);
int main(void) {
  int n = nondet_int(), i = 0;
  while (i < n)
    i++;
  if (n > 0 && i != n)
    reach_error();
  return 0;
}
";

fn has_compiler() -> bool {
    let found = Command::new("gcc").arg("--version").output().is_ok();
    if !found {
        println!("skipped: there is no gcc");
    }
    found
}

#[test]
fn an_error_is_shown_as_a_path() {
    let folder = Folder::new("c_unsafe");
    folder.write("a.c", UNSAFE);
    let run = folder.run(&["verify", "a.c"]).ended(10);
    let shown = "\
UNSAFE

The path to the error
  a.c:4: nondet_int() = 7
";
    assert!(run.output.starts_with(shown), "{run:#?}");
    assert!(run.output.contains("  a.c:5: x == 7 is true\n"), "{run:#?}");
    assert!(run.output.contains("  a.c:6: the error is reached\n"), "{run:#?}");
    let report = folder.run(&["verify", "--json", "a.c"]).ended(10).json();
    assert_eq!(report["verdict"], "unsafe");
    assert_eq!(report["inputs"][0]["value"], "7");
    assert_eq!(report["derivation"]["kind"], "derivation");
}

#[test]
fn a_proof_is_shown_at_the_lines_of_its_loops() {
    let folder = Folder::new("c_safe");
    folder.write("a.c", SAFE);
    let run = folder.run(&["verify", "a.c"]).ended(0);
    let shown = "SAFE\n\nLoop invariants\n  a.c:5: in main\n";
    assert!(run.output.starts_with(shown), "{run:#?}");
    let report = folder.run(&["verify", "--json", "a.c"]).ended(0).json();
    assert_eq!(report["invariants"][0]["line"], 5);
}

#[test]
fn evidence_is_checked_against_the_same_rules() {
    let folder = Folder::new("c_evidence");
    folder.write("safe.c", SAFE);
    folder.write("unsafe.c", UNSAFE);
    for (file, code) in [("safe.c", 0), ("unsafe.c", 10)] {
        folder
            .run(&["verify", "--save-evidence", "evidence.json", file])
            .ended(code);
        let run = folder.run(&["check", file, "evidence.json"]).ended(code);
        assert_eq!(run.complaints, "");
        let run = folder.run(&["check", "--no-slice", "--blocks", "basic", file, "evidence.json"]);
        assert_ne!(run.complaints, "", "these are other rules");
    }
}

#[test]
fn a_harness_reaches_the_error() {
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("c_harness");
    folder.write("a.c", UNSAFE);
    folder.run(&["verify", "--harness", "fails.c", "a.c"]).ended(10);
    let compiled = Command::new("gcc")
        .args(["-w", "-fwrapv", "-o"])
        .arg(folder.path("fails"))
        .arg(folder.path("fails.c"))
        .status();
    assert!(compiled.is_ok_and(|status| status.success()));
    let run = Command::new(folder.path("fails")).output().expect("it runs");
    assert_eq!(run.status.code(), Some(99));
    assert_eq!(String::from_utf8_lossy(&run.stderr), "clausal: error reached\n");

    folder.write("b.c", SAFE);
    let run = folder.run(&["verify", "--harness", "b-fails.c", "b.c"]).ended(0);
    assert!(
        run.complaints
            .contains("note: b-fails.c is not written: only an UNSAFE"),
        "{run:#?}"
    );
}

#[test]
fn snippets_are_verified_and_translated() {
    let folder = Folder::new("c_snippet");
    let snippet = "x = 0; while (x < n) x++; assert(x >= 0);";
    let run = folder.run(&["verify", "-e", snippet]).ended(0);
    assert!(run.output.contains("integers have no bounds"), "{run:#?}");
    folder.run(&["verify", "-e", "x = *; assert(x != 3);"]).ended(10);
    let run = folder.run(&["translate", "--to", "clp", "-e", snippet]).ended(0);
    assert!(run.output.contains("?- "), "{run:#?}");
}

#[test]
fn a_translation_has_the_verdict_of_its_source() {
    let folder = Folder::new("c_translate");
    folder.write("safe.c", SAFE);
    folder.write("unsafe.i", UNSAFE);
    for (source, code) in [("safe.c", 0), ("unsafe.i", 10)] {
        for target in ["clp", "smt2"] {
            let translated = format!("{source}.{target}");
            folder
                .run(&["translate", "--to", target, source, "-o", &translated])
                .ended(0);
            folder.run(&["verify", &translated]).ended(code);
        }
    }
}

#[test]
fn directives_go_through_the_preprocessor() {
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("c_preprocessed");
    std::fs::create_dir_all(folder.path("include")).expect("a folder can be made");
    folder.write("include/limit.h", "#define LIMIT 3\n");
    let program = "\
#include <assert.h>
#include \"limit.h\"

int nondet_int(void);
int main(void) {
  int x = nondet_int();
  assert(x < LIMIT + MORE);
  return 0;
}
";
    folder.write("a.c", program);
    let run = folder
        .run(&["verify", "-I", "include", "-D", "MORE=4", "a.c"])
        .ended(10);
    assert!(run.output.contains("  a.c:6: nondet_int() = "), "{run:#?}");
    let run = folder.run(&["verify", "a.c"]).ended(1);
    assert!(
        run.complaints.contains("`#include \"limit.h\"` is left out"),
        "{run:#?}"
    );
    assert!(run.complaints.contains("a.c:7:14"), "{run:#?}");
    folder.write("c.c", "#if 1\nint main(void) { return 0; }\n");
    let run = folder.run(&["verify", "c.c"]).ended(1);
    assert!(
        run.complaints.contains("c.c: the preprocessor (cc) has failed:"),
        "{run:#?}"
    );

    // Mistakes are shown as the author wrote them.
    folder.write("b.c", program.replace("return 0;", "return x +;"));
    let run = folder.run(&["verify", "-I", "include", "-D", "MORE=4", "b.c"]).ended(1);
    assert!(run.complaints.contains("b.c:8:13"), "{run:#?}");
    let run = folder
        .command(&["verify", "a.c"])
        .env("PATH", "")
        .output()
        .expect("it runs");
    let complaints = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(complaints.contains("no C preprocessor is installed"), "{complaints}");
}

#[test]
fn further_properties_are_checked_on_request() {
    let folder = Folder::new("c_checks");
    for (check, statement) in [
        ("overflow", "x = x + 1;"),
        ("bounds", "x = a[x];"),
        ("div-by-zero", "x = 5 / x;"),
        ("null", "x = *p;"),
    ] {
        let text = format!(
            "int nondet_int(void);\nint main(void) {{\n int a[3] = {{1, 2, 3}}, *p = nondet_int() ? &a[0] : 0;\n \
             int x = nondet_int();\n {statement}\n return x + *(&a[1]);\n}}\n"
        );
        folder.write("a.c", text);
        let run = folder.run(&["verify", "a.c"]).ended(0);
        assert!(run.output.contains("--check"), "{run:#?}");
        folder.run(&["verify", "--check", check, "a.c"]).ended(10);
    }
}
