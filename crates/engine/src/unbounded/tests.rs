//! Words by way of integers: what is accepted of the words, and that numbers which wrap around are read as they are.

use super::operations::Overflow;
use super::reading::Reading;
use super::{Extent, verify_by_integers};
use crate::engine::{Options, Outcome, StopReason, Verdict};
use crate::evidence::{CheckLimits, check_certificate, replay};
use crate::relations;
use crate::rules::Program;
use crate::solver::{Answer, LayeredSolver};
use crate::terms::{Assignment, Rational, Value};

/// The verdict of relations over integers alone: rules over words are left open.
fn verdict(source: &str) -> Verdict {
    let reading = crate::horn::read(source);
    let program = reading
        .product
        .unwrap_or_else(|| panic!("{source}: {:?}", reading.diagnostics));
    let verify = |program: &Program, options: &Options, _: Extent| match Reading::new(program, Overflow::Ignored) {
        Some(_) => Outcome::unknown(StopReason::NotSupported("words".to_string())),
        None => relations::verify(program, options),
    };
    let verdict = verify_by_integers(&program, &Options::default(), &verify).verdict;
    match &verdict {
        Verdict::Safe(certificate) => {
            assert!(
                check_certificate(&program, certificate, CheckLimits::default()).is_ok(),
                "{source}"
            );
        }
        Verdict::Unsafe(derivation) => assert!(replay(&program, derivation).is_ok(), "{source}"),
        Verdict::Unknown(_) => {}
    }
    verdict
}

/// A loop over two words of this width from zero on: while `guard`, they become `next`; then `error`.
fn counting(width: u32, guard: &str, next: &str, error: &str) -> String {
    let word = format!("(_ BitVec {width})");
    let zero = format!("(_ bv0 {width})");
    format!(
        "(set-logic HORN)
         (declare-fun p ({word} {word}) Bool)
         (assert (p {zero} {zero}))
         (assert (forall ((X {word}) (Y {word})) (=> (and (p X Y) {guard}) (p {next}))))
         (assert (forall ((X {word}) (Y {word})) (=> (and (p X Y) {error}) false)))
         (check-sat)"
    )
}

#[test]
fn invariants_of_integers_are_told_of_words() {
    let signed = counting(
        32,
        "(bvslt X #x00000064)",
        "(bvadd X #x00000001) (bvadd Y #x00000002)",
        "(bvsgt Y #x000000c8)",
    );
    assert!(matches!(verdict(&signed), Verdict::Safe(_)));
    let unsigned = counting(
        64,
        "(bvult X #xf000000000000000)",
        "(bvadd X #x0000000000000001) (bvadd Y #x0000000000000001)",
        "(bvugt Y X)",
    );
    assert!(matches!(verdict(&unsigned), Verdict::Safe(_)));
    // Equations stay true when both sides wrap around.
    let wrapping = counting(
        32,
        "true",
        "(bvadd X #x00000001) (bvadd Y #x00000003)",
        "(not (= Y (bvmul X #x00000003)))",
    );
    assert!(matches!(verdict(&wrapping), Verdict::Safe(_)));
    let bits = counting(
        16,
        "(bvslt X #x0064)",
        "(bvadd X #x0001) (bvand X #x00ff)",
        "(bvsgt ((_ sign_extend 16) Y) ((_ sign_extend 16) #x00ff))",
    );
    assert!(matches!(verdict(&bits), Verdict::Safe(_)));
}

#[test]
fn runs_of_integers_are_replayed_with_words() {
    let negative = counting(
        32,
        "(bvslt X #x00000003)",
        "(bvadd X #x00000001) (bvsub Y X)",
        "(= Y #xfffffffd)",
    );
    assert!(matches!(verdict(&negative), Verdict::Unsafe(_)));
}

#[test]
fn what_only_integers_keep_is_not_believed() {
    // Three bits: 3 and 1 are -4.
    let overflow = counting(3, "true", "(bvadd X (_ bv1 3)) Y", "(bvslt X Y)");
    assert!(matches!(verdict(&overflow), Verdict::Unsafe(_)));
    let guarded = counting(3, "(bvslt X (_ bv3 3))", "(bvadd X (_ bv1 3)) Y", "(bvslt X Y)");
    assert!(matches!(verdict(&guarded), Verdict::Safe(_)));
    // Only the wrapping ones are right.
    let around = counting(4, "(bvule Y X)", "(bvadd X #x3) Y", "(= X #x2)");
    assert!(matches!(verdict(&around), Verdict::Unsafe(_)));
}

