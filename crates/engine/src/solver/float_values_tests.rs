//! What floating-point terms evaluate to is what Z3 says that they are, and what is asked of Z3 comes back as it was.

use super::{Answer, Layer, Z3Layer, Z3Translator};
use crate::random::Generator;
use crate::terms::{Assignment, FloatFormat, FloatOperator, Sort, SortId, Substitution, TermId, Terms, Value};
use crate::test_support::samples::{float_value, word_value};
use z3::ast::{Ast, Dynamic};

fn simplified(terms: &mut Terms, translator: &mut Z3Translator, term: TermId, values: &Assignment) -> Dynamic {
    let mut pairs = Vec::new();
    for variable in terms.variables(term) {
        let value = terms.value_term(&values[&variable], terms.sort(variable));
        let (variable, value) = (translator.term(terms, variable), translator.term(terms, value));
        pairs.push((variable.expect("a term"), value.expect("a term")));
    }
    let pairs: Vec<(&Dynamic, &Dynamic)> = pairs.iter().map(|(variable, value)| (variable, value)).collect();
    translator
        .term(terms, term)
        .expect("a term")
        .substitute(&pairs)
        .simplify()
}

/// The sorts of arguments and results that an operation on numbers of a format may have.
fn sorts(terms: &mut Terms, operator: FloatOperator, format: FloatFormat, random: &mut Generator) -> (SortId, SortId) {
    let (single, double) = (
        terms.float_sort(FloatFormat::Single),
        terms.float_sort(FloatFormat::Double),
    );
    let float = if format == FloatFormat::Single { single } else { double };
    let other = if format == FloatFormat::Single { double } else { single };
    let width = [1, 8, 31, 32, 64, 70][random.below(6) as usize];
    let word = terms.word_sort(width);
    match operator {
        FloatOperator::Convert => (other, float),
        FloatOperator::OfBits => (terms.word_sort(format.width()), float),
        FloatOperator::OfSigned | FloatOperator::OfUnsigned => (word, float),
        FloatOperator::ToSigned | FloatOperator::ToUnsigned => (float, word),
        FloatOperator::ToBits => (float, terms.word_sort(format.width())),
        _ => {
            let fits = |result: SortId, terms: &mut Terms| {
                let arguments = vec![terms.fresh_variable("X", float); operator.arity()];
                terms.float_operation(operator, &arguments, result).is_some()
            };
            match fits(float, terms) {
                true => (float, float),
                false => (float, SortId::BOOL),
            }
        }
    }
}

#[test]
fn operations_on_floats_have_the_values_that_z3_gives_them() {
    let mut random = Generator(17);
    for round in 0..60 {
        let mut terms = Terms::new();
        let mut translator = Z3Translator::new();
        for operator in FloatOperator::ALL {
            let format = [FloatFormat::Single, FloatFormat::Double][round % 2];
            let (argument, result) = sorts(&mut terms, operator, format, &mut random);
            let variables: Vec<TermId> = (0..operator.arity())
                .map(|_| terms.fresh_variable("X", argument))
                .collect();
            let mut values = Assignment::new();
            for variable in &variables {
                let value = match terms.sort_of_id(argument) {
                    Sort::Word(width) => {
                        Value::Number(crate::terms::Rational::from_integer(word_value(width, &mut random)))
                    }
                    Sort::Float(format) => Value::Float(float_value(format, &mut random)),
                    _ => panic!("another sort"),
                };
                values.insert(*variable, value);
            }
            let general = terms.float_operation(operator, &variables, result).expect("it fits");
            // What SMT-LIB leaves open has no value.
            let Some(value) = terms.evaluate(general, &values) else {
                continue;
            };
            let expected = simplified(&mut terms, &mut translator, general, &values);
            let folded = terms.value_term(&value, result);
            let found = translator.term(&terms, folded).expect("a term").simplify();
            assert_eq!(found, expected, "{operator:?} of {values:?}");
            let mut substitution = Substitution::new();
            for (variable, value) in &values {
                let value = terms.value_term(value, argument);
                substitution.insert(&terms, *variable, value);
            }
            assert_eq!(terms.substitute(general, &substitution), folded);
        }
    }
}

#[test]
fn simplifications_of_floats_keep_their_values() {
    let mut random = Generator(19);
    for _ in 0..2000 {
        let mut terms = Terms::new();
        let format = [FloatFormat::Single, FloatFormat::Double][random.below(2) as usize];
        let sort = terms.float_sort(format);
        let x = terms.fresh_variable("X", sort);
        let value = float_value(format, &mut random);
        let constant = terms.float(float_value(format, &mut random));
        let operators: Vec<FloatOperator> = FloatOperator::ALL.into_iter().filter(|one| one.arity() == 2).collect();
        let operator = operators[random.below(operators.len() as u64) as usize];
        let mut inner = x;
        for _ in 0..random.below(3) {
            let operator = [FloatOperator::Negate, FloatOperator::Absolute][random.below(2) as usize];
            inner = terms.float_operation(operator, &[inner], sort).expect("it fits");
        }
        let values = Assignment::from([(x, Value::Float(value))]);
        let x_term = terms.float(value);
        let pairs = [[inner, constant], [constant, inner], [inner, inner], [inner, x]];
        for pair in pairs {
            for result in [sort, SortId::BOOL] {
                let Some(term) = terms.float_operation(operator, &pair, result) else {
                    continue;
                };
                let mut substitution = Substitution::new();
                substitution.insert(&terms, x, x_term);
                let direct: Vec<TermId> = pair.iter().map(|side| terms.substitute(*side, &substitution)).collect();
                let direct = terms.float_operation(operator, &direct, result).expect("it fits");
                let expected = terms.evaluate(direct, &values);
                let found = terms.evaluate(term, &values);
                // The value may be known although an operation inside is left open, not the other way round.
                if expected.is_some() {
                    assert_eq!(found, expected, "{operator:?} {}", terms.display(term));
                }
            }
        }
    }
}

#[test]
fn models_have_the_bits_of_floats() {
    let mut random = Generator(23);
    for _ in 0..40 {
        let mut terms = Terms::new();
        let format = [FloatFormat::Single, FloatFormat::Double][random.below(2) as usize];
        let sort = terms.float_sort(format);
        let x = terms.fresh_variable("X", sort);
        let value = float_value(format, &mut random);
        let constant = terms.float(value);
        let formula = terms.equal(x, constant);
        let mut layer = Z3Layer::new(0);
        layer.assume(&terms, formula);
        assert_eq!(layer.check(&terms), Answer::Satisfiable);
        let model = layer.model(&terms, &[x]).expect("a model");
        assert_eq!(model[&x], Value::Float(value));
        let different = terms.not(formula);
        assert_eq!(layer.core(&terms, &[TermId::TRUE, different]), Some(vec![1]));
    }
}
