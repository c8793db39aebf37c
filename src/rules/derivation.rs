//! Derivations: runs into the error, rule by rule, with a value for every variable.

use super::RuleId;
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
    /// The steps, in order.
    pub steps: Vec<Step>,
}
