//! The first layer: what can be seen from the formulas themselves. A conjunction is unsatisfiable if it holds a formula and
//! its negation, or bounds on one linear form that exclude each other. It is satisfiable if every formula is a bound on a
//! single variable and none of them exclude each other.

use super::{Answer, Layer};
use crate::terms::{Assignment, Comparison, LinearForm, Operator, Rational, SortId, TermId, Terms, Value};
use hashbrown::HashMap;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// The interval of values that a linear form may still have; strictness matters only over reals.
#[derive(Clone, Default, Debug)]
struct Interval {
    lower: Option<(Rational, bool)>,
    upper: Option<(Rational, bool)>,
    excluded: Vec<Rational>,
}

impl Interval {
    fn is_empty(&self) -> bool {
        match (&self.lower, &self.upper) {
            (Some((low, low_strict)), Some((high, high_strict))) => {
                low > high || (low == high && (*low_strict || *high_strict || self.excluded.contains(low)))
            }
            _ => false,
        }
    }

    /// A value inside, an integer if `integral`; `None` if the search for one is not worth it.
    fn pick(&self, integral: bool) -> Option<Rational> {
        let mut value = match (&self.lower, &self.upper) {
            (None, None) => Rational::zero(),
            (Some((low, true)), None) => low + Rational::one(),
            (Some((low, false)), _) => low.clone(),
            (None, Some((high, true))) => high - Rational::one(),
            (_, Some((high, false))) => high.clone(),
            (Some((low, true)), Some((high, true))) => (low + high) / Rational::from_integer(2.into()),
        };
        let inside = |value: &Rational| {
            let above = self
                .lower
                .as_ref()
                .is_none_or(|(low, strict)| value > low || (!strict && value == low));
            let below = self
                .upper
                .as_ref()
                .is_none_or(|(high, strict)| value < high || (!strict && value == high));
            above && below
        };
        // Each excluded value can spoil one try; over reals only the plain case is treated.
        for _ in 0..=self.excluded.len() {
            if !self.excluded.contains(&value) {
                return (inside(&value) && (!integral || value.is_integer())).then_some(value);
            }
            let upward = Rational::one();
            value = if inside(&(&value + &upward)) {
                value + upward
            } else {
                value - upward
            };
        }
        None
    }

    fn tighten_upper(&mut self, bound: Rational, strict: bool) {
        let tighter = match &self.upper {
            Some((old, old_strict)) => bound < *old || (bound == *old && strict && !old_strict),
            None => true,
        };
        if tighter {
            self.upper = Some((bound, strict));
        }
    }

    fn tighten_lower(&mut self, bound: Rational, strict: bool) {
        let tighter = match &self.lower {
            Some((old, old_strict)) => bound > *old || (bound == *old && strict && !old_strict),
            None => true,
        };
        if tighter {
            self.lower = Some((bound, strict));
        }
    }
}

/// A linear form up to sign.
#[derive(Clone, PartialEq, Eq, Hash)]
enum FormKey {
    /// A variable alone.
    Variable(TermId),
    /// Terms with coefficients as numerators and denominators, the first one positive.
    Sum(Vec<(TermId, BigInt, BigInt)>),
}

/// What to restore when a scope is closed.
enum Undo {
    Literal(TermId, bool),
    Interval(FormKey, Option<Interval>),
    Contradiction,
    Complex,
}

/// The syntactic layer.
#[derive(Default)]
pub struct SyntacticLayer {
    /// How often an atom is assumed as it is (false) or negated (true).
    literals: HashMap<(TermId, bool), usize>,
    intervals: HashMap<FormKey, Interval>,
    contradictions: usize,
    /// Formulas that are more than a bound on a single variable.
    complex: usize,
    trail: Vec<Undo>,
    scopes: Vec<usize>,
}

impl SyntacticLayer {
    /// A layer that assumes nothing yet.
    pub fn new() -> SyntacticLayer {
        SyntacticLayer::default()
    }

    fn contradict(&mut self) {
        self.contradictions += 1;
        self.trail.push(Undo::Contradiction);
    }

    fn note(&mut self, terms: &Terms, formula: TermId) {
        let negated = terms.operator(formula) == Operator::Not;
        let atom = if negated { terms.arguments(formula)[0] } else { formula };
        if let Some((variable, comparison, bound)) = bound_on_variable(terms, atom) {
            self.note_bound(FormKey::Variable(variable), comparison, negated, false, bound);
            return;
        }
        let Some(linear) = terms.linear_atom(atom) else {
            self.note_literal(terms, atom, negated);
            return;
        };
        let flip = linear.form.terms.first().is_some_and(|(_, first)| first.is_negative());
        let form = if flip {
            linear.form.scaled(&-Rational::one())
        } else {
            linear.form
        };
        let LinearForm { terms: parts, constant } = form;
        let key = match &parts[..] {
            [(variable, coefficient)] if terms.is_variable(*variable) && coefficient.is_one() => {
                FormKey::Variable(*variable)
            }
            _ => {
                self.note_complex();
                let part = |(term, coefficient): &(TermId, Rational)| {
                    (*term, coefficient.numer().clone(), coefficient.denom().clone())
                };
                FormKey::Sum(parts.iter().map(part).collect())
            }
        };
        self.note_bound(key, linear.comparison, negated, flip, -constant);
    }

