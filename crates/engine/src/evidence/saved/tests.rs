//! Tests of saving and reading: what was saved is read back the same, and what cannot be read is said clearly.

use super::*;
use crate::evidence::{Invariant, Step};
use crate::rules::{Atom, PredicateId, RuleId};
use crate::terms::{ArrayValue, Rational, SortId, TermId, Terms, Value};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A program with a predicate over every sort, twice under one label, and a query that calls it.
fn program() -> Program {
    let mut program = Program::new();
    let pairs = program.terms.array_sort(SortId::INT, SortId::REAL);
    let parameters = [
        ("X", SortId::INT),
        ("X", SortId::INT),
        ("a b", SortId::REAL),
        ("R", SortId::REAL),
        ("B", SortId::BOOL),
        ("C", SortId::BOOL),
        ("A", pairs),
        ("let", pairs),
    ];
    let p = program.add_predicate("p", Some("1"), &parameters);
    program.add_predicate("q", None, &[("X", SortId::INT)]);
    program.add_predicate("q", None, &[("X", SortId::INT)]);
    let arguments: Vec<TermId> = parameters
        .iter()
        .map(|(name, sort)| program.terms.fresh_variable(name, *sort))
        .collect();
    program.add_query(
        Vec::new(),
        Atom {
            predicate: p,
            arguments,
        },
        None,
    );
    program
}

/// Builds any formula from numbers: each number chooses an operator and takes what is on the stack.
fn build_formula(terms: &mut Terms, variables: &[TermId], choices: &[(u8, i64, u64)]) -> TermId {
    let [x, y, a, r, b, c, m, n] = variables else {
        return TermId::TRUE;
    };
    let (mut integers, mut reals, mut formulas, mut arrays) = (vec![*x, *y], vec![*a, *r], vec![*b, *c], vec![*m, *n]);
    for (operator, number, pick) in choices {
        let choose = |from: &[TermId], salt: u64| from[(pick.wrapping_mul(salt) % from.len() as u64) as usize];
        let (i, j) = (choose(&integers, 1), choose(&integers, 7));
        let (s, t) = (choose(&reals, 3), choose(&reals, 11));
        let (f, g) = (choose(&formulas, 5), choose(&formulas, 13));
        let (u, v) = (choose(&arrays, 17), choose(&arrays, 19));
        match operator % 24 {
            0 => integers.push(terms.integer(num_bigint::BigInt::from(*number).pow(5))),
            1 => integers.push(terms.add(i, j)),
            2 => integers.push(terms.subtract(i, j)),
            3 => integers.push(terms.multiply(i, j)),
            4 => integers.push(terms.integer_divide(i, j)),
            5 => integers.push(terms.modulo(i, j)),
            6 => integers.push(terms.to_integer(s)),
            7 => integers.push(terms.if_then_else(f, i, j)),
            8 => reals.push(terms.real(Rational::new((*number).into(), (pick % 1_000 + 1).into()))),
            9 => reals.push(terms.add(s, t)),
            10 => reals.push(terms.multiply(s, t)),
            11 => reals.push(terms.divide(s, t)),
            12 => reals.push(terms.to_real(i)),
            13 => reals.push(terms.select(u, i)),
            14 => arrays.push(terms.store(u, i, s)),
            15 => arrays.push(terms.if_then_else(f, u, v)),
            16 => {
                let sort = terms.sort(u);
                arrays.push(terms.constant_array(sort, s));
            }
            17 => formulas.push(terms.less(i, j)),
            18 => formulas.push(terms.less(s, t)),
            19 => formulas.push(terms.equal(u, v)),
            20 => formulas.push(terms.equal(f, g)),
            21 => formulas.push(terms.and(&[f, g])),
            22 => formulas.push(terms.not(f)),
            _ => {
                let equal = terms.equal(i, j);
                formulas.push(terms.or(&[equal, f, g]));
            }
        }
    }
    formulas.pop().unwrap_or(TermId::TRUE)
}

