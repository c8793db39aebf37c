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
    /// New formulas, given which have stood of those of the rounds before.
    fn guess(&mut self, terms: &mut Terms, stand: &HashSet<TermId>) -> Vec<Offered>;
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

/// Adds those of the guesses that are inductive together to the entries; what others imply, as far as is known, is returned
/// instead: it belongs to the invariant, but the search need not look at it. `stop` is given the work, and says why to stop.
pub(super) fn add_inductive(
    kernel: &mut Kernel,
    guesses: &mut dyn Guesses,
    stop: Stop<'_>,
) -> Result<Vec<(NodeId, TermId)>, StopReason> {
    let mut houdini = Houdini::new(kernel.system.implications(), RESOURCES);
    let mut claims: Vec<Claim> = Vec::new();
    let claim = |houdini: &mut Houdini, claims: &mut Vec<Claim>, claim: Claim| {
        // All at once: what needs another one to hold must not be given up before that is tried.
        houdini.believe(claim.node.0, claim.formula);
        claims.push(claim);
    };
    let error = Claim {
        node: kernel.system.error,
        formula: TermId::FALSE,
        implied_by: Vec::new(),
    };
    claim(&mut houdini, &mut claims, error);
    let mut stand: HashSet<TermId> = HashSet::new();
    for round in 0..ROUNDS {
        let offered = guesses.guess(&mut kernel.terms, &stand);
        if offered.is_empty() {
            break;
        }
        if round > 0 {
            houdini.begin_again();
        }
        // What a predicate is reached with, or has come back with: the system may ask for either.
        for (index, node) in kernel.system.nodes.iter().enumerate() {
            let first = claims.len();
            let positions: Vec<usize> = (0..offered.len())
                .filter(|at| offered[*at].predicate == node.predicate)
                .collect();
            for position in &positions {
                let own = offered[*position].implied_by.iter();
                let own = own.filter_map(|other| positions.binary_search(other).ok());
                let new = Claim {
                    node: NodeId(index),
                    formula: offered[*position].formula,
                    implied_by: own.map(|at| first + at).collect(),
                };
                claim(&mut houdini, &mut claims, new);
            }
        }
        houdini.refute(&mut kernel.terms, stop)?;
        if houdini.stands(0) {
            break;
        }
        let standing = claims
            .iter()
            .enumerate()
            .filter(|(position, _)| houdini.stands(*position));
        stand = standing.map(|(_, claim)| claim.formula).collect();
    }
    let mut implied = Vec::new();
    // But for the first one, which the search finds out by itself.
    for (position, claim) in claims.iter().enumerate().skip(1) {
        if !houdini.stands(position) {
            continue;
        }
        let (node, formula) = (claim.node, claim.formula);
        if claim.implied_by.iter().any(|other| houdini.stands(*other)) {
            implied.push((node, formula));
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
    Ok(implied)
}

/// The literals that a clause excludes together.
fn negated(kernel: &mut Kernel, formula: TermId) -> Vec<TermId> {
    let parts = match kernel.terms.operator(formula) {
        Operator::Or => kernel.terms.arguments(formula).to_vec(),
        _ => vec![formula],
    };
    parts.into_iter().map(|part| kernel.terms.not(part)).collect()
}
