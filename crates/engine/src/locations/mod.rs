//! Locations: rules in which Boolean parameters say where a run is, or conditions say in which phase, as rules with a predicate for each
//! of these places.
//!
//! A program that another tool has written as one transition system has one predicate, and its program counter is some of the
//! parameters. All its statements are one formula then: neither loops nor paths can be seen, and a proof has to say for each clause
//! where it holds. Which values of the Boolean parameters can follow which is found out by going from the queries along the
//! rules ([`split`]); each combination becomes a predicate with the other parameters, and each rule one for each step between two
//! combinations, with what it says there. In the words of logic programming the program is specialized to its finite
//! arguments. Where there are many combinations, these parameters are data, and the program stays as it is.
//!
//! In the same way loops are split by the conditions that a run changes once at most ([`conditions`]): each phase is a loop of
//! its own then, with an invariant that is no disjunction.
//!
//! What is found out of the new program is told of the one that was given ([`evidence`]): an invariant says for each location what
//! holds there, and a derivation uses the rules that were split.
//!
//! ```text
//! specialization   one rule where the values of its head are known: its steps to other values
//! split            all rules, from the queries on
//! conditions       what tells the phases of loops
//! evidence         certificates and derivations of the program that was split
//! ```
//!
//! The seeds begin with explicit locations; this is what makes other programs ones they can begin with.

mod conditions;
mod evidence;
mod specialization;
mod split;
#[cfg(test)]
mod tests;

pub(crate) use conditions::phased;
pub(crate) use split::{Located, located};

use crate::engine::{self, Options, Outcome};
use crate::rules::Program;
use crate::steps::OfferedCandidates;
use std::time::Duration;

impl Located {
    /// Verifies the program that was split by a method that follows the one with locations.
    pub fn verify(
        &self,
        program: &Program,
        options: &Options,
        method: &dyn Fn(&Program, &Options) -> Outcome,
    ) -> Outcome {
        // What it finds is checked once, as evidence of the program that was given.
        let own = Options {
            check_evidence: false,
            // Candidates are about the predicates that were split.
            offered: OfferedCandidates::default(),
            ..options.clone()
        };
        let mut outcome = method(&self.program, &own);
        outcome.invariants.clear();
        outcome.tree = None;
        outcome.verdict = self.original(program, outcome.verdict);
        if options.check_evidence {
            let spent = Duration::from_secs_f64(outcome.statistics.seconds);
            let rest = Options {
                budget: options.budget.after(spent),
                ..options.clone()
            };
            outcome.verdict = engine::checked_verdict(program, outcome.verdict, &rest);
        }
        outcome
    }
}