fn any_value(sort: u8) -> BoxedStrategy<Value> {
    let integer = (any::<i128>(), 0u32..4).prop_map(|(base, power)| {
        let huge = num_bigint::BigInt::from(base).pow(power);
        Value::Number(Rational::from_integer(huge))
    });
    let real = (any::<i64>(), 1i64..i64::MAX)
        .prop_map(|(numerator, denominator)| Value::Number(Rational::new(numerator.into(), denominator.into())));
    match sort {
        0 => integer.boxed(),
        1 => real.boxed(),
        2 => any::<bool>().prop_map(Value::Bool).boxed(),
        _ => (real.clone(), prop::collection::vec((integer, real), 0..4))
            .prop_map(|(default, elements)| {
                let empty = ArrayValue {
                    default,
                    elements: BTreeMap::new(),
                };
                let filled = elements
                    .into_iter()
                    .fold(empty, |array, (at, value)| array.with(at, value));
                Value::Array(Arc::new(filled))
            })
            .boxed(),
    }
}

proptest! {
    #[test]
    fn formulas_are_read_back_the_same(choices in prop::collection::vec((any::<u8>(), -9i64..10, any::<u64>()), 1..40)) {
        let program = program();
        let predicate = PredicateId::from_index(2);
        let mut terms = program.terms.clone();
        let formula = build_formula(&mut terms, &program.predicate(predicate).parameters, &choices);
        let invariants = vec![Invariant { predicate, disjuncts: vec![vec![formula], vec![]] }];
        let text = save_certificate(&program, &Certificate::new(terms.clone(), invariants)).expect("well formed");
        let saved = read_evidence(&program, &text).expect("just saved");
        prop_assert!(saved.same_program);
        let Evidence::Certificate(read) = saved.evidence else { panic!("a certificate was saved") };
        prop_assert_eq!(read.invariants[0].disjuncts.len(), 2);
        // Reading into the table that has the formula must find its very id, however it was written.
        let names: Vec<(String, TermId)> = {
            let parameters = &program.predicate(predicate).parameters;
            let names = crate::terms::SmtlibNames::new(&terms, parameters);
            parameters.iter().map(|p| (names.get(*p).to_string(), *p)).collect()
        };
        let name_of = |p: TermId| names.iter().find(|(_, q)| *q == p).map(|(name, _)| name.clone()).unwrap_or_default();
        let written = terms.smtlib(formula, &name_of);
        let again = formula::FormulaReader::new(&mut terms, names.clone()).formula(&written);
        prop_assert_eq!(again, Ok(formula), "{}", written);
    }

    #[test]
    fn values_are_read_back_the_same(values in [0u8, 0, 1, 1, 2, 2, 3, 3].map(any_value)) {
        let program = program();
        let variables = program.terms.variables_of_all(&program.rules()[0].body[0].arguments);
        let values: Vec<(TermId, Value)> = variables.into_iter().zip(values).collect();
        let steps = vec![Step { rule: RuleId::from_index(0), values: values.clone() }];
        let text = save_derivation(&program, &Derivation::new(steps)).expect("every variable has a value");
        let saved = read_evidence(&program, &text).expect("just saved");
        let Evidence::Derivation(read) = saved.evidence else { panic!("a derivation was saved") };
        prop_assert_eq!(&read.steps[0].values, &values);
    }

    #[test]
    fn no_text_brings_the_formula_reader_down(text in "[()|a-zX0-9.;=<>+*/ -]{0,60}") {
        let mut terms = Terms::new();
        let x = terms.fresh_variable("X", SortId::INT);
        let _ = formula::FormulaReader::new(&mut terms, [("X".to_string(), x)]).formula(&text);
    }
}

