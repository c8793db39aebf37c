//! `clausal check`: evidence that is saved, checked, and tampered with.

use super::support::{Folder, SAFE, UNSAFE};
use clausal::c::options::{Floats, Options, Undefined, Untranslated};
use clausal::c::translate;
use clausal::engine::{self, Verdict, verify};
use clausal::evidence::save_derivation;

/// A run into the error of the rules that C has become with these options, found without asking whether they are exact.
fn forged(text: &str, options: &Options) -> String {
    let translation = translate(text, options).product.expect("it can be translated");
    let outcome = verify(&translation.program, &engine::Options::default());
    let Verdict::Unsafe(derivation) = outcome.verdict else {
        panic!("the rules reach the error: {:?}", outcome.verdict);
    };
    save_derivation(&translation.program, &derivation).expect("it can be saved")
}

#[test]
fn runs_of_rules_that_are_not_exact_are_rejected() {
    let folder = Folder::new("check_inexact");
    // The error is behind an access that is not there.
    let undefined = "int nondet_int(void); void reach_error(void);\n\
        int main(void) { int a[2]; int i = nondet_int(); if (i != 5) return 0; a[i] = 1; if (a[i] == 1) reach_error(); }\n";
    let goes_on = Options {
        undefined: Undefined::GoesOn,
        ..Options::default()
    };
    folder.write("undefined.i", undefined);
    folder.write("undefined.json", forged(undefined, &goes_on));
    for options in [&[][..], &["--undefined", "goes-on"]] {
        let run = folder
            .run(&[&["check", "undefined.i", "undefined.json"], options].concat())
            .ended(1);
        assert!(
            run.output.contains("REJECTED: the derivation proves nothing"),
            "{run:#?}"
        );
        assert!(
            run.output.contains("runs go on in them after undefined behaviour"),
            "{run:#?}"
        );
    }
    // As real numbers, they differ.
    let floats = "void reach_error(void);\n\
        int main(void) { float x = 16777216; float y = x + 1; if (y > x) reach_error(); }\n";
    let real = Options {
        floats: Floats::Real,
        ..Options::default()
    };
    folder.write("floats.i", floats);
    folder.write("floats.json", forged(floats, &real));
    let run = folder
        .run(&[
            "check",
            "--floats",
            "real",
            "--undefined",
            "ends",
            "floats.i",
            "floats.json",
        ])
        .ended(1);
    assert!(run.output.contains("may come from an approximation"), "{run:#?}");
}

/// Where any values are taken for what is not translated, a proof is one about the program, and a run is none.
#[test]
fn proofs_for_any_values_are_accepted_and_runs_are_not() {
    let folder = Folder::new("check_any_values");
    let text = |limit: &str| {
        format!(
            "void reach_error(void);\n\
             int main(int argc, char **argv) {{ int x = 0, k = 0; unsigned long u = (unsigned long)&x; u ^= 0x55;\n\
             for (int i = 0; i < argc; i++) if (u > 77 && k < argc) k++; if (k {limit}) reach_error(); return 0; }}\n"
        )
    };
    folder.write("safe.i", text("> argc"));
    let run = folder
        .run(&["verify", "safe.i", "--save-evidence", "safe.json"])
        .ended(0);
    assert!(
        run.output.contains("approximated: safe.i:2: any values are assumed"),
        "{run:#?}"
    );
    let run = folder.run(&["check", "safe.i", "safe.json"]).ended(0);
    assert!(run.output.starts_with("SAFE\nThe certificate proves it"), "{run:#?}");
    let any_values = Options {
        approximate: true,
        undefined: Undefined::Ends,
        untranslated: Untranslated::Fails,
        ..Options::default()
    };
    let unknown = text("== 3");
    folder.write("unknown.json", forged(&unknown, &any_values));
    folder.write("unknown.i", unknown);
    folder.run(&["verify", "unknown.i"]).ended(1);
    let run = folder.run(&["check", "unknown.i", "unknown.json"]).ended(1);
    assert!(run.output.contains("may come from an approximation"), "{run:#?}");
}

