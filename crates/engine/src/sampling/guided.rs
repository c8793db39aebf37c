//! Runs into an error, guided by where they come: inputs with which a run takes a rule after another that no run took so before, or
//! more often, are kept, and changed in places. So conditions on several inputs are met one after another, where inputs that nobody
//! chose would have to meet all of them at once. Fuzzers do that with compiled programs; what they count at branches is counted of rules here.

use crate::evidence::Derivation;
use crate::execution::{End, InputValues, Machine, Progress, Request};
use crate::random::Generator;
use crate::rules::{Program, Rule, Step};
use crate::terms::{Rational, SortId, TermId, Value};
use hashbrown::{HashMap, HashSet};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// How many steps each run may have.
const STEPS: u64 = 5_000;
/// Numbers of more bits end a run, and how many steps pass between two looks at them.
const MOST_BITS: u64 = 1_000;
const STEPS_BETWEEN_LOOKS: u64 = 64;
/// So many numbers of the program are tried as inputs, the smallest first.
const MOST_NUMBERS: usize = 256;
/// What texts mostly consist of.
const CHARACTERS: RangeInclusive<i128> = 9..=126;
/// Inputs behind so many are not changed one by one.
const MOST_KEPT: usize = 256;

/// What runs have taken so far.
pub(super) struct Effort {
    /// Steps.
    pub steps: u64,
    /// Those since something was new.
    pub idle: u64,
    /// Instructions, for rules that were tried in vain, too.
    pub instructions: u64,
}

/// A run into the error, if one is found, only of rules with at most one atom in their bodies. After each run `goes_on` is told what all
/// have taken so far, and says whether to go on.
pub(super) fn guided_error_run(program: &Program, goes_on: &dyn Fn(&Effort) -> bool) -> Option<Derivation> {
    if program.has_calls() {
        return None;
    }
    let mut runs = Runs {
        program,
        machine: Machine::new(program, None),
        values: InputValues::new(program),
        numbers: numbers(program),
        counts: HashMap::new(),
    };
    let mut choice = Generator(1);
    let mut seen = HashSet::new();
    let mut kept: Vec<Vec<i128>> = Vec::new();
    let (mut all, mut new_at) = (0, 0);
    for number in 0.. {
        let given = match kept.len() as u64 {
            // Zeros, ones, and some with nothing chosen.
            0 => Vec::new(),
            _ if number < 8 || choice.below(8) == 0 => Vec::new(),
            count => {
                // What was found last leads on.
                let back = match choice.below(2) {
                    0 => choice.below(count),
                    _ => choice.below(count.min(4)),
                };
                let parent = kept.get((count - 1 - back) as usize).cloned().unwrap_or_default();
                runs.changed(parent, &mut choice)
            }
        };
        let inputs = Inputs { number, given };
        let run = runs.run(&inputs, None);
        all += run.steps + 1;
        let effort = Effort {
            steps: all,
            idle: all - new_at,
            instructions: runs.machine.followed(),
        };
        if !goes_on(&effort) {
            return None;
        }
        if run.is_error {
            let mut taken = Vec::new();
            let again = runs.run(&inputs, Some(&mut taken));
            return again.is_error.then(|| Derivation::new(taken));
        }
        let mut is_new = false;
        for (pair, count) in &runs.counts {
            is_new |= seen.insert((*pair, u32::BITS - count.leading_zeros()));
        }
        if is_new {
            new_at = all;
            kept.push(run.consumed);
        } else if number == 0 {
            return None;
        }
        if kept.iter().all(Vec::is_empty) && number > 2 {
            // Nothing is read.
            return None;
        }
    }
    None
}

/// The integers that are mentioned in a program, the smallest first.
struct Numbers {
    all: Vec<i128>,
    /// Those of them that may be characters of texts.
    characters: Vec<i128>,
}

