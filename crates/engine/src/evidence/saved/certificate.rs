//! Certificates as JSON.

use super::formula::{self, FormulaReader};
use super::json::Place;
use super::lemmas::{self, SavedFunction, SavedLemma, SavedParameter};
use super::symbolic::{self, SavedState};
use super::{ProgramSummary, SavedError, to_text, whole};
use crate::evidence::symbolic::subject;
use crate::evidence::well_formed::check_certificate_form;
use crate::evidence::{Certificate, Invariant};
use crate::rules::{PredicateId, Program};
use crate::terms::{SmtlibNames, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use serde::Serialize;
use std::borrow::Cow;

#[derive(Serialize)]
struct SavedCertificate {
    kind: &'static str,
    program: ProgramSummary,
    /// Written only if it is not 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    induction_depth: Option<usize>,
    /// Written only if the proof is that all runs are over after so many steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    all_runs: Option<u64>,
    /// Written only if the proof is that no rule leads out of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    symbolic: Vec<SavedState>,
    /// Variables for all values of which the invariants hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    universal: Vec<SavedParameter>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    functions: Vec<SavedFunction>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lemmas: Vec<SavedLemma>,
    invariants: Vec<SavedInvariant>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    summaries: Vec<SavedInvariant>,
}

#[derive(Serialize)]
struct SavedInvariant {
    predicate: String,
    /// The predicate's position among all, written only where the label and the number of parameters do not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    parameters: Vec<SavedParameter>,
    disjuncts: Vec<Vec<String>>,
}

/// The certificate as JSON text.
///
/// # Errors
///
/// If the certificate is not one for the program.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::evidence::{Certificate, Evidence, Invariant, read_evidence, save_certificate};
/// use clausal::rules::Program;
/// use clausal::terms::SortId;
/// let mut program = Program::new();
/// let p = program.add_predicate("p", None, &[("X", SortId::INT)]);
/// let mut terms = program.terms.clone();
/// let zero = terms.integer(0);
/// let formula = terms.less_or_equal(zero, program.predicate(p).parameters[0]);
/// let invariants = vec![Invariant { predicate: p, disjuncts: vec![vec![formula]] }];
/// let text = save_certificate(&program, &Certificate::new(terms, invariants))?;
/// assert!(text.contains("(>= X 0)"));
/// let read = read_evidence(&program, &text)?;
/// assert!(read.same_program && matches!(read.evidence, Evidence::Certificate(_)));
/// # Ok::<(), clausal::evidence::SavedError>(())
/// ```
pub fn save_certificate(program: &Program, certificate: &Certificate) -> Result<String, SavedError> {
    program
        .validate()
        .map_err(|why| whole(format!("the program is malformed: {why}")))?;
    let summary = ProgramSummary::of(program);
    let program = &*certificate.subject(program);
    check_certificate_form(program, certificate)
        .map_err(|why| whole(format!("the certificate does not fit the program: {why}")))?;
    let candidates = candidates(program);
    let terms = &certificate.terms;
    let universal_names = SmtlibNames::new(terms, &certificate.universal);
    let universal = certificate.universal.iter().map(|variable| SavedParameter {
        name: universal_names.get(*variable).to_string(),
        sort: terms.smtlib_sort(terms.sort(*variable)),
    });
    let saved = |invariant: &Invariant| {
        let id = invariant.predicate;
        let parameters = &program.predicate(id).parameters;
        let key = (program.predicate_label(id), parameters.len());
        // The universal variables first, so that their names are the same in all invariants.
        let named: Vec<TermId> = certificate.universal.iter().chain(parameters).copied().collect();
        let names = SmtlibNames::new(terms, &named);
        let name_of = |variable: TermId| names.get(variable).to_string();
        let parameter = |parameter: &TermId| SavedParameter {
            name: name_of(*parameter),
            sort: terms.smtlib_sort(terms.sort(*parameter)),
        };
        let conjuncts = |disjunct: &Vec<TermId>| {
            let conjuncts = disjunct.iter();
            conjuncts.map(|conjunct| terms.smtlib(*conjunct, &name_of)).collect()
        };
        let ambiguous = candidates.get(&key).is_some_and(|ids| ids.len() > 1);
        SavedInvariant {
            predicate: key.0,
            index: ambiguous.then_some(id.index()),
            parameters: parameters.iter().map(parameter).collect(),
            disjuncts: invariant.disjuncts.iter().map(conjuncts).collect(),
        }
    };
    to_text(&SavedCertificate {
        kind: "certificate",
        program: summary,
        induction_depth: (certificate.induction_depth != 1).then_some(certificate.induction_depth),
        all_runs: certificate.all_runs,
        symbolic: symbolic::states(program, terms, &certificate.symbolic),
        universal: universal.collect(),
        functions: lemmas::functions(terms),
        lemmas: lemmas::lemmas(certificate),
        invariants: certificate.invariants.iter().map(saved).collect(),
        summaries: certificate.summaries.iter().map(saved).collect(),
    })
}

/// The predicates by label and number of parameters.
fn candidates(program: &Program) -> HashMap<(String, usize), Vec<PredicateId>> {
    let mut found: HashMap<(String, usize), Vec<PredicateId>> = HashMap::new();
    for (index, predicate) in program.predicates().iter().enumerate() {
        let id = PredicateId::from_index(index);
        found
            .entry((program.predicate_label(id), predicate.parameters.len()))
            .or_default()
            .push(id);
    }
    found
}

/// What an entry of a document is about: a predicate, and what its parameters are called there.
pub(super) struct Entry {
    /// The predicate.
    pub predicate: PredicateId,
    /// Its parameters by their names in the document.
    pub names: Vec<(String, TermId)>,
    /// Whether everything that it says has to be about these.
    pub is_exact: bool,
}

/// Which predicate an entry is about; nothing if there is none.
pub(super) type FindEntry<'a> = &'a dyn Fn(&Place<'_>) -> Result<Option<Entry>, SavedError>;

/// Reads a certificate. The program is well formed.
pub(super) fn read(program: &Program, root: &Place<'_>) -> Result<Certificate, SavedError> {
    let symbolic = root.optional_field("symbolic")?;
    let subject = match symbolic {
        Some(_) => subject(program),
        None => Cow::Borrowed(program),
    };
    let program = &*subject;
    let candidates = candidates(program);
    let entry = |item: &Place<'_>| {
        let predicate = read_predicate(&candidates, item)?;
        let names = read_parameters(program, predicate, item)?;
        let is_exact = true;
        Ok(Some(Entry {
            predicate,
            names,
            is_exact,
        }))
    };
    let certificate = read_invariants(program, root, &entry)?;
    let all_runs = match root.optional_field("all_runs")? {
        Some(steps) => Some(steps.count()? as u64),
        None => None,
    };
    let mut terms = certificate.terms;
    let symbolic = match symbolic {
        Some(list) => symbolic::read_states(program, &mut terms, &list)?,
        None => Vec::new(),
    };
    Ok(Certificate {
        terms,
        all_runs,
        symbolic,
        ..certificate
    })
}

/// Reads what a certificate says of predicates, which are found for its entries.
pub(super) fn read_invariants(
    program: &Program,
    root: &Place<'_>,
    entry: FindEntry<'_>,
) -> Result<Certificate, SavedError> {
    let mut terms = program.terms.clone();
    let universal = match root.optional_field("universal")? {
        Some(list) => read_universal(&mut terms, &list)?,
        None => Vec::new(),
    };
    if let Some(list) = root.optional_field("functions")? {
        lemmas::read_functions(&mut terms, &list)?;
    }
    let lemmas = match root.optional_field("lemmas")? {
        Some(list) => lemmas::read_lemmas(&mut terms, &list)?,
        None => Vec::new(),
    };
    let mut read_list = |list: Place<'_>| {
        let mut invariants: Vec<Invariant> = Vec::new();
        let mut seen = HashSet::new();
        for item in list.items()? {
            let Some(entry) = entry(&item)? else {
                continue;
            };
            if !seen.insert(entry.predicate) {
                return Err(item.error("this predicate has an entry already"));
            }
            let disjuncts = read_disjuncts(&mut terms, &entry, &universal, &item)?;
            invariants.push(Invariant {
                predicate: entry.predicate,
                disjuncts,
            });
        }
        invariants.sort_by_key(|invariant| invariant.predicate);
        Ok(invariants)
    };
    let invariants = read_list(root.field("invariants")?)?;
    let summaries = match root.optional_field("summaries")? {
        Some(list) => read_list(list)?,
        None => Vec::new(),
    };
    let induction_depth = match root.optional_field("induction_depth")? {
        Some(depth) => depth.count()?,
        None => 1,
    };
    Ok(Certificate {
        summaries,
        universal: universal.into_iter().map(|(_, variable)| variable).collect(),
        lemmas,
        induction_depth,
        ..Certificate::new(terms, invariants)
    })
}

