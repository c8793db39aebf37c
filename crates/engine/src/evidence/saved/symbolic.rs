//! Symbolic states as JSON.

use super::SavedError;
use super::formula::FormulaReader;
use super::json::Place;
use super::lemmas::{SavedParameter, parameters, read_parameters};
use crate::evidence::{ForAll, Inclusion, Successors, SymbolicState, SymbolicStep};
use crate::rules::{PredicateId, Program, RuleId};
use crate::terms::{SmtlibNames, TermId, Terms};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct SavedState {
    predicate: String,
    /// The predicate's position among all.
    index: usize,
    symbols: Vec<SavedParameter>,
    memory: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    condition: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    for_all: Vec<SavedForAll>,
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<SavedInclusion>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<SavedStep>,
}

#[derive(Serialize)]
struct SavedForAll {
    variable: Vec<SavedParameter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    below: Option<String>,
    body: Vec<String>,
}

#[derive(Serialize)]
struct SavedInclusion {
    state: usize,
    values: Vec<String>,
}

#[derive(Serialize)]
struct SavedStep {
    /// The rule's number, from 1.
    rule: usize,
    /// What the rule's variables are called in the values, in the order in which the rule mentions them.
    variables: Vec<String>,
    #[serde(flatten)]
    into: SavedInclusion,
}

/// The variables of a rule, in the order of their ids.
fn variables_of(program: &Program, rule: RuleId) -> Vec<TermId> {
    let parts: Vec<TermId> = program.rule(rule).terms().collect();
    program.terms.variables_of_all(&parts)
}

/// Symbolic states whose form is right.
pub(super) fn states(program: &Program, terms: &Terms, states: &[SymbolicState]) -> Vec<SavedState> {
    states.iter().map(|state| saved(program, terms, state)).collect()
}

fn saved(program: &Program, terms: &Terms, state: &SymbolicState) -> SavedState {
    let names = SmtlibNames::new(terms, &state.symbols);
    let texts = |list: &[TermId], names: &SmtlibNames| -> Vec<String> {
        let text = |term: &TermId| terms.smtlib(*term, &|variable| names.get(variable).to_string());
        list.iter().map(text).collect()
    };
    let for_all = state.quantified.iter().map(|quantified| {
        let mut all = state.symbols.clone();
        all.push(quantified.variable);
        let names = SmtlibNames::new(terms, &all);
        SavedForAll {
            variable: parameters(terms, &names, &[quantified.variable]),
            below: quantified.bound.and_then(|bound| texts(&[bound], &names).pop()),
            body: texts(&quantified.body, &names),
        }
    });
    let (within, steps) = match &state.successors {
        Successors::Within(inclusion) => {
            let values = texts(&inclusion.values, &names);
            let state = inclusion.state;
            (Some(SavedInclusion { state, values }), Vec::new())
        }
        Successors::Steps(steps) => {
            let steps = steps.iter().map(|step| {
                let variables = variables_of(program, step.rule);
                let names = SmtlibNames::new(terms, &[&state.symbols[..], &variables].concat());
                SavedStep {
                    rule: step.rule.index() + 1,
                    variables: variables.iter().map(|one| names.get(*one).to_string()).collect(),
                    into: SavedInclusion {
                        state: step.into.state,
                        values: texts(&step.into.values, &names),
                    },
                }
            });
            (None, steps.collect())
        }
    };
    SavedState {
        predicate: program.predicate_label(state.predicate),
        index: state.predicate.index(),
        symbols: parameters(terms, &names, &state.symbols),
        memory: texts(&state.memory, &names),
        condition: texts(&state.condition, &names),
        for_all: for_all.collect(),
        within,
        steps,
    }
}

/// A state that has been read as far as others do not matter, with the names of its symbols.
struct Read {
    state: SymbolicState,
    names: Vec<(String, TermId)>,
}

/// Reads symbolic states. Whether they are a certificate is looked at by who checks it.
pub(super) fn read_states(
    program: &Program,
    terms: &mut Terms,
    list: &Place<'_>,
) -> Result<Vec<SymbolicState>, SavedError> {
    let mut states = Vec::new();
    for place in list.items()? {
        let Read { mut state, names } = read_state(program, terms, &place)?;
        state.successors = match place.optional_field("within")? {
            Some(within) => Successors::Within(read_inclusion(terms, &names, &within)?),
            None => {
                let mut steps = Vec::new();
                if let Some(list) = place.optional_field("steps")? {
                    for step in list.items()? {
                        steps.push(read_step(program, terms, &names, &step)?);
                    }
                }
                Successors::Steps(steps)
            }
        };
        states.push(state);
    }
    Ok(states)
}

