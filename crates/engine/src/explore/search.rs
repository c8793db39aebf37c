//! The exploration (seed 002, Algorithm 2): a queue of states, each replaced by its successors, of a template if there is one for
//! the location, otherwise of a classic step.
//!
//! A successor whose condition the solver cannot decide is a *failed leaf*. When the queue is empty, failed leaves behind templates
//! are tried again with few iterations: that can find errors, but the leaf stays failed.

use super::context::{Context, Symbols};
use super::cover::Covers;
use super::cycles::{Cycle, cycles};
use super::options::{ExploreOptions, Order};
use super::phases::phases;
use super::run::run_to;
use super::solve::Satisfiability;
use super::state::{Location, State};
use super::template::{Application, Renewed, Template, compute, enter, leave};
use crate::evidence::{Derivation, replay_until};
use crate::rules::PredicateId;
use crate::solver::{Answer, InterruptWatch};
use crate::steps::StopReason;
use crate::steps::TransitionId;
use crate::terms::{Substitution, TermId};
use hashbrown::HashMap;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Instant;

/// So many cycles at most have a template together.
const MOST_JOINED: usize = 8;

/// What a state costs beside its queries, in units of the [pace](crate::steps::Pace).
const WORK_OF_A_STATE: u64 = 16;

/// Where runs are wanted that cover the tree, the rest of the time is for them.
const SHARE_OF_SEARCH: f64 = 0.6;

/// How a node came from its parent.
#[derive(Clone, Debug)]
pub(super) enum Edge {
    /// It is the root.
    Root,
    /// By a classic step.
    Step(TransitionId, Symbols),
    /// By a template and one of its ways out.
    Template(Rc<Template>, usize, Application),
    /// It is the parent, with a counter that has a fixed value.
    Fixed,
}

/// How a node ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// Its successors are in the tree.
    Expanded,
    /// It waits in the queue.
    Waiting,
    /// It is the error.
    Error,
    /// It is the end of a run.
    End,
    /// No rule applies.
    Stuck,
    /// No run leaves the loop of its template.
    Endless,
    /// The solver could not decide whether it is feasible.
    Failed,
    /// Whatever is reached from it is reached from another node.
    Covered(usize),
}

/// A node of the tree.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub parent: Option<usize>,
    pub edge: Edge,
    pub state: State,
    pub ending: Ending,
}

/// What is counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub templates: u64,
    pub cycles: u64,
    pub cores: u64,
    pub infeasible: u64,
    pub template_seconds: f64,
}

/// The templates of a location.
type OfLocation = Option<Rc<Vec<Rc<Template>>>>;

/// An exploration under way.
pub(super) struct Search<'a> {
    pub context: Context<'a>,
    pub options: &'a ExploreOptions,
    pub nodes: Vec<Node>,
    pub counts: Counts,
    /// The templates that were used, where, and with which symbols.
    pub used: HashMap<usize, (Rc<Template>, Renewed)>,
    pub covers: Covers,
    templates: Vec<OfLocation>,
    queue: VecDeque<usize>,
    /// Failed leaves behind a template.
    failed: Vec<usize>,
    /// For each predicate how many rules it is away from the error.
    distances: Vec<usize>,
    /// Whose turn it is in the directed order.
    turn: bool,
    /// With more states than this, it is another method's turn.
    pub share_of_states: Option<u64>,
}

/// What trying failed leaves again came to.
enum Retried {
    Nothing,
    More,
    Error(Derivation),
}

/// Why a search is over.
pub(super) enum Found {
    /// It has reached the error.
    Error(Derivation),
    /// Everything is explored.
    Nothing,
    /// It stopped before.
    Stopped(StopReason),
    /// It has spent its share.
    ShareSpent,
}

