//! Trial runs: when a search unrolls a lot, the program is simply run a few times. An error behind many turns of a loop that
//! depends little on the inputs is found so in no time, while the search would unroll turn after turn.
//!
//! Values for inputs and the order of rules come from a fixed sequence of pseudo-random numbers, so that a verification stays
//! deterministic. The effort follows that of the search: runs are made whenever the unrollings have quadrupled, each time
//! with four times as many steps. No seed has this; seed 003 (section 1) has symbolic execution with testing in mind.

use super::kernel::Kernel;
use super::limits::TrialLimits;
use crate::evidence::{Derivation, Step};
use crate::execution::{End, InputValues, Machine, Progress};
use crate::random::Generator;
use crate::rules::{PredicateId, Program};

/// So many steps are one unit of the pace.
const STEPS_FOR_A_UNIT: u64 = 4;
/// Steps between two looks whether to go on.
const STEPS_BETWEEN_LOOKS: u64 = 256;

/// Something that looks for the error by other means than the search, while that goes on.
pub(super) trait Hunter {
    /// A derivation of the error, if it is found now. It is asked at every step of the search and decides itself when it is due.
    fn hunt(&mut self, kernel: &mut Kernel<'_>, unrollings: u64) -> Option<Derivation>;
}

/// When trial runs are due, and where the sequence of pseudo-random numbers stands.
pub(super) struct TrialRuns {
    next: u64,
    runs: u64,
}

impl TrialRuns {
    /// None made yet.
    pub fn new(limits: &TrialLimits) -> TrialRuns {
        TrialRuns {
            next: limits.first,
            runs: 0,
        }
    }
}

impl Hunter for TrialRuns {
    fn hunt(&mut self, kernel: &mut Kernel<'_>, unrollings: u64) -> Option<Derivation> {
        if unrollings < self.next {
            return None;
        }
        self.next *= 4;
        let limits = &kernel.limits().trials;
        let program = kernel.program;
        let values = InputValues::new(program);
        let mut steps = limits.steps_per_unrolling * unrollings;
        let mut go_on = || {
            kernel.ran += STEPS_BETWEEN_LOOKS / STEPS_FOR_A_UNIT;
            kernel.count_work();
            kernel.budget.interruption().is_none()
        };
        for _ in 0..limits.runs {
            if steps == 0 || !go_on() {
                break;
            }
            let trial = Trial {
                number: self.runs,
                longest_number: limits.bits,
            };
            self.runs += 1;
            let taken = trial.run(program, &values, steps, (None, &mut go_on));
            if taken.error && taken.steps <= limits.recorded_steps {
                let mut recorded = Vec::new();
                let again = trial.run(program, &values, taken.steps + 1, (Some(&mut recorded), &mut go_on));
                if again.error {
                    return Some(Derivation::new(recorded));
                }
            }
            steps -= taken.steps.min(steps);
        }
        None
    }
}

/// One run: its number decides the inputs and the order of the rules.
#[derive(Clone, Copy)]
struct Trial {
    number: u64,
    longest_number: u64,
}

/// Where steps are recorded, and what says whether to go on.
type Watched<'r> = (Option<&'r mut Vec<Step>>, &'r mut dyn FnMut() -> bool);

/// How a trial run ended.
struct Taken {
    steps: u64,
    error: bool,
}

impl Trial {
    /// Runs as long as it is told to go on, which is asked now and then, and records the steps if that is wanted.
    fn run(&self, program: &Program, values: &InputValues, limit: u64, (mut record, go_on): Watched<'_>) -> Taken {
        let number = self.number;
        let mut inputs = Generator(number);
        let mut choices = Generator(!number);
        let mut machine = Machine::new(program, None);
        for steps in 0..limit {
            let is_over = steps % STEPS_BETWEEN_LOOKS == STEPS_BETWEEN_LOOKS - 1 && !go_on();
            if is_over || machine.largest_bits() > self.longest_number {
                return Taken { steps, error: false };
            }
            // The first two runs take the rules in their order.
            let first = if number < 2 { 0 } else { choices.next() as usize };
            match machine.step_from(first, &mut |request| {
                Some(values.pick(&program.terms, request, number, &mut inputs))
            }) {
                Progress::Applied(rule) => {
                    if let Some(record) = &mut record {
                        // What is not known all along is no evidence; the search goes on.
                        let Some(values) = machine.all_values() else {
                            return Taken { steps, error: false };
                        };
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{self, Options, StopReason, Verdict};

    #[test]
    fn runs_that_do_not_know_a_value_are_no_evidence() {
        let source = "
            :- type cell ---> none ; some(int).
            :- pred p(int, int, array(int, cell)).
            ?- X >= 0, X =< 2, C = constant(none), p(0, X, C).
            p(I, X, C) :- I < 600, p(I + 1, X, store(C, I, some(X))).
            p(I, X, C) :- I >= 600, X =< 2, error.";
        let program = crate::clp::read(source).product.expect("no mistake in it");
        let values = InputValues::new(&program);
        let trial = Trial {
            number: 0,
            longest_number: 10_000,
        };
        assert!(trial.run(&program, &values, 10_000, (None, &mut || true)).error);
        assert!(
            !trial
                .run(&program, &values, 10_000, (Some(&mut Vec::new()), &mut || true))
                .error
        );
        let mut options = Options::default();
        options.budget.unrollings = Some(300);
        let verdict = engine::verify(&program, &options).verdict;
        let refused = matches!(verdict, Verdict::Unknown(StopReason::EvidenceRejected(_)));
        assert!(!refused, "{verdict:?}");
    }

    #[test]
    fn runs_end_when_they_are_told_to() {
        let program = crate::clp::read("?- p(0). p(X) :- p(X + 1).")
            .product
            .expect("no mistake in it");
        let trial = Trial {
            number: 0,
            longest_number: 10_000,
        };
        let mut looks = 0;
        let mut go_on = || {
            looks += 1;
            looks < 3
        };
        let taken = trial.run(&program, &InputValues::new(&program), u64::MAX, (None, &mut go_on));
        assert_eq!((taken.steps, taken.error), (3 * STEPS_BETWEEN_LOOKS - 1, false));
    }

    #[test]
    fn runs_whose_numbers_explode_are_given_up() {
        let source = "?- p(3). p(X) :- X > 0, p(X * X). p(X) :- X < 0, error.";
        let program = crate::clp::read(source).product.expect("no mistake in it");
        let values = InputValues::new(&program);
        let trial = Trial {
            number: 0,
            longest_number: 10_000,
        };
        let taken = trial.run(&program, &values, 1_000_000, (None, &mut || true));
        assert!(!taken.error && (10..20).contains(&taken.steps), "{}", taken.steps);
    }
}
