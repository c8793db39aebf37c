//! The linear layer against Z3, and by hand where the answer is known. `examples/linear_layer.rs` does the former at length.

mod agreement;
mod generator;

use agreement::{Counts, SHORT_WALK, walk};
use clausal::solver::{Answer, Layer, LayeredSolver, LinearLayer, is_contradiction};
use clausal::terms::{Rational, SortId, TermId, Terms};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn the_layer_never_contradicts_z3(seed: u64) {
        prop_assert_eq!(walk(seed, SHORT_WALK, &mut Counts::default()), Ok(()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    /// What hundreds of pushes and pops leave behind in one solver must not matter.
    #[test]
    fn a_long_history_changes_no_answer(seed: u64) {
        prop_assert_eq!(walk(seed, 300, &mut Counts::default()), Ok(()));
    }
}

fn variables<const N: usize>(terms: &mut Terms, sort: SortId) -> [TermId; N] {
    std::array::from_fn(|index| terms.fresh_variable(&format!("X{index}"), sort))
}

/// `Σ coefficient·variable + constant`
fn sum(terms: &mut Terms, parts: &[(i64, TermId)], constant: i64) -> TermId {
    let sort = terms.sort(parts[0].1);
    let mut total = terms.number(Rational::from_integer(constant.into()), sort);
    for (coefficient, variable) in parts {
        let coefficient = terms.number(Rational::from_integer((*coefficient).into()), sort);
        let product = terms.multiply(coefficient, *variable);
        total = terms.add(total, product);
    }
    total
}

fn ask(terms: &Terms, formulas: &[TermId]) -> Answer {
    let mut layer = LinearLayer::default();
    for formula in formulas {
        layer.assume(terms, *formula);
    }
    layer.check(terms)
}

#[test]
fn integers_have_no_halves() {
    let mut terms = Terms::new();
    let [x, y, z] = variables(&mut terms, SortId::INT);
    let zero = terms.integer(0);
    // x + y = 2z and x - y = 1: no row is divisible. 1 =< 3x - 3y + z =< 2 and z = 0: there is no end of splitting.
    let even = sum(&mut terms, &[(1, x), (1, y), (-2, z)], 0);
    let odd = sum(&mut terms, &[(1, x), (-1, y)], -1);
    let (even, odd) = (terms.equal(even, zero), terms.equal(odd, zero));
    let mut solver = LayeredSolver::new(0);
    assert_eq!(solver.check(&terms, &[even, odd], &[]), Answer::Unsatisfiable);
    let form = sum(&mut terms, &[(3, x), (-3, y), (1, z)], 0);
    let (one, two) = (terms.integer(1), terms.integer(2));
    let bounds = [
        terms.less_or_equal(one, form),
        terms.less_or_equal(form, two),
        terms.equal(z, zero),
    ];
    assert_eq!(solver.check(&terms, &bounds, &[]), Answer::Unsatisfiable);
    assert_eq!(ask(&terms, &bounds[..2]), Answer::Satisfiable);
    let small = [terms.less(x, two), terms.less(zero, y), terms.less(y, x)];
    assert_eq!(ask(&terms, &small), Answer::Unsatisfiable);
}

#[test]
fn reals_have_room_between_strict_bounds() {
    let mut terms = Terms::new();
    let [x, y] = variables(&mut terms, SortId::REAL);
    let (zero, one) = (sum(&mut terms, &[(0, x)], 0), sum(&mut terms, &[(0, x)], 1));
    let chain = [
        terms.less(zero, x),
        terms.less(x, y),
        terms.less(y, one),
        terms.not_equal(x, y),
    ];
    let mut layer = LinearLayer::default();
    for formula in chain {
        layer.push();
        layer.assume(&terms, formula);
    }
    assert_eq!(layer.check(&terms), Answer::Satisfiable);
    let values = layer.model(&terms, &[x, y]).expect("the layer has all values");
    assert!(chain.iter().all(|formula| terms.holds(*formula, &values) == Some(true)));
    let back = terms.less_or_equal(y, x);
    layer.push();
    layer.assume(&terms, back);
    assert_eq!(
        (layer.check(&terms), layer.conflict()),
        (Answer::Unsatisfiable, vec![1, 4])
    );
    layer.pop(1);
    assert_eq!(layer.check(&terms), Answer::Satisfiable);
}

#[test]
fn quotients_cases_and_floors_are_exact() {
    let mut terms = Terms::new();
    let [x, y] = variables(&mut terms, SortId::INT);
    let r = terms.fresh_variable("R", SortId::REAL);
    let (zero, seven, minus_three) = (terms.integer(0), terms.integer(7), terms.integer(-3));
    let (quotient, remainder) = (terms.integer_divide(x, minus_three), terms.modulo(x, minus_three));
    let recomposed = sum(&mut terms, &[(-3, quotient), (1, remainder)], 0);
    let differs = terms.not_equal(recomposed, x);
    let greatest = terms.maximum(x, y);
    let too_small = terms.less(greatest, x);
    let floor = terms.to_integer(r);
    let floor = terms.to_real(floor);
    let above = terms.less(r, floor);
    for impossible in [differs, too_small, above] {
        assert_eq!(ask(&terms, &[impossible]), Answer::Unsatisfiable);
    }
    let is_seven = terms.equal(remainder, zero);
    let large = terms.less(seven, quotient);
    assert_eq!(ask(&terms, &[is_seven, large]), Answer::Satisfiable);
}

#[test]
fn what_is_not_linear_is_left_open_unless_the_rest_decides() {
    let mut terms = Terms::new();
    let [x, y] = variables(&mut terms, SortId::INT);
    let product = terms.multiply(x, y);
    let (two, six) = (terms.integer(2), terms.integer(6));
    let is_six = terms.equal(product, six);
    let is_two = terms.equal(product, two);
    assert_eq!(ask(&terms, &[is_six]), Answer::Unknown);
    assert_eq!(ask(&terms, &[is_six, is_two]), Answer::Unsatisfiable);
    let mut solver = LayeredSolver::new(0);
    assert_eq!(solver.check(&terms, &[is_six], &[]), Answer::Satisfiable);
    assert_eq!(solver.statistics().z3.settled, 1);
}

#[test]
fn farkas_coefficients_add_up_to_a_contradiction() {
    let mut terms = Terms::new();
    let [x, y, z] = variables(&mut terms, SortId::INT);
    let zero = terms.integer(0);
    // 2x + y =< 0, y - z >= 0, x = z + 1, 3z >= -1: the last, with 2x + z =< 0 and 2x = 2z + 2, gives 3z =< -2.
    let first = sum(&mut terms, &[(2, x), (1, y)], 0);
    let second = sum(&mut terms, &[(1, y), (-1, z)], 0);
    let third = sum(&mut terms, &[(1, x), (-1, z)], -1);
    let store = [
        terms.less_or_equal(first, zero),
        terms.less_or_equal(zero, second),
        terms.equal(third, zero),
    ];
    let extra = terms.less_or_equal(zero, z);
    let mut solver = LayeredSolver::new(0);
    assert_eq!(solver.check(&terms, &store, &[extra]), Answer::Unsatisfiable);
    let combination = solver.farkas(&terms).expect("it is a sum");
    assert!(is_contradiction(&terms, &combination));
    let positions: Vec<usize> = combination.iter().map(|part| part.position).collect();
    assert_eq!(positions, [0, 1, 2, 3]);
    // What the first layer sees is a sum, too; a case split is not.
    let negation = terms.not(store[0]);
    assert_eq!(solver.check(&terms, &store, &[negation]), Answer::Unsatisfiable);
    assert_eq!(solver.farkas(&terms).map(|combination| combination.len()), Some(2));
    let (low, high) = (terms.less(z, zero), terms.less(zero, z));
    let cases = [terms.or(&[low, high]), terms.equal(z, zero)];
    assert_eq!(solver.check(&terms, &cases, &[]), Answer::Unsatisfiable);
    assert_eq!(solver.farkas(&terms), None);
    assert_eq!(solver.statistics().z3.asked, 0);
}

#[test]
fn an_unbounded_search_for_integers_ends() {
    let mut terms = Terms::new();
    let [x, y, z, w] = variables(&mut terms, SortId::INT);
    let zero = terms.integer(0);
    // Congruences that no row shows alone, over unbounded integers.
    let parts = [
        sum(&mut terms, &[(3, x), (5, y), (7, z)], -1),
        sum(&mut terms, &[(5, x), (-3, y), (2, w)], 0),
        sum(&mut terms, &[(4, x), (1, y), (1, z), (-2, w)], -1),
    ];
    let equations: Vec<TermId> = parts.iter().map(|part| terms.equal(*part, zero)).collect();
    let mut solver = LayeredSolver::new(0);
    let answer = solver.check(&terms, &equations, &[]);
    let mut z3 = clausal::solver::Z3Layer::new(0);
    for equation in &equations {
        z3.assume(&terms, *equation);
    }
    assert_eq!(answer, z3.check(&terms));
}
