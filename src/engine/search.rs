//! The search: goal reduction, depth first on an explicit stack (the minimax algorithm, one step at a time; ARCHITECTURE.md says how it relates to the seeds).
//!
//! [`Search::run`] is the whole algorithm on one page. What it calls is one file each: covering states (`subsumption`),
//! interpolants (`interpolation`), counterexamples and restarts (`refinement`), closing states and loops (`closing`).

use super::affine::AffineEquations;
use super::conserved::Displacements;
use super::control::ControlVariables;
use super::memo::{EntryId, Memo};
use super::options::Options;
use super::outcome::Statistics;
use super::reduction::Reduct;
use super::requirement::Requirement;
use super::state::{Header, State, StateId, Status, Store};
use super::strategy::{Abstraction, LoopPolicy};
use super::trial::Trials;
use crate::evidence::Derivation;
use crate::rules::{DependencyGraph, PredicateId, Program};
use crate::solver::{Answer, LayeredSolver};
use crate::steps::BudgetWatch;
use crate::steps::OfferedCandidates;
use crate::steps::StopReason;
use crate::steps::projection::PrimedParameters;
use crate::steps::{Target, TransitionId, Transitions};
use crate::terms::{Assignment, SortId, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// How a search ended.
pub(super) enum SearchResult {
    /// The tree is closed; the entry is the query's.
    Closed(EntryId),
    /// A real counterexample.
    Unsafe(Derivation),
    /// Neither.
    Stopped(StopReason),
    /// The error may be reached, but this search has no way to find out; another one may go on.
    Inconclusive,
}

/// A state whose rules are being explored.
pub(super) struct Frame {
    /// The state.
    pub state: StateId,
    /// Its transitions, in the order of exploration.
    pub order: Vec<TransitionId>,
    /// How many of them are done.
    pub next: usize,
    /// What the finished ones need.
    pub requirement: Requirement,
    /// Those that were found infeasible; what keeps them from mattering is settled when all others are done.
    pub infeasible: Vec<TransitionId>,
}

/// Single literals of which each kept something from happening, and their disjunction.
#[derive(Default)]
pub(super) struct Reasons {
    pub literals: Vec<TermId>,
    /// The same, to be looked up.
    pub known: HashSet<TermId>,
    pub disjunction: Option<TermId>,
}

/// The state of a search.
pub(super) struct Search<'a> {
    pub program: &'a Program,
    pub options: &'a Options,
    pub budget: &'a BudgetWatch<'a>,
    pub policy: LoopPolicy,
    pub offered: OfferedCandidates,
    pub terms: Terms,
    pub graph: DependencyGraph,
    pub transitions: Transitions,
    pub control: ControlVariables,
    pub solver: LayeredSolver,
    pub states: Vec<State>,
    pub stack: Vec<Frame>,
    pub memo: Memo,
    pub statistics: Statistics,
    /// Entries of closed loop headers, in the order of closing, with the positions of the candidates they kept.
    pub closed_headers: Vec<(StateId, EntryId)>,
    /// What was locked at each header to exclude spurious counterexamples.
    pub locked: HashMap<StateId, Vec<TermId>>,
    /// Goals that were cut off because their loop was unrolled often enough.
    pub cut_off: u64,
    pub trials: Trials,
    /// For each transition: what kept it from violating a formula behind it, or from happening, in the states so far.
    pub reasons: Vec<HashMap<TermId, Reasons>>,
    /// For each transition: formulas over its target with its updates put in for the parameters.
    pub images: Vec<HashMap<TermId, TermId>>,
    open_headers: HashMap<PredicateId, Vec<StateId>>,
    pub local_variables: HashMap<(SortId, u32), TermId>,
    pub primed_parameters: PrimedParameters,
    /// Equations between parameters, once some loop has been unrolled.
    pub affine: Option<AffineEquations>,
    /// How far the loops that have been unrolled take their parameters, unless that is too much to compute.
    pub displacements: HashMap<PredicateId, Option<Rc<Displacements>>>,
}

