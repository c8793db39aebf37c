//! What is eliminated, in which form, and what is not; and that random formulas mean the same as what trying values says.

use super::{MOST_WORK, exists};
use crate::random::Generator;
use crate::terms::{Assignment, Rational, SortId, TermId, Terms, Value};

/// A table, and its variables of a sort by these names.
fn with_variables<const N: usize>(names: [&str; N], sort: SortId) -> (Terms, [TermId; N]) {
    let mut terms = Terms::new();
    let variables = names.map(|name| terms.fresh_variable(name, sort));
    (terms, variables)
}

/// `a·x + b·y + c` of integers.
fn sum(terms: &mut Terms, parts: &[(i64, TermId)], constant: i64) -> TermId {
    let mut all = vec![terms.integer(constant)];
    for (factor, variable) in parts {
        let factor = terms.integer(*factor);
        all.push(terms.multiply(factor, *variable));
    }
    terms.sum(&all, SortId::INT)
}

fn shown(terms: &mut Terms, variables: &[TermId], formula: TermId) -> String {
    let found = exists(terms, variables, formula).formula.expect("eliminated");
    terms.display(found).to_string()
}

#[test]
fn between_two_bounds_is_a_multiple() {
    let (mut terms, [x, a, b]) = with_variables(["X", "A", "B"], SortId::INT);
    let three_x = sum(&mut terms, &[(3, x)], 0);
    let bounds = [terms.less_or_equal(a, three_x), terms.less_or_equal(three_x, b)];
    let formula = terms.and(&bounds);
    assert_eq!(shown(&mut terms, &[x], formula), "A + (-A) mod 3 =< B");
    let single = terms.less_or_equal(a, three_x);
    assert_eq!(shown(&mut terms, &[x], single), "true");
}

#[test]
fn parts_without_the_variable_are_left_alone_and_disjunctions_taken_apart() {
    let (mut terms, [x, y, a]) = with_variables(["X", "Y", "A"], SortId::INT);
    let (zero, nine) = (terms.integer(0), terms.integer(9));
    let product = terms.multiply(a, a);
    let of_a = terms.less(product, nine);
    let of_x = terms.less_or_equal(a, x);
    let of_y = terms.equal(y, zero);
    let first = terms.and(&[of_a, of_x, of_y]);
    let second = terms.less(a, zero);
    let formula = terms.or(&[first, second]);
    assert_eq!(shown(&mut terms, &[x, y], formula), "A*A =< 8 ; A =< -1");
}

#[test]
fn an_equation_defines_a_variable_of_any_sort() {
    let mut terms = Terms::new();
    let array = terms.array_sort(SortId::INT, SortId::INT);
    let list = terms.declare_datatypes(&["list"])[0];
    terms.add_constructor(list, "nil", &[]).expect("new");
    let cons = terms
        .add_constructor(list, "cons", &[("head", SortId::INT), ("tail", list)])
        .expect("new");
    let word = terms.word_sort(8);
    let [i, v] = ["I", "V"].map(|name| terms.fresh_variable(name, SortId::INT));
    let [a, b] = ["A", "B"].map(|name| terms.fresh_variable(name, array));
    let [k, l] = ["K", "L"].map(|name| terms.fresh_variable(name, list));
    let [w, z] = ["W", "Z"].map(|name| terms.fresh_variable(name, word));
    let stored = terms.store(a, i, v);
    let defines_b = terms.equal(b, stored);
    let element = terms.select(b, v);
    let constructed = terms.construct(cons, &[element, k]);
    let defines_l = terms.equal(constructed, l);
    let is_made = terms.is_made_by(cons, l);
    let defines_w = terms.equal(w, z);
    let formula = terms.and(&[defines_b, defines_l, is_made, defines_w]);
    assert_eq!(exists(&mut terms, &[b, l, w], formula).formula, Some(TermId::TRUE));
    // In each of two cases.
    let element = terms.select(b, i);
    let same = terms.equal(b, a);
    let either = terms.or(&[defines_b, same]);
    let is_v = terms.not_equal(element, v);
    let formula = terms.and(&[either, is_v]);
    assert_eq!(shown(&mut terms, &[b], formula), "V \\= A[I]");
}

#[test]
fn a_truth_value_has_two_values() {
    let (mut terms, [p, q]) = with_variables(["P", "Q"], SortId::BOOL);
    let r = terms.fresh_variable("R", SortId::BOOL);
    let not_q = terms.not(q);
    let formula = [terms.or(&[p, q]), terms.or(&[p, not_q, r])];
    let negated = terms.not(p);
    let with_r = terms.or(&[negated, r]);
    let formula = terms.and(&[formula[0], formula[1], with_r]);
    assert_eq!(exists(&mut terms, &[p, q], formula).formula, Some(r));
}

