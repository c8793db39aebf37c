//! Values as JSON: numbers as exact strings, truth values as they are, arrays as a default and the elements that differ, values
//! of datatypes as the constructor's name and a list of parts.

use super::SavedError;
use super::floats::read_float;
use super::formula::clip;
use super::json::Place;
use crate::terms::{ArrayValue, DatatypeValue, Rational, Sort, SortId, Terms, Value, smtlib_float};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

/// How many digits a number may have.
const DIGIT_LIMIT: usize = 100_000;

/// A value as JSON. Its nesting is that of its sort, which the caller has checked.
pub(super) fn write_value(terms: &Terms, value: &Value) -> Json {
    match value {
        Value::Bool(value) => json!(value),
        Value::Number(value) => json!(value.to_string()),
        Value::Float(value) => json!(smtlib_float(*value)),
        Value::Array(array) => {
            let elements = array.elements.iter();
            let elements: Vec<Json> = elements
                .map(|(i, v)| json!([write_value(terms, i), write_value(terms, v)]))
                .collect();
            json!({"default": write_value(terms, &array.default), "elements": elements})
        }
        Value::Datatype(value) => {
            let parts: Vec<Json> = value.arguments.iter().map(|part| write_value(terms, part)).collect();
            json!({"constructor": terms.constructor(value.constructor).name, "parts": parts})
        }
    }
}

/// Reads a value of a sort. The recursion ends with the document's nesting, which its parser limits.
pub(super) fn read_value(terms: &Terms, place: &Place<'_>, sort: SortId) -> Result<Value, SavedError> {
    match terms.sort_of_id(sort) {
        Sort::Bool => Ok(Value::Bool(place.truth()?)),
        Sort::Int | Sort::Real => Ok(Value::Number(read_number(place, sort)?)),
        Sort::Word(width) => {
            let number = read_number(place, SortId::INT)?;
            let bits = number.numer();
            match !bits.is_negative() && bits.bits() <= u64::from(width) {
                true => Ok(Value::Number(number)),
                false => Err(place.error(format!("not a word of {width} bits"))),
            }
        }
        Sort::Float(format) => read_float(place.text()?, format).map(Value::Float).ok_or_else(|| {
            place.error("expected a floating-point number, like \"(fp #b0 #x7f #b00000000000000000000000)\"")
        }),
        Sort::Datatype(_) => read_constructed(terms, place, sort),
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

fn read_constructed(terms: &Terms, place: &Place<'_>, sort: SortId) -> Result<Value, SavedError> {
    let name = place.field("constructor")?;
    let constructors = terms.datatype(sort).map_or(&[][..], |datatype| &datatype.constructors);
    let named = name.text()?;
    let Some(constructor) = constructors.iter().find(|id| terms.constructor(**id).name == named) else {
        return Err(name.error(format!("\"{}\" is no constructor of the sort", clip(named))));
    };
    let fields = &terms.constructor(*constructor).fields;
    let parts = place.field("parts")?;
    let items: Vec<Place<'_>> = parts.items()?.collect();
    if items.len() != fields.len() {
        return Err(parts.error(format!("the constructor has {} fields", fields.len())));
    }
    let mut arguments = Vec::with_capacity(items.len());
    for (item, field) in items.iter().zip(fields) {
        arguments.push(read_value(terms, item, terms.field(*field).sort)?);
    }
    let value = DatatypeValue::new(*constructor, arguments);
    Ok(Value::Datatype(Arc::new(
        value.ok_or_else(|| place.error("the value is nested too deeply"))?,
    )))
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
