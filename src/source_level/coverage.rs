//! What an exploration has covered of a C program: for each run its inputs and the lines it reaches, and programs that are
//! tests, one for each vector of inputs, which together reach every line that was reached.

use super::confirm::{ReadValue, values_read};
use super::explore::CExploration;
use super::harness::{Aim, HarnessError, can_be_compiled, harness_of_run};
use super::objections::not_calculated;
use super::path::value_text;
use super::places::{Places, SourceLine};
use crate::evidence::Derivation;
use crate::rules::RuleId;
use hashbrown::HashSet;

/// A run that reaches lines which no run before it reaches.
#[derive(Clone, Debug)]
pub struct CoveringRun {
    /// Its inputs, for people.
    pub inputs: String,
    /// The lines that it reaches and no run before does, by file and line.
    pub first_reached: Vec<SourceLine>,
    /// All lines that it reaches, by file and line.
    pub reached: Vec<SourceLine>,
    /// The name of its test, without a folder.
    pub file: String,
    run: Derivation,
}

/// The runs that together reach every line that was reached. Runs with the same inputs are one.
pub fn covering_runs(explored: &CExploration, places: &Places<'_>) -> Vec<CoveringRun> {
    // A program with the same inputs runs the same way, so of two runs one is the beginning of the other.
    let mut distinct: Vec<(Vec<ReadValue>, &Derivation)> = Vec::new();
    for run in &explored.exploration.coverage {
        let read = values_read(&explored.translation, run);
        match distinct.iter_mut().find(|(other, _)| same_inputs(other, &read)) {
            Some((_, other)) if other.steps.len() < run.steps.len() => *other = run,
            Some(_) => {}
            None => distinct.push((read, run)),
        }
    }
    let mut known: HashSet<SourceLine> = HashSet::new();
    let mut covering = Vec::new();
    for (read, run) in distinct {
        let reached = lines_of(explored, run, places);
        let first_reached: Vec<SourceLine> = reached.iter().filter(|line| !known.contains(*line)).cloned().collect();
        if first_reached.is_empty() {
            continue;
        }
        known.extend(first_reached.iter().cloned());
        covering.push(CoveringRun {
            inputs: inputs_text(&read),
            first_reached,
            reached,
            file: format!("reach-{}.c", covering.len() + 1),
            run: run.clone(),
        });
    }
    covering
}

/// The tests: for each run of [`covering_runs`] the text of a C program that makes it.
///
/// # Errors
///
/// A compiled program would not do what the rules say.
pub fn covering_harnesses(
    name: &str,
    explored: &CExploration,
    text: &str,
    places: &Places<'_>,
) -> Result<Vec<(CoveringRun, String)>, HarnessError> {
    can_be_compiled(&explored.options)?;
    let rules = (0..explored.translation.program.rules().len()).map(RuleId::from_index);
    let is_open = not_calculated(&explored.translation, &rules.collect::<Vec<_>>()).is_some();
    if !explored.translation.approximations.is_empty() || is_open {
        return Err(HarnessError::Approximated);
    }
    let mut tests = Vec::new();
    for covering in covering_runs(explored, places) {
        let aim = Aim::Lines(lines_text(&covering.reached));
        let options = &explored.options;
        let harness = harness_of_run(name, &aim, &explored.translation, options, &covering.run, text, places)?;
        tests.push((covering, harness));
    }
    Ok(tests)
}

/// Lines for people: their numbers, by files if there are several.
pub(super) fn lines_text(lines: &[SourceLine]) -> String {
    let mut by_file: Vec<(&str, Vec<String>)> = Vec::new();
    for line in lines {
        let number = line.line.to_string();
        match by_file.iter_mut().find(|(file, _)| *file == &*line.file) {
            Some((_, numbers)) => numbers.push(number),
            None => by_file.push((&line.file, vec![number])),
        }
    }
    let word = if lines.len() == 1 { "line" } else { "lines" };
    match &by_file[..] {
        [(_, numbers)] => format!("{word} {}", numbers.join(", ")),
        _ => {
            let of_file = |(file, numbers): &(&str, Vec<String>)| format!("{} of {file}", numbers.join(", "));
            let files: Vec<String> = by_file.iter().map(of_file).collect();
            format!("{word} {}", files.join("; "))
        }
    }
}

/// The lines that a run has steps on, in order.
fn lines_of(explored: &CExploration, run: &Derivation, places: &Places<'_>) -> Vec<SourceLine> {
    let mut rules: Vec<usize> = run.steps.iter().map(|step| step.rule.index()).collect();
    rules.sort_unstable();
    rules.dedup();
    let mut lines = Vec::new();
    for rule in rules {
        let Some(source) = explored.translation.map.rules.get(rule) else {
            continue;
        };
        lines.extend(source.steps.iter().map(|step| places.of(step.place.span)));
    }
    lines.sort_by(|first, second| (&first.file, first.line).cmp(&(&second.file, second.line)));
    lines.dedup();
    lines
}

fn same_inputs(first: &[ReadValue], second: &[ReadValue]) -> bool {
    let same = |(first, second): (&ReadValue, &ReadValue)| {
        (first.place, &first.variable, &first.value) == (second.place, &second.variable, &second.value)
    };
    first.len() == second.len() && first.iter().zip(second).all(same)
}

fn inputs_text(read: &[ReadValue]) -> String {
    let text = |read: &ReadValue| {
        let value = read.value.as_ref().map_or("any value".to_string(), value_text);
        format!("{} = {value}", read.variable)
    };
    match read.is_empty() {
        true => "any inputs".to_string(),
        false => read.iter().map(text).collect::<Vec<_>>().join(", "),
    }
}
