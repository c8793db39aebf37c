//! The functions of `math.h`: those that IEEE 754 determines are calculated, of the others any value is taken that they may have.
//!
//! Of the latter only what their specification says is assumed: when the result is a number, and between which limits. An error
//! that depends on such a value is none (see [`UnknownSource::NotCalculated`]). The sign of a NaN is left open in the same way.

use super::known_calls::Arguments;
use super::{Checked, Semantics, Value};
use crate::program::{BinaryOperator, ExpressionKind, InstructionKind, UnaryOperator, UnknownSource};
use crate::syntax::Span;
use crate::terms::{FloatOperator, Rational, Rounding};
use crate::types::{IntegerType, Type, TypeId, Types};

/// What a function gives.
#[derive(Clone, Copy)]
enum Function {
    /// An operation on one number.
    Operation(FloatOperator),
    /// The next integer in the direction that is set.
    InDirection,
    /// Whether a number is of a class.
    Class(FloatOperator),
    Finite,
    /// 1 or -1 for an infinity.
    InfiniteSign,
    SignBit,
    /// One of the first five arguments, by the sixth's class.
    Classify,
    /// The numbers that glibc has for classes.
    ClassNumber,
    /// A comparison that is false with a NaN: the operator, and whether the arguments change places.
    Comparison(BinaryOperator, bool),
    Different,
    Unordered,
    CopySign,
    Least,
    Greatest,
    PositiveDifference,
    /// A product and a sum, rounded once.
    Fused,
    Remainder,
    /// Rounded to an integer of so many bits; `None` is `long`.
    ToInteger(Rounding, Option<u32>),
    Infinity,
    Nan,
    /// A value between limits that is a number if the argument is one, which is finite if that is asked for.
    Within(Option<i32>, Option<i32>, Needs),
    /// Any integer.
    AnyInteger,
}

/// What an argument must be for the result to be a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    Number,
    Finite,
    /// Nothing is said of when it is one.
    More,
}

