//! What each relation is given, and what it calculates of that: for [calculations](super::backward) over numbers.
//!
//! An argument is given where some implication says nothing of it otherwise (`fib(N, F) :- N =< 1, F = 1` says nothing of `N`), or where facts differ in
//! it that agree in all that is given: of two arguments that are functions of each other the first is given, as parameters come before what a
//! call gives back. That is read off implications and facts and may be wrong; then too little is found.

use super::SmallFacts;
use super::backward::Given;
use crate::relations::system::{Clause, Role, System};
use crate::terms::{Operator, SortId, TermId, Terms, Value};
use hashbrown::HashSet;
use std::collections::BTreeMap;

/// What each relation that calls come back with is given; nothing if `stop` says that it is time.
pub(super) fn given(
    terms: &Terms,
    system: &System,
    facts: &SmallFacts,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Vec<Option<Given>>> {
    let mut calculated: Vec<Vec<bool>> = system
        .nodes
        .iter()
        .map(|node| vec![true; node.parameters.len()])
        .collect();
    // What nothing else says anything of makes others unknown in turn, there where it is calculated and then where it is needed.
    let mut changes = true;
    while std::mem::take(&mut changes) {
        for clause in &system.clauses {
            let node = clause.conclusion.node.0;
            if system.nodes[node].role != Role::Returned {
                continue;
            }
            if stop() {
                return None;
            }
            while let Some(position) = unknown_argument(terms, clause, &calculated) {
                calculated[node][position] = false;
                changes = true;
            }
        }
    }
    let of = |(index, calculated): (usize, Vec<bool>)| {
        (system.nodes[index].role == Role::Returned).then(|| functional(index, &calculated, facts))
    };
    Some(calculated.into_iter().enumerate().map(of).collect())
}

/// An argument of an implication's conclusion that should be calculated, and is not known once everything else is.
fn unknown_argument(terms: &Terms, clause: &Clause, calculated: &[Vec<bool>]) -> Option<usize> {
    let known = known(terms, clause, calculated);
    let arguments = clause.conclusion.arguments.iter();
    let mut both = arguments.zip(&calculated[clause.conclusion.node.0]);
    both.position(|(argument, calculated)| *calculated && !is_known(terms, *argument, &known))
}

fn is_known(terms: &Terms, term: TermId, known: &HashSet<TermId>) -> bool {
    terms.variables(term).iter().all(|variable| known.contains(variable))
}

/// The variables of an implication that are known once its given arguments are.
fn known(terms: &Terms, clause: &Clause, calculated: &[Vec<bool>]) -> HashSet<TermId> {
    let those = |node: usize, arguments: &[TermId], are_calculated: bool| -> Vec<TermId> {
        let each = arguments.iter().zip(&calculated[node]);
        each.filter(|(_, calculated)| **calculated == are_calculated)
            .map(|(argument, _)| *argument)
            .collect()
    };
    let conclusion = &clause.conclusion;
    let mut known = HashSet::new();
    loop {
        let before = known.len();
        // One of them may say what another one is.
        for argument in those(conclusion.node.0, &conclusion.arguments, false) {
            learn(terms, argument, &mut known);
        }
        for premise in &clause.premises {
            let needed = those(premise.node.0, &premise.arguments, false);
            if needed.iter().all(|argument| is_known(terms, *argument, &known)) {
                for argument in those(premise.node.0, &premise.arguments, true) {
                    learn(terms, argument, &mut known);
                }
            }
        }
        for formula in &clause.constraint {
            equation(terms, *formula, &mut known);
        }
        if known.len() == before {
            return known;
        }
    }
}

/// The value of a term is known: so is that of the only unknown variable of a sum.
fn learn(terms: &Terms, term: TermId, known: &mut HashSet<TermId>) {
    if terms.is_variable(term) {
        known.insert(term);
    } else if terms.sort(term) == SortId::INT {
        let form = terms.linear_form(term);
        only_unknown(terms, form.terms.iter().map(|(part, _)| *part), known);
    }
}

/// A formula holds.
fn equation(terms: &Terms, formula: TermId, known: &mut HashSet<TermId>) {
    match (terms.operator(formula), terms.arguments(formula)) {
        (Operator::Variable(_), _) => {
            known.insert(formula);
        }
        (Operator::Not, [inner]) if terms.is_variable(*inner) => {
            known.insert(*inner);
        }
        (Operator::And, parts) => {
            for part in parts {
                equation(terms, *part, known);
            }
        }
        // Which of them it is may be known, too; each has to say as much.
        (Operator::Or, parts) => {
            let mut of_each = parts.iter().map(|part| {
                let mut own = known.clone();
                equation(terms, *part, &mut own);
                own
            });
            if let Some(first) = of_each.next() {
                *known = of_each.fold(first, |common, own| &common & &own);
            }
        }
        (Operator::Equal, &[left, right]) if terms.sort(left) == SortId::INT => {
            let (left, right) = (terms.linear_form(left), terms.linear_form(right));
            let parts = left.terms.iter().chain(&right.terms).map(|(part, _)| *part);
            only_unknown(terms, parts, known);
        }
        (Operator::Equal, &[left, right]) => {
            for (one, other) in [(left, right), (right, left)] {
                if is_known(terms, one, known) {
                    learn(terms, other, known);
                }
            }
        }
        _ => {}
    }
}

fn only_unknown(terms: &Terms, parts: impl Iterator<Item = TermId>, known: &mut HashSet<TermId>) {
    let unknown: HashSet<TermId> = parts.filter(|part| !is_known(terms, *part, known)).collect();
    if let (1, Some(part)) = (unknown.len(), unknown.iter().next())
        && terms.is_variable(*part)
    {
        known.insert(*part);
    }
}

/// What is given, so that no two facts agree in it and differ otherwise: of what may be calculated the last arguments are.
fn functional(node: usize, calculated: &[bool], facts: &SmallFacts) -> Given {
    let mut given: Vec<usize> = (0..calculated.len()).collect();
    let rows: Vec<&Vec<Value>> = facts.facts_of(node).collect();
    // Of one fact anything is a function.
    if rows.len() < 2 {
        return Given(
            (0..calculated.len())
                .filter(|position| !calculated[*position])
                .collect(),
        );
    }
    for position in (0..calculated.len()).rev().filter(|position| calculated[*position]) {
        let without: Vec<usize> = given.iter().copied().filter(|other| *other != position).collect();
        let mut seen: BTreeMap<Vec<&Value>, &Vec<Value>> = BTreeMap::new();
        let is_function = rows.iter().all(|row| {
            let key: Vec<&Value> = without.iter().filter_map(|position| row.get(*position)).collect();
            *seen.entry(key).or_insert(row) == *row
        });
        if is_function {
            given = without;
        }
    }
    Given(given)
}
