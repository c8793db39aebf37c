//! One verification by several methods in turns: whichever has evidence first, by a count of work and not of time.
//!
//! No method is the best for all programs: the engine is ahead on explicit paths, [`crate::relations`] on large formulas and on
//! calls, [induction](crate::relations::verify_by_induction) on protocols that settle after some steps and for errors behind many,
//! [`crate::phases`] on loops that go one way first and then another, [`crate::inferred`] where something is multiplied or comes back by halves, [`crate::measures`]
//! where lists and trees are only measured, [`crate::functions`] where programs over them compute functions,
//! [`crate::explore`] for errors that templates jump to, [`crate::defined`] for errors where fields are taken of any term,
//! [`crate::cells`] where something holds of all elements of an array, [`crate::enumeration`] where a program does one thing only (by
//! its states, or by its run alone where these are many), [trying inputs](crate::sampling) where errors are a few conditions on them away, [regularities](by_regularities) where calls give back, or states under a rule's guard have, what small inputs and runs show, unrolling where its loops end after few
//! iterations. So all go on side by side, by a common [pace](crate::steps::Pace); as many run at once as there are processors, those first that have done
//! least of their share. Before them come [looks] that are soon over: where numbers are looked at bit by bit, at samples, at paths one by one, and at loops to their end. Where rules
//! are paths, the engine begins: on one processor it decides alone what it decides soon. Where they
//! are relations, it gets two thirds of what the others get (who gets how much is in `shares`), and where they hide [locations](crate::locations), it follows the rules in
//! which these are explicit, which relations follow, too. Each answer is accepted by the checker or replayed before it counts.
//! What each did is written down where somebody wants to know ([`TurnRecord`]).

mod at_once;
mod features;
mod looks;
mod shares;

use self::at_once::{Entry, Follows, end_of, verify_at_once};
use self::features::{RELATION, choices, needs_costly_questions};
use self::looks::{LOOKS, Look};
use crate::cells;
use crate::deep_stack::on_deep_stack;
use crate::defined;
use crate::engine::{self, Options, Outcome, StopReason, Strategy};
use crate::enumeration;
use crate::explore;
use crate::filtering::verify_filtered;
use crate::float_bounds;
use crate::functions;
use crate::inferred;
use crate::measures;
use crate::phases;
use crate::records::verify_apart;
use crate::recursion;
use crate::relations;
use crate::rules::Program;
use crate::sampling;
pub use crate::sampling::error_by_trials;
use crate::steps::processor_seconds;
pub use crate::steps::{Turn, TurnEnd, TurnRecord};
use crate::terms::Sort;
use crate::unbounded::{Extent, verify_by_integers};
use std::num::NonZeroUsize;
use std::thread;
use std::time::Instant;

