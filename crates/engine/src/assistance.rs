//! What helps the engine, and when: the other ways to reason about rules in the service of a verdict.
//!
//! A loop that the engine unrolls again and again either leads to an error far away, which templates jump to (seed 002), or
//! needs a relation that no constraint of the program says, which inference guesses (seed 001). Neither is believed: an error
//! is a run that replays, and what is inferred is offered to the engine as candidates, which it tests like its own.

use crate::engine::{Options, Outcome, Statistics, StopReason, Strategy, Verdict, verify};
use crate::explore;
use crate::infer::{self, offer};
use crate::rules::{DependencyGraph, PredicateId, Program};
use crate::{cells, enumeration, functions, inferred, phases, recursion, relations, sampling, turns};
use std::time::{Duration, Instant};

/// What helps the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Assistance {
    /// All methods in [turns](crate::turns). This is the default.
    #[default]
    Turns,
    /// Nothing.
    None,
    /// A search with templates comes first.
    Templates,
    /// Inferred invariants, if the engine needs more than a few seconds.
    Inference,
    /// Templates and then inference, if the engine unrolls a loop too often or its solver gives up.
    Automatic,
    /// The rules are followed as relations instead.
    Relations,
    /// The rules are unrolled as relations instead, for induction over several steps.
    Induction,
    /// The rules are [run](crate::enumeration) instead, state by state.
    States,
    /// All runs are [followed](crate::enumeration::verify_to_the_end) to their end instead, and nothing is kept of their states.
    Runs,
    /// Arrays are followed by single [cells](crate::cells) instead, and then by pairs of cells.
    Cells,
    /// Relations are understood as [functions](crate::functions) instead, of which lemmas are proved by induction.
    Functions,
    /// Loops are split into [phases](crate::phases) instead, each with the linear equations that it keeps.
    Phases,
    /// What is [inferred](crate::inferred) of loops that multiply is offered to relations instead.
    Products,
    /// Inputs are tried instead, and changed where they lead to rules in an order that is new, until a run ends in the error.
    Trials,
}

/// The unrollings that the engine has alone. Of the verification tasks that it decides without help, one in a hundred needs more.
const UNROLLINGS_ALONE: u64 = 128;
/// Inference is for programs of which it soon finds something: at most so many parameters of a loop header.
const PARAMETERS: usize = 16;

/// The time that the engine has alone, and its share of a limit, as a divisor.
const ALONE: Duration = Duration::from_secs(5);
const ALONE_SHARE: u32 = 4;

/// The time for templates, and its share of a limit, as a divisor.
const EXPLORING: Duration = Duration::from_secs(10);
const EXPLORING_SHARE: u32 = 4;

impl Assistance {
    /// Verifies that no query of the program derives the error, as [`verify`] does. Rules that recur through calls go to
    /// [`recursion::verify`], which needs no assistance. Formulas that are inferred are added to the
    /// program's table.
    ///
    /// ```
    /// # use clausal_engine as clausal;
    /// use clausal::assistance::Assistance;
    /// use clausal::engine::{Options, Verdict};
    ///
    /// // The engine sees by itself that X + Y = 3*I, so nothing else is asked.
    /// let source = "
    ///     ?- N >= 0, sums(0, 0, 0, N).
    ///     sums(I, X, Y, N) :- I < N, sums(I + 1, X + 1, Y + 2, N).
    ///     sums(I, X, Y, N) :- I < N, sums(I + 1, X + 2, Y + 1, N).
    ///     sums(I, X, Y, N) :- I >= N, X + Y > 3*N, error.";
    /// let mut program = clausal::clp::read(source).product.expect("no mistake in it");
    /// let outcome = Assistance::Automatic.verify(&mut program, &Options::default());
    /// assert!(matches!(outcome.verdict, Verdict::Safe(_)));
    /// ```
    pub fn verify(self, program: &mut Program, options: &Options) -> Outcome {
        match self {
            Assistance::Relations => return relations::verify(program, options),
            Assistance::Induction => return relations::verify_by_induction(program, options),
            Assistance::States => return enumeration::verify(program, options),
            Assistance::Runs => return enumeration::verify_to_the_end(program, options),
            Assistance::Cells => return cells::verify(program, options),
            Assistance::Functions => return functions::verify(program, options),
            Assistance::Phases => return phases::verify(program, options),
            Assistance::Products => return inferred::verify(program, options),
            Assistance::Trials => return sampling::verify_by_trials(program, options),
            // A tree is the engine's, and so is a strategy of one's own.
            Assistance::Turns if !options.keep_tree && options.strategy == Strategy::default() => {
                return turns::verify(program, options);
            }
            _ => {}
        }
        if program.has_calls() {
            return recursion::verify(program, options);
        }
        let mut attempt = Attempt {
            options,
            started: Instant::now(),
            cost: Statistics::default(),
        };
        let outcome = match self {
            Assistance::None
            | Assistance::Turns
            | Assistance::Relations
            | Assistance::Induction
            | Assistance::States
            | Assistance::Runs
            | Assistance::Cells
            | Assistance::Functions
            | Assistance::Phases
            | Assistance::Products
            | Assistance::Trials => verify(program, options),
            Assistance::Templates => {
                let found = attempt.with_templates(program);
                found.unwrap_or_else(|| verify(program, &attempt.rest()))
            }
            Assistance::Inference => attempt.after_a_while(program),
            Assistance::Automatic => attempt.when_it_unrolls(program),
        };
        attempt.finish(outcome)
    }
}

