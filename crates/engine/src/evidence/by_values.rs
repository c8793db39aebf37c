//! What follows by calculating: where a premise says the values of variables, these are put into the rule, and what becomes of
//! the conclusions is looked up.
//!
//! Of a proof that goes through states one by one, all obligations are of that kind, and there are as many conclusions as
//! premises: trying each with each would take too long. Numbers with few values are gone through. It only ever says that something follows, as
//! [`super::read_off`] does.

use super::conditions::Condition;
use super::points::{Equations, Point};
use crate::terms::{Assignment, Operator, Rational, Sort, SortId, Substitution, TermId, Terms, Value, ranges};
use hashbrown::{HashMap, HashSet};

/// With fewer premises about numbers alone nothing is gained.
const FEWEST_PREMISES: usize = 12;

/// Each premise is looked up in each group. If that is more often than this, the conclusions are not states of the same variables,
/// and it would cost more than what it saves.
const MOST_LOOKUPS: usize = 1_000_000;

/// Numbers with no more values than that are looked at one by one.
const MOST_VALUES: u32 = 256;

/// So many cases there may be for one premise.
const MOST_CASES: usize = 512;

/// So often what is known is put into a formula, in one case. What needs more is no state, but rules with thousands of equations, which took more
/// than ten seconds for a premise of 1,312 formulas.
const MOST_PUT: usize = 1 << 14;

/// The conclusions of a condition, by what they say is equal to what.
pub(super) struct Values {
    /// The terms that the groups speak about, each once.
    terms: Vec<TermId>,
    groups: Vec<Group>,
    equations: Equations,
    /// Whether numbers and truth values are all that there is: what is written into arrays is told by terms, which share what stays.
    is_about_numbers: bool,
    /// Whether one of the conclusions has no conjunct, so that it always holds.
    has_true: bool,
}

/// Conclusions that speak about the same terms.
struct Group {
    /// Positions in [`Values::terms`].
    terms: Vec<usize>,
    values: HashSet<Vec<TermId>>,
}

impl Values {
    /// `None` if it is not worth while.
    pub fn new(terms: &mut Terms, condition: &Condition) -> Option<Values> {
        let is_about_numbers = has_only_numbers(terms, &condition.constraint);
        if condition.premises.len() < FEWEST_PREMISES && is_about_numbers {
            return None;
        }
        let some = condition.premises.first().map_or(&[][..], |premise| &premise.formulas);
        let is_about_numbers = is_about_numbers && has_only_numbers(terms, some);
        let mut values = Values {
            terms: Vec::new(),
            groups: Vec::new(),
            equations: Equations::default(),
            is_about_numbers,
            has_true: false,
        };
        let mut group_of: HashMap<Vec<TermId>, usize> = HashMap::new();
        let mut position_of: HashMap<TermId, usize> = HashMap::new();
        for conclusion in &condition.conclusions {
            if conclusion.contains(&TermId::FALSE) {
                continue;
            }
            let formulas = conclusion.iter().filter(|formula| **formula != TermId::TRUE);
            let mut pairs: Vec<(TermId, TermId)> = formulas.map(|formula| sides(terms, *formula)).collect();
            pairs.sort();
            let (sides, own): (Vec<TermId>, Vec<TermId>) = pairs.into_iter().unzip();
            values.has_true |= sides.is_empty();
            let group = *group_of.entry(sides).or_insert_with_key(|sides| {
                let position = |side: &TermId| {
                    *position_of.entry(*side).or_insert_with(|| {
                        values.terms.push(*side);
                        values.terms.len() - 1
                    })
                };
                values.groups.push(Group {
                    terms: sides.iter().map(position).collect(),
                    values: HashSet::new(),
                });
                values.groups.len() - 1
            });
            if values.groups.len() * condition.premises.len() > MOST_LOOKUPS {
                return None;
            }
            values.groups[group].values.insert(own);
        }
        Some(values)
    }

