//! Hints: invariants that somebody proposes. They are assumed never, tested always, and useful when they are right.
//!
//! ```text
//! claims       a text of rules, read as what holds of their heads
//! earlier      the invariants that were proved of an earlier version of the program
//!   └► Hints   formulas over the parameters of predicates
//!        └► inductive      those that one step keeps, together: lemmas
//!             └► verify    the program with its lemmas put into the rules, by any method; the others are offered to the engine
//! ```
//!
//! A lemma is proved before it is used, and its proof becomes a part of the certificate, which is checked against the program
//! as it was. So every method gains from a lemma, and a wrong hint costs some questions and nothing else. C's hints are made by
//! `source_level::c_hints` of the crate `clausal`, which knows what variables are called there. Seed 003 (section 5) leaves room for invariants
//! from elsewhere; that of several candidates those are chosen that are inductive together is Flanagan and Leino's Houdini (2001).
//!
//! ```
//! # use clausal_engine as clausal;
//! use clausal::engine::{Options, Verdict};
//! use clausal::hints::{self, Standing};
//!
//! let mut program = clausal::clp::read("
//!     ?- loop(0, 0).
//!     loop(X, Y) :- loop(X + 1, Y + X).
//!     loop(X, Y) :- X > 3, 2*Y < X, error.").product.expect("no mistake in it");
//! let claims = "loop(X, Y) :- X >= 0, Y >= 0. loop(X, Y) :- X < 7.";
//! let hints = hints::read_claims(&mut program, claims).product.expect("no mistake in it");
//! let (outcome, standings) = hints::verify(&mut program, &hints, &Options::default(), &|program, options| {
//!     clausal::turns::verify(program, options)
//! });
//! assert_eq!(standings, [Standing::Lemma, Standing::Lemma, Standing::NotInductive]);
//! assert!(matches!(outcome.verdict, Verdict::Safe(_)));
//! ```

mod claims;
mod earlier;
mod inductive;
#[cfg(test)]
mod tests;

pub use claims::read_claims;
pub use earlier::read_earlier;

use crate::deep_stack::on_deep_stack;
use crate::engine::{self, Options, Outcome, Verdict};
use crate::evidence::{Certificate, Invariant};
use crate::rules::{PredicateId, Program};
use crate::solver::with_interrupts;
use crate::steps::{BudgetWatch, OfferedCandidates};
use crate::terms::TermId;

/// A formula that may hold whenever a predicate is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The predicate.
    pub predicate: PredicateId,
    /// The formula over its parameters, a term of the program's table.
    pub formula: TermId,
    /// What it is called in messages: as it was written, or where.
    pub text: String,
}

/// What was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hints {
    /// The formulas.
    pub of_program: Vec<Hint>,
    /// What says nothing about this program, each with the reason.
    pub unused: Vec<String>,
}

/// What became of a hint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It holds; proved by one step, together with the other lemmas.
    Lemma,
    /// That it holds does not follow from one step. The engine may still find it useful, and true.
    NotInductive,
}

impl Standing {
    /// What is said of a hint.
    pub fn text(self) -> &'static str {
        match self {
            Standing::Lemma => "holds, and is used",
            Standing::NotInductive => "does not follow by induction from the hints alone; offered as a candidate",
        }
    }
}

/// Verifies a program with the help of hints, by a method. The outcome is about the program as it is; what became of each hint is
/// told in their order.
pub fn verify(
    program: &mut Program,
    hints: &Hints,
    options: &Options,
    method: &dyn Fn(&mut Program, &Options) -> Outcome,
) -> (Outcome, Vec<Standing>) {
    if hints.of_program.is_empty() || program.validate().is_err() {
        let standings = vec![Standing::NotInductive; hints.of_program.len()];
        return (method(program, options), standings);
    }
    let budget = BudgetWatch::start(&options.budget, &options.cancellation);
    let resources = options.budget.query_resources;
    let found = on_deep_stack(|| {
        with_interrupts(&budget, || {
            let interrupted = || budget.interruption();
            inductive::inductive(program, &hints.of_program, resources, &interrupted)
        })
    });
    let standings = found.unwrap_or_else(|_| vec![Standing::NotInductive; hints.of_program.len()]);
    let mut offered = OfferedCandidates::default();
    let mut lemmas: Vec<&Hint> = Vec::new();
    for (hint, standing) in hints.of_program.iter().zip(&standings) {
        match standing {
            Standing::Lemma => lemmas.push(hint),
            Standing::NotInductive => offered.offer(hint.predicate, hint.formula),
        }
    }
    let spent = budget.elapsed();
    let rest = Options {
        offered,
        budget: options.budget.after(spent),
        ..options.clone()
    };
    if lemmas.is_empty() {
        let mut outcome = method(program, &rest);
        outcome.statistics.seconds += spent.as_secs_f64();
        return (outcome, standings);
    }
    let mut outcome = with_lemmas(program, &lemmas, &rest, method);
    outcome.statistics.seconds += spent.as_secs_f64();
    (outcome, standings)
}

/// Verifies a program by a method that is told what holds for certain: the lemmas are inductive together.
pub(crate) fn verify_with_lemmas(
    program: &Program,
    lemmas: &[Hint],
    options: &Options,
    method: &dyn Fn(&mut Program, &Options) -> Outcome,
) -> Outcome {
    let lemmas: Vec<&Hint> = lemmas.iter().collect();
    with_lemmas(program, &lemmas, options, method)
}

fn with_lemmas(
    program: &Program,
    lemmas: &[&Hint],
    options: &Options,
    method: &dyn Fn(&mut Program, &Options) -> Outcome,
) -> Outcome {
    let mut strengthened = inductive::strengthened(program, lemmas);
    // Of runs of the strengthened rules, lemmas make no runs of the program, which may have more.
    let own = Options {
        without_invariants: false,
        ..options.clone()
    };
    let mut outcome = method(&mut strengthened, &own);
    // What the method has found is about the strengthened rules.
    outcome.invariants.clear();
    if let Verdict::Safe(certificate) = &mut outcome.verdict {
        add_lemmas(certificate, lemmas);
    }
    if options.check_evidence {
        outcome.verdict = engine::checked_verdict(program, outcome.verdict, options);
    }
    outcome
}

/// Makes a certificate of the strengthened program one of the program itself.
fn add_lemmas(certificate: &mut Certificate, lemmas: &[&Hint]) {
    for lemma in lemmas {
        let entry = certificate
            .invariants
            .iter()
            .position(|invariant| invariant.predicate == lemma.predicate);
        let entry = entry.unwrap_or_else(|| {
            certificate.invariants.push(Invariant {
                predicate: lemma.predicate,
                disjuncts: vec![Vec::new()],
            });
            certificate.invariants.len() - 1
        });
        let conjuncts = certificate.terms.conjuncts(lemma.formula);
        for disjunct in &mut certificate.invariants[entry].disjuncts {
            let new = conjuncts.iter().filter(|conjunct| !disjunct.contains(conjunct));
            let new: Vec<TermId> = new.copied().collect();
            disjunct.extend(new);
        }
    }
    certificate.invariants.sort_by_key(|invariant| invariant.predicate);
}
