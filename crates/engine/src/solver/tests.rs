//! Tests of the layers: each alone, and against evaluation.

use super::*;
use crate::terms::{SortId, Terms};

fn integer_variables<const N: usize>(terms: &mut Terms) -> [TermId; N] {
    std::array::from_fn(|index| terms.fresh_variable(&format!("X{index}"), SortId::INT))
}

#[test]
fn the_linked_z3_is_new_enough() {
    assert_eq!(check_z3_version(), Ok(()));
}

#[test]
fn bounds_that_exclude_each_other_never_reach_z3() {
    let mut terms = Terms::new();
    let [x, y] = integer_variables(&mut terms);
    let less = terms.less(x, y);
    let not_less = terms.not(less);
    let mut solver = LayeredSolver::new(0);
    assert_eq!(solver.check(&terms, &[less], &[not_less]), Answer::Unsatisfiable);
    assert_eq!(solver.check(&terms, &[], &[]), Answer::Satisfiable);
    assert_eq!(solver.statistics().z3.asked, 0);
    assert_eq!(solver.check(&terms, &[less], &[]), Answer::Satisfiable);
    assert_eq!(solver.statistics().linear.settled, 1);
    assert_eq!(solver.statistics().z3.asked, 0);
}

#[test]
fn z3_is_made_when_it_is_asked_and_counts_from_then_on() {
    let mut terms = Terms::new();
    let [x, y] = integer_variables(&mut terms);
    let less = terms.less(x, y);
    let product = terms.multiply(x, y);
    let seven = terms.integer(7);
    let is_seven = terms.equal(product, seven);
    let mut solver = LayeredSolver::new(0);
    assert_eq!(solver.check(&terms, &[less], &[]), Answer::Satisfiable);
    assert!(solver.z3.is_none());
    let before = solver.work();
    assert_eq!(solver.check(&terms, &[less], &[is_seven]), Answer::Satisfiable);
    assert!(solver.z3_spent() > 0 && solver.work() > before);
}

#[test]
fn a_box_has_a_model_without_z3() {
    let mut terms = Terms::new();
    let [x, y] = integer_variables(&mut terms);
    let numbers: Vec<TermId> = (0..4).map(|value| terms.integer(value)).collect();
    let formulas = [
        terms.less_or_equal(numbers[0], x),
        terms.less_or_equal(x, numbers[2]),
        terms.not_equal(x, numbers[0]),
        terms.not_equal(x, numbers[1]),
        terms.less(y, numbers[3]),
    ];
    let mut solver = LayeredSolver::new(0);
    let (answer, values) = solver.check_model(&terms, &formulas, &[], &[x, y]);
    assert_eq!((answer, solver.statistics().z3.asked), (Answer::Satisfiable, 0));
    let values = values.expect("a box has values");
    assert!(
        formulas
            .iter()
            .all(|formula| terms.holds(*formula, &values) == Some(true))
    );
    let full = terms.not_equal(x, numbers[2]);
    assert_ne!(solver.check(&terms, &formulas, &[full]), Answer::Satisfiable);
}

#[test]
fn models_satisfy_and_cores_are_minimal() {
    let mut terms = Terms::new();
    let [x, y, z] = integer_variables(&mut terms);
    let huge = terms.integer(num_bigint::BigInt::from(10).pow(40));
    let above = terms.less(huge, x);
    let (xy, yz, zx) = (terms.less(x, y), terms.less(y, z), terms.less(z, x));
    let mut solver = LayeredSolver::new(0);
    let (answer, values) = solver.check_model(&terms, &[above], &[xy, yz], &[x, y, z]);
    assert_eq!(answer, Answer::Satisfiable);
    let values = values.expect("integers have exact values");
    for formula in [above, xy, yz] {
        assert_eq!(terms.holds(formula, &values), Some(true));
    }
    let zero = terms.integer(0);
    let noise: Vec<TermId> = [x, y, z].iter().map(|v| terms.less(zero, *v)).collect();
    let candidates = [noise[0], xy, noise[1], yz, noise[2], zx];
    assert_eq!(solver.minimal_core(&terms, &[], &candidates), Some(vec![1, 3, 5]));
    assert_eq!(solver.minimal_core(&terms, &[], &candidates[..4]), None);
}

#[test]
fn a_core_beside_an_unsatisfiable_base_is_empty() {
    let mut terms = Terms::new();
    let [x, y] = integer_variables(&mut terms);
    let (first, second) = (terms.less(x, y), terms.less(y, x));
    let mut solver = LayeredSolver::new(0);
    assert_eq!(solver.minimal_core(&terms, &[first, second], &[first]), Some(vec![]));
}

#[test]
fn arrays_and_reals_have_exact_values() {
    let mut terms = Terms::new();
    let sort = terms.array_sort(SortId::INT, SortId::REAL);
    let array = terms.fresh_variable("A", sort);
    let [i, j] = integer_variables(&mut terms);
    let different = terms.not_equal(i, j);
    let third = terms.real(crate::terms::Rational::new(1.into(), 3.into()));
    let (at_i, at_j) = (terms.select(array, i), terms.select(array, j));
    let (first, second) = (terms.equal(at_i, third), terms.less(at_i, at_j));
    let mut solver = LayeredSolver::new(0);
    let (answer, values) = solver.check_model(&terms, &[], &[different, first, second], &[array, i, j]);
    assert_eq!(answer, Answer::Satisfiable);
    let values = values.expect("an array value");
    for formula in [different, first, second] {
        assert_eq!(terms.holds(formula, &values), Some(true));
    }
}

#[test]
fn a_query_over_its_limit_is_unknown_and_the_next_one_is_answered() {
    let mut terms = Terms::new();
    let [x, y, z] = integer_variables(&mut terms);
    let cube = |terms: &mut Terms, v: TermId| {
        let square = terms.multiply(v, v);
        terms.multiply(square, v)
    };
    let (a, b, c) = (cube(&mut terms, x), cube(&mut terms, y), cube(&mut terms, z));
    let sum = terms.add(a, b);
    let sum = terms.add(sum, c);
    let goal = terms.integer(114);
    let hard = terms.equal(sum, goal);
    let mut solver = LayeredSolver::new(20_000);
    assert_eq!(solver.check(&terms, &[], &[hard]), Answer::Unknown);
    let easy = terms.less(x, y);
    assert_eq!(solver.check(&terms, &[], &[easy]), Answer::Satisfiable);
}
