//! Values while rules run: those of [`Value`], but integers that fit a machine word need no allocation, and arrays share
//! what they have in common, so that storing into a large one is cheap.

use crate::terms::{ArrayValue, Float, Rational, Value};
use im::OrdMap;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::sync::Arc;

/// A value, in normal form: equal values are equal cells.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Cell {
    /// A truth value.
    Bool(bool),
    /// An integer, if it fits.
    Integer(i128),
    /// Any other number.
    Rational(Arc<Rational>),
    /// A floating-point number.
    Float(Float),
    /// A total map.
    Array(Arc<CellArray>),
    /// No value: something was divided by zero.
    Undefined,
}

/// A total map with finitely many elements that differ from a default.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct CellArray {
    default: Cell,
    elements: OrdMap<Cell, Cell>,
}

impl CellArray {
    /// The array with an element replaced.
    fn with(&self, index: &Cell, value: &Cell) -> CellArray {
        let mut changed = self.clone();
        if *value == changed.default {
            changed.elements.remove(index);
        } else {
            changed.elements.insert(index.clone(), value.clone());
        }
        changed
    }
}

impl Cell {
    pub fn number(value: Rational) -> Cell {
        match value.is_integer().then(|| value.numer().to_i128()).flatten() {
            Some(small) => Cell::Integer(small),
            None => Cell::Rational(Arc::new(value)),
        }
    }

