//! The solver seam: satisfiability of conjunctions, by layers, cheapest first.
//!
//! A [`Layer`] is an incremental solver. [`LayeredSolver`] asks the layers in order and takes the first definite answer; a
//! layer answers only what it can answer exactly. Callers hand over whole stores: each layer keeps what it shares with the
//! store it saw last, so that following a derivation costs one push a step and nobody has to balance pushes and pops.
//!
//! Maps that hold terms of Z3 are ordered: Z3 gives the numbers of terms that are let go to the next ones, and looks at terms in
//! the order of their numbers, so a map that is dropped in the order of its hashes makes each process search in another way.

mod assumptions;
mod bounds;
mod boxes;
mod interrupt;
mod limited;
mod linear;
mod modular;
mod questions;
mod syntactic;
mod work;
mod z3_bounded;
#[cfg(test)]
mod z3_bounded_tests;
mod z3_context;
mod z3_floats;
mod z3_layer;
mod z3_words;

pub(crate) use boxes::Limits;

pub use assumptions::AssumptionSolver;
pub use interrupt::{InterruptWatch, Turns, with_interrupts};
pub use limited::LimitedSolver;
pub use linear::{FarkasTerm, Limits as LinearLimits, LinearLayer, Refutation, is_contradiction, refute};
pub use questions::QuestionSolver;
pub use syntactic::SyntacticLayer;
pub(crate) use work::{LINEAR_EFFORT, Z3Meter};
pub use z3_context::{Z3_MINIMUM, Z3Translator, check_z3_version};
pub use z3_layer::Z3Layer;

use crate::terms::{Assignment, TermId, Terms};
use interrupt::Interruption;
use serde::Serialize;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// What a solver says of a conjunction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It has a model.
    Satisfiable,
    /// It has none.
    Unsatisfiable,
    /// The solver gave up: nothing may be concluded.
    Unknown,
}

/// An incremental solver of conjunctions.
pub trait Layer {
    /// Opens a scope.
    fn push(&mut self);
    /// Adds a formula to the current scope.
    fn assume(&mut self, terms: &Terms, formula: TermId);
    /// Closes the given number of scopes and forgets what was assumed in them.
    fn pop(&mut self, scopes: usize);
    /// Decides the conjunction of everything assumed; [`Answer::Unknown`] if this layer cannot.
    fn check(&mut self, terms: &Terms) -> Answer;
    /// Values for the variables under which everything assumed holds, right after a satisfiable check; `None` if the layer
    /// has no values that can be used exactly.
    fn model(&mut self, terms: &Terms, variables: &[TermId]) -> Option<Assignment>;
    /// Right after an unsatisfiable check of `assumptions` on top of everything assumed: positions of some that suffice.
    fn core(&mut self, terms: &Terms, assumptions: &[TermId]) -> Option<Vec<usize>>;
}

/// What one layer did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LayerStatistics {
    /// Queries that this layer was asked.
    pub asked: u64,
    /// Queries that it settled.
    pub settled: u64,
    /// Seconds it took.
    pub seconds: f64,
}

/// What the layers did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SolverStatistics {
    /// All queries.
    pub queries: u64,
    /// Syntactic facts and intervals.
    pub syntactic: LayerStatistics,
    /// Linear arithmetic.
    pub linear: LayerStatistics,
    /// Z3.
    pub z3: LayerStatistics,
    /// Queries that no layer settled.
    pub unknown: u64,
}

impl SolverStatistics {
    /// Counts what another solver has done, too.
    pub fn add(&mut self, other: &SolverStatistics) {
        self.queries += other.queries;
        self.unknown += other.unknown;
        for (own, others) in [
            (&mut self.syntactic, &other.syntactic),
            (&mut self.linear, &other.linear),
            (&mut self.z3, &other.z3),
        ] {
            own.asked += others.asked;
            own.settled += others.settled;
            own.seconds += others.seconds;
        }
    }
}

/// A layer and the formulas it currently has assumed, one scope each.
struct Aligned<L> {
    layer: L,
    stack: Vec<TermId>,
}

impl<L: Layer> Aligned<L> {
    fn new(layer: L) -> Aligned<L> {
        Aligned {
            layer,
            stack: Vec::new(),
        }
    }

    /// Makes the layer's assumptions exactly `store`, keeping the common prefix.
    fn align(&mut self, terms: &Terms, store: &[TermId]) {
        let common = self.stack.iter().zip(store).take_while(|(a, b)| a == b).count();
        if common < self.stack.len() {
            self.layer.pop(self.stack.len() - common);
            self.stack.truncate(common);
        }
        for formula in &store[common..] {
            self.layer.push();
            self.layer.assume(terms, *formula);
            self.stack.push(*formula);
        }
    }
}

/// A layer by name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Settler {
    Syntactic,
    Linear,
    Z3,
}

