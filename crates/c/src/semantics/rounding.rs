//! The direction in which numbers are rounded, where the program may change it (`fesetround`): a variable that nobody sees, with
//! the numbers that the headers for x86 have for directions. `rint` and its kin go by it. Other operations that round are
//! refused while it is another one than the nearest number's ([`Program::rounding`](crate::program::Program::rounding)).

use super::known_calls::Arguments;
use super::{Checked, Semantics, Value};
use crate::program::{
    BinaryOperator, ExpressionKind, InstructionKind, Place, UnaryOperator, UnknownSource, VariableRole,
};
use crate::syntax::Span;
use crate::terms::{FloatOperator, Rounding};
use crate::types::{TypeId, Types};

/// The name under which the variable is shown.
const NAME: &str = "rounding_direction";

/// `FE_TONEAREST`, `FE_DOWNWARD`, `FE_UPWARD` and `FE_TOWARDZERO`.
const DIRECTIONS: [(i32, Rounding); 4] = [
    (0, Rounding::NearestEven),
    (0x400, Rounding::Down),
    (0x800, Rounding::Up),
    (0xc00, Rounding::TowardZero),
];

impl<'a> Semantics<'a, '_> {
    /// The program may change the direction.
    pub(super) fn follow_rounding(&mut self) {
        self.rounding = Some(self.add_variable(NAME, Types::INT, VariableRole::Global, Span::default()));
    }

    fn direction(&self) -> Option<Place> {
        self.rounding.map(|variable| self.variable_place(variable))
    }

    /// The number as an integer, in the direction that is set; to the nearest one if none ever is.
    pub(super) fn rounded(&mut self, number: Value, kind: TypeId, span: Span) -> Value {
        let Some(direction) = self.direction() else {
            return self.rounded_in(Rounding::NearestEven, number, kind);
        };
        let number = self.float_kept(number, span);
        let direction = self.typed(ExpressionKind::Read(direction), Types::INT);
        let mut result = self.rounded_in(Rounding::TowardZero, number.clone(), kind);
        for (code, rounding) in DIRECTIONS.into_iter().rev().skip(1) {
            let one = self.rounded_in(rounding, number.clone(), kind);
            let code = self.int_constant(code);
            let is_set = self.operation(BinaryOperator::Equal, direction.clone(), code, Types::INT);
            let choice = ExpressionKind::Conditional(Box::new(is_set), Box::new(one), Box::new(result));
            result = self.typed(choice, kind);
        }
        result
    }

    pub(super) fn rounded_in(&self, rounding: Rounding, number: Value, kind: TypeId) -> Value {
        let operator = UnaryOperator::Float(FloatOperator::RoundToIntegral(rounding));
        self.typed(ExpressionKind::Unary(operator, Box::new(number)), kind)
    }

    /// `fesetround`: zero if there is such a direction, and else something else.
    pub(super) fn set_direction(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let wanted = self.first_argument(name, arguments, span)?;
        let wanted = self.convert_implicitly(wanted, Types::INT, span)?;
        let wanted = self.saved(wanted, span);
        let wanted = self.typed(ExpressionKind::Read(wanted), Types::INT);
        let mut is_known = self.int_constant(0);
        for (code, _) in DIRECTIONS {
            let code = self.int_constant(code);
            let is_this = self.operation(BinaryOperator::Equal, wanted.clone(), code, Types::INT);
            is_known = self.operation(BinaryOperator::Or, is_known, is_this, Types::INT);
        }
        let result = self.temporary(Types::INT, span);
        let (known, other, join) = self.three_blocks();
        self.branch_on(is_known, known, other, span);
        self.state.graph.resume(known);
        if let Some(direction) = self.direction() {
            self.emit_assign(direction, wanted, span);
        }
        let zero = self.int_constant(0);
        self.emit_assign(result.clone(), zero, span);
        self.state.graph.goto(join, span);
        self.state.graph.resume(other);
        let source = UnknownSource::NotCalculated(format!("the result of a `{name}` that fails"));
        let failure = self.unknown_value(Types::INT, source, span);
        self.emit(InstructionKind::Assume(failure.clone()), span);
        self.emit_assign(result.clone(), failure, span);
        self.state.graph.goto(join, span);
        self.state.graph.resume(join);
        Ok(self.typed(ExpressionKind::Read(result), Types::INT))
    }

    /// `fegetround`
    pub(super) fn get_direction(&mut self, arguments: Arguments<'a>) -> Checked<Value> {
        self.discard_all(arguments)?;
        Ok(match self.direction() {
            Some(direction) => self.typed(ExpressionKind::Read(direction), Types::INT),
            None => self.int_constant(0),
        })
    }
}
