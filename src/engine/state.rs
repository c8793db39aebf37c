//! States: goals with their constraint stores, and loop headers with their annotated candidates (seed 004, section on annotations).
//!
//! A store is a *cut* and the guards collected since. The cut is a loop header (or the query): it stands for the candidate
//! constraints over the header's parameters that are not marked min. A state's arguments are terms over the parameters of
//! its cut and over local variables, as in a symbolic store; so an assignment needs no constraint until the next cut.

use super::memo::EntryId;
use super::tree::Mark;
use crate::rules::PredicateId;
use crate::steps::TransitionId;
use crate::terms::{Assignment, TermId};
use std::sync::Arc;

/// The id of a state in the order of creation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct StateId(u32);

impl StateId {
    /// The query.
    pub const ROOT: StateId = StateId(0);

    /// The id of the state made after `count` others.
    pub fn after(count: usize) -> StateId {
        StateId(count as u32)
    }

    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A store and the arguments of a goal over it.
#[derive(Clone, Debug)]
pub(super) struct Store {
    /// The state whose header begins the store.
    pub cut: StateId,
    /// What the rules since the cut demanded.
    pub guards: im::Vector<TermId>,
    /// The goal's arguments.
    pub arguments: Vec<TermId>,
    /// How many local variables are in use since the cut.
    pub locals: u32,
}

/// How a state ended, or that it has not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    /// On the current derivation.
    Open,
    /// All its rules were explored.
    Closed(EntryId),
    /// Its store is unsatisfiable.
    Infeasible,
    /// Nothing below can be the error.
    Terminal,
    /// Covered by a looping parent.
    CoveredByAncestor(StateId),
    /// Covered by an interpolant of this state.
    CoveredByMemo(StateId),
    /// The error, but spurious.
    SpuriousError,
    /// The error.
    Error,
    /// Given up by a restart.
    Abandoned,
}

/// A candidate for the invariant of a loop: an entry of the annotation vector.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// A formula over the header's parameters that holds at the header's first visit.
    pub formula: TermId,
    /// Max: locked. Min: given up. Neutral: believed until something speaks against it.
    pub mark: Mark,
    /// The other half, if this is half of a slackened equality.
    pub partner: Option<usize>,
}

/// The annotated state of a loop header.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    /// The annotation vector; positions never change.
    pub candidates: Vec<Candidate>,
}

impl Header {
    /// What exploration believes here: the candidates that are not min, locked ones first (the min interpretation).
    pub fn believed(&self) -> impl Iterator<Item = TermId> + '_ {
        let with = |mark: Mark| {
            let marked = self.candidates.iter().filter(move |candidate| candidate.mark == mark);
            marked.map(|candidate| candidate.formula)
        };
        with(Mark::Max).chain(with(Mark::Neutral))
    }

    /// Whether a candidate is still believed.
    pub fn is_believed(&self, position: usize) -> bool {
        self.candidates
            .get(position)
            .is_some_and(|candidate| candidate.mark != Mark::Min)
    }

    /// Positions of the candidates that are believed.
    pub fn believed_positions(&self) -> Vec<usize> {
        (0..self.candidates.len())
            .filter(|position| self.is_believed(*position))
            .collect()
    }
}

/// A goal with its store.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The state it was reduced from; `None` for the query.
    pub parent: Option<StateId>,
    /// The transition that reduced it.
    pub transition: Option<TransitionId>,
    /// The goal's predicate.
    pub predicate: PredicateId,
    /// The store in which the goal was reached.
    pub incoming: Store,
    /// What makes it a cut: then the states below start from its candidates instead of `incoming`.
    pub header: Option<Header>,
    /// Values of the predicate's parameters that the store allows, if the solver gave some.
    pub witness: Option<Arc<Assignment>>,
    /// How it ended.
    pub status: Status,
    /// Its distance from the query.
    pub depth: u32,
}
