//! The first layer: what can be seen from the formulas themselves. A conjunction is unsatisfiable if it holds a formula and
//! its negation, or bounds on one linear form that exclude each other. It is satisfiable if every formula is a bound on a
//! single variable and none of them exclude each other.

use super::{Answer, Layer};
use crate::terms::{Assignment, Comparison, Operator, Rational, SortId, TermId, Terms, Value};
use hashbrown::HashMap;
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

    fn upper_is_tighter(&self, bound: &Rational, strict: bool) -> bool {
        match &self.upper {
            Some((old, old_strict)) => bound < old || (bound == old && strict && !old_strict),
            None => true,
        }
    }

    fn lower_is_tighter(&self, bound: &Rational, strict: bool) -> bool {
        match &self.lower {
            Some((old, old_strict)) => bound > old || (bound == old && strict && !old_strict),
            None => true,
        }
    }
}

/// A linear form up to sign.
#[derive(PartialEq, Eq, Hash)]
enum FormKey {
    /// A variable alone.
    Variable(TermId),
    /// Terms with coefficients, the first one positive.
    Sum(Vec<(TermId, Rational)>),
}

/// The position of a form among all that were ever spoken of.
type FormId = u32;

/// What a formula says, as far as this layer can tell.
#[derive(Clone)]
enum Fact {
    /// A form is compared with a bound.
    Bound {
        form: FormId,
        relation: Relation,
        bound: Rational,
    },
    /// An atom holds, or does not hold if `negated`.
    Literal { atom: TermId, negated: bool },
}

/// How a form is compared with a bound.
#[derive(Clone, Copy)]
enum Relation {
    Equal,
    Different,
    AtMost { strict: bool },
    AtLeast { strict: bool },
}

/// What to restore when a scope is closed.
enum Undo {
    Literal(TermId, bool),
    Upper(FormId, Option<(Rational, bool)>),
    Lower(FormId, Option<(Rational, bool)>),
    Excluded(FormId),
    Constrained,
    Contradiction,
    Complex,
}

/// A form, and what is known of its value.
struct Form {
    /// The variable, if it is one alone.
    variable: Option<TermId>,
    integral: bool,
    interval: Interval,
    is_constrained: bool,
}

