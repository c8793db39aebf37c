//! Loops that run in phases: split by the conditions that tell these, with the linear equations that each phase keeps as lemmas.
//!
//! What such a loop as a whole keeps is a disjunction, and the numbers in it are where phases begin: neither is found by
//! following iterations, which are thousands. Where every phase is a predicate of its own ([`locations`](crate::locations)), its
//! [affine relations](crate::affine) are exact: of a loop that counts up, and from some point on down, they are a proof often. Where
//! those of the loops as they are exclude the error already, nothing is split.
//!
//! ```
//! # use clausal_engine as clausal;
//! use clausal::engine::{Options, Verdict};
//!
//! let program = clausal::clp::read("
//!     ?- N >= 1, p(N, 0, 0).
//!     p(N, X, Y) :- X < 2*N, X < N, p(N, X + 1, Y + 1).
//!     p(N, X, Y) :- X < 2*N, X >= N, p(N, X + 1, Y - 1).
//!     p(N, X, Y) :- X >= 2*N, Y \\= 0, error.").product.expect("no mistake in it");
//! let outcome = clausal::phases::verify(&program, &Options::default());
//! assert!(matches!(outcome.verdict, Verdict::Safe(_)));
//! ```

use crate::affine::AffineRelations;
use crate::deep_stack::on_deep_stack;
use crate::engine::{Options, Outcome, StopReason};
use crate::hints::{self, Hint};
use crate::locations::{Located, phased};
use crate::relations::{self, Equations, System};
use crate::rules::{DependencyGraph, PredicateId, Program};
use crate::solver::with_interrupts;
use crate::steps::budget::BudgetWatch;
use crate::terms::Terms;

/// What is followed, with lemmas about it.
enum Explained {
    /// The program as it is, with the terms of the lemmas.
    Loops(Box<Program>, Vec<Hint>),
    /// Its phases.
    Phases(Box<Located>, Vec<Hint>),
}

/// Verifies that no query of the program derives the error, by the affine relations of its loops or of their phases; *unknown* soon if
/// these explain nothing, or rules have calls.
pub fn verify(program: &Program, options: &Options) -> Outcome {
    let watch = BudgetWatch::start(&options.budget, &options.cancellation).paced(&options.pace);
    let found = on_deep_stack(|| with_interrupts(&watch, || explained(program, &watch)));
    let own = Options {
        budget: options.budget.after(watch.elapsed()),
        ..options.clone()
    };
    let with = |program: &Program, lemmas: &[Hint], options: &Options| {
        hints::verify_with_lemmas(program, lemmas, options, &|program, options| {
            relations::verify(program, options)
        })
    };
    match found {
        Ok(Some(Explained::Loops(program, lemmas))) => with(&program, &lemmas, &own),
        Ok(Some(Explained::Phases(phased, lemmas))) => {
            phased.verify(program, &own, &|program, options| with(program, &lemmas, options))
        }
        Ok(None) | Err(_) => {
            let what = "programs of which affine relations explain nothing".to_string();
            Outcome::unknown(StopReason::NotSupported(what))
        }
    }
}

/// What holds of the predicates of a program that the error depends on.
struct Explanation {
    system: System,
    relations: AffineRelations,
}

impl Explanation {
    fn of(program: &mut Program, watch: &BudgetWatch<'_>, work: &mut u64) -> Option<Explanation> {
        let mut terms = std::mem::take(&mut program.terms);
        let system = System::new(program, &mut terms, Equations::Kept);
        let (parameters, implications) = (system.parameters(), system.implications());
        let relations = AffineRelations::of(&mut terms, &parameters, &implications, watch, work);
        program.terms = terms;
        relations.map(|relations| Explanation { system, relations })
    }

    /// How much is open about where a predicate is reached; `None` if the error does not depend on that.
    fn dimensions(&self, predicate: PredicateId) -> Option<usize> {
        let node = self.system.reached(predicate)?;
        Some(self.relations.dimensions(node.0))
    }

