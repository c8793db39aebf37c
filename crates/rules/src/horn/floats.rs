//! Floating-point numbers in SMT-LIB text: literals, and the functions of the theory, which are written by the fewer that terms
//! have.
//!
//! Formats are those of C's `float` and `double`. Arithmetic rounds to nearest even; what rounds in another direction, and
//! directions that are no constants, are refused.

use super::expression::Expression;
use super::lexer::Span;
use super::problems::{Checked, Reported};
use super::reader::{Reader, Value};
use super::terms::Located;
use crate::terms::{Float, FloatFormat, FloatOperator, Rounding, Sort, SortId, TermId, WordOperator};

/// A function of floating-point numbers, by its name, its indices and its direction of rounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FloatFunction {
    /// One of the operators, over numbers of one format.
    Plain(FloatOperator),
    /// A comparison, of several numbers in turn; whether they change places.
    Compared(FloatOperator, bool),
    /// A number by the words for its sign, exponent and fraction.
    Parts,
    /// A number of this format, of what the argument is.
    To(FloatFormat, bool),
    /// A number of this format, of an unsigned word.
    OfUnsigned(FloatFormat),
    /// A word of so many bits, after rounding in a direction.
    ToWord(FloatOperator, u32, Rounding),
}

/// The functions that have indices.
const INDEXED: [&str; 4] = ["to_fp", "to_fp_unsigned", "fp.to_ubv", "fp.to_sbv"];

/// Whether a name is that of a function of the theory.
pub(super) fn is_float_function(name: &str) -> bool {
    name == "fp" || name.starts_with("fp.") || INDEXED.contains(&name)
}

/// The direction of rounding of a name.
fn rounding(name: &str) -> Option<Rounding> {
    let mut all = Rounding::ALL.into_iter();
    all.find(|rounding| rounding.smtlib_name() == name || rounding.smtlib_long_name() == name)
}

