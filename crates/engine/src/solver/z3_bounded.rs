//! Questions about integers of which formulas say how great they can be, as questions about words.
//!
//! Bit operations on integers go through words ([`WordOperator::OfInteger`], [`WordOperator::ToInteger`]), and Z3 reasons badly
//! across these seams. Where [`Bounds`] has both bounds of every integer variable, each integer term becomes a word in two's
//! complement that is wide enough for all its values, so nothing wraps that is not meant to, and the question is equivalent. Z3
//! decides it bit by bit; a table, an array whose elements are written out, is a choice by the index. Of a variable without bounds the lowest bits may be all that matters (`modular`); otherwise it is looked for
//! among numbers that are not great: values that are found so are values, and a contradiction is one if no such variable is in it.
//! Where something has no such form, the question stays as it is.

use super::LimitedSolver;
use super::Z3Translator;
use super::bounds::{Bounds, Span};
use super::modular::modular_variables;
use super::z3_context::{model_value, word_value};
use crate::terms::{Assignment, Operator, Rational, Sort, SortId, TermId, Terms, Value, WordOperator, exponent_of_two};
use hashbrown::HashSet;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::BTreeMap;
use z3::ast::{BV, Bool, Dynamic};
use z3::{Model, SatResult};

/// Integers with more bits than this are left to arithmetic.
const MOST_BITS: u64 = 160;
/// How deep sums and products are taken modulo a power of two without their upper bits.
const DEPTH: usize = 200;
/// Where integers of which nothing is known are looked for: between numbers of so many bits.
const GUESSED_BITS: u32 = 34;

/// An integer as a word in two's complement, and what it can be.
#[derive(Clone)]
struct Number {
    word: BV,
    span: Span,
}

/// A term's translation.
#[derive(Clone)]
enum Translated {
    Integer(Number),
    Other(Dynamic),
}

/// Translates formulas under what they say together.
pub(super) struct BoundedWords<'t> {
    terms: &'t Terms,
    translator: &'t mut Z3Translator,
    bounds: Bounds<'t>,
    /// What has been translated; `None` for what cannot be.
    known: BTreeMap<TermId, Option<Translated>>,
    /// Lowest bits of integers.
    lowest: BTreeMap<(TermId, u32), Option<BV>>,
    /// The integer variables, as words.
    variables: BTreeMap<TermId, BV>,
    /// The variables of which only so many lowest bits matter.
    modular: BTreeMap<TermId, u32>,
    /// That these have the values that bounds leave them, and not all that fit their bits.
    limits: Vec<Bool>,
    /// Those of them that have no bounds.
    guessed: HashSet<TermId>,
}

/// What a question about words has to say.
pub(super) enum Question {
    /// It has values: the solver's model, and the integer variables as words.
    Satisfiable(LimitedSolver, BTreeMap<TermId, BV>),
    /// It has none, and these of its formulas suffice for that, with those that bound variables.
    Unsatisfiable(Vec<usize>),
}

