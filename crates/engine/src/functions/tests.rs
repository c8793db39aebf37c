//! Tests of relations understood as functions: what is proved and what is not, and certificates that were changed.

use super::*;
use crate::evidence::{Certificate, obligations_smtlib};

fn program(source: &str) -> Program {
    crate::clp::read_with_calls(source).product.expect("no mistake in it")
}

fn verdict(source: &str) -> Verdict {
    verify(&program(source), &Options::default()).verdict
}

fn certificate(source: &str) -> Certificate {
    match verdict(source) {
        Verdict::Safe(certificate) => certificate,
        other => panic!("{other:?}"),
    }
}

const REVERSE: &str = "
    reverse([], []).
    reverse([H | T], R) :- reverse(T, S), append(S, [H], R).
    append([], Y, Y).
    append([H | T], Y, [H | Z]) :- append(T, Y, Z).";

#[test]
fn lemmas_are_found_between_what_is_asked_and_the_definitions() {
    let source = format!(
        "?- append(X, Y, Z), reverse(Z, U), reverse(X, V), reverse(Y, W), append(W, V, T), T \\= U, error. {REVERSE}"
    );
    let certificate = certificate(&source);
    assert_eq!(certificate.terms.functions().len(), 2);
    // Appending is associative, and the empty list adds nothing at the end.
    let induced = certificate.lemmas.iter().filter(|lemma| lemma.by.is_some());
    assert!(induced.count() >= 2);
}

#[test]
fn what_is_wrong_is_not_proved() {
    let wrong = [
        // Only of palindromes.
        format!("?- reverse(X, Y), Y \\= X, error. {REVERSE}"),
        format!("?- append(X, Y, Z), append(Y, X, W), W \\= Z, error. {REVERSE}"),
    ];
    for source in wrong {
        assert!(matches!(verdict(&source), Verdict::Unsafe(_)), "{source}");
    }
    // Not a function: either list may come back.
    let source = "?- one(X, Y, Z), Z \\= X, error. one(X, [_ | _], X). one([], Y, Y).";
    assert!(!matches!(verdict(source), Verdict::Safe(_)));
}

#[test]
fn both_arguments_are_followed_at_once() {
    certificate(
        "?- minimum(X, Y, Z), below(X, Y, A), same(Z, X, B), A \\= B, error.
        minimum(zero, _, zero).
        minimum(next(_), zero, zero).
        minimum(next(X), next(Y), next(Z)) :- minimum(X, Y, Z).
        below(zero, _, yes).
        below(next(_), zero, no).
        below(next(X), next(Y), A) :- below(X, Y, A).
        same(zero, zero, yes).
        same(zero, next(_), no).
        same(next(_), zero, no).
        same(next(X), next(Y), A) :- same(X, Y, A).",
    );
}

#[test]
fn recursion_goes_along_numbers_that_are_not_negative() {
    let certificate = certificate(
        "?- take(N, X, Y), drop(N, X, Z), append(Y, Z, W), W \\= X, error.
        take(0, _, []).
        take(N, [], []) :- N > 0.
        take(N, [H | T], [H | R]) :- N > 0, M = N - 1, take(M, T, R).
        drop(0, X, X).
        drop(N, [], []) :- N > 0.
        drop(N, [_ | T], R) :- N > 0, M = N - 1, drop(M, T, R).
        append([], Y, Y).
        append([H | T], Y, [H | Z]) :- append(T, Y, Z).",
    );
    assert!(
        certificate
            .terms
            .functions()
            .iter()
            .all(|function| !function.ranks.is_empty())
    );
}

#[test]
fn recursion_goes_along_one_argument_more_slowly_than_along_another() {
    // The first argument stays as long as the second one gets smaller.
    certificate(
        "?- sum(X, Y, Z, R), sum(X, Y, Z, S), R \\= S, error.
        sum(zero, zero, Z, Z).
        sum(X, next(Y), Z, R) :- sum(X, Y, next(Z), R).
        sum(next(X), zero, Z, R) :- sum(X, Z, Z, R).",
    );
}

