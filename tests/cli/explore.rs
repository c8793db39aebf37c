//! `clausal explore` on the command line.

// A skipped test says so.
#![allow(clippy::print_stdout)]

use super::support::Folder;
use std::process::Command;

/// The error needs exactly 50 turns.
const REACHABLE: &str = "\
?- I = 0, loop(I, N).
loop(I, N) :- I < N, loop(I + 2, N).
loop(I, N) :- I >= N, I = 100, error.
";

/// Two is never odd.
const UNREACHABLE: &str = "\
?- I = 0, loop(I, N).
loop(I, N) :- I < N, loop(I + 2, N).
loop(I, N) :- I >= N, I = 101, error.
";

const C: &str = "\
int nondet_int(void);
void reach_error(void);
int main(void) {
  int n = nondet_int(), i = 0;
  while (i < n)
    i += 3;
  if (i == 300)
    reach_error();
  return 0;
}
";

#[test]
fn rules_are_explored() {
    let folder = Folder::new("explore_rules");
    folder.write("yes.clp", REACHABLE);
    folder.write("no.clp", UNREACHABLE);
    let yes = folder.run(&["explore", "yes.clp"]).ended(10);
    assert!(
        yes.output
            .starts_with("REACHABLE\n\nDerivation of the error, 52 steps\n"),
        "{yes:#?}"
    );
    let no = folder.run(&["explore", "no.clp"]).ended(0);
    assert!(no.output.starts_with("UNREACHABLE\n"), "{no:#?}");
    let report = folder.run(&["explore", "--json", "no.clp"]).ended(0).json();
    assert_eq!(report["verdict"], "unreachable");
    assert_eq!(report["statistics"]["failed_leaves"], 0);
    assert_eq!(report["statistics"]["attempts"], 1);
    assert_eq!(report["method"], "joint templates, directed");
    let alone = folder.run(&["explore", "--no-alternatives", "--order", "depth", "--json", "no.clp"]);
    assert_eq!(alone.ended(0).json()["method"], "joint templates, depth first");
    assert_eq!(report["templates"][0]["memory"][0][1], "I + 2*κ");
    let classic = folder.run(&[
        "explore",
        "--no-templates",
        "--no-covering",
        "--max-states",
        "50",
        "-q",
        "no.clp",
    ]);
    assert_eq!(classic.ended(20).output, "UNKNOWN: the limit of states is reached\n");
}

#[test]
fn the_run_found_is_evidence() {
    let folder = Folder::new("explore_evidence");
    folder.write("yes.clp", REACHABLE);
    folder
        .run(&["explore", "-q", "--save-evidence", "run.json", "yes.clp"])
        .ended(10);
    folder.run(&["check", "yes.clp", "run.json"]).ended(10);
}

#[test]
fn a_closed_tree_is_saved_checked_and_shown() {
    let folder = Folder::new("explore_certificate");
    folder.write("no.clp", UNREACHABLE);
    folder.write("other.clp", UNREACHABLE.replace("101", "102"));
    let run = folder.run(&[
        "explore",
        "--proof",
        "no.txt",
        "--smt2",
        "no.smt2",
        "--save-evidence",
        "no.json",
        "no.clp",
    ]);
    let says = "\nThe certificate has 3 symbolic states, out of which no rule leads.\n";
    let run = run.ended(0);
    assert!(run.output.contains(says), "{run:#?}");
    let proof = folder.read("no.txt");
    assert!(proof.contains("  2  loop(2*κ, N)\n"), "{proof}");
    assert!(proof.contains("     line 2: into 2 with κ = κ + 1\n"), "{proof}");
    assert!(folder.read("no.smt2").contains("(check-sat)"));
    folder.run(&["check", "no.clp", "no.json"]).ended(0);
    // The state within the loop does not exclude that 102 is twice a number.
    let other = folder.run(&["check", "--force", "other.clp", "no.json"]).ended(1);
    assert!(
        other.output.contains("cannot lead into the error from state 2"),
        "{other:#?}"
    );
    let report = folder.run(&["explore", "--json", "no.clp"]).ended(0).json();
    assert_eq!(report["certified"], true);
}

