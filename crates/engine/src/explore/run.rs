//! From a node and a solution of its path condition to the run it stands for: rule by rule, every iteration of every template,
//! with values for all variables, by evaluation.

use super::context::{Context, Symbols};
use super::search::{Edge, Node};
use super::summaries::Summary;
use super::template::{AppliedPhase, Phase};
use crate::evidence::{Derivation, Repetition};
use crate::leaps::{goal_after, later_turn};
use crate::steps::taken::step_at;
use crate::steps::{Target, TransitionId};
use crate::terms::{Assignment, Rational, TermId, Value};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

/// Longer runs are not written down.
const LONGEST_RUN: u64 = 3_000_000;

/// So many turns of a loop are all written down.
const LEAST_LEFT_OUT: u64 = 50;

/// How many steps pass between two looks at the limits.
const STEPS_BETWEEN_LOOKS: usize = 256;

/// The run to a node under a solution of its path condition; nothing if it is too long, or a limit is reached.
pub(super) fn run_to(context: &Context, nodes: &[Node], node: usize, solution: &Assignment) -> Option<Derivation> {
    let mut path = Vec::new();
    let mut current = Some(node);
    while let Some(position) = current {
        path.push(&nodes[position].edge);
        current = nodes[position].parent;
    }
    let mut run = Run {
        context,
        solution,
        written: Derivation::new(Vec::new()),
        point: Assignment::new(),
    };
    for edge in path.into_iter().rev() {
        match edge {
            Edge::Root | Edge::Fixed => {}
            Edge::Step(transition, symbols) => run.take_with_symbols(*transition, symbols)?,
            Edge::Template(template, way, application) => {
                for (phase, applied) in template.phases.iter().zip(&application.phases) {
                    run.go_through(phase, applied)?;
                }
                for (transition, symbols) in template.exits.get(*way)?.path.iter().zip(&application.symbols) {
                    run.take_with_symbols(*transition, symbols)?;
                }
            }
        }
    }
    Some(run.written)
}

struct Run<'r, 'a> {
    context: &'r Context<'a>,
    solution: &'r Assignment,
    written: Derivation,
    /// Values of the current predicate's parameters.
    point: Assignment,
}

impl Run<'_, '_> {
    /// Every iteration of a phase of a template.
    fn go_through(&mut self, phase: &Phase, applied: &AppliedPhase) -> Option<()> {
        let solution = self.solution;
        let iterations = match solution.get(&applied.counter) {
            Some(Value::Number(number)) => number.to_integer(),
            _ => BigInt::zero(),
        };
        let count = iterations.to_u64().unwrap_or(0);
        if let [core] = &phase.cores[..]
            && applied.inputs.is_empty()
        {
            return self.repeat(core, count);
        }
        let longest = phase.cores.iter().map(Vec::len).max().unwrap_or(0);
        if count.saturating_mul(longest as u64) > LONGEST_RUN {
            return None;
        }
        let choice = applied.choice.and_then(|choice| solution.get(&choice));
        for iteration in 0..count {
            let index = Value::Number(Rational::from_integer(iteration.into()));
            let core = match choice {
                Some(Value::Array(array)) => match array.get(&index) {
                    Value::Number(number) => number.to_integer().to_usize()?,
                    _ => return None,
                },
                _ => 0,
            };
            for (step, transition) in phase.cores.get(core)?.iter().enumerate() {
                let inputs = applied.inputs.iter();
                let inputs = inputs.filter(|input| input.core == core && input.step == step);
                let values: Vec<(TermId, Value)> = inputs
                    .filter_map(|input| match solution.get(&input.array) {
                        Some(Value::Array(array)) => Some((input.local, array.get(&index).clone())),
                        _ => None,
                    })
                    .collect();
                self.apply(*transition, values)?;
            }
        }
        Some(())
    }

    /// The same transitions so many times, with nothing read. Of many even turns only the first and the last are written down.
    fn repeat(&mut self, core: &[TransitionId], count: u64) -> Option<()> {
        let start = self.written.steps.len();
        let mut turn = 0;
        while turn < count {
            if turn == 2 && count > LEAST_LEFT_OUT && self.leave_out(start, count).is_some() {
                return Some(());
            }
            if count.saturating_mul(core.len() as u64) > LONGEST_RUN && turn == 2 {
                return None;
            }
            for transition in core {
                self.apply(*transition, Vec::new())?;
            }
            turn += 1;
        }
        Some(())
    }

    /// Goes on to the last of so many turns, two of which have been written down from a step on.
    fn leave_out(&mut self, start: usize, count: u64) -> Option<()> {
        let program = self.context.program;
        let length = (self.written.steps.len() - start) / 2;
        let is_left_out = self.written.repetitions.last().is_some_and(|other| other.at > start);
        if is_left_out || self.written.steps.len() - start != 2 * length {
            return None;
        }
        let (first, second) = self.written.steps[start..].split_at(length);
        let last = later_turn(program, first, second, count - 1)?;
        let (predicate, arguments) = goal_after(program, last.last()?)?;
        self.written.steps.truncate(start + length);
        self.written.steps.extend(last);
        self.written.repetitions.push(Repetition {
            at: start + length,
            length,
            times: count - 2,
        });
        for (parameter, value) in self.context.parameters(predicate).iter().zip(arguments) {
            self.point.insert(*parameter, value);
        }
        Some(())
    }

    fn take_with_symbols(&mut self, transition: TransitionId, symbols: &Symbols) -> Option<()> {
        let values = symbols
            .iter()
            .filter_map(|(local, symbol)| Some((*local, self.solution.get(symbol)?.clone())));
        let values = values.collect();
        self.apply(transition, values)
    }

    /// Goes through an inner loop that is a single step of an outer one.
    fn go_round(&mut self, summary: &Summary) -> Option<()> {
        let count = match self.context.terms.evaluate(summary.count, &self.point)? {
            Value::Number(number) => number.to_integer().to_u64()?,
            _ => return None,
        };
        self.repeat(&summary.core, count)?;
        for transition in &summary.path {
            self.apply(*transition, Vec::new())?;
        }
        Some(())
    }

    /// Applies a transition, with values for its own variables; those that have none may have any.
    fn apply(&mut self, transition: TransitionId, values: Vec<(TermId, Value)>) -> Option<()> {
        if let Some(summary) = self.context.summaries.get(&transition) {
            return self.go_round(summary);
        }
        if self.written.steps.len() as u64 > LONGEST_RUN {
            return None;
        }
        if self.written.steps.len().is_multiple_of(STEPS_BETWEEN_LOOKS) && self.context.budget.interruption().is_some()
        {
            return None;
        }
        let terms = &self.context.terms;
        let transition = self.context.transition(transition);
        let program = self.context.program;
        let mut point = std::mem::take(&mut self.point);
        for local in &transition.locals {
            point.insert(*local, terms.default_value(terms.sort(*local)));
        }
        point.extend(values);
        self.written.steps.push(step_at(program, terms, &transition, &point)?);
        if let Target::Goal(target) = transition.target {
            let parameters = self.context.parameters(target);
            for (parameter, update) in parameters.iter().zip(&transition.updates) {
                self.point.insert(*parameter, terms.evaluate(*update, &point)?);
            }
        }
        Some(())
    }
}
