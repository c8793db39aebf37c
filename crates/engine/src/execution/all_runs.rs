//! All runs: every way that a program can take, as far as values decide it.
//!
//! A goal's arguments have values here, or are missing: then they may be anything. A rule is taken if its constraint may be true,
//! and where several are, one after another. Every state that the program comes to is so among those that are followed; if they
//! all end, or come back to where they were, and no error is among them, there is none. That is a proof that anybody can repeat,
//! in the time it takes to run the program, and nothing of it needs to be kept.
//!
//! What is read is missing so; or each of its values is tried, where it has few (`few_inputs`).

use super::cell::Cell;
use super::evaluation::{Missing, compute, read};
use super::few_inputs::FewInputs;
use super::plan::{Instruction, Operand, Plan};
use crate::rules::{PredicateId, Program, RuleId};
use crate::terms::{TermId, Value};
use hashbrown::HashMap;
use std::fmt;

/// Steps between two questions whether to stop.
const STEPS_BETWEEN_LOOKS: u64 = 256;
/// Numbers of more bits end it: steps would cost more and more.
const MOST_BITS: u64 = 10_000;

/// How far runs are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RunLimits {
    /// So many steps, of all of them.
    pub steps: u64,
    /// So many steps may lead to several goals: a program that has more of them does not run by itself.
    pub forks: u64,
}

impl RunLimits {
    /// The most forks of a proof.
    pub const MOST_FORKS: u64 = 10_000;

    /// So many steps, and as many forks as a proof may have.
    pub fn of_steps(steps: u64) -> RunLimits {
        let forks = RunLimits::MOST_FORKS;
        RunLimits { steps, forks }
    }
}

/// Why runs are not followed to their end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unfinished {
    /// One of them may come to the error, after so many steps of all.
    Error(u64),
    /// There are more steps.
    Steps {
        /// How many so far may lead to several goals; or, where they are more, are taken only if what was read before is right for it, but
        /// for a hundredth of all steps.
        forks: u64,
    },
    /// There are too many ways.
    Forks,
    /// Numbers grow too large.
    Bits,
    /// Rules have several atoms.
    Calls,
    /// It was told to stop.
    Stopped,
    /// No input has few values.
    NoFewInputs,
}

/// What is made of inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// They may be anything.
    Anything,
    /// Those that have few values have one after another; the others may be anything.
    EachValue,
}

impl fmt::Display for Unfinished {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Unfinished::Error(_) => "one of them may come to the error",
            Unfinished::Steps { .. } => "they take more steps",
            Unfinished::Forks => "there are too many ways",
            Unfinished::Bits => "numbers grow too large",
            Unfinished::Calls => "rules have several atoms",
            Unfinished::Stopped => "they were stopped",
            Unfinished::NoFewInputs => "no input has few values",
        })
    }
}

/// A predicate and what is known of its arguments.
#[derive(Clone)]
struct Goal {
    predicate: PredicateId,
    arguments: Vec<Cell>,
}

impl Goal {
    /// Whether the same is known of the same predicate. What is soon compared comes first.
    fn is(&self, other: &Goal) -> bool {
        let same = |of_arrays: bool| {
            let mut pairs = self.arguments.iter().zip(&other.arguments);
            pairs.all(|(one, two)| one.is_array() != of_arrays || one == two)
        };
        self.predicate == other.predicate && same(false) && same(true)
    }
}

/// What is still to be followed.
enum Open {
    Goal(Goal),
    /// A goal by a rule whose inputs have few values, from the combination of this number on.
    Inputs(Goal, RuleId, u64),
}

