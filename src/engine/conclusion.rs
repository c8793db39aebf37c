//! From a closed search to evidence and reports: the certificate, the loop invariants for people, and what another search may
//! use.

use super::frontier::Frontier;
use super::ids::{EntryId, StateId};
use super::kernel::Kernel;
use super::memo::Memo;
use super::outcome::LoopInvariant;
use crate::evidence::{Certificate, Invariant};
use crate::rules::PredicateId;
use crate::steps::OfferedCandidates;
use crate::steps::equalities::join_halves;
use crate::terms::{Operator, TermId, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// The certificate of a closed tree: for each predicate the disjunction of the interpolants that the proof uses.
pub(super) fn certificate(kernel: &mut Kernel, memo: &Memo, root: EntryId) -> Certificate {
    let mut of_predicate: BTreeMap<PredicateId, Vec<Vec<TermId>>> = BTreeMap::new();
    for entry in used_entries(memo, root) {
        let entry = memo.entry(entry);
        let disjuncts = of_predicate.entry(entry.predicate).or_default();
        disjuncts.push(entry.requirement.formulas());
    }
    let mut invariants = Vec::new();
    for index in 2..kernel.program.predicates().len() {
        let predicate = PredicateId::from_index(index);
        if !kernel.graph.reaches_error(predicate) {
            continue;
        }
        // A predicate of which the proof uses nothing is not reached: the empty disjunction.
        let disjuncts = of_predicate.remove(&predicate).into_iter().flatten().collect();
        let weakest = without_stronger(disjuncts);
        if weakest.iter().any(Vec::is_empty) {
            continue;
        }
        let disjuncts = weakest
            .iter()
            .map(|disjunct| join_halves(&mut kernel.terms, disjunct))
            .collect();
        invariants.push(Invariant { predicate, disjuncts });
    }
    Certificate {
        terms: kernel.terms.clone(),
        invariants,
        summaries: Vec::new(),
        induction_depth: 1,
    }
}

fn used_entries(memo: &Memo, root: EntryId) -> BTreeSet<EntryId> {
    let mut used = BTreeSet::new();
    let mut waiting = vec![root];
    while let Some(entry) = waiting.pop() {
        if used.insert(entry) {
            waiting.extend(memo.entry(entry).requirement.uses.iter().copied());
        }
    }
    used
}

/// What was learnt at loop headers, beside what was `known` already: each literal of each interpolant on its own.
pub(super) fn header_interpolants(kernel: &Kernel, memo: &Memo, known: &OfferedCandidates) -> OfferedCandidates {
    let mut found = known.clone();
    for entry in memo.valid() {
        if kernel.graph.is_loop_header(entry.predicate) {
            for literal in &entry.requirement.literals {
                found.offer(entry.predicate, literal.formula);
            }
        }
    }
    found
}

/// What the proof needs at each loop header, in the order in which the headers were closed.
pub(super) fn loop_invariants(
    kernel: &mut Kernel,
    frontier: &Frontier,
    memo: &Memo,
    root: EntryId,
) -> Vec<LoopInvariant> {
    let mut invariants = Vec::new();
    // Entries are numbered in the order of closing.
    for id in used_entries(memo, root) {
        let entry = memo.entry(id);
        let Some(annotation) = frontier
            .annotation(entry.state)
            .filter(|_| entry.state != StateId::ROOT)
        else {
            continue;
        };
        let formulas = join_halves(&mut kernel.terms, &entry.requirement.formulas());
        let locked = join_halves(&mut kernel.terms, annotation.locked());
        let locked = locked.iter().map(|formula| kernel.terms.display(*formula).to_string());
        invariants.push(LoopInvariant {
            predicate: entry.predicate,
            formula: conjunction_text(&kernel.terms, &formulas),
            locked: locked.collect(),
        });
    }
    invariants
}

/// Disjuncts of which no other is a subset: a subset is weaker, so the union is the same.
fn without_stronger(mut disjuncts: Vec<Vec<TermId>>) -> Vec<Vec<TermId>> {
    for disjunct in &mut disjuncts {
        disjunct.sort();
    }
    disjuncts.sort_by_key(Vec::len);
    let mut kept: Vec<Vec<TermId>> = Vec::new();
    for disjunct in disjuncts {
        let covered = |weaker: &Vec<TermId>| weaker.iter().all(|formula| disjunct.binary_search(formula).is_ok());
        if !kept.iter().any(covered) {
            kept.push(disjunct);
        }
    }
    kept
}

/// A conjunction in CLP syntax.
pub(super) fn conjunction_text(terms: &Terms, formulas: &[TermId]) -> String {
    if formulas.is_empty() {
        return "true".to_string();
    }
    let texts: Vec<String> = formulas
        .iter()
        .map(|formula| {
            let text = terms.display(*formula).to_string();
            let loose = terms.operator(*formula) == Operator::Or;
            if loose { format!("({text})") } else { text }
        })
        .collect();
    texts.join(", ")
}
