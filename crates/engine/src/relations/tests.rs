//! Verdicts beside deriving everything over small domains, and projection beside what it has to be.

use super::implicant::implicant;
use super::projection::project;
use super::*;
use crate::engine::Budget;
use crate::evidence::{CheckLimits, check_certificate, replay};
use crate::random::Generator;
use crate::solver::{Answer, AssumptionSolver};
use crate::steps::model::Model;
use crate::terms::{Rational, SortId, TermId, Terms, Theory};
use crate::test_support::small_domain::{random_program, reaches_error};

fn verified(source: &str) -> Outcome {
    let program = crate::clp::read_with_calls(source).product.expect("no mistake in it");
    verify(&program, &Options::default())
}

#[test]
fn verdicts_agree_with_deriving_everything() {
    let mut random = Generator(23);
    let options = Options {
        budget: Budget {
            states: Some(2_000),
            ..Default::default()
        },
        ..Options::default()
    };
    let (mut safe, mut wrong, mut unknown) = (0, 0, 0);
    for number in 0..120 {
        let program = random_program(&mut random, number % 2 == 0);
        let expected = reaches_error(&program);
        match verify(&program, &options).verdict {
            Verdict::Safe(certificate) => {
                assert!(!expected, "program {number} reaches the error");
                check_certificate(&program, &certificate, CheckLimits::default()).expect("a proof");
                safe += 1;
            }
            Verdict::Unsafe(derivation) => {
                replay(&program, &derivation).expect("a run");
                wrong += 1;
            }
            Verdict::Unknown(reason) => {
                assert_eq!(reason, StopReason::States, "program {number}");
                unknown += 1;
            }
        }
    }
    assert!(safe > 20 && wrong > 20 && unknown < 6, "{safe} {wrong} {unknown}");
}

#[test]
fn relations_with_boolean_inputs_are_not_split() {
    // Sixteen inputs, each of which may raise one of two counters: 65,536 paths through one rule.
    let inputs: Vec<String> = (0..16).map(|input| format!("(I{input} = 0 ; I{input} = 1)")).collect();
    let sum: Vec<String> = (0..16).map(|input| format!("I{input}")).collect();
    let source = format!(
        "?- turn(0, 0). turn(X, Y) :- {}, turn(X + {}, Y + 16). turn(X, Y) :- X > Y, error.",
        inputs.join(", "),
        sum.join(" + ")
    );
    assert!(matches!(verified(&source).verdict, Verdict::Safe(_)));
    let wrong = source.replace("X > Y", "X > Y - 3, Y > 40");
    assert!(matches!(verified(&wrong).verdict, Verdict::Unsafe(_)));
}

fn by_induction(source: &str) -> Verdict {
    let program = crate::clp::read_with_calls(source).product.expect("no mistake in it");
    verify_by_induction(&program, &Options::default()).verdict
}

#[test]
fn what_one_step_keeps_from_the_beginning_on_helps_induction() {
    // However many steps are looked at, N might be below zero.
    let verdict = by_induction("?- sums(0, 0). sums(N, X) :- sums(N + 1, X + N). sums(N, X) :- X < 0, error.");
    let Verdict::Safe(certificate) = verdict else {
        panic!("{verdict:?}")
    };
    assert!(certificate.induction_depth <= 5);
}

#[test]
fn the_shortest_way_into_the_error_is_found() {
    let verdict = by_induction(
        "?- turn(0, 0, 1).
         turn(X, Y, Z) :- (X1 = X + 3 ; X1 = X + 5), turn(X1, Y + 1, Z).
         turn(X, Y, Z) :- X = 41 * Z, error.",
    );
    let Verdict::Unsafe(derivation) = verdict else {
        panic!("{verdict:?}")
    };
    // 41 is seven times five and twice three.
    assert_eq!(derivation.steps.len(), 1 + 9 + 1);
}

#[test]
fn what_recurs_through_calls_is_not_unrolled() {
    let verdict = by_induction(
        "?- f(3, X), X < 0, error. f(N, X) :- N =< 0, X = 0. f(N, X) :- N > 0, f(N - 1, Y), f(N - 2, Z), X = Y + Z.",
    );
    assert!(
        matches!(verdict, Verdict::Unknown(StopReason::NotSupported(_))),
        "{verdict:?}"
    );
}

#[test]
fn reals_are_not_rounded() {
    let source = "?- X = 0.5, half(X). half(X) :- half(X / 2). half(X) :- X =< 0, error.";
    assert!(matches!(verified(source).verdict, Verdict::Safe(_)));
    let wrong = "?- X = 0.5, half(X). half(X) :- half(X / 2). half(X) :- X < 0.1, error.";
    assert!(matches!(verified(wrong).verdict, Verdict::Unsafe(_)));
}

#[test]
fn limits_hold() {
    let source = "?- p(0, 1). p(X, Y) :- p(X + Y, Y + 1). p(X, Y) :- X * X = 7 * Y * Y + 3, error.";
    let program = crate::clp::read(source).product.expect("no mistake in it");
    let options = Options {
        budget: Budget {
            states: Some(50),
            query_resources: 100_000,
            ..Default::default()
        },
        ..Options::default()
    };
    let outcome = verify(&program, &options);
    assert!(matches!(
        outcome.verdict,
        Verdict::Unknown(StopReason::States | StopReason::SolverGaveUp(_))
    ));
}