    /// Notes `form ⋈ bound`, with the relation turned round if `flip`.
    fn note_bound(&mut self, key: FormKey, comparison: Comparison, negated: bool, flip: bool, bound: Rational) {
        let mut interval = self.intervals.get(&key).cloned().unwrap_or_default();
        match (comparison, negated) {
            (Comparison::Equal, false) => {
                interval.tighten_lower(bound.clone(), false);
                interval.tighten_upper(bound, false);
            }
            (Comparison::Equal, true) => interval.excluded.push(bound),
            (comparison, _) => {
                let strict = comparison == Comparison::Less;
                if flip {
                    interval.tighten_lower(bound, strict);
                } else {
                    interval.tighten_upper(bound, strict);
                }
            }
        }
        if interval.is_empty() {
            self.contradict();
        }
        let old = self.intervals.insert(key.clone(), interval);
        self.trail.push(Undo::Interval(key, old));
    }

    /// Whether every interval has a value that [`Interval::pick`] finds. Only asked when all intervals are of variables.
    fn values_exist(&self, terms: &Terms) -> bool {
        self.intervals.iter().all(|(key, interval)| {
            let integral = match key {
                FormKey::Variable(variable) => terms.sort(*variable) == SortId::INT,
                FormKey::Sum(parts) => parts.iter().all(|(term, _, _)| terms.sort(*term) == SortId::INT),
            };
            interval.pick(integral).is_some()
        })
    }

    fn note_complex(&mut self) {
        self.complex += 1;
        self.trail.push(Undo::Complex);
    }

    /// A formula that is not arithmetic contradicts its negation only.
    fn note_literal(&mut self, terms: &Terms, atom: TermId, negated: bool) {
        *self.literals.entry((atom, negated)).or_insert(0) += 1;
        self.trail.push(Undo::Literal(atom, negated));
        if !terms.is_variable(atom) {
            self.note_complex();
        }
        if self.literals.contains_key(&(atom, !negated)) {
            self.contradict();
        }
    }
}

/// A variable compared with a number.
fn bound_on_variable(terms: &Terms, atom: TermId) -> Option<(TermId, Comparison, Rational)> {
    let comparison = match terms.operator(atom) {
        Operator::Equal => Comparison::Equal,
        Operator::LessOrEqual => Comparison::LessOrEqual,
        Operator::Less => Comparison::Less,
        _ => return None,
    };
    let [left, right] = *terms.arguments(atom) else {
        return None;
    };
    let number = terms.number_value(right)?;
    terms.is_variable(left).then(|| (left, comparison, number.clone()))
}

impl Layer for SyntacticLayer {
    fn push(&mut self) {
        self.scopes.push(self.trail.len());
    }

    fn assume(&mut self, terms: &Terms, formula: TermId) {
        if formula == TermId::TRUE {
            return;
        }
        if formula == TermId::FALSE {
            self.contradict();
            return;
        }
        for conjunct in terms.conjuncts(formula) {
            self.note(terms, conjunct);
        }
    }

    fn pop(&mut self, scopes: usize) {
        for _ in 0..scopes {
            let Some(trail) = self.scopes.pop() else {
                return;
            };
            while self.trail.len() > trail {
                match self.trail.pop() {
                    Some(Undo::Literal(atom, negated)) => {
                        if let Some(count) = self.literals.get_mut(&(atom, negated)) {
                            *count -= 1;
                            if *count == 0 {
                                self.literals.remove(&(atom, negated));
                            }
                        }
                    }
                    Some(Undo::Interval(key, Some(old))) => {
                        self.intervals.insert(key, old);
                    }
                    Some(Undo::Interval(key, None)) => {
                        self.intervals.remove(&key);
                    }
                    Some(Undo::Contradiction) => self.contradictions -= 1,
                    Some(Undo::Complex) => self.complex -= 1,
                    None => return,
                }
            }
        }
    }

    fn check(&mut self, terms: &Terms) -> Answer {
        if self.contradictions > 0 {
            Answer::Unsatisfiable
        } else if self.complex == 0 && self.values_exist(terms) {
            Answer::Satisfiable
        } else {
            Answer::Unknown
        }
    }

    fn model(&mut self, terms: &Terms, variables: &[TermId]) -> Option<Assignment> {
        let value = |variable: &TermId| {
            let sort = terms.sort(*variable);
            let value = match self.intervals.get(&FormKey::Variable(*variable)) {
                Some(interval) => Value::Number(interval.pick(sort == SortId::INT)?),
                None if self.literals.contains_key(&(*variable, false)) => Value::Bool(true),
                None => terms.default_value(sort),
            };
            Some((*variable, value))
        };
        variables.iter().map(value).collect()
    }

    fn core(&mut self, _terms: &Terms, _assumptions: &[TermId]) -> Option<Vec<usize>> {
        None
    }
}
