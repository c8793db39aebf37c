//! Relations followed by models: whole formulas as transitions, for rules that are no explicit paths.
//!
//! The engine splits a rule into paths before it searches. Where a rule is one large formula with Boolean inputs, as model
//! checkers and compilers of synchronous languages write transition systems, there are too many. Here a rule's constraint stays
//! one formula in one solver, and the search asks for models of it:
//!
//! ```text
//! composition     rules composed between loop headers
//! system          rules as implications between what is reached and what has come back
//! kernel          a solver for each implication; entries (more than is reached) and facts (not more) of its premises
//! guessing        searches that begin with guesses
//! offers          what is guessed: the part of it that is inductive becomes entries
//! small           facts of short derivations, by evaluation alone
//! regularities    what small facts have in common, as guesses
//! under_guards    what states have in common under the guards of rules, as guesses
//! columns         what rows of values have in common
//! word_bounds     what words are compared with, as guesses
//! search          obligations: what leads into the error, closed by entries or reached by facts
//!   ├ implicant       of a model, the literals by which the formula holds
//!   ├ projection      of literals and a model, what they say of one atom's arguments
//!   │   ├ structures      arrays and datatypes
//!   │   └ words           machine words
//!   └ generalization  why an obligation is closed, as generally as possible
//!       ├ witnesses       states that runs have come to: no entry excludes them
//!       ├ hull            equations that facts have in common
//!       ├ clusters        entries that differ in numbers only
//!       ├ blocking        whether a cube is excluded, relative to what is believed
//!       └ guards          of datatypes: literals that others mean nothing without
//! derivation      values for the error's facts
//! trimming        what of the entries is needed, where much was offered or composed
//! completion      the invariants of the predicates that were composed away
//!
//! induction       beside it: over several steps at once, and the shortest way into the error
//!   └ unrolling       the implications once for every step
//! ```
//!
//! In the words of the seeds: an obligation is a goal that is asked about backward; an entry is an interpolant of the memo table,
//! a clause over the predicate's parameters, with the number of steps for which it is known to hold; a candidate is kept as
//! long as it holds a step longer, and a spurious path locks the clause that excludes it. Calls have entries and facts of their
//! own (what comes back), which every other question shares.
//!
//! The procedures are those of property-directed reachability (Bradley 2011; Hoder and Bjørner 2012; Komuravelli, Gurfinkel and
//! Chaki 2014), which the seeds do not have. Their evidence is the engine's: a certificate that the checker proves anew, a
//! derivation that is replayed.
//!
//! ```
//! # use clausal_engine as clausal;
//! use clausal::engine::{Options, Verdict};
//!
//! let source = "
//!     ?- X = 0, Y = 0, turn(X, Y).
//!     turn(X, Y) :- (X1 = X + 1, Y1 = Y + 2 ; X1 = X, Y1 = Y), turn(X1, Y1).
//!     turn(X, Y) :- Y > 2 * X, error.";
//! let program = clausal::clp::read(source).product.expect("no mistake in it");
//! let outcome = clausal::relations::verify(&program, &Options::default());
//! assert!(matches!(outcome.verdict, Verdict::Safe(_)));
//! ```

mod blocking;
mod clusters;
mod columns;
mod completion;
mod composition;
mod derivation;
#[cfg(test)]
pub(crate) mod finite_tests;
mod generalization;
mod guards;
mod guessing;
mod hull;
mod implicant;
mod induction;
mod kernel;
mod offers;
mod projection;
#[cfg(test)]
mod projection_tests;
mod regularities;
mod search;
mod small;
mod structures;
mod system;
#[cfg(test)]
mod tests;
mod trimming;
mod under_guards;
mod unrolling;
mod witnesses;
mod word_bounds;
mod words;

use crate::deep_stack::on_deep_stack;
use crate::engine::{self, Options, Outcome, Statistics, StopReason, Verdict};
use crate::evidence::Derivation;
use crate::rules::Program;
use crate::solver::with_interrupts;
use crate::steps::budget::BudgetWatch;
use crate::terms::{TermId, Terms};
use composition::Composition;
use guessing::{Beginning, Searching, own_guesses, with_guesses};
use induction::{Aim, Induction};
use kernel::{GaveUp, Kernel};
pub(crate) use offers::{Guesses, Offered};
use search::{Found, Search};
use small::Extent;
pub(crate) use small::{Calculation, Given, Pools, SmallFacts};
pub(crate) use system::{Clause, Equations, NodeId, Role, System};
use word_bounds::WordBounds;

/// How many small facts are looked for.
const SMALL: Extent = Extent {
    rounds: 10,
    of_round: 40,
    of_clause: 4_000,
    all: 100_000,
};
/// So many matches of facts are a unit of work.
pub(crate) const MATCHES: u64 = 4;

