//! What is cheap: variables that an equation defines, and conjuncts that have no variable in common.

use crate::terms::{Operator, SortId, TermId, Terms};
use hashbrown::HashMap;
use num_traits::{One, Signed};

/// One of the variables whose value some conjunct says, and the value.
pub(super) fn definition(terms: &mut Terms, variables: &[TermId], conjuncts: &[TermId]) -> Option<(TermId, TermId)> {
    conjuncts
        .iter()
        .find_map(|conjunct| defined(terms, variables, *conjunct))
}

/// What a conjunct defines. The variables are sorted.
fn defined(terms: &mut Terms, variables: &[TermId], conjunct: TermId) -> Option<(TermId, TermId)> {
    let is_variable = |term: TermId| variables.binary_search(&term).is_ok();
    let [left, right] = match (terms.operator(conjunct), terms.arguments(conjunct)) {
        (Operator::Variable(_), _) if is_variable(conjunct) => return Some((conjunct, TermId::TRUE)),
        (Operator::Not, [inner]) if is_variable(*inner) => return Some((*inner, TermId::FALSE)),
        (Operator::Equal, [left, right]) => [*left, *right],
        _ => return None,
    };
    if terms.sort(left).is_numeric() {
        return solved(terms, variables, conjunct);
    }
    let fits = |variable: TermId, value: TermId| is_variable(variable) && !holds(terms, value, variable);
    match (fits(left, right), fits(right, left)) {
        (true, _) => Some((left, right)),
        (_, true) => Some((right, left)),
        _ => None,
    }
}

fn holds(terms: &Terms, term: TermId, variable: TermId) -> bool {
    terms.variable_summary(term) & terms.variable_summary(variable) != 0
        && terms.variables(term).binary_search(&variable).is_ok()
}

/// A linear equation solved for one of the variables, for an integer one without a division.
fn solved(terms: &mut Terms, variables: &[TermId], equation: TermId) -> Option<(TermId, TermId)> {
    let form = terms.linear_atom(equation)?.form;
    let (variable, coefficient) = form.terms.iter().find(|(variable, coefficient)| {
        let may_divide = terms.sort(*variable) == SortId::REAL || coefficient.abs().is_one();
        let mut others = form.terms.iter().filter(|(other, _)| other != variable);
        variables.binary_search(variable).is_ok()
            && may_divide
            && !others.any(|(other, _)| holds(terms, *other, *variable))
    })?;
    let (variable, factor) = (*variable, -coefficient.recip());
    let mut rest = form.clone();
    rest.terms.retain(|(term, _)| *term != variable);
    let value = terms.linear_term(&rest.scaled(&factor), terms.sort(variable));
    Some((variable, value))
}

/// Conjuncts with the variables that they share, those without any of them first, then in the order of the first conjunct.
pub(super) fn components(terms: &Terms, variables: &[TermId], conjuncts: &[TermId]) -> Vec<(Vec<TermId>, Vec<TermId>)> {
    let mut free = Vec::new();
    // What was put together with something before it is empty.
    let mut groups: Vec<(Vec<TermId>, Vec<TermId>)> = Vec::new();
    let mut group_of: HashMap<TermId, usize> = HashMap::new();
    for conjunct in conjuncts {
        let mut own = terms.variables(*conjunct);
        own.retain(|variable| variables.binary_search(variable).is_ok());
        if own.is_empty() {
            free.push(*conjunct);
            continue;
        }
        let mut met: Vec<usize> = own.iter().filter_map(|one| group_of.get(one).copied()).collect();
        met.sort();
        met.dedup();
        let first = met.first().copied().unwrap_or(groups.len());
        if first == groups.len() {
            groups.push((Vec::new(), Vec::new()));
        }
        own.retain(|variable| !group_of.contains_key(variable));
        for other in met.into_iter().skip(1) {
            let (more, of_them) = std::mem::take(&mut groups[other]);
            own.extend(more);
            groups[first].1.extend(of_them);
        }
        for variable in &own {
            group_of.insert(*variable, first);
        }
        groups[first].0.extend(own);
        groups[first].1.push(*conjunct);
    }
    groups.retain(|(_, of_them)| !of_them.is_empty());
    if !free.is_empty() {
        groups.insert(0, (Vec::new(), free));
    }
    groups
}
