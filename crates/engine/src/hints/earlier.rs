//! Hints from an earlier proof: saved evidence as a whole, and what a certificate's disjuncts have in common, tried on the program as it is now.
//!
//! About a program that is the same it is read as it was written, and a run may be that of an error, too.
//! As a whole it is a proof if every predicate is one of the earlier version ([`super::matching`]). What it says in every disjunct is tried on its
//! own, too: parameters are found in the same way, and what was proved of a loop is tried on each loop of the same function that has the
//! same variables.

use super::matching::{names_now, successors, without_numbers};
use super::{Hint, Hints};
use crate::evidence::{Certificate, EarlierEvidence, EarlierInvariant, Evidence, SavedError, read_formula};
use crate::rules::{PredicateId, Program};
use crate::terms::TermId;
use hashbrown::{HashMap, HashSet};

/// Longer formulas are not tried on their own: as lemmas they would make rules larger, and what is as long says something of one path.
const LONGEST_TEXT: usize = 200;

/// Nor are more formulas: what has so many was found by following states, and is found so again in less time.
const MOST_FORMULAS: usize = 64;

/// Evidence about an earlier version of a program.
#[derive(Clone, Debug)]
pub struct EarlierProof {
    name: String,
    evidence: EarlierEvidence,
}

impl EarlierProof {
    /// What it is called in messages: the name of its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is about a program that is the same; nothing if that is another one.
    pub(super) fn as_it_is(&self, program: &Program) -> Option<Evidence> {
        let is_same = self.evidence.is_about(program);
        is_same.then(|| self.evidence.as_it_is(program).ok()).flatten()
    }

    /// What it says of the predicates of another program, if that can be made sense of. It may prove nothing.
    pub(super) fn about(&self, program: &Program) -> Option<Certificate> {
        if !self.evidence.has_invariants {
            return None;
        }
        let successors = successors(program, &self.evidence.invariants);
        self.evidence.about(program, &successors).ok()
    }
}

/// Reads saved evidence, which has a name for messages, as hints. Formulas are added to the program's table.
///
/// # Errors
///
/// If the text is no saved evidence.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::engine::{Options, Verdict, verify};
/// let read = |source| clausal::clp::read(source).product.expect("no mistake in it");
/// let before = read("?- p(0). p(X) :- X < 5, p(X + 1). p(X) :- X > 9, error.");
/// let Verdict::Safe(certificate) = verify(&before, &Options::default()).verdict else { panic!("it is safe") };
/// let saved = clausal::evidence::save_certificate(&before, &certificate)?;
/// let mut after = read("?- p(0). p(X) :- X < 6, p(X + 1). p(X) :- X > 9, error.");
/// let hints = clausal::hints::read_earlier(&mut after, "before.json", &saved)?;
/// assert_eq!(hints.proofs[0].name(), "before.json");
/// assert!(!hints.of_program.is_empty());
/// # Ok::<(), clausal::evidence::SavedError>(())
/// ```
pub fn read_earlier(program: &mut Program, name: &str, text: &str) -> Result<Hints, SavedError> {
    let earlier = EarlierEvidence::read(text)?;
    let mut hints = Hints::default();
    let mut named: HashMap<String, Vec<PredicateId>> = HashMap::new();
    for index in 0..program.predicates().len() {
        let id = PredicateId::from_index(index);
        if id != PredicateId::QUERY && id != PredicateId::ERROR {
            let name = without_numbers(&program.predicate_label(id));
            named.entry(name).or_default().push(id);
        }
    }
    for invariant in &earlier.invariants {
        let found = named
            .get(&without_numbers(&invariant.label))
            .map_or(&[][..], Vec::as_slice);
        let is_about_some = invariant.disjuncts.iter().any(|disjunct| !disjunct.is_empty());
        if found.is_empty() && is_about_some {
            hints.unused.push(format!(
                "the invariant of `{}`: no predicate of this program has its name",
                invariant.label
            ));
        }
        // What holds for all indices is nothing that a rule could be told of.
        if earlier.is_universal || found.is_empty() || hints.of_program.len() >= MOST_FORMULAS {
            continue;
        }
        let formulas = formulas(invariant);
        for id in found.iter().filter(|_| !formulas.is_empty()) {
            try_on(program, *id, (invariant, &formulas), &mut hints);
        }
    }
    if earlier.has_invariants || earlier.is_about(program) {
        hints.proofs.push(EarlierProof {
            name: name.to_string(),
            evidence: earlier,
        });
    } else {
        let reason = "it is about runs or symbolic states of another program, which are found anew";
        hints.unused.push(format!("{name}: {reason}"));
    }
    Ok(hints)
}

/// What an invariant says, as formulas: those that all disjuncts have, and what is left as one formula if that is short.
fn formulas(invariant: &EarlierInvariant) -> Vec<String> {
    let [first, others @ ..] = &invariant.disjuncts[..] else {
        return Vec::new();
    };
    let others: Vec<HashSet<&String>> = others.iter().map(|disjunct| disjunct.iter().collect()).collect();
    let is_common = |text: &&String| others.iter().all(|disjunct| disjunct.contains(text));
    let common: HashSet<&String> = first.iter().filter(is_common).collect();
    let mut formulas: Vec<String> = first.iter().filter(|text| common.contains(text)).cloned().collect();
    let rest = invariant.disjuncts.iter().map(|disjunct| {
        let own: Vec<&str> = disjunct
            .iter()
            .filter(|text| !common.contains(text))
            .map(String::as_str)
            .collect();
        format!("(and true {})", own.join(" "))
    });
    if !others.is_empty() {
        let rest: Vec<String> = rest.collect();
        formulas.push(format!("(or {})", rest.join(" ")));
    }
    formulas.retain(|text| text.len() <= LONGEST_TEXT);
    formulas
}

/// Adds what an invariant says, if it says it of the variables of this predicate.
fn try_on(
    program: &mut Program,
    id: PredicateId,
    (invariant, formulas): (&EarlierInvariant, &[String]),
    hints: &mut Hints,
) {
    let label = program.predicate_label(id);
    let known = names_now(program, id, &invariant.parameters);
    for text in formulas {
        // What speaks of variables that are not here any more says nothing.
        let Ok(formula) = read_formula(&mut program.terms, &known, text) else {
            continue;
        };
        if hints.of_program.len() >= MOST_FORMULAS {
            return;
        }
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