/// Verifies that no query of the program derives the error, by following its rules as relations. Rules may have several atoms.
///
/// The limits of the options hold; a state is an obligation here.
pub fn verify(program: &Program, options: &Options) -> Outcome {
    begun_with(program, Beginning::Nothing, options)
}

/// [`verify`] that begins with what is inductive of some guesses.
pub(crate) fn verify_with(program: &Program, guesses: &mut dyn Guesses, options: &Options) -> Outcome {
    begun_with(program, Beginning::Guesses(guesses, Searching::InTurns), options)
}

/// [`verify_with`] that knows nothing if what is inductive of the guesses does not soon exclude the error.
pub(crate) fn verify_by_guesses(program: &Program, guesses: &mut dyn Guesses, options: &Options) -> Outcome {
    begun_with(program, Beginning::Guesses(guesses, Searching::Little), options)
}

/// [`verify_with`] with guesses about loop headers alone, so that rules can be composed between these.
pub(crate) fn verify_with_guesses_at_loops(program: &Program, guesses: &mut dyn Guesses, options: &Options) -> Outcome {
    begun_with(program, Beginning::GuessesAtLoops(guesses), options)
}

/// [`verify`] that begins with what is inductive of what small facts of calls have in common.
pub(crate) fn verify_by_regularities(program: &Program, options: &Options) -> Outcome {
    begun_with(program, Beginning::Regularities, options)
}

/// What is inductive of what states of runs [have in common under guards](under_guards), if that excludes the error, or a short search then does;
/// *unknown* at once of rules with calls, and where no variable is only ever set to constants.
pub(crate) fn verify_under_guards(program: &Program, options: &Options) -> Outcome {
    match program.has_calls() {
        true => Outcome::unknown(StopReason::NotSupported("rules with calls, under guards".to_string())),
        false => begun_with(program, Beginning::UnderGuards, options),
    }
}

/// [`verify`] that begins with what is inductive of limits that words may have; unknown at once where there are none.
pub(crate) fn verify_by_word_bounds(program: &Program, options: &Options) -> Outcome {
    verify_by_word_bounds_and(program, Vec::new(), options)
}

/// The same with what somebody else guesses, over the terms of the program.
pub(crate) fn verify_by_word_bounds_and(program: &Program, guesses: Vec<Offered>, options: &Options) -> Outcome {
    match WordBounds::new(program, guesses) {
        Some(mut bounds) => begun_with(program, Beginning::Guesses(&mut bounds, Searching::Afterwards), options),
        None => Outcome::unknown(StopReason::NotSupported(
            "programs without words, by their limits".to_string(),
        )),
    }
}

/// Looks for a derivation of the error by running rules with calls as a program, for small inputs and then larger ones; says nothing of programs
/// that are safe, and *unknown* at once of rules without calls.
///
/// ```text
/// ?- id(X, R), R = 1000, error.   id(X, R) :- X = 0, R = 0.   id(X, R) :- X > 0, id(X - 1, S), id(0, T), R = S + T + 1.
/// ```
///
/// needs a thousand steps here: what is known of a call is there for the next one.
pub(crate) fn verify_by_running(program: &Program, options: &Options) -> Outcome {
    if !program.has_calls() {
        return Outcome::unknown(StopReason::NotSupported("rules without calls, by calls".to_string()));
    }
    let run = || {
        let budget = BudgetWatch::start(&options.budget, &options.cancellation).paced(&options.pace);
        with_interrupts(&budget, || run(program, options, &budget))
    };
    on_deep_stack(run).unwrap_or_else(engine::failed)
}

fn run(program: &Program, options: &Options, budget: &BudgetWatch<'_>) -> Outcome {
    let mut terms = program.terms.clone();
    let system = System::new(program, &mut terms, Equations::Solved);
    let stop = |tried: u64| {
        budget.advance(tried / MATCHES);
        budget.exhausted(0, 0).is_some()
    };
    let facts = small_facts(&terms, &system, &|steps| stop(steps * MATCHES));
    let before = facts.tried;
    let small = facts.derivation(&terms, &system).and_then(Result::ok);
    let found = small.or_else(|| small::error_by_running(&terms, &system, &facts, &mut |tried| stop(before + tried)));
    let statistics = Statistics {
        seconds: budget.seconds(),
        ..Statistics::default()
    };
    let verdict = match found {
        Some(derivation) => Verdict::Unsafe(derivation),
        None => Verdict::Unknown(budget.exhausted(0, 0).unwrap_or_else(|| {
            StopReason::NotSupported("programs without an error among small inputs, by running them".to_string())
        })),
    };
    concluded(program, options, budget, verdict, statistics)
}

fn begun_with(program: &Program, beginning: Beginning<'_>, options: &Options) -> Outcome {
    let run = move || {
        let budget = BudgetWatch::start(&options.budget, &options.cancellation).paced(&options.pace);
        with_interrupts(&budget, || searched(program, beginning, options, &budget))
    };
    match on_deep_stack(run) {
        Ok(outcome) => outcome,
        Err(failure) => engine::failed(failure),
    }
}

