//! Terms as polynomials of what they are made of (`polynomial`), where intervals are too wide: rounding is an error between known
//! limits, so that `x - x * 0.5`, or a sum from which its first summand is taken away, is as narrow as it is for real numbers.
//!
//! This is affine arithmetic with products (Stolfi and de Figueiredo; Taylor models, Makino and Berz), with what IEEE 754 says of
//! rounding: a result is off by half the distance of two neighbours at most, and by nothing where the numbers are multiples of a power
//! of two and not too large for that. What is found narrows the ranges of terms and decides comparisons by differences.

mod operations;
mod outward;
mod polynomial;
#[cfg(test)]
mod tests;

use super::floats::{Floats, place};
use super::ranges::{Integers, Range};
use super::{Definition, Question};
use crate::terms::{Float, FloatFormat, FloatOperator, Operator, Sort, WordOperator};
use outward::{exponent_of, power_of_two};
use polynomial::Form;

/// What a form costs, as many times as a range.
const COST: usize = 8;
/// So many products of terms cost as much as a range.
const TERMS_FOR_ONE: usize = 8;
/// Integers further from zero are not written exactly by doubles.
const LARGEST: i128 = 1 << 53;

/// The forms of the terms of a question in one box.
pub(super) struct Forms {
    of: Vec<Option<Form>>,
    symbols: u16,
    /// The variable that a symbol is the range of, by symbol.
    variables: Vec<Option<usize>>,
}

/// What was made of ranges.
pub(super) enum Tightened {
    /// A term can be nowhere.
    Nowhere,
    /// Some ranges are narrower.
    Narrower,
    /// None is.
    Same,
}

