//! Values as text for people, as counterexamples show them: lists and arrays by their elements, terms by their constructors.
//!
//! An array is a total map, so its text says what comes after the last element that is written: `[1, 2, 0, …]` has 1 and 2 at the
//! indices 0 and 1, and 0 everywhere else. Where most of the places up to the last element would be such a rest, indices are
//! written instead: `[40: 1, otherwise 0]`. Nothing reads these texts; evidence is saved by `evidence/saved/values`.

use super::{ArrayValue, Terms, Value};
use num_traits::{Signed, ToPrimitive};
use std::fmt;

impl ArrayValue {
    /// The elements at the indices 0, 1, … up to the last one that differs from the default, if all that differ are at whole
    /// numbers from 0 on and make up half of these places at least.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::terms::{ArrayValue, Rational, Value};
    /// use std::collections::BTreeMap;
    ///
    /// let number = |value: i64| Value::Number(Rational::from(value));
    /// let zero = ArrayValue { default: number(0), elements: BTreeMap::new() };
    /// let array = zero.with(number(0), number(7)).with(number(2), number(9));
    /// assert_eq!(array.from_zero(), Some(vec![&number(7), &number(0), &number(9)]));
    /// assert_eq!(zero.with(number(40), number(7)).from_zero(), None);
    /// ```
    pub fn from_zero(&self) -> Option<Vec<&Value>> {
        let mut places: Vec<&Value> = Vec::new();
        for (index, element) in &self.elements {
            let Value::Number(index) = index else { return None };
            if index.is_negative() || !index.is_integer() {
                return None;
            }
            let index = index.numer().to_usize()?;
            if index >= 2 * self.elements.len() {
                return None;
            }
            places.resize(index, &self.default);
            places.push(element);
        }
        Some(places)
    }

    /// The array as text, with its elements as this says them.
    fn text(&self, shown: &dyn Fn(&Value) -> String) -> String {
        let rest = shown(&self.default);
        match self.from_zero() {
            Some(places) => {
                let places: String = places.into_iter().map(|value| format!("{}, ", shown(value))).collect();
                format!("[{places}{rest}, …]")
            }
            None => {
                let elements = self.elements.iter();
                let elements: String = elements
                    .map(|(at, value)| format!("{}: {}, ", shown(at), shown(value)))
                    .collect();
                format!("[{elements}otherwise {rest}]")
            }
        }
    }
}

impl Terms {
    /// A value as text, with the names of constructors.
    pub fn display_value(&self, value: &Value) -> String {
        match value {
            Value::Bool(_) | Value::Number(_) | Value::Float(_) => value.to_string(),
            Value::Array(array) => array.text(&|value| self.display_value(value)),
            Value::Datatype(value)
                if self
                    .list_constructors(self.constructed_sort(value.constructor))
                    .is_some() =>
            {
                let (mut elements, mut rest) = (Vec::new(), value);
                while let [head, Value::Datatype(tail)] = &rest.arguments[..] {
                    elements.push(self.display_value(head));
                    rest = tail;
                }
                format!("[{}]", elements.join(", "))
            }
            Value::Datatype(value) => {
                let name = &self.constructor(value.constructor).name;
                let arguments: Vec<String> = value.arguments.iter().map(|part| self.display_value(part)).collect();
                match arguments.is_empty() {
                    true => name.clone(),
                    false => format!("{name}({})", arguments.join(", ")),
                }
            }
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(out, "{value}"),
            Value::Number(value) => write!(out, "{value}"),
            Value::Float(value) => write!(out, "{value}"),
            Value::Array(array) => out.write_str(&array.text(&Value::to_string)),
            // Values know their constructor by its id alone; with a table of terms there is `Terms::display_value`.
            Value::Datatype(value) => {
                write!(out, "#{}(", value.constructor.index())?;
                for (position, argument) in value.arguments.iter().enumerate() {
                    let separator = if position > 0 { ", " } else { "" };
                    write!(out, "{separator}{argument}")?;
                }
                write!(out, ")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::Rational;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    fn number(value: i64) -> Value {
        Value::Number(Rational::from(value))
    }

    fn array(default: Value, elements: &[(i64, Value)]) -> Value {
        let empty = ArrayValue {
            default,
            elements: BTreeMap::new(),
        };
        let with = |array: ArrayValue, (at, value): &(i64, Value)| array.with(number(*at), value.clone());
        Value::Array(Arc::new(elements.iter().fold(empty, with)))
    }

    #[test]
    fn arrays_are_written_from_zero_on_where_most_places_say_something() {
        let shown = |elements: &[(i64, i64)]| {
            let elements: Vec<(i64, Value)> = elements.iter().map(|(at, value)| (*at, number(*value))).collect();
            array(number(0), &elements).to_string()
        };
        assert_eq!(shown(&[]), "[0, …]");
        assert_eq!(shown(&[(0, 1), (1, 2)]), "[1, 2, 0, …]");
        assert_eq!(shown(&[(0, 1), (2, 3), (3, 4)]), "[1, 0, 3, 4, 0, …]");
        assert_eq!(shown(&[(1, 5)]), "[0, 5, 0, …]");
        assert_eq!(shown(&[(2, 5)]), "[2: 5, otherwise 0]");
        assert_eq!(shown(&[(-1, 5), (0, 6)]), "[-1: 5, 0: 6, otherwise 0]");
    }

    #[test]
    fn other_indices_and_rows_are_written_too() {
        let row = array(number(0), &[(0, number(1))]);
        let rows = array(array(number(0), &[]), &[(0, row)]);
        assert_eq!(rows.to_string(), "[[1, 0, …], [0, …], …]");
        let half = Value::Number(Rational::new(1.into(), 2.into()));
        let empty = ArrayValue {
            default: number(0),
            elements: BTreeMap::new(),
        };
        let at_half = Value::Array(Arc::new(empty.with(half, number(1))));
        assert_eq!(at_half.to_string(), "[1/2: 1, otherwise 0]");
        let at_true = Value::Array(Arc::new(empty.with(Value::Bool(true), number(1))));
        assert_eq!(at_true.to_string(), "[true: 1, otherwise 0]");
    }
}
