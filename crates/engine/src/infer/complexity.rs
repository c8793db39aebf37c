//! How often loops run: the iteration counter at the ends of runs as a polynomial of the inputs, by cases.
//!
//! A loop whose number of iterations depends on the case satisfies an equality of which each case is a root for the counter:
//! seed 001's `t = 0`, `t = P + M + 1` and `t = N - M(P - N)`. Here the cases are found first: the states are split by
//! comparisons of inputs until in each part the counter is one polynomial of the inputs. The product of `t - root` over all
//! cases is the equality that the roots solve, and the conditions say which root it is. A case is proved if the proved
//! invariants of the place imply it.
//!
//! Where no polynomial of the inputs says it, an equality may still be solved for the counter with other variables at the end
//! of runs: `t = (m*n + n - y) / m`.

use super::candidate::Shape;
use super::comparison::Comparer;
use super::inference::{Inference, PlaceInvariants, Status};
use super::render::{Notation, polynomial_text, text};
use crate::polynomials::{Extent, State, vanishing};
use crate::polynomials::{Indeterminates, Monomial, Polynomial};
use crate::terms::{Rational, SortId, TermId, Terms};
use num_traits::{One, Signed, Zero};

/// The name of the counter that [`super::Options::count`] adds.
pub use super::unfold::COUNTER;

/// The number of iterations in one case.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// The counter's column.
    pub counter: u32,
    /// What distinguishes the case: comparisons of inputs, and whether each holds.
    pub conditions: Vec<Condition>,
    /// The counter, over the columns of the place.
    pub iterations: Polynomial,
    /// How many states were seen in this case.
    pub states: usize,
    /// Whether the proved invariants of the place imply that the number is this one in this case.
    pub proved: bool,
}

/// A comparison of inputs that holds in a case.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition {
    /// The polynomial that is at most zero.
    pub at_most_zero: Polynomial,
}

/// Cases are told apart by at most so many comparisons.
const DEPTH: usize = 6;
/// The degree of a number of iterations.
const DEGREE: u32 = 2;
/// The largest number in it.
const HEIGHT: u64 = 1_000_000;

/// The number of iterations at a place by cases, and whether these cover all states seen there. `inputs` are the columns
/// that do not change during a run, by which it is expressed.
pub fn iterations(
    inference: &Inference,
    place: &PlaceInvariants,
    counter: u32,
    inputs: &[u32],
    constants: &[i64],
) -> (Vec<Case>, bool) {
    let states = inference.column_values(place);
    let comparisons = comparisons(inputs, constants);
    let splitter = Splitter {
        inputs,
        counter,
        comparisons: &comparisons,
    };
    let mut cases = Vec::new();
    let rows: Vec<&State> = states.iter().collect();
    let complete = splitter.split(&rows, &mut Vec::new(), &mut cases);
    let mut comparer = Comparer::new(inference, place);
    for case in &mut cases {
        simplify(&states, counter, case);
        case.proved = comparer.proves(case);
    }
    (cases, complete)
}

/// The number of iterations as a fraction of polynomials over any columns, from an equality in which the counter is linear.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved {
    /// The counter's column.
    pub counter: u32,
    /// What is divided.
    pub numerator: Polynomial,
    /// By what.
    pub denominator: Polynomial,
    /// How certain the equality is.
    pub status: Status,
}

