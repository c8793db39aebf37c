//! C programs that calculate with floating-point numbers, in `examples/c/floats`: proofs are accepted by the checker, errors are
//! replayed and reached by the compiled harness. And what is refused, and what is not reported.

// A skipped test says so.
#![allow(clippy::print_stdout)]

use crate::answers::{Answer, answer};
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

/// What is asked in `main`, and the answer: `rint` and its kin round in the direction that is set, and nothing else may.
const DIRECTIONS: &[(Answer, &str)] = &[
    (Answer::Unsafe, "fesetround(0x800); if (rint(2.1) == 3) reach_error();"),
    (Answer::Safe, "if (rint(2.1) == 3) reach_error(); fesetround(0x800);"),
    (
        Answer::Safe,
        "fesetround(0x800); fesetround(0); if (rint(2.1) != 2) reach_error();",
    ),
    (
        Answer::Unsafe,
        "fesetround(0x400); if (lrint(-2.1) == -3 && nearbyint(2.9) == 2 && rintf(-0.5f) == -1) reach_error();",
    ),
    (
        Answer::Unsafe,
        "fesetround(0xc00); if (lrint(-2.9) == -2 && roundeven(2.5) == 2 && round(2.5) == 3 && floor(-2.5) == -3) reach_error();",
    ),
    (
        Answer::Unsafe,
        "if (fegetround() == 0 && !fesetround(0x800) && fegetround() == 0x800) reach_error();",
    ),
    (Answer::Safe, "if (!fesetround(77) || fegetround() != 0) reach_error();"),
    (
        Answer::Unsafe,
        "set(input()); if (rint(1.5) == 1 && rint(-1.5) == -2) reach_error();",
    ),
    (
        Answer::Safe,
        "set(input()); if (rint(1.5) != 1 && rint(1.5) != 2) reach_error();",
    ),
    (
        Answer::Unsafe,
        "int (*f)(int) = fesetround; f(0x800); if (rint(0.5) == 1) reach_error();",
    ),
    (
        Answer::Unsafe,
        "double x = 1, y = 3, z = x / y; fesetround(0x800); if (z < 0.4 && z > 0.3) reach_error();",
    ),
    (
        Answer::Unsafe,
        "int x = input(); fesetround(0x800); double f = x; if (f == 7) reach_error();",
    ),
    (
        Answer::Safe,
        "double x = 7, y = 2; fesetround(0x800); if (fmod(x, y) != 1) reach_error();",
    ),
    (Answer::Refused, "int r = fesetround(77); if (r == 1) reach_error();"),
    (
        Answer::Refused,
        "double x = 1, y = 3; set(0x800); if (x / y > 0.3333333333333333) reach_error();",
    ),
    (
        Answer::Refused,
        "long x = input(); fesetround(0x800); float f = x; if (f > x) reach_error();",
    ),
    (
        Answer::Refused,
        "double x = 0.1; fesetround(0x800); float f = x; if (f > x) reach_error();",
    ),
    (
        Answer::Refused,
        "double x = input(); fesetround(0x800); if (sqrt(x) > 1.5) reach_error();",
    ),
    (
        Answer::Refused,
        "double x = input(); fesetround(0x800); x += 0.1; if (x > 1) reach_error();",
    ),
];

#[test]
fn integers_are_rounded_in_the_direction_that_is_set() {
    let mut wrong = Vec::new();
    for (expected, body) in DIRECTIONS {
        let text = format!(
            "extern int fesetround(int); extern int fegetround(void); double rint(double), nearbyint(double), roundeven(double);
             double round(double), floor(double), fmod(double, double), sqrt(double); float rintf(float); long lrint(double);
             extern int input(void); static void set(int direction) {{ fesetround(direction); }}
             int main(void) {{ {body} return 0; }}"
        );
        let (found, why) = answer(&text, &COptions::default());
        if found != *expected {
            wrong.push(format!("{body}: {found:?}, not {expected:?} {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
