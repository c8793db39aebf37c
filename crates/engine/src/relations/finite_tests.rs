//! Verdicts about programs over words of two bits, an enumeration and arrays with few indices, beside all states that they have.

use super::{verify, verify_by_induction};
use crate::engine::{Budget, Options, StopReason, Verdict};
use crate::evidence::{CheckLimits, check_certificate, replay};
use crate::random::Generator;
use crate::rules::{Atom, PredicateId, Program, Rule};
use crate::terms::{ArrayValue, Assignment, DatatypeValue, Operator, Rational, Sort, SortId, TermId, Terms, Value};
use crate::test_support::samples::{Samples, formula, term};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// All values of a finite sort; arrays with the default of their sort as theirs.
fn all_values(terms: &Terms, sort: SortId) -> Vec<Value> {
    match terms.sort_of_id(sort) {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Word(width) => (0..1i64 << width)
            .map(|value| Value::Number(Rational::from_integer(value.into())))
            .collect(),
        Sort::Float(_) => Vec::new(),
        Sort::Array(index, element) => {
            let empty = ArrayValue {
                default: terms.default_value(element),
                elements: BTreeMap::new(),
            };
            let mut all = vec![empty];
            for at in all_values(terms, index) {
                let elements = all_values(terms, element);
                let with = |array: &ArrayValue| {
                    let arrays = elements.iter().map(|element| array.with(at.clone(), element.clone()));
                    arrays.collect::<Vec<_>>()
                };
                all = all.iter().flat_map(with).collect();
            }
            all.into_iter().map(|array| Value::Array(Arc::new(array))).collect()
        }
        Sort::Datatype(_) => {
            let constructors = &terms.datatype(sort).expect("a datatype").constructors;
            let constant = |id: &_| DatatypeValue::new(*id, Vec::new()).expect("not deep");
            constructors
                .iter()
                .map(|id| Value::Datatype(Arc::new(constant(id))))
                .collect()
        }
        Sort::Int | Sort::Real => panic!("not a finite sort"),
    }
}

/// The value with the default of the sort as the array's.
fn canonical(terms: &Terms, value: &Value, sort: SortId) -> Value {
    let (Value::Array(array), Sort::Array(index, element)) = (value, terms.sort_of_id(sort)) else {
        return value.clone();
    };
    let mut made = ArrayValue {
        default: terms.default_value(element),
        elements: BTreeMap::new(),
    };
    for at in all_values(terms, index) {
        made = made.with(at.clone(), array.get(&at).clone());
    }
    Value::Array(Arc::new(made))
}

/// The formula with equations of arrays said of each element.
fn pointwise(terms: &mut Terms, formula: TermId) -> TermId {
    let mut done = HashMap::new();
    terms.rewritten(
        formula,
        &mut done,
        |_, _| None,
        |terms, built| {
            let (Operator::Equal, &[left, right]) = (terms.operator(built), terms.arguments(built)) else {
                return built;
            };
            let Sort::Array(index, _) = terms.sort_of_id(terms.sort(left)) else {
                return built;
            };
            let mut parts = Vec::new();
            for at in all_values(terms, index) {
                let at = terms.value_term(&at, index);
                let (left, right) = (terms.select(left, at), terms.select(right, at));
                parts.push(terms.equal(left, right));
            }
            terms.and(&parts)
        },
    )
}

/// Whether the error is reached, by going through all states.
pub(crate) fn reaches_error(program: &Program) -> bool {
    let mut terms = program.terms.clone();
    let mut reached: BTreeSet<(PredicateId, Vec<Value>)> = BTreeSet::from([(PredicateId::QUERY, Vec::new())]);
    let mut instances = Vec::new();
    for rule in program.rules() {
        let constraint = terms.and(&rule.constraint);
        let constraint = pointwise(&mut terms, constraint);
        let next = &rule.body[0];
        let arguments: Vec<TermId> = next
            .arguments
            .iter()
            .map(|argument| pointwise(&mut terms, *argument))
            .collect();
        let mut roots = rule.head.arguments.clone();
        roots.push(constraint);
        roots.extend(&arguments);
        let mut assignments = vec![Assignment::new()];
        for variable in terms.variables_of_all(&roots) {
            let values = all_values(&terms, terms.sort(variable));
            let with = |assignment: &Assignment| {
                let assignments = values.iter().map(|value| {
                    let mut assignment = assignment.clone();
                    assignment.insert(variable, value.clone());
                    assignment
                });
                assignments.collect::<Vec<_>>()
            };
            assignments = assignments.iter().flat_map(with).collect();
        }
        for assignment in assignments {
            if terms.holds(constraint, &assignment) != Some(true) {
                continue;
            }
            let value = |argument: &TermId| {
                let value = terms.evaluate(*argument, &assignment).expect("nothing is undefined");
                canonical(&terms, &value, terms.sort(*argument))
            };
            let from = (
                rule.head.predicate,
                rule.head.arguments.iter().map(value).collect::<Vec<_>>(),
            );
            instances.push((from, (next.predicate, arguments.iter().map(value).collect())));
        }
    }
    loop {
        let before = reached.len();
        for (from, to) in &instances {
            if reached.contains(from) {
                reached.insert(to.clone());
            }
        }
        if reached.len() == before {
            return reached.contains(&(PredicateId::ERROR, Vec::new()));
        }
    }
}

