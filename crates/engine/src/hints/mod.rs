//! Hints: invariants that somebody proposes. They are assumed never, tested always, and useful when they are right.
//!
//! ```text
//! claims       a text of rules, read as what holds of their heads
//! earlier      what was proved of an earlier version of the program, by `matching` of its predicates
//!   └► Hints   formulas over the parameters of predicates, and earlier proofs as a whole
//!        ├► weakening      an earlier proof that proves the program as it is, or with fewer conjuncts: nothing else is needed
//!        └► inductive      those formulas that one step keeps, together: lemmas
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
//! assert_eq!(standings.of_program, [Standing::Lemma, Standing::Lemma, Standing::NotInductive]);
//! assert!(matches!(outcome.verdict, Verdict::Safe(_)));
//! ```

mod claims;
mod earlier;
mod inductive;
mod matching;
#[cfg(test)]
mod tests;
mod weakening;

pub use claims::read_claims;
pub use earlier::{EarlierProof, read_earlier};

use self::weakening::{Reused, reused};
use crate::deep_stack::on_deep_stack;
use crate::engine::{self, Options, Outcome, Verdict};
use crate::evidence::{Certificate, CheckLimits, Evidence, Invariant, check_certificate, replay_until};
use crate::rules::{PredicateId, Program};
use crate::solver::with_interrupts;
use crate::steps::{Budget, BudgetWatch, OfferedCandidates, StopReason};
use crate::terms::TermId;
use std::time::Instant;

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

/// What is spent on hints, at most, of the time that there is: one part of so many for earlier proofs as a whole, and another one for formulas. What
/// is not settled then is likely to be found anew sooner.
const PART_OF_TIME: u32 = 8;

/// One step of an earlier proof may cost one part of so many of what a question may cost.
const PART_OF_QUESTION: u32 = 16;

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// The formulas.
    pub of_program: Vec<Hint>,
    /// Proofs of earlier versions of the program.
    pub proofs: Vec<EarlierProof>,
    /// What says nothing about this program, each with the reason.
    pub unused: Vec<String>,
}

/// What became of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It holds; proved by one step, together with the other lemmas.
    Lemma,
    /// That it holds does not follow from one step. The engine may still find it useful, and true.
    NotInductive,
    /// It was not needed: an earlier proof proves the program.
    NotNeeded,
}

impl Standing {
    /// What is said of a hint.
    pub fn text(self) -> &'static str {
        match self {
            Standing::Lemma => "holds, and is used",
            Standing::NotInductive => "does not follow by induction from the hints alone; offered as a candidate",
            Standing::NotNeeded => "not needed",
        }
    }
}

/// What became of an earlier proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofStanding {
    /// It proves the program, without so many of the conjuncts that it had.
    Holds {
        /// How many conjuncts were left out.
        lost: usize,
    },
    /// It is a run into the error, of this program, too.
    Runs,
    /// It does not prove anything of the program, as far as was found out.
    Fails,
    /// It was not needed: another one proves the program.
    NotNeeded,
}

impl ProofStanding {
    /// What is said of an earlier proof.
    ///
    /// ```
    /// # use clausal_engine as clausal;
    /// use clausal::hints::ProofStanding;
    /// assert_eq!(ProofStanding::Holds { lost: 1 }.text(), "the proof holds without one of its conjuncts, and is used");
    /// ```
    pub fn text(self) -> String {
        match self {
            ProofStanding::Holds { lost: 0 } => "the proof holds, and is used".to_string(),
            ProofStanding::Holds { lost: 1 } => "the proof holds without one of its conjuncts, and is used".to_string(),
            ProofStanding::Holds { lost } => format!("the proof holds without {lost} of its conjuncts, and is used"),
            ProofStanding::Runs => "the run leads into the error, and is used".to_string(),
            ProofStanding::Fails => "the proof does not hold as a whole".to_string(),
            ProofStanding::NotNeeded => "the proof is not needed".to_string(),
        }
    }
}

/// What became of all hints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standings {
    /// Of the formulas, in their order.
    pub of_program: Vec<Standing>,
    /// Of the earlier proofs, in their order.
    pub of_proofs: Vec<ProofStanding>,
}