#[test]
fn what_is_not_linear_stays() {
    let (mut terms, [x, y, a]) = with_variables(["X", "Y", "A"], SortId::INT);
    let product = terms.multiply(x, y);
    let square = terms.multiply(x, x);
    let array = terms.array_sort(SortId::INT, SortId::INT);
    let cells = terms.fresh_variable("C", array);
    let element = terms.select(cells, x);
    let quotient = terms.integer_divide(a, x);
    let remainder = terms.modulo(x, y);
    for term in [product, square, element, quotient, remainder] {
        let formula = terms.less_or_equal(a, term);
        assert_eq!(exists(&mut terms, &[x], formula).formula, None);
        // Where an equation says what it is, that does not matter.
        let defined = terms.equal(x, a);
        let formula = terms.and(&[formula, defined]);
        assert!(exists(&mut terms, &[x], formula).formula.is_some());
    }
    // An array is no number, and may be any.
    let other = terms.fresh_variable("D", array);
    let differ = terms.not_equal(cells, other);
    assert_eq!(exists(&mut terms, &[cells], differ).formula, None);
}

#[test]
fn work_is_limited_and_counted() {
    let (mut terms, [x, y]) = with_variables(["X", "Y"], SortId::INT);
    let mut parts = Vec::new();
    for prime in [10_007, 10_009, 10_037, 10_039] {
        let scaled = sum(&mut terms, &[(prime, x), (-1, y)], 0);
        let zero = terms.integer(0);
        let divisor = terms.integer(prime + 2);
        let remainder = terms.modulo(scaled, divisor);
        let divides = terms.not_equal(remainder, zero);
        let below = terms.less(zero, scaled);
        parts.push(terms.or(&[divides, below]));
    }
    let formula = terms.and(&parts);
    let found = exists(&mut terms, &[x], formula);
    assert_eq!(found.formula, None);
    assert!(found.work > 0 && found.work < 2 * MOST_WORK, "{}", found.work);
}

#[test]
fn deep_formulas_do_not_overflow_the_stack() {
    let (mut terms, [x, a]) = with_variables(["X", "A"], SortId::INT);
    let mut formula = TermId::TRUE;
    for level in 0..20_000 {
        let bound = sum(&mut terms, &[(2, x), (3, a)], level);
        let zero = terms.integer(0);
        let bound = terms.less_or_equal(zero, bound);
        formula = match level % 2 {
            0 => terms.and(&[formula, bound]),
            _ => terms.or(&[formula, bound]),
        };
    }
    let found = exists(&mut terms, &[x], formula);
    assert!(found.work <= 2 * formula.index());
}

#[test]
fn large_numbers_are_exact() {
    let (mut terms, [x, y]) = with_variables(["X", "Y"], SortId::INT);
    let huge = terms.number(
        Rational::from_integer(num_bigint::BigInt::from(2).pow(200)),
        SortId::INT,
    );
    let scaled = terms.multiply(huge, x);
    let one = terms.integer(1);
    let next = terms.add(scaled, one);
    let bounds = [terms.less_or_equal(scaled, y), terms.less_or_equal(y, next)];
    let formula = terms.and(&bounds);
    let found = exists(&mut terms, &[x], formula).formula.expect("linear");
    let two = num_bigint::BigInt::from(2).pow(201);
    for (more, expected) in [(0, true), (1, true), (2, false), (-1, false)] {
        let value = Value::Number(Rational::from_integer(&two + more));
        let values: Assignment = [(y, value)].into_iter().collect();
        assert_eq!(terms.holds(found, &values), Some(expected), "{more}");
    }
}

/// Random formulas over numbers of a sort: small coefficients, all connectives.
struct Formulas {
    random: Generator,
    sort: SortId,
    variables: Vec<TermId>,
    /// Whether there are conditional terms, quotients and remainders.
    with_terms: bool,
}

impl Formulas {
    fn below(&mut self, bound: u64) -> i64 {
        self.random.below(bound) as i64
    }

