//! What each construct of SMT-LIB becomes. The rules are shown as the printer writes them, one assertion a line.

use clausal::horn;
use clausal::rules::PredicateId;

const DECLARATIONS: &str = "(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(declare-fun r (Real) Bool)
(declare-fun b (Bool) Bool)
(declare-fun a ((Array Int Int)) Bool)
(declare-fun done () Bool)
";

/// The assertions that a text amounts to, each on one line.
fn clauses(assertions: &str) -> Vec<String> {
    let source = format!("{DECLARATIONS}{assertions}(check-sat)");
    let reading = horn::read(&source);
    let report = clausal::diagnostics::render(&reading.diagnostics, "test.smt2", &source);
    let printed = horn::print(&reading.product.unwrap_or_else(|| panic!("{report}")));
    let (_, clauses) = printed.split_once("\n\n(assert").unwrap_or(("", ""));
    let lines = clauses.replace("\n  ", " ").replace("   ", " ");
    lines
        .split("(assert ")
        .map(|clause| clause.trim().trim_end_matches("(check-sat)").trim().to_string())
        .filter(|clause| !clause.is_empty())
        .map(|clause| clause[..clause.len() - 1].to_string())
        .collect()
}

/// The constraint of `(assert (forall (variables) (=> condition done)))`, as it is printed.
fn condition(variables: &str, condition: &str) -> String {
    let all = clauses(&format!("(assert (forall ({variables}) (=> {condition} done)))"));
    assert_eq!(all.len(), 1, "{all:?}");
    let text = all[0].split_once("(=> ").expect("an implication").1;
    let text = text.split_once(" done)").expect("the conclusion").0;
    text.to_string()
}

#[test]
fn a_clause_is_a_transition_a_query_or_an_error() {
    let source = format!(
        "{DECLARATIONS}
(assert (forall ((X Int)) (=> (> X 0) (p X))))
(assert (forall ((X Int)) (=> (and (p X) (< X 9)) (q (+ X 1)))))
(assert (forall ((X Int)) (=> (q X) false)))
(assert (forall ((X Int)) (=> (= X 1) false)))"
    );
    let program = horn::read(&source).product.expect("well formed");
    let shape: Vec<(String, String, usize)> = program
        .rules()
        .iter()
        .map(|rule| {
            let label = |predicate| program.predicate_label(predicate);
            (
                label(rule.head.predicate),
                label(rule.body[0].predicate),
                rule.constraint.len(),
            )
        })
        .collect();
    let shape: Vec<(&str, &str, usize)> = shape.iter().map(|(h, b, n)| (h.as_str(), b.as_str(), *n)).collect();
    assert_eq!(
        shape,
        [
            ("query", "p", 1),
            ("p", "q", 1),
            ("q", "error", 0),
            ("query", "error", 1)
        ]
    );
    assert_eq!(program.rules_of(PredicateId::QUERY).len(), 2);
    let location = program.rules()[1].location.expect("a location");
    assert_eq!((location.line, location.column), (10, 9));
}

#[test]
fn clauses_can_be_written_in_many_ways() {
    let expected = ["(forall ((X Int)) (=> (and (p X) (<= X 4)) (q X)))"];
    for assertion in [
        "(forall ((X Int)) (=> (and (p X) (< X 5)) (q X)))",
        "(forall ((X Int)) (=> (p X) (< X 5) (q X)))",
        "(forall ((X Int)) (=> (p X) (=> (< X 5) (q X))))",
        "(forall ((X Int)) (or (not (p X)) (not (< X 5)) (q X)))",
        "(forall ((X Int)) (or (q X) (not (and (p X) (< X 5)))))",
        "(forall ((X Int)) (not (and (p X) (< X 5) (not (q X)))))",
        "(not (exists ((X Int)) (and (p X) (< X 5) (not (q X)))))",
        "(forall ((X Int)) (=> (p X) (or (>= X 5) (q X))))",
        "(forall ((X Int)) (=> (and (p X) true (< X 5) (< X 5) (p X)) (or false (q X))))",
        "(! (forall ((X Int)) (=> (and (p X) (< X 5)) (q X))) :named clause)",
        "(let ((five 5)) (forall ((X Int)) (=> (and (p X) (< X five)) (q X))))",
        "(forall ((X Int)) (=> (p X) (ite (< X 5) (q X) true)))",
    ] {
        assert_eq!(clauses(&format!("(assert {assertion})")), expected, "{assertion}");
    }
}

