//! Counters with a value: where a condition leaves one number of iterations only, or where a number is tried. With it, quantifiers
//! over few iterations can be written out.

use super::context::Context;
use super::state::{Condition, Conjunct, Quantified, State};
use crate::terms::{Comparison, Substitution, TermId};
use num_bigint::BigInt;
use num_traits::{One, Signed};

impl Context<'_> {
    /// The only value that the bounds in a condition leave for a counter.
    pub fn only_value(&self, condition: &Condition, counter: TermId) -> Option<BigInt> {
        let (mut lower, mut upper): (Option<BigInt>, Option<BigInt>) = (None, None);
        for fact in &condition.facts {
            let Some(atom) = self.terms.linear_atom(*fact) else {
                continue;
            };
            let [(only, coefficient)] = &atom.form.terms[..] else {
                continue;
            };
            if *only != counter || !coefficient.abs().is_one() || atom.comparison == Comparison::Less {
                continue;
            }
            let bound = (-&atom.form.constant / coefficient).to_integer();
            let equal = atom.comparison == Comparison::Equal;
            if equal || coefficient.is_positive() {
                upper = Some(upper.map_or_else(|| bound.clone(), |upper| upper.min(bound.clone())));
            }
            if equal || coefficient.is_negative() {
                lower = Some(lower.map_or_else(|| bound.clone(), |lower| lower.max(bound.clone())));
            }
        }
        lower.filter(|lower| Some(lower) == upper.as_ref())
    }

    /// The state with a value for a counter.
    pub fn with_counter(&mut self, state: &State, counter: TermId, value: &BigInt) -> State {
        let number = self.terms.integer(value.clone());
        let mut substitution = Substitution::new();
        substitution.insert(&self.terms, counter, number);
        let is_number = self.terms.equal(counter, number);
        let mut fixed = state.clone();
        fixed.memory = self.terms.substitute_all(&state.memory, &substitution);
        let mut condition = Condition::default();
        condition.facts.push_back(is_number);
        for fact in &state.condition.facts {
            let fact = self.terms.substitute(*fact, &substitution);
            if fact != TermId::TRUE && !condition.facts.contains(&fact) {
                condition.facts.push_back(fact);
            }
        }
        for quantified in &state.condition.residual {
            let quantified = Quantified {
                variable: quantified.variable,
                bound: self.terms.substitute(quantified.bound, &substitution),
                body: self.terms.substitute_all(&quantified.body, &substitution),
            };
            self.assume_for_all(&mut condition, quantified);
        }
        condition.written = state.condition.written.clone();
        condition.written.push_back(Conjunct::Plain(is_number));
        fixed.condition = condition;
        fixed
    }
}
