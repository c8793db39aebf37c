//! Relations that are functions: what a call comes back with as a function of what it was given, and what is proved of such functions
//! by induction.
//!
//! Rules over lists, trees and numbers made of constructors are mostly programs in a language of functions, written as relations: `append`
//! has one result for each two lists. Here each relation that the error depends on is understood as a function, if it can be ([`extraction`]), and
//! that it is within that function is proved rule by rule. Then the error says that some terms differ, or that something holds of them, and what
//! excludes it is a statement about functions, which is proved by induction along the structure of what it is about. Where the statement alone
//! is not enough, lemmas are looked for ([`proof`]): equations between terms that hold on samples ([`exploration`]), from small ones to
//! larger ones, each proved by induction with those before it.
//!
//! The certificate says of each call that its result is the function's, defines the functions, and has the lemmas; the checker proves
//! that the recursion of each function ends, each lemma, and each rule. The seeds have no such step. To explore theories from small equations to
//! larger ones is known from programs that prove properties of functional programs (Claessen, Johansson, Rosén and Smallbone 2013).
//!
//! ```
//! # use clausal_engine as clausal;
//! use clausal::engine::{Options, Verdict};
//!
//! // The reverse of a reversed list is the list.
//! let source = "(set-logic HORN)
//!     (declare-datatypes ((list 0)) (((nil) (cons (head Int) (tail list)))))
//!     (declare-fun append (list list list) Bool)
//!     (declare-fun reverse (list list) Bool)
//!     (assert (forall ((Y list)) (append nil Y Y)))
//!     (assert (forall ((H Int) (X list) (Y list) (Z list)) (=> (append X Y Z) (append (cons H X) Y (cons H Z)))))
//!     (assert (reverse nil nil))
//!     (assert (forall ((H Int) (X list) (Y list) (Z list))
//!         (=> (and (reverse X Y) (append Y (cons H nil) Z)) (reverse (cons H X) Z))))
//!     (assert (forall ((X list) (Y list) (Z list)) (=> (and (reverse X Y) (reverse Y Z) (not (= X Z))) false)))";
//! let program = clausal::horn::read_with_calls(source).product.expect("a well-formed text");
//! let outcome = clausal::functions::verify(&program, &Options::default());
//! assert!(matches!(outcome.verdict, Verdict::Safe(_)));
//! ```

mod definition;
mod exploration;
mod extraction;
mod fitting;
mod instances;
mod normalization;
mod polynomials;
mod proof;
mod prover;
mod refutation;
mod speculation;
mod theory;
mod ways;

use crate::deep_stack::on_deep_stack;
use crate::engine::{self, Options, Outcome, StopReason, Verdict};
use crate::evidence::{CheckError, CheckLimits, Derivation, check_certificate, replay};
use crate::relations::{Equations, NodeId, Pools, System};
use crate::rules::Program;
use crate::solver::with_interrupts;
use crate::steps::budget::BudgetWatch;
use theory::Theory;

/// Programs of more relations are not looked at.
const MOST_NODES: usize = 80;

/// What looking for errors among small values may take before anything is proved, and after nothing was, in units of work.
const WORK_FOR_ERRORS: [u64; 2] = [16_000, 200_000];

/// Verifies that no query of the program derives the error, by what calls give back as functions of what they are given. The answer is
/// *unsafe* only where small values lead to the error.
pub fn verify(program: &Program, options: &Options) -> Outcome {
    let terms = &program.terms;
    if !terms.datatypes().iter().any(|one| terms.is_recursive(one.sort)) {
        return Outcome::unknown(StopReason::NotSupported(
            "programs without recursive datatypes, by functions".to_string(),
        ));
    }
    let run = || {
        let budget = BudgetWatch::start(&options.budget, &options.cancellation).paced(&options.pace);
        let verdict = with_interrupts(&budget, || verified(program, options, &budget));
        let mut outcome = Outcome::unknown(StopReason::Cancelled);
        outcome.statistics.seconds = budget.seconds();
        outcome.verdict = verdict.unwrap_or_else(Verdict::Unknown);
        outcome
    };
    on_deep_stack(run).unwrap_or_else(engine::failed)
}

fn verified(program: &Program, options: &Options, budget: &BudgetWatch<'_>) -> Result<Verdict, StopReason> {
    let stop = |work: u64| {
        budget.advance(work);
        budget.exhausted(0, 0)
    };
    let mut terms = program.terms.clone();
    let system = System::new(program, &mut terms, Equations::Solved);
    if system.nodes.len() > MOST_NODES {
        return Err(unsupported("programs of many predicates"));
    }
    let pools = Pools::new(&terms, &system);
    let mut theory = Theory::new(program, &system, terms, &stop);
    if let Some(derivation) = refuted(&mut theory, program, &system, WORK_FOR_ERRORS[0])? {
        return Ok(Verdict::Unsafe(derivation));
    }
    theory.understand()?;
    theory.deny();
    let (goals, results) = (theory.goals(), theory.results());
    if !proof::follow(&mut theory.prover, goals, &results, &pools)? {
        return match refuted(&mut theory, program, &system, WORK_FOR_ERRORS[1])? {
            Some(derivation) => Ok(Verdict::Unsafe(derivation)),
            None => Err(unsupported("what does not follow from lemmas about functions")),
        };
    }
    let invariant = |NodeId(node): NodeId| theory.claims[node].clone();
    let mut certificate = system.certificate(&theory.prover.terms, &invariant);
    certificate.lemmas = theory.prover.lemmas;
    let limits = CheckLimits {
        query_resources: options.budget.query_resources,
        watch: Some(budget),
    };
    match check_certificate(program, &certificate, limits) {
        Ok(_) => Ok(Verdict::Safe(certificate)),
        Err(CheckError::Cancelled) => Err(budget.interruption().unwrap_or(StopReason::Cancelled)),
        Err(error) => Err(StopReason::SolverGaveUp(format!("checking the certificate: {error}"))),
    }
}

/// A run into the error on small values, within so much work.
fn refuted(
    theory: &mut Theory<'_>,
    program: &Program,
    system: &System,
    work: u64,
) -> Result<Option<Derivation>, StopReason> {
    let found = refutation::refuted(&mut theory.prover, system, work)?;
    Ok(found.filter(|derivation| replay(program, derivation).is_ok()))
}

fn unsupported(what: &str) -> StopReason {
    StopReason::NotSupported(format!("{what}, by functions"))
}

#[cfg(test)]
mod tests;