impl<'a> Semantics<'a, '_> {
    /// A call of a function of `math.h`, by its name or by that of the compiler's own.
    pub(super) fn mathematics(&mut self, name: &str, arguments: Arguments<'a>, span: Span) -> Checked<Value> {
        let Some((function, kind)) = self.mathematical(name) else {
            self.discard_all(arguments)?;
            return self.determined(name, span);
        };
        let mut values = Vec::with_capacity(arguments.len());
        if !matches!(function, Function::Infinity | Function::Nan) {
            for value in self.evaluated_in_order(arguments)? {
                let value = self.require_scalar(value, span)?;
                values.push(value);
            }
        } else {
            self.discard_all(arguments)?;
        }
        if let Some(last) = needed(function).checked_sub(1) {
            self.argument_at(name, arguments, last, span)?;
        }
        let result = match function {
            Function::Class(operator) => self.class(operator, values, span)?,
            Function::Finite => {
                let number = self.generic(values, span)?;
                self.is_finite(number)
            }
            Function::InfiniteSign => {
                let number = self.generic(values, span)?;
                let infinite = self.test(FloatOperator::IsInfinite, number.clone());
                let negative = self.test(FloatOperator::IsNegative, number);
                let (one, minus) = (self.int_constant(1), self.int_constant(-1));
                let sign = self.float_choice(negative, minus, one);
                let zero = self.int_constant(0);
                self.float_choice(infinite, sign, zero)
            }
            Function::SignBit => {
                let number = self.generic(values, span)?;
                let zero = self.int_constant(0);
                let one = self.int_constant(1);
                let (positive, negative) = (zero.clone(), one.clone());
                self.by_sign(number, negative, positive, span)?
            }
            Function::Classify | Function::ClassNumber => self.classified(function, values, span)?,
            Function::Comparison(operator, turned) => {
                let [mut left, mut right] = self.two(values, None, span)?;
                if turned {
                    std::mem::swap(&mut left, &mut right);
                }
                self.operation(operator, left, right, Types::INT)
            }
            Function::Different => {
                let [left, right] = self.two(values, None, span)?;
                let less = self.operation(BinaryOperator::Less, left.clone(), right.clone(), Types::INT);
                let greater = self.operation(BinaryOperator::Less, right, left, Types::INT);
                self.operation(BinaryOperator::Or, less, greater, Types::INT)
            }
            Function::Unordered => {
                let [left, right] = self.two(values, None, span)?;
                let [left, right] = [left, right].map(|side| self.test(FloatOperator::IsNan, side));
                self.operation(BinaryOperator::Or, left, right, Types::INT)
            }
            Function::Operation(operator) => {
                let number = self.one(values, kind, span)?;
                self.typed(
                    ExpressionKind::Unary(UnaryOperator::Float(operator), Box::new(number)),
                    kind,
                )
            }
            Function::InDirection => {
                let number = self.one(values, kind, span)?;
                self.rounded(number, kind, span)
            }
            Function::CopySign => {
                let [magnitude, sign] = self.two(values, Some(kind), span)?;
                let operator = UnaryOperator::Float(FloatOperator::Absolute);
                let positive = self.typed(ExpressionKind::Unary(operator, Box::new(magnitude)), kind);
                let positive = self.float_kept(positive, span);
                let operator = UnaryOperator::Float(FloatOperator::Negate);
                let negative = self.typed(ExpressionKind::Unary(operator, Box::new(positive.clone())), kind);
                self.by_sign(sign, negative, positive, span)?
            }
            Function::Least | Function::Greatest => {
                let [left, right] = self.two(values, Some(kind), span)?;
                let is_first = match function {
                    Function::Least => self.operation(BinaryOperator::Less, left.clone(), right.clone(), Types::INT),
                    _ => self.operation(BinaryOperator::Less, right.clone(), left.clone(), Types::INT),
                };
                let is_alone = self.test(FloatOperator::IsNan, right.clone());
                let is_first = self.operation(BinaryOperator::Or, is_alone, is_first, Types::INT);
                self.one_of(is_first, left, right, span)
            }
            Function::PositiveDifference => {
                let [left, right] = self.two(values, Some(kind), span)?;
                let is_least = self.operation(BinaryOperator::LessOrEqual, left.clone(), right.clone(), Types::INT);
                let difference = self.operation(BinaryOperator::Subtract, left, right, kind);
                let zero = self.float_number(0, kind);
                self.float_choice(is_least, zero, difference)
            }
            Function::Fused => {
                let mut operands = Vec::with_capacity(3);
                for value in values.into_iter().take(3) {
                    operands.push(Box::new(self.convert_implicitly(value, kind, span)?));
                }
                match <[_; 3]>::try_from(operands) {
                    Ok([left, right, added]) => self.typed(ExpressionKind::Fused(left, right, added), kind),
                    // It was told that there are three.
                    Err(_) => self.unknown_value(kind, not_calculated(name), span),
                }
            }
            Function::Remainder => {
                let [left, right] = self.two(values, Some(kind), span)?;
                self.operation(BinaryOperator::Remainder, left, right, kind)
            }
            Function::ToInteger(rounding, bits) => {
                let floating = self.floating_by_suffix(name);
                let number = self.one(values, floating, span)?;
                let rounded = match rounding {
                    Rounding::NearestEven => self.rounded(number, floating, span),
                    _ => self.rounded_in(rounding, number, floating),
                };
                let integer = match bits {
                    Some(bits) => IntegerType { bits, signed: true },
                    None => self.long_type(),
                };
                let integer = self.types.integer(integer);
                self.convert(rounded, integer)
            }
            Function::Infinity | Function::Nan => {
                let is_infinity = matches!(function, Function::Infinity);
                let (zero, above) = (
                    self.float_number(0, kind),
                    self.float_number(i32::from(is_infinity), kind),
                );
                self.operation(BinaryOperator::Divide, above, zero, kind)
            }
            Function::Within(least, most, needs) => self.within(name, values, kind, (least, most, needs), span)?,
            Function::AnyInteger => self.unknown_value(kind, not_calculated(name), span),
        };
        Ok(result)
    }

    /// What a name stands for, and the type of the result.
    fn mathematical(&mut self, name: &str) -> Option<(Function, TypeId)> {
        let plain = plain(name);
        let function = function(plain).or_else(|| function(plain.strip_suffix(['f', 'l'])?))?;
        let function = match (function, name.starts_with("__builtin_")) {
            // The compiler's own function is told the numbers of the classes.
            (Function::ClassNumber, true) => Function::Classify,
            // glibc's function, which only its own headers name, tells the signs apart.
            (Function::Class(FloatOperator::IsInfinite), false) if name != plain => Function::InfiniteSign,
            (function, _) => function,
        };
        let kind = match function {
            Function::Class(_)
            | Function::Finite
            | Function::InfiniteSign
            | Function::SignBit
            | Function::Classify
            | Function::ClassNumber
            | Function::Comparison(..)
            | Function::Different
            | Function::Unordered
            | Function::AnyInteger => Types::INT,
            _ => self.floating_by_suffix(name),
        };
        Some((function, kind))
    }

    /// The floating type that the end of a function's name tells.
    fn floating_by_suffix(&mut self, name: &str) -> TypeId {
        let plain = plain(name);
        let bits = match (function(plain), plain.as_bytes().last()) {
            (None, Some(b'f')) => 32,
            (None, Some(b'l')) => 80,
            _ => 64,
        };
        self.types.intern(Type::Floating(bits))
    }

    fn float_number(&self, value: i32, kind: TypeId) -> Value {
        self.typed(ExpressionKind::Floating(Rational::from_integer(value.into())), kind)
    }

    /// The value in a variable of its own, to be read several times; a constant needs none.
    pub(super) fn float_kept(&mut self, value: Value, span: Span) -> Value {
        if let ExpressionKind::Floating(_) = value.kind {
            return value;
        }
        let kind = value.c_type;
        let target = self.temporary(kind, span);
        self.emit_assign(target.clone(), value, span);
        self.typed(ExpressionKind::Read(target), kind)
    }

    fn one(&mut self, values: Vec<Value>, kind: TypeId, span: Span) -> Checked<Value> {
        match values.into_iter().next() {
            Some(value) => self.convert_implicitly(value, kind, span),
            None => Ok(self.float_number(0, kind)),
        }
    }

    /// The argument of a function for all floating types; an integer is a `double`.
    fn generic(&mut self, values: Vec<Value>, span: Span) -> Checked<Value> {
        let kind = match values.first().map(|value| self.types.get(value.c_type)) {
            Some(Type::Floating(bits)) => Type::Floating(*bits),
            _ => Type::Floating(64),
        };
        let kind = self.types.intern(kind);
        let value = self.one(values, kind, span)?;
        Ok(self.float_kept(value, span))
    }

    /// Two arguments of a type, or of their common one.
    fn two(&mut self, values: Vec<Value>, kind: Option<TypeId>, span: Span) -> Checked<[Value; 2]> {
        let mut values = values.into_iter();
        let missing = self.int_constant(0);
        let (left, right) = (
            values.next().unwrap_or_else(|| missing.clone()),
            values.next().unwrap_or(missing),
        );
        let (left, right) = match kind {
            Some(kind) => (
                self.convert_implicitly(left, kind, span)?,
                self.convert_implicitly(right, kind, span)?,
            ),
            None => {
                let (left, right) = self.usual_conversions(left, right);
                let kind = match self.types.get(left.c_type) {
                    Type::Floating(_) => left.c_type,
                    _ => self.types.intern(Type::Floating(64)),
                };
                (self.convert(left, kind), self.convert(right, kind))
            }
        };
        let left = self.float_kept(left, span);
        Ok([left, self.float_kept(right, span)])
    }

    fn test(&self, operator: FloatOperator, value: Value) -> Value {
        self.typed(
            ExpressionKind::Unary(UnaryOperator::Float(operator), Box::new(value)),
            Types::INT,
        )
    }

    fn float_choice(&self, condition: Value, one: Value, other: Value) -> Value {
        let kind = one.c_type;
        let choice = ExpressionKind::Conditional(Box::new(condition), Box::new(one), Box::new(other));
        self.typed(choice, kind)
    }

    fn class(&mut self, operator: FloatOperator, values: Vec<Value>, span: Span) -> Checked<Value> {
        let number = self.generic(values, span)?;
        Ok(self.test(operator, number))
    }

    fn is_finite(&mut self, number: Value) -> Value {
        let operators = [FloatOperator::IsNan, FloatOperator::IsInfinite];
        let [nan, infinite] = operators.map(|operator| self.test(operator, number.clone()));
        let (nan, infinite) = (self.negation(nan), self.negation(infinite));
        self.operation(BinaryOperator::And, nan, infinite, Types::INT)
    }

    /// One value or another by the sign of a number. A NaN has one that nobody tells.
    fn by_sign(&mut self, number: Value, negative: Value, positive: Value, span: Span) -> Checked<Value> {
        let number = self.float_kept(number, span);
        let kind = negative.c_type;
        let is_nan = self.test(FloatOperator::IsNan, number.clone());
        let target = self.temporary(kind, span);
        let graph = &mut self.state.graph;
        let (open, known, join) = (graph.new_block(), graph.new_block(), graph.new_block());
        self.branch_on(is_nan, open, known, span);
        self.state.graph.resume(open);
        let source = UnknownSource::NotCalculated("the sign of a NaN".to_string());
        let sign = self.unknown_value(Types::INT, source, span);
        let chosen = self.float_choice(sign, negative.clone(), positive.clone());
        self.emit_assign(target.clone(), chosen, span);
        self.state.graph.goto(join, span);
        self.state.graph.resume(known);
        let is_negative = self.test(FloatOperator::IsNegative, number);
        let chosen = self.float_choice(is_negative, negative, positive);
        self.emit_assign(target.clone(), chosen, span);
        self.state.graph.goto(join, span);
        self.state.graph.resume(join);
        Ok(self.typed(ExpressionKind::Read(target), kind))
    }

    /// The first or the second of two numbers. Which of two zeros of different signs that is, C leaves open.
    fn one_of(&mut self, is_first: Value, left: Value, right: Value, span: Span) -> Value {
        let kind = left.c_type;
        let zeros = [&left, &right].map(|side| self.test(FloatOperator::IsZero, side.clone()));
        let [first, second] = zeros;
        let both = self.operation(BinaryOperator::And, first, second, Types::INT);
        let [first, second] = [&left, &right].map(|side| self.test(FloatOperator::IsNegative, side.clone()));
        let differ = self.operation(BinaryOperator::NotEqual, first, second, Types::INT);
        let is_open = self.operation(BinaryOperator::And, both, differ, Types::INT);
        let target = self.temporary(kind, span);
        let graph = &mut self.state.graph;
        let (open, known, join) = (graph.new_block(), graph.new_block(), graph.new_block());
        self.branch_on(is_open, open, known, span);
        self.state.graph.resume(open);
        let source = UnknownSource::NotCalculated("the smaller or greater one of two zeros".to_string());
        let sign = self.unknown_value(Types::INT, source, span);
        let chosen = self.float_choice(sign, left.clone(), right.clone());
        self.emit_assign(target.clone(), chosen, span);
        self.state.graph.goto(join, span);
        self.state.graph.resume(known);
        let chosen = self.float_choice(is_first, left, right);
        self.emit_assign(target.clone(), chosen, span);
        self.state.graph.goto(join, span);
        self.state.graph.resume(join);
        self.typed(ExpressionKind::Read(target), kind)
    }

    /// `fpclassify`: NaN, infinite, normal, subnormal, zero, in the order of the compiler's own function.
    fn classified(&mut self, function: Function, mut values: Vec<Value>, span: Span) -> Checked<Value> {
        let (classes, number) = match function {
            Function::Classify => {
                let number = values.split_off(values.len().min(5));
                (values, number)
            }
            _ => ([0, 1, 4, 3, 2].map(|class| self.int_constant(class)).to_vec(), values),
        };
        let number = self.generic(number, span)?;
        let tests = [
            FloatOperator::IsNan,
            FloatOperator::IsInfinite,
            FloatOperator::IsNormal,
            FloatOperator::IsSubnormal,
        ];
        let mut classes = classes.into_iter();
        let (mut known, zero) = (Vec::new(), self.int_constant(0));
        for test in tests {
            let class = classes.next().unwrap_or_else(|| zero.clone());
            known.push((self.test(test, number.clone()), self.convert(class, Types::INT)));
        }
        let last = classes.next().unwrap_or(zero);
        let mut result = self.convert(last, Types::INT);
        for (test, class) in known.into_iter().rev() {
            result = self.float_choice(test, class, result);
        }
        Ok(result)
    }

    /// A value that is not calculated.
    fn within(
        &mut self,
        name: &str,
        values: Vec<Value>,
        kind: TypeId,
        (least, most, needs): (Option<i32>, Option<i32>, Needs),
        span: Span,
    ) -> Checked<Value> {
        // An exponent (`ldexp`) is a number anyway.
        let mut numbers = Vec::with_capacity(values.len());
        for value in values {
            if let Type::Floating(_) = self.types.get(value.c_type) {
                let value = self.convert_implicitly(value, kind, span)?;
                numbers.push(self.float_kept(value, span));
            }
        }
        let result = self.unknown_value(kind, not_calculated(name), span);
        let result = self.float_kept(result, span);
        let is_nan = self.test(FloatOperator::IsNan, result.clone());
        for (limit, is_least) in [(least, true), (most, false)] {
            let Some(limit) = limit else { continue };
            let limit = self.float_number(limit, kind);
            let (low, high) = match is_least {
                true => (limit, result.clone()),
                false => (result.clone(), limit),
            };
            let inside = self.operation(BinaryOperator::LessOrEqual, low, high, Types::INT);
            let allowed = self.operation(BinaryOperator::Or, is_nan.clone(), inside, Types::INT);
            self.emit(InstructionKind::Assume(allowed), span);
        }
        if needs != Needs::More {
            let mut allowed = self.negation(is_nan);
            for number in numbers {
                let excuse = match needs {
                    Needs::Finite => {
                        let finite = self.is_finite(number);
                        self.negation(finite)
                    }
                    _ => self.test(FloatOperator::IsNan, number),
                };
                allowed = self.operation(BinaryOperator::Or, excuse, allowed, Types::INT);
            }
            self.emit(InstructionKind::Assume(allowed), span);
        }
        Ok(result)
    }
}