impl Question<'_> {
    /// Whether there is arithmetic that forms say something about.
    pub(super) fn calculates(&self) -> bool {
        use FloatOperator::{
            Add, Divide, FusedMultiplyAdd, Multiply, OfSigned, OfUnsigned, SquareRoot, Subtract, ToSigned,
        };
        self.nodes.iter().any(|node| {
            matches!(
                node.operator,
                Operator::Float(
                    Add | Divide
                        | FusedMultiplyAdd
                        | Multiply
                        | OfSigned
                        | OfUnsigned
                        | SquareRoot
                        | Subtract
                        | ToSigned
                )
            )
        })
    }

    /// Narrows the ranges by forms.
    pub(super) fn tightened(&mut self, ranges: &mut [Range]) -> (Tightened, Forms) {
        self.work += COST * self.nodes.len();
        let mut forms = Forms {
            of: vec![None; self.nodes.len()],
            symbols: 0,
            variables: vec![None],
        };
        let mut found = Tightened::Same;
        for index in self.in_order(ranges) {
            forms.of[index] = self.form_of(index, ranges, &mut forms);
            self.work += self.products(index, &forms) / TERMS_FOR_ONE;
            let range = match &forms.of[index] {
                Some(form) => range_between(form.limits(), self.nodes[index].sort),
                None => self.compared(index, &forms),
            };
            let Some(range) = range else { continue };
            let before = ranges[index];
            ranges[index] = before.meet(range);
            if ranges[index].is_empty() {
                return (Tightened::Nowhere, forms);
            }
            if ranges[index] != before {
                found = Tightened::Narrower;
            }
        }
        (found, forms)
    }

    /// How many terms of forms were multiplied for a form.
    fn products(&self, index: usize, forms: &Forms) -> usize {
        use FloatOperator::{Divide, FusedMultiplyAdd, Multiply};
        let node = &self.nodes[index];
        let length = |argument: &usize| forms.of[*argument].as_ref().map_or(0, Form::length);
        match node.operator {
            Operator::Multiply | Operator::Float(Divide | FusedMultiplyAdd | Multiply) => {
                node.arguments.iter().take(2).map(length).product()
            }
            _ => 0,
        }
    }

    /// The terms, what they are made of before them: arguments, and what an equation that holds says of a variable.
    fn in_order(&self, ranges: &[Range]) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut seen = vec![false; self.nodes.len()];
        for root in 0..self.nodes.len() {
            let mut open = vec![(root, false)];
            while let Some((index, is_ready)) = open.pop() {
                if is_ready {
                    order.push(index);
                    continue;
                }
                if std::mem::replace(&mut seen[index], true) {
                    continue;
                }
                open.push((index, true));
                let defined = self.definition(index, ranges).into_iter();
                open.extend(defined.flat_map(|by| by.summands.iter().map(|(summand, _)| (*summand, false))));
                open.extend(self.nodes[index].arguments.iter().map(|argument| (*argument, false)));
            }
        }
        order
    }

    /// What a variable is by an equation that holds in the box.
    fn definition(&self, variable: usize, ranges: &[Range]) -> Option<&Definition> {
        let mut of_variable = self.definitions.iter().filter(|by| by.variable == variable);
        of_variable.find(|by| ranges[by.equation] == Range::YES)
    }

    /// The form that an equation gives a variable.
    fn defined_form(&self, by: &Definition, forms: &Forms) -> Option<Form> {
        let mut sum: Option<Form> = None;
        for (summand, is_negative) in &by.summands {
            let form = forms.of[*summand].as_ref()?;
            let form = if *is_negative { form.negated() } else { form.clone() };
            sum = Some(match sum {
                Some(before) => before.plus(&form)?,
                None => form,
            });
        }
        sum
    }

    /// The form of a term, if it is a finite number.
    fn form_of(&self, index: usize, ranges: &[Range], forms: &mut Forms) -> Option<Form> {
        let node = &self.nodes[index];
        if !matches!(node.sort, Sort::Int | Sort::Float(_) | Sort::Word(_)) {
            return None;
        }
        let range = ranges[index];
        if let Range::Word(_) = range {
            return self.word_form(index, ranges, forms);
        }
        let (low, high) = numbers(range)?;
        if low == high {
            return Some(Form::constant(low));
        }
        let made = match node.operator {
            Operator::Variable(_) => {
                let by = self.definition(index, ranges);
                by.and_then(|by| self.defined_form(by, forms))
            }
            _ => self.made_form(index, ranges, forms),
        };
        let is_useful = |form: &Form| {
            let (least, most) = form.limits();
            most - least <= WIDER * (high - low)
        };
        match made.filter(is_useful) {
            Some(form) => Some(forms.symbolic(form)),
            None => {
                let symbol = forms.symbol(Some(index))?;
                Some(Form::between(low, high, symbol)?.on_grid(grid(range)))
            }
        }
    }

    /// Whether a comparison of terms with forms can be true, and false.
    fn compared(&self, index: usize, forms: &Forms) -> Option<Range> {
        let node = &self.nodes[index];
        let &[left, right] = &node.arguments[..] else {
            return None;
        };
        let (one, other) = (forms.of[left].as_ref()?, forms.of[right].as_ref()?);
        if let Sort::Word(_) = self.nodes[left].sort {
            return None;
        }
        let (low, high) = one.minus(other)?.limits();
        let (yes, no) = match node.operator {
            Operator::Float(FloatOperator::Less) => (low < 0.0, high >= 0.0),
            Operator::LessOrEqual | Operator::Float(FloatOperator::LessOrEqual) => (low <= 0.0, high > 0.0),
            // Zeros are equal for floating-point numbers, but not the same.
            Operator::Float(FloatOperator::Equal) => (low <= 0.0 && high >= 0.0, (low, high) != (0.0, 0.0)),
            Operator::Equal => {
                let is_integer = self.nodes[left].sort == Sort::Int;
                (low <= 0.0 && high >= 0.0, !is_integer || (low, high) != (0.0, 0.0))
            }
            _ => return None,
        };
        Some(Range::Truth { no, yes })
    }

    /// How much variables matter for the comparisons that are open: what is not linear in them counts.
    pub(super) fn influences(&self, ranges: &[Range], forms: &Forms) -> Vec<(usize, f64)> {
        let mut found: Vec<(usize, f64)> = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let &[left, right] = &node.arguments[..] else { continue };
            if node.sort != Sort::Bool || ranges[index] != (Range::Truth { no: true, yes: true }) {
                continue;
            }
            let (Some(one), Some(other)) = (&forms.of[left], &forms.of[right]) else {
                continue;
            };
            let Some(difference) = one.minus(other) else { continue };
            for (symbol, weight, is_linear) in difference.weights() {
                let Some(variable) = forms.variables.get(usize::from(symbol)).copied().flatten() else {
                    continue;
                };
                let weight = if is_linear { weight * SHARE_OF_LINEAR } else { weight };
                match found.iter_mut().find(|(known, _)| *known == variable) {
                    Some((_, known)) => *known += weight,
                    None => found.push((variable, weight)),
                }
            }
        }
        found
    }
}

