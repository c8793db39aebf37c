//! Expressions over places become expressions over variables.

use super::access::{Purpose, Spot};
use super::bytes::CALCULATION;
use super::{Context, Lowering, build};
use crate::flat::FlatExpression;
use crate::points_to::locations::{LocationId, innermost, pointee};
use crate::program::{
    BinaryOperator, Expression, ExpressionKind, Numeric, Place, PlaceBase, PlaceStep, UnaryOperator, Written,
};
use crate::terms::Rational;
use crate::types::{Type, TypeId};
use num_bigint::BigInt;

impl Lowering<'_> {
    /// The value of an expression, evaluated in the context; its guards come before the instruction at hand.
    pub(super) fn expression(&mut self, expression: &Expression<Place>, context: Context<'_>) -> FlatExpression {
        let outer = self.written;
        self.written = expression.written.0.or(outer);
        self.guard_rounding(expression, context);
        let mut flat = self.flat(expression, context);
        self.written = outer;
        if flat.written.0.is_none() {
            flat.written = expression.written;
        }
        flat
    }

    fn flat(&mut self, expression: &Expression<Place>, context: Context<'_>) -> FlatExpression {
        let (numeric, c_type) = (expression.numeric, expression.c_type);
        let flat = |kind| FlatExpression {
            kind,
            numeric,
            c_type,
            written: Written::default(),
        };
        match &expression.kind {
            ExpressionKind::Integer(value) => flat(ExpressionKind::Integer(value.clone())),
            ExpressionKind::Floating(value) => flat(ExpressionKind::Floating(value.clone())),
            ExpressionKind::FunctionAddress(function) => {
                let location = self.points_to.locations.function(*function);
                build::integer(self.layout.address(location), Numeric::Pointer, c_type)
            }
            ExpressionKind::Read(place) => self.read(place, numeric, c_type, context),
            ExpressionKind::AddressOf(place) => FlatExpression {
                c_type,
                ..self.address_of(place, c_type, context)
            },
            ExpressionKind::Unary(UnaryOperator::Negate | UnaryOperator::BitNot, operand)
                if self.carries_address(operand) =>
            {
                self.keep_refusals(operand, context);
                self.keep_checks(operand, context);
                self.look_for_bytes(operand, context);
                self.unsupported_operation(CALCULATION, expression, context)
            }
            ExpressionKind::Unary(operator, operand) => {
                let operand = self.expression(operand, context);
                flat(ExpressionKind::Unary(*operator, Box::new(operand)))
            }
            ExpressionKind::Binary(operator, left, right) => self.binary(expression, *operator, left, right, context),
            ExpressionKind::Convert(inner)
                if matches!(numeric, Numeric::Integer(kind) if (2..32).contains(&kind.bits))
                    && self.carries_address(inner) =>
            {
                self.keep_refusals(inner, context);
                self.keep_checks(inner, context);
                self.look_for_bytes(inner, context);
                self.unsupported("a part of an address as a number".to_string(), numeric, c_type)
            }
            ExpressionKind::Convert(inner)
                if matches!(numeric, Numeric::Floating(_)) && self.carries_address(inner) =>
            {
                self.keep_refusals(inner, context);
                self.keep_checks(inner, context);
                self.look_for_bytes(inner, context);
                self.unsupported("an address as a floating-point number".to_string(), numeric, c_type)
            }
            ExpressionKind::Convert(inner) if self.shortens_address(inner, numeric) => {
                self.keep_refusals(inner, context);
                self.keep_checks(inner, context);
                let what = "an address as another number than an unsigned one of its width, where accesses are checked";
                self.unsupported(what.to_string(), numeric, c_type)
            }
            ExpressionKind::Convert(inner) if self.restores_address(inner, numeric) => {
                self.keep_refusals(inner, context);
                self.keep_checks(inner, context);
                self.look_for_bytes(inner, context);
                self.unsupported("an address made of a part of one".to_string(), numeric, c_type)
            }
            ExpressionKind::Convert(inner) => {
                let inner = self.expression(inner, context);
                let size = self.types.size_type();
                match (inner.numeric, numeric) {
                    (Numeric::Pointer, Numeric::Integer(kind)) => build::number_of_address(inner, kind, c_type, size),
                    _ => build::converted(inner, numeric, c_type, size),
                }
            }
            ExpressionKind::Fused(left, right, added) => {
                let [left, right, added] =
                    [left, right, added].map(|operand| Box::new(self.expression(operand, context)));
                flat(ExpressionKind::Fused(left, right, added))
            }
            ExpressionKind::Conditional(condition, left, right) => {
                let condition = self.expression(condition, context);
                // What is evaluated under a condition repeats it in its guards.
                let left = self.expression(left, Context::When(&context, &condition, true));
                let right = self.expression(right, Context::When(&context, &condition, false));
                flat(ExpressionKind::Conditional(
                    Box::new(condition),
                    Box::new(left),
                    Box::new(right),
                ))
            }
        }
    }

    fn binary(
        &mut self,
        whole: &Expression<Place>,
        operator: BinaryOperator,
        left: &Expression<Place>,
        right: &Expression<Place>,
        context: Context<'_>,
    ) -> FlatExpression {
        let (numeric, c_type) = (whole.numeric, whole.c_type);
        // What is checked is checked whether the order can be told or not.
        let is_order = matches!(operator, BinaryOperator::Less | BinaryOperator::LessOrEqual);
        if is_order && self.options.checks.pointer_arithmetic && left.numeric == Numeric::Pointer {
            let operands = [left, right].map(|operand| self.expression(operand, context));
            let [first, second] = operands;
            self.comparable([left, right], first, second, context);
        }
        if !matches!(operator, BinaryOperator::PointerAdd | BinaryOperator::PointerDifference)
            && let Some(value) = self.address_arithmetic(whole, operator, [left, right], context)
        {
            return value;
        }
        let first = self.expression(left, context);
        match operator {
            BinaryOperator::And | BinaryOperator::Or => {
                let inner = Context::When(&context, &first, operator == BinaryOperator::And);
                let second = self.expression(right, inner);
                build::binary(operator, first, second, numeric, c_type)
            }
            BinaryOperator::PointerAdd => {
                let second = self.expression(right, context);
                if let Some(moved) = self.moved_by_bytes(left, &first, &second, context) {
                    return FlatExpression { c_type, ..moved };
                }
                let pointee = pointee(self.types, left.c_type);
                let targets = self.points_to.targets(self.types, left);
                let Some(one) = self.distance_of_one(&targets, pointee, self.elements(pointee)) else {
                    let what = "a pointer that is moved where some objects are seen as bytes";
                    self.keep_checks_of_value(&first, context);
                    self.keep_checks_of_value(&second, context);
                    return self.unsupported_address(what, c_type, context);
                };
                let by = build::times(build::exact(second), one);
                let (first, by) = match self.options.checks.pointer_arithmetic {
                    true => (
                        self.small(first, context, "pointer"),
                        self.small(by, context, "distance"),
                    ),
                    false => (first, by),
                };
                self.guard_move(left, &first, &by, pointee, context);
                FlatExpression {
                    c_type,
                    ..build::sum(first, by)
                }
            }
            BinaryOperator::PointerDifference => {
                let second = self.expression(right, context);
                let (first, second) = self.comparable([left, right], first, second, context);
                let pointee = pointee(self.types, left.c_type);
                if !self.count_elements(left, right, pointee) {
                    let operands = [left, right].map(|operand| self.distance_in_bytes(operand, context));
                    let size = self.types.size_of(pointee).filter(|size| *size > 0);
                    if let ([Some((one, from)), Some((other, to))], Some(size)) = (operands, size)
                        && one == other
                    {
                        let bytes = build::difference(from, to);
                        let distance = match size {
                            1 => bytes,
                            _ => build::binary(
                                BinaryOperator::Divide,
                                bytes,
                                build::address(size),
                                Numeric::Pointer,
                                c_type,
                            ),
                        };
                        return build::converted(distance, numeric, c_type, self.types.size_type());
                    }
                    let what = format!(
                        "the distance of two pointers to `{}` into something else",
                        self.types.display(pointee)
                    );
                    self.keep_checks(left, context);
                    self.keep_checks(right, context);
                    return self.unsupported(what, numeric, c_type);
                }
                let points_nowhere = |operand| self.points_to.targets(self.types, operand).is_empty();
                let by = match points_nowhere(left) && points_nowhere(right) {
                    // They are numbers, which count bytes.
                    true => self.types.size_of(pointee).unwrap_or(1).max(1),
                    false => self.elements(pointee),
                };
                let mut distance = build::binary(BinaryOperator::Subtract, first, second, Numeric::Pointer, c_type);
                if by > 1 {
                    distance = build::binary(
                        BinaryOperator::Divide,
                        distance,
                        build::address(by),
                        Numeric::Pointer,
                        c_type,
                    );
                }
                build::converted(distance, numeric, c_type, self.types.size_type())
            }
            BinaryOperator::Less | BinaryOperator::LessOrEqual => {
                let second = self.expression(right, context);
                let (first, second) = self.comparable([left, right], first, second, context);
                build::binary(operator, first, second, numeric, c_type)
            }
            _ => {
                let second = self.expression(right, context);
                build::binary(operator, first, second, numeric, c_type)
            }
        }
    }

    /// Whether the numbers of two pointers to the type differ by the elements between them: each points to such elements, and
    /// not to what begins with one, no other members lie between two of them, and inside an object both point to the same.
    fn count_elements(&self, left: &Expression<Place>, right: &Expression<Place>, pointee: TypeId) -> bool {
        let locations = &self.points_to.locations;
        let [one, other] = [left, right].map(|operand| self.points_to.targets(self.types, operand));
        let fits = |target: &LocationId| match locations.at_type(self.types, *target, pointee) {
            // There the numbers count bytes.
            Some(place) if locations.is_bytes(place) => false,
            Some(place) if place == *target => {
                let here = locations.get(place);
                here.parent.is_none() || here.own == here.total
            }
            Some(_) => locations.is_outside(*target),
            None => false,
        };
        let object = |target: &LocationId| locations.get(*target).object;
        let agree = |target: &LocationId| {
            other
                .iter()
                .all(|there| there == target || object(there) != object(target))
        };
        one.iter().chain(&other).all(fits) && one.iter().all(agree)
    }

    /// Two operands, pointers into one object if they are pointers.
    fn comparable(
        &mut self,
        operands: [&Expression<Place>; 2],
        first: FlatExpression,
        second: FlatExpression,
        context: Context<'_>,
    ) -> (FlatExpression, FlatExpression) {
        if !self.options.checks.pointer_arithmetic || operands[0].numeric != Numeric::Pointer {
            return (first, second);
        }
        let first = self.small(first, context, "pointer");
        let second = self.small(second, context, "pointer");
        self.guard_same_object(operands, [&first, &second], context);
        (first, second)
    }

    /// How many innermost elements a value of the type has.
    fn elements(&self, kind: TypeId) -> u64 {
        innermost(self.types, kind).1.unwrap_or(1).max(1)
    }

    fn read(&mut self, place: &Place, numeric: Numeric, c_type: TypeId, context: Context<'_>) -> FlatExpression {
        if numeric == Numeric::Aggregate {
            self.keep_checks_of_place(place, context);
            return self.unsupported("a struct inside an expression".to_string(), Numeric::Pointer, c_type);
        }
        let value = match self.spots(place, Purpose::Access, context) {
            Ok(spots) => {
                self.guard_set(&spots, context);
                let value = self.value_at(&spots, numeric, c_type);
                value.map(|value| self.readable(&spots, value, context))
            }
            Err(obstacle) => Err(obstacle),
        };
        value.unwrap_or_else(|obstacle| {
            self.keep_checks_of_place(place, context);
            self.unsupported(obstacle.what, numeric, c_type)
        })
    }

    fn address_of(&mut self, place: &Place, c_type: TypeId, context: Context<'_>) -> FlatExpression {
        self.guard_aligned(place, context);
        if let PlaceBase::Dereference(pointer) = &place.base {
            if place.steps.is_empty() {
                return self.expression(pointer, context);
            }
            self.guard_member_of_nothing(pointer, context);
            let targets = self.points_to.targets(self.types, pointer);
            if targets.is_empty() {
                let base = self.expression(pointer, context);
                // `&((T *)0)->x`: the offset of a member.
                return match (build::constant(&base), self.byte_offset(place)) {
                    (Some(base), Some(offset)) => build::address(base + offset),
                    // It points to nothing: it is a number, and the number counts bytes.
                    (None, Some(offset)) => build::offset(base, &offset),
                    _ => self.unsupported_address("the address of a part of nothing", c_type, context),
                };
            }
        }
        match self.spots(place, Purpose::Address, context) {
            Ok(spots) => self.address_at(&spots),
            Err(obstacle) => {
                self.keep_checks_of_place(place, context);
                self.unsupported_address(&obstacle.what, c_type, context)
            }
        }
    }

    fn address_at(&mut self, spots: &[Spot]) -> FlatExpression {
        let mut value: Option<FlatExpression> = None;
        for spot in spots.iter().rev() {
            let base = build::address(self.layout.address(spot.location));
            let here = match &spot.index {
                None => base,
                Some(index) => build::sum(build::exact(index.clone()), base),
            };
            value = Some(match (value, &spot.condition) {
                (Some(others), Some(condition)) => build::conditional(condition.clone(), here, others),
                _ => here,
            });
        }
        value.unwrap_or_else(|| build::address(0))
    }

    /// How many bytes a place is away from where its path starts, if that is constant.
    fn byte_offset(&self, place: &Place) -> Option<BigInt> {
        let PlaceBase::Dereference(pointer) = &place.base else {
            return None;
        };
        let mut kind = pointee(self.types, pointer.c_type);
        let mut offset = BigInt::from(0);
        for step in &place.steps {
            match (step, self.types.get(kind)) {
                (PlaceStep::Field(field), Type::Record(record)) => {
                    let field = self.types.record(*record).fields.as_ref()?.get(*field)?;
                    offset += field.offset;
                    kind = field.kind;
                }
                (PlaceStep::Index(index), Type::Array(element, _)) => {
                    let ExpressionKind::Integer(index) = &index.kind else {
                        return None;
                    };
                    offset += index * self.types.size_of(*element)?;
                    kind = *element;
                }
                _ => return None,
            }
        }
        Some(offset)
    }

    /// Zero, as a number of the type.
    pub(super) fn zero(&self, numeric: Numeric, c_type: TypeId) -> FlatExpression {
        match numeric {
            Numeric::Floating(_) => FlatExpression {
                kind: ExpressionKind::Floating(Rational::from_integer(0.into())),
                numeric,
                c_type,
                written: Written::default(),
            },
            _ => build::integer(0.into(), numeric, c_type),
        }
    }
}
