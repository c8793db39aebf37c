//! Floating-point terms: IEEE 754's binary32 and binary64, and x87's extended format, with the operations of SMT-LIB's theory.
//!
//! Arithmetic rounds to the nearest value, to the even one of two; only rounding to integers knows other directions. Equality of
//! terms is SMT-LIB's `=`: NaN equals itself and the zeros differ. IEEE 754's is [`FloatOperator::Equal`]. What SMT-LIB leaves
//! open has no value when terms are evaluated: the smaller of two zeros, and words for numbers that they cannot hold. Other operations of
//! SMT-LIB are written by these where they are read.

use super::float_value::{FloatResult, float_of_word, float_value, word_of_number};
use super::{Float, FloatFormat, Operator, Rational, Sort, SortId, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Directions of rounding to integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rounding {
    /// To the nearest, the even one of two.
    NearestEven,
    /// To the nearest, the one further from zero of two.
    NearestAway,
    /// Up.
    Up,
    /// Down.
    Down,
    /// Towards zero.
    TowardZero,
}

impl Rounding {
    /// All of them.
    pub const ALL: [Rounding; 5] = [
        Rounding::NearestEven,
        Rounding::NearestAway,
        Rounding::Up,
        Rounding::Down,
        Rounding::TowardZero,
    ];

    /// SMT-LIB's short name.
    pub fn smtlib_name(self) -> &'static str {
        match self {
            Rounding::NearestEven => "RNE",
            Rounding::NearestAway => "RNA",
            Rounding::Up => "RTP",
            Rounding::Down => "RTN",
            Rounding::TowardZero => "RTZ",
        }
    }

    /// SMT-LIB's long name.
    pub fn smtlib_long_name(self) -> &'static str {
        match self {
            Rounding::NearestEven => "roundNearestTiesToEven",
            Rounding::NearestAway => "roundNearestTiesToAway",
            Rounding::Up => "roundTowardPositive",
            Rounding::Down => "roundTowardNegative",
            Rounding::TowardZero => "roundTowardZero",
        }
    }
}

/// What is done with floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatOperator {
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
    /// The quotient.
    Divide,
    /// The product of the first two plus the third, rounded once.
    FusedMultiplyAdd,
    /// The square root.
    SquareRoot,
    /// The remainder of the quotient rounded to the nearest integer.
    Remainder,
    /// An integer.
    RoundToIntegral(Rounding),
    /// The smaller one, the other one of a NaN; open for zeros of different signs.
    Minimum,
    /// The greater one, the other one of a NaN; open for zeros of different signs.
    Maximum,
    /// Without its sign.
    Absolute,
    /// With the other sign.
    Negate,
    /// Comparison, false with a NaN.
    Less,
    /// Comparison, false with a NaN.
    LessOrEqual,
    /// Comparison, false with a NaN, true of the zeros.
    Equal,
    /// Whether it is NaN.
    IsNan,
    /// Whether it is one of the infinities.
    IsInfinite,
    /// Whether it is one of the zeros.
    IsZero,
    /// Whether it is a number too small for a normal one.
    IsSubnormal,
    /// Whether it is a normal number.
    IsNormal,
    /// Whether the sign is set; NaN has none.
    IsNegative,
    /// Whether the sign is not set; NaN has none.
    IsPositive,
    /// The nearest number of the result's format.
    Convert,
    /// The number with the word's bits.
    OfBits,
    /// The nearest number to a signed word.
    OfSigned,
    /// The nearest number to an unsigned word.
    OfUnsigned,
    /// The number as a signed word, truncated towards zero; open if no word is that.
    ToSigned,
    /// The number as an unsigned word, truncated towards zero; open if no word is that.
    ToUnsigned,
    /// The word with the number's bits; of NaN, those that [`Float::nan`] has. SMT-LIB has no function for it, Z3's leaves NaN's open.
    ToBits,
}

/// What the arguments of an operation are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Floats,
    Word,
}

/// What an operation gives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gives {
    /// A float of the arguments' format.
    Same,
    /// A float of any format.
    Float,
    Truth,
    Word,
}

