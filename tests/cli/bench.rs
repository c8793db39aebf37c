//! `clausal bench`: tasks, limits, what is left of killed runs, resuming.

use crate::support::{ENDLESS, Folder, SAFE, UNSAFE};
use serde_json::Value;
use std::time::{Duration, Instant};

fn rows(folder: &Folder, output: &str) -> Vec<Value> {
    let text = folder.read(&format!("{output}/results.json"));
    let report: Value = serde_json::from_str(&text).expect("JSON");
    report["rows"].as_array().expect("rows").clone()
}

fn tasks(name: &str) -> Folder {
    let folder = Folder::new(name);
    for (path, text) in [
        ("t/safe/a.clp", SAFE),
        ("t/unsafe/b.clp", UNSAFE),
        ("t/safe/c.clp", UNSAFE),
    ] {
        std::fs::create_dir_all(folder.path(path).parent().expect("a folder")).expect("made");
        folder.write(path, text);
    }
    folder
}

/// Whether a process has this mark in its arguments.
fn is_running(mark: &str) -> bool {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .any(|line| String::from_utf8_lossy(&line).split('\0').any(|word| word == mark))
}

/// Waits until something is so, for a minute at most.
fn becomes(what: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        if what() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn a_folder_is_run_and_wrong_verdicts_are_told() {
    let folder = tasks("bench_folder");
    let run = folder.run(&[
        "bench",
        "t",
        "--timeout",
        "60",
        "--jobs",
        "2",
        "-o",
        "out",
        "--against",
        "echo {file} sat",
    ]);
    assert_eq!(run.code, Some(1), "{}", run.complaints);
    for name in ["index.html", "journal.jsonl", "results.csv", "results.json"] {
        assert!(folder.path("out").join(name).exists(), "{name}");
    }
    let found: Vec<String> = rows(&folder, "out")
        .iter()
        .map(|row| format!("{} {} {} {}", row["task"], row["tool"], row["status"], row["expected"]).replace('"', ""))
        .collect();
    let expected = [
        "t/safe/a.clp clausal true true",
        "t/safe/a.clp echo unknown true",
        "t/safe/c.clp clausal false true",
        "t/safe/c.clp echo unknown true",
        "t/unsafe/b.clp clausal false false",
        "t/unsafe/b.clp echo unknown false",
    ];
    assert_eq!(found, expected);
    assert!(folder.read("out/index.html").contains("<svg"));
    // Nothing is run again, and the reports are the same.
    let before = folder.read("out/results.json");
    let again = folder.run(&[
        "bench",
        "t",
        "--timeout",
        "60",
        "--jobs",
        "1",
        "-o",
        "out",
        "--against",
        "echo {file} sat",
    ]);
    assert!(
        again.complaints.contains("Resumed: 6 of 6 runs"),
        "{}",
        again.complaints
    );
    assert_eq!(folder.read("out/results.json"), before);
}

#[test]
fn lists_and_task_definitions_are_read() {
    let folder = Folder::new("bench_set");
    folder.write("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    folder.write(
        "good.c",
        "void reach_error(void); int main(void) { int x = 3; if (x < 0) reach_error(); return 0; }\n",
    );
    folder.write(
        "bad.c",
        "void reach_error(void); int main(void) { int x = -3; if (x < 0) reach_error(); return 0; }\n",
    );
    for (name, verdict) in [("good", "true"), ("bad", "false")] {
        let text = format!(
            "format_version: '2.0'\ninput_files: '{name}.c'\nproperties:\n  - property_file: p.prp\n    expected_verdict: {verdict}\noptions:\n  language: C\n  data_model: LP64\n"
        );
        folder.write(&format!("{name}.yml"), text);
    }
    folder.write("all.set", "# both\n*.yml\nnone/*.yml\n");
    let run = folder.run(&["bench", "all.set", "--timeout", "60", "-o", "out"]);
    assert_eq!(run.code, Some(0), "{}", run.complaints);
    assert!(
        run.complaints.contains("all.set:3: nothing matches `none/*.yml`"),
        "{}",
        run.complaints
    );
    let statuses: Vec<String> = rows(&folder, "out")
        .iter()
        .map(|row| row["status"].to_string())
        .collect();
    assert_eq!(statuses, ["\"false\"", "\"true\""]);
}

#[test]
fn limits_end_runs_with_all_that_belongs_to_them() {
    let folder = Folder::new("bench_limits");
    folder.write("a.clp", ENDLESS);
    folder.write(
        "deaf.sh",
        "trap '' TERM INT HUP\nsetsid sleep 86461 &\nsleep 86461 &\nwait\nsleep 86461\n",
    );
    let run = folder.run(&[
        "bench",
        "a.clp",
        "--timeout",
        "1",
        "-o",
        "out",
        "--against",
        "sh deaf.sh {file}",
    ]);
    assert_eq!(run.code, Some(0), "{}", run.complaints);
    let found = rows(&folder, "out");
    let own = found[0]["status"].as_str().unwrap_or_default();
    assert!(["timeout", "unknown"].contains(&own), "{found:?}");
    assert_eq!(found[1]["status"], "timeout");
    assert!(!is_running("86461"));
}

#[test]
fn a_killed_bench_leaves_nothing_and_is_resumed() {
    let folder = tasks("bench_killed");
    // The last task is the one that hangs until its flag is there.
    folder.write("t/unsafe/z.clp", UNSAFE);
    folder.write(
        "wait.sh",
        "case $1 in *z.clp) test -e flag || sleep 86462;; esac\necho UNSAFE\n",
    );
    let arguments = [
        "bench",
        "t",
        "--timeout",
        "600",
        "-o",
        "out",
        "--against",
        "sh wait.sh {file}",
    ];
    for signal in ["-KILL", "-INT"] {
        let mut child = folder
            .command(&arguments)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("started");
        assert!(becomes(|| is_running("86462")), "the last task is begun");
        let killed = std::process::Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(killed.is_ok_and(|status| status.success()));
        let status = child.wait().expect("it ends");
        // After Ctrl-C there are reports, and the exit code says that something is left.
        assert_eq!(status.code(), if signal == "-INT" { Some(20) } else { None });
        assert!(becomes(|| !is_running("86462")), "nothing is left after {signal}");
    }
    folder.write("flag", "");
    let run = folder.run(&arguments);
    assert!(
        run.complaints.contains("Resumed: 7 of 8 runs are in the journal."),
        "{}",
        run.complaints
    );
    assert_eq!(run.code, Some(1), "{}", run.complaints);
    assert_eq!(rows(&folder, "out").len(), 8);
}

#[test]
fn what_cannot_be_run_is_refused() {
    let folder = tasks("bench_refused");
    for (arguments, problem) in [
        (&["bench", "none"][..], "there is no such file"),
        (
            &["bench", "t", "--against", "z3"],
            "does not say where the program goes",
        ),
        (
            &["bench", "t", "--against", "z3 {file} {seconds}"],
            "stands for nothing",
        ),
        (&["bench", "t", "-o", "t/safe/a.clp"], "this is a file"),
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(run.complaints.contains(problem), "{}", run.complaints);
    }
    let _ = std::fs::create_dir(folder.path("empty"));
    assert!(
        folder
            .run(&["bench", "empty"])
            .complaints
            .contains("there are no tasks")
    );
}
