//! `explore`: the example of seed 002 to the letter, what templates decide, and that runs into errors replay.

use clausal::evidence::{CheckLimits, check_certificate, replay};
use clausal::explore::{CompactEnding, Exploration, ExploreOptions, Finding, exploration_text, explore, with_target};
use clausal::rules::Program;
use std::path::Path;

fn parse(source: &str) -> Program {
    let reading = clausal::clp::read(source);
    reading.product.unwrap_or_else(|| panic!("{:?}", reading.diagnostics))
}

fn example(name: &str) -> Program {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("clp-programs/explore")
        .join(name);
    parse(&std::fs::read_to_string(file).expect("the example is there"))
}

fn word(program: &Program, exploration: &Exploration) -> &'static str {
    match &exploration.finding {
        Finding::Reachable(derivation) => {
            replay(program, derivation).expect("the run replays");
            "reachable"
        }
        Finding::Unreachable(Ok(certificate)) => {
            check_certificate(program, certificate, CheckLimits::default()).expect("the certificate is accepted");
            "unreachable"
        }
        Finding::Unreachable(Err(_)) => "unreachable, not certified",
        Finding::Unknown(_) => "unknown",
    }
}

fn explored(program: &Program) -> (&'static str, Exploration) {
    let mut options = ExploreOptions::default();
    options.budget.states = Some(2000);
    let exploration = explore(program, &options);
    (word(program, &exploration), exploration)
}

/// The template of Section 2 and the leaves of Fig. 1(c), symbol by symbol.
#[test]
fn linear_search_as_in_the_paper() {
    let program = example("002-linsrch.clp");
    let options = ExploreOptions {
        whole: true,
        ..ExploreOptions::default()
    };
    let exploration = explore(&program, &options);
    insta::with_settings!({ snapshot_path => "../../snapshots/explore", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("linsrch", exploration_text(&exploration));
    });
    let leaves = exploration
        .tree
        .nodes
        .iter()
        .filter(|node| node.ending == CompactEnding::End);
    assert_eq!(leaves.count(), 2);
    assert_eq!(exploration.statistics.failed_leaves, 0);
}

#[test]
fn an_error_behind_many_iterations_takes_a_few_states() {
    let program = parse(
        "?- I = 0, loop(I, N).
         loop(I, N) :- I < N, loop(I + 1, N).
         loop(I, N) :- I >= N, I = 200000, error.",
    );
    let (word, exploration) = explored(&program);
    assert_eq!(word, "reachable");
    assert!(exploration.statistics.states < 10);
    let Finding::Reachable(derivation) = &exploration.finding else {
        panic!("it is reachable");
    };
    assert_eq!(derivation.length(), 200_002);
}

#[test]
fn a_step_that_misses_the_target_is_found_out() {
    let (word, exploration) = explored(&parse(
        "?- loop(0, N).
         loop(I, N) :- I < N, loop(I + 4, N).
         loop(I, N) :- I >= N, I = 15, error.",
    ));
    assert_eq!((word, exploration.statistics.failed_leaves), ("unreachable", 0));
}

#[test]
fn two_loops_that_never_meet() {
    let (word, _) = explored(&parse(
        "?- first(0, 0, N).
         first(I, J, N) :- I < N, first(I + 4, J, N).
         first(I, J, N) :- I >= N, second(I, J).
         second(I, J) :- I \\= J + 7, second(I, J + 2).
         second(I, J) :- I = J + 7, error.",
    ));
    assert_eq!(word, "unreachable");
}

#[test]
fn what_a_loop_writes_is_read_by_the_next() {
    let source = |last: &str| {
        format!(
            "?- N >= 0, fill(A, 0, N).
             fill(A, I, N) :- I < N, fill(store(A, I, 2*I), I + 1, N).
             fill(A, I, N) :- I >= N, look(A, 0, N).
             look(A, J, N) :- J < N, A[J] {last}, error.
             look(A, J, N) :- J < N, look(A, J + 1, N)."
        )
    };
    assert_eq!(explored(&parse(&source("\\= 2*J"))).0, "unreachable");
    assert_eq!(explored(&parse(&source("= 40"))).0, "reachable");
}

#[test]
fn inputs_of_every_iteration_are_remembered() {
    // Each turn reads a value; the error needs the seventh one to be the only negative one.
    let (word, exploration) = explored(&parse(
        "?- loop(0).
         loop(I) :- V >= 0, loop(I + 1).
         loop(I) :- V < 0, I = 6, error.",
    ));
    assert_eq!(word, "reachable");
    assert!(exploration.statistics.states < 10);
}

