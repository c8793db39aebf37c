//! Cycles of the flowgraph (seed 002, Definition 1 and Appendix A): a core, which is a path from a location back to it that
//! meets no other location twice, and the edges that leave it.
//!
//! A loop of a program can have exponentially many cores. Only the feasible ones are of use (Algorithm 1, line 2), so the
//! enumeration asks the solver about every prefix and goes on only where there is a way on. Entries are the targets of back
//! edges: every cycle passes through one.

use super::context::{Context, Executed};
use super::solve::Satisfiability;
use super::state::Location;
use crate::engine::transition::TransitionId;
use crate::rules::PredicateId;

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
    let mut cores: Vec<Vec<TransitionId>> = Vec::new();
    let mut found = 0;
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
            for step in context.transitions.of(end).to_vec() {
                let Location::Predicate(next) = context.target(step) else {
                    continue;
                };
                let closes = next == entry;
                let meets_again = prefix
                    .iter()
                    .any(|edge| context.target(*edge) == Location::Predicate(next));
                if !context.graph.same_loop(entry, next) || (!closes && meets_again) {
                    continue;
                }
                looked_at += 1;
                if looked_at > MOST_PREFIXES || cores.len() >= MOST_CYCLES || context.should_stop() {
                    return (with_exits(context, entry, cores), found);
                }
                let mut path = prefix.clone();
                path.push(step);
                found += usize::from(closes);
                if !is_feasible(context, entry, &path) {
                    continue;
                }
                if closes {
                    cores.push(path);
                } else {
                    longer.push(path);
                }
            }
        }
        level = longer;
    }
    (with_exits(context, entry, cores), found)
}

fn is_feasible(context: &mut Context, entry: PredicateId, path: &[TransitionId]) -> bool {
    let executed = context.execute_path(entry, path, &mut str::to_string);
    guards_are_satisfiable(context, &executed) == Answered::Yes
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

fn with_exits(context: &Context, entry: PredicateId, cores: Vec<Vec<TransitionId>>) -> Vec<Cycle> {
    let exits = |core: &[TransitionId]| {
        let mut exits = Vec::new();
        for (position, edge) in core.iter().enumerate() {
            let others = context.transitions.of(context.source(*edge)).iter();
            exits.extend(others.filter(|other| *other != edge).map(|other| (position, *other)));
        }
        exits
    };
    cores
        .into_iter()
        .map(|core| Cycle {
            entry,
            exits: exits(&core),
            core,
        })
        .collect()
}
