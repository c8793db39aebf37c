//! Certificates made of symbolic states (seed 002, sections 2 and 3): a closed tree of compact symbolic execution, written down so
//! that it can be checked without being grown again.
//!
//! A [`SymbolicState`] describes the states of one predicate that its symbols stand for, the counters κ of templates among them.
//! For each rule the certificate says which descriptions it leads into, and which values the symbols have there: one more
//! iteration is `κ + 1`. So nothing has to be found, and the checker proves, rule by rule, that these values are right. What a
//! path condition says of *all* iterations is concluded for any one of them, and relied on for some.
//!
//! `form` says what makes sense, `conditions` what has to be proved.

mod conditions;
mod form;
#[cfg(test)]
mod tests;

pub(super) use conditions::SymbolicConditions;
pub(super) use form::check_form;

use crate::rules::{PredicateId, Program, RuleId, Stacked};
use crate::terms::TermId;
use std::borrow::Cow;

/// The program that symbolic states describe: of one with calls, which is well formed, the one with these on a stack.
pub(super) fn subject(program: &Program) -> Cow<'_, Program> {
    match program.has_calls() && program.validate().is_ok() {
        true => Cow::Owned(Stacked::new(program).into_program()),
        false => Cow::Borrowed(program),
    }
}

/// Some states of a predicate: those with arguments `memory` for values of the symbols that satisfy the condition.
#[derive(Clone, Debug)]
pub struct SymbolicState {
    /// The predicate.
    pub predicate: PredicateId,
    /// Variables of its own, none of them in the program.
    pub symbols: Vec<TermId>,
    /// The symbolic memory: for each parameter of the predicate a term over the symbols.
    pub memory: Vec<TermId>,
    /// The path condition's conjuncts without quantifiers, over the symbols.
    pub condition: Vec<TermId>,
    /// Those with quantifiers.
    pub quantified: Vec<ForAll>,
    /// Where the rules lead from here.
    pub successors: Successors,
}

/// `∀τ (0 ≤ τ < bound → body)`, or without a bound `∀τ body`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForAll {
    /// τ, a variable of its own; an integer if there is a bound.
    pub variable: TermId,
    /// What τ stays below, over the symbols.
    pub bound: Option<TermId>,
    /// The conjuncts, over the symbols and τ.
    pub body: Vec<TermId>,
}

/// Where the rules of its predicate lead from a symbolic state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Successors {
    /// Each into one of the descriptions that are listed for it. A rule that has none in the list cannot be applied, or leads
    /// to what never reaches the error.
    Steps(Vec<SymbolicStep>),
    /// All states are also in another description, which has steps.
    Within(Inclusion),
}

/// A description that a rule leads into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolicStep {
    /// The rule.
    pub rule: RuleId,
    /// The description, with values over the symbols of the state and the variables of the rule.
    pub into: Inclusion,
}

/// A description, and values for its symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inclusion {
    /// Its position in the certificate.
    pub state: usize,
    /// A term for each of its symbols.
    pub values: Vec<TermId>,
}
