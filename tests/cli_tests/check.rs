//! `clausal check`: evidence that is saved, checked, and tampered with.

use super::support::{Folder, SAFE, UNSAFE};

fn folder_with_evidence(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("safe.clp", SAFE);
    folder.write("unsafe.clp", UNSAFE);
    folder
        .run(&["verify", "safe.clp", "--save-evidence", "safe.json"])
        .ended(0);
    folder
        .run(&["verify", "unsafe.clp", "--save-evidence", "unsafe.json"])
        .ended(10);
    folder
}

#[test]
fn saved_evidence_is_accepted() {
    let folder = folder_with_evidence("check_accepted");
    let run = folder.run(&["check", "safe.clp", "safe.json"]).ended(0);
    assert!(
        run.output
            .starts_with("SAFE\nThe certificate proves it; obligations checked: "),
        "{run:#?}"
    );
    let run = folder.run(&["check", "unsafe.clp", "unsafe.json"]).ended(10);
    assert_eq!(
        run.output,
        "UNSAFE\nThe derivation reaches the error; steps replayed: 5.\n"
    );
    let report = folder
        .run(&["check", "--json", "unsafe.clp", "unsafe.json"])
        .ended(10)
        .json();
    assert_eq!(
        (&report["verdict"], &report["accepted"]),
        (&"unsafe".into(), &true.into())
    );
}

#[test]
fn changed_evidence_is_rejected() {
    let folder = folder_with_evidence("check_changed");
    let weakened = folder.read("safe.json").replace("(>= Y 0)", "(>= Y (- 1))");
    folder.write("weakened.json", weakened);
    let run = folder.run(&["check", "safe.clp", "weakened.json"]).ended(1);
    assert!(
        run.output.starts_with("REJECTED: the certificate proves nothing: "),
        "{run:#?}"
    );
    let detour = folder.read("unsafe.json").replacen("\"1\"", "\"2\"", 1);
    folder.write("detour.json", detour);
    let run = folder.run(&["check", "unsafe.clp", "detour.json"]).ended(1);
    assert!(
        run.output.starts_with("REJECTED: the derivation proves nothing: "),
        "{run:#?}"
    );
    let report = folder
        .run(&["check", "--json", "unsafe.clp", "detour.json"])
        .ended(1)
        .json();
    assert_eq!(
        (&report["verdict"], &report["accepted"]),
        (&"unknown".into(), &false.into())
    );
}

#[test]
fn evidence_for_something_else_is_refused() {
    let folder = folder_with_evidence("check_other");
    let run = folder.run(&["check", "safe.clp", "unsafe.json"]).ended(1);
    assert!(
        run.complaints.ends_with("help: is this evidence for safe.clp?\n"),
        "{run:#?}"
    );
    folder.write("other.clp", UNSAFE.replace('3', "4"));
    let run = folder.run(&["check", "other.clp", "unsafe.json"]).ended(1);
    assert!(
        run.complaints
            .starts_with("warning: unsafe.json was saved for another program"),
        "{run:#?}"
    );
    folder.write("broken.json", "{");
    let run = folder.run(&["check", "safe.clp", "broken.json"]).ended(1);
    assert!(
        run.complaints.starts_with("error: broken.json: this is not JSON: "),
        "{run:#?}"
    );
    let run = folder.run(&["check", "safe.clp", "missing.json"]).ended(1);
    run.complained("error: missing.json: there is no such file\n");
}