    /// Whether the obligation of a premise holds; false says nothing.
    pub fn hold(&mut self, terms: &mut Terms, condition: &Condition, premise: usize) -> bool {
        let premises = condition
            .premises
            .get(premise)
            .map_or(&[][..], |premise| &premise.formulas);
        let formulas = premises.iter().chain(&condition.constraint).copied();
        let (facts, rest) = match self
            .is_about_numbers
            .then(|| self.equations.point(terms, formulas.clone()))
        {
            Some(Point::Impossible) => return true,
            Some(Point::Known(known, rest)) => (Known::of(terms, known), rest),
            None => (Known::default(), formulas.collect()),
        };
        let mut left = MOST_CASES;
        // Cases that are still to be looked at: what variables are in them.
        let mut open: Vec<Vec<TermId>> = vec![Vec::new()];
        while let Some(case) = open.pop() {
            let Some(split) = self.hold_in(terms, facts.clone(), [&rest, &case]) else {
                continue;
            };
            left = left.saturating_sub(split.len());
            if split.is_empty() || left == 0 {
                return false;
            }
            open.extend(
                split
                    .into_iter()
                    .map(|value| case.iter().copied().chain([value]).collect()),
            );
        }
        true
    }

    /// Nothing, if the obligation holds in the case; otherwise what a number may be there that has few values, if there is one.
    fn hold_in(&self, terms: &mut Terms, mut facts: Known, formulas: [&[TermId]; 2]) -> Option<Vec<TermId>> {
        for formulas in formulas {
            match facts.learn(terms, formulas) {
                Learnt::Possible => {}
                Learnt::Impossible => return None,
                Learnt::TooMuch => return Some(Vec::new()),
            }
        }
        if self.has_true {
            return None;
        }
        let holding = facts.holding(terms);
        let mut calculated: Vec<Option<TermId>> = vec![None; self.terms.len()];
        let is_known = self.groups.iter().any(|group| {
            let mut own = Vec::new();
            for position in &group.terms {
                let value = *calculated[*position].get_or_insert_with(|| {
                    let value = facts.applied(terms, self.terms[*position]);
                    match holding.get(&value) {
                        Some(truth) => *truth,
                        None => terms.with_ordered_stores(value),
                    }
                });
                if terms.has_variables(value) {
                    // What conclusions say that something is has no variables.
                    return false;
                }
                own.push(value);
            }
            group.values.contains(&own)
        });
        if is_known {
            return None;
        }
        let open: Vec<TermId> = calculated.into_iter().flatten().collect();
        let others: Vec<TermId> = facts
            .others
            .iter()
            .map(|formula| facts.applied(terms, *formula))
            .collect();
        // Without bounds that a number could be between there is no case.
        let ranges = ranges(terms, &others)?;
        let mut variables = terms.variables_of_all(&open).into_iter();
        // Each case is another state.
        let states = self.groups.iter().map(|group| group.values.len()).max().unwrap_or(0);
        let most = u32::try_from(states).unwrap_or(MOST_VALUES).min(MOST_VALUES);
        let few = variables.find_map(|variable| Some((variable, ranges.get(&variable)?.values(most)?)));
        let (variable, values) = few.unwrap_or((TermId::TRUE, Vec::new()));
        let values = values.into_iter().map(|value| {
            let value = terms.number(Rational::from_integer(value), SortId::INT);
            terms.equal(variable, value)
        });
        Some(values.collect())
    }
}

/// Whether formulas are about numbers and truth values alone, which a solver answers at once.
fn has_only_numbers(terms: &Terms, formulas: &[TermId]) -> bool {
    let mut stack = formulas.to_vec();
    let mut seen: HashSet<TermId> = stack.iter().copied().collect();
    while let Some(term) = stack.pop() {
        if !matches!(terms.sort_of_id(terms.sort(term)), Sort::Int | Sort::Real | Sort::Bool) {
            return false;
        }
        let arguments = terms.arguments(term).iter().copied();
        stack.extend(arguments.filter(|argument| seen.insert(*argument)));
    }
    true
}