impl<'t> BoundedWords<'t> {
    /// For questions in which all these formulas are assumed.
    pub fn new(terms: &'t Terms, translator: &'t mut Z3Translator, formulas: &[TermId]) -> BoundedWords<'t> {
        BoundedWords {
            terms,
            translator,
            bounds: Bounds::new(terms, formulas),
            known: BTreeMap::new(),
            lowest: BTreeMap::new(),
            variables: BTreeMap::new(),
            modular: BTreeMap::new(),
            limits: Vec::new(),
            guessed: HashSet::new(),
        }
    }

    /// Whether these formulas alone bound all variables of the given ones as closely as those under which this was made.
    pub fn rests_on(&self, fewer: &[TermId], formulas: &[TermId]) -> bool {
        let fewer = Bounds::new(self.terms, fewer);
        let variables = self.terms.variables_of_all(formulas).into_iter();
        let mut integers = variables.filter(|variable| self.terms.sort(*variable) == SortId::INT);
        integers.all(
            |variable| match (self.bounds.of_variable(variable), fewer.of_variable(variable)) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(span), Some(wider)) => span.low <= wider.low && wider.high <= span.high,
            },
        )
    }

    /// Asks a solver about the formulas under which this was made. `None` if it does not know, or something cannot be translated.
    pub fn ask(mut self, mut solver: LimitedSolver, formulas: &[TermId], wants_core: bool) -> Option<Question> {
        self.modular = modular_variables(self.terms, formulas);
        let translated = formulas.iter().map(|formula| self.formula(*formula));
        let translated: Vec<Bool> = translated.collect::<Option<_>>()?;
        // What bounds say follows from the formulas, but what these became says the same only where it holds.
        for limit in &self.limits {
            solver.assert(limit);
        }
        let mut flags = Vec::new();
        for formula in translated {
            match wants_core || !self.guessed.is_empty() {
                true => {
                    let flag = Bool::fresh_const("needed");
                    solver.assert(flag.implies(formula));
                    flags.push(flag);
                }
                false => solver.assert(formula),
            }
        }
        match solver.answer(&flags) {
            SatResult::Sat => Some(Question::Satisfiable(solver, self.variables)),
            SatResult::Unsat if flags.is_empty() => Some(Question::Unsatisfiable((0..formulas.len()).collect())),
            SatResult::Unsat => {
                let core = solver.get_unsat_core();
                let is_in_core = |position: &usize| flags.get(*position).is_some_and(|flag| core.contains(flag));
                let core: Vec<usize> = (0..flags.len()).filter(is_in_core).collect();
                let is_guessed = |position: &usize| {
                    let variables = formulas.get(*position).map(|formula| self.terms.variables(*formula));
                    variables.is_some_and(|variables| variables.iter().any(|variable| self.guessed.contains(variable)))
                };
                match core.iter().any(is_guessed) {
                    true => None,
                    false => Some(Question::Unsatisfiable(core)),
                }
            }
            SatResult::Unknown => None,
        }
    }

    /// A formula over words; `None` if it has none.
    fn formula(&mut self, formula: TermId) -> Option<Bool> {
        match self.term(formula)? {
            Translated::Other(formula) => formula.as_bool(),
            Translated::Integer(_) => None,
        }
    }

    fn term(&mut self, term: TermId) -> Option<Translated> {
        let terms = self.terms;
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            if self.known.contains_key(&current) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let waiting = terms.arguments(current).iter();
            stack.extend(waiting.filter(|argument| !self.known.contains_key(*argument)));
            if stack.len() > before {
                continue;
            }
            let translated = self.translate(current);
            self.known.insert(current, translated);
            stack.pop();
        }
        self.known.get(&term)?.clone()
    }

    /// A term whose arguments have been translated, if they can be.
    fn translate(&mut self, term: TermId) -> Option<Translated> {
        let terms = self.terms;
        let sort = terms.sort(term);
        if sort == SortId::INT {
            return self.integer(term).map(Translated::Integer);
        }
        if !matches!(terms.sort_of_id(sort), Sort::Bool | Sort::Word(_) | Sort::Float(_)) {
            return None;
        }
        let arguments = terms.arguments(term);
        let over_integers = arguments.first().map(|first| terms.sort(*first)) == Some(SortId::INT);
        if !over_integers {
            let mut others = Vec::with_capacity(arguments.len());
            for argument in arguments {
                match self.known.get(argument)?.as_ref()? {
                    Translated::Other(other) => others.push(other.clone()),
                    Translated::Integer(_) => return None,
                }
            }
            return self.translator.translate(terms, term, &others).map(Translated::Other);
        }
        if let Operator::Word(WordOperator::OfInteger) = terms.operator(term) {
            let width = terms.width(sort)?;
            return Some(Translated::Other(self.lowest(arguments[0], width, DEPTH)?.into()));
        }
        let &[left, right] = arguments else { return None };
        let (left, right) = (self.number(left)?, self.number(right)?);
        let width = left.word.get_size().max(right.word.get_size());
        let (left, right) = (extended(&left.word, width), extended(&right.word, width));
        let formula = match terms.operator(term) {
            Operator::Equal => left.eq(&right),
            Operator::LessOrEqual => left.bvsle(&right),
            Operator::Less => left.bvslt(&right),
            _ => return None,
        };
        Some(Translated::Other(formula.into()))
    }

    /// An integer that has been translated.
    fn number(&self, term: TermId) -> Option<Number> {
        match self.known.get(&term)?.as_ref()? {
            Translated::Integer(number) => Some(number.clone()),
            Translated::Other(_) => None,
        }
    }

    /// A formula that has been translated.
    fn truth(&self, term: TermId) -> Option<Bool> {
        match self.known.get(&term)?.as_ref()? {
            Translated::Other(formula) => formula.as_bool(),
            Translated::Integer(_) => None,
        }
    }

    fn integer(&mut self, term: TermId) -> Option<Number> {
        let terms = self.terms;
        let arguments = terms.arguments(term);
        match (terms.operator(term), arguments) {
            (Operator::Number(_), _) => constant(&terms.number_value(term)?.to_integer()),
            (Operator::Variable(_), _) => {
                let known = self.bounds.of_variable(term).or_else(|| {
                    // Any integer with the same lowest bits does as well.
                    let bits = *self.modular.get(&term)?;
                    let high = (BigInt::one() << bits) - 1;
                    Some(Span {
                        low: BigInt::zero(),
                        high,
                    })
                });
                let span = known.unwrap_or_else(|| {
                    self.guessed.insert(term);
                    let high: BigInt = BigInt::one() << GUESSED_BITS;
                    Span { low: -&high, high }
                });
                let width = width_of(&span)?;
                let word = BV::new_const(format!("integer {} {width}", term.index()), width);
                let (low, high) = (word_of(&span.low, width)?, word_of(&span.high, width)?);
                self.limits.extend([low.bvsle(&word), word.bvsle(&high)]);
                self.variables.insert(term, word.clone());
                Some(Number { word, span })
            }
            (Operator::Add, _) => {
                let mut sum = self.number(*arguments.first()?)?;
                for argument in &arguments[1..] {
                    let other = self.number(*argument)?;
                    let (low, high) = (&sum.span.low + &other.span.low, &sum.span.high + &other.span.high);
                    sum = number_of_both(&sum, &other, Span { low, high }, |left, right| left.bvadd(right))?;
                }
                Some(sum)
            }
            (Operator::Multiply, _) => {
                let mut product = self.number(*arguments.first()?)?;
                for argument in &arguments[1..] {
                    let other = self.number(*argument)?;
                    let span = product.span.times(&other.span);
                    product = number_of_both(&product, &other, span, |left, right| left.bvmul(right))?;
                }
                Some(product)
            }
            (Operator::IfThenElse, [condition, yes, no]) => {
                let condition = self.truth(*condition)?;
                let (yes, no) = (self.number(*yes)?, self.number(*no)?);
                let span = yes.span.join(&no.span);
                number_of_both(&yes, &no, span, |yes, no| condition.ite(yes, no))
            }
            (Operator::Select, [array, index]) => self.element(*array, *index),
            (Operator::Modulo, [dividend, divisor]) => self.remainder(*dividend, *divisor),
            (Operator::IntegerDivide, [dividend, divisor]) => self.quotient(*dividend, *divisor),
            (Operator::Word(WordOperator::ToInteger), [word]) => {
                let Translated::Other(word) = self.known.get(word)?.as_ref()? else {
                    return None;
                };
                let word = word.as_bv()?;
                let high = (BigInt::one() << word.get_size()) - 1;
                Some(Number {
                    word: word.zero_ext(1),
                    span: Span {
                        low: BigInt::zero(),
                        high,
                    },
                })
            }
            _ => None,
        }
    }

    /// An element of a table, which is written out from a constant array on: the element of the last store at this index.
    fn element(&self, array: TermId, index: TermId) -> Option<Number> {
        let terms = self.terms;
        let index = self.number(index)?;
        let mut stores = Vec::new();
        let mut base = array;
        while let (Operator::Store, &[inner, at, value]) = (terms.operator(base), terms.arguments(base)) {
            stores.push((self.number(at)?, self.number(value)?));
            base = inner;
        }
        let (Operator::ConstantArray, &[value]) = (terms.operator(base), terms.arguments(base)) else {
            return None;
        };
        let mut element = self.number(value)?;
        for (at, value) in stores.into_iter().rev() {
            let width = at.word.get_size().max(index.word.get_size());
            let is_here = extended(&index.word, width).eq(extended(&at.word, width));
            let span = value.span.join(&element.span);
            element = number_of_both(&value, &element, span, |value, element| is_here.ite(value, element))?;
        }
        Some(element)
    }

    /// `dividend mod divisor`, which is not negative.
    fn remainder(&mut self, dividend: TermId, divisor: TermId) -> Option<Number> {
        let divisor = self.number(divisor)?;
        if let Some(value) = point(&divisor.span) {
            let value = value.abs();
            if let Some(number) = self.number(dividend)
                && !number.span.low.is_negative()
                && number.span.high < value
            {
                return Some(number);
            }
            if let Some(bits) = exponent_of_two(&value) {
                let span = Span {
                    low: BigInt::zero(),
                    high: &value - 1,
                };
                if bits == 0 {
                    return constant(&BigInt::zero());
                }
                let word = self.lowest(dividend, bits, DEPTH)?.zero_ext(1);
                return Some(Number { word, span });
            }
        }
        let dividend = self.number(dividend)?;
        let (_, remainder) = divided(&dividend, &divisor)?;
        Some(remainder)
    }

    /// `dividend div divisor`, rounded down for a positive divisor.
    fn quotient(&mut self, dividend: TermId, divisor: TermId) -> Option<Number> {
        let (dividend, divisor) = (self.number(dividend)?, self.number(divisor)?);
        if let Some(bits) = point(&divisor.span).and_then(exponent_of_two) {
            let size = dividend.word.get_size();
            let shift = |value: &BigInt| value.div_floor(&(BigInt::one() << bits));
            let span = Span {
                low: shift(&dividend.span.low),
                high: shift(&dividend.span.high),
            };
            // What is left of a number that is shifted out is its sign.
            let word = dividend.word.extract(size - 1, bits.min(size - 1));
            return Some(Number { word, span });
        }
        Some(divided(&dividend, &divisor)?.0)
    }

    /// The lowest bits of an integer: those of a sum are the sum of theirs.
    fn lowest(&mut self, term: TermId, width: u32, depth: usize) -> Option<BV> {
        if let Some(known) = self.lowest.get(&(term, width)) {
            return known.clone();
        }
        let lowest = self.new_lowest(term, width, depth);
        self.lowest.insert((term, width), lowest.clone());
        lowest
    }

    fn new_lowest(&mut self, term: TermId, width: u32, depth: usize) -> Option<BV> {
        let terms = self.terms;
        let arguments = terms.arguments(term);
        if let Some(deeper) = depth.checked_sub(1) {
            match (terms.operator(term), arguments) {
                (Operator::Number(_), _) => {
                    let value = terms.number_value(term)?.to_integer();
                    return word_of(&value, width);
                }
                (Operator::Add, [first, rest @ ..]) => {
                    let mut sum = self.lowest(*first, width, deeper)?;
                    for argument in rest {
                        sum = sum.bvadd(self.lowest(*argument, width, deeper)?);
                    }
                    return Some(sum);
                }
                (Operator::Multiply, [first, rest @ ..]) => {
                    let mut product = self.lowest(*first, width, deeper)?;
                    for argument in rest {
                        product = product.bvmul(self.lowest(*argument, width, deeper)?);
                    }
                    return Some(product);
                }
                (Operator::IfThenElse, [condition, yes, no]) => {
                    let condition = self.truth(*condition)?;
                    let (yes, no) = (self.lowest(*yes, width, deeper)?, self.lowest(*no, width, deeper)?);
                    return Some(condition.ite(&yes, &no));
                }
                (Operator::Modulo, [dividend, divisor]) => {
                    let divisor = terms.number_value(*divisor).map(Rational::to_integer);
                    if let Some(bits) = divisor.as_ref().and_then(exponent_of_two)
                        && bits > 0
                    {
                        let kept = self.lowest(*dividend, bits.min(width), deeper)?;
                        return Some(kept.zero_ext(width - bits.min(width)));
                    }
                }
                (Operator::Word(WordOperator::ToInteger), [word]) => {
                    let Translated::Other(word) = self.known.get(word)?.as_ref()? else {
                        return None;
                    };
                    let word = word.as_bv()?;
                    let size = word.get_size();
                    return Some(match size >= width {
                        true => word.extract(width - 1, 0),
                        false => word.zero_ext(width - size),
                    });
                }
                _ => {}
            }
        }
        let number = self.number(term)?;
        Some(match number.word.get_size() >= width {
            true => number.word.extract(width - 1, 0),
            false => extended(&number.word, width),
        })
    }
}

