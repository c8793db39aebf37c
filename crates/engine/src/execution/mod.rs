//! Execution: runs rules with given inputs, by evaluation alone. There is no engine and no solver in it.
//!
//! A [`Machine`] stands at a goal with values for all arguments and takes one rule after another: the first whose
//! constraint is true. Variables of a rule that the goal does not determine are found by its equations, as far as these have
//! one unknown each; the others are *inputs* and get the values that the caller has for them. So a counterexample can be
//! run again on other rules for the same program, and rules can be compared with what a compiled program does.
//!
//! ```
//! # use clausal_engine as clausal;
//! use clausal::execution::{End, run};
//! use clausal::terms::{Rational, Value};
//!
//! let source = "
//!     ?- account(0).
//!     account(Balance) :- Amount > 0, account(Balance + Amount).
//!     account(Balance) :- Balance > 5, error.";
//! let program = clausal::clp::read(source).product.expect("no mistake in it");
//! let number = |value: i64| Value::Number(Rational::from_integer(value.into()));
//! // Two payments; for the third there is a value that no rule accepts, so that the second rule is taken.
//! let inputs = [number(4), number(2), number(0)];
//! let finished = run(&program, None, &mut |request| inputs.get(request.position?).cloned(), 1000);
//! assert_eq!(finished.end, End::Error);
//! assert!(clausal::evidence::replay(&program, &finished.derivation).is_ok());
//! ```

mod all_runs;
mod cell;
mod evaluation;
mod few_inputs;
mod input_values;
mod plan;
mod random_runs;
mod stated_bounds;
#[cfg(test)]
mod tests;
mod waiting;

use crate::rules::{Derivation, PredicateId, Program, RuleId, Step};
use crate::terms::{TermId, Value};
pub(crate) use all_runs::{Reading, RunLimits, Unfinished, all_runs, inputs_of_error};
use cell::Cell;
use evaluation::{Missing, compute, read};
pub(crate) use input_values::InputValues;
use plan::{Instruction, Operand, Plan};
pub(crate) use random_runs::{Extent, visited_states};

/// A question for the next input. The answer must be of the variable's sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// The number of inputs that the run has consumed before this one. `None` if the inputs were named, this variable is not
    /// among them, and nothing determines it either: any value will do, and nothing is consumed.
    pub position: Option<usize>,
    /// The rule that reads it. All rules of a goal ask from the same position on, and only what the one that is taken has
    /// asked for is consumed: the answer must not depend on what was asked before.
    pub rule: RuleId,
    /// The rule's variable.
    pub variable: TermId,
}

/// Where inputs come from; `None` when there are no more.
pub type Inputs<'a> = dyn FnMut(&Request) -> Option<Value> + 'a;

/// How a run has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// In the error.
    Error,
    /// By a rule without a body, or at a goal that no rule applies to.
    Ended,
    /// At a goal where no rule is known to apply, but one could not be evaluated; the text says why.
    Stuck(String),
    /// At a goal where the rules that could apply need more inputs than there are.
    OutOfInputs,
    /// Not at all; the limit of steps is reached.
    StepLimit,
}

/// What [`Machine::step`] did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Progress {
    /// It applied the rule.
    Applied(RuleId),
    /// Nothing: the run has ended.
    Ended(End),
}

/// A run that is over.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub end: End,
    /// The rules taken, with values for all their variables. If the run ended in the error, this is the evidence.
    pub derivation: Derivation,
}

/// Runs a program from its queries, for at most so many steps. `inputs_of` names the inputs of each rule, by the rule's
/// index, in the order in which they are read; without it, every variable that no equation determines is one.
pub fn run(program: &Program, inputs_of: Option<&[Vec<TermId>]>, inputs: &mut Inputs<'_>, limit: u64) -> Finished {
    let mut machine = Machine::new(program, inputs_of);
    let mut derivation = Derivation::new(Vec::new());
    for _ in 0..limit {
        match machine.step(inputs) {
            Progress::Applied(rule) => derivation.steps.push(Step {
                rule,
                values: machine.values(),
            }),
            Progress::Ended(end) => return Finished { end, derivation },
        }
    }
    Finished {
        // The last step may just have reached it.
        end: match machine.predicate() {
            PredicateId::ERROR => End::Error,
            _ => End::StepLimit,
        },
        derivation,
    }
}

