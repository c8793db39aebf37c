//! Traces: the rules that one execution has applied, in order (seed 000, section IV, "Trace").
//!
//! A trace comes from running the rules with given inputs ([`Trace::record`]) or from a counterexample that was found before
//! ([`Trace::of_derivation`]). It keeps no state for every step, so that one of millions of steps fits: only what the step
//! does not determine, the inputs, and the states at some visits of loop headers.

use super::loops::Loops;
use crate::evidence::{Derivation, Step};
use crate::execution::{End, Inputs, Machine, Progress};
use crate::rules::{PredicateId, Program, RuleId};
use crate::steps::{TransitionId, Transitions};
use crate::terms::{Assignment, TermId, Terms, Value};
use std::fmt;

/// So many visits of a header are remembered one by one; behind them, one whenever their number has doubled.
const FIRST_VISITS: usize = 48;

/// Derivations that leave out turns are written down as far as that.
const MOST_STEPS: u64 = 3_000_000;

/// One rule application.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// The rule.
    pub rule: RuleId,
    /// The values of the rule's variables that neither the goal nor an equation determines: the inputs.
    pub inputs: Vec<(TermId, Value)>,
    pub(super) transition: TransitionId,
}

/// The state at a visit of a loop header.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    /// The number of steps taken before.
    pub position: usize,
    /// The values of the predicate's parameters.
    pub values: Vec<Value>,
}

/// One execution of a program.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The rules applied, the first of them a query.
    pub steps: Vec<TraceStep>,
    /// How it ended.
    pub end: End,
    pub(super) visits: Vec<Visit>,
}

/// Why something is not a trace of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceError {
    /// The step, from 0.
    pub step: usize,
    /// What is wrong with it.
    pub reason: String,
    /// Whether it is that the values do not determine something, such as a division by zero: then nobody has made a mistake.
    pub is_undetermined: bool,
}

impl fmt::Display for TraceError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "step {} of the trace: {}", self.step + 1, self.reason)
    }
}

impl std::error::Error for TraceError {}

impl Trace {
    /// Runs a program and records what it does, for at most so many steps; `inputs_of` is as for
    /// [`run`](crate::execution::run).
    ///
    /// # Errors
    /// A step that the solved form of its rule does not allow; that is a mistake in this crate.
    pub fn record(
        program: &Program,
        inputs_of: Option<&[Vec<TermId>]>,
        inputs: &mut Inputs<'_>,
        limit: u64,
    ) -> Result<Trace, TraceError> {
        let mut recorder = Recorder::new(program);
        let mut machine = Machine::new(program, inputs_of);
        let mut end = End::StepLimit;
        for _ in 0..limit {
            match machine.step(inputs) {
                Progress::Applied(rule) => {
                    // Asking for the values costs more than the step itself.
                    let values = match recorder.needs_values(rule) {
                        true => machine.values(),
                        false => Vec::new(),
                    };
                    recorder.push(rule, values)?;
                }
                Progress::Ended(reason) => {
                    end = reason;
                    break;
                }
            }
        }
        if machine.predicate() == PredicateId::ERROR {
            end = End::Error;
        }
        Ok(recorder.finish(end))
    }

    /// The trace of a counterexample.
    ///
    /// # Errors
    /// A step that does not fit the program, or too many of them that are not written down.
    pub fn of_derivation(program: &Program, derivation: &Derivation) -> Result<Trace, TraceError> {
        let mut recorder = Recorder::new(program);
        let whole = match derivation.repetitions[..] {
            [] => None,
            _ => derivation.expanded(program, MOST_STEPS),
        };
        if whole.is_none() && !derivation.repetitions.is_empty() {
            let why = format!("it has {} steps, of which a trace is not made", derivation.length());
            return Err(recorder.undetermined(why));
        }
        let derivation = whole.as_ref().unwrap_or(derivation);
        for Step { rule, values } in &derivation.steps {
            if rule.index() >= program.rules().len() {
                return Err(recorder.error("the program does not have the rule"));
            }
            recorder.push(*rule, values.clone())?;
        }
        let last = derivation.steps.last().map(|step| program.rule(step.rule));
        let is_error = last.is_some_and(|rule| rule.body.iter().any(|atom| atom.predicate == PredicateId::ERROR));
        Ok(recorder.finish(if is_error { End::Error } else { End::Ended }))
    }
}

