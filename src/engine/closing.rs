//! Closing a state when all its rules are explored: its interpolant goes into the memo table and its precondition to the
//! parent (seed 003, Fig. 2, lines 18 to 25). Closing a loop header also decides which candidates the proof needs.

use super::memo::EntryId;
use super::reduction::Reduct;
use super::requirement::{Literal, Purposes, Requirement};
use super::search::Search;
use super::state::{StateId, Status};
use super::tree::Mark;
use crate::steps::StopReason;
use crate::steps::{Target, TransitionId};
use crate::terms::TermId;
use hashbrown::HashSet;
use std::collections::BTreeSet;

/// How many entries of its target an infeasible transition is compared with.
const ENTRIES_TRIED: usize = 8;

impl Search<'_> {
    /// Settles the infeasible transitions of the top frame when all others are done. One that would lead to a place known to
    /// be safe need not stay infeasible; for the others it is recorded why they are. False if one has become feasible,
    /// because less is believed by now: then it is explored after all.
    pub fn settle_infeasible(&mut self) -> Result<bool, StopReason> {
        let Some(frame) = self.stack.last_mut() else {
            return Ok(true);
        };
        let source = frame.state;
        for transition in std::mem::take(&mut frame.infeasible) {
            if self.harmless_by_entry(transition) || self.add_infeasibility(source, transition).is_ok() {
                continue;
            }
            match self.reduce(source, transition) {
                Reduct::Infeasible => return Err(self.inexpressible(source)),
                Reduct::Feasible(..) => {
                    if let Some(frame) = self.stack.last_mut() {
                        frame.order.push(transition);
                    }
                }
            }
        }
        Ok(self.stack.last().is_none_or(|frame| frame.next == frame.order.len()))
    }

    /// Whether some entry says that the target of a transition is safe wherever the top frame's requirement, as it is,
    /// holds. Then that entry is used.
    fn harmless_by_entry(&mut self, transition: TransitionId) -> bool {
        let Target::Goal(target) = self.transitions.get(transition).target else {
            return false;
        };
        // A literal that nothing needs any more may have ceased to hold.
        let Some(frame) = self.stack.last() else {
            return false;
        };
        let literals = frame.requirement.literals.iter();
        let needed_here = literals.filter(|literal| !self.is_moot(&literal.purposes));
        let mut known: HashSet<TermId> = needed_here.map(|literal| literal.formula).collect();
        known.insert(TermId::TRUE);
        for entry in self.memo.newest_of(target, ENTRIES_TRIED) {
            let needed = self.memo.get(entry).requirement.clone();
            let mut preconditions = Vec::new();
            let mut all_known = true;
            for literal in needed.literals {
                if !self.is_moot(&literal.purposes) {
                    let formula = self.image(transition, target, literal.formula);
                    all_known = known.contains(&formula);
                    if !all_known {
                        break;
                    }
                    preconditions.push((formula, literal.purposes));
                }
            }
            if all_known {
                let Some(frame) = self.stack.last_mut() else {
                    return false;
                };
                for (formula, purposes) in preconditions {
                    frame.requirement.add(formula, &purposes);
                }
                frame.requirement.dependencies.extend(needed.dependencies);
                frame.requirement.uses.insert(entry);
                return true;
            }
        }
        false
    }

    /// Closes the top frame. Returns the entry if it was the query's, so that the tree is closed.
    pub fn close_top(&mut self) -> Result<Option<EntryId>, StopReason> {
        let Some(frame) = self.pop_frame() else {
            return Ok(None);
        };
        let state = frame.state;
        let mut requirement = frame.requirement;
        requirement.literals.retain(|literal| !self.is_moot(&literal.purposes));
        let entry = if self.states[state.index()].header.is_some() && state != StateId::ROOT {
            self.close_header(state, requirement)
        } else {
            self.memo
                .insert(state, self.states[state.index()].predicate, requirement)
        };
        self.states[state.index()].status = Status::Closed(entry);
        if !self.options.keep_tree {
            // Nothing reads a closed state's store again.
            self.states[state.index()].incoming.guards = im::Vector::new();
            self.states[state.index()].witness = None;
        }
        let data = &self.states[state.index()];
        let (Some(parent), Some(transition)) = (data.parent, data.transition) else {
            return Ok(Some(entry));
        };
        let mut passed_on = self.memo.get(entry).requirement.clone();
        passed_on.uses = BTreeSet::from([entry]);
        self.add_precondition(parent, transition, &passed_on)?;
        Ok(None)
    }

    /// Stores the interpolant of a loop header: the candidates that safety needs, those that re-establishing them needs, and
    /// so on. They are inductive, for the others only ever served themselves.
    fn close_header(&mut self, state: StateId, requirement: Requirement) -> EntryId {
        let header = self.states[state.index()].header.clone().unwrap_or_default();
        let mut positions = header.believed_positions();
        // Locked ones first: a minimal core keeps earlier ones.
        positions.sort_by_key(|position| header.candidates[*position].mark != Mark::Max);
        let formulas: Vec<TermId> = positions
            .iter()
            .map(|position| header.candidates[*position].formula)
            .collect();
        let mut purposes_of = vec![Purposes::default(); header.candidates.len()];
        let mut supports: Vec<Option<Vec<usize>>> = vec![None; requirement.literals.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (index, literal) in requirement.literals.iter().enumerate() {
                let effective = effective_purposes(literal, state, &purposes_of);
                if effective.is_empty() {
                    continue;
                }
                let support = match supports[index].take() {
                    Some(support) => support,
                    None => self.support(literal.formula, &positions, &formulas),
                };
                for position in &support {
                    let before = purposes_of[*position].clone();
                    purposes_of[*position].merge(&effective);
                    changed |= purposes_of[*position] != before;
                }
                supports[index] = Some(support);
            }
        }
        let mut interpolant = Requirement {
            literals: Vec::new(),
            dependencies: requirement.dependencies,
            uses: requirement.uses,
        };
        interpolant.dependencies.remove(&state);
        for (candidate, purposes) in header.candidates.iter().zip(&purposes_of) {
            if !purposes.is_empty() {
                interpolant.add(candidate.formula, purposes);
            }
        }
        if let Some(header) = self.states[state.index()].header.as_mut() {
            for (candidate, purposes) in header.candidates.iter_mut().zip(&purposes_of) {
                if !purposes.is_empty() {
                    candidate.mark = Mark::Max;
                }
            }
        }
        let entry = self
            .memo
            .insert(state, self.states[state.index()].predicate, interpolant);
        self.memo.discharge(state, entry, &purposes_of);
        self.closed_headers.push((state, entry));
        entry
    }

    /// Positions of a minimal set of candidates from which a literal follows; all of them if the solver does not know.
    fn support(&mut self, literal: TermId, positions: &[usize], formulas: &[TermId]) -> Vec<usize> {
        if let Some(index) = formulas.iter().position(|formula| *formula == literal) {
            return vec![positions[index]];
        }
        let negation = self.terms.not(literal);
        match self.solver.minimal_core(&self.terms, &[negation], formulas) {
            Some(core) => core.into_iter().map(|index| positions[index]).collect(),
            None => positions.to_vec(),
        }
    }
}

/// What a literal at a header is needed for, its own candidates' purposes put in for the candidates.
fn effective_purposes(literal: &Literal, header: StateId, purposes_of: &[Purposes]) -> Purposes {
    let mut effective = Purposes {
        safety: literal.purposes.safety,
        candidates: BTreeSet::new(),
    };
    for (state, position) in &literal.purposes.candidates {
        if *state != header {
            effective.candidates.insert((*state, *position));
        } else if let Some(served) = purposes_of.get(*position) {
            effective.merge(served);
        }
    }
    effective
}
