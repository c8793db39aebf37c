//! What is said about texts that are no linear Horn clauses, one snapshot for each in `snapshots/reject/`.

use clausal::diagnostics::render;
use std::path::Path;

#[test]
fn every_rejected_text_has_its_diagnostics() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("clp-programs/reject");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder of rejected programs")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".smt2"))
        .collect();
    names.sort();
    assert!(names.len() >= 15);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/reject");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for name in names {
            let source = std::fs::read_to_string(folder.join(&name)).expect("a readable file");
            let reading = clausal::horn::read(&source);
            assert!(reading.product.is_none(), "{name} was read");
            insta::assert_snapshot!(name.as_str(), render(&reading.diagnostics, &name, &source));
        }
    });
}

#[test]
fn no_more_than_twenty_errors_are_reported() {
    let source = "(assert (p 1))\n".repeat(100);
    assert_eq!(clausal::horn::read(&source).diagnostics.len(), 20);
}
