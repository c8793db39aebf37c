//! Questions about bounded integers beside what they are about: averages, quotients and remainders of all numbers of a span.

use super::{Answer, Layer, Z3Layer};
use crate::terms::{SortId, TermId, Terms, WordOperator};

/// A layer in which these formulas are assumed.
fn layer(terms: &Terms, formulas: &[TermId]) -> Z3Layer {
    let mut layer = Z3Layer::new(0);
    for formula in formulas {
        layer.assume(terms, *formula);
    }
    layer
}

fn within(terms: &mut Terms, variable: TermId, low: i64, high: i64) -> [TermId; 2] {
    let [low, high] = [low, high].map(|bound| terms.integer(bound));
    [terms.less_or_equal(low, variable), terms.less_or_equal(variable, high)]
}

fn operation(terms: &mut Terms, operator: WordOperator, operands: [TermId; 2], width: u32) -> TermId {
    let words = operands.map(|operand| {
        let word = terms.word_operation(WordOperator::OfInteger, &[operand], width);
        word.expect("it is an integer")
    });
    let word = terms.word_operation(operator, &words, width).expect("of one width");
    let integer = terms.word_operation(WordOperator::ToInteger, &[word], width);
    integer.expect("it is a word")
}

#[test]
fn averages_without_a_carry_are_averages() {
    let mut terms = Terms::new();
    let [x, y] = ["X", "Y"].map(|name| terms.fresh_variable(name, SortId::INT));
    let mut formulas = within(&mut terms, x, 0, 4_294_967_295).to_vec();
    formulas.extend(within(&mut terms, y, 0, 4_294_967_295));
    let both = operation(&mut terms, WordOperator::And, [x, y], 32);
    let one = operation(&mut terms, WordOperator::Xor, [x, y], 32);
    let two = terms.integer(2);
    let half = terms.integer_divide(one, two);
    let without = terms.add(both, half);
    let sum = terms.add(x, y);
    let average = terms.integer_divide(sum, two);
    let equal = terms.equal(without, average);
    formulas.push(terms.not(equal));
    assert_eq!(layer(&terms, &formulas).check(&terms), Answer::Unsatisfiable);
    let core = layer(&terms, &formulas[4..]).core(&terms, &formulas[..4]);
    assert_eq!(core.map(|core| core.len()), Some(4));

    // The other bit operation is another number, and the model says of which operands.
    let either = operation(&mut terms, WordOperator::Or, [x, y], 32);
    let above = terms.add(either, half);
    let equal = terms.equal(above, average);
    formulas.pop();
    formulas.push(terms.not(equal));
    let mut layer = layer(&terms, &formulas);
    assert_eq!(layer.check(&terms), Answer::Satisfiable);
    let values = layer.model(&terms, &[x, y]).expect("there is a model");
    for formula in &formulas {
        assert_eq!(terms.holds(*formula, &values), Some(true));
    }
}

#[test]
fn quotients_and_remainders_of_negative_numbers_are_exact() {
    for (low, high) in [(-9, 9), (-9, -2), (3, 17)] {
        for divisor in [-8, -5, -1, 1, 3, 4, 8, 64] {
            let mut terms = Terms::new();
            let [x, q, r] = ["X", "Q", "R"].map(|name| terms.fresh_variable(name, SortId::INT));
            let mut formulas = within(&mut terms, x, low, high).to_vec();
            formulas.extend(within(&mut terms, q, -100, 100));
            formulas.extend(within(&mut terms, r, -100, 100));
            let number = terms.integer(divisor);
            let quotient = terms.integer_divide(x, number);
            let remainder = terms.modulo(x, number);
            formulas.push(terms.equal(q, quotient));
            formulas.push(terms.equal(r, remainder));
            // Something that is asked in words.
            let masked = operation(&mut terms, WordOperator::And, [x, x], 8);
            let eight_bits = terms.integer(256);
            let masked_too = terms.modulo(x, eight_bits);
            formulas.push(terms.equal(masked, masked_too));
            for value in low..=high {
                let value = terms.integer(value);
                let is_value = terms.equal(x, value);
                let mut asked = formulas.clone();
                asked.push(is_value);
                let mut layer = layer(&terms, &asked);
                assert_eq!(layer.check(&terms), Answer::Satisfiable);
                let values = layer.model(&terms, &[x, q, r]).expect("there is a model");
                for formula in &asked {
                    assert_eq!(terms.holds(*formula, &values), Some(true), "{divisor}");
                }
            }
        }
    }
}

#[test]
fn tables_are_read_where_they_are_written_last() {
    let mut terms = Terms::new();
    let [x, y] = ["X", "Y"].map(|name| terms.fresh_variable(name, SortId::INT));
    let sort = terms.array_sort(SortId::INT, SortId::INT);
    let zero = terms.integer(0);
    // The ones of a number below eight, after other numbers at the same indices.
    let mut table = terms.constant_array(sort, zero);
    for (index, element) in [(7, 0), (3, -9), (1, 1), (2, 1), (3, 2), (4, 1), (5, 2), (6, 2), (7, 3)] {
        let (index, element) = (terms.integer(index), terms.integer(element));
        table = terms.store(table, index, element);
    }
    let four = terms.integer(4);
    let low = terms.select(table, x);
    let moved = terms.add(x, four);
    let high = terms.select(table, moved);
    let mut formulas = within(&mut terms, x, 0, 3).to_vec();
    formulas.extend(within(&mut terms, y, 0, 3));
    // Something that is asked in words.
    let masked = operation(&mut terms, WordOperator::And, [x, y], 2);
    formulas.push(terms.equal(masked, x));
    let one = terms.integer(1);
    let more = terms.add(low, one);
    let equal = terms.equal(high, more);
    let different = terms.not(equal);
    formulas.push(different);
    assert_eq!(layer(&terms, &formulas).check(&terms), Answer::Unsatisfiable);

    // What is written outside of it counts as well.
    let elsewhere = terms.store(table, y, four);
    let read = terms.select(elsewhere, x);
    let is_four = terms.equal(read, four);
    formulas.pop();
    formulas.push(is_four);
    let mut layer = layer(&terms, &formulas);
    assert_eq!(layer.check(&terms), Answer::Satisfiable);
    let values = layer.model(&terms, &[x, y]).expect("there is a model");
    for formula in &formulas {
        assert_eq!(terms.holds(*formula, &values), Some(true));
    }
}
