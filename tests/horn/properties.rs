//! Nothing that comes in breaks the reader, and what comes out of the printer is read back unchanged.

use clausal::diagnostics::render;
use clausal::horn;
use proptest::prelude::*;

/// Reads a text; whatever is wrong with it can be rendered, and what is right survives printing and reading.
fn check(source: &str) -> Result<(), TestCaseError> {
    let reading = horn::read(source);
    prop_assert_eq!(reading.product.is_none(), !reading.diagnostics.is_empty());
    render(&reading.diagnostics, "input.smt2", source);
    if let Some(program) = reading.product {
        let printed = horn::print(&program);
        let again = horn::read(&printed);
        prop_assert!(
            again.product.is_some(),
            "{}",
            render(&again.diagnostics, "printed.smt2", &printed)
        );
        prop_assert_eq!(again.product.map(|program| horn::print(&program)), Some(printed));
    }
    Ok(())
}

/// Parentheses and words of the language in any order.
fn soup() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "(",
        "(",
        "(",
        ")",
        ")",
        ")",
        "assert",
        "forall",
        "exists",
        "let",
        "declare-fun",
        "define-fun",
        "set-logic",
        "HORN",
        "p",
        "q",
        "X",
        "Y",
        "Int",
        "Bool",
        "Real",
        "Array",
        "((X Int))",
        "((Y Bool))",
        "and",
        "or",
        "not",
        "=>",
        "=",
        "ite",
        "select",
        "store",
        "+",
        "-",
        "*",
        "/",
        "div",
        "mod",
        "distinct",
        "0",
        "1",
        "2.5",
        "true",
        "false",
        "|X|",
        "(p X)",
        "(assert",
        "(declare-fun p (Int) Bool)",
        "as",
        "const",
        "_",
        "!",
        ":named",
        "\"s\"",
        "; c\n",
        "check-sat",
        "xor",
    ]);
    prop::collection::vec(words, 0..60).prop_map(|words| words.join(" "))
}

/// A well-sorted term of sort Int, Real, Bool or (Array Int Int) over fixed variables, as text.
fn term(sort: usize) -> BoxedStrategy<String> {
    let leaf = |sort: usize| match sort {
        0 => prop::sample::select(vec!["X", "Y", "0", "1", "(- 7)", "12"]).boxed(),
        1 => prop::sample::select(vec!["R", "S", "0.5", "2", "(/ 1 3)", "(- 1.25)"]).boxed(),
        2 => prop::sample::select(vec!["B", "C", "true", "false", "(< X Y)", "(= R S)"]).boxed(),
        _ => prop::sample::select(vec!["A", "((as const (Array Int Int)) 3)"]).boxed(),
    };
    let all = move |depth: u32| {
        let mut levels: Vec<[BoxedStrategy<String>; 4]> =
            vec![[0, 1, 2, 3].map(|s| leaf(s).prop_map(str::to_string).boxed())];
        for _ in 0..depth {
            let [i, r, b, a] = levels[levels.len() - 1].clone();
            let pick = |names: &'static [&'static str]| prop::sample::select(names);
            let int = prop_oneof![
                i.clone(),
                (pick(&["+", "-", "*", "div", "mod"]), i.clone(), i.clone())
                    .prop_map(|(f, x, y)| format!("({f} {x} {y})")),
                (b.clone(), i.clone(), i.clone()).prop_map(|(c, x, y)| format!("(ite {c} {x} {y})")),
                (a.clone(), i.clone()).prop_map(|(x, y)| format!("(select {x} {y})")),
                r.clone().prop_map(|x| format!("(to_int (+ R {x}))")),
                (i.clone(), i.clone()).prop_map(|(x, y)| format!("(let ((X {x}) (Y {y})) (* X (+ X Y)))")),
            ];
            let real = prop_oneof![
                r.clone(),
                (pick(&["+", "-", "*", "/"]), r.clone(), r.clone()).prop_map(|(f, x, y)| format!("({f} {x} {y})")),
                i.clone().prop_map(|x| format!("(to_real (+ X {x}))")),
            ];
            let bool = prop_oneof![
                b.clone(),
                (pick(&["and", "or", "xor", "=>", "="]), b.clone(), b.clone())
                    .prop_map(|(f, x, y)| format!("({f} {x} {y})")),
                (pick(&["<", "<=", ">", ">=", "=", "distinct"]), i.clone(), i.clone())
                    .prop_map(|(f, x, y)| format!("({f} {x} {y})")),
                (pick(&["<", "<=", "="]), r.clone(), r.clone()).prop_map(|(f, x, y)| format!("({f} {x} {y} R)")),
                (b.clone(), b.clone(), b.clone()).prop_map(|(x, y, z)| format!("(ite {x} {y} {z})")),
                b.clone().prop_map(|x| format!("(not {x})")),
                (a.clone(), a.clone()).prop_map(|(x, y)| format!("(= {x} {y})")),
                (b.clone(), b.clone()).prop_map(|(x, y)| format!("(let ((B {x})) (and (or B {y}) (or (not B) C)))")),
            ];
            let array = prop_oneof![
                a.clone(),
                (a.clone(), i.clone(), i).prop_map(|(x, y, z)| format!("(store {x} {y} {z})")),
                (b, a.clone(), a).prop_map(|(x, y, z)| format!("(ite {x} {y} {z})")),
            ];
            levels.push([int.boxed(), real.boxed(), bool.boxed(), array.boxed()]);
        }
        levels.pop().map(|[i, r, b, a]| [i, r, b, a][sort].clone())
    };
    all(4).unwrap_or_else(|| leaf(sort).prop_map(str::to_string).boxed())
}

const HEADER: &str = "(set-logic HORN)
(declare-fun p (Int Real Bool (Array Int Int)) Bool)
(declare-fun |q 1| (Int) Bool)
";
const VARIABLES: &str = "((X Int) (Y Int) (R Real) (S Real) (B Bool) (C Bool) (A (Array Int Int)))";

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text_does_no_harm(source in any::<String>()) {
        check(&source)?;
    }

    #[test]
    fn words_in_any_order_do_no_harm(source in soup()) {
        check(&source)?;
        check(&format!("(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((X Int)) {source}))"))?;
    }

    #[test]
    fn clauses_survive_printing_and_reading(
        x in term(0), r in term(1), b in term(2), a in term(3), condition in term(2), goal in term(0)
    ) {
        let source = format!(
            "{HEADER}(assert (forall {VARIABLES} (=> {condition} (p {x} {r} {b} {a}))))
            (assert (forall {VARIABLES} (=> (and (p X R B A) {condition}) (|q 1| {goal}))))
            (assert (forall {VARIABLES} (=> (or (|q 1| {x}) (and (p {goal} R {b} A) {condition})) {b})))"
        );
        let reading = horn::read(&source);
        prop_assert!(reading.product.is_some(), "{}", render(&reading.diagnostics, "input.smt2", &source));
        check(&source)?;
    }
}
