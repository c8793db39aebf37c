//! Exact evaluation of terms under an assignment of values to variables: what replays counterexamples and prunes queries.

use super::{Operator, Rational, Sort, SortId, TermId, Terms};
use hashbrown::HashMap;
use num_traits::Zero;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer or a rational.
    Number(Rational),
    /// A total map.
    Array(Arc<ArrayValue>),
}

/// A total map with finitely many elements that differ from a default.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ArrayValue {
    /// The element wherever `elements` says nothing.
    pub default: Value,
    /// The elements that differ from `default`.
    pub elements: BTreeMap<Value, Value>,
}

impl ArrayValue {
    /// The element at `index`.
    pub fn get(&self, index: &Value) -> &Value {
        self.elements.get(index).unwrap_or(&self.default)
    }

    /// The array with one element replaced, still in normal form.
    pub fn with(&self, index: Value, value: Value) -> ArrayValue {
        let mut changed = self.clone();
        if value == changed.default {
            changed.elements.remove(&index);
        } else {
            changed.elements.insert(index, value);
        }
        changed
    }
}

/// A term with at most this many parts is evaluated by recursion; a larger one on an explicit stack, each part once.
const SMALL: u32 = 64;

/// What evaluating a small term gave.
enum Small {
    Value(Value),
    /// There is no value.
    Undefined,
    /// The term is not small.
    TooLarge,
}

/// The value, or the caller returns what there is in its place.
macro_rules! value_of {
    ($small:expr) => {
        match $small {
            Small::Value(value) => value,
            other => return other,
        }
    };
}

/// Values of variables.
pub type Assignment = HashMap<TermId, Value>;

impl Terms {
    /// Zero, false, or the array of these: a value of the sort.
    pub fn default_value(&self, sort: SortId) -> Value {
        let mut depth = 0;
        let mut innermost = sort;
        while let Sort::Array(_, element) = self.sort_of_id(innermost) {
            innermost = element;
            depth += 1;
        }
        let base = match self.sort_of_id(innermost) {
            Sort::Bool => Value::Bool(false),
            _ => Value::Number(Rational::zero()),
        };
        (0..depth).fold(base, |default, _| {
            Value::Array(Arc::new(ArrayValue {
                default,
                elements: BTreeMap::new(),
            }))
        })
    }

