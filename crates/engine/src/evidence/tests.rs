//! Tests of the checkers' refusals: evidence that does not fit its program, steps that do not follow, limits.

use super::*;
use crate::rules::{Atom, PredicateId, Program, Rule, RuleId};
use crate::solver::InterruptWatch;
use crate::terms::{ArrayValue, Rational, SortId, TermId, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

fn number(value: i64) -> Value {
    Value::Number(Rational::from_integer(value.into()))
}

fn atom(predicate: PredicateId, arguments: &[TermId]) -> Atom {
    Atom {
        predicate,
        arguments: arguments.to_vec(),
    }
}

fn rule(head: Atom, constraint: &[TermId], body: Vec<Atom>) -> Rule {
    Rule {
        head,
        constraint: constraint.to_vec(),
        body,
        location: None,
    }
}

struct Counter {
    program: Program,
    p: PredicateId,
    parameter: TermId,
    x: TermId,
}

/// `?- p(0).  p(X) :- X < limit, p(X + 1).  p(X) :- X >= limit, error.`
fn counter(limit: i64) -> Counter {
    let mut program = Program::new();
    let p = program.add_predicate("p", None, &[("X", SortId::INT)]);
    let parameter = program.predicate(p).parameters[0];
    let x = program.terms.fresh_variable("X", SortId::INT);
    let (zero, one, limit) = (
        program.terms.integer(0),
        program.terms.integer(1),
        program.terms.integer(limit),
    );
    let (guard, next) = (program.terms.less(x, limit), program.terms.add(x, one));
    let done = program.terms.not(guard);
    program.add_query(Vec::new(), atom(p, &[zero]), None);
    program.add_rule(rule(atom(p, &[x]), &[guard], vec![atom(p, &[next])]));
    program.add_rule(rule(atom(p, &[x]), &[done], vec![atom(PredicateId::ERROR, &[])]));
    Counter {
        program,
        p,
        parameter,
        x,
    }
}

fn run(counter: &Counter, limit: i64) -> Derivation {
    let step = |rule: usize, values: Vec<(TermId, Value)>| Step {
        rule: RuleId::from_index(rule),
        values,
    };
    let up = (0..limit).map(|value| step(1, vec![(counter.x, number(value))]));
    let last = step(2, vec![(counter.x, number(limit))]);
    let steps = std::iter::once(step(0, Vec::new())).chain(up).chain([last]).collect();
    Derivation::new(steps)
}

fn check(program: &Program, certificate: &Certificate) -> Result<CheckReport, CheckError> {
    check_certificate(program, certificate, CheckLimits::default())
}

fn single(program: &Program, predicate: PredicateId, conjunct: TermId, terms: crate::terms::Terms) -> Certificate {
    assert!(terms.len() >= program.terms.len());
    let disjuncts = vec![vec![conjunct]];
    Certificate::new(terms, vec![Invariant { predicate, disjuncts }])
}

#[test]
fn a_wrong_step_is_named_with_an_example() {
    let counter = counter(5);
    let mut terms = counter.program.terms.clone();
    let four = terms.integer(4);
    let formula = terms.less_or_equal(counter.parameter, four);
    let certificate = single(&counter.program, counter.p, formula, terms);
    let error = check(&counter.program, &certificate).expect_err("the program is unsafe");
    assert_eq!(
        error.to_string(),
        "rule 2, `p(X) :- X =< 4, p(X + 1).`, from disjunct 1 of the invariant of `p`, `X =< 4`, into the invariant of \
         `p` does not hold: consider X = 4"
    );
}

#[test]
fn certificates_about_other_terms_are_refused() {
    let counter = counter(5);
    let malformed = |certificate: &Certificate| match check(&counter.program, certificate) {
        Err(CheckError::Malformed(why)) => why,
        other => panic!("{other:?}"),
    };
    let mut foreign = crate::terms::Terms::new();
    let parameter = foreign.fresh_variable("X", SortId::INT);
    let zero = foreign.integer(0);
    let formula = foreign.less_or_equal(zero, parameter);
    let certificate = Certificate::new(
        foreign,
        vec![Invariant {
            predicate: counter.p,
            disjuncts: vec![vec![formula]],
        }],
    );
    assert!(malformed(&certificate).contains("its terms are not the program's"));

    let terms = counter.program.terms.clone();
    let mut bigger = terms.clone();
    for value in 0..50 {
        bigger.integer(1_000 + value);
    }
    let outside = bigger.integer(1_049);
    assert!(malformed(&single(&counter.program, counter.p, outside, terms.clone())).contains("not in its table"));
    assert!(
        malformed(&single(&counter.program, counter.p, counter.parameter, terms.clone())).contains("not a formula")
    );

    let mut ill_sorted = terms.clone();
    let bad = ill_sorted.select(counter.parameter, TermId::TRUE);
    let bad = ill_sorted.equal(bad, counter.parameter);
    assert!(malformed(&single(&counter.program, counter.p, bad, ill_sorted)).contains("ill sorted"));

    let mut stray = terms.clone();
    let zero = stray.integer(0);
    let formula = stray.less_or_equal(zero, counter.x);
    assert!(malformed(&single(&counter.program, counter.p, formula, stray)).contains("not a parameter"));

    let truth = |predicate| single(&counter.program, predicate, TermId::TRUE, terms.clone());
    assert!(malformed(&truth(PredicateId::ERROR)).contains("can only be false"));
    assert!(malformed(&truth(PredicateId::from_index(99))).contains("does not have"));
    let falsehood = single(&counter.program, PredicateId::QUERY, TermId::FALSE, terms.clone());
    assert!(malformed(&falsehood).contains("can only be true"));
    let mut twice = truth(counter.p);
    twice.invariants.push(twice.invariants[0].clone());
    assert!(malformed(&twice).contains("twice"));
}

#[test]
fn malformed_programs_are_refused() {
    let Counter { mut program, p, x, .. } = counter(5);
    let certificate = |program: &Program| Certificate::new(program.terms.clone(), Vec::new());
    program.add_rule(rule(atom(p, &[x]), &[], vec![atom(p, &[x, x])]));
    assert!(matches!(
        check(&program, &certificate(&program)),
        Err(CheckError::Malformed(_))
    ));
    let nothing = Derivation::new(Vec::new());
    assert!(matches!(
        replay(&program, &nothing).map_err(|error| error.fault),
        Err(ReplayFault::Program(_))
    ));
    assert!(read_evidence(&program, "{}").is_err());
    assert!(save_derivation(&program, &nothing).is_err());
    assert!(save_certificate(&program, &certificate(&program)).is_err());
}

#[test]
fn a_solver_without_resources_proves_nothing() {
    let mut program = Program::new();
    let p = program.add_predicate("p", None, &[("X", SortId::INT), ("Y", SortId::INT), ("Z", SortId::INT)]);
    let variables = program.predicate(p).parameters.clone();
    let mut terms = program.terms.clone();
    let mut sum = terms.integer(-114);
    for variable in &variables {
        let square = terms.multiply(*variable, *variable);
        let cube = terms.multiply(square, *variable);
        sum = terms.add(sum, cube);
    }
    let zero = terms.integer(0);
    let formula = terms.not_equal(sum, zero);
    program.terms = terms.clone();
    program.add_query(Vec::new(), atom(p, &variables), None);
    let limits = CheckLimits {
        query_resources: 20_000,
        watch: None,
    };
    let verdict = check_certificate(&program, &single(&program, p, formula, terms), limits);
    assert!(matches!(verdict, Err(CheckError::Undecided(_))), "{verdict:?}");
}

#[test]
fn a_check_can_be_cancelled() {
    struct Now;
    impl InterruptWatch for Now {
        fn should_stop(&self) -> bool {
            true
        }
    }
    let counter = counter(5);
    let certificate = single(&counter.program, counter.p, TermId::TRUE, counter.program.terms.clone());
    let limits = CheckLimits {
        watch: Some(&Now),
        ..CheckLimits::default()
    };
    assert_eq!(
        check_certificate(&counter.program, &certificate, limits),
        Err(CheckError::Cancelled)
    );
}

#[test]
fn every_body_atom_has_a_condition() {
    let mut program = Program::new();
    let p = program.add_predicate("p", None, &[]);
    let q = program.add_predicate("q", None, &[]);
    program.add_query(Vec::new(), atom(p, &[]), None);
    program.add_rule(rule(
        atom(p, &[]),
        &[],
        vec![atom(q, &[]), atom(PredicateId::ERROR, &[])],
    ));
    let certificate = Certificate::new(program.terms.clone(), Vec::new());
    assert!(matches!(
        check(&program, &certificate),
        Err(CheckError::Violated { .. })
    ));
}

#[test]
fn a_large_certificate_is_checked_quickly() {
    let mut program = Program::new();
    let count = 300;
    let p = program.add_predicate("p", None, &[("X", SortId::INT)]);
    let parameter = program.predicate(p).parameters[0];
    let x = program.terms.fresh_variable("X", SortId::INT);
    let (zero, limit) = (program.terms.integer(0), program.terms.integer(count));
    let modulus = program.terms.integer(count);
    let one = program.terms.integer(1);
    let next = program.terms.add(x, one);
    let wrapped = program.terms.modulo(next, modulus);
    let bad = program.terms.less(limit, x);
    program.add_query(Vec::new(), atom(p, &[zero]), None);
    program.add_rule(rule(atom(p, &[x]), &[], vec![atom(p, &[wrapped])]));
    program.add_rule(rule(atom(p, &[x]), &[bad], vec![atom(PredicateId::ERROR, &[])]));
    let mut terms = program.terms.clone();
    let mut disjuncts = Vec::new();
    for value in 0..count {
        let value = terms.integer(value);
        disjuncts.push(vec![terms.equal(parameter, value)]);
    }
    let invariants = vec![Invariant {
        predicate: p,
        disjuncts,
    }];
    let report = check(&program, &Certificate::new(terms, invariants)).expect("every residue leads to a residue");
    assert_eq!(report.obligations, 601);
}

#[test]
fn long_derivations_are_replayed() {
    let counter = counter(100_000);
    assert_eq!(replay(&counter.program, &run(&counter, 100_000)), Ok(()));
}

#[test]
fn replay_names_the_step_and_the_fault() {
    let counter = counter(3);
    let good = run(&counter, 3);
    assert_eq!(replay(&counter.program, &good), Ok(()));
    let fault = |change: &dyn Fn(&mut Vec<Step>)| {
        let mut steps = good.steps.clone();
        change(&mut steps);
        let error = replay(&counter.program, &Derivation::new(steps)).expect_err("the derivation was changed");
        error.to_string()
    };
    assert_eq!(fault(&|steps| steps.clear()), "step 1: there are no steps");
    assert_eq!(
        fault(&|steps| drop(steps.remove(0))),
        "step 1, rule 2, `p(X) :- X =< 2, p(X + 1).`: a derivation must start with a query"
    );
    assert_eq!(
        fault(&|steps| drop(steps.remove(2))),
        "step 3, rule 2, `p(X) :- X =< 2, p(X + 1).`: argument 1 is 1 in the goal but 2 in the rule's head"
    );
    assert_eq!(
        fault(&|steps| drop(steps.pop())),
        "step 4, rule 2, `p(X) :- X =< 2, p(X + 1).`: the derivation ends in `p` and not in the error"
    );
    assert_eq!(
        fault(&|steps| steps[3].rule = RuleId::from_index(2)),
        "step 4, rule 3, `p(X) :- X >= 3, error.`: `X >= 3` is false"
    );
    assert!(fault(&|steps| steps[3].rule = RuleId::from_index(7)).ends_with("rule 8: the program has no such rule"));
    assert!(fault(&|steps| steps[1].values.clear()).ends_with("`X` has no value"));
    assert!(fault(&|steps| steps[1].values.push((counter.x, number(0)))).ends_with("`X` has two values"));
    let half = Value::Number(Rational::new(1.into(), 2.into()));
    assert!(fault(&|steps| steps[1].values[0].1 = half.clone()).ends_with("the value of `X` is not of its sort"));
    let wrong_head = fault(&|steps| steps[2].rule = RuleId::from_index(0));
    assert!(
        wrong_head.ends_with("the goal is one of `p`, but the rule is one of `query`"),
        "{wrong_head}"
    );
}

#[test]
fn replay_refuses_what_evaluation_cannot_decide() {
    let mut program = Program::new();
    let x = program.terms.fresh_variable("X", SortId::INT);
    let seven = program.terms.integer(7);
    let quotient = program.terms.integer_divide(seven, x);
    let formula = program.terms.less(quotient, seven);
    let error = atom(PredicateId::ERROR, &[]);
    program.add_query(vec![formula], error.clone(), None);
    let bits = program.terms.array_sort(SortId::BOOL, SortId::INT);
    let [a, b] = ["A", "B"].map(|name| program.terms.fresh_variable(name, bits));
    let different = program.terms.not_equal(a, b);
    program.add_query(vec![different], error, None);
    program.add_rule(rule(atom(PredicateId::QUERY, &[]), &[], Vec::new()));
    let fault = |rule: usize, values: Vec<(TermId, Value)>| {
        let rule = RuleId::from_index(rule);
        let steps = vec![Step { rule, values }];
        replay(&program, &Derivation::new(steps)).map_err(|error| error.fault)
    };
    assert!(matches!(fault(0, vec![(x, number(0))]), Err(ReplayFault::Undefined(_))));
    assert_eq!(fault(0, vec![(x, number(2))]), Ok(()));
    // Both arrays are 1 everywhere; only their values differ.
    let everywhere = |default, elements: &[(bool, i64)]| {
        let elements = elements.iter().map(|(at, value)| (Value::Bool(*at), number(*value)));
        Value::Array(Arc::new(ArrayValue {
            default: number(default),
            elements: elements.collect::<BTreeMap<_, _>>(),
        }))
    };
    let values = vec![(a, everywhere(1, &[])), (b, everywhere(0, &[(false, 1), (true, 1)]))];
    assert_eq!(fault(1, values), Err(ReplayFault::FiniteArray));
    assert_eq!(fault(2, Vec::new()), Err(ReplayFault::NoBody));
}

/// The run of a counter with all turns left out but the first and the last.
fn short_run(counter: &Counter, limit: i64) -> Derivation {
    let mut derivation = run(counter, 2);
    derivation.steps[2].values[0].1 = number(limit - 1);
    derivation.steps[3].values[0].1 = number(limit);
    derivation.repetitions.push(Repetition {
        at: 2,
        length: 1,
        times: limit as u64 - 2,
    });
    derivation
}

#[test]
fn turns_that_are_left_out_are_proved() {
    let limit = 1_000_000_000_000;
    let counter = counter(limit);
    let good = short_run(&counter, limit);
    assert_eq!(replay(&counter.program, &good), Ok(()));
    let text = save_derivation(&counter.program, &good).expect("every variable has a value");
    let saved = read_evidence(&counter.program, &text).expect("just saved");
    let Evidence::Derivation(read) = saved.evidence else {
        panic!("a derivation was saved")
    };
    assert_eq!(
        (read.length(), read.repetitions),
        (limit as u64 + 2, good.repetitions.clone())
    );
    let fault = |change: &dyn Fn(&mut Derivation)| {
        let mut forged = good.clone();
        change(&mut forged);
        replay(&counter.program, &forged)
            .expect_err("the derivation was changed")
            .to_string()
    };
    let changed = |change: &dyn Fn(&mut Repetition)| fault(&|forged| change(&mut forged.repetitions[0]));
    assert!(changed(&|repetition| repetition.times -= 1).contains("does not change evenly"));
    assert!(changed(&|repetition| repetition.times = 0).contains("is not known to hold in all of them"));
    assert!(changed(&|repetition| repetition.times = u64::MAX).contains("does not change evenly"));
    assert!(changed(&|repetition| repetition.length = 0).contains("has no steps"));
    assert!(changed(&|repetition| repetition.length = 2).contains("go by other rules"));
    assert!(changed(&|repetition| repetition.length = usize::MAX).contains("are not there"));
    assert!(changed(&|repetition| repetition.at = 3).contains("argument 1 is 1 in the goal"));
    assert!(changed(&|repetition| repetition.at = 4).contains("argument 1 is 1 in the goal"));
    assert!(changed(&|repetition| repetition.at = 0).contains("are not there"));
    assert!(fault(&|forged| forged.repetitions.clear()).contains("argument 1 is 1 in the goal"));
    let twice = fault(&|forged| forged.repetitions.push(forged.repetitions[0]));
    assert!(twice.contains("not in the order"), "{twice}");
    let wrong = fault(&|forged| forged.steps[2].values[0].1 = number(limit - 2));
    assert!(wrong.contains("does not change evenly"), "{wrong}");
    let half = Value::Number(Rational::new(1.into(), 2.into()));
    let wrong = fault(&|forged| forged.steps[2].values[0].1 = half.clone());
    assert!(wrong.contains("is not of its sort"), "{wrong}");
}

#[test]
fn turns_that_cannot_be_taken_are_no_evidence() {
    // A turn in the middle that no rule allows; and turns that would each go another way.
    let sources = [
        "?- p(0). p(X) :- X < 1000000, X \\= 777, p(X + 1). p(X) :- X >= 1000000, error.",
        "?- p(0). p(X) :- X < 1000000, p(X + 1 + X div 500000). p(X) :- X >= 1000000, error.",
    ];
    for source in sources {
        let program = crate::clp::read(source).product.expect("no mistake in it");
        let step = |rule: usize, value: Option<i64>| {
            let rule = RuleId::from_index(rule);
            let variables = program
                .terms
                .variables_of_all(&program.rule(rule).terms().collect::<Vec<_>>());
            let values = variables.into_iter().zip(value.map(number)).collect();
            Step { rule, values }
        };
        let steps = vec![
            step(0, None),
            step(1, Some(0)),
            step(1, Some(999_999)),
            step(2, Some(1_000_000)),
        ];
        let repetitions = vec![Repetition {
            at: 2,
            length: 1,
            times: 999_998,
        }];
        let fault = replay(&program, &Derivation { steps, repetitions }).expect_err("it cannot be taken");
        assert!(matches!(fault.fault, ReplayFault::Repetition(_)), "{fault}");
    }
}
