//! Certificates of symbolic states, changed: what proves one program must not prove another one that fails, whatever is done to it.

use clausal::evidence::{CheckLimits, Evidence, check_certificate, read_evidence, save_certificate};
use clausal::explore::{ExploreOptions, Finding, explore};
use clausal::rules::Program;
use serde_json::Value;

/// Programs without an error, and one character changed so that there is one.
const PAIRS: [(&str, &str); 4] = [
    (
        "?- loop(0, 0). loop(I, S) :- I < 9, loop(I + 1, S + 3). loop(I, S) :- I >= 9, S > 27, error.",
        "?- loop(0, 0). loop(I, S) :- I < 9, loop(I + 1, S + 3). loop(I, S) :- I >= 9, S > 26, error.",
    ),
    (
        "?- N > 0, find(0, N, A). find(I, N, A) :- I < N, A[I] \\= 4, find(I + 1, N, A).
         find(I, N, A) :- I >= N, A[0] = 4, error.",
        "?- N > 0, find(0, N, A). find(I, N, A) :- I < N, A[I] \\= 4, find(I + 1, N, A).
         find(I, N, A) :- I >= N, A[0] = 5, error.",
    ),
    (
        "?- N > 0, fill(0, N, A). fill(I, N, A) :- I < N, fill(I + 1, N, store(A, I, 7)).
         fill(I, N, A) :- I >= N, 0 =< K, K < N, A[K] \\= 7, error.",
        "?- N > 0, fill(0, N, A). fill(I, N, A) :- I < N, fill(I + 1, N, store(A, I, 7)).
         fill(I, N, A) :- I >= N, 0 =< K, K =< N, A[K] \\= 7, error.",
    ),
    (
        "?- go(0, 0, M, N). go(I, J, M, N) :- I < M, go(I + 1, J, M, N).
         go(I, J, M, N) :- I >= M, J < N, go(I, J + 2, M, N). go(I, J, M, N) :- I >= M, J >= N, J = 2*I + 1, error.",
        "?- go(0, 0, M, N). go(I, J, M, N) :- I < M, go(I + 1, J, M, N).
         go(I, J, M, N) :- I >= M, J < N, go(I, J + 2, M, N). go(I, J, M, N) :- I >= M, J >= N, J = 2*I + 2, error.",
    ),
];

fn program(source: &str) -> Program {
    clausal::clp::read(source).product.expect("no mistake in it")
}

/// The certificate of a program's closed tree as JSON.
fn saved(program: &Program) -> Value {
    let Finding::Unreachable(Ok(certificate)) = explore(program, &ExploreOptions::default()).finding else {
        panic!("it has a closed tree, which is a certificate");
    };
    let text = save_certificate(program, &certificate).expect("it is one for the program");
    serde_json::from_str(&text).expect("it is JSON")
}

fn is_accepted(program: &Program, evidence: &Value) -> bool {
    let Ok(read) = read_evidence(program, &evidence.to_string()) else {
        return false;
    };
    let Evidence::Certificate(certificate) = read.evidence else {
        return false;
    };
    check_certificate(program, &certificate, CheckLimits::default()).is_ok()
}

/// Everything that one change makes of a document: a list without an item, or with one twice, a number that is another one, a
/// comparison that is turned round.
fn mutants(document: &Value) -> Vec<Value> {
    match document {
        Value::Array(items) => {
            let mut all = Vec::new();
            for (position, item) in items.iter().enumerate() {
                let mut without = items.clone();
                without.remove(position);
                all.push(Value::Array(without));
                for mutant in mutants(item) {
                    let mut changed = items.clone();
                    changed[position] = mutant;
                    all.push(Value::Array(changed));
                }
            }
            if let Some(last) = items.last() {
                all.push(Value::Array([&items[..], std::slice::from_ref(last)].concat()));
            }
            all
        }
        Value::Object(fields) => {
            let mut all = Vec::new();
            for (name, field) in fields {
                let mut without = fields.clone();
                without.remove(name);
                all.push(Value::Object(without));
                for mutant in mutants(field) {
                    let mut changed = fields.clone();
                    changed.insert(name.clone(), mutant);
                    all.push(Value::Object(changed));
                }
            }
            all
        }
        Value::Number(number) => {
            let number = number.as_u64().unwrap_or_default();
            vec![Value::from(number + 1), Value::from(number.saturating_sub(1))]
        }
        Value::String(text) => {
            let changes = [
                ("<=", ">="),
                (">=", "<="),
                ("(+ ", "(- "),
                (" 1)", " 2)"),
                (" 0)", " 1)"),
                ("1", "0"),
            ];
            let changed = changes.iter().filter(|(from, _)| text.contains(from));
            changed
                .map(|(from, to)| Value::from(text.replacen(from, to, 1)))
                .collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn no_change_of_a_certificate_proves_what_is_not_so() {
    let mut tried = 0;
    for (safe, wrong) in PAIRS {
        let (safe, wrong) = (program(safe), program(wrong));
        let evidence = saved(&safe);
        assert!(is_accepted(&safe, &evidence));
        assert!(!is_accepted(&wrong, &evidence));
        for mutant in mutants(&evidence["symbolic"]) {
            let mut changed = evidence.clone();
            changed["symbolic"] = mutant;
            assert!(!is_accepted(&wrong, &changed), "{changed:#}");
            tried += 1;
        }
    }
    assert!(tried > 400, "{tried}");
}