fn numbers(program: &Program) -> Numbers {
    let terms = &program.terms;
    let roots: Vec<TermId> = program.rules().iter().flat_map(Rule::terms).collect();
    let inside = terms.subterms(&roots).into_iter();
    let integers = inside.filter_map(|term| {
        let number = terms.number_value(term).filter(|number| number.is_integer())?;
        number.to_integer().to_i64().map(i128::from)
    });
    let sorted: BTreeSet<(i128, i128)> = integers.map(|number| (number.abs(), number)).collect();
    let all: Vec<i128> = sorted
        .into_iter()
        .take(MOST_NUMBERS)
        .map(|(_, number)| number)
        .collect();
    let characters = all.iter().copied().filter(|number| CHARACTERS.contains(number));
    Numbers {
        characters: characters.collect(),
        all,
    }
}

/// The inputs of a run: those that are given, and others that follow from its number.
struct Inputs {
    number: u64,
    given: Vec<i128>,
}

/// What became of a run.
struct Run {
    steps: u64,
    is_error: bool,
    /// The first numbers that it consumed.
    consumed: Vec<i128>,
}

struct Runs<'p> {
    program: &'p Program,
    machine: Machine<'p>,
    values: InputValues,
    numbers: Numbers,
    /// How often the last run took a rule after another one.
    counts: HashMap<(usize, usize), u32>,
}

impl Runs<'_> {
    fn run(&mut self, inputs: &Inputs, mut record: Option<&mut Vec<Step>>) -> Run {
        self.counts.clear();
        self.machine.restart();
        let (terms, values, numbers) = (&self.program.terms, &self.values, &self.numbers);
        let mut before = usize::MAX;
        let mut steps = 0;
        let mut is_error = false;
        let answer = |request: &Request| {
            let sort = terms.sort(request.variable);
            let position = request.position?;
            Some(match sort {
                SortId::INT => {
                    let (low, high) = values.widest_limits(request);
                    let number = BigInt::from(raw(inputs, position, numbers));
                    let number = low.map_or(number.clone(), |low| number.max(low));
                    let number = high.map_or(number.clone(), |high| number.min(high));
                    Value::Number(Rational::from_integer(number))
                }
                SortId::BOOL => Value::Bool(raw(inputs, position, numbers) % 2 != 0),
                _ => values.pick(terms, request, inputs.number, &mut generator(inputs.number, position)),
            })
        };
        let mut input =
            |request: &Request| answer(request).or_else(|| Some(terms.default_value(terms.sort(request.variable))));
        while steps < STEPS {
            match self.machine.step(&mut input) {
                Progress::Applied(rule) => {
                    if let Some(record) = &mut record {
                        let Some(values) = self.machine.all_values() else {
                            break;
                        };
                        record.push(Step { rule, values });
                    }
                    *self.counts.entry((before, rule.index())).or_insert(0) += 1;
                    before = rule.index();
                    steps += 1;
                }
                Progress::Ended(end) => {
                    is_error = end == End::Error;
                    break;
                }
            }
            if steps.is_multiple_of(STEPS_BETWEEN_LOOKS) && self.machine.largest_bits() > MOST_BITS {
                break;
            }
        }
        let count = self.machine.consumed().min(MOST_KEPT);
        let consumed = (0..count).map(|position| raw(inputs, position, &self.numbers));
        Run {
            steps,
            is_error,
            consumed: consumed.collect(),
        }
    }

    /// The inputs with one or two of them changed, or others from some place on.
    fn changed(&self, mut given: Vec<i128>, choice: &mut Generator) -> Vec<i128> {
        for _ in 0..=choice.below(2) {
            let position = choice.below(given.len() as u64) as usize;
            let other = given.get(choice.below(given.len() as u64) as usize).copied();
            let Some(old) = given.get(position).copied() else {
                return given;
            };
            let new = match choice.below(6) {
                0 => {
                    given.truncate(position);
                    continue;
                }
                1 => old.saturating_add(i128::from(choice.below(7)) - 3),
                2 => other.unwrap_or(old),
                _ => chosen(choice, &self.numbers),
            };
            if let Some(place) = given.get_mut(position) {
                *place = new;
            }
        }
        given
    }
}

