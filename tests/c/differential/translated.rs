//! What the rules made of C programs do, run with inputs.

use super::inputs::{converted, input_value};
use super::reference::{End, Run};
use clausal::c::options::{Allocation, Calls, Checks, Options, Undefined};
use clausal::c::program::{Numeric, UnknownSource};
use clausal::c::source_map::{RuleSource, StepKind};
use clausal::c::{Translation, translate};
use clausal::diagnostics::render;
use clausal::execution::{self, Machine, Progress, Request};
use clausal::rules::RuleId;
use clausal::terms::{Assignment, Rational, TermId, Value};
use std::collections::BTreeMap;

/// How many rules a run may apply.
const STEPS: u64 = 200_000;

/// What tells inputs apart: each counts for itself how often it was read.
#[derive(Clone, Copy, PartialEq, Eq)]
#[allow(dead_code, reason = "each user needs one of them")]
pub enum Keys {
    /// The line that reads them.
    Lines,
    /// The name of the function that gives them.
    Functions,
}

/// How many keys there are for functions; as in `times_read` in harness.c.
const FUNCTION_KEYS: u64 = 4096;

/// The key of a function.
pub fn function_key(name: &str) -> u64 {
    let hash = name
        .bytes()
        .fold(7_u64, |hash, byte| (hash * 31 + u64::from(byte)) % 1_000_003);
    hash % FUNCTION_KEYS
}

/// The key that an input is read by, how many of it the rule has read before, and its type; `None` if no call reads it.
type Read = Option<(u64, u64, Numeric)>;

/// A program as rules.
pub struct Rules {
    translation: Translation,
    /// The inputs of each rule, in order.
    inputs: Vec<Vec<TermId>>,
    /// The key of each input of each rule, if it is one of the C program, and how many of this key the rule reads before.
    keys: Vec<BTreeMap<TermId, Read>>,
}

impl Rules {
    /// The rules of a text.
    ///
    /// # Errors
    ///
    /// What is said when it is refused.
    pub fn new(text: &str, slice: bool, copies: usize, keys: Keys) -> Result<Rules, String> {
        let options = Options {
            keep_prints: true,
            slice,
            copies,
            ..as_compiled()
        };
        Rules::with_options(text, &options, keys)
    }

    /// The rules of a text, in which what the compiled program traps is an error, and nothing is left out that may be one.
    ///
    /// # Errors
    ///
    /// What is said when it is refused.
    pub fn checked(text: &str, checks: Checks, keep_prints: bool) -> Result<Rules, String> {
        let options = Options {
            checks,
            keep_prints,
            ..as_compiled()
        };
        Rules::with_options(text, &options, Keys::Lines)
    }

    fn with_options(text: &str, options: &Options, keys: Keys) -> Result<Rules, String> {
        let reading = translate(text, options);
        let Some(translation) = reading.product else {
            return Err(render(&reading.diagnostics, "program.c", text));
        };
        let key = |source: &UnknownSource, start: u32| match (source, keys) {
            (UnknownSource::Call(name), Keys::Functions) => Some(function_key(name)),
            (UnknownSource::Call(_), Keys::Lines) => {
                let before = text.bytes().take(start as usize);
                Some(before.filter(|byte| *byte == b'\n').count() as u64 + 1)
            }
            _ => None,
        };
        let rules = &translation.map.rules;
        let inputs = rules
            .iter()
            .map(|rule| inputs_of(rule).map(|input| input.value).collect());
        let keys = rules.iter().map(|rule| {
            let mut seen: BTreeMap<u64, u64> = BTreeMap::new();
            let keyed = inputs_of(rule).map(|input| {
                let found = key(input.source, input.start).map(|key| {
                    let times = seen.entry(key).or_default();
                    *times += 1;
                    (key, *times - 1, input.numeric)
                });
                (input.value, found)
            });
            keyed.collect()
        });
        Ok(Rules {
            inputs: inputs.collect(),
            keys: keys.collect(),
            translation,
        })
    }