/// The methods in their order; what each may do in its first round is in [`shares`].
const METHODS: [Entry; shares::METHODS] = {
    let mut methods = [Entry::new("relations", Follows::Given, relations::verify); shares::METHODS];
    // Ends at once where nothing is multiplied, nor divided by what it was multiplied by, and there are no calls over numbers.
    methods[shares::PRODUCTS] = Entry::new("products", Follows::Given, inferred::verify);
    // Rules that hide locations are no paths; with these they are.
    methods[shares::ENGINE] = Entry::new("engine", Follows::LocatedOrGiven, recursion::verify);
    // Ends soon where a program does not run by itself; where it does, nothing else is needed but its run. Calls are calculated.
    methods[shares::RUNS] = Entry::new("states", Follows::Given, by_runs);
    // Ends at once where there are no recursive datatypes, and the next two where there is nothing but sizes.
    methods[shares::SIZES] = Entry::new("sizes", Follows::Given, measures::verify_by_size);
    methods[shares::SUMS] = Entry::new("sums", Follows::Given, measures::verify_by_sum);
    methods[shares::ORDERS] = Entry::new("orders", Follows::Given, measures::verify_by_order);
    // Ends at once where there are no recursive datatypes, and soon where relations are no functions or what they have to satisfy is wrong.
    methods[shares::FUNCTIONS] = Entry::new("functions", Follows::Given, functions::verify);
    methods[shares::RELATIONS_AT_LOCATIONS] = Entry::new("relations at locations", Follows::Located, relations::verify);
    // Ends soon where loops have no phases.
    methods[shares::PHASES] = Entry::new("phases", Follows::LocatedOrGiven, phases::verify);
    // Ends at once where there are no arrays; where there are, and no calls, the engine decides soon or not at all, while guesses
    // take a second or two.
    methods[shares::CELLS] = Entry::new("cells", Follows::Given, cells::verify_by_cells);
    methods[shares::PAIRS] = Entry::new("pairs of cells", Follows::Given, cells::verify_by_pairs);
    // Ends at once where all fields have a value.
    methods[shares::DEFINED_RUNS] = Entry::new("fields of any term", Follows::Given, defined::verify);
    // Ends at once where there are arrays, other terms or floating-point numbers; without calls also where nothing is only ever set to
    // constants, or no word has a limit that it is compared with.
    methods[shares::REGULARITIES] = Entry::new("regularities", Follows::Given, by_regularities);
    // Ends at once for programs of many predicates.
    methods[shares::INDUCTION] = Entry::new("induction", Follows::Given, relations::verify_by_induction);
    // Ends at once for rules with calls, and where there are no arrays, words or floats: loops over sizes have any number of turns.
    methods[shares::UNROLLING] = Entry::new("unrolling", Follows::Given, by_unrolling);
    // Ends at once for rules with calls and relations, and after a few hundred states.
    methods[shares::TEMPLATES] = Entry::new("templates", Follows::LocatedOrGiven, by_templates);
    // Ends soon where much is read.
    methods[shares::RUNS_TO_THE_END] = Entry::new("runs", Follows::Given, enumeration::verify_to_the_end);
    // Ends at once for rules with calls, and where nothing is read.
    methods[shares::TRIALS] = Entry::new("trials", Follows::Given, sampling::verify_by_trials);
    methods
};

/// How many of the methods, from the first, prove by induction over one step, so that their invariants are models.
const WITH_MODELS: usize = shares::INDUCTION;

/// The engine with loops unrolled as they are, deeper and deeper: it forgets nothing at loops whose turns are few, where what is
/// believed about them is given up again and again.
fn by_unrolling(program: &Program, options: &Options) -> Outcome {
    if program.has_calls() || !needs_costly_questions(program) {
        let what = "programs with calls or without arrays, unrolled as they are".to_string();
        return Outcome::unknown(StopReason::NotSupported(what));
    }
    let unrolled = Options {
        strategy: Strategy::IterativeDeepening,
        ..options.clone()
    };
    engine::verify(program, &unrolled)
}

/// The states of a program that runs by itself, or what its calls give back for small inputs.
fn by_runs(program: &Program, options: &Options) -> Outcome {
    match program.has_calls() {
        true => relations::verify_by_running(program, options),
        false => enumeration::verify(program, options),
    }
}

/// Errors that templates jump to, where rules are paths over numbers and arrays: of a relation they would need every way through it.
fn by_templates(program: &Program, options: &Options) -> Outcome {
    if choices(program) >= RELATION || program.is_about(|sort| matches!(sort, Sort::Word(_) | Sort::Float(_))) {
        let what = "templates of rules with words, floating-point numbers or many cases".to_string();
        return Outcome::unknown(StopReason::NotSupported(what));
    }
    explore::verify(program, options)
}

/// What small facts of calls have in common, and then relations: what a call gives back is often a function of what it is given, by cases, and that is
/// seen on a few values at once, where one model after another tells of single values. Of rules without calls, what states have in common under
/// guards. Of words, their limits, whether there are calls or not.
fn by_regularities(program: &Program, options: &Options) -> Outcome {
    let is_other = |sort| matches!(sort, Sort::Array(..) | Sort::Float(_) | Sort::Datatype(..));
    if program.is_about(|sort| matches!(sort, Sort::Word(_))) && !program.is_about(is_other) {
        return relations::verify_by_word_bounds(program, options);
    }
    let has_others = needs_costly_questions(program) || !program.terms.datatypes().is_empty();
    if has_others {
        let what = "regularities of rules about other things than numbers".to_string();
        return Outcome::unknown(StopReason::NotSupported(what));
    }
    match program.has_calls() {
        true => relations::verify_by_regularities(program, options),
        false => relations::verify_under_guards(program, options),
    }
}

/// Verifies that no query of the program derives the error, by all methods in turns.
///
/// The outcome is that of the method that decided first; if none does, that of the engine. The same program and options give
/// the same outcome on any number of processors, but for times and what limits of time or memory cut off.
pub fn verify(program: &Program, options: &Options) -> Outcome {
    decided(program, options, &METHODS)
}

