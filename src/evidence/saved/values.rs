//! Values as JSON: numbers as exact strings, truth values as they are, arrays as a default and the elements that differ.

use super::SavedError;
use super::formula::clip;
use super::json::Place;
use crate::terms::{ArrayValue, Rational, Sort, SortId, Terms, Value};
use num_bigint::BigInt;
use num_traits::Zero;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

/// How many digits a number may have.
const DIGIT_LIMIT: usize = 100_000;

/// A value as JSON. Its nesting is that of its sort, which the caller has checked.
pub(super) fn write_value(value: &Value) -> Json {
    match value {
        Value::Bool(value) => json!(value),
        Value::Number(value) => json!(value.to_string()),
        Value::Array(array) => {
            let elements = array.elements.iter();
            let elements: Vec<Json> = elements.map(|(i, v)| json!([write_value(i), write_value(v)])).collect();
            json!({"default": write_value(&array.default), "elements": elements})
        }
    }
}

/// Reads a value of a sort. The recursion ends with the document's nesting, which its parser limits.
pub(super) fn read_value(terms: &Terms, place: &Place<'_>, sort: SortId) -> Result<Value, SavedError> {
    match terms.sort_of_id(sort) {
        Sort::Bool => Ok(Value::Bool(place.truth()?)),
        Sort::Int | Sort::Real => Ok(Value::Number(read_number(place, sort)?)),
        Sort::Array(index, element) => {
            let default = place.field("default")?;
            let mut array = ArrayValue {
                default: read_value(terms, &default, element)?,
                elements: BTreeMap::new(),
            };
            let elements = place.field("elements")?;
            for item in elements.items()? {
                let (at, value) = item.pair()?;
                let (key, value) = (read_value(terms, &at, index)?, read_value(terms, &value, element)?);
                if array.elements.insert(key, value).is_some() {
                    return Err(at.error("this index has an element already"));
                }
            }
            // Equal arrays must be equal values, so elements that say nothing new are left out.
            let ArrayValue { default, elements } = &mut array;
            elements.retain(|_, value| value != default);
            Ok(Value::Array(Arc::new(array)))
        }
    }
}

fn read_number(place: &Place<'_>, sort: SortId) -> Result<Rational, SavedError> {
    let text = place.text()?;
    let expected = if sort == SortId::INT {
        "an integer, like \"-3\""
    } else {
        "a fraction, like \"-1/3\""
    };
    let error = || place.error(format!("expected {expected}, found \"{}\"", clip(text)));
    if text.len() > DIGIT_LIMIT {
        return Err(place.error(format!("numbers of more than {DIGIT_LIMIT} digits are not read")));
    }
    let (numerator, denominator) = match text.split_once('/') {
        Some((numerator, denominator)) if sort == SortId::REAL => (numerator, denominator),
        Some(_) => return Err(error()),
        None => (text, "1"),
    };
    let whole = |part: &str| {
        let digits = part.strip_prefix('-').unwrap_or(part);
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if plain { BigInt::from_str(part).ok() } else { None }
    };
    match (whole(numerator), whole(denominator)) {
        (Some(numerator), Some(denominator)) if !denominator.is_zero() => Ok(Rational::new(numerator, denominator)),
        _ => Err(error()),
    }
}
