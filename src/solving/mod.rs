//! Answers as solvers of constrained Horn clauses give them: whether the clauses of a script are satisfiable, a *model* of their
//! predicates if they are, and a *proof* that they are not, a derivation of `false`, otherwise.
//!
//! The clauses are satisfiable exactly if the rules made of them are safe. A certificate of that speaks of rules, which run some
//! clauses forward and some backward; `model` makes of it one formula for each predicate that the text declares. A derivation
//! speaks of rules too; `proof` makes ground resolution steps with the clauses of the text of it.

mod lemmas;
mod model;
mod open_sorts;
mod proof;

pub use model::model;
pub use proof::proof;

use crate::engine::{Options, Outcome, StopReason, Verdict};
use crate::horn::Clauses;
use crate::rules::{Program, linearize};
use crate::turns;

/// Verifies the rules of the clauses, by all methods in turns that fit. The outcome is about the rules as they are, so that
/// [`model`] and [`proof`] can be made of it, if `keep_calls` says so; otherwise about linear ones, if they can be had.
pub fn solve(clauses: &Clauses, keep_calls: bool, options: &Options) -> Outcome {
    if keep_calls {
        let outcome = turns::verify_with_model(&clauses.program, options);
        return in_every_structure(clauses, &clauses.program, outcome);
    }
    let mut program = clauses.program.clone();
    // Those that cannot be made linear stay as they are.
    let _ = linearize(&mut program);
    let outcome = turns::verify(&program, options);
    in_every_structure(clauses, &program, outcome)
}

/// The outcome, if it does not depend on how many elements the sorts have that the text leaves open.
fn in_every_structure(clauses: &Clauses, program: &Program, mut outcome: Outcome) -> Outcome {
    if let Verdict::Unsafe(derivation) = &outcome.verdict
        && !clauses.spelling.open_sorts().is_empty()
    {
        outcome.verdict = match open_sorts::with_one_element(program, &clauses.spelling, derivation) {
            Some(derivation) => Verdict::Unsafe(derivation),
            None => Verdict::Unknown(StopReason::NotSupported(
                "an error that needs different elements of a sort of `declare-sort`, which may have one only"
                    .to_string(),
            )),
        };
    }
    outcome
}
