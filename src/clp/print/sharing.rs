//! Terms are graphs, texts are trees: what is shared would be written again and again, and the nesting might be deeper than the
//! language can read. Here it is decided which inner terms of a rule are given a variable of their own, `T1 = …`. Rules of
//! ordinary size are left as they are.

use super::order::parts;
use crate::terms::{Operator, TermId, Terms};
use hashbrown::HashMap;

/// A rule that needs more nodes than this when it is written as trees has its shared terms named.
const SIZE_LIMIT: u64 = 20_000;
/// Shared terms smaller than this are written again.
const WORTH_NAMING: u64 = 8;
/// A term of this height is named. Every term nests the text by at most two levels, of which the parser accepts 256.
const HEIGHT_LIMIT: usize = 64;

/// The terms to be named, parts first. `shown` are the terms of the rule, parts first; `roots` those written in full.
pub(super) fn terms_to_name(terms: &Terms, shown: &[TermId], roots: &[TermId]) -> Vec<TermId> {
    let mut uses: HashMap<TermId, u32> = HashMap::new();
    let mut size_of: HashMap<TermId, u64> = HashMap::new();
    let mut height_of: HashMap<TermId, usize> = HashMap::new();
    let parts_of: Vec<Vec<TermId>> = shown.iter().map(|term| parts(terms, *term)).collect();
    for part in parts_of.iter().flatten().chain(roots) {
        *uses.entry(*part).or_insert(0) += 1;
    }
    for (term, parts) in shown.iter().zip(&parts_of) {
        let size = parts
            .iter()
            .map(|part| size_of.get(part).copied().unwrap_or(1))
            .fold(1, u64::saturating_add);
        size_of.insert(*term, size);
    }
    let total = roots
        .iter()
        .map(|root| size_of.get(root).copied().unwrap_or(1))
        .fold(0, u64::saturating_add);
    let mut named = Vec::new();
    for (term, parts) in shown.iter().zip(&parts_of) {
        // The text of a list is not nested along the list.
        let is_list = terms.list_constructors(terms.sort(*term)).is_some();
        let levels = |(position, part): (usize, &TermId)| {
            let is_tail = is_list && position == 1 && matches!(terms.operator(*part), Operator::Construct(_));
            height_of.get(part).copied().unwrap_or(0) + usize::from(!is_tail)
        };
        let height = parts.iter().enumerate().map(levels).max().unwrap_or(0);
        let size = parts
            .iter()
            .map(|part| size_of.get(part).copied().unwrap_or(1))
            .fold(1, u64::saturating_add);
        let shared = total > SIZE_LIMIT && size >= WORTH_NAMING && uses.get(term).is_some_and(|uses| *uses > 1);
        let is_name = (shared || height >= HEIGHT_LIMIT) && can_be_named(terms, *term);
        // Where a name stands for it, the term is as small as a variable.
        height_of.insert(*term, if is_name { 0 } else { height });
        size_of.insert(*term, if is_name { 1 } else { size });
        if is_name {
            named.push(*term);
        }
    }
    named
}

/// The text of `A \= B` does not show the equality inside the negation.
fn can_be_named(terms: &Terms, term: TermId) -> bool {
    !matches!(terms.operator(term), Operator::Variable(_) | Operator::Number(_))
}
