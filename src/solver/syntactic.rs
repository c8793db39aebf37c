//! The first layer: what can be seen from the formulas themselves. A conjunction is unsatisfiable if it holds a formula and
//! its negation, or bounds on one linear form that exclude each other; it is satisfiable if it is empty.

use super::{Answer, Layer};
use crate::terms::{Assignment, Comparison, LinearForm, Operator, Rational, TermId, Terms};
use hashbrown::HashMap;
use num_traits::{One, Signed};

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

/// A linear form up to sign: its terms with coefficients, the first one positive.
type FormKey = Vec<(TermId, Rational)>;

/// What to restore when a scope is closed.
enum Undo {
    Literal(TermId, bool),
    Interval(FormKey, Option<Interval>),
    Contradiction,
}

/// The syntactic layer.
#[derive(Default)]
pub struct SyntacticLayer {
    /// How often an atom is assumed as it is (false) or negated (true).
    literals: HashMap<(TermId, bool), usize>,
    intervals: HashMap<FormKey, Interval>,
    contradictions: usize,
    formulas: usize,
    trail: Vec<Undo>,
    scopes: Vec<(usize, usize)>,
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
        let Some(linear) = terms.linear_atom(atom) else {
            self.note_literal(atom, negated);
            return;
        };
        let flip = linear.form.terms.first().is_some_and(|(_, first)| first.is_negative());
        let form = if flip {
            linear.form.scaled(&-Rational::one())
        } else {
            linear.form
        };
        let LinearForm { terms: key, constant } = form;
        let bound = -constant;
        let mut interval = self.intervals.get(&key).cloned().unwrap_or_default();
        match (linear.comparison, negated) {
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

    /// A formula that is not arithmetic contradicts its negation only.
    fn note_literal(&mut self, atom: TermId, negated: bool) {
        *self.literals.entry((atom, negated)).or_insert(0) += 1;
        self.trail.push(Undo::Literal(atom, negated));
        if self.literals.contains_key(&(atom, !negated)) {
            self.contradict();
        }
    }
}

impl Layer for SyntacticLayer {
    fn push(&mut self) {
        self.scopes.push((self.trail.len(), self.formulas));
    }

    fn assume(&mut self, terms: &Terms, formula: TermId) {
        if formula == TermId::TRUE {
            return;
        }
        self.formulas += 1;
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
            let Some((trail, formulas)) = self.scopes.pop() else {
                return;
            };
            self.formulas = formulas;
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
                    None => return,
                }
            }
        }
    }

    fn check(&mut self, _terms: &Terms) -> Answer {
        if self.contradictions > 0 {
            Answer::Unsatisfiable
        } else if self.formulas == 0 {
            Answer::Satisfiable
        } else {
            Answer::Unknown
        }
    }

    fn model(&mut self, terms: &Terms, variables: &[TermId]) -> Option<Assignment> {
        // Only the empty conjunction is found satisfiable, and any values do for that.
        let value = |variable: &TermId| (*variable, terms.default_value(terms.sort(*variable)));
        Some(variables.iter().map(value).collect())
    }

    fn core(&mut self, _terms: &Terms, _assumptions: &[TermId]) -> Option<Vec<usize>> {
        None
    }
}
