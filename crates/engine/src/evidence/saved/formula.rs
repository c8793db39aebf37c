//! Reads the formulas of saved certificates: SMT-LIB terms as [`Terms::smtlib`] writes them, and a little more that people
//! write by hand. Everything is checked for its sort, and nothing recurses.

use super::expression::{ExpressionId, Expressions};
use super::floats::{apply_float, is_rounding, special, takes_rounding};
use super::functions::{apply_indexed, constant, word_literal};
use super::operators::apply;
use crate::terms::{Float, FloatFormat, Rational, SortId, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use num_bigint::BigInt;
use std::fmt;
use std::str::FromStr;

/// How many digits a number may have.
const DIGIT_LIMIT: usize = 10_000;

/// How deeply array sorts may be nested.
const SORT_LIMIT: usize = 32;

/// What is wrong with a formula, and at which byte of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FormulaError {
    position: usize,
    message: String,
}

impl FormulaError {
    pub fn new(position: usize, message: impl Into<String>) -> FormulaError {
        FormulaError {
            position,
            message: message.into(),
        }
    }
}

impl fmt::Display for FormulaError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} (at byte {} of the formula)", self.message, self.position)
    }
}

/// What is still to be done.
enum Work {
    /// Read an expression; its term goes onto the stack of terms.
    Read(ExpressionId),
    /// Apply the operator of a list to the terms of its arguments.
    Apply(ExpressionId),
    /// Apply a function with indices to the terms of its arguments.
    Indexed(ExpressionId),
    /// Make the constant array of a sort.
    Constant(ExpressionId, SortId),
    /// Bind the names of a `let` to the terms on the stack, before its body is read.
    Bind(ExpressionId),
    /// Forget the names of a `let`, after its body was read.
    Unbind(ExpressionId),
}

/// Reads the name of a sort.
pub(super) fn sort(terms: &mut Terms, text: &str) -> Result<SortId, FormulaError> {
    let (expressions, root) = Expressions::read(text)?;
    read_sort(terms, &expressions, root, 0)
}

/// Reads formulas over some named variables.
pub(super) struct FormulaReader<'a> {
    terms: &'a mut Terms,
    /// The meanings of each name, the innermost last.
    scope: HashMap<String, Vec<TermId>>,
}

