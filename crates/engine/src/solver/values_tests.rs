//! What our terms evaluate to is what Z3 says that they are: words, datatypes and arrays.

use super::{Answer, AssumptionSolver, Z3Translator};
use crate::random::Generator;
use crate::terms::{Assignment, Rational, SortId, Substitution, TermId, Terms, Theory, Value, WordOperator};
use crate::test_support::samples::{Samples, assignment, formula, term, value, word_value};
use z3::ast::{Ast, Dynamic};

/// The term as Z3's with the variables' values in their place, simplified.
fn simplified(terms: &mut Terms, translator: &mut Z3Translator, term: TermId, values: &Assignment) -> Dynamic {
    let mut pairs = Vec::new();
    for variable in terms.variables(term) {
        let value = terms.value_term(&values[&variable], terms.sort(variable));
        let (variable, value) = (translator.term(terms, variable), translator.term(terms, value));
        pairs.push((variable.expect("a term"), value.expect("a term")));
    }
    let pairs: Vec<(&Dynamic, &Dynamic)> = pairs.iter().map(|(variable, value)| (variable, value)).collect();
    let term = translator.term(terms, term).expect("a term");
    term.substitute(&pairs).simplify()
}

/// Everything that can be done with two words, and how wide the result is; the first is as wide as said, the second may not be.
fn operations(width: u32, random: &mut Generator) -> Vec<(WordOperator, u32, u32)> {
    let mut all: Vec<(WordOperator, u32, u32)> = WordOperator::OF_ONE_WIDTH
        .map(|operator| (operator, width, width))
        .to_vec();
    let low = random.below(u64::from(width)) as u32;
    let length = 1 + random.below(u64::from(width - low)) as u32;
    let other = 1 + random.below(70) as u32;
    all.extend([
        (WordOperator::Concatenate, other, width + other),
        (WordOperator::Extract(low), width, length),
        (WordOperator::SignExtend, width, width + other - 1),
        (WordOperator::UnsignedLessOrEqual, width, 0),
        (WordOperator::SignedLessOrEqual, width, 0),
        (WordOperator::ToInteger, width, 0),
    ]);
    all
}

