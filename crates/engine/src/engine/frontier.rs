//! The frontier: all states made so far, the stack of those whose rules are being explored, and the loop headers among these.
//!
//! Nothing else puts states on the stack or takes them off it; a conflict is a value that the search hands to
//! [`Frontier::unwind_to`].

use super::annotation::{Annotation, Lock};
use super::ids::StateId;
use super::requirement::{Purposes, Requirement};
use super::state::{State, Status, Store};
use crate::rules::{PredicateId, Program};
use crate::steps::{StopReason, TransitionId};
use crate::terms::{Assignment, TermId, Terms};
use hashbrown::HashMap;
use std::sync::Arc;

/// A state whose rules are being explored.
pub(super) struct Frame {
    /// The state.
    pub state: StateId,
    /// Its rules, in the order of exploration.
    pub rules: Vec<TransitionId>,
    /// How many of them are done.
    pub next: usize,
    /// What the finished ones need.
    pub requirement: Requirement,
    /// Those that were found infeasible; what keeps them from mattering is settled when all others are done.
    pub infeasible: Vec<TransitionId>,
}

/// A state on its way into the frontier: what its reduction says of it.
pub(super) struct Reached {
    /// The goal's predicate.
    pub predicate: PredicateId,
    /// The store in which it was reached.
    pub incoming: Store,
    /// Values of the predicate's parameters that the store allows, if some are known.
    pub witness: Option<Arc<Assignment>>,
    /// How it ended, or that it has not.
    pub status: Status,
}

/// The states of a search, and where on them it stands.
pub(super) struct Frontier {
    states: Vec<State>,
    stack: Vec<Frame>,
    /// The open visits of each loop header on the current derivation, the nearest last.
    open_headers: HashMap<PredicateId, Vec<StateId>>,
}

impl Frontier {
    /// The query alone, a cut at which `annotation` says what is believed; it is not on the stack yet.
    pub fn at_query(annotation: Annotation) -> Frontier {
        let query = State {
            origin: None,
            predicate: PredicateId::QUERY,
            incoming: Store::at_cut(StateId::ROOT, &[]),
            annotation: Some(annotation),
            witness: Some(Arc::new(Assignment::new())),
            status: Status::Open,
            depth: 0,
        };
        Frontier {
            states: vec![query],
            stack: Vec::new(),
            open_headers: HashMap::new(),
        }
    }

    /// A state.
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    /// All states, in the order in which they were made.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The goal that is being explored.
    pub fn top(&self) -> Option<&Frame> {
        self.stack.last()
    }

    /// The current derivation, the query first.
    pub fn derivation(&self) -> &[Frame] {
        &self.stack
    }

    /// Adds a state that was reached from `source`.
    pub fn add(&mut self, source: StateId, transition: TransitionId, reached: Reached) -> StateId {
        let id = StateId::after(self.states.len());
        self.states.push(State {
            origin: Some((source, transition)),
            predicate: reached.predicate,
            incoming: reached.incoming,
            annotation: None,
            witness: reached.witness,
            status: reached.status,
            depth: self.state(source).depth + 1,
        });
        id
    }

    /// Says how a state ended.
    pub fn end(&mut self, state: StateId, status: Status) {
        self.states[state.index()].status = status;
    }

    /// Forgets the store of a closed state: nothing but the tree reads it again.
    pub fn release_store(&mut self, state: StateId) {
        let state = &mut self.states[state.index()];
        state.incoming.guards = im::Vector::new();
        state.witness = None;
    }

    /// Makes a state a cut.
    pub fn cut(&mut self, state: StateId, annotation: Annotation) {
        self.states[state.index()].annotation = Some(annotation);
    }

    /// Puts a state on the stack with the rules to be explored.
    pub fn descend(&mut self, state: StateId, rules: Vec<TransitionId>, is_header: bool) {
        if is_header {
            let predicate = self.state(state).predicate;
            self.open_headers.entry(predicate).or_default().push(state);
        }
        self.stack.push(Frame {
            state,
            rules,
            next: 0,
            requirement: Requirement::default(),
            infeasible: Vec::new(),
        });
    }

    /// The goal on top and the rule that it is to be reduced by next; `None` when all are done.
    pub fn next_rule(&mut self) -> Option<(StateId, TransitionId)> {
        let frame = self.stack.last_mut()?;
        let rule = *frame.rules.get(frame.next)?;
        frame.next += 1;
        Some((frame.state, rule))
    }

    /// A rule of the goal on top is infeasible; whether that matters is settled later.
    pub fn postpone(&mut self, rule: TransitionId) {
        debug_assert!(!self.stack.is_empty());
        if let Some(frame) = self.stack.last_mut() {
            frame.infeasible.push(rule);
        }
    }

    /// Takes the rules of the goal on top that were infeasible.
    pub fn take_infeasible(&mut self) -> Vec<TransitionId> {
        self.stack
            .last_mut()
            .map_or_else(Vec::new, |frame| std::mem::take(&mut frame.infeasible))
    }

    /// A rule of the goal on top that was infeasible has to be explored after all.
    pub fn reopen(&mut self, rule: TransitionId) {
        debug_assert!(!self.stack.is_empty());
        if let Some(frame) = self.stack.last_mut() {
            frame.rules.push(rule);
        }
    }

    /// Adds to what the goal on top requires.
    pub fn require_of_top(&mut self, requirement: Requirement) {
        debug_assert!(!self.stack.is_empty());
        if let Some(frame) = self.stack.last_mut() {
            frame.requirement.require_all(requirement);
        }
    }

    /// Takes the goal on top off the stack.
    pub fn leave_top(&mut self) -> Option<Frame> {
        let frame = self.stack.pop()?;
        self.close_visit(frame.state);
        Some(frame)
    }

