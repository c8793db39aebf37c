//! Compares the linear layer with Z3 on any number of random conjunctions.
//!
//! ```text
//! cargo run --release --example linear_layer -- 1000000 1
//! ```
//!
//! The numbers are how many, and the first seed. A third number is how many conjunctions share one solver, with its history of
//! pushes and pops (12 if it is left out). It ends with the counts, or at the first seed where something is wrong.

#![allow(clippy::print_stdout, reason = "a program that reports")]

#[path = "../tests/engine/linear_layer/agreement.rs"]
mod agreement;
#[path = "../tests/engine/linear_layer/generator.rs"]
mod generator;

use agreement::{Counts, SHORT_WALK, walk};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let (Some(Ok(count)), Some(Ok(first))) = (arguments.next(), arguments.next()) else {
        println!("usage: linear_layer COUNT SEED [STEPS]");
        return ExitCode::FAILURE;
    };
    let steps = match arguments.next() {
        Some(Ok(steps)) => steps as usize,
        _ => SHORT_WALK,
    };
    let mut counts = Counts::default();
    let mut seed = first;
    while counts.conjunctions < count {
        if let Err(what) = walk(seed, steps, &mut counts) {
            println!("{what}");
            return ExitCode::FAILURE;
        }
        seed += 1;
    }
    println!(
        "{} conjunctions (seeds {first} to {}): {} satisfiable, {} unsatisfiable ({} of them beyond Z3's limit), {} left to Z3; \
         {} cores and {} combinations checked",
        counts.conjunctions,
        seed - 1,
        counts.satisfiable,
        counts.unsatisfiable,
        counts.only_here,
        counts.unknown,
        counts.cores,
        counts.combinations
    );
    ExitCode::SUCCESS
}
