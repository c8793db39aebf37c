//! Tests of the normal forms, and of evaluation as their oracle.

use super::*;
use num_traits::Zero;
use proptest::prelude::*;

fn number(value: i64) -> Value {
    Value::Number(Rational::from_integer(value.into()))
}

#[test]
fn equal_constraints_have_equal_ids() {
    let mut terms = Terms::new();
    let x = terms.fresh_variable("X", SortId::INT);
    let y = terms.fresh_variable("Y", SortId::INT);
    let one = terms.integer(1);
    let x_plus_one = terms.add(x, one);
    let strict = terms.less(x, y);
    let loose = terms.less_or_equal(x_plus_one, y);
    assert_eq!(strict, loose);
    let negated = terms.not(strict);
    let expected = terms.less_or_equal(y, x);
    assert_eq!(negated, expected);
    assert_eq!(terms.display(strict).to_string(), "X =< Y - 1");
}

#[test]
fn integer_bounds_are_rounded_and_impossible_equalities_are_false() {
    let mut terms = Terms::new();
    let x = terms.fresh_variable("X", SortId::INT);
    let two = terms.integer(2);
    let five = terms.integer(5);
    let double = terms.multiply(two, x);
    assert_eq!(terms.equal(double, five), TermId::FALSE);
    let bound = terms.less_or_equal(double, five);
    assert_eq!(terms.display(bound).to_string(), "X =< 2");
}

#[test]
fn reals_keep_strictness_and_show_a_point() {
    let mut terms = Terms::new();
    let x = terms.fresh_variable("X", SortId::REAL);
    let third = terms.real(Rational::new(1.into(), 3.into()));
    let half = terms.real(Rational::new(1.into(), 2.into()));
    let strict = terms.less(x, half);
    assert_eq!(terms.display(strict).to_string(), "X < 0.5");
    assert_eq!(terms.display(third).to_string(), "1.0/3.0");
    assert_eq!(terms.display(half).to_string(), "0.5");
}

#[test]
fn arrays_read_over_writes() {
    let mut terms = Terms::new();
    let sort = terms.array_sort(SortId::INT, SortId::INT);
    let array = terms.fresh_variable("A", sort);
    let i = terms.fresh_variable("I", SortId::INT);
    let one = terms.integer(1);
    let next = terms.add(i, one);
    let stored = terms.store(array, i, one);
    assert_eq!(terms.select(stored, i), one);
    let elsewhere = terms.select(stored, next);
    assert_eq!(terms.display(elsewhere).to_string(), "A[I + 1]");
}

#[test]
fn a_write_of_what_an_array_holds_below_an_overwritten_write_vanishes() {
    let mut terms = Terms::new();
    let sort = terms.array_sort(SortId::INT, SortId::INT);
    let array = terms.fresh_variable("A", sort);
    let i = terms.fresh_variable("I", SortId::INT);
    let held = terms.select(array, i);
    let stored = terms.store(array, i, i);
    assert_eq!(terms.store(stored, i, held), array);
}

#[test]
fn factors_meet_in_any_order() {
    let mut terms = Terms::new();
    let variables: Vec<TermId> = (0..40).map(|_| terms.fresh_variable("X", SortId::INT)).collect();
    let mut large = variables[0];
    for variable in &variables[1..] {
        large = terms.add(large, *variable);
    }
    let (two, x, y) = (terms.integer(2), variables[0], variables[1]);
    let small = terms.add(x, y);
    let double = terms.multiply(two, x);
    let factors = [large, small, double];
    let products = [[0, 1, 2], [0, 2, 1], [2, 0, 1], [1, 0, 2]].map(|order: [usize; 3]| {
        let first = terms.multiply(factors[order[0]], factors[order[1]]);
        terms.multiply(first, factors[order[2]])
    });
    assert!(products.iter().all(|product| *product == products[0]));
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let mut terms = Terms::new();
    let x = terms.fresh_variable("X", SortId::INT);
    let y = terms.fresh_variable("Y", SortId::INT);
    let mut deep = x;
    for step in 0..100_000 {
        let bound = terms.integer(step);
        let condition = terms.less(x, bound);
        deep = terms.if_then_else(condition, deep, y);
    }
    let zero = terms.integer(0);
    let substitution = Substitution::of(&terms, &[x], &[zero]);
    let changed = terms.substitute(deep, &substitution);
    assert!(!terms.display(changed).to_string().is_empty());
    let values = Assignment::from_iter([(x, number(1)), (y, number(2))]);
    assert_eq!(terms.evaluate(deep, &values), Some(number(2)));
}

/// A recipe for a random formula over two integers and two reals, built twice by the property test.
#[derive(Clone, Debug)]
enum Recipe {
    Variable(usize),
    Number(i64),
    Binary(usize, Box<Recipe>, Box<Recipe>),
}

fn recipe() -> impl Strategy<Value = Recipe> {
    let leaf = prop_oneof![
        (0usize..3).prop_map(Recipe::Variable),
        (-6i64..7).prop_map(Recipe::Number)
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        (0usize..8, inner.clone(), inner)
            .prop_map(|(operator, a, b)| Recipe::Binary(operator, Box::new(a), Box::new(b)))
    })
}