/// Follows all runs, so far at most: how many they are, if they are at an end without an error. `stop` is told the
/// number of steps now and then.
pub(crate) fn all_runs(
    program: &Program,
    reading: Reading,
    limits: RunLimits,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Result<u64, Unfinished> {
    let mut runs = Runs::new(program, reading, limits)?;
    runs.follow_all(stop)?;
    Ok(runs.steps)
}

/// Follows runs with each value of inputs that have few, until one may come to the error: the values that it reads, by rule and variable.
pub(crate) fn inputs_of_error(
    program: &Program,
    steps: u64,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Option<HashMap<(RuleId, TermId), Value>> {
    let mut runs = Runs::new(program, Reading::EachValue, RunLimits::of_steps(steps)).ok()?;
    let Err(Unfinished::Error(_)) = runs.follow_all(stop) else {
        return None;
    };
    let rules = runs.few.iter().zip(&runs.latest).enumerate();
    let chosen = rules.filter_map(|(rule, (few, latest))| {
        let values = few.as_ref()?.of_variables((*latest)?);
        Some(values.map(move |(variable, value)| ((RuleId::from_index(rule), variable), value)))
    });
    Some(chosen.flatten().collect())
}

struct Runs<'p> {
    program: &'p Program,
    plans: Vec<Plan>,
    /// For each plan which of its slots depend on what its rule reads itself.
    own_inputs: Vec<Vec<bool>>,
    /// For each rule its inputs, if each of their values is tried.
    few: Vec<Option<FewInputs>>,
    /// The combination of these that was tried last: the one on the way that is followed, if the rule is on it.
    latest: Vec<Option<u64>>,
    slots: Vec<Cell>,
    limits: RunLimits,
    steps: u64,
    forks: u64,
    /// Steps that are taken only if what was read before is right for it.
    undecided: u64,
    /// Whether the present one is.
    is_undecided: bool,
}

impl<'p> Runs<'p> {
    fn new(program: &'p Program, reading: Reading, limits: RunLimits) -> Result<Runs<'p>, Unfinished> {
        if program.has_calls() {
            return Err(Unfinished::Calls);
        }
        let rules = program.rules().iter();
        let plans: Vec<Plan> = rules.map(|rule| Plan::new(&program.terms, rule, None)).collect();
        let few = match reading {
            Reading::Anything => vec![None; plans.len()],
            Reading::EachValue => FewInputs::of_rules(program, &plans),
        };
        if reading == Reading::EachValue && few.iter().all(Option::is_none) {
            return Err(Unfinished::NoFewInputs);
        }
        let slots = plans.iter().map(|plan| plan.slots).max().unwrap_or(0);
        Ok(Runs {
            program,
            latest: vec![None; plans.len()],
            own_inputs: plans.iter().map(own_inputs).collect(),
            plans,
            few,
            slots: vec![Cell::Undefined; slots],
            limits,
            steps: 0,
            forks: 0,
            undecided: 0,
            is_undecided: false,
        })
    }

    fn follow_all(&mut self, stop: &mut dyn FnMut(u64) -> bool) -> Result<(), Unfinished> {
        // Depth first, so that few goals wait.
        let mut open = vec![Open::Goal(Goal {
            predicate: PredicateId::QUERY,
            arguments: Vec::new(),
        })];
        while let Some(goal) = self.next(&mut open, stop)? {
            self.follow(goal, &mut open, stop)?;
        }
        Ok(())
    }

    /// Follows a goal to its end, by the first of its successors each time; the others are left `open`.
    fn follow(
        &mut self,
        goal: Goal,
        open: &mut Vec<Open>,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), Unfinished> {
        let mut goal = goal;
        // A goal that was met before on this way: what comes after it has been followed, or is open. It is set anew after twice
        // as many steps each time, so that it lies on the circle at some time, if there is one (Brent's method).
        let mut mark = goal.clone();
        let (mut since, mut patience) = (0_u64, 1_u64);
        loop {
            self.count_step(stop)?;
            let waiting = open.len();
            self.is_undecided = false;
            self.successors(&goal, open)?;
            let count = open.len() - waiting;
            if count == 0 {
                return Ok(());
            }
            self.undecided += u64::from(self.is_undecided);
            if count > 1 {
                self.forks += 1;
                if self.forks > self.limits.forks {
                    return Err(Unfinished::Forks);
                }
                // The first one is followed first.
                open[waiting..].reverse();
            }
            let Some(next) = self.next(open, stop)? else {
                return Ok(());
            };
            if next.is(&mark) {
                return Ok(());
            }
            goal = next;
            since += 1;
            if since == patience {
                mark = goal.clone();
                since = 0;
                patience = patience.saturating_mul(2);
            }
        }
    }

    /// One step more, if there may be.
    fn count_step(&mut self, stop: &mut dyn FnMut(u64) -> bool) -> Result<(), Unfinished> {
        if self.steps >= self.limits.steps {
            let forks = self.forks.max(self.undecided.saturating_sub(self.steps / 100));
            return Err(Unfinished::Steps { forks });
        }
        self.steps += 1;
        match self.steps.is_multiple_of(STEPS_BETWEEN_LOOKS) && stop(self.steps) {
            true => Err(Unfinished::Stopped),
            false => Ok(()),
        }
    }

    /// Takes the goal that is followed next from what is open. Each combination of inputs is a step.
    fn next(&mut self, open: &mut Vec<Open>, stop: &mut dyn FnMut(u64) -> bool) -> Result<Option<Goal>, Unfinished> {
        loop {
            let (goal, rule, combination) = match open.pop() {
                None => return Ok(None),
                Some(Open::Goal(goal)) => return Ok(Some(goal)),
                Some(Open::Inputs(goal, rule, combination)) => (goal, rule, combination),
            };
            let few = self.few.get(rule.index()).and_then(Option::as_ref);
            if few.is_none_or(|few| combination >= few.combinations) {
                continue;
            }
            self.count_step(stop)?;
            if let Some(latest) = self.latest.get_mut(rule.index()) {
                *latest = Some(combination);
            }
            let found = self.successor(&goal, rule, Some(combination))?;
            open.push(Open::Inputs(goal, rule, combination + 1));
            if found.is_some() {
                return Ok(found);
            }
        }
    }

    /// Adds the goals that the rules may lead to.
    fn successors(&mut self, goal: &Goal, open: &mut Vec<Open>) -> Result<(), Unfinished> {
        for rule in self.program.rules_of(goal.predicate) {
            if self.few.get(rule.index()).is_some_and(Option::is_some) {
                open.push(Open::Inputs(goal.clone(), *rule, 0));
            } else if let Some(next) = self.successor(goal, *rule, None)? {
                open.push(Open::Goal(next));
            }
        }
        Ok(())
    }

    /// The goal that a rule may lead to, with inputs that may be anything, or in this combination of their few values.
    fn successor(&mut self, goal: &Goal, rule: RuleId, combination: Option<u64>) -> Result<Option<Goal>, Unfinished> {
        let Some(plan) = self.plans.get(rule.index()) else {
            return Err(Unfinished::Calls);
        };
        let few = self.few.get(rule.index()).and_then(Option::as_ref);
        let input = |slot: usize| few.zip(combination).and_then(|(few, number)| few.value(slot, number));
        let own_inputs = self.own_inputs.get(rule.index()).map_or(&[][..], Vec::as_slice);
        match applies(plan, own_inputs, &mut self.slots, &goal.arguments, &input) {
            Applies::No => return Ok(None),
            Applies::Yes => {}
            Applies::IfReadBefore => self.is_undecided = true,
        }
        let Some((predicate, operands)) = &plan.body else {
            return Ok(None);
        };
        if *predicate == PredicateId::ERROR {
            return Err(Unfinished::Error(self.steps));
        }
        let cell = |operand: &Operand| read(*operand, &self.slots, &plan.constants, &goal.arguments).clone();
        let arguments: Vec<Cell> = operands.iter().map(cell).collect();
        if arguments.iter().any(|argument| argument.large_bits() > MOST_BITS) {
            return Err(Unfinished::Bits);
        }
        Ok(Some(Goal {
            predicate: *predicate,
            arguments,
        }))
    }
}

/// Whether a rule may be taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Applies {
    No,
    /// With what it reads itself, as far as that matters.
    Yes,
    /// Only if what other rules have read before has the right values.
    IfReadBefore,
}

/// Which slots of a plan depend on what its rule reads.
fn own_inputs(plan: &Plan) -> Vec<bool> {
    let mut depends = vec![false; plan.slots];
    for instruction in &plan.instructions {
        match instruction {
            Instruction::Compute(target, _, operands) => {
                let is_own = |operand: &Operand| matches!(operand, Operand::Slot(slot) if depends[*slot]);
                depends[*target] = operands.iter().any(is_own);
            }
            Instruction::Input(target, _) | Instruction::Unnamed(target, _) => depends[*target] = true,
            Instruction::FirstOf(..) | Instruction::Check(_) | Instruction::CheckInteger(_) => {}
        }
    }
    depends
}

/// Whether a rule may be taken with these inputs, which may be anything where there is none; `slots` are then the values of its plan, of
/// which those that depend on its `own_inputs` are marked.
fn applies(
    plan: &Plan,
    own_inputs: &[bool],
    slots: &mut [Cell],
    arguments: &[Cell],
    input: &dyn Fn(usize) -> Option<Cell>,
) -> Applies {
    let mut found = Applies::Yes;
    for instruction in &plan.instructions {
        let operand = |operand: &Operand| read(*operand, slots, &plan.constants, arguments);
        match instruction {
            Instruction::Compute(target, operation, operands) => {
                let value = compute(*operation, operands, Missing::Any, &operand);
                slots[*target] = value;
            }
            Instruction::Input(target, _) | Instruction::Unnamed(target, _) => {
                slots[*target] = input(*target).unwrap_or(Cell::Undefined)
            }
            // Where several cases may hold, the value is that of all of them, or missing.
            Instruction::FirstOf(..) => {}
            Instruction::Check(formula) => match operand(formula) {
                Cell::Bool(false) => return Applies::No,
                Cell::Bool(true) => {}
                _ => {
                    let is_own = matches!(formula, Operand::Slot(slot) if own_inputs.get(*slot) == Some(&true));
                    if !is_own {
                        found = Applies::IfReadBefore;
                    }
                }
            },
            Instruction::CheckInteger(value) => match operand(value) {
                Cell::Undefined => {}
                value if value.is_integer() => {}
                _ => return Applies::No,
            },
        }
    }
    found
}
