//! Machine words: bit-vectors of a fixed width, with the operations of SMT-LIB's theory.
//!
//! A word's value is the number from 0 to 2^width - 1 that its bits stand for; what an operation takes for signed it reads in
//! two's complement. Every operation has a value, division by zero included, as SMT-LIB has it. Other operations of SMT-LIB
//! (rotations, overflow predicates, strict comparisons, …) are written by these where they are read.

use super::{Operator, Rational, Sort, SortId, TermId, Terms};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// What is done with words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum WordOperator {
    /// Every bit the other way.
    Not,
    /// The number whose sum with the argument is zero.
    Negate,
    /// Bit by bit: both.
    And,
    /// Bit by bit: one of them.
    Or,
    /// Bit by bit: exactly one of them.
    Xor,
    /// The sum, without a carry.
    Add,
    /// The difference, without a borrow.
    Subtract,
    /// The lower half of the product.
    Multiply,
    /// The quotient of unsigned numbers; all ones if the divisor is zero.
    UnsignedDivide,
    /// The remainder of unsigned numbers; the dividend if the divisor is zero.
    UnsignedRemainder,
    /// The quotient of signed numbers, rounded towards zero.
    SignedDivide,
    /// The remainder of [`WordOperator::SignedDivide`], with the dividend's sign.
    SignedRemainder,
    /// The remainder of signed numbers with the divisor's sign.
    SignedModulo,
    /// The bits moved up, zeros behind them.
    ShiftLeft,
    /// The bits moved down, zeros before them.
    ShiftRight,
    /// The bits moved down, copies of the sign before them.
    SignedShiftRight,
    /// The bits of the first argument above those of the second.
    Concatenate,
    /// As many bits as the result has, from this one up.
    Extract(u32),
    /// Copies of the sign in front.
    SignExtend,
    /// Comparison of unsigned numbers.
    UnsignedLessOrEqual,
    /// Comparison of signed numbers.
    SignedLessOrEqual,
    /// The unsigned number as an integer.
    ToInteger,
    /// The lowest bits of an integer.
    OfInteger,
}

impl WordOperator {
    /// What has words of one width as arguments and as result.
    pub const OF_ONE_WIDTH: [WordOperator; 16] = [
        WordOperator::Not,
        WordOperator::Negate,
        WordOperator::And,
        WordOperator::Or,
        WordOperator::Xor,
        WordOperator::Add,
        WordOperator::Subtract,
        WordOperator::Multiply,
        WordOperator::UnsignedDivide,
        WordOperator::UnsignedRemainder,
        WordOperator::SignedDivide,
        WordOperator::SignedRemainder,
        WordOperator::SignedModulo,
        WordOperator::ShiftLeft,
        WordOperator::ShiftRight,
        WordOperator::SignedShiftRight,
    ];

    /// What else has no number of its own, so that its name in SMT-LIB has no index.
    const OF_OTHER_SORTS: [WordOperator; 4] = [
        WordOperator::Concatenate,
        WordOperator::UnsignedLessOrEqual,
        WordOperator::SignedLessOrEqual,
        WordOperator::ToInteger,
    ];

    /// The operator that SMT-LIB calls so, if it is one whose name has no index.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::terms::WordOperator;
    ///
    /// assert_eq!(WordOperator::named("bvadd"), Some(WordOperator::Add));
    /// assert_eq!(WordOperator::named("extract"), None);
    /// ```
    pub fn named(name: &str) -> Option<WordOperator> {
        WordOperator::OF_ONE_WIDTH
            .into_iter()
            .chain(WordOperator::OF_OTHER_SORTS)
            .find(|operator| operator.smtlib_name() == name)
    }

    /// Whether the arguments may be swapped.
    fn is_commutative(self) -> bool {
        use WordOperator::{Add, And, Multiply, Or, Xor};
        matches!(self, And | Or | Xor | Add | Multiply)
    }

    /// The number of arguments.
    pub fn arity(self) -> usize {
        use WordOperator::{Extract, Negate, Not, OfInteger, SignExtend, ToInteger};
        match self {
            Not | Negate | Extract(_) | SignExtend | ToInteger | OfInteger => 1,
            _ => 2,
        }
    }

