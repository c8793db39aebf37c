//! `clausal verify` with hints: proposed in C, in rules, by an earlier proof, and by a witness.

use super::support::{ENDLESS, Folder};

/// The sum of squares.
const SQUARES: &str = "?- N >= 0, sum(0, 0, N).
sum(I, S, N) :- I < N, sum(I + 1, S + I*I, N).
sum(I, S, N) :- I >= N, 6*S =\\= (N - 1)*N*(2*N - 1), error.
";

#[test]
fn rules_say_what_holds_of_their_heads() {
    let folder = Folder::new("hints_rules");
    folder.write("a.clp", SQUARES);
    folder.write(
        "hints.clp",
        "sum(I, S, N) :- 6*S = (I - 1)*I*(2*I - 1), I =< N, S < 7.\n",
    );
    let run = folder
        .run(&["verify", "a.clp", "--hint", "hints.clp", "--save-evidence", "a.json"])
        .ended(0);
    assert!(run.output.starts_with("SAFE\n"));
    let lines: Vec<&str> = run.complaints.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[1].ends_with(": holds, and is used"));
    assert!(lines[2].contains("S =< 6: does not follow by induction"));
    // The proof holds without the hints.
    folder.run(&["check", "a.clp", "a.json"]).ended(0);
    let quiet = folder
        .run(&["verify", "--quiet", "a.clp", "--hint", "hints.clp"])
        .ended(0);
    assert_eq!(quiet.complaints, "");
}

#[test]
fn c_says_what_holds_in_its_loops() {
    let folder = Folder::new("hints_c");
    let program = |hint: &str, comment: &str| {
        format!(
            "int main(int n) {{\n  int x = 0;\n  int y = 0;\n  {comment}\n  while (x < n) {{\n    {hint}\n    x++;\n    y += 2;\n  }}\n  \
             if (n > 0 && y != 2 * n) reach_error();\n  return 0;\n}}\n"
        )
    };
    folder.write("call.c", program("__clausal_invariant(y == 2 * x && z > x++);", ""));
    let run = folder.run(&["verify", "call.c"]).ended(0);
    assert!(
        run.complaints.contains("not used: call.c:6: `y == 2 * x && z > x++`"),
        "{run:#?}"
    );
    folder.write(
        "call.c",
        program("__clausal_invariant(y == 2 * x);", "/*@ loop invariant x >= 0; */"),
    );
    let run = folder.run(&["verify", "call.c"]).ended(0);
    let hints: Vec<&str> = run.complaints.lines().filter(|line| line.starts_with("hint")).collect();
    assert_eq!(hints.len(), 2, "{hints:?}");
    assert_eq!(hints[0], "hint: call.c:5: 2*x == y: holds, and is used");
    assert_eq!(hints[1], "hint: call.c:5: x >= 0: holds, and is used");
}

#[test]
fn an_earlier_proof_goes_on() {
    let folder = Folder::new("hints_earlier");
    let program = |bound: &str| {
        format!(
            "?- loop(0, 0).\nloop(X, Y) :- X < {bound}, loop(X + 1, Y + 3).\nloop(X, Y) :- X >= {bound}, Y =\\= 3*X, error.\n"
        )
    };
    folder.write("a.clp", program("1000"));
    folder.run(&["verify", "a.clp", "--save-evidence", "a.json"]).ended(0);
    folder.write("a.clp", program("2000"));
    let run = folder.run(&["verify", "a.clp", "--hint", "a.json"]).ended(0);
    assert!(run.complaints.contains("hint: a.json: the proof holds"), "{run:#?}");
    // One that does not is no obstacle.
    let wrong = program("2000").replace("Y + 3", "Y + 2");
    folder.write("a.clp", wrong);
    let run = folder.run(&["verify", "a.clp", "--hint", "a.json"]).ended(10);
    assert!(
        run.complaints
            .contains("hint: a.json: the proof does not hold as a whole"),
        "{run:#?}"
    );
}

#[test]
fn an_earlier_proof_of_c_goes_on_where_lines_have_moved() {
    let folder = Folder::new("hints_earlier_c");
    let program = |before: &str, name: &str| {
        format!(
            "{before}int main(int n) {{\n  int {name} = 0, y = 0;\n  while ({name} < n) {{ {name}++; y += 2; }}\n  \
             if (n > 0 && y != 2 * n) reach_error();\n  while ({name} > 0) {{ {name}--; y -= 2; }}\n  \
             if (y != 0 && n > 0) reach_error();\n}}\n"
        )
    };
    folder.write("a.c", program("", "x"));
    folder.run(&["verify", "a.c", "--save-evidence", "a.json"]).ended(0);
    folder.write("a.c", program("// A line.\nint calls;\n\n", "position"));
    let run = folder
        .run(&[
            "verify",
            "--json",
            "a.c",
            "--hint",
            "a.json",
            "--save-evidence",
            "b.json",
        ])
        .ended(0);
    let report: serde_json::Value = serde_json::from_str(&run.output).expect("one document");
    assert_eq!(report["hints"][0]["text"], "a.json");
    assert_eq!(report["hints"][0]["used"], true);
    assert_eq!(report["hints"][0]["standing"], "the proof holds, and is used");
    folder.run(&["check", "a.c", "b.json"]).ended(0);
}

