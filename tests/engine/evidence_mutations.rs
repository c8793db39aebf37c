//! Mutated evidence must be rejected, unless it is still right: certificates and derivations are changed systematically,
//! and what the checkers say of each mutant is compared with oracles that share no code with them.

use crate::evidence_support::examples::examples;
use crate::evidence_support::mutants::mutants;
use crate::evidence_support::oracle::{has_violation, is_violation};
use crate::evidence_support::{Builder, number};
use crate::solvers::{answers, solvers};
use clausal::evidence::{
    Certificate, CheckError, CheckLimits, Derivation, Step, check_certificate, obligations_smtlib, replay,
    save_certificate,
};
use clausal::rules::{PredicateId, Program, RuleId};
use clausal::terms::{ArrayValue, Assignment, SortId, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

#[test]
fn mutated_certificates_are_accepted_only_if_they_are_still_proofs() {
    let solvers = solvers();
    let (mut accepted, mut rejected) = (0, 0);
    for example in examples(true) {
        let Some(report) = check_certificate(&example.program, &example.certificate, CheckLimits::default()).ok()
        else {
            panic!("{}: the certificate is right", example.name);
        };
        assert_eq!(report.obligations, report.read_off + report.solved, "{}", example.name);
        for (what, mutant) in mutants(&example.program, &example.certificate) {
            let what = format!("{}: {what}", example.name);
            let verdict = check_certificate(&example.program, &mutant, CheckLimits::default());
            let correct = match &verdict {
                Ok(_) => {
                    assert!(
                        !has_violation(&example.program, &mutant),
                        "{what}: accepted, but values refute it"
                    );
                    true
                }
                Err(CheckError::Violated { step, witness, .. }) => {
                    let witness = witness.iter().flatten().cloned().collect::<Assignment>();
                    let rule = example.program.rule(step.rule);
                    let real = is_violation(&example.program, &mutant, rule, &witness);
                    assert!(real, "{what}: the witness does not refute it: {step:?}");
                    false
                }
                Err(other) => panic!("{what}: {other}"),
            };
            *(if correct { &mut accepted } else { &mut rejected }) += 1;
            let script = obligations_smtlib(&example.program, &mutant).expect("the mutant is well formed");
            for solver in &solvers {
                let answers = answers(solver, &script);
                assert!(
                    answers.iter().all(|answer| answer == "sat" || answer == "unsat"),
                    "{what}: {answers:?}"
                );
                assert_eq!(
                    answers.iter().all(|answer| answer == "unsat"),
                    correct,
                    "{what}: {}",
                    solver.0.display()
                );
            }
        }
    }
    // The mutants must not be so tame that nothing is tested.
    assert!(
        rejected > 100 && accepted > 5,
        "{accepted} accepted, {rejected} rejected"
    );
}

#[test]
fn no_mutant_proves_an_unsafe_program_safe() {
    for example in examples(false) {
        let mut all = mutants(&example.program, &example.certificate);
        all.push(("nothing".to_string(), example.certificate));
        for (what, mutant) in all {
            let verdict = check_certificate(&example.program, &mutant, CheckLimits::default());
            let refuted = matches!(verdict, Err(CheckError::Violated { .. }));
            assert!(refuted, "{} with {what} changed: {verdict:?}", example.name);
            for induction_depth in [2, 3] {
                let deeper = Certificate {
                    induction_depth,
                    ..mutant.clone()
                };
                let verdict = check_certificate(&example.program, &deeper, CheckLimits::default());
                assert!(
                    verdict.is_err(),
                    "{} with {what} changed, at {induction_depth}: {verdict:?}",
                    example.name
                );
            }
        }
    }
}

#[test]
fn obligations_of_certificates_are_discharged_by_other_solvers() {
    let solvers = solvers();
    for example in examples(true) {
        let script = obligations_smtlib(&example.program, &example.certificate).expect("it is well formed");
        let report = check_certificate(&example.program, &example.certificate, CheckLimits::default());
        let obligations = report.expect("it is right").obligations;
        assert_eq!(script.matches("(check-sat)").count(), obligations);
        for solver in &solvers {
            let answers = answers(solver, &script);
            assert_eq!(
                answers,
                vec!["unsat"; obligations],
                "{}: {}",
                example.name,
                solver.0.display()
            );
        }
    }
}

#[test]
fn saved_certificates_are_read_back_to_the_same_formulas() {
    for example in examples(true) {
        let text = save_certificate(&example.program, &example.certificate).expect("it is well formed");
        let invariants: Vec<(PredicateId, Vec<Vec<String>>)> = shown(&example.certificate);
        let saved = clausal::evidence::read_evidence(&example.program, &text).expect("it was just saved");
        let clausal::evidence::Evidence::Certificate(read) = saved.evidence else {
            panic!("a certificate was saved");
        };
        assert_eq!(shown(&read), invariants);
        assert_eq!(save_certificate(&example.program, &read).as_ref(), Ok(&text));
        assert!(check_certificate(&example.program, &read, CheckLimits::default()).is_ok());
    }
}

fn shown(certificate: &clausal::evidence::Certificate) -> Vec<(PredicateId, Vec<Vec<String>>)> {
    let text = |conjunct: &_| certificate.terms.display(*conjunct).to_string();
    let conjuncts = |disjunct: &Vec<_>| disjunct.iter().map(text).collect();
    let invariants = certificate.invariants.iter();
    invariants
        .map(|entry| (entry.predicate, entry.disjuncts.iter().map(conjuncts).collect()))
        .collect()
}

/// `?- p(A, 0, N).  p(A, I, N) :- I < N, p(store(A, I, V), I + 1, N).  p(A, I, N) :- I >= 2, A[1] > A[0], q(I).
/// q(I) :- I \= 5, W > 0, error.`
fn filling() -> (Program, Derivation) {
    let mut b = Builder::new();
    let sort = b.program.terms.array_sort(SortId::INT, SortId::INT);
    let p = b.predicate("p", &[("A", sort), ("I", SortId::INT), ("N", SortId::INT)]);
    let q = b.predicate("q", &[("I", SortId::INT)]);
    let mut variables = Vec::new();
    for name in ["I", "N", "V"] {
        variables.push(b.variable(name, SortId::INT));
    }
    let (i, n, v) = (variables[0], variables[1], variables[2]);
    let a = b.variable("A", sort);
    let (zero, one) = (b.integer(0), b.integer(1));
    b.query((p, &[a, zero, n]), &[]);
    let (guard, stored, next) = (b.program.terms.less(i, n), b.program.terms.store(a, i, v), b.plus(i, 1));
    b.rule((p, &[a, i, n]), &[guard], (p, &[stored, next, n]));
    let (first, second) = (b.program.terms.select(a, zero), b.program.terms.select(a, one));
    let (enough, rising) = (b.compare(i, ">=", 2), b.program.terms.less(first, second));
    b.rule((p, &[a, i, n]), &[enough, rising], (q, &[i]));
    let w = b.variable("W", SortId::INT);
    let (bad, free) = (b.compare(i, "!=", 5), b.compare(w, ">", 0));
    b.error_if((q, &[i]), &[bad, free]);
    let array = |written: &[i64]| {
        let empty = ArrayValue {
            default: number(0),
            elements: BTreeMap::new(),
        };
        let fill = |array: ArrayValue, (at, value): (usize, &i64)| array.with(number(at as i64), number(*value));
        Value::Array(Arc::new(written.iter().enumerate().fold(empty, fill)))
    };
    let step = |rule: usize, values: &[(clausal::terms::TermId, Value)]| Step {
        rule: RuleId::from_index(rule),
        values: values.to_vec(),
    };
    let state =
        |rule: usize, at: i64, written: &[i64]| step(rule, &[(i, number(at)), (n, number(3)), (a, array(written))]);
    let fill = |at: i64, value: i64, written: &[i64]| {
        step(
            1,
            &[(i, number(at)), (n, number(3)), (v, number(value)), (a, array(written))],
        )
    };
    let steps = vec![
        step(0, &[(n, number(3)), (a, array(&[]))]),
        fill(0, 4, &[]),
        fill(1, 7, &[4]),
        fill(2, 0, &[4, 7]),
        state(2, 3, &[4, 7]),
        step(3, &[(i, number(3)), (w, number(1))]),
    ];
    (b.program, Derivation::new(steps))
}

/// What [`filling`] means, in Rust: whether the steps are a run into the error.
fn is_run_of_filling(steps: &[Step]) -> bool {
    #[derive(PartialEq)]
    enum State {
        Query,
        P(BTreeMap<i64, i64>, i64, i64),
        Q(i64),
        Error,
    }
    let small = |value: &Value| match value {
        Value::Number(number) if number.is_integer() => number.numer().to_string().parse::<i64>().ok(),
        _ => None,
    };
    let map = |value: &Value| match value {
        Value::Array(array) if array.default == number(0) => array
            .elements
            .iter()
            .map(|(at, value)| Some((small(at)?, small(value)?)))
            .collect(),
        _ => None::<BTreeMap<i64, i64>>,
    };
    let mut state = State::Query;
    for step in steps {
        let values: Vec<&Value> = step.values.iter().map(|(_, value)| value).collect();
        let next = match (step.rule.index(), &values[..]) {
            (0, [n, a]) => (|| (state == State::Query).then_some(State::P(map(a)?, 0, small(n)?)))(),
            (1, [i, n, v, a]) => (|| {
                let (i, n, v, mut a) = (small(i)?, small(n)?, small(v)?, map(a)?);
                let applies = state == State::P(a.clone(), i, n) && i < n;
                a.insert(i, v);
                a.retain(|_, value| *value != 0);
                applies.then_some(State::P(a, i + 1, n))
            })(),
            (2, [i, n, a]) => (|| {
                let (i, n, a) = (small(i)?, small(n)?, map(a)?);
                let at = |index: i64| a.get(&index).copied().unwrap_or(0);
                let applies = i >= 2 && at(0) < at(1) && state == State::P(a.clone(), i, n);
                applies.then_some(State::Q(i))
            })(),
            (3, [i, w]) => (|| {
                let (i, w) = (small(i)?, small(w)?);
                (state == State::Q(i) && i != 5 && w > 0).then_some(State::Error)
            })(),
            _ => None,
        };
        match next {
            Some(next) => state = next,
            None => return false,
        }
    }
    state == State::Error
}

#[test]
fn mutated_derivations_are_accepted_only_if_they_are_still_runs() {
    let (program, derivation) = filling();
    assert_eq!(replay(&program, &derivation), Ok(()));
    assert!(is_run_of_filling(&derivation.steps));
    let (mut accepted, mut rejected) = (0, 0);
    for (what, steps) in derivation_mutants(&program, &derivation) {
        let expected = is_run_of_filling(&steps);
        let verdict = replay(&program, &Derivation::new(steps));
        assert_eq!(verdict.is_ok(), expected, "{what}: {verdict:?}");
        *(if expected { &mut accepted } else { &mut rejected }) += 1;
    }
    assert!(
        rejected > 60 && accepted > 0,
        "{accepted} accepted, {rejected} rejected"
    );
}

/// Derivations that differ from the given one in one place.
fn derivation_mutants(program: &Program, derivation: &Derivation) -> Vec<(String, Vec<Step>)> {
    let steps = &derivation.steps;
    let mut found = vec![("no steps".to_string(), Vec::new())];
    let mut keep = |what: String, change: &dyn Fn(&mut Vec<Step>)| {
        let mut changed = steps.clone();
        change(&mut changed);
        found.push((what, changed));
    };
    for index in 0..steps.len() {
        keep(format!("drop {index}"), &|steps| drop(steps.remove(index)));
        keep(format!("duplicate {index}"), &|steps| {
            steps.insert(index, steps[index].clone())
        });
        keep(format!("cut before {index}"), &|steps| steps.truncate(index));
        for other in index + 1..steps.len() {
            keep(format!("swap {index} and {other}"), &|steps| steps.swap(index, other));
        }
        for rule in 0..program.rules().len() + 1 {
            if rule != steps[index].rule.index() {
                keep(format!("rule {rule} at {index}"), &|steps| {
                    steps[index].rule = RuleId::from_index(rule)
                });
            }
        }
        for value in 0..steps[index].values.len() {
            keep(format!("drop value {index}.{value}"), &|steps| {
                drop(steps[index].values.remove(value))
            });
            for replacement in replacements(&steps[index].values[value].1) {
                keep(format!("value {index}.{value} := {replacement}"), &|steps| {
                    steps[index].values[value].1 = replacement.clone();
                });
            }
        }
    }
    found
}

fn replacements(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(old) => [-7, -1, 1, 2]
            .iter()
            .map(|offset| Value::Number(old + clausal::terms::Rational::from_integer((*offset).into())))
            .chain([
                Value::Bool(true),
                Value::Number(old + clausal::terms::Rational::new(1.into(), 2.into())),
            ])
            .collect(),
        Value::Bool(old) => vec![Value::Bool(!old), number(0)],
        Value::Array(old) => {
            let mut other_default = (**old).clone();
            other_default.default = number(9);
            let mut not_normal = (**old).clone();
            not_normal.elements.insert(number(40), old.default.clone());
            let changed = (0..4).map(|at| old.with(number(at), number(6)));
            changed
                .chain([other_default, not_normal])
                .map(|array| Value::Array(Arc::new(array)))
                .collect()
        }
        // The examples have none of them.
        Value::Float(_) | Value::Datatype(_) => vec![number(0)],
    }
}