    fn number(&mut self, terms: &mut Terms, depth: u32) -> TermId {
        let zero = terms.number(Rational::from(0), self.sort);
        let mut total = zero;
        for position in 0..self.variables.len() {
            let factor = Rational::from(self.below(7) - 3);
            let factor = terms.number(factor, self.sort);
            let part = terms.multiply(factor, self.variables[position]);
            if self.below(3) != 0 {
                total = terms.add(total, part);
            }
        }
        let constant = Rational::from(self.below(9) - 4);
        let constant = terms.number(constant, self.sort);
        total = terms.add(total, constant);
        if !self.with_terms || depth == 0 {
            return total;
        }
        let by = terms.integer([2, 3, 4, -3][self.random.below(4) as usize]);
        match self.below(6) {
            0 => {
                let condition = self.formula(terms, depth - 1);
                let other = self.number(terms, depth - 1);
                terms.if_then_else(condition, total, other)
            }
            1 if self.sort == SortId::INT => terms.modulo(total, by),
            2 if self.sort == SortId::INT => {
                let quotient = terms.integer_divide(total, by);
                terms.add(quotient, self.variables[0])
            }
            3 if self.sort == SortId::REAL => {
                let whole = terms.to_integer(total);
                terms.to_real(whole)
            }
            _ => total,
        }
    }

    fn formula(&mut self, terms: &mut Terms, depth: u32) -> TermId {
        if depth == 0 || self.below(5) == 0 {
            let left = self.number(terms, depth);
            let right = terms.number(Rational::from(0), self.sort);
            return match self.below(5) {
                0 => terms.equal(left, right),
                1 => terms.not_equal(left, right),
                2 => terms.less(left, right),
                3 if self.sort == SortId::INT => {
                    let by = terms.integer(self.below(3) + 2);
                    let remainder = terms.modulo(left, by);
                    terms.equal(remainder, right)
                }
                _ => terms.less_or_equal(left, right),
            };
        }
        let [left, right] = [0, 1].map(|_| self.formula(terms, depth - 1));
        match self.below(7) {
            0 => terms.equal(left, right),
            1 => terms.not(left),
            2 | 3 => terms.or(&[left, right]),
            _ => terms.and(&[left, right]),
        }
    }
}

/// The numbers in steps of a fraction up to a number, on both sides of zero.
fn numbers(most: i64, parts: i64) -> impl Iterator<Item = Rational> + Clone {
    (-most * parts..=most * parts).map(move |number| Rational::new(number.into(), parts.into()))
}

fn with_value(values: &Assignment, variable: TermId, number: Rational) -> Assignment {
    let mut values = values.clone();
    values.insert(variable, Value::Number(number));
    values
}

/// Holds what was eliminated against the formula on numbers: those for the variable, and some for two others.
fn agrees(
    terms: &Terms,
    [x, a, b]: [TermId; 3],
    [formula, found]: [TermId; 2],
    tried: impl Iterator<Item = Rational> + Clone,
    random: &mut Generator,
    parts: i64,
) {
    for _ in 0..6 {
        let mut values = Assignment::new();
        for free in [a, b] {
            let number = Rational::new((random.below(9 * parts as u64) as i64 - 4 * parts).into(), parts.into());
            values.insert(free, Value::Number(number));
        }
        let expected = tried
            .clone()
            .any(|number| terms.holds(formula, &with_value(&values, x, number)) == Some(true));
        assert_eq!(
            terms.holds(found, &values),
            Some(expected),
            "{}\n{}\n{values:?}",
            terms.display(formula),
            terms.display(found)
        );
    }
}

/// So many random formulas over numbers of a sort, of which at most twenty are not eliminated.
fn random_formulas_agree(sort: SortId, seeds: u64, tried: impl Iterator<Item = Rational> + Clone, parts: i64) {
    let mut found = 0;
    for seed in 0..seeds {
        let (mut terms, [a, x, b]) = with_variables(["A", "X", "B"], sort);
        let mut formulas = Formulas {
            random: Generator(seed),
            sort,
            variables: vec![a, x, b],
            with_terms: seed % 2 == 0,
        };
        let formula = formulas.formula(&mut terms, 1 + (seed % 3) as u32);
        let Some(eliminated) = exists(&mut terms, &[x], formula).formula else {
            continue;
        };
        found += 1;
        assert!(terms.mentions_only(eliminated, &[a, b]));
        let both = [formula, eliminated];
        agrees(&terms, [x, a, b], both, tried.clone(), &mut formulas.random, parts);
    }
    assert!(found + 20 > seeds, "{found}");
}

#[test]
fn random_formulas_over_integers_agree_with_trying_numbers() {
    // Quotients of quotients make the numbers at which something may change no larger than this.
    random_formulas_agree(SortId::INT, 500, numbers(250, 1), 1);
}

#[test]
fn random_formulas_over_reals_agree_with_trying_numbers() {
    // All numbers at which something changes are among these, and one between any two of them.
    random_formulas_agree(SortId::REAL, 300, numbers(40, 24), 2);
}

