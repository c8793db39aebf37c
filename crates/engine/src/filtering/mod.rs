//! Argument filtering: a program without the parameters that no rule ever looks at.
//!
//! What other tools emit carries its whole state through every predicate: the state of the chain, the transaction, tables of hashes, for a
//! property of two counters. A parameter is *relevant* where a rule of its predicate says something of it, or hands it to a parameter that is, and where
//! rules make something of what comes back of it ([`relevance`]). The others are left out, and with them conditions on values that go nowhere else and that some value meets
//! ([`reduction`]). The error can be derived with them if and only if it can without: they may have any value, or the one they have. What is left is often about numbers
//! alone, where it was about arrays and datatypes before.
//!
//! Arrays and terms that are looked at, but have nothing to do with the numbers that the program keeps, run beside these: they are left out, too. Without them
//! more can be derived, so that a proof is one of the program that was given; whether a derivation is, a solver is asked, and if it is not, the program is
//! verified as it is.
//!
//! Predicates and rules keep their ids and parameters their variables, so that an invariant of the smaller program is one of the program
//! that was given as it stands, and the checker is asked about that. A derivation gets the values that were left out ([`evidence`]).
//!
//! ```text
//! reduction    rules without variables that their equations determine
//! relevance    which parameters matter, over all rules, and which have to do with others
//! evidence     derivations with all values again
//! ```
//!
//! Leuschel and Sørensen (1996) filter the arguments of logic programs so; the seeds' programs have no such parameters.

mod evidence;
mod reduction;
mod relevance;
#[cfg(test)]
mod tests;

use crate::engine::{self, Options, Outcome, Verdict};
use crate::rules::{Atom, PredicateId, Program, Rule};
use crate::solver::{LayeredSolver, with_interrupts};
use crate::steps::BudgetWatch;
use crate::terms::{Assignment, Sort, TermId};
use reduction::Reduced;
use relevance::only;
use std::time::Instant;

/// The part of what a question may take that one here may take: conditions that are as hard as the whole program stay in their rule.
const SHARE_OF_QUESTION: u32 = 64;

/// A program without parameters that do not matter.
struct Filtered {
    program: Program,
    /// What each rule was made of, in order.
    rules: Vec<Reduced>,
    /// Values for what was left out of each rule's constraint.
    left_out: Vec<Assignment>,
}

/// Verifies a program by a method that gets it without the parameters that do not matter, if there are any over other things than numbers.
pub(crate) fn verify_filtered(
    program: &Program,
    options: &Options,
    method: &dyn Fn(&Program, &Options) -> Outcome,
) -> Outcome {
    let started = Instant::now();
    let budget = BudgetWatch::start(&options.budget, &options.cancellation);
    // A tree is about the rules that were given.
    let is_wanted = !options.keep_tree && program.validate().is_ok() && has_others(program);
    let filtered = is_wanted.then(|| with_interrupts(&budget, || Filtered::new(program, options, &budget)));
    let Some(filtered) = filtered.flatten() else {
        return method(program, options);
    };
    let own = Options {
        budget: options.budget.after(started.elapsed()),
        ..options.clone()
    };
    let told = |outcome: Outcome| {
        let verdict = match outcome.verdict {
            Verdict::Unsafe(derivation) => {
                let resources = options.budget.query_resources;
                let told = || filtered.derivation(program, &derivation, resources);
                Verdict::Unsafe(with_interrupts(&budget, told)?)
            }
            // Invariants are about parameters that are there as they were.
            other => other,
        };
        Some(Outcome { verdict, ..outcome })
    };
    engine::verify_rewritten((program, &filtered.program), &own, &told, method)
}

/// Whether parameters are something else than numbers and truth values, but no recursive datatypes: methods for lists and trees read off rules
/// as they are written what is made of what.
fn has_others(program: &Program) -> bool {
    let mut datatypes = program.terms.datatypes().iter();
    program.hands_over(|sort| !is_plain(sort)) && !datatypes.any(|datatype| program.terms.is_recursive(datatype.sort))
}

fn is_plain(sort: Sort) -> bool {
    matches!(sort, Sort::Int | Sort::Real | Sort::Bool)
}

impl Filtered {
    /// `None` if everything matters but numbers and truth values, or the time is up.
    fn new(program: &Program, options: &Options, budget: &BudgetWatch<'_>) -> Option<Filtered> {
        let mut terms = program.terms.clone();
        let is_over = || budget.interruption().is_some();
        let rules = program.rules().iter();
        let rules: Vec<Reduced> = rules.map(|rule| Reduced::new(&mut terms, rule, &is_over)).collect();
        let mut kept = relevance::relevant(program, &terms, &rules);
        let is_structure = |parameter: TermId| {
            let sort = terms.sort_of_id(terms.sort(parameter));
            matches!(sort, Sort::Array(..) | Sort::Datatype(..))
        };
        relevance::without_those_apart(&mut kept, program, &terms, &rules, &is_structure);
        let parameters = program.predicates().iter().zip(&kept);
        let mut left = parameters.flat_map(|(predicate, kept)| predicate.parameters.iter().zip(kept));
        if left.all(|(parameter, kept)| *kept || is_plain(terms.sort_of_id(terms.sort(*parameter)))) {
            return None;
        }
        let parameters = program.predicates().iter().zip(&kept);
        let parameters = parameters.map(|(predicate, kept)| only(&predicate.parameters, kept));
        let mut smaller = program.with_parameters(parameters.collect());
        smaller.terms = terms;
        let mut solver = LayeredSolver::new(options.budget.query_resources / SHARE_OF_QUESTION);
        let mut left_out = Vec::with_capacity(rules.len());
        for (rule, reduced) in program.rules().iter().zip(&rules) {
            let of_atom = |predicate: PredicateId, arguments: &[TermId]| Atom {
                predicate,
                arguments: only(arguments, &kept[predicate.index()]),
            };
            let mut own = Rule {
                head: of_atom(rule.head.predicate, &reduced.head),
                constraint: reduced.constraint.clone(),
                body: rule
                    .body
                    .iter()
                    .zip(&reduced.body)
                    .map(|(atom, arguments)| of_atom(atom.predicate, arguments))
                    .collect(),
                location: rule.location,
            };
            if is_over() {
                return None;
            }
            left_out.push(reduction::leave_out(&smaller.terms, &mut own, &mut solver));
            smaller.add_rule(own);
        }
        Some(Filtered {
            program: smaller,
            rules,
            left_out,
        })
    }
}
