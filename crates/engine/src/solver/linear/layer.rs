//! The layer: formulas by scope in front of the decision procedure.

use super::boolean::Literal;
use super::farkas::{self, AssumedAtom, FarkasTerm};
use super::search::{Limits, Search};
use crate::solver::{Answer, Layer};
use crate::terms::{Assignment, TermId, Terms};

/// A conjunction with more parts than this is left to Z3, which first eliminates what is defined by equations.
const LARGEST: usize = 4_000;

/// Growth, in clauses and variables, after which everything is built anew from what is assumed.
const GROWTH: usize = 5_000;

/// The linear layer. Positions in cores and combinations count the calls of [`Layer::assume`] that are still in force.
pub struct LinearLayer {
    search: Search,
    limits: Limits,
    formulas: Vec<TermId>,
    /// The conjuncts of the formulas, as literals, with the position of the formula each.
    assumptions: Vec<Literal>,
    conjuncts: Vec<(TermId, usize)>,
    /// Which of the conjuncts say more than the procedure was told.
    inexact: Vec<usize>,
    /// How many formulas and conjuncts there were when each scope was opened.
    scopes: Vec<(usize, usize)>,
    size_after_rebuilding: usize,
    /// The effort of procedures that were given up for new ones.
    past_effort: u64,
}

impl Default for LinearLayer {
    fn default() -> LinearLayer {
        LinearLayer::new(Limits::default())
    }
}

impl LinearLayer {
    /// A layer that assumes nothing yet.
    pub fn new(limits: Limits) -> LinearLayer {
        LinearLayer {
            search: Search::new(limits),
            limits,
            formulas: Vec::new(),
            assumptions: Vec::new(),
            conjuncts: Vec::new(),
            inexact: Vec::new(),
            scopes: Vec::new(),
            size_after_rebuilding: 0,
            past_effort: 0,
        }
    }

    /// What was done so far: a count of things looked at, the same on every machine.
    pub(crate) fn effort(&self) -> u64 {
        self.past_effort + self.search.effort()
    }

    /// Right after an unsatisfiable check: positions of formulas that exclude each other, in ascending order.
    pub fn conflict(&self) -> Vec<usize> {
        let conjuncts = self.search.core().iter().filter_map(|index| self.conjuncts.get(*index));
        let mut positions: Vec<usize> = conjuncts.map(|(_, position)| *position).collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// Right after an unsatisfiable check: atoms among those that exclude each other, and multiples of them whose sum is a
    /// contradiction. `None` if the conflict needs more than that: cases, or that integers have no fractions.
    pub fn farkas(&self, terms: &Terms) -> Option<Vec<FarkasTerm>> {
        let mut core = self.search.core().to_vec();
        core.sort_unstable();
        let atom = |index: usize| {
            let (atom, position) = *self.conjuncts.get(index)?;
            let literal = *self.assumptions.get(index)?;
            Some(AssumedAtom {
                literal,
                position,
                atom,
            })
        };
        let atoms: Vec<AssumedAtom> = core.into_iter().filter_map(atom).collect();
        farkas::combination(&self.search, terms, &atoms, self.limits.work)
    }

    /// Builds everything anew once there is much that only older queries needed.
    fn rebuild_if_large(&mut self, terms: &Terms) {
        if self.search.size() < 2 * self.size_after_rebuilding + GROWTH {
            return;
        }
        self.past_effort += self.search.effort();
        self.search = Search::new(self.limits);
        self.assumptions.clear();
        for (conjunct, _) in &self.conjuncts {
            self.assumptions.push(self.search.encode(terms, *conjunct));
        }
        self.size_after_rebuilding = self.search.size();
    }

    /// Whether the tableau's assignment satisfies the formulas that it was not told all of.
    fn satisfies_the_rest(&self, terms: &Terms) -> bool {
        if self.inexact.is_empty() {
            return true;
        }
        let inexact: Vec<TermId> = self.inexact.iter().map(|index| self.conjuncts[*index].0).collect();
        let values = self.values(terms, &terms.variables_of_all(&inexact));
        inexact
            .iter()
            .all(|conjunct| terms.holds(*conjunct, &values) == Some(true))
    }

    /// Whether the values satisfy everything, as far as they say so.
    fn satisfies_all(&self, terms: &Terms) -> bool {
        let conjuncts: Vec<TermId> = self.conjuncts.iter().map(|(conjunct, _)| *conjunct).collect();
        let values = self.values(terms, &terms.variables_of_all(&conjuncts));
        conjuncts
            .iter()
            .all(|conjunct| terms.holds(*conjunct, &values) != Some(false))
    }

    fn values(&self, terms: &Terms, variables: &[TermId]) -> Assignment {
        let infinitesimal = self.search.infinitesimal();
        let value = |variable: &TermId| (*variable, self.search.value_of(terms, *variable, &infinitesimal));
        variables.iter().map(value).collect()
    }
}

impl Layer for LinearLayer {
    fn push(&mut self) {
        self.scopes.push((self.formulas.len(), self.conjuncts.len()));
    }

    fn assume(&mut self, terms: &Terms, formula: TermId) {
        let position = self.formulas.len();
        self.formulas.push(formula);
        for conjunct in terms.conjuncts(formula) {
            if self.conjuncts.len() < LARGEST {
                self.assumptions.push(self.search.encode(terms, conjunct));
            }
            if !self.search.encoding.is_exact(conjunct) {
                self.inexact.push(self.conjuncts.len());
            }
            self.conjuncts.push((conjunct, position));
        }
    }

    fn pop(&mut self, scopes: usize) {
        for _ in 0..scopes {
            let Some((formulas, conjuncts)) = self.scopes.pop() else {
                return;
            };
            self.formulas.truncate(formulas);
            self.conjuncts.truncate(conjuncts);
            while self.inexact.pop_if(|index| *index >= conjuncts).is_some() {}
            self.assumptions.truncate(conjuncts);
        }
    }

    fn check(&mut self, terms: &Terms) -> Answer {
        self.rebuild_if_large(terms);
        let complete = self.assumptions.len() == self.conjuncts.len();
        match self.search.solve(&self.assumptions) {
            Answer::Satisfiable if !complete || !self.satisfies_the_rest(terms) => Answer::Unknown,
            answer => {
                debug_assert!(
                    answer != Answer::Satisfiable || self.satisfies_all(terms),
                    "the values do not satisfy what was assumed"
                );
                answer
            }
        }
    }

    fn model(&mut self, terms: &Terms, variables: &[TermId]) -> Option<Assignment> {
        Some(self.values(terms, variables))
    }

    fn core(&mut self, terms: &Terms, assumptions: &[TermId]) -> Option<Vec<usize>> {
        let base = self.formulas.len();
        self.push();
        for assumption in assumptions {
            self.assume(terms, *assumption);
        }
        let core = (self.check(terms) == Answer::Unsatisfiable).then(|| self.conflict());
        self.pop(1);
        let of_assumptions = |position: &usize| position.checked_sub(base);
        Some(core?.iter().filter_map(of_assumptions).collect())
    }
}
