//! `clausal solve`: answers, models and proofs on standard output, as tools expect them of a Horn solver.

use super::support::{Folder, HORN};

/// Two predicates, one of which is called and recurs; the second of the text concludes nothing.
const FIBONACCI: &str = "\
(set-option :fp.engine spacer)
(set-option :produce-models true)
(set-logic HORN)
(declare-fun |fib of n| (Int Int) Bool)
(declare-fun unused (Int) Bool)
(assert (forall ((n Int)) (=> (<= n 1) (|fib of n| n 1))))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (> n 1) (|fib of n| (- n 1) a) (|fib of n| (- n 2) b)) (|fib of n| n (+ a b)))))
(assert (forall ((n Int) (f Int)) (=> (and (|fib of n| n f) GOAL) false)))
(check-sat)
";

fn solve(name: &str, text: &str, options: &[&str]) -> String {
    let folder = Folder::new(name);
    folder.write("clauses.smt2", text);
    let arguments = [&["solve", "clauses.smt2"], options].concat();
    folder.run(&arguments).ended(0).output
}

#[test]
fn answers_come_first_and_models_define_what_is_declared() {
    assert_eq!(solve("solve_sat", HORN, &[]), "sat\n");
    let model = "sat\n(\n  (define-fun inv ((X1 Int)) Bool\n    (>= X1 0))\n)\n";
    assert_eq!(solve("solve_model", HORN, &["--model"]), model);
    // The script may ask itself; then the option adds nothing.
    let asking = format!("(echo \"it is \"\"so\"\"\"){HORN}(get-model)(get-proof)");
    let told = solve("solve_get_model", &asking, &["--model"]);
    let without = "(error \"there is a proof only of clauses that are not satisfiable\")\n";
    assert_eq!(told, format!("it is \"so\"\n{model}{without}"));
    let twice = format!("{HORN}(check-sat)\n");
    assert_eq!(solve("solve_twice", &twice, &["--proof"]), "sat\nsat\n");
}

#[test]
fn calls_have_models_and_proofs_in_terms_of_the_text() {
    let told = solve("solve_calls", &FIBONACCI.replace("GOAL", "(< f 1)"), &["--model"]);
    assert!(
        told.starts_with("sat\n(\n  (define-fun |fib of n| ((X1 Int) (X2 Int)) Bool\n"),
        "{told}"
    );
    assert!(
        told.contains("  (define-fun unused ((X1 Int)) Bool\n    true)\n"),
        "{told}"
    );
    let told = solve("solve_proof", &FIBONACCI.replace("GOAL", "(= f 2)"), &["--proof"]);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[..2], ["unsat", "(proof"], "{told}");
    assert!(told.contains("(step s1 (|fib of n| 1 1) :assertion \"6:9\""), "{told}");
    let last = lines[lines.len() - 2];
    assert!(last.contains(" false :assertion \"9:9\""), "{told}");
    assert_eq!(lines[lines.len() - 1], ")");
}

