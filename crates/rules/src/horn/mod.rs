//! The front end for SMT-LIB's logic HORN, CHC-COMP's format, in both directions.
//!
//! [`read`] makes a [`Program`] of a text, [`print`](print()) a text of a program. A linear clause `p(x) ∧ φ → q(y)` is the rule
//! `p(X̃) :- φ, q(Ỹ)`, a transition in the direction of the implication; a clause without a predicate in its body is a query,
//! one whose conclusion is `false` leads to `error`. So the clauses are satisfiable exactly if the program is safe.
//!
//! ```
//! # use clausal_rules as clausal;
//! let source = "
//!     (set-logic HORN)
//!     (declare-fun loop (Int) Bool)
//!     (assert (loop 0))
//!     (assert (forall ((X Int)) (=> (and (loop X) (< X 10)) (loop (+ X 1)))))
//!     (assert (forall ((X Int)) (=> (loop X) (<= X 10))))
//!     (check-sat)";
//! let program = clausal::horn::read(source).product.expect("a well-formed text");
//! assert_eq!(program.rules().len(), 3);
//! assert!(clausal::horn::print(&program).contains("(=> (and (loop X) (<= X 9))\n    (loop (+ X 1)))"));
//! ```
//!
//! An assertion may be any formula that amounts to Horn clauses: negations, implications, disjunctions, `let`,
//! `define-fun`, quantifiers that can be moved to the top or, without predicates, be eliminated ([`quantifiers`](crate::quantifiers)). Predicates under a disjunction make several clauses of it. Of several
//! predicates in the body of a clause at most one may depend on the conclusion, everywhere in a derivation (`orientation` says
//! what becomes of them). What does not amount to such clauses, or needs other theories than integers, reals, Booleans,
//! arrays, bit-vectors and datatypes, is refused with the place and the reason.
//!
//! Inside, text becomes s-expressions (`lexer`, `expression`), those become commands (`script`), formulas over predicates
//! (`terms`, `operators`, `words`, `datatypes` with `generics`, `typing`, `sorts`, `formula`), clauses (`clauses`) and finally rules
//! (`orientation`; what they were made of is `given`, and what a script asks `questions`, and which assertions are in force then `stages`). In the other direction there are
//! `print`, `smtlib_text`, `order` and `names`.

mod clauses;
mod datatypes;
mod declarations;
mod expression;
mod floats;
mod formula;
mod generics;
mod given;
mod lexer;
mod names;
mod operators;
mod order;
mod orientation;
mod print;
mod problems;
mod questions;
mod reader;
mod script;
mod smtlib_text;
mod sorts;
mod stages;
mod terms;
mod typing;
mod words;

pub use generics::{OpenSort, Spelling};
pub use given::{Clauses, Declared, Direction, Origin};
pub use names::{SymbolNames, write_symbol};
pub use print::print;
pub use questions::{Questions, Request};
pub use smtlib_text::{TermWriter, VariableNames, write_number, write_term};
pub use stages::{Stages, stages};

use crate::diagnostics::Reading;
use crate::rules::Program;
use bumpalo::Bump;

/// Reads the Horn clauses of an SMT-LIB text.
///
/// There is a program unless something is wrong; then the diagnostics say what, up to twenty of them. Nothing in a text
/// makes this panic, overflow the stack, or run for long.
pub fn read(source: &str) -> Reading<Program> {
    read_rules(source, false)
}

/// [`read`], but clauses that cannot be made linear rules become rules with several atoms: for methods that follow calls.
pub fn read_with_calls(source: &str) -> Reading<Program> {
    read_rules(source, true)
}

/// The clauses of a text as rules, with what the text asks and with what became of its predicates and clauses: for
/// a solver's command line.
pub fn read_clauses(source: &str) -> Reading<Clauses> {
    let arena = Bump::new();
    let mut problems = problems::Problems::default();
    let commands = expression::read_all(source, &arena, &mut problems);
    let mut reader = reader::Reader::new(source, problems);
    reader.run(&declarations::in_order(commands));
    let (clauses, problems) = reader.into_clauses();
    problems.finish(clauses)
}

fn read_rules(source: &str, keep_calls: bool) -> Reading<Program> {
    let arena = Bump::new();
    let mut problems = problems::Problems::default();
    let commands = expression::read_all(source, &arena, &mut problems);
    let mut reader = reader::Reader::new(source, problems);
    reader.run(&declarations::in_order(commands));
    let (program, problems) = reader.into_rules(keep_calls);
    problems.finish(program)
}