#[test]
fn disjunctions_of_predicates_and_conjunctions_of_conclusions_make_several_clauses() {
    assert_eq!(
        clauses("(assert (forall ((X Int)) (=> (and (or (p X) (q X) (= X 1) (= X 2)) (< X 5)) done)))"),
        [
            "(forall ((X Int)) (=> (and (or (= X 1) (= X 2)) (<= X 4)) done))",
            "(forall ((X Int)) (=> (and (p X) (<= X 4)) done))",
            "(forall ((X Int)) (=> (and (q X) (<= X 4)) done))",
        ]
    );
    assert_eq!(
        clauses(
            "(assert (forall ((X Int)) (=> (p X) (and (q X) (=> (> X 0) done) (forall ((Y Int)) (=> (> Y X) (q Y)))))))"
        ),
        [
            "(forall ((X Int)) (=> (p X) (q X)))",
            "(forall ((X Int)) (=> (and (p X) (>= X 1)) done))",
            "(forall ((X Int) (Y Int)) (=> (and (p X) (<= (+ X 1) Y)) (q Y)))",
        ]
    );
    // Each way of being true or false is a clause of its own; impossible and trivial ones vanish.
    assert_eq!(
        clauses("(assert (forall ((X Int)) (= (p X) (> X 0))))"),
        [
            "(forall ((X Int)) (=> (and (p X) (<= X 0)) false))",
            "(forall ((X Int)) (=> (>= X 1) (p X)))"
        ]
    );
    assert_eq!(
        clauses("(assert (forall ((X Int)) (=> (and (p X) (< X 0) (>= X 0)) false)))"),
        [""; 0]
    );
    assert_eq!(clauses("(assert (forall ((X Int)) (=> (p X) (p X))))"), [""; 0]);
}

#[test]
fn clauses_of_one_assertion_have_variables_of_their_own() {
    let source = format!("{DECLARATIONS}(assert (forall ((X Int)) (=> (or (p X) (q X)) (b (> X 0)))))");
    let program = horn::read(&source).product.expect("well formed");
    let variables: Vec<_> = program
        .rules()
        .iter()
        .map(|rule| program.terms.variables_of_all(&rule.head.arguments))
        .collect();
    assert_eq!(variables.len(), 2);
    assert_ne!(variables[0], variables[1]);
}