    /// The name that SMT-LIB has for the function; those with indices are written otherwise.
    pub fn smtlib_name(self) -> &'static str {
        match self {
            WordOperator::Not => "bvnot",
            WordOperator::Negate => "bvneg",
            WordOperator::And => "bvand",
            WordOperator::Or => "bvor",
            WordOperator::Xor => "bvxor",
            WordOperator::Add => "bvadd",
            WordOperator::Subtract => "bvsub",
            WordOperator::Multiply => "bvmul",
            WordOperator::UnsignedDivide => "bvudiv",
            WordOperator::UnsignedRemainder => "bvurem",
            WordOperator::SignedDivide => "bvsdiv",
            WordOperator::SignedRemainder => "bvsrem",
            WordOperator::SignedModulo => "bvsmod",
            WordOperator::ShiftLeft => "bvshl",
            WordOperator::ShiftRight => "bvlshr",
            WordOperator::SignedShiftRight => "bvashr",
            WordOperator::Concatenate => "concat",
            WordOperator::Extract(_) => "extract",
            WordOperator::SignExtend => "sign_extend",
            WordOperator::UnsignedLessOrEqual => "bvule",
            WordOperator::SignedLessOrEqual => "bvsle",
            WordOperator::ToInteger => "bv2nat",
            WordOperator::OfInteger => "int2bv",
        }
    }
}

/// 2 to the power of the width.
fn modulus(width: u32) -> BigInt {
    BigInt::one() << width
}

/// A word's value as a signed number.
fn signed(value: &BigInt, width: u32) -> BigInt {
    match width > 0 && value.bit(u64::from(width - 1)) {
        true => value - modulus(width),
        false => value.clone(),
    }
}

/// The value of an operation: `width` is that of the arguments, `result` that of the result. Comparisons give 0 or 1. `None` if
/// the number of arguments is wrong.
pub fn word_value(operator: WordOperator, arguments: &[&BigInt], width: u32, result: u32) -> Option<BigInt> {
    let unary = |value: &BigInt| {
        Some(match operator {
            WordOperator::Not => modulus(width) - 1 - value,
            WordOperator::Negate => -value,
            WordOperator::Extract(low) => value >> low,
            WordOperator::SignExtend => signed(value, width),
            WordOperator::ToInteger => return Some(value.clone()),
            WordOperator::OfInteger => value.clone(),
            _ => return None,
        })
    };
    let value = match arguments {
        [only] => unary(only)?,
        [high, low] if operator == WordOperator::Concatenate => (*high << result.checked_sub(width)?) + *low,
        [left, right] => binary(operator, left, right, width)?,
        _ => return None,
    };
    Some(value.mod_floor(&modulus(result)))
}

fn binary(operator: WordOperator, left: &BigInt, right: &BigInt, width: u32) -> Option<BigInt> {
    let shift = |from: &BigInt, beyond: BigInt, by: &dyn Fn(u64) -> BigInt| match u64::try_from(right) {
        Ok(count) if count < u64::from(width) => by(count),
        _ if from.is_zero() => BigInt::zero(),
        _ => beyond,
    };
    Some(match operator {
        WordOperator::And => left & right,
        WordOperator::Or => left | right,
        WordOperator::Xor => left ^ right,
        WordOperator::Add => left + right,
        WordOperator::Subtract => left - right,
        WordOperator::Multiply => left * right,
        WordOperator::UnsignedDivide if right.is_zero() => modulus(width) - 1,
        WordOperator::UnsignedDivide => left / right,
        WordOperator::UnsignedRemainder if right.is_zero() => left.clone(),
        WordOperator::UnsignedRemainder => left % right,
        WordOperator::SignedDivide | WordOperator::SignedRemainder | WordOperator::SignedModulo => {
            let (left, right) = (signed(left, width), signed(right, width));
            match (operator, right.is_zero()) {
                (WordOperator::SignedDivide, true) if left.is_negative() => BigInt::one(),
                (WordOperator::SignedDivide, true) => -BigInt::one(),
                (_, true) => left,
                // BigInt rounds quotients towards zero, as these do.
                (WordOperator::SignedDivide, false) => left / right,
                (WordOperator::SignedRemainder, false) => left % right,
                (_, false) => left.mod_floor(&right),
            }
        }
        WordOperator::ShiftLeft => shift(left, BigInt::zero(), &|count| left << count),
        WordOperator::ShiftRight => shift(left, BigInt::zero(), &|count| left >> count),
        WordOperator::SignedShiftRight => {
            let value = signed(left, width);
            let sign = if value.is_negative() {
                -BigInt::one()
            } else {
                BigInt::zero()
            };
            shift(left, sign, &|count| &value >> count)
        }
        WordOperator::UnsignedLessOrEqual => BigInt::from(left <= right),
        WordOperator::SignedLessOrEqual => BigInt::from(signed(left, width) <= signed(right, width)),
        _ => return None,
    })
}

