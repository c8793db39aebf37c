//! Random programs over small numbers that recur through calls, directly and mutually, against an oracle of its own: everything that can be
//! derived. Every variable of a rule has one of a few values, so the oracle knows the answer, whichever it is.

use crate::asked::asked;
use crate::random::Random;
use clausal::evidence::{CheckError, CheckLimits, check_certificate, replay};
use clausal::explore::{ExploreOptions, Finding, explore};
use clausal::infer::{self, infer};
use clausal::rules::Program;
use std::collections::BTreeSet;
use std::time::Duration;

/// Variables have values from 0 to this.
const LARGEST: i64 = 4;

/// An argument: a variable and something, or a number.
#[derive(Clone, Copy)]
enum Argument {
    Number(i64),
    Sum(usize, i64),
}

struct Atom {
    predicate: usize,
    arguments: Vec<Argument>,
}

/// `left relation right`.
struct Comparison {
    left: Argument,
    relation: &'static str,
    right: Argument,
}

struct Rule {
    /// A query has none.
    head: Option<Atom>,
    comparisons: Vec<Comparison>,
    body: Vec<Atom>,
    variables: usize,
}

/// A random program as a text, and what follows from it.
pub struct RandomCalls {
    /// The rules in CLP syntax.
    pub text: String,
    /// Whether the error can be derived.
    pub has_error: bool,
    /// Whether a rule calls what it is called by.
    pub recurs: bool,
}

/// The program of a seed.
pub fn generate(seed: u64) -> RandomCalls {
    let mut random = Random::new(seed);
    let count = random.between(1, 3) as usize;
    let arities: Vec<usize> = (0..count).map(|_| random.between(1, 3) as usize).collect();
    let mut rules = vec![rule(&mut random, None, &arities)];
    for predicate in 0..count {
        for number in 0..random.between(2, 4) {
            let mut made = rule(&mut random, Some(predicate), &arities);
            if number == 0 {
                // Something has to be where calls end.
                made.body.clear();
            }
            rules.push(made);
        }
    }
    let text: Vec<String> = rules.iter().map(shown).collect();
    RandomCalls {
        text: text.join("\n"),
        has_error: has_error(&rules),
        recurs: recurs(&rules, count),
    }
}

fn rule(random: &mut Random, predicate: Option<usize>, arities: &[usize]) -> Rule {
    let mut variables = 0;
    let head = predicate.map(|predicate| Atom {
        predicate,
        arguments: (0..arities[predicate])
            .map(|_| match random.percent(20) {
                true => Argument::Number(random.between(0, LARGEST)),
                false => {
                    variables += 1;
                    Argument::Sum(variables - 1, 0)
                }
            })
            .collect(),
    });
    let calls = match predicate {
        None => random.between(1, 2),
        Some(_) => random.between(0, 2),
    };
    let mut body = Vec::new();
    for _ in 0..calls {
        let predicate = random.between(0, arities.len() as i64 - 1) as usize;
        let arguments = (0..arities[predicate]).map(|_| argument(random, &mut variables, 25));
        let arguments = arguments.collect();
        body.push(Atom { predicate, arguments });
    }
    let comparisons = (0..random.between(0, 2)).map(|_| Comparison {
        left: argument(random, &mut variables, 5),
        relation: random.pick(&["<", "=<", "=", "\\=", ">"]),
        right: argument(random, &mut variables, 5),
    });
    let comparisons = comparisons.collect();
    Rule {
        head,
        comparisons,
        body,
        variables,
    }
}

/// An argument; a new variable in so many of a hundred cases, and at most five in a rule.
fn argument(random: &mut Random, variables: &mut usize, fresh: i64) -> Argument {
    if random.percent(12) {
        return Argument::Number(random.between(0, LARGEST));
    }
    let is_new = *variables == 0 || *variables < 5 && random.percent(fresh);
    *variables += usize::from(is_new);
    let variable = match is_new {
        true => *variables - 1,
        false => random.between(0, *variables as i64 - 1) as usize,
    };
    let more = if random.percent(45) { random.between(-2, 2) } else { 0 };
    Argument::Sum(variable, more)
}

impl Argument {
    fn value(self, values: &[i64]) -> i64 {
        match self {
            Argument::Number(number) => number,
            Argument::Sum(variable, more) => values[variable] + more,
        }
    }

    fn text(self) -> String {
        match self {
            Argument::Number(number) => number.to_string(),
            Argument::Sum(variable, 0) => format!("V{variable}"),
            Argument::Sum(variable, more) if more < 0 => format!("V{variable} - {}", -more),
            Argument::Sum(variable, more) => format!("V{variable} + {more}"),
        }
    }
}

fn shown(rule: &Rule) -> String {
    let atom = |atom: &Atom| {
        let arguments: Vec<String> = atom.arguments.iter().map(|one| one.text()).collect();
        format!("p{}({})", atom.predicate, arguments.join(", "))
    };
    let mut body: Vec<String> = (0..rule.variables)
        .map(|variable| format!("0 =< V{variable}, V{variable} =< {LARGEST}"))
        .collect();
    let comparisons = rule.comparisons.iter();
    body.extend(comparisons.map(|one| format!("{} {} {}", one.left.text(), one.relation, one.right.text())));
    body.extend(rule.body.iter().map(atom));
    match &rule.head {
        None => format!("?- {}, error.", body.join(", ")),
        Some(head) if body.is_empty() => format!("{}.", atom(head)),
        Some(head) => format!("{} :- {}.", atom(head), body.join(", ")),
    }
}

