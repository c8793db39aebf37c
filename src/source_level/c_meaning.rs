//! C expressions as formulas with the meaning that C gives them, for witnesses of correctness: types, conversions and unsigned
//! numbers that wrap. An expression whose evaluation would be undefined does not hold.
//!
//! What is not understood exactly is an error: elements of arrays (an array's name may also be a pointer), pointers, floating
//! numbers, and what is called.

use super::c_formula::{is_comparison, path, truncated, with_expression};
use crate::c::integer_literal;
use crate::c::syntax::{
    BinaryOperator, Expression, ExpressionKind, IntegerSize, TypeName, TypeSpecifier, UnaryOperator,
};
use crate::c::types::{DataModel, IntegerType};
use crate::terms::{TermId, Terms};
use num_bigint::BigInt;

/// What a name means: a variable of an integer type.
pub(super) type Named<'n> = &'n dyn Fn(&str) -> Option<(TermId, IntegerType)>;

/// The formula that says that an expression's value is defined and not zero.
pub(super) fn c_meaning(
    terms: &mut Terms,
    named: Named<'_>,
    model: DataModel,
    expression: &str,
) -> Result<TermId, String> {
    with_expression(expression, |text, expression| {
        let mut reader = Reader {
            terms,
            named,
            model,
            text,
        };
        let condition = reader.condition(expression)?;
        Ok(reader.terms.and(&[condition.defined, condition.holds]))
    })
}

/// A truth value, and when it is defined.
struct Condition {
    holds: TermId,
    defined: TermId,
}

/// A number of a type, between two bounds, and when it is defined.
struct Number {
    term: TermId,
    kind: IntegerType,
    least: BigInt,
    greatest: BigInt,
    defined: TermId,
}

struct Reader<'t> {
    terms: &'t mut Terms,
    named: Named<'t>,
    model: DataModel,
    text: &'t str,
}

