//! The C front end against gcc: random programs, compiled and translated, print the same and end in the same way.
//!
//! `examples/c_differential.rs` does the same for any number of programs, and makes those that differ smaller.

// A skipped test says so.
#![allow(clippy::print_stderr)]

mod accesses;
mod agreement;
mod floats;
mod generator;
mod inputs;
mod reference;
mod translated;
mod words;

use agreement::{Outcome, compare, compare_accesses, compare_checked};
use reference::End;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Compares the programs with these numbers; `None` where there is no gcc.
fn compare_all(numbers: Range<u64>) {
    if !reference::is_available() {
        eprintln!("skipped: there is no gcc to compare with");
        return;
    }
    let programs: Vec<String> = numbers.clone().map(generator::generate).collect();
    let outcomes = compare(&programs, &[1, 2, 3]).unwrap_or_else(|why| panic!("gcc: {why}"));
    let mut failures = Vec::new();
    let mut ends: Vec<End> = Vec::new();
    let (mut unstacked, mut unordered) = (0, 0);
    for (number, outcome) in numbers.clone().zip(outcomes) {
        match outcome {
            // Arrays of functions that recur have no place on the stack of calls.
            Outcome::Refused(why) if why.contains("in a function that recurs") => unstacked += 1,
            // Where calls through pointers and of functions that write through pointers meet, orders are refused that do not matter.
            Outcome::Refused(why) if why.contains("in an order that C leaves open") => unordered += 1,
            Outcome::Agree(runs) => ends.extend(runs.iter().map(|run| run.end)),
            Outcome::Refused(why) => failures.push(format!("program {number} is refused:\n{why}")),
            Outcome::Differ(why) => failures.push(format!("program {number}: {why}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let refused = unstacked + unordered;
    assert!(refused * 4 < numbers.count(), "{refused} are refused");
    let count = |end: End| ends.iter().filter(|other| **other == end).count();
    let (all, undefined) = (ends.len(), count(End::Undefined));
    assert!(count(End::Timeout) == 0 && undefined * 4 < all, "{undefined} of {all}");
    assert!(count(End::Error) > 0 && undefined > 0, "{} errors", count(End::Error));
}

#[test]
fn the_first_half_does_what_gcc_makes_of_it() {
    compare_all(0..50);
}

#[test]
fn the_second_half_does_what_gcc_makes_of_it() {
    compare_all(50..100);
}

/// Programs that calculate with floating-point numbers.
#[test]
fn floating_point_programs_do_what_gcc_makes_of_them() {
    all_agree((0..40).map(floats::generate).collect(), compare, &[OPEN_ORDER]);
}

/// Programs about bits.
#[test]
fn programs_about_bits_do_what_gcc_makes_of_them() {
    all_agree((0..40).map(words::generate).collect(), compare, &[OPEN_ORDER]);
}

/// Where undefined operations are errors, runs end in one where the compiled program traps, and nowhere else.
#[test]
fn checks_find_what_gcc_traps() {
    let numbers = 200..225;
    let all = numbers.clone().map(generator::generate);
    let all = all
        .chain(numbers.clone().map(floats::generate))
        .chain(numbers.map(words::generate));
    all_agree(
        all.collect(),
        compare_checked,
        &[OPEN_ORDER, "in a function that recurs", UNCHECKED],
    );
}

/// Where it is an error to miss an object, runs end in one where the checks of addresses end the compiled program.
#[test]
fn checks_find_the_accesses_that_gcc_finds() {
    let copies = "a library function's access to more than a member of a struct";
    let programs = (0..50).map(accesses::generate).collect();
    all_agree(programs, compare_accesses, &[UNCHECKED, copies]);
}

/// Programs, the seeds of their inputs, and how each comparison went.
type Comparison = fn(&[String], &[u64]) -> Result<Vec<Outcome>, String>;

/// Why programs are refused where calls and fields come in some orders that do not matter.
const OPEN_ORDER: &str = "in an order that C leaves open";
/// Why they are refused where pointers are null wherever they are used, a loop allocates memory, or numbers may be addresses.
const UNCHECKED: &str = "cannot translate a check of";

/// Compares programs of which few are refused, and these for known reasons.
fn all_agree(programs: Vec<String>, compare: Comparison, refusals: &[&str]) {
    if !reference::is_available() {
        eprintln!("skipped: there is no gcc to compare with");
        return;
    }
    let (all, mut refused) = (programs.len(), 0);
    let outcomes = compare(&programs, &[1, 2, 3]).unwrap_or_else(|why| panic!("gcc: {why}"));
    for (number, outcome) in outcomes.into_iter().enumerate() {
        match outcome {
            Outcome::Agree(_) => {}
            Outcome::Refused(why) if refusals.iter().any(|known| why.contains(known)) => refused += 1,
            Outcome::Refused(why) => panic!("program {number} is refused:\n{why}"),
            Outcome::Differ(why) => panic!("program {number}: {why}"),
        }
    }
    assert!(refused * 4 < all, "{refused} are refused");
}

/// What has been wrong once, or what random programs seldom come to.
#[test]
fn special_programs_do_what_gcc_makes_of_them() {
    if !reference::is_available() {
        eprintln!("skipped: there is no gcc to compare with");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/differential/programs");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    let text = |path: &PathBuf| std::fs::read_to_string(path).expect("the program can be read");
    let programs: Vec<String> = paths.iter().map(text).collect();
    let outcomes = compare(&programs, &[1, 2, 3, 4, 5, 6]).unwrap_or_else(|why| panic!("gcc: {why}"));
    let mut failures = Vec::new();
    for (path, outcome) in paths.iter().zip(outcomes) {
        match outcome {
            Outcome::Agree(_) => {}
            Outcome::Refused(why) | Outcome::Differ(why) => failures.push(format!("{}: {why}", path.display())),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_generator_repeats_itself() {
    for number in 0..20 {
        assert_eq!(generator::generate(number), generator::generate(number));
    }
}
