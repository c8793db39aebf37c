//! Invariants for all values of a variable: what is proved of them, what is refused, and that saving keeps them.

use super::{
    Certificate, CheckError, CheckLimits, Evidence, Invariant, check_certificate, obligations_smtlib, read_evidence,
    save_certificate,
};
use crate::rules::{PredicateId, Program};
use crate::terms::{SortId, TermId, Terms};

const FILL: &str = "
    ?- fill(0, N, A).
    fill(I, N, A) :- I < N, fill(I + 1, N, store(A, I, 7)).
    fill(I, N, A) :- I >= N, 0 =< J, J < N, select(A, J) \\= 7, error.";

fn program() -> Program {
    crate::clp::read(FILL).product.expect("no mistake in it")
}

/// The certificate that says for all K what `conjunct` makes of the parameters I, N and A and of K.
fn certificate(program: &Program, conjunct: impl Fn(&mut Terms, &[TermId], TermId) -> TermId) -> Certificate {
    let predicate = PredicateId::from_index(2);
    let parameters = program.predicate(predicate).parameters.clone();
    let mut terms = program.terms.clone();
    let key = terms.fresh_variable("K", SortId::INT);
    let conjunct = conjunct(&mut terms, &parameters, key);
    Certificate {
        universal: vec![key],
        ..Certificate::new(
            terms,
            vec![Invariant {
                predicate,
                disjuncts: vec![vec![conjunct]],
            }],
        )
    }
}

/// K < 0, K >= I + `beyond`, or the element at K is 7.
fn filled(terms: &mut Terms, parameters: &[TermId], key: TermId, beyond: i64) -> TermId {
    let (zero, seven, beyond) = (terms.integer(0), terms.integer(7), terms.integer(beyond));
    let end = terms.add(parameters[0], beyond);
    let element = terms.select(parameters[2], key);
    let ways = [
        terms.less(key, zero),
        terms.less_or_equal(end, key),
        terms.equal(element, seven),
    ];
    terms.or(&ways)
}

#[test]
fn what_holds_of_all_cells_is_proved() {
    let program = program();
    let right = certificate(&program, |terms, parameters, key| filled(terms, parameters, key, 0));
    check_certificate(&program, &right, CheckLimits::default()).expect("it is inductive");
    let obligations = obligations_smtlib(&program, &right).expect("it fits");
    assert!(!obligations.contains("forall"), "instances are what is to be proved");
}

#[test]
fn a_cell_may_be_counted_from_elsewhere() {
    let program = program();
    // I - K may be any number as well as K may.
    let turned = |beyond: i64| {
        certificate(&program, move |terms, parameters, key| {
            let counted = terms.subtract(parameters[0], key);
            filled(terms, parameters, counted, beyond)
        })
    };
    check_certificate(&program, &turned(0), CheckLimits::default()).expect("it is inductive");
    let error = check_certificate(&program, &turned(1), CheckLimits::default()).expect_err("one cell too many");
    assert!(matches!(error, CheckError::Violated { .. }), "{error}");
}

#[test]
fn what_holds_of_all_cells_makes_arrays_equal() {
    let source = "?- same(store(A, 0, 1), store(A, 0, 1)).
        same(A, B) :- A \\= B, error.";
    let program = crate::clp::read(source).product.expect("no mistake in it");
    let with = |same: bool| {
        certificate(&program, move |terms, parameters, key| {
            let (one, other) = (terms.select(parameters[0], key), terms.select(parameters[1], key));
            match same {
                true => terms.equal(one, other),
                false => terms.less_or_equal(one, other),
            }
        })
    };
    check_certificate(&program, &with(true), CheckLimits::default()).expect("arrays with equal elements are equal");
    let error = check_certificate(&program, &with(false), CheckLimits::default()).expect_err("elements may differ");
    assert!(matches!(error, CheckError::Violated { .. }), "{error}");
}

#[test]
fn what_does_not_hold_of_a_cell_is_refused() {
    let program = program();
    for beyond in [-1, 1] {
        let wrong = certificate(&program, |terms, parameters, key| {
            filled(terms, parameters, key, beyond)
        });
        let error = check_certificate(&program, &wrong, CheckLimits::default()).expect_err("one cell too many or few");
        assert!(matches!(error, CheckError::Violated { .. }), "{error}");
    }
    // False for one value of K, so it would exclude everything.
    let empty = certificate(&program, |terms, _, key| {
        let zero = terms.integer(0);
        terms.less_or_equal(zero, key)
    });
    let error = check_certificate(&program, &empty, CheckLimits::default()).expect_err("it has to hold for all K");
    assert!(matches!(error, CheckError::Violated { .. }), "{error}");
}

#[test]
fn what_is_universal_is_a_variable_of_its_own_in_one_disjunct() {
    let program = program();
    let right = certificate(&program, |terms, parameters, key| filled(terms, parameters, key, 0));
    let refused = |certificate: Certificate| {
        let error = check_certificate(&program, &certificate, CheckLimits::default()).expect_err("malformed");
        assert!(matches!(error, CheckError::Malformed(_)), "{error}");
    };
    let parameter = program.predicate(PredicateId::from_index(2)).parameters[0];
    for universal in [
        vec![],
        vec![parameter],
        [&right.universal[..], &right.universal].concat(),
    ] {
        refused(Certificate {
            universal,
            ..right.clone()
        });
    }
    let mut deeper = right.clone();
    deeper.induction_depth = 2;
    refused(deeper);
    let mut several = right.clone();
    let again = several.invariants[0].disjuncts[0].clone();
    several.invariants[0].disjuncts.push(again);
    refused(several);
    let mut summarized = right;
    summarized.summaries = summarized.invariants.clone();
    refused(summarized);
}

#[test]
fn saved_certificates_say_what_is_universal() {
    let program = program();
    let right = certificate(&program, |terms, parameters, key| filled(terms, parameters, key, 0));
    let text = save_certificate(&program, &right).expect("it fits");
    assert!(text.contains("\"universal\""), "{text}");
    let Evidence::Certificate(read) = read_evidence(&program, &text).expect("just written").evidence else {
        panic!("a certificate")
    };
    check_certificate(&program, &read, CheckLimits::default()).expect("it says the same");
    let other = text.replace("\"universal\"", "\"universally\"");
    assert!(read_evidence(&program, &other).is_err(), "K is unknown then");
}