/// A program at a goal.
pub struct Machine<'a> {
    program: &'a Program,
    plans: Vec<Plan>,
    predicate: PredicateId,
    /// The goal's arguments.
    arguments: Vec<Cell>,
    /// Those of the goal before, which the variables of the rule applied last may refer to.
    previous: Vec<Cell>,
    slots: Vec<Cell>,
    applied: Option<RuleId>,
    ended: bool,
    consumed: usize,
    /// How many instructions have been followed, those of rules that were not taken included.
    followed: u64,
}

/// Why a rule is not taken.
enum Refusal {
    Fails,
    Unclear(String),
    NoInput,
}

impl<'a> Machine<'a> {
    /// A machine before its first step; `inputs_of` is as for [`run`].
    pub fn new(program: &'a Program, inputs_of: Option<&[Vec<TermId>]>) -> Machine<'a> {
        let plan = |(index, rule)| {
            let inputs = inputs_of.map(|table| table.get(index).map_or(&[][..], Vec::as_slice));
            Plan::new(&program.terms, rule, inputs)
        };
        let plans: Vec<Plan> = program.rules().iter().enumerate().map(plan).collect();
        let slots = plans.iter().map(|plan| plan.slots).max().unwrap_or(0);
        Machine {
            program,
            plans,
            predicate: PredicateId::QUERY,
            arguments: Vec::new(),
            previous: Vec::new(),
            slots: vec![Cell::Undefined; slots],
            applied: None,
            ended: false,
            consumed: 0,
            followed: 0,
        }
    }

    /// Goes back to where it was before its first step.
    pub(crate) fn restart(&mut self) {
        self.predicate = PredicateId::QUERY;
        self.arguments.clear();
        self.previous.clear();
        self.applied = None;
        self.ended = false;
        self.consumed = 0;
    }

    /// Goes on from another goal. What has been read stays read.
    pub(crate) fn go_to(&mut self, predicate: PredicateId, arguments: &[Value]) {
        self.predicate = predicate;
        self.arguments = arguments.iter().map(Cell::from).collect();
        self.previous.clear();
        self.applied = None;
        self.ended = false;
    }

    /// The predicate of the goal.
    pub fn predicate(&self) -> PredicateId {
        self.predicate
    }

    /// The bits of the largest number among the arguments, machine words not counted: what a step costs grows with them.
    ///
    /// ```
    /// # use clausal_engine as clausal;
    /// use clausal::execution::Machine;
    /// let program = clausal::clp::read("?- p(1).  p(X) :- X < 0, error.").product.expect("no mistake in it");
    /// assert_eq!(Machine::new(&program, None).largest_bits(), 0);
    /// ```
    pub fn largest_bits(&self) -> u64 {
        self.arguments.iter().map(Cell::large_bits).max().unwrap_or_default()
    }

    /// How many instructions have been followed since the machine was made, to count what steps cost: those of large rules are many.
    pub(crate) fn followed(&self) -> u64 {
        self.followed
    }

    /// How many inputs have been consumed.
    pub fn consumed(&self) -> usize {
        self.consumed
    }

    /// The values of the arguments of the goal.
    pub fn arguments(&self) -> Vec<Value> {
        self.arguments.iter().filter_map(Cell::to_value).collect()
    }

    /// The values of the variables of the rule that was applied last, but for those of which runs know none: terms of datatypes, and arrays
    /// of them.
    pub fn values(&self) -> Vec<(TermId, Value)> {
        let Some(plan) = self.applied.and_then(|rule| self.plans.get(rule.index())) else {
            return Vec::new();
        };
        let value = |operand: &Operand| read(*operand, &self.slots, &plan.constants, &self.previous).to_value();
        let values = plan.variables.iter();
        values
            .filter_map(|(variable, operand)| Some((*variable, value(operand)?)))
            .collect()
    }

    /// [`Machine::values`], if all variables have one, as evidence needs them.
    pub fn all_values(&self) -> Option<Vec<(TermId, Value)>> {
        let plan = self.applied.and_then(|rule| self.plans.get(rule.index()));
        let values = self.values();
        plan.is_none_or(|plan| values.len() == plan.variables.len())
            .then_some(values)
    }

    /// Takes the first rule that applies.
    pub fn step(&mut self, inputs: &mut Inputs<'_>) -> Progress {
        self.step_from(0, inputs)
    }

    /// Takes the first rule that applies, in their order from the `first` on (counted round and round), so that a caller can
    /// choose among rules of which several apply.
    pub fn step_from(&mut self, first: usize, inputs: &mut Inputs<'_>) -> Progress {
        let mut end = End::Ended;
        if self.predicate == PredicateId::ERROR {
            return Progress::Ended(End::Error);
        }
        if self.ended {
            return Progress::Ended(end);
        }
        let program = self.program;
        let rules = program.rules_of(self.predicate);
        for offset in 0..rules.len() {
            // Wrapping is harmless: any order will do.
            let rule = &rules[first.wrapping_add(offset) % rules.len()];
            match self.try_rule(*rule, inputs) {
                Ok(used) => {
                    self.apply(*rule, used);
                    return Progress::Applied(*rule);
                }
                Err(Refusal::Fails) => {}
                // What could not be evaluated is worse than what only lacks an input.
                Err(Refusal::NoInput) if end == End::Ended => end = End::OutOfInputs,
                Err(Refusal::NoInput) => {}
                Err(Refusal::Unclear(why)) => {
                    end = match self.program.rule(*rule).location {
                        Some(location) => End::Stuck(format!("line {}: {why}", location.line)),
                        None => End::Stuck(format!("rule {}: {why}", rule.index() + 1)),
                    };
                }
            }
        }
        Progress::Ended(end)
    }

    /// Evaluates a rule; how many inputs it has read if it applies.
    fn try_rule(&mut self, rule: RuleId, inputs: &mut Inputs<'_>) -> Result<usize, Refusal> {
        // Both belong to the same program, so the plan is there.
        let plan = self.plans.get(rule.index()).ok_or(Refusal::Fails)?;
        let mut used = 0;
        let mut guessed = None;
        for instruction in &plan.instructions {
            self.followed += 1;
            let operand = |operand: &Operand| read(*operand, &self.slots, &plan.constants, &self.arguments);
            match instruction {
                Instruction::Compute(target, operation, operands) => {
                    let value = compute(*operation, operands, Missing::Strict, &operand);
                    self.slots[*target] = value;
                }
                Instruction::Input(target, variable) => {
                    let request = Request {
                        position: Some(self.consumed + used),
                        rule,
                        variable: *variable,
                    };
                    let value = inputs(&request).ok_or(Refusal::NoInput)?;
                    self.slots[*target] = Cell::from(&value);
                    used += 1;
                }
                Instruction::Unnamed(target, variable) => {
                    let request = Request {
                        position: None,
                        rule,
                        variable: *variable,
                    };
                    let value = inputs(&request).ok_or(Refusal::NoInput)?;
                    self.slots[*target] = Cell::from(&value);
                    guessed = Some(*variable);
                }
                Instruction::FirstOf(variable, cases) => {
                    let holding = cases
                        .chunks_exact(2)
                        .filter(|case| matches!(operand(&case[0]), Cell::Bool(true)));
                    let mut values = holding.map(|case| operand(&case[1]));
                    let first = values.next();
                    if values.any(|value| Some(value) != first) {
                        guessed = Some(*variable);
                    }
                }
                // What is checked after a guess may depend on it, since checks come as early as they can: with another value the
                // rule may apply.
                Instruction::Check(formula) => match (operand(formula), guessed) {
                    (Cell::Bool(true), _) => {}
                    (Cell::Bool(false), Some(variable)) => return Err(self.unclear_guess(variable)),
                    (Cell::Bool(false), None) => return Err(Refusal::Fails),
                    _ => return Err(Refusal::Unclear("a constraint has no definite value".to_string())),
                },
                Instruction::CheckInteger(value) => match (operand(value), guessed) {
                    (Cell::Undefined, _) => return Err(Refusal::Unclear("a term has no definite value".to_string())),
                    (value, _) if value.is_integer() => {}
                    (_, Some(variable)) => return Err(self.unclear_guess(variable)),
                    (_, None) => return Err(Refusal::Fails),
                },
            }
        }
        match &plan.obstacle {
            Some(why) => Err(Refusal::Unclear(why.clone())),
            None => Ok(used),
        }
    }

    /// A rule that fails with a value that nothing determines, of a variable that is no input.
    fn unclear_guess(&self, variable: TermId) -> Refusal {
        let name = self.program.terms.display(variable);
        Refusal::Unclear(format!("nothing determines `{name}`, and the value tried does not fit"))
    }

    fn apply(&mut self, rule: RuleId, used: usize) {
        let plan = &self.plans[rule.index()];
        std::mem::swap(&mut self.previous, &mut self.arguments);
        self.arguments.clear();
        match &plan.body {
            Some((predicate, arguments)) => {
                for argument in arguments {
                    let value = read(*argument, &self.slots, &plan.constants, &self.previous);
                    self.arguments.push(value.clone());
                }
                self.predicate = *predicate;
            }
            None => self.ended = true,
        }
        self.consumed += used;
        self.applied = Some(rule);
    }
}
