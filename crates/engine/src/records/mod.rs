//! Records taken apart: parameters of a datatype that has one constructor and does not hold itself become parameters for its fields.
//!
//! What other tools emit carries its state in records: that of a contract, of the transaction, of a thread. Of such a record two numbers may
//! matter. Apart, they are numbers as others are: what does not matter is left out ([`crate::filtering`]), and linear arithmetic answers, where of records
//! only Z3 could be asked. A pair of a list and a number is no list, either, and what is measured of it is measured of its parts
//! ([`crate::measures`]).
//!
//! Nothing is lost and nothing added: each derivation of one program is one of the other. An invariant of the parts is one of the fields they are, and a
//! derivation gets its records again ([`evidence`]).
//!
//! ```text
//! apart      the program without records as parameters
//! evidence   certificates and derivations of it, told of the one that was given
//! ```
//!
//! The seeds' programs are about numbers; this is what makes others programs about numbers.

mod apart;
mod evidence;
#[cfg(test)]
mod tests;

pub(crate) use apart::Apart;

use crate::engine::{self, Options, Outcome};
use crate::rules::Program;
use std::time::Instant;

/// Verifies a program by a method that gets it without records as parameters, if there are any.
pub(crate) fn verify_apart(
    program: &Program,
    options: &Options,
    method: &dyn Fn(&Program, &Options) -> Outcome,
) -> Outcome {
    let started = Instant::now();
    // A tree is about the rules that were given. Methods for lists and trees take records apart themselves.
    let mut datatypes = program.terms.datatypes().iter();
    let is_recursive = datatypes.any(|datatype| program.terms.is_recursive(datatype.sort));
    let is_wanted = !options.keep_tree && !is_recursive && program.validate().is_ok();
    let Some(apart) = is_wanted.then(|| Apart::new(program)).flatten() else {
        return method(program, options);
    };
    let own = Options {
        budget: options.budget.after(started.elapsed()),
        ..options.clone()
    };
    let told = |outcome: Outcome| {
        let verdict = apart.original(program, outcome.verdict)?;
        // They speak of fields as if these were parameters.
        let invariants = Vec::new();
        Some(Outcome {
            verdict,
            invariants,
            ..outcome
        })
    };
    engine::verify_rewritten((program, &apart.program), &own, &told, method)
}
