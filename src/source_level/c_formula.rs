//! C expressions as formulas over what is known at a place, for hints: sums, comparisons, elements of arrays, `&&`, `||`.
//!
//! Numbers are mathematical ones here, whatever their types. Where that says something else than C does, a hint may be wrong,
//! which is found out as with any other.

use crate::c::integer_literal;
use crate::c::parser::parse;
use crate::c::syntax::{BinaryOperator, Expression, ExpressionKind, Item, StatementKind, UnaryOperator};
use crate::c::types::DataModel;
use crate::terms::{Sort, SortId, TermId, Terms};
use bumpalo::Bump;

/// The formula that an expression is, given what is known by which name; the error says what cannot be understood.
pub(super) fn c_formula(
    terms: &mut Terms,
    named: &dyn Fn(&str) -> Option<TermId>,
    expression: &str,
) -> Result<TermId, String> {
    let reading = |text: &str, expression: &Expression<'_>| Reader { terms, named, text }.formula(expression);
    with_expression(expression, reading)
}

/// What a reading makes of an expression's tree; it gets the text that the tree's spans are about, too.
pub(super) fn with_expression<T>(
    expression: &str,
    reading: impl FnOnce(&str, &Expression<'_>) -> Result<T, String>,
) -> Result<T, String> {
    let arena = Bump::new();
    let text = format!("void hint(void) {{ ({expression}); }}");
    let not_understood = || format!("`{expression}` is no expression of C");
    let unit = parse(&arena, &text, false).product.ok_or_else(not_understood)?;
    let [Item::Function(function)] = &unit.items[..] else {
        return Err(not_understood());
    };
    let StatementKind::Block([statement]) = function.body.kind else {
        return Err(not_understood());
    };
    let StatementKind::Expression(expression) = statement.kind else {
        return Err(not_understood());
    };
    reading(&text, expression)
}

struct Reader<'t> {
    terms: &'t mut Terms,
    named: &'t dyn Fn(&str) -> Option<TermId>,
    text: &'t str,
}

impl Reader<'_> {
    fn not_understood(&self, expression: &Expression<'_>) -> String {
        let (start, end) = (expression.span.start as usize, expression.span.end as usize);
        format!(
            "`{}` is not understood in a hint",
            self.text.get(start..end).unwrap_or_default()
        )
    }

    fn formula(&mut self, expression: &Expression<'_>) -> Result<TermId, String> {
        match expression.kind {
            ExpressionKind::And(left, right) => {
                let both = [self.formula(left)?, self.formula(right)?];
                Ok(self.terms.and(&both))
            }
            ExpressionKind::Or(left, right) => {
                let either = [self.formula(left)?, self.formula(right)?];
                Ok(self.terms.or(&either))
            }
            ExpressionKind::Unary(UnaryOperator::Not, operand) => {
                let operand = self.formula(operand)?;
                Ok(self.terms.not(operand))
            }
            ExpressionKind::Binary(operator, left, right) => {
                let comparison = match operator {
                    BinaryOperator::Less => Terms::less,
                    BinaryOperator::LessOrEqual => Terms::less_or_equal,
                    BinaryOperator::Greater => |terms: &mut Terms, a, b| terms.less(b, a),
                    BinaryOperator::GreaterOrEqual => |terms: &mut Terms, a, b| terms.less_or_equal(b, a),
                    BinaryOperator::Equal => Terms::equal,
                    BinaryOperator::NotEqual => Terms::not_equal,
                    _ => return self.is_not_zero(expression),
                };
                let (left, right) = (self.number(left)?, self.number(right)?);
                Ok(comparison(self.terms, left, right))
            }
            _ => self.is_not_zero(expression),
        }
    }

    fn is_not_zero(&mut self, expression: &Expression<'_>) -> Result<TermId, String> {
        let value = self.number(expression)?;
        let zero = self.terms.integer(0);
        Ok(self.terms.not_equal(value, zero))
    }

    fn number(&mut self, expression: &Expression<'_>) -> Result<TermId, String> {
        let value = match expression.kind {
            ExpressionKind::Integer(written) => {
                let number = integer_literal(written, DataModel::Lp64).map_err(|_| self.not_understood(expression))?;
                return Ok(self.terms.integer(number.0));
            }
            ExpressionKind::Character(value) => return Ok(self.terms.integer(value)),
            ExpressionKind::Cast(_, operand) | ExpressionKind::Unary(UnaryOperator::Plus, operand) => {
                return self.number(operand);
            }
            ExpressionKind::Unary(UnaryOperator::Minus, operand) => {
                let operand = self.number(operand)?;
                return Ok(self.terms.negate(operand));
            }
            ExpressionKind::Conditional(condition, Some(consequence), alternative) => {
                let condition = self.formula(condition)?;
                let (left, right) = (self.number(consequence)?, self.number(alternative)?);
                return Ok(self.terms.if_then_else(condition, left, right));
            }
            ExpressionKind::Binary(operator, left, right) if is_arithmetic(operator) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                return Ok(self.arithmetic(operator, left, right));
            }
            ExpressionKind::Index(array, index) => {
                let array = path(array).and_then(|name| (self.named)(&format!("{name}[]")));
                let array = array.ok_or_else(|| self.not_understood(expression))?;
                let index = self.number(index)?;
                let is_array = matches!(self.terms.sort_of_id(self.terms.sort(array)), Sort::Array { .. });
                is_array.then(|| self.terms.select(array, index))
            }
            ExpressionKind::And(..)
            | ExpressionKind::Or(..)
            | ExpressionKind::Unary(UnaryOperator::Not, _)
            | ExpressionKind::Binary(..) => {
                let (one, zero) = (self.terms.integer(1), self.terms.integer(0));
                let is_comparison =
                    !matches!(expression.kind, ExpressionKind::Binary(operator, ..) if !is_comparison(operator));
                let condition = match is_comparison {
                    true => self.formula(expression)?,
                    false => return Err(self.not_understood(expression)),
                };
                return Ok(self.terms.if_then_else(condition, one, zero));
            }
            _ => path(expression).and_then(|name| (self.named)(&name)),
        };
        let is_integer = |terms: &Terms, value: TermId| terms.sort(value) == SortId::INT;
        match value {
            Some(value) if is_integer(self.terms, value) => Ok(value),
            Some(_) => Err(format!("{}: it is no integer here", self.not_understood(expression))),
            None => match path(expression) {
                Some(name) => Err(format!("`{name}` is no variable that matters there")),
                None => Err(self.not_understood(expression)),
            },
        }
    }

    fn arithmetic(&mut self, operator: BinaryOperator, left: TermId, right: TermId) -> TermId {
        match operator {
            BinaryOperator::Add => self.terms.add(left, right),
            BinaryOperator::Subtract => self.terms.subtract(left, right),
            BinaryOperator::Multiply => self.terms.multiply(left, right),
            _ => truncated(self.terms, operator, left, right),
        }
    }
}

