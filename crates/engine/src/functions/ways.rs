//! Which argument of a relation may be a function of the others, and how well a relation reads so.
//!
//! In which position a result is says nothing. A relation that was a program in a language of functions reads as one in the right direction
//! only: each given value falls into one of its cases, and no two parts of what is given have to be the same. Read in another direction, it is
//! mostly partial, or has several results, or compares.

use super::extraction::{Case, Mode, Wanted, cases, declared};
use crate::relations::System;
use crate::terms::{ConstructorId, Operator, TermId, Terms};

/// So many choices of results are looked at where relations are defined by each other; beyond, results are all first or all last.
const MOST_WAYS: usize = 81;
/// What is given is told apart by so many constructors at most.
const MOST_SPLITS: usize = 200;

/// Which arguments of relations that are defined by each other might be functions of the others.
pub(super) fn ways(system: &System, nodes: &[usize]) -> Vec<Vec<Wanted>> {
    let arities = nodes.iter().map(|node| system.nodes[*node].parameters.len());
    let arities: Vec<usize> = arities.collect();
    if arities.iter().any(|arity| *arity < 2) {
        return Vec::new();
    }
    let product = arities
        .iter()
        .fold(1usize, |product, arity| product.saturating_mul(*arity));
    if product > MOST_WAYS {
        let last = arities.iter().map(|arity| Wanted::Output(arity - 1));
        return vec![vec![Wanted::Output(0); nodes.len()], last.collect()];
    }
    let mut ways: Vec<Vec<Wanted>> = vec![Vec::new()];
    for arity in arities {
        // Results are mostly first or last.
        let positions = [0, arity - 1].into_iter().chain(1..arity - 1);
        let positions: Vec<Wanted> = positions.map(Wanted::Output).collect();
        let longer = ways.iter();
        ways = longer
            .flat_map(|way| positions.iter().map(move |one| [&way[..], &[*one]].concat()))
            .collect();
    }
    ways
}

/// Declares functions that are wanted of relations, and says how far their cases are from those of a program in a language of functions; `None`
/// if there can be no such functions.
pub(super) fn faults(
    terms: &mut Terms,
    system: &System,
    nodes: &[usize],
    wanted: &[Wanted],
    modes: &mut [Option<Mode>],
) -> Option<usize> {
    for (node, wanted) in nodes.iter().zip(wanted) {
        modes[*node] = Some(declared(terms, "", &system.nodes[*node].parameters, *wanted, 0));
    }
    let mut all = 0;
    for (node, wanted) in nodes.iter().zip(wanted) {
        let Some(cases) = cases(terms, system, *node, modes) else {
            for node in nodes {
                modes[*node] = None;
            }
            return None;
        };
        all += checks(terms, &cases);
        // Whether something holds may be for several reasons, or for none.
        if matches!(wanted, Wanted::Output(_)) {
            all += overlaps(terms, &cases) + gaps(terms, &cases);
        }
    }
    Some(all)
}

/// Equations between parts of what is given.
fn checks(terms: &Terms, cases: &[Case]) -> usize {
    let is_check = |formula: &&TermId| match (terms.operator(**formula), terms.arguments(**formula)) {
        (Operator::Equal, &[left, right]) => terms.has_variables(left) && terms.has_variables(right),
        _ => false,
    };
    cases
        .iter()
        .map(|case| case.conditions.iter().filter(is_check).count())
        .sum()
}

/// Which constructor makes something, by a case.
fn testers(terms: &Terms, case: &Case) -> Vec<(TermId, ConstructorId)> {
    let tester = |formula: &TermId| match (terms.operator(*formula), terms.arguments(*formula)) {
        (Operator::IsMadeBy(constructor), &[made]) => Some((made, constructor)),
        // It is a constant of its datatype.
        (Operator::Equal, &[left, right]) => match (terms.operator(left), terms.operator(right)) {
            (_, Operator::Construct(constructor)) if terms.arguments(right).is_empty() => Some((left, constructor)),
            (Operator::Construct(constructor), _) if terms.arguments(left).is_empty() => Some((right, constructor)),
            _ => None,
        },
        _ => None,
    };
    case.conditions.iter().filter_map(tester).collect()
}

/// How many pairs of cases nothing on their face tells apart, with different values.
fn overlaps(terms: &mut Terms, cases: &[Case]) -> usize {
    let mut count = 0;
    for (position, one) in cases.iter().enumerate() {
        for other in &cases[position + 1..] {
            let conditions = [&one.conditions[..], &other.conditions[..]].concat();
            let others = testers(terms, other);
            let clash = |(made, by): &(TermId, ConstructorId)| {
                others.iter().any(|(same, another)| same == made && another != by)
            };
            let are_apart = testers(terms, one).iter().any(clash) || terms.and(&conditions) == TermId::FALSE;
            count += usize::from(!are_apart && one.value != other.value);
        }
    }
    count
}

/// How many kinds of what is given, told apart by constructors, are in no case.
fn gaps(terms: &Terms, cases: &[Case]) -> usize {
    let mut count = 0;
    let mut open = vec![cases.iter().map(|case| testers(terms, case)).collect::<Vec<_>>()];
    for _ in 0..MOST_SPLITS {
        let Some(left) = open.pop() else {
            return count;
        };
        let Some(first) = left.first() else {
            count += 1;
            continue;
        };
        if left.iter().any(Vec::is_empty) {
            continue;
        }
        // What is told of first is outside of what is told of later.
        let (made, _) = first[0];
        let constructors = terms
            .datatype(terms.sort(made))
            .map_or(&[][..], |one| &one.constructors);
        for constructor in constructors {
            let agrees = |case: &&Vec<(TermId, ConstructorId)>| {
                case.iter().all(|(other, by)| *other != made || by == constructor)
            };
            let rest = |case: &Vec<(TermId, ConstructorId)>| {
                let rest = case.iter().filter(|(other, _)| *other != made);
                rest.copied().collect()
            };
            open.push(left.iter().filter(agrees).map(rest).collect());
        }
    }
    count + open.len()
}
