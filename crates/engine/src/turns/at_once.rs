//! Methods side by side, each on a thread of its own, by one [pace](crate::steps::Pace): whichever has evidence first by its count of
//! work decides, and the others are cancelled.
//!
//! Whatever becomes of a method, its seat is left: others would wait for it for ever.

use super::features::{RELATION, choices, needs_costly_questions};
use super::shares;
use crate::deep_stack::{self, Failure};
use crate::engine::{self, Options, Outcome, StopReason, Verdict};
use crate::enumeration;
use crate::locations::{Located, located};
use crate::rules::Program;
use crate::steps::{Cancellation, OfferedCandidates, Pace, Turn, TurnEnd, processor_seconds};
use std::thread::{self, ScopedJoinHandle};
use std::time::Instant;

/// A way to verify.
pub(super) type Method = fn(&Program, &Options) -> Outcome;

/// Which rules a method follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Follows {
    /// Those that were given.
    Given,
    /// Those with [explicit locations](crate::locations); it ends at once where the given ones do not hide any.
    Located,
    /// Those with explicit locations, or those that were given where there is nothing to make explicit.
    LocatedOrGiven,
}

/// A method that takes turns.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// What it is called.
    name: &'static str,
    follows: Follows,
    method: Method,
}

impl Entry {
    pub(super) const fn new(name: &'static str, follows: Follows, method: Method) -> Entry {
        Entry { name, follows, method }
    }
}

/// The program with explicit locations, if its rules are relations and these help, and the [choices] of the rules that paths are followed
/// in.
fn with_locations(program: &Program, options: &Options) -> (Option<Located>, usize) {
    let given = choices(program);
    if given >= RELATION
        && let Some(located) = located(program, &options.budget, &options.cancellation)
    {
        let left = choices(&located.program);
        if left * 4 < given * 3 {
            return (Some(located), left);
        }
    }
    (None, given)
}

/// By these methods, so many of them at once, and until the end of this round if there is a number. The outcome is that of the one that decided first, else of one that failed, else the engine's.
pub(super) fn verify_at_once(
    program: &Program,
    options: &Options,
    (jobs, last): (usize, Option<u32>),
    methods: &[Entry],
) -> Outcome {
    let started = Instant::now();
    let (located, choices) = with_locations(program, options);
    let is_relation = choices >= RELATION;
    let options = &Options {
        budget: options.budget.after(started.elapsed()),
        ..options.clone()
    };
    let runs_for_long = needs_costly_questions(program) && enumeration::runs_for_long(program, options);
    let shares = shares::shares(program, is_relation, runs_for_long);
    let mut order: Vec<usize> = (0..methods.len()).collect();
    if let Some(run) = order
        .iter()
        .position(|index| runs_for_long && *index == shares::RUNS_TO_THE_END)
    {
        order[..=run].rotate_right(1);
    }
    let seats = Pace::seats_until(order.iter().map(|index| shares[*index]).collect(), jobs, last);
    let flags: Vec<Cancellation> = seats.iter().map(|_| options.cancellation.part()).collect();
    let by_one = |place: usize| {
        let index = order[place];
        let Entry { follows, method, .. } = methods[index];
        let own = Options {
            pace: seats[place].clone(),
            cancellation: flags[place].clone(),
            // Candidates are for the engine, and about the rules that were given.
            offered: if index == shares::ENGINE {
                options.offered.clone()
            } else {
                OfferedCandidates::default()
            },
            ..options.clone()
        };
        // Nothing is made ready for a method before its turn: threads of Z3 and their memory cost more than many a verdict.
        own.pace.advance(0, &own.cancellation);
        match (follows, &located) {
            _ if own.cancellation.is_cancelled() => Outcome::unknown(StopReason::Cancelled),
            (Follows::Given, _) | (Follows::LocatedOrGiven, None) => method(program, &own),
            (Follows::Located | Follows::LocatedOrGiven, Some(located)) => located.verify(program, &own, &method),
            (Follows::Located, None) => {
                Outcome::unknown(StopReason::NotSupported("rules without hidden locations".to_string()))
            }
        }
    };
    // A seat that is not left keeps all others waiting: whatever happens, it is.
    let leave = |place: usize, outcome: &Outcome| {
        if let Some(winner) = seats[place].end(outcome.is_decided()) {
            let others = flags.iter().enumerate().filter(|(other, _)| *other != winner);
            others.for_each(|(_, flag)| flag.cancel());
        }
    };
    let course = options.record.begin();
    let run = |place: usize| {
        let outcome = deep_stack::on_deep_stack(|| by_one(place)).unwrap_or_else(engine::failed);
        leave(place, &outcome);
        options.record.add(|| {
            let (round, work) = seats[place].progress().unzip();
            Turn {
                course,
                method: methods[order[place]].name,
                round,
                work,
                seconds: processor_seconds(),
                end: end_of(&outcome),
            }
        });
        outcome
    };
    let run = &run;
    let mut outcomes: Vec<Outcome> = thread::scope(|scope| {
        let start = |place| {
            deep_stack::spawn(scope, move || run(place)).map_err(|error| {
                let outcome = engine::failed(Failure::NotStarted(error));
                leave(place, &outcome);
                Box::new(outcome)
            })
        };
        let threads: Vec<_> = (0..methods.len()).map(start).collect();
        let outcome = |thread: Result<ScopedJoinHandle<'_, Outcome>, Box<Outcome>>| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|_| engine::failed(Failure::Stopped)),
            Err(outcome) => *outcome,
        };
        threads.into_iter().map(outcome).collect()
    });
    let engine = order.iter().position(|index| *index == shares::ENGINE);
    let decided = seats
        .first()
        .and_then(Pace::winner)
        .filter(|place| *place < outcomes.len());
    let failed = || outcomes.iter().position(has_failed);
    let told = decided.or_else(failed).or(engine).unwrap_or_default();
    match outcomes.is_empty() {
        true => engine::failed(Failure::Stopped),
        false => outcomes.swap_remove(told),
    }
}