impl<'a> Reader<'a> {
    /// The sort `(_ FloatingPoint exponent significand)`.
    pub(super) fn float_sort(&mut self, indices: &[Expression<'a>], span: Span) -> Checked<SortId> {
        let indices = self.indices(indices, span)?;
        let format = self.format(&indices, span)?;
        Ok(self.program.terms.float_sort(format))
    }

    fn format(&mut self, indices: &[u32], span: Span) -> Checked<FloatFormat> {
        let format = match *indices {
            [exponent, significand] => FloatFormat::of_bits(exponent, significand),
            _ => None,
        };
        format.ok_or_else(|| {
            let message = "a format of floating-point numbers that is not supported";
            let label = "formats are those of 8 and 24 bits, and of 11 and 53";
            self.problems.unsupported(span, message, label)
        })
    }

    /// A constant with indices: `(_ +oo 8 24)`, `(_ NaN 11 53)`; `None` for another name.
    pub(super) fn float_constant(
        &mut self,
        name: &str,
        indices: &[Expression<'a>],
        span: Span,
    ) -> Checked<Option<TermId>> {
        let make: fn(FloatFormat) -> Float = match name {
            "+oo" => |format| Float::infinity(format, false),
            "-oo" => |format| Float::infinity(format, true),
            "+zero" => |format| Float::zero(format, false),
            "-zero" => |format| Float::zero(format, true),
            "NaN" => Float::nan,
            _ => return Ok(None),
        };
        let indices = self.indices(indices, span)?;
        let format = self.format(&indices, span)?;
        Ok(Some(self.program.terms.float(make(format))))
    }

    /// The function of a name, and the arguments without the direction of rounding.
    pub(super) fn float_function(
        &mut self,
        name: &str,
        indices: &[Expression<'a>],
        arguments: &'a [Expression<'a>],
        span: Span,
    ) -> Checked<(FloatFunction, &'a [Expression<'a>])> {
        let indices = self.indices(indices, span)?;
        let direction = arguments
            .first()
            .and_then(|first| first.symbol())
            .filter(|first| self.scope.lookup(first).is_none())
            .and_then(rounding);
        let arguments = match direction {
            Some(_) => arguments.get(1..).unwrap_or_default(),
            None => arguments,
        };
        let function = match (name, &indices[..]) {
            ("fp", []) => FloatFunction::Parts,
            ("fp.leq", []) => FloatFunction::Compared(FloatOperator::LessOrEqual, false),
            ("fp.lt", []) => FloatFunction::Compared(FloatOperator::Less, false),
            ("fp.geq", []) => FloatFunction::Compared(FloatOperator::LessOrEqual, true),
            ("fp.gt", []) => FloatFunction::Compared(FloatOperator::Less, true),
            ("fp.eq", []) => FloatFunction::Compared(FloatOperator::Equal, false),
            ("fp.roundToIntegral", []) => match direction {
                Some(direction) => FloatFunction::Plain(FloatOperator::RoundToIntegral(direction)),
                None => return Err(self.direction_needed(span)),
            },
            ("to_fp", [_, _]) => FloatFunction::To(self.format(&indices, span)?, direction.is_some()),
            ("to_fp_unsigned", [_, _]) => FloatFunction::OfUnsigned(self.format(&indices, span)?),
            ("fp.to_ubv" | "fp.to_sbv", [width]) => {
                self.check_width(*width, span)?;
                let operator = match name {
                    "fp.to_ubv" => FloatOperator::ToUnsigned,
                    _ => FloatOperator::ToSigned,
                };
                match direction {
                    Some(direction) => FloatFunction::ToWord(operator, *width, direction),
                    None => return Err(self.direction_needed(span)),
                }
            }
            (_, []) => {
                // Of the bits of a NaN solvers think differently.
                let mut all = FloatOperator::ALL
                    .into_iter()
                    .filter(|operator| *operator != FloatOperator::ToBits);
                match all.find(|operator| operator.smtlib_name() == name) {
                    Some(operator) => FloatFunction::Plain(operator),
                    None => return Err(self.refuse_function(name, span)),
                }
            }
            _ => {
                let message = format!("indices that do not fit `{name}`");
                return Err(self.problems.error(span, message, "too many or too few"));
            }
        };
        let expected = match function {
            FloatFunction::Plain(FloatOperator::RoundToIntegral(_)) | FloatFunction::ToWord(..) => {
                return Ok((function, arguments));
            }
            FloatFunction::Plain(operator) => operator.rounding(),
            FloatFunction::To(_, true) | FloatFunction::OfUnsigned(_) => Some(Rounding::NearestEven),
            _ => None,
        };
        match (expected, direction) {
            (Some(_), Some(Rounding::NearestEven)) | (None, None) => Ok((function, arguments)),
            (Some(_), Some(_)) => {
                let message = format!("`{name}` with another direction of rounding than RNE");
                Err(self.problems.unsupported(span, message, "not supported"))
            }
            (Some(_), None) => Err(self.direction_needed(span)),
            (None, Some(_)) => {
                let message = format!("`{name}` has no direction of rounding");
                Err(self.problems.error(span, message, "one is given"))
            }
        }
    }

    fn direction_needed(&mut self, span: Span) -> Reported {
        let message = "a direction of rounding is needed, as a constant";
        self.problems.error(span, message, "such as RNE, before the arguments")
    }

    /// A function of floating-point numbers applied to values.
    pub(super) fn apply_float(&mut self, function: FloatFunction, arguments: &[Located], span: Span) -> Checked<Value> {
        let mut terms = Vec::with_capacity(arguments.len());
        for (value, span) in arguments {
            match value {
                Value::Term(term) => terms.push(*term),
                Value::Formula(_) => {
                    return Err(self
                        .problems
                        .error(*span, "expected a floating-point number", "a formula"));
                }
            }
        }
        let least = match function {
            FloatFunction::Plain(operator) => operator.arity(),
            FloatFunction::Compared(..) => 2,
            FloatFunction::Parts => 3,
            _ => 1,
        };
        if terms.len() < least || (terms.len() > least && !matches!(function, FloatFunction::Compared(..))) {
            let label = format!("{} given", terms.len());
            return Err(self.problems.error(span, "wrong number of arguments", label));
        }
        let first = self.program.terms.sort(terms[0]);
        let term = match function {
            FloatFunction::Plain(operator) => {
                let tables = &mut self.program.terms;
                tables
                    .float_operation(operator, &terms, first)
                    .or_else(|| tables.float_operation(operator, &terms, SortId::BOOL))
            }
            FloatFunction::Compared(operator, turned) => {
                let mut parts = Vec::with_capacity(terms.len());
                for pair in terms.windows(2) {
                    let pair = if turned { [pair[1], pair[0]] } else { [pair[0], pair[1]] };
                    parts.push(self.program.terms.float_operation(operator, &pair, SortId::BOOL));
                }
                let parts: Option<Vec<TermId>> = parts.into_iter().collect();
                parts.map(|parts| self.program.terms.and(&parts))
            }
            FloatFunction::Parts => self.of_parts(&terms),
            FloatFunction::To(format, rounds) => self.in_format(format, rounds, terms[0]),
            FloatFunction::OfUnsigned(format) => {
                let sort = self.program.terms.float_sort(format);
                self.program
                    .terms
                    .float_operation(FloatOperator::OfUnsigned, &terms, sort)
            }
            FloatFunction::ToWord(operator, width, direction) => {
                let tables = &mut self.program.terms;
                let sort = tables.word_sort(width);
                let rounded = match direction {
                    Rounding::TowardZero => Some(terms[0]),
                    _ => tables.float_operation(FloatOperator::RoundToIntegral(direction), &terms, first),
                };
                rounded.and_then(|rounded| tables.float_operation(operator, &[rounded], sort))
            }
        };
        match term {
            Some(term) => Ok(Value::Term(term)),
            None => {
                let found: Vec<String> = terms
                    .iter()
                    .map(|term| self.program.terms.smtlib_sort(self.program.terms.sort(*term)))
                    .collect();
                let label = format!("of {}", found.join(", "));
                Err(self
                    .problems
                    .error(span, "arguments of sorts that do not fit the function", label))
            }
        }
    }

    fn of_parts(&mut self, parts: &[TermId]) -> Option<TermId> {
        let tables = &mut self.program.terms;
        let [sign, exponent, fraction] = *parts else {
            return None;
        };
        let mut widths = [0; 3];
        for (part, width) in parts.iter().zip(&mut widths) {
            *width = tables.width(tables.sort(*part))?;
        }
        let format = FloatFormat::of_bits(widths[1], widths[2].checked_add(1)?).filter(|_| widths[0] == 1)?;
        let high = tables.word_operation(WordOperator::Concatenate, &[sign, exponent], 1 + widths[1])?;
        let bits = tables.word_operation(WordOperator::Concatenate, &[high, fraction], format.width())?;
        let sort = tables.float_sort(format);
        tables.float_operation(FloatOperator::OfBits, &[bits], sort)
    }

    /// `(_ to_fp …)` of a word's bits, or with a direction of rounding of a signed word, another format's number, or a constant.
    fn in_format(&mut self, format: FloatFormat, rounds: bool, argument: TermId) -> Option<TermId> {
        let tables = &mut self.program.terms;
        let sort = tables.float_sort(format);
        let operator = match (tables.sort_of_id(tables.sort(argument)), rounds) {
            (Sort::Word(_), false) => FloatOperator::OfBits,
            (Sort::Word(_), true) => FloatOperator::OfSigned,
            (Sort::Float(_), true) => FloatOperator::Convert,
            (Sort::Int | Sort::Real, true) => {
                let number = tables.number_value(argument)?.clone();
                return Some(tables.float(Float::nearest(format, &number)));
            }
            _ => return None,
        };
        tables.float_operation(operator, &[argument], sort)
    }
}