#[test]
fn a_covered_state_closes_an_endless_tree() {
    let source = "
        ?- X >= 0, loop(X).
        loop(X) :- X > 0, loop(X - 1).
        loop(X) :- X > 0, loop(X - 2).
        loop(X) :- X < -1, error.";
    assert_eq!(explored(&parse(source)).0, "unreachable");
}

#[test]
fn a_predicate_can_be_the_target() {
    let program = example("002-linsrch.clp");
    let target = with_target(&program, "e").expect("there is such a predicate");
    assert_eq!(explored(&target).0, "reachable");
    let wrong = with_target(&program, "nowhere").expect_err("there is none");
    assert!(wrong.contains("there is no predicate `nowhere`"));
}

#[test]
fn powers_and_sums_are_exact() {
    let source = |test: &str| {
        format!(
            "?- loop(0, 1, 0).
             loop(I, P, S) :- I < 10, loop(I + 1, 2*P, S + I).
             loop(I, P, S) :- I >= 10, {test}, error."
        )
    };
    assert_eq!(explored(&parse(&source("P = 1024, S = 45"))).0, "reachable");
    assert_eq!(explored(&parse(&source("P \\= 1024"))).0, "unreachable");
    assert_eq!(explored(&parse(&source("S \\= 45"))).0, "unreachable");
}

/// Counting up with a wrap that is never reached: whoever takes both ways together has to find that out by induction, while each
/// way alone is a progression.
const WRAPS: &str = "
    ?- N >= 0, N =< 4294967295, loop(N, N, 0).
    loop(N, X, Y) :- X > 0, Y < 4294967295, loop(N, X - 1, Y + 1).
    loop(N, X, Y) :- X > 0, Y >= 4294967295, loop(N, X - 1, Y - 4294967295).
    loop(N, X, Y) :- X =< 0, N \\= Y, error.";

#[test]
fn what_one_method_does_not_decide_another_may() {
    let program = parse(WRAPS);
    let (word, exploration) = explored(&program);
    assert_eq!(word, "unreachable");
    assert_eq!(exploration.method.to_string(), "separate templates, directed");
    assert_eq!(exploration.statistics.attempts, 2);
    let (_, again) = explored(&program);
    let cost = |exploration: &Exploration| {
        let statistics = &exploration.statistics;
        (statistics.attempts, statistics.states, statistics.solver.queries)
    };
    assert_eq!(
        cost(&exploration),
        cost(&again),
        "shares are counts, so that every run is the same"
    );
}

#[test]
fn a_method_that_is_asked_for_stays_alone() {
    // Endless without templates.
    let program = parse("?- loop(0, N). loop(I, N) :- I < N, loop(I + 1, N). loop(I, N) :- I >= N, I < 0, error.");
    let mut options = ExploreOptions {
        templates: false,
        covering: false,
        ..ExploreOptions::default()
    };
    options.budget.states = Some(3000);
    let exploration = explore(&program, &options);
    assert_eq!(word(&program, &exploration), "unknown");
    assert_eq!(exploration.statistics.attempts, 1);
    assert!(exploration.statistics.states > 3000, "no share ends it before");
}

/// Collatz' sequence from 27 needs 111 steps: no template says so, and going there is easy.
#[test]
fn what_is_determined_is_executed() {
    let source = |steps: u32| {
        format!(
            "?- collatz(27, 0).
             collatz(X, N) :- X > 1, X mod 2 = 0, collatz(X div 2, N + 1).
             collatz(X, N) :- X > 1, X mod 2 = 1, collatz(3 * X + 1, N + 1).
             collatz(X, N) :- X = 1, N = {steps}, error."
        )
    };
    assert_eq!(explored(&parse(&source(111))).0, "reachable");
    assert_eq!(explored(&parse(&source(110))).0, "unreachable");
}

/// Five thousand elements have to be right: more than are mentioned one by one.
#[test]
fn iterations_may_be_too_many_to_be_written_out() {
    let (word, exploration) = explored(&parse(
        "?- loop(0, A, X).
         loop(I, A, X) :- I < 5000, A[I] > 5, A[I] \\= X, loop(I + 1, A, X).
         loop(I, A, X) :- I >= 5000, X > 0, error.",
    ));
    assert_eq!(word, "reachable");
    assert!(exploration.statistics.states < 10);
}

