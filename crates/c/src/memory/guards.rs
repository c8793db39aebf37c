//! What holds from a place in the program on: conditions that are checked, or end a run, each once as long as nothing changes it.

use super::{Context, Lowering, build};
use crate::definedness::is_checked;
use crate::flat::{Failure, FlatExpression, FlatInstructionKind, FlatTerminator, FlatVariable};
use crate::options::Undefined;
use crate::program::ErrorKind;
use hashbrown::HashSet;

/// What holds from a place in a block on.
#[derive(Clone)]
pub(super) struct Guard {
    kind: ErrorKind,
    condition: FlatExpression,
    /// The variables of the condition.
    reads: HashSet<FlatVariable>,
}

impl Guard {
    fn new(kind: ErrorKind, condition: FlatExpression) -> Guard {
        let mut reads = HashSet::new();
        condition.for_each_variable(&mut |variable| {
            reads.insert(variable);
        });
        Guard { kind, condition, reads }
    }
}

impl Lowering<'_> {
    /// From here on the condition holds: it is checked, or the run ends, or nothing, as the options say.
    pub(super) fn guard(&mut self, failure: impl Into<Failure>, condition: FlatExpression, context: Context<'_>) {
        let mut failure = failure.into();
        failure.written = self.written;
        let kind = failure.kind;
        let is_checked = is_checked(self.options.checks, kind);
        if !is_checked && self.options.undefined == Undefined::GoesOn {
            return;
        }
        if build::constant(&condition).is_some_and(|value| *value != 0.into()) {
            return;
        }
        let condition = context.if_evaluated(condition);
        let is_this = |guard: &Guard| guard.kind == kind && guard.condition == condition;
        if self.guards.iter().any(is_this) {
            return;
        }
        self.guards.push(Guard::new(kind, condition.clone()));
        if !is_checked {
            self.push(FlatInstructionKind::Defined(condition));
            return;
        }
        // An error of its own for each guard: it has its own place and values.
        let error = self.add_block(FlatTerminator::Error(failure));
        let next = self.add_block(FlatTerminator::Stop);
        self.end(FlatTerminator::Branch {
            condition,
            then: next,
            otherwise: error,
        });
        self.current = next;
    }

    /// The variables change: of what is said of them, nothing is known to hold any more.
    pub(super) fn forget_guards(&mut self, changed: &[FlatVariable]) {
        let is_read = |guard: &Guard| changed.iter().any(|variable| guard.reads.contains(variable));
        self.guards.retain(|guard| !is_read(guard));
    }
}
