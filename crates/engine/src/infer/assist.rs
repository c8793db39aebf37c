//! What was inferred as candidates for the engine's loops: it believes at a loop header what it is offered there and tests it,
//! so a formula that is not proved may be offered too.

use super::inference::{Inference, Status};
use super::{Options, infer};
use crate::rules::{PredicateId, Program};
use crate::steps::OfferedCandidates;
use crate::terms::{Substitution, TermId};

/// Infers invariants of a program and offers them: the program, with the terms of the formulas in its table, and the offers.
///
/// # Errors
///
/// A sentence, if the inference could not be run.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::engine::{Options as EngineOptions, Verdict, verify};
/// use clausal::infer::{Options, offer};
///
/// // What the error speaks of follows from X = Q*Y + R, which is no constraint of the program.
/// let source = "
///     ?- X >= 0, Y >= 1, divide(X, Y, 0, X).
///     divide(X, Y, Q, R) :- R >= Y, divide(X, Y, Q + 1, R - Y).
///     divide(X, Y, Q, R) :- R < Y, Q*Y + R > X, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let (program, offered) = offer(&program, &Options::default()).expect("it can be run");
/// let outcome = verify(&program, &EngineOptions { offered, ..EngineOptions::default() });
/// assert!(matches!(outcome.verdict, Verdict::Safe(_)));
/// ```
pub fn offer(program: &Program, options: &Options) -> Result<(Program, OfferedCandidates), String> {
    let inference = infer(program, &[], options)?;
    Ok(offered(program, &inference))
}

/// The same of what was inferred already.
pub(crate) fn offered(program: &Program, inference: &Inference) -> (Program, OfferedCandidates) {
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
        for formula in formulas(inference, place.place, &place.invariants) {
            // Whoever tests what is offered knows no functions.
            if !extended.terms.applications(&[formula]).is_empty() {
                continue;
            }
            let renamed = extended.terms.substitute(formula, &renaming);
            offered.offer(place.place, renamed);
        }
    }
    (extended, offered)
}

/// What was proved of calls and of what they come back with, over the parameters of the program's predicates.
pub(crate) fn proved_of_calls(inference: &Inference) -> impl Iterator<Item = (PredicateId, TermId)> + '_ {
    inference.inductive.iter().chain(&inference.summaries).copied()
}

/// The inductive set at a place, which may need formulas that are not shown, and what else is likely.
fn formulas(inference: &Inference, place: PredicateId, shown: &[super::FoundInvariant]) -> Vec<TermId> {
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
