//! Minimax (seed 004; seed 003, Figs. 2 and 3, has the lines that are cited): goal reduction, depth first on an explicit stack.
//!
//! [`Search::solve`] takes one step and says what came of it; [`Search::run`] acts on that until the query is closed. What a
//! step calls is one file each, and none of them calls back.

use super::annotation::Lock;
use super::closing;
use super::ids::{EntryId, StateId};
use super::path::ErrorPath;
use super::precondition;
use super::reduction::{Reduct, reduce};
use super::refinement::{Judgement, judge};
use super::requirement::Requirement;
use super::search::Search;
use super::state::Status;
use super::subsumption::{Cover, cover};
use crate::evidence::Derivation;
use crate::rules::PredicateId;
use crate::steps::{StopReason, Target, TransitionId};

/// What came of one step.
pub(super) enum Step {
    /// The goal was reduced to this one, whose rules are to be explored.
    Descend(StateId),
    /// Nothing is to be explored behind one rule of the goal, if the goal satisfies this.
    Covered(Requirement),
    /// All rules of a goal are explored; the entry has its interpolant.
    Closed(EntryId),
    /// What was given up at a header is needed there: it learns that, and the search resumes at it.
    Conflict { header: StateId, lock: Lock },
    /// The program derives the error.
    Unsafe(Derivation),
    /// The search ends without a verdict.
    Stopped(StopReason),
    /// The error may be derived, but these tactics have no way to find out.
    Inconclusive,
}

/// How a search ended.
pub(super) enum Ending {
    /// The tree is closed; the entry is the query's.
    Closed(EntryId),
    /// A real counterexample.
    Unsafe(Derivation),
    /// Neither.
    Stopped(StopReason),
    /// The error may be reached, but this search has no way to find out; another one may go on.
    Inconclusive,
}

