//! Matching: values for the variables of an implication from values of its terms.

use super::pool::Pools;
use crate::random::Generator;
use crate::relations::system::Clause;
use crate::terms::{Assignment, LinearForm, Operator, Rational, SortId, TermId, Terms, Value};
use num_traits::{One, Zero};

/// The values that an implication's variables have so far.
#[derive(Clone)]
pub(super) struct Match<'a> {
    terms: &'a Terms,
    pub assignment: Assignment,
    /// Terms that have to have these values, when it is known what they are.
    waiting: Vec<(TermId, Value)>,
}

/// How values for all variables were found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Completed {
    /// Whether the constraint holds.
    pub fits: bool,
    /// Whether some of the values were chosen, so that others might do what these do not.
    pub is_chosen: bool,
    /// How often all that is not known to hold was looked at.
    pub looks: u64,
}

/// What is found out about a term that has to have a value.
enum Fit {
    Yes,
    No,
    /// Not yet.
    Open,
}

impl<'a> Match<'a> {
    pub fn new(terms: &'a Terms) -> Match<'a> {
        Match {
            terms,
            assignment: Assignment::new(),
            waiting: Vec::new(),
        }
    }

    pub fn value_of(&self, term: TermId) -> Option<Value> {
        match self.terms.is_variable(term) {
            true => self.assignment.get(&term).cloned(),
            false => self.terms.evaluate(term, &self.assignment),
        }
    }

    pub fn has_value(&self, term: TermId) -> bool {
        self.value_of(term).is_some()
    }

    /// Gives variables values so that the term has the given one; whether that is possible, as far as can be seen.
    pub fn unify(&mut self, term: TermId, value: &Value) -> bool {
        let mut stack = vec![(term, value.clone())];
        while let Some((term, value)) = stack.pop() {
            match self.fit(term, &value, &mut stack) {
                Fit::Yes => {}
                Fit::No => return false,
                Fit::Open => self.waiting.push((term, value)),
            }
        }
        true
    }

    fn fit(&mut self, term: TermId, value: &Value, parts: &mut Vec<(TermId, Value)>) -> Fit {
        if let Some(known) = self.value_of(term) {
            return if known == *value { Fit::Yes } else { Fit::No };
        }
        if self.terms.is_variable(term) {
            self.assignment.insert(term, value.clone());
            return Fit::Yes;
        }
        match (self.terms.operator(term), value) {
            (Operator::Construct(constructor), Value::Datatype(made)) => {
                if made.constructor != constructor {
                    return Fit::No;
                }
                let arguments = self.terms.arguments(term).iter().copied();
                parts.extend(arguments.zip(made.arguments.iter().cloned()));
                Fit::Yes
            }
            (_, Value::Number(number)) if self.terms.sort(term) == SortId::INT => {
                self.solve_form(&self.terms.linear_form(term), number)
            }
            _ => Fit::Open,
        }
    }

    /// Gives the only unknown variable of a sum that has to be this number its value.
    fn solve_form(&mut self, form: &LinearForm, number: &Rational) -> Fit {
        let mut rest = number - &form.constant;
        let mut unknown = None;
        for (part, factor) in &form.terms {
            match self.value_of(*part) {
                Some(Value::Number(known)) => rest = &rest - &(factor * &known),
                _ if unknown.is_none() && self.terms.is_variable(*part) => unknown = Some((*part, factor)),
                _ => return Fit::Open,
            }
        }
        let Some((variable, factor)) = unknown else {
            return Fit::Open;
        };
        let value = &rest / factor;
        if !value.is_integer() {
            return Fit::No;
        }
        self.assignment.insert(variable, Value::Number(value));
        Fit::Yes
    }

    /// Gives all variables of the clause values so that its constraint holds.
    fn complete(&mut self, clause: &Clause, pools: &Pools, random: &mut Generator) -> Completed {
        let mut open: Vec<TermId> = clause.constraint.clone();
        let mut completed = Completed {
            fits: false,
            is_chosen: false,
            looks: 0,
        };
        loop {
            if self.propagate(&mut open, &mut completed.looks).is_none() {
                return completed;
            }
            let unknown = clause
                .variables
                .iter()
                .filter(|variable| !self.assignment.contains_key(*variable));
            let unknown: Vec<TermId> = unknown.copied().collect();
            if unknown.is_empty() {
                break;
            }
            completed.is_chosen = true;
            let variable = unknown[random.below(unknown.len() as u64) as usize];
            let Some(value) = pools.choose(self.terms, self.terms.sort(variable), random) else {
                return completed;
            };
            self.assignment.insert(variable, value);
        }
        completed.fits = open.is_empty() && self.waiting.is_empty();
        completed
    }

    /// What the clause concludes with values for all variables, if its constraint holds of them.
    pub fn concluded(
        &mut self,
        clause: &Clause,
        pools: &Pools,
        random: &mut Generator,
    ) -> (Completed, Option<Vec<Value>>) {
        let completed = self.complete(clause, pools, random);
        let arguments = clause.conclusion.arguments.iter();
        let values: Option<Vec<Value>> = arguments.map(|argument| self.value_of(*argument)).collect();
        (completed, values.filter(|_| completed.fits))
    }

    /// Takes what formulas say as long as that gives variables values; nothing if one is false. What is not known yet is left. Counts how
    /// often that was looked at.
    pub fn propagate(&mut self, open: &mut Vec<TermId>, looks: &mut u64) -> Option<()> {
        loop {
            *looks += 1;
            let before = (self.assignment.len(), open.len(), self.waiting.len());
            for (term, value) in std::mem::take(&mut self.waiting) {
                if !self.unify(term, &value) {
                    return None;
                }
            }
            for formula in std::mem::take(open) {
                match self.terms.holds(formula, &self.assignment) {
                    Some(true) => continue,
                    Some(false) => return None,
                    None => {}
                }
                self.take_for_true(formula)?;
                open.push(formula);
            }
            if (self.assignment.len(), open.len(), self.waiting.len()) == before {
                return Some(());
            }
        }
    }

    /// Takes a formula of unknown truth for true, as far as that gives variables values; nothing if it cannot be.
    fn take_for_true(&mut self, formula: TermId) -> Option<()> {
        let arguments = self.terms.arguments(formula);
        let (term, value) = match (self.terms.operator(formula), arguments) {
            (Operator::Variable(_), _) => (formula, Value::Bool(true)),
            (Operator::Not, [inner]) if self.terms.is_variable(*inner) => (*inner, Value::Bool(false)),
            (Operator::And, parts) => {
                for part in parts {
                    match self.terms.holds(*part, &self.assignment) {
                        Some(true) => {}
                        Some(false) => return None,
                        None => self.take_for_true(*part)?,
                    }
                }
                return Some(());
            }
            (Operator::Or, parts) => {
                let mut possible = parts
                    .iter()
                    .filter(|part| self.terms.holds(**part, &self.assignment) != Some(false));
                return match (possible.next(), possible.next()) {
                    (None, _) => None,
                    (Some(only), None) => self.take_for_true(*only),
                    _ => Some(()),
                };
            }
            (Operator::Equal, [left, right]) => match (self.value_of(*left), self.value_of(*right)) {
                (Some(value), None) => (*right, value),
                (None, Some(value)) => (*left, value),
                // Both sides may have unknown parts, but one unknown variable only.
                _ if self.terms.sort(*left) == SortId::INT => {
                    let (left, right) = (self.terms.linear_form(*left), self.terms.linear_form(*right));
                    let difference = left.add_scaled(&right, &-Rational::one());
                    return match self.solve_form(&difference, &Rational::zero()) {
                        Fit::No => None,
                        Fit::Yes | Fit::Open => Some(()),
                    };
                }
                _ => return Some(()),
            },
            _ => return Some(()),
        };
        let waiting = self.waiting.len();
        if !self.unify(term, &value) {
            return None;
        }
        // The formula itself is looked at again.
        self.waiting.truncate(waiting);
        Some(())
    }
}
