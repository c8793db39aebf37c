//! Compares the engine with running, and with Z3's Spacer, on any number of random programs.
//!
//! ```text
//! cargo run --release --example random_programs -- --count 10000 --seed 1
//! cargo run --release --example random_programs -- --count 10000 --seed 1 --spacer --seconds 400
//! ```
//!
//! `--again` verifies every program again in other guises, as the tests do; `--unsettled` prints the programs that the oracle
//! settled and the engine did not. Ends with status 1 on a disagreement.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that reports")]

#[path = "../tests/engine/random_programs/agreement.rs"]
mod agreement;
mod common;
#[path = "../tests/engine/random_programs/generator.rs"]
mod generator;
#[path = "../tests/engine/random_programs/oracle.rs"]
mod oracle;
#[path = "../tests/shared/random.rs"]
mod random;

use agreement::{Comparison, compare, no_contradiction};
use clausal::rules::Program;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// A verification that takes longer is worth a look.
const SLOW: f64 = 5.0;

struct Arguments {
    count: u64,
    seed: u64,
    seconds: f64,
    spacer: bool,
    again: bool,
    unsettled: bool,
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(why) => {
            eprintln!(
                "{why}\nusage: random_programs [--count N] [--seed N] [--seconds S] [--spacer] [--again] [--unsettled]"
            );
            return ExitCode::from(2);
        }
    };
    let comparison = Comparison {
        states: 300,
        unrollings: 40,
        time: Some(Duration::from_secs(20)),
        limits: oracle::Limits {
            goals: 1_000,
            assignments: 100_000,
        },
        recheck: arguments.again,
        again: arguments.again,
    };
    let started = Instant::now();
    let mut table: BTreeMap<String, u64> = BTreeMap::new();
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    let (mut done, mut disagreements) = (0, 0);
    for seed in arguments.seed..arguments.seed.saturating_add(arguments.count) {
        if started.elapsed().as_secs_f64() > arguments.seconds {
            break;
        }
        done += 1;
        match compare(seed, comparison) {
            Ok(found) => {
                let [default, cores] = found.verdicts;
                if arguments.unsettled && found.observed != "unknown" && default == "unknown" {
                    println!("seed {seed} is {}\n{}", found.observed, generator::generate(seed));
                }
                let mut row = format!("{:8} {default:8} {cores:8}", found.observed);
                if arguments.spacer {
                    let spacer = spacer(&found.program);
                    row.push_str(&format!(" {spacer:8}"));
                    for said in [found.observed, default, cores] {
                        if let Err(why) = no_contradiction(said, spacer) {
                            disagreements += 1;
                            println!("seed {seed}: Spacer: {why}\n{}", generator::generate(seed));
                        }
                    }
                }
                *table.entry(row).or_default() += 1;
                for reason in found.reasons {
                    *reasons.entry(reason).or_default() += 1;
                }
                if found.seconds > SLOW {
                    println!("seed {seed} took {:.1} s\n{}", found.seconds, generator::generate(seed));
                }
            }
            Err(why) => {
                disagreements += 1;
                println!("{why}");
            }
        }
    }
    println!("{done} programs in {:.0} s", started.elapsed().as_secs_f64());
    println!(
        "oracle   default  cores   {}",
        if arguments.spacer { "  Spacer" } else { "" }
    );
    for (row, count) in &table {
        println!("{row} {count:6}");
    }
    for (reason, count) in &reasons {
        println!("unknown: {reason}: {count}");
    }
    common::conclude(disagreements)
}

fn arguments() -> Result<Arguments, String> {
    let mut arguments = Arguments {
        count: 1_000,
        seed: 1,
        seconds: f64::INFINITY,
        spacer: false,
        again: false,
        unsettled: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || {
            let text = words.next().ok_or(format!("`{word}` needs a number"))?;
            text.parse::<u64>().map_err(|_| format!("`{text}` is not a number"))
        };
        match word.as_str() {
            "--count" => arguments.count = number()?,
            "--seed" => arguments.seed = number()?,
            "--seconds" => arguments.seconds = number()? as f64,
            "--spacer" => arguments.spacer = true,
            "--again" => arguments.again = true,
            "--unsettled" => arguments.unsettled = true,
            _ => return Err(format!("`{word}` is not an option")),
        }
    }
    Ok(arguments)
}

/// What Spacer says of a program, written as Horn clauses, within two seconds.
fn spacer(program: &Program) -> &'static str {
    let binary = std::env::var("CLAUSAL_Z3_BINARY").unwrap_or_else(|_| "z3".to_string());
    let child = Command::new(binary)
        .args(["fp.engine=spacer", "-T:2", "-in"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        return "missing";
    };
    if let Some(mut input) = child.stdin.take()
        && input.write_all(clausal::horn::print(program).as_bytes()).is_err()
    {
        return "unknown";
    }
    let Ok(output) = child.wait_with_output() else {
        return "unknown";
    };
    match String::from_utf8_lossy(&output.stdout).trim() {
        "sat" => "safe",
        "unsat" => "unsafe",
        _ => "unknown",
    }
}
