//! Derivations as JSON.

use super::json::Place;
use super::values::{read_value, write_value};
use super::{ProgramSummary, SavedError, to_text, whole};
use crate::evidence::well_formed::value_fits;
use crate::evidence::{Derivation, Repetition, Step};
use crate::rules::{Program, RuleId};
use crate::terms::{TermId, Value};
use hashbrown::HashMap;
use serde::Serialize;
use serde_json::Value as Json;

#[derive(Serialize)]
struct SavedDerivation {
    kind: &'static str,
    program: ProgramSummary,
    steps: Vec<SavedStep>,
    /// Not there if every step is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repetitions: Vec<SavedRepetition>,
}

#[derive(Serialize)]
struct SavedRepetition {
    /// The step after the turns left out, from 1.
    before: usize,
    length: usize,
    times: u64,
}

#[derive(Serialize)]
struct SavedStep {
    rule: usize,
    /// The head with the values of its arguments, for people.
    head: String,
    /// Pairs of name and value, by ascending variable: names need not be unique, so the position counts.
    values: Vec<(String, Json)>,
}

/// The variables of each rule by ascending variable, found out when first needed.
struct RuleVariables<'a> {
    program: &'a Program,
    known: HashMap<RuleId, Vec<TermId>>,
}

impl<'a> RuleVariables<'a> {
    fn new(program: &'a Program) -> RuleVariables<'a> {
        RuleVariables {
            program,
            known: HashMap::new(),
        }
    }

    /// The variables of a rule that the program has.
    fn of(&mut self, rule: RuleId) -> &[TermId] {
        let program = self.program;
        let find = || {
            program
                .terms
                .variables_of_all(&program.rule(rule).terms().collect::<Vec<_>>())
        };
        self.known.entry(rule).or_insert_with(find)
    }
}

/// The derivation as JSON text.
///
/// # Errors
///
/// If it names rules that the program does not have, or lacks a value of the right sort for a variable of a rule.
pub fn save_derivation(program: &Program, derivation: &Derivation) -> Result<String, SavedError> {
    program
        .validate()
        .map_err(|why| whole(format!("the program is malformed: {why}")))?;
    let terms = &program.terms;
    let mut variables = RuleVariables::new(program);
    let mut steps = Vec::with_capacity(derivation.steps.len());
    for (index, step) in derivation.steps.iter().enumerate() {
        let error = |message: String| SavedError {
            path: format!("steps[{index}]"),
            message,
        };
        if step.rule.index() >= program.rules().len() {
            return Err(error("the program has no such rule".to_string()));
        }
        let given: HashMap<TermId, &Value> = step.values.iter().map(|(variable, value)| (*variable, value)).collect();
        let mut values = Vec::new();
        for variable in variables.of(step.rule) {
            let name = terms.variable_name(*variable);
            match given.get(variable) {
                Some(value) if value_fits(terms, value, terms.sort(*variable)) => {
                    values.push((name.to_string(), write_value(&program.terms, value)));
                }
                Some(_) => return Err(error(format!("the value of `{name}` is not of its sort"))),
                None => return Err(error(format!("`{name}` has no value"))),
            }
        }
        steps.push(SavedStep {
            rule: step.rule.index() + 1,
            head: head_text(program, step),
            values,
        });
    }
    to_text(&SavedDerivation {
        kind: "derivation",
        program: ProgramSummary::of(program),
        steps,
        repetitions: derivation.repetitions.iter().map(saved_repetition).collect(),
    })
}

fn saved_repetition(repetition: &Repetition) -> SavedRepetition {
    SavedRepetition {
        before: repetition.at + 1,
        length: repetition.length,
        times: repetition.times,
    }
}

/// The head of a step's rule with the values of its arguments.
fn head_text(program: &Program, step: &Step) -> String {
    let head = &program.rule(step.rule).head;
    let predicate = program.predicate(head.predicate);
    let assignment = step.values.iter().cloned().collect();
    let value = |argument: &TermId| match program.terms.evaluate(*argument, &assignment) {
        Some(value) => program.terms.display_value(&value),
        None => "undefined".to_string(),
    };
    let arguments = head.arguments.iter().map(value);
    let all: Vec<String> = predicate.point.clone().into_iter().chain(arguments).collect();
    if all.is_empty() {
        predicate.name.clone()
    } else {
        format!("{}({})", predicate.name, all.join(", "))
    }
}

/// Reads a derivation. The program is well formed.
pub(super) fn read(program: &Program, root: &Place<'_>) -> Result<Derivation, SavedError> {
    let mut variables = RuleVariables::new(program);
    let list = root.field("steps")?;
    let mut steps = Vec::new();
    for item in list.items()? {
        let number = item.field("rule")?;
        let rule = match number.count()?.checked_sub(1) {
            Some(index) if index < program.rules().len() => RuleId::from_index(index),
            _ => return Err(number.error(format!("the program has rules 1 to {}", program.rules().len()))),
        };
        let field = item.field("values")?;
        let found = field.items()?;
        let variables = variables.of(rule);
        if found.len() != variables.len() {
            let why = format!(
                "rule {} has {} variables, but {} values are given",
                rule.index() + 1,
                variables.len(),
                found.len()
            );
            return Err(field.error(why));
        }
        let mut values = Vec::with_capacity(variables.len());
        for (variable, place) in variables.iter().zip(found) {
            let (name, value) = place.pair()?;
            name.text()?;
            values.push((
                *variable,
                read_value(&program.terms, &value, program.terms.sort(*variable))?,
            ));
        }
        steps.push(Step { rule, values });
    }
    let mut repetitions = Vec::new();
    if let Some(list) = root.optional_field("repetitions")? {
        for item in list.items()? {
            let before = item.field("before")?;
            let at = before.count()?.checked_sub(1);
            repetitions.push(Repetition {
                at: at.ok_or_else(|| before.error("steps are counted from 1"))?,
                length: item.field("length")?.count()?,
                times: item.field("times")?.count()? as u64,
            });
        }
    }
    Ok(Derivation { steps, repetitions })
}
