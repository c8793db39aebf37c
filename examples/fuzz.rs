//! Fuzzing without cargo-fuzz: texts are mutated at random and given to a reader, which must neither panic nor be slow.
//!
//! `cargo run --release --example fuzz -- TARGET SECONDS SEED FILE…`, where `TARGET` is `c`, `clp` or `translate` (C to rules) and the files are what
//! to begin with. The same seed gives the same inputs. An input that is slow or makes the reader panic is written to
//! `fuzz-NUMBER.input`; one that ends the whole program (a stack that overflows) is in `fuzz.last`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Longer inputs are cut: more inputs find more than longer ones.
const LENGTH_LIMIT: usize = 20_000;
/// A reader that takes longer is reported.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// Texts that are put into inputs.
const TOKENS: [&str; 64] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ".",
    ":",
    "?",
    "*",
    "&",
    "&&",
    "=",
    "==",
    "+",
    "++",
    "->",
    "...",
    "/*",
    "*/",
    "//",
    "\"",
    "'",
    "\\",
    "#",
    "\n",
    "0",
    "1",
    "99999999999999999999",
    "0x",
    "1e",
    "x",
    "int ",
    "typedef ",
    "struct ",
    "union ",
    "enum ",
    "if (",
    "else ",
    "while (",
    "do ",
    "for (",
    "switch (",
    "case ",
    "default:",
    "goto ",
    "return ",
    "sizeof(",
    "__attribute__((",
    "typeof(",
    "({",
    "asm(",
    "__extension__ ",
    "_Alignof(",
    "static ",
    "L'",
    "\u{fffd}",
    ":-",
    "?-",
    "mod ",
    "ite(",
    "X",
];

/// Marsaglia's xorshift: enough randomness, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap_or(0)
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        start..(start + self.below(40)).min(length)
    }
}

/// Changes an input in a few places.
fn mutate(random: &mut Random, input: &mut Vec<u8>, others: &[Vec<u8>]) {
    for _ in 0..1 + random.below(8) {
        let place = random.range(input.len());
        match random.below(8) {
            0 => drop(input.drain(place)),
            1 => {
                let copy = input[place.clone()].to_vec();
                input.splice(place.start..place.start, copy);
            }
            2 => {
                let copy = input[place.clone()].repeat(1 + random.below(50));
                input.splice(place.start..place.start, copy);
            }
            3 => {
                let byte = random.next().to_le_bytes()[0];
                input.splice(place.start..place.start, [byte]);
            }
            4 => {
                let other = &others[random.below(others.len())];
                let piece = other[random.range(other.len())].to_vec();
                input.splice(place, piece);
            }
            5 => input.truncate(place.start),
            6 => {
                let token = TOKENS[random.below(TOKENS.len())].repeat(1 + random.below(3) * random.below(200));
                input.splice(place, token.into_bytes());
            }
            _ => {
                let token = TOKENS[random.below(TOKENS.len())];
                input.splice(place.start..place.start, token.bytes());
            }
        }
    }
    input.truncate(LENGTH_LIMIT);
}

/// Gives a text to a reader. Says whether the reader accepts it.
fn read(target: &str, text: &str) -> bool {
    match target {
        "clp" => {
            let reading = clausal::clp::read(text);
            clausal::diagnostics::render(&reading.diagnostics, "fuzz.clp", text);
            reading.product.is_some()
        }
        "translate" => [false, true].into_iter().all(|snippet| {
            let options = clausal::c::options::Options {
                snippet,
                ..Default::default()
            };
            let reading = clausal::c::translate(text, &options);
            clausal::diagnostics::render(&reading.diagnostics, "fuzz.c", text);
            reading.product.is_some()
        }),
        _ => [false, true].into_iter().all(|snippet| {
            let arena = bumpalo::Bump::new();
            let reading = clausal::c::parser::parse(&arena, text, snippet);
            clausal::diagnostics::render(&reading.diagnostics, "fuzz.c", text);
            reading.product.is_some()
        }),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, seconds, seed, files @ ..] = arguments.as_slice() else {
        eprintln!("usage: fuzz c|clp|translate SECONDS SEED FILE…");
        return ExitCode::from(1);
    };
    let (Ok(seconds), Ok(seed)) = (seconds.parse(), seed.parse::<u64>()) else {
        eprintln!("the time and the seed are numbers");
        return ExitCode::from(1);
    };
    let mut inputs: Vec<Vec<u8>> = files.iter().filter_map(|file| std::fs::read(file).ok()).collect();
    inputs.push(Vec::new());
    let mut random = Random(seed | 1);
    let (start, mut runs, mut accepted, mut slow) = (Instant::now(), 0u64, 0u64, 0u64);
    while start.elapsed() < Duration::from_secs(seconds) {
        let mut input = inputs[random.below(inputs.len())].clone();
        if input.len() > LENGTH_LIMIT {
            let first = random.below(input.len() - LENGTH_LIMIT);
            input = input[first..first + LENGTH_LIMIT].to_vec();
        }
        mutate(&mut random, &mut input, &inputs);
        let text = String::from_utf8_lossy(&input).into_owned();
        // Where the whole program ends, this is what is left.
        if std::fs::write("fuzz.last", &text).is_err() {
            eprintln!("fuzz.last cannot be written");
            return ExitCode::from(1);
        }
        let before = Instant::now();
        let result = std::panic::catch_unwind(|| read(target, &text));
        let is_slow = before.elapsed() > TIME_LIMIT;
        runs += 1;
        slow += u64::from(is_slow);
        accepted += u64::from(matches!(result, Ok(true)));
        if result.is_err() || is_slow {
            if std::fs::write(format!("fuzz-{runs}.input"), &text).is_err() {
                eprintln!("the input cannot be written");
            }
            println!("run {runs}: {}", if is_slow { "slow" } else { "panic" });
        }
        if result.is_err() {
            return ExitCode::from(70);
        }
    }
    println!("{runs} inputs, {accepted} accepted, {slow} slow");
    ExitCode::from(u8::from(slow > 0))
}
