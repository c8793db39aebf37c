//! Whether all that was allocated has been freed when the program ends (`--check cleanup`): a variable that nobody sees counts
//! what is allocated and not freed yet. That only what was allocated is freed, and once, is told where memory is laid out;
//! runs that do otherwise have ended there.

use super::names::is_stream;
use super::storage::FirstValue;
use super::{Semantics, Value};
use crate::program::{
    BinaryOperator, Callee, ErrorKind, ExpressionKind, InstructionKind, Place, Terminator, UnknownSource, VariableRole,
};
use crate::syntax::Span;
use crate::types::{IntegerType, TypeId, Types};

/// The name under which the variable is shown.
const NAME: &str = "not_freed";

impl Semantics<'_, '_> {
    /// The variable is there when globals get their first values.
    pub(super) fn prepare_cleanup(&mut self, span: Span) {
        if self.options.checks.cleanup {
            self.count_place(span);
        }
    }

    /// Something has been allocated.
    pub(super) fn count_allocated(&mut self, span: Span) {
        if self.options.checks.cleanup {
            let one = self.int_constant(1);
            self.count_by(BinaryOperator::Add, one, span);
        }
    }

    /// What the pointer points to is freed, if it is not null.
    pub(super) fn count_freed(&mut self, pointer: &Value, span: Span) {
        if self.options.checks.cleanup {
            let null = self.constant(0, pointer.c_type);
            let is_some = self.operation(BinaryOperator::NotEqual, pointer.clone(), null, Types::INT);
            self.count_by(BinaryOperator::Subtract, is_some, span);
        }
    }

    /// A function without a body may have freed what it knows of, be it that it gets pointers or finds some elsewhere.
    pub(super) fn may_have_freed(&mut self, callee: &Callee, knows: bool, span: Span) {
        if self.options.checks.cleanup && (knows || self.shares_pointers()) {
            let what = match callee {
                Callee::Function(function) => format!("what `{}` frees", self.function(*function).name),
                Callee::Address(_) => "what a function frees".to_string(),
            };
            let (target, _) = self.count_place(span);
            let source = UnknownSource::NotCalculated(what);
            self.emit(InstructionKind::Unknown { target, source }, span);
        }
    }

    /// The program ends here.
    pub(super) fn check_cleanup(&mut self, span: Span) {
        if !self.options.checks.cleanup {
            return;
        }
        let (place, kind) = self.count_place(span);
        let count = self.typed(ExpressionKind::Read(place), kind);
        let (left, done) = (self.state.graph.new_block(), self.state.graph.new_block());
        self.branch_on(count, left, done, span);
        self.state.graph.resume(left);
        self.state.graph.terminate(Terminator::Error(ErrorKind::NotFreed), span);
        self.state.graph.resume(done);
    }

    fn count_by(&mut self, operator: BinaryOperator, number: Value, span: Span) {
        let (place, kind) = self.count_place(span);
        let before = self.typed(ExpressionKind::Read(place.clone()), kind);
        let number = self.convert(number, kind);
        let after = self.operation(operator, before, number, kind);
        self.emit_assign(place, after, span);
    }

    /// Whether the file declares pointers of other files, through which they may get at the program's memory.
    fn shares_pointers(&self) -> bool {
        let mut variables = self.initialized.iter();
        variables.any(|(id, first)| {
            let variable = self.variable(*id);
            *first == FirstValue::Elsewhere && !is_stream(&variable.name) && self.holds_pointer(variable.kind)
        })
    }

    /// The variable, which is a global and so zero at first, and its type: no run allocates as often as that has numbers.
    fn count_place(&mut self, span: Span) -> (Place, TypeId) {
        let kind = self.types.integer(IntegerType { bits: 64, signed: true });
        let variable = match self.not_freed {
            Some(variable) => variable,
            None => {
                let variable = self.add_variable(NAME, kind, VariableRole::Global, span);
                self.not_freed = Some(variable);
                variable
            }
        };
        (self.variable_place(variable), kind)
    }
}
