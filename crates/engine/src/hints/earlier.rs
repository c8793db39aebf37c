//! Hints from an earlier proof: the invariants that a saved certificate says, tried on the program as it is now.
//!
//! Predicates are found by their names without a line number at the end, parameters by their names and sorts; so what
//! was proved of a loop is tried on each loop of the same function that has the same variables.

use super::{Hint, Hints};
use crate::evidence::{EarlierInvariant, SavedError, read_earlier_invariants, read_formula};
use crate::rules::{PredicateId, Program};
use crate::terms::{SmtlibNames, TermId};

/// Reads the invariants of a saved certificate as hints. Formulas are added to the program's table.
///
/// # Errors
///
/// If the text is no saved certificate.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::engine::{Options, Verdict, verify};
/// let read = |source| clausal::clp::read(source).product.expect("no mistake in it");
/// let before = read("?- p(0). p(X) :- X < 5, p(X + 1). p(X) :- X > 9, error.");
/// let Verdict::Safe(certificate) = verify(&before, &Options::default()).verdict else { panic!("it is safe") };
/// let saved = clausal::evidence::save_certificate(&before, &certificate)?;
/// let mut after = read("?- p(0). p(X) :- X < 6, p(X + 1). p(X) :- X > 9, error.");
/// let hints = clausal::hints::read_earlier(&mut after, &saved)?;
/// assert!(!hints.of_program.is_empty());
/// # Ok::<(), clausal::evidence::SavedError>(())
/// ```
pub fn read_earlier(program: &mut Program, text: &str) -> Result<Hints, SavedError> {
    let (invariants, is_universal) = read_earlier_invariants(text)?;
    let mut hints = Hints::default();
    if is_universal {
        hints
            .unused
            .push("what holds for all indices of an array is not tried again".to_string());
        return Ok(hints);
    }
    for invariant in &invariants {
        let before = hints.of_program.len();
        for index in 0..program.predicates().len() {
            let id = PredicateId::from_index(index);
            if id != PredicateId::QUERY && id != PredicateId::ERROR {
                try_on(program, id, invariant, &mut hints);
            }
        }
        if hints.of_program.len() == before && invariant.disjuncts.iter().any(|disjunct| !disjunct.is_empty()) {
            let reason = "no predicate of this program has its name and variables";
            hints
                .unused
                .push(format!("the invariant of `{}`: {reason}", invariant.label));
        }
    }
    Ok(hints)
}

/// A label without the number of a line at its end.
fn without_line(label: &str) -> &str {
    match label.rsplit_once('_') {
        Some((name, digits)) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => label,
    }
}

/// Adds what an invariant says, if it says it of the variables of this predicate.
fn try_on(program: &mut Program, id: PredicateId, invariant: &EarlierInvariant, hints: &mut Hints) {
    let label = program.predicate_label(id);
    if without_line(&label) != without_line(&invariant.label) {
        return;
    }
    let parameters = program.predicate(id).parameters.clone();
    let names = SmtlibNames::new(&program.terms, &parameters);
    let own: Vec<(String, String, TermId)> = parameters
        .iter()
        .map(|parameter| {
            let sort = program.terms.smtlib_sort(program.terms.sort(*parameter));
            (names.get(*parameter).to_string(), sort, *parameter)
        })
        .collect();
    let known: Vec<(String, TermId)> = invariant
        .parameters
        .iter()
        .filter_map(|(name, sort)| {
            let (_, _, parameter) = own
                .iter()
                .find(|(own_name, own_sort, _)| own_name == name && own_sort == sort)?;
            Some((name.clone(), *parameter))
        })
        .collect();
    let mut disjuncts = Vec::new();
    for disjunct in &invariant.disjuncts {
        let mut conjuncts = Vec::new();
        for text in disjunct {
            // What speaks of variables that are not here any more says nothing.
            if let Ok(formula) = read_formula(&mut program.terms, &known, text) {
                conjuncts.push(formula);
            }
        }
        disjuncts.push(conjuncts);
    }
    let formulas = match &disjuncts[..] {
        [only] => only.clone(),
        several => {
            let several: Vec<TermId> = several.iter().map(|disjunct| program.terms.and(disjunct)).collect();
            vec![program.terms.or(&several)]
        }
    };
    for formula in formulas {
        let is_new = !hints
            .of_program
            .iter()
            .any(|hint| hint.predicate == id && hint.formula == formula);
        if is_new && formula != TermId::TRUE {
            let text = format!("{label}: {}", program.terms.display(formula));
            hints.of_program.push(Hint {
                predicate: id,
                formula,
                text,
            });
        }
    }
}
