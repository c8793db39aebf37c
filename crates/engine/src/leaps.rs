//! Leaps: runs that are written down without following every turn of their loops. Where three turns by the same rules change all numbers by the
//! same amounts and read nothing, the turns that follow are known, up to the first that could not be taken: seed 002's templates
//! (section 2), found by running. So an error behind a hundred million turns of a loop is found, and its derivation is short.
//!
//! What holds of the turns that are left out is asked of a solver here, so that no run is written down in vain;
//! [`replay`](crate::evidence::replay) asks again.

use crate::execution::Machine;
use crate::rules::{Derivation, PredicateId, Program, Repetition, RuleId, Step, Turns, turns};
use crate::solver::{Answer, LayeredSolver};
use crate::terms::{Assignment, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// So many steps pass between two looks for turns.
const STEPS_BETWEEN_LOOKS: usize = 64;
/// Turns with more steps are followed one by one, and so are fewer turns than this.
const LONGEST_TURN: usize = STEPS_BETWEEN_LOOKS / 3;
const LEAST_TURNS: u64 = 50;
/// A loop with more turns than this is taken to have no end.
const MOST_TURNS: u64 = 1 << 62;
/// How often a number of turns is made smaller because one in between cannot be taken.
const CORRECTIONS: usize = 8;
/// After so many looks that found turns but no way to leave them out there are no others.
const MOST_FAILURES: usize = 100;
/// Looking once for a way that the solver does not know costs as much as so many looks that it has an answer for.
const FAILURES_BY_SILENCE: usize = MOST_FAILURES / 4;
/// After so many leaps the terms that they were made with are thrown away.
const LEAPS_WITH_TERMS: usize = 256;
/// Z3's resource units for one question.
const RESOURCES: u32 = 2_000_000;

/// Why turns are not left out.
enum NoLeap {
    /// There are too few of them, or they cannot be written down.
    Impossible,
    /// The solver does not know whether all can be taken.
    Unknown,
}

/// Writes down the steps of a run.
pub struct Recorder<'p> {
    program: &'p Program,
    derivation: Derivation,
    /// How many inputs had been read after each step.
    read: Vec<usize>,
    next_look: usize,
    failures: usize,
    terms: Option<Terms>,
}

