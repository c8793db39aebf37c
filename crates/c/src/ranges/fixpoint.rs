//! The states of all blocks: from the entry along all edges until nothing changes, with widening where a loop starts and two
//! passes afterwards that win back what widening gave away. Calls lead into what they call; behind them, what that may change
//! is what it may be at any of its returns.

use super::super::flat::{FlatBlockId, FlatProgram, FlatTerminator};
use super::super::flow::Flow;
use super::super::liveness::{Everything, VariableSet, live_at_start};
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

/// What is known where.
#[derive(Clone, Debug)]
pub(crate) struct States {
    /// Where each block starts; `None` for blocks that no run reaches.
    pub at: Vec<Option<State>>,
    /// Where each procedure returns; `None` for those that never do.
    returned: Vec<Option<State>>,
}

impl States {
    /// What is known behind a call of a procedure, from what is known before; `None` if it never returns.
    pub fn behind_call(&self, ranges: &Ranges<'_>, flow: &Flow, procedure: usize, before: &State) -> Option<State> {
        behind_call(ranges, flow, procedure, before, &self.returned)
    }
}

fn behind_call(
    ranges: &Ranges<'_>,
    flow: &Flow,
    procedure: usize,
    before: &State,
    returned: &[Option<State>],
) -> Option<State> {
    let returned = returned[procedure].as_ref()?;
    let mut state = before.clone();
    // Little is known where a call is and where it returns, however many variables of its own a procedure has.
    let changes = &flow.procedures.all[procedure].changes;
    for variable in before.known.keys().filter(|variable| changes.contains(**variable)) {
        state.known.remove(variable);
    }
    for (variable, interval) in &returned.known {
        if changes.contains(*variable) {
            ranges.set(&mut state, *variable, interval.clone());
        }
    }
    Some(state)
}

/// What is known where each block starts, and where procedures return.
pub(crate) fn block_states(ranges: &Ranges<'_>, program: &FlatProgram, flow: &Flow) -> States {
    let thresholds = thresholds(program);
    // Of what nobody reads any more nothing need be known; there is much of that where many calls have been replaced.
    let everything = Everything {
        observed: &|_, _| true,
        at_the_end: None,
    };
    let live = live_at_start(program, flow, &everything);
    let mut returned: Vec<Option<State>> = vec![None; flow.procedures.all.len()];
    let mut visits_of_returns = vec![0u32; returned.len()];
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
        let (edges, at_return) = leaving(ranges, program, flow, block, state, &returned);
        if let (Some(state), Some(procedure)) = (at_return, flow.procedures.of_block(block)) {
            let next = match &returned[procedure] {
                None => Some(state),
                Some(known) => ranges.widened_by(known, &state).map(|joined| {
                    visits_of_returns[procedure] += 1;
                    widen(ranges, known, &joined, visits_of_returns[procedure], &thresholds)
                }),
            };
            if let Some(next) = next {
                returned[procedure] = Some(next);
                let calls = flow.procedures.all[procedure].calls.iter();
                waiting.extend(calls.filter_map(|(block, _)| flow.position(*block)));
            }
        }
        for (successor, mut next) in edges {
            let target = successor.0 as usize;
            next.forget_all_but(&live[target]);
            let joined = match &states[target] {
                None => next,
                Some(known) => {
                    let Some(joined) = ranges.widened_by(known, &next) else {
                        continue;
                    };
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
        narrow(ranges, program, flow, &live, &mut states, &returned);
    }
    States { at: states, returned }
}

/// Where a block leads, and what is known there; and what is known where it returns, if it does.
fn leaving(
    ranges: &Ranges<'_>,
    program: &FlatProgram,
    flow: &Flow,
    block: FlatBlockId,
    state: State,
    returned: &[Option<State>],
) -> (Vec<(FlatBlockId, State)>, Option<State>) {
    let block = &program.blocks[block.0 as usize];
    let mut state = Some(state);
    for instruction in &block.instructions {
        state = state.and_then(|state| ranges.after(state, &instruction.kind));
    }
    let Some(state) = state else {
        return (Vec::new(), None);
    };
    let edges = match &block.terminator {
        FlatTerminator::Return => return (Vec::new(), Some(state)),
        FlatTerminator::Call { entry, after } => {
            let behind = flow.procedures.at(*entry);
            let behind = behind.and_then(|procedure| behind_call(ranges, flow, procedure, &state, returned));
            let mut edges = vec![(*entry, ranges.in_new_activation(&state))];
            edges.extend(behind.map(|state| (*after, state)));
            edges
        }
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
    };
    (edges, None)
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
fn narrow(
    ranges: &Ranges<'_>,
    program: &FlatProgram,
    flow: &Flow,
    live: &[VariableSet],
    states: &mut [Option<State>],
    returned: &[Option<State>],
) {
    let mut incoming: Vec<Option<State>> = vec![None; states.len()];
    if let Some(entry) = incoming.first_mut() {
        *entry = Some(State::default());
    }
    for block in flow.order() {
        if let Some(state) = states[block.0 as usize].clone() {
            for (next, mut state) in leaving(ranges, program, flow, *block, state, returned).0 {
                state.forget_all_but(&live[next.0 as usize]);
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