/// One verification, in several steps.
struct Attempt<'o> {
    options: &'o Options,
    started: Instant,
    /// What the steps before the last one have cost.
    cost: Statistics,
}

impl Attempt<'_> {
    /// What is left of the limit.
    fn time(&self) -> Option<Duration> {
        let limit = self.options.budget.time;
        limit.map(|limit| limit.saturating_sub(self.started.elapsed()))
    }

    /// The options with what is left of the limit.
    fn rest(&self) -> Options {
        let mut rest = self.options.clone();
        rest.budget.time = self.time();
        rest
    }

    fn finish(self, mut outcome: Outcome) -> Outcome {
        outcome.statistics.add(&self.cost);
        outcome
    }

    fn after_a_while(&mut self, program: &mut Program) -> Outcome {
        let limit = self.options.budget.time;
        let mut limited = self.options.clone();
        limited.budget.time = Some(limit.map_or(ALONE, |limit| ALONE.min(limit / ALONE_SHARE)));
        let alone = verify(program, &limited);
        match alone.verdict {
            Verdict::Unknown(StopReason::Time | StopReason::SolverGaveUp(_)) => {
                self.cost.add(&alone.statistics);
                self.with_inference(program)
            }
            _ => alone,
        }
    }

    fn when_it_unrolls(&mut self, program: &mut Program) -> Outcome {
        let is_default = self.options.strategy == Strategy::Minimax;
        let limit = self.options.budget.unrollings;
        if !is_default || limit.is_some_and(|limit| limit <= UNROLLINGS_ALONE) {
            return verify(program, self.options);
        }
        let mut limited = self.options.clone();
        limited.budget.unrollings = Some(UNROLLINGS_ALONE);
        let alone = verify(program, &limited);
        if !matches!(
            alone.verdict,
            Verdict::Unknown(StopReason::Unrollings | StopReason::SolverGaveUp(_))
        ) {
            return alone;
        }
        self.cost.add(&alone.statistics);
        // A search with templates has no tree of the engine's to show.
        if !self.options.keep_tree
            && let Some(found) = self.with_templates(program)
        {
            return found;
        }
        if loops_are_small(program) {
            return self.with_inference(program);
        }
        match alone.verdict {
            // It would give up again.
            Verdict::Unknown(StopReason::SolverGaveUp(_)) => Outcome {
                statistics: Statistics::default(),
                ..alone
            },
            _ => verify(program, &self.rest()),
        }
    }

    /// What a search with templates finds within its share of the time.
    fn with_templates(&mut self, program: &Program) -> Option<Outcome> {
        let time = self.time();
        let time = time.map_or(EXPLORING, |time| EXPLORING.min(time / EXPLORING_SHARE));
        let mut exploring = self.options.clone();
        exploring.budget.time = Some(time);
        let found = explore::verify(program, &exploring);
        self.cost.add(&found.statistics);
        let is_decided = found.is_decided();
        is_decided.then(|| Outcome {
            statistics: Statistics::default(),
            ..found
        })
    }

    /// The engine with inferred candidates. Half of what is left of the limit may go into inferring.
    fn with_inference(&mut self, program: &mut Program) -> Outcome {
        let started = Instant::now();
        let default = infer::Options::default();
        let inference = infer::Options {
            time: self.time().map_or(default.time, |time| default.time.min(time / 2)),
            cancellation: self.options.cancellation.clone(),
            goal_directed: true,
            // The engine tests its candidates by one step.
            induction_depth: 1,
            ..default
        };
        let offered = offer(program, &inference);
        self.cost.seconds += started.elapsed().as_secs_f64();
        match offered {
            Ok((extended, offered)) => {
                *program = extended;
                let rest = Options { offered, ..self.rest() };
                verify(program, &rest)
            }
            // Without help it can still be verified.
            Err(_) => verify(program, &self.rest()),
        }
    }
}

