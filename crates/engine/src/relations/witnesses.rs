//! States that are known to be reached, from random runs: what no entry that is to last may exclude.
//!
//! At low levels nearly everything can be left out of a cube: in three steps no thread of a program has come to its second
//! action, so an entry says that none ever does, until a higher level gives it up again, one such accident after another. A state
//! that was seen in a run tells at once, and without a question, that such an entry will not last; what remains of the cube is more
//! often inductive. Nothing is proved by these states: they only choose among the entries that questions allow.

use super::blocking::blocked;
use super::kernel::{GaveUp, Kernel};
use super::small::SmallFacts;
use super::system::{Node, NodeId, Role, System};
use crate::execution::{Extent, visited_states};
use crate::rules::Program;
use crate::terms::{Assignment, TermId, Terms, Value};
use hashbrown::HashMap;

/// How much is run, and how many steps are a unit of work.
#[derive(Clone, Copy)]
pub(super) struct Looking {
    extent: Extent,
    steps_of_unit: u64,
}

/// To choose among entries: a twentieth of a second or so.
pub(super) const A_LOOK: Looking = Looking {
    extent: Extent {
        runs: 200,
        steps: 600,
        all_steps: 10_000,
        states: 512,
        patience: 24,
    },
    steps_of_unit: 1,
};

/// To guess from: what few states have in common is an accident more often than not. Where rules are paths over
/// numbers and truth values, a step takes a microsecond.
pub(super) const TO_GUESS: Looking = Looking {
    extent: Extent {
        runs: 1_000,
        steps: 600,
        all_steps: 60_000,
        states: 2_048,
        patience: 100,
    },
    steps_of_unit: 4,
};

/// The states of a node that were seen.
#[derive(Clone, Default, Debug)]
pub(super) struct Witnesses {
    states: Vec<Assignment>,
    /// In which of them a literal holds, bit by bit.
    holding: HashMap<TermId, Vec<u64>>,
}

/// The states of each node that random runs come to, and how much work that was. There are none where rules have calls:
/// a run would need to know what comes back.
pub(super) fn from_runs(
    program: &Program,
    system: &System,
    looking: Looking,
    stop: &mut dyn FnMut(u64) -> bool,
) -> (Vec<Witnesses>, u64) {
    let mut found = vec![Witnesses::default(); system.nodes.len()];
    if program.has_calls() {
        return (found, 0);
    }
    let mut taken = 0;
    let states = visited_states(program, looking.extent, &mut |steps| {
        taken = steps / looking.steps_of_unit;
        stop(taken)
    });
    for (node, witnesses) in system.nodes.iter().zip(&mut found) {
        if node.role == Role::Reached {
            let states = states.get(node.predicate.index()).into_iter().flatten();
            let assigned = states.map(|values| node.parameters.iter().copied().zip(values.iter().cloned()).collect());
            witnesses.states = assigned.collect();
        }
    }
    (found, taken)
}

/// The small facts of each node.
pub(super) fn of_facts(system: &System, facts: &SmallFacts) -> Vec<Witnesses> {
    let of_node = |(index, node): (usize, &Node)| {
        let values = facts.facts_of(index);
        let states = values.map(|values| node.parameters.iter().copied().zip(values.iter().cloned()).collect());
        Witnesses {
            states: states.collect(),
            holding: HashMap::new(),
        }
    };
    system.nodes.iter().enumerate().map(of_node).collect()
}

impl Witnesses {
    /// The values of these parameters in each state.
    pub fn values(&self, parameters: &[TermId]) -> Vec<Vec<Value>> {
        let of = |state: &Assignment| {
            parameters
                .iter()
                .map(|parameter| state.get(parameter).cloned())
                .collect()
        };
        self.states.iter().filter_map(of).collect()
    }

    /// The states in which a literal holds.
    fn of_literal(&mut self, terms: &Terms, literal: TermId) -> &[u64] {
        let states = &self.states;
        self.holding.entry(literal).or_insert_with(|| {
            let mut bits = vec![0; states.len().div_ceil(64)];
            for (position, state) in states.iter().enumerate() {
                if terms.holds(literal, state) == Some(true) {
                    bits[position / 64] |= 1 << (position % 64);
                }
            }
            bits
        })
    }

