//! States that a program comes to on random inputs, made small: what candidates are guessed from.
//!
//! Loops over a thousand elements say no more about cells than loops over six, and the programs that have them are mostly the same
//! for any bound. So large numbers become small ones before anything is run, numbers close to each other staying so, and multiples of
//! others, as where a structure of ten elements begins at ten times its address. What holds in
//! such states is a guess about the original, and proved like any other.

use crate::execution::{Extent, visited_states};
use crate::rules::{Program, Rule};
use crate::steps::budget::BudgetWatch;
use crate::terms::{SortId, TermId, Terms, Value};
use hashbrown::HashMap;
use num_traits::ToPrimitive;
use std::collections::BTreeSet;

/// Numbers from here to there are made small.
const LARGE: i64 = 12;
const LARGEST: i64 = 1_000_000;
/// Numbers at most so far from the last one of a group belong to it.
const CLOSE: i64 = 4;
/// What the first group's first number becomes, and how far the groups are from one another then.
const SMALL: i64 = 5;
const APART: i64 = 3;
/// How much is run.
const EXTENT: Extent = Extent {
    runs: 360,
    steps: 400,
    all_steps: 60_000,
    states: 260,
    patience: 360,
};

/// Which numbers become which.
#[derive(Clone, Debug, Default)]
pub(super) struct Scale {
    /// The first number of each group, the last, and what the first becomes.
    groups: Vec<(i64, i64, i64)>,
}

impl Scale {
    fn new(program: &Program) -> Scale {
        let mut numbers: BTreeSet<i64> = BTreeSet::new();
        let mut factors: BTreeSet<i64> = BTreeSet::new();
        let roots: Vec<TermId> = program.rules().iter().flat_map(terms_of).collect();
        for term in program.terms.subterms(&roots) {
            let value = program.terms.number_value(term).filter(|value| value.is_integer());
            let size = value.and_then(|value| value.numer().to_i64()?.checked_abs());
            numbers.extend(size.filter(|size| (LARGE..=LARGEST).contains(size)));
            factors.extend(size.filter(|size| (2..LARGE).contains(size)));
        }
        let mut scale = Scale::default();
        let mut next = SMALL;
        for number in numbers {
            match scale.groups.last_mut() {
                Some((_, last, _)) if number - *last <= CLOSE => {
                    next += number - *last;
                    *last = number;
                }
                _ => {
                    let multiples = scale.groups.iter().filter_map(|(first, last, small)| {
                        let mut own = (*first..=*last).flat_map(|one| factors.iter().map(move |by| (one, *by)));
                        let (one, by) = own.find(|(one, by)| one.checked_mul(*by) == Some(number))?;
                        Some((small + one - first) * by)
                    });
                    next = multiples.fold(next, i64::max);
                    scale.groups.push((number, number, next));
                    next += APART;
                }
            }
        }
        scale
    }

    /// The number that becomes this one; of several, one that is in the program or closest to it.
    pub fn original(&self, small: i64) -> i64 {
        let size = small.saturating_abs();
        // Such numbers are mostly what they are.
        if size < SMALL - 1 {
            return small;
        }
        let numbers = self.groups.iter().map(|(first, last, least)| {
            let number = first.saturating_add(size.saturating_sub(*least));
            (number, number - number.clamp(*first, *last))
        });
        let close = numbers.filter(|(number, apart)| apart.abs() <= CLOSE && self.of(*number) == size);
        let number = close.min_by_key(|(_, apart)| apart.abs());
        number.map_or(size, |(number, _)| number) * small.signum()
    }

    /// What a number becomes. One that is not in the program, but close to one, becomes what is as close.
    pub fn of(&self, number: i64) -> i64 {
        let size = number.saturating_abs();
        let near = |first: i64, last: i64| size >= first - CLOSE && size <= last + CLOSE;
        let group = self.groups.iter().find(|(first, last, _)| near(*first, *last));
        match group {
            Some((first, _, small)) if size >= LARGE => (small + (size - first)) * number.signum(),
            _ => number,
        }
    }

    /// The program with small numbers.
    fn applied(&self, program: &Program) -> Program {
        let mut small = program.clone();
        let mut done: HashMap<TermId, TermId> = HashMap::new();
        let rules = small.rules().to_vec();
        let mut replaced = Program::new();
        replaced.terms = std::mem::take(&mut small.terms);
        for predicate in program.predicates().iter().skip(2) {
            let parameters = predicate.parameters.iter();
            let declared: Vec<(String, SortId)> = parameters
                .map(|one| (program.terms.variable_name(*one).to_string(), program.terms.sort(*one)))
                .collect();
            let declared: Vec<(&str, SortId)> = declared.iter().map(|(name, sort)| (name.as_str(), *sort)).collect();
            replaced.add_predicate(&predicate.name, predicate.point.as_deref(), &declared);
        }
        for mut rule in rules {
            let atoms = std::iter::once(&mut rule.head).chain(&mut rule.body);
            let terms = atoms.flat_map(|atom| &mut atom.arguments).chain(&mut rule.constraint);
            for term in terms {
                *term = replaced
                    .terms
                    .rewritten(*term, &mut done, |_, _| None, |terms, part| self.number(terms, part));
            }
            replaced.add_rule(rule);
        }
        replaced
    }

    fn number(&self, terms: &mut Terms, part: TermId) -> TermId {
        let value = terms.number_value(part).filter(|value| value.is_integer());
        let sort = terms.sort(part);
        match value.and_then(|value| value.numer().to_i64()) {
            Some(value) if sort == SortId::INT && self.of(value) != value => terms.integer(self.of(value)),
            _ => part,
        }
    }
}

fn terms_of(rule: &Rule) -> Vec<TermId> {
    let atoms = std::iter::once(&rule.head).chain(&rule.body);
    let arguments = atoms.flat_map(|atom| atom.arguments.iter().copied());
    arguments.chain(rule.constraint.iter().copied()).collect()
}

/// The states that were seen at each predicate, and how numbers were made small for them.
pub(super) struct Runs {
    pub states: Vec<Vec<Vec<Value>>>,
    pub scale: Scale,
}

/// Runs a program on random inputs, always the same ones.
pub(super) fn run(program: &Program, budget: &BudgetWatch<'_>) -> Runs {
    let scale = Scale::new(program);
    let small = scale.applied(program);
    // A step is worth about a unit of work.
    let states = visited_states(&small, EXTENT, &mut |steps| {
        budget.advance(steps);
        budget.interruption().is_some()
    });
    Runs { states, scale }
}

/// The whole number that a value is, if it is a small one; truth values are one and zero.
pub(super) fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) if number.is_integer() => {
            number.numer().to_i64().filter(|value| value.abs() < LARGEST * LARGEST)
        }
        Value::Bool(holds) => Some(i64::from(*holds)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_and_neighbours_stay_such_and_can_be_told_back() {
        let program = crate::clp::read(
            "?- A >= 4096, p(A, B). p(A, B) :- A =< 99999, B[10 * A - 40960] > 7, p(A + 1, B). p(A, B) :- A >= 4098, error.",
        );
        let scale = Scale::new(&program.product.expect("no mistake in it"));
        let base = scale.of(4096);
        assert!(base < LARGE);
        assert_eq!(scale.of(4098), base + 2);
        assert_eq!(scale.of(-40960), -10 * base);
        for number in [4095, 4096, 4098, -40960, 99999, 0, 3, -2] {
            assert_eq!(scale.original(scale.of(number)), number);
        }
    }
}
