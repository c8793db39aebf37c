//! States: goals with their constraint stores (seed 004, section on preliminaries; seed 003, symbolic states).
//!
//! A store is a *cut* and the guards collected since. The cut is a loop header (or the query): it stands for the candidate
//! constraints over the header's parameters that are not marked min. A state's arguments are terms over the parameters of
//! its cut and over local variables, as in a symbolic store; so an assignment needs no constraint until the next cut.

use super::annotation::Annotation;
use super::ids::{EntryId, StateId};
use crate::rules::PredicateId;
use crate::steps::TransitionId;
use crate::terms::{Assignment, TermId};
use std::sync::Arc;

/// A store and the arguments of a goal over it.
#[derive(Clone, Debug)]
pub(super) struct Store {
    /// The state whose annotation begins the store.
    pub cut: StateId,
    /// What the rules since the cut demanded.
    pub guards: im::Vector<TermId>,
    /// The goal's arguments.
    pub arguments: Vec<TermId>,
    /// How many local variables are in use since the cut.
    pub locals: u32,
}

impl Store {
    /// The store in which a cut's own reducts begin: nothing but what is believed there.
    pub fn at_cut(cut: StateId, parameters: &[TermId]) -> Store {
        Store {
            cut,
            guards: im::Vector::new(),
            arguments: parameters.to_vec(),
            locals: 0,
        }
    }
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

/// A goal with its store.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The state it was reduced from and the transition that did it; `None` for the query.
    pub origin: Option<(StateId, TransitionId)>,
    /// The goal's predicate.
    pub predicate: PredicateId,
    /// The store in which the goal was reached.
    pub incoming: Store,
    /// What makes it a cut: then the states below start from what it believes instead of `incoming`.
    pub annotation: Option<Annotation>,
    /// Values of the predicate's parameters that the store allows, if the solver gave some.
    pub witness: Option<Arc<Assignment>>,
    /// How it ended.
    pub status: Status,
    /// Its distance from the query.
    pub depth: u32,
}
