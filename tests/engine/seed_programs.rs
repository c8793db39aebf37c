//! The examples of the seeds, as data: what each file of `clp-programs` must show, and its whole proof as a snapshot.
//!
//! Every verdict here has passed the certificate checker or the replay inside `verify`; both are asked once more.

use clausal::engine::{Budget, Interpolation, Options, Outcome, Verdict};
use clausal::evidence::{CheckLimits, check_certificate, replay};
use clausal::recursion::verify;
use clausal::rules::Program;
use std::path::{Path, PathBuf};

fn programs(folder: &str) -> Vec<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("clp-programs").join(folder);
    let entries = std::fs::read_dir(path).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn read(file: &Path) -> Program {
    let source = std::fs::read_to_string(file).expect("the file is readable");
    let reading = match file.extension().and_then(|extension| extension.to_str()) {
        Some("smt2") => clausal::horn::read_with_calls(&source),
        _ => clausal::clp::read_with_calls(&source),
    };
    reading
        .product
        .unwrap_or_else(|| panic!("{}: {:?}", file.display(), reading.diagnostics))
}

fn parse(source: &str) -> Program {
    let reading = clausal::clp::read(source);
    reading.product.unwrap_or_else(|| panic!("{:?}", reading.diagnostics))
}

/// The verdict's word, after asking the checkers once more.
fn confirmed(program: &Program, outcome: &Outcome) -> &'static str {
    match &outcome.verdict {
        Verdict::Safe(certificate) => {
            check_certificate(program, certificate, CheckLimits::default()).expect("the certificate is accepted");
            "safe"
        }
        Verdict::Unsafe(derivation) => {
            replay(program, derivation).expect("the derivation replays");
            "unsafe"
        }
        Verdict::Unknown(_) => "unknown",
    }
}

fn example(name: &str) -> Outcome {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("clp-programs").join(name);
    verify(&read(&file), &Options::default())
}

/// Restarts, unrollings and the locked constraints.
fn effort(outcome: &Outcome) -> (u64, u64, Vec<String>) {
    let locked = outcome
        .invariants
        .iter()
        .flat_map(|invariant| invariant.locked.clone())
        .collect();
    (outcome.statistics.restarts, outcome.statistics.unrollings, locked)
}

fn invariants(outcome: &Outcome) -> Vec<&str> {
    outcome
        .invariants
        .iter()
        .map(|invariant| invariant.formula.as_str())
        .collect()
}

#[test]
fn the_folder_is_the_verdict_and_the_proof_is_as_it_was() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/proofs");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for folder in ["safe", "unsafe"] {
        for file in programs(folder) {
            let program = read(&file);
            let outcome = verify(&program, &Options::default());
            assert_eq!(confirmed(&program, &outcome), folder, "{}", file.display());
            let stem = file.file_stem().and_then(|stem| stem.to_str()).expect("a plain name");
            settings.bind(|| {
                insta::assert_snapshot!(format!("{folder}__{stem}"), clausal::report::proof(&program, &outcome));
            });
        }
    }
}

#[test]
fn cores_alone_are_never_wrong() {
    // They are weaker, so loops may be unrolled without end: what they do decide must be right.
    let options = Options {
        interpolation: Interpolation::Cores,
        budget: Budget {
            states: Some(400),
            ..Budget::default()
        },
        ..Options::default()
    };
    let mut decided = 0;
    for folder in ["safe", "unsafe"] {
        for file in programs(folder) {
            let program = read(&file);
            let verdict = confirmed(&program, &verify(&program, &options));
            assert!(verdict == folder || verdict == "unknown", "{}", file.display());
            decided += usize::from(verdict == folder);
        }
    }
    assert!(decided >= 30, "cores decided only {decided}");
}

#[test]
fn seed_003_figure_1a_is_proved_without_unrolling() {
    let outcome = example("safe/003-fig1a.clp");
    assert_eq!(effort(&outcome), (0, 0, vec![]));
    assert_eq!(invariants(&outcome), ["X >= 0"]);
}

#[test]
fn seed_003_figure_1b_takes_one_refinement_and_one_unrolling() {
    // The paper locks new = old + 1; here only the half of it that was given up.
    let outcome = example("safe/003-fig1b.clp");
    assert_eq!(effort(&outcome), (1, 1, vec!["New >= Old + 1".to_string()]));
}

#[test]
fn seed_003_figure_1c_keeps_z_when_a_sibling_covers_the_second_path() {
    let outcome = example("safe/003-fig1c.clp");
    assert_eq!(effort(&outcome), (0, 0, vec![]));
    assert_eq!(invariants(&outcome), ["Z = 1"]);
}

#[test]
fn seed_003_figure_1d_does_not_depend_on_the_bound() {
    let costs: Vec<u64> = [10, 10_000, 100_000_000]
        .map(|bound| {
            let outcome = example(&format!("safe/003-fig1d-{bound}.clp"));
            assert_eq!(effort(&outcome), (0, 0, vec![]));
            outcome.statistics.states
        })
        .to_vec();
    assert!(costs.iter().all(|cost| *cost == costs[0]), "{costs:?}");
}

#[test]
fn seed_004_flag_is_believed_in_the_loop() {
    let outcome = example("safe/004-flag.clp");
    let (restarts, unrollings, _) = effort(&outcome);
    assert_eq!((restarts, unrollings), (1, 1));
    assert!(
        invariants(&outcome)
            .iter()
            .all(|invariant| invariant.contains("Flag >= 1"))
    );
}