/// Rules of a program without undefined behaviour are the same whether runs go on behind it or end there.
#[test]
fn runs_of_rules_that_are_exact_either_way_are_accepted() {
    let folder = Folder::new("check_either_way");
    let counter = "void reach_error(void); static int n;\n\
        int main(void) { if (n++ == 0) reach_error(); return 0; }\n";
    folder.write("counter.i", counter);
    folder
        .run(&["verify", "counter.i", "--save-evidence", "counter.json"])
        .ended(10);
    let run = folder.run(&["check", "counter.i", "counter.json"]).ended(10);
    assert!(
        run.output.starts_with("UNSAFE\nThe derivation reaches the error"),
        "{run:#?}"
    );
    // With an access that may not be there, they are not the same, and the run that goes on shows nothing.
    let beside = "void reach_error(void); int nondet_int(void); static int n, a[2];\n\
        int main(void) { int i = nondet_int(); if (i < 2) return 0; a[i] = 1; if (n++ == 0) reach_error(); return 0; }\n";
    let goes_on = Options {
        undefined: Undefined::GoesOn,
        slice: false,
        ..Options::default()
    };
    folder.write("beside.i", beside);
    folder.write("beside.json", forged(beside, &goes_on));
    for force in [&[][..], &["--force"]] {
        let run = folder
            .run(&[&["check", "--no-slice", "beside.i", "beside.json"], force].concat())
            .ended(1);
        assert!(
            run.output.contains("runs go on in them after undefined behaviour"),
            "{run:#?}"
        );
    }
}

#[test]
fn evidence_about_earlier_calls_is_no_verdict_where_nobody_asked_for_them() {
    let folder = Folder::new("check_earlier_calls");
    let library = "void reach_error(void); static int n; void set(void) { n = 7; }\n\
        int f(void) { if (n == 7) reach_error(); return 0; }\n";
    folder.write("library.i", library);
    let entry = ["--entry", "f", "library.i"];
    folder.run(&[&["verify"], &entry[..]].concat()).ended(20);
    for (calls, exit, why) in [
        ("none", 0, "the entry's call is the first one in its rules"),
        ("any", 10, "other calls come before the entry's in them"),
    ] {
        let asked = ["--earlier-calls", calls];
        folder
            .run(&[&["verify", "--save-evidence", "calls.json"], &asked[..], &entry].concat())
            .ended(exit);
        folder
            .run(&[&["check"], &asked[..], &entry, &["calls.json"]].concat())
            .ended(exit);
        let run = folder.run(&[&["check"], &entry[..], &["calls.json"]].concat()).ended(1);
        assert!(run.output.contains(why), "{run:#?}");
    }
    // A verdict that holds either way is one.
    folder.write(
        "either.i",
        "void reach_error(void); static int n;\n\
         int f(void) { n++; if (n == 1) reach_error(); return 0; }\n\
         int g(void) { if (n & 0) reach_error(); return 0; }\n",
    );
    for (entry, exit) in [("f", 10), ("g", 0)] {
        folder
            .run(&["verify", "--entry", entry, "either.i", "--save-evidence", "either.json"])
            .ended(exit);
        folder
            .run(&["check", "--entry", entry, "either.i", "either.json"])
            .ended(exit);
    }
}

#[test]
fn evidence_about_memory_enough_is_a_verdict_for_errors_alone() {
    let folder = Folder::new("check_memory_enough");
    let program = |end: &str| {
        format!(
            "void reach_error(void); void *malloc(unsigned long);\n\
             int main(void) {{ int *p = malloc(4); if (!p) {{ {end} return 0; }} *p = 1; return *p; }}\n"
        )
    };
    folder.write("fails.i", program("").replace("return *p;", "reach_error();"));
    folder
        .run(&["verify", "fails.i", "--save-evidence", "fails.json"])
        .ended(10);
    folder.run(&["check", "fails.i", "fails.json"]).ended(10);

    folder.write("safe.i", program("reach_error();"));
    let enough = ["--malloc-never-null", "safe.i"];
    folder.run(&["verify", "safe.i"]).ended(20);
    folder
        .run(&[&["verify", "--save-evidence", "safe.json"], &enough[..]].concat())
        .ended(0);
    folder.run(&[&["check"], &enough[..], &["safe.json"]].concat()).ended(0);
    let run = folder.run(&["check", "safe.i", "safe.json"]).ended(1);
    assert!(run.output.contains("no allocation fails in its rules"), "{run:#?}");
}