/// The simplest equality of a place that can be solved for the counter.
pub fn solved(place: &PlaceInvariants, counter: u32) -> Option<Solved> {
    let own = Monomial::variable(counter);
    let mut found: Vec<Solved> = Vec::new();
    for invariant in &place.invariants {
        let Shape::Equality(polynomial) = &invariant.shape else {
            continue;
        };
        let highest = polynomial.parts().map(|(monomial, _)| monomial.exponent(counter)).max();
        if highest != Some(1) {
            continue;
        }
        let (mut numerator, mut denominator) = (Polynomial::default(), Polynomial::default());
        for (monomial, coefficient) in polynomial.parts() {
            match monomial.quotient(&own) {
                Some(rest) => denominator.add_scaled(
                    &Polynomial::of([(rest, coefficient.clone())]),
                    &Monomial::one(),
                    &Rational::one(),
                ),
                None => numerator.add_scaled(
                    &Polynomial::of([(monomial.clone(), coefficient.clone())]),
                    &Monomial::one(),
                    &-Rational::one(),
                ),
            }
        }
        if denominator
            .leading()
            .is_some_and(|(_, coefficient)| coefficient.is_negative())
        {
            let minus_one = Polynomial::constant(-Rational::one());
            (numerator, denominator) = (numerator.times(&minus_one), denominator.times(&minus_one));
        }
        found.push(Solved {
            counter,
            numerator,
            denominator,
            status: invariant.status,
        });
    }
    found.sort_by_key(|solved| {
        (
            solved.denominator.degree(),
            solved.status,
            solved.numerator.term_count(),
        )
    });
    found.into_iter().next()
}

/// The column of a place with a name: that of the counter which [`super::Options::count`] adds, or of one in the program.
pub fn counter_column(place: &PlaceInvariants, name: &str) -> Option<u32> {
    place
        .names
        .iter()
        .position(|other| other == name)
        .map(|column| column as u32)
}

/// The columns of a place that no rule changes on the way there: those whose parameter is handed on as it is by every rule
/// between predicates that have a parameter of this name.
pub fn inputs(inference: &Inference, place: &PlaceInvariants) -> Vec<u32> {
    let (program, terms) = (&inference.program, &inference.terms);
    let position = |parameters: &[TermId], name: &str| parameters.iter().position(|p| terms.variable_name(*p) == name);
    let unchanged = |name: &str| {
        program.rules().iter().all(|rule| {
            let Some(atom) = rule.body.first() else {
                return true;
            };
            let from = position(&program.predicate(rule.head.predicate).parameters, name);
            let to = position(&program.predicate(atom.predicate).parameters, name);
            match (from, to) {
                (Some(from), Some(to)) => rule.head.arguments.get(from) == atom.arguments.get(to),
                // What a later place has and an earlier one has not is made on the way, but at the start.
                (None, Some(_)) => rule.head.predicate == crate::rules::PredicateId::QUERY,
                _ => true,
            }
        })
    };
    let is_input = |term: &TermId| {
        let variables = terms.variables(*term);
        let names = variables.iter().map(|variable| terms.variable_name(*variable));
        terms.sort(*term).is_numeric() && names.into_iter().all(|name| name != COUNTER && unchanged(name))
    };
    let columns = place.columns.iter().enumerate().filter(|(_, term)| is_input(term));
    columns.map(|(column, _)| column as u32).collect()
}

/// The comparisons that may tell cases apart: of two inputs, and of one with a small number or one in the program.
fn comparisons(inputs: &[u32], constants: &[i64]) -> Vec<Polynomial> {
    let number = |value: i64| Polynomial::constant(Rational::from_integer(value.into()));
    let mut found = Vec::new();
    for (position, first) in inputs.iter().enumerate() {
        let x = Polynomial::variable(*first);
        for second in &inputs[position + 1..] {
            let y = Polynomial::variable(*second);
            // x =< y and x < y.
            found.push(x.minus(&y));
            found.push(x.minus(&y).plus(&number(1)));
        }
    }
    for input in inputs {
        for value in [0, -1, 1, -2, 2].into_iter().chain(constants.iter().copied()) {
            let comparison = Polynomial::variable(*input).minus(&number(value));
            if !found.contains(&comparison) {
                found.push(comparison);
            }
        }
    }
    found
}

fn holds(comparison: &Polynomial, state: &State) -> bool {
    comparison.evaluate(state).is_some_and(|value| !value.is_positive())
}

/// The opposite of `p =< 0` over integers: `1 - p =< 0`.
fn negated(comparison: &Polynomial) -> Polynomial {
    Polynomial::constant(Rational::one()).minus(comparison)
}

struct Splitter<'a> {
    inputs: &'a [u32],
    counter: u32,
    comparisons: &'a [Polynomial],
}

