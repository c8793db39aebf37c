//! Complex numbers: structs of two numbers, with the operations on their parts that C says (Annex G), as gcc has them.
//!
//! What a mixed operation does with the real operand is done to the parts alone, without making it a complex number first: that
//! makes a difference for zeros with signs and infinities. A quotient by a complex number is not calculated, for how it is
//! rounded depends on the compiler's library; nor are products of which both parts are no numbers, which are mended there.

use super::known_calls::Arguments;
use super::{Checked, Semantics, Value};
use crate::program::{BinaryOperator, ExpressionKind, InstructionKind, Numeric, Place, PlaceStep, UnknownSource};
use crate::syntax::{BinaryOperator as Written, Span, UnaryOperator};
use crate::types::{Compound, Type, TypeId, Types};

impl<'a> Semantics<'a, '_> {
    pub(super) fn is_complex(&self, kind: TypeId) -> bool {
        self.part_of(kind).is_some()
    }

    /// The type of the parts, if these are complex numbers.
    fn part_of(&self, kind: TypeId) -> Option<TypeId> {
        match self.types.compound(kind) {
            Some(Compound::Complex(part)) => Some(part),
            _ => None,
        }
    }

    /// The type of the parts of what two operands have in common, if one of them is complex. Parts are not promoted.
    pub(super) fn common_part(&mut self, one: TypeId, other: TypeId) -> Option<TypeId> {
        let parts = [one, other].map(|kind| self.part_of(kind));
        let is_complex = parts.iter().any(Option::is_some);
        let [one, other] = [one, other].map(|kind| match self.part_of(kind) {
            Some(part) => self.types.without_volatile(part),
            None => self.types.without_volatile(kind),
        });
        if !is_complex || one == other {
            return is_complex.then_some(one);
        }
        match (self.numeric(one), self.numeric(other)) {
            (Numeric::Floating(left), Numeric::Floating(right)) => {
                Some(self.types.intern(Type::Floating(left.max(right))))
            }
            (Numeric::Floating(_), Numeric::Integer(_)) => Some(one),
            (Numeric::Integer(_), Numeric::Floating(_)) => Some(other),
            (Numeric::Integer(left), Numeric::Integer(right)) => Some(self.types.integer(left.common(right))),
            _ => None,
        }
    }

    /// The place of a part of a number; a real number is its own real part.
    pub(super) fn complex_part_place(&mut self, operator: UnaryOperator, number: Place, span: Span) -> Checked<Place> {
        let Some(part) = self.part_of(number.kind) else {
            let is_whole = operator == UnaryOperator::RealPart && self.types.is_scalar(number.kind);
            return if is_whole { Ok(number) } else { Err(self.no_place(span)) };
        };
        Ok(part_place(
            number,
            usize::from(operator == UnaryOperator::ImaginaryPart),
            part,
        ))
    }

    /// The parts of a number, each to be read several times.
    fn complex_parts(&mut self, value: Value, span: Span) -> [Value; 2] {
        let Some(part) = self.part_of(value.c_type) else {
            let zero = self.int_constant(0);
            let zero = self.convert(zero, value.c_type);
            return [self.kept(value, span), zero];
        };
        let place = match value.kind {
            ExpressionKind::Read(place) => place,
            _ => self.saved(value, span),
        };
        [0, 1].map(|index| self.typed(ExpressionKind::Read(part_place(place.clone(), index, part)), part))
    }

    /// The value, to be read several times.
    pub(super) fn kept(&mut self, value: Value, span: Span) -> Value {
        match value.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Floating(_) => value,
            _ => self.saved_value(value, span),
        }
    }

    /// The number with these parts.
    fn complex_value(&mut self, parts: [Value; 2], part: TypeId, span: Span) -> Value {
        let kind = self.types.compound_type(Compound::Complex(part));
        let target = self.temporary(kind, span);
        for (index, value) in parts.into_iter().enumerate() {
            let value = self.convert(value, part);
            self.emit_assign(part_place(target.clone(), index, part), value, span);
        }
        self.typed(ExpressionKind::Read(target), kind)
    }

    /// The value in another type, where one of the two is complex: an imaginary part is dropped, or is zero.
    pub(super) fn convert_complex(&mut self, value: Value, target: TypeId, span: Span) -> Checked<Value> {
        if value.c_type == target {
            return Ok(value);
        }
        let is_number = |numeric| matches!(numeric, Numeric::Integer(_) | Numeric::Floating(_));
        let source = self.part_of(value.c_type).unwrap_or(value.c_type);
        let part = self.part_of(target).unwrap_or(target);
        let are_numbers = is_number(self.numeric(source)) && is_number(self.numeric(part));
        if !are_numbers || value.c_type == Types::VOID || target == Types::VOID {
            let (from, to) = (self.types.display(value.c_type), self.types.display(target));
            let message = format!("{from} cannot be converted to {to}");
            return Err(self.error(span, message, format!("of type {from}"), None));
        }
        if target == Types::BOOL {
            let truth = self.complex_truth(value, span)?;
            return Ok(self.convert(truth, target));
        }
        let parts = self.complex_parts(value, span);
        if !self.is_complex(target) {
            let [real, _] = parts;
            return Ok(self.convert(real, target));
        }
        let parts = parts.map(|value| self.convert(value, part));
        Ok(self.complex_value(parts, part, span))
    }

    /// Whether a number is not zero.
    pub(super) fn complex_truth(&mut self, value: Value, span: Span) -> Checked<Value> {
        let mut parts = Vec::new();
        for part in self.complex_parts(value, span) {
            let zero = self.int_constant(0);
            parts.push(self.binary(Written::NotEqual, part, zero, span)?);
        }
        Ok(self.both(BinaryOperator::Or, parts))
    }

    fn both(&mut self, operator: BinaryOperator, parts: Vec<Value>) -> Value {
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_else(|| self.int_constant(0));
        parts.fold(first, |whole, part| self.operation(operator, whole, part, Types::INT))
    }

    /// `operator value`, if it is one on complex numbers, or makes one.
    pub(super) fn complex_unary(
        &mut self,
        operator: UnaryOperator,
        value: &Value,
        span: Span,
    ) -> Checked<Option<Value>> {
        let is_own = matches!(
            operator,
            UnaryOperator::RealPart | UnaryOperator::ImaginaryPart | UnaryOperator::Imaginary
        );
        let part = match self.part_of(value.c_type) {
            Some(part) => part,
            None if is_own => {
                self.require_scalar(value.clone(), span)?;
                value.c_type
            }
            None => return Ok(None),
        };
        if operator == UnaryOperator::Not {
            let truth = self.complex_truth(value.clone(), span)?;
            return Ok(Some(self.negation(truth)));
        }
        let [real, imaginary] = self.complex_parts(value.clone(), span);
        if let UnaryOperator::Minus | UnaryOperator::BitNot = operator {
            self.require_wide_parts(part, span)?;
        }
        let parts = match operator {
            UnaryOperator::RealPart => return Ok(Some(real)),
            UnaryOperator::ImaginaryPart => return Ok(Some(imaginary)),
            UnaryOperator::Imaginary => [imaginary, real],
            UnaryOperator::Plus => [real, imaginary],
            UnaryOperator::Minus => [
                self.unary(operator, real, span)?,
                self.unary(operator, imaginary, span)?,
            ],
            // The conjugate.
            UnaryOperator::BitNot => [real, self.unary(UnaryOperator::Minus, imaginary, span)?],
            _ => {
                let message = format!("this operator has no meaning for {}", self.types.display(value.c_type));
                return Err(self.error(span, message, "for complex numbers", None));
            }
        };
        Ok(Some(self.complex_value(parts, part, span)))
    }

    /// Parts narrower than `int` are not promoted, as operands of everything else are.
    fn require_wide_parts(&mut self, part: TypeId, span: Span) -> Checked<()> {
        match self.numeric(part) {
            Numeric::Integer(kind) if kind.promoted() != kind => {
                let message = format!(
                    "arithmetic on complex numbers with parts of type {}",
                    self.types.display(part)
                );
                Err(self.refuse(span, message, "cannot be translated", None))
            }
            _ => Ok(()),
        }
    }

    /// `left operator right`, one of which is complex.
    pub(super) fn complex_binary(
        &mut self,
        operator: Written,
        left: Value,
        right: Value,
        span: Span,
    ) -> Checked<Value> {
        let Some(part) = self.common_part(left.c_type, right.c_type) else {
            let (left, right) = (self.types.display(left.c_type), self.types.display(right.c_type));
            let message = format!("this operator has no meaning for {left} and {right}");
            return Err(self.error(span, message, "for complex numbers", None));
        };
        let are_complex = (self.is_complex(left.c_type), self.is_complex(right.c_type));
        // Of integers, what is real becomes a complex number first; it makes no difference but for quotients.
        let is_mixed = are_complex.0 != are_complex.1 && matches!(self.numeric(part), Numeric::Floating(_));
        let mut parts = |value| self.complex_parts(value, span).map(|value| self.convert(value, part));
        let ([a, b], [c, d]) = (parts(left), parts(right));
        if !matches!(operator, Written::Equal | Written::NotEqual) {
            self.require_wide_parts(part, span)?;
        }
        let parts = match operator {
            Written::Equal | Written::NotEqual => {
                let parts = vec![self.binary(operator, a, c, span)?, self.binary(operator, b, d, span)?];
                let connective = match operator {
                    Written::Equal => BinaryOperator::And,
                    _ => BinaryOperator::Or,
                };
                return Ok(self.both(connective, parts));
            }
            Written::Add | Written::Subtract => {
                let imaginary = match (is_mixed, are_complex.0, operator) {
                    (true, true, _) => b,
                    (true, false, Written::Add) => d,
                    (true, false, _) => self.unary(UnaryOperator::Minus, d, span)?,
                    (false, ..) => self.binary(operator, b, d, span)?,
                };
                [self.binary(operator, a, c, span)?, imaginary]
            }
            Written::Multiply if is_mixed && are_complex.0 => [
                self.binary(operator, a, c.clone(), span)?,
                self.binary(operator, b, c, span)?,
            ],
            Written::Multiply if is_mixed => [
                self.binary(operator, a.clone(), c, span)?,
                self.binary(operator, a, d, span)?,
            ],
            Written::Multiply => self.complex_product([a, b], [c, d], span)?,
            Written::Divide if is_mixed && are_complex.0 => [
                self.binary(operator, a, c.clone(), span)?,
                self.binary(operator, b, c, span)?,
            ],
            Written::Divide if matches!(self.numeric(part), Numeric::Integer(_)) => {
                self.refuse_complex_divisor(d, span);
                [
                    self.binary(operator, a, c.clone(), span)?,
                    self.binary(operator, b, c, span)?,
                ]
            }
            Written::Divide => [0, 1].map(|_| self.not_calculated("a quotient of complex numbers", part, span)),
            _ => {
                let message = "this operator has no meaning for complex numbers";
                return Err(self.error(span, message, "an operand is one", None));
            }
        };
        Ok(self.complex_value(parts, part, span))
    }

    fn complex_product(&mut self, [a, b]: [Value; 2], [c, d]: [Value; 2], span: Span) -> Checked<[Value; 2]> {
        let mut times = |one: &Value, other: &Value| self.binary(Written::Multiply, one.clone(), other.clone(), span);
        let (ac, bd, ad, bc) = (times(&a, &c)?, times(&b, &d)?, times(&a, &d)?, times(&b, &c)?);
        let real = self.binary(Written::Subtract, ac, bd, span)?;
        let imaginary = self.binary(Written::Add, ad, bc, span)?;
        let places = [real, imaginary].map(|value| self.saved(value, span));
        let part = places[0].kind;
        let parts = places
            .clone()
            .map(|place| self.typed(ExpressionKind::Read(place), part));
        if let Numeric::Floating(_) = self.numeric(part) {
            // There, compilers look whether it is an infinity all the same.
            let tests = parts
                .iter()
                .map(|value| self.operation(BinaryOperator::NotEqual, value.clone(), value.clone(), Types::INT));
            let tests = tests.collect();
            let are_none = self.both(BinaryOperator::And, tests);
            let (rest, beyond) = (self.state.graph.new_block(), self.state.graph.new_block());
            self.branch_on(are_none, beyond, rest, span);
            self.state.graph.resume(beyond);
            for target in places {
                let what = "a product of complex numbers both parts of which are no numbers".to_string();
                let source = UnknownSource::NotCalculated(what);
                self.emit(InstructionKind::Unknown { target, source }, span);
            }
            self.state.graph.fall_into(rest, span);
        }
        Ok(parts)
    }

    /// Quotients of complex integers are what compilers make of them, and no two make the same, but where the divisor is real.
    fn refuse_complex_divisor(&mut self, imaginary: Value, span: Span) {
        let zero = self.zero(imaginary.c_type);
        let is_real = self.operation(BinaryOperator::Equal, imaginary, zero, Types::INT);
        let (rest, beyond) = (self.state.graph.new_block(), self.state.graph.new_block());
        self.branch_on(is_real, rest, beyond, span);
        self.state.graph.resume(beyond);
        let what = "a quotient of complex integers".to_string();
        self.emit_anything(what, span);
        self.state.graph.fall_into(rest, span);
    }

    /// A value that is not calculated.
    pub(super) fn not_calculated(&mut self, what: &str, kind: TypeId, span: Span) -> Value {
        self.unknown_value(kind, UnknownSource::NotCalculated(what.to_string()), span)
    }

    /// A call of a function of `complex.h`, or of the compiler's own.
    pub(super) fn complex_function(&mut self, name: &'a str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if plain == "complex" {
            return self.complex_of_parts(name, arguments, span);
        }
        let (base, bits) = match (plain, plain.strip_suffix('f'), plain.strip_suffix('l')) {
            (_, Some(base), _) => (base, 32),
            (plain, _, Some(base)) if plain != "creal" => (base, 80),
            _ => (plain, 64),
        };
        let part = self.types.intern(Type::Floating(bits));
        let kind = self.types.compound_type(Compound::Complex(part));
        let mut numbers = Vec::new();
        for value in self.evaluated_in_order(arguments)? {
            let value = self.convert_implicitly(value, kind, span)?;
            numbers.push(self.complex_parts(value, span));
        }
        self.argument_at(name, arguments, usize::from(base == "cpow"), span)?;
        let Some([real, imaginary]) = numbers.into_iter().next() else {
            return Err(super::Reported);
        };
        Ok(match base {
            "creal" => real,
            "cimag" => imaginary,
            "conj" => {
                let opposite = self.unary(UnaryOperator::Minus, imaginary, span)?;
                self.complex_value([real, opposite], part, span)
            }
            "cabs" | "carg" => self.not_calculated(&format!("the result of `{name}`"), part, span),
            _ => {
                let parts = [0, 1].map(|_| self.not_calculated(&format!("the result of `{name}`"), part, span));
                self.complex_value(parts, part, span)
            }
        })
    }

    /// `__builtin_complex (real, imaginary)`
    fn complex_of_parts(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let values = self.evaluated_in_order(arguments)?;
        match <[Value; 2]>::try_from(values) {
            Ok([real, imaginary])
                if real.c_type == imaginary.c_type && matches!(real.numeric, Numeric::Floating(_)) =>
            {
                let part = real.c_type;
                Ok(self.complex_value([real, imaginary], part, span))
            }
            _ => {
                let message = format!("`{name}` needs two floating-point numbers of one type");
                Err(self.error(span, message, "in this call", None))
            }
        }
    }
}

fn part_place(mut number: Place, index: usize, part: TypeId) -> Place {
    number.steps.push(PlaceStep::Field(index));
    number.kind = part;
    number
}
