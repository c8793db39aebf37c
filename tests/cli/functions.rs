//! Saved certificates with functions and lemmas: what they are for, and what is refused of those that were tampered with.

use super::support::Folder;
use serde_json::{Value, json};
use std::sync::OnceLock;

/// The reverse of a reversed list is the list.
const REVERSED_TWICE: &str = "\
?- reverse(X, Y), reverse(Y, Z), Z \\= X, error.
reverse([], []).
reverse([H | T], R) :- reverse(T, S), append(S, [H], R).
append([], Y, Y).
append([H | T], Y, [H | Z]) :- append(T, Y, Z).
";

/// The certificate, which is looked for once for all tests.
fn certificate() -> &'static str {
    static SAVED: OnceLock<String> = OnceLock::new();
    SAVED.get_or_init(|| {
        let folder = Folder::new("functions");
        folder.write("twice.clp", REVERSED_TWICE);
        let options = [
            "verify",
            "--assist",
            "functions",
            "--save-evidence",
            "proof.json",
            "twice.clp",
        ];
        folder.run(&options).ended(0);
        folder.read("proof.json")
    })
}

/// A folder with the program and its certificate.
fn proved(name: &str) -> (Folder, Value) {
    let folder = Folder::new(name);
    folder.write("twice.clp", REVERSED_TWICE);
    folder.write("proof.json", certificate());
    let proof = serde_json::from_str(certificate()).expect("it is JSON");
    (folder, proof)
}

/// What `check` says of a changed certificate, with the exit code that is expected.
fn refusal(folder: &Folder, proof: &Value, code: i32) -> String {
    folder.write("forged.json", proof.to_string());
    let run = folder.run(&["check", "twice.clp", "forged.json"]).ended(code);
    format!("{}{}", run.output, run.complaints)
}

/// The position of the function whose name begins so.
fn function(proof: &Value, name: &str) -> usize {
    let functions = proof["functions"].as_array().expect("a list");
    let is_it = |one: &Value| one["name"].as_str().is_some_and(|own| own.starts_with(name));
    functions.iter().position(is_it).expect("there is one")
}

#[test]
fn a_certificate_with_lemmas_is_accepted_as_it_was_saved() {
    let (folder, proof) = proved("functions_saved");
    assert!(!proof["lemmas"].as_array().expect("a list").is_empty());
    let run = folder.run(&["check", "twice.clp", "proof.json"]).ended(0);
    assert!(run.output.starts_with("SAFE\n"), "{run:#?}");
}

#[test]
fn a_function_whose_recursion_does_not_end_is_refused() {
    let (folder, proof) = proved("functions_endless");
    let at = function(&proof, "append!");
    // It is what it is of the same arguments.
    let name = proof["functions"][at]["name"].clone();
    let name = name.as_str().expect("a name");
    let parameters = proof["functions"][at]["parameters"].as_array().expect("a list").clone();
    let own = format!(
        "({name} {} {})",
        parameters[0]["name"].as_str().expect("a name"),
        parameters[1]["name"].as_str().expect("a name")
    );
    let mut forged = proof.clone();
    forged["functions"][at]["body"] = json!(own);
    let said = refusal(&folder, &forged, 1);
    assert!(said.contains("the recursion of `append!"), "{said}");
    // Nothing gets smaller, or nothing is said to.
    let mut forged = proof.clone();
    forged["functions"][at]["ranks"] = json!(["0"]);
    let said = refusal(&folder, &forged, 1);
    assert!(said.contains("the recursion of `append!"), "{said}");
    let mut forged = proof;
    forged["functions"][at]["ranks"] = json!([]);
    let said = refusal(&folder, &forged, 1);
    assert!(said.contains("recurs without a rank"), "{said}");
}

#[test]
fn a_call_to_a_later_group_is_refused() {
    let (folder, mut proof) = proved("functions_groups");
    let at = function(&proof, "append!");
    proof["functions"][at]["group"] = json!(7);
    let said = refusal(&folder, &proof, 1);
    assert!(said.contains("it calls a function of a later group"), "{said}");
}

#[test]
fn a_lemma_that_does_not_hold_is_refused() {
    let (folder, proof) = proved("functions_wrong_lemma");
    let at = function(&proof, "reverse!");
    let name = proof["functions"][at]["name"].as_str().expect("a name");
    let sort = proof["functions"][at]["sort"].clone();
    for by in [json!(null), json!("X")] {
        let mut wrong = json!({
            "variables": [{ "name": "X", "sort": sort }],
            "formula": format!("(= ({name} X) X)"),
        });
        if !by.is_null() {
            wrong["by"] = by;
        }
        let mut forged = proof.clone();
        forged["lemmas"].as_array_mut().expect("a list").insert(0, wrong);
        let said = refusal(&folder, &forged, 1);
        assert!(said.contains("the lemma `"), "{said}");
    }
}

#[test]
fn a_lemma_that_needs_a_later_one_is_refused() {
    let (folder, mut proof) = proved("functions_order");
    proof["lemmas"].as_array_mut().expect("a list").reverse();
    let said = refusal(&folder, &proof, 1);
    assert!(said.contains("the lemma `"), "{said}");
    // Without lemmas, the rules do not follow either.
    proof["lemmas"] = json!([]);
    let said = refusal(&folder, &proof, 1);
    assert!(said.contains("REJECTED"), "{said}");
}

#[test]
fn sorts_that_do_not_fit_are_refused_where_they_are_read() {
    let (folder, proof) = proved("functions_sorts");
    let at = function(&proof, "append!");
    let mut forged = proof.clone();
    forged["functions"][at]["parameters"][0]["sort"] = json!("Int");
    let said = refusal(&folder, &forged, 2);
    assert!(said.contains("functions"), "{said}");
    let mut forged = proof.clone();
    forged["functions"][at]["sort"] = json!("Int");
    let said = refusal(&folder, &forged, 2);
    assert!(said.contains("functions"), "{said}");
    // A lemma is a formula, about its own variables.
    for formula in ["1", "(= X Y)"] {
        let mut forged = proof.clone();
        let lemma = json!({ "variables": [{ "name": "X", "sort": "Int" }], "formula": formula });
        forged["lemmas"].as_array_mut().expect("a list").insert(0, lemma);
        let said = refusal(&folder, &forged, 2);
        assert!(said.contains("lemmas"), "{said}");
    }
    let mut forged = proof;
    forged["lemmas"][0]["by"] = json!("nobody");
    let said = refusal(&folder, &forged, 2);
    assert!(said.contains("this is none of the lemma's variables"), "{said}");
}