/// Values of variables in a model of what was translated; an integer that nothing was said of is zero.
pub(super) fn values(
    terms: &Terms,
    translator: &mut Z3Translator,
    model: &Model,
    integers: &BTreeMap<TermId, BV>,
    variables: &[TermId],
) -> Option<Assignment> {
    let mut values = Assignment::new();
    for variable in variables {
        let sort = terms.sort(*variable);
        let value = match integers.get(variable) {
            Some(word) => {
                let width = word.get_size();
                let value = word_value(model, word)?.to_integer();
                let is_negative = value.bit(u64::from(width) - 1);
                let value = if is_negative {
                    value - (BigInt::one() << width)
                } else {
                    value
                };
                Value::Number(Rational::from_integer(value))
            }
            None if matches!(terms.sort_of_id(sort), Sort::Bool | Sort::Word(_) | Sort::Float(_)) => {
                let translated = translator.term(terms, *variable)?;
                model_value(terms, model, &translated, sort)?
            }
            None => terms.default_value(sort),
        };
        values.insert(*variable, value);
    }
    Some(values)
}

/// The word of a number, in so many bits.
fn word_of(value: &BigInt, width: u32) -> Option<BV> {
    BV::from_str(width, &value.mod_floor(&(BigInt::one() << width)).to_string())
}

