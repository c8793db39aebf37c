//! Functions that a certificate defines, and lemmas about them, as JSON.

use super::SavedError;
use super::formula::{self, FormulaReader};
use super::json::Place;
use crate::evidence::{Certificate, Lemma};
use crate::terms::{FunctionId, SmtlibNames, SortId, TermId, Terms};
use serde::Serialize;

/// A variable.
#[derive(Serialize)]
pub(super) struct SavedParameter {
    pub name: String,
    pub sort: String,
}

#[derive(Serialize)]
pub(super) struct SavedFunction {
    name: String,
    group: usize,
    parameters: Vec<SavedParameter>,
    sort: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ranks: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct SavedLemma {
    variables: Vec<SavedParameter>,
    formula: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cases: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ranks: Vec<String>,
}

/// Variables by these names.
pub(super) fn parameters(terms: &Terms, names: &SmtlibNames, variables: &[TermId]) -> Vec<SavedParameter> {
    let saved = variables.iter().map(|variable| SavedParameter {
        name: names.get(*variable).to_string(),
        sort: terms.smtlib_sort(terms.sort(*variable)),
    });
    saved.collect()
}

/// The functions that a certificate defines.
pub(super) fn functions(terms: &Terms) -> Vec<SavedFunction> {
    let saved = terms.functions().iter().map(|function| {
        let names = SmtlibNames::new(terms, &function.parameters);
        let text = |term: TermId| terms.smtlib(term, &|variable| names.get(variable).to_string());
        SavedFunction {
            name: function.name.clone(),
            group: function.group as usize,
            parameters: parameters(terms, &names, &function.parameters),
            sort: terms.smtlib_sort(function.sort),
            body: function.body.map(text),
            ranks: function.ranks.iter().map(|rank| text(*rank)).collect(),
        }
    });
    saved.collect()
}

/// The lemmas of a certificate.
pub(super) fn lemmas(certificate: &Certificate) -> Vec<SavedLemma> {
    let terms = &certificate.terms;
    let saved = certificate.lemmas.iter().map(|lemma| {
        let names = SmtlibNames::new(terms, &lemma.variables);
        let text = |term: TermId| terms.smtlib(term, &|variable| names.get(variable).to_string());
        SavedLemma {
            variables: parameters(terms, &names, &lemma.variables),
            formula: text(lemma.formula),
            ranks: lemma.ranks.iter().map(|rank| text(*rank)).collect(),
            by: lemma.by.map(|by| names.get(by).to_string()),
            cases: lemma.cases.map(|one| names.get(one).to_string()),
        }
    });
    saved.collect()
}

/// Names and sorts.
pub(super) fn read_parameters(terms: &mut Terms, list: &Place<'_>) -> Result<Vec<(String, SortId)>, SavedError> {
    let mut found: Vec<(String, SortId)> = Vec::new();
    for place in list.items()? {
        let (name, sort) = (place.field("name")?, place.field("sort")?);
        let text = name.text()?.to_string();
        if found.iter().any(|(other, _)| *other == text) {
            return Err(name.error("another variable has this name"));
        }
        let sort = formula::sort(terms, sort.text()?).map_err(|why| sort.error(why.to_string()))?;
        found.push((text, sort));
    }
    Ok(found)
}

/// Declares and defines the functions. Each may be spoken of in the definitions of all.
pub(super) fn read_functions(terms: &mut Terms, list: &Place<'_>) -> Result<(), SavedError> {
    let mut declared = Vec::new();
    for place in list.items()? {
        let parameters = read_parameters(terms, &place.field("parameters")?)?;
        let sort = place.field("sort")?;
        let sort = formula::sort(terms, sort.text()?).map_err(|why| sort.error(why.to_string()))?;
        let group = place.field("group")?;
        let count = u32::try_from(group.count()?).map_err(|_| group.error("there are not so many groups"))?;
        let sorts: Vec<SortId> = parameters.iter().map(|(_, sort)| *sort).collect();
        let id = terms.declare_function(place.field("name")?.text()?, &sorts, sort, count);
        declared.push((id, parameters));
    }
    for (place, (id, parameters)) in list.items()?.zip(declared) {
        define(terms, &place, id, parameters)?;
    }
    Ok(())
}

fn define(
    terms: &mut Terms,
    place: &Place<'_>,
    id: FunctionId,
    parameters: Vec<(String, SortId)>,
) -> Result<(), SavedError> {
    let variables = terms.functions()[id.index()].parameters.clone();
    let names: Vec<(String, TermId)> = parameters.into_iter().map(|(name, _)| name).zip(variables).collect();
    let mut read = |text: Place<'_>| -> Result<TermId, SavedError> {
        let read = FormulaReader::new(terms, names.clone()).any_term(text.text()?);
        read.map_err(|error| text.error(error.to_string()))
    };
    let mut ranks = Vec::new();
    if let Some(list) = place.optional_field("ranks")? {
        for rank in list.items()? {
            ranks.push(read(rank)?);
        }
    }
    if let Some(body) = place.optional_field("body")? {
        let body = read(body)?;
        terms.define_function(id, body, ranks);
    }
    Ok(())
}

/// Reads lemmas, each over new variables.
pub(super) fn read_lemmas(terms: &mut Terms, list: &Place<'_>) -> Result<Vec<Lemma>, SavedError> {
    let mut lemmas = Vec::new();
    for place in list.items()? {
        let parameters = read_parameters(terms, &place.field("variables")?)?;
        let names: Vec<(String, TermId)> = parameters
            .into_iter()
            .map(|(name, sort)| {
                let variable = terms.fresh_variable(&name, sort);
                (name, variable)
            })
            .collect();
        let text = place.field("formula")?;
        let read = FormulaReader::new(terms, names.clone()).formula(text.text()?);
        let formula = read.map_err(|error| text.error(error.to_string()))?;
        let chosen = |field: &str| -> Result<Option<TermId>, SavedError> {
            let Some(chosen) = place.optional_field(field)? else {
                return Ok(None);
            };
            let name = chosen.text()?;
            let found = names.iter().find(|(other, _)| other == name);
            let found = found.ok_or_else(|| chosen.error("this is none of the lemma's variables"))?;
            Ok(Some(found.1))
        };
        let (by, cases) = (chosen("by")?, chosen("cases")?);
        let mut ranks = Vec::new();
        if let Some(list) = place.optional_field("ranks")? {
            for rank in list.items()? {
                let read = FormulaReader::new(terms, names.clone()).any_term(rank.text()?);
                ranks.push(read.map_err(|error| rank.error(error.to_string()))?);
            }
        }
        lemmas.push(Lemma {
            variables: names.into_iter().map(|(_, variable)| variable).collect(),
            formula,
            by,
            cases,
            ranks,
        });
    }
    Ok(lemmas)
}
