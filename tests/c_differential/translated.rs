//! What the rules made of C programs do, run with inputs.

use crate::inputs::{converted, input_value};
use crate::reference::{End, Run};
use clausal::c::options::{Options, Undefined};
use clausal::c::program::Numeric;
use clausal::c::source_map::{RuleSource, StepKind};
use clausal::c::{Translation, translate};
use clausal::diagnostics::render;
use clausal::execution::{self, Machine, Progress, Request};
use clausal::rules::RuleId;
use clausal::terms::{Assignment, Rational, TermId, Value};
use std::collections::BTreeMap;

/// How many rules a run may apply.
const STEPS: u64 = 200_000;

/// The line that an input is read in, how many the rule has read in this line before, and its type; `None` if no call reads it.
type Read = Option<(u64, u64, Numeric)>;

/// A program as rules.
pub struct Rules {
    translation: Translation,
    /// The inputs of each rule, in order.
    inputs: Vec<Vec<TermId>>,
    /// The line that each input of each rule is read in, and how many the rule has read in this line before.
    lines: Vec<BTreeMap<TermId, Read>>,
}

impl Rules {
    /// The rules of a text.
    ///
    /// # Errors
    ///
    /// What is said when it is refused.
    pub fn new(text: &str, slice: bool) -> Result<Rules, String> {
        let options = Options {
            undefined: Undefined::Ends,
            keep_prints: true,
            slice,
            ..Options::default()
        };
        let reading = translate(text, &options);
        let Some(translation) = reading.product else {
            return Err(render(&reading.diagnostics, "program.c", text));
        };
        let line = |start: u32| {
            let before = text.as_bytes().iter().take(start as usize);
            before.filter(|byte| **byte == b'\n').count() as u64 + 1
        };
        let rules = &translation.map.rules;
        let inputs = rules
            .iter()
            .map(|rule| inputs_of(rule).map(|(_, value, _)| value).collect());
        let lines = rules.iter().map(|rule| {
            let mut seen: BTreeMap<u64, u64> = BTreeMap::new();
            let located = inputs_of(rule).map(|(start, value, numeric)| {
                let Some(start) = start else {
                    return (value, None);
                };
                let line = line(start);
                let times = seen.entry(line).or_default();
                *times += 1;
                (value, Some((line, *times - 1, numeric)))
            });
            located.collect()
        });
        Ok(Rules {
            inputs: inputs.collect(),
            lines: lines.collect(),
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
                    for place in self.lines[rule.index()].values().flatten() {
                        *read.entry(place.0).or_default() += 1;
                    }
                    self.print(rule, &machine, &mut printed)?;
                }
                Progress::Ended(execution::End::Error) => {
                    let end = End::Error;
                    return Ok(Run { printed, end });
                }
                Progress::Ended(execution::End::Ended) => {
                    let end = End::Ended;
                    return Ok(Run { printed, end });
                }
                Progress::Ended(other) => return Err(format!("the rules' run is {other:?}")),
            }
        }
        Err("the rules' run does not end".to_string())
    }

    fn input(&self, request: &Request, seed: u64, read: &BTreeMap<u64, u64>) -> Option<Value> {
        let found = self.lines[request.rule.index()].get(&request.variable);
        let terms = &self.translation.program.terms;
        // What is not initialized may be anything.
        let Some(Some((line, before, numeric))) = found else {
            return Some(terms.default_value(terms.sort(request.variable)));
        };
        let times = read.get(line).copied().unwrap_or(0) + before;
        let value = input_value(seed, *line, times);
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

/// The rules of a text, as text.
///
/// # Errors
///
/// What is said when it is refused.
#[allow(dead_code, reason = "only the example prints rules")]
pub fn printed(text: &str, slice: bool) -> Result<String, String> {
    Rules::new(text, slice).map(|rules| clausal::clp::print(&rules.translation.program))
}

/// The inputs of a rule: where they start in the text, if they are inputs of the C program, the variable, the type.
fn inputs_of(rule: &RuleSource) -> impl Iterator<Item = (Option<u32>, TermId, Numeric)> {
    use clausal::c::program::UnknownSource;
    rule.steps.iter().filter_map(|step| match &step.kind {
        StepKind::Input {
            source, value, numeric, ..
        } => {
            let is_call = matches!(source, UnknownSource::Call(_));
            Some((is_call.then_some(step.place.span.start), *value, *numeric))
        }
        _ => None,
    })
}
