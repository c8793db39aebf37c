//! Verification of rules that recur through calls: `fib(N, F) :- N > 1, fib(N - 1, A), fib(N - 2, B), F = A + B`.
//!
//! Such rules cannot be made linear ([`crate::rules::linearize`]): what waits for a call grows with every round. So a call is
//! replaced by a *summary*, what is known of its arguments when it has come back: at first nothing, so that it may give back
//! anything. Everything the engine is asked is about linear rules, of which there are two kinds (`abstraction`):
//!
//! 1. **Can the error be reached** if calls give back whatever their summaries allow? If not, the program is safe: the invariants
//!    of that proof and the summaries are a certificate of the program itself.
//! 2. **Can a call come back** with these arguments? A derivation of `p(X̃) :- Ψ, q(Ỹ), r(Z̃)` is followed through one atom of
//!    each body; the others are replaced by their summaries. If not, the proof's invariants are what never comes back: their
//!    negations are added to the summaries, of all predicates that the proof is about.
//!
//! An error found by the first kind used some calls. Each is put to the second kind, first in general, with what the path into
//! the error needs of the call's result (`path`), then with the very values of the path. If it cannot come back so, a summary has
//! become stronger, and everything begins again; if it can, its own calls are next. When all have come back, their derivations
//! are put together (`derivations`) to one of the program.
//!
//! That a body has several calls of the same predicate is where induction is needed: *no result is negative* follows for a sum
//! from its two parts having that property, not from one of them alone. So the second question, asked of `q` under a condition,
//! follows the first of the atoms of `q` in a body that satisfies the condition; those before it do not. Which one that is may
//! change from state to state, and the engine finds the invariant. In the same way calls are followed that are being asked about
//! already, so that no answer needs itself.
//!
//! Neither seed has procedures; seed 003 mentions that its interpolants would do for recursion. Summaries as formulas that the
//! callers need, found by interpolation, are the way of several solvers of Horn clauses.
//!
//! ```
//! # use clausal_engine as clausal;
//! use clausal::engine::{Options, Verdict};
//!
//! let source = "
//!     ?- fib(N, F), F < 1, error.
//!     fib(N, F) :- N =< 1, F = 1.
//!     fib(N, F) :- N > 1, fib(N - 1, A), fib(N - 2, B), F = A + B.";
//! let program = clausal::clp::read_with_calls(source).product.expect("no mistake in it");
//! let outcome = clausal::recursion::verify(&program, &Options::default());
//! let Verdict::Safe(certificate) = outcome.verdict else {
//!     panic!("{}", clausal::report::verdict_line(&outcome));
//! };
//! // What is known when `fib` has come back.
//! let [summary] = &certificate.summaries[..] else { panic!("one summary") };
//! assert_eq!(certificate.terms.display(summary.disjuncts[0][0]).to_string(), "F >= 1");
//! ```

mod abstraction;
mod derivations;
mod path;
mod refinement;
#[cfg(test)]
mod tests;

use crate::deep_stack::on_deep_stack;
use crate::engine::{self, Options, Outcome, StopReason, Verdict};
use crate::rules::Program;

/// Verifies a program that may have rules with several atoms, which are derived from the left to the right.
///
/// The outcome is about the program itself: its certificate has summaries, and its derivation the steps of all calls. Programs
/// without such rules go to [`engine::verify`] as they are. The options hold for everything together; a strategy other than
/// minimax is used for each question. The tree and the invariants are those of the last question of the first kind.
pub fn verify(program: &Program, options: &Options) -> Outcome {
    if !program.has_calls() {
        return engine::verify(program, options);
    }
    if let Err(problem) = program.validate() {
        return Outcome::unknown(StopReason::Malformed(problem.to_string()));
    }
    // Candidates are about these rules, and questions about others.
    let options = &Options {
        offered: Default::default(),
        ..options.clone()
    };
    // Calls inside calls are looked at recursively.
    let found = on_deep_stack(|| refinement::Refinement::new(program, options).run());
    let mut outcome = match found {
        Ok(outcome) => outcome,
        Err(failure) => return engine::failed(failure),
    };
    if options.check_evidence {
        outcome.verdict = engine::checked_verdict(program, outcome.verdict, options);
    }
    if !matches!(outcome.verdict, Verdict::Safe(_)) {
        outcome.invariants.clear();
    }
    outcome
}