#[test]
fn obligations_for_others_are_unsatisfiable() {
    let source = format!("?- reverse(X, Y), reverse(Y, Z), Z \\= X, error. {REVERSE}");
    let (program, certificate) = (program(&source), certificate(&source));
    let text = obligations_smtlib(&program, &certificate).expect("well formed");
    assert!(text.contains("(declare-fun reverse!2 ("), "{text}");
    assert!(
        text.contains("the recursion of `reverse!2`") && text.contains("the lemma `"),
        "{text}"
    );
    let saved = crate::evidence::save_certificate(&program, &certificate).expect("well formed");
    let read = crate::evidence::read_evidence(&program, &saved).expect("as it was saved");
    let crate::evidence::Evidence::Certificate(read) = read.evidence else {
        panic!("{:?}", read.evidence)
    };
    assert_eq!(read.terms.functions().len(), 2);
    assert_eq!(read.lemmas.len(), certificate.lemmas.len());
    check_certificate(&program, &read, CheckLimits::default()).expect("as it was");
}

#[test]
fn saved_certificates_that_were_changed_are_refused() {
    let source = format!("?- reverse(X, Y), reverse(Y, Z), Z \\= X, error. {REVERSE}");
    let (program, certificate) = (program(&source), certificate(&source));
    let saved = crate::evidence::save_certificate(&program, &certificate).expect("well formed");
    let accepted = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut value: serde_json::Value = serde_json::from_str(&saved).expect("JSON");
        change(&mut value);
        let Ok(read) = crate::evidence::read_evidence(&program, &value.to_string()) else {
            return false;
        };
        match read.evidence {
            crate::evidence::Evidence::Certificate(read) => {
                check_certificate(&program, &read, CheckLimits::default()).is_ok()
            }
            _ => false,
        }
    };
    assert!(accepted(&|_| {}));
    let certificate = |value: &mut serde_json::Value, change: &dyn Fn(&mut serde_json::Value)| {
        let inner = if value["functions"].is_array() {
            value
        } else {
            &mut value["certificate"]
        };
        assert!(inner["functions"].is_array());
        change(inner);
    };
    let list = serde_json::json!([]);
    // Without lemmas, with those that need induction taken for granted, and with ranks that do not descend, or none.
    let changes: [&dyn Fn(&mut serde_json::Value); 4] = [
        &|inner| inner["lemmas"] = list.clone(),
        &|inner| {
            for lemma in inner["lemmas"].as_array_mut().expect("a list") {
                lemma.as_object_mut().expect("a lemma").remove("by");
            }
        },
        &|inner| inner["functions"][0]["ranks"] = serde_json::json!(["0"]),
        &|inner| inner["functions"][0]["ranks"] = list.clone(),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        assert!(!accepted(&|value| certificate(value, change)), "change {number}");
    }
}

#[test]
fn names_that_need_quotes_become_names_of_functions() {
    let source = "(set-logic HORN)
        (declare-datatypes ((list 0)) (((nil) (cons (head Int) (tail list)))))
        (declare-fun |both lists| (list list list) Bool)
        (assert (forall ((Y list)) (|both lists| nil Y Y)))
        (assert (forall ((H Int) (X list) (Y list) (Z list))
            (=> (|both lists| X Y Z) (|both lists| (cons H X) Y (cons H Z)))))
        (assert (forall ((X list) (Z list)) (=> (and (|both lists| X nil Z) (not (= X Z))) false)))";
    let program = crate::horn::read_with_calls(source).product.expect("no mistake in it");
    let Verdict::Safe(certificate) = verify(&program, &Options::default()).verdict else {
        panic!("not proved");
    };
    let names: Vec<&str> = certificate
        .terms
        .functions()
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["both_lists!3"]);
}

