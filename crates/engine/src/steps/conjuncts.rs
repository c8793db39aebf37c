//! The conjuncts of a rule while its equations are solved: what a variable is goes only where the variable is, and an equation is looked for only among
//! what has changed, so that a rule with thousands of definitions is solved in a time that grows with its size.

use super::elimination::solve_equation;
use crate::terms::{Substitution, TermId, Terms};
use hashbrown::HashMap;
use std::collections::BTreeSet;

/// A conjunction without duplicates, in order.
#[derive(Clone, Default, Debug)]
pub(crate) struct Conjuncts {
    /// What has become of each formula that was added.
    places: Vec<Vec<TermId>>,
    /// Where each conjunct is.
    place_of: HashMap<TermId, usize>,
    /// Where a variable is, or has been.
    places_with: HashMap<TermId, BTreeSet<usize>>,
    /// Where no equation has been looked for since it changed.
    open: BTreeSet<usize>,
    /// Whether one of them was false; nothing else is left then.
    is_false: bool,
}

impl Conjuncts {
    /// Those of these formulas.
    pub fn new(terms: &Terms, formulas: &[TermId]) -> Conjuncts {
        let mut conjuncts = Conjuncts::default();
        for formula in formulas {
            conjuncts.places.push(Vec::new());
            conjuncts.put(terms, conjuncts.places.len() - 1, *formula);
        }
        conjuncts
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.place_of.len()
    }

    /// Whether the conjunction is false as it stands.
    pub fn is_false(&self) -> bool {
        self.is_false
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = TermId> + '_ {
        self.places.iter().flatten().copied()
    }

    /// All of them; just false if one of them is.
    pub fn into_formulas(self) -> Vec<TermId> {
        match self.is_false {
            true => vec![TermId::FALSE],
            false => self.places.into_iter().flatten().collect(),
        }
    }

    /// Takes the first equation out that determines a variable of this kind: the variable, and what it is.
    pub fn solve_first(&mut self, terms: &mut Terms, is_solved: &dyn Fn(TermId) -> bool) -> Option<(TermId, TermId)> {
        while let Some(place) = self.open.first().copied() {
            for conjunct in self.places.get(place)?.clone() {
                if let Some(found) = solve_equation(terms, conjunct, is_solved) {
                    self.remove(conjunct);
                    return Some(found);
                }
            }
            self.open.remove(&place);
        }
        None
    }

    /// Takes one out.
    pub fn remove(&mut self, conjunct: TermId) {
        if let Some(own) = self
            .place_of
            .remove(&conjunct)
            .and_then(|place| self.places.get_mut(place))
        {
            own.retain(|other| *other != conjunct);
        }
    }

    /// Puts what a variable is in its place. What it is does not mention it.
    pub fn replace(&mut self, terms: &mut Terms, variable: TermId, value: TermId) {
        let mut substitution = Substitution::new();
        substitution.insert(terms, variable, value);
        for place in self.places_with.remove(&variable).unwrap_or_default() {
            let own = self.places.get(place).cloned().unwrap_or_default();
            let replaced = terms.substitute_all(&own, &substitution);
            if replaced != own {
                for conjunct in own {
                    self.remove(conjunct);
                }
                for formula in replaced {
                    self.put(terms, place, formula);
                }
            }
        }
    }

    /// Adds a formula's conjuncts to what is in a place. What is there twice stays where it is first.
    fn put(&mut self, terms: &Terms, place: usize, formula: TermId) {
        for conjunct in terms.conjuncts(formula) {
            if conjunct == TermId::FALSE {
                *self = Conjuncts {
                    is_false: true,
                    ..Conjuncts::default()
                };
            }
            let before = self.place_of.get(&conjunct).copied();
            if self.is_false || before.is_some_and(|before| before <= place) {
                continue;
            }
            self.remove(conjunct);
            self.place_of.insert(conjunct, place);
            if let Some(own) = self.places.get_mut(place) {
                own.push(conjunct);
            }
            for variable in terms.variables(conjunct) {
                self.places_with.entry(variable).or_default().insert(place);
            }
            self.open.insert(place);
        }
    }
}

/// What variables are that were replaced one after another, in terms of those that were not, and all of this as one substitution.
pub(crate) fn resolved(terms: &mut Terms, replaced: &[(TermId, TermId)]) -> (Vec<TermId>, Substitution) {
    let mut values = Vec::with_capacity(replaced.len());
    let mut substitution = Substitution::new();
    for (variable, value) in replaced.iter().rev() {
        let value = terms.substitute(*value, &substitution);
        substitution.insert(terms, *variable, value);
        values.push(value);
    }
    values.reverse();
    (values, substitution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::elimination::flatten;
    use crate::terms::SortId;

    #[test]
    fn what_is_twice_stays_where_it_is_first_and_false_is_alone() {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.fresh_variable(name, SortId::INT));
        let two = terms.integer(2);
        let formulas = [
            terms.less(y, x),
            terms.equal(z, two),
            terms.less(z, x),
            terms.less(two, x),
        ];
        let mut conjuncts = Conjuncts::new(&terms, &formulas);
        assert_eq!(
            conjuncts.solve_first(&mut terms, &|variable| variable == z),
            Some((z, two))
        );
        conjuncts.replace(&mut terms, z, two);
        assert_eq!(conjuncts.iter().collect::<Vec<_>>(), [formulas[0], formulas[3]]);
        assert_eq!(conjuncts.solve_first(&mut terms, &|_| true), None);
        conjuncts.replace(&mut terms, x, two);
        assert!(conjuncts.is_false() && conjuncts.len() == 0);
        assert_eq!(conjuncts.into_formulas(), [TermId::FALSE]);
    }

    #[test]
    fn one_after_another_is_what_flattening_all_again_gives() {
        let mut terms = Terms::new();
        let variables: Vec<TermId> = (0..6).map(|_| terms.fresh_variable("v", SortId::INT)).collect();
        let mut random = crate::random::Generator(3);
        for _ in 0..200 {
            let mut formulas = Vec::new();
            for _ in 0..8 {
                let [one, other] = [0; 2].map(|_| variables[random.below(6) as usize]);
                let number = terms.integer(random.below(3) as i64);
                let sum = terms.add(other, number);
                formulas.push(match random.below(3) {
                    0 => terms.equal(one, sum),
                    1 => terms.less(one, sum),
                    _ => {
                        let both = [terms.less(sum, one), terms.less_or_equal(number, one)];
                        terms.or(&both)
                    }
                });
            }
            let mut conjuncts = Conjuncts::new(&terms, &formulas);
            let mut all = flatten(&terms, &formulas);
            while let Some((variable, value)) = conjuncts.solve_first(&mut terms, &|_| true) {
                let equation = all
                    .iter()
                    .position(|formula| solve_equation(&mut terms, *formula, &|_| true) == Some((variable, value)));
                all.remove(equation.expect("the first one"));
                let mut substitution = Substitution::new();
                substitution.insert(&terms, variable, value);
                let replaced = terms.substitute_all(&all, &substitution);
                all = flatten(&terms, &replaced);
                conjuncts.replace(&mut terms, variable, value);
            }
            assert_eq!(conjuncts.into_formulas(), all);
        }
    }
}
