//! Several methods in turns: what one choice of templates, or one order, makes hard, another may find easy, and nothing in a
//! program says beforehand which. So a program that its first method has not decided after a share of states and of Z3's work is
//! explored by the next method with the same share, and when all have had theirs, the shares grow.
//!
//! Shares are counts, never times: the same program is decided by the same method on every machine. As they grow geometrically,
//! all that was explored in vain costs a constant factor.

use super::certificate::certificate;
use super::context::Context;
use super::options::{ExploreOptions, Order};
use super::search::{Edge, Ending, Found, Node, Search};
use super::{CompactTree, Exploration, ExploreStatistics, Finding, tree};
use crate::evidence::{Certificate, CheckLimits, check_certificate};
use crate::rules::Program;
use crate::solver::SolverStatistics;
use crate::steps::BudgetWatch;
use crate::steps::StopReason;
use std::fmt;

/// The states of the first shares.
const FIRST_STATES: u64 = 500;
/// The work of the first shares, in Z3's units.
const FIRST_WORK: u64 = 1_000_000;
/// By how much shares grow from one round to the next.
const GROWTH: u64 = 4;

/// How a program is explored: which templates there are, and which state comes next.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::explore::{ExploreOptions, explore};
/// let source = "?- loop(0). loop(I) :- I < 10, loop(I + 1). loop(I) :- I >= 10, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let exploration = explore(&program, &ExploreOptions::default());
/// assert_eq!(exploration.method.to_string(), "joint templates, directed");
/// assert_eq!(exploration.statistics.attempts, 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExploreMethod {
    /// Whether cycles are replaced by templates.
    pub templates: bool,
    /// Whether the cycles of a location share one template.
    pub joint: bool,
    /// Which state comes next.
    pub order: Order,
}

impl ExploreMethod {
    /// The method that options ask for.
    pub(super) fn chosen_by(options: &ExploreOptions) -> ExploreMethod {
        ExploreMethod {
            templates: options.templates,
            joint: options.joint,
            order: options.order,
        }
    }
}

impl fmt::Display for ExploreMethod {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let templates = match (self.templates, self.joint) {
            (false, _) => "no templates",
            (true, true) => "joint templates",
            (true, false) => "separate templates",
        };
        let order = match self.order {
            Order::BreadthFirst => "breadth first",
            Order::DepthFirst => "depth first",
            Order::Directed => "directed",
        };
        write!(out, "{templates}, {order}")
    }
}

/// What an attempt may spend.
#[derive(Clone, Copy, Debug)]
struct Share {
    states: u64,
    /// In Z3's units.
    work: u64,
}

