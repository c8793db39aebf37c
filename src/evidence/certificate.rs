//! Certificates: inductive invariants, one for each predicate, that exclude the error.

use crate::rules::PredicateId;
use crate::terms::{TermId, Terms};

/// What holds whenever a predicate is reached: a disjunction of conjunctions over the predicate's parameters.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// The predicate.
    pub predicate: PredicateId,
    /// The disjuncts, each a list of conjuncts. No disjunct at all means that the predicate is never reached.
    pub disjuncts: Vec<Vec<TermId>>,
}

/// A proof that no query derives the error.
///
/// It proves the program safe if every query's constraint implies the invariant of its goal, every rule leads from the
/// invariant of its head into that of its body, and no rule leads from an invariant to the error. A predicate that has no
/// entry has the invariant true.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The program's terms, and after them those of the invariants; the program's ids are valid in it.
    pub terms: Terms,
    /// The invariants, by ascending predicate.
    pub invariants: Vec<Invariant>,
}