impl Search<'_> {
    /// Explores until the tree is closed, an error is real, or the budget is spent.
    pub fn run(&mut self) -> Ending {
        loop {
            self.kernel.count_work();
            let step = self.solve().unwrap_or_else(Step::Stopped);
            let done = match step {
                Step::Descend(goal) => {
                    self.descend(goal);
                    Ok(())
                }
                Step::Covered(requirement) => {
                    self.frontier.require_of_top(requirement);
                    Ok(())
                }
                Step::Closed(entry) if self.memo.entry(entry).state == StateId::ROOT => return Ending::Closed(entry),
                Step::Closed(entry) => self.hand_up(entry),
                Step::Conflict { header, lock } => self.resume(header, &lock),
                Step::Unsafe(derivation) => return Ending::Unsafe(derivation),
                Step::Stopped(reason) => return Ending::Stopped(reason),
                Step::Inconclusive => return Ending::Inconclusive,
            };
            if let Err(reason) = done {
                return Ending::Stopped(reason);
            }
        }
    }

    /// One step: the goal on top is reduced by its next rule, or closed when all are done.
    fn solve(&mut self) -> Result<Step, StopReason> {
        let statistics = &self.statistics;
        if let Some(reason) = self.kernel.budget.exhausted(statistics.states, statistics.unrollings) {
            return Err(reason);
        }
        for hunter in &mut self.hunters {
            if let Some(derivation) = hunter.hunt(&mut self.kernel, self.statistics.unrollings) {
                return Ok(Step::Unsafe(derivation));
            }
        }
        let next = match self.frontier.next_rule() {
            None => {
                closing::settle_infeasible(&mut self.kernel, &mut self.frontier, &self.memo, &mut self.reasons)?;
                self.frontier.next_rule()
            }
            found => found,
        };
        match next {
            Some((goal, rule)) => self.solve_under(goal, rule), // lines 20 to 22
            None => self.close(),                               // lines 23 to 25
        }
    }

    /// What becomes of a goal under one of its rules. A rule is one conjunction here, so it has one reduct; where it is a
    /// formula with several implicants, this is the place that would answer with one of them and keep the rule for the next.
    fn solve_under(&mut self, goal: StateId, rule: TransitionId) -> Result<Step, StopReason> {
        let Reduct::Feasible(store, witness) = reduce(&mut self.kernel, &self.frontier, goal, rule) else {
            return self.infeasible(goal, rule); // lines 1 and 2
        };
        match self.kernel.transitions.get(rule).target {
            Target::Error if self.tactics.locks.is_empty() => Ok(Step::Inconclusive),
            Target::Error => self.error(goal, rule), // lines 3 to 7
            Target::End => {
                self.add(goal, rule, PredicateId::QUERY, store, None, Status::Terminal);
                Ok(Step::Covered(Requirement::default())) // lines 8 and 9
            }
            Target::Goal(predicate) if !self.kernel.graph.reaches_error(predicate) => {
                self.add(goal, rule, predicate, store, witness, Status::Terminal);
                Ok(Step::Covered(Requirement::default()))
            }
            Target::Goal(predicate) => {
                let reduct = self.add(goal, rule, predicate, store, witness, Status::Open);
                self.visit(goal, rule, reduct) // lines 10 to 18
            }
        }
    }

    /// An infeasible reduct. What keeps the error infeasible is required at once; of other reducts it is asked when the goal
    /// is closed, for by then it may not matter.
    fn infeasible(&mut self, goal: StateId, rule: TransitionId) -> Result<Step, StopReason> {
        self.statistics.infeasible += 1;
        let target = self.kernel.transitions.get(rule).target;
        if self.kernel.options.keep_tree {
            let predicate = match target {
                Target::Goal(predicate) => predicate,
                Target::Error => PredicateId::ERROR,
                Target::End => PredicateId::QUERY,
            };
            let store = self.frontier.outgoing(self.kernel.program, goal);
            self.add(goal, rule, predicate, store, None, Status::Infeasible);
        } else {
            self.statistics.states += 1;
        }
        match target {
            Target::Error => {
                let (kernel, frontier) = (&mut self.kernel, &self.frontier);
                precondition::of_infeasible(kernel, frontier, &mut self.reasons, goal, rule).map(Step::Covered)
            }
            Target::Goal(predicate) => {
                if self.kernel.graph.reaches_error(predicate) {
                    self.frontier.postpone(rule);
                }
                Ok(Step::Covered(Requirement::default()))
            }
            Target::End => Ok(Step::Covered(Requirement::default())),
        }
    }

    /// The error was reached.
    fn error(&mut self, goal: StateId, rule: TransitionId) -> Result<Step, StopReason> {
        let store = self.frontier.outgoing(self.kernel.program, goal);
        let error = self.add(goal, rule, PredicateId::ERROR, store, None, Status::Error);
        let path = ErrorPath {
            source: goal,
            last: rule,
        };
        match judge(&mut self.kernel, &self.frontier, &self.tactics.locks, path)? {
            Judgement::Real(derivation) => Ok(Step::Unsafe(derivation)),
            Judgement::Spurious(header, lock) => {
                self.frontier.end(error, Status::SpuriousError);
                Ok(Step::Conflict { header, lock })
            }
        }
    }

    /// A new goal: covered if possible, otherwise to be explored.
    fn visit(&mut self, goal: StateId, rule: TransitionId, reduct: StateId) -> Result<Step, StopReason> {
        match cover(&mut self.kernel, &mut self.frontier, &mut self.memo, reduct) {
            Cover::Covered(status, requirement) => {
                match status {
                    Status::CoveredByMemo(_) => self.statistics.subsumed_by_memo += 1,
                    _ => self.statistics.subsumed_by_ancestor += 1,
                }
                self.frontier.end(reduct, status);
                self.precondition((goal, rule), &requirement).map(Step::Covered)
            }
            Cover::Conflict(header) => {
                self.frontier.end(reduct, Status::Abandoned);
                let lock = Lock::Nothing;
                Ok(Step::Conflict { header, lock })
            }
            Cover::Open if self.is_cut_off(reduct) => {
                self.cut_off += 1;
                self.frontier.end(reduct, Status::Terminal);
                Ok(Step::Covered(Requirement::default()))
            }
            Cover::Open => Ok(Step::Descend(reduct)),
        }
    }

    /// Closes the goal on top.
    fn close(&mut self) -> Result<Step, StopReason> {
        let Some(frame) = self.frontier.leave_top() else {
            return Err(StopReason::Internal("an empty search".to_string()));
        };
        let state = frame.state;
        let entry = closing::close(&mut self.kernel, &mut self.frontier, &mut self.memo, frame);
        self.frontier.end(state, Status::Closed(entry));
        if !self.kernel.options.keep_tree {
            self.frontier.release_store(state);
        }
        Ok(Step::Closed(entry))
    }
}
