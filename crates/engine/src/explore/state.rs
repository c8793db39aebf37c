//! Symbolic states (seed 002, sections 2 and 3.1): a location, a symbolic memory, and a path condition, which may have counters
//! of loop iterations as parameters and universal quantifiers over the iterations.
//!
//! A path condition is kept twice: as it was written, for people, and solved, for the solver: with the quantifiers eliminated
//! wherever that is exact.

use crate::rules::PredicateId;
use crate::terms::TermId;

/// Where a symbolic state is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Location {
    /// At a predicate.
    Predicate(PredicateId),
    /// At the error.
    Error,
    /// At the end of a run.
    End,
}

/// `∀τ (0 ≤ τ < bound → body)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Quantified {
    /// τ; an integer variable of its own.
    pub variable: TermId,
    /// What τ stays below.
    pub bound: TermId,
    /// The conjuncts.
    pub body: Vec<TermId>,
}

/// A conjunct of a path condition as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Conjunct {
    /// Without quantifier.
    Plain(TermId),
    /// With a quantifier.
    ForAll(Quantified),
}

/// A path condition.
#[derive(Clone, Debug, Default)]
pub(super) struct Condition {
    /// As it was written.
    pub written: im::Vector<Conjunct>,
    /// The conjuncts without quantifiers, and what the eliminated quantifiers came to.
    pub facts: im::Vector<TermId>,
    /// The quantifiers that could not be eliminated.
    pub residual: im::Vector<Quantified>,
}

/// A symbolic state.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Where it is.
    pub location: Location,
    /// A term over the symbols for each parameter of the predicate.
    pub memory: Vec<TermId>,
    /// What the symbols satisfy.
    pub condition: Condition,
    /// The counters of the templates on the way, in order.
    pub counters: im::Vector<TermId>,
    /// How many symbols of each name there are, so that each gets a name of its own.
    pub names: im::HashMap<String, u32>,
}

impl State {
    /// The initial state, at the query.
    pub fn initial() -> State {
        State {
            location: Location::Predicate(PredicateId::QUERY),
            memory: Vec::new(),
            condition: Condition::default(),
            counters: im::Vector::new(),
            names: im::HashMap::new(),
        }
    }

    /// A name for a new symbol on this path: the wanted one, with a number if it is taken.
    pub fn fresh_name(&mut self, wanted: &str) -> String {
        let wanted = if wanted.is_empty() { "_" } else { wanted };
        let count = self.names.get(wanted).copied().unwrap_or(0) + 1;
        self.names.insert(wanted.to_string(), count);
        match count {
            1 => wanted.to_string(),
            _ => format!("{wanted}{}", subscript(count)),
        }
    }
}

/// A number in small digits below the line.
pub(super) fn subscript(number: u32) -> String {
    let digit = |digit: char| {
        let value = digit.to_digit(10).unwrap_or(0);
        char::from_u32(0x2080 + value).unwrap_or(digit)
    };
    number.to_string().chars().map(digit).collect()
}

/// A number in small digits above the line.
pub(super) fn superscript(number: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |digit: char| digit.to_digit(10).and_then(|value| DIGITS.get(value as usize)).copied();
    number.to_string().chars().filter_map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let mut state = State::initial();
        let names: Vec<String> = ["n", "n", "m", "n"].iter().map(|name| state.fresh_name(name)).collect();
        assert_eq!(names, ["n", "n₂", "m", "n₃"]);
        assert_eq!(subscript(120), "₁₂₀");
    }
}
