//! The states of all blocks: from the entry along all edges until nothing changes, with widening where a loop starts and two
//! passes afterwards that win back what widening gave away.

use super::super::flat::{FlatBlockId, FlatProgram, FlatTerminator};
use super::super::flow::Flow;
use super::{Interval, Ranges, State};
use im::ordmap::DiffItem;
use num_bigint::BigInt;
use num_traits::One;
use std::collections::BTreeSet;

/// A loop header is visited so often before bounds jump to the next constant of the program.
const VISITS_BEFORE_THRESHOLDS: u32 = 3;
/// And so often before they jump to the bounds of the type.
const VISITS_BEFORE_ALL: u32 = 12;
/// More constants than these are not used as thresholds.
const THRESHOLD_LIMIT: usize = 400;

/// What is known where each block starts; `None` for blocks that no run reaches.
pub(crate) fn block_states(ranges: &Ranges<'_>, program: &FlatProgram, flow: &Flow) -> Vec<Option<State>> {
    let thresholds = thresholds(program);
    let mut states: Vec<Option<State>> = vec![None; program.blocks.len()];
    if let Some(entry) = states.first_mut() {
        *entry = Some(State::default());
    }
    let mut visits = vec![0u32; program.blocks.len()];
    let mut waiting: BTreeSet<usize> = BTreeSet::from([0]);
    while let Some(position) = waiting.pop_first() {
        let Some(block) = flow.order().get(position).copied() else {
            continue;
        };
        let Some(state) = states[block.0 as usize].clone() else {
            continue;
        };
        for (successor, next) in leaving(ranges, program, block, state) {
            let target = successor.0 as usize;
            let joined = match &states[target] {
                None => next,
                Some(known) => {
                    let joined = ranges.join(known, &next);
                    if joined == *known {
                        continue;
                    }
                    if flow.is_loop_header(successor) {
                        visits[target] += 1;
                        widen(ranges, known, &joined, visits[target], &thresholds)
                    } else {
                        joined
                    }
                }
            };
            states[target] = Some(joined);
            waiting.extend(flow.position(successor));
        }
    }
    for _ in 0..2 {
        narrow(ranges, program, flow, &mut states);
    }
    states
}

/// Where a block leads, and what is known there.
fn leaving(ranges: &Ranges<'_>, program: &FlatProgram, block: FlatBlockId, state: State) -> Vec<(FlatBlockId, State)> {
    let block = &program.blocks[block.0 as usize];
    let mut state = Some(state);
    for instruction in &block.instructions {
        state = state.and_then(|state| ranges.after(state, &instruction.kind));
    }
    let Some(state) = state else {
        return Vec::new();
    };
    match &block.terminator {
        FlatTerminator::Goto(next) => vec![(*next, state)],
        FlatTerminator::Branch {
            condition,
            then,
            otherwise,
        } => [(*then, true), (*otherwise, false)]
            .into_iter()
            .filter_map(|(next, holds)| Some((next, ranges.refine(&state, condition, holds)?)))
            .collect(),
        FlatTerminator::Stop | FlatTerminator::Error(_) => Vec::new(),
    }
}

fn widen(ranges: &Ranges<'_>, before: &State, joined: &State, visits: u32, thresholds: &[BigInt]) -> State {
    if visits <= VISITS_BEFORE_THRESHOLDS {
        return joined.clone();
    }
    let mut widened = joined.clone();
    for difference in before.known.diff(&joined.known) {
        let DiffItem::Update {
            old: (_, old),
            new: (variable, interval),
        } = difference
        else {
            continue;
        };
        let jump = visits <= VISITS_BEFORE_ALL;
        let low = match old.low == interval.low {
            true => interval.low.clone(),
            false => interval.low.as_ref().filter(|_| jump).and_then(|low| {
                let position = thresholds.partition_point(|threshold| threshold <= low);
                thresholds.get(position.checked_sub(1)?).cloned()
            }),
        };
        let high = match old.high == interval.high {
            true => interval.high.clone(),
            false => interval.high.as_ref().filter(|_| jump).and_then(|high| {
                let position = thresholds.partition_point(|threshold| threshold < high);
                thresholds.get(position).cloned()
            }),
        };
        ranges.set(&mut widened, *variable, Interval { low, high });
    }
    widened
}

/// Computes every block's state once more from those of the blocks before it. It can only get smaller, and stays true.
fn narrow(ranges: &Ranges<'_>, program: &FlatProgram, flow: &Flow, states: &mut [Option<State>]) {
    let mut incoming: Vec<Option<State>> = vec![None; states.len()];
    if let Some(entry) = incoming.first_mut() {
        *entry = Some(State::default());
    }
    for block in flow.order() {
        if let Some(state) = states[block.0 as usize].clone() {
            for (next, state) in leaving(ranges, program, *block, state) {
                let joined = &mut incoming[next.0 as usize];
                *joined = Some(match joined.take() {
                    Some(known) => ranges.join(&known, &state),
                    None => state,
                });
            }
        }
    }
    states.clone_from_slice(&incoming);
}

/// The constants of the program and their neighbours, where loops are likely to end.
fn thresholds(program: &FlatProgram) -> Vec<BigInt> {
    let mut found: BTreeSet<BigInt> = BTreeSet::new();
    program.for_each_expression(&mut |expression| {
        if found.len() < THRESHOLD_LIMIT
            && let super::super::program::ExpressionKind::Integer(value) = &expression.kind
        {
            found.extend([value - BigInt::one(), value.clone(), value + BigInt::one()]);
        }
    });
    found.into_iter().collect()
}
