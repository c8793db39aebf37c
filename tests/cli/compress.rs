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
        2,
        "reads no input `m`; it reads __VERIFIER_nondet_int, n",
    );
    run(&["--input", "n", "--target", "j >= n"], 2, "is no input");
    run(&["--input", "n=3", "--target", "k >= n"], 2, "k");
    run(
        &["--input", "n=3", "--target", "j >= n", "--coq", "a-b.v"],
        2,
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

const STEPS: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int count(int limit) {
    int sum = 0;
    for (int i = 0; i < limit; i++) {
        int step = __VERIFIER_nondet_int();
        if (step > 0 && step < 10)
            sum += step;
    }
    return sum;
}
int main(void) {
    int limit = __VERIFIER_nondet_int();
    if (count(limit) > 12)
        reach_error();
    return 0;
}
";

/// The report without its last line, which says how long it took.
fn without_time(report: &str) -> &str {
    report.trim_end().rsplit_once('\n').map_or(report, |(before, _)| before)
}

#[test]
fn a_recorded_run_is_compressed() {
    let folder = Folder::new("compress_recorded");
    folder.write("steps.c", STEPS);
    folder
        .run(&[
            "verify",
            "--save-evidence",
            "run.json",
            "--witness",
            "run.yml",
            "steps.c",
        ])
        .ended(10);
    let by_evidence = folder
        .run(&["compress", "--trace", "run.json", "steps.c"])
        .ended(0)
        .output;
    let by_witness = folder
        .run(&["compress", "--trace", "run.yml", "steps.c"])
        .ended(0)
        .output;
    assert_eq!(without_time(&by_evidence), without_time(&by_witness));
    assert!(by_witness.contains("TARGET: {"), "{by_witness}");
    // As many statements as the path has: two turns of the loop are enough for more than 12.
    assert_eq!(
        by_witness.matches("step = __VERIFIER_nondet_int()").count(),
        2,
        "{by_witness}"
    );

    folder
        .run(&["explore", "--save-evidence", "explored.json", "steps.c"])
        .ended(10);
    let explored = folder
        .run(&["compress", "--trace", "explored.json", "steps.c"])
        .ended(0);
    assert!(explored.output.contains("TARGET: {"), "{}", explored.output);

    folder.write(
        "sum.clp",
        "?- p(0).\np(X) :- X < 9, p(X + 1).\np(X) :- X >= 3, error.\n",
    );
    folder
        .run(&["verify", "--save-evidence", "sum.json", "sum.clp"])
        .ended(10);
    let rules = folder.run(&["compress", "--trace", "sum.json", "sum.clp"]).ended(0);
    assert!(rules.output.contains("TARGET: {X >= 3}"), "{}", rules.output);
}

#[test]
fn a_witness_of_another_verifier_gives_the_values() {
    let folder = Folder::new("compress_witness");
    folder.write("steps.c", STEPS);
    let waypoint = |kind: &str, line: u32, constraint: &str| {
        format!(
            "  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n        location: {{file_name: \
             steps.c, line: {line}}}\n        constraint: {{value: '{constraint}', format: c_expression}}\n"
        )
    };
    let witness = |first: &str| {
        let waypoints = [
            waypoint("assumption", 14, first),
            waypoint("branching", 7, "true"),
            waypoint("function_return", 6, "\\result == 8"),
            waypoint("function_return", 6, "\\result == 5U"),
        ];
        format!("- entry_type: violation_sequence\n  content:\n{}", waypoints.concat())
    };
    folder.write("run.yml", witness("limit == 3 && limit < 10"));
    let found = folder.run(&["compress", "--trace", "run.yml", "steps.c"]).ended(0);
    // The last value is read again, in a turn that is left out: 13 is enough.
    assert!(
        found.output.starts_with("20 statements") && found.output.contains("INV: {sum >= 13}    … 1 iteration"),
        "{}",
        found.output
    );
    assert!(
        found.complaints.contains("no value is taken from limit < 10"),
        "{}",
        found.complaints
    );
    let inputs = ["--input", "@13=3,@6=8:5"];
    let by_line = folder
        .run(&[&["compress"], &inputs[..], &["steps.c"]].concat())
        .ended(0);
    assert_eq!(without_time(&by_line.output), without_time(&found.output));

    folder.write("short.yml", witness("limit == 1"));
    let problem = |trace: &str, program: &str, code: i32, words: &str| {
        let finished = folder.run(&["compress", "--trace", trace, program]).ended(code);
        assert!(finished.complaints.contains(words), "{}", finished.complaints);
    };
    problem("short.yml", "steps.c", 20, "does not reach the error");
    folder.write("bad.yml", "- entry_type: violation_sequence\n  content: 3\n");
    problem("bad.yml", "steps.c", 2, "nor a witness of a violation");
    folder.write("safe.clp", "?- p(0).\np(X) :- X < 0, error.\n");
    problem("run.yml", "safe.clp", 2, "a witness is about C");
    folder
        .run(&["verify", "--save-evidence", "safe.json", "safe.clp"])
        .ended(0);
    problem("safe.json", "safe.clp", 2, "there is no trace in it");
    problem("safe.json", "steps.c", 2, "safe.json");
    let both = ["compress", "--trace", "run.yml", "--input", "n=1", "steps.c"];
    folder.run(&both).ended(2);
}

#[test]
fn inference_finds_invariants_that_the_run_does_not_show() {
    let folder = Folder::new("compress_assist");
    folder.write(
        "triangle.clp",
        ":- sort done(int, int).\n?- go(N).\ngo(N) :- loop(N, 0, 0).\nloop(N, I, S) :- I < N, loop(N, I + 1, S + I + 1).\n\
         loop(N, I, S) :- I >= N, done(I, S).\n",
    );
    let compressed = |more: &[&str]| {
        let start = ["compress", "--input", "N=12", "--target", "2*S = I*I + I"];
        folder
            .run(&[&start[..], more, &["triangle.clp"]].concat())
            .ended(0)
            .output
    };
    assert!(!compressed(&[]).contains("INV"), "{}", compressed(&[]));
    let helped = compressed(&["--assist", "infer"]);
    assert!(
        helped.contains("INV: {") && helped.contains("12 iterations"),
        "{helped}"
    );
    assert!(helped.contains("prove the invariants, checked"), "{helped}");
    let other = ["compress", "--input", "N=12", "--target", "2*T = I", "triangle.clp"];
    let complaints = folder.run(&other).ended(2).complaints;
    assert!(
        complaints.contains("the run ends at `done`, where the target cannot speak of T, only of I, S"),
        "{complaints}"
    );
}
