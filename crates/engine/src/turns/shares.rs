//! What each method may do in its first round: a table for rules that are paths, one for rules that are relations, and what is otherwise
//! where rules have calls. The figures are from sets of forty Horn files each (`benches/RESULTS.md`, *Turns*): which method decides a
//! file, after how much work, and what the others have done by then.
//!
//! Units are of work and not of time; about six microseconds each, but for cells, and for relations where rules are paths, two or three.

use super::features::needs_costly_questions;
use crate::rules::Program;
use crate::steps::pace::Share;
use crate::terms::Sort;

/// How many methods there are.
pub(super) const METHODS: usize = 19;

/// The positions of the methods.
pub(super) const PRODUCTS: usize = 0;
pub(super) const ENGINE: usize = 1;
pub(super) const RUNS: usize = 2;
pub(super) const SIZES: usize = 3;
pub(super) const SUMS: usize = 4;
pub(super) const ORDERS: usize = 5;
pub(super) const FUNCTIONS: usize = 6;
pub(super) const RELATIONS: usize = 7;
pub(super) const RELATIONS_AT_LOCATIONS: usize = 8;
pub(super) const PHASES: usize = 9;
pub(super) const CELLS: usize = 10;
pub(super) const PAIRS: usize = 11;
pub(super) const DEFINED_RUNS: usize = 12;
pub(super) const REGULARITIES: usize = 13;
pub(super) const INDUCTION: usize = 14;
pub(super) const UNROLLING: usize = 15;
pub(super) const TEMPLATES: usize = 16;
pub(super) const RUNS_TO_THE_END: usize = 17;
pub(super) const TRIALS: usize = 18;

/// What going through the states may do while the engine begins, and inference where something is multiplied: a second or so.
const AHEAD: u64 = 160_000;

/// What a run over arrays that is long may do, once the others have had two rounds: six million steps, which are seven seconds or so. There it
/// is asked first, for its answer needs nobody else's.
const OF_LONG_RUN: Share = share(1_500_000, 2);

/// The first round of what goes on only when nobody else does: no other gets that far.
const LAST: u32 = 30;

/// What the engine may do besides its first share before others have a turn, where rules are paths. On one processor eight of twelve safe ssh
/// programs, which it decides within 26,000 units, take 0.5 to 0.9 s so, and 1.1 to 3.0 s without.
const ENGINE_AHEAD: u64 = 16_000;

/// Where rules are paths, the engine begins: on one processor it decides alone what it decides soon. Where there are arrays, words or floats,
/// relations get three eighths of what it gets: on two processors nobody waits for them, and on one they cost that much, unless the engine
/// decides in a tenth of a second or so.
const OF_PATHS: [Share; METHODS] = {
    let mut shares = [share(12_000, 1); METHODS];
    // Before the engine, whose questions about products may take seconds each: a guess takes half a second, and where there is an
    // equation between products, it is right.
    shares[PRODUCTS].ahead = AHEAD;
    shares[ENGINE] = Share {
        ahead: ENGINE_AHEAD,
        ..share(16_000, 0)
    };
    shares[RUNS] = Share {
        ahead: AHEAD,
        ..share(48_000, 1)
    };
    shares[RUNS_TO_THE_END] = shares[RUNS];
    shares[FUNCTIONS] = share(OF_FUNCTIONS, 1);
    shares[CELLS] = share(OF_CELLS, 0);
    shares[PAIRS] = share(96_000, 1);
    shares[UNROLLING] = share(36_000, 1);
    // With the engine and single cells: with 12,000 units they find the errors of two C programs with arrays that the engine is too late
    // for, with 36,000 they also close the trees of two programs over texts of ten characters.
    shares[TEMPLATES] = share(36_000, 0);
    // The error of a matcher of patterns takes a few hundred thousand steps, for which others would have to follow all of its paths.
    shares[TRIALS] = share(24_000, 1);
    shares
};

/// Where rules are relations, nobody waits for the engine.
const OF_RELATIONS: [Share; METHODS] = {
    let mut shares = [share(12_000, 0); METHODS];
    shares[PRODUCTS].ahead = AHEAD;
    shares[ENGINE].work = 8_000;
    shares[RUNS].ahead = AHEAD;
    shares[FUNCTIONS].work = OF_FUNCTIONS / 2;
    shares[CELLS].work = OF_CELLS / 2;
    shares[TRIALS] = OF_TRIALS_OF_NUMBERS;
    shares
};

/// Twice what others get, for induction over several steps where relations are about reals. Of forty such Horn files it alone decides eight,
/// protocols with relays, in 0.7 to 3.7 seconds; of seventeen about which it says nothing it ends by itself in nine.
const OF_STEPS_OVER_REALS: u64 = 24_000;

/// Half as many units again as the engine, for relations where rules are paths over numbers, or have calls: two thirds of its time. Of 445 C
/// programs, each on one processor, they then decide those with many processes (token rings) in half the time that they took with a quarter of
/// that; what the engine decides after seconds takes up to three quarters more. Of forty Horn files with calls over numbers they alone decide
/// all that all methods do in turns, and four more.
const BESIDE_THE_ENGINE: Share = share(48_000, 1);

/// As many units as relations, a round later, for what states have in common under guards, where rules are paths over numbers. Of 68 programs of
/// locks and processes, each on one processor, all are decided in 10 s so, 66 with half of it, and 58 without; errors in token rings, which it
/// does not find, take up to two fifths more. Where rules are relations, it begins with all others, and has what they have.
const UNDER_GUARDS: Share = share(96_000, 2);

