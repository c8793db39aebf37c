//! Formulas that are offered for what is reached: those that are inductive together become entries that hold always.
//!
//! [Houdini](crate::steps::houdini) finds out which. Guesses come in rounds, until the error is excluded or nobody knows of
//! another one: few are cheap, and many take their time. What was refuted is tried again beside what is new.

use super::kernel::{ALWAYS, Entry, Kernel};
use super::system::NodeId;
use crate::engine::StopReason;
use crate::rules::PredicateId;
use crate::steps::houdini::{Houdini, Stop};
use crate::terms::{Operator, TermId, Terms};
use hashbrown::HashSet;
use std::cell::Cell;

/// A formula about what is reached of a predicate, over the predicate's parameters. It may be wrong.
#[derive(Clone, Debug)]
pub(crate) struct Offered {
    /// The predicate.
    pub predicate: PredicateId,
    /// The formula, a term of the table that was given.
    pub formula: TermId,
    /// The positions, among the offers of the same round, of those that imply it as far as is known: it adds nothing where one
    /// of them is left.
    pub implied_by: Vec<usize>,
}

/// Who guesses formulas.
pub(crate) trait Guesses: Send {
    /// New formulas, given which have stood of those of the rounds before. `spend` counts work, and says whether it was too much:
    /// then not all of them.
    fn guess(&mut self, terms: &mut Terms, stand: &HashSet<TermId>, spend: &dyn Fn(u64) -> bool) -> Vec<Offered>;
}

/// How often guesses are made.
const ROUNDS: usize = 5;
/// What is spent at most on one question, in Z3's units.
const RESOURCES: u32 = 2_000_000;

/// An offer for one node.
struct Claim {
    node: NodeId,
    formula: TermId,
    /// The positions of claims that imply it.
    implied_by: Vec<usize>,
}

/// What has been offered, and what of it is inductive.
pub(super) struct Offers {
    houdini: Houdini,
    claims: Vec<Claim>,
    /// Which claims have become entries, or need not.
    is_settled: Vec<bool>,
    /// Those that stand and follow from others that do.
    implied: Vec<(NodeId, TermId)>,
    stand: HashSet<TermId>,
    round: usize,
    /// What guessing has cost.
    guessing: u64,
}

impl Offers {
    pub fn new(kernel: &Kernel) -> Offers {
        let mut offers = Offers {
            houdini: Houdini::new(kernel.system.implications(), RESOURCES),
            claims: Vec::new(),
            is_settled: Vec::new(),
            implied: Vec::new(),
            stand: HashSet::new(),
            round: 0,
            guessing: 0,
        };
        // What stands is enough if this does. As an entry the search finds it out by itself.
        offers.claim(Claim {
            node: kernel.system.error,
            formula: TermId::FALSE,
            implied_by: Vec::new(),
        });
        offers.is_settled[0] = true;
        offers
    }

    fn claim(&mut self, claim: Claim) {
        // All at once: what needs another one to hold must not be given up before that is tried.
        self.houdini.believe(claim.node.0, claim.formula);
        self.claims.push(claim);
        self.is_settled.push(false);
    }

    /// The work of all rounds so far.
    pub fn work(&self) -> u64 {
        self.houdini.work() + self.guessing
    }

    /// Adds those of the next guesses that are inductive, together with what was offered before, to the entries; whether it is of any use to
    /// ask for more. `stop` is given the work of all rounds, and says why to stop.
    pub fn next(&mut self, kernel: &mut Kernel, guesses: &mut dyn Guesses, stop: Stop<'_>) -> Result<bool, StopReason> {
        let work = self.houdini.work();
        let guessing = Cell::new(self.guessing);
        let spend = |units: u64| {
            guessing.set(guessing.get() + units);
            stop(work + guessing.get()).is_some()
        };
        let offered = guesses.guess(&mut kernel.terms, &self.stand, &spend);
        self.guessing = guessing.get();
        if offered.is_empty() {
            return Ok(false);
        }
        if self.round > 0 {
            self.houdini.begin_again();
        }
        self.round += 1;
        // What a predicate is reached with, or has come back with: the system may ask for either.
        for (index, node) in kernel.system.nodes.iter().enumerate() {
            let first = self.claims.len();
            let positions: Vec<usize> = (0..offered.len())
                .filter(|at| offered[*at].predicate == node.predicate)
                .collect();
            for position in &positions {
                let own = offered[*position].implied_by.iter();
                let own = own.filter_map(|other| positions.binary_search(other).ok());
                self.claim(Claim {
                    node: NodeId(index),
                    formula: offered[*position].formula,
                    implied_by: own.map(|at| first + at).collect(),
                });
            }
        }
        let guessing = self.guessing;
        self.houdini.refute(&mut kernel.terms, &|work| stop(guessing + work))?;
        self.tell(kernel);
        Ok(self.round < ROUNDS && !self.houdini.stands(0))
    }

    /// What stands becomes an entry, but for what others imply, as far as is known: it belongs to the invariant, but the search need not look
    /// at it.
    fn tell(&mut self, kernel: &mut Kernel) {
        for (position, claim) in self.claims.iter().enumerate() {
            if self.is_settled[position] || !self.houdini.stands(position) {
                continue;
            }
            self.is_settled[position] = true;
            let (node, formula) = (claim.node, claim.formula);
            self.stand.insert(formula);
            if claim.implied_by.iter().any(|other| self.houdini.stands(*other)) {
                self.implied.push((node, formula));
                continue;
            }
            let cube = negated(kernel, formula);
            kernel.entries[node.0].push(Entry {
                cube,
                formula,
                level: ALWAYS,
            });
            kernel.tell(node, formula, ALWAYS);
        }
    }

    /// What stands and is no entry.
    pub fn into_implied(self) -> Vec<(NodeId, TermId)> {
        self.implied
    }
}

/// The literals that a clause excludes together.
fn negated(kernel: &mut Kernel, formula: TermId) -> Vec<TermId> {
    let parts = match kernel.terms.operator(formula) {
        Operator::Or => kernel.terms.arguments(formula).to_vec(),
        _ => vec![formula],
    };
    parts.into_iter().map(|part| kernel.terms.not(part)).collect()
}