fn constant(value: &BigInt) -> Option<Number> {
    let span = Span {
        low: value.clone(),
        high: value.clone(),
    };
    let word = word_of(value, width_of(&span)?)?;
    Some(Number { word, span })
}

/// The number of bits for a span, unless there are too many.
fn width_of(span: &Span) -> Option<u32> {
    let bits = span.bits();
    if bits > MOST_BITS { None } else { bits.to_u32() }
}

fn point(span: &Span) -> Option<&BigInt> {
    (span.low == span.high).then_some(&span.low)
}

/// The same number in at least as many bits.
fn extended(word: &BV, width: u32) -> BV {
    match width.saturating_sub(word.get_size()) {
        0 => word.clone(),
        more => word.sign_ext(more),
    }
}

/// The number in exactly so many bits, which all its values have.
fn fitted(word: &BV, width: u32) -> BV {
    match word.get_size() > width {
        true => word.extract(width - 1, 0),
        false => extended(word, width),
    }
}

/// An operation in as many bits as its result needs: sums, products and choices have the same lowest bits in any width.
fn number_of_both(left: &Number, right: &Number, span: Span, operation: impl Fn(&BV, &BV) -> BV) -> Option<Number> {
    let width = width_of(&span)?;
    let word = operation(&fitted(&left.word, width), &fitted(&right.word, width));
    Some(Number { word, span })
}

