//! Decides which Z3 is linked, and refuses one that is missing or too old.
//!
//! The linking itself is done by `z3-sys`, whose build script asks pkg-config and otherwise links whatever `libz3` the
//! linker comes across, only warning about an old one. This script asks the same questions in the same order, so it
//! knows what `z3-sys` was told; it then
//!
//! * fails the build unless that is Z3 4.13.3 or newer (with older ones kinds of terms come back wrong);
//! * lets everything that is built find the library when it runs: programs, tests and examples by an rpath, and
//!   documentation tests, which get no linker arguments, through a folder that cargo itself searches.
//!
//! It is run for each package whose programs or tests link Z3, as arguments of the linker are those of one package.
//!
//! With the feature `vendored` Z3 is built from source and linked statically, and nothing of this is needed.

use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The oldest Z3 whose interface `z3-sys` describes.
const OLDEST: Version = Version(4, 13, 3);

/// The folder that `make setup` prepares.
const PREPARED: &str = ".z3";

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Version(u32, u32, u32);

impl Version {
    /// Reads `4.13.3`, and also `5.3.3.0` or `4.8`, whose last parts say nothing that matters here.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('.').map(str::parse::<u32>);
        let major = parts.next()?.ok()?;
        let minor = parts.next()?.ok()?;
        let patch = parts.next().transpose().ok()?.unwrap_or(0);
        Some(Self(major, minor, patch))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// A Z3 that can be linked.
struct Z3 {
    version: Version,
    /// The folder its library is in, unless it lies where the linker looks anyway.
    folder: Option<PathBuf>,
}

fn main() {
    // Cargo runs a script again whose text has changed. This file must not be named: its path is another one for each package, and a
    // file that is not where it is said to be would let the script run, and its package be compiled, each time.
    println!("cargo::rerun-if-env-changed=CARGO_FEATURE_VENDORED");
    if env::var_os("CARGO_FEATURE_VENDORED").is_some() {
        return;
    }
    match find().and_then(refuse_old) {
        Ok(z3) => link(&z3),
        Err(problem) => {
            println!("cargo::error={problem}");
            println!("cargo::error={}", remedy());
        }
    }
}

/// Finds the Z3 that `z3-sys` links: pkg-config's, or else the one in the folder the user names.
fn find() -> Result<Z3, String> {
    let mut pkg_config = pkg_config::Config::new();
    let Ok(library) = pkg_config.cargo_metadata(false).probe("z3") else {
        return find_without_pkg_config();
    };
    let version = Version::parse(&library.version).ok_or_else(|| {
        format!(
            "pkg-config found a Z3, but its version, '{}', is not one",
            library.version
        )
    })?;
    // A folder named by z3.pc that lacks the library would make the linker take another Z3 from elsewhere.
    let folder = library.link_paths.iter().find(|folder| has_library(folder));
    match (folder, library.link_paths.first()) {
        (None, Some(named)) => Err(format!(
            "pkg-config found Z3 {version}, but there is no Z3 library in {}",
            named.display()
        )),
        (folder, _) => Ok(Z3 {
            version,
            folder: folder.cloned(),
        }),
    }
}

fn find_without_pkg_config() -> Result<Z3, String> {
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    println!("cargo::rerun-if-env-changed=Z3_SYS_Z3_VERSION");
    let folder = env::var_os("Z3_LIBRARY_PATH_OVERRIDE")
        .map(PathBuf::from)
        .filter(|folder| has_library(folder))
        .ok_or_else(|| format!("no Z3 was found; Clausal needs Z3 {OLDEST} or newer"))?;
    let version = env::var("Z3_SYS_Z3_VERSION")
        .ok()
        .and_then(|text| Version::parse(&text))
        .or_else(|| version_beside(&folder))
        .ok_or_else(|| {
            format!(
                "there is a Z3 library in {}, but neither a z3.pc nor a z3_version.h beside it tells its version \
                 (if you know it, set Z3_SYS_Z3_VERSION)",
                folder.display()
            )
        })?;
    Ok(Z3 {
        version,
        folder: Some(folder),
    })
}

/// Reads the version of the library in `folder` from the files that are installed with it.
fn version_beside(folder: &Path) -> Option<Version> {
    let prefix = folder.parent()?;
    [prefix.join("z3.pc"), folder.join("pkgconfig").join("z3.pc")]
        .iter()
        .find_map(|path| version_in_metadata(&fs::read_to_string(path).ok()?))
        .or_else(|| version_in_header(&fs::read_to_string(prefix.join("include").join("z3_version.h")).ok()?))
}

fn version_in_metadata(text: &str) -> Option<Version> {
    text.lines()
        .find_map(|line| Version::parse(line.strip_prefix("Version:")?))
}

fn version_in_header(text: &str) -> Option<Version> {
    let number = |name: &str| {
        text.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            (words.next() == Some("#define") && words.next() == Some(name))
                .then(|| words.next()?.parse().ok())
                .flatten()
        })
    };
    Some(Version(
        number("Z3_MAJOR_VERSION")?,
        number("Z3_MINOR_VERSION")?,
        number("Z3_BUILD_NUMBER")?,
    ))
}

