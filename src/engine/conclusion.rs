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
use std::collections::{BTreeMap, BTreeSet};

impl Search<'_> {
    /// The certificate of a closed tree: for each predicate the disjunction of the interpolants that the proof uses.
    pub fn certificate(&mut self, root: EntryId) -> Certificate {
        let mut disjuncts: BTreeMap<PredicateId, Vec<Vec<TermId>>> = BTreeMap::new();
        for entry in self.used_entries(root) {
            let entry = self.memo.get(entry);
            let formulas: Vec<TermId> = entry
                .requirement
                .literals
                .iter()
                .map(|literal| literal.formula)
                .collect();
            disjuncts.entry(entry.predicate).or_default().push(formulas);
        }
        let mut invariants = Vec::new();
        for index in 2..self.program.predicates().len() {
            let predicate = PredicateId::from_index(index);
            if !self.graph.reaches_error(predicate) {
                continue;
            }
            let weakest = without_stronger(disjuncts.remove(&predicate).unwrap_or_default());
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

    fn used_entries(&self, root: EntryId) -> BTreeSet<EntryId> {
        let mut used = BTreeSet::new();
        let mut waiting = vec![root];
        while let Some(entry) = waiting.pop() {
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
        let used = self.used_entries(root);
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
