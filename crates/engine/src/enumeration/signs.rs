//! Of a number that is not known, a state may say whether it is negative or positive: what comparisons of texts return has no
//! other meaning. Exact bounds would make ever more states of what is counted up to an unknown number.

use crate::terms::{Range, TermId, Terms};
use num_traits::{Signed, Zero};
use std::collections::BTreeMap;

/// What a state keeps of the arguments of which it has no value, as formulas on the parameters.
pub(super) fn kept(
    terms: &mut Terms,
    parameters: &[TermId],
    arguments: &[TermId],
    updates: &[TermId],
    ranges: &BTreeMap<TermId, Range>,
) -> Vec<TermId> {
    let mut kept = Vec::new();
    for ((parameter, argument), update) in parameters.iter().zip(arguments).zip(updates) {
        let Some(range) = ranges.get(update).filter(|_| parameter == argument) else {
            continue;
        };
        let signs = [-1, 0, 1].map(|bound| terms.integer(bound));
        let [minus_one, zero, one] = signs;
        let lower = range.lower.as_ref().filter(|lower| !lower.is_negative());
        let upper = range.upper.as_ref().filter(|upper| !upper.is_positive());
        match lower {
            Some(lower) if lower.is_zero() && !range.is_not_zero => kept.push(terms.less_or_equal(zero, *parameter)),
            Some(_) => kept.push(terms.less_or_equal(one, *parameter)),
            None => {}
        }
        match upper {
            Some(upper) if upper.is_zero() && !range.is_not_zero => kept.push(terms.less_or_equal(*parameter, zero)),
            Some(_) => kept.push(terms.less_or_equal(*parameter, minus_one)),
            None => {}
        }
        if lower.is_none() && upper.is_none() && range.is_not_zero {
            kept.push(terms.not_equal(*parameter, zero));
        }
    }
    kept
}