fn refuse_old(z3: Z3) -> Result<Z3, String> {
    if z3.version >= OLDEST {
        return Ok(z3);
    }
    let place = z3
        .folder
        .as_deref()
        .map_or_else(String::new, |folder| format!(" in {}", folder.display()));
    Err(format!(
        "the Z3{place} is version {}; Clausal needs {OLDEST} or newer",
        z3.version
    ))
}

/// Says what to do about a Z3 that cannot be used.
fn remedy() -> String {
    let prepared = prepared();
    let searched = env::var_os("PKG_CONFIG_PATH").unwrap_or_default();
    let hidden = !env::split_paths(&searched).any(|folder| same_folder(&folder, &prepared));
    if hidden && !searched.is_empty() && prepared.join("z3.pc").exists() {
        return format!(
            "PKG_CONFIG_PATH hides the Z3 that `make setup` prepared: unset it, or put {} first in it",
            prepared.display()
        );
    }
    "run `make setup` in Clausal's folder, which prepares a fitting Z3; or name the folder of a newer Z3's z3.pc in \
     PKG_CONFIG_PATH; or build Z3 from source with `--features vendored`"
        .to_owned()
}

fn link(z3: &Z3) {
    let prepared = prepared().join("lib");
    let is_prepared = z3
        .folder
        .as_deref()
        .is_some_and(|folder| same_folder(folder, &prepared));
    if !is_prepared {
        // `make setup` has said which Z3 it prepared; only another one is news.
        let place = z3.folder.as_deref().map_or_else(
            || "the system's libraries".to_owned(),
            |folder| folder.display().to_string(),
        );
        println!("cargo::warning=linking Z3 {} from {place}", z3.version);
    }
    let Some(folder) = &z3.folder else {
        return;
    };
    let shared = shared_libraries(folder);
    if shared.is_empty() {
        return;
    }
    // Three arguments rather than `-Wl,-rpath,FOLDER`, which a comma in the path would break.
    for argument in ["-Xlinker", "-rpath", "-Xlinker"] {
        println!("cargo::rustc-link-arg={argument}");
    }
    println!("cargo::rustc-link-arg={}", folder.display());
    offer_to_documentation_tests(&shared);
}

/// Puts links to the library into the output folder: cargo adds folders searched by the linker to the loader's path of
/// everything it runs, but only those below `target`.
fn offer_to_documentation_tests(shared: &[PathBuf]) {
    let Some(output) = env::var_os("OUT_DIR").map(PathBuf::from) else {
        return;
    };
    for library in shared {
        println!("cargo::rerun-if-changed={}", library.display());
        let Some(name) = library.file_name() else {
            continue;
        };
        let link = output.join(name);
        // What an earlier run left may point to another Z3; that there is nothing is as good.
        let _ = fs::remove_file(&link);
        if let Err(error) = symlink(library, &link) {
            println!(
                "cargo::warning=documentation tests may not find Z3: cannot write {}: {error}",
                link.display()
            );
        }
    }
    println!("cargo::rustc-link-search=native={}", output.display());
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn symlink(target: &Path, link: &Path) -> std::io::Result<()> {
    fs::copy(target, link).map(|_| ())
}

/// Where `make setup` puts what it prepares: in the folder of the workspace, in which this package is.
fn prepared() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let folders = package.ancestors().map(|folder| folder.join(PREPARED));
    let mut folders = folders.filter(|folder| folder.join("z3.pc").exists());
    folders.next().unwrap_or_else(|| package.join(PREPARED))
}

fn same_folder(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Whether the linker finds Z3 in `folder`; a dangling link does not count.
fn has_library(folder: &Path) -> bool {
    ["libz3.so", "libz3.dylib", "libz3.a", "libz3.lib"]
        .iter()
        .any(|name| folder.join(name).exists())
}

/// The shared libraries of Z3 in `folder`, under every name they have there, sorted.
fn shared_libraries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            name.starts_with("libz3.") && (name.contains(".so") || name.ends_with(".dylib"))
        })
        .collect();
    found.sort();
    found
}
