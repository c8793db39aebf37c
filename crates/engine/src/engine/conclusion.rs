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
use crate::terms::TermId;
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The certificate of a closed tree: for each predicate the disjunction of the interpolants that the proof uses.
pub(super) fn certificate(kernel: &mut Kernel, memo: &Memo, root: EntryId) -> Certificate {
    let mut of_predicate: BTreeMap<PredicateId, Vec<(EntryId, Vec<TermId>)>> = BTreeMap::new();
    for id in used_entries(memo, root, &HashMap::new()) {
        let entry = memo.entry(id);
        let entries = of_predicate.entry(entry.predicate).or_default();
        entries.push((id, entry.requirement.formulas()));
    }
    // Where a weaker entry does, neither the stronger one nor what only that uses has to be certified.
    let mut weaker = HashMap::new();
    for entries in of_predicate.values_mut() {
        weaker.extend(weakest(entries));
    }
    let needed = used_entries(memo, root, &weaker);
    let mut invariants = Vec::new();
    for index in 2..kernel.program.predicates().len() {
        let predicate = PredicateId::from_index(index);
        if !kernel.graph.reaches_error(predicate) {
            continue;
        }
        // A predicate of which the proof uses nothing is not reached: the empty disjunction.
        let mut disjuncts = of_predicate.remove(&predicate).unwrap_or_default();
        disjuncts.retain(|(id, _)| needed.contains(id));
        if disjuncts.iter().any(|(_, disjunct)| disjunct.is_empty()) {
            continue;
        }
        let disjuncts = disjuncts
            .iter()
            .map(|(_, disjunct)| join_halves(&mut kernel.terms, disjunct))
            .collect();
        invariants.push(Invariant { predicate, disjuncts });
    }
    Certificate::new(kernel.terms.clone(), invariants)
}

/// The entries that the proof of one uses, and so on, others being in the place of some.
fn used_entries(memo: &Memo, root: EntryId, replaced: &HashMap<EntryId, EntryId>) -> BTreeSet<EntryId> {
    let mut used = BTreeSet::new();
    let mut waiting = vec![root];
    while let Some(entry) = waiting.pop() {
        let entry = replaced.get(&entry).copied().unwrap_or(entry);
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
    for id in used_entries(memo, root, &HashMap::new()) {
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
            formula: kernel.terms.conjunction_text(&formulas),
            locked: locked.collect(),
        });
    }
    invariants
}

/// For each entry that demands all that another demands, that other one; the shortest come first in `entries` then. Where two
/// demand the same, the older one stays.
fn weakest(entries: &mut [(EntryId, Vec<TermId>)]) -> HashMap<EntryId, EntryId> {
    for (_, formulas) in entries.iter_mut() {
        formulas.sort();
        formulas.dedup();
    }
    entries.sort_by_key(|(id, formulas)| (formulas.len(), *id));
    let mut replaced = HashMap::new();
    let mut without_formulas = None;
    // What is kept, by the smallest of its formulas: a stronger one has to have that, too.
    let mut kept: HashMap<TermId, Vec<usize>> = HashMap::new();
    for (position, (id, formulas)) in entries.iter().enumerate() {
        let weaker = |candidate: &&usize| {
            let mut demanded = entries[**candidate].1.iter();
            demanded.all(|formula| formulas.binary_search(formula).is_ok())
        };
        let mut candidates = formulas.iter().filter_map(|formula| kept.get(formula)).flatten();
        let weaker = without_formulas.or_else(|| candidates.find(weaker).map(|weaker| entries[*weaker].0));
        match (weaker, formulas.first()) {
            (Some(weaker), _) => {
                replaced.insert(*id, weaker);
            }
            (None, Some(first)) => kept.entry(*first).or_default().push(position),
            (None, None) => without_formulas = Some(*id),
        }
    }
    replaced
}