impl FloatOperator {
    /// All of them.
    pub const ALL: [FloatOperator; 33] = [
        FloatOperator::Add,
        FloatOperator::Subtract,
        FloatOperator::Multiply,
        FloatOperator::Divide,
        FloatOperator::FusedMultiplyAdd,
        FloatOperator::SquareRoot,
        FloatOperator::Remainder,
        FloatOperator::RoundToIntegral(Rounding::NearestEven),
        FloatOperator::RoundToIntegral(Rounding::NearestAway),
        FloatOperator::RoundToIntegral(Rounding::Up),
        FloatOperator::RoundToIntegral(Rounding::Down),
        FloatOperator::RoundToIntegral(Rounding::TowardZero),
        FloatOperator::Minimum,
        FloatOperator::Maximum,
        FloatOperator::Absolute,
        FloatOperator::Negate,
        FloatOperator::Less,
        FloatOperator::LessOrEqual,
        FloatOperator::Equal,
        FloatOperator::IsNan,
        FloatOperator::IsInfinite,
        FloatOperator::IsZero,
        FloatOperator::IsSubnormal,
        FloatOperator::IsNormal,
        FloatOperator::IsNegative,
        FloatOperator::IsPositive,
        FloatOperator::Convert,
        FloatOperator::OfBits,
        FloatOperator::OfSigned,
        FloatOperator::OfUnsigned,
        FloatOperator::ToSigned,
        FloatOperator::ToUnsigned,
        FloatOperator::ToBits,
    ];

    /// The number of arguments, not counting the direction of rounding.
    pub fn arity(self) -> usize {
        use FloatOperator::{
            Add, Divide, Equal, FusedMultiplyAdd, Less, LessOrEqual, Maximum, Minimum, Multiply, Remainder, Subtract,
        };
        match self {
            FusedMultiplyAdd => 3,
            Add | Subtract | Multiply | Divide | Remainder | Minimum | Maximum | Less | LessOrEqual | Equal => 2,
            _ => 1,
        }
    }

    /// The name that SMT-LIB has for the function.
    pub fn smtlib_name(self) -> &'static str {
        match self {
            FloatOperator::Add => "fp.add",
            FloatOperator::Subtract => "fp.sub",
            FloatOperator::Multiply => "fp.mul",
            FloatOperator::Divide => "fp.div",
            FloatOperator::FusedMultiplyAdd => "fp.fma",
            FloatOperator::SquareRoot => "fp.sqrt",
            FloatOperator::Remainder => "fp.rem",
            FloatOperator::RoundToIntegral(_) => "fp.roundToIntegral",
            FloatOperator::Minimum => "fp.min",
            FloatOperator::Maximum => "fp.max",
            FloatOperator::Absolute => "fp.abs",
            FloatOperator::Negate => "fp.neg",
            FloatOperator::Less => "fp.lt",
            FloatOperator::LessOrEqual => "fp.leq",
            FloatOperator::Equal => "fp.eq",
            FloatOperator::IsNan => "fp.isNaN",
            FloatOperator::IsInfinite => "fp.isInfinite",
            FloatOperator::IsZero => "fp.isZero",
            FloatOperator::IsSubnormal => "fp.isSubnormal",
            FloatOperator::IsNormal => "fp.isNormal",
            FloatOperator::IsNegative => "fp.isNegative",
            FloatOperator::IsPositive => "fp.isPositive",
            FloatOperator::Convert | FloatOperator::OfBits | FloatOperator::OfSigned => "to_fp",
            FloatOperator::OfUnsigned => "to_fp_unsigned",
            FloatOperator::ToSigned => "fp.to_sbv",
            FloatOperator::ToUnsigned => "fp.to_ubv",
            FloatOperator::ToBits => "fp.to_ieee_bv",
        }
    }

    /// The direction of rounding that stands before the arguments in SMT-LIB, if the function has one.
    pub fn rounding(self) -> Option<Rounding> {
        use FloatOperator::{
            Add, Convert, Divide, FusedMultiplyAdd, Multiply, OfSigned, OfUnsigned, SquareRoot, Subtract, ToSigned,
            ToUnsigned,
        };
        match self {
            Add | Subtract | Multiply | Divide | FusedMultiplyAdd | SquareRoot | Convert | OfSigned | OfUnsigned => {
                Some(Rounding::NearestEven)
            }
            FloatOperator::RoundToIntegral(rounding) => Some(rounding),
            ToSigned | ToUnsigned => Some(Rounding::TowardZero),
            _ => None,
        }
    }

    /// Whether the arguments may be swapped.
    fn is_commutative(self) -> bool {
        matches!(
            self,
            FloatOperator::Add | FloatOperator::Multiply | FloatOperator::Equal
        )
    }

    fn takes(self) -> Takes {
        match self {
            FloatOperator::OfBits | FloatOperator::OfSigned | FloatOperator::OfUnsigned => Takes::Word,
            _ => Takes::Floats,
        }
    }

    pub(super) fn gives(self) -> Gives {
        use FloatOperator::{
            Convert, Equal, IsInfinite, IsNan, IsNegative, IsNormal, IsPositive, IsSubnormal, IsZero, Less,
            LessOrEqual, OfBits, OfSigned, OfUnsigned, ToBits, ToSigned, ToUnsigned,
        };
        match self {
            Less | LessOrEqual | Equal | IsNan | IsInfinite | IsZero | IsSubnormal | IsNormal | IsNegative
            | IsPositive => Gives::Truth,
            Convert | OfBits | OfSigned | OfUnsigned => Gives::Float,
            ToSigned | ToUnsigned | ToBits => Gives::Word,
            _ => Gives::Same,
        }
    }
}

