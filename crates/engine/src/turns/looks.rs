//! Looks before the turns: what decides many programs soon, and is soon over where it is no use. One after another.

use super::at_once::Method;
use super::by_unrolling;
use super::features::{is_about_bits, looks_at_bits, needs_costly_questions};
use crate::engine::{Options, Outcome, Verdict};
use crate::enumeration;
use crate::explore;
use crate::inferred;
use crate::recursion;
use crate::rules::Program;
use crate::sampling::{self, Samples};
use crate::steps::{BudgetWatch, OfferedCandidates, Pace};
use std::time::Duration;

/// A verdict, if it is soon there.
pub(super) type Look = fn(&Program, &Options) -> Option<Outcome>;

/// All looks, in their order, and what they are called.
pub(super) const LOOKS: &[(&str, Look)] = &[
    ("samples", by_samples),
    ("each input", by_each_input),
    ("its run", by_its_run),
    ("few paths", by_few_paths),
    ("short loops", by_short_loops),
    ("small questions", by_small_questions),
];

/// What the engine may do about a program whose run has decided already, in the units above.
const WORK_FOR_INVARIANTS: u64 = 16_000;

/// What following loops to their end may take before all methods begin, where integers are looked at bit by bit: a second or two
/// if it is in vain.
const SHORT_LOOPS: u64 = 80_000;

/// What following paths one by one may take before that. A question is asked in pieces, of which each is counted.
const FEW_PATHS: u64 = 120_000;

/// What running with each value of inputs that have few may take: one and a half million steps.
const EACH_INPUT: u64 = 400_000;

/// What a question may take in these, or before that where states have met an error, as a part of what it may take otherwise.
const SHARE_OF_QUESTION: u32 = 8;

/// What the engine may do before anything is inferred of rules that multiply, and what a question may take then, as a part of what it may
/// take otherwise.
const SMALL_QUESTIONS: u64 = 16_000;
const SHARE_OF_SMALL_QUESTION: u32 = 64;

/// What a method decides with so much work at most, and for a question a part of what it may take otherwise.
fn decided_within(
    (work, share_of_question): (u64, u32),
    program: &Program,
    options: &Options,
    method: Method,
) -> Option<Outcome> {
    let mut own = Options {
        pace: Pace::against_a_decision(work),
        cancellation: options.cancellation.part(),
        ..options.clone()
    };
    own.budget.query_resources = options.budget.query_resources.div_ceil(share_of_question);
    let outcome = method(program, &own);
    outcome.is_decided().then_some(outcome)
}

/// An error that a program with bit operations runs into with one of a few thousand inputs.
fn by_samples(program: &Program, options: &Options) -> Option<Outcome> {
    if program.has_calls() || !is_about_bits(program) {
        return None;
    }
    let budget = BudgetWatch::start(&options.budget, &options.cancellation);
    let samples = Samples {
        marks: &[],
        patterns: true,
    };
    let derivation = sampling::error_run(program, samples, &|| budget.interruption().is_some())?;
    sampling::found_by_run(program, derivation, &budget)
}

/// The verdict on a program with bit operations that has few paths: of each that ends in the error one question about words, which joins no
/// other path.
fn by_few_paths(program: &Program, options: &Options) -> Option<Outcome> {
    if program.has_calls() || !options.without_invariants || !looks_at_bits(program) {
        return None;
    }
    decided_within(
        (FEW_PATHS, SHARE_OF_QUESTION),
        program,
        options,
        explore::verify_path_by_path,
    )
}

/// The verdict on a program whose inputs have few values, by all of its runs.
fn by_each_input(program: &Program, options: &Options) -> Option<Outcome> {
    if program.has_calls() || !is_about_bits(program) {
        return None;
    }
    decided_within((EACH_INPUT, 1), program, options, enumeration::verify_each_input)
}

/// The verdict on a program with bit operations whose loops end after a few turns: unrolled, it is one question about words on each
/// path. What is believed at loops leads to many questions about numbers of any size, which are as hard as the last one.
fn by_short_loops(program: &Program, options: &Options) -> Option<Outcome> {
    if !looks_at_bits(program) {
        return None;
    }
    let own = Options {
        offered: OfferedCandidates::default(),
        ..options.clone()
    };
    decided_within((SHORT_LOOPS, SHARE_OF_QUESTION), program, &own, by_unrolling)
}

/// The verdict on a program that multiplies, if the engine has it in a tenth of a second, by questions that are small: otherwise it waits
/// for what is inferred.
fn by_small_questions(program: &Program, options: &Options) -> Option<Outcome> {
    if program.has_calls() || !inferred::multiplies(program) {
        return None;
    }
    decided_within(
        (SMALL_QUESTIONS, SHARE_OF_SMALL_QUESTION),
        program,
        options,
        recursion::verify,
    )
}

/// The verdict on a program that runs by itself: its run is proof enough, or its states are. But where the engine needs next to nothing,
/// its invariants say more.
pub(super) fn by_its_run(program: &Program, options: &Options) -> Option<Outcome> {
    let mut own = options.clone();
    own.budget.query_resources = options.budget.query_resources.div_ceil(SHARE_OF_QUESTION);
    let outcome = match enumeration::first_look(program, &own) {
        Some(outcome) => outcome,
        None if needs_costly_questions(program) => enumeration::verify_long_run(program, &own),
        // What runs for long may be proved before it is over.
        None => {
            let methods: [Method; 2] = [
                |program, options| by_few_questions(program, options, 0.0),
                enumeration::verify_long_run,
            ];
            let mut found = methods.iter().map(|method| method(program, options));
            return found.find(Outcome::is_decided);
        }
    };
    or_by_the_engine(program, options, outcome)
}

/// What is decided already, by the engine if it soon says the same.
fn or_by_the_engine(program: &Program, options: &Options, outcome: Outcome) -> Option<Outcome> {
    if !outcome.is_decided() {
        return None;
    }
    if needs_costly_questions(program) {
        return Some(outcome);
    }
    let by_engine = by_few_questions(program, options, outcome.statistics.seconds);
    let is_same = matches!(
        (&by_engine.verdict, &outcome.verdict),
        (Verdict::Safe(_), Verdict::Safe(_)) | (Verdict::Unsafe(_), Verdict::Unsafe(_))
    );
    Some(if is_same { by_engine } else { outcome })
}

/// The engine, for next to nothing, after so many seconds.
fn by_few_questions(program: &Program, options: &Options, elapsed: f64) -> Outcome {
    let mut own = Options {
        pace: Pace::against_a_decision(WORK_FOR_INVARIANTS),
        cancellation: options.cancellation.part(),
        ..options.clone()
    };
    own.budget = own.budget.after(Duration::from_secs_f64(elapsed));
    recursion::verify(program, &own)
}
