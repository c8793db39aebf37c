//! Tests of how records are taken apart, and of what measures prove of their parts.

use super::*;
use crate::engine::{Options, Verdict};

const PAIRS: &str = "(set-logic HORN)
    (declare-datatypes ((nat 0)) (((zero) (succ (pred nat)))))
    (declare-datatypes ((inner 0)) (((both (now nat) (then nat)))))
    (declare-datatypes ((outer 0)) (((with (number Int) (of inner)))))
    (declare-fun move (outer outer) Bool)
    (assert (forall ((X outer)) (move X X)))
    (assert (forall ((N Int) (A nat) (B nat) (Y outer)) (=> (move (with N (both A (succ B))) Y)
        (move (with (+ N 1) (both (succ A) B)) Y))))\n";

fn program(question: &str) -> Program {
    let program = crate::horn::read_with_calls(&format!("{PAIRS}{question}"));
    program.product.expect("a well-formed text")
}

const SAFE: &str = "(assert (forall ((X outer) (Y outer) (A nat)) (=> (and (move X Y) (= (of X) (both A zero))
    (= (now (of Y)) zero) (not (= (then (of Y)) A))) false)))";

#[test]
fn parameters_are_the_parts_of_records() {
    let apart = Apart::new(&program(SAFE)).expect("there are records");
    let predicate = apart
        .program
        .predicates()
        .iter()
        .find(|predicate| predicate.name == "move");
    let parameters = &predicate.expect("it is there").parameters;
    assert_eq!(parameters.len(), 6);
    let parts: Vec<String> = parameters
        .iter()
        .map(|parameter| {
            apart
                .program
                .terms
                .display(apart.parts.get(*parameter).expect("a part"))
                .to_string()
        })
        .collect();
    assert!(parts[2].contains("then"), "{parts:?}");
    let validated = apart.program.validate();
    assert!(validated.is_ok(), "{validated:?}");
}

#[test]
fn what_is_in_records_is_measured() {
    let verdict = crate::measures::verify_by_size(&program(SAFE), &Options::default()).verdict;
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
    let wrong = SAFE.replace("(then (of Y)) A)", "(then (of Y)) zero)");
    let verdict = crate::measures::verify_by_size(&program(&wrong), &Options::default()).verdict;
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
}

#[test]
fn programs_without_records_stay() {
    let source = "(set-logic HORN)
        (declare-datatypes ((list 0)) (((nil) (cons (head Int) (tail list)))))
        (declare-fun p (list) Bool)
        (assert (p nil))";
    let program = crate::horn::read_with_calls(source)
        .product
        .expect("a well-formed text");
    assert!(Apart::new(&program).is_none());
}
