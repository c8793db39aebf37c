//! Answers as solvers of constrained Horn clauses give them: whether the clauses of a script are satisfiable, a *model* of their
//! predicates if they are, and a *proof* that they are not, a derivation of `false`, otherwise.
//!
//! The clauses are satisfiable exactly if the rules made of them are safe. A certificate of that speaks of rules, which run some
//! clauses forward and some backward; `model` makes of it one formula for each predicate that the text declares. A derivation
//! speaks of rules too; `proof` makes ground resolution steps with the clauses of the text of it.

mod model;
mod proof;

pub use model::model;
pub use proof::proof;

use crate::engine::{Options, Outcome};
use crate::horn::Clauses;
use crate::rules::linearize;
use crate::turns;

/// Verifies the rules of the clauses, by all methods in turns that fit. The outcome is about the rules as they are, so that
/// [`model`] and [`proof`] can be made of it, if `keep_calls` says so; otherwise about linear ones, if they can be had.
pub fn solve(clauses: &Clauses, keep_calls: bool, options: &Options) -> Outcome {
    if keep_calls {
        return turns::verify_with_model(&clauses.program, options);
    }
    let mut program = clauses.program.clone();
    // Those that cannot be made linear stay as they are.
    let _ = linearize(&mut program);
    turns::verify(&program, options)
}
