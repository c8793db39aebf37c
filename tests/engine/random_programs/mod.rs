//! The engine against running: random programs, what running them shows, and what the engine says of them.
//!
//! `examples/random_programs.rs` does the same for any number of programs, and with Z3's Spacer beside.

mod agreement;
mod arrays;
mod calls;
mod generator;
mod oracle;
mod terms;

use crate::together;
use agreement::{Comparison, compare};
use clausal::rules::{DependencyGraph, PredicateId};
use oracle::{Limits, observe};
use std::ops::Range;
use std::time::Duration;

/// What comparing each of these programs came to. Panics with the reasons if any disagree.
fn all_agree<R: Send>(seeds: Range<u64>, compare: impl Fn(u64) -> Result<R, String> + Sync) -> Vec<R> {
    let seeds: Vec<u64> = seeds.collect();
    let (mut found, mut failures) = (Vec::new(), Vec::new());
    for one in together::each(&seeds, |_, seed| compare(*seed)) {
        match one {
            Ok(agreement) => found.push(agreement),
            Err(why) => failures.push(why),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    found
}

const LIMITS: Limits = Limits {
    goals: 400,
    assignments: 20_000,
};

/// Every sixth program is verified again in other guises.
fn agrees_with_running(seeds: Range<u64>) {
    let found = all_agree(seeds, |seed| {
        let comparison = Comparison {
            states: 200,
            unrollings: 20,
            time: None,
            limits: LIMITS,
            recheck: true,
            again: seed % 6 == 0,
        };
        compare(seed, comparison)
    });
    let settled = found.iter().filter(|agreement| agreement.verdicts[0] != "unknown");
    let compared = settled.clone().filter(|agreement| agreement.observed != "unknown");
    let (settled, compared) = (settled.count(), compared.count());
    // If hardly anything is known of either side, agreement means nothing.
    assert!(settled * 10 >= found.len() * 7, "only {settled} are settled");
    assert!(compared * 10 >= found.len() * 6, "only {compared} are compared");
}

#[test]
fn the_first_half_agrees_with_running() {
    agrees_with_running(0..150);
}

#[test]
fn the_second_half_agrees_with_running() {
    agrees_with_running(150..300);
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
    // What takes longer is left open; what is said within this time has to be right.
    let found = all_agree(0..300, |seed| terms::compare(seed, Duration::from_millis(400)));
    let with_error = found.iter().filter(|(has_error, _)| *has_error).count();
    let known = found.iter().filter(|(_, is_safe)| is_safe.is_some()).count();
    assert!(with_error >= 30, "only {with_error} have errors");
    assert!(known >= 30, "only {known} are decided");
}

#[test]
fn programs_with_calls_agree_with_everything_that_can_be_derived() {
    let found = all_agree(0..200, |seed| calls::compare(seed, Duration::from_secs(5)));
    let with_error = found.iter().filter(|(has_error, ..)| *has_error).count();
    let recurring = found.iter().filter(|(_, recurs, _)| *recurs).count();
    let known = found.iter().filter(|(.., is_safe)| is_safe.is_some()).count();
    assert!(with_error >= 30, "only {with_error} have errors");
    assert!(recurring >= 50, "only {recurring} recur");
    assert!(known >= 150, "only {known} are decided");
}

#[test]
fn programs_over_arrays_agree_with_all_their_runs() {
    // What takes longer is left open; what is said within this time has to be right.
    let found = all_agree(0..120, |seed| arrays::compare(seed, Duration::from_millis(400)));
    let of = |wanted: arrays::Observed| found.iter().filter(|(observed, _)| *observed == wanted).count();
    let (with_error, without) = (of(arrays::Observed::Error), of(arrays::Observed::None));
    let known = found.iter().filter(|(_, is_safe)| is_safe.is_some()).count();
    assert!(
        with_error >= 20 && without >= 20,
        "{with_error} with errors, {without} without"
    );
    assert!(known >= 12, "only {known} are decided");
}
