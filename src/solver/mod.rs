//! The solver seam: satisfiability of conjunctions, by layers, cheapest first.
//!
//! A [`Layer`] is an incremental solver. [`LayeredSolver`] asks the layers in order and takes the first definite answer; a
//! layer answers only what it can answer exactly. Callers hand over whole stores: each layer keeps what it shares with the
//! store it saw last, so that following a derivation costs one push a step and nobody has to balance pushes and pops.

mod syntactic;
mod z3_context;
mod z3_layer;

pub use syntactic::SyntacticLayer;
pub use z3_context::{Z3_MINIMUM, Z3Translator, check_z3_version};
pub use z3_layer::{InterruptWatch, Z3Layer, with_interrupts};

use crate::terms::{Assignment, TermId, Terms};
use serde::Serialize;
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
    /// Z3.
    pub z3: LayerStatistics,
    /// Queries that no layer settled.
    pub unknown: u64,
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

/// The layers together.
pub struct LayeredSolver {
    syntactic: Aligned<SyntacticLayer>,
    z3: Aligned<Z3Layer>,
    /// Whether the last query went as far as Z3, so that the model is there.
    settled_by_z3: bool,
    statistics: SolverStatistics,
}

impl LayeredSolver {
    /// A solver whose Z3 layer may spend `resource_limit` of Z3's units on one query (0: no limit). The unit is
    /// deterministic, unlike time.
    pub fn new(resource_limit: u32) -> LayeredSolver {
        LayeredSolver {
            syntactic: Aligned::new(SyntacticLayer::new()),
            z3: Aligned::new(Z3Layer::new(resource_limit)),
            settled_by_z3: false,
            statistics: SolverStatistics::default(),
        }
    }

    /// What the layers did so far.
    pub fn statistics(&self) -> &SolverStatistics {
        &self.statistics
    }

    /// Decides the conjunction of `store` and `extra`. Queries about one store and different extras share the work on it.
    pub fn check(&mut self, terms: &Terms, store: &[TermId], extra: &[TermId]) -> Answer {
        self.statistics.queries += 1;
        let whole: Vec<TermId> = store.iter().chain(extra).copied().collect();
        let started = Instant::now();
        self.syntactic.align(terms, &whole);
        let answer = self.syntactic.layer.check(terms);
        record(&mut self.statistics.syntactic, answer, started.elapsed());
        self.settled_by_z3 = answer == Answer::Unknown;
        if answer != Answer::Unknown {
            return answer;
        }
        let started = Instant::now();
        self.z3.align(terms, &whole);
        let answer = self.z3.layer.check(terms);
        record(&mut self.statistics.z3, answer, started.elapsed());
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
        let values = if self.settled_by_z3 {
            self.z3.layer.model(terms, variables)
        } else {
            self.syntactic.layer.model(terms, variables)
        };
        (answer, values)
    }

    /// If `fixed` and `candidates` are unsatisfiable together: positions of a minimal set of candidates that still is with
    /// `fixed`. Where there is a choice, later candidates are dropped first. `None` if they are not known to be unsatisfiable.
    pub fn minimal_core(&mut self, terms: &Terms, fixed: &[TermId], candidates: &[TermId]) -> Option<Vec<usize>> {
        if self.check(terms, fixed, candidates) != Answer::Unsatisfiable {
            return None;
        }
        let mut kept: Vec<usize> = (0..candidates.len()).collect();
        if candidates.len() > 4 {
            self.z3.align(terms, fixed);
            kept = self.z3.layer.core(terms, candidates).unwrap_or(kept);
        }
        for position in kept.clone().into_iter().rev() {
            let rest: Vec<TermId> = kept
                .iter()
                .filter(|other| **other != position)
                .map(|other| candidates[*other])
                .collect();
            if self.check(terms, fixed, &rest) == Answer::Unsatisfiable {
                kept.retain(|other| *other != position);
            }
        }
        Some(kept)
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
mod tests;