impl<'p> Recorder<'p> {
    /// Of a run that has not begun.
    pub fn new(program: &'p Program) -> Recorder<'p> {
        Recorder {
            program,
            derivation: Derivation::new(Vec::new()),
            read: Vec::new(),
            next_look: STEPS_BETWEEN_LOOKS,
            failures: 0,
            terms: None,
        }
    }

    /// What has been written down so far.
    pub fn derivation(&self) -> &Derivation {
        &self.derivation
    }

    /// What has been written down.
    pub fn into_derivation(self) -> Derivation {
        self.derivation
    }

    /// Writes down the step that a machine has just taken. If it is one of many turns that are known, the machine is put to the last of
    /// them, which is written down, too. The values of the step as they were written down.
    pub fn record(&mut self, machine: &mut Machine<'_>, rule: RuleId) -> &[(TermId, Value)] {
        let values = machine.values();
        self.derivation.steps.push(Step { rule, values });
        self.read.push(machine.consumed());
        if self.derivation.steps.len() >= self.next_look && self.failures < MOST_FAILURES {
            if let Some((predicate, arguments)) = self.leap() {
                machine.go_to(predicate, &arguments);
            }
            self.next_look = self.derivation.steps.len() + STEPS_BETWEEN_LOOKS;
        }
        self.derivation.steps.last().map_or(&[], |step| &step.values)
    }

    /// Leaves out turns, if the last three steps or more are turns. The goal after the last one.
    fn leap(&mut self) -> Option<(PredicateId, Vec<Value>)> {
        let end = self.derivation.steps.len();
        let start = self.derivation.repetitions.last().map_or(0, |repetition| repetition.at);
        let longest = LONGEST_TURN.min((end - start) / 3);
        (1..=longest).find_map(|length| {
            let second = end - 2 * length;
            if !self.is_even(second, length) {
                return None;
            }
            let mut terms = match self.terms.take() {
                Some(terms) if !self.derivation.repetitions.len().is_multiple_of(LEAPS_WITH_TERMS) => terms,
                _ => self.program.terms.clone(),
            };
            let goal = self.leave_out(&mut terms, second, length);
            self.terms = Some(terms);
            self.failures += match goal {
                Ok(_) => 0,
                Err(NoLeap::Impossible) => 1,
                Err(NoLeap::Unknown) => FAILURES_BY_SILENCE,
            };
            goal.ok()
        })
    }

    /// Whether the turn from this step on is by the rules of the turns before and after it, reads nothing, and changes all numbers as the next one does.
    fn is_even(&self, turn: usize, length: usize) -> bool {
        let steps = &self.derivation.steps;
        let read_before = |step: usize| step.checked_sub(1).map_or(0, |before| self.read[before]);
        let is_even = |before: &Value, now: &Value, after: &Value| match (before, now, after) {
            (Value::Number(before), Value::Number(now), Value::Number(after)) => now - before == after - now,
            _ => before == now && now == after,
        };
        let positions = turn..turn + length;
        let has_same_rules = |position: usize| {
            let rule = steps[position].rule;
            steps[position - length].rule == rule && steps[position + length].rule == rule
        };
        // Rules are soon compared, values perhaps not.
        if !positions.clone().all(has_same_rules) || read_before(turn - length) != read_before(turn + 2 * length) {
            return false;
        }
        positions.into_iter().all(|position| {
            let [before, now, after] = [position - length, position, position + length].map(|step| &steps[step].values);
            let mut values = before.iter().zip(now).zip(after);
            values.all(|((before, now), after)| is_even(&before.1, &now.1, &after.1))
        })
    }

    /// Leaves out what comes between an early even turn and the last one that can be taken.
    fn leave_out(
        &mut self,
        terms: &mut Terms,
        second: usize,
        length: usize,
    ) -> Result<(PredicateId, Vec<Value>), NoLeap> {
        let (first, later) = self.derivation.steps[second..].split_at(length);
        let turns = turns(self.program, terms, first, later, &BigInt::from(1)).map_err(|_| NoLeap::Impossible)?;
        let last = last_turn(terms, &turns)?;
        let final_turn = turns.turn(terms, &self.derivation.steps[second..second + length], last);
        let final_turn = final_turn.ok_or(NoLeap::Impossible)?;
        let after = final_turn.last().and_then(|step| goal_after(self.program, step));
        let goal = after.ok_or(NoLeap::Impossible)?;
        let start = self.derivation.repetitions.last().map_or(0, |repetition| repetition.at);
        let mut from = second;
        while from >= start + 2 * length && self.is_even(from - length, length) {
            from -= length;
        }
        let earlier = ((second - from) / length) as u64;
        let at = from + length;
        let read = self.read.last().copied().unwrap_or_default();
        self.derivation.steps.truncate(at);
        self.read.truncate(at);
        self.derivation.steps.extend(final_turn);
        self.read.resize(at + length, read);
        self.derivation.repetitions.push(Repetition {
            at,
            length,
            times: earlier.saturating_add(last) - 1,
        });
        Ok(goal)
    }
}

/// The turn with a number, after the first two, which are number 0 and 1, if all up to it can be taken.
pub(crate) fn later_turn(program: &Program, first: &[Step], second: &[Step], number: u64) -> Option<Vec<Step>> {
    let mut terms = program.terms.clone();
    let turns = turns(program, &mut terms, first, second, &BigInt::from(1)).ok()?;
    match exception(&mut terms, &turns, number) {
        Exception::None => turns.turn(&terms, first, number),
        Exception::Turn(_) | Exception::Unknown => None,
    }
}

/// The goal that a step leads to, of whose rule the body is one atom.
pub(crate) fn goal_after(program: &Program, step: &Step) -> Option<(PredicateId, Vec<Value>)> {
    let [atom] = &program.rule(step.rule).body[..] else {
        return None;
    };
    let point: Assignment = step.values.iter().cloned().collect();
    let arguments = atom
        .arguments
        .iter()
        .map(|argument| program.terms.evaluate(*argument, &point));
    Some((atom.predicate, arguments.collect::<Option<_>>()?))
}

/// The last turn up to which all can be taken, if there are many and a solver agrees.
fn last_turn(terms: &mut Terms, turns: &Turns) -> Result<u64, NoLeap> {
    let holds = |terms: &Terms, number: u64| {
        let number = turns.number(number);
        let mut conditions = turns.conditions.iter();
        conditions.all(|condition| terms.holds(*condition, &number) == Some(true))
    };
    // One that cannot be taken; at least one that can be is below it.
    let mut fails = 1;
    while holds(terms, fails) {
        let next = fails.checked_mul(2).filter(|fails| *fails <= MOST_TURNS);
        fails = next.ok_or(NoLeap::Impossible)?;
    }
    for _ in 0..CORRECTIONS {
        let mut last = 0;
        while fails - last > 1 {
            let middle = last + (fails - last) / 2;
            match holds(terms, middle) {
                true => last = middle,
                false => fails = middle,
            }
        }
        if last < LEAST_TURNS {
            return Err(NoLeap::Impossible);
        }
        match exception(terms, turns, last) {
            Exception::None => return Ok(last),
            Exception::Turn(number) if number <= last && !holds(terms, number) => fails = number,
            Exception::Turn(_) | Exception::Unknown => return Err(NoLeap::Unknown),
        }
    }
    Err(NoLeap::Impossible)
}

enum Exception {
    None,
    Turn(u64),
    Unknown,
}

/// A turn that cannot be taken, among those up to the last.
fn exception(terms: &mut Terms, turns: &Turns, last: u64) -> Exception {
    let (zero, last) = (terms.integer(0), terms.integer(last));
    let mut asked = vec![
        terms.less_or_equal(zero, turns.counter),
        terms.less_or_equal(turns.counter, last),
    ];
    let denials: Vec<TermId> = turns.conditions.iter().map(|condition| terms.not(*condition)).collect();
    asked.push(terms.or(&denials));
    let (answer, values) = LayeredSolver::new(RESOURCES).check_model(terms, &asked, &[], &[turns.counter]);
    let number = values.and_then(|values| match values.get(&turns.counter) {
        Some(Value::Number(number)) => number.to_integer().to_u64(),
        _ => None,
    });
    match (answer, number) {
        (Answer::Unsatisfiable, _) => Exception::None,
        (Answer::Satisfiable, Some(number)) => Exception::Turn(number),
        _ => Exception::Unknown,
    }
}

#[cfg(test)]
mod tests;
