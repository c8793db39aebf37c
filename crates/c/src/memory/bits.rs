//! Numbers by their bits, where memory that they are written to is read at another type: in unions ([`super::overlays`]) and in
//! objects that are seen as bytes ([`super::views`]).
//!
//! Of floating-point numbers, bits that are written stay what they are, those of a NaN too. What is written as a number has the
//! bits that IEEE 754 gives it, but for NaN: which of its many patterns an operation makes is left open there. A run that meets
//! such a one gets any of them, and no error is told of it ([`UnknownSource::NotCalculated`]).

use super::{Context, Lowering, build};
use crate::arithmetic::format_of;
use crate::flat::{FlatExpression, FlatInstructionKind, FlatTerminator};
use crate::options::Floats;
use crate::program::{BinaryOperator, ExpressionKind, Numeric, UnaryOperator, UnknownSource, Written};
use crate::terms::FloatOperator;
use crate::types::{IntegerType, TypeId, Types};
use num_bigint::BigInt;

/// The numbers that bits are put together in.
pub(super) const WORD: Numeric = Numeric::Integer(IntegerType {
    bits: 64,
    signed: false,
});

/// Whether the bits of numbers of a floating type are known: those of the types that have exact terms and no bits besides.
pub(super) fn has_known_bits(bits: u32, floats: Floats) -> bool {
    format_of(Numeric::Floating(bits), floats).is_some_and(|format| format.width() == bits)
}

/// An integer without sign that has so many bits.
fn word(bits: u32) -> Numeric {
    Numeric::Integer(IntegerType { bits, signed: false })
}

fn unary(operator: FloatOperator, operand: FlatExpression, numeric: Numeric, c_type: TypeId) -> FlatExpression {
    FlatExpression {
        kind: ExpressionKind::Unary(UnaryOperator::Float(operator), Box::new(operand)),
        numeric,
        c_type,
        written: Written::default(),
    }
}

impl Lowering<'_> {
    /// The bits of a number of a floating type as an integer; any other value as it is.
    pub(super) fn as_bits(&mut self, value: FlatExpression) -> FlatExpression {
        let Numeric::Floating(bits) = value.numeric else {
            return value;
        };
        let word = word(bits);
        let c_type = value.c_type;
        let value = self.small(value, Context::Always, "number");
        if let ExpressionKind::Integer(_) | ExpressionKind::Floating(_) = value.kind {
            return unary(FloatOperator::ToBits, value, word, Types::INT);
        }
        let result = self.layout.temporary("bits", word);
        let [open, known, join] = [(); 3].map(|()| self.add_block(FlatTerminator::Stop));
        let truth = Numeric::Integer(IntegerType::INT);
        self.end(FlatTerminator::Branch {
            condition: unary(FloatOperator::IsNan, value.clone(), truth, Types::INT),
            then: open,
            otherwise: known,
        });
        self.guards.clear();
        self.current = known;
        let bits_of_number = unary(FloatOperator::ToBits, value.clone(), word, Types::INT);
        self.push(FlatInstructionKind::Assign(result, bits_of_number));
        self.end(FlatTerminator::Goto(join));
        self.current = open;
        let source = UnknownSource::NotCalculated("the bits of a NaN".to_string());
        let any = self.unknown(word, Types::INT, source);
        let read = unary(FloatOperator::OfBits, any.clone(), Numeric::Floating(bits), c_type);
        let is_nan = unary(FloatOperator::IsNan, read, truth, Types::INT);
        // The bits of some NaN, if those are of a number.
        let some = unary(FloatOperator::ToBits, value, word, Types::INT);
        let chosen = build::conditional(is_nan, any, some);
        self.push(FlatInstructionKind::Assign(result, chosen));
        self.end(FlatTerminator::Goto(join));
        self.current = join;
        build::variable(result, word, Types::INT)
    }

    /// The bits of an integer as a value of the type: a floating-point number that has them, or the integer in the type.
    pub(super) fn of_bits(&self, bits: FlatExpression, numeric: Numeric, c_type: TypeId) -> FlatExpression {
        let size = self.types.size_type();
        match numeric {
            Numeric::Floating(width) => {
                let bits = build::converted(bits, word(width), Types::INT, size);
                unary(FloatOperator::OfBits, bits, numeric, c_type)
            }
            _ => build::converted(bits, numeric, c_type, size),
        }
    }

    /// A number of so many bits, without its sign.
    pub(super) fn word_of(&self, value: FlatExpression, width: u64) -> FlatExpression {
        let bits = u32::try_from(width).unwrap_or(64);
        let (kind, word) = (value.c_type, self.types.size_type());
        let unsigned = Numeric::Integer(IntegerType { bits, signed: false });
        build::converted(build::converted(value, unsigned, kind, word), WORD, kind, word)
    }

    /// Some bits of a number of so many, as a number.
    pub(super) fn bits_of(&self, value: FlatExpression, width: u64, start: u64, count: u64) -> FlatExpression {
        let kind = value.c_type;
        let mut word = self.word_of(value, width);
        let power = |bits: u64| build::integer(BigInt::from(1) << bits, WORD, kind);
        if start > 0 {
            word = build::binary(BinaryOperator::Divide, word, power(start), WORD, kind);
        }
        if start + count < width {
            word = build::binary(BinaryOperator::Remainder, word, power(count), WORD, kind);
        }
        word
    }
}

/// A number with so many bits of zero below it.
pub(super) fn shifted(word: FlatExpression, bits: u64) -> FlatExpression {
    if bits == 0 {
        return word;
    }
    let kind = word.c_type;
    let factor = build::integer(BigInt::from(1) << bits, WORD, kind);
    build::binary(BinaryOperator::Multiply, word, factor, WORD, kind)
}

/// The value of a bit-field of one bit, given the bit: where the field has a sign, its only bit is that.
pub(super) fn only_bit(bit: FlatExpression) -> FlatExpression {
    let (numeric, kind) = (bit.numeric, bit.c_type);
    match numeric {
        Numeric::Integer(IntegerType { signed: true, .. }) => {
            let zero = build::integer(0.into(), numeric, kind);
            build::binary(BinaryOperator::Subtract, zero, bit, numeric, kind)
        }
        _ => bit,
    }
}
