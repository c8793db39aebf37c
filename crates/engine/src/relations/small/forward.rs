//! Facts by evaluation forward: from state to state, with calls [calculated](super::backward) on the way.
//!
//! Where a program reads a number, calls functions with it and checks what they give back, the error may need one number among thousands, and a
//! thousand calls inside of each other. What is read is enumerated, from small values to larger ones; what calls come back with is known
//! from then on, so that the next larger value costs one step more.

use super::backward::{Calculation, Given};
use super::{SmallFacts, modes};
use crate::evidence::Derivation;
use crate::relations::system::{Node, NodeId, Role, System};
use crate::rules::PredicateId;
use crate::terms::{Terms, Value};
use hashbrown::HashMap;
use std::collections::{BTreeSet, VecDeque};

/// Values have so many parts at most: what is read counts its position among the numbers that are tried.
const LARGEST: usize = 1 << 14;
/// So many states are followed for values of a size, for each of their parts, and at least.
const STATES_FOR_A_PART: usize = 64;
const STATES: usize = 4_000;

/// The states that were reached.
pub(super) struct Frontier {
    /// Of each node the arguments that say something: all but what a call will come back with.
    says: Vec<Vec<usize>>,
    /// What the states of each node say.
    seen: Vec<BTreeSet<Vec<Value>>>,
    /// Facts that were not followed yet.
    open: VecDeque<usize>,
}

impl Frontier {
    fn new(system: &System, given: &[Option<Given>]) -> Frontier {
        let mut of_predicate: HashMap<PredicateId, &[usize]> = HashMap::new();
        for (node, given) in system.nodes.iter().zip(given) {
            if let (Role::Returned, Some(Given(given))) = (node.role, given) {
                of_predicate.insert(node.predicate, given);
            }
        }
        let says = |node: &Node| match of_predicate.get(&node.predicate) {
            Some(given) => given.to_vec(),
            None => (0..node.parameters.len()).collect(),
        };
        Frontier {
            says: system.nodes.iter().map(says).collect(),
            seen: vec![BTreeSet::new(); system.nodes.len()],
            open: VecDeque::new(),
        }
    }

    fn clear(&mut self) {
        self.seen.iter_mut().for_each(BTreeSet::clear);
        self.open.clear();
    }

    /// Those arguments of a state that say something.
    pub fn said<T: Clone>(&self, node: NodeId, arguments: &[T]) -> Vec<T> {
        let positions = self.says[node.0].iter();
        positions
            .filter_map(|position| arguments.get(*position))
            .cloned()
            .collect()
    }

    /// Whether what a state says is new; then it is followed, as the fact that it becomes.
    pub fn is_new(&mut self, node: NodeId, values: &[Value], fact: usize) -> bool {
        let said = self.said(node, values);
        let is_new = self.seen[node.0].insert(said);
        if is_new {
            self.open.push_back(fact);
        }
        is_new
    }
}

/// Implications that lead to states: those that begin, and of each node those that go on from its states, with the position of the premise.
struct Steps {
    first: Vec<usize>,
    from: Vec<Vec<(usize, usize)>>,
}

impl Steps {
    fn new(system: &System) -> Steps {
        let mut steps = Steps {
            first: Vec::new(),
            from: vec![Vec::new(); system.nodes.len()],
        };
        let role = |node: NodeId| system.nodes[node.0].role;
        for (index, clause) in system.clauses.iter().enumerate() {
            if role(clause.conclusion.node) != Role::Reached {
                continue;
            }
            let mut premises = clause.premises.iter();
            match premises.position(|premise| role(premise.node) == Role::Reached) {
                Some(position) => steps.from[clause.premises[position].node.0].push((index, position)),
                None => steps.first.push(index),
            }
        }
        steps
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
    let given = modes::given(terms, system, facts, &mut || stop(0))?;
    let (steps, frontier) = (Steps::new(system), Frontier::new(system, &given));
    let mut calculation = Calculation::new(terms, system, given, stop);
    calculation.try_numbers(LARGEST);
    calculation.frontier = Some(frontier);
    let mut size = 1;
    while size <= LARGEST && !calculation.is_stopped() {
        calculation.allow(size);
        if let Some(error) = followed(&mut calculation, system, &steps, size) {
            calculation.found.error = Some(error);
            return calculation.found.derivation(terms, system)?.ok();
        }
        size *= 2;
    }
    None
}

/// The error as a fact, if states lead there that are reached with values of so many parts.
fn followed(calculation: &mut Calculation<'_>, system: &System, steps: &Steps, size: usize) -> Option<usize> {
    calculation.frontier.as_mut()?.clear();
    for clause in &steps.first {
        if let Some(error) = calculation.follow(*clause, None, size) {
            return Some(error);
        }
    }
    for _ in 0..STATES.max(STATES_FOR_A_PART * size) {
        let fact = calculation.frontier.as_mut()?.open.pop_front()?;
        let NodeId(node) = calculation.found.conclusion(system, fact);
        for (clause, position) in &steps.from[node] {
            if let Some(error) = calculation.follow(*clause, Some((*position, fact)), size) {
                return Some(error);
            }
            if calculation.is_stopped() {
                return None;
            }
        }
    }
    None
}
