//! Rules that multiply, by what inference finds out about their loops: equations between products are seen on states, and seldom on
//! the constraints of rules. And rules with calls: that a sum that calls itself is a product is seen on what small calls come back with.
//!
//! What is [inferred](crate::infer) of the loops (seed 001), or of calls and what they come back with, is offered to [relations](crate::relations),
//! which keep what is inductive of it. Where that excludes the error, nothing is left to be searched for; where it does not, the search has it
//! to go on with.
//!
//! ```
//! # use clausal_engine as clausal;
//! use clausal::engine::{Options, Verdict};
//!
//! let program = clausal::clp::read("
//!     ?- Y >= 0, p(X, Y, X, Y, 0).
//!     p(A, B, X, Y, Z) :- Y > 0, Y mod 2 = 0, p(A, B, 2*X, Y div 2, Z).
//!     p(A, B, X, Y, Z) :- Y > 0, Y mod 2 = 1, p(A, B, X, Y - 1, Z + X).
//!     p(A, B, X, Y, Z) :- Y = 0, Z \\= A*B, error.").product.expect("no mistake in it");
//! let outcome = clausal::inferred::verify(&program, &Options::default());
//! assert!(matches!(outcome.verdict, Verdict::Safe(_)));
//! ```

use crate::engine::{Options, Outcome, StopReason, Verdict};
use crate::evidence::{CheckLimits, check_certificate};
use crate::infer::{self, Inference, infer, offered, proved_of_calls, scales_back};
use crate::relations::{self, Guesses, Offered};
use crate::rules::{PredicateId, Program, Rule};
use crate::steps::OfferedCandidates;
use crate::steps::budget::BudgetWatch;
use crate::terms::{Sort, TermId, Terms};
use hashbrown::HashSet;
use std::time::Instant;

/// Rules with calls are no more: all that is guessed of each predicate is asked about with each rule, and Z3 keeps what it was asked.
const MOST_RULES: usize = 60;

/// Verifies that no query of the program derives the error, with what is inferred of its loops or calls; *unknown* at once for rules without calls that
/// multiply nothing, and do not divide by what they multiply by, and for rules with calls over other things than numbers.
pub fn verify(program: &Program, options: &Options) -> Outcome {
    if program.has_calls() {
        return of_calls(program, options);
    }
    if !(multiplies(program) || scales_back(program)) {
        return Outcome::unknown(StopReason::NotSupported("rules that multiply nothing".to_string()));
    }
    let started = Instant::now();
    let inference = match inferred(program, options) {
        Ok(found) => found,
        Err(why) => return Outcome::unknown(why),
    };
    if inference.recurs()
        && let Some(outcome) = proved(program, &inference, options, started)
    {
        return outcome;
    }
    if !multiplies(program) {
        return Outcome::unknown(StopReason::NotSupported(
            "what does not come back by halves".to_string(),
        ));
    }
    let (extended, offered) = offered(program, &inference);
    let rest = Options {
        budget: options.budget.after(started.elapsed()),
        ..options.clone()
    };
    relations::verify_with_guesses_at_loops(&extended, &mut Inferred::new(&extended, &offered), &rest)
}

fn inferred(program: &Program, options: &Options) -> Result<Inference, StopReason> {
    let default = infer::Options::default();
    let limit = options.budget.time.map(|time| default.time.min(time / 2));
    let inference = infer::Options {
        time: limit.unwrap_or(default.time),
        cancellation: options.cancellation.clone(),
        pace: options.pace.clone(),
        goal_directed: true,
        // What is offered is tested by one step.
        induction_depth: 1,
        ..default
    };
    infer(program, &[], &inference).map_err(StopReason::NotSupported)
}

/// The same of rules with calls.
fn of_calls(program: &Program, options: &Options) -> Outcome {
    let has_others = program.hands_over(|sort| !matches!(sort, Sort::Int | Sort::Bool));
    if has_others || program.rules().len() > MOST_RULES {
        let what = "what is inferred of calls over other things than numbers, or by many rules".to_string();
        return Outcome::unknown(StopReason::NotSupported(what));
    }
    let started = Instant::now();
    let inference = match inferred(program, options) {
        Ok(found) => found,
        Err(why) => return Outcome::unknown(why),
    };
    let mut extended = program.clone();
    extended.terms = inference.terms.clone();
    let offered = proved_of_calls(&inference).map(|(predicate, formula)| Offered {
        predicate,
        formula,
        implied_by: Vec::new(),
    });
    let mut guesses = Inferred(offered.collect());
    let rest = Options {
        budget: options.budget.after(started.elapsed()),
        ..options.clone()
    };
    relations::verify_by_guesses(&extended, &mut guesses, &rest)
}

/// The proof that is what was inferred, and nothing else: relations know no functions that recur.
fn proved(program: &Program, inference: &Inference, options: &Options, started: Instant) -> Option<Outcome> {
    let rest = options.budget.after(started.elapsed());
    let budget = BudgetWatch::start(&rest, &options.cancellation).paced(&options.pace);
    let limits = CheckLimits {
        query_resources: options.budget.query_resources,
        watch: Some(&budget),
    };
    let mut certificates = inference.certificates(program).into_iter();
    let certificate = certificates.find(|certificate| check_certificate(program, certificate, limits).is_ok())?;
    let mut outcome = Outcome::unknown(StopReason::Cancelled);
    outcome.statistics.seconds = started.elapsed().as_secs_f64();
    outcome.verdict = Verdict::Safe(certificate);
    Some(outcome)
}

