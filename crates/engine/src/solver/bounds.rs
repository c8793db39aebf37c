//! Between which numbers formulas force integers to be: what decides whether a question about integers is one about words.
//!
//! Linear atoms bound a variable by the bounds of the others, a disjunction by the widest of its cases. Nothing is guessed: every
//! bound follows from the formulas.

use crate::terms::{Comparison, LinearForm, Operator, Rational, SortId, TermId, Terms, WordOperator};
use hashbrown::HashMap;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// How often bounds are carried from one variable to the next. Loops of inequalities would do so for ever.
const ROUNDS: usize = 8;
/// How deep terms and formulas are looked into.
const DEPTH: usize = 24;

/// Numbers that a value is between, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Range {
    low: Option<BigInt>,
    high: Option<BigInt>,
}

impl Range {
    fn meet(&mut self, other: Range) {
        if let Some(low) = other.low
            && self.low.as_ref().is_none_or(|known| *known < low)
        {
            self.low = Some(low);
        }
        if let Some(high) = other.high
            && self.high.as_ref().is_none_or(|known| *known > high)
        {
            self.high = Some(high);
        }
    }

    fn join(&self, other: &Range) -> Range {
        let both = |left: &Option<BigInt>, right: &Option<BigInt>, lower: bool| match (left, right) {
            (Some(left), Some(right)) if lower == (left < right) => Some(left.clone()),
            (Some(_), Some(right)) => Some(right.clone()),
            _ => None,
        };
        Range {
            low: both(&self.low, &other.low, true),
            high: both(&self.high, &other.high, false),
        }
    }
}

/// The numbers from the first to the last.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub low: BigInt,
    pub high: BigInt,
}

/// What is known of variables.
pub(super) struct Bounds<'t> {
    terms: &'t Terms,
    variables: HashMap<TermId, Range>,
    /// Spans of terms, as of the present bounds.
    spans: HashMap<TermId, Option<Span>>,
}

impl<'t> Bounds<'t> {
    /// What follows from the formulas.
    pub fn new(terms: &'t Terms, formulas: &[TermId]) -> Bounds<'t> {
        let mut bounds = Bounds {
            terms,
            variables: HashMap::new(),
            spans: HashMap::new(),
        };
        let conjuncts: Vec<TermId> = formulas.iter().flat_map(|formula| terms.conjuncts(*formula)).collect();
        for _ in 0..ROUNDS {
            let mut changed = false;
            for conjunct in &conjuncts {
                for (variable, range) in bounds.implied(*conjunct, DEPTH) {
                    let known = bounds.variables.entry(variable).or_default();
                    let before = known.clone();
                    known.meet(range);
                    changed |= *known != before;
                }
            }
            if !changed {
                break;
            }
            bounds.spans.clear();
        }
        bounds
    }

    /// Where the variable is; `None` if it has no bound on one side.
    pub fn of_variable(&self, variable: TermId) -> Option<Span> {
        let range = self.variables.get(&variable)?;
        Some(Span {
            low: range.low.clone()?,
            high: range.high.clone()?,
        })
    }

    /// What a formula says of variables.
    fn implied(&mut self, formula: TermId, depth: usize) -> Vec<(TermId, Range)> {
        let terms = self.terms;
        let Some(deeper) = depth.checked_sub(1) else {
            return Vec::new();
        };
        match terms.operator(formula) {
            Operator::And => {
                let parts = terms.arguments(formula).iter();
                parts.flat_map(|part| self.implied(*part, deeper)).collect()
            }
            Operator::Or => {
                let mut joined: Option<Vec<(TermId, Range)>> = None;
                for case in terms.arguments(formula) {
                    let mut here: Vec<(TermId, Range)> = Vec::new();
                    for (variable, range) in self.implied(*case, deeper) {
                        match here.iter_mut().find(|(other, _)| *other == variable) {
                            Some((_, known)) => known.meet(range),
                            None => here.push((variable, range)),
                        }
                    }
                    joined = Some(match joined {
                        None => here,
                        Some(before) => before
                            .into_iter()
                            .filter_map(|(variable, range)| {
                                let (_, other) = here.iter().find(|(other, _)| *other == variable)?;
                                Some((variable, range.join(other)))
                            })
                            .collect(),
                    });
                }
                joined.unwrap_or_default()
            }
            _ => self.of_atom(formula),
        }
    }

    fn of_atom(&mut self, formula: TermId) -> Vec<(TermId, Range)> {
        let terms = self.terms;
        let Some(atom) = terms.linear_atom(formula) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (term, coefficient) in &atom.form.terms {
            if !terms.is_variable(*term) || terms.sort(*term) != SortId::INT || coefficient.is_zero() {
                continue;
            }
            // coefficient * variable + rest ⋈ 0
            let mut range = Range::default();
            for at_least in [false, true] {
                // Of an inequality only one side says something: the rest at its least.
                if at_least && atom.comparison != Comparison::Equal {
                    continue;
                }
                let Some(rest) = self.extreme(&atom.form, *term, at_least) else {
                    continue;
                };
                let bound = -(rest / coefficient.clone());
                // With the rest at its least, `coefficient * variable <= -rest`; with it at its greatest, `>=`.
                match at_least == coefficient.is_negative() {
                    true => range.high = Some(bound.floor().to_integer()),
                    false => range.low = Some(bound.ceil().to_integer()),
                }
            }
            found.push((*term, range));
        }
        found
    }

    /// The least or greatest value of a form without one of its terms.
    fn extreme(&mut self, form: &LinearForm, without: TermId, greatest: bool) -> Option<Rational> {
        let mut sum = form.constant.clone();
        for (term, coefficient) in &form.terms {
            if *term == without {
                continue;
            }
            let range = self.range(*term);
            let value = match greatest == coefficient.is_negative() {
                true => range.low?,
                false => range.high?,
            };
            sum += coefficient.clone() * Rational::from_integer(value);
        }
        Some(sum)
    }

    fn range(&mut self, term: TermId) -> Range {
        if self.terms.is_variable(term) {
            return self.variables.get(&term).cloned().unwrap_or_default();
        }
        match self.span(term, DEPTH) {
            Some(span) => Range {
                low: Some(span.low),
                high: Some(span.high),
            },
            None => Range::default(),
        }
    }

    /// Where a term is for certain.
    fn span(&mut self, term: TermId, depth: usize) -> Option<Span> {
        if let Some(known) = self.spans.get(&term) {
            return known.clone();
        }
        let span = depth.checked_sub(1).and_then(|deeper| self.new_span(term, deeper));
        self.spans.insert(term, span.clone());
        span
    }

    fn new_span(&mut self, term: TermId, deeper: usize) -> Option<Span> {
        let terms = self.terms;
        if terms.sort(term) != SortId::INT {
            return None;
        }
        let arguments = terms.arguments(term);
        match (terms.operator(term), arguments) {
            (Operator::Number(_), _) => {
                let value = terms.number_value(term)?.to_integer();
                Some(Span {
                    low: value.clone(),
                    high: value,
                })
            }
            (Operator::Variable(_), _) => self.of_variable(term),
            (Operator::Add, _) => {
                let mut sum = Span {
                    low: BigInt::zero(),
                    high: BigInt::zero(),
                };
                for argument in arguments {
                    let span = self.span(*argument, deeper)?;
                    sum = Span {
                        low: sum.low + span.low,
                        high: sum.high + span.high,
                    };
                }
                Some(sum)
            }
            (Operator::Multiply, _) => {
                let mut product = Span {
                    low: BigInt::one(),
                    high: BigInt::one(),
                };
                for argument in arguments {
                    product = product.times(&self.span(*argument, deeper)?);
                }
                Some(product)
            }
            (Operator::IfThenElse, [_, yes, no]) => {
                let (yes, no) = (self.span(*yes, deeper)?, self.span(*no, deeper)?);
                Some(yes.join(&no))
            }
            (Operator::Modulo, [_, divisor]) => {
                let divisor = terms.number_value(*divisor)?.to_integer();
                (!divisor.is_zero()).then(|| Span {
                    low: BigInt::zero(),
                    high: divisor.abs() - 1,
                })
            }
            (Operator::IntegerDivide, [dividend, divisor]) => {
                let divisor = terms.number_value(*divisor)?.to_integer();
                let span = self.span(*dividend, deeper)?;
                divisor.is_positive().then(|| Span {
                    low: num_integer::Integer::div_floor(&span.low, &divisor),
                    high: num_integer::Integer::div_floor(&span.high, &divisor),
                })
            }
            (Operator::Word(WordOperator::ToInteger), [word]) => {
                let width = terms.width(terms.sort(*word))?;
                Some(Span {
                    low: BigInt::zero(),
                    high: (BigInt::one() << width) - 1,
                })
            }
            _ => None,
        }
    }
}

impl Span {
    /// The products.
    pub fn times(&self, other: &Span) -> Span {
        let corners = [
            &self.low * &other.low,
            &self.low * &other.high,
            &self.high * &other.low,
            &self.high * &other.high,
        ];
        let low = corners.iter().min().cloned().unwrap_or_default();
        let high = corners.iter().max().cloned().unwrap_or_default();
        Span { low, high }
    }

