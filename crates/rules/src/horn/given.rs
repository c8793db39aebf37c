//! A script as it is given: its clauses as rules, which clause became which rule, and what it asks. What a solver answers with,
//! a model or a proof, is about the predicates and clauses of the text, which the rules are made of.

use super::generics::Spelling;
use super::questions::Questions;
use crate::rules::{Atom, Location, PredicateId, Program};
use hashbrown::HashMap;

/// A predicate that the text declares, and what became of it.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// The predicate of the rules that carries its name. It is reached from the facts.
    pub predicate: PredicateId,
    /// Whether all clauses that conclude it are rules that reach it; if not, none is, and nothing depends on it in this way.
    pub is_reached: bool,
    /// The predicate of the rules that derives it where it is called.
    pub called: Option<PredicateId>,
}

/// Which way a clause is run as a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From one of its premises, or from the query, by calls of the others, to its conclusion, the last atom of the rule's body.
    Forward,
    /// From its conclusion, the head of the rule, to its premises.
    Backward,
}

/// Where a rule comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The clause, from 0, in the order of the text.
    pub clause: usize,
    /// The assertion that the clause is a part of.
    pub location: Option<Location>,
    /// Which way it is run.
    pub direction: Direction,
}

/// The clauses of a text as rules, which may have several atoms.
#[derive(Clone, Debug)]
pub struct Clauses {
    /// The rules.
    pub program: Program,
    /// The declared predicates, in the order of the text.
    pub declared: Vec<Declared>,
    /// Where each rule comes from.
    pub origins: Vec<Origin>,
    /// What the text asks.
    pub questions: Questions,
    /// How the text writes what it has no name for.
    pub spelling: Spelling,
}

impl Clauses {
    /// An atom of a rule as the text has it: with the declared predicate in the place of the one that is called.
    pub fn declared_atom(&self, atom: &Atom) -> Atom {
        let callers: HashMap<PredicateId, PredicateId> = self
            .declared
            .iter()
            .filter_map(|declared| Some((declared.called?, declared.predicate)))
            .collect();
        Atom {
            predicate: callers.get(&atom.predicate).copied().unwrap_or(atom.predicate),
            arguments: atom.arguments.clone(),
        }
    }
}
