//! `clausal verify`: verdicts, reports and limits.

use super::support::{ENDLESS, Folder, HORN, Run, SAFE, UNSAFE};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn a_safe_program_shows_its_invariants() {
    let folder = Folder::new("verify_safe");
    folder.write("a.clp", SAFE);
    let run = folder.run(&["verify", "a.clp"]).ended(0);
    let lines: Vec<&str> = run.output.lines().collect();
    assert_eq!(lines[..3], ["SAFE", "", "Loop invariants"]);
    assert_eq!(lines[3], "  loop(X, Y), line 2");
    assert!(lines.last().is_some_and(|line| line.contains(" states, ")));
    assert_eq!(run.complaints, "");
}

#[test]
fn an_unsafe_program_shows_its_derivation() {
    let folder = Folder::new("verify_unsafe");
    folder.write("a.clp", UNSAFE);
    let run = folder.run(&["verify", "a.clp"]).ended(10);
    let shown = "UNSAFE\n\nDerivation of the error, 5 steps\n  1  line 1  loop(0)\n  2  line 2  loop(1)\n";
    assert!(run.output.starts_with(shown), "{run:#?}");
    assert!(run.output.contains("  5  line 3  error\n"));
}

#[test]
fn horn_clauses_are_verified_too() {
    let folder = Folder::new("verify_horn");
    folder.write("a.smt2", HORN);
    assert!(folder.run(&["verify", "a.smt2"]).ended(0).output.starts_with("SAFE\n"));
}

#[test]
fn limits_give_an_unknown_with_advice() {
    let folder = Folder::new("verify_limits");
    folder.write("a.clp", ENDLESS);
    for (limit, number, reason, advice) in [
        ("--max-states", "4", "the limit of states is reached", "--max-states"),
        (
            "--max-unrollings",
            "1",
            "the limit of unrollings is reached",
            "--max-unrollings",
        ),
        ("--timeout", "0.3", "the time is up", "--timeout"),
        ("--max-memory", "1", "the memory limit is reached", "--max-memory"),
    ] {
        let run = folder.run(&["verify", limit, number, "a.clp"]).ended(20);
        assert!(run.output.starts_with(&format!("UNKNOWN: {reason}\n")), "{run:#?}");
        assert!(run.output.contains(&format!("({advice}, or ")), "{run:#?}");
    }
}

#[test]
fn what_was_tried_in_turns_is_told_where_it_is_asked_for() {
    let folder = Folder::new("verify_turns");
    folder.write("a.clp", SAFE);
    folder.write("a.c", "int main(void) { for (int i = 0; i < 9; i++) {} return 0; }");
    for file in ["a.clp", "a.c"] {
        let text = folder.run(&["verify", "--turns", file]).ended(0).output;
        let (report, table) = text.split_once("\n\nWhat was tried, in turns\n").expect("a table");
        assert!(report.starts_with("SAFE\n"), "{report}");
        assert!(table.lines().any(|line| line.ends_with("  SAFE")), "{table}");
        let line = folder.run(&["verify", "--turns", "--json", file]).ended(0).output;
        let object: serde_json::Value = serde_json::from_str(line.trim_end()).expect("one object");
        let turns = object["turns"].as_array().expect("a list");
        assert!(turns.iter().any(|turn| turn["result"] == "SAFE"), "{line}");
    }
    // Without turns there are none.
    let text = folder
        .run(&["verify", "--turns", "--assist", "none", "a.clp"])
        .ended(0)
        .output;
    assert!(text.ends_with("seconds\n"), "{text}");
}

/// Processes differ in where their memory is, which nothing may depend on: neither what is counted nor what is found.
#[test]
fn the_same_input_gives_the_same_bytes() {
    let folder = Folder::new("verify_same_bytes");
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("clp-programs/safe");
    for (name, assist) in [
        ("000-nested.clp", "relations"),
        ("003-fig1d-10000.clp", "relations"),
        ("000-nested.clp", "turns"),
        ("fill_array.smt2", "cells"),
    ] {
        let file = programs.join(name);
        let arguments = [
            "verify",
            "--assist",
            assist,
            "--max-states",
            "3000",
            &file.to_string_lossy(),
        ];
        let shown = || -> String {
            let run = folder.run(&arguments);
            let (kept, _time) = run.output.split_once(" by Z3)").expect("a line of statistics");
            kept.to_string()
        };
        let first = shown();
        for _ in 0..4 {
            assert_eq!(shown(), first, "{name} {assist}");
        }
    }
}

#[test]
fn with_several_files_the_worst_counts() {
    let folder = Folder::new("verify_several");
    folder.write("safe.clp", SAFE);
    folder.write("unsafe.clp", UNSAFE);
    folder.write("bad.clp", "?- p(");
    folder.run(&["verify", "safe.clp", "safe.clp"]).ended(0);
    let run = folder.run(&["verify", "-q", "unsafe.clp", "safe.clp"]).ended(10);
    assert_eq!(run.output, "unsafe.clp: UNSAFE\nsafe.clp: SAFE\n");
    let limited = ["verify", "-q", "--max-states", "1", "unsafe.clp", "safe.clp"];
    assert_eq!(
        folder.run(&limited).ended(20).output.lines().next(),
        Some("unsafe.clp: UNKNOWN: the limit of states is reached")
    );
    let run = folder
        .run(&["verify", "-q", "missing.clp", "bad.clp", "unsafe.clp"])
        .ended(2);
    assert_eq!(run.output, "unsafe.clp: UNSAFE\n");
    assert!(
        run.complaints
            .starts_with("error: missing.clp: there is no such file\nerror: ")
    );
    let run = folder.run(&["verify", "safe.clp", "unsafe.clp"]).ended(10);
    assert!(run.output.contains("\n\nunsafe.clp: UNSAFE\n"), "{run:#?}");
}