/// [`decided_here`] of what matters, fields of records on their own, on one thread, whose Z3 all looks share.
fn decided(program: &Program, options: &Options, methods: &[Entry]) -> Outcome {
    let rounds =
        |program: &Program, options: &Options, extent: Extent| decided_here(program, options, (methods, extent));
    let decide = |program: &Program, options: &Options| verify_by_integers(program, options, &rounds);
    let filtered = |program: &Program, options: &Options| verify_filtered(program, options, &decide);
    on_deep_stack(|| verify_apart(program, options, &filtered)).unwrap_or_else(engine::failed)
}

/// By what is soon over where it is no use, one after another, and then by these methods at once, as far as that is wanted.
fn decided_here(program: &Program, options: &Options, (methods, extent): (&[Entry], Extent)) -> Outcome {
    let started = Instant::now();
    let rest = || Options {
        budget: options.budget.after(started.elapsed()),
        ..options.clone()
    };
    let looks: &[(&'static str, Look)] = match extent {
        Extent::All | Extent::LooksAndRounds(_) => LOOKS,
        Extent::Rounds(_) | Extent::Turns => &[],
    };
    let last = match extent {
        Extent::LooksAndRounds(last) | Extent::Rounds(last) => Some(last),
        Extent::All | Extent::Turns => None,
    };
    let course = options.record.begin();
    let found = looks.iter().find_map(|look| looked(program, &rest(), look, course));
    found.unwrap_or_else(|| by_methods(program, &rest(), (methods, last)))
}

/// What a look finds, which is written down in this course of the record.
fn looked(program: &Program, options: &Options, (name, look): &(&'static str, Look), course: u64) -> Option<Outcome> {
    let before = processor_seconds();
    let found = look(program, options);
    options.record.add(|| Turn {
        course,
        method: name,
        round: None,
        work: None,
        seconds: before.zip(processor_seconds()).map(|(before, now)| now - before),
        end: found.as_ref().map_or(TurnEnd::Nothing, end_of),
    });
    found
}

/// [`verify`] by those methods whose proofs are by induction over one step.
pub fn verify_with_model(program: &Program, options: &Options) -> Outcome {
    let methods = METHODS.get(..WITH_MODELS).unwrap_or_default();
    let own = Options {
        without_invariants: false,
        ..options.clone()
    };
    decided(program, &own, methods)
}

/// By these methods at once, which are told the limits of floating-point numbers.
fn by_methods(program: &Program, options: &Options, (methods, last): (&[Entry], Option<u32>)) -> Outcome {
    float_bounds::verify_within(program, options, &|program, options| {
        let jobs = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        verify_at_once(program, options, (jobs, last), methods)
    })
}

#[cfg(test)]
mod tests {
    use super::looks::by_its_run;
    use super::*;
    use crate::engine::Verdict;

    fn program(source: &str) -> Program {
        crate::clp::read_with_calls(source).product.expect("no mistake in it")
    }

    #[test]
    fn a_proof_by_runs_is_given_only_where_no_invariants_are_wanted() {
        let program = program(
            "?- A = constant(0), p(0, 7, A).
             p(I, X, A) :- I < 30000, p(I + 1, (75 * X + 74) mod 65537, store(A, X mod 64, I)).
             p(I, X, A) :- I >= 30000, X \\= 56684, A[0] > 0, error.",
        );
        let by_runs = |outcome: Outcome| match outcome.verdict {
            Verdict::Safe(certificate) => certificate.all_runs,
            _ => None,
        };
        let mut options = Options::default();
        assert_eq!(by_runs(verify(&program, &options)), Some(30_002));
        options.without_invariants = false;
        assert!(by_its_run(&program, &options).is_none());
        assert_eq!(by_runs(enumeration::verify_to_the_end(&program, &options)), None);
    }

    #[test]
    fn what_holds_of_a_cell_is_seen_before_a_long_run_is_over() {
        // The run has no end.
        let program = program(
            "?- p(0, F, G).
             p(X, F, G) :- p(X + 1, store(F, X, 1), store(G, X, 2)).
             p(X, F, G) :- X > 0, select(G, 0) =< select(F, 0), error.",
        );
        assert!(matches!(
            verify(&program, &Options::default()).verdict,
            Verdict::Safe(_)
        ));
    }
}
