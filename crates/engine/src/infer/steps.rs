//! Steps of proofs: transitions split until only conjunctions of polynomial conditions are left, as far as that goes.
//!
//! A conditional becomes two steps. A division by a small number becomes one for each remainder, with the dividend written
//! as `k·q + r`, so that `q` and the remainder are polynomial; by a larger number, one with the remainder bounded. Solvers
//! and polynomial reduction have it easier with several simple steps than with one that holds conditionals.

use crate::polynomials::{Indeterminates, Polynomial};
use crate::rules::{PredicateId, Program, RuleId};
use crate::steps::{Target, Transition, Transitions};
use crate::terms::{Comparison, Operator, Rational, SortId, Substitution, TermId, Terms};
use hashbrown::HashSet;
use num_traits::{Signed, ToPrimitive, Zero};

/// A transition is split into at most this many steps.
const SPLIT_LIMIT: usize = 48;
/// Up to this divisor every remainder gets a step of its own.
const SMALL_DIVISOR: i64 = 6;

/// A step from one place to another.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The rule it belongs to.
    pub rule: RuleId,
    /// Where it starts.
    pub source: PredicateId,
    /// Where it leads; `None` for the error.
    pub target: Option<PredicateId>,
    /// Conjuncts over the parameters of the source and further variables.
    pub guard: Vec<TermId>,
    /// The arguments at the target.
    pub updates: Vec<TermId>,
    /// How many parameters the source has.
    pub parameters: usize,
    /// The numbering of what the polynomials are over, beginning with the parameters of the source.
    pub indeterminates: Indeterminates,
    /// The updates as polynomials; zero for what is no number.
    pub update_polynomials: Vec<Polynomial>,
    /// Polynomials that the guard says are zero.
    pub zero: Vec<Polynomial>,
    /// Polynomials that the guard says are not zero.
    pub nonzero: Vec<Polynomial>,
}

/// All steps of a program, but for those that end nowhere.
pub(super) fn steps(program: &Program, terms: &mut Terms, transitions: &Transitions) -> Vec<Step> {
    let mut all = Vec::new();
    for index in 0..program.predicates().len() {
        let source = PredicateId::from_index(index);
        for id in transitions.of(source) {
            let transition = transitions.get(*id);
            let target = match transition.target {
                Target::Goal(target) => Some(target),
                Target::Error => None,
                Target::End => continue,
            };
            let parameters = program.predicate(source).parameters.clone();
            for partial in split(terms, transition) {
                all.push(Step::new(
                    terms,
                    &parameters,
                    (source, target),
                    transition.rule,
                    partial,
                ));
            }
        }
    }
    all
}

/// Terms as polynomials; zero for what is no number.
pub(super) fn polynomials(terms: &Terms, indeterminates: &mut Indeterminates, values: &[TermId]) -> Vec<Polynomial> {
    let polynomial = |term: &TermId| match terms.sort(*term).is_numeric() {
        true => indeterminates.polynomial(terms, *term),
        false => Polynomial::default(),
    };
    values.iter().map(polynomial).collect()
}

/// A step on the way: its conditions, and the arguments that it leads to.
#[derive(Clone)]
pub(super) struct Partial {
    pub guard: Vec<TermId>,
    pub updates: Vec<TermId>,
}

impl Partial {
    /// With terms replaced and a condition added; `None` if that is false.
    pub fn with(&self, terms: &mut Terms, substitution: &Substitution, conditions: &[TermId]) -> Option<Partial> {
        let mut guard: Vec<TermId> = Vec::new();
        for formula in terms.substitute_all(&self.guard, substitution).iter().chain(conditions) {
            for conjunct in terms.conjuncts(*formula) {
                if conjunct != TermId::TRUE && !guard.contains(&conjunct) {
                    guard.push(conjunct);
                }
            }
        }
        let possible = !guard.contains(&TermId::FALSE);
        possible.then(|| Partial {
            guard,
            updates: terms.substitute_all(&self.updates, substitution),
        })
    }
}

fn split(terms: &mut Terms, transition: &Transition) -> Vec<Partial> {
    let mut waiting = vec![Partial {
        guard: transition.guard.clone(),
        updates: transition.updates.clone(),
    }];
    let mut done = Vec::new();
    while let Some(partial) = waiting.pop() {
        let room = SPLIT_LIMIT.saturating_sub(waiting.len() + done.len());
        match divided(terms, &partial, room) {
            Some(parts) => waiting.extend(parts.into_iter().rev()),
            None => done.push(partial),
        }
    }
    done
}