#[test]
fn errors_that_need_an_allocation_to_fail_count_where_somebody_asks_for_them() {
    let folder = Folder::new("check_failing_allocations");
    folder.write(
        "fails.i",
        "void reach_error(void); void *malloc(unsigned long);\n\
         int main(void) { if (!malloc(4)) reach_error(); return 0; }\n",
    );
    folder.run(&["verify", "fails.i"]).ended(20);
    let counts = ["--malloc-may-fail", "fails.i"];
    let files = ["--save-evidence", "fails.json", "--witness", "fails.yml"];
    folder.run(&[&["verify"], &counts[..], &files].concat()).ended(10);
    for evidence in ["fails.json", "fails.yml"] {
        folder.run(&[&["check"], &counts[..], &[evidence]].concat()).ended(10);
        folder.run(&["check", "fails.i", evidence]).ended(1);
    }
}

#[test]
fn evidence_of_what_was_not_asked_for_is_rejected() {
    let folder = Folder::new("check_properties");
    let property = |formulas: &[&str]| {
        let line = |formula: &&str| format!("CHECK( init(main()), LTL(G {formula}) )\n");
        formulas.iter().map(line).collect::<String>()
    };
    folder.write("overflow.prp", property(&["! overflow"]));
    folder.write("memory.prp", property(&["valid-deref", "valid-memtrack"]));
    folder.write(
        "unsafe.i",
        "void reach_error(void); int nondet_int(void);\n\
         int main(void) { if (nondet_int() == 3) reach_error(); return 0; }\n",
    );
    folder.write("safe.i", "int main(void) { int a[2]; a[1] = 0; return a[1]; }\n");
    for (program, property, checks, exit, why) in [
        (
            "unsafe.i",
            "overflow.prp",
            "overflow",
            10,
            "another one than is asked for",
        ),
        (
            "safe.i",
            "memory.prp",
            "bounds,null,lifetime",
            0,
            "there is no check for `valid-memtrack`",
        ),
    ] {
        folder.run(&["verify", "--property", property, program]).ended(20);
        let files = ["--save-evidence", "found.json", "--witness", "found.yml"];
        folder
            .run(&[&["verify", "--check", checks, program], &files[..]].concat())
            .ended(exit);
        folder
            .run(&["check", "--check", checks, program, "found.json"])
            .ended(exit);
        let mut kinds = vec!["found.json"];
        kinds.extend((exit == 10).then_some("found.yml"));
        for evidence in kinds {
            let run = folder
                .run(&["check", "--property", property, program, evidence])
                .ended(1);
            assert!(run.output.contains(why), "{run:#?}");
        }
    }
}

/// The rules have every value that a result may have which nobody calculates.
#[test]
fn errors_that_need_a_value_which_is_not_calculated_are_rejected() {
    let folder = Folder::new("check_not_calculated");
    let program = "void reach_error(void); int nondet_int(void); double sin(double);\n\
        int main(void) { if (nondet_int() > 5) { if (sin(1.0) <= 0.0) reach_error(); } return 0; }\n";
    folder.write("sine.i", program);
    folder.write("sine.json", forged(program, &Options::default()));
    folder.run(&["verify", "sine.i"]).ended(20);
    folder.write(
        "sine.yml",
        "- entry_type: violation_sequence\n  content:\n  - segment:\n    - waypoint:\n        type: function_return\n        \
         action: follow\n        location: { file_name: sine.i, line: 2, column: 34 }\n        \
         constraint: { value: '\\result == 7', format: acsl_expression }\n",
    );
    for evidence in ["sine.json", "sine.yml"] {
        let run = folder
            .run(&["check", "--undefined", "ends", "sine.i", evidence])
            .ended(1);
        let why = "may depend on a value that is not calculated";
        assert!(run.output.contains(why), "{run:#?}");
    }
}