/// The input at a position before its limits are looked at.
fn raw(inputs: &Inputs, position: usize, numbers: &Numbers) -> i128 {
    match (inputs.given.get(position), inputs.number) {
        (Some(given), _) => *given,
        // The first two runs have zeros and ones.
        (None, number @ 0..=1) => i128::from(number),
        (None, number) => chosen(&mut generator(number, position), numbers),
    }
}

/// What is drawn for an input does not depend on who else has asked.
fn generator(number: u64, position: usize) -> Generator {
    let mut mixed = Generator(number.wrapping_mul(31).wrapping_add(position as u64) ^ (number << 32));
    Generator(mixed.next())
}

/// A number that is worth trying.
fn chosen(choice: &mut Generator, numbers: &Numbers) -> i128 {
    let one_of = |numbers: &[i128], choice: &mut Generator| {
        let position = choice.below(numbers.len() as u64) as usize;
        numbers.get(position).copied()
    };
    let any = one_of(&numbers.all, choice).unwrap_or_default();
    match choice.below(16) {
        0 | 1 => i128::from(choice.below(4)),
        2 => i128::from(choice.below(41)) - 20,
        // As far as limits go.
        3 => i128::from(i64::MAX) * if choice.below(2) == 0 { 1 } else { -1 },
        // A letter, a digit, a sign.
        4 => 32 + i128::from(choice.below(95)),
        5..=7 => any + i128::from(choice.below(3)) - 1,
        8..=10 => any,
        _ => one_of(&numbers.characters, choice).unwrap_or(any),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::replay;

    fn run(source: &str) -> Option<Derivation> {
        let program = crate::clp::read(source).product.expect("no mistake in it");
        let found = guided_error_run(&program, &|effort| effort.steps < 500_000)?;
        assert_eq!(replay(&program, &found), Ok(()));
        Some(found)
    }

    #[test]
    fn conditions_are_met_one_after_another() {
        let source = "
            ?- p(0, constant(0)).
            p(I, A) :- I < 6, X >= 0, X =< 2000000000, p(I + 1, store(A, I, X)).
            p(6, A) :- A[0] = 1234, q(A).
            q(A) :- A[1] = 77, r(A).
            r(A) :- A[2] = 991, s(A).
            s(A) :- A[3] = 415, A[4] > 90, A[4] < 99, error.";
        assert!(run(source).is_some());
    }

    #[test]
    fn steps_of_large_rules_are_many_instructions() {
        let instructions_of = |next: &str| {
            let source = format!(
                "?- p(0, 0). p(I, X) :- I < 40, Y >= 0, Y =< 5, p(I + 1, {next}). p(I, X) :- I >= 40, X < 0, error."
            );
            let program = crate::clp::read(&source).product.expect("no mistake in it");
            let last = std::cell::Cell::new((0, 0));
            let goes_on = |effort: &Effort| {
                last.set((effort.steps, effort.instructions));
                effort.steps < 400
            };
            assert!(guided_error_run(&program, &goes_on).is_none());
            let (steps, instructions) = last.get();
            assert!(steps > 0 && instructions > steps, "{steps} {instructions}");
            instructions / steps
        };
        let large = "ite(X mod 2 = 0, X div 2, ite(X mod 3 = 0, X div 3 + Y, ite(X mod 5 = 0, X div 5, X + Y)))";
        assert!(instructions_of(large) > instructions_of("X + Y") + 4);
    }

    #[test]
    fn what_reads_nothing_is_run_once_and_what_has_no_error_ends() {
        assert!(run("?- p(0). p(X) :- X < 9, p(X + 1). p(X) :- X > 9, error.").is_none());
        assert!(run("?- p(0). p(X) :- Y >= 0, Y =< 5, p(X + Y). p(X) :- X < 0, error.").is_none());
    }
}