/// Whether a rule has a product of two terms that are no numbers.
pub(crate) fn multiplies(program: &Program) -> bool {
    let terms = &program.terms;
    let roots = program.rules().iter().flat_map(Rule::terms);
    let roots: Vec<TermId> = roots.collect();
    terms.subterms(&roots).into_iter().any(|term| terms.is_product(term))
}

/// What was inferred, all at once.
struct Inferred(Vec<Offered>);

impl Inferred {
    fn new(program: &Program, offered: &OfferedCandidates) -> Inferred {
        let predicates = (0..program.predicates().len()).map(PredicateId::from_index);
        let of = |predicate: PredicateId| {
            let formulas = offered.of(predicate).iter().copied();
            formulas.map(move |formula| Offered {
                predicate,
                formula,
                implied_by: Vec::new(),
            })
        };
        Inferred(predicates.flat_map(of).collect())
    }
}

impl Guesses for Inferred {
    fn guess(&mut self, _terms: &mut Terms, _stand: &HashSet<TermId>, _spend: &dyn Fn(u64) -> bool) -> Vec<Offered> {
        std::mem::take(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Verdict;
    use crate::test_support::checked_verdict;

    fn verdict(source: &str) -> Verdict {
        checked_verdict(source, verify)
    }

    #[test]
    fn predicates_between_loops_have_invariants_of_their_own() {
        let source = |last: &str| {
            format!(
                "?- Y >= 1, p(X, Y, X, Y, 1, 0).
                 p(X, Y, A, B, P, Q) :- A \\= 0, B \\= 0, A mod 2 = 0, B mod 2 = 0, p(X, Y, A div 2, B div 2, 4*P, Q).
                 p(X, Y, A, B, P, Q) :- A \\= 0, B \\= 0, A mod 2 = 1, q(X, Y, A - 1, B, P, Q + B*P).
                 p(X, Y, A, B, P, Q) :- A \\= 0, B \\= 0, A mod 2 = 0, B mod 2 = 1, q(X, Y, A, B - 1, P, Q + A*P).
                 q(X, Y, A, B, P, Q) :- p(X, Y, A, B, P, Q).
                 p(X, Y, A, B, P, Q) :- A*B = 0, {last}, error."
            )
        };
        assert!(matches!(verdict(&source("Q \\= X*Y")), Verdict::Safe(_)));
        assert!(matches!(verdict(&source("Q = X*Y, Q = 6")), Verdict::Unsafe(_)));
    }

    /// Division, and the integer square root by two bits at a time: what is halved and quartered was doubled and quadrupled before.
    #[test]
    fn what_comes_back_by_halves_loses_nothing() {
        let division = |last: &str| {
            format!(
                "?- B >= 1, A >= 0, up(A, B, B).
                 up(A, B, D) :- D =< A, up(A, B, 2*D).
                 up(A, B, D) :- D > A, down(A, B, A, D, 0).
                 down(A, B, R, D, Q) :- D \\= B, R >= D div 2, down(A, B, R - D div 2, D div 2, 2*Q + 1).
                 down(A, B, R, D, Q) :- D \\= B, R < D div 2, down(A, B, R, D div 2, 2*Q).
                 down(A, B, R, D, Q) :- D = B, {last}, error."
            )
        };
        assert!(matches!(verdict(&division("A \\= Q*B + R")), Verdict::Safe(_)));
        assert!(matches!(verdict(&division("R >= B")), Verdict::Safe(_)));
        assert!(!matches!(verdict(&division("A = Q*B + R, Q = 5")), Verdict::Safe(_)));
        let root = |last: &str| {
            format!(
                "?- N >= 0, up(N, 1).
                 up(N, Q) :- Q =< N, up(N, 4*Q).
                 up(N, Q) :- Q > N, down(N, N, 0, Q).
                 down(N, R, P, Q) :- Q \\= 1, R < P + Q div 4, down(N, R, P div 2, Q div 4).
                 down(N, R, P, Q) :- Q \\= 1, R >= P + Q div 4,
                     down(N, R - P - Q div 4, P div 2 + Q div 4, Q div 4).
                 down(N, R, P, Q) :- Q = 1, {last}, error."
            )
        };
        for never in ["P*P > N", "(P + 1)*(P + 1) =< N"] {
            let Verdict::Safe(certificate) = verdict(&root(never)) else {
                panic!("{never}");
            };
            assert_eq!(certificate.terms.functions().len(), 1);
        }
        assert!(!matches!(verdict(&root("P*P >= N")), Verdict::Safe(_)));
    }

    #[test]
    fn a_sum_that_calls_itself_is_a_product() {
        let source = "
            ?- M >= 0, N >= 0, times(M, N, R), times(N, M, S), R \\= S, error.
            times(N, M, R) :- M = 0, R = 0.
            times(N, M, R) :- M >= 1, R = N + S + Z, times(N, M - 1, S), zero(M, Z).
            zero(X, Z) :- X = 0, Z = 0.
            zero(X, Z) :- X >= 1, zero(X - 1, Z).";
        let program = crate::clp::read_with_calls(source).product.expect("no mistake in it");
        let outcome = verify(&program, &Options::default());
        assert!(matches!(outcome.verdict, Verdict::Safe(_)));
    }

    #[test]
    fn where_nothing_is_multiplied_nothing_is_inferred() {
        let source = "?- p(0, 0). p(X, Y) :- p(X + 1, 2*Y + X). p(X, Y) :- Y < 0, error.";
        let verdict = verdict(source);
        assert!(
            matches!(verdict, Verdict::Unknown(StopReason::NotSupported(_))),
            "{verdict:?}"
        );
    }
}
