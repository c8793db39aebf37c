//! The programs of `examples/c/long`: each is safe as it is, and with each of its three seeded mistakes, which make an assertion
//! fail when it is compiled and run, it is not.

use clausal::assistance::Assistance;
use clausal::c::options::Options as COptions;
use clausal::engine::{Budget, Options, Verdict};
use clausal::source_level::{Method, verify_c_by};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

fn verdict(name: &str, mistake: usize) -> Option<Verdict> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/c/long/{name}.c"));
    let mut preprocessor = Command::new("gcc");
    preprocessor.arg("-E").arg(format!("-DBUG{mistake}")).arg(&path);
    let output = preprocessor.output().ok()?;
    assert!(output.status.success(), "{path:?}");
    let text = String::from_utf8(output.stdout).ok()?;
    let options = Options {
        budget: Budget {
            time: Some(Duration::from_secs(120)),
            ..Budget::default()
        },
        ..Options::default()
    };
    let reading = verify_c_by(
        &text,
        &COptions::default(),
        Method::Automatic,
        &options,
        &|translation, options| Assistance::Turns.verify(&mut translation.program, options),
    );
    let verification = reading.product.unwrap_or_else(|| panic!("{name} is translated"));
    Some(verification.outcome.verdict)
}

/// Only those that take a few seconds.
const PROGRAMS: [&str; 4] = ["allocator", "ledger", "protocol", "scheduler"];

#[test]
fn each_is_safe_as_it_is() {
    for name in PROGRAMS {
        let Some(verdict) = verdict(name, 0) else { return };
        assert!(matches!(verdict, Verdict::Safe(_)), "{name}: {verdict:?}");
    }
}

#[test]
fn each_seeded_mistake_is_found() {
    for name in PROGRAMS {
        for mistake in 1..=3 {
            let Some(verdict) = verdict(name, mistake) else { return };
            assert!(
                matches!(verdict, Verdict::Unsafe(_)),
                "{name}, BUG{mistake}: {verdict:?}"
            );
        }
    }
}