#[test]
fn witnesses_of_other_tools_are_tried() {
    let folder = Folder::new("hints_witness");
    folder.write(
        "a.c",
        "int main(int n) { int x = 0, y = 0; while (x < n) { x++; y += 2; } if (n > 0 && y != 2 * n) reach_error(); }\n",
    );
    folder.write(
        "a.yml",
        "- entry_type: invariant_set\n  content:\n  - invariant: {type: loop_invariant, location: {line: 1, function: main}, \
         value: '2 * x == y', format: c_expression}\n",
    );
    let run = folder.run(&["verify", "a.c", "--hint", "a.yml"]).ended(0);
    assert!(run.complaints.contains("holds, and is used"), "{run:#?}");
}

#[test]
fn an_unknown_says_which_loop_a_hint_could_be_about() {
    let folder = Folder::new("hints_stuck");
    let arguments = ["--assist", "none", "--max-unrollings", "20"];
    folder.write("a.clp", ENDLESS);
    let run = folder.run(&[&["verify", "a.clp"], &arguments[..]].concat()).ended(20);
    assert!(run.output.contains("\nStuck at\n"), "{run:#?}");
    assert!(run.output.contains("(--hint, `clausal::hints`)"), "{run:#?}");
    folder.write(
        "a.c",
        "int main(int n) {\n  int x = 0, y = 0;\n  while (x < n) {\n    x++;\n    y = y + x * x;\n  }\n  \
         if (y == 1234567) reach_error();\n}\n",
    );
    let run = folder.run(&[&["verify", "a.c"], &arguments[..]].concat()).ended(20);
    let place = "a.c:3: in main: unrolled again and again; what matters there: n, x, y";
    assert!(run.output.contains(place), "{run:#?}");
}

#[test]
fn files_that_are_no_hints_are_refused() {
    let folder = Folder::new("hints_wrong");
    folder.write("a.clp", SQUARES);
    folder.write("b.clp", "sum(I, S, N) :- S >= 0, sum(I, S, N).\n");
    folder.write("c.json", "{\"kind\": \"proof\"}");
    folder.write("d.txt", "x >= 0");
    folder.write("e.yml", "- entry_type: violation_sequence\n");
    for (file, complaint) in [
        ("b.clp", "a hint has no goals"),
        ("c.json", "expected \"certificate\" or \"derivation\""),
        (
            "d.txt",
            "hints are rules (.clp), saved evidence (.json) or a witness of correctness (.yml)",
        ),
        ("e.yml", "no entry of the type `invariant_set`"),
        ("f.clp", "there is no such file"),
    ] {
        let run = folder.run(&["verify", "a.clp", "--hint", file]).ended(2);
        assert!(run.complaints.contains(complaint), "{file}: {run:#?}");
    }
}

#[test]
fn proofs_are_kept_in_a_folder() {
    let folder = Folder::new("hints_kept");
    std::fs::create_dir(folder.path("src")).expect("a new folder");
    let program = |bound: u32, start: i32| {
        format!(
            "?- loop({start}, 0).\nloop(X, Y) :- X < {bound}, loop(X + 1, Y + 3).\nloop(X, Y) :- X >= {bound}, Y =\\= 3*X, error.\n"
        )
    };
    folder.write("src/a.clp", program(1000, 0));
    folder.write("src/wrong.clp", program(3, 2));
    let command = ["verify", "--proofs", "kept", "src/a.clp", "src/wrong.clp"];
    let run = folder.run(&command).ended(10);
    assert!(!run.complaints.contains("hint: "), "{run:#?}");
    let kept = ["kept/src/a.clp.json", "kept/src/wrong.clp.json"];
    let before = kept.map(|name| folder.read(name));
    // The same programs again: nothing is looked for, and nothing changes.
    let run = folder.run(&command).ended(10);
    assert!(
        run.complaints
            .contains("hint: kept/src/a.clp.json: the proof holds, and is used"),
        "{run:#?}"
    );
    assert!(
        run.complaints
            .contains("hint: kept/src/wrong.clp.json: the run leads into the error, and is used"),
        "{run:#?}"
    );
    assert_eq!(before, kept.map(|name| folder.read(name)));
    // Others in their place, and a file that is no evidence.
    folder.write("src/wrong.clp", program(2000, 0));
    folder.write("kept/src/a.clp.json", "{}");
    let run = folder.run(&command).ended(0);
    assert!(
        run.complaints
            .contains("hint: not used: kept/src/a.clp.json: the field `kind` is missing"),
        "{run:#?}"
    );
    folder
        .run(&["check", "src/wrong.clp", "kept/src/wrong.clp.json"])
        .ended(0);
    assert_eq!(folder.read("kept/src/a.clp.json"), before[0]);
}
