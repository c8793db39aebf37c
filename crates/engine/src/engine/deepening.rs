//! Iterative deepening, the rival in seed 003 (example 1 and section 5): a proof of the program with its loops unrolled a
//! few times gives interpolants; those that are invariant may prove the whole program. If they do not, unroll once more.

use super::conclusion::header_interpolants;
use super::options::Options;
use super::search::Search;
use super::solve::Ending;
use super::strategy::Tactics;
use crate::rules::Program;
use crate::steps::BudgetWatch;

/// Runs searches of growing depth until one of them decides, or the budget is spent.
pub(super) fn deepen<'a>(
    program: &'a Program,
    options: &'a Options,
    budget: &'a BudgetWatch<'a>,
) -> (Search<'a>, Ending) {
    let mut search = Search::new(program, (options, budget), |_| Tactics::unrolled(1));
    for unrollings in 1.. {
        search = search.anew(Tactics::unrolled(unrollings));
        let result = search.run();
        if !matches!(result, Ending::Closed(_)) || search.cut_off == 0 {
            return (search, result);
        }
        let found = header_interpolants(&search.kernel, &search.memo, &options.offered);
        search = search.anew(Tactics::offered(found));
        let result = search.run();
        if !matches!(result, Ending::Inconclusive) {
            return (search, result);
        }
    }
    (search, Ending::Inconclusive)
}
