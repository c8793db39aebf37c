//! Programs about floating-point numbers in `examples/c/numeric`: what each claims holds in `safe`, and is wrong in one place in
//! `unsafe`. Proofs are accepted by the checker, errors are replayed.

use clausal::c::Translation;
use clausal::c::options::Options as COptions;
use clausal::diagnostics::render;
use clausal::engine::{Budget, Options, Verdict};
use clausal::evidence::{CheckLimits, check_certificate, replay};
use clausal::source_level::{Method, Verification, verify_c_by};
use clausal::turns;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Those that are proved at once; what becomes of the others is written down in `benches/RESULTS.md`.
const PROVED: &[&str] = &["dot-product", "heading", "kahan-sum", "lerp", "low-pass", "smoothstep"];

/// Those whose wrong variants are found as soon.
const REFUTED: &[&str] = &[
    "dot-product",
    "fixed-point-mean",
    "heading",
    "lerp",
    "low-pass",
    "saturate",
    "sine-polynomial",
    "smoothstep",
    "temperature",
];

fn verified(folder: &str, name: &str) -> Verification {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/c/numeric/{folder}/{name}.c"));
    let text = fs::read_to_string(&path).expect("the program can be read");
    let options = Options {
        budget: Budget {
            time: Some(Duration::from_secs(60)),
            ..Budget::default()
        },
        ..Options::default()
    };
    let by_turns = |translation: &mut Translation, options: &Options| turns::verify(&translation.program, options);
    let reading = verify_c_by(&text, &COptions::default(), Method::Automatic, &options, &by_turns);
    reading
        .product
        .unwrap_or_else(|| panic!("{}", render(&reading.diagnostics, name, &text)))
}

#[test]
fn bounds_are_proved() {
    for name in PROVED {
        let found = verified("safe", name);
        let Verdict::Safe(proof) = &found.outcome.verdict else {
            panic!("{name}: {:?}", found.outcome.verdict)
        };
        check_certificate(&found.translation.program, proof, CheckLimits::default()).expect("it is a proof");
    }
}

#[test]
fn wrong_bounds_are_refuted() {
    for name in REFUTED {
        let found = verified("unsafe", name);
        let Verdict::Unsafe(derivation) = &found.outcome.verdict else {
            panic!("{name}: {:?}", found.outcome.verdict)
        };
        assert_eq!(replay(&found.translation.program, derivation), Ok(()), "{name}");
    }
}