/// What a loop does in phases is known exactly, and how the templates say so.
#[test]
fn ways_in_a_fixed_order_are_phases() {
    let options = ExploreOptions {
        alternatives: false,
        ..ExploreOptions::default()
    };
    let found = |name: &str, was: &str, test: &str| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("clp-programs/explore");
        let source = std::fs::read_to_string(file.join(name)).expect("the example is there");
        assert!(source.contains(was));
        let program = parse(&source.replace(was, test));
        let exploration = explore(&program, &options);
        assert_eq!(exploration.statistics.failed_leaves, 0);
        (word(&program, &exploration), exploration.statistics.states)
    };
    let sums = |test: &str| found("first-x-then-y.clp", "2*X + Y \\= 2*N", test);
    let times = |test: &str| found("fill-wait-drain.clp", "T \\= C + 10", test);
    // First X goes up, then Y.
    assert_eq!(sums("2*X + Y \\= 2*N"), ("unreachable", 2));
    assert_eq!(sums("X = 500, Y = 400"), ("reachable", 3));
    assert_eq!(sums("X = 500, Y = 401"), ("unreachable", 2));
    // Five ways, one after the other.
    assert_eq!(times("T \\= C + 10"), ("unreachable", 2));
    assert_eq!(times("T = 2010"), ("reachable", 3));
    for name in ["first-x-then-y", "fill-wait-drain"] {
        let exploration = explore(&example(&format!("{name}.clp")), &options);
        insta::with_settings!({ snapshot_path => "../../snapshots/explore", prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(name, exploration_text(&exploration));
        });
    }
}

/// A loop in a loop: the inner one is a step of the outer one.
#[test]
fn inner_loops_that_run_a_known_number_of_times_are_steps() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("clp-programs/explore/rows-and-columns.clp");
    let source = std::fs::read_to_string(file).expect("the example is there");
    let found = |change: &dyn Fn(String) -> String| {
        let program = parse(&change(source.clone()));
        let (word, exploration) = explored(&program);
        (word, exploration.statistics.states)
    };
    assert_eq!(found(&|source| source), ("unreachable", 2));
    // Fifty rows of a thousand columns; the run goes through all of them.
    let test = |test: &str| found(&|source| source.replace("S \\= N*M", test));
    assert_eq!(test("S = 50000, M = 1000"), ("reachable", 3));
    assert_eq!(test("S = 50001, M = 1000"), ("unreachable", 2));
    // Every third column; there is one more where the number is no multiple of three.
    let thirds = |test: &str| found(&|source| source.replace("J + 1", "J + 3").replace("S \\= N*M", test));
    assert_eq!(thirds("M = 10, S \\= 4*N"), ("unreachable", 2));
    assert_eq!(thirds("M = 9, N = 7, S = 21"), ("reachable", 3));
    let exploration = explore(&example("rows-and-columns.clp"), &ExploreOptions::default());
    insta::with_settings!({ snapshot_path => "../../snapshots/explore", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("rows-and-columns", exploration_text(&exploration));
    });
}

/// What comes before a loop whose ways alternate is a phase of its own.
#[test]
fn a_phase_may_have_several_ways() {
    let source = |test: &str| {
        format!(
            "?- loop(0, 0, 0, M).
             loop(I, X, Y, M) :- I < M, loop(I + 1, X + 3, Y, M).
             loop(I, X, Y, M) :- I >= M, X > 0, V = 0, loop(I, X - 1, Y + 1, M).
             loop(I, X, Y, M) :- I >= M, X > 0, V = 1, loop(I, X - 1, Y - 1, M).
             loop(I, X, Y, M) :- I >= M, X =< 0, {test}, error."
        )
    };
    assert_eq!(explored(&parse(&source("Y > 3 * I"))).0, "unreachable");
    assert_eq!(explored(&parse(&source("I = 2, Y = -4"))).0, "reachable");
}

/// The run into the error has a million steps; a limit of time holds while they are written down and replayed, too.
#[test]
fn following_a_long_run_keeps_the_limit_of_time() {
    let program = parse(
        "?- I = 0, loop(I, A, N).
         loop(I, A, N) :- I < 1000000, loop(I + 1, store(A, I, V), N).
         loop(I, A, N) :- I >= 1000000, A[N] = 7, error.",
    );
    let mut options = ExploreOptions::default();
    options.budget.time = Some(std::time::Duration::from_secs(1));
    let started = std::time::Instant::now();
    let exploration = explore(&program, &options);
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
    assert_ne!(word(&program, &exploration), "unreachable");
    assert_eq!(exploration.statistics.failed_leaves, 0);
}
