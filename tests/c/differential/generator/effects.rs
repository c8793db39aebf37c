//! Expressions with side effects. What C leaves unsequenced does not depend on each other: an effect stands alone, behind
//! a sequence point, or beside constants.

use super::expressions::Expression;
use super::places::Access;
use super::types::{INT, Type};
use super::{Function, Generator};

/// The most statements that a run should do in one place.
const MOST_STEPS: usize = 600;

impl Generator {
    /// An expression with a side effect, if there is something to change; not on the variable `avoid`, which its user
    /// changes.
    pub fn effect(&mut self, depth: usize, avoid: &str) -> Option<Expression> {
        if depth == 0 {
            return match self.random.between(1, 3) {
                1 => self.impure_call(),
                _ => self.change(avoid),
            };
        }
        let inner = self.effect(depth - 1, avoid)?;
        let (text, binding, kind) = match self.random.between(1, 8) {
            1 => {
                let then = self.expression(1);
                (format!("{}, {}", inner.operand(1), then.operand(2)), 1, then.kind)
            }
            2 => {
                let condition = self.condition(1);
                let other = self.leaf();
                let text = format!("{} ? {} : {}", condition.operand(4), inner.operand(2), other.operand(3));
                (text, 3, inner.kind.common(other.kind))
            }
            3 => {
                let condition = self.condition(1);
                (format!("{} && {}", condition.operand(5), inner.operand(6)), 5, INT)
            }
            4 => {
                let condition = self.condition(1);
                (format!("{} || {}", inner.operand(4), condition.operand(5)), 4, INT)
            }
            5 => {
                let constant = self.literal();
                let operator = self.random.pick(&["<", "!=", ">="]);
                let binding = if operator == "!=" { 9 } else { 10 };
                let text = format!(
                    "{} {operator} {}",
                    inner.operand(binding),
                    constant.operand(binding + 1)
                );
                (text, binding, INT)
            }
            6 => {
                let constant = self.literal();
                let kind = inner.kind.common(constant.kind);
                let operator = self.random.pick(&["&", "^"]);
                let binding = if operator == "&" { 8 } else { 7 };
                let text = format!(
                    "{} {operator} {}",
                    constant.operand(binding),
                    inner.operand(binding + 1)
                );
                (text, binding, kind)
            }
            _ => return Some(inner),
        };
        Some(Expression::new(text, binding, kind))
    }

    /// A change of a variable, as an expression.
    fn change(&mut self, avoid: &str) -> Option<Expression> {
        let place = self.place(Access::Write)?;
        if !place.is_plain || place.text == avoid {
            return None;
        }
        let (name, kind) = (place.text, place.kind);
        Some(match self.random.between(1, 6) {
            1 => Expression::new(format!("{name}++"), 15, kind),
            2 => Expression::new(format!("{name}--"), 15, kind),
            3 => Expression::new(format!("++{name}"), 14, kind),
            4 => Expression::new(format!("--{name}"), 14, kind),
            5 => {
                let operator = self.random.pick(&["+=", "-=", "&=", "|=", "^="]);
                Expression::new(format!("{name} {operator} {}", self.literal().text), 2, kind)
            }
            _ => {
                let value = self.expression(1);
                Expression::new(format!("{name} = {}", value.operand(2)), 2, kind)
            }
        })
    }

    fn impure_call(&mut self) -> Option<Expression> {
        if self.frame.pure {
            return None;
        }
        let functions: Vec<_> = self
            .functions
            .iter()
            .filter(|function| !function.pure)
            .cloned()
            .collect();
        let function = self.choose(&functions)?;
        let Some(Type::Integer(kind)) = function.result else {
            return None;
        };
        let call = self.call(&function, 1)?;
        Some(Expression::new(call, 15, kind))
    }

    /// A call with arguments without side effects, if it is not too much.
    pub fn call(&mut self, function: &Function, depth: usize) -> Option<String> {
        if self.frame.calls == 0 || function.cost * self.frame.trips > MOST_STEPS {
            return None;
        }
        self.frame.calls -= 1;
        let mut arguments = Vec::new();
        for parameter in &function.parameters {
            arguments.push(self.value_of(parameter, depth)?);
        }
        self.frame.cost += function.cost * self.frame.trips;
        Some(format!("{}({})", function.name, arguments.join(", ")))
    }

    /// A value of a type that can be assigned and passed.
    pub fn value_of(&mut self, kind: &Type, depth: usize) -> Option<String> {
        match kind {
            Type::Integer(_) | Type::Enumeration(_) => Some(self.expression(depth).operand(2)),
            Type::Pointer { target, elements, .. } => self.address(target, *elements, usize::MAX),
            Type::Record(record) => self.record_value(*record),
            Type::Array(..) => None,
        }
    }

    /// A whole struct or union.
    pub fn record_value(&mut self, record: usize) -> Option<String> {
        let kind = Type::Record(record);
        if self.random.percent(12) && !self.records[record].is_union {
            let name = self.records[record].name.clone();
            let life = self.depth;
            let text = self.initializer(&kind, Some(life));
            return Some(format!("({name}) {text}"));
        }
        let functions: Vec<_> = self
            .functions
            .iter()
            .filter(|function| function.pure && function.result.as_ref() == Some(&kind))
            .cloned()
            .collect();
        if self.random.percent(25)
            && let Some(function) = self.choose(&functions)
        {
            return self.call(&function, 1);
        }
        let address = self.addresses(&kind, 1, usize::MAX);
        let address = self.choose(&address)?;
        Some(match address.strip_prefix('&') {
            Some(name) => name.to_string(),
            None => format!("*({address})"),
        })
    }
}