    /// What holds of each predicate but the error.
    fn lemmas(&self, terms: &mut Terms) -> Vec<Hint> {
        let mut lemmas = Vec::new();
        for (index, node) in self.system.nodes.iter().enumerate() {
            if node.predicate == PredicateId::ERROR {
                continue;
            }
            for formula in self.relations.formulas(terms, index) {
                lemmas.push(Hint {
                    predicate: node.predicate,
                    formula,
                    text: "an affine relation".to_string(),
                });
            }
        }
        lemmas
    }
}

/// The loops, if the error is excluded by what holds of them, or else their phases, if more holds in one of these than in all
/// together.
fn explained(program: &Program, watch: &BudgetWatch<'_>) -> Option<Explained> {
    if program.has_calls() {
        return None;
    }
    // What comes now waits for its turn.
    let mut work = 1;
    watch.advance(work);
    let mut own = program.clone();
    let of_loops = Explanation::of(&mut own, watch, &mut work)?;
    if !of_loops.relations.is_reached(of_loops.system.error.0) {
        let lemmas = of_loops.lemmas(&mut own.terms);
        return Some(Explained::Loops(Box::new(own), lemmas));
    }
    let mut phased = phased(program, watch, &mut work)?;
    let of_phases = Explanation::of(&mut phased.program, watch, &mut work)?;
    let graph = DependencyGraph::new(&phased.program);
    let mut phases = (0..phased.program.predicates().len()).map(PredicateId::from_index);
    let explains = phases.any(|phase| {
        let whole = phased
            .original_predicate(phase)
            .and_then(|whole| of_loops.dimensions(whole));
        graph.is_loop_header(phase)
            && of_phases
                .dimensions(phase)
                .zip(whole)
                .is_some_and(|(phase, whole)| phase < whole)
    });
    explains.then(|| {
        let lemmas = of_phases.lemmas(&mut phased.program.terms);
        Explained::Phases(Box::new(phased), lemmas)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Verdict;
    use crate::test_support::checked_verdict;

    fn outcome(source: &str) -> Verdict {
        checked_verdict(source, verify)
    }

    #[test]
    fn up_and_down_again_is_two_phases() {
        let source = |last: &str| {
            format!(
                "?- N >= 1, p(N, 0, 0).
                 p(N, X, Y) :- X < 2*N, (X < N, Z = Y + 1 ; X >= N, Z = Y - 1), p(N, X + 1, Z).
                 p(N, X, Y) :- X >= 2*N, {last}, error."
            )
        };
        assert!(matches!(outcome(&source("Y \\= 0")), Verdict::Safe(_)));
        assert!(matches!(outcome(&source("Y = 0")), Verdict::Unsafe(_)));
    }

    #[test]
    fn one_loop_after_another_needs_no_phases() {
        let source = "?- p(0, 0).
             p(X, Y) :- X < 1000, p(X + 1, Y + 1).
             p(X, Y) :- X >= 1000, X < 1001, q(X, Y).
             q(X, Y) :- q(X + 1, Y + 3).
             q(X, Y) :- X = 2000, Y \\= 4000, error.";
        assert!(matches!(outcome(source), Verdict::Safe(_)));
    }

    #[test]
    fn a_loop_of_several_predicates_has_its_phases_everywhere() {
        let source = "?- N >= 1, N < 1000, p(N, 0, N).
             p(N, X, Y) :- X < 2*N, X < N, (Y < 4294967295, Z = Y + 1 ; Y >= 4294967295, Z = 0), q(N, X, Z).
             p(N, X, Y) :- X < 2*N, X >= N, (Y >= 2, Z = Y - 2 ; Y < 2, Z = Y + 4294967294), q(N, X, Z).
             p(N, X, Y) :- X >= 2*N, Y \\= 0, error.
             q(N, X, Y) :- p(N, X + 1, Y).";
        assert!(matches!(outcome(source), Verdict::Safe(_)));
    }

    #[test]
    fn where_nothing_is_explained_nothing_is_followed() {
        let source = "?- p(0, 0). p(X, Y) :- p(X + 1, Y + X). p(X, Y) :- Y < 0, error.";
        let verdict = outcome(source);
        assert!(
            matches!(verdict, Verdict::Unknown(StopReason::NotSupported(_))),
            "{verdict:?}"
        );
    }
}