/// New variables for those that the invariants hold for all values of, with their names.
fn read_universal(terms: &mut Terms, list: &Place<'_>) -> Result<Vec<(String, TermId)>, SavedError> {
    let mut universal: Vec<(String, TermId)> = Vec::new();
    for place in list.items()? {
        let (name, sort) = (place.field("name")?, place.field("sort")?);
        let text = name.text()?.to_string();
        if universal.iter().any(|(other, _)| *other == text) {
            return Err(name.error("another variable has this name"));
        }
        let sort = formula::sort(terms, sort.text()?).map_err(|why| sort.error(why.to_string()))?;
        let variable = terms.fresh_variable(&text, sort);
        universal.push((text, variable));
    }
    Ok(universal)
}

fn read_predicate(
    candidates: &HashMap<(String, usize), Vec<PredicateId>>,
    item: &Place<'_>,
) -> Result<PredicateId, SavedError> {
    let field = item.field("predicate")?;
    let label = field.text()?;
    let count = item.field("parameters")?.items()?.len();
    let found = candidates
        .get(&(label.to_string(), count))
        .map(Vec::as_slice)
        .unwrap_or_default();
    let index = item.optional_field("index")?;
    match (found, index) {
        ([], _) => Err(field.error(format!(
            "the program has no predicate `{label}` with {count} parameters"
        ))),
        ([only], None) => Ok(*only),
        (_, None) => Err(item.error(format!(
            "several predicates are called `{label}`: `index` must say which"
        ))),
        (_, Some(index)) => {
            let wanted = index.count()?;
            let chosen = found.iter().find(|id| id.index() == wanted);
            chosen
                .copied()
                .ok_or_else(|| index.error(format!("this is not the index of a predicate `{label}`")))
        }
    }
}

