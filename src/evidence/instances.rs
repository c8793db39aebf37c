//! For which values an invariant that holds for all is relied on: the checker's choice of instances.
//!
//! What holds for all values of a variable holds for any choice of them, so whatever is chosen here, nothing wrong is proved; with
//! too few instances a step that is right is not proved. An invariant over cells of arrays is looked at where the rule looks at
//! its arrays, and where the conclusion does.

use crate::terms::{Operator, SortId, TermId, Terms};
use hashbrown::HashSet;

/// An invariant is relied on at most so many times in one step.
const MOST_INSTANCES: usize = 144;

/// Values for the variables, a list for each instance: the given terms first, then the indices in the formulas; some value where
/// there is neither.
pub(super) fn instances(
    terms: &mut Terms,
    universal: &[TermId],
    given: &[TermId],
    around: &[TermId],
) -> Vec<Vec<TermId>> {
    let mut choices: Vec<Vec<TermId>> = vec![Vec::new()];
    for variable in universal {
        let sort = terms.sort(*variable);
        let mut values: Vec<TermId> = Vec::new();
        let indices = indices(terms, around, sort);
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

/// The terms of a sort by which arrays are read or written in the formulas, in the order of their ids.
fn indices(terms: &Terms, formulas: &[TermId], sort: SortId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen: HashSet<TermId> = HashSet::new();
    let mut stack = formulas.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let arguments = terms.arguments(term);
        stack.extend(arguments);
        if let (Operator::Select | Operator::Store, [_, index, ..]) = (terms.operator(term), arguments)
            && terms.sort(*index) == sort
        {
            found.push(*index);
        }
    }
    found.sort();
    found.dedup();
    found
}
