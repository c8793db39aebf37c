//! Requirements: what a closed subtree needs of a state, literal by literal, each with the purposes it serves.
//!
//! A literal is needed for *safety* if dropping it could revive a dead end. Inside a loop it may be needed only so that the
//! header's candidate *i* holds again; if that candidate is given up, or turns out not to matter, the literal goes too.
//! This is the formula side of seed 004's annotation vectors: a max mark that counts only if the candidate it serves is max.

use super::ids::{EntryId, StateId};
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

    /// Whether there is none.
    pub fn serve_nothing(&self) -> bool {
        !self.safety && self.candidates.is_empty()
    }

    /// The purposes when a header is closed: in the place of each of its candidates, what that candidate serves.
    pub fn discharged(&self, header: StateId, purposes_of: &[Purposes]) -> Purposes {
        let mut discharged = Purposes {
            safety: self.safety,
            candidates: BTreeSet::new(),
        };
        for (state, position) in &self.candidates {
            if *state != header {
                discharged.candidates.insert((*state, *position));
                continue;
            }
            debug_assert!(
                *position < purposes_of.len(),
                "a candidate that the header does not have"
            );
            match purposes_of.get(*position) {
                Some(served) => discharged.merge(served),
                // Of what nothing is known, everything may be needed.
                None => discharged.safety = true,
            }
        }
        discharged
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
    pub uses: BTreeSet<EntryId>,
}

impl Requirement {
    /// Adds a literal, merging purposes if the formula is there already.
    pub fn require(&mut self, formula: TermId, purposes: &Purposes) {
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

    /// Adds all that another one requires.
    pub fn require_all(&mut self, other: Requirement) {
        for literal in other.literals {
            self.require(literal.formula, &literal.purposes);
        }
        self.dependencies.extend(other.dependencies);
        self.uses.extend(other.uses);
    }

    /// The formulas of all literals.
    pub fn formulas(&self) -> Vec<TermId> {
        self.literals.iter().map(|literal| literal.formula).collect()
    }

    /// A header was closed as `entry`, which depends on `outer` headers: what rested on the header rests on these, and a
    /// literal that served one of its candidates serves what that candidate serves, as `purposes_of` says; if that is
    /// nothing, it is not required any more.
    pub fn discharge(&mut self, header: StateId, entry: EntryId, outer: &BTreeSet<StateId>, purposes_of: &[Purposes]) {
        self.dependencies.remove(&header);
        self.dependencies.extend(outer.iter().copied());
        self.uses.insert(entry);
        for literal in &mut self.literals {
            literal.purposes = literal.purposes.discharged(header, purposes_of);
        }
        self.literals.retain(|literal| !literal.purposes.serve_nothing());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::memo::Memo;
    use crate::rules::PredicateId;
    use crate::terms::{SortId, Terms};

    const OUTER: StateId = StateId::ROOT;

    fn header() -> StateId {
        StateId::after(7)
    }

    fn variables(terms: &mut Terms) -> [TermId; 3] {
        ["A", "B", "C"].map(|name| terms.fresh_variable(name, SortId::BOOL))
    }

    #[test]
    fn a_formula_is_required_once_for_all_its_purposes() {
        let mut terms = Terms::new();
        let [a, ..] = variables(&mut terms);
        let mut requirement = Requirement::default();
        requirement.require(TermId::TRUE, &Purposes::safety());
        requirement.require(a, &Purposes::candidate((header(), 1)));
        requirement.require(a, &Purposes::safety());
        assert_eq!(requirement.formulas(), [a]);
        let purposes = &requirement.literals[0].purposes;
        assert!(purposes.safety && purposes.candidates.contains(&(header(), 1)));
    }

    #[test]
    fn discharging_puts_what_a_candidate_serves_in_its_place() {
        let mut terms = Terms::new();
        let [a, b, c] = variables(&mut terms);
        let mut memo = Memo::default();
        let mut requirement = Requirement::default();
        requirement.dependencies.insert(header());
        // Candidate 0 serves safety, candidate 1 nothing, and candidate 2 a candidate of an outer header.
        requirement.require(a, &Purposes::candidate((header(), 0)));
        requirement.require(b, &Purposes::candidate((header(), 1)));
        requirement.require(c, &Purposes::candidate((header(), 2)));
        let dependent = memo.store(StateId::after(8), PredicateId::QUERY, requirement);
        let mut of_header = Requirement::default();
        of_header.dependencies.insert(OUTER);
        let entry = memo.store(header(), PredicateId::QUERY, of_header);
        let served = [Purposes::safety(), Purposes::default(), Purposes::candidate((OUTER, 4))];
        memo.discharge_dependents(header(), entry, &served);
        let requirement = &memo.entry(dependent).requirement;
        assert_eq!(requirement.formulas(), [a, c]);
        assert_eq!(requirement.literals[0].purposes, Purposes::safety());
        assert_eq!(requirement.literals[1].purposes, Purposes::candidate((OUTER, 4)));
        assert_eq!(requirement.dependencies, BTreeSet::from([OUTER]));
        assert_eq!(requirement.uses, BTreeSet::from([entry]));
        // The entry now falls with the outer header, and no longer with the closed one.
        memo.drop_dependents(header());
        assert!(memo.entry(dependent).valid);
        memo.drop_dependents(OUTER);
        assert!(!memo.entry(dependent).valid && memo.count(PredicateId::QUERY) == 0);
    }
}