/// Three quarters of the engine's units for induction over several steps where rules are paths over numbers: half its time.
const INDUCTION_BESIDE_THE_ENGINE: Share = share(24_000, 1);

/// What trying inputs may do where rules are relations, or paths over numbers: others calculate these. Texts are in arrays.
const OF_TRIALS_OF_NUMBERS: Share = share(4_000, 2);

/// As much for relations over recursive datatypes, but once: they decide six of forty Horn files there, each within 61,000 units, while
/// proofs by measures and functions take up to 800,000.
const OF_CALLS_OVER_TERMS: Share = Share {
    ahead: 64_000,
    ..share(12_000, 1)
};

/// What functions may do in their first round: as much as all others that go on where there are recursive datatypes. Of forty such Horn files
/// they alone decide ten, at up to four seconds each; what others decide there, they do in two seconds, or functions have ended by then.
const OF_FUNCTIONS: u64 = 96_000;

/// What functions and sizes may do before relations have their part there. Of the sixteen answers that they have first about forty such Horn files,
/// seven take no more: a tenth to half a second.
const AHEAD_OF_RELATIONS: u64 = 12_000;

/// What measures may do where rules over recursive datatypes have calls. Bounds and order are what takes the longest.
const OF_SIZES: u64 = 24_000;
const OF_ORDERS: u64 = 48_000;

/// What single cells may do in their first round. Of forty Horn files with arrays they alone decide eleven, eight within 33,000 units; lists in C
/// need up to 600,000, which is little more than a second, and two files of relations up to 760,000.
const OF_CELLS: u64 = 160_000;

/// So many units of work in the first round, which is this one.
const fn share(work: u64, from: u32) -> Share {
    Share { work, from, ahead: 0 }
}

/// What each method may do about a program, whose rules are relations or paths, and which may run by itself for long.
pub(super) fn shares(program: &Program, is_relation: bool, runs_for_long: bool) -> [Share; METHODS] {
    let mut shares = if is_relation { OF_RELATIONS } else { OF_PATHS };
    if runs_for_long {
        // Its states are too many, and to write one down takes as long as it has elements.
        shares[RUNS] = share(48_000, LAST);
        shares[RUNS_TO_THE_END] = OF_LONG_RUN;
    }
    if is_relation && program.is_about(|sort| sort == Sort::Real) {
        shares[INDUCTION].work = OF_STEPS_OVER_REALS;
    }
    if program.has_calls() {
        // Nobody waits for what is inferred of calls, nor for what is calculated of them.
        shares[PRODUCTS] = share(12_000, 1);
        shares[RUNS] = share(24_000, 1);
    }
    if is_relation {
        return shares;
    }
    let terms = &program.terms;
    if !program.has_calls() {
        if !needs_costly_questions(program) && terms.datatypes().is_empty() {
            shares[RELATIONS] = BESIDE_THE_ENGINE;
            shares[REGULARITIES] = UNDER_GUARDS;
            shares[INDUCTION] = INDUCTION_BESIDE_THE_ENGINE;
            shares[TRIALS] = OF_TRIALS_OF_NUMBERS;
        }
        return shares;
    }
    if terms.datatypes().iter().any(|one| terms.is_recursive(one.sort)) {
        shares[RELATIONS] = OF_CALLS_OVER_TERMS;
        shares[SIZES].ahead = AHEAD_OF_RELATIONS;
        shares[FUNCTIONS].ahead = AHEAD_OF_RELATIONS;
        shares[SIZES].work = OF_SIZES;
        shares[SUMS].work = OF_SIZES;
        shares[ORDERS].work = OF_ORDERS;
    } else {
        shares[RELATIONS] = BESIDE_THE_ENGINE;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> [Share; METHODS] {
        let program = crate::clp::read_with_calls(source).product.expect("no mistake in it");
        shares(&program, false, false)
    }

    #[test]
    fn relations_have_a_large_share_beside_the_engine_and_over_terms_once() {
        let last_call = of("?- p(0). p(X) :- X < 9, p(X + 1). p(X) :- X > 9, error.");
        assert!(last_call[RELATIONS].until(4) > last_call[ENGINE].until(4));
        // Who begins is the engine, with what it needs for programs of some hundred states on each of many paths.
        assert!(last_call[ENGINE].until(0) >= 20_000);
        assert_eq!(last_call[RELATIONS].until(0), 0);
        let arrays = of("?- p(0, A). p(X, A) :- X < 9, p(X + 1, store(A, X, 1)). p(X, A) :- X >= 9, A[3] < 1, error.");
        assert!(arrays[RELATIONS].until(4) < arrays[ENGINE].until(4));
        let calls = of("?- f(3, R), R < 0, error. f(N, 1) :- N =< 0. f(N, A + B) :- N > 0, f(N - 1, A), f(N - 2, B).");
        let over_terms = of("?- l([1], N), N < 0, error. l([], 0). l([_ | T], N + 1) :- l(T, N).");
        assert!(over_terms[RELATIONS].until(1) >= calls[RELATIONS].until(1));
        assert!(over_terms[RELATIONS].until(4) * 2 < calls[RELATIONS].until(4));
        assert!(over_terms[ORDERS].until(4) > calls[ORDERS].until(4));
        // Sizes and functions come before relations there, and only there.
        for method in [SIZES, FUNCTIONS] {
            assert!(method < RELATIONS && over_terms[method].until(0) > 0);
            assert_eq!(calls[method].until(0), 0);
        }
    }
}