impl<'a> FormulaReader<'a> {
    /// A reader that knows these names, which must all be different.
    pub fn new(terms: &'a mut Terms, names: impl IntoIterator<Item = (String, TermId)>) -> FormulaReader<'a> {
        let scope = names
            .into_iter()
            .map(|(name, variable)| (name, vec![variable]))
            .collect();
        FormulaReader { terms, scope }
    }

    /// Reads a formula.
    pub fn formula(&mut self, text: &str) -> Result<TermId, FormulaError> {
        let (expressions, root) = Expressions::read(text)?;
        let term = self.term(&expressions, root)?;
        if self.terms.sort(term) == SortId::BOOL {
            Ok(term)
        } else {
            let sort = self.terms.smtlib_sort(self.terms.sort(term));
            Err(FormulaError::new(
                0,
                format!("expected a formula, found a term of sort {sort}"),
            ))
        }
    }

    /// Reads a term of any sort.
    pub fn any_term(&mut self, text: &str) -> Result<TermId, FormulaError> {
        let (expressions, root) = Expressions::read(text)?;
        self.term(&expressions, root)
    }

    fn term(&mut self, expressions: &Expressions<'_>, root: ExpressionId) -> Result<TermId, FormulaError> {
        let mut read: Vec<TermId> = Vec::new();
        let mut work = vec![Work::Read(root)];
        while let Some(next) = work.pop() {
            match next {
                Work::Read(id) => match expressions.list(id) {
                    None => read.push(self.atom(expressions, id)?),
                    Some(items) => match special_constant(expressions, items) {
                        Some(value) => read.push(self.terms.float(value)),
                        None => self.open(expressions, id, items, &mut work)?,
                    },
                },
                Work::Apply(id) => {
                    let Some((first, operands)) = expressions.list(id).and_then(<[ExpressionId]>::split_first) else {
                        return Err(contradiction(expressions, id));
                    };
                    let (rounding, operands) = split_rounding(expressions, *first, operands);
                    // What is no atom has been refused by `open`.
                    let (Some((operator, _)), Some(start)) =
                        (expressions.atom(*first), read.len().checked_sub(operands.len()))
                    else {
                        return Err(contradiction(expressions, id));
                    };
                    let arguments = read.split_off(start);
                    let float = apply_float(self.terms, operator, &[], rounding, &arguments);
                    let term = float
                        .map_or_else(|| apply(self.terms, operator, &arguments), Ok)
                        .map_err(|why| FormulaError::new(expressions.position(id), why))?;
                    read.push(term);
                }
                Work::Indexed(id) => {
                    let parts = expressions.list(id).and_then(<[ExpressionId]>::split_first);
                    let arguments = parts.map_or(0, |(first, operands)| {
                        split_rounding(expressions, *first, operands).1.len()
                    });
                    let start = read.len().checked_sub(arguments);
                    let arguments = read.split_off(start.ok_or_else(|| contradiction(expressions, id))?);
                    let term = self.indexed(expressions, id, &arguments);
                    let why = "no function with indices that can be applied to these arguments";
                    read.push(term.ok_or_else(|| FormulaError::new(expressions.position(id), why))?);
                }
                Work::Constant(id, sort) => {
                    let value = read.pop().ok_or_else(|| contradiction(expressions, id))?;
                    let term = self.constant_array(sort, value);
                    read.push(term.map_err(|why| FormulaError::new(expressions.position(id), why))?);
                }
                Work::Bind(id) => {
                    let names = let_names(expressions, id)?;
                    let start = read.len().checked_sub(names.len());
                    let values = read.split_off(start.ok_or_else(|| contradiction(expressions, id))?);
                    for (name, value) in names.into_iter().zip(values) {
                        self.scope.entry(name.to_string()).or_default().push(value);
                    }
                }
                Work::Unbind(id) => {
                    for name in let_names(expressions, id)? {
                        let bound = self.scope.get_mut(name).and_then(Vec::pop);
                        bound.ok_or_else(|| contradiction(expressions, id))?;
                    }
                }
            }
        }
        read.pop()
            .ok_or_else(|| FormulaError::new(expressions.position(root), "expected a term"))
    }

    /// Plans how to read a list.
    fn open(
        &mut self,
        expressions: &Expressions<'_>,
        id: ExpressionId,
        items: &[ExpressionId],
        work: &mut Vec<Work>,
    ) -> Result<(), FormulaError> {
        let error = |why: &str| Err(FormulaError::new(expressions.position(id), why));
        let Some((first, arguments)) = items.split_first() else {
            return error("expected a term, found `()`");
        };
        if expressions.is_word(*first, "let") {
            let [_, body] = arguments else {
                return error("expected `(let ((name term) …) term)`");
            };
            let values = let_values(expressions, id)?;
            work.extend([Work::Unbind(id), Work::Read(*body), Work::Bind(id)]);
            work.extend(values.into_iter().rev().map(Work::Read));
            return Ok(());
        }
        if let Some(qualified) = expressions.list(*first) {
            if qualified.first().is_some_and(|word| expressions.is_word(*word, "_")) {
                work.push(Work::Indexed(id));
                let (_, arguments) = split_rounding(expressions, *first, arguments);
                work.extend(arguments.iter().rev().map(|argument| Work::Read(*argument)));
                return Ok(());
            }
            let [word, kind, sort] = qualified else {
                return error("expected an operator");
            };
            let [value] = arguments else {
                return error("expected `((as const SORT) term)`");
            };
            if !expressions.is_word(*word, "as") || !expressions.is_word(*kind, "const") {
                return error("expected `((as const SORT) term)`");
            }
            let sort = read_sort(self.terms, expressions, *sort, 0)?;
            work.extend([Work::Constant(id, sort), Work::Read(*value)]);
            return Ok(());
        }
        work.push(Work::Apply(id));
        let (_, arguments) = split_rounding(expressions, *first, arguments);
        work.extend(arguments.iter().rev().map(|argument| Work::Read(*argument)));
        Ok(())
    }

    fn indexed(&mut self, expressions: &Expressions<'_>, id: ExpressionId, arguments: &[TermId]) -> Option<TermId> {
        let (first, operands) = expressions.list(id)?.split_first()?;
        let (rounding, _) = split_rounding(expressions, *first, operands);
        let head = expressions.list(*first)?;
        let words: Option<Vec<&str>> = head.iter().map(|word| Some(expressions.atom(*word)?.0)).collect();
        let words = words?;
        let (name, indices) = words.get(1..)?.split_first()?;
        apply_float(self.terms, name, indices, rounding, arguments)
            .or_else(|| apply_indexed(self.terms, name, indices, arguments))
    }

    fn atom(&mut self, expressions: &Expressions<'_>, id: ExpressionId) -> Result<TermId, FormulaError> {
        let error = |why: String| FormulaError::new(expressions.position(id), why);
        let (text, quoted) = expressions
            .atom(id)
            .ok_or_else(|| error("expected a name or a number".to_string()))?;
        if !quoted && text.starts_with(|c: char| c.is_ascii_digit()) {
            let (value, sort) = number(text).ok_or_else(|| error(format!("`{}` is not a number", clip(text))))?;
            return Ok(self.terms.number(value, sort));
        }
        if let Some(meaning) = self.scope.get(text).and_then(|meanings| meanings.last()) {
            return Ok(*meaning);
        }
        match text {
            "true" if !quoted => Ok(TermId::TRUE),
            "false" if !quoted => Ok(TermId::FALSE),
            _ => {
                let literal = match quoted {
                    true => None,
                    false => word_literal(self.terms, text),
                };
                let found = literal.or_else(|| constant(self.terms, text));
                found.ok_or_else(|| error(format!("`{}` is not the name of a parameter", clip(text))))
            }
        }
    }

    fn constant_array(&mut self, sort: SortId, value: TermId) -> Result<TermId, String> {
        match self.terms.sort_of_id(sort) {
            crate::terms::Sort::Array(_, element) if element == self.terms.sort(value) => {
                Ok(self.terms.constant_array(sort, value))
            }
            _ => Err(format!(
                "a constant array of sort {} cannot hold a term of sort {}",
                self.terms.smtlib_sort(sort),
                self.terms.smtlib_sort(self.terms.sort(value))
            )),
        }
    }
}

/// `(_ NaN 8 24)` and the like.
fn special_constant(expressions: &Expressions<'_>, items: &[ExpressionId]) -> Option<Float> {
    let [word, name, exponent, significand] = *items else {
        return None;
    };
    let text = |id: ExpressionId| expressions.atom(id).map(|(text, _)| text);
    match expressions.is_word(word, "_") {
        true => special(text(name)?, text(exponent)?, text(significand)?),
        false => None,
    }
}

/// The direction of rounding before the arguments of a function, `first`, if it has one, and the arguments.
fn split_rounding<'e, 'i>(
    expressions: &'e Expressions<'_>,
    first: ExpressionId,
    operands: &'i [ExpressionId],
) -> (Option<&'e str>, &'i [ExpressionId]) {
    let head = match expressions.list(first) {
        Some([_, name, ..]) => expressions.atom(*name),
        _ => expressions.atom(first),
    };
    let direction = operands
        .split_first()
        .and_then(|(word, rest)| match expressions.atom(*word) {
            Some((word, false)) if is_rounding(word) => Some((word, rest)),
            _ => None,
        });
    match (head, direction) {
        (Some((name, false)), Some((word, rest))) if takes_rounding(name) => (Some(word), rest),
        _ => (None, operands),
    }
}

/// What has been read so far does not fit together, though every part was looked at: a mistake in this file. Nothing is read
/// then.
fn contradiction(expressions: &Expressions<'_>, id: ExpressionId) -> FormulaError {
    debug_assert!(false, "a part of the formula is missing");
    FormulaError::new(
        expressions.position(id),
        "internal error: a part of the formula was lost",
    )
}

/// The bindings of a `let`, as pairs of name and term.
fn bindings<'e>(
    expressions: &'e Expressions<'_>,
    id: ExpressionId,
) -> Result<Vec<(&'e str, ExpressionId)>, FormulaError> {
    let list = expressions
        .list(id)
        .and_then(|items| items.get(1))
        .and_then(|second| expressions.list(*second));
    let mut found = Vec::new();
    let Some(list) = list else {
        let why = "expected a list of bindings";
        return Err(FormulaError::new(expressions.position(id), why));
    };
    for binding in list {
        let pair = match expressions.list(*binding) {
            Some([name, value]) => expressions.atom(*name).map(|(name, _)| (name, *value)),
            _ => None,
        };
        let expected = || FormulaError::new(expressions.position(*binding), "expected `(name term)`");
        found.push(pair.ok_or_else(expected)?);
    }
    let mut different = HashSet::new();
    if found.is_empty() || !found.iter().all(|(name, _)| different.insert(*name)) {
        let why = "expected bindings of different names";
        return Err(FormulaError::new(expressions.position(id), why));
    }
    Ok(found)
}

