//! Integer literals: their value, and the first type of C's list that holds it.

use super::types::{DataModel, IntegerType};
use num_bigint::BigInt;
use num_traits::{Num, Zero};

/// Why a literal has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiteralError {
    /// It is not written as one.
    NoInteger,
    /// No type holds it.
    TooLarge,
}

/// The value and the type of a literal, with its suffix.
pub fn integer_literal(text: &str, model: DataModel) -> Result<(BigInt, IntegerType), LiteralError> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'b', ..] => (&lower[2..], 2),
        [b'0', _, ..] => (&lower[1..], 8),
        _ => (&lower[..], 10),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    // `0u` has no digits after the leading zero.
    let number = match digits.is_empty() && radix == 8 {
        true => Ok(BigInt::zero()),
        false => BigInt::from_str_radix(digits, radix),
    };
    let long = match model {
        DataModel::Lp64 => 64,
        DataModel::Ilp32 => 32,
    };
    let (Ok(number), Some((unsigned, least_bits))) = (number, read_suffix(suffix, long)) else {
        return Err(LiteralError::NoInteger);
    };
    let sizes = [32, long, 64, 128];
    let kinds = sizes
        .into_iter()
        .filter(|bits| *bits >= least_bits)
        .flat_map(|bits| [true, false].map(|signed| IntegerType { bits, signed }));
    // A decimal literal without `u` is never unsigned.
    let mut allowed = kinds.filter(|kind| {
        if kind.signed {
            !unsigned
        } else {
            unsigned || radix != 10
        }
    });
    match allowed.find(|kind| number <= kind.maximum()) {
        Some(kind) => Ok((number, kind)),
        None => Err(LiteralError::TooLarge),
    }
}

/// Whether a suffix says unsigned, and the width it asks for.
fn read_suffix(suffix: &str, long: u32) -> Option<(bool, u32)> {
    Some(match suffix {
        "" => (false, 32),
        "u" => (true, 32),
        "l" => (false, long),
        "ul" | "lu" => (true, long),
        "ll" | "i64" => (false, 64),
        "ull" | "llu" | "ui64" => (true, 64),
        "i32" => (false, 32),
        "ui32" => (true, 32),
        _ => return None,
    })
}
