//! The reader of saved evidence, and its checkers, on any bytes: `cargo +nightly fuzz run evidence`.

#![no_main]

use clausal::evidence::{CheckLimits, Evidence, check_certificate, read_evidence, replay};
use libfuzzer_sys::fuzz_target;

/// Rules that the evidence is about: there is no error in their reach.
const RULES: &str = "?- p(0).\np(X) :- X < 10, p(X + 1).\np(X) :- X > 10, error.\n";

fuzz_target!(|text: &str| {
    let Some(program) = clausal::clp::read(RULES).product else {
        return;
    };
    match read_evidence(&program, text).map(|saved| saved.evidence) {
        Ok(Evidence::Certificate(certificate)) => drop(check_certificate(&program, &certificate, CheckLimits::default())),
        Ok(Evidence::Derivation(derivation)) => assert!(replay(&program, &derivation).is_err()),
        Err(_) => {}
    }
});
