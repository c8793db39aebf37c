//! The proofs: what the checker, another solver and Coq say of them.

use super::support::{compressed_c_raw, compressed_rules, example};
use clausal::compress::{Options, Origin, coq};
use clausal::evidence::{CheckLimits, check_certificate, obligations_smtlib};
use std::path::PathBuf;
use std::process::Command;

/// The proofs of the worked examples.
fn proofs() -> Vec<(&'static str, clausal::compress::Compression)> {
    let options = Options::default();
    vec![
        (
            "two-counters",
            compressed_c_raw(&example("two-counters.c"), "j >= n", &[("n", 100)], &options),
        ),
        (
            "read-again",
            compressed_c_raw(&example("read-again.c"), "x != 0 && err != 1", &[("y", 5)], &options),
        ),
        (
            "nested-c",
            compressed_c_raw(&example("nested.c"), "y >= 0", &[], &options),
        ),
        ("nested", compressed_rules(&example("nested.clp"), 0, &options).2),
    ]
}

#[test]
fn a_certificate_without_an_invariant_is_refused() {
    for (name, compression) in proofs() {
        let proof = &compression.proof;
        let limits = CheckLimits::default();
        assert!(
            check_certificate(&proof.program, &proof.certificate, limits).is_ok(),
            "{name}"
        );
        // Generalization has left nothing that is not needed, so nothing can be left out anywhere at a header.
        for position in 0..proof.certificate.invariants.len() {
            let mut weaker = proof.certificate.clone();
            let entry = &mut weaker.invariants[position];
            if entry.disjuncts.iter().all(Vec::is_empty) {
                continue;
            }
            entry.disjuncts = vec![Vec::new()];
            let refused = check_certificate(&proof.program, &weaker, limits).is_err();
            assert!(refused, "{name}: the invariant of predicate {position} is needed");
        }
    }
}

#[test]
fn another_solver_discharges_the_obligations() {
    let configured = std::env::var_os("CLAUSAL_Z3_BINARY").map(PathBuf::from);
    let solver = configured
        .filter(|path| path.exists())
        .unwrap_or_else(|| PathBuf::from("z3"));
    for (name, compression) in proofs() {
        let proof = &compression.proof;
        let text = obligations_smtlib(&proof.program, &proof.certificate).expect("it is well formed");
        let path = std::env::temp_dir().join(format!("clausal-compress-{}-{name}.smt2", std::process::id()));
        std::fs::write(&path, text).expect("it can be written");
        let Ok(output) = Command::new(&solver).arg(&path).output() else {
            return;
        };
        let answers = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            answers.lines().count() > 2 && answers.lines().all(|answer| answer == "unsat"),
            "{name}: {answers}"
        );
        let _ = std::fs::remove_file(&path);
    }
}

/// Runs where Coq is installed.
#[test]
fn coq_accepts_the_proofs() {
    if Command::new("coqc").arg("--version").output().is_err() {
        return;
    }
    for (name, compression) in proofs() {
        let describe = |origin: &Origin| format!("{origin:?}");
        let text = coq(&compression.proof, &describe).expect("it is about integers");
        let folder = std::env::temp_dir().join(format!("clausal-compress-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("it can be made");
        std::fs::write(folder.join("proof.v"), &text).expect("it can be written");
        let output = Command::new("coqc").arg("proof.v").current_dir(&folder).output();
        let output = output.expect("it was there before");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{name}: {said}\n{text}");
        let _ = std::fs::remove_dir_all(&folder);
    }
}
