//! Operators on values: arithmetic, comparisons, pointer arithmetic.

use super::{Checked, Semantics, Value};
use crate::program::{BinaryOperator, ExpressionKind, Numeric, Place, PlaceStep, UnaryOperator};
use crate::syntax::{self, Span};
use crate::types::{IntegerType, Type, TypeId, Types};
use num_traits::Zero;

impl<'a> Semantics<'a, '_> {
    /// `operator value` for `+`, `-`, `~` and `!`.
    pub(super) fn unary(&mut self, operator: syntax::UnaryOperator, value: Value, span: Span) -> Checked<Value> {
        if let Some(value) = self.vector_unary(operator, &value, span)? {
            return Ok(value);
        }
        if let Some(value) = self.complex_unary(operator, &value, span)? {
            return Ok(value);
        }
        let value = self.require_scalar(value, span)?;
        let operator = match operator {
            syntax::UnaryOperator::Plus => return Ok(self.promote(value)),
            syntax::UnaryOperator::Minus => UnaryOperator::Negate,
            syntax::UnaryOperator::BitNot => UnaryOperator::BitNot,
            _ => return Ok(self.negation(value)),
        };
        let value = self.promote(value);
        let fits = match value.numeric {
            Numeric::Integer(_) => true,
            Numeric::Floating(_) => operator == UnaryOperator::Negate,
            _ => false,
        };
        if !fits {
            let message = format!("this operator has no meaning for {}", self.types.display(value.c_type));
            return Err(self.error(span, message, "a number is needed", None));
        }
        if let Some(number) = Self::fold_unary(operator, &value) {
            return Ok(self.constant(number, value.c_type));
        }
        if let ExpressionKind::Floating(number) = &value.kind {
            // Zero has a sign that exact numbers do not have.
            if !number.is_zero() {
                return Ok(self.typed(ExpressionKind::Floating(-number), value.c_type));
            }
        }
        let kind = value.c_type;
        if operator == UnaryOperator::Negate && self.has_own_overflow(kind) {
            let zero = self.constant(0, kind);
            return Ok(self.operation_on_wide_fields(BinaryOperator::Subtract, zero, value, kind, span));
        }
        Ok(self.typed(ExpressionKind::Unary(operator, Box::new(value)), kind))
    }

    /// `!value`
    pub(super) fn negation(&mut self, value: Value) -> Value {
        if let Some(number) = Self::fold_unary(UnaryOperator::Not, &value) {
            return self.int_constant(number);
        }
        self.typed(ExpressionKind::Unary(UnaryOperator::Not, Box::new(value)), Types::INT)
    }

    /// `left operator right` on values.
    pub(super) fn binary(
        &mut self,
        operator: syntax::BinaryOperator,
        left: Value,
        right: Value,
        span: Span,
    ) -> Checked<Value> {
        use syntax::BinaryOperator as Written;
        if let Some(value) = self.vector_binary(operator, &left, &right, span)? {
            return Ok(value);
        }
        if self.is_complex(left.c_type) || self.is_complex(right.c_type) {
            return self.complex_binary(operator, left, right, span);
        }
        let left = self.require_scalar(left, span)?;
        let right = self.require_scalar(right, span)?;
        let pointers = (left.numeric == Numeric::Pointer, right.numeric == Numeric::Pointer);
        match (operator, pointers) {
            (Written::Add, (true, false)) => self.pointer_add(left, right, span),
            (Written::Add, (false, true)) => self.pointer_add(right, left, span),
            (Written::Subtract, (true, false)) => {
                // The pointer is moved by the number, which may have no negative in its own type.
                let wide = match right.numeric {
                    Numeric::Integer(_) => {
                        let signed = self.long_type();
                        let signed = self.types.integer(signed);
                        self.convert(right, signed)
                    }
                    _ => right,
                };
                let distance = self.unary(syntax::UnaryOperator::Minus, wide, span)?;
                self.pointer_add(left, distance, span)
            }
            (Written::Subtract, (true, true)) => self.pointer_difference(left, right, span),
            (operator, (true, _) | (_, true)) if is_comparison(operator) => {
                self.pointer_comparison(operator, left, right, span)
            }
            (_, (true, _) | (_, true)) => {
                let (left, right) = (self.types.display(left.c_type), self.types.display(right.c_type));
                let message = format!("this operator has no meaning for {left} and {right}");
                Err(self.error(span, message, "a pointer can be moved, subtracted and compared", None))
            }
            _ => self.arithmetic(operator, left, right, span),
        }
    }

    fn arithmetic(
        &mut self,
        operator: syntax::BinaryOperator,
        left: Value,
        right: Value,
        span: Span,
    ) -> Checked<Value> {
        use syntax::BinaryOperator as Written;
        let integers_only = matches!(
            operator,
            Written::Remainder
                | Written::ShiftLeft
                | Written::ShiftRight
                | Written::BitAnd
                | Written::BitOr
                | Written::BitXor
        );
        let is_floating = |value: &Value| matches!(value.numeric, Numeric::Floating(_));
        if integers_only && (is_floating(&left) || is_floating(&right)) {
            return Err(self.error(
                span,
                "this operator is for integers only",
                "an operand is a floating-point number",
                None,
            ));
        }
        let (left, right) = match operator {
            Written::ShiftLeft | Written::ShiftRight => (self.promote(left), self.promote(right)),
            _ => self.usual_conversions(left, right),
        };
        let kind = if is_comparison(operator) {
            Types::INT
        } else {
            left.c_type
        };
        let (operator, left, right) = turned(operator, left, right);
        if self.has_own_overflow(kind) {
            return Ok(self.operation_on_wide_fields(operator, left, right, kind, span));
        }
        Ok(self.operation(operator, left, right, kind))
    }

    /// Whether this is a signed type that only bit-fields have, wider than `int` and narrower than `long long`. Where its
    /// operations leave it compilers differ: some calculate with `long long`, for which nothing has happened.
    fn has_own_overflow(&self, kind: TypeId) -> bool {
        let Type::Integer(kind) = *self.types.get(kind) else {
            return false;
        };
        let is_looked_for = self.options.checks.overflow || !self.options.arithmetic.is_machine();
        kind.signed && (33..64).contains(&kind.bits) && !is_looked_for
    }

    /// The same for operands of such a type. A run in which the result does not have it is refused.
    fn operation_on_wide_fields(
        &mut self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
        kind: TypeId,
        span: Span,
    ) -> Value {
        let may_leave = matches!(
            operator,
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply | BinaryOperator::Divide
        );
        let limits = match *self.types.get(kind) {
            Type::Integer(limits) if may_leave && Self::fold_binary(operator, &left, &right).is_none() => limits,
            _ => return self.operation(operator, left, right, kind),
        };
        let wide = self.types.integer(IntegerType {
            bits: 128,
            signed: true,
        });
        let (left, right) = (self.convert(left, wide), self.convert(right, wide));
        let exact = self.operation(operator, left, right, wide);
        let exact = self.saved_value(exact, span);
        let [least, greatest] = [limits.minimum(), limits.maximum()].map(|limit| self.constant(limit, wide));
        let from = self.operation(BinaryOperator::LessOrEqual, least, exact.clone(), Types::INT);
        let to = self.operation(BinaryOperator::LessOrEqual, exact.clone(), greatest, Types::INT);
        let fits = self.operation(BinaryOperator::And, from, to, Types::INT);
        let result = self.convert(exact, kind);
        let (rest, beyond) = (self.state.graph.new_block(), self.state.graph.new_block());
        self.branch_on(fits, rest, beyond, span);
        self.state.graph.resume(beyond);
        let what = "an operation on signed bit-fields whose result is wider than they are".to_string();
        self.emit_anything(what, span);
        self.state.graph.fall_into(rest, span);
        result
    }

    /// The operation, done at once on constants.
    pub(super) fn operation(&mut self, operator: BinaryOperator, left: Value, right: Value, kind: TypeId) -> Value {
        let checks = self.options.checks;
        let wraps = !checks.shifts && !checks.overflow && self.options.arithmetic.is_machine();
        let shifted = || Self::fold_shift(operator, &left, &right).filter(|_| wraps);
        if let Some(number) = Self::fold_binary(operator, &left, &right).or_else(shifted) {
            return self.constant(number, kind);
        }
        self.typed(ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), kind)
    }

    /// `pointer + distance`
    pub(super) fn pointer_add(&mut self, pointer: Value, distance: Value, span: Span) -> Checked<Value> {
        let is_void = matches!(self.types.get(distance.c_type), Type::Void);
        if is_void || !matches!(distance.numeric, Numeric::Integer(_)) {
            return Err(self.error(span, "a pointer is moved by an integer", "this is none", None));
        }
        if let Type::Pointer(target) = *self.types.get(pointer.c_type)
            && !matches!(self.types.get(target), Type::Function { .. } | Type::Array(..))
            && self.types.size_of(target).is_none()
        {
            let message = format!("arithmetic on {}", self.types.display(pointer.c_type));
            return Err(self.error(span, message, "the size of what it points to is not known", None));
        }
        if let Type::Pointer(target) = *self.types.get(pointer.c_type)
            && self.is_variably_modified(target)
        {
            return Err(self.refuse_variable_rows(span));
        }
        if self.is_null_constant(&distance) {
            return Ok(pointer);
        }
        let kind = pointer.c_type;
        // `&a[i] + j` is `&a[i + j]`, which shows the array that is meant.
        if let ExpressionKind::AddressOf(place) = &pointer.kind
            && let Some(PlaceStep::Index(index)) = place.steps.last()
            && self.is_null_constant(index)
        {
            let mut place: Place = (**place).clone();
            place.steps.pop();
            place.steps.push(PlaceStep::Index(Box::new(distance)));
            return Ok(self.typed(ExpressionKind::AddressOf(Box::new(place)), kind));
        }
        let operation = ExpressionKind::Binary(BinaryOperator::PointerAdd, Box::new(pointer), Box::new(distance));
        Ok(self.typed(operation, kind))
    }

    fn pointer_difference(&mut self, left: Value, right: Value, span: Span) -> Checked<Value> {
        if let Type::Pointer(target) = *self.types.get(left.c_type)
            && self.is_variably_modified(target)
        {
            return Err(self.refuse_variable_rows(span));
        }
        self.check_difference(&left, &right, span)?;
        if left.c_type != right.c_type {
            self.warn_once(
                span,
                "a difference of pointers of different types",
                "the left one's elements are counted",
            );
        }
        let right = self.convert(right, left.c_type);
        let kind = self.long_type();
        let kind = self.types.integer(kind);
        Ok(self.typed(
            ExpressionKind::Binary(BinaryOperator::PointerDifference, Box::new(left), Box::new(right)),
            kind,
        ))
    }

    fn pointer_comparison(
        &mut self,
        operator: syntax::BinaryOperator,
        left: Value,
        right: Value,
        span: Span,
    ) -> Checked<Value> {
        let is_floating = |value: &Value| matches!(value.numeric, Numeric::Floating(_));
        if is_floating(&left) || is_floating(&right) {
            return Err(self.error(span, "a pointer is compared with a floating-point number", "here", None));
        }
        let kind = if left.numeric == Numeric::Pointer {
            left.c_type
        } else {
            right.c_type
        };
        let (left, right) = (self.convert(left, kind), self.convert(right, kind));
        let (operator, left, right) = turned(operator, left, right);
        Ok(self.operation(operator, left, right, Types::INT))
    }
}

