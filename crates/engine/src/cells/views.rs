//! A rule as one of its predicates sees it: what its variables and arrays are among that predicate's parameters.

use super::bounds::{Bound, LARGEST, MOST_PARTS, SMALL, ValueForm};
use crate::rules::{Atom, PredicateId};
use crate::terms::{LinearForm, Operator, Rational, SortId, TermId, Terms};
use hashbrown::HashMap;
use num_traits::{One, ToPrimitive};

/// What is known of a variable of a rule: it is a parameter and a constant.
type Known = HashMap<TermId, (usize, i64)>;

/// A rule in terms of what it has in common with a predicate.
pub(super) struct View {
    pub predicate: PredicateId,
    arguments: Vec<TermId>,
    numbers: Known,
    /// Which parameter an array is.
    pub arrays: HashMap<TermId, usize>,
}

impl View {
    pub fn new(terms: &Terms, atom: &Atom) -> View {
        let (mut numbers, mut arrays) = (Known::new(), HashMap::new());
        for (position, argument) in atom.arguments.iter().enumerate() {
            if terms.sort(*argument) == SortId::INT {
                let form = terms.linear_form(*argument);
                if let ([(variable, one)], Some(shift)) = (&form.terms[..], integer(&form.constant))
                    && one.is_one()
                    && terms.is_variable(*variable)
                {
                    let closer = numbers
                        .get(variable)
                        .is_none_or(|(_, known): &(usize, i64)| known.abs() > shift.abs());
                    if closer {
                        numbers.insert(*variable, (position, -shift));
                    }
                }
            } else if terms.index_sort(terms.sort(*argument)).is_some() {
                arrays.entry(base(terms, *argument)).or_insert(position);
            }
        }
        View {
            predicate: atom.predicate,
            arguments: atom.arguments.clone(),
            numbers,
            arrays,
        }
    }

    /// A sum of variables as one of parameters; without constants that are close to none.
    pub fn bound(&self, terms: &Terms, form: &LinearForm) -> Option<Bound> {
        let mut bound = Bound {
            scalars: Vec::new(),
            constant: integer(&form.constant)?,
        };
        if form.terms.len() > MOST_PARTS {
            return None;
        }
        for (variable, coefficient) in &form.terms {
            let coefficient = integer(coefficient)?;
            let (position, shift) = *self.numbers.get(variable)?;
            debug_assert!(terms.is_variable(*variable), "only variables are known");
            add(&mut bound.scalars, position, coefficient);
            bound.constant = bound.constant.checked_add(shift.checked_mul(coefficient)?)?;
        }
        if bound.constant.abs() <= SMALL {
            bound.constant = 0;
        }
        (bound.constant.abs() <= LARGEST).then_some(bound)
    }

    /// A bound in this predicate's parameters as a sum of the rule's variables.
    pub fn form(&self, terms: &Terms, bound: &Bound) -> Option<LinearForm> {
        let mut form = LinearForm::constant(Rational::from_integer(bound.constant.into()));
        for (position, coefficient) in &bound.scalars {
            let argument = terms.linear_form(*self.arguments.get(*position)?);
            form = form.add_scaled(&argument, &Rational::from_integer((*coefficient).into()));
        }
        Some(form)
    }

    /// A comparison of elements in another view's parameters, in this one's.
    pub fn value(&self, terms: &Terms, from: &View, value: &ValueForm) -> Option<ValueForm> {
        let scalars = Bound {
            scalars: value.scalars.clone(),
            constant: value.constant,
        };
        let mut moved = self.comparison(&from.form(terms, &scalars)?)?;
        for (position, cell, coefficient) in &value.elements {
            let array = base(terms, *from.arguments.get(*position)?);
            moved.elements.push((*self.arrays.get(&array)?, *cell, *coefficient));
        }
        moved.keys.clone_from(&value.keys);
        Some(moved)
    }

    /// A sum of variables to be compared with elements: here constants count.
    pub fn comparison(&self, form: &LinearForm) -> Option<ValueForm> {
        let mut value = ValueForm {
            constant: integer(&form.constant)?,
            ..ValueForm::default()
        };
        for (variable, coefficient) in &form.terms {
            let coefficient = integer(coefficient)?;
            let (position, shift) = *self.numbers.get(variable)?;
            add(&mut value.scalars, position, coefficient);
            value.constant = value.constant.checked_add(shift.checked_mul(coefficient)?)?;
        }
        Some(value)
    }
}

fn add(scalars: &mut Vec<(usize, i64)>, position: usize, coefficient: i64) {
    match scalars.iter_mut().find(|(known, _)| *known == position) {
        Some((_, sum)) => *sum = sum.saturating_add(coefficient),
        None => scalars.push((position, coefficient)),
    }
    scalars.retain(|(_, sum)| *sum != 0);
    scalars.sort();
}

pub(super) fn integer(value: &Rational) -> Option<i64> {
    value.is_integer().then(|| value.numer().to_i64()).flatten()
}

/// What is left of an array when stores are looked through.
pub(super) fn base(terms: &Terms, array: TermId) -> TermId {
    let mut array = array;
    while let (Operator::Store, [inner, ..]) = (terms.operator(array), terms.arguments(array)) {
        array = *inner;
    }
    array
}