/// Verifies that no query of the program derives the error, by induction over several steps of its rules as relations, and by
/// looking for the shortest way into it. The answer is unknown at once for rules with several atoms. Programs of many predicates are
/// unrolled by the paths between their loop headers, for errors alone.
///
/// ```
/// # use clausal_engine as clausal;
/// use clausal::engine::{Options, Verdict};
///
/// // Two numbers that change places: neither is ever 3, which one step does not show of one of them.
/// let source = "
///     ?- swap(1, 2).
///     swap(X, Y) :- swap(Y, X).
///     swap(X, Y) :- X = 3, error.";
/// let program = clausal::clp::read(source).product.expect("no mistake in it");
/// let outcome = clausal::relations::verify_by_induction(&program, &Options::default());
/// let Verdict::Safe(certificate) = outcome.verdict else { panic!("{:?}", outcome.verdict) };
/// assert_eq!(certificate.induction_depth, 2);
/// ```
pub fn verify_by_induction(program: &Program, options: &Options) -> Outcome {
    let run = || {
        let budget = BudgetWatch::start(&options.budget, &options.cancellation).paced(&options.pace);
        with_interrupts(&budget, || inducted(program, options, &budget))
    };
    match on_deep_stack(run) {
        Ok(outcome) => outcome,
        Err(failure) => engine::failed(failure),
    }
}

fn inducted(program: &Program, options: &Options, budget: &BudgetWatch<'_>) -> Outcome {
    // A step of all runs is to this search what an unrolling is to the engine.
    let stop = |steps: u64, work: u64| {
        budget.advance(work);
        budget.exhausted(steps, steps)
    };
    let limit = options.budget.query_resources;
    // A program of small steps is unrolled by large ones, for errors alone: a proof over several of them would be none of the original.
    let composition = match Induction::fits(program) {
        true => None,
        false => composition::composed(program, &|work| stop(0, work).is_some()),
    };
    let induction = match &composition {
        None => Induction::new(program, Aim::Proofs, limit, &stop),
        Some(composition) => Induction::new(&composition.program, Aim::Errors, limit, &stop),
    };
    let Some(mut induction) = induction else {
        let what = "rules like these, by induction over several steps";
        return Outcome::unknown(StopReason::NotSupported(what.to_string()));
    };
    let verdict = match induction.search() {
        Ok(Verdict::Unsafe(derivation)) => original(composition.as_ref(), derivation, budget),
        verdict => verdict.unwrap_or_else(Verdict::Unknown),
    };
    let statistics = Statistics {
        states: induction.steps() as u64,
        unrollings: induction.steps() as u64,
        seconds: budget.seconds(),
        ..Statistics::default()
    };
    concluded(program, options, budget, verdict, statistics)
}

/// The outcome, once its evidence has been checked.
fn concluded(
    program: &Program,
    options: &Options,
    budget: &BudgetWatch<'_>,
    verdict: Verdict,
    mut statistics: Statistics,
) -> Outcome {
    let verdict = match options.check_evidence {
        true => engine::checked(program, verdict, budget, options),
        false => verdict,
    };
    statistics.checking_seconds = budget.seconds() - statistics.seconds;
    Outcome {
        verdict,
        statistics,
        invariants: Vec::new(),
        tree: None,
    }
}

/// Small facts, found in a tenth of a second or so.
pub(crate) fn small_facts(terms: &Terms, system: &System, stop: &dyn Fn(u64) -> bool) -> SmallFacts {
    small::small_facts(terms, system, SMALL, &mut |tried| stop(tried / MATCHES))
}