/// Whether an operation has a result of the sort for arguments of these.
pub(super) fn float_sorts_fit(operator: FloatOperator, arguments: &[Sort], result: Sort) -> bool {
    let Some(first) = arguments.first() else { return false };
    let arguments_fit = match (operator.takes(), *first) {
        (Takes::Floats, Sort::Float(_)) => arguments.iter().all(|sort| sort == first),
        (Takes::Word, Sort::Word(width)) => match (operator, result) {
            (FloatOperator::OfBits, Sort::Float(format)) => format.width() == width,
            _ => true,
        },
        _ => false,
    };
    let result_fits = match (operator.gives(), result) {
        (Gives::Same, _) => result == *first,
        (Gives::Float, Sort::Float(_)) | (Gives::Truth, Sort::Bool) => true,
        (Gives::Word, Sort::Word(width)) => match (operator, *first) {
            (FloatOperator::ToBits, Sort::Float(format)) => format.width() == width,
            _ => width > 0,
        },
        _ => false,
    };
    arguments.len() == operator.arity() && arguments_fit && result_fits
}

/// The value of an operation, with a result of the sort; `first` is the first argument's sort. `None` if SMT-LIB leaves it open
/// or the arguments do not fit.
pub fn float_operation_value(
    operator: FloatOperator,
    arguments: &[&Value],
    first: Sort,
    result: Sort,
) -> Option<Value> {
    let format = match result {
        Sort::Float(format) => format,
        _ => FloatFormat::Double,
    };
    if let ([Value::Number(bits)], Sort::Word(width)) = (arguments, first) {
        return Some(Value::Float(float_of_word(
            operator,
            &bits.to_integer(),
            width,
            format,
        )?));
    }
    // No operation has more than three.
    let mut floats = [Float::zero(format, false); 3];
    for (place, argument) in floats.iter_mut().zip(arguments) {
        match argument {
            Value::Float(float) => *place = *float,
            _ => return None,
        }
    }
    Some(match float_value(operator, floats.get(..arguments.len())?, format)? {
        FloatResult::Float(float) => Value::Float(float),
        FloatResult::Truth(truth) => Value::Bool(truth),
        FloatResult::Integer(number) => {
            let Sort::Word(width) = result else { return None };
            Value::Number(Rational::from_integer(word_of_number(operator, &number, width)?))
        }
    })
}

