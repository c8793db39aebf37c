//! Tests of the methods by measures: what they prove, and what they leave open.

use super::*;

const LISTS: &str = "(set-logic HORN)
    (declare-datatypes ((nat 0)) (((zero) (succ (pred nat)))))
    (declare-datatypes ((list 0)) (((nil) (cons (head nat) (tail list)))))
    (declare-fun append (list list list) Bool)
    (assert (forall ((Y list)) (append nil Y Y)))
    (assert (forall ((H nat) (X list) (Y list) (Z list)) (=> (append X Y Z) (append (cons H X) Y (cons H Z)))))
    (declare-fun length (list nat) Bool)
    (assert (length nil zero))
    (assert (forall ((H nat) (T list) (N nat)) (=> (length T N) (length (cons H T) (succ N)))))
    (declare-fun plus (nat nat nat) Bool)
    (assert (forall ((Y nat)) (plus zero Y Y)))
    (assert (forall ((X nat) (Y nat) (Z nat)) (=> (plus X Y Z) (plus (succ X) Y (succ Z)))))\n";

fn verdict(question: &str) -> Verdict {
    let program = crate::horn::read_with_calls(&format!("{LISTS}{question}"));
    let program = program.product.expect("a well-formed text");
    verify_by_size(&program, &Options::default()).verdict
}

#[test]
fn lengths_of_appended_lists_add_up() {
    let safe = "(assert (forall ((X list) (Y list) (Z list) (A nat) (B nat) (C nat) (D nat)) (=> (and (append X Y Z)
        (length X A) (length Y B) (length Z C) (plus A B D) (not (= C D))) false)))";
    assert!(matches!(verdict(safe), Verdict::Safe(_)), "{:?}", verdict(safe));
}

#[test]
fn what_sizes_do_not_say_is_left_open() {
    let open = "(assert (forall ((X list)) (=> (append X nil (cons zero X)) false)))
        (assert (forall ((X list) (Y list)) (=> (and (append X nil Y) (not (= X Y))) false)))";
    assert!(matches!(verdict(open), Verdict::Unknown(_)));
    let wrong = "(assert (forall ((X list) (N nat)) (=> (and (length X N) (= N (succ (succ zero)))) false)))";
    assert!(matches!(verdict(wrong), Verdict::Unknown(_)));
}
