//! Derivations of calls as trees, and a derivation of the program as the sequence of all their steps.

use crate::evidence::Step;
use crate::rules::{PredicateId, RuleId};
use crate::terms::{TermId, Value};
use std::rc::Rc;

/// Trees share their parts, so a small tree may have any number of steps. Longer derivations are not written down.
pub(super) const MOST_STEPS: usize = 1_000_000;

/// A predicate with values for its arguments.
pub(super) type Call = (PredicateId, Vec<Value>);

/// How a call comes back.
#[derive(Debug)]
pub(super) struct Tree {
    /// The values of the call's arguments.
    pub arguments: Vec<Value>,
    /// The rule applied.
    pub rule: RuleId,
    /// The values of its variables.
    pub values: Vec<(TermId, Value)>,
    /// How the atoms of its body come back, in order.
    pub parts: Vec<Rc<Tree>>,
    /// How many steps the tree has.
    pub steps: usize,
}

impl Tree {
    /// The steps, each before those of its parts.
    pub fn write(self: &Rc<Tree>, steps: &mut Vec<Step>) {
        let mut waiting = vec![self.clone()];
        while let Some(tree) = waiting.pop() {
            steps.push(Step {
                rule: tree.rule,
                values: tree.values.clone(),
            });
            waiting.extend(tree.parts.iter().rev().cloned());
        }
    }
}
