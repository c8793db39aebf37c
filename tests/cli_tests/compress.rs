//! `clausal compress`, and `clausal verify --explain`.

use super::support::Folder;

const COUNTERS: &str = include_str!("../../examples/traces/two-counters.c");

#[test]
fn a_run_with_given_inputs_is_compressed() {
    let folder = Folder::new("compress");
    folder.write("counters.c", COUNTERS);
    let all = [
        "compress",
        "--arith",
        "ideal",
        "--input",
        "n=100",
        "--target",
        "j >= n",
        "--html",
        "a.html",
        "--coq",
        "a.v",
        "--smt2",
        "a.smt2",
        "--rules",
        "a.clp",
        "counters.c",
    ];
    let output = folder.run(&all).ended(0).output;
    assert!(
        output.starts_with("304 statements, compressed to 5 (98 %)\n"),
        "{output}"
    );
    assert!(
        output.contains("INV: {i <= j}    … 100 iterations, 300 statements"),
        "{output}"
    );
    let files = ["a.html", "a.v", "a.smt2", "a.clp"].map(|name| folder.read(name));
    for (text, part) in files
        .iter()
        .zip(["INV: {i &lt;= j}", "Theorem", "(check-sat)", "target(N, J)"])
    {
        assert!(text.contains(part), "{text}");
    }
    // The compressed trace is a program that is safe: it never misses its target.
    folder.run(&["verify", "a.clp"]).ended(0);
    let json = folder.run(&[
        "compress",
        "--json",
        "--arith",
        "ideal",
        "--input",
        "n=7",
        "--target",
        "j >= n",
        "counters.c",
    ]);
    let json = json.ended(0).json();
    assert_eq!(
        (json["length"].as_u64(), json["compressed_length"].as_u64()),
        (Some(25), Some(5))
    );
}

#[test]
fn what_cannot_be_compressed_is_said() {
    let folder = Folder::new("compress_errors");
    folder.write("counters.c", COUNTERS);
    let start = ["compress", "--arith", "ideal"];
    let run = |more: &[&str], code: i32, words: &str| {
        let finished = folder.run(&[&start[..], more, &["counters.c"]].concat()).ended(code);
        assert!(finished.complaints.contains(words), "{}", finished.complaints);
    };
    run(&["--input", "n=3"], 20, "does not reach the error");
    run(
        &["--input", "n=3", "--target", "j > 100"],
        20,
        "does not get to the target",
    );
    run(
        &["--input", "m=3", "--target", "j >= n"],
        1,
        "reads no input `m`; it reads __VERIFIER_nondet_int, n",
    );
    run(&["--input", "n", "--target", "j >= n"], 1, "is no input");
    run(&["--input", "n=3", "--target", "k >= n"], 1, "k");
    run(
        &["--input", "n=3", "--target", "j >= n", "--coq", "a-b.v"],
        1,
        "for Coq",
    );
}

#[test]
fn errors_are_explained() {
    let folder = Folder::new("compress_explain");
    let source = "?- loop(0, 0).\nloop(I, Sum) :- I < 40, loop(I + 1, Sum + I).\nloop(I, Sum) :- I >= 40, last(Sum).\n\
                  last(Sum) :- Sum >= 0, error.\n";
    folder.write("sum.clp", source);
    let output = folder.run(&["verify", "--explain", "sum.clp"]).ended(10).output;
    assert!(
        output.contains("What of it matters: 42 statements, compressed to 3"),
        "{output}"
    );
    assert!(
        output.contains("INV: {Sum >= 0, I >= 0}") || output.contains("INV: {I >= 0, Sum >= 0}"),
        "{output}"
    );
    let output = folder.run(&["compress", "sum.clp"]).ended(0).output;
    assert!(output.contains("TARGET: {Sum >= 0}"), "{output}");
}