impl Splitter<'_> {
    /// Splits until every part has one polynomial; whether that succeeded for all states.
    fn split(&self, states: &[&State], conditions: &mut Vec<Condition>, cases: &mut Vec<Case>) -> bool {
        if let Some(iterations) = self.relation(states) {
            cases.push(Case {
                counter: self.counter,
                conditions: conditions.clone(),
                iterations,
                states: states.len(),
                proved: false,
            });
            return true;
        }
        if conditions.len() >= DEPTH {
            return false;
        }
        let Some(comparison) = self.best(states) else {
            return false;
        };
        let (yes, no): (Vec<&State>, Vec<&State>) = states.iter().partition(|state| holds(&comparison, state));
        let mut complete = true;
        for (part, comparison) in [(yes, comparison.clone()), (no, negated(&comparison))] {
            conditions.push(Condition {
                at_most_zero: comparison,
            });
            complete &= self.split(&part, conditions, cases);
            conditions.pop();
        }
        complete
    }

    /// The comparison that settles most states at once; failing that, the one that divides most evenly.
    fn best(&self, states: &[&State]) -> Option<Polynomial> {
        let mut settling: Option<(usize, &Polynomial)> = None;
        let mut even: Option<(usize, &Polynomial)> = None;
        for comparison in self.comparisons {
            let (yes, no): (Vec<&State>, Vec<&State>) = states.iter().partition(|state| holds(comparison, state));
            let smaller = yes.len().min(no.len());
            if smaller == 0 {
                continue;
            }
            let settled = [&yes, &no]
                .into_iter()
                .filter(|part| self.relation(part).is_some())
                .map(Vec::len)
                .sum();
            if settled > 0 && settling.is_none_or(|(most, _)| settled > most) {
                settling = Some((settled, comparison));
            }
            if even.is_none_or(|(most, _)| smaller > most) {
                even = Some((smaller, comparison));
            }
        }
        settling.or(even).map(|(_, comparison)| comparison.clone())
    }

    /// The counter as a polynomial of the inputs, if it is one in all these states.
    fn relation(&self, states: &[&State]) -> Option<Polynomial> {
        // The inputs are smaller than the counter in no order of their own: the counter comes last but is solved for.
        let rows: Vec<State> = states
            .iter()
            .map(|state| {
                let columns = std::iter::once(&self.counter).chain(self.inputs);
                columns.map(|column| state[*column as usize].clone()).collect()
            })
            .collect();
        for degree in 1..=DEGREE {
            let extent = Extent {
                degree,
                terms: 60,
                height: HEIGHT,
            };
            for relation in vanishing(&rows, 1 + self.inputs.len(), extent) {
                if let Some(solved) = self.solved(&relation) {
                    return Some(solved);
                }
            }
        }
        self.single(states)
    }

    /// A relation solved for the counter, which is variable 0 in it.
    fn solved(&self, relation: &Polynomial) -> Option<Polynomial> {
        let counter = Monomial::variable(0);
        let coefficient = relation.coefficient(&counter);
        let mentions = relation
            .parts()
            .filter(|(monomial, _)| monomial.exponent(0) > 0)
            .count();
        if coefficient.is_zero() || mentions != 1 {
            return None;
        }
        let mut rest = Polynomial::default();
        rest.add_scaled(relation, &Monomial::one(), &-coefficient.recip());
        let rest = rest.plus(&Polynomial::variable(0));
        let inputs = |position: u32| {
            let column = self.inputs.get((position as usize).wrapping_sub(1)).copied();
            Polynomial::variable(column.unwrap_or(self.counter))
        };
        rest.compose(&inputs, usize::MAX)
    }

    /// A few states in which the counter is the same number, or the same input plus a number.
    fn single(&self, states: &[&State]) -> Option<Polynomial> {
        let first = states.first()?;
        let zero = Rational::zero();
        let candidates = std::iter::once(None).chain(self.inputs.iter().map(Some));
        for input in candidates {
            let base = |state: &State| input.map_or(zero.clone(), |column| state[*column as usize].clone());
            let counter = |state: &State| state[self.counter as usize].clone();
            let difference = counter(first) - base(first);
            if states.iter().all(|state| counter(state) - base(state) == difference) {
                let constant = Polynomial::constant(difference);
                return Some(input.map_or(constant.clone(), |column| Polynomial::variable(*column).plus(&constant)));
            }
        }
        None
    }
}

