//! Sums and products of doubles with what they lose: errors are exact where they can be, and rounded up where not.

/// Products below this may lose more than the error of a product says.
const TINY: f64 = 1e-250;
/// More than any product below [`TINY`] loses.
const LOSS_OF_TINY: f64 = 1e-265;

/// A sum, and how far it is from the exact one at most. Nothing is lost but by rounding, whose size is a double (Knuth's sum).
pub(super) fn sum(one: f64, other: f64) -> (f64, f64) {
    let sum = one + other;
    let part = sum - one;
    let lost = (one - (sum - part)) + (other - part);
    (sum, lost.abs())
}

/// A product, and how far it is from the exact one at most.
pub(super) fn product(one: f64, other: f64) -> (f64, f64) {
    let product = one * other;
    if one == 0.0 || other == 0.0 {
        return (product, 0.0);
    }
    match product.abs() < TINY {
        true => (product, LOSS_OF_TINY),
        false => (product, one.mul_add(other, -product).abs()),
    }
}

/// A quotient, and how far it is from the exact one at most.
pub(super) fn quotient(one: f64, other: f64) -> (f64, f64) {
    let quotient = one / other;
    if one == 0.0 {
        return (quotient, 0.0);
    }
    match quotient.abs() < TINY || one.abs() < TINY {
        true => (quotient, LOSS_OF_TINY.max(quotient.abs() * f64::EPSILON)),
        false => match (-quotient).mul_add(other, one) {
            0.0 => (quotient, 0.0),
            _ => (quotient, quotient.abs() * f64::EPSILON),
        },
    }
}

/// A number that is not less than the sum.
pub(super) fn sum_up(one: f64, other: f64) -> f64 {
    match sum(one, other) {
        (sum, 0.0) => sum,
        (sum, _) => sum.next_up(),
    }
}

/// A number that is not greater than the sum.
pub(super) fn sum_down(one: f64, other: f64) -> f64 {
    -sum_up(-one, -other)
}

/// A number that is not less than the product.
pub(super) fn product_up(one: f64, other: f64) -> f64 {
    match product(one, other) {
        (product, 0.0) => product,
        (product, lost) if product.abs() < TINY => sum_up(product, lost),
        (product, _) => product.next_up(),
    }
}

/// Two to the power of an integer; no number that doubles have is an infinity or zero.
pub(super) fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        1024.. => f64::INFINITY,
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        -1074..=-1023 => f64::from_bits(1 << (exponent + 1074)),
        _ => 0.0,
    }
}

/// The greatest power of two that a positive number is not less than, by its exponent; -1074 for what is smaller than all of them.
pub(super) fn exponent_of(number: f64) -> i32 {
    let bits = number.abs().to_bits();
    match bits >> 52 {
        0 => match bits {
            0 => -1074,
            bits => 63 - bits.leading_zeros() as i32 - 1074,
        },
        exponent => exponent as i32 - 1023,
    }
}

/// The greatest power of two, by its exponent, that a number is a multiple of; `None` of zero, which is one of all.
pub(super) fn grid_of(number: f64) -> Option<i32> {
    if number == 0.0 || !number.is_finite() {
        return None;
    }
    let bits = number.abs().to_bits();
    let significand = (bits & ((1 << 52) - 1)) | if bits >> 52 == 0 { 0 } else { 1 << 52 };
    let unit = (bits >> 52).max(1) as i32 - 1075;
    Some(unit + significand.trailing_zeros() as i32)
}
