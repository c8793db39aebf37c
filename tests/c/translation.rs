//! The rules that C becomes, as a person reads them: snapshots of `translate --to clp` for the programs in `examples/c`.
//! `c_programs` verifies the same files.

use clausal::c::options::{Blocks, Options};
use clausal::c::translate;
use clausal::clp;
use clausal::diagnostics::render;
use clausal::rules::Program;
use std::fs;
use std::path::{Path, PathBuf};

fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/c").join(folder);
    let entries = fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// The program's rules; none if it needs the preprocessor.
fn rules(path: &Path, options: &Options) -> Option<Program> {
    let text = fs::read_to_string(path).expect("the program can be read");
    if text.contains("\n#") {
        return None;
    }
    let reading = translate(&text, options);
    let shown = || render(&reading.diagnostics, &path.display().to_string(), &text);
    let translation = reading.product.as_ref().unwrap_or_else(|| panic!("{}", shown()));
    let rules = translation.program.rules().len();
    assert_eq!(translation.map.rules.len(), rules, "{path:?}");
    assert_eq!(
        translation.map.predicates.len(),
        translation.program.predicates().len(),
        "{path:?}"
    );
    Some(translation.program.clone())
}

#[test]
fn rules_are_as_they_were() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/c");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for folder in ["safe", "unsafe"] {
        for path in programs(folder) {
            let Some(program) = rules(&path, &Options::default()) else {
                continue;
            };
            let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a plain name");
            settings.bind(|| insta::assert_snapshot!(format!("{folder}__{stem}"), clp::print(&program)));
        }
    }
}

#[test]
fn printed_rules_can_be_read() {
    for folder in ["safe", "unsafe"] {
        for path in programs(folder) {
            for blocks in [Blocks::Basic, Blocks::Joins, Blocks::Loops] {
                let options = Options {
                    blocks,
                    ..Options::default()
                };
                let Some(program) = rules(&path, &options) else {
                    continue;
                };
                let text = clp::print(&program);
                let reading = clp::read(&text);
                assert!(reading.product.is_some(), "{path:?}: {:?}\n{text}", reading.diagnostics);
                // Translating again gives the same bytes.
                let again = rules(&path, &options).map(|program| clp::print(&program));
                assert_eq!(again, Some(text));
            }
        }
    }
}
