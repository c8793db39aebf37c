//! The inputs of a run: a number for every time that a line reads one, made from a seed.
//!
//! Lines and not positions tell inputs apart, because the rules may leave out inputs that cannot affect anything.

/// The functions that give inputs, by the end of their names, and the types of what they give: the name, the width, and
/// whether it is signed.
pub const INPUTS: [(&str, &str, u32, bool); 12] = [
    ("bool", "_Bool", 1, false),
    ("char", "char", 8, true),
    ("int", "int", 32, true),
    ("long", "long", 64, true),
    ("longlong", "long long", 64, true),
    ("short", "short", 16, true),
    ("uchar", "unsigned char", 8, false),
    ("uint", "unsigned int", 32, false),
    ("ulong", "unsigned long", 64, false),
    ("ulonglong", "unsigned long long", 64, false),
    ("unsigned", "unsigned int", 32, false),
    ("ushort", "unsigned short", 16, false),
];

/// What a line reads when it has read so many values before: small, mostly. The same as `input_value` in harness.c.
pub fn input_value(seed: u64, line: u64, times: u64) -> i64 {
    const FACTOR: u64 = 1_000_003;
    const EDGES: [i64; 8] = [
        2_147_483_647,
        -2_147_483_648,
        4_294_967_295,
        65_535,
        -32_768,
        i64::MAX,
        i64::MIN,
        255,
    ];
    let place = seed.wrapping_mul(FACTOR).wrapping_add(line);
    let mut mixed = place.wrapping_mul(FACTOR).wrapping_add(times);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    let rest = mixed >> 8;
    match mixed % 8 {
        0 => EDGES[(rest % 8) as usize],
        1 => (rest % 2001) as i64 - 1000,
        2 => (rest % 256) as i64,
        _ => (rest % 20) as i64 - 4,
    }
}

/// The value converted to a type, as C does it.
pub fn converted(value: i64, bits: u32, signed: bool) -> i128 {
    let value = i128::from(value);
    if bits == 1 {
        return i128::from(value != 0);
    }
    let modulus = 1_i128 << bits;
    let rest = value.rem_euclid(modulus);
    if signed && rest >= modulus / 2 {
        rest - modulus
    } else {
        rest
    }
}

/// What stands before and behind an operation that may overflow, and is no part of the text: gcc must not see through it,
/// for it folds `a - b != 0` to `a != b`, and others, before it looks for overflow.
pub const OPAQUE: [char; 2] = ['\u{1}', '\u{2}'];
