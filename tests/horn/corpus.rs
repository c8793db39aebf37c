//! Other people's Horn clauses: every text is either read, and then printed and read again without a change, or refused for
//! a reason that is expected.
//!
//! The corpus is not part of the project. `CLAUSAL_CORPUS` names a folder with a `chc.jsonl`, one `{"name": …, "text": …}`
//! a line; without it there is nothing to do.

use clausal::diagnostics::render;
use clausal::horn;
use std::path::Path;

const EXPECTED_REFUSALS: [&str; 6] = [
    "nonlinear recursion: several predicates of the body depend on the conclusion",
    "arrays must be indexed by numbers",
    "bit-vectors are not supported",
    "algebraic datatypes are not supported",
    "quantifier inside a clause",
    "the logic is not HORN",
];

#[test]
fn every_text_is_read_or_refused_for_a_good_reason() {
    let Ok(folder) = std::env::var("CLAUSAL_CORPUS") else {
        return;
    };
    let corpus = std::fs::read_to_string(Path::new(&folder).join("chc.jsonl")).expect("chc.jsonl in CLAUSAL_CORPUS");
    let (mut read, mut refused, mut wrong) = (0, 0, Vec::new());
    for line in corpus.lines() {
        let task: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let (name, text) = (task["name"].as_str().unwrap_or(""), task["text"].as_str().unwrap_or(""));
        if !name.ends_with(".smt2") {
            continue;
        }
        let reading = horn::read(text);
        let Some(program) = reading.product else {
            refused += 1;
            let expected = |message: &str| EXPECTED_REFUSALS.contains(&message);
            if !reading
                .diagnostics
                .first()
                .is_some_and(|first| expected(&first.message))
            {
                wrong.push(render(&reading.diagnostics, name, text));
            }
            continue;
        };
        read += 1;
        let printed = horn::print(&program);
        let again = horn::read(&printed);
        match again.product {
            Some(again) if horn::print(&again) == printed => {}
            Some(_) => wrong.push(format!("{name}: printed differently the second time")),
            None => wrong.push(render(&again.diagnostics, name, &printed)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(read > 0 && refused > 0, "{read} read, {refused} refused");
}