/// A form that is so many times as wide as the range is not of use.
const WIDER: f64 = 8.0;
/// What is linear needs to be cut only for what was approximated.
const SHARE_OF_LINEAR: f64 = 0.05;

impl Forms {
    /// A new symbol: of a term's range, or of an error.
    fn symbol(&mut self, of: Option<usize>) -> Option<u16> {
        self.symbols = self.symbols.checked_add(1)?;
        self.variables.push(of);
        Some(self.symbols)
    }

    /// With a symbol for the error, so that it can be seen to be the same one.
    fn symbolic(&mut self, form: Form) -> Form {
        if form.error == 0.0 {
            return form;
        }
        match self.symbol(None) {
            Some(symbol) => form.with_symbol(symbol),
            None => form,
        }
    }
}

/// The least and the greatest number of a range of finite numbers.
pub(super) fn numbers(range: Range) -> Option<(f64, f64)> {
    match range {
        Range::Float(floats) if !floats.nan => {
            let [low, high] = floats.limits()?;
            let limits = (low.as_double(), high.as_double());
            let limits = match floats.format {
                FloatFormat::Single | FloatFormat::Double => limits,
                _ => (limits.0.next_down(), limits.1.next_up()),
            };
            (limits.0.is_finite() && limits.1.is_finite()).then_some(limits)
        }
        Range::Integer(integers) if integers.has_limits() && !integers.is_empty() => {
            let is_exact = |limit: i128| (-LARGEST..=LARGEST).contains(&limit);
            let exact = is_exact(integers.low) && is_exact(integers.high);
            match exact {
                true => Some((integers.low as f64, integers.high as f64)),
                false => Some(((integers.low as f64).next_down(), (integers.high as f64).next_up())),
            }
        }
        _ => None,
    }
}

/// What power of two all numbers of a range are multiples of.
fn grid(range: Range) -> Option<i32> {
    match range {
        Range::Integer(_) => Some(0),
        Range::Float(floats) => {
            let (low, high) = numbers(range)?;
            let least = if low > 0.0 { low } else { -high };
            let precision = floats.format.significand_bits() as i32;
            match least > 0.0 {
                true => Some((exponent_of(least) - precision + 1).max(least_exponent(floats.format))),
                false => Some(least_exponent(floats.format)),
            }
        }
        _ => None,
    }
}

/// The power of two that all numbers of a format are multiples of.
fn least_exponent(format: FloatFormat) -> i32 {
    let bias = (1 << (format.exponent_bits() - 1)) - 1;
    2 - bias - format.significand_bits() as i32
}

/// The range of a sort's values between two numbers; `None` if that says nothing.
fn range_between((low, high): (f64, f64), sort: Sort) -> Option<Range> {
    match sort {
        _ if low.is_nan() || high.is_nan() => None,
        Sort::Float(format) => {
            let nearest = |number: f64| {
                let nearest = Float::from(number).converted(format);
                (place(nearest), nearest.as_double())
            };
            let ((least, below), (most, above)) = (nearest(low), nearest(high));
            let least = if below < low { least + 1 } else { least };
            let most = if above > high { most - 1 } else { most };
            Some(Range::Float(Floats::between(format, least, most)))
        }
        Sort::Int if low.abs() < 1e30 && high.abs() < 1e30 => Some(Range::Integer(Integers {
            low: low.ceil() as i128,
            high: high.floor() as i128,
        })),
        _ => None,
    }
}