/// Rules over words of two bits and an enumeration, or over arrays with few indices and what is in them.
pub(crate) fn random_program(random: &mut Generator, with_arrays: bool) -> Program {
    let mut program = Program::new();
    let terms = &mut program.terms;
    let color = Samples::new(terms).color;
    let word = terms.word_sort(2);
    let flags = terms.array_sort(color, SortId::BOOL);
    let pair = terms.array_sort(SortId::BOOL, word);
    let sorts = match (with_arrays, random.below(2)) {
        (false, _) => vec![word, color, word],
        (true, 0) => vec![word, flags, SortId::BOOL],
        (true, _) => vec![color, pair],
    };
    let parameters: Vec<(&str, SortId)> = sorts.iter().map(|sort| ("X", *sort)).collect();
    let predicates = ["p", "q"].map(|name| program.add_predicate(name, None, &parameters));
    let none = |predicate| Atom {
        predicate,
        arguments: Vec::new(),
    };
    for (kind, head) in [
        (0, None),
        (1, Some(0)),
        (1, Some(1)),
        (1, Some(0)),
        (2, Some(1)),
        (2, Some(0)),
    ] {
        let terms = &mut program.terms;
        let variables: Vec<TermId> = sorts.iter().map(|sort| terms.fresh_variable("V", *sort)).collect();
        let mut all = variables.clone();
        all.push(terms.fresh_variable("N", sorts[random.below(2) as usize]));
        let formulas = if kind == 2 { 1 } else { random.below(3) };
        let mut constraint: Vec<TermId> = (0..formulas).map(|_| formula(terms, &all, random, 1)).collect();
        if kind == 0 {
            // One state to begin with, mostly.
            for variable in &variables {
                let value = crate::test_support::samples::value(terms, terms.sort(*variable), random, 1);
                let value = terms.value_term(&value, terms.sort(*variable));
                constraint.push(terms.equal(*variable, value));
            }
        }
        let arguments: Vec<TermId> = sorts.iter().map(|sort| term(terms, &all, *sort, random, 2)).collect();
        let head = match head {
            None => none(PredicateId::QUERY),
            Some(index) => Atom {
                predicate: predicates[index],
                arguments: variables,
            },
        };
        let body = match kind {
            2 => none(PredicateId::ERROR),
            _ => Atom {
                predicate: predicates[random.below(2) as usize],
                arguments,
            },
        };
        program.add_rule(Rule {
            head,
            constraint,
            body: vec![body],
            location: None,
        });
    }
    program
}

/// What the verdict says of the error, with its evidence checked; the reason if it says nothing.
pub(crate) fn judged(program: &Program, verdict: Verdict) -> Result<bool, StopReason> {
    match verdict {
        Verdict::Safe(certificate) => {
            check_certificate(program, &certificate, CheckLimits::default()).expect("a proof");
            Ok(false)
        }
        Verdict::Unsafe(derivation) => {
            replay(program, &derivation).expect("a run");
            Ok(true)
        }
        Verdict::Unknown(reason) => {
            let is_fault = matches!(reason, StopReason::EvidenceRejected(_) | StopReason::Internal(_));
            assert!(!is_fault, "{reason}: {}", crate::horn::print(program));
            Err(reason)
        }
    }
}

fn agreement(seed: u64, count: u32, with_arrays: bool) {
    let mut random = Generator(seed);
    let options = Options {
        budget: Budget {
            states: Some(1_000),
            ..Default::default()
        },
        ..Options::default()
    };
    let few_steps = Options {
        budget: Budget {
            states: Some(30),
            ..Default::default()
        },
        ..Options::default()
    };
    let (mut safe, mut wrong, mut unknown) = (0, 0, BTreeMap::new());
    for number in 0..count {
        let program = random_program(&mut random, with_arrays);
        let expected = reaches_error(&program);
        let by_states = crate::recursion::verify(&program, &options);
        let by_induction = verify_by_induction(&program, &few_steps);
        for outcome in [verify(&program, &options), by_states, by_induction] {
            match judged(&program, outcome.verdict) {
                Ok(reaches) => {
                    assert_eq!(reaches, expected, "program {number}: {}", crate::horn::print(&program));
                    *(if reaches { &mut wrong } else { &mut safe }) += 1;
                }
                Err(reason) => {
                    let kind: String = reason.to_string().chars().take(60).collect();
                    *unknown.entry(kind).or_insert(0) += 1;
                }
            }
        }
    }
    let undecided: u32 = unknown.values().sum();
    assert!(
        safe * 5 > count && wrong * 5 > count && undecided < count,
        "{safe} {wrong} {unknown:?}"
    );
}

#[test]
fn verdicts_about_words_and_enumerations_agree_with_all_states() {
    agreement(41, 120, false);
}

#[test]
fn verdicts_about_arrays_with_few_indices_agree_with_all_states() {
    agreement(42, 120, true);
}