    /// Takes everything above a header off the stack and begins with its rules anew: what was abandoned, the newest first.
    pub fn unwind_to(&mut self, header: StateId) -> Vec<StateId> {
        let mut abandoned = Vec::new();
        while let Some(frame) = self.stack.last_mut() {
            if frame.state == header {
                frame.next = 0;
                frame.requirement = Requirement::default();
                frame.infeasible.clear();
                break;
            }
            let state = frame.state;
            self.stack.pop();
            self.close_visit(state);
            self.end(state, Status::Abandoned);
            abandoned.push(state);
        }
        abandoned
    }

    /// Leaves a header without abstraction: its store goes on, and every visit of the loop from here is a state of its own.
    fn remove_cut(&mut self, header: StateId) {
        self.states[header.index()].annotation = None;
        self.close_visit(header);
    }

    fn close_visit(&mut self, state: StateId) {
        let predicate = self.state(state).predicate;
        if let Some(open) = self.open_headers.get_mut(&predicate)
            && open.last() == Some(&state)
        {
            open.pop();
        }
    }

    /// The open visits of a loop header on the current derivation, the nearest last.
    pub fn looping_parents(&self, predicate: PredicateId) -> &[StateId] {
        self.open_headers.get(&predicate).map_or(&[], Vec::as_slice)
    }

    /// What is annotated at a state, if it is a cut.
    pub fn annotation(&self, state: StateId) -> Option<&Annotation> {
        self.state(state).annotation.as_ref()
    }

    /// The annotation of a state, to be changed by its own methods.
    pub fn annotation_mut(&mut self, state: StateId) -> Option<&mut Annotation> {
        self.states[state.index()].annotation.as_mut()
    }

    /// A header learns of a conflict.
    pub fn learn(&mut self, terms: &mut Terms, header: StateId, lesson: &Lock) -> Result<(), StopReason> {
        let Some(annotation) = self.annotation_mut(header) else {
            return Err(StopReason::Internal("a conflict at a goal that is no cut".to_string()));
        };
        annotation.learn(terms, lesson);
        if *lesson == Lock::WholeStore {
            self.remove_cut(header);
        }
        Ok(())
    }

    /// The store from which a state's own reducts start.
    pub fn outgoing(&self, program: &Program, id: StateId) -> Store {
        let state = self.state(id);
        match state.annotation {
            None => state.incoming.clone(),
            Some(_) => Store::at_cut(id, &program.predicate(state.predicate).parameters),
        }
    }

    /// What is believed of a store: what its cut believes, and its guards (the min interpretation).
    pub fn believed(&self, store: &Store) -> Vec<TermId> {
        let annotation = self.annotation(store.cut);
        let candidates = annotation.into_iter().flat_map(Annotation::believed);
        candidates.chain(store.guards.iter().copied()).collect()
    }

    /// Whether something still needs what serves these purposes: safety, or a candidate that is not given up.
    pub fn is_needed(&self, purposes: &Purposes) -> bool {
        let is_believed = |(state, position): &(StateId, usize)| {
            // What serves a header of which nothing is known may be needed.
            self.annotation(*state)
                .is_none_or(|annotation| annotation.is_believed(*position))
        };
        purposes.safety || purposes.candidates.iter().any(is_believed)
    }

    /// The formulas of a requirement that are still needed.
    pub fn needed_formulas(&self, requirement: &Requirement) -> Vec<TermId> {
        let needed = requirement
            .literals
            .iter()
            .filter(|literal| self.is_needed(&literal.purposes));
        needed.map(|literal| literal.formula).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::annotation::Equalities;
    use crate::engine::kernel::tests::with_kernel;

    #[test]
    fn unwinding_abandons_what_is_above_a_header_and_closes_its_visits() {
        with_kernel("?- p(0). p(X) :- X < 9, p(X + 1). p(X) :- X > 9, error.", |kernel| {
            let predicate = PredicateId::from_index(2);
            let rule = kernel.transitions.of(predicate)[0];
            let mut frontier = Frontier::at_query(Annotation::new(Equalities::Whole));
            frontier.descend(StateId::ROOT, vec![rule], false);
            let mut visits = Vec::new();
            for _ in 0..3 {
                let source = frontier.top().expect("a goal").state;
                let reached = Reached {
                    predicate,
                    incoming: Store::at_cut(source, kernel.parameters(predicate)),
                    witness: None,
                    status: Status::Open,
                };
                let state = frontier.add(source, rule, reached);
                frontier.cut(state, Annotation::new(Equalities::Whole));
                frontier.descend(state, vec![rule], true);
                visits.push(state);
            }
            assert_eq!(frontier.looping_parents(predicate), visits);
            assert_eq!(frontier.next_rule(), Some((visits[2], rule)));
            assert_eq!(frontier.next_rule(), None);
            assert_eq!(frontier.unwind_to(visits[1]), [visits[2]]);
            assert_eq!(frontier.state(visits[2]).status, Status::Abandoned);
            assert_eq!(frontier.looping_parents(predicate), &visits[..2]);
            // A header that is no cut any more is no looping parent, and leaving it takes nobody else off the list.
            let lesson = frontier.learn(&mut kernel.terms, visits[1], &Lock::WholeStore);
            assert!(lesson.is_ok() && frontier.annotation(visits[1]).is_none());
            assert_eq!(frontier.looping_parents(predicate), &visits[..1]);
            frontier.leave_top();
            assert_eq!(frontier.looping_parents(predicate), &visits[..1]);
            let again = frontier.learn(&mut kernel.terms, visits[1], &Lock::Nothing);
            assert!(matches!(again, Err(StopReason::Internal(_))));
        });
    }
}