/// The cases of the innermost conditional or division; `None` if there is none, or too little room.
fn divided(terms: &mut Terms, partial: &Partial, room: usize) -> Option<Vec<Partial>> {
    let term = innermost(terms, partial)?;
    let arguments = terms.arguments(term).to_vec();
    if let (Operator::IfThenElse, [condition, left, right]) = (terms.operator(term), &arguments[..]) {
        if room < 2 {
            return None;
        }
        let denial = terms.not(*condition);
        let mut cases = Vec::new();
        for (formula, value) in [(*condition, *left), (denial, *right)] {
            let mut substitution = Substitution::new();
            substitution.insert(terms, term, value);
            cases.extend(partial.with(terms, &substitution, &[formula]));
        }
        return Some(cases);
    }
    let [dividend, divisor] = arguments[..] else {
        return None;
    };
    let value = terms.number_value(divisor)?.numer().to_i64()?;
    let quotient_term = terms.integer_divide(dividend, divisor);
    let remainder_term = terms.modulo(dividend, divisor);
    let quotient = terms.fresh_variable("quotient", SortId::INT);
    let multiple = terms.multiply(divisor, quotient);
    let mut cases = Vec::new();
    let mut add = |terms: &mut Terms, remainder: TermId, further: &[TermId]| {
        let mut substitution = Substitution::new();
        substitution.insert(terms, quotient_term, quotient);
        substitution.insert(terms, remainder_term, remainder);
        let sum = terms.add(multiple, remainder);
        let mut conditions = vec![terms.equal(dividend, sum)];
        conditions.extend(further);
        cases.extend(partial.with(terms, &substitution, &conditions));
    };
    if value <= SMALL_DIVISOR && room as i64 >= value {
        for remainder in 0..value {
            let remainder = terms.integer(remainder);
            add(terms, remainder, &[]);
        }
    } else {
        let remainder = terms.fresh_variable("remainder", SortId::INT);
        let zero = terms.integer(0);
        let bounds = [terms.less_or_equal(zero, remainder), terms.less(remainder, divisor)];
        add(terms, remainder, &bounds);
    }
    Some(cases)
}

/// The conditional or division by a number that was built first, so that none lies inside it.
fn innermost(terms: &Terms, partial: &Partial) -> Option<TermId> {
    let mut found: Option<TermId> = None;
    let mut seen = HashSet::new();
    let mut stack: Vec<TermId> = partial.guard.iter().chain(&partial.updates).copied().collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let arguments = terms.arguments(term);
        let splits = match terms.operator(term) {
            Operator::IfThenElse => terms.sort(term).is_numeric(),
            Operator::IntegerDivide | Operator::Modulo => {
                let divisor = arguments.get(1).and_then(|divisor| terms.number_value(*divisor));
                divisor
                    .and_then(|value| value.numer().to_i64())
                    .is_some_and(|value| value >= 2)
            }
            _ => false,
        };
        if splits && found.is_none_or(|other| term < other) {
            found = Some(term);
        }
        stack.extend_from_slice(arguments);
    }
    found
}

impl Step {
    /// A step of a rule between two places, of which the first has these parameters.
    pub fn new(
        terms: &mut Terms,
        parameters: &[TermId],
        (source, target): (PredicateId, Option<PredicateId>),
        rule: RuleId,
        partial: Partial,
    ) -> Step {
        let mut indeterminates = Indeterminates::new(parameters);
        let update_polynomials = polynomials(terms, &mut indeterminates, &partial.updates);
        let (mut zero, mut nonzero) = (Vec::new(), Vec::new());
        for formula in &partial.guard {
            let negated = terms.operator(*formula) == Operator::Not;
            let atom = if negated {
                terms.arguments(*formula)[0]
            } else {
                *formula
            };
            let Some(linear) = terms.linear_atom(atom) else {
                continue;
            };
            let sort = terms
                .arguments(atom)
                .first()
                .map_or(SortId::INT, |side| terms.sort(*side));
            let mut polynomial_of = |terms: &mut Terms, form| {
                let term = terms.linear_term(form, sort);
                indeterminates.polynomial(terms, term)
            };
            match (linear.comparison, negated) {
                (Comparison::Equal, false) => zero.push(polynomial_of(terms, &linear.form)),
                (Comparison::LessOrEqual, false)
                    if linear.form.terms.len() <= 2 && linear.form.constant.is_positive() =>
                {
                    // `x + 1 =< 0` says that x is not zero.
                    let mut form = linear.form.clone();
                    form.constant = Rational::zero();
                    nonzero.push(polynomial_of(terms, &form));
                }
                (Comparison::Equal, true) | (Comparison::Less, false) => {
                    nonzero.push(polynomial_of(terms, &linear.form));
                }
                _ => {}
            }
        }
        Step {
            rule,
            source,
            target,
            guard: partial.guard,
            updates: partial.updates,
            parameters: parameters.len(),
            indeterminates,
            update_polynomials,
            zero,
            nonzero,
        }
    }
}
