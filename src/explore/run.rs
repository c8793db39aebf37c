//! From a node and a solution of its path condition to the run it stands for: rule by rule, every iteration of every template,
//! with values for all variables, by evaluation.

use super::context::{Context, Symbols};
use super::search::{Edge, Node};
use super::summaries::Summary;
use super::template::{AppliedPhase, Phase};
use crate::evidence::{Derivation, Step};
use crate::steps::taken::step_at;
use crate::steps::{Target, TransitionId};
use crate::terms::{Assignment, Rational, TermId, Value};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

/// Longer runs are not written down.
const LONGEST_RUN: u64 = 3_000_000;

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
        steps: Vec::new(),
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
    Some(Derivation { steps: run.steps })
}

struct Run<'r, 'a> {
    context: &'r Context<'a>,
    solution: &'r Assignment,
    steps: Vec<Step>,
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
        for _ in 0..count {
            for transition in &summary.core {
                self.apply(*transition, Vec::new())?;
            }
        }
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
        if self.steps.len() as u64 > LONGEST_RUN {
            return None;
        }
        if self.steps.len().is_multiple_of(STEPS_BETWEEN_LOOKS) && self.context.budget.interruption().is_some() {
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
        self.steps.push(step_at(program, terms, &transition, &point)?);
        if let Target::Goal(target) = transition.target {
            let parameters = self.context.parameters(target);
            for (parameter, update) in parameters.iter().zip(&transition.updates) {
                self.point.insert(*parameter, terms.evaluate(*update, &point)?);
            }
        }
        Some(())
    }
}
