//! The invariants of a saved certificate as text, for who wants to try them on another version of the program.

use super::formula::FormulaReader;
use super::json::Place;
use super::{SavedError, whole};
use crate::terms::{TermId, Terms};

/// What a saved certificate says of one predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EarlierInvariant {
    /// What the predicate was called.
    pub label: String,
    /// Its parameters, each with its sort.
    pub parameters: Vec<(String, String)>,
    /// The disjuncts, each a list of formulas over the parameters.
    pub disjuncts: Vec<Vec<String>>,
}

/// The invariants of a saved certificate, and whether they hold for all values of some variables.
///
/// # Errors
///
/// The first place where the document is no certificate's.
pub(crate) fn read_earlier_invariants(text: &str) -> Result<(Vec<EarlierInvariant>, bool), SavedError> {
    let document: serde_json::Value =
        serde_json::from_str(text).map_err(|error| whole(format!("this is not JSON: {error}")))?;
    let root = Place::root(&document);
    let kind = root.field("kind")?;
    if kind.text()? != "certificate" {
        return Err(kind.error("only a certificate has invariants"));
    }
    let texts = |place: &Place<'_>| -> Result<Vec<String>, SavedError> {
        let mut texts = Vec::new();
        for item in place.items()? {
            texts.push(item.text()?.to_string());
        }
        Ok(texts)
    };
    let mut invariants = Vec::new();
    let list = root.field("invariants")?;
    for item in list.items()? {
        let mut parameters = Vec::new();
        let field = item.field("parameters")?;
        for parameter in field.items()? {
            let (name, sort) = (parameter.field("name")?, parameter.field("sort")?);
            parameters.push((name.text()?.to_string(), sort.text()?.to_string()));
        }
        let mut disjuncts = Vec::new();
        let field = item.field("disjuncts")?;
        for disjunct in field.items()? {
            disjuncts.push(texts(&disjunct)?);
        }
        invariants.push(EarlierInvariant {
            label: item.field("predicate")?.text()?.to_string(),
            parameters,
            disjuncts,
        });
    }
    let is_universal = match root.optional_field("universal")? {
        Some(list) => list.items()?.next().is_some(),
        None => false,
    };
    Ok((invariants, is_universal))
}

/// A formula in SMT-LIB's syntax over some named variables.
///
/// # Errors
///
/// What is wrong with it, and where.
pub(crate) fn read_formula(terms: &mut Terms, names: &[(String, TermId)], text: &str) -> Result<TermId, String> {
    let mut reader = FormulaReader::new(terms, names.iter().cloned());
    reader.formula(text).map_err(|error| error.to_string())
}
