//! Identities of machine words in C, in `examples/c/words`: each holds in `safe`, and is wrong in one place in `unsafe`. Proofs are
//! accepted by the checker, errors are replayed.

use clausal::c::Translation;
use clausal::c::options::Options as COptions;
use clausal::diagnostics::render;
use clausal::engine::{Budget, Options, Verdict};
use clausal::evidence::{CheckLimits, check_certificate, replay};
use clausal::source_level::{Method, Verification, verify_c_by};
use clausal::turns;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Those that take a second or two; what becomes of the others is written down in `benches/RESULTS.md`.
const QUICK: &[&str] = &[
    "absolute-32",
    "average-floor-32",
    "average-floor-signed-32",
    "byte-swap-16",
    "byte-swap-32",
    "clear-lowest-64",
    "compare-64",
    "crosses-page-32",
    "difference-or-zero-32",
    "divide-by-10-8",
    "divide-by-3-16",
    "divide-by-7-16",
    "exchange-64",
    "gray-code-16",
    "isolate-lowest-32",
    "maximum-16",
    "merge-64",
    "minimum-32",
    "morton-16",
    "multiply-by-shifts-32",
    "multiply-high-32",
    "next-power-16",
    "ones-below-32",
    "parity-32",
    "parity-8",
    "popcount-8",
    "popcount-table-8",
    "rotate-8",
    "round-up-32",
    "saturating-add-8",
    "sign-32",
    "sign-64",
    "sign-extend-16",
    "ternary-64",
    "xor-hash-32",
];

fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples/c/words")
        .join(folder);
    let entries = fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    paths.retain(|path| {
        let name = path.file_stem().expect("it has a name").to_string_lossy();
        QUICK.contains(&&*name)
    });
    paths
}

fn verified(path: &Path) -> Verification {
    let text = fs::read_to_string(path).expect("the program can be read");
    let options = Options {
        budget: Budget {
            time: Some(Duration::from_secs(300)),
            ..Budget::default()
        },
        ..Options::default()
    };
    let by_turns = |translation: &mut Translation, options: &Options| turns::verify(&translation.program, options);
    let reading = verify_c_by(&text, &COptions::default(), Method::Automatic, &options, &by_turns);
    let name = path.to_string_lossy();
    reading
        .product
        .unwrap_or_else(|| panic!("{}", render(&reading.diagnostics, &name, &text)))
}

#[test]
fn identities_are_proved() {
    for path in programs("safe") {
        let found = verified(&path);
        let Verdict::Safe(proof) = &found.outcome.verdict else {
            panic!("{path:?}: {:?}", found.outcome.verdict)
        };
        check_certificate(&found.translation.program, proof, CheckLimits::default()).expect("it is a proof");
    }
}

#[test]
fn near_identities_are_refuted() {
    for path in programs("unsafe") {
        let found = verified(&path);
        let Verdict::Unsafe(derivation) = &found.outcome.verdict else {
            panic!("{path:?}: {:?}", found.outcome.verdict)
        };
        assert_eq!(replay(&found.translation.program, derivation), Ok(()), "{path:?}");
    }
}
