//! Linear rules and the rules they were made of, compared by deriving everything over a small domain; and what is refused.

use super::super::small_domain::{random_program, reaches_error};
use super::*;
use crate::clp;
use crate::random::Generator;

#[test]
fn linear_rules_derive_what_the_rules_do() {
    let mut random = Generator(7);
    let (mut errors, mut calls) = (0, 0);
    for number in 0..60 {
        let program = random_program(&mut random, false);
        calls += program.has_calls() as usize;
        let expected = reaches_error(&program);
        let mut linear = program.clone();
        linearize(&mut linear).expect("no recursion by calls");
        assert!(linear.rules().iter().all(|rule| rule.body.len() <= 1));
        let texts =
            |program: &Program| -> Vec<String> { program.rules().iter().map(|rule| program.rule_text(rule)).collect() };
        assert_eq!(
            reaches_error(&linear),
            expected,
            "{number}: {:#?} became {:#?}",
            texts(&program),
            texts(&linear)
        );
        errors += expected as usize;
    }
    assert!(
        (10..50).contains(&errors) && calls > 40,
        "{errors} errors, {calls} with calls"
    );
}

fn linear_text(source: &str) -> String {
    let program = clp::read(source).product.expect("linear after all");
    clp::print(&program)
}

#[test]
fn loops_are_copied_for_what_comes_after_them() {
    let text = linear_text(
        "?- N >= 0, sum(N, S), less(S, T), sum(T, U), U < S, error.
        sum(N, S) :- N = 0, S = 0.
        sum(N, S) :- N > 0, sum(N - 1, R), S = R + N.
        less(X, Y) :- Y < X.
        less(X, Y) :- Y < X - 10.",
    );
    insta::assert_snapshot!(text, @r"
    ?- N >= 0, S >= U + 1, sum_then_less_then_sum_then_error(N, S, S, T, T, U).

    sum_then_error(N, S) :- N = 0, S = 0, error.
    sum_then_error(N, S) :- N >= 1, N + R = S, sum_then_error(N - 1, R).

    less_then_sum_then_error(X, Y, N, S) :- X >= Y + 1, sum_then_error(N, S).
    less_then_sum_then_error(X, Y, N, S) :- X >= Y + 11, sum_then_error(N, S).

    sum_then_less_then_sum_then_error(N, S, X, Y, N1, S1) :-
        N = 0,
        S = 0,
        less_then_sum_then_error(X, Y, N1, S1).
    sum_then_less_then_sum_then_error(N, S, X, Y, N1, S1) :-
        N >= 1,
        N + R = S,
        sum_then_less_then_sum_then_error(N - 1, R, X, Y, N1, S1).
    ");
}

#[test]
fn what_no_query_calls_is_left_out_with_its_calls() {
    let text = linear_text("?- p(1). p(X) :- X > 1, error. q(X) :- p(X), p(X). r(X) :- p(X).");
    insta::assert_snapshot!(text, @r"
    ?- p(1).

    p(X) :- X >= 2, error.

    r(X) :- p(X).
    ");
}

#[test]
fn recursion_by_a_call_is_refused() {
    let source = "?- p(3). p(X) :- p(X - 1), q(X). q(X) :- X < 0, error.";
    let reading = clp::read(source);
    assert!(reading.product.is_none());
    assert_eq!(
        reading.diagnostics[0].message,
        "recursion by a call that is not the last: `p` calls itself"
    );
}

#[test]
fn calls_that_double_are_limited() {
    let mut source = String::from("?- p0(1), error.\n");
    for level in 0..40 {
        let next = level + 1;
        source.push_str(&format!(
            "p{level}(X) :- p{next}(X), p{next}(X + 1).\np{level}(X) :- p{next}(X), p{next}(X).\n"
        ));
    }
    source.push_str("p40(X) :- X > 0. p40(X) :- X < 0.");
    let reading = clp::read(&source);
    assert!(reading.product.is_none());
    assert_eq!(
        reading.diagnostics[0].message,
        "calls within calls make too many copies of rules"
    );
}

#[test]
fn what_is_put_in_place_of_calls_is_limited() {
    let mut source = String::from("?- p0(1), error.\n");
    for level in 0..60 {
        source.push_str(&format!("p{level}(X) :- p{0}(X), p{0}(X + 1).\n", level + 1));
    }
    source.push_str("p60(X) :- X > 0.");
    let reading = clp::read(&source);
    assert!(reading.product.is_none());
    assert_eq!(
        reading.diagnostics[0].message,
        "calls within calls make too many copies of rules"
    );
}

#[test]
fn a_long_chain_of_calls_needs_no_stack() {
    let mut source = String::from("?- p0(1), error.\n");
    for level in 0..20_000 {
        source.push_str(&format!("p{level}(X) :- p{}(X + 1).\n", level + 1));
    }
    source.push_str("p20000(X) :- X > 0.");
    let program = clp::read(&source).product.expect("a chain");
    assert!(program.rules().len() > 300);
}