/// The syntactic layer.
#[derive(Default)]
pub struct SyntacticLayer {
    /// How often an atom is assumed as it is (false) or negated (true).
    literals: HashMap<(TermId, bool), usize>,
    forms: Vec<Form>,
    form_ids: HashMap<FormKey, FormId>,
    /// What formulas say, worked out once: the same ones are assumed over and over.
    facts: HashMap<TermId, Fact>,
    /// The forms that something is known of.
    constrained: Vec<FormId>,
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
        let fact = match self.facts.get(&formula) {
            Some(known) => known.clone(),
            None => {
                let fact = self.fact(terms, formula);
                self.facts.insert(formula, fact.clone());
                fact
            }
        };
        match fact {
            Fact::Bound { form, relation, bound } => self.note_bound(form, relation, bound),
            Fact::Literal { atom, negated } => self.note_literal(terms, atom, negated),
        }
    }

    fn fact(&mut self, terms: &Terms, formula: TermId) -> Fact {
        let negated = terms.operator(formula) == Operator::Not;
        let atom = if negated { terms.arguments(formula)[0] } else { formula };
        let Some(linear) = terms.linear_atom(atom) else {
            return Fact::Literal { atom, negated };
        };
        let flip = linear.form.terms.first().is_some_and(|(_, first)| first.is_negative());
        let form = if flip {
            linear.form.scaled(&-Rational::one())
        } else {
            linear.form
        };
        let relation = match (linear.comparison, negated) {
            (Comparison::Equal, false) => Relation::Equal,
            (Comparison::Equal, true) => Relation::Different,
            // Negations of inequalities are inequalities, but for what has no linear form.
            (comparison, _) => {
                let strict = comparison == Comparison::Less;
                match flip {
                    true => Relation::AtLeast { strict },
                    false => Relation::AtMost { strict },
                }
            }
        };
        Fact::Bound {
            bound: -form.constant,
            form: self.form(terms, form.terms),
            relation,
        }
    }

    fn form(&mut self, terms: &Terms, parts: Vec<(TermId, Rational)>) -> FormId {
        let integral = parts.iter().all(|(term, _)| terms.sort(*term) == SortId::INT);
        let (key, variable) = match &parts[..] {
            [(variable, coefficient)] if terms.is_variable(*variable) && coefficient.is_one() => {
                (FormKey::Variable(*variable), Some(*variable))
            }
            _ => (FormKey::Sum(parts), None),
        };
        let forms = &mut self.forms;
        *self.form_ids.entry(key).or_insert_with(|| {
            forms.push(Form {
                variable,
                integral,
                interval: Interval::default(),
                is_constrained: false,
            });
            (forms.len() - 1) as FormId
        })
    }

    fn note_bound(&mut self, id: FormId, relation: Relation, bound: Rational) {
        let form = &mut self.forms[id as usize];
        if form.variable.is_none() {
            self.complex += 1;
            self.trail.push(Undo::Complex);
        }
        if !form.is_constrained {
            form.is_constrained = true;
            self.constrained.push(id);
            self.trail.push(Undo::Constrained);
        }
        let interval = &mut form.interval;
        let (upper, lower) = match relation {
            Relation::Equal => (Some(false), Some(false)),
            Relation::AtMost { strict } => (Some(strict), None),
            Relation::AtLeast { strict } => (None, Some(strict)),
            Relation::Different => {
                interval.excluded.push(bound.clone());
                self.trail.push(Undo::Excluded(id));
                (None, None)
            }
        };
        if let Some(strict) = upper.filter(|strict| interval.upper_is_tighter(&bound, *strict)) {
            let old = interval.upper.replace((bound.clone(), strict));
            self.trail.push(Undo::Upper(id, old));
        }
        if let Some(strict) = lower.filter(|strict| interval.lower_is_tighter(&bound, *strict)) {
            let old = interval.lower.replace((bound, strict));
            self.trail.push(Undo::Lower(id, old));
        }
        if interval.is_empty() {
            self.contradict();
        }
    }

    /// Whether every interval has a value that [`Interval::pick`] finds. Only asked when all intervals are of variables.
    fn values_exist(&self) -> bool {
        self.constrained.iter().all(|id| {
            let form = &self.forms[*id as usize];
            form.interval.pick(form.integral).is_some()
        })
    }

    /// A formula that is not arithmetic contradicts its negation only.
    fn note_literal(&mut self, terms: &Terms, atom: TermId, negated: bool) {
        *self.literals.entry((atom, negated)).or_insert(0) += 1;
        self.trail.push(Undo::Literal(atom, negated));
        if !terms.is_variable(atom) {
            self.complex += 1;
            self.trail.push(Undo::Complex);
        }
        if self.literals.contains_key(&(atom, !negated)) {
            self.contradict();
        }
    }

    fn undo(&mut self, undo: Undo) {
        match undo {
            Undo::Literal(atom, negated) => {
                if let Some(count) = self.literals.get_mut(&(atom, negated)) {
                    *count -= 1;
                    if *count == 0 {
                        self.literals.remove(&(atom, negated));
                    }
                }
            }
            Undo::Upper(id, old) => self.forms[id as usize].interval.upper = old,
            Undo::Lower(id, old) => self.forms[id as usize].interval.lower = old,
            Undo::Excluded(id) => {
                self.forms[id as usize].interval.excluded.pop();
            }
            Undo::Constrained => {
                if let Some(id) = self.constrained.pop() {
                    self.forms[id as usize].is_constrained = false;
                }
            }
            Undo::Contradiction => self.contradictions -= 1,
            Undo::Complex => self.complex -= 1,
        }
    }
}

impl Layer for SyntacticLayer {
    fn push(&mut self) {
        self.scopes.push(self.trail.len());
    }

    fn assume(&mut self, terms: &Terms, formula: TermId) {
        match terms.operator(formula) {
            Operator::True => {}
            Operator::False => self.contradict(),
            Operator::And => {
                for conjunct in terms.arguments(formula) {
                    self.note(terms, *conjunct);
                }
            }
            _ => self.note(terms, formula),
        }
    }

    fn pop(&mut self, scopes: usize) {
        for _ in 0..scopes {
            let Some(trail) = self.scopes.pop() else {
                return;
            };
            while self.trail.len() > trail {
                if let Some(undo) = self.trail.pop() {
                    self.undo(undo);
                }
            }
        }
    }

    fn check(&mut self, _terms: &Terms) -> Answer {
        if self.contradictions > 0 {
            Answer::Unsatisfiable
        } else if self.complex == 0 && self.values_exist() {
            Answer::Satisfiable
        } else {
            Answer::Unknown
        }
    }

    fn model(&mut self, terms: &Terms, variables: &[TermId]) -> Option<Assignment> {
        let value = |variable: &TermId| {
            let sort = terms.sort(*variable);
            let form = self.form_ids.get(&FormKey::Variable(*variable));
            let form = form
                .map(|id| &self.forms[*id as usize])
                .filter(|form| form.is_constrained);
            let value = match form {
                Some(form) => Value::Number(form.interval.pick(form.integral)?),
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