#[test]
fn arithmetic() {
    for (text, expected) in [
        ("(= (+ X (- Y) 1 2) (- X))", "(= (+ (* 2 X) 3) Y)"),
        ("(= (- X Y 1) (* 3 Y))", "(= X (+ (* 4 Y) 1))"),
        ("(< 0 X Y 10)", "(and (>= X 1) (<= (+ X 1) Y) (<= Y 9))"),
        ("(= X Y 3)", "(and (= X Y) (= Y 3))"),
        ("(distinct X Y 3)", "(and (not (= X Y)) (not (= X 3)) (not (= Y 3)))"),
        ("(= (div X 3) (mod Y (- 2)))", "(= (div X 3) (mod Y (- 2)))"),
        (
            "(and (= X (div 7 (- 2))) (= Y (mod (- 7) 2)))",
            "(and (= X (- 3)) (= Y 1))",
        ),
        ("(> (abs X) Y)", "(<= (+ Y 1) (ite (>= X 0) X (- X)))"),
        ("(= (* X Y X) 4)", "(= (* X X Y) 4)"),
        ("(= (ite (> X Y) X Y) 3)", "(= (ite (>= X (+ Y 1)) X Y) 3)"),
        (
            "(= X 123456789012345678901234567890)",
            "(= X 123456789012345678901234567890)",
        ),
    ] {
        let found = condition("(X Int) (Y Int)", text);
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn reals_and_promoted_numerals() {
    for (text, expected) in [
        ("(< R 1)", "(< R 1.0)"),
        ("(= (* 2 R) (/ S 3))", "(= (* 6.0 R) S)"),
        ("(= R (/ 1 3))", "(= R (/ 1.0 3.0))"),
        ("(= R (/ S R))", "(= R (/ S R))"),
        ("(= R (- 0.5))", "(= R (- 0.5))"),
        ("(= (to_int R) 2)", "(= (to_int R) 2)"),
        ("(= R (to_real (to_int S)))", "(= R (to_real (to_int S)))"),
        ("(is_int R)", "(= R (to_real (to_int R)))"),
        ("(= (ite (> R 0) R 1) S)", "(= S (ite (> R 0.0) R 1.0))"),
    ] {
        assert_eq!(condition("(R Real) (S Real)", text), expected, "{text}");
    }
    assert_eq!(clauses("(assert (r 1))"), ["(=> true (r 1.0))"]);
}

#[test]
fn booleans() {
    for (text, expected) in [
        ("(and B (or C (not B)))", "(and B (or C (not B)))"),
        ("(xor B C)", "(not (= B C))"),
        ("(= B (not C))", "(= B (not C))"),
        ("(= B true)", "B"),
        ("(distinct B true)", "(not B)"),
        ("(distinct B C true)", ""),
        ("(=> B C B)", "true"),
        ("(ite B C (not C))", "(and (or C (not B)) (or B (not C)))"),
        ("(iff B C)", "(= B C)"),
        ("(not (or B (and C B)))", "(and (not B) (or (not B) (not C)))"),
    ] {
        if expected.is_empty() {
            let assertion = format!("(assert (forall ((B Bool) (C Bool)) (=> {text} done)))");
            assert_eq!(clauses(&assertion), [""; 0], "{text}");
            continue;
        }
        assert_eq!(condition("(B Bool) (C Bool)", text), expected, "{text}");
    }
    assert_eq!(
        clauses("(assert (forall ((X Int)) (b (> X 3))))"),
        ["(forall ((X Int)) (=> true (b (>= X 4))))"]
    );
}

#[test]
fn arrays() {
    for (text, expected) in [
        ("(= (select (store A I 3) I) I)", "(= I 3)"),
        ("(= A (store A I 3))", "(= A (store A I 3))"),
        (
            "(= A ((as const (Array Int Int)) 7))",
            "(= A ((as const (Array Int Int)) 7))",
        ),
        (
            "(> (select (ite (> I 0) A (store A 0 1)) I) 0)",
            "(>= (select (ite (>= I 1) A (store A 0 1)) I) 1)",
        ),
    ] {
        assert_eq!(condition("(A (Array Int Int)) (I Int)", text), expected, "{text}");
    }
    assert_eq!(
        condition("(M (Array Int (Array Int Real)))", "(= (select (select M 0) 1) 2)"),
        "(= (select (select M 0) 1) 2.0)"
    );
}

#[test]
fn let_is_parallel_and_shadows() {
    for (text, expected) in [
        ("(let ((X Y) (Y X)) (< X Y))", "(>= X (+ Y 1))"),
        ("(let ((X 1)) (let ((X (+ X 1)) (Z X)) (= (* X Z) Y)))", "(= Y 2)"),
        ("(and (let ((Y 7)) (= X Y)) (= Y 8))", "(and (= X 7) (= Y 8))"),
        ("(let ((p 3)) (= X p))", "(= X 3)"),
    ] {
        assert_eq!(condition("(X Int) (Y Int)", text), expected, "{text}");
    }
}

#[test]
fn macros_see_their_own_names_only() {
    let definitions = "(define-fun limit () Int 10)
(define-fun below ((X Int) (Y Int)) Bool (and (< X Y) (< Y limit)))
(define-fun reached ((X Int)) Bool (p (+ X 1)))
(define-const half Real 0.5)
(define-sort Row () (Array Int Int))
(define-sort Table (T) (Array Int T))
";
    assert_eq!(
        clauses(&format!(
            "{definitions}(assert (forall ((Y Int) (limit Int)) (=> (and (reached Y) (below limit Y)) done)))"
        )),
        ["(forall ((Y Int) (limit Int)) (=> (and (p (+ Y 1)) (>= Y (+ limit 1)) (<= Y 9)) done))"]
    );
    assert_eq!(
        clauses(&format!(
            "{definitions}(assert (forall ((M (Table Row))) (=> (r half) (a (select M limit)))))"
        )),
        ["(forall ((M (Array Int (Array Int Int)))) (=> (r 0.5) (a (select M 10))))"]
    );
}

#[test]
fn rules_and_queries_of_z3() {
    assert_eq!(
        clauses(
            "(declare-rel s (Int Int))
(declare-var X Int)
(declare-var Y Int)
(rule (s 0 1) start)
(rule (=> (and (s X Y) (< X 5)) (s (+ X 1) Y)))
(query s)
(query (s 3 X) :print-certificate true)
"
        ),
        [
            "(=> true (s 0 1))",
            "(forall ((X Int) (Y Int)) (=> (and (s X Y) (<= X 4)) (s (+ X 1) Y)))",
            "(forall ((X1 Int) (X2 Int)) (=> (s X1 X2) false))",
            "(forall ((X Int)) (=> (s 3 X) false))",
        ]
    );
}

#[test]
fn names_are_quoted_and_made_unique() {
    let source = "(declare-fun |a b| (Int) Bool)
(assert (forall ((|a b| Int) (|x'| Int) (|div| Int)) (let ((|a b| (+ |a b| 1))) (=> (> |x'| |a b| |div|) done))))
(assert (forall ((X Int)) (=> (|a b| X) (forall ((X Int)) (p X)))))
";
    assert_eq!(
        clauses(source),
        [
            "(forall ((|a b_1| Int) (|x'| Int) (div_1 Int)) (=> (and (<= (+ |a b_1| 2) |x'|) (>= |a b_1| div_1)) done))",
            "(forall ((X Int) (X_1 Int)) (=> (|a b| X) (p X_1)))",
        ]
    );
}

#[test]
fn comments_options_and_what_follows_exit_are_skipped() {
    let text = "(set-info :status sat) ; a comment (with parentheses
(set-option :produce-models true)
(assert (p 1))
(check-sat)
(get-model)
(exit)
(assert nonsense)
";
    assert_eq!(clauses(text), ["(=> true (p 1))"]);
}

#[test]
fn deep_nesting_does_no_harm() {
    let depth = 100_000;
    for (open, close) in [
        ("(not ", ")"),
        ("(and B ", ")"),
        ("(=> B ", ")"),
        ("(let ((C B)) ", ")"),
        ("(ite B B ", ")"),
        ("(= B ", ")"),
    ] {
        let formula = format!("{}B{}", open.repeat(depth), close.repeat(depth));
        let reading = horn::read(&format!(
            "{DECLARATIONS}(assert (forall ((B Bool)) (=> {formula} done)))"
        ));
        assert!(reading.product.is_some(), "{open}: {:?}", reading.diagnostics);
    }
    for (open, close) in [
        ("(+ 1 ", ")"),
        ("(- 1 ", ")"),
        ("(ite (> X 0) X ", ")"),
        ("(select A ", ")"),
    ] {
        let term = format!("{}X{}", open.repeat(depth), close.repeat(depth));
        let source = format!("{DECLARATIONS}(assert (forall ((X Int) (A (Array Int Int))) (p {term})))");
        let program = horn::read(&source).product.expect("well formed");
        assert!(horn::print(&program).len() > 50);
    }
}
