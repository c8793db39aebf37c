//! Machine words in SMT-LIB text: literals, and the functions of the theory of bit-vectors, which are written by the fewer that
//! terms have.

use super::lexer::Span;
use super::problems::{Checked, Reported};
use super::reader::{Reader, Value};
use super::terms::Located;
use crate::terms::{SortId, TermId, WordOperator};
use num_bigint::BigInt;
use num_traits::Num;

/// Words of more bits are refused.
pub(super) const MOST_BITS: u32 = 1 << 14;

/// The functions that have indices.
pub(super) const INDEXED: [&str; 9] = [
    "extract",
    "zero_extend",
    "sign_extend",
    "rotate_left",
    "rotate_right",
    "repeat",
    "int2bv",
    "int_to_bv",
    "nat2bv",
];

/// A function on words, by its name and its indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WordFunction {
    /// One of the operators, over words of one width; folded from the left where it may have several arguments.
    Plain(WordOperator),
    /// The complement of one of the operators.
    Complement(WordOperator),
    /// A comparison; whether the arguments are swapped, and whether it is the strict one.
    Compared {
        operator: WordOperator,
        swapped: bool,
        strict: bool,
    },
    /// Whether two words are equal, as a bit.
    Compare,
    Concatenate,
    Extract(u32, u32),
    ZeroExtend(u32),
    SignExtend(u32),
    RotateLeft(u32),
    RotateRight(u32),
    Repeat(u32),
    ToInteger,
    SignedToInteger,
    OfInteger(u32),
    /// Whether the exact result of the operator does not fit; over signed numbers or unsigned ones.
    Overflows(Overflow, bool),
}

/// What may overflow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Overflow {
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl WordFunction {
    /// The function of a name without indices.
    pub fn of(name: &str) -> Option<WordFunction> {
        use WordFunction::{Compare, Complement, Concatenate, Overflows, Plain, SignedToInteger, ToInteger};
        let compared = |operator, swapped, strict| WordFunction::Compared {
            operator,
            swapped,
            strict,
        };
        Some(match name {
            "bvnand" => Complement(WordOperator::And),
            "bvnor" => Complement(WordOperator::Or),
            "bvxnor" => Complement(WordOperator::Xor),
            "bvule" => compared(WordOperator::UnsignedLessOrEqual, false, false),
            "bvult" => compared(WordOperator::UnsignedLessOrEqual, false, true),
            "bvuge" => compared(WordOperator::UnsignedLessOrEqual, true, false),
            "bvugt" => compared(WordOperator::UnsignedLessOrEqual, true, true),
            "bvsle" => compared(WordOperator::SignedLessOrEqual, false, false),
            "bvslt" => compared(WordOperator::SignedLessOrEqual, false, true),
            "bvsge" => compared(WordOperator::SignedLessOrEqual, true, false),
            "bvsgt" => compared(WordOperator::SignedLessOrEqual, true, true),
            "bvcomp" => Compare,
            "concat" => Concatenate,
            "bv2nat" | "bv2int" | "ubv_to_int" => ToInteger,
            "sbv_to_int" => SignedToInteger,
            "bvnego" => Overflows(Overflow::Negate, true),
            "bvuaddo" => Overflows(Overflow::Add, false),
            "bvsaddo" => Overflows(Overflow::Add, true),
            "bvusubo" => Overflows(Overflow::Subtract, false),
            "bvssubo" => Overflows(Overflow::Subtract, true),
            "bvumulo" => Overflows(Overflow::Multiply, false),
            "bvsmulo" => Overflows(Overflow::Multiply, true),
            "bvsdivo" => Overflows(Overflow::Divide, true),
            // Z3 writes a division that it has shown not to be by zero with an `i` for *interpreted*.
            "bvudiv_i" | "bvurem_i" | "bvsdiv_i" | "bvsrem_i" | "bvsmod_i" => {
                Plain(WordOperator::named(name.trim_end_matches("_i"))?)
            }
            _ => match WordOperator::named(name)? {
                // Comparisons may be swapped and strict.
                WordOperator::UnsignedLessOrEqual | WordOperator::SignedLessOrEqual => return None,
                operator => Plain(operator),
            },
        })
    }

    /// The function of a name with indices, as in `(_ extract 7 0)`.
    pub fn indexed(name: &str, indices: &[u32]) -> Option<WordFunction> {
        Some(match (name, indices) {
            ("extract", [high, low]) if low <= high => WordFunction::Extract(*high, *low),
            ("zero_extend", [by]) => WordFunction::ZeroExtend(*by),
            ("sign_extend", [by]) => WordFunction::SignExtend(*by),
            ("rotate_left", [by]) => WordFunction::RotateLeft(*by),
            ("rotate_right", [by]) => WordFunction::RotateRight(*by),
            ("repeat", [times]) if *times > 0 => WordFunction::Repeat(*times),
            ("int2bv" | "int_to_bv" | "nat2bv", [width]) if *width > 0 => WordFunction::OfInteger(*width),
            _ => return None,
        })
    }

    fn arity(self) -> (usize, Option<usize>) {
        match self {
            WordFunction::Plain(operator) if operator.arity() == 1 => (1, Some(1)),
            WordFunction::Plain(WordOperator::And | WordOperator::Or | WordOperator::Xor) => (2, None),
            WordFunction::Plain(WordOperator::Add | WordOperator::Multiply) => (2, None),
            WordFunction::Concatenate => (1, None),
            WordFunction::Plain(_)
            | WordFunction::Complement(_)
            | WordFunction::Compared { .. }
            | WordFunction::Compare => (2, Some(2)),
            WordFunction::Overflows(Overflow::Negate, _) => (1, Some(1)),
            WordFunction::Overflows(..) => (2, Some(2)),
            _ => (1, Some(1)),
        }
    }
}

