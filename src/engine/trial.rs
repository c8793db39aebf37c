//! Trial runs: when a search unrolls a lot, the program is simply run a few times. An error behind many turns of a loop that
//! depends little on the inputs is found so in no time, while the search would unroll turn after turn.
//!
//! Values for inputs and the order of rules come from a fixed sequence of pseudo-random numbers, so that a verification stays
//! deterministic. The effort follows that of the search: runs are made whenever the unrollings have quadrupled, each time
//! with four times as many steps. No seed has this; seed 003 (section 1) has symbolic execution with testing in mind.

use super::search::Search;
use crate::evidence::{Derivation, Step};
use crate::execution::{End, InputValues, Machine, Progress};
use crate::random::Generator;
use crate::rules::{PredicateId, Program};

/// Unrollings before the first trial runs: smaller searches end sooner by themselves.
const FIRST_TRIALS: u64 = 16;

/// Steps of all runs together, for each unrolling that the search made.
const STEPS_PER_UNROLLING: u64 = 1_000;

/// Runs that are made each time, if the steps suffice.
const RUNS: u64 = 40;

/// A longer derivation is not recorded: values of all variables at every step need memory.
const LONGEST_DERIVATION: u64 = 1_000_000;

/// A run whose numbers get longer than this is given up: in a loop that multiplies each step would cost more than the last.
const LONGEST_NUMBER: u64 = 10_000;

/// When trial runs are due, and where the sequence of pseudo-random numbers stands.
pub(super) struct Trials {
    next: u64,
    runs: u64,
}

impl Default for Trials {
    fn default() -> Self {
        Trials {
            next: FIRST_TRIALS,
            runs: 0,
        }
    }
}

impl Search<'_> {
    /// Runs the program if that is due: a derivation of the error if one was run into.
    pub fn trial_runs(&mut self) -> Option<Derivation> {
        if self.statistics.unrollings < self.trials.next {
            return None;
        }
        self.trials.next *= 4;
        let values = InputValues::new(self.program);
        let mut steps = STEPS_PER_UNROLLING * self.statistics.unrollings;
        for _ in 0..RUNS {
            if steps == 0 || self.budget.interruption().is_some() {
                break;
            }
            let number = self.trials.runs;
            self.trials.runs += 1;
            let taken = run(self.program, &values, number, steps, None);
            if taken.error {
                let mut recorded = Vec::new();
                let short = taken.steps <= LONGEST_DERIVATION;
                if short && run(self.program, &values, number, taken.steps + 1, Some(&mut recorded)).error {
                    return Some(Derivation { steps: recorded });
                }
            }
            steps -= taken.steps.min(steps);
        }
        None
    }
}

/// How a trial run ended.
struct Taken {
    steps: u64,
    error: bool,
}

fn run(program: &Program, values: &InputValues, number: u64, limit: u64, mut record: Option<&mut Vec<Step>>) -> Taken {
    let mut inputs = Generator(number);
    let mut choices = Generator(!number);
    let mut machine = Machine::new(program, None);
    for steps in 0..limit {
        if machine.largest_bits() > LONGEST_NUMBER {
            return Taken { steps, error: false };
        }
        // The first two runs take the rules in their order.
        let first = if number < 2 { 0 } else { choices.next() as usize };
        match machine.step_from(first, &mut |request| {
            Some(values.pick(&program.terms, request, number, &mut inputs))
        }) {
            Progress::Applied(rule) => {
                if let Some(record) = &mut record {
                    let values = machine.values();
                    record.push(Step { rule, values });
                }
            }
            Progress::Ended(end) => {
                let error = end == End::Error;
                return Taken { steps, error };
            }
        }
    }
    let error = machine.predicate() == PredicateId::ERROR;
    Taken { steps: limit, error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_whose_numbers_explode_are_given_up() {
        let source = "?- p(3). p(X) :- X > 0, p(X * X). p(X) :- X < 0, error.";
        let program = crate::clp::read(source).product.expect("no mistake in it");
        let values = InputValues::new(&program);
        let taken = run(&program, &values, 0, 1_000_000, None);
        assert!(!taken.error && (10..20).contains(&taken.steps), "{}", taken.steps);
    }
}
