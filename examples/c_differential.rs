//! Compares what gcc and the C front end make of any number of random C programs.
//!
//! ```text
//! cargo run --release --example c_differential -- --count 5000 --seed 1
//! ```
//!
//! A program on which they differ is printed after statements that do not matter have been deleted; `--keep` prints it as it
//! is. Ends with status 1 on a disagreement.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that reports")]

#[path = "../tests/c/differential/accesses.rs"]
mod accesses;
#[path = "../tests/c/differential/agreement.rs"]
mod agreement;
mod common;
#[path = "../tests/c/differential/floats.rs"]
mod floats;
#[path = "../tests/c/differential/generator/mod.rs"]
mod generator;
#[path = "../tests/c/differential/inputs.rs"]
mod inputs;
#[path = "../tests/shared/random.rs"]
mod random;
#[path = "../tests/c/differential/reference.rs"]
mod reference;
#[path = "../tests/c/differential/shrinking.rs"]
mod shrinking;
#[path = "../tests/c/differential/translated.rs"]
mod translated;
#[path = "../tests/c/differential/words.rs"]
mod words;

use agreement::{Outcome, compare, compare_accesses, compare_checked};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

/// How many programs are compiled together.
const TOGETHER: u64 = 50;
/// How many shorter texts are tried.
const MOST_TRIALS: usize = 1_500;

const USAGE: &str = "usage: c_differential [--count N] [--seed N] [--runs N] [--most N] [--file FILE] [--print [--rules]] [--keep] [--checked] [--floats | --words | --accesses]";

struct Arguments {
    count: u64,
    seed: u64,
    /// How many times each program is run, with other inputs.
    runs: u64,
    /// How many disagreements are enough.
    most: u64,
    /// The text of a program to look at, instead of random ones.
    text: Option<String>,
    print: bool,
    rules: bool,
    keep: bool,
    /// Whether undefined operations are errors.
    checked: bool,
    /// Whether the programs calculate with floating-point numbers.
    floats: bool,
    /// Whether they are about bits.
    words: bool,
    /// Whether they are about memory, and it is an error to miss an object.
    accesses: bool,
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(why) => {
            eprintln!("{why}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let program = |number: u64| {
        arguments
            .text
            .clone()
            .unwrap_or_else(|| match (arguments.floats, arguments.words, arguments.accesses) {
                (true, _, _) => floats::generate(number),
                (_, true, _) => words::generate(number),
                (_, _, true) => accesses::generate(number),
                _ => generator::generate(number),
            })
    };
    if arguments.print {
        let text = agreement::plain(&program(arguments.seed));
        print!("{text}");
        if arguments.rules {
            print!("{}", translated::printed(&text, false).unwrap_or_else(|why| why));
        }
        return ExitCode::SUCCESS;
    }
    let started = Instant::now();
    let seeds: Vec<u64> = (1..=arguments.runs).collect();
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    let mut refused: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let (mut done, mut values, mut disagreements) = (0, 0, 0);
    let last = arguments.seed.saturating_add(arguments.count);
    let mut next = arguments.seed;
    while next < last && disagreements < arguments.most {
        let numbers: Vec<u64> = (next..last.min(next + TOGETHER)).collect();
        next += TOGETHER;
        let programs: Vec<String> = numbers.iter().map(|number| program(*number)).collect();
        let outcomes = match compared(&programs, &seeds, &arguments) {
            Ok(outcomes) => outcomes,
            Err(why) => {
                eprintln!("programs from {}: {why}", numbers[0]);
                return ExitCode::FAILURE;
            }
        };
        for ((number, program), outcome) in numbers.iter().zip(&programs).zip(outcomes) {
            done += 1;
            match outcome {
                Outcome::Agree(runs) => {
                    for run in runs {
                        values += run.printed.len();
                        *ends.entry(format!("{:?}", run.end)).or_default() += 1;
                    }
                }
                Outcome::Refused(why) => {
                    let why = why.lines().next().unwrap_or_default().to_string();
                    refused.entry(why).or_insert((0, *number)).0 += 1;
                }
                Outcome::Differ(why) => {
                    disagreements += 1;
                    println!("program {number}: {why}");
                    let text = match arguments.keep {
                        true => program.clone(),
                        false => shrinking::shrunk(program, MOST_TRIALS, &mut |text| differs(text, &seeds, &arguments)),
                    };
                    println!("{}", agreement::plain(&text));
                }
            }
        }
    }
    println!(
        "{done} programs in {:.0} s, {values} values printed",
        started.elapsed().as_secs_f64()
    );
    for (end, count) in &ends {
        println!("{end}: {count} runs");
    }
    for (why, (count, number)) in &refused {
        println!("refused, {count} times (program {number}): {why}");
    }
    common::conclude(disagreements)
}

fn compared(programs: &[String], seeds: &[u64], arguments: &Arguments) -> Result<Vec<Outcome>, String> {
    match (arguments.accesses, arguments.checked) {
        (true, _) => compare_accesses(programs, seeds),
        (_, true) => compare_checked(programs, seeds),
        _ => compare(programs, seeds),
    }
}

fn differs(text: &str, seeds: &[u64], arguments: &Arguments) -> bool {
    let outcomes = compared(&[text.to_string()], seeds, arguments);
    matches!(outcomes.as_deref(), Ok([Outcome::Differ(_)]))
}

fn arguments() -> Result<Arguments, String> {
    let mut arguments = Arguments {
        count: 1_000,
        seed: 1,
        runs: 3,
        most: 10,
        text: None,
        print: false,
        rules: false,
        keep: false,
        checked: false,
        floats: false,
        words: false,
        accesses: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if word == "--file" {
            let file = words.next().ok_or("`--file` needs a name")?;
            let text = std::fs::read_to_string(&file).map_err(|why| format!("{file}: {why}"))?;
            (arguments.text, arguments.count) = (Some(text), 1);
            continue;
        }
        let mut number = || {
            let text = words.next().ok_or(format!("`{word}` needs a number"))?;
            text.parse::<u64>().map_err(|_| format!("`{text}` is not a number"))
        };
        match word.as_str() {
            "--count" => arguments.count = number()?,
            "--seed" => arguments.seed = number()?,
            "--runs" => arguments.runs = number()?,
            "--most" => arguments.most = number()?,
            "--print" => arguments.print = true,
            "--rules" => arguments.rules = true,
            "--keep" => arguments.keep = true,
            "--checked" => arguments.checked = true,
            "--floats" => arguments.floats = true,
            "--words" => arguments.words = true,
            "--accesses" => arguments.accesses = true,
            _ => return Err(format!("`{word}` is not an option")),
        }
    }
    Ok(arguments)
}