impl Terms {
    /// The sort of floating-point numbers of a format.
    pub fn float_sort(&mut self, format: FloatFormat) -> SortId {
        self.interned_sort(Sort::Float(format))
    }

    /// The format of floating-point numbers of the sort; `None` if it is none of these.
    pub fn float_format(&self, sort: SortId) -> Option<FloatFormat> {
        match self.sort_of_id(sort) {
            Sort::Float(format) => Some(format),
            _ => None,
        }
    }

    /// The term that is a floating-point value.
    pub fn float(&mut self, value: Float) -> TermId {
        let sort = self.float_sort(value.format());
        self.number(Rational::from_integer(BigInt::from(value.bits())), sort)
    }

    /// The floating-point value that a term is, if it is one.
    pub fn float_constant(&self, term: TermId) -> Option<Float> {
        let format = self.float_format(self.sort(term))?;
        let bits = self.number_value(term)?.numer().to_u128()?;
        Some(Float::of_bits(format, bits))
    }

    /// An operation on floating-point numbers (or a word, where one is converted), with a result of the sort. `None` if the sorts do not fit the operation.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::terms::{Float, FloatOperator, SortId, Terms};
    /// let mut terms = Terms::new();
    /// let (tenth, fifth) = (terms.float(Float::from(0.1)), terms.float(Float::from(0.2)));
    /// let sum = terms.float_operation(FloatOperator::Add, &[tenth, fifth], terms.sort(tenth));
    /// assert_eq!(sum.map(|sum| terms.display(sum).to_string()).as_deref(), Some("0.30000000000000004"));
    /// ```
    pub fn float_operation(&mut self, operator: FloatOperator, arguments: &[TermId], result: SortId) -> Option<TermId> {
        let sorts: Vec<Sort> = arguments
            .iter()
            .map(|argument| self.sort_of_id(self.sort(*argument)))
            .collect();
        float_sorts_fit(operator, &sorts, self.sort_of_id(result)).then(|| self.float_term(operator, arguments, result))
    }

    /// An operation whose sorts fit.
    pub(super) fn float_term(&mut self, operator: FloatOperator, arguments: &[TermId], result: SortId) -> TermId {
        if let Some(value) = self.folded_float(operator, arguments, result) {
            return self.value_term(&value, result);
        }
        if let Some(simple) = self.simple_float_term(operator, arguments, result) {
            return simple;
        }
        let mut arguments = arguments.to_vec();
        if operator.is_commutative() {
            arguments.sort();
        }
        self.intern(Operator::Float(operator), &arguments, result)
    }

    fn folded_float(&self, operator: FloatOperator, arguments: &[TermId], result: SortId) -> Option<Value> {
        let values: Option<Vec<Value>> = arguments
            .iter()
            .map(|argument| self.number_as_value(*argument))
            .collect();
        let values = values?;
        let first = self.sort_of_id(self.sort(*arguments.first()?));
        float_operation_value(
            operator,
            &values.iter().collect::<Vec<_>>(),
            first,
            self.sort_of_id(result),
        )
    }

    /// The value of a number term.
    pub fn number_as_value(&self, term: TermId) -> Option<Value> {
        match self.float_constant(term) {
            Some(float) => Some(Value::Float(float)),
            None => self.number_value(term).cloned().map(Value::Number),
        }
    }

    /// Whether there is a floating-point number inside of a term.
    pub fn has_floats(&self, term: TermId) -> bool {
        if !self.sorts.iter().any(|sort| matches!(sort, Sort::Float(_))) {
            return false;
        }
        let mut seen = hashbrown::HashSet::new();
        let mut stack = vec![term];
        while let Some(current) = stack.pop() {
            if self.float_format(self.sort(current)).is_some() {
                return true;
            }
            if seen.insert(current) {
                stack.extend_from_slice(self.arguments(current));
            }
        }
        false
    }

    /// Whether the indices of all arrays are numbers.
    pub fn has_only_arrays_by_numbers(&self) -> bool {
        let is_plain = |sort: &Sort| !matches!(sort, Sort::Array(index, _) if !index.is_numeric());
        self.sorts.iter().all(is_plain)
    }
}