    /// The states in a cube.
    fn inside(&mut self, terms: &Terms, cube: &[TermId]) -> Vec<u64> {
        let count = self.states.len();
        let mut inside = vec![u64::MAX; count.div_ceil(64)];
        if let Some(last) = inside.last_mut()
            && !count.is_multiple_of(64)
        {
            *last = (1 << (count % 64)) - 1;
        }
        for literal in cube {
            let holding = self.of_literal(terms, *literal);
            inside.iter_mut().zip(holding).for_each(|(all, one)| *all &= one);
        }
        inside
    }
}

/// Whether a state of the cube has been seen.
fn is_witnessed(kernel: &mut Kernel, node: NodeId, cube: &[TermId]) -> bool {
    let witnesses = &mut kernel.witnesses[node.0];
    !witnesses.states.is_empty() && witnesses.inside(&kernel.terms, cube).iter().any(|bits| *bits != 0)
}

/// Where a cube's reasons are looked for, and which of them will do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sought {
    /// What the cube is about.
    pub node: NodeId,
    /// The level at which a reason is blocked.
    pub level: usize,
    /// Whether a reason is to exclude none of the states that have been seen.
    is_lasting: bool,
}

impl Sought {
    /// Reasons for a whole cube: they exclude no state that has been seen, unless there is one in what has to be closed.
    pub fn seek(kernel: &mut Kernel, node: NodeId, level: usize, whole: &[TermId]) -> Sought {
        let is_lasting = !is_witnessed(kernel, node, whole);
        Sought {
            node,
            level,
            is_lasting,
        }
    }

    /// Whether a cube is no such reason.
    pub fn rejects(self, kernel: &mut Kernel, cube: &[TermId]) -> bool {
        self.is_lasting && is_witnessed(kernel, self.node, cube)
    }

    /// If the cube is such a reason and blocked: literals of it of which this is true, too.
    pub fn blocked(self, kernel: &mut Kernel, cube: &[TermId]) -> Result<Option<Vec<TermId>>, GaveUp> {
        if self.rejects(kernel, cube) {
            return Ok(None);
        }
        let Some(core) = blocked(kernel, self.node, cube, self.level)? else {
            return Ok(None);
        };
        if !self.rejects(kernel, &core) {
            return Ok(Some(core));
        }
        // What was enough at this level excludes what is reached later on. The denial of more literals says less of the premises, so
        // these have to be asked about.
        let more = apart(kernel, self.node, core, cube);
        Ok(
            match more.len() < cube.len() && blocked(kernel, self.node, &more, self.level)?.is_some() {
                true => Some(more),
                false => Some(cube.to_vec()),
            },
        )
    }
}

