//! For tests: everything that a program derives over a small domain, and random programs to try it on.

use crate::random::Generator;
use crate::rules::{Atom, PredicateId, Program, Rule};
use crate::terms::{Assignment, Rational, SortId, TermId, Value};
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

/// Whether the error can be derived if all variables have values of the domain.
pub fn reaches_error(program: &Program) -> bool {
    derive(program).reached.contains(&(PredicateId::ERROR, Vec::new()))
}

/// A random program: predicate `i` calls predicates with larger numbers, and may end in itself; if it may recur, it also calls
/// itself and those with smaller numbers, and its variables are bounded, so that the domain is all there is.
pub fn random_program(random: &mut Generator, recurs: bool) -> Program {
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
            if recurs {
                for variable in &variables {
                    let (least, most) = (
                        program.terms.integer(DOMAIN.start),
                        program.terms.integer(DOMAIN.end - 1),
                    );
                    constraint.push(program.terms.less_or_equal(least, *variable));
                    constraint.push(program.terms.less_or_equal(*variable, most));
                }
            }
            let callees = &predicates[if recurs { 0 } else { index }..];
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
