//! Fuzzing without cargo-fuzz: inputs are changed at random and given to a reader, which must neither panic nor be slow.
//!
//! `cargo run --release --example fuzz -- TARGET SECONDS SEED FILE…`, where `TARGET` is `c`, `translate` (C to rules), `clp`,
//! `horn`, `witness` (YAML; what is claimed is read, too) or `evidence` (saved by `verify --save-evidence`), and the files are what to begin
//! with; for `evidence` the first file has the rules. The same seed gives the same inputs. An input that is slow or makes the
//! reader panic is written to `fuzz-NUMBER.input`; one that ends the whole program (a stack that overflows) is in `fuzz.last`.
//! A limit of memory is for the shell to set (`prlimit --as=2000000000`).

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that reports")]

mod mutation;
#[path = "../../tests/shared/random.rs"]
#[allow(dead_code, reason = "others pick from lists")]
mod random;
mod targets;

use random::Random;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use targets::Target;

/// A reader that takes longer is reported.
const TIME_LIMIT: Duration = Duration::from_secs(5);

const USAGE: &str = "usage: fuzz c|translate|clp|horn|witness|evidence SECONDS SEED FILE…";

fn main() -> ExitCode {
    match fuzz() {
        Ok(code) => code,
        Err(why) => {
            eprintln!("{why}\n{USAGE}");
            ExitCode::from(1)
        }
    }
}

fn fuzz() -> Result<ExitCode, String> {
    let mut words = std::env::args().skip(1);
    let mut word = |what: &str| words.next().ok_or(format!("{what} is missing"));
    let target = word("the target")?;
    let number = |text: String| text.parse::<u64>().map_err(|_| format!("`{text}` is not a number"));
    let (seconds, seed) = (number(word("the time")?)?, number(word("the seed")?)?);
    let mut files: Vec<String> = words.collect();
    let mut target = Target::new(&target, &mut files)?;
    let mut inputs = Vec::new();
    for file in &files {
        let input = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
        target.learn(&String::from_utf8_lossy(&input));
        inputs.push(input);
    }
    inputs.push(Vec::new());
    let mut random = Random::new(seed);
    let (start, mut runs, mut accepted, mut slow) = (Instant::now(), 0_u64, 0_u64, 0_u64);
    let mut slowest = Duration::ZERO;
    while start.elapsed() < Duration::from_secs(seconds) {
        let text = mutation::mutated(&mut random, &inputs, target.is_json());
        // Where the whole program ends, this is what is left.
        std::fs::write("fuzz.last", &text).map_err(|error| format!("fuzz.last: {error}"))?;
        let before = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| target.read(&text)));
        let took = before.elapsed();
        slowest = slowest.max(took);
        let is_slow = took > TIME_LIMIT;
        runs += 1;
        slow += u64::from(is_slow);
        accepted += u64::from(matches!(result, Ok(Some(_))));
        if result.is_err() || is_slow {
            let name = format!("fuzz-{runs}.input");
            std::fs::write(&name, &text).map_err(|error| format!("{name}: {error}"))?;
            println!("run {runs}: {}", if is_slow { "slow" } else { "panic" });
        }
        if result.is_err() {
            return Ok(ExitCode::from(70));
        }
    }
    let slowest = slowest.as_secs_f64();
    println!("{runs} inputs, {accepted} accepted, {slow} slow, the slowest in {slowest:.2} s");
    Ok(ExitCode::from(u8::from(slow > 0)))
}