impl Reader<'_> {
    fn not_understood(&self, start: u32, end: u32) -> String {
        let text = self.text.get(start as usize..end as usize).unwrap_or_default();
        format!("`{text}` is not understood in a witness")
    }

    fn condition(&mut self, expression: &Expression<'_>) -> Result<Condition, String> {
        match expression.kind {
            ExpressionKind::And(left, right) | ExpressionKind::Or(left, right) => {
                let (left, right) = (self.condition(left)?, self.condition(right)?);
                let is_and = matches!(expression.kind, ExpressionKind::And(..));
                // The right side is evaluated only if the left one does not decide.
                let decided = match is_and {
                    true => self.terms.not(left.holds),
                    false => left.holds,
                };
                let right_defined = self.terms.or(&[decided, right.defined]);
                let sides = [left.holds, right.holds];
                Ok(Condition {
                    holds: if is_and {
                        self.terms.and(&sides)
                    } else {
                        self.terms.or(&sides)
                    },
                    defined: self.terms.and(&[left.defined, right_defined]),
                })
            }
            ExpressionKind::Unary(UnaryOperator::Not, operand) => {
                let operand = self.condition(operand)?;
                Ok(Condition {
                    holds: self.terms.not(operand.holds),
                    defined: operand.defined,
                })
            }
            ExpressionKind::Binary(operator, left, right) if is_comparison(operator) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                let kind = left.kind.common(right.kind);
                let (left, right) = (self.converted(left, kind), self.converted(right, kind));
                let (one, other) = (left.term, right.term);
                let holds = match operator {
                    BinaryOperator::Less => self.terms.less(one, other),
                    BinaryOperator::LessOrEqual => self.terms.less_or_equal(one, other),
                    BinaryOperator::Greater => self.terms.less(other, one),
                    BinaryOperator::GreaterOrEqual => self.terms.less_or_equal(other, one),
                    BinaryOperator::Equal => self.terms.equal(one, other),
                    _ => self.terms.not_equal(one, other),
                };
                Ok(Condition {
                    holds,
                    defined: self.terms.and(&[left.defined, right.defined]),
                })
            }
            _ => {
                let value = self.number(expression)?;
                let zero = self.terms.integer(0);
                Ok(Condition {
                    holds: self.terms.not_equal(value.term, zero),
                    defined: value.defined,
                })
            }
        }
    }

    fn number(&mut self, expression: &Expression<'_>) -> Result<Number, String> {
        let span = expression.span;
        match expression.kind {
            ExpressionKind::Integer(written) => {
                let literal = integer_literal(written, self.model);
                let (number, kind) = literal.map_err(|_| self.not_understood(span.start, span.end))?;
                Ok(self.constant(number, kind))
            }
            ExpressionKind::Character(value) => Ok(self.constant(value.into(), IntegerType::INT)),
            ExpressionKind::Cast(name, operand) => {
                let Some(kind) = integer_type(name, self.model) else {
                    return Err(self.not_understood(span.start, span.end));
                };
                let operand = self.number(operand)?;
                Ok(self.converted(operand, kind))
            }
            ExpressionKind::Unary(UnaryOperator::Plus, operand) => {
                let operand = self.number(operand)?;
                let kind = operand.kind.promoted();
                Ok(self.converted(operand, kind))
            }
            ExpressionKind::Unary(UnaryOperator::Minus, operand) => {
                let operand = self.number(operand)?;
                let zero = self.constant(0.into(), operand.kind.promoted());
                Ok(self.arithmetic(BinaryOperator::Subtract, zero, operand))
            }
            ExpressionKind::Conditional(condition, Some(consequence), alternative) => {
                let condition = self.condition(condition)?;
                let (one, other) = (self.number(consequence)?, self.number(alternative)?);
                let kind = one.kind.common(other.kind);
                let (one, other) = (self.converted(one, kind), self.converted(other, kind));
                let opposite = self.terms.not(condition.holds);
                let first = self.terms.or(&[opposite, one.defined]);
                let second = self.terms.or(&[condition.holds, other.defined]);
                Ok(Number {
                    term: self.terms.if_then_else(condition.holds, one.term, other.term),
                    kind,
                    least: one.least.min(other.least),
                    greatest: one.greatest.max(other.greatest),
                    defined: self.terms.and(&[condition.defined, first, second]),
                })
            }
            ExpressionKind::Binary(
                operator @ (BinaryOperator::Add
                | BinaryOperator::Subtract
                | BinaryOperator::Multiply
                | BinaryOperator::Divide
                | BinaryOperator::Remainder),
                left,
                right,
            ) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                Ok(self.arithmetic(operator, left, right))
            }
            ExpressionKind::Unary(UnaryOperator::Not, _) | ExpressionKind::And(..) | ExpressionKind::Or(..) => {
                self.truth_value(expression)
            }
            ExpressionKind::Binary(operator, ..) if is_comparison(operator) => self.truth_value(expression),
            ExpressionKind::Name(_) | ExpressionKind::Member(..) => {
                let Some(name) = path(expression) else {
                    return Err(self.not_understood(span.start, span.end));
                };
                let Some((term, kind)) = (self.named)(&name) else {
                    return Err(format!("`{name}` is no integer variable that is known there"));
                };
                Ok(self.known(term, kind))
            }
            _ => Err(self.not_understood(span.start, span.end)),
        }
    }

    fn truth_value(&mut self, expression: &Expression<'_>) -> Result<Number, String> {
        let condition = self.condition(expression)?;
        let (one, zero) = (self.terms.integer(1), self.terms.integer(0));
        Ok(Number {
            term: self.terms.if_then_else(condition.holds, one, zero),
            kind: IntegerType::INT,
            least: 0.into(),
            greatest: 1.into(),
            defined: condition.defined,
        })
    }

    fn constant(&mut self, number: BigInt, kind: IntegerType) -> Number {
        Number {
            term: self.terms.integer(number.clone()),
            kind,
            least: number.clone(),
            greatest: number,
            defined: self.terms.and(&[]),
        }
    }

    /// A number that is one of the type, whatever it is.
    fn known(&mut self, term: TermId, kind: IntegerType) -> Number {
        Number {
            term,
            kind,
            least: kind.minimum(),
            greatest: kind.maximum(),
            defined: self.terms.and(&[]),
        }
    }

    /// The number in another type, as C converts it.
    fn converted(&mut self, number: Number, kind: IntegerType) -> Number {
        if number.least >= kind.minimum() && number.greatest <= kind.maximum() {
            return Number { kind, ..number };
        }
        let term = match kind == IntegerType::BOOL {
            true => {
                let (one, zero) = (self.terms.integer(1), self.terms.integer(0));
                let is_set = self.terms.not_equal(number.term, zero);
                self.terms.if_then_else(is_set, one, zero)
            }
            // The one number of the type that is the same modulo two to its width.
            false => {
                let size = self.terms.integer(BigInt::from(1) << kind.bits);
                let least = self.terms.integer(kind.minimum());
                let above = self.terms.subtract(number.term, least);
                let above = self.terms.modulo(above, size);
                self.terms.add(above, least)
            }
        };
        Number {
            defined: number.defined,
            ..self.known(term, kind)
        }
    }

    fn arithmetic(&mut self, operator: BinaryOperator, left: Number, right: Number) -> Number {
        let kind = left.kind.common(right.kind);
        let (left, right) = (self.converted(left, kind), self.converted(right, kind));
        let (one, other) = (left.term, right.term);
        let mut defined = vec![left.defined, right.defined];
        let (term, ends) = match operator {
            BinaryOperator::Add => {
                let ends = vec![&left.least + &right.least, &left.greatest + &right.greatest];
                (self.terms.add(one, other), ends)
            }
            BinaryOperator::Subtract => {
                let ends = vec![&left.least - &right.greatest, &left.greatest - &right.least];
                (self.terms.subtract(one, other), ends)
            }
            BinaryOperator::Multiply => {
                let corners = [&left.least, &left.greatest].map(|a| [a * &right.least, a * &right.greatest]);
                (self.terms.multiply(one, other), corners.into_iter().flatten().collect())
            }
            _ => {
                let zero = self.terms.integer(0);
                defined.push(self.terms.not_equal(other, zero));
                // Neither a quotient nor a remainder is larger than what is divided, but for the sign.
                let ends = vec![left.least.clone(), left.greatest, -&left.least, 0.into()];
                let quotient = truncated(self.terms, BinaryOperator::Divide, one, other);
                if operator == BinaryOperator::Remainder {
                    // It is defined only where the quotient is.
                    let greatest = self.terms.integer(kind.maximum());
                    defined.push(self.terms.less_or_equal(quotient, greatest));
                    (truncated(self.terms, operator, one, other), ends)
                } else {
                    (quotient, ends)
                }
            }
        };
        let bounds = (ends.iter().min().cloned(), ends.iter().max().cloned());
        let (least, greatest) = (bounds.0.unwrap_or_default(), bounds.1.unwrap_or_default());
        let result = Number {
            term,
            kind,
            least,
            greatest,
            defined: self.terms.and(&defined),
        };
        if !kind.signed {
            return self.converted(result, kind);
        }
        if result.least >= kind.minimum() && result.greatest <= kind.maximum() {
            return result;
        }
        let (least, greatest) = (self.terms.integer(kind.minimum()), self.terms.integer(kind.maximum()));
        let is_in_type = [
            result.defined,
            self.terms.less_or_equal(least, term),
            self.terms.less_or_equal(term, greatest),
        ];
        Number {
            defined: self.terms.and(&is_in_type),
            ..self.known(term, kind)
        }
    }
}