/// Quotient and remainder by a positive divisor, rounded down.
fn divided(dividend: &Number, divisor: &Number) -> Option<(Number, Number)> {
    if !divisor.span.low.is_positive() {
        return None;
    }
    // A negative dividend is first moved up by a multiple of the divisor.
    let (moved, by) = match dividend.span.low.is_negative() {
        false => (dividend.clone(), BigInt::zero()),
        true => {
            let value = point(&divisor.span)?;
            let by = (-&dividend.span.low).div_ceil(value);
            let offset = constant(&(&by * value))?;
            let (low, high) = (&dividend.span.low + &by * value, &dividend.span.high + &by * value);
            (
                number_of_both(dividend, &offset, Span { low, high }, |left, right| left.bvadd(right))?,
                by,
            )
        }
    };
    let width = moved.word.get_size().max(divisor.word.get_size());
    let (above, below) = (extended(&moved.word, width), extended(&divisor.word, width));
    let quotient = Number {
        word: above.bvudiv(&below),
        span: Span {
            low: &moved.span.low / &divisor.span.high,
            high: &moved.span.high / &divisor.span.low,
        },
    };
    let offset = constant(&-&by)?;
    let span = Span {
        low: &quotient.span.low - &by,
        high: &quotient.span.high - &by,
    };
    let quotient = number_of_both(&quotient, &offset, span, |left, right| left.bvadd(right))?;
    let remainder = Number {
        word: above.bvurem(&below),
        span: Span {
            low: BigInt::zero(),
            high: &divisor.span.high - 1,
        },
    };
    Some((quotient, remainder))
}
