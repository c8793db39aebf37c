//! From a closed search to evidence and reports: the certificate, the loop invariants for people, and the tree.

use super::memo::EntryId;
use super::outcome::LoopInvariant;
use super::search::Search;
use super::state::{State, Status};
use super::tree::{Ending, ExplorationTree, MarkedConstraint, TreeNode};
use crate::evidence::{Certificate, Invariant};
use crate::rules::PredicateId;
use crate::steps::OfferedCandidates;
use crate::steps::elimination::flatten;
use crate::steps::equalities::join_halves;
use crate::terms::{TermId, Terms};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

impl Search<'_> {
    /// The certificate of a closed tree: for each predicate the disjunction of the interpolants that the proof uses.
    pub fn certificate(&mut self, root: EntryId) -> Certificate {
        let used = self.used_entries(root, &HashMap::new());
        let mut entries: BTreeMap<PredicateId, Vec<(EntryId, Vec<TermId>)>> = BTreeMap::new();
        for id in used {
            let entry = self.memo.get(id);
            let literals = entry.requirement.literals.iter();
            let formulas = literals.map(|literal| literal.formula).collect();
            entries.entry(entry.predicate).or_default().push((id, formulas));
        }
        // Where a weaker entry does, neither the stronger one nor what only that uses has to be certified.
        let mut weaker = HashMap::new();
        for entries in entries.values_mut() {
            weaker.extend(weakest(entries));
        }
        let needed = self.used_entries(root, &weaker);
        let mut disjuncts: BTreeMap<PredicateId, Vec<Vec<TermId>>> = BTreeMap::new();
        for (predicate, entries) in entries {
            let needed = entries.into_iter().filter(|(id, _)| needed.contains(id));
            disjuncts.insert(predicate, needed.map(|(_, formulas)| formulas).collect());
        }
        let mut invariants = Vec::new();
        for index in 2..self.program.predicates().len() {
            let predicate = PredicateId::from_index(index);
            if !self.graph.reaches_error(predicate) {
                continue;
            }
            let weakest = disjuncts.remove(&predicate).unwrap_or_default();
            if weakest.iter().any(Vec::is_empty) {
                continue;
            }
            let disjuncts = weakest
                .iter()
                .map(|disjunct| join_halves(&mut self.terms, disjunct))
                .collect();
            invariants.push(Invariant { predicate, disjuncts });
        }
        Certificate {
            terms: self.terms.clone(),
            invariants,
            summaries: Vec::new(),
            induction_depth: 1,
        }
    }

    /// The entries that the proof of one uses, and so on, others being in the place of some.
    fn used_entries(&self, root: EntryId, replaced: &HashMap<EntryId, EntryId>) -> BTreeSet<EntryId> {
        let mut used = BTreeSet::new();
        let mut waiting = vec![root];
        while let Some(entry) = waiting.pop() {
            let entry = replaced.get(&entry).copied().unwrap_or(entry);
            if used.insert(entry) {
                waiting.extend(self.memo.get(entry).requirement.uses.iter().copied());
            }
        }
        used
    }

    /// What was learnt at loop headers, beside what was `known` already: each literal of each interpolant on its own.
    pub fn header_interpolants(&self, known: &OfferedCandidates) -> OfferedCandidates {
        let mut found = known.clone();
        for entry in self.memo.valid() {
            if self.graph.is_loop_header(entry.predicate) {
                for literal in &entry.requirement.literals {
                    found.offer(entry.predicate, literal.formula);
                }
            }
        }
        found
    }

    /// What the proof needs at each loop header, in the order in which the headers were closed.
    pub fn loop_invariants(&mut self, root: EntryId) -> Vec<LoopInvariant> {
        let used = self.used_entries(root, &HashMap::new());
        let mut invariants = Vec::new();
        for (state, entry) in self.closed_headers.clone() {
            if !used.contains(&entry) {
                continue;
            }
            let formulas: Vec<TermId> = self
                .memo
                .get(entry)
                .requirement
                .literals
                .iter()
                .map(|literal| literal.formula)
                .collect();
            let formulas = join_halves(&mut self.terms, &formulas);
            let locked = self.locked.get(&state).cloned().unwrap_or_default();
            let locked = join_halves(&mut self.terms, &locked);
            invariants.push(LoopInvariant {
                predicate: self.states[state.index()].predicate,
                formula: conjunction_text(&self.terms, &formulas),
                locked: locked
                    .iter()
                    .map(|formula| self.terms.display(*formula).to_string())
                    .collect(),
            });
        }
        invariants
    }

    /// The tree as it is now.
    pub fn tree(&mut self) -> ExplorationTree {
        let mut nodes = Vec::with_capacity(self.states.len());
        for index in 0..self.states.len() {
            let state = self.states[index].clone();
            let node = self.tree_node(&state);
            nodes.push(node);
        }
        ExplorationTree { nodes }
    }

    fn tree_node(&mut self, state: &State) -> TreeNode {
        let program = self.program;
        let parameters = &program.predicate(state.predicate).parameters;
        let arguments = match state.header {
            Some(_) => parameters,
            None => &state.incoming.arguments,
        };
        let arguments: Vec<String> = arguments
            .iter()
            .map(|term| self.terms.display(*term).to_string())
            .collect();
        let predicate = program.predicate(state.predicate);
        let parts: Vec<String> = predicate.point.clone().into_iter().chain(arguments).collect();
        // A state without a store of its own has no arguments to show.
        let unreached = matches!(state.status, Status::Infeasible | Status::Error | Status::SpuriousError);
        let goal = if parts.is_empty() || unreached {
            program.predicate_label(state.predicate)
        } else {
            format!("{}({})", predicate.name, parts.join(", "))
        };
        let rule = state.transition.map(|id| program.rule(self.transitions.get(id).rule));
        let added = match (state.status, state.parent, state.transition) {
            (Status::Infeasible | Status::Error | Status::SpuriousError, Some(source), Some(transition)) => {
                let store = self.outgoing(source);
                let substitution = self.instantiation(source, &store, transition);
                let guard = self.transitions.get(transition).guard.clone();
                let guard = self.terms.substitute_all(&guard, &substitution);
                flatten(&self.terms, &guard)
            }
            (_, Some(source), _) => {
                let known = self.outgoing(source).guards.len();
                let start = known.min(state.incoming.guards.len());
                state.incoming.guards.iter().skip(start).copied().collect()
            }
            _ => Vec::new(),
        };
        let header = state.header.as_ref().filter(|_| state.parent.is_some()).map(|header| {
            // What a cut has forgotten is true.
            let candidates = header.candidates.iter();
            let remembered = candidates.filter(|candidate| candidate.formula != TermId::TRUE);
            let marked = remembered.map(|candidate| MarkedConstraint {
                constraint: self.terms.display(candidate.formula).to_string(),
                mark: candidate.mark,
            });
            marked.collect()
        });
        let interpolant = match state.status {
            Status::Closed(entry) => {
                let literals = &self.memo.get(entry).requirement.literals;
                let formulas: Vec<TermId> = literals.iter().map(|literal| literal.formula).collect();
                let formulas = join_halves(&mut self.terms, &formulas);
                Some(conjunction_text(&self.terms, &formulas))
            }
            _ => None,
        };
        TreeNode {
            parent: state.parent.map(|parent| parent.index()),
            goal,
            predicate: program.predicate_label(state.predicate),
            rule: rule.map(|rule| program.rule_text(rule)).unwrap_or_default(),
            line: rule.and_then(|rule| rule.location).map(|location| location.line),
            added: added
                .iter()
                .map(|formula| self.terms.display(*formula).to_string())
                .collect(),
            header,
            ending: ending(state.status),
            interpolant,
        }
    }
}

fn ending(status: Status) -> Ending {
    match status {
        Status::Closed(_) => Ending::Closed,
        Status::Infeasible => Ending::Infeasible,
        Status::Terminal => Ending::Terminal,
        Status::CoveredByAncestor(by) => Ending::CoveredByAncestor { by: by.index() },
        Status::CoveredByMemo(by) => Ending::CoveredByMemo { by: by.index() },
        Status::SpuriousError => Ending::SpuriousError,
        Status::Error => Ending::Error,
        Status::Open | Status::Abandoned => Ending::Abandoned,
    }
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

fn conjunction_text(terms: &Terms, formulas: &[TermId]) -> String {
    if formulas.is_empty() {
        return "true".to_string();
    }
    let texts: Vec<String> = formulas
        .iter()
        .map(|formula| {
            let text = terms.display(*formula).to_string();
            let loose = terms.operator(*formula) == crate::terms::Operator::Or;
            if loose { format!("({text})") } else { text }
        })
        .collect();
    texts.join(", ")
}