impl Reader<'_> {
    /// The word of a literal like `#x0f` or `#b101`.
    pub fn word_literal(&mut self, text: &str, span: Span) -> Checked<TermId> {
        let (radix, bits) = if text.starts_with("#x") { (16, 4) } else { (2, 1) };
        let digits = text.get(2..).unwrap_or("");
        let width = u32::try_from(digits.len())
            .ok()
            .and_then(|count| count.checked_mul(bits));
        let (Some(width), Ok(value)) = (width, BigInt::from_str_radix(digits, radix)) else {
            return Err(self.problems.error(span, "not a word", "its digits cannot be read"));
        };
        self.check_width(width, span)?;
        Ok(self.program.terms.word(value, width))
    }

    /// `(_ bv5 32)`.
    pub fn numbered_word(&mut self, digits: &str, width: u32, span: Span) -> Checked<TermId> {
        self.check_width(width, span)?;
        let value = match digits.len() <= MOST_BITS as usize {
            true => digits.parse::<BigInt>().ok(),
            false => None,
        };
        match value {
            Some(value) => Ok(self.program.terms.word(value, width)),
            None => Err(self.problems.error(span, "not a word", "expected `(_ bvNUMBER WIDTH)`")),
        }
    }

    /// Refuses words that are wider than anybody needs, and those without a bit.
    pub fn check_width(&mut self, width: u32, span: Span) -> Checked<()> {
        if (1..=MOST_BITS).contains(&width) {
            return Ok(());
        }
        let label = format!("words have from 1 to {MOST_BITS} bits");
        match width {
            0 => Err(self.problems.error(span, "no width of a bit-vector", label)),
            _ => Err(self.problems.unsupported(span, "no width of a bit-vector", label)),
        }
    }

    /// A function applied to words.
    pub fn apply_word(&mut self, function: WordFunction, arguments: &[Located], span: Span) -> Checked<Value> {
        let (least, most) = function.arity();
        if arguments.len() < least || most.is_some_and(|most| arguments.len() > most) {
            let label = format!("{} given", arguments.len());
            return Err(self.problems.error(span, "wrong number of arguments", label));
        }
        if let WordFunction::OfInteger(width) = function {
            self.check_width(width, span)?;
            let integer = self.require_sort(arguments[0], SortId::INT)?;
            return self
                .made(WordOperator::OfInteger, &[integer], width, span)
                .map(Value::Term);
        }
        let mut words = Vec::with_capacity(arguments.len());
        let mut widths = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let (word, width) = self.word(*argument)?;
            words.push(word);
            widths.push(width);
        }
        let width = widths[0];
        let same = widths.iter().all(|other| *other == width);
        if !same && function != WordFunction::Concatenate {
            let label = format!("of {width} and of others");
            return Err(self.problems.error(span, "words of different widths", label));
        }
        self.charge(1 + width as usize / 16, span)?;
        self.applied(function, &words, &widths, span).map(Value::Term)
    }

    fn applied(&mut self, function: WordFunction, words: &[TermId], widths: &[u32], span: Span) -> Checked<TermId> {
        let width = widths[0];
        match (function, words) {
            (WordFunction::Plain(operator), [only]) => self.made(operator, &[*only], width, span),
            (WordFunction::Plain(operator), [first, rest @ ..]) => rest
                .iter()
                .try_fold(*first, |left, right| self.made(operator, &[left, *right], width, span)),
            (WordFunction::Complement(operator), [left, right]) => {
                let inner = self.made(operator, &[*left, *right], width, span)?;
                self.made(WordOperator::Not, &[inner], width, span)
            }
            (
                WordFunction::Compared {
                    operator,
                    swapped,
                    strict,
                },
                [left, right],
            ) => {
                // A strict comparison is the denial of the other one, the other way round.
                let pair = match swapped != strict {
                    true => [*right, *left],
                    false => [*left, *right],
                };
                let compared = self.made(operator, &pair, 0, span)?;
                Ok(match strict {
                    true => self.program.terms.not(compared),
                    false => compared,
                })
            }
            (WordFunction::Compare, [left, right]) => {
                let terms = &mut self.program.terms;
                let (equal, one, zero) = (terms.equal(*left, *right), terms.word(1, 1), terms.word(0, 1));
                Ok(terms.if_then_else(equal, one, zero))
            }
            (WordFunction::Concatenate, [first, rest @ ..]) => {
                let mut total = width;
                let mut result = *first;
                for (right, more) in rest.iter().zip(&widths[1..]) {
                    total = total.saturating_add(*more);
                    self.check_width(total, span)?;
                    result = self.made(WordOperator::Concatenate, &[result, *right], total, span)?;
                }
                Ok(result)
            }
            (WordFunction::Extract(high, low), [word]) => self.bits(*word, high, low, span),
            (WordFunction::ZeroExtend(by), [word]) => self.zero_extended(*word, width, by, span),
            (WordFunction::SignExtend(by), [word]) => {
                let wider = width.saturating_add(by);
                self.check_width(wider, span)?;
                self.made(WordOperator::SignExtend, &[*word], wider, span)
            }
            (WordFunction::RotateLeft(by), [word]) => self.rotated(*word, width, by % width, span),
            (WordFunction::RotateRight(by), [word]) => self.rotated(*word, width, (width - by % width) % width, span),
            (WordFunction::Repeat(times), [word]) => {
                self.check_width(width.saturating_mul(times), span)?;
                let mut result = *word;
                for done in 1..times {
                    result = self.made(WordOperator::Concatenate, &[*word, result], width * (done + 1), span)?;
                }
                Ok(result)
            }
            (WordFunction::ToInteger, [word]) => self.made(WordOperator::ToInteger, &[*word], 0, span),
            (WordFunction::SignedToInteger, [word]) => self.signed_integer(*word, width, span),
            (WordFunction::Overflows(what, signed), _) => self.overflows(what, signed, words, width, span),
            _ => Err(Reported),
        }
    }

    /// The word that an argument is, and its width.
    fn word(&mut self, (value, span): Located) -> Checked<(TermId, u32)> {
        let sort = self.sort_of(value);
        match (value, self.program.terms.width(sort)) {
            (Value::Term(term), Some(width)) => Ok((term, width)),
            _ => {
                let found = self.program.terms.smtlib_sort(sort);
                let message = format!("expected a bit-vector, found a term of sort {found}");
                Err(self.problems.error(span, message, "not a bit-vector"))
            }
        }
    }

    fn made(&mut self, operator: WordOperator, arguments: &[TermId], width: u32, span: Span) -> Checked<TermId> {
        match self.program.terms.word_operation(operator, arguments, width) {
            Some(term) => Ok(term),
            None => Err(self.problems.error(
                span,
                "widths that do not fit the function",
                "the arguments are too wide or too narrow",
            )),
        }
    }

    fn bits(&mut self, word: TermId, high: u32, low: u32, span: Span) -> Checked<TermId> {
        let width = (high - low).saturating_add(1);
        self.made(WordOperator::Extract(low), &[word], width, span)
    }

    fn zero_extended(&mut self, word: TermId, width: u32, by: u32, span: Span) -> Checked<TermId> {
        if by == 0 {
            return Ok(word);
        }
        let wider = width.saturating_add(by);
        self.check_width(wider, span)?;
        let zeros = self.program.terms.word(0, by);
        self.made(WordOperator::Concatenate, &[zeros, word], wider, span)
    }

    /// The word with its highest bits moved to the end; by less than its width.
    fn rotated(&mut self, word: TermId, width: u32, by: u32, span: Span) -> Checked<TermId> {
        if by == 0 {
            return Ok(word);
        }
        let low = self.bits(word, width - by - 1, 0, span)?;
        let high = self.bits(word, width - 1, width - by, span)?;
        self.made(WordOperator::Concatenate, &[low, high], width, span)
    }

    /// The number that a word is in two's complement.
    fn signed_integer(&mut self, word: TermId, width: u32, span: Span) -> Checked<TermId> {
        let unsigned = self.made(WordOperator::ToInteger, &[word], 0, span)?;
        let terms = &mut self.program.terms;
        let modulus = terms.integer(BigInt::from(1) << width);
        let half = terms.integer(BigInt::from(1) << (width - 1));
        let is_positive = terms.less(unsigned, half);
        let negative = terms.subtract(unsigned, modulus);
        Ok(terms.if_then_else(is_positive, unsigned, negative))
    }

    /// Whether the exact result does not fit: what is calculated with enough bits differs from what the width gives.
    fn overflows(&mut self, what: Overflow, signed: bool, words: &[TermId], width: u32, span: Span) -> Checked<TermId> {
        let least = self.program.terms.word(BigInt::from(1) << (width - 1), width);
        if let (Overflow::Negate, [only]) = (what, words) {
            return Ok(self.program.terms.equal(*only, least));
        }
        let [left, right] = *words else { return Err(Reported) };
        if what == Overflow::Divide {
            let minus_one = self.program.terms.word(-1, width);
            let terms = &mut self.program.terms;
            let (first, second) = (terms.equal(left, least), terms.equal(right, minus_one));
            return Ok(terms.and(&[first, second]));
        }
        let operator = match what {
            Overflow::Add => WordOperator::Add,
            Overflow::Subtract => WordOperator::Subtract,
            _ => WordOperator::Multiply,
        };
        let by = if what == Overflow::Multiply { width } else { 1 };
        self.check_width(width.saturating_add(by), span)?;
        let wider = width + by;
        let extend = |reader: &mut Self, word: TermId| match signed {
            true => reader.made(WordOperator::SignExtend, &[word], wider, span),
            false => reader.zero_extended(word, width, by, span),
        };
        let (wide_left, wide_right) = (extend(self, left)?, extend(self, right)?);
        let exact = self.made(operator, &[wide_left, wide_right], wider, span)?;
        let short = self.made(operator, &[left, right], width, span)?;
        let short = extend(self, short)?;
        Ok(self.program.terms.not_equal(exact, short))
    }
}
