//! What ARCHITECTURE.md says of imports, read off the sources: who knows whom inside a crate, and that imports inside the engine go one way. That
//! no crate knows those above it is seen to by cargo.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A folder, or a file, and which modules of the crate nothing in it imports.
const ABSENT: &[(&str, &[&str])] = &[
    ("crates/c/src", &["clp", "horn"]),
    ("crates/rules/src/clp", &["horn"]),
    ("crates/rules/src/horn", &["clp"]),
    ("crates/rules/src/quantifiers", &["clp", "horn", "rules"]),
    ("crates/engine/src/solver", &["engine", "compress", "clp", "horn"]),
    (
        "crates/engine/src/evidence",
        &["engine", "compress", "steps", "clp", "horn"],
    ),
    (
        "crates/engine/src/execution",
        &["engine", "evidence", "compress", "clp", "horn"],
    ),
    (
        "crates/engine/src/leaps.rs",
        &[
            "engine",
            "evidence",
            "compress",
            "explore",
            "enumeration",
            "steps",
            "clp",
            "horn",
        ],
    ),
    (
        "crates/engine/src/steps",
        &[
            "engine",
            "compress",
            "explore",
            "infer",
            "relations",
            "locations",
            "clp",
            "horn",
        ],
    ),
    ("crates/engine/src/infer", &["engine", "compress", "explore"]),
    (
        "crates/engine/src/polynomials",
        &[
            "engine",
            "compress",
            "explore",
            "infer",
            "relations",
            "steps",
            "rules",
            "solver",
        ],
    ),
    ("crates/engine/src/compress", &["engine", "explore"]),
    (
        "crates/engine/src/engine",
        &[
            "compress",
            "explore",
            "infer",
            "relations",
            "locations",
            "measures",
            "cells",
            "enumeration",
            "turns",
            "clp",
            "horn",
        ],
    ),
    (
        "crates/engine/src/relations",
        &[
            "compress",
            "explore",
            "infer",
            "locations",
            "measures",
            "cells",
            "turns",
            "clp",
            "horn",
        ],
    ),
    (
        "crates/engine/src/locations",
        &[
            "compress",
            "explore",
            "infer",
            "relations",
            "affine",
            "phases",
            "measures",
            "cells",
            "turns",
            "clp",
            "horn",
        ],
    ),
    (
        "crates/engine/src/affine",
        &[
            "engine",
            "compress",
            "explore",
            "infer",
            "relations",
            "locations",
            "phases",
            "turns",
            "clp",
            "horn",
        ],
    ),
    (
        "crates/engine/src/filtering",
        &[
            "compress",
            "explore",
            "infer",
            "relations",
            "locations",
            "measures",
            "cells",
            "turns",
            "clp",
            "horn",
        ],
    ),
    (
        "crates/engine/src/records",
        &[
            "compress",
            "explore",
            "infer",
            "filtering",
            "relations",
            "locations",
            "measures",
            "cells",
            "turns",
            "clp",
            "horn",
        ],
    ),
    (
        "crates/engine/src/phases.rs",
        &[
            "compress", "explore", "infer", "measures", "cells", "turns", "clp", "horn",
        ],
    ),
    (
        "crates/engine/src/functions",
        &[
            "compress", "explore", "infer", "measures", "cells", "turns", "clp", "horn",
        ],
    ),
    (
        "crates/engine/src/inferred.rs",
        &[
            "compress", "explore", "phases", "measures", "cells", "turns", "clp", "horn",
        ],
    ),
    (
        "crates/engine/src/cells",
        &["compress", "explore", "infer", "turns", "clp", "horn"],
    ),
    (
        "crates/engine/src/measures.rs",
        &["compress", "explore", "infer", "turns", "clp", "horn"],
    ),
    (
        "crates/engine/src/enumeration.rs",
        &[
            "compress",
            "explore",
            "infer",
            "relations",
            "measures",
            "turns",
            "clp",
            "horn",
        ],
    ),
    (
        "crates/engine/src/enumeration",
        &[
            "compress",
            "explore",
            "infer",
            "relations",
            "measures",
            "turns",
            "clp",
            "horn",
        ],
    ),
    (
        "crates/engine/src/defined.rs",
        &[
            "compress", "explore", "infer", "measures", "cells", "turns", "clp", "horn",
        ],
    ),
    (
        "crates/engine/src/unbounded.rs",
        &[
            "compress",
            "explore",
            "infer",
            "locations",
            "measures",
            "cells",
            "turns",
            "clp",
            "horn",
        ],
    ),
    (
        "crates/engine/src/unbounded",
        &[
            "compress",
            "explore",
            "infer",
            "locations",
            "measures",
            "cells",
            "turns",
            "clp",
            "horn",
        ],
    ),
    ("crates/engine/src/turns.rs", &["compress", "infer", "clp", "horn"]),
    ("crates/engine/src/turns", &["compress", "infer", "clp", "horn"]),
    (
        "crates/engine/src/hints",
        &["compress", "explore", "infer", "relations", "turns", "horn"],
    ),
    ("crates/engine/src/report", &["clp", "horn"]),
    ("src/solving", &["clp", "compress", "explore", "infer"]),
    ("src/bench", &["cli"]),
];

fn sources() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files of a folder and of those in it; of a file, that file.
fn files(folder: &Path) -> Vec<PathBuf> {
    if folder.is_file() {
        return vec![folder.to_path_buf()];
    }
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).expect("a folder");
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A file's lines before its tests, without comments.
fn code(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("//"))
        .collect();
    let begin_tests = |pair: &[&str]| pair[0] == "#[cfg(test)]" && pair[1].ends_with('{');
    let end = lines.windows(2).position(begin_tests).unwrap_or(lines.len());
    lines[..end].iter().map(ToString::to_string).collect()
}

fn is_test(path: &Path) -> bool {
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    name.ends_with("tests") || path.components().any(|part| part.as_os_str() == "tests")
}

#[test]
fn what_must_be_absent_is() {
    let mut found = Vec::new();
    for (folder, absent) in ABSENT {
        for path in files(&sources().join(folder)).into_iter().filter(|path| !is_test(path)) {
            for line in code(&path) {
                for module in *absent {
                    let is_imported = [
                        format!("crate::{module}::"),
                        format!("crate::{module};"),
                        format!("clausal_rules::{module}::"),
                    ]
                    .iter()
                    .any(|import| line.contains(import.as_str()));
                    if is_imported {
                        found.push(format!("{}: {line}", path.display()));
                    }
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn imports_inside_the_engine_go_one_way() {
    let mut imports: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in files(&sources().join("crates/engine/src/engine")) {
        let name = path
            .file_stem()
            .and_then(|name| name.to_str())
            .expect("a name")
            .to_string();
        let of_siblings = code(&path).into_iter().filter_map(|line| {
            let rest = line.strip_prefix("use super::")?;
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_')?;
            Some(rest[..end].to_string())
        });
        imports.insert(name, of_siblings.collect());
    }
    // Files that import nothing that is left are taken away, until none is.
    while let Some(lowest) = imports
        .iter()
        .find(|(_, imported)| imported.iter().all(|name| !imports.contains_key(name)))
        .map(|(name, _)| name.clone())
    {
        imports.remove(&lowest);
    }
    assert!(imports.is_empty(), "a circle is among {:?}", imports.keys());
}