    /// The numbers of both and those between them.
    pub fn join(&self, other: &Span) -> Span {
        Span {
            low: self.low.clone().min(other.low.clone()),
            high: self.high.clone().max(other.high.clone()),
        }
    }

    /// How many bits all of them have in two's complement.
    pub fn bits(&self) -> u64 {
        // -2^n is as long as 2^n - 1.
        let length = |value: &BigInt| match value.is_negative() {
            true => (-value - 1u32).bits(),
            false => value.bits(),
        };
        length(&self.low).max(length(&self.high)) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_follow_from_inequalities_and_cases() {
        let mut terms = Terms::new();
        let [x, y, z] = ["X", "Y", "Z"].map(|name| terms.fresh_variable(name, SortId::INT));
        let [zero, ten, hundred] = [0, 10, 100].map(|value| terms.integer(value));
        let at_least = terms.less_or_equal(zero, x);
        let below = terms.less(x, y);
        let at_most = terms.less_or_equal(y, ten);
        let (is_x, is_hundred) = (terms.equal(z, x), terms.equal(z, hundred));
        let either = terms.or(&[is_x, is_hundred]);
        let bounds = Bounds::new(&terms, &[at_least, below, at_most, either]);
        let of = |variable| bounds.of_variable(variable).map(|span| (span.low, span.high));
        assert_eq!(of(x), Some((0.into(), 9.into())));
        assert_eq!(of(y), Some((1.into(), 10.into())));
        assert_eq!(of(z), Some((0.into(), 100.into())));
        let bounds = Bounds::new(&terms, &[at_least, either]);
        assert!(bounds.of_variable(x).is_none());
        assert!(bounds.of_variable(z).is_none());
    }

    #[test]
    fn spans_have_as_many_bits_as_two_s_complement_needs() {
        let bits = |low: i64, high: i64| {
            let (low, high) = (low.into(), high.into());
            Span { low, high }.bits()
        };
        assert_eq!(bits(0, 0), 1);
        assert_eq!(bits(-1, 0), 1);
        assert_eq!(bits(-128, 127), 8);
        assert_eq!(bits(-129, 0), 9);
        assert_eq!(bits(0, 128), 9);
    }
}
