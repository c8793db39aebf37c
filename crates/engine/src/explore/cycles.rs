//! Cycles of the flowgraph (seed 002, Definition 1 and Appendix A): a core, which is a path from a location back to it that
//! meets no other location twice, and the edges that leave it.
//!
//! A loop of a program can have exponentially many cores. Only the feasible ones are of use (Algorithm 1, line 2), so the
//! enumeration asks the solver about every prefix and goes on only where there is a way on. Entries are the targets of back
//! edges: every cycle passes through one.

use super::context::{Context, Executed};
use super::solve::Satisfiability;
use super::state::Location;
use crate::rules::PredicateId;
use crate::steps::TransitionId;

/// At most so many cycles are kept for an entry.
const MOST_CYCLES: usize = 24;
/// At most so many prefixes are looked at for an entry.
const MOST_PREFIXES: usize = 2000;

/// A cycle.
#[derive(Clone, Debug)]
pub(super) struct Cycle {
    /// Where it begins and ends.
    pub entry: PredicateId,
    /// The core: the edges of the cyclic path.
    pub core: Vec<TransitionId>,
    /// The edges that leave it: how many edges of the core are taken before, and the edge.
    pub exits: Vec<(usize, TransitionId)>,
}

/// The cycles of an entry that are feasible, shortest first, and how many were found at all.
pub(super) fn cycles(context: &mut Context, entry: PredicateId) -> (Vec<Cycle>, usize) {
    let found = enumerate_cycles(context, entry, None);
    (with_exits(context, entry, found.cores), found.count)
}

/// The cycles of an entry that do not meet a location; nothing if there may be more of them.
pub(super) fn cycles_avoiding(context: &mut Context, entry: PredicateId, avoided: PredicateId) -> Option<Vec<Cycle>> {
    let found = enumerate_cycles(context, entry, Some(avoided));
    found.is_complete.then(|| with_exits(context, entry, found.cores))
}

/// What an enumeration of cores has found.
struct Enumerated {
    cores: Vec<Vec<TransitionId>>,
    /// How many there are, feasible or not.
    count: usize,
    /// Whether no limit was reached, and the solver has decided every prefix.
    is_complete: bool,
}

fn enumerate_cycles(context: &mut Context, entry: PredicateId, avoided: Option<PredicateId>) -> Enumerated {
    let mut found = Enumerated {
        cores: Vec::new(),
        count: 0,
        is_complete: true,
    };
    let mut level: Vec<Vec<TransitionId>> = vec![Vec::new()];
    let mut looked_at = 0;
    // Level by level, so that the limits leave the shortest ones.
    while !level.is_empty() {
        let mut longer = Vec::new();
        for prefix in level {
            let end = match prefix.last().map(|last| context.target(*last)) {
                None => entry,
                Some(Location::Predicate(predicate)) => predicate,
                Some(_) => continue,
            };
            let steps = match avoided {
                None => context.steps_within(entry, end),
                Some(_) => context.transitions.of(end).to_vec(),
            };
            for step in steps {
                let Location::Predicate(next) = context.target(step) else {
                    continue;
                };
                let closes = next == entry;
                let meets_again = prefix
                    .iter()
                    .any(|edge| context.target(*edge) == Location::Predicate(next));
                let is_avoided = avoided == Some(next);
                if !context.graph.same_loop(entry, next) || is_avoided || (!closes && meets_again) {
                    continue;
                }
                looked_at += 1;
                if looked_at > MOST_PREFIXES || found.cores.len() >= MOST_CYCLES || context.should_stop() {
                    found.is_complete = false;
                    return found;
                }
                let mut path = prefix.clone();
                path.push(step);
                found.count += usize::from(closes);
                let executed = context.execute_path(entry, &path, &mut str::to_string);
                match guards_are_satisfiable(context, &executed) {
                    Answered::Yes if closes => found.cores.push(path),
                    Answered::Yes => longer.push(path),
                    Answered::No => {}
                    Answered::Unknown => found.is_complete = false,
                }
            }
        }
        level = longer;
    }
    found
}

/// What is known of a path's feasibility.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answered {
    Yes,
    No,
    Unknown,
}

/// Whether a path can be taken from some values of the parameters.
pub(super) fn guards_are_satisfiable(context: &mut Context, executed: &Executed) -> Answered {
    match context.satisfiable(&executed.guards, &[]) {
        Satisfiability::Satisfiable(_) => Answered::Yes,
        Satisfiability::Unsatisfiable => Answered::No,
        Satisfiability::Unknown => Answered::Unknown,
    }
}

fn with_exits(context: &mut Context, entry: PredicateId, cores: Vec<Vec<TransitionId>>) -> Vec<Cycle> {
    let mut cycles = Vec::with_capacity(cores.len());
    for core in cores {
        let mut exits = Vec::new();
        for (position, edge) in core.iter().enumerate() {
            let source = context.source(*edge);
            let others = match context.summaries.contains_key(edge) {
                true => context.steps_within(entry, source),
                false => context.transitions.of(source).to_vec(),
            };
            exits.extend(
                others
                    .into_iter()
                    .filter(|other| other != edge)
                    .map(|other| (position, other)),
            );
        }
        cycles.push(Cycle { entry, core, exits });
    }
    cycles
}