#[test]
fn what_is_said_where_runs_go_on_is_confirmed_where_they_end() {
    let folder = Folder::new("check_goes_on");
    folder.write(
        "program.i",
        "void reach_error(void); int nondet_int(void);\n\
         int main(void) { int a[2]; int i = nondet_int(); if (i == 3) a[i] = 1; if (i == 1) reach_error(); }\n",
    );
    let goes_on = ["--undefined", "goes-on", "program.i"];
    folder
        .run(&[&["verify", "--save-evidence", "found.json"], &goes_on[..]].concat())
        .ended(10);
    folder
        .run(&[&["check"], &goes_on[..], &["found.json"]].concat())
        .ended(10);
    // What is safe where they end may fail where they go on.
    folder.write(
        "behind.i",
        "void reach_error(void); int nondet_int(void);\n\
         int main(void) { int a[2]; int i = nondet_int(); if (i == 3) { a[i] = 1; reach_error(); } }\n",
    );
    folder
        .run(&[
            "verify",
            "--undefined",
            "ends",
            "behind.i",
            "--save-evidence",
            "ends.json",
        ])
        .ended(0);
    let run = folder
        .run(&["check", "--undefined", "goes-on", "behind.i", "ends.json"])
        .ended(1);
    assert!(
        run.output.contains("runs end in its rules at undefined behaviour"),
        "{run:#?}"
    );
}

/// Whatever helps a run to be found helps to follow it.
#[test]
fn runs_of_witnesses_are_followed_as_they_were_found() {
    let folder = Folder::new("check_followed");
    let head = "void reach_error(void); int nondet_int(void); void *malloc(unsigned long);\n";
    for (name, program) in [
        (
            "memory.i",
            "int main(void) { int *p = malloc(4); if (!p) return 0; *p = nondet_int(); if (*p == 7) reach_error(); }",
        ),
        (
            "recurs.i",
            "int f(int n) { return n > 0 ? f(n - 1) + 1 : n; } int main(void) { if (f(nondet_int()) == 3) reach_error(); }",
        ),
        (
            "beside.i",
            "int main(void) { int n = nondet_int(); if (n == 1) __asm__ volatile(\"cpuid\" : : \"r\"(n) : \"memory\"); if (n == 7) reach_error(); }",
        ),
    ] {
        folder.write(name, format!("{head}{program}\n"));
        folder
            .run(&[
                "verify",
                name,
                "--witness",
                "found.yml",
                "--save-evidence",
                "found.json",
            ])
            .ended(10);
        for evidence in ["found.yml", "found.json"] {
            folder.run(&["check", name, evidence]).ended(10);
        }
    }
}

