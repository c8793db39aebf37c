//! Operations that round where another direction than that of the nearest number may be set: refused where it is.

use super::{Context, Lowering, build};
use crate::options::Floats;
use crate::program::{BinaryOperator, Expression, ExpressionKind, Numeric, Place, UnaryOperator};
use crate::terms::FloatOperator;
use crate::types::Types;

impl Lowering<'_> {
    /// The expression's own operation is one that does not round, or the direction is that of the nearest number.
    pub(super) fn guard_rounding(&mut self, expression: &Expression<Place>, context: Context<'_>) {
        let Some(direction) = self.inlined.program.rounding else {
            return;
        };
        if self.options.floats != Floats::Exact || !rounds(expression) {
            return;
        }
        let location = self.points_to.locations.variable(direction);
        let Some(direction) = self.layout.leaf(location) else {
            return;
        };
        let numeric = self.layout.variables[direction.0 as usize].numeric;
        let direction = build::variable(direction, numeric, Types::INT);
        let zero = build::integer(0.into(), numeric, Types::INT);
        let is_nearest = build::compare(BinaryOperator::Equal, direction, zero);
        let what = "what rounds in another direction than to the nearest number";
        self.refuse_unless(context.if_evaluated(is_nearest), what);
    }
}

/// Whether the result of the operation depends on the direction. Remainders are exact, and what becomes an integer is truncated.
fn rounds(expression: &Expression<Place>) -> bool {
    let Numeric::Floating(bits) = expression.numeric else {
        return false;
    };
    match &expression.kind {
        ExpressionKind::Binary(operator, ..) => *operator != BinaryOperator::Remainder,
        ExpressionKind::Fused(..) => true,
        ExpressionKind::Unary(operator, _) => *operator == UnaryOperator::Float(FloatOperator::SquareRoot),
        // Constants are rounded when the program is compiled.
        ExpressionKind::Convert(inner) if is_constant(inner) => false,
        ExpressionKind::Convert(inner) => match inner.numeric {
            Numeric::Floating(from) => from > bits,
            Numeric::Integer(kind) => kind.bits > significant(bits),
            Numeric::Pointer | Numeric::Aggregate => true,
        },
        _ => false,
    }
}

fn is_constant(expression: &Expression<Place>) -> bool {
    match &expression.kind {
        ExpressionKind::Integer(_) | ExpressionKind::Floating(_) => true,
        ExpressionKind::Unary(_, inner) | ExpressionKind::Convert(inner) => is_constant(inner),
        _ => false,
    }
}

/// How many bits of an integer a floating type has room for.
fn significant(bits: u32) -> u32 {
    match bits {
        32 => 24,
        64 => 53,
        _ => 64,
    }
}
