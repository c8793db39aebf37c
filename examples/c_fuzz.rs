//! Compares the verifier's verdicts on any number of random C programs with unusual constructs with what gcc's programs do.
//!
//! ```text
//! cargo run --release --example c_fuzz -- COUNT SEED [--clausal PATH] [--timeout S] [--print] [--keep FOLDER] [--all] [--each] [--used TEXT] [--right FILE]
//! ```
//!
//! The programs read no inputs, so one run tells what they do. Observed values are asked about in both ways: `if (value is
//! what it is) reach_error()` must not be SAFE, and `if (value is another one) reach_error()` must not be UNSAFE. A refusal
//! is no answer; refusals are counted by reason. A program on which they differ is printed after lines that do not matter
//! have been deleted, unless it is made of alternatives of the grammar that an earlier one is suspected for (`--all` prints
//! each). `--used` looks at programs only that use an alternative, such as `effects:20`. Ends with status 1 on a false
//! verdict. `--print` prints the program of the seed.
//!
//! With `--each`, COUNT programs are only generated; of them the smallest are looked at that tell for each alternative of the
//! grammar how it is understood: right, undecided (refused, mostly), or with a false verdict and a program. That is a line
//! for each, with tabulators. `--right FILE` reads these lines and looks at programs only in which everything is right alone.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that reports")]

mod common;
#[path = "../tests/c/constructs/grammar.rs"]
mod grammar;
#[path = "../tests/c/constructs/judge.rs"]
mod judge;
#[path = "../tests/c/constructs/program.rs"]
mod program;
#[path = "../tests/shared/random.rs"]
#[allow(dead_code, reason = "others pick from lists")]
mod random;
#[path = "../tests/c/differential/shrinking.rs"]
mod shrinking;
#[path = "../tests/c/constructs/survey.rs"]
mod survey;

