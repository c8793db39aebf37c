//! Changes of inputs: of their bytes, of their lines, and of what stands where in JSON.

use crate::random::Random;
use serde_json::Value;
use std::ops::Range;

/// Longer inputs are cut: more inputs find more than longer ones.
pub const LENGTH_LIMIT: usize = 20_000;
/// Texts that are put into inputs, one a line.
const TOKENS: &str = include_str!("tokens.txt");

fn below(random: &mut Random, limit: usize) -> usize {
    usize::try_from(random.between(0, limit.max(1) as i64 - 1)).unwrap_or(0)
}

fn range(random: &mut Random, length: usize) -> Range<usize> {
    let start = below(random, length + 1);
    start..(start + below(random, 40)).min(length)
}

fn token(random: &mut Random) -> &'static str {
    let count = TOKENS.lines().count();
    TOKENS.lines().nth(below(random, count)).unwrap_or_default()
}

/// One of the inputs, not too long, changed in a few places.
pub fn mutated(random: &mut Random, inputs: &[Vec<u8>], is_json: bool) -> String {
    let mut input = inputs[below(random, inputs.len())].clone();
    if is_json
        && random.percent(70)
        && let Ok(mut document) = serde_json::from_slice::<Value>(&input)
    {
        let donor = document.clone();
        for _ in 0..1 + below(random, 3) {
            change_value(random, &mut document, &donor);
        }
        return document.to_string();
    }
    if input.len() > LENGTH_LIMIT {
        let first = below(random, input.len() - LENGTH_LIMIT);
        input = input[first..first + LENGTH_LIMIT].to_vec();
    }
    change(random, &mut input, inputs);
    String::from_utf8_lossy(&input).into_owned()
}

/// Changes an input in a few places.
fn change(random: &mut Random, input: &mut Vec<u8>, others: &[Vec<u8>]) {
    for _ in 0..1 + below(random, 8) {
        let place = range(random, input.len());
        match below(random, 10) {
            0 => drop(input.drain(place)),
            1 => {
                let copy = input[place.clone()].to_vec();
                input.splice(place.start..place.start, copy);
            }
            2 => {
                let copy = input[place.clone()].repeat(1 + below(random, 50));
                input.splice(place.start..place.start, copy);
            }
            3 => {
                let byte = random.between(0, 255) as u8;
                input.splice(place.start..place.start, [byte]);
            }
            4 => {
                let other = &others[below(random, others.len())];
                let piece = other[range(random, other.len())].to_vec();
                input.splice(place, piece);
            }
            5 if random.percent(30) => input.truncate(place.start),
            5 | 6 => {
                let token = token(random).repeat(1 + below(random, 3) * below(random, 200));
                input.splice(place, token.into_bytes());
            }
            7 => change_line(random, input),
            _ => {
                input.splice(place.start..place.start, token(random).bytes());
            }
        }
    }
    input.truncate(LENGTH_LIMIT);
}

/// Deletes, doubles, moves or indents a line.
fn change_line(random: &mut Random, input: &mut Vec<u8>) {
    let mut lines: Vec<Vec<u8>> = input
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    if lines.is_empty() {
        return;
    }
    let at = below(random, lines.len());
    let to = below(random, lines.len());
    match below(random, 4) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(to, lines[at].clone()),
        2 => lines.swap(at, to),
        _ => drop(lines[at].splice(0..0, *b"  ")),
    }
    *input = lines.concat();
}

/// Changes a value somewhere in a document.
fn change_value(random: &mut Random, document: &mut Value, donor: &Value) {
    let mut place = document;
    // A step down at a time, until chance says that it is here.
    for _ in 0..20 {
        let count = match &*place {
            Value::Array(items) => items.len(),
            Value::Object(fields) => fields.len(),
            _ => 0,
        };
        if count == 0 || random.percent(15) {
            break;
        }
        let at = below(random, count);
        let next = match place {
            Value::Array(items) => items.get_mut(at),
            Value::Object(fields) => fields.values_mut().nth(at),
            _ => None,
        };
        match next {
            Some(next) => place = next,
            None => return,
        }
    }
    *place = match (&*place, below(random, 5)) {
        (Value::Array(items), 0 | 1) if !items.is_empty() => {
            let mut items = items.clone();
            let at = below(random, items.len());
            if random.percent(50) {
                items.remove(at);
            } else {
                items.insert(below(random, items.len()), items[at].clone());
            }
            Value::Array(items)
        }
        (Value::Object(fields), 0 | 1) if !fields.is_empty() => {
            let mut fields = fields.clone();
            let name = fields
                .keys()
                .nth(below(random, fields.len()))
                .cloned()
                .unwrap_or_default();
            fields.remove(&name);
            Value::Object(fields)
        }
        (Value::Number(number), 0..=3) => {
            let value = number.as_i64().unwrap_or(0);
            Value::from(value.wrapping_add(random.between(-2, 2)))
        }
        (Value::String(text), 0..=3) => {
            let mut bytes = text.clone().into_bytes();
            change(random, &mut bytes, &[text.clone().into_bytes()]);
            Value::from(String::from_utf8_lossy(&bytes).into_owned())
        }
        _ => part(random, donor),
    };
}

/// A value somewhere in a document.
fn part(random: &mut Random, document: &Value) -> Value {
    let mut place = document;
    while !random.percent(20) {
        let next = match place {
            Value::Array(items) => items.get(below(random, items.len())),
            Value::Object(fields) => fields.values().nth(below(random, fields.len())),
            _ => None,
        };
        match next {
            Some(next) => place = next,
            None => break,
        }
    }
    place.clone()
}