    /// The value of a term, or `None` if a variable has no value or something is divided by zero (its value is
    /// unspecified, so nothing may be concluded from it).
    ///
    /// ```
    /// use clausal::terms::{Assignment, SortId, Terms, Value};
    /// let mut terms = Terms::new();
    /// let x = terms.fresh_variable("X", SortId::INT);
    /// let three = terms.integer(3);
    /// let sum = terms.add(x, three);
    /// let mut values = Assignment::new();
    /// assert_eq!(terms.evaluate(sum, &values), None);
    /// values.insert(x, Value::Number(clausal::terms::Rational::from_integer(4.into())));
    /// assert_eq!(terms.evaluate(sum, &values).map(|v| v.to_string()), Some("7".to_string()));
    /// ```
    pub fn evaluate(&self, term: TermId, assignment: &Assignment) -> Option<Value> {
        let mut room = SMALL;
        match self.evaluate_small(term, assignment, &mut room) {
            Small::Value(value) => return Some(value),
            Small::Undefined => return None,
            Small::TooLarge => {}
        }
        let mut done: HashMap<TermId, Value> = HashMap::new();
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            if done.contains_key(&current) {
                stack.pop();
                continue;
            }
            // An if-then-else must not evaluate the branch that is not taken: it may divide by zero.
            let needed = self.next_needed(current, &done);
            if !needed.is_empty() {
                stack.extend(needed);
                continue;
            }
            let value = self.apply(current, assignment, &done)?;
            done.insert(current, value);
            stack.pop();
        }
        done.remove(&term)
    }

    /// Whether a formula is true under the assignment; `None` as for [`Terms::evaluate`].
    pub fn holds(&self, formula: TermId, assignment: &Assignment) -> Option<bool> {
        if let Some(quick) = self.compare_quickly(formula, assignment) {
            return Some(quick);
        }
        match self.evaluate(formula, assignment)? {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// A variable compared with a number, or the negation of that: by far the most frequent formulas.
    fn compare_quickly(&self, formula: TermId, assignment: &Assignment) -> Option<bool> {
        let negated = self.operator(formula) == Operator::Not;
        let atom = if negated {
            *self.arguments(formula).first()?
        } else {
            formula
        };
        let [left, right] = *self.arguments(atom) else {
            return None;
        };
        let number = self.number_value(right)?;
        let Some(Value::Number(value)) = assignment.get(&left) else {
            return None;
        };
        let holds = match self.operator(atom) {
            Operator::Equal => value == number,
            Operator::LessOrEqual => value <= number,
            Operator::Less => value < number,
            _ => return None,
        };
        Some(holds != negated)
    }

    /// Arithmetic and connectives only, which is nearly everything that is asked.
    fn evaluate_small(&self, term: TermId, assignment: &Assignment, room: &mut u32) -> Small {
        if *room == 0 {
            return Small::TooLarge;
        }
        *room -= 1;
        let arguments = self.arguments(term);
        Small::Value(match (self.operator(term), arguments) {
            (Operator::Variable(_), _) => match assignment.get(&term) {
                Some(value) => value.clone(),
                None => return Small::Undefined,
            },
            (Operator::Number(_), _) => match self.number_value(term) {
                Some(value) => Value::Number(value.clone()),
                None => return Small::Undefined,
            },
            (Operator::True, _) => Value::Bool(true),
            (Operator::False, _) => Value::Bool(false),
            (operator @ (Operator::Add | Operator::Multiply), [first, rest @ ..]) => {
                let Value::Number(mut total) = value_of!(self.evaluate_small(*first, assignment, room)) else {
                    return Small::Undefined;
                };
                for part in rest {
                    match value_of!(self.evaluate_small(*part, assignment, room)) {
                        Value::Number(value) if operator == Operator::Add => total += value,
                        Value::Number(value) => total *= value,
                        _ => return Small::Undefined,
                    }
                }
                Value::Number(total)
            }
            (operator @ (Operator::Equal | Operator::LessOrEqual | Operator::Less), [left, right]) => {
                let left = value_of!(self.evaluate_small(*left, assignment, room));
                let right = value_of!(self.evaluate_small(*right, assignment, room));
                Value::Bool(match operator {
                    Operator::Equal => left == right,
                    Operator::LessOrEqual => left <= right,
                    _ => left < right,
                })
            }
            (Operator::Not, [formula]) => match value_of!(self.evaluate_small(*formula, assignment, room)) {
                Value::Bool(truth) => Value::Bool(!truth),
                _ => return Small::Undefined,
            },
            (operator @ (Operator::And | Operator::Or), parts) => {
                let mut truth = operator == Operator::And;
                for part in parts {
                    match value_of!(self.evaluate_small(*part, assignment, room)) {
                        Value::Bool(value) if operator == Operator::And => truth &= value,
                        Value::Bool(value) => truth |= value,
                        _ => return Small::Undefined,
                    }
                }
                Value::Bool(truth)
            }
            _ => return Small::TooLarge,
        })
    }

    fn next_needed(&self, term: TermId, done: &HashMap<TermId, Value>) -> Vec<TermId> {
        let arguments = self.arguments(term);
        if let (Operator::IfThenElse, [condition, left, right]) = (self.operator(term), arguments) {
            let next = match done.get(condition) {
                None => condition,
                Some(Value::Bool(true)) => left,
                Some(_) => right,
            };
            return if done.contains_key(next) {
                Vec::new()
            } else {
                vec![*next]
            };
        }
        arguments
            .iter()
            .copied()
            .filter(|argument| !done.contains_key(argument))
            .collect()
    }

    fn apply(&self, term: TermId, assignment: &Assignment, done: &HashMap<TermId, Value>) -> Option<Value> {
        let arguments = self.arguments(term);
        let value = |position: usize| arguments.get(position).and_then(|argument| done.get(argument));
        let number = |position: usize| match value(position) {
            Some(Value::Number(number)) => Some(number),
            _ => None,
        };
        let truth = |position: usize| match value(position) {
            Some(Value::Bool(truth)) => Some(*truth),
            _ => None,
        };
        Some(match self.operator(term) {
            Operator::True => Value::Bool(true),
            Operator::False => Value::Bool(false),
            Operator::Number(_) => Value::Number(self.number_value(term)?.clone()),
            Operator::Variable(_) => assignment.get(&term)?.clone(),
            Operator::Add => {
                let mut sum = Rational::zero();
                for position in 0..arguments.len() {
                    sum += number(position)?;
                }
                Value::Number(sum)
            }
            Operator::Multiply => {
                let mut product = number(0)?.clone();
                for position in 1..arguments.len() {
                    product *= number(position)?;
                }
                Value::Number(product)
            }
            Operator::Divide | Operator::IntegerDivide | Operator::Modulo => {
                let (a, b) = (number(0)?, number(1)?);
                if b.is_zero() {
                    return None;
                }
                Value::Number(match self.operator(term) {
                    Operator::Divide => a / b,
                    Operator::IntegerDivide => a.euclidean_division(b).0,
                    _ => a.euclidean_division(b).1,
                })
            }
            Operator::ToReal => Value::Number(number(0)?.clone()),
            Operator::ToInteger => Value::Number(number(0)?.floor()),
            Operator::IfThenElse => value(if truth(0)? { 1 } else { 2 })?.clone(),
            Operator::Select => match value(0)? {
                Value::Array(array) => array.get(value(1)?).clone(),
                _ => return None,
            },
            Operator::Store => match value(0)? {
                Value::Array(array) => Value::Array(Arc::new(array.with(value(1)?.clone(), value(2)?.clone()))),
                _ => return None,
            },
            Operator::ConstantArray => Value::Array(Arc::new(ArrayValue {
                default: value(0)?.clone(),
                elements: BTreeMap::new(),
            })),
            Operator::Equal => Value::Bool(value(0)? == value(1)?),
            Operator::LessOrEqual => Value::Bool(number(0)? <= number(1)?),
            Operator::Less => Value::Bool(number(0)? < number(1)?),
            Operator::Not => Value::Bool(!truth(0)?),
            Operator::And => {
                let mut all = true;
                for position in 0..arguments.len() {
                    all &= truth(position)?;
                }
                Value::Bool(all)
            }
            Operator::Or => {
                let mut any = false;
                for position in 0..arguments.len() {
                    any |= truth(position)?;
                }
                Value::Bool(any)
            }
        })
    }
}
