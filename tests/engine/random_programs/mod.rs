//! The engine against running: random programs, what running them shows, and what the engine says of them.
//!
//! `examples/random_programs.rs` does the same for any number of programs, and with Z3's Spacer beside.

mod agreement;
mod arrays;
mod calls;
mod generator;
mod oracle;
mod terms;

use agreement::{Comparison, compare};
use clausal::rules::{DependencyGraph, PredicateId};
use oracle::{Limits, observe};

const LIMITS: Limits = Limits {
    goals: 400,
    assignments: 20_000,
};

/// Compares some programs; every sixth of them is verified again in other guises.
fn compare_all(seeds: std::ops::Range<u64>) {
    let mut failures = Vec::new();
    let (mut settled, mut compared) = (0, 0);
    for seed in seeds.clone() {
        let comparison = Comparison {
            states: 200,
            unrollings: 20,
            time: None,
            limits: LIMITS,
            recheck: true,
            again: seed % 6 == 0,
        };
        match compare(seed, comparison) {
            Ok(agreement) => {
                let known = agreement.verdicts[0] != "unknown";
                settled += u64::from(known);
                compared += u64::from(known && agreement.observed != "unknown");
            }
            Err(why) => failures.push(why),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let count = seeds.end - seeds.start;
    // If hardly anything is known of either side, agreement means nothing.
    assert!(settled * 10 >= count * 7, "only {settled} of {count} are settled");
    assert!(compared * 10 >= count * 6, "only {compared} of {count} are compared");
}

#[test]
fn the_first_half_agrees_with_running() {
    compare_all(0..150);
}

#[test]
fn the_second_half_agrees_with_running() {
    compare_all(150..300);
}

#[test]
fn the_generator_makes_programs_of_all_kinds() {
    let (mut safe, mut unsafe_, mut loops, mut nested) = (0, 0, 0, 0);
    for seed in 0..300 {
        let text = generator::generate(seed);
        assert_eq!(text, generator::generate(seed));
        let reading = clausal::clp::read(&text);
        let program = reading.product.unwrap_or_else(|| panic!("seed {seed}:\n{text}"));
        match observe(&program, LIMITS) {
            oracle::Observation::Safe => safe += 1,
            oracle::Observation::Unsafe(_) => unsafe_ += 1,
            oracle::Observation::Unknown => {}
        }
        let graph = DependencyGraph::new(&program);
        let headers = (0..program.predicates().len())
            .map(PredicateId::from_index)
            .filter(|predicate| graph.is_reachable(*predicate) && graph.is_loop_header(*predicate));
        let headers: Vec<PredicateId> = headers.collect();
        loops += usize::from(!headers.is_empty());
        let pairs = headers.iter().flat_map(|a| headers.iter().map(move |b| (a, b)));
        nested += usize::from(pairs.into_iter().any(|(a, b)| a != b && graph.same_loop(*a, *b)));
    }
    let counts = format!("{safe} safe, {unsafe_} unsafe, {loops} with loops, {nested} with nested loops");
    assert!(safe >= 60 && unsafe_ >= 60 && loops >= 200 && nested >= 30, "{counts}");
}

#[test]
fn the_oracle_knows_what_it_has_not_seen() {
    let observed = |text: &str| {
        let program = clausal::clp::read(text).product.expect("a well-formed text");
        match observe(&program, LIMITS) {
            oracle::Observation::Safe => "safe",
            oracle::Observation::Unsafe(_) => "unsafe",
            oracle::Observation::Unknown => "unknown",
        }
    };
    assert_eq!(observed("?- X >= 0, X =< 3, p(X). p(X) :- X > 3, error."), "safe");
    assert_eq!(observed("?- X >= 0, p(X). p(X) :- X < 0, error."), "unknown");
    assert_eq!(observed("?- X >= 0, p(X). p(X) :- X > 2, error."), "unsafe");
    assert_eq!(observed("?- p(0). p(X) :- p(X + 1). p(X) :- X < 0, error."), "unknown");
    assert_eq!(observed("?- p(6). p(2*X) :- p(X). p(X) :- X = 3, error."), "unsafe");
    assert_eq!(observed("?- p(6). p(2*X) :- p(X). p(X) :- X = 2, error."), "safe");
    assert_eq!(
        observed("?- R > 0.0, R < 0.5, p(R). p(R) :- R = 0.25, error."),
        "unknown"
    );
}

#[test]
fn programs_over_terms_agree_with_all_small_derivations() {
    let mut failures = Vec::new();
    let (mut with_error, mut known) = (0, 0);
    for seed in 0..300 {
        // What takes longer is left open; what is said within this time has to be right.
        match terms::compare(seed, std::time::Duration::from_millis(400)) {
            Ok((has_error, is_safe)) => {
                with_error += u64::from(has_error);
                known += u64::from(is_safe.is_some());
            }
            Err(why) => failures.push(why),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(with_error >= 30, "only {with_error} have errors");
    assert!(known >= 30, "only {known} are decided");
}

#[test]
fn programs_with_calls_agree_with_everything_that_can_be_derived() {
    let mut failures = Vec::new();
    let (mut with_error, mut recurring, mut known) = (0, 0, 0);
    for seed in 0..200 {
        match calls::compare(seed, std::time::Duration::from_secs(5)) {
            Ok((has_error, recurs, is_safe)) => {
                with_error += u64::from(has_error);
                recurring += u64::from(recurs);
                known += u64::from(is_safe.is_some());
            }
            Err(why) => failures.push(why),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(with_error >= 30, "only {with_error} have errors");
    assert!(recurring >= 50, "only {recurring} recur");
    assert!(known >= 150, "only {known} are decided");
}

#[test]
fn programs_over_arrays_agree_with_all_their_runs() {
    let mut failures = Vec::new();
    let (mut with_error, mut without, mut known) = (0, 0, 0);
    for seed in 0..120 {
        // What takes longer is left open; what is said within this time has to be right.
        match arrays::compare(seed, std::time::Duration::from_millis(400)) {
            Ok((observed, is_safe)) => {
                with_error += u64::from(observed == arrays::Observed::Error);
                without += u64::from(observed == arrays::Observed::None);
                known += u64::from(is_safe.is_some());
            }
            Err(why) => failures.push(why),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(
        with_error >= 20 && without >= 20,
        "{with_error} with errors, {without} without"
    );
    assert!(known >= 12, "only {known} are decided");
}
