//! How much `fread`, `read` and their kin say that they have read: no more than they were asked for.

use super::{Checked, Semantics, Value};
use crate::program::{BinaryOperator, InstructionKind, Numeric};
use crate::syntax::{self, Span};
use crate::types::Types;

/// What a function that reads into memory returns.
pub(super) struct Limit {
    /// What it is asked for, in what its result counts.
    pub(super) most: Value,
    /// Whether -1 stands for a failure.
    may_fail: bool,
}

impl<'a> Semantics<'a, '_> {
    /// The limit of what a call of the function returns; `None` if nothing is known of it. (What `recv` returns may be more than
    /// there is room for.)
    pub(super) fn limit_of(&self, name: &str, arguments: &[Value]) -> Option<Limit> {
        let (position, may_fail) = match self.symbols.symbol(name) {
            "fread" | "fread_unlocked" => (2, false),
            "read" | "pread" | "pread64" | "readlink" => (2, true),
            "getrandom" => (1, true),
            _ => return None,
        };
        let most = arguments.get(position)?.clone();
        matches!(most.numeric, Numeric::Integer(_)).then_some(Limit { most, may_fail })
    }

    /// Assumes of a result that it is within its limit. A program that declares the function with another type of result means
    /// another function.
    pub(super) fn assume_limit(&mut self, result: &Value, limit: Limit, span: Span) -> Checked<()> {
        let size = self.types.size_type();
        match result.numeric {
            Numeric::Integer(kind) if kind.bits == size.bits && kind.signed == limit.may_fail => {}
            _ => return Ok(()),
        }
        let size = self.types.integer(size);
        let (count, most) = (self.convert(result.clone(), size), self.convert(limit.most, size));
        let mut is_within = self.binary(syntax::BinaryOperator::LessOrEqual, count, most, span)?;
        if limit.may_fail {
            let failed = self.int_constant(-1);
            let failed = self.binary(syntax::BinaryOperator::Equal, result.clone(), failed, span)?;
            is_within = self.operation(BinaryOperator::Or, is_within, failed, Types::INT);
        }
        self.emit(InstructionKind::Assume(is_within), span);
        Ok(())
    }
}
