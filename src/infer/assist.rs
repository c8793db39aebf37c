//! What was inferred as candidates for the engine's loops: it believes at a loop header what it is offered there and tests it,
//! so a formula that is not proved may be offered too.

use super::inference::{Inference, Status};
use super::{Options, infer};
use crate::engine::{self, OfferedCandidates, Outcome, StopReason, Verdict, verify, verify_with_candidates};
use crate::rules::Program;
use crate::terms::Substitution;
use std::time::{Duration, Instant};

/// Infers invariants of a program and offers them: the program, with the terms of the formulas in its table, and the offers.
///
/// # Errors
///
/// A sentence, if the inference could not be run.
///
/// ```
/// use clausal::engine::{self, Verdict, verify_with_candidates};
/// use clausal::infer::{Options, offer};
///
/// // What the error speaks of follows from X = Q*Y + R, which is no constraint of the program.
/// let source = "
///     ?- X >= 0, Y >= 1, divide(X, Y, 0, X).
///     divide(X, Y, Q, R) :- R >= Y, divide(X, Y, Q + 1, R - Y).
///     divide(X, Y, Q, R) :- R < Y, Q*Y + R > X, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let (program, offered) = offer(&program, &Options::default()).expect("it can be run");
/// let outcome = verify_with_candidates(&program, &engine::Options::default(), &offered);
/// assert!(matches!(outcome.verdict, Verdict::Safe(_)));
/// ```
pub fn offer(program: &Program, options: &Options) -> Result<(Program, OfferedCandidates), String> {
    let inference = infer(program, &[], options)?;
    let mut extended = program.clone();
    extended.terms = inference.terms.clone();
    let mut offered = OfferedCandidates::default();
    for place in inference
        .places
        .iter()
        .filter(|place| place.place.index() < program.predicates().len())
    {
        let inferred = &inference.program.predicate(place.place).parameters;
        let original = &program.predicate(place.place).parameters;
        let renaming = Substitution::of(&extended.terms, inferred, original);
        for formula in formulas(&inference, place.place, &place.invariants) {
            let renamed = extended.terms.substitute(formula, &renaming);
            offered.offer(place.place, renamed);
        }
    }
    Ok((extended, offered))
}

/// The time that the engine has alone, and its share of a limit, as a divisor.
const ALONE: Duration = Duration::from_secs(5);
const ALONE_SHARE: u32 = 4;

/// Verifies a program, with the help of inference if that takes the engine longer than a few seconds (or a quarter of the
/// limit). The formulas inferred are added to the program's table. Half of what is left of the limit may go into inferring.
pub fn verify_with_inference(program: &mut Program, options: &engine::Options) -> Outcome {
    let started = Instant::now();
    let limit = options.budget.time;
    let rest = || limit.map(|limit| limit.saturating_sub(started.elapsed()));
    let mut limited = options.clone();
    limited.budget.time = Some(limit.map_or(ALONE, |limit| ALONE.min(limit / ALONE_SHARE)));
    let alone = verify(program, &limited);
    if !matches!(
        alone.verdict,
        Verdict::Unknown(StopReason::Time | StopReason::SolverGaveUp(_))
    ) {
        return alone;
    }
    let default = Options::default();
    let inference = Options {
        time: rest().map_or(default.time, |time| default.time.min(time / 2)),
        cancellation: options.cancellation.clone(),
        goal_directed: true,
        ..default
    };
    let offered = match offer(program, &inference) {
        Ok((extended, offered)) => {
            *program = extended;
            offered
        }
        // Without help it can still be verified.
        Err(_) => OfferedCandidates::default(),
    };
    let before = started.elapsed();
    limited.budget.time = rest();
    let mut outcome = verify_with_candidates(program, &limited, &offered);
    outcome.statistics.seconds += before.as_secs_f64();
    outcome
}

/// The inductive set at a place, which may need formulas that are not shown, and what else is likely.
fn formulas(
    inference: &Inference,
    place: crate::rules::PredicateId,
    shown: &[super::FoundInvariant],
) -> Vec<crate::terms::TermId> {
    let proved = inference
        .inductive
        .iter()
        .filter(|(other, _)| *other == place)
        .map(|(_, formula)| *formula);
    let likely = shown
        .iter()
        .filter(|found| matches!(found.status, Status::HoldsToDepth(_)));
    proved.chain(likely.map(|found| found.formula)).collect()
}