#[test]
fn every_step_of_a_proof_follows_from_its_assertion_and_its_premises() {
    let text = "\
(set-logic HORN)
(declare-fun at (Int Bool) Bool)
(declare-fun done () Bool)
(assert (at 0 true))
(assert (forall ((x Int) (b Bool)) (=> (and (at x b) (< x 2)) (at (+ x 1) (not b)))))
(assert (forall ((x Int)) (=> (at x true) (=> (> x 0) done))))
(assert (not done))
(check-sat)
(get-proof)
";
    let expected = "unsat
(proof
  (step s1 (at 0 true) :assertion \"4:9\" :with () :premises ())
  (step s2 (at 1 false) :assertion \"5:9\" :with ((x 0) (b true)) :premises (s1))
  (step s3 (at 2 true) :assertion \"5:9\" :with ((x 1) (b false)) :premises (s2))
  (step s4 done :assertion \"6:9\" :with ((x 2)) :premises (s3))
  (step s5 false :assertion \"7:9\" :with () :premises (s4))
)
";
    assert_eq!(solve("solve_steps", text, &[]), expected);
}

#[test]
fn each_question_is_about_what_is_in_force() {
    let text = "\
(set-logic HORN)
(declare-fun at (Int) Bool)
(assert (at 0))
(assert (forall ((x Int)) (=> (at x) (at (+ x 2)))))
(push 1)
(assert (forall ((x Int)) (=> (and (at x) (> x 3)) false)))
(check-sat)
(get-proof)
(pop 1)
(echo \"then\")
(assert (forall ((x Int)) (=> (and (at x) (< x 0)) false)))
(check-sat)
(push 1)
(assert (at (- 1)))
(check-sat)
(reset)
(declare-fun q () Bool)
(assert q)
(check-sat)
";
    let expected = "unsat
(proof
  (step s1 (at 0) :assertion \"3:9\" :with () :premises ())
  (step s2 (at 2) :assertion \"4:9\" :with ((x 0)) :premises (s1))
  (step s3 (at 4) :assertion \"4:9\" :with ((x 2)) :premises (s2))
  (step s4 false :assertion \"6:9\" :with ((x 4)) :premises (s3))
)
then
sat
unsat
sat
";
    assert_eq!(solve("solve_stages", text, &[]), expected);
}

#[test]
fn what_cannot_be_answered_is_unknown_and_said_on_standard_error() {
    let folder = Folder::new("solve_refused");
    folder.write("broken.smt2", "(set-logic HORN)\n(assert (p 1))\n(check-sat)\n");
    let run = folder.run(&["solve", "broken.smt2"]).ended(2);
    assert_eq!(run.output, "unknown\n");
    assert!(run.complaints.contains("unknown symbol `p`"), "{run:#?}");
    folder.write("scopes.smt2", "(set-logic HORN)\n(push 1)\n(check-sat)\n(pop 2)\n");
    let run = folder.run(&["solve", "scopes.smt2"]).ended(2);
    assert_eq!(run.output, "unknown\n");
    assert!(run.complaints.contains("nothing to pop"), "{run:#?}");
    let query = "(declare-rel p (Int))\n(rule (p 1))\n(query p)\n";
    folder.write("query.smt2", query);
    let run = folder.run(&["solve", "query.smt2"]).ended(1);
    assert_eq!(run.output, "unknown\n");
    assert!(run.complaints.contains("the opposite of `(check-sat)`"), "{run:#?}");
    let run = folder.run_with_input(&["solve", "-"], HORN.as_bytes()).ended(0);
    assert_eq!(run.output, "sat\n");
}

#[test]
fn the_script_may_set_the_time() {
    let endless = "\
(set-option :timeout 1)
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 3) (= y 5)) (p x y))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ (* x y) 1) (- (* y y) x)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= (* x x) (+ (* 7 y) 123457))) false)))
(check-sat)
(get-model)
";
    let folder = Folder::new("solve_timeout");
    folder.write("endless.smt2", endless);
    let run = folder.run(&["solve", "endless.smt2"]).ended(0);
    let without = "(error \"there is a model only of clauses that are satisfiable\")\n";
    assert_eq!(run.output, format!("unknown\n{without}"));
    assert!(run.complaints.starts_with("unknown: the time is up"), "{run:#?}");
}

#[test]
fn models_by_recursion_bring_the_lemmas_that_they_need() {
    let folder = Folder::new("solve_lemmas");
    let lists = "\
(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-fun app (L L L) Bool)
(declare-fun len (L Int) Bool)
(assert (forall ((y L)) (app nil y y)))
(assert (forall ((x Int) (t L) (y L) (z L)) (=> (app t y z) (app (cons x t) y (cons x z)))))
(assert (len nil 0))
(assert (forall ((x Int) (t L) (n Int)) (=> (len t n) (len (cons x t) (+ n 1)))))
(assert (forall ((x L) (y L) (z L) (a Int) (b Int) (c Int))
  (=> (and (app x y z) (len x a) (len y b) (len z c) (not (= c (+ a b)))) false)))
(check-sat)
(get-model)
";
    folder.write("lists.smt2", lists);
    let run = folder.run(&["solve", "lists.smt2"]).ended(0);
    let lemma = "  ; lemma (forall ((x! L)) (>= (|size of L| x!) 1)) :by x!\n";
    assert!(
        run.output.starts_with("sat\n(\n") && run.output.contains(lemma),
        "{run:#?}"
    );
    // Numbers as terms have sizes that tell them apart; what makes a lemma's proof end is defined, too.
    let numbers = "\
(set-logic HORN)
(declare-datatypes ((N 0)) (((z) (s (p N)))))
(declare-fun add (N N N) Bool)
(assert (forall ((y N)) (add z y y)))
(assert (forall ((x N) (y N) (r N)) (=> (add x y r) (add (s x) y (s r)))))
(assert (forall ((x N) (y N) (r N) (q N)) (=> (and (add x y r) (add y x q) (not (= r q))) false)))
(check-sat)
(get-model)
";
    folder.write("numbers.smt2", numbers);
    let run = folder.run(&["solve", "numbers.smt2"]).ended(0);
    let lemmas: Vec<&str> = run
        .output
        .lines()
        .filter(|line| line.starts_with("  ; lemma "))
        .collect();
    assert!(run.output.starts_with("sat\n(\n") && !lemmas.is_empty(), "{run:#?}");
    let ways = [" :by ", " :ranks ("];
    assert!(
        lemmas.iter().all(|line| ways.iter().any(|way| line.contains(way))),
        "{run:#?}"
    );
}
