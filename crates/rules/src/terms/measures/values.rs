//! Measures of values, which evaluation needs, calculated all at once.

use super::Measure;
use crate::terms::{Rational, SortId, Terms, Value};
use num_traits::Zero;

/// The measures of a value.
struct Measured {
    size: u64,
    height: u64,
    elements: u64,
    sum: Rational,
    /// The least and the greatest element.
    bounds: Option<(Rational, Rational)>,
    ascending: bool,
}

impl Measured {
    /// What an element adds.
    fn element(element: Rational) -> Measured {
        Measured {
            size: 0,
            height: 0,
            elements: 1,
            sum: element.clone(),
            bounds: Some((element.clone(), element)),
            ascending: true,
        }
    }
}

impl Terms {
    /// A measure of a value. Values are not nested so deeply that recursion along them were too deep.
    pub(in crate::terms) fn measure_of_value(&self, measure: Measure, value: &Value) -> Option<Value> {
        let measured = self.measured(value)?;
        let number = |number: u64| Value::Number(Rational::from_integer(number.into()));
        let bound = |bound: Option<Rational>| Value::Number(bound.unwrap_or_else(Rational::zero));
        Some(match measure {
            Measure::Size => number(measured.size),
            Measure::Height => number(measured.height),
            Measure::Elements => number(measured.elements),
            Measure::Sum => Value::Number(measured.sum),
            Measure::Minimum => bound(measured.bounds.map(|(least, _)| least)),
            Measure::Maximum => bound(measured.bounds.map(|(_, greatest)| greatest)),
            Measure::Ascending => Value::Bool(measured.ascending),
        })
    }

    fn measured(&self, value: &Value) -> Option<Measured> {
        let Value::Datatype(value) = value else { return None };
        let mut whole = Measured {
            size: 1,
            height: 1,
            elements: 0,
            sum: Rational::zero(),
            bounds: None,
            ascending: true,
        };
        let fields = &self.constructor(value.constructor).fields;
        for (field, argument) in fields.iter().zip(&value.arguments) {
            let part = match argument {
                _ if self.is_recurring(*field) => self.measured(argument)?,
                Value::Number(element) if self.field(*field).sort == SortId::INT => Measured::element(element.clone()),
                number if self.is_natural(self.field(*field).sort) => {
                    Measured::element(Rational::from_integer(self.measured(number)?.size.into()))
                }
                _ => continue,
            };
            whole.size += part.size;
            whole.height = whole.height.max(part.height + 1);
            whole.elements += part.elements;
            whole.sum += &part.sum;
            whole.ascending &= part.ascending;
            whole.bounds = match (whole.bounds, part.bounds) {
                (Some((least, greatest)), Some((next, last))) => {
                    whole.ascending &= greatest <= next;
                    Some((least.min(next), greatest.max(last)))
                }
                (one, other) => one.or(other),
            };
        }
        Some(whole)
    }
}
