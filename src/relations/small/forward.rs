//! Facts by evaluation forward: from state to state, with calls [calculated](super::backward) on the way.
//!
//! Where a program reads a number, calls functions with it and checks what they give back, the error may need one number among thousands, and a
//! thousand calls inside of each other. What is read is enumerated, from small values to larger ones; what calls come back with is known
//! from then on, so that the next larger value costs one step more.

use super::backward::Calculation;
use super::{SmallFacts, modes};
use crate::evidence::Derivation;
use crate::relations::system::{NodeId, Role, System};
use crate::terms::{Terms, Value};
use std::collections::{BTreeSet, VecDeque};

/// Values have so many parts at most: what is read counts its position among the numbers that are tried.
const LARGEST: usize = 1 << 14;
/// So many states are followed for values of a size, for each of their parts, and at least.
const STATES_FOR_A_PART: usize = 64;
const STATES: usize = 4_000;

/// The states that were reached.
pub(super) struct Frontier {
    /// The given arguments of each node: those that a call comes back with say nothing yet.
    seen: Vec<BTreeSet<Vec<Value>>>,
    /// Facts that were not followed yet.
    open: VecDeque<usize>,
}

impl Frontier {
    fn new(system: &System) -> Frontier {
        Frontier {
            seen: vec![BTreeSet::new(); system.nodes.len()],
            open: VecDeque::new(),
        }
    }

    /// Whether the given arguments of a state are new; then it is followed, as the fact that it becomes.
    pub fn is_new(&mut self, node: NodeId, given: Vec<Value>, fact: usize) -> bool {
        let is_new = self.seen[node.0].insert(given);
        if is_new {
            self.open.push_back(fact);
        }
        is_new
    }
}

/// A derivation of the error, found by running the program with values of more and more parts until it is told to stop: `stop` is told how many
/// matches were tried.
pub(in crate::relations) fn error_by_running(
    terms: &Terms,
    system: &System,
    facts: &SmallFacts,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Option<Derivation> {
    let given = modes::given(terms, system, facts);
    let mut calculation = Calculation::new(terms, system, given, stop);
    calculation.try_numbers(LARGEST);
    let mut size = 1;
    while size <= LARGEST && !calculation.is_stopped() {
        calculation.allow(size);
        if let Some(error) = followed(&mut calculation, system, size) {
            calculation.found.error = Some(error);
            return calculation.found.derivation(terms, system)?.ok();
        }
        size *= 2;
    }
    None
}

/// The error as a fact, if states lead there that are reached with values of so many parts.
fn followed(calculation: &mut Calculation<'_>, system: &System, size: usize) -> Option<usize> {
    calculation.frontier = Some(Frontier::new(system));
    let reached = |clause: usize| {
        let premises = &system.clauses[clause].premises;
        premises
            .iter()
            .position(|premise| system.nodes[premise.node.0].role == Role::Reached)
    };
    let states = (0..system.clauses.len()).filter(|clause| {
        let conclusion = system.clauses[*clause].conclusion.node;
        system.nodes[conclusion.0].role == Role::Reached
    });
    let states: Vec<(usize, Option<usize>)> = states.map(|clause| (clause, reached(clause))).collect();
    for (clause, _) in states.iter().filter(|(_, premise)| premise.is_none()) {
        if let Some(error) = calculation.follow(*clause, None, size) {
            return Some(error);
        }
    }
    for _ in 0..STATES.max(STATES_FOR_A_PART * size) {
        let fact = calculation.frontier.as_mut()?.open.pop_front()?;
        let node = calculation.found.conclusion(system, fact);
        for (clause, premise) in &states {
            let Some(position) = *premise else { continue };
            if system.clauses[*clause].premises[position].node != node {
                continue;
            }
            if let Some(error) = calculation.follow(*clause, Some((position, fact)), size) {
                return Some(error);
            }
            if calculation.is_stopped() {
                return None;
            }
        }
    }
    None
}
