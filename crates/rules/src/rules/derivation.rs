//! Derivations: runs into the error, rule by rule, with a value for every variable.

use super::{Repetition, RuleId};
use crate::terms::{TermId, Value};

/// One rule application.
#[derive(Clone, Debug)]
pub struct Step {
    /// The rule of the program.
    pub rule: RuleId,
    /// A value for each variable of the rule, by ascending variable.
    pub values: Vec<(TermId, Value)>,
}

/// A run from a query into the error.
///
/// It refutes safety if the first rule is a query, every step's constraint holds under its values, the values of each body
/// are those of the next head, and the last body is the error. Of a body with several atoms, the first is derived first, to its
/// end; so the steps are those of a computation that keeps what is still to be derived on a stack.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The steps that are written down, in order.
    pub steps: Vec<Step>,
    /// Turns between them that are not, ascending by their places.
    pub repetitions: Vec<Repetition>,
}

impl Derivation {
    /// A derivation all of whose steps are written down.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::rules::Derivation;
    /// assert_eq!(Derivation::new(Vec::new()).length(), 0);
    /// ```
    pub fn new(steps: Vec<Step>) -> Derivation {
        Derivation {
            steps,
            repetitions: Vec::new(),
        }
    }

    /// How many steps there are, with those of the turns that are not written down; `u64::MAX` where that is no such number.
    pub fn length(&self) -> u64 {
        let repetitions = self.repetitions.iter();
        let left_out = repetitions.map(|repetition| repetition.times.saturating_mul(repetition.length as u64));
        left_out.fold(self.steps.len() as u64, u64::saturating_add)
    }
}