/// Verifies a program with the help of hints, by a method. The outcome is about the program as it is; what became of each hint is
/// told, too.
pub fn verify(
    program: &mut Program,
    hints: &Hints,
    options: &Options,
    method: &dyn Fn(&mut Program, &Options) -> Outcome,
) -> (Outcome, Standings) {
    let mut standings = Standings {
        of_program: vec![Standing::NotInductive; hints.of_program.len()],
        of_proofs: vec![ProofStanding::Fails; hints.proofs.len()],
    };
    if hints.of_program.is_empty() && hints.proofs.is_empty() || program.validate().is_err() {
        return (method(program, options), standings);
    }
    let part = Budget {
        time: options.budget.time.map(|time| time / PART_OF_TIME),
        ..options.budget.clone()
    };
    let started = Instant::now();
    let budget = BudgetWatch::start(&part, &options.cancellation);
    let proved = match hints.proofs.is_empty() {
        true => None,
        false => on_deep_stack(|| with_interrupts(&budget, || by_earlier_proof(program, hints, &budget, options)))
            .ok()
            .flatten(),
    };
    if let Some((position, verdict, standing)) = proved {
        standings.of_program.fill(Standing::NotNeeded);
        standings.of_proofs.fill(ProofStanding::NotNeeded);
        standings.of_proofs[position] = standing;
        let mut outcome = Outcome::unknown(StopReason::Time);
        outcome.verdict = verdict;
        outcome.statistics.checking_seconds = started.elapsed().as_secs_f64();
        return (outcome, standings);
    }
    // Those of an earlier proof are many, and nobody has chosen them.
    let budget = match hints.proofs.is_empty() {
        true => BudgetWatch::start(&options.budget, &options.cancellation),
        false => BudgetWatch::start(&part, &options.cancellation),
    };
    let found = on_deep_stack(|| {
        with_interrupts(&budget, || {
            let interrupted = || budget.interruption();
            let resources = options.budget.query_resources;
            inductive::inductive(program, &hints.of_program, resources, &interrupted)
        })
    });
    if let Ok(found) = found {
        standings.of_program = found;
    }
    let mut offered = OfferedCandidates::default();
    let mut lemmas: Vec<&Hint> = Vec::new();
    for (hint, standing) in hints.of_program.iter().zip(&standings.of_program) {
        match standing {
            Standing::Lemma => lemmas.push(hint),
            Standing::NotInductive | Standing::NotNeeded => offered.offer(hint.predicate, hint.formula),
        }
    }
    let spent = started.elapsed();
    let rest = Options {
        offered,
        budget: options.budget.after(spent),
        ..options.clone()
    };
    let mut outcome = match lemmas.is_empty() {
        true => method(program, &rest),
        false => with_lemmas(program, &lemmas, &rest, method),
    };
    outcome.statistics.seconds += spent.as_secs_f64();
    (outcome, standings)
}

/// What the first of the earlier proofs shows that shows something of the program, if need be with fewer conjuncts; before it, its position.
fn by_earlier_proof(
    program: &Program,
    hints: &Hints,
    budget: &BudgetWatch<'_>,
    options: &Options,
) -> Option<(usize, Verdict, ProofStanding)> {
    let limits = CheckLimits {
        query_resources: options.budget.query_resources.div_ceil(PART_OF_QUESTION),
        watch: Some(budget),
    };
    let shown = |proof: &EarlierProof| match proof.as_it_is(program) {
        Some(Evidence::Derivation(derivation)) => {
            let stop = || budget.interruption().is_some();
            let is_run = replay_until(program, &derivation, &stop).is_ok_and(|is_over| is_over);
            is_run.then_some((Verdict::Unsafe(derivation), ProofStanding::Runs))
        }
        Some(Evidence::Certificate(certificate)) => {
            let is_wanted = options.without_invariants || certificate.has_invariants();
            is_wanted.then(|| check_certificate(program, &certificate, limits).ok())??;
            Some((Verdict::Safe(certificate), ProofStanding::Holds { lost: 0 }))
        }
        None => {
            let Reused { certificate, lost } = reused(program, proof.about(program)?, limits)?;
            Some((Verdict::Safe(certificate), ProofStanding::Holds { lost }))
        }
    };
    let proofs = hints.proofs.iter().enumerate();
    let mut found = proofs.filter_map(|(position, proof)| {
        let (verdict, standing) = shown(proof)?;
        Some((position, verdict, standing))
    });
    found.next()
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
