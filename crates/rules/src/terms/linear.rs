//! The linear view of terms: a sum of coefficients times atoms plus a constant. Projection, interpolation, printing and
//! the normal form of comparisons all work on it.

use super::{Operator, Rational, SortId, TermId, Terms};
use num_traits::{One, Signed, Zero};

/// `Σ coefficient·term + constant`, the terms sorted by id, none of them a sum, number or multiple; no coefficient is zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinearForm {
    /// Terms and their coefficients, by ascending term.
    pub terms: Vec<(TermId, Rational)>,
    /// The constant part.
    pub constant: Rational,
}

/// How a linear form is compared with zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `form = 0`
    Equal,
    /// `form =< 0`
    LessOrEqual,
    /// `form < 0`
    Less,
}

/// An arithmetic atom: a linear form compared with zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinearAtom {
    /// The left-hand side.
    pub form: LinearForm,
    /// The relation to zero.
    pub comparison: Comparison,
}

impl LinearForm {
    /// The constant form.
    pub fn constant(value: Rational) -> LinearForm {
        LinearForm {
            terms: Vec::new(),
            constant: value,
        }
    }

    /// The sum of multiples of terms that are neither sums, numbers nor multiples, in any order, and a constant.
    pub(super) fn collected(mut parts: Vec<(TermId, Rational)>, constant: Rational) -> LinearForm {
        parts.sort_by_key(|(term, _)| *term);
        let mut terms: Vec<(TermId, Rational)> = Vec::with_capacity(parts.len());
        for (term, coefficient) in parts {
            match terms.last_mut() {
                Some((last, sum)) if *last == term => *sum += coefficient,
                _ => terms.push((term, coefficient)),
            }
        }
        terms.retain(|(_, coefficient)| !coefficient.is_zero());
        LinearForm { terms, constant }
    }

    /// The coefficient of a term, zero if it does not occur.
    pub fn coefficient(&self, term: TermId) -> Rational {
        match self.terms.binary_search_by_key(&term, |(t, _)| *t) {
            Ok(position) => self.terms[position].1.clone(),
            Err(_) => Rational::zero(),
        }
    }

    /// `self + factor·other`.
    pub fn add_scaled(&self, other: &LinearForm, factor: &Rational) -> LinearForm {
        // Nearly all factors are one or minus one; multiplying exact fractions by them would cost greatest common divisors.
        let (same, opposite) = (factor.is_one(), (-factor).is_one());
        let scale = |value: &Rational| match (same, opposite) {
            (true, _) => value.clone(),
            (_, true) => -value,
            _ => value * factor,
        };
        let mut sum = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let take_left = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (Some((a, _)), Some((b, _))) if a == b => {
                    let (term, coefficient) = left.next().cloned().unwrap_or((*a, Rational::zero()));
                    let added = right.next().map(|(_, c)| scale(c)).unwrap_or_else(Rational::zero);
                    let total = coefficient + added;
                    if !total.is_zero() {
                        sum.push((term, total));
                    }
                    continue;
                }
                (Some((a, _)), Some((b, _))) => a < b,
            };
            if take_left {
                sum.extend(left.next().cloned());
            } else if let Some((term, coefficient)) = right.next() {
                let scaled = scale(coefficient);
                if !scaled.is_zero() {
                    sum.push((*term, scaled));
                }
            }
        }
        LinearForm {
            terms: sum,
            constant: &self.constant + scale(&other.constant),
        }
    }

    /// `factor·self`.
    pub fn scaled(&self, factor: &Rational) -> LinearForm {
        LinearForm::constant(Rational::zero()).add_scaled(self, factor)
    }

    /// The positive factor that makes all coefficients integers without a common divisor; one for a constant form.
    pub fn normalizing_factor(&self) -> Rational {
        Rational::normalizing_factor(self.terms.iter().map(|(_, coefficient)| coefficient))
    }
}

