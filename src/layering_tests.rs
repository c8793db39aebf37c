//! What ARCHITECTURE.md says of imports, read off the sources: who knows whom, and that imports inside the engine go one way.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A folder, or a file, and which modules of the crate nothing in it imports.
const ABSENT: &[(&str, &[&str])] = &[
    ("c", &["engine", "compress", "clp", "horn"]),
    ("clp", &["engine", "compress", "c", "horn"]),
    ("horn", &["engine", "compress", "c", "clp"]),
    ("rules", &["engine", "compress"]),
    ("terms", &["engine", "compress"]),
    ("solver", &["engine", "compress", "c", "clp", "horn"]),
    ("evidence", &["engine", "compress", "steps", "c", "clp", "horn"]),
    ("execution", &["engine", "evidence", "compress", "c", "clp", "horn"]),
    (
        "leaps.rs",
        &[
            "engine",
            "evidence",
            "compress",
            "explore",
            "enumeration",
            "steps",
            "c",
            "clp",
            "horn",
        ],
    ),
    (
        "steps",
        &[
            "engine",
            "compress",
            "explore",
            "infer",
            "relations",
            "locations",
            "c",
            "clp",
            "horn",
        ],
    ),
    ("infer", &["engine", "compress", "explore"]),
    (
        "polynomials",
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
    ("compress", &["engine", "explore"]),
    (
        "engine",
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
            "c",
            "clp",
            "horn",
        ],
    ),
    (
        "relations",
        &[
            "compress",
            "explore",
            "infer",
            "locations",
            "measures",
            "cells",
            "turns",
            "c",
            "clp",
            "horn",
        ],
    ),
    (
        "locations",
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
            "c",
            "clp",
            "horn",
        ],
    ),
    (
        "affine",
        &[
            "engine",
            "compress",
            "explore",
            "infer",
            "relations",
            "locations",
            "phases",
            "turns",
            "c",
            "clp",
            "horn",
        ],
    ),
    (
        "filtering",
        &[
            "compress",
            "explore",
            "infer",
            "relations",
            "locations",
            "measures",
            "cells",
            "turns",
            "c",
            "clp",
            "horn",
        ],
    ),
    (
        "records",
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
            "c",
            "clp",
            "horn",
        ],
    ),
    (
        "phases.rs",
        &[
            "compress", "explore", "infer", "measures", "cells", "turns", "c", "clp", "horn",
        ],
    ),
    (
        "functions",
        &[
            "compress", "explore", "infer", "measures", "cells", "turns", "c", "clp", "horn",
        ],
    ),
    (
        "inferred.rs",
        &[
            "compress", "explore", "phases", "measures", "cells", "turns", "c", "clp", "horn",
        ],
    ),
    ("cells", &["compress", "explore", "infer", "turns", "c", "clp", "horn"]),
    (
        "measures.rs",
        &["compress", "explore", "infer", "turns", "c", "clp", "horn"],
    ),
    (
        "enumeration.rs",
        &[
            "compress",
            "explore",
            "infer",
            "relations",
            "measures",
            "turns",
            "c",
            "clp",
            "horn",
        ],
    ),
    (
        "enumeration",
        &[
            "compress",
            "explore",
            "infer",
            "relations",
            "measures",
            "turns",
            "c",
            "clp",
            "horn",
        ],
    ),
    (
        "defined.rs",
        &[
            "compress", "explore", "infer", "measures", "cells", "turns", "c", "clp", "horn",
        ],
    ),
    (
        "unbounded.rs",
        &[
            "compress",
            "explore",
            "infer",
            "locations",
            "measures",
            "cells",
            "turns",
            "c",
            "clp",
            "horn",
        ],
    ),
    (
        "unbounded",
        &[
            "compress",
            "explore",
            "infer",
            "locations",
            "measures",
            "cells",
            "turns",
            "c",
            "clp",
            "horn",
        ],
    ),
    ("turns.rs", &["compress", "infer", "c", "clp", "horn"]),
    ("turns", &["compress", "infer", "c", "clp", "horn"]),
    (
        "hints",
        &["compress", "explore", "infer", "relations", "turns", "c", "horn"],
    ),
    ("report", &["c", "clp", "horn"]),
    ("solving", &["c", "clp", "compress", "explore", "infer"]),
    ("bench", &["cli"]),
];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
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
                    let is_imported = [format!("crate::{module}::"), format!("crate::{module};")]
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
    for path in files(&sources().join("engine")) {
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
