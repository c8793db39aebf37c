//! Which values variables may have: an interval for each variable at each block, found by abstract interpretation.
//!
//! `interval` is the domain, `expressions` evaluates in it, `conditions` draws from a condition what it says of variables,
//! `fixpoint` goes through the graph until nothing changes any more. What is found serves to leave out needless wraps,
//! conversions and guards, to decide branches, and to know signs.
//!
//! Signed operations are taken to stay in their type, and signed variables too: a run in which they do not has no
//! defined behaviour, and what the rules make of it does not matter. That is so only as long as the rules still say where
//! such a run ends. What is decided before slicing rests on [`Ranges::without_trust`], for what a decision makes needless
//! is sliced away, and its undefined behaviour with it.

mod conditions;
mod expressions;
mod fixpoint;
mod interval;

pub(crate) use fixpoint::{States, block_states};
pub(crate) use interval::{Interval, Relation};

use super::flat::{FlatInstructionKind, FlatVariable, VariableInfo};
use super::liveness::VariableSet;
use super::options::Arithmetic;
use super::program::{Effect, Numeric};
use im::ordmap::DiffItem;

/// What is known of the variables at one place. A variable without an entry has any value of its type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct State {
    known: im::OrdMap<FlatVariable, Interval>,
}

impl State {
    /// Forgets what is known of all other variables.
    fn forget_all_but(&mut self, kept: &VariableSet) {
        let others = self.known.keys().filter(|variable| !kept.contains(**variable));
        let others: Vec<FlatVariable> = others.copied().collect();
        for variable in others {
            self.known.remove(&variable);
        }
    }
}

/// What ranges depend on beside the state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranges<'p> {
    variables: &'p [VariableInfo],
    arithmetic: Arithmetic,
    /// Whether every operation is taken to be defined.
    is_trusting: bool,
}

impl<'p> Ranges<'p> {
    /// Ranges of these variables.
    pub fn new(variables: &'p [VariableInfo], arithmetic: Arithmetic) -> Ranges<'p> {
        Ranges {
            variables,
            arithmetic,
            is_trusting: true,
        }
    }

    /// The same, but an operation that may be undefined has any value of its type, and indices may be out of bounds.
    pub fn without_trust(self) -> Ranges<'p> {
        Ranges {
            is_trusting: false,
            ..self
        }
    }

    /// What integers are.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// What is known of a variable.
    pub fn variable(&self, variable: FlatVariable) -> &'p VariableInfo {
        &self.variables[variable.0 as usize]
    }

    /// All values of a kind of numbers.
    pub fn of_numeric(&self, numeric: Numeric) -> Interval {
        match numeric {
            Numeric::Integer(kind) if kind.bits == 1 || self.arithmetic.is_machine() => Interval::of_type(kind),
            _ => Interval::all(),
        }
    }

    /// The values of a scalar, or of the elements of an array.
    pub fn get(&self, state: &State, variable: FlatVariable) -> Interval {
        match state.known.get(&variable) {
            Some(interval) => interval.clone(),
            None => self.of_numeric(self.variable(variable).numeric),
        }
    }

    /// Sets the values of a variable.
    pub fn set(&self, state: &mut State, variable: FlatVariable, interval: Interval) {
        let all = self.of_numeric(self.variable(variable).numeric);
        // Undefined behaviour may leave nothing; then anything may be said.
        match interval.meet(&all) {
            Some(interval) if interval != all => {
                state.known.insert(variable, interval);
            }
            _ => {
                state.known.remove(&variable);
            }
        }
    }

    /// The state after an instruction; `None` if no run gets past it.
    pub fn after(&self, mut state: State, instruction: &FlatInstructionKind) -> Option<State> {
        match instruction {
            FlatInstructionKind::Assign(variable, value) => {
                let interval = self.evaluate(value, &state);
                self.set(&mut state, *variable, interval);
            }
            FlatInstructionKind::Store { array, value, .. } => {
                let interval = self.get(&state, *array).join(&self.evaluate(value, &state));
                self.set(&mut state, *array, interval);
            }
            FlatInstructionKind::CopyArray { target, source } => {
                let interval = self.get(&state, *source);
                self.set(&mut state, *target, interval);
            }
            FlatInstructionKind::Fill { array, value } => {
                let interval = self.evaluate(value, &state);
                self.set(&mut state, *array, interval);
            }
            FlatInstructionKind::Unknown(variable, _) => {
                state.known.remove(variable);
            }
            FlatInstructionKind::Defined(_) if !self.is_trusting => {}
            FlatInstructionKind::Assume(condition) | FlatInstructionKind::Defined(condition) => {
                return self.refine(&state, condition, true);
            }
            FlatInstructionKind::Print(_) => {}
            FlatInstructionKind::Unsupported { effect, .. } => match effect {
                Effect::Changes(changes) => {
                    for variable in changes {
                        state.known.remove(variable);
                    }
                }
                Effect::Anything => state.known.clear(),
            },
        }
        Some(state)
    }

    /// What is known where a procedure starts that is called in a state: nothing of the variables that each activation has
    /// for itself.
    pub fn in_new_activation(&self, state: &State) -> State {
        let mut next = state.clone();
        for variable in state.known.keys() {
            if self.variable(*variable).activation.is_some() {
                next.known.remove(variable);
            }
        }
        next
    }

    /// What holds in either state.
    pub fn join(&self, first: &State, second: &State) -> State {
        self.widened_by(first, second).unwrap_or_else(|| first.clone())
    }

    /// What holds in either state; `None` if that is the first one. Comparing the two would look at all variables.
    pub fn widened_by(&self, first: &State, second: &State) -> Option<State> {
        let mut joined = first.clone();
        let mut is_changed = false;
        // What the two share is not looked at.
        for difference in first.known.diff(&second.known) {
            match difference {
                DiffItem::Update {
                    old: (variable, interval),
                    new: (_, other),
                } => {
                    let both = interval.join(other);
                    if both != *interval {
                        is_changed = true;
                        self.set(&mut joined, *variable, both);
                    }
                }
                DiffItem::Remove(variable, _) => {
                    is_changed = true;
                    joined.known.remove(variable);
                }
                DiffItem::Add(..) => {}
            }
        }
        is_changed.then_some(joined)
    }
}
