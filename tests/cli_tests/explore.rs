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
    let run = folder.run(&["explore", "--target", "lop", "no.clp"]).ended(1);
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