    fn rational(&self) -> Option<Rational> {
        match self {
            Cell::Integer(value) => Some(Rational::from_integer(BigInt::from(*value))),
            Cell::Rational(value) => Some((**value).clone()),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub fn whole(&self) -> Option<BigInt> {
        match self {
            Cell::Integer(value) => Some(BigInt::from(*value)),
            Cell::Rational(value) if value.is_integer() => Some(value.numer()),
            _ => None,
        }
    }

    /// Whether this is an integer, as a value of sort `int` has to be.
    pub fn is_integer(&self) -> bool {
        match self {
            Cell::Integer(_) => true,
            Cell::Rational(value) => value.is_integer(),
            _ => false,
        }
    }

    /// Whether this is an array.
    pub fn is_array(&self) -> bool {
        matches!(self, Cell::Array(_))
    }

    /// How many bits the digits of a number take that fits no machine word; 0 for all else.
    pub fn large_bits(&self) -> u64 {
        match self {
            Cell::Rational(value) => value.numer().bits() + value.denom().bits(),
            _ => 0,
        }
    }

    pub fn add(&self, other: &Cell) -> Cell {
        self.combine(other, i128::checked_add, |a, b| Some(a + b))
    }

    pub fn multiply(&self, other: &Cell) -> Cell {
        self.combine(other, i128::checked_mul, |a, b| Some(a * b))
    }

    pub fn divide(&self, other: &Cell) -> Cell {
        let small = |a: i128, b: i128| {
            (b != 0 && a.checked_rem(b) == Some(0))
                .then(|| a.checked_div(b))
                .flatten()
        };
        self.combine(other, small, |a, b| (!b.is_zero()).then(|| a / b))
    }

    /// The quotient of Euclidean division, whose remainder is never negative.
    pub fn integer_divide(&self, other: &Cell) -> Cell {
        self.combine(other, i128::checked_div_euclid, |a, b| {
            (!b.is_zero()).then(|| euclidean_quotient(&a, &b))
        })
    }

    /// The remainder of Euclidean division.
    pub fn modulo(&self, other: &Cell) -> Cell {
        self.combine(other, i128::checked_rem_euclid, |a, b| {
            (!b.is_zero()).then(|| &a - euclidean_quotient(&a, &b) * &b)
        })
    }

    pub fn floor(&self) -> Cell {
        match self {
            Cell::Rational(value) => Cell::number(value.floor()),
            other => other.clone(),
        }
    }

    fn combine(
        &self,
        other: &Cell,
        small: impl Fn(i128, i128) -> Option<i128>,
        large: impl Fn(Rational, Rational) -> Option<Rational>,
    ) -> Cell {
        if let (Cell::Integer(left), Cell::Integer(right)) = (self, other)
            && let Some(result) = small(*left, *right)
        {
            return Cell::Integer(result);
        }
        match (self.rational(), other.rational()) {
            (Some(left), Some(right)) => large(left, right).map_or(Cell::Undefined, Cell::number),
            _ => Cell::Undefined,
        }
    }

    /// How two numbers compare; `None` if one is no number.
    pub fn compare(&self, other: &Cell) -> Option<Ordering> {
        match (self, other) {
            (Cell::Integer(left), Cell::Integer(right)) => Some(left.cmp(right)),
            _ => Some(self.rational()?.cmp(&other.rational()?)),
        }
    }

    pub fn select(&self, index: &Cell) -> Cell {
        match (self, index) {
            (_, Cell::Undefined) => Cell::Undefined,
            (Cell::Array(array), _) => array.elements.get(index).unwrap_or(&array.default).clone(),
            _ => Cell::Undefined,
        }
    }

    pub fn store(&self, index: &Cell, value: &Cell) -> Cell {
        match (self, index, value) {
            (_, Cell::Undefined, _) | (_, _, Cell::Undefined) => Cell::Undefined,
            (Cell::Array(array), _, _) => Cell::Array(Arc::new(array.with(index, value))),
            _ => Cell::Undefined,
        }
    }

    /// [`store`](Cell::store) where what is missing may be anything: an element alone may be missing, or all others.
    pub fn store_any(&self, index: &Cell, value: &Cell) -> Cell {
        match (self, index) {
            (_, Cell::Undefined) => Cell::Undefined,
            (Cell::Undefined, _) => match value {
                Cell::Undefined => Cell::Undefined,
                value => Cell::Array(Arc::new(CellArray {
                    default: Cell::Undefined,
                    elements: OrdMap::unit(index.clone(), value.clone()),
                })),
            },
            (Cell::Array(array), _) => Cell::Array(Arc::new(array.with(index, value))),
            _ => Cell::Undefined,
        }
    }

    /// Whether two values are the same, if that is known.
    pub fn same(&self, other: &Cell) -> Option<bool> {
        match (self, other) {
            (Cell::Array(one), Cell::Array(two)) if self.is_whole() && other.is_whole() => {
                // With another default, all elements may be the same, if there are only so many. So it is with arrays in arrays.
                let is_plain = one.default == two.default && !matches!(one.default, Cell::Array(_));
                match one == two {
                    true => Some(true),
                    false => is_plain.then_some(false),
                }
            }
            (Cell::Array(_) | Cell::Undefined, _) | (_, Cell::Array(_) | Cell::Undefined) => None,
            (one, two) => Some(one == two),
        }
    }

    /// Whether nothing of it is missing.
    fn is_whole(&self) -> bool {
        match self {
            Cell::Undefined => false,
            Cell::Array(array) => array.default.is_whole() && array.elements.values().all(Cell::is_whole),
            _ => true,
        }
    }

    /// What is known of a value that is one of the two.
    pub fn common(&self, other: &Cell) -> Cell {
        match (self, other) {
            (Cell::Array(one), Cell::Array(two)) if Arc::ptr_eq(one, two) => self.clone(),
            (one, two) if one == two => one.clone(),
            _ => Cell::Undefined,
        }
    }

    pub fn constant_array(&self) -> Cell {
        match self {
            Cell::Undefined => Cell::Undefined,
            default => Cell::Array(Arc::new(CellArray {
                default: default.clone(),
                elements: OrdMap::new(),
            })),
        }
    }

    /// The value as the rest of the crate has it; `None` if there is none.
    pub fn to_value(&self) -> Option<Value> {
        Some(match self {
            Cell::Bool(value) => Value::Bool(*value),
            Cell::Integer(_) | Cell::Rational(_) => Value::Number(self.rational()?),
            Cell::Float(value) => Value::Float(*value),
            Cell::Array(array) => Value::Array(Arc::new(ArrayValue {
                default: array.default.to_value()?,
                elements: array
                    .elements
                    .iter()
                    .map(|(index, element)| Some((index.to_value()?, element.to_value()?)))
                    .collect::<Option<_>>()?,
            })),
            Cell::Undefined => return None,
        })
    }
}

impl From<&Value> for Cell {
    fn from(value: &Value) -> Cell {
        match value {
            Value::Bool(value) => Cell::Bool(*value),
            Value::Number(value) => Cell::number(value.clone()),
            Value::Float(value) => Cell::Float(*value),
            Value::Array(array) => {
                let default = Cell::from(&array.default);
                let elements = array
                    .elements
                    .iter()
                    .map(|(index, element)| (Cell::from(index), Cell::from(element)));
                // A caller's array may list elements that equal the default.
                let elements = elements.filter(|(_, element)| *element != default).collect();
                Cell::Array(Arc::new(CellArray { default, elements }))
            }
            // Runs do not calculate with them.
            Value::Datatype(_) => Cell::Undefined,
        }
    }
}

fn euclidean_quotient(dividend: &Rational, divisor: &Rational) -> Rational {
    let quotient = dividend / divisor;
    if divisor.is_positive() {
        quotient.floor()
    } else {
        quotient.ceil()
    }
}
