//! What is evaluated although nothing is made of it, because what it is a part of is not translated: the checks of arithmetic in it
//! remain. Those of accesses are undecided there (`undecided_access`).

use super::{Context, Lowering};
use crate::definedness::{check_of, has_check};
use crate::flat::FlatExpression;
use crate::program::{ErrorKind, Expression, ExpressionKind, Numeric, Place, PlaceBase, PlaceStep};
use crate::types::TypeId;

impl Lowering<'_> {
    /// Keeps the checks in an operand.
    pub(super) fn keep_checks(&mut self, expression: &Expression<Place>, context: Context<'_>) {
        if !self.options.checks.arithmetic() {
            return;
        }
        match (&expression.kind, expression.numeric) {
            (ExpressionKind::Read(place), Numeric::Aggregate) => self.keep_checks_of_place(place, context),
            _ => {
                let value = self.expression(expression, context);
                self.keep_checks_of_value(&value, context);
            }
        }
    }

    /// An operation that is not translated. It cannot be checked either.
    pub(super) fn unsupported_operation(
        &mut self,
        what: &str,
        operation: &Expression<Place>,
        context: Context<'_>,
    ) -> FlatExpression {
        if let Some(kind) = check_of(operation, self.options.checks) {
            self.undecided(kind, what, context);
        }
        self.unsupported(what.to_string(), operation.numeric, operation.c_type)
    }

    /// An address that is not calculated. Whether it is still one in the same object cannot be checked either.
    pub(super) fn unsupported_address(&mut self, what: &str, kind: TypeId, context: Context<'_>) -> FlatExpression {
        self.undecided(ErrorKind::PointerArithmetic, what, context);
        self.unsupported(what.to_string(), Numeric::Pointer, kind)
    }

    /// Keeps the checks in what says where a place is.
    pub(super) fn keep_checks_of_place(&mut self, place: &Place, context: Context<'_>) {
        if let PlaceBase::Dereference(pointer) = &place.base {
            self.keep_checks(pointer, context);
        }
        for step in &place.steps {
            if let PlaceStep::Index(index) = step {
                self.keep_checks(index, context);
            }
        }
    }

    /// Keeps the checks in a value that has been calculated already.
    pub(super) fn keep_checks_of_value(&mut self, value: &FlatExpression, context: Context<'_>) {
        if has_check(value, self.options.checks) {
            self.hoisted(value.clone(), context, "evaluated");
        }
    }
}