fn let_names<'e>(expressions: &'e Expressions<'_>, id: ExpressionId) -> Result<Vec<&'e str>, FormulaError> {
    Ok(bindings(expressions, id)?.into_iter().map(|(name, _)| name).collect())
}

fn let_values(expressions: &Expressions<'_>, id: ExpressionId) -> Result<Vec<ExpressionId>, FormulaError> {
    Ok(bindings(expressions, id)?.into_iter().map(|(_, value)| value).collect())
}

/// Reads a sort; the depth is limited, so that the recursion is.
fn read_sort(
    terms: &mut Terms,
    expressions: &Expressions<'_>,
    id: ExpressionId,
    depth: usize,
) -> Result<SortId, FormulaError> {
    let error = |why: &str| FormulaError::new(expressions.position(id), why);
    if depth > SORT_LIMIT {
        return Err(error("the sort is nested too deeply"));
    }
    match (expressions.atom(id), expressions.list(id)) {
        (Some(("Int", _)), _) => Ok(SortId::INT),
        (Some(("Real", _)), _) => Ok(SortId::REAL),
        (Some(("Bool", _)), _) => Ok(SortId::BOOL),
        (Some((name, _)), _) if terms.datatypes().iter().any(|datatype| datatype.name == name) => {
            let datatypes = terms.datatypes();
            let named = datatypes.iter().find(|datatype| datatype.name == name);
            named
                .map(|datatype| datatype.sort)
                .ok_or_else(|| error("expected a sort"))
        }
        (_, Some([word, kind, width])) if expressions.is_word(*word, "_") && expressions.is_word(*kind, "BitVec") => {
            let digits = expressions.atom(*width).map_or("", |(digits, _)| digits);
            match digits.parse::<u32>() {
                Ok(width) if (1..=1 << 15).contains(&width) => Ok(terms.word_sort(width)),
                _ => Err(error("expected the width of a bit-vector")),
            }
        }
        (_, Some([word, index, element])) if expressions.is_word(*word, "Array") => {
            let index = read_sort(terms, expressions, *index, depth + 1)?;
            let element = read_sort(terms, expressions, *element, depth + 1)?;
            Ok(terms.array_sort(index, element))
        }
        (_, Some([word, kind, exponent, significand]))
            if expressions.is_word(*word, "_") && expressions.is_word(*kind, "FloatingPoint") =>
        {
            let number = |id: ExpressionId| expressions.atom(id).and_then(|(digits, _)| digits.parse().ok());
            let format = number(*exponent)
                .zip(number(*significand))
                .and_then(|(exponent, significand)| FloatFormat::of_bits(exponent, significand));
            let format =
                format.ok_or_else(|| error("expected 8 and 24 bits of a floating-point number, or 11 and 53"))?;
            Ok(terms.float_sort(format))
        }
        _ => Err(error(
            "expected a sort: Int, Real, Bool, (_ BitVec WIDTH), (_ FloatingPoint 11 53), a datatype or (Array SORT SORT)",
        )),
    }
}

/// A numeral as an integer, a decimal as a real.
fn number(text: &str) -> Option<(Rational, SortId)> {
    if text.len() > DIGIT_LIMIT {
        return None;
    }
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once('.') {
        None if digits(text) => Some((Rational::from_integer(BigInt::from_str(text).ok()?), SortId::INT)),
        Some((whole, fraction)) if digits(whole) && digits(fraction) => {
            let numerator = BigInt::from_str(&format!("{whole}{fraction}")).ok()?;
            let denominator = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
            Some((Rational::new(numerator, denominator), SortId::REAL))
        }
        _ => None,
    }
}

/// The beginning of a text that may be long.
pub(super) fn clip(text: &str) -> String {
    let mut clipped: String = text.chars().take(40).collect();
    if clipped.len() < text.len() {
        clipped.push('…');
    }
    clipped
}