pub(super) fn is_comparison(operator: syntax::BinaryOperator) -> bool {
    use syntax::BinaryOperator as Written;
    matches!(
        operator,
        Written::Less
            | Written::LessOrEqual
            | Written::Greater
            | Written::GreaterOrEqual
            | Written::Equal
            | Written::NotEqual
    )
}

/// The operator among the fewer that programs have: `a > b` is `b < a`.
pub(super) fn turned(operator: syntax::BinaryOperator, left: Value, right: Value) -> (BinaryOperator, Value, Value) {
    use syntax::BinaryOperator as Written;
    let operator = match operator {
        Written::Add => BinaryOperator::Add,
        Written::Subtract => BinaryOperator::Subtract,
        Written::Multiply => BinaryOperator::Multiply,
        Written::Divide => BinaryOperator::Divide,
        Written::Remainder => BinaryOperator::Remainder,
        Written::ShiftLeft => BinaryOperator::ShiftLeft,
        Written::ShiftRight => BinaryOperator::ShiftRight,
        Written::BitAnd => BinaryOperator::BitAnd,
        Written::BitOr => BinaryOperator::BitOr,
        Written::BitXor => BinaryOperator::BitXor,
        Written::Less => BinaryOperator::Less,
        Written::LessOrEqual => BinaryOperator::LessOrEqual,
        Written::Equal => BinaryOperator::Equal,
        Written::NotEqual => BinaryOperator::NotEqual,
        Written::Greater => return (BinaryOperator::Less, right, left),
        Written::GreaterOrEqual => return (BinaryOperator::LessOrEqual, right, left),
    };
    (operator, left, right)
}