/// Leaves out the conditions without which the case still has no states with another number of iterations.
fn simplify(states: &[State], counter: u32, case: &mut Case) {
    let fits = |state: &State| {
        case.iterations
            .evaluate(state)
            .is_some_and(|value| value == state[counter as usize])
    };
    let fitting: Vec<bool> = states.iter().map(fits).collect();
    let mut position = case.conditions.len();
    while position > 0 {
        position -= 1;
        let mut fewer = case.conditions.clone();
        fewer.remove(position);
        let inside = |state: &State| fewer.iter().all(|condition| holds(&condition.at_most_zero, state));
        if states.iter().zip(&fitting).all(|(state, fits)| *fits || !inside(state)) {
            case.conditions = fewer;
        }
    }
}

impl Case {
    /// That the number is this one if the conditions hold; `None` where something is no integer.
    pub(super) fn formula(&self, terms: &mut Terms, columns: &[TermId]) -> Option<TermId> {
        let numbering = Indeterminates::new(columns);
        let is_integer = |column: u32| {
            columns
                .get(column as usize)
                .is_some_and(|term| terms.sort(*term) == SortId::INT)
        };
        let difference = Polynomial::variable(self.counter).minus(&self.iterations).primitive();
        let conditions = self.conditions.iter().map(|condition| &condition.at_most_zero);
        if !conditions
            .clone()
            .chain([&difference])
            .all(|part| part.variables().into_iter().all(is_integer))
        {
            return None;
        }
        let zero = terms.integer(0);
        let mut parts: Vec<TermId> = Vec::new();
        for condition in conditions {
            let term = numbering.to_term(terms, condition, SortId::INT);
            parts.push(terms.less(zero, term));
        }
        let term = numbering.to_term(terms, &difference, SortId::INT);
        parts.push(terms.equal(term, zero));
        Some(terms.or(&parts))
    }

    /// The number as text: `t == P + M + 1`.
    pub fn bound_text(&self, inference: &Inference, place: &PlaceInvariants, notation: Notation) -> String {
        let name_of = |column| inference.column_name(place, column);
        let number = polynomial_text(&self.iterations, &name_of);
        format!("{} {} {number}", name_of(self.counter), notation.equal_sign())
    }

    /// The conditions as texts: `N <= P`.
    pub fn conditions(&self, inference: &Inference, place: &PlaceInvariants, notation: Notation) -> Vec<String> {
        let name_of = |column| inference.column_name(place, column);
        let one = |condition: &Condition| text(&Shape::Inequality(condition.at_most_zero.clone()), notation, &name_of);
        self.conditions.iter().map(one).collect()
    }

    /// The case as text: `t == P + M + 1 when N <= P`.
    pub fn text(&self, inference: &Inference, place: &PlaceInvariants, notation: Notation) -> String {
        let number = self.bound_text(inference, place, notation);
        match self.conditions(inference, place, notation) {
            conditions if conditions.is_empty() => number,
            conditions => format!("{number} when {}", conditions.join(", ")),
        }
    }
}

impl Solved {
    /// As text: `t == (m*n + n - y) / m`.
    pub fn text(&self, inference: &Inference, place: &PlaceInvariants, notation: Notation) -> String {
        let name_of = |column| inference.column_name(place, column);
        let side = |polynomial: &Polynomial| {
            let text = polynomial_text(polynomial, &name_of);
            if polynomial.term_count() > 1 {
                format!("({text})")
            } else {
                text
            }
        };
        let left = format!("{} {}", name_of(self.counter), notation.equal_sign());
        match self.denominator.constant_value() {
            Some(value) if value.is_one() => format!("{left} {}", polynomial_text(&self.numerator, &name_of)),
            _ => format!("{left} {} / {}", side(&self.numerator), side(&self.denominator)),
        }
    }
}
