//! The strategies on the seeds' examples: what seed 003 says of each, and that none of them is ever wrong.

use clausal::engine::{Budget, OfferedCandidates, Options, Outcome, Strategy, Verdict, verify};
use clausal::evidence::{CheckLimits, check_certificate, replay};
use clausal::rules::{PredicateId, Program};
use std::path::{Path, PathBuf};

const STRATEGIES: [Strategy; 3] = [Strategy::Minimax, Strategy::RefineRestart, Strategy::IterativeDeepening];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("clp-programs").join(name)
}

fn read(file: &Path) -> Program {
    let source = std::fs::read_to_string(file).expect("the file is readable");
    clausal::clp::read_with_calls(&source)
        .product
        .expect("the program is right")
}

fn run(program: &Program, strategy: Strategy) -> Outcome {
    let options = Options {
        strategy,
        budget: Budget {
            states: Some(1500),
            ..Budget::default()
        },
        ..Options::default()
    };
    verify(program, &options)
}

/// The verdict's word, after asking the checkers once more.
fn word(program: &Program, outcome: &Outcome) -> &'static str {
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

fn example(name: &str, strategy: Strategy) -> (&'static str, Outcome) {
    let program = read(&folder(name));
    let outcome = run(&program, strategy);
    (word(&program, &outcome), outcome)
}

#[test]
fn no_strategy_contradicts_the_folder_a_program_is_in() {
    for expected in ["safe", "unsafe"] {
        let entries = std::fs::read_dir(folder(expected)).expect("the folder is there");
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "clp"));
        files.sort();
        for file in files {
            let program = read(&file);
            for strategy in STRATEGIES {
                let verdict = word(&program, &run(&program, strategy));
                let allowed = verdict == expected || verdict == "unknown";
                assert!(allowed, "{}: {strategy:?} says {verdict}", file.display());
            }
        }
    }
}

/// Seed 003, section 2, example 1: one iteration gives the interpolant `x >= 0`, which is invariant.
#[test]
fn iterative_deepening_proves_figure_1a_at_the_first_depth() {
    let (verdict, outcome) = example("safe/003-fig1a.clp", Strategy::IterativeDeepening);
    assert_eq!((verdict, outcome.statistics.unrollings), ("safe", 1));
}

/// Seed 003, section 2, example 2: the proof of Fig. 1(b) needs a disjunction, so no depth will do.
#[test]
fn iterative_deepening_does_not_end_where_a_disjunction_is_needed() {
    for name in ["safe/003-fig1b.clp", "safe/004-flag.clp"] {
        assert_eq!(example(name, Strategy::IterativeDeepening).0, "unknown", "{name}");
    }
}

/// Seed 003, example 5: one refinement and one unrolling prove Fig. 1(b).
#[test]
fn refine_and_restart_proves_figure_1b_with_one_restart() {
    let (verdict, outcome) = example("safe/003-fig1b.clp", Strategy::RefineRestart);
    let effort = (outcome.statistics.restarts, outcome.statistics.unrollings);
    assert_eq!((verdict, effort), ("safe", (1, 1)));
}

/// Seed 003, Fig. 1(d): what refine-and-restart and minimax do does not depend on the bound; iterative deepening's work does.
#[test]
fn only_iterative_deepening_pays_for_the_bound_of_a_loop() {
    for strategy in [Strategy::Minimax, Strategy::RefineRestart] {
        let states = ["10", "10000"].map(|n| {
            example(&format!("safe/003-fig1d-{n}.clp"), strategy)
                .1
                .statistics
                .states
        });
        assert_eq!(states[0], states[1], "{strategy:?}");
    }
    assert_eq!(example("safe/003-fig1d-10.clp", Strategy::IterativeDeepening).0, "safe");
    assert_eq!(
        example("safe/003-fig1d-10000.clp", Strategy::IterativeDeepening).0,
        "unknown"
    );
}