/// A formula as an equation, with a term that has no variables on the right if there is one.
fn sides(terms: &mut Terms, formula: TermId) -> (TermId, TermId) {
    let parts = (terms.operator(formula), terms.arguments(formula).to_vec());
    match (parts.0, parts.1.as_slice()) {
        (Operator::Not, &[inner]) => (inner, TermId::FALSE),
        (Operator::Equal, &[left, right]) => {
            if let Some(linear) = terms.linear_atom(formula)
                && let [(variable, coefficient)] = linear.form.terms.as_slice()
            {
                let sort = terms.sort(*variable);
                let (variable, value) = (*variable, -(&linear.form.constant / coefficient));
                let is_possible = sort != crate::terms::SortId::INT || value.is_integer();
                if is_possible {
                    let value = terms.number(value, sort);
                    return (variable, value);
                }
            }
            match (terms.has_variables(left), terms.has_variables(right)) {
                (true, false) => (left, right),
                (false, true) => (right, left),
                _ => (formula, TermId::TRUE),
            }
        }
        _ => (formula, TermId::TRUE),
    }
}

/// What came of taking formulas for true.
enum Learnt {
    Possible,
    /// They contradict each other.
    Impossible,
    /// It takes too long to say.
    TooMuch,
}

/// What variables are equal to.
#[derive(Clone, Default)]
struct Known {
    /// In the order in which it was learnt: what comes later has been put into nothing before.
    all: Vec<Substitution>,
    /// What else was learnt.
    others: Vec<TermId>,
    /// How often something was put into a formula.
    put: usize,
}

impl Known {
    /// These values alone.
    fn of(terms: &mut Terms, values: Assignment) -> Known {
        // In an order that is always the same.
        let mut values: Vec<(TermId, Value)> = values.into_iter().collect();
        values.sort_by_key(|(variable, _)| *variable);
        let mut known = Substitution::new();
        for (variable, value) in values {
            let value = terms.value_term(&value, terms.sort(variable));
            known.insert(terms, variable, value);
        }
        Known {
            all: vec![known],
            ..Known::default()
        }
    }

    fn applied(&self, terms: &mut Terms, term: TermId) -> TermId {
        self.applied_from(0, terms, term)
    }

    /// The same for a term into which the first ones have been put already.
    fn applied_from(&self, first: usize, terms: &mut Terms, term: TermId) -> TermId {
        let rest = self.all.iter().skip(first);
        rest.fold(term, |term, known| match terms.has_variables(term) {
            true => terms.substitute(term, known),
            false => term,
        })
    }

    /// The truth values of formulas that say more than what variables are equal to.
    fn holding(&self, terms: &mut Terms) -> HashMap<TermId, TermId> {
        let mut holding = HashMap::new();
        for formula in &self.others {
            let formula = self.applied(terms, *formula);
            holding.insert(formula, TermId::TRUE);
            if let (Operator::Not, &[inner]) = (terms.operator(formula), terms.arguments(formula)) {
                holding.insert(inner, TermId::FALSE);
            }
        }
        holding
    }

