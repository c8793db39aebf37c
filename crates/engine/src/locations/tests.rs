//! Programs that hide their locations in Boolean parameters: split, verified, and told of as they were given.

use super::located;
use crate::engine::{self, Budget, Cancellation, Options, Verdict};
use crate::evidence::{CheckLimits, check_certificate, replay};
use crate::random::Generator;
use crate::relations::finite_tests::{judged, random_program, reaches_error};
use crate::rules::Program;
use crate::steps::budget::BudgetWatch;

/// Up by two and back by two, with the program counter in two bits; `least` is what the error asks of the count at the end.
fn there_and_back(least: i64) -> Program {
    let text = format!(
        "(set-logic HORN)
         (declare-fun state (Bool Bool Int Int) Bool)
         (assert (forall ((A Bool) (B Bool) (X Int) (Y Int))
           (=> (and (not A) (not B) (= X 0) (= Y 0)) (state A B X Y))))
         (assert (forall ((A Bool) (B Bool) (X Int) (Y Int) (C Bool) (D Bool) (V Int) (W Int))
           (=> (and (state A B X Y)
                    (or A B (and (not C) (not D) (= V (+ X 2)) (= W (+ Y 1))) (and (not C) D (= V X) (= W Y)))
                    (or A (not B) (<= X 0) (and (not C) D (= V (- X 2)) (= W (- Y 1))))
                    (or A (not B) (not (<= X 0)) (and C (not D) (= V X) (= W Y)))
                    (or (not A) B (and C D (= V X) (= W Y)))
                    (or (not A) (not B) (and C D (= V X) (= W Y))))
               (state C D V W))))
         (assert (forall ((A Bool) (B Bool) (X Int) (Y Int))
           (=> (and (state A B X Y) A B (< Y {least})) false)))
         (check-sat)"
    );
    crate::horn::read(&text).product.expect("no mistake in it")
}

fn split(program: &Program) -> Option<super::Located> {
    located(program, &Budget::default(), &Cancellation::default())
}

#[test]
fn each_reachable_combination_is_a_location() {
    let program = there_and_back(0);
    let located = split(&program).expect("there are locations");
    let names: Vec<&str> = located
        .program
        .predicates()
        .iter()
        .skip(2)
        .map(|predicate| predicate.name.as_str())
        .collect();
    assert_eq!(names, ["state_00", "state_01", "state_10", "state_11"]);
    let texts: Vec<String> = located
        .program
        .rules()
        .iter()
        .map(|rule| located.program.rule_text(rule))
        .collect();
    // The query, the two loops with their ways out, and behind them.
    assert_eq!(texts.len(), 8, "{texts:#?}");
    assert!(texts.iter().all(|text| !text.contains(';')), "{texts:#?}");
    assert!(located.program.validate().is_ok());
}

#[test]
fn proofs_are_of_the_program_that_was_given() {
    let program = there_and_back(0);
    let located = split(&program).expect("there are locations");
    let outcome = located.verify(&program, &Options::default(), &engine::verify);
    let Verdict::Safe(certificate) = outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    let accepted = check_certificate(&program, &certificate, CheckLimits::default());
    assert!(accepted.is_ok(), "{accepted:?}");
}

#[test]
fn errors_are_of_the_program_that_was_given() {
    let program = there_and_back(1);
    let located = split(&program).expect("there are locations");
    let outcome = located.verify(&program, &Options::default(), &engine::verify);
    let Verdict::Unsafe(derivation) = outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert!(replay(&program, &derivation).is_ok());
}

#[test]
fn what_iterations_change_in_one_direction_tells_phases() {
    let program = crate::clp::read(
        "?- p(0, 0).
         p(X, Y) :- X < 50, Y >= 0, p(X + 1, Y + 1).
         p(X, Y) :- X >= 50, p(X + 1, 0 - Y).
         p(X, Y) :- X = 100, Y > 0, error.",
    );
    let program = program.product.expect("no mistake in it");
    let (budget, cancellation) = (Budget::default(), Cancellation::default());
    let watch = BudgetWatch::start(&budget, &cancellation);
    let phased = super::phased(&program, &watch, &mut 0).expect("there are phases");
    // `X < 50` becomes false, `X = 100` true and false again, and what is said of `Y` changes as it likes.
    let own = &phased.program;
    let names: Vec<&str> = own
        .predicates()
        .iter()
        .skip(2)
        .map(|predicate| predicate.name.as_str())
        .collect();
    assert_eq!(names, ["p_1", "p_0"]);
    let outcome = phased.verify(&program, &Options::default(), &engine::verify);
    assert!(judged(&program, outcome.verdict).is_ok());
}

#[test]
fn many_combinations_are_data() {
    let bits = 9;
    let list = |make: &dyn Fn(usize) -> String| (0..bits).map(make).collect::<Vec<_>>().join(" ");
    let declared = |prefix: &str| list(&|bit| format!("({prefix}{bit} Bool)"));
    let (before, after) = (list(&|bit| format!("A{bit}")), list(&|bit| format!("B{bit}")));
    let text = format!(
        "(set-logic HORN)
         (declare-fun state ({}) Bool)
         (assert (forall ({}) (=> (and {}) (state {before}))))
         (assert (forall ({} {}) (=> (and (state {before}) (or A0 B0)) (state {after}))))
         (assert (forall ({}) (=> (and (state {before}) A0 (not A1)) false)))
         (check-sat)",
        list(&|_| "Bool".to_string()),
        declared("A"),
        list(&|bit| format!("(not A{bit})")),
        declared("A"),
        declared("B"),
        declared("A"),
    );
    let program = crate::horn::read(&text).product.expect("no mistake in it");
    assert!(split(&program).is_none());
}

#[test]
fn programs_without_boolean_parameters_have_no_hidden_locations() {
    let program = crate::clp::read("?- p(0). p(X) :- X < 9, p(X + 1). p(X) :- X > 9, error.").product;
    assert!(split(&program.expect("no mistake in it")).is_none());
}

#[test]
fn verdicts_agree_with_all_states() {
    let mut random = Generator(47);
    let options = Options {
        budget: Budget {
            states: Some(1_000),
            ..Default::default()
        },
        ..Options::default()
    };
    let (mut safe, mut wrong) = (0, 0);
    for number in 0..160 {
        let program = random_program(&mut random, true);
        let Some(located) = split(&program) else { continue };
        let expected = reaches_error(&program);
        for method in [engine::verify, crate::relations::verify] {
            let verdict = located.verify(&program, &options, &method).verdict;
            if let Ok(reaches) = judged(&program, verdict) {
                assert_eq!(reaches, expected, "program {number}: {}", crate::horn::print(&program));
                *(if reaches { &mut wrong } else { &mut safe }) += 1;
            }
        }
    }
    assert!(safe > 10 && wrong > 10, "{safe} {wrong}");
}
