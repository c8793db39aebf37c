//! The search: goal reduction, depth first on an explicit stack (the minimax algorithm, one step at a time; ARCHITECTURE.md says how it relates to the seeds).
//!
//! [`Search::run`] is the whole algorithm on one page. What it calls is one file each: covering states (`subsumption`),
//! interpolants (`interpolation`), counterexamples and restarts (`refinement`), closing states and loops (`closing`).

use super::affine::AffineEquations;
use super::budget::BudgetWatch;
use super::conserved::Displacements;
use super::control::ControlVariables;
use super::memo::{EntryId, Memo};
use super::options::Options;
use super::outcome::{Statistics, StopReason};
use super::projection::PrimedParameters;
use super::requirement::Requirement;
use super::state::{Header, State, StateId, Status, Store};
use super::strategy::{Abstraction, LoopPolicy, OfferedCandidates};
use super::transition::{Target, Transition, TransitionId, Transitions};
use super::trial::Trials;
use crate::evidence::Derivation;
use crate::rules::{DependencyGraph, PredicateId, Program};
use crate::solver::{Answer, LayeredSolver};
use crate::terms::{Assignment, SortId, Substitution, TermId, Terms, Value};
use hashbrown::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// A store does not repeat a guard while it has at most this many.
const REPETITION_WINDOW: usize = 64;

/// An argument with more parts than this gets a name of its own.
const LONGEST_SUM: usize = 24;

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
    pub disjunction: Option<TermId>,
}