    /// Takes the formulas for true; whether that is possible, as far as this can be told.
    fn learn(&mut self, terms: &mut Terms, formulas: &[TermId]) -> Learnt {
        // Each with how many of those that are known have been put into it.
        let mut open: Vec<(TermId, usize)> = formulas.iter().map(|formula| (*formula, 0)).collect();
        loop {
            let mut left = Vec::new();
            let mut values = Substitution::new();
            let mut learnt: HashSet<TermId> = HashSet::new();
            let mut elements: Vec<(TermId, TermId, TermId)> = Vec::new();
            for (formula, first) in open {
                self.put += self.all.len() - first;
                if self.put > MOST_PUT {
                    return Learnt::TooMuch;
                }
                let formula = self.applied_from(first, terms, formula);
                let put = self.all.len();
                for formula in terms.conjuncts(formula) {
                    match formula {
                        TermId::TRUE => continue,
                        TermId::FALSE => return Learnt::Impossible,
                        _ => {}
                    }
                    if let Some((variable, value)) = equation(terms, formula)
                        && !learnt.contains(&variable)
                        && (!terms.has_variables(value) || learnt.is_empty())
                    {
                        let is_closed = !terms.has_variables(value);
                        values.insert(terms, variable, value);
                        learnt.insert(variable);
                        if !is_closed {
                            // Another one might speak of variables in this one.
                            self.all.push(std::mem::take(&mut values));
                        }
                        continue;
                    }
                    let (side, value) = sides(terms, formula);
                    if let (Operator::Select, &[array, index]) = (terms.operator(side), terms.arguments(side))
                        && terms.is_variable(array)
                        && !terms.has_variables(index)
                        && !terms.has_variables(value)
                    {
                        elements.push((array, index, value));
                        continue;
                    }
                    left.push((formula, put));
                }
            }
            if !elements.is_empty() {
                let mut arrays: Vec<(TermId, TermId)> = Vec::new();
                for (array, index, value) in elements {
                    if learnt.contains(&array) {
                        let element = terms.select(array, index);
                        left.push((terms.equal(element, value), self.all.len()));
                        continue;
                    }
                    match arrays.iter_mut().find(|(known, _)| *known == array) {
                        Some((_, stored)) => *stored = terms.store(*stored, index, value),
                        None => {
                            let stored = terms.store(array, index, value);
                            arrays.push((array, stored));
                        }
                    }
                }
                let mut stored = Substitution::new();
                for (array, value) in arrays {
                    let value = terms.with_ordered_stores(value);
                    stored.insert(terms, array, value);
                    learnt.insert(array);
                }
                self.all.push(values);
                self.all.push(stored);
            } else {
                self.all.push(values);
            }
            if learnt.is_empty() {
                self.others.extend(left.into_iter().map(|(formula, _)| formula));
                return Learnt::Possible;
            }
            open = left;
        }
    }
}

/// The equation as one for a variable: that and the term it is equal to, in which it does not occur but as an array of which
/// elements are the same.
fn equation(terms: &mut Terms, formula: TermId) -> Option<(TermId, TermId)> {
    if terms.is_variable(formula) {
        return Some((formula, TermId::TRUE));
    }
    let (side, value) = sides(terms, formula);
    if terms.is_variable(side) && !terms.has_variables(value) {
        return Some((side, value));
    }
    if terms.operator(formula) != Operator::Equal {
        return None;
    }
    let [left, right] = *terms.arguments(formula) else {
        return None;
    };
    let candidates = [(left, right), (right, left)];
    let found = candidates.into_iter().find(|(variable, other)| {
        terms.is_variable(*variable) && (!terms.variables(*other).contains(variable) || is_array(terms, *variable))
    });
    if found.is_some() {
        return found;
    }
    let linear = terms.linear_atom(formula)?;
    for (variable, coefficient) in &linear.form.terms {
        let others = linear.form.terms.iter().filter(|(term, _)| term != variable);
        let is_one = coefficient.is_integer() && coefficient.recip().is_integer();
        if !terms.is_variable(*variable) || !is_one {
            continue;
        }
        let others: Vec<TermId> = others.map(|(term, _)| *term).collect();
        if terms.variables_of_all(&others).contains(variable) {
            continue;
        }
        let mut rest = linear.form.clone();
        rest.terms.retain(|(term, _)| term != variable);
        let solution = rest.scaled(&-coefficient.recip());
        let sort = terms.sort(*variable);
        return Some((*variable, terms.linear_term(&solution, sort)));
    }
    None
}

fn is_array(terms: &Terms, variable: TermId) -> bool {
    matches!(terms.sort_of_id(terms.sort(variable)), Sort::Array(..))
}
