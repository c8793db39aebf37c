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
    assert!(run.output.contains("  a.c:6:5: the error is reached\n"), "{run:#?}");
    let report = folder.run(&["verify", "--json", "a.c"]).ended(10).json();
    assert_eq!(report["verdict"], "unsafe");
    assert_eq!(report["inputs"][0]["value"], "7");
    assert_eq!(report["derivation"]["kind"], "derivation");
}

#[test]
fn headers_of_other_verifiers_need_not_be_installed() {
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("c_headers_of_verifiers");
    let program = |include: &str, check: &str| {
        format!(
            "#include {include}\nint nondet_int(void);\nint main(void) {{ int x = nondet_int(); {check} return 0; }}\n"
        )
    };
    let kept = "assume(x > 3); sassert(x > 2);";
    folder.write("safe.c", program("\"seahorn/seahorn.h\"", kept));
    folder.write(
        "unsafe.c",
        program(
            "<klee/klee.h>",
            "klee_make_symbolic(&x, sizeof x, \"x\"); klee_assert(x != 7);",
        ),
    );
    folder.write("own.c", program("\"seahorn/own.h\"", kept));
    folder.run(&["verify", "safe.c"]).ended(0);
    folder.run(&["verify", "--machine", "32", "safe.c"]).ended(0);
    folder.run(&["verify", "unsafe.c"]).ended(10);
    folder.run(&["verify", "own.c"]).ended(2);
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

/// What the library does here, it does in the compiled program; what does not matter to the error is not put in where it could
/// not be written.
#[test]
fn a_harness_has_what_the_program_needs() {
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("c_harness_needs");
    let head = "#include <stdlib.h>\n#include <string.h>\n#include <math.h>\n\
        extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n";
    let programs = [
        "static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
         int main(void) { int a[3] = {1, 4, 9}, k = 4; int *p = bsearch(&k, a, 3, sizeof *a, cmp); if (p - a == 1) reach_error(); }",
        "typedef unsigned set[2];
         int main(void) { set a = {1, 2}, b; int n = __VERIFIER_nondet_int(); memcpy(b, a, sizeof b); if (b[1] + n == 7) reach_error(); }",
        "struct s { unsigned a : 3, b : 2; };
         int main(void) { struct s s; int n = __VERIFIER_nondet_int(); if (s.a == 5 && n == 3) reach_error(); }",
        "struct in { short a; char b[3]; }; struct out { struct in i[2]; long l; };
         int main(void) { struct out y; int n = __VERIFIER_nondet_int(); memset(&y, 0, sizeof y); if (n + y.l == 2) reach_error(); }",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n > 0 && floor(n / 2.0) == 3.0) reach_error(); }",
        "long h; int main(void) { int n = __VERIFIER_nondet_int(); h = (long)&n * 3; if (n == 4) reach_error(); }",
        "int scanf(const char *, ...);
         int main(void) { int a[2], i = 0, n = 7; double d; while (i < 2 && scanf(\"%d\", &a[i]) == 1) i++;
           if (i == 2 && a[0] == 3 && a[1] == -4 && scanf(\"%lf %d\", &d, &n) == 1 && d == 0.5 && n == 7) reach_error(); }",
        "int scanf(const char *, ...); int main(void) { int x = 0; while (scanf(\"%d\", &x) == 1) if (x == 42) reach_error(); }",
        "int scanf(const char *, ...); int main(void) { int x, y; scanf(\"%d%d\", &x, &y); if (x - y == 3) reach_error(); }",
    ];
    for (number, program) in programs.iter().enumerate() {
        let file = format!("{number}.c");
        folder.write(&file, format!("{head}{program}\n"));
        folder.run(&["verify", "--harness", "fails.c", &file]).ended(10);
        let compiled = Command::new("gcc")
            .args(["-w", "-fwrapv", "-o"])
            .arg(folder.path("fails"))
            .arg(folder.path("fails.c"))
            .arg("-lm")
            .output()
            .expect("gcc runs");
        assert!(compiled.status.success(), "{program}: {compiled:#?}");
        let run = Command::new(folder.path("fails")).output().expect("it runs");
        assert_eq!(run.status.code(), Some(99), "{program}");
    }
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
    let run = folder.run(&["verify", "a.c"]).ended(2);
    assert!(
        run.complaints
            .starts_with("error: there is no file `limit.h` to include\n  ┌─ a.c:2:1\n"),
        "{run:#?}"
    );
    let run = folder.run(&["verify", "--missing-includes", "ignore", "a.c"]).ended(2);
    assert!(run.complaints.contains("a.c:7:14"), "{run:#?}");
    folder.write("c.c", "#if 1\nint main(void) { return 0; }\n");
    let run = folder.run(&["verify", "c.c"]).ended(2);
    assert!(
        run.complaints.contains("c.c: the preprocessor (cc) has failed:"),
        "{run:#?}"
    );

    // Mistakes are shown as the author wrote them.
    folder.write("b.c", program.replace("return 0;", "return x +;"));
    let run = folder.run(&["verify", "-I", "include", "-D", "MORE=4", "b.c"]).ended(2);
    assert!(run.complaints.contains("b.c:8:13"), "{run:#?}");
    let run = folder
        .command(&["verify", "a.c"])
        .env("PATH", "")
        .output()
        .expect("it runs");
    let complaints = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        complaints.starts_with("error: a.c:1: `#include <assert.h>` is for the preprocessor, but no C preprocessor"),
        "{complaints}"
    );
}

#[test]
fn an_inclusion_that_is_left_out_is_an_assumption() {
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("c_left_out");
    folder.write("a.c", format!("#include \"gone.h\"\n{SAFE}"));
    folder.run(&["verify", "-q", "a.c"]).ended(2);
    let ignore = ["verify", "--missing-includes", "ignore", "a.c"];
    let said = "`#include \"gone.h\"` is left out: there is no such file, and what it declares is unknown";
    let run = folder.run(&ignore).ended(0);
    assert!(run.output.contains("Understood so\n  undefined"), "{run:#?}");
    assert!(run.output.contains(said), "{run:#?}");
    let run = folder.run(&[&ignore[..], &["-q"]].concat()).ended(0);
    assert_eq!(
        (run.output.as_str(), run.complaints.as_str()),
        (&*format!("SAFE\n  rests on: {said}\n"), "")
    );
    let report = folder.run(&[&ignore[..], &["--json"]].concat()).ended(0).json();
    assert_eq!(report["assumptions"][1], said);
}

#[test]
fn what_a_verdict_rests_on_is_said_in_one_line() {
    let folder = Folder::new("c_premises");
    folder.write(
        "a.i",
        "int first(void);\nint second(int x);\nvoid reach_error(void);\n\
         int main(void) { int x = first(); x = second(x); if (x == 3) reach_error(); return 0; }\n",
    );
    let run = folder.run(&["verify", "-q", "a.i"]).ended(10);
    assert!(run.output.starts_with("UNSAFE\n  rests on: a.i:"), "{run:#?}");
    assert_eq!(run.output.lines().count(), 2, "{run:#?}");
    let report = folder.run(&["verify", "--json", "a.i"]).ended(10).json();
    assert!(
        report["assumptions"].as_array().is_some_and(|all| !all.is_empty()),
        "{report}"
    );
    // A program that rests on nothing has a line for the verdict alone.
    folder.write("b.i", "void reach_error(void); int main(void) { reach_error(); }");
    assert_eq!(folder.run(&["verify", "-q", "b.i"]).ended(10).output, "UNSAFE\n");
    // That there is nothing to reach is no premise.
    folder.write("c.i", "void tick(void); int main(void) { tick(); return 0; }");
    let run = folder.run(&["verify", "-q", "c.i"]).ended(0);
    assert!(
        run.output.contains("rests on: c.i:1: `tick` has no body") && run.output.contains("and 1 more"),
        "{run:#?}"
    );
}

/// Another file may define what is weak here, and run functions before `main`: that cannot be seen, so it is said.
#[test]
fn what_other_files_may_have_is_said() {
    let folder = Folder::new("c_other_files");
    folder.write(
        "a.i",
        "void reach_error(void);\nint g = 1;\nextern int there, unused;\n__attribute__((weak)) int f(void) { return 1; }\n\
         int h(void) __attribute__((weak, alias(\"f\")));\n__attribute__((weak)) int k = 1;\nvoid other(void);\n\
         int main(void) { other(); if (there && (g != 1 || f() + h() != 2)) reach_error(); return k; }\n",
    );
    let report = folder.run(&["verify", "--json", "a.i"]).ended(0).json();
    let said = |what: &str| {
        let assumptions = report["assumptions"].as_array().into_iter().flatten();
        let count = assumptions
            .filter(|assumption| assumption.as_str().is_some_and(|text| text.contains(what)))
            .count();
        assert_eq!(count, 1, "{what}: {report}");
    };
    said("a.i:3: `there` is of another file: its value is unknown, and that file changes nothing of this one");
    said("a.i:4: `f` is weak: no other file has another definition of it");
    said("a.i:5: `h` is weak: no other file has another definition of it");
    said("a.i:6: `k` is weak: no other file has another definition of it");
    said("a.i:8: `other` has no body: its result is unknown, and the file that has it changes nothing of this one");
    assert!(!report.to_string().contains("unused"), "{report}");
    // The library's own variables are not the program's affair.
    folder.write(
        "b.c",
        "#define _GNU_SOURCE\n#include <stdio.h>\n#include <unistd.h>\nint main(void) { return environ == 0 || stdin == 0; }\n",
    );
    let run = folder.run(&["verify", "b.c"]).ended(0);
    assert!(!run.output.contains("another file"), "{run:#?}");
}

#[test]
fn what_a_check_leaves_out_is_said_of_what_is_safe() {
    let folder = Folder::new("c_unchecked");
    folder.write(
        "a.i",
        "int main(void) {\n  int x = 1;\n  int a[2];\n  a[0] = x;\n  return a[1] == 2;\n}\n",
    );
    let run = folder.run(&["verify", "--check", "uninitialized", "a.i"]).ended(0);
    let said = "a.i:3: whether elements of `a` are read before they have a value is not checked";
    assert!(run.output.contains(said), "{run:#?}");
    let report = folder
        .run(&["verify", "--json", "--check", "uninitialized", "a.i"])
        .ended(0)
        .json();
    let mut assumptions = report["assumptions"].as_array().into_iter().flatten();
    assert!(assumptions.any(|assumption| assumption == said), "{report}");
    assert!(
        !folder
            .run(&["verify", "--check", "bounds", "a.i"])
            .ended(0)
            .output
            .contains("not checked")
    );
    // Where all is looked into there is nothing to say.
    folder.write("b.i", "int main(void) { int x = 1; return x; }");
    let run = folder.run(&["verify", "--check", "uninitialized", "b.i"]).ended(0);
    assert!(!run.output.contains("not checked"), "{run:#?}");
}

#[test]
fn files_without_directives_are_preprocessed_too() {
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("c_predefined");
    let text = "void reach_error(void);\nint main(void) {\n  __SIZE_TYPE__ n = 0;\n  n--;\n  \
                int x = __INT_MAX__;\n  if (n > 5 && x == 2147483647) reach_er\\\nror();\n  return 0;\n}\n";
    folder.write("a.c", text);
    folder.run(&["verify", "a.c"]).ended(10);
    // Without a preprocessor, names of the compiler's are not guessed at; neither in what is said to be preprocessed.
    let run = folder
        .command(&["verify", "a.c"])
        .env("PATH", "")
        .output()
        .expect("it runs");
    let complaints = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        complaints
            .starts_with("error: a.c:3: `__SIZE_TYPE__` is for the preprocessor, but no C preprocessor is installed"),
        "{complaints}"
    );
    folder.write("a.i", text);
    let run = folder.run(&["verify", "a.i"]).ended(2);
    assert!(
        run.complaints.contains("error: unknown type `__SIZE_TYPE__`"),
        "{run:#?}"
    );
    assert!(
        run.complaints.contains("error: `__INT_MAX__` is not declared"),
        "{run:#?}"
    );
    assert_eq!(run.complaints.matches("error: ").count(), 2, "{run:#?}");
    let run = folder
        .run(&["verify", "-e", "x = __INT_MAX__; assert(x > 0);"])
        .ended(2);
    assert!(run.complaints.contains("`__INT_MAX__` is not declared"), "{run:#?}");
    // What needs no preprocessor is verified without one.
    folder.write("b.c", UNSAFE);
    let run = folder
        .command(&["verify", "b.c"])
        .env("PATH", "")
        .output()
        .expect("it runs");
    assert_eq!(run.status.code(), Some(10));
}

#[test]
fn continued_lines_are_joined_in_preprocessed_text() {
    let folder = Folder::new("c_continued");
    folder.write(
        "a.i",
        "void reach_error(void);\nint main(void) {\n  int abc = 1; a\\\nbc = 2; // what \\\n abc = 7;\n  \
         if (abc == 2)\n    reach_error();\n}\n",
    );
    let run = folder.run(&["verify", "a.i"]).ended(10);
    assert!(run.output.contains("a.i:7:5: the error is reached"), "{run:#?}");
}

#[test]
fn a_type_that_nothing_declares_is_an_error() {
    let folder = Folder::new("c_unknown_type");
    folder.write(
        "a.i",
        "what_t x;\nwhat_t y;\nint main(void) { size_t n = 0; n--; return n > 0; }\n",
    );
    let run = folder.run(&["verify", "a.i"]).ended(2);
    assert!(
        run.complaints.contains("error: unknown type `what_t`\n  ┌─ a.i:1:1"),
        "{run:#?}"
    );
    assert_eq!(run.complaints.matches("error: ").count(), 1, "{run:#?}");
}

#[test]
fn headers_of_the_system_are_not_complained_about() {
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("c_headers");
    folder.write("a.c", "#include <stdlib.h>\nint main(void) { return 0; }\n");
    let run = folder.run(&["verify", "a.c"]).ended(0);
    assert_eq!(run.complaints, "", "{run:#?}");
}

#[test]
fn macros_without_end_are_cut_off() {
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("c_bomb");
    let mut text = "#define A0 1 + 1 +\n".to_string();
    for level in 1..40 {
        text.push_str(&format!("#define A{level} A{} A{}\n", level - 1, level - 1));
    }
    text.push_str("int main(void) { return A39 1; }\n");
    folder.write("a.c", text);
    let run = folder.run(&["verify", "a.c"]).ended(2);
    // One of its limits, whichever it comes to first on this machine.
    let limits = [
        "64 MB after preprocessing",
        "did not end within",
        "needs more memory than it gets",
    ];
    let is_said = limits.iter().any(|limit| run.complaints.contains(limit));
    assert!(is_said && run.complaints.contains("\nhelp: do its macros"), "{run:#?}");
    let run = folder.run(&["verify", "--json", "--timeout", "0.2", "a.c"]).ended(20);
    assert_eq!(run.json()["verdict"], "unknown");
}

#[test]
fn paths_have_the_programs_conditions_only() {
    let folder = Folder::new("c_conditions");
    let text = "\
int nondet_int(void);
int main(void) {
  int a[3] = {1, 2, 3};
  int x = nondet_int();
  if (x > 0)
    x = a[x];
  while (1) {
    x = 0;
    break;
  }
  return x;
}
";
    folder.write("a.i", text);
    let run = folder.run(&["verify", "--check", "bounds", "a.i"]).ended(10);
    assert!(run.output.contains("  a.i:5: x > 0 is true\n"), "{run:#?}");
    assert_eq!(
        run.output.matches(" is ").count(),
        2,
        "one condition, and the finding: {run:#?}"
    );
    assert!(!run.output.contains("1 is "), "{run:#?}");
}

#[test]
fn columns_are_those_of_the_file_as_it_was_written() {
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("c_columns");
    folder.write(
        "a.c",
        "void reach_error(void);\nint main(void) {\n  int x = 1;   /* one */   if (x)   reach_error();\n}\n",
    );
    let run = folder.run(&["verify", "a.c"]).ended(10);
    assert!(run.output.contains("a.c:3:37: the error is reached"), "{run:#?}");
}

#[test]
fn property_files_and_tasks_choose_what_is_verified() {
    let folder = Folder::new("c_property");
    let program = "\
int nondet_int(void);
void fails(void) {}
int start(void) {
  int x = nondet_int();
  if (x > 2000000000)
    fails();
  return x + 200000000;
}
";
    folder.write("a.c", program);
    std::fs::create_dir_all(folder.path("properties")).expect("a folder can be made");
    let property = |formula: &str| format!("CHECK( init(start()), LTL({formula}) )\n");
    folder.write("properties/unreach-call.prp", property("G ! call(fails())"));
    folder.write("properties/no-overflow.prp", property("G ! overflow"));
    folder.write("properties/valid-memtrack.prp", property("G valid-memtrack"));
    folder.write("properties/termination.prp", property("F end"));
    for (name, violated) in [
        ("unreach-call", "false(unreach-call)"),
        ("no-overflow", "false(no-overflow)"),
    ] {
        let file = format!("properties/{name}.prp");
        let report = folder
            .run(&["verify", "--json", "--property", &file, "a.c"])
            .ended(10)
            .json();
        assert_eq!(report["property"], violated);
    }
    let run = folder
        .run(&["verify", "--property", "properties/valid-memtrack.prp", "a.c"])
        .ended(20);
    assert!(
        run.output.contains("there is no check for `valid-memtrack`"),
        "{run:#?}"
    );
    let run = folder
        .run(&["verify", "--property", "properties/termination.prp", "a.c"])
        .ended(2);
    assert!(
        run.complaints.contains("termination (F end) is not verified"),
        "{run:#?}"
    );

    let task = |verdict: &str| {
        format!(
            "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: properties/no-overflow.prp\n    \
             expected_verdict: {verdict}\noptions:\n  language: C\n  data_model: ILP32\n"
        )
    };
    folder.write("false.yml", task("false"));
    folder.write("true.yml", task("true"));
    folder.run(&["verify", "--expect", "false.yml"]).ended(10);
    folder.run(&["verify", "true.yml"]).ended(10);
    let run = folder.run(&["verify", "--expect", "true.yml"]).ended(2);
    assert!(
        run.complaints.contains("the task definition expects `true`"),
        "{run:#?}"
    );
    let unreach = [
        "verify",
        "--json",
        "--property",
        "properties/unreach-call.prp",
        "false.yml",
    ];
    assert_eq!(folder.run(&unreach).ended(10).json()["property"], "false(unreach-call)");
}

#[test]
fn an_error_that_nobody_asks_for_is_no_violation() {
    let folder = Folder::new("c_other_error");
    folder.write("no-overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    folder.write("a.c", UNSAFE);
    let run = folder
        .run(&["verify", "--property", "no-overflow.prp", "a.c"])
        .ended(20);
    assert!(run.output.contains("another one than is asked for"), "{run:#?}");
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

#[test]
fn what_is_asked_before_anything_is_allocated_is_no_look_at_it() {
    let folder = Folder::new("c_before_allocations");
    folder.write(
        "before.c",
        "void *malloc(unsigned long);
struct file;
extern struct file *stdin;
extern int *elsewhere;
int main(void) {
  if (elsewhere)
    return 1;
  int *p = malloc(sizeof *p);
  *p = 3;
  if (*p != 3)
    __VERIFIER_error();
  return 0;
}
",
    );
    let run = folder.run(&["verify", "before.c"]).ended(0);
    let note = "before.c:8: nothing looks at what is allocated here: taken to be memory (--malloc-may-fail)";
    assert!(run.output.contains(note), "{run:#?}");
}
