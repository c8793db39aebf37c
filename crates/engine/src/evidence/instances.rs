//! For which values an invariant that holds for all is relied on: the checker's choice of instances.
//!
//! What holds for all values of a variable holds for any choice of them, so whatever is chosen here, nothing wrong is proved; with
//! too few instances a step that is right is not proved. An invariant over cells of arrays is looked at where the rule looks at
//! its arrays, and where the conclusion does. An invariant that itself looks at `A[K + B]` is relied on for that `K` with which
//! it looks there.

use crate::terms::{LinearForm, Operator, Rational, SortId, TermId, Terms};
use num_traits::One;

/// An invariant is relied on at most so many times in one step.
const MOST_INSTANCES: usize = 144;

/// Values for the variables, a list for each instance: the given terms first, then those with which what is relied on looks at
/// the indices in the formulas around; some value where there is neither.
pub(super) fn instances(
    terms: &mut Terms,
    universal: &[TermId],
    given: &[TermId],
    relied_on: &[TermId],
    around: &[TermId],
) -> Vec<Vec<TermId>> {
    let mut choices: Vec<Vec<TermId>> = vec![Vec::new()];
    for variable in universal {
        let sort = terms.sort(*variable);
        let mut values: Vec<TermId> = Vec::new();
        let indices = indices(terms, around, sort);
        let indices = looking_at(terms, *variable, relied_on, indices);
        for value in given.iter().copied().chain(indices) {
            if terms.sort(value) == sort && !values.contains(&value) {
                values.push(value);
            }
        }
        if values.is_empty() {
            let name = terms.variable_name(*variable).to_string();
            values.push(terms.fresh_variable(&name, sort));
        }
        let longer = choices.iter().flat_map(|choice| {
            let longer = values.iter().map(|value| [&choice[..], &[*value]].concat());
            longer.collect::<Vec<_>>()
        });
        choices = longer.take(MOST_INSTANCES).collect();
    }
    choices
}

/// The values of a variable with which formulas look at these indices, those first for which it is an index itself.
fn looking_at(terms: &mut Terms, variable: TermId, formulas: &[TermId], looked_at: Vec<TermId>) -> Vec<TermId> {
    let sort = terms.sort(variable);
    if sort != SortId::INT {
        return looked_at;
    }
    // Indices that are the variable and something, or something less the variable: the something, and the sign.
    let mut ways: Vec<(LinearForm, Rational)> = Vec::new();
    for index in indices(terms, formulas, sort) {
        let form = terms.linear_form(index);
        let Some((_, sign)) = form.terms.iter().find(|(part, _)| *part == variable).cloned() else {
            continue;
        };
        let own = terms.linear_form(variable);
        let rest = form.add_scaled(&own, &-&sign);
        let is_alone = rest
            .terms
            .iter()
            .all(|(part, _)| !terms.variables(*part).contains(&variable));
        if (&sign * &sign).is_one() && is_alone && !ways.contains(&(rest.clone(), sign.clone())) {
            ways.push((rest, sign));
        }
    }
    if ways.is_empty() {
        return looked_at;
    }
    ways.sort_by_key(|(rest, _)| rest.terms.len());
    let mut values = Vec::with_capacity(ways.len() * looked_at.len());
    for (rest, sign) in &ways {
        for index in &looked_at {
            let value = terms.linear_form(*index).add_scaled(rest, &-Rational::one());
            values.push(terms.linear_term(&value.scaled(sign), sort));
        }
    }
    values
}

/// For arrays that formulas compare: that they are equal, or differ at an index, which has a name then. This is true of any arrays, so
/// it may be taken for granted; what holds for all indices can be relied on there.
pub(super) fn where_arrays_differ(terms: &mut Terms, formulas: &[TermId]) -> Vec<TermId> {
    let mut said = Vec::new();
    for equality in terms.subterms(formulas) {
        if terms.operator(equality) != Operator::Equal {
            continue;
        }
        let &[left, right] = terms.arguments(equality) else {
            continue;
        };
        let Some(sort) = terms.index_sort(terms.sort(left)) else {
            continue;
        };
        let at = terms.fresh_variable("Apart", sort);
        let (one, other) = (terms.select(left, at), terms.select(right, at));
        let same = terms.equal(one, other);
        said.push(terms.implies(same, equality));
    }
    said
}

/// The terms of a sort by which arrays are read or written in the formulas, in the order of their ids.
pub(super) fn indices(terms: &Terms, formulas: &[TermId], sort: SortId) -> Vec<TermId> {
    let mut found = Vec::new();
    for term in terms.subterms(formulas) {
        if let (Operator::Select | Operator::Store, [_, index, ..]) = (terms.operator(term), terms.arguments(term))
            && terms.sort(*index) == sort
        {
            found.push(*index);
        }
    }
    found.sort();
    found.dedup();
    found
}