impl Terms {
    /// A numeric term as a linear form. Anything that is not a sum, number or multiple counts as an atom.
    pub fn linear_form(&self, term: TermId) -> LinearForm {
        let mut form = LinearForm::constant(Rational::zero());
        let parts: &[TermId] = match self.operator(term) {
            Operator::Add => self.arguments(term),
            _ => &[term],
        };
        for part in parts {
            if let Some(value) = self.number_value(*part) {
                form.constant += value;
                continue;
            }
            let (atom, coefficient) = self.monomial(*part);
            form.terms.push((atom, coefficient));
        }
        // Sums are stored in this order already; sorting keeps the invariant for any other caller.
        form.terms.sort_by_key(|(atom, _)| *atom);
        form
    }

    /// `c·t` as `(t, c)`; any other term with coefficient one.
    fn monomial(&self, term: TermId) -> (TermId, Rational) {
        if let (Operator::Multiply, [first, second]) = (self.operator(term), self.arguments(term))
            && let Some(coefficient) = self.number_value(*first)
        {
            return (*second, coefficient.clone());
        }
        (term, Rational::one())
    }

    /// The term of a linear form.
    pub fn linear_term(&mut self, form: &LinearForm, sort: SortId) -> TermId {
        let mut parts = Vec::with_capacity(form.terms.len() + 1);
        for (atom, coefficient) in &form.terms {
            if coefficient.is_one() {
                parts.push(*atom);
            } else {
                let number = self.number(coefficient.clone(), sort);
                parts.push(self.intern(Operator::Multiply, &[number, *atom], sort));
            }
        }
        if !form.constant.is_zero() || parts.is_empty() {
            parts.push(self.number(form.constant.clone(), sort));
        }
        match parts[..] {
            [only] => only,
            _ => self.intern(Operator::Add, &parts, sort),
        }
    }

    /// An arithmetic equality or inequality as a linear atom; `None` for any other formula.
    pub fn linear_atom(&self, formula: TermId) -> Option<LinearAtom> {
        let comparison = match self.operator(formula) {
            Operator::Equal => Comparison::Equal,
            Operator::LessOrEqual => Comparison::LessOrEqual,
            Operator::Less => Comparison::Less,
            _ => return None,
        };
        let [left, right] = self.arguments(formula) else {
            return None;
        };
        if !self.sort(*left).is_numeric() {
            return None;
        }
        let right = self.linear_form(*right);
        let form = self.linear_form(*left).add_scaled(&right, &-Rational::one());
        Some(LinearAtom { form, comparison })
    }

    /// The normalized formula `form ⋈ 0` over terms of the given numeric sort.
    ///
    /// Coefficients become integers without a common divisor; over integer terms bounds are rounded and an equality that
    /// no integers satisfy is false.
    pub fn linear_formula(&mut self, form: &LinearForm, comparison: Comparison, sort: SortId) -> TermId {
        if form.terms.is_empty() {
            let value = &form.constant;
            return self.boolean(match comparison {
                Comparison::Equal => value.is_zero(),
                Comparison::LessOrEqual => !value.is_positive(),
                Comparison::Less => value.is_negative(),
            });
        }
        let mut factor = form.normalizing_factor();
        if comparison == Comparison::Equal && form.terms[0].1.is_negative() {
            factor = -factor;
        }
        let mut left = form.scaled(&factor);
        let mut bound = -std::mem::replace(&mut left.constant, Rational::zero());
        let mut comparison = comparison;
        if sort == SortId::INT {
            match comparison {
                Comparison::Equal if !bound.is_integer() => return TermId::FALSE,
                Comparison::Equal => {}
                Comparison::LessOrEqual if bound.is_integer() => {}
                Comparison::LessOrEqual => bound = bound.floor(),
                Comparison::Less => {
                    let rounded = if bound.is_integer() { bound } else { bound.ceil() };
                    bound = rounded - Rational::one();
                    comparison = Comparison::LessOrEqual;
                }
            }
        }
        let left = self.linear_term(&left, sort);
        let right = self.number(bound, sort);
        let operator = match comparison {
            Comparison::Equal => Operator::Equal,
            Comparison::LessOrEqual => Operator::LessOrEqual,
            Comparison::Less => Operator::Less,
        };
        self.intern(operator, &[left, right], SortId::BOOL)
    }
}