/// The layers together.
pub struct LayeredSolver {
    syntactic: Aligned<SyntacticLayer>,
    linear: Aligned<LinearLayer>,
    /// Made for the first question that gets so far: most solvers need none, and it takes a millisecond or more.
    z3: Option<CountedZ3>,
    resource_limit: u32,
    /// The layer that settled the last query and so has its model or core.
    settled_by: Settler,
    statistics: SolverStatistics,
    interruption: Interruption,
    /// What Z3 has worked, as of its so many-th query.
    z3_work: (u64, u64),
}

/// Z3's layer, and what has been spent since it was made.
struct CountedZ3 {
    aligned: Aligned<Z3Layer>,
    meter: Cell<Z3Meter>,
}

impl CountedZ3 {
    fn new(resource_limit: u32) -> CountedZ3 {
        let layer = Z3Layer::new(resource_limit);
        CountedZ3 {
            meter: Cell::new(Z3Meter::new(layer.resources())),
            aligned: Aligned::new(layer),
        }
    }

    /// Reads how much has been spent.
    fn read(&self) -> Z3Meter {
        let mut meter = self.meter.get();
        meter.read(self.aligned.layer.resources());
        self.meter.set(meter);
        meter
    }
}

impl LayeredSolver {
    /// A solver whose Z3 layer may spend `resource_limit` of Z3's units on one query (0: no limit). The unit is
    /// deterministic, unlike time.
    pub fn new(resource_limit: u32) -> LayeredSolver {
        LayeredSolver {
            syntactic: Aligned::new(SyntacticLayer::new()),
            linear: Aligned::new(LinearLayer::default()),
            z3_work: (0, 0),
            z3: None,
            resource_limit,
            settled_by: Settler::Syntactic,
            statistics: SolverStatistics::default(),
            interruption: Interruption::of_this_thread(),
        }
    }

    /// What the layers did so far.
    pub fn statistics(&self) -> &SolverStatistics {
        &self.statistics
    }

    /// The work done so far, in units of about six microseconds; a count, so that it is the same on every machine.
    pub(crate) fn work(&mut self) -> u64 {
        // To read Z3's count costs more than many a query.
        if self.z3_work.0 != self.statistics.z3.asked {
            let worked = self.z3.as_ref().map_or(0, |z3| z3.read().worked());
            self.z3_work = (self.statistics.z3.asked, worked);
        }
        work::of_queries(&self.statistics, self.linear.layer.effort()) + self.z3_work.1
    }

    /// Counts a query that somebody has asked Z3 beside the layers, such as one with quantifiers.
    pub fn count_beside(&mut self, answer: Answer, took: Duration) {
        self.statistics.queries += 1;
        record(&mut self.statistics.z3, answer, took);
        if answer == Answer::Unknown {
            self.statistics.unknown += 1;
        }
    }

    /// Z3's units that were spent on this thread, by this solver or another, since this one has first asked Z3, or was told to count.
    pub(crate) fn z3_spent(&self) -> u64 {
        self.z3.as_ref().map_or(0, |z3| z3.read().spent())
    }

    /// Counts what Z3 spends from now on, also if somebody else asks it.
    pub(crate) fn count_z3(&mut self) {
        self.z3();
    }

    fn z3(&mut self) -> &mut Aligned<Z3Layer> {
        let limit = self.resource_limit;
        &mut self.z3.get_or_insert_with(|| CountedZ3::new(limit)).aligned
    }

    /// Decides the conjunction of `store` and `extra`. Queries about one store and different extras share the work on it.
    pub fn check(&mut self, terms: &Terms, store: &[TermId], extra: &[TermId]) -> Answer {
        self.statistics.queries += 1;
        if self.interruption.is_raised() {
            self.statistics.unknown += 1;
            return Answer::Unknown;
        }
        let whole: Vec<TermId> = store.iter().chain(extra).copied().collect();
        let started = Instant::now();
        self.syntactic.align(terms, &whole);
        let answer = self.syntactic.layer.check(terms);
        record(&mut self.statistics.syntactic, answer, started.elapsed());
        self.settled_by = Settler::Syntactic;
        if answer != Answer::Unknown {
            return answer;
        }
        let started = Instant::now();
        self.linear.align(terms, &whole);
        let answer = self.linear.layer.check(terms);
        record(&mut self.statistics.linear, answer, started.elapsed());
        self.settled_by = Settler::Linear;
        if answer != Answer::Unknown {
            return answer;
        }
        let started = Instant::now();
        let z3 = self.z3();
        z3.align(terms, &whole);
        let answer = z3.layer.check(terms);
        record(&mut self.statistics.z3, answer, started.elapsed());
        self.settled_by = Settler::Z3;
        if answer == Answer::Unknown {
            self.statistics.unknown += 1;
        }
        answer
    }

    /// [`LayeredSolver::check`], and if the answer is satisfiable, values for `variables` where a layer has exact ones.
    pub fn check_model(
        &mut self,
        terms: &Terms,
        store: &[TermId],
        extra: &[TermId],
        variables: &[TermId],
    ) -> (Answer, Option<Assignment>) {
        let answer = self.check(terms, store, extra);
        if answer != Answer::Satisfiable {
            return (answer, None);
        }
        (answer, self.values(terms, variables))
    }