fn build(terms: &mut Terms, variables: &[TermId], recipe: &Recipe) -> TermId {
    match recipe {
        Recipe::Variable(index) => variables[*index],
        Recipe::Number(value) => terms.integer(*value),
        Recipe::Binary(operator, a, b) => {
            let a = build(terms, variables, a);
            let b = build(terms, variables, b);
            match operator {
                0 => terms.add(a, b),
                1 => terms.subtract(a, b),
                2 => terms.multiply(a, b),
                3 => terms.integer_divide(a, b),
                4 => terms.modulo(a, b),
                5 => terms.minimum(a, b),
                6 => terms.maximum(a, b),
                _ => {
                    let condition = terms.equal(a, b);
                    let negated = terms.not(condition);
                    terms.if_then_else(negated, a, b)
                }
            }
        }
    }
}

/// The meaning of a recipe, computed without terms; `None` where something is divided by zero.
fn meaning(recipe: &Recipe, values: &[i64]) -> Option<Rational> {
    Some(match recipe {
        Recipe::Variable(index) => Rational::from_integer(values[*index].into()),
        Recipe::Number(value) => Rational::from_integer((*value).into()),
        Recipe::Binary(operator, a, b) => {
            let (a, b) = (meaning(a, values)?, meaning(b, values)?);
            match operator {
                0 => a + b,
                1 => a - b,
                2 => a * b,
                3 | 4 if b.is_zero() => return None,
                3 => a.euclidean_division(&b).0,
                4 => a.euclidean_division(&b).1,
                5 => a.min(b),
                6 => a.max(b),
                _ => {
                    if a != b {
                        a
                    } else {
                        b
                    }
                }
            }
        }
    })
}

#[test]
fn terms_are_copied_from_a_table_that_has_grown() {
    let mut terms = Terms::new();
    let [x, y] = ["X", "Y"].map(|name| terms.fresh_variable(name, SortId::INT));
    let shared = terms.len();
    let mut other = terms.clone();
    // The tables go different ways, so the same numbers stand for different terms.
    let (seven, product) = (terms.integer(7), other.multiply(x, y));
    let (five, sum) = (other.integer(5), other.add(x, y));
    let (less, equal) = (other.less(product, five), other.equal(sum, five));
    let formula = other.or(&[less, equal]);
    let copy = terms.copied_from(&other, shared, formula);
    for values in [[2, 3], [1, 4], [4, 4]] {
        let assignment = Assignment::from_iter([x, y].into_iter().zip(values.map(number)));
        assert_eq!(terms.holds(copy, &assignment), other.holds(formula, &assignment));
    }
    assert_eq!(terms.copied_from(&other, shared, formula), copy);
    assert_ne!(terms.copied_from(&other, shared, five), seven);
}

proptest! {
    #[test]
    fn normalization_keeps_the_meaning(
        left in recipe(), right in recipe(), values in prop::array::uniform3(-9i64..10)
    ) {
        let mut terms = Terms::new();
        let variables: Vec<TermId> =
            ["X", "Y", "Z"].iter().map(|name| terms.fresh_variable(name, SortId::INT)).collect();
        let assignment = Assignment::from_iter(variables.iter().copied().zip(values.map(number)));
        let a = build(&mut terms, &variables, &left);
        let b = build(&mut terms, &variables, &right);
        let (Some(x), Some(y)) = (meaning(&left, &values), meaning(&right, &values)) else { return Ok(()) };
        // A division by zero that normalization removed is fine; one that it added is not.
        prop_assert_eq!(terms.evaluate(a, &assignment), Some(Value::Number(x.clone())));
        for (formula, expected) in [
            (terms.less(a, b), x < y), (terms.less_or_equal(a, b), x <= y), (terms.equal(a, b), x == y),
        ] {
            prop_assert_eq!(terms.holds(formula, &assignment), Some(expected));
            let negated = terms.not(formula);
            prop_assert_eq!(terms.holds(negated, &assignment), Some(!expected));
            prop_assert_eq!(terms.not(negated), formula);
        }
        // Substituting the values evaluates too.
        let numbers: Vec<TermId> = values.iter().map(|value| terms.integer(*value)).collect();
        let substitution = Substitution::of(&terms, &variables, &numbers);
        let ground = terms.substitute(a, &substitution);
        prop_assert_eq!(terms.number_value(ground).cloned(), Some(x));
    }
}

#[test]
fn multiples_of_a_divisor_are_divided() {
    let mut terms = Terms::new();
    let [x, y] = ["X", "Y"].map(|name| terms.fresh_variable(name, SortId::INT));
    let eight = terms.integer(8);
    let scaled = terms.multiply(eight, x);
    assert_eq!(terms.integer_divide(scaled, eight), x);
    let sum = terms.add(scaled, y);
    let (quotient, remainder) = (terms.integer_divide(sum, eight), terms.modulo(sum, eight));
    let of_rest = terms.integer_divide(y, eight);
    assert_eq!(quotient, terms.add(x, of_rest));
    assert_eq!(remainder, terms.modulo(y, eight));
    // Remainders are not negative, whatever the divisor is.
    let minus = terms.integer(-8);
    let (by_negative, left) = (terms.integer_divide(sum, minus), terms.modulo(sum, minus));
    for (a, b) in [(3i64, 5i64), (-3, -13), (0, -1), (7, 8)] {
        let values = [(x, a), (y, b)].map(|(variable, value)| (variable, terms.integer(value)));
        let mut put = Substitution::new();
        for (variable, value) in values {
            put.insert(&terms, variable, value);
        }
        let whole = 8 * a + b;
        let expected =
            [whole.div_euclid(-8), whole.rem_euclid(-8), whole.div_euclid(8)].map(|value| terms.integer(value));
        assert_eq!(
            [by_negative, left, quotient].map(|term| terms.substitute(term, &put)),
            expected
        );
    }
}