impl Terms {
    /// The sort of words of so many bits.
    pub fn word_sort(&mut self, width: u32) -> SortId {
        self.interned_sort(Sort::Word(width))
    }

    /// The width of words of the sort; `None` if it is none of words.
    pub fn width(&self, sort: SortId) -> Option<u32> {
        match self.sort_of_id(sort) {
            Sort::Word(width) => Some(width),
            _ => None,
        }
    }

    /// The word whose bits are the lowest of the number's.
    ///
    /// ```
    /// # use clausal_rules as clausal;
    /// use clausal::terms::{Terms, WordOperator};
    /// let mut terms = Terms::new();
    /// let (five, minus) = (terms.word(5, 8), terms.word(-5, 8));
    /// assert_eq!(terms.word_operation(WordOperator::Negate, &[five], 8), Some(minus));
    /// assert_eq!(terms.number_value(minus).map(|value| value.to_string()), Some("251".to_string()));
    /// ```
    pub fn word(&mut self, value: impl Into<BigInt>, width: u32) -> TermId {
        let sort = self.word_sort(width);
        let value: BigInt = value.into();
        self.number(Rational::from_integer(value.mod_floor(&modulus(width))), sort)
    }

    /// An operation on words (and an integer, for [`WordOperator::OfInteger`]), `width` bits wide where the result is a word.
    /// `None` if arguments and widths do not fit the operation.
    pub fn word_operation(&mut self, operator: WordOperator, arguments: &[TermId], width: u32) -> Option<TermId> {
        if arguments.len() != operator.arity() {
            return None;
        }
        let widths: Vec<Option<u32>> = arguments
            .iter()
            .map(|argument| self.width(self.sort(*argument)))
            .collect();
        let result = match operator {
            WordOperator::UnsignedLessOrEqual | WordOperator::SignedLessOrEqual => SortId::BOOL,
            WordOperator::ToInteger => SortId::INT,
            _ => self.word_sort(width),
        };
        if !word_sorts_fit(
            operator,
            &widths,
            arguments.first().map(|first| self.sort(*first)),
            width,
        ) {
            return None;
        }
        Some(self.word_term(operator, arguments, widths[0].unwrap_or(0), result))
    }

    /// An operation whose sorts fit.
    pub(super) fn word_term(
        &mut self,
        operator: WordOperator,
        arguments: &[TermId],
        width: u32,
        result: SortId,
    ) -> TermId {
        let numbers: Option<Vec<BigInt>> = arguments
            .iter()
            .map(|argument| self.number_value(*argument).map(|value| value.to_integer()))
            .collect();
        let result_width = self.width(result).unwrap_or(width.max(1));
        if let Some(numbers) = numbers
            && let Some(value) = word_value(operator, &numbers.iter().collect::<Vec<_>>(), width, result_width)
        {
            return match result {
                SortId::BOOL => self.boolean(!value.is_zero()),
                sort => self.number(Rational::from_integer(value), sort),
            };
        }
        if let Some(simple) = self.simple_word_term(operator, arguments, width, result) {
            return simple;
        }
        let mut arguments = arguments.to_vec();
        if operator.is_commutative() {
            arguments.sort();
        }
        self.intern(Operator::Word(operator), &arguments, result)
    }