    /// [`LayeredSolver::check_model`] for the variables of some terms, which are looked for only if there is a model.
    pub fn check_values(
        &mut self,
        terms: &Terms,
        store: &[TermId],
        extra: &[TermId],
        of: &[TermId],
    ) -> (Answer, Option<Assignment>) {
        let answer = self.check(terms, store, extra);
        if answer != Answer::Satisfiable {
            return (answer, None);
        }
        (answer, self.values(terms, &terms.variables_of_all(of)))
    }

    /// Right after a satisfiable check.
    fn values(&mut self, terms: &Terms, variables: &[TermId]) -> Option<Assignment> {
        match self.settled_by {
            Settler::Syntactic => self.syntactic.layer.model(terms, variables),
            Settler::Linear => self.linear.layer.model(terms, variables),
            Settler::Z3 => self.z3().layer.model(terms, variables),
        }
    }

    /// If `fixed` and `candidates` are unsatisfiable together: positions of a minimal set of candidates that still is with
    /// `fixed`. It starts from what one conflict involves, and drops later ones first. `None` if they are not known to be
    /// unsatisfiable.
    pub fn minimal_core(&mut self, terms: &Terms, fixed: &[TermId], candidates: &[TermId]) -> Option<Vec<usize>> {
        if self.check(terms, fixed, candidates) != Answer::Unsatisfiable {
            return None;
        }
        let mut kept: Vec<usize> = (0..candidates.len()).collect();
        if self.settled_by == Settler::Z3 && candidates.len() > 4 {
            let z3 = self.z3();
            z3.align(terms, fixed);
            kept = z3.layer.core(terms, candidates).unwrap_or(kept);
        }
        // One conflict is a better start than all candidates: what is old but beside the point must not come back in.
        kept = self.conflict(terms, fixed.len(), &kept);
        for position in kept.clone().into_iter().rev() {
            if self.interruption.is_raised() {
                break;
            }
            // Dropped already, because a later conflict did without it.
            if !kept.contains(&position) {
                continue;
            }
            let rest: Vec<usize> = kept.iter().copied().filter(|other| *other != position).collect();
            let formulas: Vec<TermId> = rest.iter().map(|other| candidates[*other]).collect();
            if self.check(terms, fixed, &formulas) == Answer::Unsatisfiable {
                kept = self.conflict(terms, fixed.len(), &rest);
            }
        }
        Some(kept)
    }

    /// If `formulas` are unsatisfiable: positions of some that one conflict involves; not minimal, but quickly found. `None`
    /// if they are not known to be unsatisfiable.
    pub fn quick_core(&mut self, terms: &Terms, formulas: &[TermId]) -> Option<Vec<usize>> {
        let all: Vec<usize> = (0..formulas.len()).collect();
        let answer = self.check(terms, formulas, &[]);
        (answer == Answer::Unsatisfiable).then(|| self.conflict(terms, 0, &all))
    }

    /// Right after an unsatisfiable check with some candidates as its extras: those of them that exclude each other, where
    /// the linear layer can say so, otherwise all.
    fn conflict(&mut self, terms: &Terms, fixed: usize, candidates: &[usize]) -> Vec<usize> {
        if !self.linear_layer_agrees(terms) {
            return candidates.to_vec();
        }
        let positions = self.linear.layer.conflict().into_iter();
        let of_candidates = positions.filter_map(|position| position.checked_sub(fixed));
        of_candidates
            .filter_map(|extra| candidates.get(extra).copied())
            .collect()
    }

    /// Right after an unsatisfiable check: multiples of assumed atoms whose sum is a contradiction. Positions count the
    /// store first and the extras after it. `None` if it took more than a sum, or more than linear arithmetic.
    pub fn farkas(&mut self, terms: &Terms) -> Option<Vec<FarkasTerm>> {
        self.linear_layer_agrees(terms)
            .then(|| self.linear.layer.farkas(terms))?
    }

    /// Right after an unsatisfiable check: whether the linear layer has found it unsatisfiable, too. What the syntactic one
    /// saw at a glance, it is asked about now.
    fn linear_layer_agrees(&mut self, terms: &Terms) -> bool {
        match self.settled_by {
            Settler::Linear => true,
            Settler::Z3 => false,
            Settler::Syntactic => {
                self.linear.align(terms, &self.syntactic.stack);
                self.linear.layer.check(terms) == Answer::Unsatisfiable
            }
        }
    }
}

fn record(statistics: &mut LayerStatistics, answer: Answer, took: Duration) {
    statistics.asked += 1;
    if answer != Answer::Unknown {
        statistics.settled += 1;
    }
    statistics.seconds += took.as_secs_f64();
}

#[cfg(test)]
mod float_values_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod values_tests;