/// The quotient, or the remainder, of a division that rounds towards zero, as C does.
pub(super) fn truncated(terms: &mut Terms, operator: BinaryOperator, left: TermId, right: TermId) -> TermId {
    let zero = terms.integer(0);
    let is_negative = terms.less(left, zero);
    let opposite = terms.negate(left);
    let (plain, turned) = (terms.integer_divide(left, right), terms.integer_divide(opposite, right));
    let turned = terms.negate(turned);
    let quotient = terms.if_then_else(is_negative, turned, plain);
    if operator == BinaryOperator::Divide {
        return quotient;
    }
    let product = terms.multiply(quotient, right);
    terms.subtract(left, product)
}

fn is_arithmetic(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Remainder
    )
}

pub(super) fn is_comparison(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual
            | BinaryOperator::Equal
            | BinaryOperator::NotEqual
    )
}

/// What an expression is called: a variable, or a member of one.
pub(super) fn path(expression: &Expression<'_>) -> Option<String> {
    match expression.kind {
        ExpressionKind::Name(name) => Some(name.to_string()),
        ExpressionKind::Member(whole, member) => Some(format!("{}.{}", path(whole)?, member.text)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(expression: &str) -> Result<String, String> {
        let mut terms = Terms::new();
        let (x, y) = (
            terms.fresh_variable("X", SortId::INT),
            terms.fresh_variable("Y", SortId::INT),
        );
        let sort = terms.array_sort(SortId::INT, SortId::INT);
        let array = terms.fresh_variable("A", sort);
        let named = |name: &str| match name {
            "x" => Some(x),
            "s.y" => Some(y),
            "a[]" => Some(array),
            _ => None,
        };
        let formula = c_formula(&mut terms, &named, expression)?;
        Ok(terms.display(formula).to_string())
    }

    #[test]
    fn expressions_become_formulas() {
        let cases = [
            ("x <= 2 * s.y + 0x10", "X =< 2*Y + 16"),
            ("x == 1 && !(s.y > 2)", "X = 1, Y =< 2"),
            ("x", "X \\= 0"),
            ("a[x] >= 'a'", "A[X] >= 97"),
        ];
        for (expression, expected) in cases {
            assert_eq!(shown(expression).as_deref(), Ok(expected), "{expression}");
        }
    }

    #[test]
    fn what_is_not_understood_is_said() {
        assert_eq!(shown("z > 0"), Err("`z` is no variable that matters there".to_string()));
        assert_eq!(shown("x &"), Err("`x &` is no expression of C".to_string()));
        assert_eq!(shown("x); f("), Err("`x); f(` is no expression of C".to_string()));
        assert_eq!(shown("x & 1"), Err("`x & 1` is not understood in a hint".to_string()));
    }
}
