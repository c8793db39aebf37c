//! Machine words by way of integers: a program over words mostly means numbers, and of numbers more is known.
//!
//! The rules are [read](Reading) as rules over integers that never wrap around, and these are verified by all methods. An invariant of the
//! integers is [told](telling) of the words; where the checker accepts it there, that is the proof, and where it does not, what is inductive
//! of it is where [relations](crate::relations) over words begin. A run of the integers into the error is replayed with words. If neither is
//! accepted, since numbers get too large, the rules are read once more as ones over integers that wrap around. Nothing counts that was not
//! accepted for the words themselves.
//!
//! What words do by themselves comes first, for a few rounds of the turns, and again at the end if nothing else helps.
//!
//! ```text
//! operations   what operations on words are on integers
//! reading      rules over words as rules over integers
//! telling      formulas, certificates and derivations of the integers, of the words
//! ```

mod operations;
mod reading;
mod telling;
#[cfg(test)]
mod tests;

use crate::engine::{self, Options, Outcome, Verdict};
use crate::evidence::Certificate;
use crate::relations;
use crate::rules::Program;
use crate::steps::Pace;
use operations::Overflow;
use reading::Reading;
use std::time::Instant;

/// How many rounds the methods have with the words first, and then with the integers. One of relations over words that decides later
/// mostly decides much later.
const ROUNDS_OF_WORDS: u32 = 2;
const ROUNDS_OF_INTEGERS: u32 = 5;
/// What relations may do that begin with guesses, in the units of turns: a second or two.
const WORK_OF_GUESSES: u64 = 200_000;

/// How much of all that there is to do about a program is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// All of it.
    All,
    /// What is soon over, and the turns until the end of this round.
    LooksAndRounds(u32),
    /// The turns until the end of this round.
    Rounds(u32),
    /// The turns.
    Turns,
}

/// How a program is verified by several methods.
type Verify<'a> = &'a dyn Fn(&Program, &Options, Extent) -> Outcome;

/// Verifies a program by a method that takes turns, and one over words by way of integers, too.
pub(crate) fn verify_by_integers(program: &Program, options: &Options, verify: Verify<'_>) -> Outcome {
    let started = Instant::now();
    let is_wanted = !options.keep_tree && program.validate().is_ok();
    let read = is_wanted.then(|| Reading::new(program, Overflow::Ignored)).flatten();
    // Where single bits are looked at, integers seldom know anything.
    let Some(read) = read.filter(|read| !read.is_vague) else {
        return verify(program, options, Extent::All);
    };
    let rest = || Options {
        budget: options.budget.after(started.elapsed()),
        ..options.clone()
    };
    let outcome = verify(program, &rest(), Extent::LooksAndRounds(ROUNDS_OF_WORDS));
    if outcome.is_decided() || options.cancellation.is_cancelled() {
        return outcome;
    }
    let of_integers = |read: &Reading, rounds: u32| {
        let own = Options {
            check_evidence: false,
            offered: Default::default(),
            ..rest()
        };
        verify(&read.program, &own, Extent::Rounds(rounds))
    };
    let mut found = of_integers(&read, ROUNDS_OF_INTEGERS);
    let idea = std::mem::replace(&mut found.verdict, outcome.verdict.clone());
    let as_it_is = || accepted(program, read.told(program, &idea), &rest());
    let by_wrapping = |rounds: u32| {
        let wrapping = Reading::new(program, Overflow::Wraps)?;
        let verdict = of_integers(&wrapping, rounds).verdict;
        accepted(program, wrapping.told(program, &verdict), &rest())
    };
    let told = match &idea {
        Verdict::Safe(certificate) => as_it_is()
            .or_else(|| by_guesses(program, &read, certificate, &rest()))
            .or_else(|| by_wrapping(ROUNDS_OF_WORDS)),
        Verdict::Unsafe(_) => as_it_is().or_else(|| by_wrapping(ROUNDS_OF_INTEGERS)),
        Verdict::Unknown(_) => None,
    };
    match told {
        Some(verdict) => Outcome {
            verdict,
            invariants: Vec::new(),
            tree: None,
            ..found
        },
        None => verify(program, &rest(), Extent::Turns),
    }
}

/// By what is inductive of the invariants of integers.
fn by_guesses(program: &Program, read: &Reading, certificate: &Certificate, options: &Options) -> Option<Verdict> {
    let (own, guesses) = read.guesses(program, certificate);
    if guesses.is_empty() {
        return None;
    }
    let paced = Options {
        pace: Pace::against_a_decision(WORK_OF_GUESSES),
        cancellation: options.cancellation.part(),
        ..options.clone()
    };
    let outcome = relations::verify_by_word_bounds_and(&own, guesses, &paced);
    outcome.is_decided().then_some(outcome.verdict)
}

/// A verdict, if what checks evidence accepts it.
fn accepted(program: &Program, verdict: Option<Verdict>, options: &Options) -> Option<Verdict> {
    match engine::checked_verdict(program, verdict?, options) {
        Verdict::Unknown(_) => None,
        verdict => Some(verdict),
    }
}
