//! Floating-point numbers as IEEE 754 has them: `float` is binary32, `double` is binary64, `long double` is x87's extended format,
//! and every operation rounds to the nearest value at once, as on machines whose `FLT_EVAL_METHOD` is 0.
//!
//! Conversions from and to integers go through machine words of the integer's type. `__float128` has no such terms; where it
//! is not refused it is approximated, by real numbers or by any value.

use super::super::options::Floats;
use super::super::program::{BinaryOperator, ErrorKind, Numeric, UnaryOperator};
use super::super::ranges::Interval;
use super::super::types::IntegerType;
use super::truth::Truth;
use super::{Conjunct, Lowered, Lowering, lowered, unbounded};
use crate::options::Undefined;
use crate::terms::{Float, FloatFormat, FloatOperator, Rational, SortId, TermId, Terms, WordOperator};
use num_bigint::BigInt;
use num_traits::One;

/// The format of a type's numbers, if they have exact terms.
pub(crate) fn format_of(numeric: Numeric, floats: Floats) -> Option<FloatFormat> {
    match (numeric, floats) {
        (Numeric::Floating(32), Floats::Exact) => Some(FloatFormat::Single),
        (Numeric::Floating(64), Floats::Exact) => Some(FloatFormat::Double),
        (Numeric::Floating(80), Floats::Exact) => Some(FloatFormat::Extended),
        _ => None,
    }
}

/// The sort of terms for a type's values.
pub(crate) fn sort_of_numeric(terms: &mut Terms, numeric: Numeric, floats: Floats) -> SortId {
    match (numeric, format_of(numeric, floats)) {
        (_, Some(format)) => terms.float_sort(format),
        (Numeric::Floating(_), None) => SortId::REAL,
        _ => SortId::INT,
    }
}