/// Makes a trace step by step.
struct Recorder<'a> {
    program: &'a Program,
    terms: Terms,
    transitions: Transitions,
    /// The transitions that each rule was split into, by its index.
    of_rule: Vec<Vec<TransitionId>>,
    loops: Loops,
    visits_of: Vec<usize>,
    trace: Trace,
}

impl<'a> Recorder<'a> {
    fn new(program: &'a Program) -> Recorder<'a> {
        let mut terms = program.terms.clone();
        let transitions = Transitions::new(program, &mut terms);
        let mut of_rule = vec![Vec::new(); program.rules().len()];
        for index in 0..program.predicates().len() {
            for id in transitions.of(PredicateId::from_index(index)) {
                of_rule[transitions.get(*id).rule.index()].push(*id);
            }
        }
        Recorder {
            program,
            terms,
            transitions,
            of_rule,
            loops: Loops::new(program),
            visits_of: vec![0; program.predicates().len()],
            trace: Trace {
                steps: Vec::new(),
                end: End::Ended,
                visits: Vec::new(),
            },
        }
    }

    fn finish(mut self, end: End) -> Trace {
        self.trace.end = end;
        self.trace
    }

    fn undetermined(&self, reason: String) -> TraceError {
        TraceError {
            step: self.trace.steps.len(),
            reason,
            is_undetermined: true,
        }
    }

    fn error(&self, reason: &str) -> TraceError {
        TraceError {
            step: self.trace.steps.len(),
            reason: reason.to_string(),
            is_undetermined: false,
        }
    }

    fn needs_values(&self, rule: RuleId) -> bool {
        let head = self.program.rule(rule).head.predicate;
        self.is_remembered(head)
            || match self.of_rule[rule.index()][..] {
                [only] => !self.transitions.get(only).locals.is_empty(),
                _ => true,
            }
    }

    fn is_remembered(&self, predicate: PredicateId) -> bool {
        let count = self.visits_of[predicate.index()] + 1;
        self.loops.headed_by(predicate).is_some() && (count <= FIRST_VISITS || count.is_power_of_two())
    }

    fn push(&mut self, rule: RuleId, values: Vec<(TermId, Value)>) -> Result<(), TraceError> {
        let head = &self.program.rule(rule).head;
        let values: Assignment = values.into_iter().collect();
        let needs_values = self.needs_values(rule);
        let mut known = values.clone();
        if needs_values {
            let parameters = &self.program.predicate(head.predicate).parameters;
            for (parameter, argument) in parameters.iter().zip(&head.arguments) {
                let Some(value) = self.terms.evaluate(*argument, &values) else {
                    return Err(TraceError {
                        is_undetermined: true,
                        ..self.error("an argument of the goal has no value")
                    });
                };
                known.insert(*parameter, value);
            }
            if self.is_remembered(head.predicate) {
                let value = |parameter: &TermId| known.get(parameter).cloned();
                self.trace.visits.push(Visit {
                    position: self.trace.steps.len(),
                    values: parameters.iter().filter_map(value).collect(),
                });
            }
        }
        self.visits_of[head.predicate.index()] += 1;
        let possible = &self.of_rule[rule.index()];
        let holds = |id: &TransitionId| {
            let guard = &self.transitions.get(*id).guard;
            guard
                .iter()
                .all(|formula| self.terms.holds(*formula, &known) == Some(true))
        };
        let transition = match possible[..] {
            [only] if !needs_values => Some(only),
            _ => possible.iter().copied().find(holds),
        };
        let Some(transition) = transition else {
            return Err(self.error("the rule's constraint does not hold"));
        };
        let locals = &self.transitions.get(transition).locals;
        let inputs = locals
            .iter()
            .filter_map(|local| Some((*local, known.get(local)?.clone())));
        let inputs = inputs.collect();
        self.trace.steps.push(TraceStep {
            rule,
            inputs,
            transition,
        });
        Ok(())
    }
}
