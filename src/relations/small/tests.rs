//! Tests of small facts: what is found is derived, and an error among them is a derivation.

use super::*;
use crate::engine::{Options, Verdict};
use crate::evidence::replay;
use crate::relations::kernel::Kernel;
use crate::rules::Program;

const EXTENT: Extent = Extent {
    rounds: 8,
    of_round: 30,
    of_clause: 4_000,
    all: 60_000,
};

const LISTS: &str = "(set-logic HORN)
    (declare-datatypes ((list 0)) (((nil) (cons (head Int) (tail list)))))
    (declare-fun append (list list list) Bool)
    (assert (forall ((Y list)) (append nil Y Y)))
    (assert (forall ((H Int) (X list) (Y list) (Z list)) (=> (append X Y Z) (append (cons H X) Y (cons H Z)))))
    (declare-fun length (list Int) Bool)
    (assert (length nil 0))
    (assert (forall ((H Int) (T list) (N Int)) (=> (length T N) (length (cons H T) (+ N 1)))))\n";

fn program(question: &str) -> Program {
    let program = crate::horn::read_with_calls(&format!("{LISTS}{question}"));
    program.product.expect("a well-formed text")
}

fn facts(program: &Program) -> (Kernel, SmallFacts) {
    let kernel = Kernel::new(program, 0);
    let facts = small_facts(&kernel.terms, &kernel.system, EXTENT, &mut |_| false);
    (kernel, facts)
}

#[test]
fn what_is_found_is_derived() {
    let program = program(
        "(assert (forall ((X list) (Y list) (Z list) (A Int) (B Int) (C Int)) (=> (and (append X Y Z)
            (length X A) (length Y B) (length Z C) (not (= C (+ A B)))) false)))",
    );
    let (kernel, facts) = facts(&program);
    assert!(facts.derivation(&kernel.terms, &kernel.system).is_none());
    let nodes = kernel.system.nodes.iter().enumerate();
    let mut node = nodes.filter(|(_, node)| program.predicate(node.predicate).name == "length");
    let (index, _) = node.next_back().expect("lengths are asked for");
    let mut lengths = BTreeSet::new();
    for values in facts.facts_of(index) {
        let (mut list, length) = (&values[0], &values[1]);
        let mut counted = 0i64;
        while let Value::Datatype(cons) = list
            && let Some(tail) = cons.arguments.get(1)
        {
            counted += 1;
            list = tail;
        }
        assert_eq!(*length, Value::Number(counted.into()));
        lengths.insert(counted);
    }
    assert!(lengths.len() > 4, "{lengths:?}");
}

#[test]
fn an_error_among_them_is_a_derivation() {
    let program = program(
        "(assert (forall ((X list) (Y list) (Z list) (V list)) (=> (and (append X Y Z) (append Y X V) (length X 2)
            (not (= Z V)) (not (= X nil)) (not (= Y nil))) false)))",
    );
    let (kernel, facts) = facts(&program);
    let derivation = facts.derivation(&kernel.terms, &kernel.system);
    let derivation = derivation
        .expect("lists of two elements do not commute")
        .expect("all values are known");
    replay(&program, &derivation).expect("it is one");
    let outcome = crate::relations::verify(&program, &Options::default());
    assert!(matches!(outcome.verdict, Verdict::Unsafe(_)), "{:?}", outcome.verdict);
}

#[test]
fn limits_are_kept() {
    let program = program("(assert (forall ((X list)) (=> (append X X (cons 1 X)) false)))");
    let kernel = Kernel::new(&program, 0);
    let none = small_facts(&kernel.terms, &kernel.system, EXTENT, &mut |_| true);
    assert!(none.tried < 100);
    let (_, facts) = facts(&program);
    assert!(facts.of.iter().all(|of| of.len() <= EXTENT.rounds * EXTENT.of_round));
    assert!(facts.tried <= EXTENT.all + 2 * EXTENT.of_clause);
}
