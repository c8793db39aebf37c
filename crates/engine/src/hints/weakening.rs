//! An earlier proof as a proof of the program as it is now: as it stands, or with fewer conjuncts.
//!
//! Where a rule leads out of the invariants, the disjunct that fits best gives up those of its conjuncts that are false where it leads; the rules
//! that begin or end there are looked at again. Conjuncts only ever go, so it ends: with a proof, or where a rule leads into the error. It is
//! Flanagan and Leino's Houdini (2001) on disjunctions that are given. Nothing found here is believed: what is left is checked like any other
//! certificate.

use crate::evidence::{Certificate, CheckError, CheckLimits, Invariant, StepFault, check_certificate, faults_of};
use crate::rules::{PredicateId, Program, RuleId};
use crate::terms::{Assignment, TermId};
use hashbrown::HashSet;

/// So often rules are looked at again. What takes longer to settle is a proof to be found anew.
const MOST_ROUNDS: usize = 12;

/// With more wrong steps at once the program is another one.
const MOST_FAULTS: usize = 256;

/// A proof that was made of an earlier one, and how many conjuncts it has lost.
pub(super) struct Reused {
    pub certificate: Certificate,
    pub lost: usize,
}

/// The certificate if it proves the program, if need be without some of its conjuncts.
pub(super) fn reused(program: &Program, mut certificate: Certificate, limits: CheckLimits<'_>) -> Option<Reused> {
    match check_certificate(program, &certificate, limits) {
        Ok(_) => return Some(Reused { certificate, lost: 0 }),
        Err(CheckError::Violated { .. }) if is_plain(program, &certificate) => {}
        Err(_) => return None,
    }
    let lost = settle(program, &mut certificate, limits)?;
    check_certificate(program, &certificate, limits).ok()?;
    Some(Reused { certificate, lost })
}

/// Takes conjuncts away until no rule leads out of what is left; how many.
fn settle(program: &Program, certificate: &mut Certificate, limits: CheckLimits<'_>) -> Option<usize> {
    let mut rules: Vec<RuleId> = (0..program.rules().len()).map(RuleId::from_index).collect();
    let mut lost = 0;
    for _ in 0..MOST_ROUNDS {
        let faults = faults_of(program, certificate, &rules, (MOST_FAULTS, limits)).ok()?;
        if faults.is_empty() {
            return Some(lost);
        }
        if faults.len() >= MOST_FAULTS {
            return None;
        }
        let mut changed = HashSet::new();
        for fault in &faults {
            lost += weaken(program, certificate, fault, &mut changed)?;
        }
        rules = around(program, &changed);
    }
    None
}

/// Whether it is a proof by induction over one step of single paths, and nothing else: others are taken or left as they are.
fn is_plain(program: &Program, certificate: &Certificate) -> bool {
    certificate.induction_depth == 1
        && certificate.universal.is_empty()
        && certificate.summaries.is_empty()
        && certificate.terms.functions().is_empty()
        && !program.has_calls()
}

/// The rules that begin or end at some predicates.
fn around(program: &Program, predicates: &HashSet<PredicateId>) -> Vec<RuleId> {
    let rules = program.rules().iter().enumerate();
    let concerned = rules.filter(|(_, rule)| {
        let mut atoms = std::iter::once(&rule.head).chain(&rule.body);
        atoms.any(|atom| predicates.contains(&atom.predicate))
    });
    concerned.map(|(index, _)| RuleId::from_index(index)).collect()
}

/// Makes a step right by taking conjuncts away from where it leads; how many. Nothing if that cannot be.
fn weaken(
    program: &Program,
    certificate: &mut Certificate,
    fault: &StepFault,
    changed: &mut HashSet<PredicateId>,
) -> Option<usize> {
    let witness = fault.witness.as_ref()?;
    let goal = program.rule(fault.rule).body.first()?;
    if goal.predicate == PredicateId::ERROR {
        return None;
    }
    let terms = &certificate.terms;
    let parameters = &program.predicate(goal.predicate).parameters;
    let mut reached = Assignment::new();
    for (parameter, argument) in parameters.iter().zip(&goal.arguments) {
        reached.insert(*parameter, terms.evaluate(*argument, witness)?);
    }
    let is_false = |conjunct: &TermId| terms.holds(*conjunct, &reached) != Some(true);
    let invariants = &mut certificate.invariants;
    let invariant: &mut Invariant = invariants.iter_mut().find(|one| one.predicate == goal.predicate)?;
    let wrong = |disjunct: &Vec<TermId>| disjunct.iter().filter(|conjunct| is_false(conjunct)).count();
    let best = invariant.disjuncts.iter_mut().min_by_key(|disjunct| wrong(disjunct))?;
    let before = best.len();
    best.retain(|conjunct| !is_false(conjunct));
    let lost = before - best.len();
    if lost > 0 {
        changed.insert(goal.predicate);
    }
    Some(lost)
}