/// The integer type that is written, if it is one.
fn integer_type(name: &TypeName<'_>, model: DataModel) -> Option<IntegerType> {
    let plain = name.declarator.derivations.is_empty() && name.specifiers.attributes.is_empty();
    let long = match model {
        DataModel::Lp64 => 64,
        DataModel::Ilp32 => 32,
    };
    match name.specifiers.kind.as_ref().filter(|_| plain)? {
        TypeSpecifier::Bool => Some(IntegerType::BOOL),
        TypeSpecifier::Char { signed } => Some(IntegerType {
            bits: 8,
            signed: signed.unwrap_or(true),
        }),
        TypeSpecifier::Integer { size, signed } => {
            let bits = match size {
                IntegerSize::Short => 16,
                IntegerSize::Int => 32,
                IntegerSize::Long => long,
                IntegerSize::LongLong => 64,
                IntegerSize::Int128 => 128,
            };
            Some(IntegerType { bits, signed: *signed })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::{SortId, Substitution};

    /// Whether an expression holds for values of an `int` x, an `unsigned` u and an `unsigned long` w.
    fn holds(expression: &str, [x, u, w]: [i128; 3]) -> Result<bool, String> {
        let mut terms = Terms::new();
        let variables = ["X", "U", "W"].map(|name| terms.fresh_variable(name, SortId::INT));
        let values = [x, u, w].map(|value| terms.integer(value));
        let wide = IntegerType {
            bits: 64,
            signed: false,
        };
        let named = |name: &str| match name {
            "x" => Some((variables[0], IntegerType::INT)),
            "u" => Some((variables[1], IntegerType::UNSIGNED_INT)),
            "w" => Some((variables[2], wide)),
            _ => None,
        };
        let formula = c_meaning(&mut terms, &named, DataModel::Lp64, expression)?;
        let formula = terms.substitute(formula, &Substitution::of(&terms, &variables, &values));
        let always = terms.and(&[]);
        let never = terms.or(&[]);
        assert!(formula == always || formula == never, "{}", terms.display(formula));
        Ok(formula == always)
    }

    const LARGEST: i128 = u64::MAX as i128;

    #[test]
    fn numbers_have_the_types_of_c() {
        for (expression, values, expected) in [
            ("(long long)x <= 2LL * (long long)u + 16LL", [16, 0, 0], true),
            ("(long long)x <= 2LL * (long long)u + 16LL", [17, 0, 0], false),
            ("(long long)w >= 5LL", [0, 0, 5], true),
            ("(long long)w >= 5LL", [0, 0, LARGEST], false),
            ("w >= 5", [0, 0, LARGEST], true),
            ("x < u", [-1, 5, 0], false),
            ("x < w", [-1, 0, LARGEST - 5], false),
            ("(long long)x < (long long)u", [-1, 5, 0], true),
            ("(unsigned char)u == 3", [0, 259, 0], true),
            ("u - 1 == 4294967295", [0, 0, 0], true),
            ("-u == 4294967295", [0, 1, 0], true),
            ("x < 0x80000000", [-1, 0, 0], false),
            ("x < 2147483648", [-1, 0, 0], true),
            ("-1 < 0u", [0, 0, 0], false),
            ("(_Bool)x == 1", [256, 0, 0], true),
            ("(x == 3 ? -1 : u) > 0", [3, 0, 0], true),
            ("x / 2 == -3 && x % 2 == -1", [-7, 0, 0], true),
            ("(x < 3) + (u > 1) == 2", [2, 2, 0], true),
        ] {
            assert_eq!(holds(expression, values), Ok(expected), "{expression} for {values:?}");
        }
    }

    #[test]
    fn what_is_undefined_does_not_hold() {
        let (least, greatest) = (i128::from(i32::MIN), i128::from(i32::MAX));
        for (expression, x, expected) in [
            ("x + 1 > 0", greatest - 1, true),
            ("x + 1 > 0", greatest, false),
            ("!(x + 1 > 0)", greatest, false),
            ("-x != 0", least, false),
            ("x < 10 || x + 1 > x", greatest, false),
            ("x >= 10 || x + 1 > x", greatest, true),
            ("5 / x == 0 || 1", 0, false),
            ("x / -1 != 0", least, false),
            ("x % -1 == 0", least, false),
            ("x % -1 == 0", 5, true),
        ] {
            assert_eq!(holds(expression, [x, 0, 0]), Ok(expected), "{expression} for {x}");
        }
        for unknown in ["a[0] == 0", "p == 0", "x & 1", "*x > 0", "f(x)"] {
            assert!(holds(unknown, [0; 3]).is_err(), "{unknown}");
        }
    }
}