#[test]
fn json_says_what_is_refused_and_where() {
    let folder = Folder::new("verify_json_refused");
    folder.write(
        "jump.c",
        "int p[9], setjmp(int *);\nint main(void) {\n  setjmp(p);\n}\n",
    );
    folder.write("broken.c", "int main(void) {\n  retrun;\n  goto *p;\n}\n");
    folder.write("broken.clp", "?- p(0).\np(X) :- X < , error.\n");
    folder.write("words.smt2", "(set-logic HORN)\n(assert (= 1.5 (str.len \"a\")))\n");
    for (file, verdict, code, line, words) in [
        ("jump.c", "refused", 1, 3, "setjmp"),
        ("broken.c", "malformed", 2, 2, "retrun"),
        ("broken.clp", "malformed", 2, 2, "expected"),
        ("words.smt2", "refused", 1, 2, "not supported"),
    ] {
        let report = folder.run(&["verify", "--json", file]).ended(code).json();
        assert_eq!(report["verdict"], verdict, "{report}");
        assert_eq!(report["errors"][0]["line"], line, "{report}");
        assert_eq!(report["errors"][0]["file"], file, "{report}");
        assert!(
            report["reason"].as_str().is_some_and(|reason| reason.contains(words)),
            "{report}"
        );
    }
    let report = folder.run(&["verify", "--json", "missing.c"]).ended(2).json();
    assert_eq!(report["verdict"], "malformed");
}

#[test]
fn json_has_one_line_for_each_file() {
    let folder = Folder::new("verify_json");
    folder.write("safe.clp", SAFE);
    folder.write("unsafe.clp", UNSAFE);
    let run = folder.run(&["verify", "--json", "safe.clp"]).ended(0);
    let report = run.json();
    let keys: Vec<&str> = report
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, _)| key.as_str())
        .collect();
    let expected = [
        "file",
        "verdict",
        "reason",
        "statistics",
        "invariants",
        "certificate",
        "derivation",
    ];
    assert_eq!(keys, expected);
    assert_eq!(report["verdict"], "safe");
    assert_eq!(report["invariants"][0]["predicate"], "loop");
    assert_eq!(report["certificate"]["kind"], "certificate");
    assert!(report["derivation"].is_null() && report["statistics"]["seconds"].is_number());

    let report = folder.run(&["verify", "--json", "unsafe.clp"]).ended(10).json();
    assert_eq!(report["verdict"], "unsafe");
    assert_eq!(report["derivation"]["steps"].as_array().map(Vec::len), Some(5));

    let run = folder
        .run(&["verify", "--json", "--max-states", "1", "safe.clp", "unsafe.clp"])
        .ended(20);
    assert_eq!(run.output.lines().count(), 2);
    for line in run.output.lines() {
        let report: serde_json::Value = serde_json::from_str(line).expect("each line is JSON");
        assert_eq!(report["reason"], "the limit of states is reached");
    }
}

#[test]
fn every_way_of_working_gives_the_same_verdict() {
    let folder = Folder::new("verify_methods");
    folder.write("a.clp", SAFE);
    for method in ["weakest-precondition", "cores"] {
        folder.run(&["verify", "--interpolation", method, "a.clp"]).ended(0);
    }
    folder.run(&["verify", "--no-check", "a.clp"]).ended(0);
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_reports_what_was_found() {
    let folder = Folder::new("verify_interrupt");
    folder.write("a.clp", ENDLESS);
    // The limit is for the case that the interrupt gets lost: the test then fails instead of running on.
    let mut command = folder.command(&["verify", "--timeout", "30", "a.clp", "a.clp"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // Reading has a thread of its own, beside the one that waits for Ctrl-C; once there are those that verify, Ctrl-C is taken care of.
    let threads = format!("/proc/{}/task", child.id());
    let deadline = Instant::now() + Duration::from_secs(60);
    while std::fs::read_dir(&threads).map_or(0, Iterator::count) < 4 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    let interrupted = Instant::now();
    // Once more if it got lost on the way; the second one that arrives would end the process with another code.
    for _ in 0..3 {
        let kill = std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(kill.is_ok_and(|status| status.success()));
        let patience = Instant::now() + Duration::from_secs(5);
        while matches!(child.try_wait(), Ok(None)) && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(20));
        }
        if !matches!(child.try_wait(), Ok(None)) {
            break;
        }
    }
    let run = Run::of(child.wait_with_output().expect("it ends")).ended(20);
    assert!(run.output.starts_with("a.clp: UNKNOWN: cancelled\n"), "{run:#?}");
    assert!(
        run.complaints.contains("Stopped; 1 of 2 files not verified."),
        "{run:#?}"
    );
    assert!(interrupted.elapsed() < Duration::from_secs(20));
}
