//! Tests of the printer on programs that no text was read for.

use super::*;
use crate::clp::read;
use crate::diagnostics::render;
use crate::rules::{PredicateId, Rule};
use crate::terms::{Assignment, Rational, Value};

fn query(program: &mut Program, predicate: PredicateId, arguments: Vec<TermId>) {
    program.add_query(Vec::new(), Atom { predicate, arguments }, None);
}

fn reread(program: &Program) -> String {
    let text = print(program);
    let reading = read(&text);
    let remarks = render(&reading.diagnostics, "printed.clp", &text);
    let again = reading.product.unwrap_or_else(|| panic!("{text}\n{remarks}"));
    assert_eq!(again.rules().len(), program.rules().len());
    assert_eq!(print(&again), text);
    text
}

#[test]
fn names_are_made_legal() {
    let mut program = Program::new();
    let inv = program.add_predicate("inv 1", None, &[("a", SortId::INT)]);
    let error = program.add_predicate("error", None, &[]);
    let x = program.terms.fresh_variable("x!1", SortId::INT);
    let same = program.terms.fresh_variable("x!1", SortId::INT);
    let constraint = vec![program.terms.less(x, same)];
    query(&mut program, inv, vec![x]);
    program.add_rule(Rule {
        head: Atom {
            predicate: inv,
            arguments: vec![x],
        },
        constraint,
        body: vec![Atom {
            predicate: error,
            arguments: Vec::new(),
        }],
        location: None,
    });
    assert_eq!(
        reread(&program),
        ":- sort 'error'.\n\n?- 'inv 1'(X_1).\n\n'inv 1'(X_1) :- X_1 =< X_1_1 - 1, 'error'.\n"
    );
}

#[test]
fn a_number_in_front_does_not_become_a_program_point() {
    let mut program = Program::new();
    let p = program.add_predicate("p", None, &[("X", SortId::INT)]);
    let zero = program.terms.integer(0);
    query(&mut program, p, vec![zero]);
    program.add_rule(Rule {
        head: Atom {
            predicate: p,
            arguments: vec![zero],
        },
        constraint: Vec::new(),
        body: Vec::new(),
        location: None,
    });
    let text = reread(&program);
    assert_eq!(text, "?- p(sort(0, int)).\n\np(0).\n");
    assert_eq!(
        read(&text)
            .product
            .map(|program| program.predicates()[2].parameters.len()),
        Some(1)
    );
}

#[test]
fn a_program_without_queries_can_be_read() {
    let mut program = Program::new();
    let p = program.add_predicate("p", None, &[]);
    program.add_rule(Rule {
        head: Atom {
            predicate: p,
            arguments: Vec::new(),
        },
        constraint: Vec::new(),
        body: Vec::new(),
        location: None,
    });
    let text = print(&program);
    assert_eq!(text, "p.\n\n?- false, error.\n");
    let again = read(&text).product.expect("a program");
    assert_eq!(again.rules().len(), 2);
    assert_eq!(print(&again), text);
}

#[test]
fn what_inference_would_not_find_is_declared() {
    let mut program = Program::new();
    let p = program.add_predicate("p", Some("1"), &[("X", SortId::REAL)]);
    let end = program.add_predicate("end", None, &[("B", SortId::BOOL)]);
    let reals = program.terms.array_sort(SortId::REAL, SortId::REAL);
    let x = program.terms.fresh_variable("X", SortId::REAL);
    let (a, b) = (
        program.terms.fresh_variable("A", reals),
        program.terms.fresh_variable("B", reals),
    );
    let flag = program.terms.fresh_variable("F", SortId::BOOL);
    let equal = program.terms.equal(a, b);
    query(&mut program, p, vec![x]);
    program.add_rule(Rule {
        head: Atom {
            predicate: p,
            arguments: vec![x],
        },
        constraint: vec![equal],
        body: vec![Atom {
            predicate: end,
            arguments: vec![flag],
        }],
        location: None,
    });
    assert_eq!(
        reread(&program),
        ":- sort p(1, real).
:- sort end(bool).

?- p(1, X).

p(1, X) :- A = sort(A, array(real, real)), B = sort(B, array(real, real)), A = B, end(F).
"
    );
}

#[test]
fn deep_and_shared_terms_are_named() {
    let mut program = Program::new();
    let p = program.add_predicate("p", None, &[("X", SortId::INT)]);
    let x = program.terms.fresh_variable("X", SortId::INT);
    // As a tree this would have 2^400 leaves.
    let mut term = x;
    for step in 0..400 {
        let bound = program.terms.integer(2 * step);
        let condition = program.terms.less(term, bound);
        let next = program.terms.add(term, x);
        term = program.terms.if_then_else(condition, next, term);
    }
    query(&mut program, p, vec![term]);
    let text = print(&program);
    assert!(text.len() < 100_000, "{} bytes", text.len());
    let three = || Value::Number(Rational::from_integer(3.into()));
    let expected = program.terms.evaluate(term, &Assignment::from_iter([(x, three())]));

    // The equations define one name after the other.
    let again = read(&text).product.expect("a program");
    let rule = &again.rules()[0];
    let mut variables = again.terms.variables_of_all(&rule.constraint).into_iter();
    let x = variables
        .find(|variable| again.terms.variable_name(*variable) == "X")
        .expect("X");
    let mut values = Assignment::from_iter([(x, three())]);
    for equation in &rule.constraint {
        let form = again.terms.linear_atom(*equation).expect("an equation").form;
        let is_new = |term: TermId| again.terms.is_variable(term) && !values.contains_key(&term);
        let (name, factor) = form
            .terms
            .iter()
            .find(|(term, _)| is_new(*term))
            .cloned()
            .expect("a new name");
        let mut rest = form.constant.clone();
        for (term, coefficient) in form.terms.iter().filter(|(term, _)| *term != name) {
            match again.terms.evaluate(*term, &values) {
                Some(Value::Number(value)) => rest += value * coefficient,
                other => panic!("no value: {other:?}"),
            }
        }
        values.insert(name, Value::Number(-rest / factor));
    }
    assert_eq!(again.terms.evaluate(rule.body[0].arguments[0], &values), expected);
}

#[test]
fn long_rules_are_broken_into_lines() {
    let names: Vec<String> = (1..15).map(|index| format!("Variable{index}")).collect();
    let parts: Vec<String> = names.iter().map(|name| format!("{name} >= 0")).collect();
    let body = parts.join(",\n    ");
    let source = format!("?- {body},\n    p.\n\np :-\n    {body},\n    error.\n");
    let program = read(&source).product.expect("a program");
    assert_eq!(print(&program), source);
}