/// What a method came to, for the record.
pub(super) fn end_of(outcome: &Outcome) -> TurnEnd {
    match &outcome.verdict {
        Verdict::Safe(_) => TurnEnd::Safe,
        Verdict::Unsafe(_) => TurnEnd::Unsafe,
        Verdict::Unknown(reason) => TurnEnd::Unknown(reason.clone()),
    }
}

/// Whether a method came to nothing by a mistake in this crate or for want of a thread.
fn has_failed(outcome: &Outcome) -> bool {
    let reason = match &outcome.verdict {
        Verdict::Unknown(reason) => reason,
        _ => return false,
    };
    matches!(reason, StopReason::Internal(_) | StopReason::NoThread(_))
}

#[cfg(test)]
mod tests {
    use super::super::METHODS;
    use super::*;

    fn program(source: &str) -> Program {
        crate::clp::read_with_calls(source).product.expect("no mistake in it")
    }

    /// A counter of so many bits, each of which is an input of one formula: more paths than can be split.
    fn counter(bits: usize, limit: usize) -> String {
        let list = |make: &dyn Fn(usize) -> String| (0..bits).map(make).collect::<Vec<_>>().join(", ");
        let flips = list(&|bit| format!("(Y{bit} = X{bit} ; Y{bit} = 1 - X{bit})"));
        let sum = (0..bits).map(|bit| format!("Y{bit}")).collect::<Vec<_>>().join(" + ");
        format!(
            "?- {}, count({}).\ncount({}) :- {flips}, {sum} =< {limit}, count({}).\n\
             count({}) :- {} > {limit}, error.",
            list(&|bit| format!("X{bit} = 0")),
            list(&|bit| format!("X{bit}")),
            list(&|bit| format!("X{bit}")),
            list(&|bit| format!("Y{bit}")),
            list(&|bit| format!("X{bit}")),
            (0..bits).map(|bit| format!("X{bit}")).collect::<Vec<_>>().join(" + "),
        )
    }

    #[test]
    fn the_answer_does_not_depend_on_how_many_run_at_once() {
        let sources = [
            "?- loop(0). loop(X) :- X < 9, loop(X + 1). loop(X) :- X > 9, error.".to_string(),
            "?- fib(N, F), F < 1, error. fib(N, F) :- N =< 1, F = 1.
             fib(N, F) :- N > 1, fib(N - 1, A), fib(N - 2, B), F = A + B."
                .to_string(),
            counter(9, 4),
        ];
        for source in sources {
            let program = program(&source);
            let outcomes = [1, 2].map(|jobs| verify_at_once(&program, &Options::default(), (jobs, None), &METHODS));
            let texts = outcomes
                .each_ref()
                .map(|outcome| crate::report::proof(&program, outcome));
            assert_eq!(texts[0], texts[1], "{source}");
            assert!(matches!(outcomes[0].verdict, Verdict::Safe(_)), "{source}");
        }
    }

    #[test]
    fn nobody_waits_for_a_method_that_came_to_nothing() {
        let falls: Method = |_, _| panic!("on purpose");
        let at = |place: usize| {
            let mut methods = METHODS;
            methods[place] = Entry::new("falls", Follows::Given, falls);
            methods
        };
        let program = program("?- loop(0). loop(X) :- X < 9, loop(X + 1). loop(X) :- X > 9, error.");
        let outcome = verify_at_once(&program, &Options::default(), (1, None), &at(shares::RELATIONS));
        assert!(matches!(outcome.verdict, Verdict::Safe(_)));
        let all = [Entry::new("falls", Follows::Given, falls); shares::METHODS];
        let outcome = verify_at_once(&program, &Options::default(), (2, None), &all);
        assert!(matches!(outcome.verdict, Verdict::Unknown(StopReason::Internal(_))));
    }

    #[test]
    fn a_cancelled_verification_ends_all_methods() {
        let program = program(
            "?- loop(0, 0). loop(X, Y) :- loop(X + Y, Y + X * X + 1). loop(X, Y) :- X * Y = 1234567891, error.",
        );
        let options = Options::default();
        options.cancellation.cancel();
        let outcome = verify_at_once(&program, &options, (2, None), &METHODS);
        assert!(matches!(outcome.verdict, Verdict::Unknown(StopReason::Cancelled)));
    }
}