/// Candidates from outside are used where they hold, and harm nothing where they do not.
#[test]
fn offered_candidates_are_tested() {
    let source = "?- p(0, 0).\np(X, Y) :- X < 1000, p(X + 1, Y + 2).\np(X, Y) :- X >= 1000, Y =\\= 2*X, error.";
    let mut program = clausal::clp::read(source).product.expect("the program is right");
    let loop_header = PredicateId::from_index(2);
    let parameters = program.predicate(loop_header).parameters.clone();
    let two = program.terms.integer(2);
    let doubled = program.terms.multiply(two, parameters[0]);
    let right = program.terms.equal(parameters[1], doubled);
    let wrong = program.terms.equal(parameters[1], parameters[0]);
    let mut offered = OfferedCandidates::default();
    offered.offer(loop_header, wrong);
    offered.offer(loop_header, right);
    let outcome = verify(
        &program,
        &Options {
            offered,
            ..Options::default()
        },
    );
    assert_eq!(word(&program, &outcome), "safe");
    assert_eq!(outcome.statistics.unrollings, 0);
}

/// Two loops one after the other, and an error behind all turns of both: found by running the program, for unrolling would
/// cost the product of the bounds.
#[test]
fn an_error_behind_many_turns_is_run_into() {
    let source = "
        ?- p(0, 0).
        p(X, Y) :- X < 5000, p(X + 1, Y).
        p(X, Y) :- X >= 5000, q(X, 0).
        q(X, Y) :- Y < 5000, q(X, Y + 1).
        q(X, Y) :- Y >= 5000, X + Y >= 10000, error.";
    let program = clausal::clp::read(source).product.expect("the program is right");
    let outcome = run(&program, Strategy::Minimax);
    assert_eq!(word(&program, &outcome), "unsafe");
    assert!(outcome.statistics.states < 200, "{}", outcome.statistics.states);
}

/// What a loop locks about the state of a state machine stays locked in its unrollings: one restart is enough for all of them.
#[test]
fn a_state_machine_does_not_start_anew_in_every_state() {
    let mut source = "?- machine(0, 0).\n".to_string();
    for state in 0..20 {
        let flag = if state == 7 { "1" } else { "Flag" };
        source += &format!("machine({state}, Flag) :- machine({}, {flag}).\n", state + 1);
    }
    source += "machine(20, Flag) :- Flag = 0, error.\nmachine(20, Flag) :- machine(20, Flag).";
    let program = clausal::clp::read_with_calls(&source)
        .product
        .expect("the program is right");
    let outcome = run(&program, Strategy::Minimax);
    assert_eq!(word(&program, &outcome), "safe");
    assert!(outcome.statistics.restarts <= 3, "{}", outcome.statistics.restarts);
}

/// Each branch adds three in all; the seeds' users call it beyond their tool.
const PATH_INVARIANT: &str = "
?- loop(N, 0, 0, 0), N >= 0.
loop(N, I, A, B) :- I < N, loop(N, I + 1, A + 1, B + 2).
loop(N, I, A, B) :- I < N, loop(N, I + 1, A + 2, B + 1).
loop(N, I, A, B) :- I >= N, A + B =\\= 3*N, error.
";

/// What a loop conserves and what its branches have in common is no constraint of any store: `minimax` offers it to the first
/// unrolling, and the other strategies unroll for ever.
#[test]
fn sums_that_a_loop_conserves_need_few_unrollings() {
    let path_invariant = clausal::clp::read(PATH_INVARIANT)
        .product
        .expect("the program is right");
    for program in [path_invariant, read(&folder("safe/bound-of-a-sum.clp"))] {
        let limited = |strategy: Strategy| {
            let budget = Budget {
                unrollings: Some(20),
                ..Budget::default()
            };
            let options = Options {
                strategy,
                budget,
                ..Options::default()
            };
            verify(&program, &options)
        };
        let outcome = limited(Strategy::Minimax);
        assert_eq!(word(&program, &outcome), "safe");
        assert!(outcome.statistics.unrollings <= 2);
        assert_eq!(word(&program, &limited(Strategy::RefineRestart)), "unknown");
    }
}

/// The inner loop gives up what it believes of its variable, and then the outer one does. An error that is impossible only because
/// of where the outer loop began must not make the inner one believe it again.
#[test]
fn an_inner_loop_forgets_what_the_outer_one_has_given_up() {
    let text =
        "?- outer(0). outer(A) :- inner(A). inner(A) :- inner(1). inner(A) :- outer(A). inner(A) :- A >= 2, error.";
    let program = clausal::clp::read(text).product.expect("the program is right");
    assert_eq!(word(&program, &run(&program, Strategy::Minimax)), "safe");
}
