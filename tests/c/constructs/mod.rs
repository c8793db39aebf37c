//! Random programs with unusual constructs: what the command says of them is what they do when gcc has compiled them.
//!
//! `examples/c_fuzz.rs` does the same for any number of programs, makes those that differ smaller, and says for each
//! construct how it is understood.

// A skipped test says so.
#![allow(clippy::print_stderr)]

#[allow(dead_code, reason = "the example asks for more")]
mod grammar;
#[allow(dead_code, reason = "the example asks for more")]
mod judge;
#[allow(dead_code, reason = "the example asks for more")]
mod program;

use judge::{Finding, Judge};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;
use std::process::Command;

/// Looks at the programs with these numbers.
fn compare(numbers: Range<u64>) {
    if !Command::new("gcc")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
    {
        eprintln!("skipped: there is no gcc to compare with");
        return;
    }
    let grammar = program::grammar().unwrap_or_else(|why| panic!("{why}"));
    let judge = Judge::new(PathBuf::from(env!("CARGO_BIN_EXE_clausal")), 20).unwrap_or_else(|why| panic!("{why}"));
    let (mut failures, mut right) = (Vec::new(), 0);
    for number in numbers.clone() {
        let text = program::generate(&grammar, number)
            .unwrap_or_else(|why| panic!("{why}"))
            .text;
        match judge.look(&text).unwrap_or_else(|why| panic!("{why}")) {
            Finding::Right => right += 1,
            Finding::LeftOut(_) | Finding::Undecided(_) => {}
            Finding::Wrong(difference) if difference.failed => {
                failures.push(format!(
                    "program {number} is said to be SAFE:\n{}",
                    difference.check.text(&text)
                ));
            }
            // What is unknown here, a volatile variable or what a function without a body returns, is known to the machine.
            Finding::Wrong(_) => {}
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(
        right * 4 > numbers.count(),
        "only {right} have the verdicts that they should have"
    );
}

#[test]
fn the_first_programs_are_answered_as_gcc_makes_them() {
    compare(0..25);
}

#[test]
fn the_next_programs_are_answered_as_gcc_makes_them() {
    compare(25..50);
}

#[test]
fn the_generator_repeats_itself_and_uses_all_of_its_grammar() {
    let grammar = program::grammar().unwrap_or_else(|why| panic!("{why}"));
    let mut used = BTreeSet::new();
    for number in 0..15_000 {
        let made = program::generate(&grammar, number).unwrap_or_else(|why| panic!("program {number}: {why}"));
        used.extend(made.used);
    }
    let never: Vec<&str> = grammar.places().filter(|place| !used.contains(*place)).collect();
    assert!(never.is_empty(), "never taken: {}", never.join(" "));
    for number in 0..20 {
        let text = |number| program::generate(&grammar, number).map(|made| made.text);
        assert_eq!(text(number), text(number));
    }
}