    /// What an operation with a neutral or absorbing argument is, and one that takes another one back.
    fn simple_word_term(
        &mut self,
        operator: WordOperator,
        arguments: &[TermId],
        width: u32,
        result: SortId,
    ) -> Option<TermId> {
        let number = |terms: &Terms, term: TermId| terms.number_value(term).map(|value| value.to_integer());
        if let [only] = *arguments {
            let inner = (self.operator(only), self.arguments(only).to_vec());
            return match (operator, inner) {
                (WordOperator::Not, (Operator::Word(WordOperator::Not), inner)) => Some(inner[0]),
                (WordOperator::Negate, (Operator::Word(WordOperator::Negate), inner)) => Some(inner[0]),
                (WordOperator::Extract(0) | WordOperator::SignExtend, _) if self.sort(only) == result => Some(only),
                (WordOperator::OfInteger, (Operator::Word(WordOperator::ToInteger), inner))
                    if self.sort(inner[0]) == result =>
                {
                    Some(inner[0])
                }
                _ => None,
            };
        }
        let [left, right] = *arguments else { return None };
        if left == right {
            let zero = BigInt::zero();
            match operator {
                WordOperator::And | WordOperator::Or => return Some(left),
                WordOperator::Xor | WordOperator::Subtract => return Some(self.word(zero, width)),
                WordOperator::UnsignedLessOrEqual | WordOperator::SignedLessOrEqual => return Some(TermId::TRUE),
                _ => {}
            }
        }
        let (left_value, right_value) = (number(self, left), number(self, right));
        let ones = modulus(width) - 1;
        let commutative = operator.is_commutative();
        let (other, constant) = match (left_value, right_value) {
            (Some(constant), None) if commutative => (right, constant),
            (None, Some(constant)) => (left, constant),
            _ => return None,
        };
        match operator {
            WordOperator::Add
            | WordOperator::Subtract
            | WordOperator::Or
            | WordOperator::Xor
            | WordOperator::ShiftLeft
            | WordOperator::ShiftRight
            | WordOperator::SignedShiftRight
                if constant.is_zero() =>
            {
                Some(other)
            }
            WordOperator::Multiply | WordOperator::UnsignedDivide if constant.is_one() => Some(other),
            WordOperator::And if constant == ones => Some(other),
            WordOperator::And | WordOperator::Multiply if constant.is_zero() => Some(self.word(0, width)),
            WordOperator::UnsignedLessOrEqual if constant == ones => Some(TermId::TRUE),
            _ => None,
        }
    }

    /// Whether words are made of integers, or integers of words, inside of a term.
    pub fn mixes_words_and_integers(&self, term: TermId) -> bool {
        if !self.sorts.iter().any(|sort| matches!(sort, Sort::Word(_))) {
            return false;
        }
        let mut seen = hashbrown::HashSet::new();
        let mut stack = vec![term];
        while let Some(current) = stack.pop() {
            if let Operator::Word(WordOperator::ToInteger | WordOperator::OfInteger) = self.operator(current) {
                return true;
            }
            if seen.insert(current) {
                stack.extend_from_slice(self.arguments(current));
            }
        }
        false
    }

    /// `left < right` of unsigned or signed numbers: words have only the comparison that allows equality.
    pub fn word_less(&mut self, operator: WordOperator, left: TermId, right: TermId) -> Option<TermId> {
        let at_most = self.word_operation(operator, &[right, left], 0)?;
        Some(self.not(at_most))
    }
}

/// Whether arguments of these widths (`None` is no word) fit the operation, with a result of `width` bits if it is a word.
pub(super) fn word_sorts_fit(
    operator: WordOperator,
    widths: &[Option<u32>],
    first: Option<SortId>,
    width: u32,
) -> bool {
    match (operator, widths) {
        (WordOperator::OfInteger, [None]) => first == Some(SortId::INT) && width > 0,
        (WordOperator::ToInteger, [Some(_)]) => true,
        (WordOperator::Extract(low), [Some(from)]) => {
            width > 0 && low.checked_add(width).is_some_and(|end| end <= *from)
        }
        (WordOperator::SignExtend, [Some(from)]) => width >= *from,
        (WordOperator::Concatenate, [Some(high), Some(low)]) => high.checked_add(*low) == Some(width),
        (WordOperator::UnsignedLessOrEqual | WordOperator::SignedLessOrEqual, [Some(left), Some(right)]) => {
            left == right
        }
        (WordOperator::OfInteger, _) => false,
        (_, [Some(only)]) => *only == width,
        (_, [Some(left), Some(right)]) => left == right && *left == width,
        _ => false,
    }
}