#[test]
fn small_inputs_lead_to_errors_that_are_found_by_running_the_rules() {
    // Some list of marks is read to its end as three, by turns that nothing but the list determines.
    let source = "
        ?- read(M, zero, next(next(next(zero)))), error.
        read([], N, N).
        read([up | M], N, R) :- read(M, next(N), R).
        read([twice | M], N, R) :- doubled(N, D), read(M, D, R).
        doubled(zero, zero).
        doubled(next(N), next(next(D))) :- doubled(N, D).";
    let program = program(source);
    match verify(&program, &Options::default()).verdict {
        Verdict::Unsafe(derivation) => replay(&program, &derivation).expect("a run into the error"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_an_induction_leaves_is_a_lemma() {
    // Where the second list begins is said of a list that grows in front of it, one element after another.
    let certificate = certificate(
        "?- join(X, [E | Y], A), join(X, Y, B), longer(A, B, no), error.
        join([], Y, Y).
        join([H | T], Y, [H | Z]) :- join(T, Y, Z).
        longer([], _, no).
        longer([_ | _], [], yes).
        longer([_ | T], [_ | S], A) :- longer(T, S, A).",
    );
    assert!(!certificate.lemmas.is_empty());
}

#[test]
fn counters_are_natural_numbers_in_lemmas() {
    // To turn a list so often and so often again is to turn it as often as both together.
    certificate(
        "?- turned(N, X, A), turned(M, A, B), turned(M, X, C), turned(N, C, D), B \\= D, error.
        turned(0, X, X).
        turned(N, [], []) :- N > 0.
        turned(N, [H | T], R) :- N > 0, M = N - 1, append(T, [H], S), turned(M, S, R).
        append([], Y, Y).
        append([H | T], Y, [H | Z]) :- append(T, Y, Z).",
    );
}

/// Binary numbers, the last digit first and above a leading one.
const BINARY: &str = "
    plus(lead, Y, R) :- up(Y, R).
    plus(o(X), lead, i(X)).
    plus(i(X), lead, R) :- up(i(X), R).
    plus(o(X), o(Y), o(R)) :- plus(X, Y, R).
    plus(o(X), i(Y), i(R)) :- plus(X, Y, R).
    plus(i(X), o(Y), i(R)) :- plus(X, Y, R).
    plus(i(X), i(Y), o(R)) :- plus(X, Y, S), up(S, R).
    up(lead, o(lead)).
    up(o(X), i(X)).
    up(i(X), o(Y)) :- up(X, Y).
    times(Y, lead, Y).
    times(Y, o(X), o(R)) :- times(Y, X, R).
    times(Y, i(X), R) :- times(Y, X, S), plus(Y, o(S), R).";

#[test]
fn digits_are_numbers_of_which_functions_are_polynomials() {
    let certificate = certificate(&format!("?- times(X, Y, A), times(Y, X, B), A \\= B, error. {BINARY}"));
    let is_number = |one: &crate::terms::Function| one.name.starts_with("number!");
    assert!(certificate.terms.functions().iter().any(is_number));
}

#[test]
fn polynomials_follow_the_recursion_of_what_calculates_them() {
    // The product of the first and the third argument and what the others have already, whose recursion is along two of them.
    let source = "
        ?- area(R, X, P, Y, zero), area(S, Y, Q, X, zero), P = Q, R \\= S, error.
        area(A, zero, zero, _, A).
        area(R, X, next(P), Y, A) :- area(R, X, P, Y, next(A)).
        area(R, next(X), zero, Y, A) :- area(R, X, Y, Y, A).";
    let certificate = certificate(source);
    assert!(certificate.lemmas.iter().any(|lemma| lemma.ranks.len() > 1));
    let program = program(source);
    let saved = crate::evidence::save_certificate(&program, &certificate).expect("well formed");
    let read = crate::evidence::read_evidence(&program, &saved).expect("as it was saved");
    let crate::evidence::Evidence::Certificate(read) = read.evidence else {
        panic!("{:?}", read.evidence)
    };
    check_certificate(&program, &read, CheckLimits::default()).expect("as it was");
}

/// Every second element, by two relations that call each other. Where a result is among the arguments says nothing.
#[test]
fn results_of_relations_that_call_each_other_may_be_anywhere() {
    for swapped in [false, true] {
        let odds = |given: &str, result: &str| match swapped {
            true => format!("(odds {given} {result})"),
            false => format!("(odds {result} {given})"),
        };
        let source = format!(
            "(set-logic HORN)
            (declare-datatypes ((list 0)) (((nil) (cons (head Int) (tail list)))))
            (declare-fun evens (list list) Bool)
            (declare-fun odds (list list) Bool)
            (assert (evens nil nil))
            (assert (forall ((H Int) (T list) (O list)) (=> {} (evens (cons H T) (cons H O)))))
            (assert (odds nil nil))
            (assert (forall ((H Int) (T list) (O list)) (=> (evens T O) {})))
            (assert (forall ((X list) (E list) (O list) (F list) (G list))
              (=> (and (evens X E) {} (evens E F) {} (= F G) (not (= F nil)) (not (= (head E) (head O)))) false)))
            (check-sat)",
            odds("T", "O"),
            odds("(cons H T)", "O"),
            odds("X", "O"),
            odds("O", "G"),
        );
        let program = crate::horn::read_with_calls(&source)
            .product
            .expect("a well-formed text");
        let verdict = verify(&program, &Options::default()).verdict;
        assert!(matches!(verdict, Verdict::Unsafe(_)), "{source}: {verdict:?}");
    }
}
