//! Quantifiers inside clauses: which are eliminated, into what, which are refused, and verdicts over clauses that had some.

use clausal::horn;
use std::path::Path;
use std::process::Command;

/// The constraint that the only clause has of `(assert (forall (variables) (=> condition done)))`, as it is printed.
fn condition(variables: &str, condition: &str) -> String {
    let source = format!(
        "(set-logic HORN) (declare-fun done () Bool) (assert (forall ({variables}) (=> {condition} done))) (check-sat)"
    );
    let reading = horn::read(&source);
    let report = clausal::diagnostics::render(&reading.diagnostics, "test.smt2", &source);
    let printed = horn::print(&reading.product.unwrap_or_else(|| panic!("{report}")));
    let printed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    let clause = printed.split_once("(assert ").expect("a clause").1;
    let constraint = clause.split_once("(=> ").map_or(clause, |(_, rest)| rest);
    let constraint = constraint.split_once(" done)").map_or("", |(constraint, _)| constraint);
    constraint.to_string()
}

#[test]
fn quantifiers_without_predicates_are_eliminated() {
    for (variables, text, expected) in [
        // Between two bounds there is room, or not.
        (
            "(A Int) (B Int)",
            "(forall ((X Int)) (or (<= X A) (>= X B)))",
            "(>= (+ A 1) B)",
        ),
        ("(A Real) (B Real)", "(not (exists ((X Real)) (< A X B)))", "(>= A B)"),
        (
            "(A Int) (B Int)",
            "(not (exists ((X Int)) (<= A (* 3 X) B)))",
            "(>= (+ A (mod (- A) 3)) (+ B 1))",
        ),
        // Parity.
        (
            "(A Int)",
            "(forall ((X Int)) (not (= A (* 2 X))))",
            "(not (= (mod A 2) 0))",
        ),
        // Both quantifiers, and two variables.
        (
            "(A Int) (B Int)",
            "(forall ((C Int)) (or (< C 0) (exists ((X Int)) (and (<= A (+ C X)) (<= X B)))))",
            "(<= A B)",
        ),
        (
            "(A Int) (B Int)",
            "(forall ((X Int) (Y Int)) (=> (and (<= 0 X) (= (+ A X) (* 2 Y))) (<= B Y)))",
            "(>= (+ A (mod A 2) 1) (* 2 B))",
        ),
        // Truth values, and arrays that an equation defines.
        ("(A Bool)", "(forall ((P Bool)) (or (not P) A))", "A"),
        (
            "(A (Array Int Int)) (I Int)",
            "(not (exists ((C (Array Int Int))) (and (= C (store A I 1)) (= (select C 0) 5))))",
            "(not (= (select (store A I 1) 0) 5))",
        ),
        // Inside of a term.
        (
            "(A Int) (B Int)",
            "(= B (ite (exists ((X Int)) (= A (* 3 X))) 1 A))",
            "(= B (ite (= (mod A 3) 0) 1 A))",
        ),
        // Quotients, remainders by large numbers, and integers among real numbers.
        (
            "(A Int)",
            "(forall ((X Int)) (=> (= (div X 4) A) (<= X 9)))",
            "(<= A 1)",
        ),
        (
            "(A Int)",
            "(forall ((X Int)) (=> (= (mod X 4294967296) A) (<= X 7)))",
            "(or (>= A 4294967296) (<= A (- 1)))",
        ),
        (
            "(A Real)",
            "(forall ((X Int)) (not (= A (to_real X))))",
            "(not (= A (to_real (to_int A))))",
        ),
    ] {
        assert_eq!(condition(variables, text), expected, "{text}");
    }
}

#[test]
fn what_is_the_same_for_all_values_needs_no_clause() {
    let source = "(set-logic HORN) (declare-fun p (Int) Bool)
        (assert (forall ((A Int)) (=> (forall ((X Int)) (> X A)) (p A))))
        (assert (forall ((A Int)) (=> (p A) (exists ((X Int)) (> X A)))))";
    assert!(horn::read(source).product.expect("well formed").rules().is_empty());
}

/// Counts down by a step, and says that a number and what it has become are even both, or neither of them; and that what is even is what two
/// numbers have in the middle between them.
fn parity(step: u32) -> String {
    format!(
        "(set-logic HORN)
(declare-fun loop (Int Int) Bool)
(declare-fun end (Int Int) Bool)
(assert (forall ((n Int)) (loop n n)))
(assert (forall ((x Int) (n Int)) (=> (and (loop x n) (> x 1)) (loop (- x {step}) n))))
(assert (forall ((x Int) (n Int)) (=> (and (loop x n) (<= x 1)) (end x n))))
(assert (forall ((x Int) (n Int))
  (=> (end x n) (= (exists ((k Int)) (= x (* 2 k))) (exists ((k Int)) (= n (* 2 k)))))))
(assert (forall ((x Int) (n Int))
  (=> (and (end x n) (= (mod n 2) 0)) (forall ((low Int)) (exists ((high Int)) (= x (- (* 2 high) (* 2 low))))))))
(check-sat)
"
    )
}

#[test]
fn verdicts_are_right_and_their_evidence_is_accepted_again() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("horn_quantifiers");
    std::fs::create_dir_all(&folder).expect("the test's folder can be made");
    for (step, expected) in [(2, 0), (4, 0), (3, 10)] {
        let [file, evidence] = ["smt2", "json"].map(|ending| folder.join(format!("parity{step}.{ending}")));
        std::fs::write(&file, parity(step)).expect("the folder can be written to");
        let [file, evidence] = [&file, &evidence].map(|path| path.to_str().expect("a plain path"));
        for arguments in [
            &["verify", "-q", "--timeout", "120", "--save-evidence", evidence, file][..],
            &["check", file, evidence],
        ] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_clausal"));
            let output = command.args(arguments).output().expect("the program starts");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(expected), "{arguments:?}: {said}");
        }
    }
}
