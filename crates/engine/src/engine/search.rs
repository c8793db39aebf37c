//! A search: what it is made of, and how it acts on what a step has found (`solve`).

use super::annotation::{Annotation, Lock};
use super::cuts::make_cut;
use super::frontier::{Frontier, Reached};
use super::ids::{EntryId, StateId};
use super::kernel::Kernel;
use super::memo::Memo;
use super::options::Options;
use super::outcome::Statistics;
use super::precondition::{self, EarlierReasons};
use super::requirement::Requirement;
use super::state::{Status, Store};
use super::strategy::{Loops, Tactics};
use super::trial::{Hunter, TrialRuns};
use crate::rules::{PredicateId, Program};
use crate::steps::{BudgetWatch, StopReason, TransitionId};
use crate::terms::Assignment;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A search: the services that it uses, what it does at loops, and where it stands.
pub(super) struct Search<'a> {
    pub kernel: Kernel<'a>,
    pub tactics: Tactics,
    pub hunters: Vec<Box<dyn Hunter>>,
    pub frontier: Frontier,
    pub memo: Memo,
    pub reasons: EarlierReasons,
    pub statistics: Statistics,
    /// Goals that were cut off because their loop was unrolled often enough.
    pub cut_off: u64,
}

impl<'a> Search<'a> {
    /// A search that has only the query on its stack.
    pub fn new(
        program: &'a Program,
        (options, budget): (&'a Options, &'a BudgetWatch<'a>),
        tactics: impl FnOnce(&Kernel) -> Tactics,
    ) -> Search<'a> {
        let kernel = Kernel::new(program, options, budget);
        let tactics = tactics(&kernel);
        let trials = TrialRuns::new(&options.limits.trials);
        let mut search = Search {
            frontier: Frontier::at_query(Annotation::new(tactics.equalities)),
            kernel,
            tactics,
            hunters: vec![Box::new(trials)],
            memo: Memo::default(),
            reasons: EarlierReasons::default(),
            statistics: Statistics::default(),
            cut_off: 0,
        };
        search.descend(StateId::ROOT);
        search
    }

    /// A search of the same program from the beginning with other tactics. Terms, the solver, what is known of the program,
    /// and the statistics go on.
    pub fn anew(self, tactics: Tactics) -> Search<'a> {
        let mut search = Search {
            frontier: Frontier::at_query(Annotation::new(tactics.equalities)),
            tactics,
            memo: Memo::default(),
            cut_off: 0,
            ..self
        };
        search.descend(StateId::ROOT);
        search
    }

    /// Whether a loop may not be unrolled once more. What lies behind is ignored, so a tree with such goals proves nothing
    /// (`cut_off` counts them).
    pub fn is_cut_off(&self, goal: StateId) -> bool {
        let parents = self.frontier.looping_parents(self.frontier.state(goal).predicate);
        match self.tactics.loops {
            Loops::Cut => false,
            Loops::Unroll { times } => parents.len() > times,
        }
    }

    /// What an entry requires is required of the goal that its state was reduced from (line 23).
    pub fn hand_up(&mut self, entry: EntryId) -> Result<(), StopReason> {
        let closed = self.memo.entry(entry);
        let Some(origin) = self.frontier.state(closed.state).origin else {
            return Err(StopReason::Internal("a goal that was reduced from none".to_string()));
        };
        let mut required = closed.requirement.clone();
        required.uses = BTreeSet::from([entry]);
        let precondition = self.precondition(origin, &required)?;
        self.frontier.require_of_top(precondition);
        Ok(())
    }

    /// What a requirement of a reduct requires of the goal that it was reduced from.
    pub fn precondition(
        &mut self,
        origin: (StateId, TransitionId),
        required: &Requirement,
    ) -> Result<Requirement, StopReason> {
        precondition::of_requirement(&mut self.kernel, &self.frontier, &mut self.reasons, origin, required)
    }

    /// Puts a goal on the stack; a loop header becomes a cut first.
    pub fn descend(&mut self, goal: StateId) {
        let predicate = self.frontier.state(goal).predicate;
        let is_header = self.kernel.graph.is_loop_header(predicate);
        if is_header && self.tactics.loops == Loops::Cut {
            make_cut(&mut self.kernel, &mut self.frontier, &mut self.tactics, goal);
        }
        if is_header && !self.frontier.looping_parents(predicate).is_empty() {
            self.statistics.unrollings += 1;
            *self.statistics.unrolled.entry(predicate).or_default() += 1;
        }
        let rules = self.kernel.rules_in_order(predicate, is_header);
        self.frontier.descend(goal, rules, is_header);
    }

    /// Resumes at a header after a conflict (REFINEANDRESTART, lines 43 to 45). After a restart, what was learnt below under
    /// other beliefs is forgotten; after a revision it still holds, but for what depends on headers below.
    pub fn resume(&mut self, header: StateId, lock: &Lock) -> Result<(), StopReason> {
        if *lock == Lock::Nothing {
            self.statistics.revisions += 1;
        } else {
            self.statistics.restarts += 1;
            self.memo.drop_dependents(header);
        }
        for abandoned in self.frontier.unwind_to(header) {
            self.memo.drop_dependents(abandoned);
        }
        self.frontier.learn(&mut self.kernel.terms, header, lock)
    }

    /// Adds a state, and counts it.
    pub fn add(
        &mut self,
        source: StateId,
        rule: TransitionId,
        predicate: PredicateId,
        incoming: Store,
        witness: Option<Arc<Assignment>>,
        status: Status,
    ) -> StateId {
        let reached = Reached {
            predicate,
            incoming,
            witness,
            status,
        };
        let state = self.frontier.add(source, rule, reached);
        self.statistics.states += 1;
        let depth = u64::from(self.frontier.state(state).depth);
        self.statistics.depth = self.statistics.depth.max(depth);
        state
    }
}
