//! Iterative deepening, the rival in seed 003 (example 1 and section 5): a proof of the program with its loops unrolled a
//! few times gives interpolants; those that are invariant may prove the whole program. If they do not, unroll once more.

use super::options::Options;
use super::search::{Search, SearchResult};
use super::strategy::LoopPolicy;
use crate::rules::Program;
use crate::steps::BudgetWatch;
use crate::steps::OfferedCandidates;

/// Runs searches of growing depth until one of them decides, or the budget is spent.
pub(super) fn deepen<'a>(
    program: &'a Program,
    options: &'a Options,
    budget: &'a BudgetWatch<'a>,
    offered: &OfferedCandidates,
) -> (Search<'a>, SearchResult) {
    let mut search = Search::new(program, options, budget, offered.clone());
    for unrollings in 1.. {
        search = search.anew(LoopPolicy::unrolled(unrollings), offered.clone());
        let result = search.run();
        if !matches!(result, SearchResult::Closed(_)) || search.cut_off == 0 {
            return (search, result);
        }
        let found = search.header_interpolants(offered);
        search = search.anew(LoopPolicy::offered(), found);
        let result = search.run();
        if !matches!(result, SearchResult::Inconclusive) {
            return (search, result);
        }
    }
    (search, SearchResult::Inconclusive)
}
