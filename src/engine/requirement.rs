//! Requirements: what a closed subtree needs of a state, literal by literal, each with the purposes it serves.
//!
//! A literal is needed for *safety* if dropping it could revive a dead end. Inside a loop it may be needed only so that the
//! header's candidate *i* holds again; if that candidate is given up, or turns out not to matter, the literal goes too.
//! This is the formula side of seed 004's annotation vectors: a max mark that counts only if the candidate it serves is max.

use super::state::StateId;
use crate::terms::TermId;
use std::collections::BTreeSet;

/// A candidate of a header: the header's state and the position in its annotation vector.
pub(super) type CandidateId = (StateId, usize);

/// What a literal is needed for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Purposes {
    /// To keep dead ends dead, whatever happens to any header.
    pub safety: bool,
    /// To re-establish these candidates.
    pub candidates: BTreeSet<CandidateId>,
}

impl Purposes {
    /// For safety.
    pub fn safety() -> Purposes {
        Purposes {
            safety: true,
            candidates: BTreeSet::new(),
        }
    }

    /// To re-establish one candidate.
    pub fn candidate(id: CandidateId) -> Purposes {
        Purposes {
            safety: false,
            candidates: BTreeSet::from([id]),
        }
    }

    /// Adds the purposes of another literal.
    pub fn merge(&mut self, other: &Purposes) {
        self.safety |= other.safety;
        self.candidates.extend(other.candidates.iter().copied());
    }

    /// Whether nothing needs it.
    pub fn is_empty(&self) -> bool {
        !self.safety && self.candidates.is_empty()
    }
}

/// A formula over a predicate's parameters, and why it must hold.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    /// The formula.
    pub formula: TermId,
    /// What it is needed for.
    pub purposes: Purposes,
}

/// The literals that a state must satisfy, the headers that this rests on, and the memo entries it was derived from.
#[derive(Clone, Debug, Default)]
pub(super) struct Requirement {
    /// The literals, no formula twice, in the order in which they were found.
    pub literals: Vec<Literal>,
    /// Open headers to which some path below returns.
    pub dependencies: BTreeSet<StateId>,
    /// Entries that the proof of this state uses.
    pub uses: BTreeSet<super::memo::EntryId>,
}

impl Requirement {
    /// Adds a literal, merging purposes if the formula is there already.
    pub fn add(&mut self, formula: TermId, purposes: &Purposes) {
        if formula == TermId::TRUE {
            return;
        }
        match self.literals.iter_mut().find(|literal| literal.formula == formula) {
            Some(literal) => literal.purposes.merge(purposes),
            None => self.literals.push(Literal {
                formula,
                purposes: purposes.clone(),
            }),
        }
    }
}