    /// Runs the rules with the inputs of a seed.
    ///
    /// # Errors
    ///
    /// Why the run could not be completed.
    pub fn run(&self, seed: u64) -> Result<Run, String> {
        let program = &self.translation.program;
        let mut machine = Machine::new(program, Some(&self.inputs));
        let mut read: BTreeMap<u64, u64> = BTreeMap::new();
        let mut printed = Vec::new();
        for _ in 0..STEPS {
            let progress = machine.step(&mut |request: &Request| self.input(request, seed, &read));
            match progress {
                Progress::Applied(rule) => {
                    for key in self.keys[rule.index()].values().flatten() {
                        *read.entry(key.0).or_default() += 1;
                    }
                    self.print(rule, &machine, &mut printed)?;
                }
                Progress::Ended(execution::End::Error) => {
                    return Ok(run(printed, End::Error, &read));
                }
                Progress::Ended(execution::End::Ended) => {
                    return Ok(run(printed, End::Ended, &read));
                }
                Progress::Ended(other) => return Err(format!("the rules' run is {other:?}")),
            }
        }
        Err("the rules' run does not end".to_string())
    }

    /// The functions that inputs come from, and what they give.
    #[allow(dead_code, reason = "random programs have known ones")]
    pub fn input_functions(&self) -> BTreeMap<String, Numeric> {
        let rules = self.translation.map.rules.iter();
        let inputs = rules.flat_map(inputs_of);
        let named = inputs.filter_map(|input| match input.source {
            UnknownSource::Call(name) => Some((name.clone(), input.numeric)),
            _ => None,
        });
        named.collect()
    }

    /// Whether there are unknown values that are neither results of functions nor uninitialized variables.
    #[allow(dead_code, reason = "random programs have none")]
    pub fn has_outside_inputs(&self) -> bool {
        let mut inputs = self.translation.map.rules.iter().flat_map(inputs_of);
        inputs.any(|input| *input.source == UnknownSource::Outside)
    }

    fn input(&self, request: &Request, seed: u64, read: &BTreeMap<u64, u64>) -> Option<Value> {
        let found = self.keys[request.rule.index()].get(&request.variable);
        let terms = &self.translation.program.terms;
        // What is not initialized may be anything.
        let Some(Some((key, before, numeric))) = found else {
            return Some(terms.default_value(terms.sort(request.variable)));
        };
        let times = read.get(key).copied().unwrap_or(0) + before;
        let value = input_value(seed, *key, times);
        let value = match numeric {
            Numeric::Integer(kind) => converted(value, kind.bits, kind.signed),
            _ => i128::from(value),
        };
        Some(Value::Number(Rational::from_integer(value.into())))
    }

    fn print(&self, rule: RuleId, machine: &Machine<'_>, printed: &mut Vec<i64>) -> Result<(), String> {
        let source = &self.translation.map.rules[rule.index()];
        if !source.steps.iter().any(|step| matches!(step.kind, StepKind::Print(_))) {
            return Ok(());
        }
        let assignment: Assignment = machine.values().into_iter().collect();
        for step in &source.steps {
            let StepKind::Print(values) = &step.kind else {
                continue;
            };
            let value = values
                .last()
                .and_then(|value| self.translation.program.terms.evaluate(*value, &assignment));
            let value = value.ok_or("a printed term has no value")?.to_string();
            printed.push(
                value
                    .parse()
                    .map_err(|_| format!("{value} is printed, which is no `long long`"))?,
            );
        }
        Ok(())
    }
}

fn run(printed: Vec<i64>, end: End, read: &BTreeMap<u64, u64>) -> Run {
    let read = read.values().sum();
    Run { printed, end, read }
}

/// The rules of a text, as text.
///
/// # Errors
///
/// What is said when it is refused.
#[allow(dead_code, reason = "only the example prints rules")]
pub fn printed(text: &str, slice: bool) -> Result<String, String> {
    Rules::new(text, slice, Options::default().copies, Keys::Lines)
        .map(|rules| clausal::clp::print(&rules.translation.program))
}

/// What holds for the compiled programs.
fn as_compiled() -> Options {
    Options {
        undefined: Undefined::Ends,
        // No compiled program here runs out of memory.
        allocation: Allocation::NeverFails,
        calls: Calls::OnStack,
        ..Options::default()
    }
}

/// An input of a rule.
struct Input<'a> {
    source: &'a UnknownSource,
    /// Where it starts in the text.
    start: u32,
    value: TermId,
    numeric: Numeric,
}

fn inputs_of(rule: &RuleSource) -> impl Iterator<Item = Input<'_>> {
    rule.steps.iter().filter_map(|step| match &step.kind {
        StepKind::Input {
            source, value, numeric, ..
        } => Some(Input {
            source,
            start: step.place.span.start,
            value: *value,
            numeric: *numeric,
        }),
        _ => None,
    })
}