/// `-limit ≤ variable ≤ limit`, so that few numbers are to be tried.
fn within(terms: &mut Terms, variable: TermId, limit: i64) -> TermId {
    let [low, high] = [-limit, limit].map(|number| terms.integer(number));
    let bounds = [terms.less_or_equal(low, variable), terms.less_or_equal(variable, high)];
    terms.and(&bounds)
}

#[test]
fn two_variables_and_alternation_agree_with_trying_numbers() {
    let mut found = 0;
    for seed in 0..300 {
        let (mut terms, [a, x, y]) = with_variables(["A", "X", "Y"], SortId::INT);
        let mut formulas = Formulas {
            random: Generator(seed + 10_000),
            sort: SortId::INT,
            variables: vec![a, x, y],
            with_terms: seed % 3 == 0,
        };
        let inner = formulas.formula(&mut terms, 2);
        let (limits_x, limits_y) = (within(&mut terms, x, 5), within(&mut terms, y, 5));
        let inner = terms.and(&[inner, limits_y]);
        // Some X and Y; or all X have some Y.
        let is_alternating = seed % 2 == 0;
        let eliminated = if is_alternating {
            exists(&mut terms, &[y], inner).formula.and_then(|some| {
                let none = terms.not(some);
                let counterexample = terms.and(&[none, limits_x]);
                let found = exists(&mut terms, &[x], counterexample).formula?;
                Some(terms.not(found))
            })
        } else {
            let both = terms.and(&[inner, limits_x]);
            exists(&mut terms, &[x, y], both).formula
        };
        let Some(eliminated) = eliminated else {
            continue;
        };
        found += 1;
        assert!(terms.mentions_only(eliminated, &[a]));
        for number in numbers(4, 1) {
            let values = with_value(&Assignment::new(), a, number);
            let has_y = |x_is: Rational| {
                let values = with_value(&values, x, x_is);
                numbers(5, 1).any(|y_is| terms.holds(inner, &with_value(&values, y, y_is)) == Some(true))
            };
            let expected = if is_alternating {
                numbers(5, 1).all(has_y)
            } else {
                numbers(5, 1).any(has_y)
            };
            let holds = terms.holds(eliminated, &values);
            assert_eq!(
                holds,
                Some(expected),
                "{}\n{}\n{values:?}",
                terms.display(inner),
                terms.display(eliminated)
            );
        }
    }
    assert!(found > 250, "{found}");
}

#[test]
fn integers_among_reals_agree_with_trying_numbers() {
    for seed in 0..300 {
        let (mut terms, [x, n]) = with_variables(["X", "N"], SortId::INT);
        let r = terms.fresh_variable("R", SortId::REAL);
        let mut random = Generator(seed);
        let mut draw = |bound: u64| random.below(bound) as i64;
        let mut literals = Vec::new();
        for _ in 0..3 {
            let whole = sum(&mut terms, &[(draw(5) - 2, x), (draw(3) - 1, n)], draw(5) - 2);
            let whole = terms.to_real(whole);
            let mut parts = [(draw(5) - 2, whole), (draw(3) - 1, r)].map(|(factor, term)| {
                let factor = terms.real(Rational::new((2 * factor + 1).into(), 2.into()));
                terms.multiply(factor, term)
            });
            if draw(3) == 0 {
                parts[1] = terms.real(Rational::new(draw(9).into(), 3.into()));
            }
            let left = terms.add(parts[0], parts[1]);
            let right = terms.real(Rational::new(draw(7).into(), 2.into()));
            literals.push(match draw(4) {
                0 => terms.equal(left, right),
                1 => terms.not_equal(left, right),
                2 => terms.less(left, right),
                _ => terms.less_or_equal(left, right),
            });
        }
        let either = terms.or(&literals[1..]);
        let formula = terms.and(&[literals[0], either]);
        let found = exists(&mut terms, &[x], formula).formula.expect("linear");
        assert!(terms.mentions_only(found, &[n, r]));
        for _ in 0..8 {
            let mut values = with_value(&Assignment::new(), n, Rational::from(draw(7) - 3));
            values = with_value(&values, r, Rational::new((draw(13) - 6).into(), 2.into()));
            let tried = |number| terms.holds(formula, &with_value(&values, x, number)) == Some(true);
            let expected = numbers(80, 1).any(tried);
            assert_eq!(
                terms.holds(found, &values),
                Some(expected),
                "{seed}: {}",
                terms.display(formula)
            );
        }
    }
}