fn searched(program: &Program, beginning: Beginning<'_>, options: &Options, budget: &BudgetWatch<'_>) -> Outcome {
    if matches!(beginning, Beginning::UnderGuards) && !under_guards::fits(program) {
        let what = "rules that set no variable to constants alone, under guards".to_string();
        return Outcome::unknown(StopReason::NotSupported(what));
    }
    let limit = options.budget.query_resources;
    // A level is to this search what an unrolling is to the engine.
    let stop = |states: u64, work: u64, level: u64| {
        budget.advance(work);
        budget.exhausted(states, level)
    };
    let has_calls = program.has_calls();
    // Guesses are about the predicates as they are, and so are facts of calls.
    let composition = match &beginning {
        Beginning::Guesses(..) => None,
        Beginning::Nothing | Beginning::GuessesAtLoops(_) | Beginning::Regularities | Beginning::UnderGuards => {
            composition::composed(program, &|work| stop(0, work, 0).is_some())
        }
    };
    let rules = composition.as_ref().map_or(program, |composition| &composition.program);
    let mut kernel = Kernel::new(rules, limit);
    let before = composition.as_ref().map_or(0, |composition| composition.work);
    let mut is_over = |steps| stop(0, before + steps, 0).is_some();
    let looking = match &beginning {
        Beginning::UnderGuards => witnesses::TO_GUESS,
        _ => witnesses::A_LOOK,
    };
    let (witnesses, steps) = witnesses::from_runs(program, &kernel.system, looking, &mut is_over);
    (kernel.witnesses, kernel.ran) = (witnesses, before + steps);
    let facts = has_calls.then(|| small_facts(&kernel.terms, &kernel.system, &|steps| stop(0, steps, 0).is_some()));
    if let Some(facts) = &facts {
        kernel.ran += facts.tried / MATCHES;
        if let Some(Ok(derivation)) = facts.derivation(&kernel.terms, &kernel.system) {
            let statistics = Statistics {
                seconds: budget.seconds(),
                ..Statistics::default()
            };
            return concluded(program, options, budget, Verdict::Unsafe(derivation), statistics);
        }
        // Of numbers alone, entries that a fact contradicts later on can be steps on the way to those that last, unless guesses are there.
        let has_terms = !program.terms.datatypes().is_empty();
        if has_terms || matches!(beginning, Beginning::Regularities) {
            kernel.witnesses = witnesses::of_facts(&kernel.system, facts);
        }
    }
    let is_guessed = !matches!(beginning, Beginning::Nothing);
    let own = own_guesses((program, rules), &mut kernel, (&beginning, facts), budget);
    let mut search = Search::new(kernel, &stop);
    let mut implied = Vec::new();
    let found = match (beginning, own) {
        (Beginning::Guesses(guesses, searching), _) => with_guesses(&mut search, guesses, searching, &mut implied),
        (Beginning::GuessesAtLoops(guesses), _) => {
            with_guesses(&mut search, guesses, Searching::Afterwards, &mut implied)
        }
        (_, Some((mut guesses, searching))) => with_guesses(&mut search, &mut *guesses, searching, &mut implied),
        _ => search.run_out(),
    };
    let statistics = figures(&search, budget);
    let verdict = match found {
        Ok(Found::Inductive(level)) => {
            let nodes = 0..search.kernel.system.nodes.len();
            let mut all: Vec<Vec<TermId>> = nodes.map(|node| search.frame_invariant(NodeId(node), level)).collect();
            for (node, formula) in implied {
                all[node.0].push(formula);
            }
            if is_guessed || composition.is_some() {
                all = trimming::trimmed(&mut search.kernel, all, &|work| stop(0, work, 0));
            }
            let certificate = match &composition {
                None => {
                    let invariant = |NodeId(node): NodeId| all.get(node).cloned().unwrap_or_default();
                    Ok(search.kernel.system.certificate(&search.kernel.terms, &invariant))
                }
                Some(composition) => completion::completed(program, composition, search.kernel, &all, (limit, &stop)),
            };
            certificate.map_or_else(Verdict::Unknown, Verdict::Safe)
        }
        Ok(Found::Reached(fact)) => match derivation::derivation(&mut search.kernel, fact, limit) {
            Ok(derivation) => original(composition.as_ref(), derivation, budget),
            Err(GaveUp) => without_values(budget),
        },
        Err(reason) => Verdict::Unknown(reason),
    };
    concluded(program, options, budget, verdict, statistics)
}

/// The error by the original rules, if those that were followed are composed ones.
fn original(composition: Option<&Composition>, derivation: Derivation, budget: &BudgetWatch<'_>) -> Verdict {
    let expanded = match composition {
        None => Some(derivation),
        Some(composition) => composition.expanded(&derivation),
    };
    expanded.map_or_else(|| without_values(budget), Verdict::Unsafe)
}

/// There is a path into the error, but nobody knows by which values.
fn without_values(budget: &BudgetWatch<'_>) -> Verdict {
    let gave_up = || StopReason::SolverGaveUp("finding values for a path into the error".to_string());
    Verdict::Unknown(budget.interruption().unwrap_or_else(gave_up))
}

/// What a search has cost.
fn figures(search: &Search<'_>, budget: &BudgetWatch<'_>) -> Statistics {
    let mut statistics = Statistics {
        states: search.states,
        unrollings: search.level as u64,
        interpolants: search.kernel.entries.iter().map(Vec::len).sum::<usize>() as u64,
        seconds: budget.seconds(),
        ..Statistics::default()
    };
    let kernel = &search.kernel;
    statistics.solver.queries = kernel.questions;
    statistics.solver.linear.asked = kernel.by_linear;
    statistics.solver.linear.settled = kernel.by_linear;
    statistics.solver.z3.asked = kernel.questions - kernel.by_linear;
    statistics.solver.z3.settled = statistics.solver.z3.asked;
    statistics
}