impl<'a> Search<'a> {
    /// A search that has not begun.
    pub fn new(mut context: Context<'a>, options: &'a ExploreOptions) -> Search<'a> {
        let count = context.program.predicates().len();
        let root = Node {
            parent: None,
            edge: Edge::Root,
            state: State::initial(),
            ending: Ending::Waiting,
        };
        let distances = context.distances_to_error();
        context.summarizes = options.joint;
        Search {
            context,
            options,
            nodes: vec![root],
            counts: Counts::default(),
            used: HashMap::new(),
            covers: Covers::default(),
            templates: vec![None; count],
            queue: VecDeque::from([0]),
            failed: Vec::new(),
            distances,
            turn: false,
            share_of_states: None,
        }
    }

    /// Explores until the error is found, or everything is explored, or a limit is reached.
    pub fn run(&mut self) -> Found {
        let mut first_error: Option<Derivation> = None;
        loop {
            while let Some(next) = self.next_in_queue() {
                if let Some(end) = self.limit() {
                    return first_error.map_or(end, Found::Error);
                }
                let found = self.expand(next);
                if let Some(derivation) = found {
                    if !self.options.every_error {
                        return Found::Error(derivation);
                    }
                    first_error = first_error.or(Some(derivation));
                }
            }
            match self.retry() {
                Retried::Nothing => return first_error.map_or(Found::Nothing, Found::Error),
                Retried::More => {}
                Retried::Error(derivation) if !self.options.every_error => return Found::Error(derivation),
                Retried::Error(derivation) => first_error = first_error.or(Some(derivation)),
            }
        }
    }

    fn next_in_queue(&mut self) -> Option<usize> {
        match self.options.order {
            Order::BreadthFirst => self.queue.pop_front(),
            Order::DepthFirst => self.queue.pop_back(),
            Order::Directed => {
                self.turn = !self.turn;
                if self.turn {
                    return self.queue.pop_front();
                }
                let distance = |position: &usize| match self.nodes[self.queue[*position]].state.location {
                    Location::Predicate(predicate) => self.distances[predicate.index()],
                    Location::Error | Location::End => 0,
                };
                let nearest = (0..self.queue.len()).min_by_key(distance)?;
                self.queue.remove(nearest)
            }
        }
    }

    fn limit(&mut self) -> Option<Found> {
        let states = self.nodes.len() as u64;
        let work = self.context.solver.work() + states * WORK_OF_A_STATE;
        self.context.budget.advance(work);
        if self.options.budget.states.is_some_and(|limit| states > limit) {
            return Some(Found::Stopped(StopReason::States));
        }
        if let Some(reason) = self.context.budget.interruption() {
            return Some(Found::Stopped(reason));
        }
        if self.context.budget.should_stop() {
            return Some(Found::Stopped(StopReason::Memory));
        }
        if self.options.coverage
            && let Some(limit) = self.options.budget.time
            && self.context.budget.seconds() >= limit.as_secs_f64() * SHARE_OF_SEARCH
        {
            return Some(Found::Stopped(StopReason::Time));
        }
        let spent = self.share_of_states.is_some_and(|share| states > share) || self.context.has_worked_enough();
        spent.then_some(Found::ShareSpent)
    }

    /// Replaces a state by its successors; a run into the error if one of them is one.
    fn expand(&mut self, current: usize) -> Option<Derivation> {
        let state = self.nodes[current].state.clone();
        let Location::Predicate(predicate) = state.location else {
            return None;
        };
        if self.options.covering && self.context.graph.is_loop_header(predicate) {
            let covered = self.covers.cover(&mut self.context, predicate, &state, current);
            if let Some(by) = covered {
                self.nodes[current].ending = Ending::Covered(by);
                return None;
            }
        }
        let (by_template, successors) = self.successors(current, predicate, &state);
        self.nodes[current].ending = match by_template {
            true => Ending::Endless,
            false => Ending::Stuck,
        };
        let mut found = None;
        for (edge, successor) in successors {
            let derivation = self.add_successor(current, edge, successor);
            if derivation.is_some() {
                found = found.or(derivation);
                if !self.options.every_error {
                    return found;
                }
            }
            if self.context.should_stop() {
                // What is missing keeps the tree from being closed.
                self.queue.push_front(current);
                return found;
            }
        }
        found
    }

    /// The successors of a state, feasible or not, and whether a template led to them.
    fn successors(&mut self, current: usize, predicate: PredicateId, state: &State) -> (bool, Vec<(Edge, State)>) {
        if let Some(template) = self.choose(current, predicate, state) {
            let entered = enter(&mut self.context, state, &template);
            let ways = 0..template.exits.len();
            let successors = ways
                .map(|way| {
                    let (next, application) = leave(&mut self.context, &entered, &template.exits[way]);
                    (Edge::Template(template.clone(), way, application), next)
                })
                .collect();
            self.used.insert(current, (template, entered));
            return (true, successors);
        }
        let steps = self.context.transitions.of(predicate).to_vec();
        let successors = steps
            .into_iter()
            .map(|step| {
                let (next, symbols) = self.context.step(state, step);
                (Edge::Step(step, symbols), next)
            })
            .collect();
        (false, successors)
    }

    /// Inserts a successor if it is feasible or may be; a run into the error if it is one.
    fn add_successor(&mut self, parent: usize, edge: Edge, state: State) -> Option<Derivation> {
        let relevant = self.options.whole
            || match state.location {
                Location::Predicate(predicate) => self.context.graph.reaches_error(predicate),
                Location::Error => true,
                Location::End => false,
            };
        if !relevant {
            self.nodes[parent].ending = Ending::Expanded;
            return None;
        }
        let facts: Vec<TermId> = state.condition.facts.iter().copied().collect();
        let residual: Vec<_> = state.condition.residual.iter().cloned().collect();
        let counters: Vec<TermId> = state.counters.iter().copied().collect();
        let answer = match state.location {
            Location::Error => self.context.solution(&facts, &residual, &counters),
            _ => self.context.satisfiable(&facts, &residual),
        };
        let (ending, model) = match (answer, state.location) {
            (Satisfiability::Unsatisfiable, _) => {
                self.counts.infeasible += 1;
                return None;
            }
            (Satisfiability::Unknown, _) => (Ending::Failed, None),
            (Satisfiability::Satisfiable(model), Location::Error) => (Ending::Error, model),
            (Satisfiability::Satisfiable(_), Location::End) => (Ending::End, None),
            (Satisfiability::Satisfiable(_), _) => (Ending::Waiting, None),
        };
        self.nodes[parent].ending = Ending::Expanded;
        let position = self.nodes.len();
        let behind_template = !state.counters.is_empty();
        self.nodes.push(Node {
            parent: Some(parent),
            edge,
            state,
            ending,
        });
        match ending {
            Ending::Waiting => self.queue.push_back(position),
            Ending::Failed if behind_template => self.failed.push(position),
            Ending::Error => {
                let derivation = model.and_then(|model| run_to(&self.context, &self.nodes, position, &model));
                let budget = self.context.budget;
                let stop = || budget.interruption().is_some();
                let accepted = |run: &Derivation| replay_until(self.context.program, run, &stop) == Ok(true);
                let derivation = derivation.filter(accepted);
                if derivation.is_none() && stop() {
                    // There may be a run; there was no time to follow it.
                    self.nodes[position].ending = Ending::Waiting;
                } else if derivation.is_none() {
                    // It is satisfiable, but there is no run to show.
                    self.nodes[position].ending = Ending::Failed;
                    if behind_template {
                        self.failed.push(position);
                    }
                }
                return derivation;
            }
            _ => {}
        }
        None
    }

    /// The template to use at a state, if one is (Algorithm 2, line 9): of those whose first iteration is possible the one
    /// that the way to the state has used least.
    pub fn choose(&mut self, current: usize, predicate: PredicateId, state: &State) -> Option<Rc<Template>> {
        if !self.options.templates || !self.context.graph.is_loop_header(predicate) {
            return None;
        }
        let templates = self.templates_of(predicate);
        let mut by_use: Vec<(usize, Rc<Template>)> = templates
            .iter()
            .map(|template| (self.uses(current, template), template.clone()))
            .collect();
        by_use.sort_by_key(|(uses, _)| *uses);
        by_use
            .into_iter()
            .map(|(_, template)| template)
            .find(|template| self.may_iterate(state, template))
    }

    fn uses(&self, from: usize, template: &Rc<Template>) -> usize {
        let mut uses = 0;
        let mut current = Some(from);
        while let Some(position) = current {
            if let Edge::Template(used, ..) = &self.nodes[position].edge {
                uses += usize::from(Rc::ptr_eq(used, template));
            }
            current = self.nodes[position].parent;
        }
        uses
    }

    /// Whether a first iteration is not excluded.
    fn may_iterate(&mut self, state: &State, template: &Template) -> bool {
        let parameters = self.context.parameters(template.entry);
        let mut substitution = Substitution::of(&self.context.terms, parameters, &state.memory);
        let zero = self.context.terms.integer(0);
        let known: Vec<TermId> = state.condition.facts.iter().copied().collect();
        for phase in &template.phases {
            // A first iteration of this phase, with none of those before.
            let mut first = substitution.clone();
            first.insert(&self.context.terms, phase.iteration, zero);
            substitution.insert(&self.context.terms, phase.counter, zero);
            let body = self.context.terms.substitute_all(&phase.body, &first);
            let mut facts = known.clone();
            facts.extend(self.context.arrays.expand_all(&mut self.context.terms, &body));
            let excluded = facts.contains(&TermId::FALSE)
                || self.context.solver.check(&self.context.terms, &facts, &[]) == Answer::Unsatisfiable;
            if !excluded {
                return true;
            }
        }
        false
    }

    fn templates_of(&mut self, predicate: PredicateId) -> Rc<Vec<Rc<Template>>> {
        if let Some(Some(known)) = self.templates.get(predicate.index()) {
            return known.clone();
        }
        let started = Instant::now();
        let (cycles, cores) = cycles(&mut self.context, predicate);
        self.counts.cores += cores as u64;
        self.counts.cycles += cycles.len() as u64;
        let mut templates = Vec::new();
        if self.options.joint {
            let innermost: Vec<Cycle> = cycles
                .iter()
                .filter(|cycle| self.is_innermost(cycle))
                .cloned()
                .collect();
            // What goes through another loop is left by a way out, and comes back by the template of that loop.
            let together = if innermost.is_empty() { &cycles } else { &innermost };
            if together.len() <= MOST_JOINED {
                let in_phases = phases(&mut self.context, together);
                let in_phases = in_phases.and_then(|phases| compute(&mut self.context, &phases, true));
                let template = in_phases.or_else(|| compute(&mut self.context, std::slice::from_ref(together), true));
                templates.extend(template.map(Rc::new));
            }
        }
        if templates.is_empty() {
            for cycle in cycles {
                let template = compute(&mut self.context, &[vec![cycle]], self.options.joint);
                templates.extend(template.map(Rc::new));
            }
        }
        self.counts.templates += templates.len() as u64;
        self.counts.template_seconds += started.elapsed().as_secs_f64();
        let templates = Rc::new(templates);
        self.templates[predicate.index()] = Some(templates.clone());
        templates
    }

    /// Whether a cycle meets no loop header but its entry, and those whose loops it goes through in a single step.
    fn is_innermost(&self, cycle: &Cycle) -> bool {
        let summarized = cycle.core.iter().skip(1);
        let mut summarized = summarized.map(|edge| self.context.summaries.contains_key(edge));
        cycle.core.iter().all(|edge| {
            let goes_through = summarized.next().unwrap_or(false);
            match self.context.target(*edge) {
                Location::Predicate(predicate) => {
                    goes_through || predicate == cycle.entry || !self.context.graph.is_loop_header(predicate)
                }
                Location::Error | Location::End => false,
            }
        })
    }

    /// All templates that were computed, by location.
    pub fn all_templates(&self) -> impl Iterator<Item = &Rc<Template>> {
        self.templates.iter().flatten().flat_map(|of| of.iter())
    }

    /// Puts failed leaves into the queue again, with fixed numbers of iterations of the last template.
    fn retry(&mut self) -> Retried {
        let failed = std::mem::take(&mut self.failed);
        let mut retried = Retried::Nothing;
        for leaf in failed {
            let state = self.nodes[leaf].state.clone();
            let Some(counter) = state.counters.last().copied() else {
                continue;
            };
            for iterations in 0..self.options.retries {
                if self.context.should_stop() {
                    // The queue's end must not be taken for that of the exploration.
                    self.queue.push_back(leaf);
                    return Retried::More;
                }
                let mut fixed = self.context.with_counter(&state, counter, &iterations.into());
                fixed.counters.pop_back();
                let before = self.nodes.len();
                let derivation = self.add_successor(leaf, Edge::Fixed, fixed);
                self.nodes[leaf].ending = Ending::Failed;
                if let Some(derivation) = derivation {
                    return Retried::Error(derivation);
                }
                if self.nodes.len() > before {
                    retried = Retried::More;
                }
            }
        }
        retried
    }
}