#[test]
fn operations_on_words_have_the_values_that_z3_gives_them() {
    let mut random = Generator(11);
    for width in 1..=70 {
        let mut terms = Terms::new();
        let mut translator = Z3Translator::new();
        for (operator, other, result) in operations(width, &mut random) {
            for _ in 0..6 {
                let sorts = [terms.word_sort(width), terms.word_sort(other)];
                let variables = sorts.map(|sort| terms.fresh_variable("X", sort));
                let mut numbers = [word_value(width, &mut random), word_value(other, &mut random)];
                if width == other && random.below(6) == 0 {
                    numbers[1] = numbers[0].clone();
                }
                let words = [
                    terms.word(numbers[0].clone(), width),
                    terms.word(numbers[1].clone(), other),
                ];
                let values: Assignment = (0..2)
                    .map(|side| {
                        (
                            variables[side],
                            Value::Number(Rational::from_integer(numbers[side].clone())),
                        )
                    })
                    .collect();
                let arity = operator.arity();
                let general = terms
                    .word_operation(operator, &variables[..arity], result)
                    .expect("it fits");
                let folded = terms
                    .word_operation(operator, &words[..arity], result)
                    .expect("it fits");
                let expected = simplified(&mut terms, &mut translator, general, &values);
                let found = translator.term(&terms, folded).expect("a term");
                assert_eq!(found, expected, "{operator:?} of {numbers:?} in {width} bits");
                let mut mixtures = vec![variables, [variables[0], words[1]], [words[0], variables[1]]];
                if words[0] == words[1] {
                    mixtures.push([variables[0], variables[0]]);
                }
                let mut substitution = Substitution::new();
                for side in 0..2 {
                    substitution.insert(&terms, variables[side], words[side]);
                }
                for mixture in mixtures {
                    let term = terms
                        .word_operation(operator, &mixture[..arity], result)
                        .expect("it fits");
                    let evaluated = terms.evaluate(term, &values).expect("operations are total");
                    let sort = terms.sort(folded);
                    assert_eq!(
                        terms.value_term(&evaluated, sort),
                        folded,
                        "{operator:?} of {numbers:?}, {width}"
                    );
                    assert_eq!(
                        terms.substitute(term, &substitution),
                        folded,
                        "{operator:?} of {numbers:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn integers_become_words_by_their_lowest_bits() {
    let mut terms = Terms::new();
    let mut translator = Z3Translator::new();
    let number = terms.fresh_variable("X", SortId::INT);
    for value in [0i64, 1, -1, 7, 8, -8, -9, 255, 256, 1 << 40, -(1 << 40) - 3] {
        for width in [1, 3, 8, 64, 70] {
            let general = terms
                .word_operation(WordOperator::OfInteger, &[number], width)
                .expect("an integer");
            let values = Assignment::from([(number, Value::Number(Rational::from_integer(value.into())))]);
            let word = terms.word(value, width);
            let expected = simplified(&mut terms, &mut translator, general, &values);
            assert_eq!(
                translator.term(&terms, word).expect("a term"),
                expected,
                "{value} in {width} bits"
            );
            let evaluated = terms.evaluate(general, &values).expect("operations are total");
            assert_eq!(terms.value_term(&evaluated, terms.sort(word)), word);
        }
    }
}

#[test]
fn what_does_not_fit_is_no_operation() {
    let mut terms = Terms::new();
    let (narrow, wide) = (terms.word_sort(8), terms.word_sort(9));
    let x = terms.fresh_variable("X", narrow);
    let y = terms.fresh_variable("Y", wide);
    let n = terms.fresh_variable("N", SortId::INT);
    for (operator, arguments, width) in [
        (WordOperator::Add, vec![x, y], 8),
        (WordOperator::Add, vec![x, x], 9),
        (WordOperator::Add, vec![x], 8),
        (WordOperator::Not, vec![n], 8),
        (WordOperator::Extract(1), vec![x], 8),
        (WordOperator::Extract(u32::MAX), vec![x], 2),
        (WordOperator::Extract(0), vec![x], 0),
        (WordOperator::SignExtend, vec![x], 7),
        (WordOperator::Concatenate, vec![x, y], 16),
        (WordOperator::UnsignedLessOrEqual, vec![x, y], 0),
        (WordOperator::SignedLessOrEqual, vec![n, n], 0),
        (WordOperator::ToInteger, vec![n], 0),
        (WordOperator::OfInteger, vec![x], 8),
        (WordOperator::OfInteger, vec![n], 0),
    ] {
        assert_eq!(terms.word_operation(operator, &arguments, width), None, "{operator:?}");
    }
}

#[test]
fn nested_words_have_the_values_that_z3_gives_them() {
    let mut random = Generator(12);
    for round in 0..600 {
        let mut terms = Terms::new();
        let mut translator = Z3Translator::new();
        let width = 1 + random.below(if round % 2 == 0 { 9 } else { 70 }) as u32;
        let sort = terms.word_sort(width);
        let variables: Vec<TermId> = (0..3).map(|_| terms.fresh_variable("X", sort)).collect();
        let whole = term(&mut terms, &variables, sort, &mut random, 4);
        for _ in 0..4 {
            let values = assignment(&terms, &variables, &mut random);
            let expected = simplified(&mut terms, &mut translator, whole, &values);
            let found = terms.evaluate(whole, &values).expect("operations are total");
            let found = terms.value_term(&found, sort);
            assert_eq!(
                translator.term(&terms, found).expect("a term"),
                expected,
                "round {round}"
            );
            let mut substitution = Substitution::new();
            for variable in &variables {
                let value = terms.value_term(&values[variable], sort);
                substitution.insert(&terms, *variable, value);
            }
            assert_eq!(terms.substitute(whole, &substitution), found, "round {round}");
        }
    }
}

/// Sorts of every kind.
fn sorts(terms: &mut Terms) -> Vec<SortId> {
    let samples = Samples::new(terms);
    let byte = terms.word_sort(8);
    let row = terms.array_sort(SortId::INT, SortId::BOOL);
    let table = terms.array_sort(byte, row);
    let lists = terms.array_sort(samples.list, samples.color);
    vec![
        SortId::INT,
        SortId::REAL,
        SortId::BOOL,
        byte,
        terms.word_sort(65),
        row,
        table,
        lists,
        samples.color,
        samples.record,
        samples.list,
        samples.tree,
        samples.forest,
    ]
}

#[test]
fn values_come_back_from_z3_as_they_are() {
    let mut random = Generator(13);
    let mut terms = Terms::new();
    for sort in sorts(&mut terms) {
        for _ in 0..15 {
            let value = value(&terms, sort, &mut random, 4);
            let term = terms.value_term(&value, sort);
            assert_eq!(terms.evaluate(term, &Assignment::new()), Some(value.clone()));
            let variable = terms.fresh_variable("X", sort);
            let equal = terms.equal(variable, term);
            let mut solver = AssumptionSolver::new(Theory::General, 0);
            solver.assert(&terms, equal);
            assert_eq!(solver.check(&terms, &[]), Answer::Satisfiable);
            let model = solver.model(&terms, &[variable]).expect("an exact value");
            assert_eq!(model[&variable], value, "{}", terms.display_value(&value));
        }
    }
}

#[test]
fn formulas_hold_where_z3_says_so() {
    let mut random = Generator(14);
    let (mut defined, mut undefined) = (0, 0);
    for round in 0..250 {
        let mut terms = Terms::new();
        let mut variables = Vec::new();
        for sort in sorts(&mut terms) {
            variables.push(terms.fresh_variable("X", sort));
            variables.push(terms.fresh_variable("Y", sort));
        }
        let whole = formula(&mut terms, &variables, &mut random, 4);
        let variables = terms.variables(whole);
        for _ in 0..3 {
            let values = assignment(&terms, &variables, &mut random);
            let Some(holds) = terms.holds(whole, &values) else {
                undefined += 1;
                continue;
            };
            let mut solver = AssumptionSolver::new(Theory::General, 5_000_000);
            for variable in &variables {
                let value = terms.value_term(&values[variable], terms.sort(*variable));
                let equal = terms.equal(*variable, value);
                solver.assert(&terms, equal);
            }
            let wrong = if holds { terms.not(whole) } else { whole };
            let text = terms.display(whole).to_string();
            assert_ne!(
                solver.check(&terms, &[wrong]),
                Answer::Satisfiable,
                "round {round}: {text}"
            );
            let right = if holds { whole } else { terms.not(whole) };
            assert_ne!(
                solver.check(&terms, &[right]),
                Answer::Unsatisfiable,
                "round {round}: {text}"
            );
            defined += 1;
        }
    }
    assert!(defined > 300 && undefined > 10, "{defined} {undefined}");
}

#[test]
fn datatypes_of_one_name_in_different_tables_are_told_apart() {
    // Z3's context belongs to the thread and outlives the tables.
    for fields in [
        vec![SortId::INT],
        vec![SortId::BOOL, SortId::INT],
        vec![SortId::REAL],
        vec![],
    ] {
        for constructors in 1..4 {
            let mut terms = Terms::new();
            let sort = terms.declare_datatypes(&["thing"])[0];
            let fields: Vec<(String, SortId)> = fields
                .iter()
                .enumerate()
                .map(|(number, sort)| (format!("f{number}"), *sort))
                .collect();
            let fields: Vec<(&str, SortId)> = fields.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
            for number in 0..constructors {
                let fields = if number + 1 == constructors { &fields[..] } else { &[] };
                terms
                    .add_constructor(sort, &format!("c{number}"), fields)
                    .expect("a datatype");
            }
            let last = *terms
                .datatype(sort)
                .expect("a datatype")
                .constructors
                .last()
                .expect("one");
            let variable = terms.fresh_variable("X", sort);
            let is_last = terms.is_made_by(last, variable);
            let mut solver = AssumptionSolver::new(Theory::General, 0);
            solver.assert(&terms, is_last);
            assert_eq!(solver.check(&terms, &[]), Answer::Satisfiable);
            let model = solver.model(&terms, &[variable]).expect("an exact value");
            let Value::Datatype(value) = &model[&variable] else {
                panic!("a value of another sort");
            };
            assert_eq!((value.constructor, value.arguments.len()), (last, fields.len()));
        }
    }
}

#[test]
fn tables_with_the_same_datatypes_in_another_order_agree_with_z3() {
    // A field's sort by name alone would be any of these.
    for order in [[0, 1], [1, 0]] {
        let mut terms = Terms::new();
        let mut inner = terms.declare_datatypes(&["inner"]);
        inner.push(SortId::INT);
        terms.add_constructor(inner[0], "a", &[]);
        terms.add_constructor(inner[0], "b", &[("n", inner[order[1]])]);
        let outer = terms.declare_datatypes(&["outer"])[0];
        let made = terms.add_constructor(outer, "o", &[("i", inner[order[0]]), ("j", inner[order[1]])]);
        let made = made.expect("a datatype");
        let [x, y] = [0, 1].map(|at| terms.fresh_variable("X", inner[order[at]]));
        let whole = terms.construct(made, &[x, y]);
        let z = terms.fresh_variable("Z", outer);
        let equal = terms.equal(z, whole);
        let field = terms.constructor(made).fields[1];
        let part = terms.field_of(field, z);
        let differs = terms.not_equal(part, y);
        let mut solver = AssumptionSolver::new(Theory::General, 0);
        solver.assert(&terms, equal);
        assert_eq!(solver.check(&terms, &[]), Answer::Satisfiable);
        assert_eq!(solver.check(&terms, &[differs]), Answer::Unsatisfiable);
    }
}
