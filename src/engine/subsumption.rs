//! Covering a new goal: by a memo entry or by a looping parent, without giving anything up if possible, otherwise by marking
//! header candidates min (seed 003, SUBSUMED and NONPATHINV).
//!
//! Marking a candidate min weakens every state below the header at once, because stores read the header's marks. What was
//! closed below must still be closed: the requirements gathered on the derivation are asked again, and if one no longer
//! follows, the header is explored anew under the weaker beliefs (a *revision*). Memo entries survive that: what they say
//! does not depend on what the header believes.

use super::memo::EntryId;
use super::requirement::{Literal, Purposes, Requirement};
use super::search::Search;
use super::state::{State, StateId, Status};
use super::tree::Mark;
use crate::solver::Answer;
use crate::terms::{Substitution, TermId};
use std::collections::BTreeSet;

/// How many looping parents are tried, the nearest first, and how many memo entries that a witness does not refute. Both
/// only bound the work at one goal: a goal that is not covered is explored.
const ATTEMPTS: usize = 8;

impl Search<'_> {
    /// Covers a goal if it can: what the covering requires of it. A goal may also end abandoned, if covering it made a
    /// header start anew.
    pub fn try_to_cover(&mut self, state: StateId) -> Option<Requirement> {
        if let Some(entry) = self.covering_entry(state) {
            return Some(self.cover_by_entry(state, entry));
        }
        let predicate = self.states[state.index()].predicate;
        let entries = self.memo.newest_of(predicate, ATTEMPTS);
        let open = self.looping_parents(predicate).iter().rev().copied();
        let parents: Vec<StateId> = match self.policy.abstracts() {
            true => open.take(ATTEMPTS).collect(),
            // Without candidates there is nothing that could hold again.
            false => Vec::new(),
        };
        for parent in &parents {
            let unrefuted = self.candidates_refuted_by_witness(state, *parent).is_empty();
            if unrefuted && self.candidates_that_fail(state, *parent).is_empty() {
                return Some(self.cover_by_ancestor(state, *parent));
            }
        }
        for parent in &parents {
            match self.give_up_for_ancestor(state, *parent) {
                Attempt::Covered => return Some(self.cover_by_ancestor(state, *parent)),
                Attempt::Restarted => return None,
                Attempt::Failed => {}
            }
        }
        for entry in entries {
            match self.give_up_for_entry(state, entry) {
                Attempt::Covered => return Some(self.cover_by_entry(state, entry)),
                Attempt::Restarted => return None,
                Attempt::Failed => {}
            }
        }
        None
    }

    fn cover_by_entry(&mut self, state: StateId, entry: EntryId) -> Requirement {
        self.statistics.subsumed_by_memo += 1;
        self.states[state.index()].status = Status::CoveredByMemo(self.memo.get(entry).state);
        let mut requirement = self.memo.get(entry).requirement.clone();
        requirement.literals.retain(|literal| !self.is_moot(&literal.purposes));
        requirement.uses = BTreeSet::from([entry]);
        requirement
    }

    fn cover_by_ancestor(&mut self, state: StateId, parent: StateId) -> Requirement {
        self.statistics.subsumed_by_ancestor += 1;
        self.states[state.index()].status = Status::CoveredByAncestor(parent);
        let mut requirement = Requirement::default();
        requirement.dependencies.insert(parent);
        if let Some(header) = &self.states[parent.index()].header {
            for position in header.believed_positions() {
                requirement.add(
                    header.candidates[position].formula,
                    &Purposes::candidate((parent, position)),
                );
            }
        }
        requirement
    }

    /// Whether nothing needs a literal any more, because it only served candidates that were given up.
    pub fn is_moot(&self, purposes: &Purposes) -> bool {
        is_moot(&self.states, purposes)
    }

    fn required_formulas(&self, literals: &[Literal]) -> Vec<TermId> {
        let needed = literals.iter().filter(|literal| !self.is_moot(&literal.purposes));
        needed.map(|literal| literal.formula).collect()
    }

    /// The newest of the entries whose literals all hold at a goal, unless too many only seem to.
    pub fn covering_entry(&mut self, state: StateId) -> Option<EntryId> {
        let goal = &self.states[state.index()];
        let entries = match &goal.witness {
            Some(witness) => {
                let is_false = |formula| self.terms.holds(formula, witness) == Some(false);
                let is_moot = |purposes: &Purposes| is_moot(&self.states, purposes);
                self.memo.unrefuted(goal.predicate, is_false, is_moot)
            }
            None => self.memo.newest_of(goal.predicate, ATTEMPTS),
        };
        for entry in entries.into_iter().take(ATTEMPTS) {
            // There may be a hundred literals in each.
            if self.budget.interruption().is_some() {
                return None;
            }
            let formulas = self.required_formulas(&self.memo.get(entry).requirement.literals);
            if self.formulas_that_fail(state, &formulas).is_empty() {
                return Some(entry);
            }
        }
        None
    }

    fn is_refuted_by_witness(&self, state: StateId, mut formulas: impl Iterator<Item = TermId>) -> bool {
        formulas.any(|formula| self.is_false_here(state, formula))
    }

    /// Whether a formula over a goal's parameters is false for its witness.
    fn is_false_here(&self, state: StateId, formula: TermId) -> bool {
        let witness = self.states[state.index()].witness.as_ref();
        witness.is_some_and(|witness| self.terms.holds(formula, witness) == Some(false))
    }

    /// Positions in `formulas`, which are over the goal's parameters, of those that do not follow from the goal's store as it
    /// was reached. What the solver does not know fails.
    pub fn formulas_that_fail(&mut self, state: StateId, formulas: &[TermId]) -> Vec<usize> {
        let mut failing: Vec<usize> = (0..formulas.len())
            .filter(|position| self.is_false_here(state, formulas[*position]))
            .collect();
        let mut open: Vec<usize> = (0..formulas.len())
            .filter(|position| !failing.contains(position))
            .collect();
        let store = self.states[state.index()].incoming.clone();
        let believed = self.believed(&store);
        let parameters = &self.program.predicate(self.states[state.index()].predicate).parameters;
        let substitution = Substitution::of(&self.terms, parameters, &store.arguments);
        let instances = self.terms.substitute_all(formulas, &substitution);
        open.retain(|position| instances[*position] != TermId::TRUE && !believed.contains(&instances[*position]));
        // All at once; a model refutes several together, and the rest is asked again.
        while !open.is_empty() {
            let open_formulas: Vec<TermId> = open.iter().map(|position| instances[*position]).collect();
            let conjunction = self.terms.and(&open_formulas);
            let negation = self.terms.not(conjunction);
            let (answer, model) = self
                .solver
                .check_values(&self.terms, &believed, &[negation], &[negation]);
            if answer == Answer::Unsatisfiable {
                break;
            }
            let before = open.len();
            if let Some(model) = model.filter(|_| answer == Answer::Satisfiable) {
                let (false_here, rest) = open
                    .iter()
                    .partition(|position| self.terms.holds(instances[**position], &model) == Some(false));
                failing.extend::<Vec<usize>>(false_here);
                open = rest;
            }
            if open.len() == before {
                // No model to learn from: one by one.
                for position in std::mem::take(&mut open) {
                    if !self.entails(&believed, instances[position]) {
                        failing.push(position);
                    }
                }
            }
        }
        failing.sort_unstable();
        failing
    }

    /// Positions of the believed candidates of a looping parent that the goal's witness refutes: no query is needed.
    fn candidates_refuted_by_witness(&self, state: StateId, parent: StateId) -> Vec<usize> {
        let witness = self.states[state.index()].witness.as_ref();
        let (Some(witness), Some(header)) = (witness, &self.states[parent.index()].header) else {
            return Vec::new();
        };
        let refuted = |position: &usize| self.terms.holds(header.candidates[*position].formula, witness) == Some(false);
        header.believed_positions().into_iter().filter(refuted).collect()
    }

    /// Positions of the believed candidates of a looping parent that do not hold again at a goal.
    fn candidates_that_fail(&mut self, state: StateId, parent: StateId) -> Vec<usize> {
        let Some(header) = &self.states[parent.index()].header else {
            return Vec::new();
        };
        let positions = header.believed_positions();
        let formulas: Vec<TermId> = positions
            .iter()
            .map(|position| header.candidates[*position].formula)
            .collect();
        let failing = self.formulas_that_fail(state, &formulas);
        failing.into_iter().map(|position| positions[position]).collect()
    }

    /// Marks min what does not hold again, until the rest holds together (Houdini's fixpoint); not if one of them is max.
    fn give_up_for_ancestor(&mut self, state: StateId, parent: StateId) -> Attempt {
        let saved = self.states[parent.index()].header.clone();
        let refuted = self.candidates_refuted_by_witness(state, parent);
        if !self.mark_min(parent, &refuted) {
            return Attempt::Failed;
        }
        loop {
            let failing = self.candidates_that_fail(state, parent);
            if failing.is_empty() {
                break;
            }
            if !self.mark_min(parent, &failing) {
                self.states[parent.index()].header = saved;
                return Attempt::Failed;
            }
        }
        self.validate(state, parent)
    }

    /// Marks candidates min; false, and nothing changed, if one of them is max.
    fn mark_min(&mut self, header: StateId, positions: &[usize]) -> bool {
        let Some(header) = self.states[header.index()].header.as_mut() else {
            return false;
        };
        if positions
            .iter()
            .any(|position| header.candidates[*position].mark == Mark::Max)
        {
            return false;
        }
        for position in positions {
            header.candidates[*position].mark = Mark::Min;
        }
        true
    }

    /// Gives up the candidates that the failing literals of an entry serve, if they serve nothing else and belong to one open
    /// header (seed 003, example 3: the covered path is not executed to its end, so what it changes counts as changed).
    fn give_up_for_entry(&mut self, state: StateId, entry: EntryId) -> Attempt {
        let entry = self.memo.get(entry);
        if !entry.valid || entry.requirement.dependencies.is_empty() {
            return Attempt::Failed;
        }
        // What safety needs cannot be given up, and a point where it is false is known without a query. That settles most.
        let literals = entry.requirement.literals.iter();
        let needed_for_safety = literals.clone().filter(|literal| literal.purposes.safety);
        if self.is_refuted_by_witness(state, needed_for_safety.map(|literal| literal.formula)) {
            return Attempt::Failed;
        }
        let literals: Vec<Literal> = literals
            .filter(|literal| !self.is_moot(&literal.purposes))
            .cloned()
            .collect();
        let formulas: Vec<TermId> = literals.iter().map(|literal| literal.formula).collect();
        let failing = self.formulas_that_fail(state, &formulas);
        let mut served = BTreeSet::new();
        for position in failing {
            if literals[position].purposes.safety {
                return Attempt::Failed;
            }
            served.extend(literals[position].purposes.candidates.iter().copied());
        }
        let headers: BTreeSet<StateId> = served.iter().map(|(header, _)| *header).collect();
        let [header] = headers.into_iter().collect::<Vec<StateId>>()[..] else {
            return Attempt::Failed;
        };
        let positions: Vec<usize> = served.into_iter().map(|(_, position)| position).collect();
        let saved = self.states[header.index()].header.clone();
        if !self.mark_min(header, &positions) {
            return Attempt::Failed;
        }
        // The goal itself believes less now.
        let formulas = self.required_formulas(&literals);
        if !self.formulas_that_fail(state, &formulas).is_empty() {
            self.states[header.index()].header = saved;
            return Attempt::Failed;
        }
        self.validate(state, header)
    }

    /// After candidates of `header` were given up: covered if everything on the derivation still follows, otherwise the
    /// header starts anew and the goal is abandoned.
    fn validate(&mut self, state: StateId, header: StateId) -> Attempt {
        if self.derivation_still_valid(header) {
            return Attempt::Covered;
        }
        self.states[state.index()].status = Status::Abandoned;
        self.revise(header);
        Attempt::Restarted
    }

    /// Forgets those of an inner cut's given-up candidates that its store no longer implies: a restart must not believe them
    /// again.
    fn forget_stale_candidates(&mut self, cut: StateId) {
        let Some(header) = &self.states[cut.index()].header else {
            return;
        };
        let given_up = |position: &usize| !header.is_believed(*position);
        let positions: Vec<usize> = (0..header.candidates.len()).filter(given_up).collect();
        let formulas: Vec<TermId> = positions
            .iter()
            .map(|position| header.candidates[*position].formula)
            .collect();
        let failing = self.formulas_that_fail(cut, &formulas);
        if let Some(header) = self.states[cut.index()].header.as_mut() {
            for index in failing {
                header.candidates[positions[index]].formula = TermId::TRUE;
            }
        }
    }

    fn derivation_still_valid(&mut self, header: StateId) -> bool {
        let Some(first) = self.stack.iter().position(|frame| frame.state == header) else {
            return false;
        };
        for index in first..self.stack.len() {
            let state = self.stack[index].state;
            if index > first && self.states[state.index()].header.is_some() {
                // An inner cut was made from beliefs that may be gone.
                let candidates: Vec<TermId> = self.states[state.index()]
                    .header
                    .iter()
                    .flat_map(|header| header.believed())
                    .collect();
                if !self.formulas_that_fail(state, &candidates).is_empty() {
                    return false;
                }
                self.forget_stale_candidates(state);
            }
            let formulas = self.required_formulas(&self.stack[index].requirement.literals);
            let store = self.outgoing(state);
            let believed = self.believed(&store);
            let parameters = &self.program.predicate(self.states[state.index()].predicate).parameters;
            let substitution = Substitution::of(&self.terms, parameters, &store.arguments);
            let instances = self.terms.substitute_all(&formulas, &substitution);
            let conjunction = self.terms.and(&instances);
            if !self.entails(&believed, conjunction) {
                return false;
            }
        }
        true
    }
}

/// Whether nothing needs a literal any more, because it only served candidates that were given up.
fn is_moot(states: &[State], purposes: &Purposes) -> bool {
    let believed = |(state, position): &(StateId, usize)| {
        let header = states[state.index()].header.as_ref();
        header.is_some_and(|header| header.is_believed(*position))
    };
    !purposes.safety && !purposes.candidates.iter().any(believed)
}

/// What came of an attempt to cover a goal by giving something up.
enum Attempt {
    /// It is covered.
    Covered,
    /// A header starts anew; the goal is gone.
    Restarted,
    /// It is not covered, and nothing changed.
    Failed,
}