#[test]
fn numbers_that_wrap_around_are_read_as_they_are() {
    let operations = [
        "(bvadd (bvmul #x5 X) (bvneg Y))",
        "(bvsub (bvnot X) (bvadd Y Y))",
        "(ite (bvslt X Y) (bvadd X #x9) (bvsub Y #x3))",
        "(ite (bvult X Y) (bvmul X #x7) Y)",
        "((_ extract 3 0) (bvadd ((_ sign_extend 2) X) ((_ zero_extend 2) Y)))",
        "((_ extract 3 0) (concat Y (bvadd X Y)))",
        "(bvshl X #x2)",
        "(bvlshr (bvadd X Y) #x1)",
        "(bvudiv (bvadd X Y) #x3)",
        "(bvurem X #x5)",
        "(bvand (bvadd X Y) #x7)",
        "(bvsdiv (bvsub X Y) #x3)",
        "(bvsrem X #x5)",
    ];
    for comparison in ["bvsle", "bvule"] {
        for operation in operations {
            let source = format!(
                "(set-logic HORN)
                 (declare-fun p ((_ BitVec 4)) Bool)
                 (assert (forall ((X (_ BitVec 4)) (Y (_ BitVec 4)) (Z (_ BitVec 4)))
                   (=> (and (p Z) (= Z {operation}) ({comparison} X X) ({comparison} X #x7) ({comparison} X Z)) false)))
                 (check-sat)"
            );
            let program = crate::horn::read(&source).product.expect("no mistake in it");
            let read = Reading::new(&program, Overflow::Wraps).expect("it has words");
            let rule = |program: &Program| program.rules().iter().find(|rule| !rule.constraint.is_empty()).cloned();
            let (words, integers) = (
                rule(&program).expect("it is there"),
                rule(&read.program).expect("it is there"),
            );
            let variables = program.terms.variables_of_all(&words.terms().collect::<Vec<_>>());
            for values in (0..16 * 16 * 16).step_by(37) {
                let mut number = values;
                let mut assignment = Assignment::new();
                let mut conditions = integers.constraint.clone();
                let mut terms = read.program.terms.clone();
                for variable in &variables {
                    let value = number % 16;
                    number /= 16;
                    assignment.insert(*variable, Value::Number(Rational::from_integer(value.into())));
                    let signed = if comparison == "bvsle" && value > 7 {
                        value - 16
                    } else {
                        value
                    };
                    let signed = terms.integer(signed);
                    conditions.push(terms.equal(read.integers[variable], signed));
                }
                let holds = |formula| program.terms.evaluate(formula, &assignment) == Some(Value::Bool(true));
                let expected = words.constraint.iter().all(|formula| holds(*formula));
                let answer = LayeredSolver::new(0).check(&terms, &conditions, &[]);
                let found = answer == Answer::Satisfiable;
                assert_eq!(found, expected, "{comparison} {operation} {values}");
            }
        }
    }
}

#[test]
fn numbers_that_get_long_are_not_followed() {
    // X, squared forty times: as long as there is memory.
    let mut nested = "X".to_string();
    for place in 0..40 {
        nested = format!("(let ((L{place} {nested})) (bvmul L{place} L{place}))");
    }
    let source = format!(
        "(set-logic HORN) (declare-fun p ((_ BitVec 32)) Bool)
         (assert (forall ((X (_ BitVec 32))) (=> (bvsle #x00000002 X) (p {nested}))))
         (assert (forall ((X (_ BitVec 32))) (=> (and (p X) (bvsle X #x00000001)) false))) (check-sat)"
    );
    let program = crate::horn::read(&source).product.expect("no mistake in it");
    assert!(Reading::new(&program, Overflow::Ignored).is_some_and(|read| read.is_vague));
    assert!(Reading::new(&program, Overflow::Wraps).is_some());
}
