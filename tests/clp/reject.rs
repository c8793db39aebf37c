//! Every malformed program in `clp-programs/reject` is refused, with diagnostics that are kept as snapshots.

use std::path::Path;

#[test]
fn malformed_programs_are_refused_helpfully() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("clp-programs/reject");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of malformed programs")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "clp"))
        .collect();
    files.sort();
    assert!(files.len() >= 60, "only {} malformed programs", files.len());
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/reject");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for file in files {
            let name = file.file_stem().and_then(|stem| stem.to_str()).expect("a name");
            let source = std::fs::read_to_string(&file).expect("a text");
            let reading = clausal::clp::read(&source);
            assert!(reading.product.is_none(), "{name} is accepted");
            let text = clausal::diagnostics::render(&reading.diagnostics, &format!("{name}.clp"), &source);
            insta::assert_snapshot!(name, text);
        }
    });
}