/// A part of a cube that has another part of it inside and no state that has been seen, if the whole has none: the literals are added
/// that exclude most, one by one.
fn apart(kernel: &mut Kernel, node: NodeId, part: Vec<TermId>, whole: &[TermId]) -> Vec<TermId> {
    let witnesses = &mut kernel.witnesses[node.0];
    let mut part = part;
    loop {
        let inside = witnesses.inside(&kernel.terms, &part);
        if inside.iter().all(|bits| *bits == 0) {
            break;
        }
        let mut best: Option<(u32, TermId)> = None;
        for literal in whole.iter().filter(|literal| !part.contains(literal)) {
            let holding = witnesses.of_literal(&kernel.terms, *literal).iter();
            let left: u32 = holding.zip(&inside).map(|(one, all)| (one & all).count_ones()).sum();
            if best.is_none_or(|(least, _)| left < least) {
                best = Some((left, *literal));
            }
        }
        match best {
            Some((_, literal)) => part.push(literal),
            None => break,
        }
    }
    // The order of the whole.
    whole.iter().copied().filter(|literal| part.contains(literal)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTER: &str = "
        ?- X = 0, Y = 0, p(X, Y).
        p(X, Y) :- X < 5, X1 = X + 1, Y1 = Y + 2, p(X1, Y1).
        p(X, Y) :- Y > 10, error.";

    fn with_witnesses(source: &str) -> (Kernel, NodeId) {
        let program = crate::clp::read(source).product.expect("no mistake in it");
        let mut kernel = Kernel::new(&program, 0);
        (kernel.witnesses, kernel.ran) = from_runs(&program, &kernel.system, A_LOOK, &mut |_| false);
        let mut nodes = kernel.system.nodes.iter();
        let node = nodes.position(|node| !node.parameters.is_empty()).map(NodeId);
        (kernel, node.expect("there is one beside the error"))
    }

    fn bounds(kernel: &mut Kernel, node: NodeId, least: [i64; 2]) -> Vec<TermId> {
        let parameters = kernel.system.nodes[node.0].parameters.clone();
        let bound = |(parameter, least): (&TermId, i64)| {
            let least = kernel.terms.integer(least);
            kernel.terms.less_or_equal(least, *parameter)
        };
        parameters.iter().zip(least).map(bound).collect()
    }

    #[test]
    fn a_cube_is_witnessed_by_the_states_that_runs_come_to() {
        let (mut kernel, node) = with_witnesses(COUNTER);
        assert_eq!(kernel.witnesses[node.0].states.len(), 6);
        assert!(kernel.ran > 0);
        for (least, is_reached) in [([5, 10], true), ([0, 11], false), ([6, 0], false), ([0, 0], true)] {
            let cube = bounds(&mut kernel, node, least);
            assert_eq!(is_witnessed(&mut kernel, node, &cube), is_reached, "{least:?}");
        }
    }

    #[test]
    fn a_part_without_witnesses_has_as_few_literals_as_that_needs() {
        let (mut kernel, node) = with_witnesses(COUNTER);
        let whole = bounds(&mut kernel, node, [4, 11]);
        let (x, y) = (whole[0], whole[1]);
        assert_eq!(apart(&mut kernel, node, vec![x], &whole), vec![x, y]);
        assert_eq!(apart(&mut kernel, node, vec![y], &whole), vec![y]);
        assert_eq!(apart(&mut kernel, node, Vec::new(), &whole), vec![y]);
    }

    #[test]
    fn reasons_for_what_is_reached_may_exclude_states() {
        let (mut kernel, node) = with_witnesses(COUNTER);
        let reached = bounds(&mut kernel, node, [5, 10]);
        assert!(!Sought::seek(&mut kernel, node, 0, &reached).rejects(&mut kernel, &reached));
        let other = bounds(&mut kernel, node, [0, 11]);
        // Only the query concludes something at level 0: each bound on its own is enough there.
        let sought = Sought::seek(&mut kernel, node, 0, &other);
        assert!(sought.rejects(&mut kernel, &reached));
        let blocked = sought.blocked(&mut kernel, &other).expect("an answer");
        assert_eq!(blocked, Some(vec![other[1]]));
        let both = bounds(&mut kernel, node, [4, 11]);
        let blocked = sought.blocked(&mut kernel, &both).expect("an answer");
        assert_eq!(blocked, Some(both));
    }

    #[test]
    fn programs_with_calls_are_not_run() {
        let source = "(set-logic HORN)
            (declare-fun p (Int) Bool)
            (assert (p 1))
            (assert (forall ((X Int) (Y Int)) (=> (and (p X) (p Y)) (p (+ X Y)))))
            (assert (forall ((X Int)) (=> (and (p X) (< X 0)) false)))";
        let program = crate::horn::read_with_calls(source).product.expect("no mistake in it");
        let kernel = Kernel::new(&program, 0);
        let (found, steps) = from_runs(&program, &kernel.system, A_LOOK, &mut |_| false);
        assert!(found.iter().all(|witnesses| witnesses.states.is_empty()));
        assert_eq!(steps, 0);
    }
}