#[test]
fn templates_help_to_verify() {
    let folder = Folder::new("explore_assist");
    folder.write("yes.clp", REACHABLE);
    folder.write("no.clp", UNREACHABLE);
    folder
        .run(&["verify", "-q", "--assist", "templates", "yes.clp"])
        .ended(10);
    let safe = "?- loop(0). loop(X) :- X < 9, loop(X + 1). loop(X) :- X > 9, error.\n";
    folder.write("safe.clp", safe);
    folder
        .run(&["verify", "-q", "--assist", "templates", "safe.clp"])
        .ended(0);
}

#[test]
fn a_target_can_be_named() {
    let folder = Folder::new("explore_target");
    folder.write("no.clp", UNREACHABLE);
    folder.run(&["explore", "-q", "--target", "loop", "no.clp"]).ended(10);
    let run = folder.run(&["explore", "--target", "lop", "no.clp"]).ended(2);
    run.complained("error: there is no predicate `lop`; there are loop\n");
    folder.write("a.c", C);
    folder.run(&["explore", "-q", "--target", "6", "a.c"]).ended(10);
}

#[test]
fn the_tree_is_drawn_in_four_ways() {
    let folder = Folder::new("explore_tree");
    folder.write("no.clp", UNREACHABLE);
    for (name, begins) in [
        ("t.txt", "template of loop → loop\n"),
        ("t.dot", "digraph compact {"),
        ("t.svg", "<svg "),
        ("t.html", "<!doctype html>"),
    ] {
        folder.run(&["explore", "-q", "--tree", name, "no.clp"]).ended(0);
        assert!(folder.read(name).starts_with(begins), "{}", folder.read(name));
    }
}

#[test]
fn c_is_explored_and_the_harness_fails() {
    let folder = Folder::new("explore_c");
    folder.write("a.c", C);
    let run = folder.run(&["explore", "--harness", "h.c", "a.c"]).ended(10);
    assert!(
        run.output
            .starts_with("REACHABLE\n\nThe path to the error\n  a.c:4: nondet_int() = "),
        "{run:#?}"
    );
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let compiled = Command::new("gcc")
        .args(["-w", "-o"])
        .arg(folder.path("h"))
        .arg(folder.path("h.c"))
        .status();
    assert!(compiled.expect("gcc can be started").success());
    let ran = Command::new(folder.path("h"))
        .status()
        .expect("the program can be started");
    assert_eq!(ran.code(), Some(clausal::source_level::REACHED));
}

#[test]
fn coverage_lists_inputs_for_every_line() {
    let folder = Folder::new("explore_coverage");
    folder.write("a.c", C);
    let run = folder
        .run(&["explore", "--coverage", "--timeout", "60", "a.c"])
        .ended(10);
    assert!(run.output.contains("\nReached\n"), "{run:#?}");
    assert!(run.output.contains("n = "), "{run:#?}");
}

/// Branches behind calls, in a loop, and behind a loop; errors, a loop that only an input ends, one without end, and lines nobody
/// reaches.
const BRANCHES: &str = "\
extern int nondet_int(void);
extern void reach_error(void);
int classify(int x) {
  if (x < 0)
    return -1;
  if (x > 100)
    return 1;
  return 0;
}
int main(void) {
  int n = nondet_int(), i = 0, seen = 0;
  if (n > 20)
    n = n % 10;
  while (i < n) {
    int k = nondet_int();
    if (k == 7)
      seen++;
    else if (k == 1234)
      seen += 2;
    i++;
  }
  if (seen == 3)
    i = 1;
  if (classify(n) == 1)
    i = 2;
  for (;;) {
    int r = nondet_int();
    if (r == 5)
      break;
    if (r == 300)
      reach_error();
  }
  while (1) {
    int s = nondet_int();
    if (s == 9)
      i++;
    if (i == 4)
      reach_error();
  }
  return 0;
}
";

