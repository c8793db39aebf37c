//! The worked examples of seed 000, as snapshots: before generalization and after it.

use super::support::{compressed_c, compressed_rules, example, listing, number};
use clausal::compress::{Listing, Options, Representation, Target, Trace, compress, text};
use clausal::engine::OfferedCandidates;
use clausal::rules::PredicateId;

fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/compress");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

/// Before generalization, and after it.
fn both(compressed: &dyn Fn(&Options) -> Listing) -> String {
    let options = Options::default();
    let strong = Options {
        generalize: false,
        ..Options::default()
    };
    format!(
        "Discovered\n\n{}\nGeneralized\n\n{}",
        text(&compressed(&strong)),
        text(&compressed(&options))
    )
}

#[test]
fn motivating_loop() {
    let program = example("two-counters.c");
    let shown = both(&|options| compressed_c(&program, "j >= n", &[("n", 100)], options));
    settings().bind(|| insta::assert_snapshot!("two-counters", shown));
}

#[test]
fn for_bounded_loop() {
    let program = example("read-again.c");
    let shown = both(&|options| compressed_c(&program, "x != 0 && err != 1", &[("y", 5)], options));
    settings().bind(|| insta::assert_snapshot!("read-again", shown));
}

#[test]
fn nested_loops_in_c() {
    let program = example("nested.c");
    let shown = both(&|options| compressed_c(&program, "y >= 0", &[], options));
    settings().bind(|| insta::assert_snapshot!("nested-c", shown));
}

/// The seed's Fig. 2, with slackening as in the seed and with what this crate adds to it.
#[test]
fn nested_loops_in_rules() {
    let source = example("nested.clp");
    let compressed = |options: &Options| {
        let (program, trace, compression) = compressed_rules(&source, 0, options);
        listing(&program, &trace, &compression)
    };
    let shown = both(&compressed);
    settings().bind(|| insta::assert_snapshot!("nested-rules", shown));
    let shown = both(&|options| {
        compressed(&Options {
            representation: Representation::Slackened,
            ..options.clone()
        })
    });
    settings().bind(|| insta::assert_snapshot!("nested-rules-slackened", shown));
}

/// Another source than the state itself: a formula that somebody offers is used if it is invariant, and only then.
#[test]
fn offered_candidates_are_tested() {
    let source = "?- N >= 0, loop(0, 0, N).
        loop(I, J, N) :- I =\\= N, loop(I + 1, J + 2, N).
        loop(I, J, N) :- I = N, last(J, N).
        last(J, N) :- J >= N, error.";
    let mut program = clausal::clp::read(source).product.expect("no mistake in it");
    let header = program
        .predicates()
        .iter()
        .position(|predicate| predicate.name == "loop");
    let header = PredicateId::from_index(header.expect("it is there"));
    let [i, j, n] = program.predicate(header).parameters[..] else {
        panic!("three parameters");
    };
    let (useful, wrong) = (program.terms.less_or_equal(i, j), program.terms.less_or_equal(j, n));
    let trace = Trace::record(&program, None, &mut |_| Some(number(20)), 1_000).expect("it can be run");
    let compressed = |offered: OfferedCandidates| {
        let options = Options {
            representation: Representation::Plain,
            offered,
            ..Options::default()
        };
        compress(&program, &trace, &Target::Error, &options).expect("the target is implied")
    };
    // Without it every iteration stays.
    assert!(compressed(OfferedCandidates::default()).invariants.is_empty());
    let mut offered = OfferedCandidates::default();
    offered.offer(header, wrong);
    offered.offer(header, useful);
    let found = compressed(offered);
    assert_eq!(found.invariants.len(), 1);
    assert_eq!(found.invariants[0].formulas, [useful]);
}