#[test]
fn seed_004_slackening_proves_program_b_without_unrolling() {
    let outcome = example("safe/004-b.clp");
    assert_eq!(effort(&outcome), (0, 0, vec![]));
    assert_eq!(invariants(&outcome), ["Y >= 0"]);
}

#[test]
fn seed_000_and_001_find_their_invariants() {
    assert_eq!(invariants(&example("safe/000-motivating.clp")), ["I =< J"]);
    let outcome = example("safe/000-for-bounded-loop1.clp");
    assert_eq!(outcome.statistics.unrollings, 1);
    assert_eq!(invariants(&outcome)[0], "X = Y, Err =< 0, X \\= 0");
    assert_eq!(effort(&example("safe/001-fig1.clp")), (0, 0, vec![]));
}

/// Seed 004, program (c): `s` grows by one or two, `count` times.
fn program_c(count: usize, bound: usize) -> String {
    let mut text = "?- d(1, 0, 0).\n?- d(1, 0, 999).\n".to_string();
    for i in 1..=count {
        text += &format!(
            "d({i}, S, Z) :- d({}, S + 1, Z).\nd({i}, S, Z) :- d({}, S + 2, Z).\n",
            i + 1,
            i + 1
        );
    }
    text + &format!("d({}, S, Z) :- S + Z > {bound}, Z = 0, error.\n", count + 1)
}

/// Seed 004, program (d): `s` and `t` may grow together, `count` times.
fn program_d(count: usize, bound: usize) -> String {
    let mut text = "?- d(1, 0, 0).\n?- X >= 0, X =< 1, d(1, X, 0).\n".to_string();
    for i in 1..=count {
        text += &format!(
            "d({i}, S, T) :- d({}, S + 1, T + 1).\nd({i}, S, T) :- d({}, S, T).\n",
            i + 1,
            i + 1
        );
    }
    text + &format!("d({}, S, T) :- T > {bound}, S > {bound}, error.\n", count + 1)
}

/// Program (a) `count` times in a row: none of its branches matters.
fn program_a(count: usize) -> String {
    let mut text = "?- a(1, 1, X, Y).\n".to_string();
    for i in 1..=count {
        text += &format!("a({i}, Q, X, Y) :- b({i}, Q, 0, Y).\na({i}, Q, X, Y) :- b({i}, Q, 1, Y).\n");
        text += &format!(
            "b({i}, Q, X, Y) :- X > 0, a({}, Q, X, 0).\nb({i}, Q, X, Y) :- X =< 0, a({}, Q, X, 1).\n",
            i + 1,
            i + 1
        );
    }
    text + &format!("a({}, Q, X, Y) :- Q = 0, error.\n", count + 1)
}

/// Program (b) with its loop bound a number.
fn program_b(bound: usize) -> String {
    format!("?- l(0, 0).\nl(Y, I) :- I < {bound}, l(Y + 1, I + 1).\nl(Y, I) :- I >= {bound}, Y + I < {bound}, error.\n")
}

#[test]
fn seed_004_programs_cost_states_linear_in_their_size() {
    let families: [(&str, &dyn Fn(usize) -> String); 4] = [
        ("a", &program_a),
        ("b", &program_b),
        ("c", &|count| program_c(count, 2 * count)),
        ("d", &|count| program_d(count, count)),
    ];
    for (name, family) in families {
        let states = [5, 10, 20, 40].map(|count| {
            let program = parse(&family(count));
            let outcome = verify(&program, &Options::default());
            assert_eq!(confirmed(&program, &outcome), "safe", "({name}) with {count}");
            outcome.statistics.states
        });
        // Exactly linear: each diamond costs what the one before cost; program (b) costs the same whatever its bound.
        let step = (states[1] - states[0]) / 5;
        assert_eq!(states[2] - states[1], 10 * step, "({name}) {states:?}");
        assert_eq!(states[3] - states[2], 20 * step, "({name}) {states:?}");
    }
}

#[test]
fn seed_004_programs_broken_by_one_are_refuted() {
    for count in [5, 10, 20, 40] {
        for source in [program_c(count, 2 * count - 1), program_d(count, count - 1)] {
            let program = parse(&source);
            assert_eq!(confirmed(&program, &verify(&program, &Options::default())), "unsafe");
        }
    }
}

/// The `z3` command, if there is one: the one that `make setup` prepared, or one on the path.
fn z3_command() -> Option<String> {
    let candidates = [std::env::var("CLAUSAL_Z3_BINARY").ok(), Some("z3".to_string())];
    let works = |command: &String| {
        std::process::Command::new(command)
            .arg("--version")
            .output()
            .is_ok_and(|output| output.status.success())
    };
    candidates.into_iter().flatten().find(works)
}

#[test]
fn another_solver_discharges_the_obligations_of_every_proof() {
    let Some(z3) = z3_command() else { return };
    let folder = std::env::temp_dir().join(format!("clausal-obligations-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    for file in programs("safe") {
        let program = read(&file);
        let outcome = verify(&program, &Options::default());
        let Verdict::Safe(certificate) = &outcome.verdict else {
            panic!("{}", file.display())
        };
        let text = clausal::evidence::obligations_smtlib(&program, certificate).expect("a well-formed certificate");
        let path = folder.join("obligations.smt2");
        std::fs::write(&path, text).expect("a writable folder");
        let output = std::process::Command::new(&z3).arg(&path).output().expect("z3 runs");
        let answers = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(answers.lines().count() > 0, "{}", file.display());
        assert!(
            answers.lines().all(|line| line == "unsat"),
            "{}: {answers}",
            file.display()
        );
    }
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}
