//! Saved evidence about an earlier version of a program, for who wants to see what of it is true of the program as it is now.

use super::certificate::{Entry, read_invariants};
use super::formula::FormulaReader;
use super::json::Place;
use super::{Evidence, SavedError, evidence_of, fingerprint, fingerprint_of, whole};
use crate::evidence::Certificate;
use crate::rules::{PredicateId, Program};
use crate::terms::{TermId, Terms};
use hashbrown::{HashMap, HashSet};

/// How a saved certificate speaks of a predicate: its label, its number of parameters, and its position where these do not tell.
type Key = (String, usize, Option<usize>);

/// What a saved certificate says of one predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EarlierInvariant {
    /// What the predicate was called.
    pub label: String,
    /// Its position among the predicates of the earlier program, if several of them were called the same.
    pub index: Option<usize>,
    /// Its parameters, each with its sort.
    pub parameters: Vec<(String, String)>,
    /// The disjuncts, each a list of formulas over the parameters.
    pub disjuncts: Vec<Vec<String>>,
}

impl EarlierInvariant {
    fn key(&self) -> Key {
        (self.label.clone(), self.parameters.len(), self.index)
    }
}

/// What a predicate of an earlier version is now: a predicate, and what each of its parameters was called. Those that have no name are new.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Successor {
    /// The predicate.
    pub predicate: PredicateId,
    /// Its parameters by their earlier names.
    pub names: Vec<(String, TermId)>,
}

/// Saved evidence about an earlier version of a program.
#[derive(Clone, Debug)]
pub(crate) struct EarlierEvidence {
    document: serde_json::Value,
    fingerprint: String,
    /// What it says of each predicate that has an entry: of one that has a summary alone, that anything may hold when it is reached.
    pub invariants: Vec<EarlierInvariant>,
    /// Whether the invariants hold for all values of some variables.
    pub is_universal: bool,
    /// Whether it is about predicates at all, and not about a run, all of them, or symbolic states.
    pub has_invariants: bool,
}

impl EarlierEvidence {
    /// Reads the document, but not yet its formulas.
    ///
    /// # Errors
    ///
    /// The first place where the document is no evidence.
    pub fn read(text: &str) -> Result<EarlierEvidence, SavedError> {
        let document: serde_json::Value =
            serde_json::from_str(text).map_err(|error| whole(format!("this is not JSON: {error}")))?;
        let root = Place::root(&document);
        let kind = root.field("kind")?;
        let is_certificate = match kind.text()? {
            "certificate" => true,
            "derivation" => false,
            _ => return Err(kind.error("expected \"certificate\" or \"derivation\"")),
        };
        let mut invariants = Vec::new();
        if is_certificate {
            let list = root.field("invariants")?;
            for item in list.items()? {
                invariants.push(read_entry(&item)?);
            }
        }
        if let Some(summaries) = root.optional_field("summaries")? {
            let known: HashSet<Key> = invariants.iter().map(EarlierInvariant::key).collect();
            for item in summaries.items()? {
                if !known.contains(&read_key(&item)?) {
                    let disjuncts = vec![Vec::new()];
                    invariants.push(EarlierInvariant {
                        disjuncts,
                        ..read_entry(&item)?
                    });
                }
            }
        }
        let has_invariants =
            is_certificate && root.optional_field("symbolic")?.is_none() && root.optional_field("all_runs")?.is_none();
        let is_universal = match root.optional_field("universal")? {
            Some(list) => list.items()?.next().is_some(),
            None => false,
        };
        Ok(EarlierEvidence {
            fingerprint: fingerprint_of(&root)?,
            invariants,
            is_universal,
            has_invariants,
            document,
        })
    }

    /// Whether its program has the fingerprint of this one.
    pub fn is_about(&self, program: &Program) -> bool {
        self.fingerprint == fingerprint(program)
    }

    /// The evidence as it is, about a program that is the same.
    ///
    /// # Errors
    ///
    /// The first place where it is no evidence about this one.
    pub fn as_it_is(&self, program: &Program) -> Result<Evidence, SavedError> {
        evidence_of(program, &Place::root(&self.document))
    }

    /// What it says of the predicates of a program, those of its [`invariants`](Self::invariants) being the given ones now. What speaks of
    /// predicates or variables that are not there any more is left out, so that it may prove nothing.
    ///
    /// # Errors
    ///
    /// The first place where what is left is no certificate.
    pub fn about(&self, program: &Program, successors: &[Option<Successor>]) -> Result<Certificate, SavedError> {
        let keys = self.invariants.iter().map(EarlierInvariant::key);
        let known: HashMap<Key, &Successor> = keys
            .zip(successors)
            .filter_map(|(key, successor)| Some((key, successor.as_ref()?)))
            .collect();
        let entry = |item: &Place<'_>| {
            let key = read_key(item)?;
            Ok(known.get(&key).map(|successor| Entry {
                predicate: successor.predicate,
                names: successor.names.clone(),
                is_exact: false,
            }))
        };
        read_invariants(program, &Place::root(&self.document), &entry)
    }
}

fn read_key(item: &Place<'_>) -> Result<Key, SavedError> {
    let index = match item.optional_field("index")? {
        Some(index) => Some(index.count()?),
        None => None,
    };
    let label = item.field("predicate")?.text()?.to_string();
    Ok((label, item.field("parameters")?.items()?.len(), index))
}

fn read_entry(item: &Place<'_>) -> Result<EarlierInvariant, SavedError> {
    let (label, _, index) = read_key(item)?;
    let mut parameters = Vec::new();
    let field = item.field("parameters")?;
    for parameter in field.items()? {
        let (name, sort) = (parameter.field("name")?, parameter.field("sort")?);
        parameters.push((name.text()?.to_string(), sort.text()?.to_string()));
    }
    let mut disjuncts = Vec::new();
    let field = item.field("disjuncts")?;
    for disjunct in field.items()? {
        let mut texts = Vec::new();
        for formula in disjunct.items()? {
            texts.push(formula.text()?.to_string());
        }
        disjuncts.push(texts);
    }
    Ok(EarlierInvariant {
        label,
        index,
        parameters,
        disjuncts,
    })
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