/// Whether inference will soon find something, if there is anything for it to find.
fn loops_are_small(program: &Program) -> bool {
    let graph = DependencyGraph::new(program);
    let headers = (0..program.predicates().len())
        .map(PredicateId::from_index)
        .filter(|predicate| graph.is_loop_header(*predicate));
    headers
        .map(|header| program.predicate(header).parameters.len())
        .all(|parameters| parameters <= PARAMETERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verified(source: &str, assistance: Assistance) -> Outcome {
        let mut program = crate::clp::read(source).product.expect("no mistake in it");
        let options = Options {
            budget: crate::engine::Budget {
                unrollings: Some(300),
                ..Default::default()
            },
            ..Default::default()
        };
        let outcome = assistance.verify(&mut program, &options);
        match &outcome.verdict {
            Verdict::Safe(certificate) => {
                let limits = crate::evidence::CheckLimits::default();
                assert!(crate::evidence::check_certificate(&program, certificate, limits).is_ok());
            }
            Verdict::Unsafe(derivation) => assert!(crate::evidence::replay(&program, derivation).is_ok()),
            Verdict::Unknown(_) => {}
        }
        outcome
    }

    #[test]
    fn what_is_inferred_takes_the_place_of_unrollings() {
        let sums = "?- N >= 0, sums(0, 0, 0, N).
            sums(I, X, Y, N) :- I < N, sums(I + 1, X + 1, Y + 2, N).
            sums(I, X, Y, N) :- I < N, sums(I + 1, X + 2, Y + 1, N).
            sums(I, X, Y, N) :- I >= N, X + Y > 3*N, error.";
        let mut program = crate::clp::read(sums).product.expect("no mistake in it");
        let mut options = Options::default();
        options.budget.unrollings = Some(0);
        let alone = verify(&program, &options);
        assert!(matches!(alone.verdict, Verdict::Unknown(StopReason::Unrollings)));
        let mut attempt = Attempt {
            options: &options,
            started: Instant::now(),
            cost: alone.statistics.clone(),
        };
        let helped = attempt.with_inference(&mut program);
        assert!(matches!(helped.verdict, Verdict::Safe(_)));
        let states = helped.statistics.states;
        // What the engine has done before counts.
        let total = attempt.finish(helped).statistics.states;
        assert_eq!(total, states + alone.statistics.states);
    }

    #[test]
    fn an_error_behind_many_turns_is_jumped_to() {
        let far = "?- loop(0). loop(X) :- X < 5000, loop(X + 1). loop(X) :- X >= 5000, error.";
        let found = verified(far, Assistance::Templates);
        assert!(matches!(found.verdict, Verdict::Unsafe(_)));
        assert_eq!(found.statistics.unrollings, 0);
    }

    #[test]
    fn what_is_soon_decided_has_no_help() {
        let near = "?- loop(0). loop(X) :- X < 9, loop(X + 1). loop(X) :- X > 9, error.";
        let [alone, helped] = [Assistance::None, Assistance::Automatic].map(|assistance| verified(near, assistance));
        assert!(matches!(helped.verdict, Verdict::Safe(_)));
        assert_eq!(alone.statistics.states, helped.statistics.states);
    }
}
