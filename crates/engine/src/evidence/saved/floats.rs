//! Floating-point numbers in saved formulas and values, as [`Terms::smtlib`] writes them.

use crate::terms::{Float, FloatFormat, FloatOperator, Rounding, SortId, TermId, Terms};

/// Whether a word names a direction of rounding.
pub(super) fn is_rounding(word: &str) -> bool {
    Rounding::ALL.iter().any(|rounding| rounding.smtlib_name() == word)
}

/// Whether a function of this name may have a direction of rounding before its arguments.
pub(super) fn takes_rounding(name: &str) -> bool {
    let all = FloatOperator::ALL.into_iter();
    all.into_iter()
        .any(|operator| operator.rounding().is_some() && operator.smtlib_name() == name)
}

/// A function of floating-point numbers applied to terms; `indices` are those in `(_ name index …)`. `None` if there is none or
/// the sorts do not fit.
pub(super) fn apply_float(
    terms: &mut Terms,
    name: &str,
    indices: &[&str],
    rounding: Option<&str>,
    arguments: &[TermId],
) -> Option<TermId> {
    // All of their names do, and nearly all terms are of another kind.
    if !name.contains("fp") {
        return None;
    }
    if name == "fp" && indices.is_empty() {
        return literal(terms, arguments);
    }
    let numbers: Option<Vec<u32>> = indices.iter().map(|index| index.parse().ok()).collect();
    let first = terms.sort(*arguments.first()?);
    for operator in FloatOperator::ALL {
        if operator.smtlib_name() != name || operator.rounding().map(Rounding::smtlib_name) != rounding {
            continue;
        }
        // What has no indices is a truth value or of the arguments' format, but for their bits.
        let results = match numbers.as_deref()? {
            [] if operator == FloatOperator::ToBits => [terms.word_sort(terms.float_format(first)?.width()); 2],
            [] => [first, SortId::BOOL],
            [width] if (1..=1 << 15).contains(width) => [terms.word_sort(*width); 2],
            [exponent, significand] => [terms.float_sort(FloatFormat::of_bits(*exponent, *significand)?); 2],
            _ => return None,
        };
        for result in results {
            if let Some(term) = terms.float_operation(operator, arguments, result) {
                return Some(term);
            }
        }
    }
    None
}

/// `(fp sign exponent fraction)` of words.
fn literal(terms: &mut Terms, parts: &[TermId]) -> Option<TermId> {
    let [sign, exponent, fraction] = *parts else {
        return None;
    };
    let mut bits = 0u128;
    let mut widths = [0; 3];
    for (part, width) in [sign, exponent, fraction].into_iter().zip(&mut widths) {
        *width = terms.width(terms.sort(part)).filter(|width| *width < 64)?;
        let value: u128 = terms.number_value(part)?.numer().try_into().ok()?;
        bits = bits << *width | value;
    }
    let format = FloatFormat::of_bits(widths[1], widths[2] + 1).filter(|_| widths[0] == 1)?;
    Some(terms.float(Float::of_bits(format, bits)))
}

/// A constant with indices: `(_ NaN 8 24)`, `(_ +oo 11 53)`.
pub(super) fn special(name: &str, exponent: &str, significand: &str) -> Option<Float> {
    let format = FloatFormat::of_bits(exponent.parse().ok()?, significand.parse().ok()?)?;
    Some(match name {
        "NaN" => Float::nan(format),
        "+oo" => Float::infinity(format, false),
        "-oo" => Float::infinity(format, true),
        "+zero" => Float::zero(format, false),
        "-zero" => Float::zero(format, true),
        _ => return None,
    })
}

/// A value of a format by its text.
pub(super) fn read_float(text: &str, format: FloatFormat) -> Option<Float> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let words: Vec<&str> = inner.split(' ').collect();
    let value = match words[..] {
        ["_", name, exponent, significand] => special(name, exponent, significand)?,
        ["fp", sign, exponent, fraction] => {
            let mut bits = 0u128;
            let mut widths = [0; 3];
            for (part, width) in [sign, exponent, fraction].into_iter().zip(&mut widths) {
                let (radix, digit) = match part.get(..2)? {
                    "#x" => (16, 4),
                    "#b" => (2, 1),
                    _ => return None,
                };
                let digits = part.get(2..)?;
                *width = u32::try_from(digits.len()).ok()?.checked_mul(digit)?;
                if *width >= 64 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                    return None;
                }
                bits = bits << *width | u128::from_str_radix(digits, radix).ok()?;
            }
            let format = FloatFormat::of_bits(widths[1], widths[2] + 1).filter(|_| widths[0] == 1)?;
            Float::of_bits(format, bits)
        }
        _ => return None,
    };
    (value.format() == format).then_some(value)
}