impl Lowering<'_> {
    /// A floating-point constant: the value nearest to the number that is written.
    pub(super) fn floating(&mut self, number: &Rational, numeric: Numeric) -> Lowered {
        let term = match format_of(numeric, self.rules.floats) {
            Some(format) => self.terms.float(Float::nearest(format, number)),
            None => self.terms.real(number.clone()),
        };
        unbounded(term)
    }

    fn float(&mut self, operator: FloatOperator, arguments: &[TermId], sort: SortId) -> TermId {
        let term = self.terms.float_operation(operator, arguments, sort);
        debug_assert!(term.is_some(), "an operation on other terms: {operator:?}");
        // Any value, if it ever came to that.
        term.unwrap_or_else(|| self.terms.fresh_variable("Unknown", sort))
    }

    pub(super) fn float_unary(&mut self, operator: UnaryOperator, operand: &Lowered, numeric: Numeric) -> Lowered {
        let sort = self.terms.sort(operand.term);
        let is_float = self.terms.float_format(sort).is_some();
        match operator {
            UnaryOperator::Float(FloatOperator::ToBits) => match (self.terms.float_format(sort), numeric) {
                (Some(format), Numeric::Integer(kind)) if format.width() == kind.bits => {
                    let word_sort = self.terms.word_sort(kind.bits);
                    let word = self.float(FloatOperator::ToBits, &[operand.term], word_sort);
                    let number = self.terms.word_operation(WordOperator::ToInteger, &[word], 0);
                    let number = number.unwrap_or_else(|| self.terms.fresh_variable("Unknown", SortId::INT));
                    lowered(number, Interval::of_type(kind))
                }
                // Nobody knows the bits of what is approximated.
                _ => self.any_integer(numeric),
            },
            UnaryOperator::Float(operator) if is_float && matches!(numeric, Numeric::Integer(_)) => {
                let yes = self.float(operator, &[operand.term], SortId::BOOL);
                let no = self.terms.not(yes);
                self.truth_number(Truth { yes, no })
            }
            UnaryOperator::Float(operator) if is_float => unbounded(self.float(operator, &[operand.term], sort)),
            // Numbers that are approximated have no such functions.
            UnaryOperator::Float(_) => match numeric {
                Numeric::Integer(_) => {
                    let unknown = self.terms.fresh_variable("Class", SortId::BOOL);
                    let no = self.terms.not(unknown);
                    self.truth_number(Truth { yes: unknown, no })
                }
                _ => unbounded(self.terms.fresh_variable("Unknown", sort)),
            },
            _ if is_float => unbounded(self.float(FloatOperator::Negate, &[operand.term], sort)),
            _ => unbounded(self.terms.negate(operand.term)),
        }
    }

    /// The floating-point number that has the bits of an integer without sign.
    pub(super) fn float_of_bits(&mut self, operand: &Lowered, numeric: Numeric) -> Lowered {
        let target = sort_of_numeric(self.terms, numeric, self.rules.floats);
        let format = self.terms.float_format(target);
        let word = format.and_then(|format| {
            self.terms
                .word_operation(WordOperator::OfInteger, &[operand.term], format.width())
        });
        unbounded(match word {
            Some(word) => self.float(FloatOperator::OfBits, &[word], target),
            None => self.terms.fresh_variable("Unknown", target),
        })
    }

    /// An unknown value of an integer type.
    fn any_integer(&mut self, numeric: Numeric) -> Lowered {
        let unknown = self.terms.fresh_variable("Unknown", SortId::INT);
        let interval = match numeric {
            Numeric::Integer(kind) => Interval::of_type(kind),
            _ => Interval::all(),
        };
        for formula in self.inside(unknown, &interval, &Interval::all()) {
            self.record.conjuncts.push(Conjunct { formula, defines: None });
        }
        lowered(unknown, interval)
    }

    pub(super) fn float_binary(&mut self, operator: BinaryOperator, a: &Lowered, b: &Lowered) -> Lowered {
        let sort = self.terms.sort(a.term);
        if self.terms.float_format(sort).is_none() {
            return self.real_binary(operator, a, b);
        }
        let operator = match operator {
            BinaryOperator::Add => FloatOperator::Add,
            BinaryOperator::Subtract => FloatOperator::Subtract,
            BinaryOperator::Multiply => FloatOperator::Multiply,
            BinaryOperator::Divide => FloatOperator::Divide,
            _ => return self.truncated_remainder(a, b, sort),
        };
        unbounded(self.float(operator, &[a.term, b.term], sort))
    }

    /// The product of the first two plus the third, rounded once.
    pub(super) fn fused(&mut self, operands: &[Lowered; 3]) -> Lowered {
        let [left, right, added] = operands;
        let sort = self.terms.sort(left.term);
        if self.terms.float_format(sort).is_none() {
            let product = self.real_binary(BinaryOperator::Multiply, left, right);
            return self.real_binary(BinaryOperator::Add, &product, added);
        }
        let arguments = [left.term, right.term, added.term];
        unbounded(self.float(FloatOperator::FusedMultiplyAdd, &arguments, sort))
    }

    /// `fmod`: the remainder of the quotient rounded towards zero, with the dividend's sign. That of the nearest quotient of the
    /// magnitudes is it, or misses it by one divisor; the sum is exact.
    fn truncated_remainder(&mut self, a: &Lowered, b: &Lowered, sort: SortId) -> Lowered {
        let [dividend, divisor] = [a, b].map(|side| self.float(FloatOperator::Absolute, &[side.term], sort));
        let nearest = self.float(FloatOperator::Remainder, &[dividend, divisor], sort);
        let more = self.float(FloatOperator::Add, &[nearest, divisor], sort);
        let format = self.terms.float_format(sort).unwrap_or(FloatFormat::Double);
        let zero = self.terms.float(Float::zero(format, false));
        let is_below = self.float(FloatOperator::Less, &[nearest, zero], SortId::BOOL);
        let magnitude = self.terms.if_then_else(is_below, more, nearest);
        let opposite = self.float(FloatOperator::Negate, &[magnitude], sort);
        let is_negative = self.float(FloatOperator::IsNegative, &[a.term], SortId::BOOL);
        unbounded(self.terms.if_then_else(is_negative, opposite, magnitude))
    }

    /// A comparison: false with a NaN.
    pub(super) fn float_comparison(&mut self, operator: BinaryOperator, a: TermId, b: TermId) -> Truth {
        let (operator, negated) = match operator {
            BinaryOperator::Less => (FloatOperator::Less, false),
            BinaryOperator::LessOrEqual => (FloatOperator::LessOrEqual, false),
            other => (FloatOperator::Equal, other == BinaryOperator::NotEqual),
        };
        let yes = self.float(operator, &[a, b], SortId::BOOL);
        let no = self.terms.not(yes);
        match negated {
            true => Truth { yes: no, no: yes },
            false => Truth { yes, no },
        }
    }

    /// That a number is not one of the zeros; NaN is not.
    pub(super) fn float_not_zero(&mut self, term: TermId) -> Truth {
        let no = self.float(FloatOperator::IsZero, &[term], SortId::BOOL);
        let yes = self.terms.not(no);
        Truth { yes, no }
    }

    /// A floating-point number in another floating type.
    pub(super) fn float_to_float(&mut self, operand: &Lowered, to: Numeric) -> Lowered {
        let target = sort_of_numeric(self.terms, to, self.rules.floats);
        let (from, into) = (
            self.terms.float_format(self.terms.sort(operand.term)),
            self.terms.float_format(target),
        );
        match (from, into) {
            (Some(_), Some(_)) => unbounded(self.float(FloatOperator::Convert, &[operand.term], target)),
            (None, None) => operand.clone(),
            // `__float128` where it is approximated.
            _ => unbounded(self.terms.fresh_variable("Unknown", target)),
        }
    }

    /// The floating-point number nearest to an integer of a type.
    pub(super) fn float_of_integer(&mut self, operand: &Lowered, from: Numeric, to: Numeric) -> Lowered {
        let target = sort_of_numeric(self.terms, to, self.rules.floats);
        let Some(format) = self.terms.float_format(target) else {
            return unbounded(self.terms.to_real(operand.term));
        };
        if let Some(number) = operand.interval.as_point() {
            let number = Rational::from_integer(number.clone());
            return unbounded(self.terms.float(Float::nearest(format, &number)));
        }
        let kind = match from {
            Numeric::Integer(kind) => kind,
            _ => IntegerType {
                bits: 64,
                signed: false,
            },
        };
        // As few bits as the values need: the solver works through all of them.
        let kind = narrowest(&operand.interval, kind);
        let operator = match kind.signed {
            true => FloatOperator::OfSigned,
            false => FloatOperator::OfUnsigned,
        };
        let word = self
            .terms
            .word_operation(WordOperator::OfInteger, &[operand.term], kind.bits);
        let term = match word {
            Some(word) => self.float(operator, &[word], target),
            None => self.terms.fresh_variable("Unknown", target),
        };
        unbounded(term)
    }

    /// A floating-point number as an integer, truncated towards zero; not defined if the type has no such value.
    pub(super) fn integer_of_float(&mut self, operand: &Lowered, kind: IntegerType) -> Lowered {
        let sort = self.terms.sort(operand.term);
        let Some(format) = self.terms.float_format(sort) else {
            return self.truncate_real(operand, kind);
        };
        if let Some(number) = self.terms.float_constant(operand.term).and_then(Float::number) {
            let zero = Rational::from_integer(0.into());
            let whole = if number < zero {
                -(-number).floor()
            } else {
                number.floor()
            }
            .to_integer();
            if kind.minimum() <= whole && whole <= kind.maximum() {
                return self.number(whole);
            }
        }
        // Both limits are outside, and there is nothing between them and the least and the greatest value.
        let above = Float::nearest(format, &Rational::from_integer(kind.maximum() + 1));
        let below: BigInt = kind.minimum() - 1;
        let exact = Float::nearest(format, &Rational::from_integer(below.clone()));
        let is_exact = exact.number() == Some(Rational::from_integer(below));
        let (low, operator) = match is_exact {
            true => (exact, FloatOperator::Less),
            false => {
                let least = Float::nearest(format, &Rational::from_integer(kind.minimum()));
                (least, FloatOperator::LessOrEqual)
            }
        };
        let (low, above) = (self.terms.float(low), self.terms.float(above));
        let bounds = [
            self.float(operator, &[low, operand.term], SortId::BOOL),
            self.float(FloatOperator::Less, &[operand.term, above], SortId::BOOL),
        ];
        let is_inside = self.terms.and(&bounds);
        let text = "a floating-point number is converted to an integer type that does not have it: {}";
        self.oblige(is_inside, ErrorKind::Conversion, text, &[operand.term]);
        // What is evaluated must have a value, whatever happens.
        let zero = self.terms.float(Float::zero(format, false));
        let inside = self.terms.if_then_else(is_inside, operand.term, zero);
        let number = self.word_as_integer(inside, kind);
        let interval = Interval::of_type(kind);
        if self.rules.undefined == Undefined::Ends {
            return lowered(number, interval);
        }
        let unknown = self.terms.fresh_variable("Converted", SortId::INT);
        for formula in self.inside(unknown, &interval, &Interval::all()) {
            self.record.conjuncts.push(Conjunct { formula, defines: None });
        }
        let outside = self.terms.not(is_inside);
        let term = self.by_cases("Truncated", &[(is_inside, number), (outside, unknown)]);
        lowered(term, interval)
    }

    /// A number that the type has, truncated.
    fn word_as_integer(&mut self, number: TermId, kind: IntegerType) -> TermId {
        let operator = match kind.signed {
            true => FloatOperator::ToSigned,
            false => FloatOperator::ToUnsigned,
        };
        let sort = self.terms.word_sort(kind.bits);
        let word = self.float(operator, &[number], sort);
        // A signed word is an unsigned one, moved by half of them.
        let half = match kind.signed {
            true => BigInt::one() << (kind.bits.max(1) - 1),
            false => BigInt::from(0),
        };
        let moved = self.terms.word(half.clone(), kind.bits);
        let moved = self.terms.word_operation(WordOperator::Add, &[word, moved], kind.bits);
        let natural = moved.and_then(|moved| self.terms.word_operation(WordOperator::ToInteger, &[moved], 0));
        let natural = natural.unwrap_or_else(|| self.terms.fresh_variable("Unknown", SortId::INT));
        let half = self.terms.integer(half);
        self.terms.subtract(natural, half)
    }
}

/// The narrowest type with all values of the interval; the type itself if none is.
fn narrowest(interval: &Interval, kind: IntegerType) -> IntegerType {
    let widths = [8, 16, 32, 64, 128];
    let mut kinds = widths
        .iter()
        .flat_map(|bits| [false, true].map(|signed| IntegerType { bits: *bits, signed }));
    kinds
        .find(|kind| Interval::of_type(*kind).includes(interval))
        .unwrap_or(kind)
}
