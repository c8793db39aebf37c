//! Values of terms: truth values, numbers, arrays and trees of constructors, compared and put in an order. [Evaluation](super::evaluate) makes them.

use super::{ConstructorId, Float, Rational};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ptr;
use std::sync::Arc;

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer, a rational, or the word with these bits.
    Number(Rational),
    /// A floating-point number.
    Float(Float),
    /// A total map.
    Array(Arc<ArrayValue>),
    /// What a constructor makes.
    Datatype(Arc<DatatypeValue>),
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

/// A value of a datatype: a finite tree of constructors.
///
/// Values that differ in depth are told apart by it, and those that share their place in memory are the same: so numbers in unary, which calls take
/// apart again and again, are compared in a step.
#[derive(Clone, Eq, Debug)]
pub struct DatatypeValue {
    /// The constructor at the root.
    pub constructor: ConstructorId,
    /// The values of its fields.
    pub arguments: Vec<Value>,
    depth: u32,
}

impl PartialEq for DatatypeValue {
    fn eq(&self, other: &DatatypeValue) -> bool {
        self.cmp(other).is_eq()
    }
}

impl PartialOrd for DatatypeValue {
    fn partial_cmp(&self, other: &DatatypeValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for DatatypeValue {
    fn cmp(&self, other: &DatatypeValue) -> Ordering {
        if ptr::eq(self, other) {
            return Ordering::Equal;
        }
        let [own, others] = [self, other].map(|value| (value.depth, value.constructor, &value.arguments));
        own.cmp(&others)
    }
}

impl DatatypeValue {
    /// What the constructor makes of values for its fields. `None` if it were nested more than ten thousand levels deep: values
    /// are compared, copied and dropped by recursion.
    pub fn new(constructor: ConstructorId, arguments: Vec<Value>) -> Option<DatatypeValue> {
        let depth = 1 + arguments.iter().map(Value::depth).max().unwrap_or(0);
        (depth <= DEEPEST_VALUE).then_some(DatatypeValue {
            constructor,
            arguments,
            depth,
        })
    }
}

/// How deeply values of datatypes may be nested.
const DEEPEST_VALUE: u32 = 10_000;

impl Value {
    /// How many constructors are nested in it at most; none in numbers.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// assert_eq!(clausal::terms::Value::Bool(true).depth(), 0);
    /// ```
    pub fn depth(&self) -> u32 {
        match self {
            Value::Bool(_) | Value::Number(_) | Value::Float(_) => 0,
            Value::Array(array) => {
                let parts = array.elements.iter().flat_map(|(index, element)| [index, element]);
                parts.chain([&array.default]).map(Value::depth).max().unwrap_or(0)
            }
            Value::Datatype(value) => value.depth,
        }
    }
}