fn problem(document: &str) -> String {
    match read_evidence(&program(), document) {
        Ok(_) => "nothing".to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn documents_that_cannot_be_read_say_where_and_why() {
    let certificate = |invariant: &str| {
        format!(r#"{{"kind": "certificate", "program": {{"fingerprint": "-"}}, "invariants": [{invariant}]}}"#)
    };
    let q = |rest: &str| {
        let parameters = r#""parameters": [{"name": "X", "sort": "Int"}]"#;
        certificate(&format!(r#"{{"predicate": "q", {parameters}, {rest}}}"#))
    };
    let steps =
        |steps: &str| format!(r#"{{"kind": "derivation", "program": {{"fingerprint": "-"}}, "steps": [{steps}]}}"#);
    let p_values = |last: &str| {
        let array = r#"{"default": "0", "elements": []}"#;
        steps(&format!(
            r#"{{"rule": 1, "values": [["X", "1"], ["X", "2"], ["a b", "1/2"], ["R", "3"], ["B", true], ["C", false],
               ["A", {array}], ["let", {last}]]}}"#
        ))
    };
    let nested = "[".repeat(100_000);
    let cases = [
        ("", "this is not JSON: EOF while parsing a value at line 1 column 0"),
        (
            &nested,
            "this is not JSON: recursion limit exceeded at line 1 column 128",
        ),
        ("[]", "expected an object, found a list"),
        ("{}", "the field `kind` is missing"),
        (r#"{"kind": 7}"#, "kind: expected a string, found 7"),
        (
            r#"{"kind": "proof"}"#,
            "kind: expected \"certificate\" or \"derivation\"",
        ),
        (r#"{"kind": "certificate"}"#, "the field `invariants` is missing"),
        (&certificate("3"), "invariants[0]: expected an object, found 3"),
        (
            &certificate(r#"{"predicate": "r", "parameters": []}"#),
            "invariants[0].predicate: the program has no predicate `r` with 0 parameters",
        ),
        (
            &q(r#""disjuncts": []"#),
            "invariants[0]: several predicates are called `q`: `index` must say which",
        ),
        (
            &q(r#""index": 2, "disjuncts": []"#),
            "invariants[0].index: this is not the index of a predicate `q`",
        ),
        (
            &q(r#""index": -2, "disjuncts": []"#),
            "invariants[0].index: expected a whole number that is not negative, found -2",
        ),
        (
            &q(r#""index": 3, "disjuncts": [7]"#),
            "invariants[0].disjuncts[0]: expected a list, found 7",
        ),
        (
            &q(r#""index": 3, "disjuncts": [["(>= X 0)", "(>= Y 0)"]]"#),
            "invariants[0].disjuncts[0][1]: `Y` is not the name of a parameter (at byte 4 of the formula)",
        ),
        (
            &q(r#""index": 3, "disjuncts": [["(+ X 1)"]]"#),
            "invariants[0].disjuncts[0][0]: expected a formula, found a term of sort Int (at byte 0 of the formula)",
        ),
        (
            &q(r#""index": 3, "disjuncts": [["(>= X 0.0)"]]"#),
            "invariants[0].disjuncts[0][0]: `>=` cannot be applied to (Int Real) (at byte 0 of the formula)",
        ),
        (
            &certificate(
                r#"{"predicate": "q", "index": 3, "parameters": [{"name": "X", "sort": "Real"}], "disjuncts": []}"#,
            ),
            "invariants[0].parameters[0].sort: the sort of this parameter is Int",
        ),
        (&steps("{}"), "steps[0]: the field `rule` is missing"),
        (
            &steps(r#"{"rule": 0, "values": []}"#),
            "steps[0].rule: the program has rules 1 to 1",
        ),
        (
            &steps(r#"{"rule": 1, "values": []}"#),
            "steps[0].values: rule 1 has 8 variables, but 0 values are given",
        ),
        (&p_values("3"), "steps[0].values[7][1]: expected an object, found 3"),
        (
            &p_values(r#"{"default": "1/0", "elements": []}"#),
            "steps[0].values[7][1].default: expected a fraction, like \"-1/3\", found \"1/0\"",
        ),
        (
            &p_values(r#"{"default": "1", "elements": [["1/2", "1"]]}"#),
            "steps[0].values[7][1].elements[0][0]: expected an integer, like \"-3\", found \"1/2\"",
        ),
        (
            &p_values(r#"{"default": "1", "elements": [["2", "1"], ["2", "3"]]}"#),
            "steps[0].values[7][1].elements[1][0]: this index has an element already",
        ),
        (
            &p_values(r#"{"default": "1", "elements": [["2"]]}"#),
            "steps[0].values[7][1].elements[0]: expected a list of two items",
        ),
    ];
    for (document, expected) in cases {
        assert_eq!(problem(document), expected, "{}", formula::clip(document));
    }
    assert_eq!(
        problem(&p_values(r#"{"default": "1", "elements": [["2", "1"]]}"#)),
        "nothing"
    );
}

#[test]
fn formulas_that_cannot_be_read_say_where_and_why() {
    let deep = format!("{}X{}", "(- ".repeat(20_000), ")".repeat(20_000));
    let long = "1".repeat(20_000);
    let squares = format!("(= 0 {}X{})", "(let ((X (* X X))) ".repeat(40), ")".repeat(40));
    let cases = [
        ("", "expected a formula (at byte 0 of the formula)"),
        (
            "true true",
            "expected the end of the formula (at byte 5 of the formula)",
        ),
        ("(and true", "a parenthesis is not closed (at byte 0 of the formula)"),
        ("true)", "expected the end of the formula (at byte 4 of the formula)"),
        (")", "unexpected `)` (at byte 0 of the formula)"),
        ("()", "expected a term, found `()` (at byte 0 of the formula)"),
        ("|X", "a quoted symbol is not closed (at byte 0 of the formula)"),
        ("\"X\"", "unexpected `\"` (at byte 0 of the formula)"),
        ("(= X 1x)", "`1x` is not a number (at byte 5 of the formula)"),
        (
            "(= X |true|)",
            "`true` is not the name of a parameter (at byte 5 of the formula)",
        ),
        (
            "(frob X)",
            "`frob` cannot be applied to (Int) (at byte 0 of the formula)",
        ),
        ("((frob) X)", "expected an operator (at byte 0 of the formula)"),
        (
            "(let ((Y X)) Y",
            "a parenthesis is not closed (at byte 0 of the formula)",
        ),
        (
            "(let () true)",
            "expected bindings of different names (at byte 0 of the formula)",
        ),
        (
            "(let ((Y X) (Y X)) true)",
            "expected bindings of different names (at byte 0 of the formula)",
        ),
        ("(let (Y) true)", "expected `(name term)` (at byte 6 of the formula)"),
        (
            "(= ((as const Int) X) X)",
            "a constant array of sort Int cannot hold a term of sort Int (at byte 3 of the formula)",
        ),
        (
            "(= ((as const Word) X) X)",
            "expected a sort: Int, Real, Bool, (_ BitVec WIDTH), (_ FloatingPoint 11 53), a datatype or (Array SORT SORT) (at byte 14 of the formula)",
        ),
        (
            &deep,
            "the formula is nested deeper than 10000 levels (at byte 30000 of the formula)",
        ),
        (
            &long,
            "`1111111111111111111111111111111111111111…` is not a number (at byte 0 of the formula)",
        ),
    ];
    let mut terms = Terms::new();
    let x = terms.fresh_variable("X", SortId::INT);
    let mut reader = formula::FormulaReader::new(&mut terms, [("X".to_string(), x)]);
    for (text, expected) in cases {
        let found = reader.formula(text).map_err(|error| error.to_string());
        assert_eq!(found, Err(expected.to_string()), "{}", formula::clip(text));
    }
    let too_large = reader.formula(&squares).map_err(|error| error.to_string());
    assert!(too_large.is_err_and(|error| error.starts_with("the product is too large")));
    assert!(reader.formula("(let ((Y (+ X 1)) (X 2)) (= Y (+ X X 1)))").is_ok());
    assert_eq!(reader.formula("(let ((X 2)) (= X 2))"), Ok(TermId::TRUE));
    assert!(reader.formula("(< 0 X 3 (- 7 X 2))").is_ok());
}

#[test]
fn fingerprints_tell_programs_apart() {
    let program = program();
    let mut other = program.clone();
    assert_eq!(fingerprint(&program), fingerprint(&other));
    other.add_query(
        Vec::new(),
        Atom {
            predicate: PredicateId::ERROR,
            arguments: Vec::new(),
        },
        None,
    );
    assert_ne!(fingerprint(&program), fingerprint(&other));
    let steps = Vec::new();
    let text = save_derivation(&other, &Derivation::new(steps)).expect("there is nothing to refuse");
    assert!(read_evidence(&program, &text).is_ok_and(|saved| !saved.same_program));
}