/// What reducing a goal by a transition gave.
pub(super) enum Reduct {
    /// The new store is unsatisfiable.
    Infeasible,
    /// A goal or the error, with a witness if one is known.
    Feasible(Store, Option<Arc<Assignment>>),
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
    /// What kept a transition from happening, or from violating a formula behind it, in the states so far.
    pub reasons: HashMap<(TransitionId, TermId), Reasons>,
    /// Formulas over a transition's target with its updates put in for the parameters.
    images: HashMap<(TransitionId, TermId), TermId>,
    open_headers: HashMap<PredicateId, Vec<StateId>>,
    local_variables: HashMap<(SortId, u32), TermId>,
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
            reasons: HashMap::new(),
            images: HashMap::new(),
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
            if let Some(reason) = self.budget.exhausted(&self.statistics) {
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

    /// Reduces a state by a transition: the new store, unless it is unsatisfiable.
    pub fn reduce(&mut self, source: StateId, transition: TransitionId) -> Reduct {
        let store = self.outgoing(source);
        let substitution = self.instantiation(source, &store, transition);
        let transition = Rc::clone(self.transitions.get(transition));
        let guards = self.terms.substitute_all(&transition.guard, &substitution);
        if guards.contains(&TermId::FALSE) {
            return Reduct::Infeasible;
        }
        let arguments = self.terms.substitute_all(&transition.updates, &substitution);
        let target = match transition.target {
            Target::Goal(predicate) => Some(predicate),
            _ => None,
        };
        let mut witness = self.witness_from_point(source, &transition, target);
        if witness.is_none() {
            let believed = self.believed(&store);
            let mut mentioned = believed.clone();
            mentioned.extend_from_slice(&guards);
            mentioned.extend_from_slice(&arguments);
            let variables = self.terms.variables_of_all(&mentioned);
            let (answer, model) = self.solver.check_model(&self.terms, &believed, &guards, &variables);
            if answer == Answer::Unsatisfiable {
                return Reduct::Infeasible;
            }
            witness = model.and_then(|model| self.witness(target, &arguments, &model));
        }
        let mut locals = store.locals + transition.locals.len() as u32;
        let (arguments, definitions) = self.abbreviate(arguments, &mut locals);
        let mut new_guards = store.guards.clone();
        for guard in guards.into_iter().chain(definitions) {
            let repeated = new_guards.len() <= REPETITION_WINDOW && new_guards.contains(&guard);
            if guard != TermId::TRUE && !repeated {
                new_guards.push_back(guard);
            }
        }
        let reduct = Store {
            cut: store.cut,
            guards: new_guards,
            arguments,
            locals,
        };
        Reduct::Feasible(reduct, witness)
    }

    /// Long sums among arguments as new local variables, with the equations that define them. Without it, a derivation that
    /// adds an input at every step would carry a sum as long as itself.
    pub fn abbreviate(&mut self, arguments: Vec<TermId>, next_local: &mut u32) -> (Vec<TermId>, Vec<TermId>) {
        let mut definitions = Vec::new();
        let short = arguments
            .into_iter()
            .map(|argument| {
                if self.terms.arguments(argument).len() <= LONGEST_SUM {
                    return argument;
                }
                let variable = self.local_variable(self.terms.sort(argument), *next_local);
                *next_local += 1;
                definitions.push(self.terms.equal(variable, argument));
                variable
            })
            .collect();
        (short, definitions)
    }

    /// A witness of the reduct that extends the source's. That settles feasibility without asking about the store, however
    /// long it is.
    fn witness_from_point(
        &mut self,
        source: StateId,
        transition: &Transition,
        target: Option<PredicateId>,
    ) -> Option<Arc<Assignment>> {
        let point = self.states[source.index()].witness.clone()?;
        if transition.locals.is_empty() {
            let holds = |formula: &TermId| self.terms.holds(*formula, &point) == Some(true);
            let all = transition.guard.iter().all(holds);
            return all.then(|| self.witness(target, &transition.updates, &point)).flatten();
        }
        let extended = self.extend_point(&point, transition)?;
        self.witness(target, &transition.updates, &extended)
    }

    /// A point with values of the transition's own variables that satisfy its guard there, if some are found.
    pub fn extend_point(&mut self, point: &Assignment, transition: &Transition) -> Option<Assignment> {
        let values = self.number_terms(point)?;
        let guard = self.terms.substitute_all(&transition.guard, &values);
        let (answer, model) = self.solver.check_model(&self.terms, &[], &guard, &transition.locals);
        let mut extended = model.filter(|_| answer == Answer::Satisfiable)?;
        extended.extend(point.iter().map(|(variable, value)| (*variable, value.clone())));
        Some(extended)
    }

    /// The substitution of a point's values for its variables; `None` if one of them is an array.
    fn number_terms(&mut self, point: &Assignment) -> Option<Substitution> {
        let mut substitution = Substitution::new();
        let mut variables: Vec<&TermId> = point.keys().collect();
        variables.sort();
        for variable in variables {
            let term = match point.get(variable)? {
                Value::Bool(value) => self.terms.boolean(*value),
                Value::Number(value) => self.terms.number(value.clone(), self.terms.sort(*variable)),
                Value::Array(_) => return None,
            };
            substitution.insert(&self.terms, *variable, term);
        }
        Some(substitution)
    }

    /// The values of the target's parameters when the arguments are evaluated at a point.
    fn witness(
        &self,
        target: Option<PredicateId>,
        arguments: &[TermId],
        point: &Assignment,
    ) -> Option<Arc<Assignment>> {
        // The error and the end have no parameters; an empty witness says that they are reached.
        let parameters = target.map_or(&[][..], |target| &self.program.predicate(target).parameters);
        let values: Option<Vec<Value>> = arguments.iter().map(|term| self.terms.evaluate(*term, point)).collect();
        Some(Arc::new(parameters.iter().copied().zip(values?).collect()))
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

    /// Parameters to arguments, and the transition's local variables to ones that the store does not use yet.
    pub fn instantiation(&mut self, source: StateId, store: &Store, transition: TransitionId) -> Substitution {
        let predicate = self.states[source.index()].predicate;
        let parameters = &self.program.predicate(predicate).parameters;
        let mut substitution = Substitution::of(&self.terms, parameters, &store.arguments);
        let locals = self.transitions.get(transition).locals.clone();
        for (number, local) in (store.locals..).zip(locals) {
            let variable = self.local_variable(self.terms.sort(local), number);
            substitution.insert(&self.terms, local, variable);
        }
        substitution
    }

    /// A formula over the parameters of a transition's target as one over its own variables.
    pub fn image(&mut self, transition: TransitionId, target: PredicateId, formula: TermId) -> TermId {
        if let Some(known) = self.images.get(&(transition, formula)) {
            return *known;
        }
        let parameters = &self.program.predicate(target).parameters;
        let updates = &self.transitions.get(transition).updates;
        let substitution = Substitution::of(&self.terms, parameters, updates);
        let image = self.terms.substitute(formula, &substitution);
        self.images.insert((transition, formula), image);
        image
    }

    /// The `number`-th local variable of a sort. Stores reuse them, so that equal stores have equal terms.
    pub fn local_variable(&mut self, sort: SortId, number: u32) -> TermId {
        let terms = &mut self.terms;
        let make = || terms.fresh_variable(&format!("_{number}"), sort);
        *self.local_variables.entry((sort, number)).or_insert_with(make)
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