type Facts = BTreeSet<(usize, Vec<i64>)>;

/// Everything that can be derived, round after round, until nothing is new.
fn has_error(rules: &[Rule]) -> bool {
    let mut facts: Facts = BTreeSet::new();
    loop {
        let before = facts.len();
        for rule in rules {
            let Some(head) = &rule.head else { continue };
            for values in solutions(rule, &facts) {
                let fact = head.arguments.iter().map(|one| one.value(&values)).collect();
                facts.insert((head.predicate, fact));
            }
        }
        if facts.len() == before {
            break;
        }
    }
    let mut queries = rules.iter().filter(|rule| rule.head.is_none());
    queries.any(|query| !solutions(query, &facts).is_empty())
}

/// The values of a rule's variables for which its body holds.
fn solutions(rule: &Rule, facts: &Facts) -> Vec<Vec<i64>> {
    let mut found = Vec::new();
    let mut values = vec![0; rule.variables];
    loop {
        let compared = rule.comparisons.iter().all(|one| {
            let (left, right) = (one.left.value(&values), one.right.value(&values));
            match one.relation {
                "<" => left < right,
                "=<" => left <= right,
                "=" => left == right,
                ">" => left > right,
                _ => left != right,
            }
        });
        let derived = |atom: &Atom| {
            let arguments: Vec<i64> = atom.arguments.iter().map(|one| one.value(&values)).collect();
            facts.contains(&(atom.predicate, arguments))
        };
        if compared && rule.body.iter().all(derived) {
            found.push(values.clone());
        }
        // The next values, as one counts.
        let Some(position) = values.iter().position(|value| *value < LARGEST) else {
            return found;
        };
        values[position] += 1;
        values[..position].fill(0);
    }
}

fn recurs(rules: &[Rule], count: usize) -> bool {
    let mut reaches = vec![vec![false; count]; count];
    for _ in 0..=count {
        for rule in rules {
            let Some(head) = &rule.head else { continue };
            for atom in &rule.body {
                let beyond = reaches[atom.predicate].clone();
                let reached = &mut reaches[head.predicate];
                reached[atom.predicate] = true;
                for (one, other) in reached.iter_mut().zip(beyond) {
                    *one |= other;
                }
            }
        }
    }
    let calls_back = |rule: &Rule| match &rule.head {
        Some(head) => rule.body.len() > 1 && rule.body.iter().any(|atom| reaches[atom.predicate][head.predicate]),
        None => false,
    };
    rules.iter().any(calls_back)
}

/// What following the runs with what waits on a stack shows, in few states, has to be so.
fn followed(program: &Program, has_error: bool) -> Result<(), String> {
    let mut options = ExploreOptions {
        alternatives: false,
        ..ExploreOptions::default()
    };
    options.budget.states = Some(60);
    options.budget.time = Some(Duration::from_secs(2));
    match explore(program, &options).finding {
        Finding::Reachable(derivation) => {
            replay(program, &derivation).map_err(|why| format!("a run that is none: {why}"))?;
        }
        Finding::Unreachable(certificate) => {
            if let Ok(certificate) = certificate {
                let accepted = check_certificate(program, &certificate, CheckLimits::default());
                accepted.map_err(|why| format!("a certificate that is none: {why}"))?;
            }
            if has_error {
                return Err("there is an error, and it is called unreachable".to_string());
            }
        }
        Finding::Unknown(_) => {}
    }
    Ok(())
}

/// What is inferred of calls has to be proved anew by the checker, if its solver can.
fn inferred(program: &Program) -> Result<(), String> {
    let options = infer::Options {
        time: Duration::from_secs(2),
        ..infer::Options::default()
    };
    match infer(program, &[], &options)?.check(CheckLimits::default()) {
        Ok(_) | Err(CheckError::Undecided(_)) => Ok(()),
        Err(why) => Err(format!("what was inferred is not so: {why}")),
    }
}

/// Whether a program has an error, whether it recurs through calls, and what is said of it in so much time, if anything: whether it is safe.
///
/// # Errors
///
/// A text for people that says what disagrees.
pub fn compare(seed: u64, time: Duration) -> Result<(bool, bool, Option<bool>), String> {
    let random = generate(seed);
    let (program, is_safe) = asked(seed, &random.text, time)?;
    let told = |why: String| format!("seed {seed}: {why}\n{}", random.text);
    followed(&program, random.has_error).map_err(told)?;
    inferred(&program).map_err(told)?;
    match is_safe == Some(random.has_error) {
        true => Err(format!(
            "seed {seed}: has an error: {}, and is called otherwise\n{}",
            random.has_error, random.text
        )),
        false => Ok((random.has_error, random.recurs, is_safe)),
    }
}