/// The lines that a compiled test goes along, by gcc's own count.
fn lines_run(folder: &Folder, test: &str, original: &str) -> Vec<u64> {
    // Without the line markers of the preprocessor, the lines are those of the harness itself.
    let harness: String = folder
        .read(test)
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("# "))
        .collect();
    let begins = harness
        .find(original.lines().next().expect("a line"))
        .expect("the text is in it");
    let before = harness[..begins].lines().count() as u64;
    // Counts are written by `exit` only.
    folder.write("counted.c", harness.replace("__asm__(\"_exit\")", "__asm__(\"exit\")"));
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(folder.path(""))
            .output();
        output.expect("it can be started")
    };
    let gcc = ["-w", "-fwrapv", "--coverage", "-c", "-o", "counted.o", "counted.c"];
    assert!(run("gcc", &gcc).status.success());
    assert!(
        run("gcc", &["--coverage", "-o", "counted", "counted.o"])
            .status
            .success()
    );
    let counted = folder.path("counted").display().to_string();
    let ended = run("timeout", &["20", &counted]);
    assert!(
        ended.status.code().is_some_and(|code| [0, 99].contains(&code)),
        "{test}: {ended:?}"
    );
    let counts = run("gcov", &["--stdout", "counted.o"]);
    std::fs::remove_file(folder.path("counted.gcda")).expect("there are counts");
    let mut lines = Vec::new();
    for line in String::from_utf8_lossy(&counts.stdout).lines() {
        let mut parts = line.split(':').map(str::trim);
        let (Some(count), Some(number)) = (parts.next(), parts.next()) else {
            continue;
        };
        if count.starts_with(|first: char| first.is_ascii_digit())
            && let Some(line) = number.parse::<u64>().ok().and_then(|number| number.checked_sub(before))
        {
            lines.push(line);
        }
    }
    lines
}

#[test]
fn coverage_writes_tests_that_reach_every_line_listed() {
    let folder = Folder::new("explore_coverage_tests");
    folder.write("a.c", BRANCHES);
    let arguments = [
        "explore",
        "--coverage",
        "--harness",
        "tests",
        "--json",
        "--timeout",
        "100",
        "a.c",
    ];
    let report = folder.run(&arguments).ended(10).json();
    let numbers = |lines: &serde_json::Value| -> Vec<u64> {
        let lines = lines.as_array().expect("a list").iter();
        lines.map(|line| line["line"].as_u64().expect("a number")).collect()
    };
    let coverage = report["coverage"].as_array().expect("a list");
    let mut reached: Vec<u64> = coverage.iter().flat_map(|test| numbers(&test["lines"])).collect();
    let count = reached.len();
    reached.sort_unstable();
    reached.dedup();
    assert_eq!(reached.len(), count, "a line belongs to one test");
    // The second branch of `classify` and what depends on it cannot be taken.
    for line in [4, 13, 17, 19, 20, 23, 28, 31, 34, 36, 38] {
        assert!(reached.contains(&line), "line {line} of {reached:?}");
    }
    for line in [7, 25, 40] {
        assert!(!reached.contains(&line), "line {line} of {reached:?}");
    }
    let files: Vec<&str> = coverage.iter().filter_map(|test| test["test"].as_str()).collect();
    assert_eq!(files.len(), coverage.len());
    assert!(files.iter().all(|file| file.starts_with("tests/reach-")));
    let missing = |program: &str| Command::new(program).arg("--version").output().is_err();
    if missing("gcc") || missing("gcov") {
        println!("skipped: there is no gcc, or no gcov");
        return;
    }
    for test in coverage {
        let file = test["test"].as_str().expect("a test");
        let run = lines_run(&folder, file, BRANCHES);
        for line in numbers(&test["reaches"]) {
            assert!(run.contains(&line), "{file} does not reach line {line} but {run:?}");
        }
    }
}

#[test]
fn tests_are_written_into_a_folder() {
    let folder = Folder::new("explore_coverage_folder");
    folder.write("a.c", C);
    folder.write("file", "");
    let run = folder
        .run(&["explore", "--coverage", "--harness", "file", "a.c"])
        .ended(2);
    run.complained("error: file: this is a file; name a folder\n");
    folder.write("no.clp", UNREACHABLE);
    let run = folder
        .run(&["explore", "--coverage", "--harness", "tests", "no.clp"])
        .ended(0);
    assert!(run.complaints.contains("only C has a harness"), "{run:#?}");
    let run = folder
        .run(&["explore", "--coverage", "--timeout", "60", "--harness", "tests", "a.c"])
        .ended(10);
    assert!(run.output.contains(" (tests/reach-1.c)\n"), "{run:#?}");
    let test = folder.read("tests/reach-1.c");
    assert!(test.starts_with("/* A run of a.c that reaches lines 4, 5"), "{test}");
}