fn not_calculated(name: &str) -> UnknownSource {
    UnknownSource::NotCalculated(format!("the result of `{name}`"))
}

/// The name without what compiler and headers put before it.
fn plain(name: &str) -> &str {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    plain.strip_prefix("__").unwrap_or(plain)
}

/// How many arguments a function must be given.
fn needed(function: Function) -> usize {
    match function {
        Function::Infinity | Function::Nan | Function::AnyInteger => 0,
        Function::Comparison(..)
        | Function::Different
        | Function::Unordered
        | Function::CopySign
        | Function::Least
        | Function::Greatest
        | Function::PositiveDifference
        | Function::Remainder => 2,
        Function::Fused => 3,
        Function::Classify => 6,
        _ => 1,
    }
}

/// The function of a name that ends with no type.
fn function(name: &str) -> Option<Function> {
    use FloatOperator::{Absolute, IsInfinite, IsNan, IsNormal, RoundToIntegral, SquareRoot};
    use Rounding::{Down, NearestAway, NearestEven, TowardZero, Up};
    let any = |needs| Function::Within(None, None, needs);
    Some(match name {
        "fabs" => Function::Operation(Absolute),
        "sqrt" => Function::Operation(SquareRoot),
        "floor" => Function::Operation(RoundToIntegral(Down)),
        "ceil" => Function::Operation(RoundToIntegral(Up)),
        "trunc" => Function::Operation(RoundToIntegral(TowardZero)),
        "round" => Function::Operation(RoundToIntegral(NearestAway)),
        "rint" | "nearbyint" => Function::InDirection,
        "roundeven" => Function::Operation(RoundToIntegral(NearestEven)),
        "isnan" => Function::Class(IsNan),
        "isinf" => Function::Class(IsInfinite),
        "isinf_sign" => Function::InfiniteSign,
        "isfinite" | "finite" => Function::Finite,
        "isnormal" => Function::Class(IsNormal),
        "signbit" => Function::SignBit,
        "fpclassify" => Function::ClassNumber,
        "isgreater" => Function::Comparison(BinaryOperator::Less, true),
        "isgreaterequal" => Function::Comparison(BinaryOperator::LessOrEqual, true),
        "isless" => Function::Comparison(BinaryOperator::Less, false),
        "islessequal" => Function::Comparison(BinaryOperator::LessOrEqual, false),
        "islessgreater" => Function::Different,
        "isunordered" => Function::Unordered,
        "copysign" => Function::CopySign,
        "fmin" => Function::Least,
        "fmax" => Function::Greatest,
        "fdim" => Function::PositiveDifference,
        "fma" => Function::Fused,
        "fmod" => Function::Remainder,
        "lround" => Function::ToInteger(NearestAway, None),
        "llround" => Function::ToInteger(NearestAway, Some(64)),
        "lrint" => Function::ToInteger(NearestEven, None),
        "llrint" => Function::ToInteger(NearestEven, Some(64)),
        "inf" | "huge_val" => Function::Infinity,
        "nan" => Function::Nan,
        "sin" | "cos" => Function::Within(Some(-1), Some(1), Needs::Finite),
        "tan" => any(Needs::Finite),
        "asin" => Function::Within(Some(-2), Some(2), Needs::More),
        "acos" => Function::Within(Some(0), Some(4), Needs::More),
        "atan" => Function::Within(Some(-2), Some(2), Needs::Number),
        "atan2" => Function::Within(Some(-4), Some(4), Needs::Number),
        "tanh" | "erf" => Function::Within(Some(-1), Some(1), Needs::Number),
        "erfc" => Function::Within(Some(0), Some(2), Needs::Number),
        "cosh" => Function::Within(Some(1), None, Needs::Number),
        "exp" | "exp2" => Function::Within(Some(0), None, Needs::Number),
        "expm1" => Function::Within(Some(-1), None, Needs::Number),
        "sinh" | "asinh" | "cbrt" | "ldexp" | "scalbn" | "scalbln" | "logb" | "nextafter" => any(Needs::Number),
        "hypot" => Function::Within(Some(0), None, Needs::More),
        "acosh" => Function::Within(Some(0), None, Needs::More),
        "log" | "log10" | "log1p" | "log2" | "pow" | "atanh" | "lgamma" | "tgamma" | "remainder" | "nexttoward" => {
            any(Needs::More)
        }
        "ilogb" => Function::AnyInteger,
        _ => return None,
    })
}