impl<'a> Search<'a> {
    /// A search that has only the query on its stack.
    pub fn new(
        program: &'a Program,
        options: &'a Options,
        budget: &'a BudgetWatch<'a>,
        offered: OfferedCandidates,
    ) -> Search<'a> {
        let mut terms = program.terms.clone();
        let transitions = Transitions::new(program, &mut terms);
        let graph = DependencyGraph::new(program);
        let mut search = Search {
            program,
            options,
            budget,
            policy: LoopPolicy::of(options.strategy),
            offered,
            control: ControlVariables::new(program, &graph, &transitions, &terms),
            graph,
            terms,
            transitions,
            solver: LayeredSolver::new(options.budget.query_resources),
            states: Vec::new(),
            stack: Vec::new(),
            memo: Memo::default(),
            statistics: Statistics::default(),
            closed_headers: Vec::new(),
            locked: HashMap::new(),
            cut_off: 0,
            trials: Trials::default(),
            reasons: Vec::new(),
            images: Vec::new(),
            open_headers: HashMap::new(),
            local_variables: HashMap::new(),
            primed_parameters: PrimedParameters::default(),
            affine: None,
            displacements: HashMap::new(),
        };
        search.open_query();
        search
    }

    /// A search of the same program from the beginning under another policy. Terms, the solver and the statistics go on.
    pub fn anew(self, policy: LoopPolicy, offered: OfferedCandidates) -> Search<'a> {
        let mut search = Search {
            policy,
            offered,
            states: Vec::new(),
            stack: Vec::new(),
            memo: Memo::default(),
            closed_headers: Vec::new(),
            locked: HashMap::new(),
            cut_off: 0,
            open_headers: HashMap::new(),
            ..self
        };
        search.open_query();
        search
    }

    fn open_query(&mut self) {
        self.states.push(State {
            parent: None,
            transition: None,
            predicate: PredicateId::QUERY,
            incoming: Store {
                cut: StateId::ROOT,
                guards: im::Vector::new(),
                arguments: Vec::new(),
                locals: 0,
            },
            header: Some(Header::default()),
            witness: Some(Arc::new(Assignment::new())),
            status: Status::Open,
            depth: 0,
        });
        self.open(StateId::ROOT);
    }

    /// Explores until the tree is closed, an error is real, or the budget is spent.
    pub fn run(&mut self) -> SearchResult {
        loop {
            self.budget.advance(self.solver.statistics().queries);
            if let Some(reason) = self
                .budget
                .exhausted(self.statistics.states, self.statistics.unrollings)
            {
                return SearchResult::Stopped(reason);
            }
            if let Some(derivation) = self.trial_runs() {
                return SearchResult::Unsafe(derivation);
            }
            let Some(frame) = self.stack.last_mut() else {
                return SearchResult::Stopped(StopReason::NotSupported("an empty search".to_string()));
            };
            let source = frame.state;
            let Some(transition) = frame.order.get(frame.next).copied() else {
                match self.settle_infeasible() {
                    Ok(true) => {}
                    Ok(false) => continue,
                    Err(reason) => return SearchResult::Stopped(reason),
                }
                match self.close_top() {
                    Ok(Some(entry)) => return SearchResult::Closed(entry),
                    Ok(None) => continue,
                    Err(reason) => return SearchResult::Stopped(reason),
                }
            };
            frame.next += 1;
            let outcome = match self.reduce(source, transition) {
                Reduct::Infeasible => self.note_infeasible(source, transition),
                Reduct::Feasible(store, witness) => match self.transitions.get(transition).target {
                    Target::Error if self.policy.abstraction == Abstraction::Offered => {
                        return SearchResult::Inconclusive;
                    }
                    Target::Error => match self.refine(source, transition) {
                        Ok(None) => Ok(()),
                        Ok(Some(derivation)) => return SearchResult::Unsafe(derivation),
                        Err(reason) => Err(reason),
                    },
                    Target::End => {
                        self.add_state(source, transition, PredicateId::QUERY, store, None, Status::Terminal);
                        Ok(())
                    }
                    Target::Goal(predicate) => self.visit(source, transition, predicate, store, witness),
                },
            };
            if let Err(reason) = outcome {
                return SearchResult::Stopped(reason);
            }
        }
    }

    /// A new goal: covered if possible, otherwise put on the stack.
    fn visit(
        &mut self,
        source: StateId,
        transition: TransitionId,
        predicate: PredicateId,
        store: Store,
        witness: Option<Arc<Assignment>>,
    ) -> Result<(), StopReason> {
        if !self.graph.reaches_error(predicate) {
            self.add_state(source, transition, predicate, store, witness, Status::Terminal);
            return Ok(());
        }
        let state = self.add_state(source, transition, predicate, store, witness, Status::Open);
        match self.try_to_cover(state) {
            Some(requirement) => self.add_precondition(source, transition, &requirement),
            None if self.is_abandoned(state) => Ok(()),
            None if self.is_cut_off(predicate) => {
                self.cut_off += 1;
                self.states[state.index()].status = Status::Terminal;
                Ok(())
            }
            None => {
                self.open(state);
                Ok(())
            }
        }
    }

    /// Whether a loop may not be unrolled once more. What lies behind is ignored, so a tree with such goals proves nothing
    /// (`cut_off` counts them).
    fn is_cut_off(&self, predicate: PredicateId) -> bool {
        match self.policy.abstraction {
            Abstraction::None { unrollings } => self.looping_parents(predicate).len() > unrollings,
            Abstraction::Refined | Abstraction::Offered => false,
        }
    }

    /// Adds a state below `source`.
    pub fn add_state(
        &mut self,
        source: StateId,
        transition: TransitionId,
        predicate: PredicateId,
        incoming: Store,
        witness: Option<Arc<Assignment>>,
        status: Status,
    ) -> StateId {
        let id = StateId::after(self.states.len());
        let depth = self.states[source.index()].depth + 1;
        self.statistics.states += 1;
        self.statistics.depth = self.statistics.depth.max(u64::from(depth));
        self.states.push(State {
            parent: Some(source),
            transition: Some(transition),
            predicate,
            incoming,
            header: None,
            witness,
            status,
            depth,
        });
        id
    }

    /// Records an infeasible reduct and what keeps it infeasible.
    fn note_infeasible(&mut self, source: StateId, transition: TransitionId) -> Result<(), StopReason> {
        self.statistics.infeasible += 1;
        if self.options.keep_tree {
            let store = self.outgoing(source);
            let predicate = match self.transitions.get(transition).target {
                Target::Goal(predicate) => predicate,
                Target::Error => PredicateId::ERROR,
                Target::End => PredicateId::QUERY,
            };
            self.add_state(source, transition, predicate, store, None, Status::Infeasible);
        } else {
            self.statistics.states += 1;
        }
        match self.transitions.get(transition).target {
            Target::Goal(predicate) => {
                if self.graph.reaches_error(predicate)
                    && let Some(frame) = self.stack.last_mut()
                {
                    frame.infeasible.push(transition);
                }
                Ok(())
            }
            Target::End => Ok(()),
            Target::Error => self.add_infeasibility(source, transition),
        }
    }

    /// Puts a state on the stack; a loop header becomes a cut first.
    pub fn open(&mut self, state: StateId) {
        let predicate = self.states[state.index()].predicate;
        let is_header = self.graph.is_loop_header(predicate);
        if is_header && self.policy.abstracts() {
            self.make_cut(state);
        }
        if is_header && !self.looping_parents(predicate).is_empty() {
            self.statistics.unrollings += 1;
        }
        if is_header {
            self.open_headers.entry(predicate).or_default().push(state);
        }
        let mut order = self.transitions.of(predicate).to_vec();
        if is_header {
            // The loop body before the exits: what the body gives up is then known when the exits are taken.
            order.sort_by_key(|id| match self.transitions.get(*id).target {
                Target::Goal(target) => !self.graph.same_loop(predicate, target),
                _ => true,
            });
        }
        self.stack.push(Frame {
            state,
            order,
            next: 0,
            requirement: Requirement::default(),
            infeasible: Vec::new(),
        });
    }

    /// The store from which a state's own reducts start.
    pub fn outgoing(&self, state: StateId) -> Store {
        let data = &self.states[state.index()];
        if data.header.is_none() {
            return data.incoming.clone();
        }
        Store {
            cut: state,
            guards: im::Vector::new(),
            arguments: self.program.predicate(data.predicate).parameters.clone(),
            locals: 0,
        }
    }

    /// What is believed of a store: its cut's candidates and its guards (the min interpretation).
    pub fn believed(&self, store: &Store) -> Vec<TermId> {
        let header = self.states[store.cut.index()].header.as_ref();
        let candidates = header.into_iter().flat_map(Header::believed);
        candidates.chain(store.guards.iter().copied()).collect()
    }

    /// The open visits of a loop header on the current derivation, the nearest last.
    pub fn looping_parents(&self, predicate: PredicateId) -> &[StateId] {
        self.open_headers.get(&predicate).map_or(&[], Vec::as_slice)
    }

    /// Takes the top frame off the stack.
    pub fn pop_frame(&mut self) -> Option<Frame> {
        let frame = self.stack.pop()?;
        let predicate = self.states[frame.state.index()].predicate;
        if self.graph.is_loop_header(predicate)
            && let Some(open) = self.open_headers.get_mut(&predicate)
        {
            open.pop();
        }
        Some(frame)
    }

    /// Whether `formula` follows from `store`; never true on a solver's unknown.
    pub fn entails(&mut self, store: &[TermId], formula: TermId) -> bool {
        if formula == TermId::TRUE || store.contains(&formula) {
            return true;
        }
        let negation = self.terms.not(formula);
        self.solver.check(&self.terms, store, &[negation]) == Answer::Unsatisfiable
    }

    fn is_abandoned(&self, state: StateId) -> bool {
        self.states[state.index()].status == Status::Abandoned
    }
}
