//! Linear rules and the rules they were made of, compared by deriving everything over a small domain; and what is refused.

use super::*;
use crate::clp;
use crate::random::Generator;
use crate::terms::{Assignment, Rational, SortId, Value};
use std::collections::BTreeSet;

/// The values of variables in the comparison.
const DOMAIN: std::ops::Range<i64> = 0..3;

type Tuple = Vec<Value>;

/// What of a program holds over the domain: the values for which each predicate can be derived to its end, and those with which
/// it is come to from a query.
struct Derivations {
    succeeds: BTreeSet<(PredicateId, Tuple)>,
    reached: BTreeSet<(PredicateId, Tuple)>,
}

/// All ways to give a rule's variables values of the domain, as the arguments of its head and its atoms.
fn instances(program: &Program, rule: &Rule) -> Vec<Vec<(PredicateId, Tuple)>> {
    let atoms: Vec<&Atom> = std::iter::once(&rule.head).chain(&rule.body).collect();
    let arguments = atoms.iter().flat_map(|atom| &atom.arguments);
    let roots: Vec<TermId> = arguments.chain(&rule.constraint).copied().collect();
    let variables = program.terms.variables_of_all(&roots);
    let mut instances = Vec::new();
    let mut assignments = vec![Assignment::default()];
    for variable in &variables {
        assignments = assignments
            .iter()
            .flat_map(|assignment| {
                DOMAIN.map(|value| {
                    let mut assignment = assignment.clone();
                    assignment.insert(*variable, Value::Number(Rational::from_integer(value.into())));
                    assignment
                })
            })
            .collect();
    }
    for assignment in assignments {
        let holds = |formula: &TermId| program.terms.holds(*formula, &assignment) == Some(true);
        if rule.constraint.iter().all(holds) {
            let tuple = |atom: &&Atom| {
                let values = atom
                    .arguments
                    .iter()
                    .map(|term| program.terms.evaluate(*term, &assignment));
                (
                    atom.predicate,
                    values.map(|value| value.expect("total arithmetic")).collect(),
                )
            };
            instances.push(atoms.iter().map(tuple).collect());
        }
    }
    instances
}

fn derive(program: &Program) -> Derivations {
    let instances: Vec<_> = program
        .rules()
        .iter()
        .flat_map(|rule| instances(program, rule))
        .collect();
    let mut found = Derivations {
        succeeds: BTreeSet::new(),
        reached: BTreeSet::from([(PredicateId::QUERY, Vec::new())]),
    };
    loop {
        let before = found.succeeds.len() + found.reached.len();
        for instance in &instances {
            let (head, body) = instance.split_first().expect("a head");
            let ended = body.iter().take_while(|atom| found.succeeds.contains(*atom)).count();
            if ended == body.len() {
                found.succeeds.insert(head.clone());
            }
            if found.reached.contains(head) {
                found.reached.extend(body.iter().take(ended + 1).cloned());
            }
        }
        if found.succeeds.len() + found.reached.len() == before {
            return found;
        }
    }
}

fn reaches_error(program: &Program) -> bool {
    derive(program).reached.contains(&(PredicateId::ERROR, Vec::new()))
}

/// A random program without recursion by calls: predicate `i` calls predicates with larger numbers, and may end in itself.
fn random_program(random: &mut Generator) -> Program {
    let mut program = Program::new();
    let predicates: Vec<PredicateId> = ["p", "q", "r", "s"]
        .iter()
        .map(|name| program.add_predicate(name, None, &[("X", SortId::INT), ("Y", SortId::INT)]))
        .collect();
    let below = |random: &mut Generator, count: usize| random.below(count as u64) as usize;
    for index in 0..=predicates.len() {
        for _ in 0..1 + below(random, 3) {
            let variables: Vec<TermId> = ["A", "B", "C"]
                .map(|name| program.terms.fresh_variable(name, SortId::INT))
                .to_vec();
            let term = |random: &mut Generator, program: &mut Program| match below(random, 5) {
                0 => program.terms.integer(below(random, 3) as i64),
                other => variables[other % 3],
            };
            let atom = |random: &mut Generator, program: &mut Program, predicate: PredicateId| Atom {
                predicate,
                arguments: vec![term(random, program), term(random, program)],
            };
            // The queries come first, then the predicates.
            let head = match index.checked_sub(1) {
                None => Atom {
                    predicate: PredicateId::QUERY,
                    arguments: Vec::new(),
                },
                Some(index) => atom(random, &mut program, predicates[index]),
            };
            let mut constraint = Vec::new();
            for _ in 0..below(random, 3) {
                let (left, right) = (term(random, &mut program), term(random, &mut program));
                constraint.push(match below(random, 3) {
                    0 => program.terms.less(left, right),
                    1 => program.terms.equal(left, right),
                    _ => program.terms.not_equal(left, right),
                });
            }
            let callees = &predicates[index..];
            let mut body = Vec::new();
            if !callees.is_empty() {
                for _ in 0..below(random, 3) {
                    let callee = callees[below(random, callees.len())];
                    body.push(atom(random, &mut program, callee));
                }
            }
            match (below(random, 4), index.checked_sub(1)) {
                (0, _) => body.push(Atom {
                    predicate: PredicateId::ERROR,
                    arguments: Vec::new(),
                }),
                (1, Some(index)) => body.push(atom(random, &mut program, predicates[index])),
                _ => {}
            }
            program.add_rule(Rule {
                head,
                constraint,
                body,
                location: None,
            });
        }
    }
    program
}

#[test]
fn linear_rules_derive_what_the_rules_do() {
    let mut random = Generator(7);
    let (mut errors, mut calls) = (0, 0);
    for number in 0..60 {
        let program = random_program(&mut random);
        calls += program.rules().iter().any(|rule| rule.body.len() > 1) as usize;
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
fn a_long_chain_of_calls_needs_no_stack() {
    let mut source = String::from("?- p0(1), error.\n");
    for level in 0..20_000 {
        source.push_str(&format!("p{level}(X) :- p{}(X + 1).\n", level + 1));
    }
    source.push_str("p20000(X) :- X > 0.");
    let program = clp::read(&source).product.expect("a chain");
    assert!(program.rules().len() > 300);
}
