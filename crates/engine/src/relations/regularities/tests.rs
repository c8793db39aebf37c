//! Tests of guesses: they hold of all facts that they are made from, and what needs a condition is found.

use super::*;
use crate::engine::{Options, Verdict};
use crate::relations::kernel::Kernel;
use crate::relations::small::{Extent, small_facts};
use crate::rules::Program;
use crate::terms::{Assignment, Operator};

const EXTENT: Extent = Extent {
    rounds: 6,
    of_round: 40,
    of_clause: 2_000,
    all: 20_000,
};

/// How many leaves a full binary tree has.
const LEAVES: &str = "(set-logic HORN)
    (declare-fun leaves (Int Int) Bool)
    (assert (leaves 0 1))
    (assert (forall ((N Int) (A Int) (B Int)) (=> (and (leaves N A) (leaves N B)) (leaves (+ N 1) (+ A B)))))
    (assert (forall ((N Int) (A Int)) (=> (and (leaves N A) (<= A N)) false)))";

fn program() -> Program {
    crate::horn::read_with_calls(LEAVES)
        .product
        .expect("a well-formed text")
}

#[test]
fn guesses_hold_of_all_facts_and_conditions_are_found() {
    let mut kernel = Kernel::new(&program(), 0);
    let facts = small_facts(&kernel.terms, &kernel.system, EXTENT, &mut |_| false);
    let mut guesses = Regularities::new(&mut kernel.terms, &kernel.system, &facts, Vec::new());
    let is_returned = |node: &crate::relations::system::Node| node.role == Role::Returned;
    let index = kernel.system.nodes.iter().position(is_returned).expect("a call");
    let node = &kernel.system.nodes[index];
    let mut under_conditions = 0;
    for _ in 0..3 {
        for offered in guesses.guess(&mut kernel.terms, &HashSet::new(), &|_| false) {
            assert_eq!(offered.predicate, node.predicate);
            for values in facts.facts_of(index) {
                let state: Assignment = node.parameters.iter().copied().zip(values.iter().cloned()).collect();
                let holds = kernel.terms.holds(offered.formula, &state);
                assert_eq!(holds, Some(true), "{}", kernel.terms.display(offered.formula));
            }
            under_conditions += usize::from(kernel.terms.operator(offered.formula) == Operator::Or);
        }
    }
    assert!(under_conditions > 0);
    let none_left = guesses.guess(&mut kernel.terms, &HashSet::new(), &|_| false);
    assert!(none_left.is_empty(), "three rounds are all");
}

#[test]
fn what_is_proved_by_them_is_checked() {
    let verdict = crate::relations::verify_by_regularities(&program(), &Options::default()).verdict;
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
}
