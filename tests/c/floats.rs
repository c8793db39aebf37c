//! C programs that calculate with floating-point numbers, in `examples/c/floats`: proofs are accepted by the checker, errors are
//! replayed and reached by the compiled harness. And what is refused, and what is not reported.

// A skipped test says so.
#![allow(clippy::print_stdout)]

use clausal::c::options::{Checks, Options as COptions};
use clausal::diagnostics::render;
use clausal::engine::{Budget, Options, StopReason, Verdict};
use clausal::evidence::{CheckLimits, check_certificate, replay};
use clausal::source_level::{Method, Places, REACHED, Verification, harness, verify_c};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples/c/floats")
        .join(folder);
    let entries = fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    paths
}

/// The text of a program without directives; `None` where there is no compiler for it.
fn preprocessed(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).expect("the program can be read");
    if !text.contains("\n#") {
        return Some(text);
    }
    let output = Command::new("gcc").arg("-E").arg(path).output().ok()?;
    String::from_utf8(output.stdout).ok()
}

fn verified(name: &str, text: &str, c_options: &COptions) -> Verification {
    let options = Options {
        budget: Budget {
            time: Some(Duration::from_secs(300)),
            ..Budget::default()
        },
        ..Options::default()
    };
    let reading = verify_c(text, c_options, Method::Automatic, &options);
    reading
        .product
        .unwrap_or_else(|| panic!("{}", render(&reading.diagnostics, name, text)))
}

fn verdict(body: &str) -> Verdict {
    let text = format!(
        "extern void reach_error(void); extern double __VERIFIER_nondet_double(void);
         extern double sin(double), fmin(double, double), copysign(double, double), exp(double);
         int main(void) {{ {body} return 0; }}"
    );
    verified("body.c", &text, &COptions::default()).outcome.verdict
}

#[test]
fn proofs_are_accepted() {
    for path in programs("safe") {
        let Some(text) = preprocessed(&path) else { continue };
        let found = verified("safe.c", &text, &COptions::default());
        let Verdict::Safe(proof) = &found.outcome.verdict else {
            panic!("{path:?}: {:?}", found.outcome.verdict)
        };
        check_certificate(&found.translation.program, proof, CheckLimits::default()).expect("it is a proof");
    }
}

#[test]
fn errors_are_reached_by_harnesses() {
    for path in programs("unsafe") {
        let Some(text) = preprocessed(&path) else { continue };
        let found = verified("unsafe.c", &text, &COptions::default());
        let Verdict::Unsafe(derivation) = &found.outcome.verdict else {
            panic!("{path:?}: {:?}", found.outcome.verdict)
        };
        assert_eq!(replay(&found.translation.program, derivation), Ok(()));
        let written = harness("unsafe.c", &found, &text, &Places::new("unsafe.c", &text)).expect("it can be written");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("floats");
        fs::create_dir_all(&folder).expect("a folder can be made");
        let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let (source, executable) = (folder.join(format!("{name}.c")), folder.join(&name));
        fs::write(&source, written).expect("it can be written");
        let compiled = Command::new("gcc")
            .args(["-w", "-fwrapv", "-o"])
            .args([&executable, &source])
            .arg("-lm")
            .status();
        let Ok(status) = compiled else {
            println!("skipped: there is no gcc");
            return;
        };
        assert!(status.success(), "{source:?}");
        let code = Command::new(&executable).status().expect("it runs").code();
        assert_eq!(code, Some(REACHED), "{path:?}");
    }
}

#[test]
fn what_is_not_calculated_is_within_its_limits_and_no_error() {
    let is_inexact = |verdict: &Verdict| matches!(verdict, Verdict::Unknown(StopReason::Inexact(_)));
    let safe = |verdict: &Verdict| matches!(verdict, Verdict::Safe(_));
    assert!(safe(&verdict(
        "double s = sin(0.5); if (!(s <= 1 && s >= -1)) reach_error();"
    )));
    assert!(safe(&verdict("if (exp(0.5) < 0) reach_error();")));
    assert!(is_inexact(&verdict("if (sin(0.5) > 0.9) reach_error();")));
    assert!(is_inexact(&verdict(
        "double n = 0; n = n / n; if (copysign(1, n) > 0) reach_error();"
    )));
    assert!(safe(&verdict("if (copysign(1, -0.0) > 0) reach_error();")));
    assert!(is_inexact(&verdict("if (1 / fmin(0.0, -0.0) > 0) reach_error();")));
    let verdict = verdict("double x = __VERIFIER_nondet_double(); if (fmin(x, 3) == 2) reach_error();");
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
}

#[test]
fn conversions_without_a_value_are_found() {
    let text = "extern double input(void); int main(void) { double x = input(); return x < 0 ? 0 : (unsigned char)x; }";
    let options = COptions {
        checks: Checks::named("conversions").expect("a check"),
        ..COptions::default()
    };
    let found = verified("conversion.c", text, &options);
    assert!(
        matches!(found.outcome.verdict, Verdict::Unsafe(_)),
        "{:?}",
        found.outcome.verdict
    );
    let bounded = text.replace("x < 0 ?", "!(x > -1 && x < 256) ?");
    let found = verified("conversion.c", &bounded, &options);
    assert!(
        matches!(found.outcome.verdict, Verdict::Safe(_)),
        "{:?}",
        found.outcome.verdict
    );
}

#[test]
fn other_directions_of_rounding_are_refused() {
    let options = Options::default();
    let calls = "extern int fesetround(int); extern void reach_error(void);
        int main(void) { double x = 1, y = 3; fesetround(1024); if (x / y > 0.34) reach_error(); return 0; }";
    let pragma = "#pragma STDC FENV_ROUND FE_UPWARD\nint main(void) { return 0; }";
    for text in [calls, pragma] {
        let reading = verify_c(text, &COptions::default(), Method::Automatic, &options);
        assert!(reading.product.is_none(), "{text}");
    }
}
