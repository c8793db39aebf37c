//! For tests: verdicts whose evidence was checked by code that does not know the methods, and what the tests of terms and rules make at random
//! (the same files, since what is for tests only is not part of a crate that others use).

#[path = "../../rules/src/terms/samples.rs"]
pub(crate) mod samples;
#[path = "../../rules/src/rules/small_domain.rs"]
pub(crate) mod small_domain;

use crate::clp;
use crate::engine::{Options, Outcome, Verdict};
use crate::evidence::{CheckLimits, check_certificate, replay};
use crate::rules::Program;

/// What a method says of CLP rules, once its evidence has been checked: a certificate by the checker, a derivation by the replay.
pub(crate) fn checked_verdict(source: &str, method: fn(&Program, &Options) -> Outcome) -> Verdict {
    let program = clp::read(source).product.expect("no mistake in it");
    let verdict = method(&program, &Options::default()).verdict;
    match &verdict {
        Verdict::Safe(certificate) => {
            let accepted = check_certificate(&program, certificate, CheckLimits::default());
            assert!(accepted.is_ok(), "{accepted:?}");
        }
        Verdict::Unsafe(derivation) => {
            let replayed = replay(&program, derivation);
            assert!(replayed.is_ok(), "{replayed:?}");
        }
        Verdict::Unknown(_) => {}
    }
    verdict
}