fn read_state(program: &Program, terms: &mut Terms, place: &Place<'_>) -> Result<Read, SavedError> {
    let (label, index) = (place.field("predicate")?, place.field("index")?);
    let position = index.count()?;
    let predicate = PredicateId::from_index(position);
    let is_known = position < program.predicates().len() && program.predicate_label(predicate) == label.text()?;
    if !is_known {
        return Err(index.error("this is not the index of a predicate of this name"));
    }
    let names = read_symbols(terms, &place.field("symbols")?)?;
    let memory = read_list(terms, &names, &place.field("memory")?)?;
    let condition = match place.optional_field("condition")? {
        Some(list) => read_list(terms, &names, &list)?,
        None => Vec::new(),
    };
    let mut quantified = Vec::new();
    if let Some(list) = place.optional_field("for_all")? {
        for one in list.items()? {
            let variable = one.field("variable")?;
            let own = read_symbols(terms, &variable)?;
            let [(name, bound_variable)] = &own[..] else {
                return Err(variable.error("this is one variable with its sort"));
            };
            if names.iter().any(|(other, _)| other == name) {
                return Err(variable.error("a symbol has this name"));
            }
            let bound = match one.optional_field("below")? {
                Some(bound) => Some(read_term(terms, &names, &bound)?),
                None => None,
            };
            let all = [&names[..], &own].concat();
            quantified.push(ForAll {
                variable: *bound_variable,
                bound,
                body: read_list(terms, &all, &one.field("body")?)?,
            });
        }
    }
    let state = SymbolicState {
        predicate,
        symbols: names.iter().map(|(_, symbol)| *symbol).collect(),
        memory,
        condition,
        quantified,
        successors: Successors::Steps(Vec::new()),
    };
    Ok(Read { state, names })
}

fn read_symbols(terms: &mut Terms, list: &Place<'_>) -> Result<Vec<(String, TermId)>, SavedError> {
    let found = read_parameters(terms, list)?;
    let fresh = found.into_iter().map(|(name, sort)| {
        let variable = terms.fresh_variable(&name, sort);
        (name, variable)
    });
    Ok(fresh.collect())
}

fn read_step(
    program: &Program,
    terms: &mut Terms,
    symbols: &[(String, TermId)],
    place: &Place<'_>,
) -> Result<SymbolicStep, SavedError> {
    let number = place.field("rule")?;
    let index = number.count()?.checked_sub(1);
    let index = index.filter(|index| *index < program.rules().len());
    let Some(index) = index else {
        return Err(number.error("the program has no rule with this number"));
    };
    let rule = RuleId::from_index(index);
    let own = variables_of(program, rule);
    let list = place.field("variables")?;
    let called = list.items()?;
    if called.len() != own.len() {
        return Err(list.error(format!("the rule has {} variables", own.len())));
    }
    let mut names = symbols.to_vec();
    for (name, variable) in called.zip(own) {
        let text = name.text()?.to_string();
        if names.iter().any(|(other, _)| *other == text) {
            return Err(name.error("another symbol or variable has this name"));
        }
        names.push((text, variable));
    }
    let into = read_inclusion(terms, &names, place)?;
    Ok(SymbolicStep { rule, into })
}

fn read_inclusion(terms: &mut Terms, names: &[(String, TermId)], place: &Place<'_>) -> Result<Inclusion, SavedError> {
    Ok(Inclusion {
        state: place.field("state")?.count()?,
        values: read_list(terms, names, &place.field("values")?)?,
    })
}

fn read_list(terms: &mut Terms, names: &[(String, TermId)], list: &Place<'_>) -> Result<Vec<TermId>, SavedError> {
    let mut read = Vec::new();
    for term in list.items()? {
        read.push(read_term(terms, names, &term)?);
    }
    Ok(read)
}

fn read_term(terms: &mut Terms, names: &[(String, TermId)], place: &Place<'_>) -> Result<TermId, SavedError> {
    let read = FormulaReader::new(terms, names.to_vec()).any_term(place.text()?);
    read.map_err(|error| place.error(error.to_string()))
}