use judge::{Difference, Finding, Judge};
use program::{Check, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "usage: c_fuzz COUNT SEED [--clausal PATH] [--timeout S] [--print] [--keep FOLDER] [--all] [--each] [--used TEXT] [--right FILE]";
/// How many shorter texts are tried.
const MOST_TRIALS: usize = 150;
/// What the world outside decides: whatever a run does, the verdict may say that another one fails.
const OPEN: &[&str] = &["*volatile ", "isatty(", "time(0)", "clock()", "fopen(", "tmpfile("];
/// With more suspects than this, it is not known what a difference comes from.
const MOST_SUSPECTS: usize = 3;

struct Arguments {
    count: u64,
    seed: u64,
    clausal: PathBuf,
    timeout: u64,
    print: bool,
    keep: Option<PathBuf>,
    all: bool,
    each: bool,
    used: Option<String>,
    /// The alternatives that an earlier survey calls right, if only programs of these are wanted.
    right: Option<BTreeSet<String>>,
}

/// What was counted.
#[derive(Default)]
struct Tally {
    answers: BTreeMap<&'static str, u64>,
    undecided: BTreeMap<String, (u64, u64)>,
    left_out: BTreeMap<String, (u64, u64)>,
    /// Alternatives that have been in a program whose verdicts were right.
    innocent: BTreeSet<String>,
    /// What the differences so far are suspected for, with the program and how many more there were.
    suspects: Vec<(BTreeSet<String>, u64, u64)>,
    differences: u64,
}

fn main() -> ExitCode {
    let result = arguments().and_then(|arguments| {
        let grammar = program::grammar()?;
        if arguments.print {
            let made = program::generate(&grammar, arguments.seed)?;
            println!("{}/* {} */", made.text, made.used.join(" "));
            return Ok(0);
        }
        if arguments.each {
            return each(&arguments, &grammar);
        }
        println!("the grammar has {} alternatives", grammar.places().count());
        compare(&arguments, &grammar)
    });
    match result {
        Ok(differences) => common::conclude(differences),
        Err(why) => {
            eprintln!("{why}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Says of each alternative how it is understood.
fn each(arguments: &Arguments, grammar: &grammar::Grammar) -> Result<u64, String> {
    let judge = Judge::new(arguments.clausal.clone(), arguments.timeout)?;
    let numbers = arguments.seed..arguments.seed.saturating_add(arguments.count);
    let only = arguments.used.as_deref();
    let counts = survey::survey(grammar, &judge, numbers, only, &mut |kind, alternative, why, made| {
        let text = grammar.text(alternative).unwrap_or_default();
        println!("{kind}\t{alternative}\t{text}\t{why}");
        if kind.starts_with("false") {
            println!("{}", made.text);
        }
    })?;
    for (kind, count) in &counts {
        println!("{kind}: {count}");
    }
    let wrong = counts.iter().filter(|(kind, _)| kind.starts_with("false"));
    Ok(wrong.map(|(_, count)| count).sum())
}

fn compare(arguments: &Arguments, grammar: &grammar::Grammar) -> Result<u64, String> {
    let started = Instant::now();
    let judge = Judge::new(arguments.clausal.clone(), arguments.timeout)?;
    let mut tally = Tally::default();
    for number in arguments.seed..arguments.seed.saturating_add(arguments.count) {
        let made = program::generate(grammar, number)?;
        if let Some(wanted) = &arguments.used
            && !made.used.contains(wanted)
        {
            continue;
        }
        if let Some(right) = &arguments.right
            && !made
                .used
                .iter()
                .all(|used| used.starts_with("units:") || right.contains(used))
        {
            continue;
        }
        one(arguments, &judge, number, &made, &mut tally)?;
    }
    println!(
        "{} programs in {:.0} s",
        arguments.count,
        started.elapsed().as_secs_f64()
    );
    for (answer, count) in &tally.answers {
        println!("{answer}: {count}");
    }
    for (title, counted) in [("left out", &tally.left_out), ("undecided", &tally.undecided)] {
        let mut sorted: Vec<_> = counted.iter().collect();
        sorted.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (why, (count, number)) in sorted {
            println!("{title}, {count} times (program {number}): {why}");
        }
    }
    for (suspects, number, more) in &tally.suspects {
        let suspects: Vec<&str> = suspects.iter().map(String::as_str).collect();
        println!(
            "difference in program {number}, and {more} more: {}",
            suspects.join(" ")
        );
    }
    Ok(tally.differences)
}

/// Looks at one program.
fn one(arguments: &Arguments, judge: &Judge, number: u64, made: &Program, tally: &mut Tally) -> Result<(), String> {
    match judge.look(&made.text)? {
        Finding::Right => {
            *tally.answers.entry("right").or_default() += 1;
            tally.innocent.extend(made.used.iter().cloned());
        }
        Finding::Undecided(why) => {
            *tally.answers.entry("undecided").or_default() += 1;
            tally.undecided.entry(why).or_insert((0, number)).0 += 1;
        }
        Finding::LeftOut(why) => {
            *tally.answers.entry("left out").or_default() += 1;
            tally.left_out.entry(why).or_insert((0, number)).0 += 1;
        }
        Finding::Wrong(difference) => report(arguments, judge, number, made, &difference, tally)?,
    }
    Ok(())
}

fn report(
    arguments: &Arguments,
    judge: &Judge,
    number: u64,
    made: &Program,
    difference: &Difference,
    tally: &mut Tally,
) -> Result<(), String> {
    let kind = match (difference.failed, difference.said.contains("SAFE")) {
        (_, false) => "broken",
        (true, _) => "false SAFE",
        (false, _) if OPEN.iter().any(|open| made.text.contains(open)) => {
            *tally.answers.entry("decided outside").or_default() += 1;
            return Ok(());
        }
        (false, _) => "false UNSAFE",
    };
    *tally.answers.entry(kind).or_default() += 1;
    tally.differences += 1;
    let suspects: BTreeSet<String> = made
        .used
        .iter()
        .filter(|used| !tally.innocent.contains(*used))
        .cloned()
        .collect();
    // What few alternatives are suspected for, with one of them here, is the same cause, most likely.
    let known = tally
        .suspects
        .iter_mut()
        .find(|(known, _, _)| known.len() <= MOST_SUSPECTS && !known.is_disjoint(&suspects));
    if let Some((known, _, more)) = known {
        *more += 1;
        known.retain(|one| suspects.contains(one));
        if !arguments.all {
            return Ok(());
        }
    }
    let text = shrinking::shrunk(&made.text, MOST_TRIALS, &mut |text| {
        judge.still_differs(text, difference)
    });
    let run = judge
        .run(&text, &["-O0"])?
        .map_err(|why| format!("program {number}, smaller: {why}"))?;
    let asked = Check::all(&text, &run.observed, run.failed)
        .into_iter()
        .find(|(check, _)| std::mem::discriminant(check) == std::mem::discriminant(&difference.check));
    let asked = asked.map_or(text.clone(), |(check, _)| check.text(&text));
    let suspected: Vec<&str> = suspects.iter().map(String::as_str).collect();
    println!("program {number}: {kind}; suspected: {}\n{asked}", suspected.join(" "));
    if let Some(folder) = &arguments.keep {
        std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        let name = format!("{}-{number}.c", kind.replace(' ', "-"));
        std::fs::write(folder.join(name), asked).map_err(|error| error.to_string())?;
    }
    tally.suspects.push((suspects, number, 0));
    Ok(())
}

/// The alternatives that the output of `--each` calls right.
fn right_ones(file: &str) -> Result<BTreeSet<String>, String> {
    let text = std::fs::read_to_string(file).map_err(|why| format!("{file}: {why}"))?;
    let lines = text.lines().filter_map(|line| line.strip_prefix("right\t"));
    Ok(lines
        .filter_map(|line| line.split('\t').next())
        .map(str::to_string)
        .collect())
}

fn arguments() -> Result<Arguments, String> {
    let mut arguments = Arguments {
        count: 0,
        seed: 0,
        clausal: PathBuf::from("target/release/clausal"),
        timeout: 4,
        print: false,
        keep: None,
        all: false,
        each: false,
        used: None,
        right: None,
    };
    let number = |text: Option<String>| {
        let text = text.ok_or("a number is missing")?;
        text.parse::<u64>().map_err(|_| format!("`{text}` is not a number"))
    };
    let mut words = std::env::args().skip(1);
    arguments.count = number(words.next())?;
    arguments.seed = number(words.next())?;
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("`{word}` needs a value"));
        match word.as_str() {
            "--clausal" => arguments.clausal = PathBuf::from(value()?),
            "--timeout" => arguments.timeout = number(Some(value()?))?,
            "--keep" => arguments.keep = Some(PathBuf::from(value()?)),
            "--used" => arguments.used = Some(value()?),
            "--right" => arguments.right = Some(right_ones(&value()?)?),
            "--print" => arguments.print = true,
            "--each" => arguments.each = true,
            "--all" => arguments.all = true,
            _ => return Err(format!("`{word}` is not an option")),
        }
    }
    arguments.clausal = arguments.clausal.canonicalize().map_err(|why| {
        let file = arguments.clausal.display();
        format!("{file}: {why}; `cargo build --release` makes it, or say where it is with `--clausal`")
    })?;
    Ok(arguments)
}
