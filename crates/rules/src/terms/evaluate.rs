//! Exact evaluation of terms under an assignment of values to variables: what replays counterexamples and prunes queries.

use super::floats::float_operation_value;
use super::words::word_value;
use super::{ArrayValue, DatatypeValue, Float, Operator, Rational, Sort, SortId, TermId, Terms, Value};
use hashbrown::HashMap;
use num_bigint::BigInt;
use num_traits::Zero;
use std::collections::BTreeMap;
use std::sync::Arc;

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
    /// Zero, false, the least nested constructor of a datatype, or the array of these: a value of the sort.
    pub fn default_value(&self, sort: SortId) -> Value {
        let mut depth = 0;
        let mut innermost = sort;
        while let Sort::Array(_, element) = self.sort_of_id(innermost) {
            innermost = element;
            depth += 1;
        }
        let base = match self.sort_of_id(innermost) {
            Sort::Datatype(_) => self.least_value(innermost),
            Sort::Bool => Value::Bool(false),
            Sort::Float(format) => Value::Float(Float::zero(format, false)),
            _ => Value::Number(Rational::zero()),
        };
        (0..depth).fold(base, |default, _| {
            Value::Array(Arc::new(ArrayValue {
                default,
                elements: BTreeMap::new(),
            }))
        })
    }

    /// The term that is a value of the sort; false if the value is not of the sort.
    pub fn value_term(&mut self, value: &Value, sort: SortId) -> TermId {
        match (value, self.sort_of_id(sort)) {
            (Value::Bool(truth), Sort::Bool) => self.boolean(*truth),
            (Value::Number(number), Sort::Int | Sort::Real | Sort::Word(_)) => self.number(number.clone(), sort),
            (Value::Float(value), Sort::Float(format)) if value.format() == format => self.float(*value),
            (Value::Array(array), Sort::Array(index, element)) => {
                let default = self.value_term(&array.default, element);
                let mut term = self.constant_array(sort, default);
                for (at, stored) in &array.elements {
                    let at = self.value_term(at, index);
                    let stored = self.value_term(stored, element);
                    term = self.store(term, at, stored);
                }
                term
            }
            (Value::Datatype(value), Sort::Datatype(_)) => {
                let fields = self.constructor(value.constructor).fields.clone();
                let mut arguments = Vec::with_capacity(fields.len());
                for (field, argument) in fields.into_iter().zip(&value.arguments) {
                    let sort = self.field(field).sort;
                    arguments.push(self.value_term(argument, sort));
                }
                self.construct(value.constructor, &arguments)
            }
            _ => {
                debug_assert!(false, "a value of another sort");
                TermId::FALSE
            }
        }
    }

    /// The least nested value of a datatype.
    fn least_value(&self, sort: SortId) -> Value {
        // Values of one datatype after another, until there is one of the wanted sort: each round finds all of one depth.
        let mut found: HashMap<SortId, Value> = HashMap::new();
        for _ in 0..=self.datatypes().len() {
            for datatype in self.datatypes() {
                if found.contains_key(&datatype.sort) {
                    continue;
                }
                let made = datatype.constructors.iter().find_map(|id| {
                    let mut arguments = Vec::new();
                    for field in &self.constructor(*id).fields {
                        let sort = self.field(*field).sort;
                        let innermost = self.innermost_element(sort);
                        arguments.push(match self.datatype(innermost) {
                            None => self.default_value(sort),
                            Some(_) if innermost == sort => found.get(&sort)?.clone(),
                            Some(_) => self.filled(sort, found.get(&innermost)?.clone()),
                        });
                    }
                    DatatypeValue::new(*id, arguments)
                });
                if let Some(made) = made {
                    found.insert(datatype.sort, Value::Datatype(Arc::new(made)));
                }
            }
            if let Some(value) = found.remove(&sort) {
                return value;
            }
        }
        debug_assert!(false, "a datatype without values");
        Value::Bool(false)
    }

    /// The array of arrays … that has the value everywhere.
    fn filled(&self, sort: SortId, value: Value) -> Value {
        let (mut value, mut current) = (value, sort);
        while let Sort::Array(_, element) = self.sort_of_id(current) {
            value = Value::Array(Arc::new(ArrayValue {
                default: value,
                elements: BTreeMap::new(),
            }));
            current = element;
        }
        value
    }

    /// The value of a term, or `None` if a variable has no value, something is divided by zero or a field is one of another
    /// constructor than made the whole: its value is unspecified, so nothing may be concluded from it. A conjunction with
    /// something false in it is false all the same, a disjunction with something true is true.
    ///
    /// ```
    /// # use clausal_rules as clausal;
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
        // What has no value is there without one.
        let mut done: HashMap<TermId, Option<Value>> = HashMap::new();
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
            let value = self.apply(current, assignment, &done);
            done.insert(current, value);
            stack.pop();
        }
        done.remove(&term).flatten()
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
            (Operator::Number(_), _) => match self.number_as_value(term) {
                Some(value) => value,
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
                let absorbing = operator == Operator::Or;
                let mut is_defined = true;
                let mut is_absorbed = false;
                for part in parts {
                    match self.evaluate_small(*part, assignment, room) {
                        Small::Value(Value::Bool(value)) => is_absorbed |= value == absorbing,
                        Small::TooLarge => return Small::TooLarge,
                        _ => is_defined = false,
                    }
                }
                match is_absorbed || is_defined {
                    true => Value::Bool(is_absorbed == absorbing),
                    false => return Small::Undefined,
                }
            }
            _ => return Small::TooLarge,
        })
    }

    fn next_needed(&self, term: TermId, done: &HashMap<TermId, Option<Value>>) -> Vec<TermId> {
        let arguments = self.arguments(term);
        if let (Operator::IfThenElse, [condition, left, right]) = (self.operator(term), arguments) {
            let next = match done.get(condition) {
                None => condition,
                Some(Some(Value::Bool(true))) => left,
                Some(Some(_)) => right,
                Some(None) => return Vec::new(),
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

    pub(super) fn apply(
        &self,
        term: TermId,
        assignment: &Assignment,
        done: &HashMap<TermId, Option<Value>>,
    ) -> Option<Value> {
        let arguments = self.arguments(term);
        let value = |position: usize| {
            arguments
                .get(position)
                .and_then(|argument| done.get(argument)?.as_ref())
        };
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
            Operator::Number(_) => self.number_as_value(term)?,
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
            Operator::And | Operator::Or => {
                let absorbing = self.operator(term) == Operator::Or;
                let mut is_defined = true;
                for position in 0..arguments.len() {
                    match truth(position) {
                        Some(part) if part == absorbing => return Some(Value::Bool(absorbing)),
                        Some(_) => {}
                        None => is_defined = false,
                    }
                }
                Value::Bool(is_defined.then_some(!absorbing)?)
            }
            Operator::Construct(constructor) => {
                let parts: Option<Vec<Value>> = (0..arguments.len()).map(|position| value(position).cloned()).collect();
                Value::Datatype(Arc::new(DatatypeValue::new(constructor, parts?)?))
            }
            Operator::Field(field) => match value(0)? {
                Value::Datatype(whole) if whole.constructor == self.field(field).constructor => {
                    whole.arguments.get(self.field(field).position)?.clone()
                }
                _ => return None,
            },
            Operator::IsMadeBy(constructor) => match value(0)? {
                Value::Datatype(whole) => Value::Bool(whole.constructor == constructor),
                _ => return None,
            },
            Operator::Measure(measure) => self.measure_of_value(measure, value(0)?)?,
            // That may take long; [`super::Values`] does it.
            Operator::Apply(_) => return None,
            Operator::Float(operator) => {
                let values: Option<Vec<&Value>> = (0..arguments.len()).map(value).collect();
                let first = self.sort_of_id(self.sort(*arguments.first()?));
                float_operation_value(operator, &values?, first, self.sort_of_id(self.sort(term)))?
            }
            Operator::Word(operator) => {
                let numbers: Option<Vec<BigInt>> = (0..arguments.len())
                    .map(|position| Some(number(position)?.to_integer()))
                    .collect();
                let width = self.width(self.sort(*arguments.first()?)).unwrap_or(0);
                let result = self.width(self.sort(term)).unwrap_or(width.max(1));
                let value = word_value(operator, &numbers?.iter().collect::<Vec<_>>(), width, result)?;
                match self.sort(term) {
                    SortId::BOOL => Value::Bool(!value.is_zero()),
                    _ => Value::Number(Rational::from_integer(value)),
                }
            }
        })
    }
}
