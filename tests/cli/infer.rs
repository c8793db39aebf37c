//! `clausal infer`: what it prints for the examples, and the forms of its output.

use super::support::Folder;
use std::path::Path;

/// An example's text.
fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/infer").join(name);
    std::fs::read_to_string(path).expect("the example is there")
}

/// The output but for the last line, which says what it cost. The time is long, so that it decides nothing.
fn inferred(name: &str, further: &[&str]) -> String {
    let folder = Folder::new(&format!("infer_{name}"));
    folder.write(name, example(name));
    let arguments = [&["infer", "--timeout", "600", name], further].concat();
    let output = folder.run(&arguments).ended(0).output;
    let (found, _) = output.trim_end().rsplit_once('\n').expect("there are several lines");
    format!("{found}\n")
}

fn assert_snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/infer");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn the_examples_have_their_invariants() {
    for name in [
        "division.clp",
        "fifth_powers.clp",
        "square_root.clp",
        "triangle.c",
        "clock.c",
        "state_machine.clp",
        "state_machine.c",
    ] {
        assert_snapshot(name, &inferred(name, &[]));
    }
}

#[test]
fn iterations_are_counted() {
    for name in ["two_bounds.clp", "water.clp"] {
        assert_snapshot(name, &inferred(name, &["--count"]));
    }
}

#[test]
fn one_step_does_not_prove_what_several_do() {
    let text = inferred("state_machine.clp", &["--induction-depth", "1"]);
    assert!(
        text.contains("Faults = 0") && !text.contains("proved              Faults = 0"),
        "{text}"
    );
    let text = inferred("state_machine.clp", &["--certify"]);
    assert!(text.contains("proved (2-induction)  Faults = 0"), "{text}");
    assert!(text.contains("certificate accepted"), "{text}");
}

#[test]
fn a_mark_in_c_names_a_place() {
    let text = inferred("triangle.c", &["--at", "L"]);
    assert!(text.starts_with("triangle.c:9: loop\n"), "{text}");
    assert!(!text.contains("end"), "{text}");
    let folder = Folder::new("infer_unknown_place");
    folder.write("triangle.c", example("triangle.c"));
    let problem = folder.run(&["infer", "triangle.c", "--at", "M"]).ended(2).complaints;
    assert!(problem.contains("there is no place `M`; there are: "), "{problem}");
}

#[test]
fn what_is_left_out_is_named() {
    let folder = Folder::new("infer_left_out");
    let source = "?- p(0, [], A).\np(N, L, A) :- N < 9, p(N + 1, [N | L], store(A, N, 1)).\np(N, L, A) :- N >= 9.\n";
    folder.write("terms.clp", source);
    let output = folder.run(&["infer", "--at", "p", "terms.clp"]).ended(0).output;
    assert!(output.contains("nothing is said of L, A\n"), "{output}");
    let output = folder.run(&["infer", "--json", "terms.clp"]).ended(0).output;
    let found: serde_json::Value = serde_json::from_str(&output).expect("it is JSON");
    assert_eq!(found["places"][0]["left_out"], serde_json::json!(["L", "A"]));
}

#[test]
fn json_says_what_is_proved_and_implied() {
    let folder = Folder::new("infer_json");
    folder.write("triangle.c", example("triangle.c"));
    let arguments = [
        "infer",
        "--json",
        "--implies",
        "2*stones == row*(row + 1)",
        "--implies",
        "stones == row",
        "triangle.c",
    ];
    let output = folder.run(&arguments).ended(0).output;
    let found: serde_json::Value = serde_json::from_str(&output).expect("it is JSON");
    let place = &found["places"][0];
    assert_eq!(place["implies"], serde_json::json!(["proved", "no"]));
    let invariants = place["invariants"].as_array().expect("there is a list");
    assert!(
        invariants
            .iter()
            .any(|one| one["kind"] == "equality" && one["proved"] == true)
    );
}

#[test]
fn a_witness_has_the_loops_invariants() {
    let folder = Folder::new("infer_witness");
    folder.write("triangle.c", example("triangle.c"));
    folder
        .run(&["infer", "--witness", "triangle.yml", "triangle.c"])
        .ended(0);
    let witness = folder.read("triangle.yml");
    for part in [
        "entry_type: invariant_set",
        "line: 9",
        "function: \"main\"",
        "value: \"row <= n\"",
    ] {
        assert!(witness.contains(part), "{part}\n{witness}");
    }
    folder.write("a.clp", "?- X = 0, p(X).\np(X) :- X < 3, p(X + 1).\n");
    let problem = folder
        .run(&["infer", "--witness", "a.yml", "a.clp"])
        .ended(2)
        .complaints;
    assert!(problem.contains("only C has witnesses"), "{problem}");
}

#[test]
fn verification_is_helped() {
    let folder = Folder::new("infer_assist");
    // That X = Q*Y + R is no constraint of the program.
    let rules = "\
?- X >= 0, Y >= 1, divide(X, Y, 0, X).
divide(X, Y, Q, R) :- R >= Y, divide(X, Y, Q + 1, R - Y).
divide(X, Y, Q, R) :- R < Y, Q*Y + R > X, error.
";
    folder.write("divide.clp", rules);
    let output = folder
        .run(&["verify", "--assist", "infer", "divide.clp"])
        .ended(0)
        .output;
    assert!(output.starts_with("SAFE"), "{output}");
    let c = "int main(void) { int a = 0, b = 0, i = 0; while (i < 1000000) { if (nondet()) { a++; b += 2; } \
             else { a += 2; b++; } i++; } assert(a + b == 3000000); return 0; }";
    folder.write("sums.c", format!("int nondet(void); void assert(int); {c}"));
    folder.run(&["verify", "--assist", "infer", "sums.c"]).ended(0);
}