/// What `scanf` reads into variables is no result of the call.
#[test]
fn what_is_read_into_variables_is_assumed_in_witnesses() {
    let folder = Folder::new("check_read_into");
    folder.write(
        "reads.i",
        "void reach_error(void); int scanf(const char *, ...); int printf(const char *, ...);\n\
         int main(void) {\n  int first, second;\n  int found = scanf(\"%d %d\", &first, &second);\n  \
         if (found == 2 && printf(\"read\") == 4 && first == 77 && second == 5) reach_error();\n}\n",
    );
    folder.run(&["verify", "reads.i", "--witness", "found.yml"]).ended(10);
    let witness = folder.read("found.yml");
    let constraints: Vec<&str> = witness
        .lines()
        .filter_map(|line| line.trim().strip_prefix("value: "))
        .collect();
    assert_eq!(
        constraints,
        [r#""\\result == 2""#, r#""first == 77""#, r#""second == 5""#],
        "{witness}"
    );
    assert_eq!(witness.matches("type: assumption").count(), 2, "{witness}");
    folder.run(&["check", "reads.i", "found.yml"]).ended(10);
}

fn folder_with_evidence(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("safe.clp", SAFE);
    folder.write("unsafe.clp", UNSAFE);
    folder
        .run(&["verify", "safe.clp", "--save-evidence", "safe.json"])
        .ended(0);
    folder
        .run(&["verify", "unsafe.clp", "--save-evidence", "unsafe.json"])
        .ended(10);
    folder
}

#[test]
fn saved_evidence_is_accepted() {
    let folder = folder_with_evidence("check_accepted");
    let run = folder.run(&["check", "safe.clp", "safe.json"]).ended(0);
    assert!(
        run.output
            .starts_with("SAFE\nThe certificate proves it; obligations checked: "),
        "{run:#?}"
    );
    let run = folder.run(&["check", "unsafe.clp", "unsafe.json"]).ended(10);
    assert_eq!(
        run.output,
        "UNSAFE\nThe derivation reaches the error; steps replayed: 5.\n"
    );
    let report = folder
        .run(&["check", "--json", "unsafe.clp", "unsafe.json"])
        .ended(10)
        .json();
    assert_eq!(
        (&report["verdict"], &report["accepted"]),
        (&"unsafe".into(), &true.into())
    );
}

#[test]
fn changed_evidence_is_rejected() {
    let folder = folder_with_evidence("check_changed");
    let weakened = folder.read("safe.json").replace("(>= Y 0)", "(>= Y (- 1))");
    folder.write("weakened.json", weakened);
    let run = folder.run(&["check", "safe.clp", "weakened.json"]).ended(1);
    assert!(
        run.output.starts_with("REJECTED: the certificate proves nothing: "),
        "{run:#?}"
    );
    let detour = folder.read("unsafe.json").replacen("\"1\"", "\"2\"", 1);
    folder.write("detour.json", detour);
    let run = folder.run(&["check", "unsafe.clp", "detour.json"]).ended(1);
    assert!(
        run.output.starts_with("REJECTED: the derivation proves nothing: "),
        "{run:#?}"
    );
    let report = folder
        .run(&["check", "--json", "unsafe.clp", "detour.json"])
        .ended(1)
        .json();
    assert_eq!(
        (&report["verdict"], &report["accepted"]),
        (&"unknown".into(), &false.into())
    );
}

#[test]
fn evidence_for_something_else_is_refused() {
    let folder = folder_with_evidence("check_other");
    let run = folder.run(&["check", "safe.clp", "unsafe.json"]).ended(2);
    assert!(
        run.complaints.ends_with("help: is this evidence for safe.clp?\n"),
        "{run:#?}"
    );
    folder.write("other.clp", UNSAFE.replace('3', "4"));
    let run = folder.run(&["check", "other.clp", "unsafe.json"]).ended(2);
    assert!(
        run.complaints
            .starts_with("error: unsafe.json was saved for another program"),
        "{run:#?}"
    );
    assert_eq!(run.output, "");
    let run = folder.run(&["check", "--force", "other.clp", "unsafe.json"]).ended(1);
    assert!(
        run.complaints
            .starts_with("warning: unsafe.json was saved for another program"),
        "{run:#?}"
    );
    // The same rules in another notation of the bound: the run is one of theirs as well, and says whose it was.
    folder.write("same.clp", UNSAFE.replace("X < 3, ", "X < 3, X < 4, "));
    folder.run(&["check", "same.clp", "unsafe.json"]).ended(2);
    let run = folder.run(&["check", "--force", "same.clp", "unsafe.json"]).ended(10);
    assert!(
        run.output.ends_with("The evidence was saved for another program.\n"),
        "{run:#?}"
    );
    let report = folder
        .run(&["check", "--force", "--json", "same.clp", "unsafe.json"])
        .ended(10)
        .json();
    assert_eq!(report["same_program"], false);
    folder.write("broken.json", "{");
    let run = folder.run(&["check", "safe.clp", "broken.json"]).ended(2);
    assert!(
        run.complaints.starts_with("error: broken.json: this is not JSON: "),
        "{run:#?}"
    );
    let run = folder.run(&["check", "safe.clp", "missing.json"]).ended(2);
    run.complained("error: missing.json: there is no such file\n");
}

#[test]
fn all_runs_are_run_again() {
    let folder = Folder::new("check_all_runs");
    // Forty thousand states of a generator of numbers, and an element that it never chooses.
    folder.write(
        "runs.clp",
        "?- A = constant(0), p(0, 7, A).
p(I, X, A) :- I < 40000, p(I + 1, (75 * X + 74) mod 65537, store(A, X mod 64, I)).
p(I, X, A) :- I >= 40000, (X < 0 ; A[64] > 0), error.
",
    );
    let run = folder
        .run(&[
            "verify",
            "runs.clp",
            "--proof",
            "runs.txt",
            "--save-evidence",
            "runs.json",
        ])
        .ended(0);
    assert!(
        folder
            .read("runs.txt")
            .contains("Certificate: all runs are over after 40002 steps, and none comes to the error\n"),
        "{run:#?}"
    );
    let run = folder.run(&["check", "runs.clp", "runs.json"]).ended(0);
    assert_eq!(run.output, "SAFE\nAll runs are over, without an error; steps: 40002.\n");
    let saved = folder.read("runs.json");
    for (changed, why) in [
        (
            saved.replace("\"all_runs\": 40002", "\"all_runs\": 40001"),
            "that all runs end within 40001 steps without an error (they take more steps) is not proved",
        ),
        (
            saved.replace("\"all_runs\": 40002", "\"induction_depth\": 2, \"all_runs\": 40002"),
            "it is about all runs, and has something else beside",
        ),
        (saved.replace("40002", "-1"), "all_runs"),
    ] {
        folder.write("changed.json", changed);
        let run = folder.run(&["check", "runs.clp", "changed.json"]);
        assert!(run.code != Some(0) && format!("{run:?}").contains(why), "{run:#?}");
    }
    folder.write("unsafe.clp", UNSAFE);
    folder.write("forged.json", saved);
    let run = folder.run(&["check", "--force", "unsafe.clp", "forged.json"]);
    assert!(
        format!("{run:?}").contains("one of them may come to the error"),
        "{run:#?}"
    );
    // It is no question for a solver.
    let run = folder.run(&["verify", "runs.clp", "--smt2", "runs.smt2"]);
    assert!(
        format!("{run:?}").contains("which is seen by running the program"),
        "{run:#?}"
    );
}

#[test]
fn turns_that_are_not_written_down_are_proved_again() {
    let folder = Folder::new("check_repetitions");
    folder.write(
        "turns.clp",
        "?- N > 0, p(0, N, 0).
p(I, N, S) :- I < N, p(I + 1, N, S + 3).
p(I, N, S) :- I >= N, S = 1500000000, error.
",
    );
    let run = folder
        .run(&[
            "verify",
            "turns.clp",
            "--proof",
            "turns.txt",
            "--save-evidence",
            "turns.json",
        ])
        .ended(10);
    let proof = folder.read("turns.txt");
    assert!(proof.contains("Derivation of the error, 500000002 steps\n"), "{run:#?}");
    assert!(proof.contains(" more turns like these)\n"), "{proof}");
    let run = folder.run(&["check", "turns.clp", "turns.json"]).ended(10);
    assert!(run.output.contains("steps replayed: 500000002."), "{run:#?}");
    let saved = folder.read("turns.json");
    assert!(saved.len() < 10_000, "{}", saved.len());
    for (from, to) in [
        ("\"times\": ", "\"times\": 1"),
        ("\"length\": 1", "\"length\": 2"),
        ("\"before\": ", "\"before\": 1"),
    ] {
        assert!(saved.contains(from), "{saved}");
        folder.write("changed.json", saved.replace(from, to));
        let run = folder.run(&["check", "turns.clp", "changed.json"]);
        assert!(run.code == Some(1), "{to}: {run:#?}");
    }
}

#[test]
fn what_was_found_with_few_copies_is_checked_with_few() {
    let folder = Folder::new("check_few_copies");
    // With all calls of `mixed` copied, there are thousands of rules.
    let step = "if (x % 3 == 1) x += 5; else if (x > 100) x -= 40; ".repeat(10);
    let calls = "x = mixed(x); ".repeat(40);
    let program = format!(
        "void reach_error(void);\nint mixed(int x) {{ {step} return x; }}\n\
         int sum(int n) {{ return n <= 0 ? 0 : n + sum(n - 1); }}\n\
         int main(void) {{ int x = sum(10); {calls} if (x > 1000) reach_error(); }}\n"
    );
    folder.write("program.i", &program);
    folder
        .run(&["verify", "program.i", "--save-evidence", "proof.json"])
        .ended(0);
    let run = folder.run(&["check", "program.i", "proof.json"]).ended(0);
    assert!(run.output.starts_with("SAFE\n"), "{run:#?}");
}
