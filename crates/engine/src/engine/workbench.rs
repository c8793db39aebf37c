//! Single steps of a search, to be measured one by one (`benches/engine.rs`): a search is run up to a number of states, and its
//! steps at the goal it has come to are then repeated without changing where it stands.
//!
//! Verification does not use this; what is measured is the code that it runs: reducing a goal, asking whether a memo entry
//! covers it, finding an interpolant of a dead end, and looking entries up.

use super::ids::StateId;
use super::interpolation::{separate, view};
use super::options::Options;
use super::reduction::{Reduct, reduce};
use super::search::Search;
use super::strategy::Tactics;
use super::subsumption::covering_entry;
use crate::rules::Program;
use crate::solver::with_interrupts;
use crate::steps::BudgetWatch;
use crate::steps::OfferedCandidates;
use crate::steps::TransitionId;

/// A search that stands still at a goal.
pub struct Workbench<'search, 'program> {
    search: &'search mut Search<'program>,
    /// The goal: the newest on the derivation that has an infeasible transition, or the newest at all.
    state: StateId,
    transitions: Vec<TransitionId>,
    dead_end: Option<TransitionId>,
}

/// Explores a program until `states` states are made and gives the search, standing still, to `measure`; all of it on the
/// thread that calls. `None` if the search ended before.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::engine::{Options, with_workbench};
///
/// let source = "
///     ?- loop(0, 0).
///     loop(X, Y) :- X < 10, Choice > 0, loop(X + 1, Y + 1).
///     loop(X, Y) :- X < 10, Choice =< 0, loop(X + 1, Y).
///     loop(X, Y) :- X >= 10, Y > X, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let feasible = with_workbench(&program, &Options::default(), 2, |bench| bench.reduce());
/// assert!(feasible.is_some_and(|feasible| feasible > 0));
/// ```
pub fn with_workbench<R>(
    program: &Program,
    options: &Options,
    states: u64,
    measure: impl FnOnce(&mut Workbench) -> R,
) -> Option<R> {
    let mut options = options.clone();
    options.budget.states = Some(states);
    let budget = BudgetWatch::start(&options.budget, &options.cancellation);
    with_interrupts(&budget, || {
        let mut search = Search::new(program, (&options, &budget), |kernel| {
            Tactics::of(options.strategy, kernel, OfferedCandidates::default())
        });
        search.run();
        Some(measure(&mut Workbench::at_newest_goal(&mut search)?))
    })
}

impl<'search, 'program> Workbench<'search, 'program> {
    fn at_newest_goal(search: &'search mut Search<'program>) -> Option<Workbench<'search, 'program>> {
        let states: Vec<StateId> = search
            .frontier
            .derivation()
            .iter()
            .rev()
            .map(|frame| frame.state)
            .collect();
        let newest = *states.first()?;
        let mut found = None;
        for state in states {
            let transitions = transitions_of(search, state);
            let mut infeasible = transitions.iter().copied();
            if let Some(dead_end) = infeasible.find(|id| {
                matches!(
                    reduce(&mut search.kernel, &search.frontier, state, *id),
                    Reduct::Infeasible
                )
            }) {
                found = Some((state, transitions, Some(dead_end)));
                break;
            }
        }
        let (state, transitions, dead_end) = found.unwrap_or_else(|| (newest, transitions_of(search, newest), None));
        Some(Workbench {
            search,
            state,
            transitions,
            dead_end,
        })
    }

    /// Reduces the goal by each of its transitions and forgets the reducts: how many are feasible.
    pub fn reduce(&mut self) -> usize {
        let (kernel, frontier) = (&mut self.search.kernel, &self.search.frontier);
        let reducts = self
            .transitions
            .iter()
            .map(|id| reduce(kernel, frontier, self.state, *id));
        reducts.filter(|reduct| matches!(reduct, Reduct::Feasible(..))).count()
    }

    /// Asks for the first memo entry that covers the goal as it was reached: whether there is one.
    pub fn subsume(&mut self) -> bool {
        let search = &mut *self.search;
        covering_entry(&mut search.kernel, &search.frontier, &mut search.memo, self.state).is_some()
    }

    /// Finds an interpolant for the goal's first infeasible transition: how many conjuncts it has; `None` if all are feasible.
    pub fn interpolate(&mut self) -> Option<usize> {
        let dead_end = self.dead_end?;
        let kernel = &mut self.search.kernel;
        let view = view(kernel, &self.search.frontier, self.state, dead_end);
        let guard = kernel.transitions.get(dead_end).guard.clone();
        separate(kernel, &view, &guard).map(|conjuncts| conjuncts.len())
    }

    /// Looks up the memo entries of every goal on the derivation: how many there are.
    pub fn look_up(&self) -> usize {
        let search = &self.search;
        let goals = search.frontier.derivation().iter();
        let predicates = goals.map(|frame| search.frontier.state(frame.state).predicate);
        predicates.map(|predicate| search.memo.count(predicate)).sum()
    }
}

fn transitions_of(search: &Search, state: StateId) -> Vec<TransitionId> {
    let predicate = search.frontier.state(state).predicate;
    search.kernel.transitions.of(predicate).to_vec()
}