/// The methods, that of the options first.
fn methods(options: &ExploreOptions) -> Vec<ExploreMethod> {
    let first = ExploreMethod::chosen_by(options);
    // Whoever turns something off, or wants the whole tree, wants that tree.
    let others =
        options.alternatives && options.templates && options.joint && !options.every_error && !options.coverage;
    if !others {
        return vec![first];
    }
    let separate = ExploreMethod { joint: false, ..first };
    let deep = ExploreMethod {
        order: Order::DepthFirst,
        ..first
    };
    let classic = ExploreMethod {
        templates: false,
        ..first
    };
    let mut methods = vec![first];
    for method in [separate, deep, classic] {
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    methods
}

/// Explores by one method after the other until one decides. If none does, it is the largest by the first method.
pub(super) fn explore_by_turns(program: &Program, options: &ExploreOptions, budget: &BudgetWatch) -> Exploration {
    let methods = methods(options);
    if let [only] = methods[..] {
        return attempt(program, options, budget, only, None).0;
    }
    let mut share = Share {
        states: FIRST_STATES,
        work: FIRST_WORK,
    };
    let mut solver = SolverStatistics::default();
    let mut template_seconds = 0.0;
    let mut attempts = 0;
    // The methods that more work could still help.
    let mut left: Vec<ExploreMethod> = methods.clone();
    let mut kept: Option<Exploration> = None;
    let finished = |mut exploration: Exploration, attempts: u64, solver: &SolverStatistics, template_seconds: f64| {
        exploration.statistics.attempts = attempts;
        exploration.statistics.solver = solver.clone();
        exploration.statistics.template_seconds = template_seconds;
        exploration.statistics.seconds = budget.seconds();
        exploration
    };
    // A closed tree without a certificate. In the rest of the round another one may have one.
    let mut closed: Option<Exploration> = None;
    loop {
        for method in left.clone() {
            let (exploration, more_may_help) = attempt(program, options, budget, method, Some(share));
            attempts += 1;
            solver.add(&exploration.statistics.solver);
            template_seconds += exploration.statistics.template_seconds;
            if !more_may_help {
                left.retain(|other| *other != method);
            }
            let reason = match &exploration.finding {
                Finding::Unknown(reason) => reason.clone(),
                Finding::Unreachable(Err(_)) if options.certify => {
                    closed = closed.or(Some(exploration));
                    continue;
                }
                _ => return finished(exploration, attempts, &solver, template_seconds),
            };
            // One that time has cut off may be smaller than the one before.
            let states = exploration.statistics.states;
            let first = Some(&method) == methods.first();
            if first && kept.as_ref().is_none_or(|kept| kept.statistics.states <= states) {
                kept = Some(exploration);
            }
            let is_over = left.is_empty() || budget.interruption().is_some() || matches!(reason, StopReason::Memory);
            if is_over && closed.is_some() {
                break;
            }
            if is_over && let Some(mut kept) = kept.take() {
                if let Some(reason) = budget.interruption() {
                    kept.finding = Finding::Unknown(reason);
                }
                return finished(kept, attempts, &solver, template_seconds);
            }
        }
        if let Some(closed) = closed.take() {
            return finished(closed, attempts, &solver, template_seconds);
        }
        share.states = share.states.saturating_mul(GROWTH);
        share.work = share.work.saturating_mul(GROWTH);
    }
}

/// One attempt, and whether a larger share could help it.
fn attempt(
    program: &Program,
    options: &ExploreOptions,
    budget: &BudgetWatch,
    method: ExploreMethod,
    share: Option<Share>,
) -> (Exploration, bool) {
    let mut options = options.clone();
    options.templates = method.templates;
    options.joint = method.joint;
    options.order = method.order;
    let resources = options.budget.query_resources;
    // No query gets more than the whole share.
    let resources = share.map_or(resources, |share| {
        resources.min(u32::try_from(share.work).unwrap_or(u32::MAX))
    });
    let mut context = Context::new(program, budget, resources);
    context.work_limit = share.map(|share| share.work);
    let mut search = Search::new(context, &options);
    search.share_of_states = share.map(|share| share.states);
    let found = search.run();
    let coverage = match options.coverage {
        true => search.coverage(),
        false => Vec::new(),
    };
    let statistics = statistics(&search, budget);
    // With a larger share, the solver may decide what it has given up on.
    let may_decide = statistics.failed_leaves > 0 && resources != options.budget.query_resources;
    let more_may_help = matches!(found, Found::ShareSpent) || may_decide && matches!(found, Found::Nothing);
    let finding = match found {
        Found::Error(derivation) => Finding::Reachable(derivation),
        Found::Stopped(reason) => Finding::Unknown(reason),
        Found::ShareSpent => Finding::Unknown(StopReason::States),
        Found::Nothing if statistics.failed_leaves == 0 => Finding::Unreachable(certified(&mut search)),
        Found::Nothing => Finding::Unknown(StopReason::SolverGaveUp(format!(
            "on the conditions of {} leaves of the tree",
            statistics.failed_leaves
        ))),
    };
    let (templates, tree) = match options.keep_tree {
        true => (tree::templates(&search), tree::tree(&search)),
        false => (Vec::new(), CompactTree::default()),
    };
    let exploration = Exploration {
        finding,
        statistics,
        method,
        templates,
        tree,
        coverage,
    };
    (exploration, more_may_help)
}

/// The certificate of a closed tree, if the checker accepts it.
fn certified(search: &mut Search) -> Result<Box<Certificate>, String> {
    if !search.options.certify {
        return Err("nobody asked for one".to_string());
    }
    let certificate = certificate(search)?;
    let context = &search.context;
    let limits = CheckLimits {
        query_resources: context.query_resources,
        watch: Some(context.budget),
    };
    match check_certificate(context.program, &certificate, limits) {
        Ok(_) => Ok(Box::new(certificate)),
        Err(why) => Err(why.to_string()),
    }
}

/// What an exploration has cost so far.
fn statistics(search: &Search, budget: &BudgetWatch) -> ExploreStatistics {
    let count = |wanted: &dyn Fn(&Node) -> bool| search.nodes.iter().filter(|node| wanted(node)).count() as u64;
    let is_leaf = |ending: Ending| matches!(ending, Ending::Error | Ending::End | Ending::Stuck | Ending::Failed);
    ExploreStatistics {
        states: search.nodes.len() as u64,
        leaves: count(&|node| is_leaf(node.ending)),
        failed_leaves: count(&|node| node.ending == Ending::Failed),
        covered: count(&|node| matches!(node.ending, Ending::Covered(_))),
        infeasible: search.counts.infeasible,
        cyclic_paths: search.counts.cores,
        cycles: search.counts.cycles,
        templates: search.counts.templates,
        attempts: 1,
        applications: count(&|node| matches!(node.edge, Edge::Template(..))),
        solver: search.context.solver.statistics().clone(),
        template_seconds: search.counts.template_seconds,
        seconds: budget.seconds(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_asks_for_one_tree_gets_that_tree() {
        let texts = |options: &ExploreOptions| {
            let methods = methods(options);
            methods.iter().map(ExploreMethod::to_string).collect::<Vec<_>>()
        };
        let all = [
            "joint templates, directed",
            "separate templates, directed",
            "joint templates, depth first",
            "no templates, directed",
        ];
        assert_eq!(texts(&ExploreOptions::default()), all);
        let depth_first = ExploreOptions {
            order: Order::DepthFirst,
            ..ExploreOptions::default()
        };
        assert_eq!(texts(&depth_first).len(), 3);
        let one = |change: fn(&mut ExploreOptions)| {
            let mut options = ExploreOptions::default();
            change(&mut options);
            texts(&options).len()
        };
        assert_eq!(one(|options| options.alternatives = false), 1);
        assert_eq!(one(|options| options.templates = false), 1);
        assert_eq!(one(|options| options.joint = false), 1);
        assert_eq!(one(|options| options.coverage = true), 1);
        assert_eq!(one(|options| options.every_error = true), 1);
    }
}