/// A random formula over the variables, with remainders, quotients and branches.
fn formula(terms: &mut Terms, variables: &[TermId], flags: &[TermId], random: &mut Generator, depth: u32) -> TermId {
    match random.below(if depth == 0 { 3 } else { 6 }) {
        0 => flags[random.below(flags.len() as u64) as usize],
        1 | 2 => {
            let (left, right) = (
                term(terms, variables, flags, random, 2),
                term(terms, variables, flags, random, 1),
            );
            match random.below(3) {
                0 => terms.equal(left, right),
                1 => terms.less(left, right),
                _ => terms.less_or_equal(left, right),
            }
        }
        3 => {
            let inner = formula(terms, variables, flags, random, depth - 1);
            terms.not(inner)
        }
        kind => {
            let parts: Vec<TermId> = (0..2 + random.below(2))
                .map(|_| formula(terms, variables, flags, random, depth - 1))
                .collect();
            if kind == 4 { terms.and(&parts) } else { terms.or(&parts) }
        }
    }
}

fn term(terms: &mut Terms, variables: &[TermId], flags: &[TermId], random: &mut Generator, depth: u32) -> TermId {
    let sort = terms.sort(variables[0]);
    let mut number = |terms: &mut Terms, from: i64, to: i64| {
        let value = from + random.below((to - from) as u64) as i64;
        terms.number(Rational::from_integer(value.into()), sort)
    };
    let (small, divisor) = (number(terms, -4, 5), number(terms, 2, 4));
    let variable = variables[random.below(variables.len() as u64) as usize];
    let scaled = terms.multiply(small, variable);
    let other = match depth {
        0 => small,
        _ => term(terms, variables, flags, random, depth - 1),
    };
    let sum = terms.add(scaled, other);
    match random.below(8) {
        0 if sort == SortId::INT => terms.modulo(sum, divisor),
        1 if sort == SortId::INT => terms.integer_divide(sum, divisor),
        2 => {
            let flag = flags[random.below(flags.len() as u64) as usize];
            terms.if_then_else(flag, sum, other)
        }
        _ => sum,
    }
}

/// Random formulas and models of them: what is projected holds in the model, speaks of what is kept alone, and each of its
/// solutions (some are tried) can be completed to one of the formula.
fn projections(sort: SortId, count: u64) {
    let mut random = Generator(5);
    let mut tried = 0;
    for round in 0..count {
        let mut terms = Terms::new();
        let variables: Vec<TermId> = (0..4).map(|_| terms.fresh_variable("X", sort)).collect();
        let flags: Vec<TermId> = (0..3).map(|_| terms.fresh_variable("B", SortId::BOOL)).collect();
        let whole = formula(&mut terms, &variables, &flags, &mut random, 3);
        let mut solver = AssumptionSolver::new(Theory::General, 2_000_000);
        solver.assert(&terms, whole);
        if solver.check(&terms, &[]) != Answer::Satisfiable {
            continue;
        }
        let all: Vec<TermId> = variables.iter().chain(&flags).copied().collect();
        let mut model = Model::new(solver.model(&terms, &all).expect("exact values"));
        let literals = implicant(&mut terms, &[whole], &mut model).expect("values for everything");
        for literal in &literals {
            assert_eq!(model.holds(&terms, *literal), Some(true), "round {round}");
        }
        let kept = [variables[0], variables[1], flags[0]];
        let keep = |variable: TermId| kept.contains(&variable);
        let projected = project(&mut terms, &literals, &mut model, &keep).expect("values for everything");
        let projected = terms.and(&projected);
        assert_eq!(model.holds(&terms, projected), Some(true), "round {round}");
        assert!(terms.variables(projected).into_iter().all(keep), "round {round}");
        // Points of the projection, the first anywhere and others away from it.
        let mut points = AssumptionSolver::new(Theory::General, 2_000_000);
        points.assert(&terms, projected);
        for _ in 0..4 {
            if points.check(&terms, &[]) != Answer::Satisfiable {
                break;
            }
            let point = points.model(&terms, &kept).expect("exact values");
            let mut at_point = AssumptionSolver::new(Theory::General, 2_000_000);
            at_point.assert(&terms, whole);
            for variable in kept {
                let sort_of = terms.sort(variable);
                let value = terms.value_term(&point[&variable], sort_of);
                let equal = terms.equal(variable, value);
                at_point.assert(&terms, equal);
                if variable == kept[0] {
                    let other = terms.not(equal);
                    points.assert(&terms, other);
                }
            }
            assert_ne!(at_point.check(&terms, &[]), Answer::Unsatisfiable, "round {round}");
            tried += 1;
        }
    }
    assert!(tried > count, "{tried} points");
}

#[test]
fn projections_of_integers_are_implicants_of_the_projection() {
    projections(SortId::INT, 300);
}

#[test]
fn projections_of_reals_are_implicants_of_the_projection() {
    projections(SortId::REAL, 300);
}
