//! Searches that begin with guesses, and what is guessed here.
//!
//! Guesses come in rounds; what is inductive of them becomes entries (`offers`), with which the search goes on, if anything is left to be searched for.

use super::kernel::Kernel;
use super::offers::{Guesses, Offered, Offers};
use super::regularities::Regularities;
use super::search::{Found, Search};
use super::small::SmallFacts;
use super::system::{Equations, NodeId, Role, System};
use super::under_guards::UnderGuards;
use crate::affine::AffineRelations;
use crate::engine::StopReason;
use crate::rules::Program;
use crate::steps::budget::BudgetWatch;
use crate::terms::TermId;

/// What a search may do before anything is guessed, in units of work: what it finds by itself, it mostly finds in less.
const BEFORE_GUESSES: u64 = 40_000;

/// What a search begins with.
pub(super) enum Beginning<'a> {
    Nothing,
    /// The inductive part of what somebody guesses.
    Guesses(&'a mut dyn Guesses, Searching),
    /// The same, of guesses about loop headers.
    GuessesAtLoops(&'a mut dyn Guesses),
    /// The inductive part of what small facts have in common.
    Regularities,
    /// The inductive part of what states have in common under guards, and nothing else.
    UnderGuards,
}

/// When there is a search beside guesses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Searching {
    /// It takes turns with the rounds of guesses.
    InTurns,
    /// It begins when all rounds are over.
    Afterwards,
    /// It only finds out then whether anything is left to be searched for.
    Little,
}

/// What is guessed here and not by a caller, and when there is a search beside that.
pub(super) fn own_guesses<'p>(
    (program, rules): (&'p Program, &Program),
    kernel: &mut Kernel,
    (beginning, facts): (&Beginning<'_>, Option<SmallFacts>),
    budget: &BudgetWatch<'_>,
) -> Option<(Box<dyn Guesses + 'p>, Searching)> {
    match (beginning, facts) {
        (Beginning::Regularities, Some(facts)) => {
            let affine = affine_relations(rules, kernel, budget);
            let guesses = Regularities::new(&mut kernel.terms, &kernel.system, &facts, affine);
            Some((Box::new(guesses), Searching::Afterwards))
        }
        (Beginning::UnderGuards, _) => {
            let seen = kernel.system.nodes.iter().zip(&kernel.witnesses);
            let reached = seen.filter(|(node, _)| node.role == Role::Reached);
            let states = reached.map(|(node, states)| (node.predicate, states.values(&node.parameters)));
            Some((Box::new(UnderGuards::new(program, states)), Searching::Little))
        }
        _ => None,
    }
}

/// The linear equations of all relations, and what else is found with them; nothing where they cannot be had.
fn affine_relations(rules: &Program, kernel: &mut Kernel, budget: &BudgetWatch<'_>) -> Vec<Offered> {
    let terms = &mut kernel.terms;
    let system = System::new(rules, terms, Equations::Kept);
    let (parameters, implications) = (system.parameters(), system.implications());
    let Some(found) = AffineRelations::of(terms, &parameters, &implications, budget, &mut kernel.ran) else {
        return Vec::new();
    };
    let mut offered = Vec::new();
    for (index, node) in system.nodes.iter().enumerate() {
        offered.extend(found.formulas(terms, index).into_iter().map(|formula| Offered {
            predicate: node.predicate,
            formula,
            implied_by: Vec::new(),
        }));
    }
    offered
}

/// Searches with what is inductive of guesses, which come in rounds. A search in turns with them begins by itself, and after each round it gets as
/// much work as the rounds have taken so far, so that neither waits long for what the other one has at once. What follows from entries is added to
/// `implied`.
pub(super) fn with_guesses(
    search: &mut Search<'_>,
    guesses: &mut dyn Guesses,
    searching: Searching,
    implied: &mut Vec<(NodeId, TermId)>,
) -> Result<Found, StopReason> {
    let mut offers = Offers::new(&search.kernel);
    let (begun, stop) = (search.kernel.work(), search.stop);
    let mut found = None;
    let mut is_more = true;
    while is_more && found.is_none() {
        if searching == Searching::InTurns {
            let of_rounds = offers.work();
            found = search.run(begun + of_rounds + of_rounds.max(BEFORE_GUESSES))?;
        }
        if found.is_none() {
            let before = offers.work();
            let rest = search.kernel.work() - before;
            is_more = offers.next(&mut search.kernel, guesses, &|work| stop(0, rest + work, 0))?;
            search.kernel.ran += offers.work() - before;
        }
    }
    *implied = offers.into_implied();
    match found {
        Some(found) => Ok(found),
        None if searching == Searching::Little => {
            let most = search.kernel.work() + BEFORE_GUESSES;
            let not_excluded = || StopReason::NotSupported("errors that no guess excludes".to_string());
            search.run(most)?.ok_or_else(not_excluded)
        }
        None => search.run_out(),
    }
}