/// What the parameters of a predicate are called in an entry, which lists all of them in their order.
fn read_parameters(
    program: &Program,
    predicate: PredicateId,
    item: &Place<'_>,
) -> Result<Vec<(String, TermId)>, SavedError> {
    let terms = &program.terms;
    let mut names: Vec<(String, TermId)> = Vec::new();
    let list = item.field("parameters")?;
    for (place, parameter) in list.items()?.zip(&program.predicate(predicate).parameters) {
        let (name, sort) = (place.field("name")?, place.field("sort")?);
        let expected = terms.smtlib_sort(terms.sort(*parameter));
        if sort.text()? != expected {
            return Err(sort.error(format!("the sort of this parameter is {expected}")));
        }
        names.push((name.text()?.to_string(), *parameter));
    }
    Ok(names)
}

fn read_disjuncts(
    terms: &mut Terms,
    entry: &Entry,
    universal: &[(String, TermId)],
    item: &Place<'_>,
) -> Result<Vec<Vec<TermId>>, SavedError> {
    let names = universal.iter().chain(&entry.names);
    let mut seen = HashSet::new();
    if let Some((twice, _)) = names.clone().find(|(name, _)| !seen.insert(name)) {
        return Err(item.error(format!("two parameters or variables have the name `{twice}`")));
    }
    let mut reader = FormulaReader::new(terms, names.cloned());
    let mut disjuncts = Vec::new();
    let list = item.field("disjuncts")?;
    for place in list.items()? {
        let mut conjuncts = Vec::new();
        for formula in place.items()? {
            match reader.formula(formula.text()?) {
                Ok(read) => conjuncts.push(read),
                Err(error) if entry.is_exact => return Err(formula.error(error.to_string())),
                // Without it the invariant says less.
                Err(_) => {}
            }
        }
        disjuncts.push(conjuncts);
    }
    Ok(disjuncts)
}
