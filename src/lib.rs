//! Clausal: an embedded constraint-logic-programming engine that proves programs safe or shows how they fail.
//!
//! A program is a set of rules `p(X̃) :- Ψ, q(Ỹ)`: in state `p`, if the constraint `Ψ` holds, the computation may go on in
//! `q`. Queries say where it starts. The question is whether any query derives `error`; the answer is safe, with a
//! certificate, unsafe, with a derivation, or unknown, with the reason. Both kinds of evidence are checked by code that
//! does not know the engine before a verdict is given.
//!
//! # A tour
//!
//! [`clp::read`] makes rules of a text, [`engine::verify`] looks for a proof or a counterexample:
//!
//! ```
//! use clausal::engine::{Options, Verdict, verify};
//! use clausal::evidence::{CheckLimits, check_certificate};
//!
//! let source = "
//!     ?- X = 0, Sum = 0, loop(X, Sum).
//!     loop(X, Sum) :- X < 10000, loop(X + 1, Sum + X).
//!     loop(X, Sum) :- X >= 10000, Sum < 0, error.";
//! let program = clausal::clp::read(source).product.expect("no mistake in it");
//! let outcome = verify(&program, &Options::default());
//!
//! let Verdict::Safe(certificate) = &outcome.verdict else {
//!     panic!("{}", clausal::report::verdict_line(&outcome));
//! };
//! // What holds whenever the loop is reached, for people and for machines.
//! assert_eq!(outcome.invariants[0].formula, "X >= 0, Sum >= 0");
//! assert_eq!(program.predicate_label(certificate.invariants[0].predicate), "loop");
//! // The bound of the loop does not matter: it was not unrolled.
//! assert_eq!(outcome.statistics.unrollings, 0);
//! // `verify` has checked the certificate; anyone else may check it again.
//! assert!(check_certificate(&program, certificate, CheckLimits::default()).is_ok());
//! ```
//!
//! A program that fails comes with a run into the error, which is a value for every variable of every rule applied:
//!
//! ```
//! use clausal::engine::{Options, Verdict, verify};
//! use clausal::evidence::replay;
//!
//! let source = "
//!     ?- Balance = 0, account(Balance).
//!     account(Balance) :- Amount > 0, account(Balance + Amount).
//!     account(Balance) :- Balance > 1, error.";
//! let program = clausal::clp::read(source).product.expect("no mistake in it");
//! let outcome = verify(&program, &Options::default());
//!
//! let Verdict::Unsafe(derivation) = &outcome.verdict else {
//!     panic!("{}", clausal::report::verdict_line(&outcome));
//! };
//! // The first rule applied is the query, the last one leads to the error.
//! let lines: Vec<u32> = derivation
//!     .steps
//!     .iter()
//!     .filter_map(|step| Some(program.rule(step.rule).location?.line))
//!     .collect();
//! assert_eq!((lines.first(), lines.last()), (Some(&2), Some(&4)));
//! // Replaying evaluates the rules under the values; a solver takes part only where turns of a loop are not written down.
//! assert!(replay(&program, derivation).is_ok());
//! // The same as text: one line for each goal on the way.
//! assert!(clausal::report::findings(&program, &outcome).contains("account(0)"));
//! ```
//!
//! A text with mistakes gives no program but diagnostics, which [`diagnostics::render`] draws with the lines underlined:
//!
//! ```
//! let source = "?- p(1).\np(X) :- X < 0, eror.\n";
//! let reading = clausal::clp::read(source);
//! assert!(reading.product.is_none());
//! let text = clausal::diagnostics::render(&reading.diagnostics, "account.clp", source);
//! assert!(text.contains("account.clp:2:16"));
//! ```
//!
//! # Where to go next
//!
//! - Text to rules and back: [`clp`] for CLP rules, [`horn`] for SMT-LIB's constrained Horn clauses.
//! - Rules made by a program of yours: [`rules::Program`], over the terms of [`terms`].
//! - Limits, cancellation from another thread, and methods: [`engine::Options`].
//! - Certificates and derivations, how they are checked, saved and given to other solvers: [`evidence`].
//! - Outcomes as text that can be snapshot-tested, as JSON, and as figures: [`report`].
//! - Executions with loop invariants in the place of iterations, generalized and proved: [`compress`].
//! - Rules that recur through calls, such as the numbers of Fibonacci: [`recursion`].
//! - Verdicts as assertions and proofs as snapshots, for tests: [`testing`].
//! - Symbolic execution with loop templates: [`explore`].
//! - Invariants inferred from states: [`infer`]; invariants that somebody proposes: [`hints`].
//! - Deciding conjunctions of constraints without the engine: [`solver`].
//!
//! Nothing here prints, nothing is global, and several verifications may run at once. Inputs are never trusted: whatever a
//! text says, reading it ends, with a program or with diagnostics.
//!
//! # The papers
//!
//! Clausal implements ideas of five papers. The comments in the code call them *seeds*:
//!
//! - **seed 000**: Joxan Jaffar and Vijayaraghavan Murali, *Trace Generalization via Loop Compression*.
//! - **seed 001**: ThanhVu Nguyen, Matthew B. Dwyer and Willem Visser, *SymInfer: Inferring Program Invariants using Symbolic
//!   States*.
//! - **seed 002**: Jiri Slaby, Jan Strejček and Marek Trtík, *Compact Symbolic Execution*.
//! - **seed 003**: Joxan Jaffar, Jorge A. Navas and Andrew E. Santosa, *Unbounded Symbolic Execution for Program Verification*.
//! - **seed 004**: Joxan Jaffar, Jorge A. Navas and Andrew E. Santosa, *Symbolic Execution for Verification*; it introduces
//!   minimax and evaluates it in a system called TRACER.
//!
//! Most of the engine is seed 004, with details of seed 003; [`compress`] is seed 000, [`infer`] seed 001, [`explore`]
//! seed 002.

// No input may end the process. In tests these are how a test fails.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented
    )
)]

#[doc(inline)]
pub use clausal_c as c;
use clausal_engine::leaps;
#[doc(inline)]
pub use clausal_engine::{
    assistance, cells, compress, defined, engine, enumeration, evidence, execution, explore, functions, hints,
    independence, infer, inferred, measures, phases, recursion, relations, report, solver, turns,
};
use clausal_rules::deep_stack;
#[doc(inline)]
pub use clausal_rules::{clp, diagnostics, horn, quantifiers, rules, terms};

#[cfg(test)]
mod layering_tests;
pub mod solving;
pub mod source_level;
pub mod testing;

/// The README's example is tested with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
